#pragma once
// Models as text, carried through the compiler's back half.

#include <cmath>
#include <memory>
#include <optional>
#include <string>

#include "compiler/analyse/analyse.hpp"
#include "compiler/compile.hpp"
#include "rules_support.hpp"
#include "runtime/simulate.hpp"

namespace test {

using namespace mosim;

/// The model M of a text, as far as it got.
struct Analysed {
  std::unique_ptr<compiler::Reading> reading = std::make_unique<compiler::Reading>(compiler::Bundled::without);
  std::unique_ptr<compiler::Compilation> compilation = std::make_unique<compiler::Compilation>(*reading, compiler::Request{"M", {}});
  parser::Workspace* workspace = &reading->workspace;
  parser::Diagnostics& diagnostics = reading->diagnostics;
  std::optional<compiler::dae::System>& system;

  explicit Analysed(const std::string& text) : system(read(text)) {}
  /// Every cause, remedy and note, one to a line: "error 3: cause" with the line it points to.
  std::string messages() const {
    std::string result;
    const auto line = [&](parser::Place place) { return std::to_string(workspace->sources.locate(place).line); };
    for (const auto& d : diagnostics) {
      result += (d.severity == parser::Severity::error ? "error " : "warning ") + line(d.place) + ": " + d.cause + "\n";
      for (const auto& n : d.notes) result += "  note " + line(n.place) + ": " + n.text + "\n";
    }
    return result;
  }
  std::string dae() const { return system ? compiler::print(*system, workspace->sources) : messages(); }
  /// `system` stays what it is, its order as well.
  runtime::Program program() const {
    compiler::dae::System copy = *system;
    return compiler::lower(copy, workspace->sources);
  }

private:
  std::optional<compiler::dae::System>& read(const std::string& text) {
    reading->library.read_text("M.mo", text);
    return compilation->system();
  }
};

inline Analysed analysed(const std::string& text) { return Analysed(text); }

/// A model whose declarations and sections are `body`, on line 2 and after.
inline Analysed model(const std::string& body) { return analysed("model M\n" + body + "\nend M;\n"); }

/// What `a` says contains `part`.
inline bool says(const Analysed& a, const std::string& part) { return a.messages().find(part) != std::string::npos; }
using rules::contains;

/// A finished run.
struct Run {
  Analysed analysed;
  runtime::Program program;
  runtime::Result result;

  std::size_t column(const std::string& name) const {
    for (std::size_t i = 0; i < result.trajectory.columns.size(); ++i)
      if (program.variables[result.trajectory.columns[i]].name == name) return i + 1;
    throw std::runtime_error("no column " + name);
  }
  double at(std::size_t row, const std::string& name) const {
    const auto& t = result.trajectory;
    const runtime::Variable& v = program.variables[t.columns[column(name) - 1]];
    (void)v;
    return t.values[row * t.width() + column(name)];
  }
  double last(const std::string& name) const { return at(result.trajectory.rows() - 1, name); }
  double first(const std::string& name) const { return at(0, name); }
  double time(std::size_t row) const { return result.trajectory.values[row * result.trajectory.width()]; }
  std::string failures() const {
    std::string text = analysed.messages();
    for (const auto& m : result.messages) text += m.cause + "\n";
    return text;
  }
};

inline Run run(const std::string& body, double stop = 1, double tolerance = 1e-8) {
  Run r{model(body), {}, {}};
  if (!r.analysed.system) throw std::runtime_error(r.analysed.messages());
  r.program = r.analysed.program();
  runtime::Options options;
  options.stop = stop;
  options.tolerance = tolerance;
  options.intervals = 20;
  options.record_events = true;
  r.result = runtime::simulate(r.program, options);
  return r;
}

}  // namespace test
