// Expressions: syntax -> typed, shaped values (MLS 3, 6, 10).

#include "compiler/elaborate/function_code.hpp"
#include "compiler/elaborate/elaborate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "compiler/elaborate/elaboration.hpp"
#include "compiler/elaborate/foreign.hpp"
#include "compiler/elaborate/references.hpp"
#include "compiler/elaborate/run_arrays.hpp"
#include "compiler/elaborate/values.hpp"
#include "compiler/expression/evaluate.hpp"
#include "compiler/instantiate/class.hpp"
#include "compiler/instantiate/component.hpp"
#include "compiler/instantiate/expand.hpp"
#include "compiler/instantiate/habits.hpp"
#include "compiler/instantiate/instances.hpp"
#include "compiler/instantiate/lookup.hpp"

namespace mosim::compiler {

namespace {
constexpr const char* same_literals = "enumerations are of one type if they have the same literals in the same order";   // MLS 6.7
}

bool convert(Instances& in, Value& value, Type type, Place place, std::string_view what) {
  if (value.record || value.function) {
    in.error(place, fmt::format("{} must be {} but is {}", what, type_name(in, type), type_name(in, value)),
             value.record ? "name one of its elements" : "call the function");
    return false;
  }
  if (value.type == type) return true;
  if (same_type(in, value.type, type)) {
    value.type = type;
    return true;
  }
  if (value.type.base == BaseType::integer && type.base == BaseType::real) {
    // A literal becomes a Real literal; the value of anything else is the same number.
    for (Expr& e : value.elements)
      if (in.model.expressions.op(e) == Op::integer)
        e = in.model.expressions.real(double(in.model.expressions.integer_value(e)), in.model.expressions.place(e));
    value.type = type;
    return true;
  }
  if (value.elements.empty() && !value.run && is_numeric(value.type)) {
    value.type = type;   // {} has any type
    return true;
  }
  std::string remedy;
  const Op op = value.scalar() ? in.model.expressions.op(value.only()) : Op::variable;
  const bool literal = op == Op::real || op == Op::integer;
  if (literal && type.base == BaseType::boolean)
    remedy = "write true or false";
  else if (literal && value.type.base == BaseType::real && type.base == BaseType::integer)
    remedy = "write a whole number, or declare the variable Real";
  else if (value.type.base == BaseType::real && type.base == BaseType::integer)
    remedy = "round it with integer(...), which is an event, or declare the variable Real";
  else if (value.type.base == BaseType::boolean && is_numeric(type))
    remedy = "write `if ... then 1 else 0`";
  else if (is_numeric(value.type) && type.base == BaseType::boolean)
    remedy = "compare it with something";
  else if (value.type.base == BaseType::enumeration && type.base == BaseType::integer)
    remedy = "write Integer(...) around it";
  else if (value.type.base == BaseType::enumeration && type.base == BaseType::enumeration)
    remedy = same_literals;
  in.error(place, fmt::format("{} must be {} but is {}", what, type_name(in, type), type_name(in, value.type)), remedy);
  return false;
}

bool unify(Instances& in, Value& a, Value& b, Place place, std::string_view what) {
  if (a.record && b.record) return unify_records(in, a, b, place, what);
  if (a.record || b.record || a.function || b.function) {
    in.error(place, fmt::format("{} needs operands of one type, not {} and {}", what, type_name(in, a), type_name(in, b)));
    return false;
  }
  if (same_type(in, a.type, b.type)) {
    b.type = a.type;
    return true;
  }
  if (is_numeric(a.type) && is_numeric(b.type)) {
    convert(in, a, real_type, place, what);
    convert(in, b, real_type, place, what);
    return true;
  }
  in.error(place, fmt::format("{} needs operands of one type, not {} and {}", what, type_name(in, a.type),
                              type_name(in, b.type)), a.type.base == BaseType::enumeration && b.type.base == BaseType::enumeration ? same_literals : "");
  return false;
}

namespace {

/// The variables and functions that keep an expression from being known.
std::vector<parser::Note> why_unknown(Instances& in, Expr e) {
  std::vector<parser::Note> notes;
  const auto& ex = in.model.expressions;
  std::unordered_set<Expr> seen;
  std::vector<Expr> stack{e};
  while (!stack.empty() && notes.size() < 4) {
    const Expr x = stack.back();
    stack.pop_back();
    if (!seen.insert(x).second) continue;
    if (ex.op(x) == Op::variable) {
      const VariableId v = ex.variable(x);
      const flat::Variable& variable = in.model.variable(v);
      const Expr bound = in.known(v);
      if (variable.variability > flat::Variability::parameter)
        notes.push_back({variable.place, fmt::format("{} is a variable: declare it parameter or constant", variable.name)});
      else if (bound == Expr::none)
        notes.push_back({variable.place, fmt::format("{} has no value", variable.name)});
      else
        stack.push_back(bound);
    }
    if (ex.op(x) == Op::call) {
      const flat::Function& called = in.model.functions[index(ex.function(x))];
      const auto is_long = [&](const Class* c) { return c->definition->place == called.place; };
      const auto& too_long = function_codes(in).too_long;
      if (std::any_of(too_long.begin(), too_long.end(), is_long))
        notes.push_back({called.place, fmt::format("{} takes too many steps here to be carried out before the run", called.name)});
    }
    for (Expr c : ex.children(x)) stack.push_back(c);
  }
  return notes;
}

}  // namespace

std::optional<std::int64_t> known_integer(Instances& in, const Value& v, Place place, std::string_view what) {
  if (!v.scalar() || v.type.base != BaseType::integer) {
    in.error(place, fmt::format("{} must be an Integer", what));
    return {};
  }
  const Expr e = in.evaluated(v.only());
  if (e == Expr::none || in.model.expressions.op(e) != Op::integer) {
    if (note_need(in, v.only())) return {};
    in.error(place, fmt::format("{} must be known before the run", what),
             "use only constants and parameters with values in it", why_unknown(in, v.only()));
    return {};
  }
  return in.model.expressions.integer_value(e);
}

// ---- expressions -----------------------------------------------------------------------------------------------------------

namespace {

/// A branch of an if whose condition is known is not carried out (MLS 3.3): in a function, where it may call the function
/// again, it is left out; elsewhere it is elaborated for its errors, but subscripts may lie outside of their arrays.
std::optional<Value> if_expression(Instances& in, const parser::Expression& e, const parser::IfExpression& i,
                                   const Environment& env) {
  auto& ex = in.model.expressions;
  Environment not_taken = env;
  not_taken.untaken = true;
  struct Branch {
    Expr condition;                  // none: else
    Expr known;                      // its value, if known
    std::optional<Value> value;      // empty: left out
  };
  std::vector<Branch> branches;
  bool decided = false;              // an earlier branch is taken for certain
  Expr path = env.path;              // no earlier branch is taken
  const auto both = [&](Expr a, Expr b) {
    return a == Expr::none ? b : ex.simplified(Op::and_, BaseType::boolean, {a, b}, e.place);
  };
  for (std::size_t k = 0; k <= i.branches.size(); ++k) {
    const bool otherwise = k == i.branches.size();
    Branch b{Expr::none, Expr::none, {}};
    if (!otherwise) {
      if (decided && env.function) break;
      const parser::Expression& written = *i.branches[k].condition;
      in.elaboration.passed_over = false;
      Environment reached = decided ? not_taken : env;
      reached.path = path;   // E14: only if no condition before it holds
      auto condition = elaborate(in, written, reached);
      if (!condition && decided && in.elaboration.passed_over) continue;
      if (!condition) return {};
      if (!condition->scalar() || !convert(in, *condition, boolean_type, written.place, "a condition")) {
        if (!condition->scalar()) in.error(written.place, "the condition of an if must be a scalar");
        return {};
      }
      b.condition = condition->only();
      b.known = in.evaluated(b.condition);
    }
    const bool taken = !decided && !(b.known != Expr::none && !ex.payload(b.known));
    if (taken || !env.function) {
      in.elaboration.passed_over = false;
      Environment inner = taken ? env : not_taken;
      inner.path = !otherwise && b.known == Expr::none ? both(path, b.condition) : path;
      b.value = elaborate(in, otherwise ? *i.otherwise : *i.branches[k].value, inner);
      if (!b.value && (taken || !in.elaboration.passed_over)) return {};
    }
    if (!otherwise && b.known == Expr::none)
      path = both(path, ex.simplified(Op::not_, BaseType::boolean, {b.condition}, e.place));
    decided = decided || (b.known != Expr::none && ex.payload(b.known));
    branches.push_back(std::move(b));
  }
  std::optional<Value> result;
  for (std::size_t k = branches.size(); k-- > 0;) {
    Branch& b = branches[k];
    if (!b.value) continue;
    if (!result) {
      result = std::move(b.value);
      continue;
    }
    if (b.value->dims != result->dims) {
      // Branches of different sizes: the condition must choose one before the run.
      if (b.known == Expr::none) {
        in.error(e.place, fmt::format("the branches of this if have different sizes, {} and {}",
                                      b.value->dims.empty() ? "scalar" : shape_text(b.value->dims),
                                      result->dims.empty() ? "scalar" : shape_text(result->dims)));
        return {};
      }
      if (ex.payload(b.known)) result = std::move(b.value);
      continue;
    }
    if (!unify(in, *b.value, *result, e.place, "an if with two branches")) return {};
    result = choose(in, b.condition, *b.value, *result, e.place);
  }
  return result;
}

/// In code with arrays whose sizes the run alone knows: what a branch puts before the statement at hand counts there alone, and branches may have
/// different sizes.
std::optional<Value> if_expression_of_run(Instances& in, FunctionCode& code, const parser::Expression& e, const parser::IfExpression& i, std::size_t branch,
                                          const Environment& env) {
  if (branch == i.branches.size()) return elaborate(in, *i.otherwise, env);
  auto& ex = in.model.expressions;
  const parser::Expression& written = *i.branches[branch].condition;
  auto condition = elaborate(in, written, env);
  if (!condition || !convert(in, *condition, boolean_type, written.place, "a condition")) return {};
  if (!condition->scalar()) {
    in.error(written.place, "the condition of an if must be a scalar");
    return {};
  }
  if (const Expr known = in.evaluated(condition->only()); known != Expr::none)
    return ex.payload(known) ? elaborate(in, *i.branches[branch].value, env) : if_expression_of_run(in, code, e, i, branch + 1, env);
  const auto reached = [&](Expr c) {
    Environment inner = env;
    inner.path = env.path == Expr::none ? c : ex.simplified(Op::and_, BaseType::boolean, {env.path, c}, e.place);
    return inner;
  };
  flat::Statements of_yes, of_no;
  std::optional<Value> yes, no;
  {
    const FunctionCode::Into into(code, of_yes);
    yes = elaborate(in, *i.branches[branch].value, reached(condition->only()));
  }
  {
    const FunctionCode::Into into(code, of_no);
    no = yes ? if_expression_of_run(in, code, e, i, branch + 1, reached(ex.simplified(Op::not_, BaseType::boolean, {condition->only()}, e.place))) : std::nullopt;
  }
  if (!yes || !no) return {};
  if (!unify(in, *yes, *no, e.place, "an if with two branches")) return {};
  const bool of_run = is_of_run(*yes) || is_of_run(*no) || yes->dims != no->dims;
  if (!of_run && of_yes.empty() && of_no.empty()) return choose(in, condition->only(), *yes, *no, e.place);
  if (yes->dims.size() != no->dims.size()) {
    in.error(e.place, fmt::format("the branches of this if have {} and {} dimensions", yes->dims.size(), no->dims.size()));
    return {};
  }
  if (of_run && yes->record) throw SizeOfRun();
  std::optional<Value> result;
  const LocalId array = of_run ? code.made("chosen", yes->type, Expr::none, int(yes->dims.size())) : LocalId::none;
  if (!of_run) result = code.variables_like(*yes, "chosen");
  const auto take = [&](flat::Statements& list, const Value& v) {
    const FunctionCode::Into into(code, list);
    if (of_run) {
      code.emit(e.place, flat::ArrayAssignment{array, in_memory(in, v, e.place)});
      return;
    }
    std::vector<Expr> to, from;
    append_leaves(*result, to);
    append_leaves(v, from);
    flat::LocalAssignment all;
    for (std::size_t k = 0; k < to.size(); ++k) all.all.push_back({ex.local(to[k]), from[k]});
    code.emit(e.place, std::move(all));
  };
  take(of_yes, *yes);
  take(of_no, *no);
  flat::IfStatement both;
  both.branches.push_back({condition->only(), std::move(of_yes)});
  both.branches.push_back({Expr::none, std::move(of_no)});
  code.emit(e.place, std::move(both));
  if (result) return result;
  std::vector<std::int64_t> dims = yes->dims;
  for (std::size_t d = 0; d < dims.size(); ++d)
    if (dims[d] != no->dims[d]) dims[d] = -1;
  return whole_array(in, array, yes->type, dims);
}

/// Functions of C's mathematics that are built-in ones of Modelica by the same names, for Reals.
bool is_of_c_mathematics(std::string_view name) {
  return name == "atan2" || builtins::elementary_function(name);
}

/// Are a function's inputs and its one output scalar Reals, and the arguments of its external call the inputs as they are declared?
bool hands_on_its_inputs(Instances& in, Class* function, const parser::ExternalClause& external) {
  if (!expand(in, function)) return false;
  std::vector<Name> inputs;
  Name output = Name::none;
  std::size_t outputs = 0;
  for (Member* m : function->members) {
    if (m->is_class() || m->prefix.causality == parser::Causality::none) continue;
    std::vector<std::int64_t> dims;
    const Class* type = type_of(in, m, &dims);
    if (!type || !type->basic || type->basic->base != BaseType::real || !dims.empty() || !m->sized_declaration->subscripts.empty()) return false;
    if (m->prefix.causality == parser::Causality::input) {
      if (m->modifier && m->modifier->binding) return false;   // a call may leave it out
      inputs.push_back(m->name);
    } else {
      output = m->name;
      ++outputs;
    }
  }
  if (outputs != 1) return false;
  if (!external.has_call) return true;
  if (!external.has_result || external.result.parts.size() != 1 || external.result.parts.front().name != output) return false;
  return std::equal(inputs.begin(), inputs.end(), external.arguments.begin(), external.arguments.end(), [](Name input, const parser::Expression* e) {
    const auto* r = std::get_if<parser::Reference>(&e->node);
    return r && r->name.parts.size() == 1 && r->name.parts.front().name == input;
  });
}

/// `external "builtin" y = sin(u)`: a function that is one of the elementary ones (MLS 12.9). C's functions of these names are the same, unless
/// the model brings others along. Empty if it is not.
std::string_view builtin_implementation(Instances& in, Class* function) {
  const auto* specifier = function->definition ? std::get_if<parser::LongClassSpecifier>(&function->definition->specifier) : nullptr;
  if (!specifier || !specifier->composition.external) return {};
  const parser::ExternalClause& external = *specifier->composition.external;
  const std::string_view name = external.has_call ? in.text(external.function) : in.text(function->definition->name);
  if (external.language.empty() || external.language == "C")
    return is_of_c_mathematics(name) && !function->definition->partial && !brings_code(in, *function, external) && hands_on_its_inputs(in, function, external) ? name : std::string_view();
  if (external.language != "builtin") return {};
  return is_builtin(name) ? name : std::string_view();
}

/// The arguments of a call in the order of the inputs. False: some are missing, or have other names.
bool by_position(Instances& in, Class* function, const parser::Call& c, std::vector<const parser::Expression*>& arguments) {
  if (!expand(in, function)) return false;
  arguments.assign(c.arguments.positional.begin(), c.arguments.positional.end());
  std::size_t input = 0, taken = 0;
  for (const Member* m : function->members) {
    if (m->is_class() || m->prefix.causality != parser::Causality::input || input++ < c.arguments.positional.size()) continue;
    for (const auto& a : c.arguments.named)
      if (a.name == m->name) arguments.push_back(a.value), ++taken;
  }
  return taken == c.arguments.named.size() && arguments.size() == input;
}

/// The class member behind the components of `a.b[1].C.f`; `part` gets the number of the part after it.
Member* function_of_component(Instances& in, const parser::ComponentReference& callee, Member* first, std::size_t& part,
                              const Environment& env) {
  Member* m = first;
  part = 0;
  for (;;) {
    Component* c = instantiate_component(in, m);
    if (!c || !c->type) {
      if (c && !parser::has_errors(in.diagnostics))
        in.error(callee.place, fmt::format("{} has no functions", spelled(in, callee, part)), {}, {{m->place, "declared here"}});
      return nullptr;
    }
    if (m->condition) {   // MLS 4.4.5
      in.error(callee.place, fmt::format("{} has a condition: its functions cannot be used", spelled(in, callee, part)), {},
               {{m->condition->place, "the condition"}});
      return nullptr;
    }
    std::size_t element = 0;
    const auto subscripts = callee.parts[part].subscripts;
    if (!subscripts.empty() || !c->dims.empty()) {
      Value positions{integer_type, c->dims, {}};
      for (std::size_t k = 0; k < c->size(); ++k) positions.elements.push_back(in.model.expressions.integer(static_cast<std::int64_t>(k)));
      const auto taken = subscript(in, positions, subscripts, callee.place, env);
      if (!taken) return nullptr;
      if (!taken->scalar() || in.model.expressions.op(taken->only()) != Op::integer) {
        in.error(callee.place, fmt::format("{} must be one component for its function to be called", spelled(in, callee, part)),
                 "give it subscripts that are known before the run");
        return nullptr;
      }
      element = static_cast<std::size_t>(in.model.expressions.integer_value(taken->only()));
    }
    ++part;
    Member* next = part < callee.parts.size() ? find_member(in, c->elements[element], callee.parts[part].name) : nullptr;
    if (!next) {
      in.error(callee.place, fmt::format("{} has no function {}", spelled(in, callee, part - 1),
                                         in.text(callee.parts[std::min(part, callee.parts.size() - 1)].name)),
               {}, {{m->place, "declared here"}});
      return nullptr;
    }
    if (next->is_protected) {
      in.error(callee.place, fmt::format("{} is protected in {}", in.text(next->name), c->type->path), {}, {{next->place, "declared here"}});
      return nullptr;
    }
    if (next->is_class()) {
      ++part;
      return next;
    }
    m = next;
  }
}

/// E(i) for an i that varies: if i == 1 then E.first elseif ..., where i must be the number of a literal.
Value literal_of_number(Instances& in, Type type, Expr i, Place place) {
  auto& ex = in.model.expressions;
  const auto n = static_cast<std::uint32_t>(in.model.enumerations[index(type.enumeration)].literals.size());
  const Expr chosen = ex.make(Op::within, BaseType::integer, {i, ex.integer(n)}, place);
  Expr result = ex.enumeration(type.enumeration, n, place);
  for (std::uint32_t k = n; k-- > 1;) {
    const Expr here = ex.make(Op::equal, BaseType::boolean, {chosen, ex.integer(k)}, place, true);
    result = ex.make(Op::if_, BaseType::enumeration, {here, ex.enumeration(type.enumeration, k, place), result}, place);
  }
  return scalar(type, result);
}

/// C(...) of a class of external objects: its constructor is called (MLS 12.9.7).
std::optional<std::vector<Value>> construct_object(Instances& in, Class* k, const parser::Expression& e, const parser::Call& c, const Environment& env) {
  Member* m = find_member(in, k, in.name("constructor"));
  Class* constructor = m && m->is_class() ? instantiate_class(in, m, nullptr, c.callee.place) : nullptr;
  if (!constructor) return {};
  return call_function(in, constructor, e, c, env);
}

bool is_operator(const Member& m) {
  return m.definition && (m.definition->kind == parser::ClassKind::operator_function || m.definition->kind == parser::ClassKind::operator_);
}

/// x.'+'(a, b): through a component only functions are found that are no operators (MLS 5.3.2).
std::optional<std::vector<Value>> refuse_operator_of_component(Instances& in, const parser::ComponentReference& callee, std::size_t part, const Member& m) {
  in.error(callee.place, fmt::format("{} is an operator of a component, which cannot be called", spelled(in, callee, part)),
           m.owner && m.owner->definition ? fmt::format("write the operator itself, or call it through its class: {}.{}", m.owner->path, in.text(m.name)) : "",
           {{m.place, "declared here"}});
  return {};
}

/// x(2), x(0), x(t) of a variable x: an element of an array, a start value, or a product, as mathematics writes them.
std::string parentheses_instead(Instances& in, const parser::Call& c, const Member& variable, std::string_view name) {
  std::string arguments;
  for (const parser::Expression* a : c.arguments.positional)
    arguments += (arguments.empty() ? "" : ", ") + std::string(in.workspace.sources.text(a->place));
  if (arguments.empty() || !c.arguments.named.empty()) return "";
  const bool array = (variable.declaration && !variable.declaration->subscripts.empty()) || (variable.clause && !variable.clause->subscripts.empty());
  if (array) return fmt::format("the elements of an array are written with brackets: {}[{}]", name, arguments);
  if (arguments == "0" || arguments == "0.0")
    return fmt::format("a value at the start is given where {0} is declared: {0}(start = ..., fixed = true)", name);
  if (arguments == "t" || arguments == "time") return fmt::format("every variable depends on time: write {} alone", name);
  return fmt::format("if a product is meant, write {}*({})", name, arguments);
}

std::optional<std::vector<Value>> call(Instances& in, const parser::Expression& e, const parser::Call& c,
                                       const Environment& env) {
  const auto one = [](std::optional<Value> v) -> std::optional<std::vector<Value>> {
    if (!v) return {};
    return std::vector<Value>{std::move(*v)};
  };
  const parser::ComponentReference& callee = c.callee;
  const std::string_view name = in.text(callee.parts.front().name);
  const bool simple = callee.parts.size() == 1 && callee.parts.front().subscripts.empty();
  Member* m = nullptr;
  if (auto of_connections = connection_operator(in, e, c, env)) return one(std::move(*of_connections));
  if (simple && !callee.global)
    for (const Locals* l = env.locals; l; l = l->outer)
      if (l->name == callee.parts.front().name && l->value().function) return call_functional(in, l->value(), e, c, env);
  // What the model declares or imports under a built-in function's name hides it (MLS 5.3.1).
  const Member* own = simple && is_builtin(name) && !callee.global ? lookup(in, env.scope, callee.parts.front().name) : nullptr;
  const bool hidden = own && own->is_class() && own->definition->kind == parser::ClassKind::function;
  if (hidden && own->owner == &in.top) {   // beside the built-in one, which stands in the unnamed root (MLS 5.6.1.1)
    in.error(callee.place, fmt::format("{0} means two functions here: the built-in one of Modelica, and the one of this name outside of every class", name),
             fmt::format("rename it, or put it into a package or into the model: there it hides the built-in {}", name), {{own->place, "declared here"}});
    return {};
  }
  if (!(simple && is_builtin(name)) || hidden) {
    m = callee.global ? find_member(in, &in.top, callee.parts.front().name) : lookup(in, env.scope, callee.parts.front().name);
    std::size_t i = 1;
    // A function of a component's class: components first, classes then (MLS 5.3.2).
    if (m && !m->is_class() && callee.parts.size() > 1) {
      m = function_of_component(in, callee, m, i, env);
      if (!m) return {};
      if (is_operator(*m)) return refuse_operator_of_component(in, callee, i - 1, *m);
    }
    for (; m && i < callee.parts.size(); ++i) {
      if (!m->is_class()) break;
      m = find_inside(in, m, callee.parts[i].name, callee.place, "function");
      if (!m) return {};
    }
    if (!m) {
      std::vector<std::string_view> names = visible_names(in, env.scope);
      const std::vector<std::string> stored = in.may_compare(1) ? in.library.names(nullptr) : std::vector<std::string>{};   // outside of every class
      names.insert(names.end(), stored.begin(), stored.end());
      for (std::string_view b : {"abs", "sign", "sqrt", "sin", "cos", "tan", "exp", "log", "log10", "min", "max", "sum", "sample",
                                 "pre", "edge", "change", "reinit", "assert", "terminate", "noEvent", "smooth", "floor",
                                 "ceil", "integer", "mod", "rem", "div", "size", "fill", "zeros", "ones", "delay", "der",
                                 "initial", "terminal", "hold", "previous", "homotopy", "semiLinear", "atan2"})
        names.push_back(b);
      if (simple && import_of_nothing(in, env.scope, callee.parts.front().name)) return {};
      const std::string missing = spelled(in, callee, callee.parts.size() - 1);
      const std::string near = parser::nearest(missing, names);
      const std::string instead = function_instead(missing);
      in.error(callee.place, fmt::format("there is no function {}", missing),
               !instead.empty() || near.empty() ? instead : fmt::format("did you mean {}?", near));
      return {};
    }
    if (m->is_class()) {
      Class* k = instantiate_class(in, m, nullptr, callee.place);
      if (k && k->basic && k->basic->base == BaseType::enumeration) {
        // EnumTypeName(i): the literal with that number (MLS 4.9.5.3).
        if (c.arguments.positional.size() != 1 || !c.arguments.named.empty()) {
          in.error(e.place, fmt::format("{}(...) takes one Integer", k->path));
          return {};
        }
        auto v = elaborate(in, *c.arguments.positional.front(), env);
        if (!v) return {};
        const auto& literals = in.model.enumerations[index(k->basic->enumeration)].literals;
        if (v->scalar() && v->type.base == BaseType::integer && in.evaluated(v->only()) == Expr::none)
          return one(literal_of_number(in, *k->basic, v->only(), e.place));
        const auto i = known_integer(in, *v, e.place, "the number of an enumeration literal");
        if (!i) return {};
        if (*i < 1 || *i > static_cast<std::int64_t>(literals.size())) {
          in.error(e.place, fmt::format("{} has no literal number {}", k->path, *i));
          return {};
        }
        return one(scalar(*k->basic, in.model.expressions.enumeration(k->basic->enumeration,
                                                                      static_cast<std::uint32_t>(*i), e.place)));
      }
      if (k && (k->kind() == parser::ClassKind::class_ || k->kind() == parser::ClassKind::type) && expand(in, k) && k->basic && k->basic->base == BaseType::object)
        return construct_object(in, k, e, c, env);
      if (const auto name = k ? builtin_implementation(in, k) : std::string_view(); !name.empty()) {
        std::vector<const parser::Expression*> arguments;
        if (c.arguments.named.empty() || !by_position(in, k, c, arguments)) return one(elaborate_builtin(in, e, c, name, env));
        parser::Call ordered = c;
        ordered.arguments.positional = arguments;
        ordered.arguments.named = {};
        return one(elaborate_builtin(in, e, ordered, name, env));
      }
      if (k && (k->kind() == parser::ClassKind::function || k->kind() == parser::ClassKind::operator_function))
        return call_function(in, k, e, c, env);
      if (k && !is_record_class(k)) {
        in.error(callee.place, fmt::format("{} is not a function", spelled(in, callee, callee.parts.size() - 1)), {},
                 {{m->place, "declared here"}});
        return {};
      }
      if (!k || !expand(in, k)) return {};
      if (k->kind() == parser::ClassKind::operator_record)
        if (auto overloaded = overloaded_call(in, k, "constructor", e, c, env)) return *overloaded;
      return one(construct_record(in, k, e, c, env));
    }
    const std::string variable = spelled(in, callee, callee.parts.size() - 1);
    in.error(callee.place, fmt::format("{} is a variable, not a function", variable), parentheses_instead(in, c, *m, variable),
             {{m->place, "declared here"}});
    return {};
  }
  if (name == "spatialDistribution") return spatial_distribution(in, e, c, env);
  return one(elaborate_builtin(in, e, c, name, env));
}

}  // namespace

std::optional<std::vector<Value>> elaborate_results(Instances& in, const parser::Expression& e, const parser::Call& c,
                                                    const Environment& env) {
  return call(in, e, c, env);
}

std::optional<Value> elaborate(Instances& in, const parser::Expression& e, const Environment& env) {
  if (!in.may_nest(e.place)) return {};
  auto& ex = in.model.expressions;
  return std::visit(
      [&](const auto& node) -> std::optional<Value> {
        using T = std::decay_t<decltype(node)>;
        if constexpr (std::is_same_v<T, parser::RealLiteral>) {
          return scalar(real_type, ex.real(node.value, e.place));
        } else if constexpr (std::is_same_v<T, parser::IntegerLiteral>) {
          return scalar(integer_type, ex.integer(node.value, e.place));
        } else if constexpr (std::is_same_v<T, parser::StringLiteral>) {
          return scalar(string_type, ex.string(node.value, e.place));
        } else if constexpr (std::is_same_v<T, parser::BooleanLiteral>) {
          return scalar(boolean_type, ex.boolean(node.value, e.place));
        } else if constexpr (std::is_same_v<T, parser::EndExpression>) {
          if (!env.end_dims) {
            in.error(e.place, "`end` stands for a size only inside subscripts");
            return {};
          }
          // The upper bound, which is a value of the type that this dimension is indexed by (MLS 10.5).
          if (env.end_types && env.end_position < env.end_types->size() && (*env.end_dims)[env.end_position] > 0) {
            const Type type = (*env.end_types)[env.end_position];
            if (type.base == BaseType::boolean) return scalar(type, ex.boolean(true, e.place));
            if (type.base == BaseType::enumeration)
              return scalar(type, ex.enumeration(type.enumeration, static_cast<std::uint32_t>((*env.end_dims)[env.end_position]), e.place));
          }
          if ((*env.end_dims)[env.end_position] < 0) return scalar(integer_type, env.end_extents->at(env.end_position));
          return scalar(integer_type, ex.integer((*env.end_dims)[env.end_position], e.place));
        } else if constexpr (std::is_same_v<T, parser::Reference>) {
          return elaborate_name(in, node.name, env);
        } else if constexpr (std::is_same_v<T, parser::Call>) {
          auto results = call(in, e, node, env);
          if (!results) return {};
          if (results->empty()) {
            in.error(e.place, fmt::format("{} has no result that could be used here", in.workspace.sources.text(node.callee.place)),
                     "write the call as an equation or statement of its own");
            return {};
          }
          return std::move(results->front());
        } else if constexpr (std::is_same_v<T, parser::PartialApplication>) {
          return function_value(in, e, env);
        } else if constexpr (std::is_same_v<T, parser::Unary>) {
          return elaborate_unary(in, e, node, env);
        } else if constexpr (std::is_same_v<T, parser::Binary>) {
          return elaborate_binary(in, e, node, env);
        } else if constexpr (std::is_same_v<T, parser::IfExpression>) {
          if (FunctionCode* const code = run_code(in); code && !env.type_only && !env.untaken) return if_expression_of_run(in, *code, e, node, 0, env);
          return if_expression(in, e, node, env);
        } else if constexpr (std::is_same_v<T, parser::Range>) {
          return elaborate_range(in, e, node, env);
        } else if constexpr (std::is_same_v<T, parser::ArrayConstructor>) {
          std::vector<Value> parts;
          std::vector<Place> places;
          for (const parser::Expression* part : node.elements) {
            auto v = elaborate(in, *part, env);
            if (!v) return {};
            parts.push_back(std::move(*v));
            places.push_back(part->place);
          }
          return array_of(in, std::move(parts), places, e.place);
        } else if constexpr (std::is_same_v<T, parser::ArrayComprehension>) {
          return array_with_iterators(in, *node.element, node.iterators, e.place, env);
        } else if constexpr (std::is_same_v<T, parser::MatrixConstructor>) {
          return elaborate_matrix(in, e, node, env);
        } else if constexpr (std::is_same_v<T, parser::Tuple>) {
          in.error(e.place, "a list of results can only stand on the left of a function call");
          return {};
        } else if constexpr (std::is_same_v<T, parser::Subscripted>) {
          const auto base = elaborate(in, *node.base, env);
          if (!base) return {};
          return subscript(in, *base, node.subscripts, e.place, env);
        } else {
          const auto base = elaborate(in, *node.base, env);
          if (!base) return {};
          const auto i = base->record ? record_position(in, base->record, node.member) : std::nullopt;
          if (!i) {
            in.error(e.place, fmt::format("this value, {}, has no element {}", type_name(in, *base), in.text(node.member)));
            return {};
          }
          return base->members[*i];
        }
      },
      e.node);
}

}  // namespace mosim::compiler
