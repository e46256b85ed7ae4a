// The flat model as Modelica text.

#include <fmt/format.h>

#include <algorithm>

#include "compiler/expression/print.hpp"
#include "compiler/stack.hpp"

namespace mosim::compiler {

namespace {

using flat::Variability;

class Writer {
public:
  explicit Writer(const flat::Model& model) : model_(model) {}

  std::string model() {
    const std::string name = print_name(model_.name, NameStyle::quoted);
    out_ += "model " + name;
    if (!model_.description.empty()) out_ += " " + print_string(model_.description);
    out_ += "\n";
    enumerations();
    tables();
    for (const flat::ObjectClass& c : model_.object_classes) object_class(c);
    for (std::size_t f = 0; f < model_.functions.size(); ++f)
      if (model_.functions[f].complete && !class_constructed_by(model_.functions[f])) function(static_cast<FunctionId>(f), 1);
    for (std::size_t i = 0; i < model_.variables.size();) i += declaration(i);
    if (!model_.initial_equations.empty() || !model_.initial_assertions.empty()) out_ += "initial equation\n";
    for (const flat::Equation& e : model_.initial_equations) equation(e);
    for (const flat::Assertion& a : model_.initial_assertions) line(1, assertion(a));
    for (const flat::Algorithm& a : model_.initial_algorithms) {
      out_ += "initial algorithm\n";
      statements(a.statements, 1);
    }
    if (!model_.equations.empty() || !model_.whens.empty() || !model_.assertions.empty() || !model_.terminations.empty())
      out_ += "equation\n";
    for (const flat::Equation& e : model_.equations) equation(e);
    for (const flat::When& w : model_.whens) when(w);
    for (const flat::Assertion& a : model_.assertions) line(1, assertion(a));
    for (const flat::Termination& t : model_.terminations) line(1, fmt::format("terminate({})", expression(t.message)));
    for (const flat::Algorithm& a : model_.algorithms) {
      out_ += "algorithm\n";
      statements(a.statements, 1);
    }
    experiment();
    out_ += "end " + name + ";\n";
    return std::move(out_);
  }

private:
  std::string expression(Expr e) const { return print_expression(model_, e, NameStyle::quoted, !in_when_); }
  std::string name(VariableId v) const { return print_name(model_.variable(v).name, NameStyle::quoted); }
  void line(int depth, const std::string& text) {
    if (out_.size() > longest_model) throw TextTooLong();
    out_ += std::string(static_cast<std::size_t>(depth) * 2, ' ') + text + ";\n";
  }

  void enumerations() {
    for (const flat::Enumeration& e : model_.enumerations) {
      if (e.name == "StateSelect" || e.name == "AssertionLevel") continue;
      std::string literals;
      for (const std::string& l : e.literals) literals += (literals.empty() ? "" : ", ") + l;
      line(1, fmt::format("type {} = enumeration({})", print_name(e.name, NameStyle::quoted), literals));
    }
  }

  std::string type(const flat::Variable& v) const {
    switch (v.type) {
      case BaseType::real: return "Real";
      case BaseType::integer: return "Integer";
      case BaseType::boolean: return "Boolean";
      case BaseType::string: return "String";
      case BaseType::clock: return "Clock";
      case BaseType::object: return print_name(model_.object_classes[index(v.object)].name, NameStyle::quoted);
      case BaseType::enumeration: return print_name(model_.enumerations[index(v.enumeration)].name, NameStyle::quoted);
    }
    return "?";
  }

  std::string type(const flat::Local& l) const {
    flat::Variable v;
    v.type = l.type;
    v.enumeration = l.enumeration;
    v.object = l.object;
    return type(v);
  }

  /// Arrays of constants that are indexed in the run.
  void tables() {
    for (std::size_t l = 0; l < model_.locals.size(); ++l) {
      const flat::Local& local = model_.locals[l];
      if (local.owner != FunctionId::none || local.name.find('[') == std::string::npos) continue;   // or the index of a loop
      const std::string name = local.name.substr(0, local.name.find('['));
      std::string values;
      std::size_t n = 0;
      for (; l < model_.locals.size() && model_.locals[l].owner == FunctionId::none && model_.locals[l].name.compare(0, name.size() + 1, name + "[") == 0; ++l, ++n)
        values += (n ? ", " : "") + expression(model_.locals[l].value);
      line(1, fmt::format("constant {} {}[{}] = {{{}}}", type(local), print_name(name, NameStyle::quoted), n, values));
      --l;
    }
  }

  const flat::ObjectClass* class_constructed_by(const flat::Function& f) const {
    for (const flat::ObjectClass& c : model_.object_classes)
      if (f.name == c.name + ".constructor") return &c;
    return nullptr;
  }

  void object_class(const flat::ObjectClass& c) {
    const std::string name = print_name(c.name, NameStyle::quoted);
    indent(1, "class " + name);
    line(2, "extends ExternalObject");
    std::string where;
    for (std::size_t f = 0; f < model_.functions.size(); ++f)
      if (model_.functions[f].complete && class_constructed_by(model_.functions[f]) == &c) {
        function(static_cast<FunctionId>(f), 2);
        const auto& body = model_.functions[f].body;
        const auto* made = body.empty() ? nullptr : std::get_if<flat::ExternalCall>(&body.back().node);
        if (made && made->destructor) where = annotation(made->destructor->code);
        break;
      }
    indent(2, "function destructor");
    line(3, fmt::format("input {} object", name));
    line(2, fmt::format("external \"C\" {}(object){}", c.destructor, where));
    line(2, "end destructor");
    line(1, "end " + name);
  }

  void function(FunctionId id, int depth) {
    const flat::Function& f = model_.functions[index(id)];
    const std::string name = class_constructed_by(f) ? "constructor" : print_name(f.name, NameStyle::quoted);
    const bool of_object = name == "constructor" || std::any_of(f.outputs.begin(), f.outputs.end(), [&](LocalId l) { return model_.locals[index(l)].type == BaseType::object; });
    indent(depth, (f.impure && !of_object ? "impure function " : "function ") + name);
    const auto is_in = [](const std::vector<LocalId>& list, std::size_t l) { return std::find(list.begin(), list.end(), static_cast<LocalId>(l)) != list.end(); };
    bool is_protected = false;
    for (const int pass : {0, 1, 2})   // inputs, outputs, the others
      for (std::size_t l = 0; l < model_.locals.size(); ++l) {
        const flat::Local& local = model_.locals[l];
        const int kind = is_in(f.inputs, l) ? 0 : is_in(f.outputs, l) ? 1 : 2;
        if (local.owner != id || kind != pass) continue;
        if (pass == 2 && !is_protected) indent(depth, "protected");
        is_protected = pass == 2;
        // An array is declared by its last element.
        std::size_t last = l;
        const std::size_t bracket = local.name.find('[');
        while (bracket != std::string::npos && last + 1 < model_.locals.size() && model_.locals[last + 1].owner == id &&
               model_.locals[last + 1].name.compare(0, bracket + 1, local.name, 0, bracket + 1) == 0)
          ++last;
        const std::string& end = model_.locals[last].name;
        std::string dims = bracket == std::string::npos ? "" : end.substr(bracket);
        for (int d = 0; d < local.rank; ++d) dims += d == 0 ? "[:" : ",:";
        if (local.rank > 0) dims += "]";
        line(depth + 1, fmt::format("{}{} {}{}", pass == 0 ? "input " : pass == 1 ? "output " : "", type(local), print_name(local.name.substr(0, bracket), NameStyle::quoted), dims));
        l = last;
      }
    const auto* external = f.body.empty() ? nullptr : std::get_if<flat::ExternalCall>(&f.body.back().node);
    if (external) {
      line(depth, external_call(*external));
    } else {
      indent(depth, "algorithm");
      statements(f.body, depth + 1);
    }
    line(depth, "end " + name);
  }

  /// external "C" y = f(a, x): arrays by their names.
  std::string external_call(const flat::ExternalCall& e) {
    const auto base = [&](LocalId l) { return print_name(model_.locals[index(l)].name.substr(0, model_.locals[index(l)].name.find('[')), NameStyle::quoted); };
    std::string text = fmt::format("external \"{}\" ", e.language.empty() ? "C" : e.language), operands;
    for (std::size_t k = 0; k < e.operands.size(); ++k) {
      const auto& o = e.operands[k];
      std::string one;
      if (o.array != LocalId::none) {
        one = base(o.array);
      } else if (!o.targets.empty()) {
        one = base(o.targets.front());
      } else if (o.values.size() == 1) {
        one = expression(o.values.front());
      } else {
        const bool locals = !o.values.empty() && model_.expressions.op(o.values.front()) == Op::local;
        if (locals) {
          one = base(model_.expressions.local(o.values.front()));
        } else {
          for (const Expr v : o.values) one += (one.empty() ? "{" : ", ") + expression(v);
          one = one.empty() ? "fill(0, 0)" : one + "}";
        }
      }
      if (k == 0 && e.returns) text += one + " = ";
      else operands += (operands.empty() ? "" : ", ") + one;
    }
    return text + e.function + "(" + operands + ")" + (e.foreign ? annotation(e.foreign->code) : "");
  }

  /// Where foreign code is (MLS 12.9.4).
  static std::string annotation(const foreign::Code& code) {
    std::string list;
    const auto add = [&](const char* name, const std::vector<std::string>& texts) {
      if (texts.empty()) return;
      std::string values;
      for (const std::string& text : texts) {
        values += values.empty() ? "\"" : ", \"";
        for (const char c : text) values += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
        values += '"';
      }
      list += fmt::format("{}{} = {{{}}}", list.empty() ? "" : ", ", name, values);
    };
    add("Include", code.include.empty() ? std::vector<std::string>() : std::vector<std::string>{code.include});
    if (!code.include.empty()) add("IncludeDirectory", code.include_folders);
    add("Library", code.libraries);
    if (!code.libraries.empty()) add("LibraryDirectory", code.library_folders);
    return list.empty() ? "" : " annotation (" + list + ")";
  }

  std::string local(LocalId l) const {
    const std::string& name = model_.locals[index(l)].name;
    const std::size_t bracket = name.find('[');
    return print_name(name.substr(0, bracket), NameStyle::quoted) + (bracket == std::string::npos ? "" : name.substr(bracket));
  }

  /// The run of variables that are the elements of one array of the model itself; 1 for a scalar.
  std::size_t run(std::size_t i, std::string& base, std::string& dims) const {
    const std::string& first = model_.variables[i].name;
    const std::size_t bracket = first.find('[');
    if (print_name(first, NameStyle::quoted).front() == '\'' || bracket == std::string::npos) return 1;
    base = first.substr(0, bracket);
    std::size_t n = i;
    while (n < model_.variables.size() && model_.variables[n].name.compare(0, bracket + 1, base + "[") == 0) ++n;
    const std::string& last = model_.variables[n - 1].name;
    dims = last.substr(bracket + 1, last.size() - bracket - 2);
    return n - i;
  }

  /// One attribute of n variables: nothing, `each` of one value, or an array of them.
  template <class Get>
  void attribute(std::vector<std::string>& list, const char* what, std::size_t i, std::size_t n, bool array,
                 const std::string& dims, Get&& get) const {
    std::vector<std::string> values;
    bool any = false, same = true;
    for (std::size_t k = i; k < i + n; ++k) {
      values.push_back(get(model_.variables[k]));
      any |= !values.back().empty();
      same &= values.back() == values.front();
    }
    if (!any) return;
    if (!array) {
      list.push_back(fmt::format("{} = {}", what, values.front()));
    } else if (same) {
      list.push_back(fmt::format("each {} = {}", what, values.front()));
    } else {
      list.push_back(fmt::format("{} = {}", what, nested(values, dims)));
    }
  }

  /// {{a, b}, {c, d}} from a flat list and "2,2".
  static std::string nested(const std::vector<std::string>& values, const std::string& dims) {
    std::vector<std::size_t> sizes;
    for (std::size_t at = 0; at < dims.size();) {
      sizes.push_back(std::stoul(dims.substr(at)));
      at = dims.find(',', at);
      if (at == std::string::npos) break;
      ++at;
    }
    std::vector<std::string> level = values;
    for (std::size_t d = sizes.size(); d-- > 0;) {
      std::vector<std::string> next;
      for (std::size_t k = 0; k < level.size(); k += sizes[d]) {
        std::string part = "{";
        for (std::size_t j = 0; j < sizes[d]; ++j) part += (j ? ", " : "") + level[k + j];
        next.push_back(part + "}");
      }
      level = std::move(next);
    }
    return level.front();
  }

  std::size_t declaration(std::size_t i) {
    const flat::Variable& v = model_.variables[i];
    std::string base, dims;
    std::size_t n = run(i, base, dims);
    const bool array = !base.empty();
    const auto text = [&](Expr e) { return e == Expr::none ? std::string() : expression(e); };
    std::vector<std::string> attributes;
    const auto add = [&](const char* what, auto get) { attribute(attributes, what, i, n, array, dims, get); };
    add("quantity", [&](const flat::Variable& x) { return x.quantity.empty() ? "" : print_string(x.quantity.text()); });
    add("unit", [&](const flat::Variable& x) { return x.unit.empty() ? "" : print_string(x.unit.text()); });
    add("displayUnit", [&](const flat::Variable& x) { return x.display_unit.empty() ? "" : print_string(x.display_unit.text()); });
    add("min", [&](const flat::Variable& x) { return text(x.min); });
    add("max", [&](const flat::Variable& x) { return text(x.max); });
    add("start", [&](const flat::Variable& x) { return text(x.start); });
    add("fixed", [&](const flat::Variable& x) { return text(x.fixed); });
    add("nominal", [&](const flat::Variable& x) { return text(x.nominal); });
    add("stateSelect", [&](const flat::Variable& x) -> std::string {
      static constexpr const char* names[] = {"never", "avoid", "default", "prefer", "always"};
      return x.state_select == flat::StateSelect::default_ ? ""
                                                           : fmt::format("StateSelect.{}", names[int(x.state_select)]);
    });
    std::string line_text;
    if (v.is_protected) {
      // An attribute of the declaration's place, not of the variable's use: kept as a section of its own.
      if (!in_protected_) out_ += "protected\n";
    } else if (in_protected_) {
      out_ += "public\n";
    }
    in_protected_ = v.is_protected;
    if (v.variability == Variability::constant) line_text += "constant ";
    if (v.variability == Variability::parameter) line_text += "parameter ";
    if (v.causality == flat::Causality::input) line_text += "input ";
    if (v.causality == flat::Causality::output) line_text += "output ";
    line_text += type(v) + " " + (array ? base + "[" + dims + "]" : print_name(v.name, NameStyle::quoted));
    if (!attributes.empty()) {
      line_text += "(";
      for (std::size_t k = 0; k < attributes.size(); ++k) line_text += (k ? ", " : "") + attributes[k];
      line_text += ")";
    }
    std::vector<std::string> bindings;
    bool bound = false;
    for (std::size_t k = i; k < i + n; ++k) {
      bindings.push_back(text(model_.variables[k].binding));
      bound |= !bindings.back().empty();
    }
    if (bound) line_text += " = " + (array ? nested(bindings, dims) : bindings.front());
    if (!v.description.empty()) line_text += " " + print_string(v.description.text());
    line(1, line_text);
    return n;
  }

  void equation(const flat::Equation& e) {
    // An if-expression is no left side (MLS: simple-expression).
    const bool swap = model_.expressions.op(e.left) == Op::if_;
    // The second of the two results of spatialDistribution is named by its place.
    const Expressions& x = model_.expressions;
    const bool second = x.op(e.right) == Op::spatial_distribution && x.integer_value(x.child(e.right, 4)) == 1;
    std::string text = second ? "(, " + expression(e.left) + ") = " + expression(e.right)
                       : swap && model_.expressions.op(e.right) == Op::if_
                           ? "(" + expression(e.left) + ") = " + expression(e.right)
                           : expression(swap ? e.right : e.left) + " = " + expression(swap ? e.left : e.right);
    if (!e.description.empty() && e.binding_of == VariableId::none) text += " " + print_string(e.description.text());
    line(1, text);
  }

  std::string assertion(const flat::Assertion& a) const {
    const Expressions& x = model_.expressions;
    if (x.is_returned(a.condition)) return expression(a.condition);
    return fmt::format("assert({}, {}{})", expression(a.condition), expression(a.message),
                       a.warning ? ", AssertionLevel.warning" : "");
  }

  std::string conditions(const std::vector<Expr>& c) const {
    if (c.size() == 1) return expression(c.front());
    std::string text = "{";
    for (std::size_t k = 0; k < c.size(); ++k) text += (k ? ", " : "") + expression(c[k]);
    // An empty vector needs a type: no element ever becomes true.
    return c.empty() ? "fill(false, 0)" : text + "}";
  }

  void when(const flat::When& w) {
    const char* keyword = "when";
    for (const flat::WhenBranch& b : w.branches) {
      out_ += fmt::format("  {} {} then\n", keyword, conditions(b.conditions));
      keyword = "elsewhen";
      in_when_ = true;
      for (const flat::WhenAction& a : b.body) {
        int depth = 2;
        if (a.guard != Expr::none) {
          out_ += fmt::format("    if {} then\n", expression(a.guard));
          depth = 3;
        }
        if (const auto* s = std::get_if<flat::WhenAssignment>(&a.node))
          line(depth, name(s->target) + " = " + expression(s->value));
        else if (const auto* e = std::get_if<flat::ClockedEquation>(&a.node))
          line(depth, expression(e->left) + " = " + expression(e->right));
        else if (const auto* r = std::get_if<flat::Reinit>(&a.node))
          line(depth, fmt::format("reinit({}, {})", name(r->state), expression(r->value)));
        else if (const auto* c = std::get_if<flat::Assertion>(&a.node))
          line(depth, assertion(*c));
        else
          line(depth, fmt::format("terminate({})", expression(std::get<flat::Termination>(a.node).message)));
        if (a.guard != Expr::none) out_ += "    end if;\n";
      }
      in_when_ = false;
    }
    out_ += "  end when;\n";
  }

  static bool has_break(const flat::Statements& statements) {
    for (const flat::Statement& s : statements) {
      if (std::holds_alternative<flat::BreakStatement>(s.node)) return true;
      if (const auto* i = std::get_if<flat::IfStatement>(&s.node))
        for (const auto& b : i->branches)
          if (has_break(b.body)) return true;
    }
    return false;
  }

  void statements(const flat::Statements& list, int depth) {
    for (const flat::Statement& s : list) statement(s, depth);
  }

  void indent(int depth, const std::string& text) {
    out_ += std::string(static_cast<std::size_t>(depth) * 2, ' ') + text + "\n";
  }

  void statement(const flat::Statement& s, int depth) {
    if (const auto* a = std::get_if<flat::Assignment>(&s.node)) {
      line(depth, name(a->target) + " := " + expression(a->value));
    } else if (const auto* i = std::get_if<flat::IfStatement>(&s.node)) {
      bool first = true;
      for (const auto& b : i->branches) {
        indent(depth, b.condition == Expr::none ? (first ? "if true then" : "else")
                                                : fmt::format("{} {} then", first ? "if" : "elseif", expression(b.condition)));
        first = false;
        statements(b.body, depth + 1);
      }
      line(depth, "end if");
    } else if (const auto* f = std::get_if<flat::UnrolledLoop>(&s.node)) {
      // A break leaves all iterations: they stand in one loop that runs once.
      bool breaks = false;
      for (const auto& body : f->iterations) breaks |= has_break(body);
      if (breaks) indent(depth, "for once in 1:1 loop");
      for (const auto& body : f->iterations) statements(body, depth + (breaks ? 1 : 0));
      if (breaks) line(depth, "end for");
    } else if (const auto* w = std::get_if<flat::WhileStatement>(&s.node)) {
      indent(depth, fmt::format("while {} loop", expression(w->condition)));
      statements(w->body, depth + 1);
      line(depth, "end while");
    } else if (const auto* w = std::get_if<flat::WhenStatement>(&s.node)) {
      bool first = true;
      for (const auto& b : w->branches) {
        indent(depth, fmt::format("{} {} then", first ? "when" : "elsewhen", conditions(b.conditions)));
        first = false;
        in_when_ = true;
        statements(b.body, depth + 1);
        in_when_ = false;
      }
      line(depth, "end when");
    } else if (const auto* a = std::get_if<flat::LocalAssignment>(&s.node)) {
      for (const auto& one : a->all) line(depth, local(one.target) + " := " + expression(one.value));
    } else if (const auto* e = std::get_if<flat::ElementAssignment>(&s.node)) {
      const std::string first = local(e->first);
      const std::string& last = model_.locals[index(e->first) + std::size_t(e->count) - 1].name;
      line(depth, fmt::format("{}[{}] := {}", first.substr(0, first.rfind('[')), print_subscripts(last, expression(e->at)), expression(e->value)));
    } else if (const auto* c = std::get_if<flat::ArrayCreation>(&s.node)) {
      const flat::Local& array = model_.locals[index(c->array)];
      const std::string_view element = array.type == BaseType::string ? "\"\"" : array.type == BaseType::boolean ? "false" : array.type == BaseType::real ? "0.0" : "0";
      std::string sizes;
      for (const Expr e : c->extents) sizes += ", " + expression(e);
      const std::string first = array.type == BaseType::enumeration ? print_name(model_.enumerations[index(array.enumeration)].name, NameStyle::quoted) + "." + model_.enumerations[index(array.enumeration)].literals.front() : std::string(element);
      line(depth, fmt::format("{} := fill({}{})", local(c->array), first, sizes));
    } else if (const auto* i = std::get_if<flat::ItemAssignment>(&s.node)) {
      std::string at;
      for (const Expr e : i->at) at += (at.empty() ? "" : ",") + expression(e);
      line(depth, fmt::format("{}[{}] := {}", local(i->array), at, expression(i->value)));
    } else if (const auto* a = std::get_if<flat::ArrayAssignment>(&s.node)) {
      line(depth, local(a->to) + " := " + local(a->from));
    } else if (const auto* l = std::get_if<flat::Loop>(&s.node)) {
      indent(depth, fmt::format("for {} in {}:{} loop", local(l->iterator), expression(l->first), expression(l->last)));
      statements(l->body, depth + 1);
      line(depth, "end for");
    } else if (std::holds_alternative<flat::BreakStatement>(s.node)) {
      line(depth, "break");
    } else if (std::holds_alternative<flat::ReturnStatement>(s.node)) {
      line(depth, "return");
    } else if (const auto* a = std::get_if<flat::Assertion>(&s.node)) {
      line(depth, assertion(*a));
    } else if (const auto* t = std::get_if<flat::Termination>(&s.node)) {
      line(depth, fmt::format("terminate({})", expression(t->message)));
    }
  }

  void experiment() {
    const flat::Experiment& x = model_.experiment;
    std::string list;
    const auto add = [&](const char* what, const std::optional<double>& v) {
      if (v) list += fmt::format("{}{} = {}", list.empty() ? "" : ", ", what, print_real(*v));
    };
    add("StartTime", x.start);
    add("StopTime", x.stop);
    add("Tolerance", x.tolerance);
    add("Interval", x.interval);
    if (!list.empty()) line(1, fmt::format("annotation(experiment({}))", list));
  }

  const flat::Model& model_;
  std::string out_;
  bool in_when_ = false;
  bool in_protected_ = false;
};

}  // namespace

std::string print(const flat::Model& model) {
  std::string text;
  on_large_stack([&] { text = Writer(model).model(); });
  return text;
}

}  // namespace mosim::compiler
