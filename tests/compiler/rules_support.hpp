#pragma once
// Small models as text, for the rules of the language: what is said of them, or what becomes of them.

#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compiler/compile.hpp"
#include "compiler/expression/evaluate.hpp"

namespace rules {

using namespace mosim;

/// The class M of a text, flattened.
struct Flattened {
  std::unique_ptr<compiler::Reading> reading = std::make_unique<compiler::Reading>(compiler::Bundled::without);
  std::unique_ptr<compiler::Compilation> compilation;
  parser::Workspace* workspace = &reading->workspace;
  parser::Diagnostics& diagnostics = reading->diagnostics;
  std::optional<compiler::flat::Model>& model;

  explicit Flattened(const std::string& text, const std::string& name = "M", std::vector<std::string> settings = {})
      : compilation(std::make_unique<compiler::Compilation>(*reading, compiler::Request{name, std::move(settings)})), model(read(text)) {}
  /// Everything said, as the person at the keyboard reads it.
  std::string messages() const { return reading->said(); }
  bool has(const std::string& variable) const { return find(variable) != nullptr; }
  const compiler::flat::Variable* find(const std::string& variable) const {
    if (!model) return nullptr;
    for (const auto& v : model->variables)
      if (v.name == variable) return &v;
    return nullptr;
  }
  /// The number a variable gets from its binding or from an equation `variable = ...` of known values and time, which
  /// has the value `time`; not a number if there is none.
  double value(const std::string& variable, double time = 0) {
    using namespace compiler;
    if (!model) return NAN;
    const Expr now = model->expressions.real(time);
    const Known known = [&](VariableId v) {
      const flat::Variable& x = model->variable(v);
      if (x.binding != Expr::none) return at(x.binding, now);
      for (const flat::Equation& e : model->equations) {
        if (model->expressions.op(e.left) == Op::variable && model->expressions.variable(e.left) == v) return at(e.right, now);
        if (model->expressions.op(e.right) == Op::variable && model->expressions.variable(e.right) == v && e.binding_of == VariableId::none)
          return at(e.left, now);
      }
      return Expr::none;
    };
    for (std::size_t k = 0; k < model->variables.size(); ++k) {
      if (model->variables[k].name != variable) continue;
      const auto id = static_cast<VariableId>(k);
      const Expr e = evaluate(*model, model->expressions.variable(id, model->variables[k].type), known);
      if (e == Expr::none) return NAN;
      return model->expressions.is_number(e) ? model->expressions.number(e) : model->expressions.payload(e);
    }
    return NAN;
  }
  std::string printed() const { return model ? compiler::print(*model) : messages(); }

private:
  std::optional<compiler::flat::Model>& read(const std::string& text) {
    reading->library.read_text("test.mo", text);
    return compilation->flat();
  }
  /// The expression with time put in.
  compiler::Expr at(compiler::Expr e, compiler::Expr now) {
    using namespace compiler;
    Expressions& ex = model->expressions;
    if (ex.op(e) == Op::time) return now;
    if (ex.children(e).empty()) return e;
    std::vector<Expr> children;
    for (Expr c : std::vector<Expr>(ex.children(e).begin(), ex.children(e).end())) children.push_back(at(c, now));
    return ex.make(ex.op(e), ex.type(e), children, ex.place(e), ex.literal(e));
  }
};

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// What is said of a text; "" if it is a valid model as far as flattening goes.
inline std::string messages(const std::string& text) { return Flattened(text).messages(); }
/// Of a model M with this body.
inline std::string of_model(const std::string& body) { return messages("model M\n" + body + "\nend M;\n"); }


}  // namespace rules
