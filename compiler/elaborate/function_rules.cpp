#include "compiler/elaborate/function_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <set>

#include "compiler/elaborate/elaborate.hpp"
#include "compiler/elaborate/elaboration.hpp"
#include "compiler/elaborate/function_code.hpp"
#include "compiler/elaborate/values.hpp"
#include "compiler/expression/walk.hpp"
#include "compiler/instantiate/class.hpp"
#include "compiler/instantiate/expand.hpp"
#include "compiler/instantiate/instances.hpp"

namespace mosim::compiler {

namespace {

struct Rule {
  const parser::ComponentReference* name = nullptr;
  std::int64_t order = 1;
  std::set<Name> none, zero;   // inputs whose derivative is not handed over; zero: it must be 0
};

/// derivative(order = 2, noDerivative = x, zeroDerivative = y) = name
std::optional<Rule> rule_in(Instances& in, const parser::Argument& a) {
  const auto* e = std::get_if<parser::ElementModification>(&a.node);
  if (!e || e->name.parts.size() != 1 || in.text(e->name.parts.front()) != "derivative" || !e->modification || !e->modification->binding) return {};
  const auto* name = std::get_if<parser::Reference>(&e->modification->binding->node);
  if (!name) return {};
  Rule rule;
  rule.name = &name->name;
  for (const parser::Argument& constraint : e->modification->arguments) {
    const auto* c = std::get_if<parser::ElementModification>(&constraint.node);
    if (!c || c->name.parts.size() != 1 || !c->modification || !c->modification->binding) return {};
    const std::string_view what = in.text(c->name.parts.front());
    const auto* input = std::get_if<parser::Reference>(&c->modification->binding->node);
    const auto* number = std::get_if<parser::IntegerLiteral>(&c->modification->binding->node);
    if (what == "order" && number) rule.order = number->value;
    else if (what == "noDerivative" && input) rule.none.insert(input->name.parts.front().name);
    else if (what == "zeroDerivative" && input) rule.zero.insert(input->name.parts.front().name);
    else return {};
  }
  return rule;
}

bool has_reals(const Value& v) {
  bool found = false;
  Value copy = v;
  for_each_leaf(copy, [&](Value& leaf) { found = found || leaf.type.base == BaseType::real; });
  return found && !v.function;
}

std::size_t count_inputs(Instances& in, Class* function) {
  if (!expand(in, function)) return 0;
  return static_cast<std::size_t>(std::count_if(function->members.begin(), function->members.end(), [](const Member* m) {
    return !m->is_class() && m->prefix.causality == parser::Causality::input;
  }));
}

}  // namespace

namespace {

/// What one of these holds: time, or a variable that is not known before the run.
struct Holds {
  bool time = false, variable = false;
};

Holds held_by(const flat::Model& model, Expr e) {
  Holds holds;
  Walker walker(model.expressions);
  walker.each(e, [&](Expr n) {
    switch (model.expressions.op(n)) {
      case Op::time: holds.time = true; break;
      case Op::variable: holds.variable = holds.variable || model.variable(model.expressions.variable(n)).variability > flat::Variability::parameter; break;
      case Op::derivative: case Op::pre: case Op::previous: case Op::local: case Op::call: holds.variable = true; break;
      default: break;
    }
    return true;
  });
  return holds;
}

/// Does a rule hand over the derivative of time alone, which the function makes nothing of?
bool has_dummy_input(const flat::Model& model, Expr value, Expr call) {
  const Expressions& x = model.expressions;
  if (held_by(model, value).time) return false;
  for (const flat::DerivativeRule& rule : model.functions[index(x.function(call))].derivatives) {
    Holds handed;
    for (std::size_t k = 0; k < rule.inputs.size(); ++k) {
      if (rule.inputs[k] != flat::DerivativeRule::Handed::derivative) continue;
      const Holds one = held_by(model, x.child(call, k));
      handed.time = handed.time || one.time;
      handed.variable = handed.variable || one.variable;
    }
    if (handed.time && !handed.variable) return true;
  }
  return false;
}

/// An annotation `name = true` or `name = false`; nothing else counts.
std::optional<bool> flag(Instances& in, const Class* function, std::string_view name) {
  const parser::Modification* annotation = function->definition ? function->definition->description.annotation : nullptr;
  if (!annotation) return {};
  for (const parser::Argument& a : annotation->arguments) {
    const auto* e = std::get_if<parser::ElementModification>(&a.node);
    if (!e || !e->modification || !e->modification->binding || e->name.parts.size() != 1 || in.text(e->name.parts.front()) != name) continue;
    if (const auto* value = std::get_if<parser::BooleanLiteral>(&e->modification->binding->node)) return value->value;
  }
  return {};
}

/// inverse(u = f(y, v), ...): the argument of the annotation.
const parser::ElementModification* inverse_in(Instances& in, const parser::Argument& a) {
  const auto* e = std::get_if<parser::ElementModification>(&a.node);
  return e && e->name.parts.size() == 1 && in.text(e->name.parts.front()) == "inverse" && e->modification ? e : nullptr;
}

}  // namespace

Named what_it_names(Instances& in, const Class* function, bool of_time) {
  const parser::Modification* annotation = function->definition ? function->definition->description.annotation : nullptr;
  if (!annotation) return Named::nothing;
  const auto now = flag(in, function, "Inline"), late = flag(in, function, "LateInline");   // MLS 12.10: the second one counts where both are true
  const bool after = flag(in, function, "InlineAfterIndexReduction") == true;
  bool of_inlined = false;
  for (const parser::Argument& a : annotation->arguments) {
    if (inverse_in(in, a) && (now != true || late == true)) return Named::kept;
    const auto rule = rule_in(in, a);
    if (!rule || rule->order != 1 || rule->none.empty()) continue;
    // Version 3.2.3 of the standard library says LateInline where 4.0 says InlineAfterIndexReduction (Rotational.Sources.Move).
    if (!after && late == true && of_time) return Named::kept_unless_of_signals;
    if (!after && (now == false || late == true)) return Named::kept;
    of_inlined = of_inlined || after || !now.has_value();
  }
  return of_inlined ? Named::derivative_of_inlined : Named::nothing;
}

bool varies_with_time_alone(Instances& in, const Value& argument) {
  std::vector<Expr> leaves;
  append_leaves(argument, leaves);
  return std::any_of(leaves.begin(), leaves.end(), [&](Expr e) {
    const Holds holds = held_by(in.model, e);
    return holds.time && !holds.variable;
  });
}

bool keep_derivatives(Instances& in, std::vector<Value>& inlined, const std::vector<Value>& code) {
  Expressions& x = in.model.expressions;
  bool all = true;
  for (std::size_t k = 0; k < inlined.size() && k < code.size(); ++k) {
    all = keep_derivatives(in, inlined[k].members, code[k].members) && all;
    for (std::size_t j = 0; j < inlined[k].elements.size() && j < code[k].elements.size(); ++j) {
      Expr& value = inlined[k].elements[j];
      const Expr result = code[k].elements[j];
      if (x.type(value) != BaseType::real || x.op(result) != Op::result || x.type(result) != BaseType::real) continue;
      if (has_dummy_input(in.model, value, x.child(result, 0))) value = x.inlined(value, result);
      else all = false;
    }
  }
  return all;
}

bool generates_events(Instances& in, const Class* function) { return flag(in, function, "GenerateEvents") == true; }

void add_inverses(Instances& in, Class* function, FunctionId id, const std::vector<std::pair<Name, Value>>& inputs, Name output, const Value& value,
                  const Environment& env) {
  const parser::Modification* annotation = function->definition->description.annotation;
  if (!annotation) return;
  for (const parser::Argument& a : annotation->arguments) {
    const auto* inverse = inverse_in(in, a);
    if (!inverse) continue;
    const Quietly quietly(in, in.library.in_library(a.place));   // it is wrong wherever it is called
    for (const parser::Argument& one : inverse->modification->arguments) {
      const auto* e = std::get_if<parser::ElementModification>(&one.node);
      const auto* call = e && e->modification && e->modification->binding ? std::get_if<parser::Call>(&e->modification->binding->node) : nullptr;
      if (!call || e->name.parts.size() != 1) {
        in.error(one.place, "an inverse is an input and a call that gives it: inverse(u = f(y))");
        continue;
      }
      const auto input = std::find_if(inputs.begin(), inputs.end(), [&](const auto& i) { return i.first == e->name.parts.front(); });
      if (input == inputs.end()) {
        in.error(one.place, fmt::format("{} is no input of {}, whose inverse is given here", in.text(e->name.parts.front()), function->path));
        continue;
      }
      std::deque<Locals> locals;
      Environment here = env;
      here.scope = function;
      here.function = function;
      here.literal = true;
      here.locals = nullptr;
      for (const auto& [name, v] : inputs)
        if (name != input->first) here.locals = &locals.emplace_back(Locals{name, v, here.locals});
      here.locals = &locals.emplace_back(Locals{output, value, here.locals});
      // What it asserts is said where it is called: then it is called, and not its result.
      std::vector<flat::Assertion> asserted;
      const AssertionsTo to(in, &asserted);
      auto found = elaborate(in, *e->modification->binding, here);
      if (found && !asserted.empty()) {
        if (Class* named = function_named(in, call->callee, here)) function_codes(in).not_inlined.insert(named);
        asserted.clear();
        found = elaborate(in, *e->modification->binding, here);
        if (!asserted.empty()) continue;
      }
      if (!found || !input->second.scalar() || input->second.type != real_type) continue;
      if (!found->scalar() || !convert(in, *found, real_type, one.place, "the value of an inverse")) continue;
      const Expr leaf = input->second.only();
      if (in.model.expressions.op(leaf) != Op::local) continue;
      in.model.functions[index(id)].inverses.push_back({in.model.expressions.local(leaf), found->only(), in.library.in_library(a.place)});
    }
  }
}

void add_derivative_rules(Instances& in, Class* function, FunctionId id, const std::vector<std::pair<Name, Value>>& inputs, const Environment& env) {
  const parser::Modification* annotation = function->definition->description.annotation;
  if (!annotation) return;
  const Quietly quietly(in);
  for (const parser::Argument& a : annotation->arguments) {
    const auto rule = rule_in(in, a);
    if (!rule) continue;
    Environment here = env;
    here.scope = function;
    Class* derivative = function_named(in, *rule->name, here);
    if (!derivative) continue;
    // Of a higher order: the inputs at the end are derivatives of those before them, and theirs are handed over alone.
    const std::size_t more = count_inputs(in, derivative);
    if (more <= inputs.size()) continue;
    const std::size_t first = rule->order > 1 ? inputs.size() - std::min(inputs.size(), more - inputs.size()) : 0;
    Arguments arguments;
    flat::DerivativeRule made;
    made.order = static_cast<int>(rule->order);
    bool good = true;
    std::vector<const Value*> differentiated;
    for (std::size_t k = 0; k < inputs.size(); ++k) {
      const auto& [name, value] = inputs[k];
      arguments.positional.push_back({value, a.place, Name::none, {}});
      const bool zero = rule->zero.contains(name), used = k >= first && has_reals(value) && !zero && !rule->none.contains(name);
      good = good && !(used && value.record);   // a record of derivatives is another class
      if (used) differentiated.push_back(&value);
      std::vector<Expr> leaves;
      append_leaves(value, leaves);
      using Handed = flat::DerivativeRule::Handed;
      if (value.function || in.model.functions[index(id)].inputs.size() < made.inputs.size() + leaves.size()) continue;   // not among the operands
      for (std::size_t j = 0; j < leaves.size(); ++j) {
        const bool own = in.model.expressions.op(leaves[j]) == Op::local && in.model.expressions.local(leaves[j]) == in.model.functions[index(id)].inputs[made.inputs.size()];
        if (!own) break;   // known, and so no operand
        made.inputs.push_back(used ? Handed::derivative : zero ? Handed::zero : Handed::nothing);
      }
    }
    if (!good || made.inputs.size() != in.model.functions[index(id)].inputs.size()) continue;
    for (const Value* v : differentiated) arguments.positional.push_back({*v, a.place, Name::none, {}});
    const auto results = call_as_code(in, derivative, arguments, a.place, here, false);
    if (!results || results->empty()) continue;
    std::vector<Expr> leaves;
    append_leaves(results->front(), leaves);
    if (leaves.empty() || in.model.expressions.op(leaves.front()) != Op::result) continue;
    made.function = in.model.expressions.function(in.model.expressions.child(leaves.front(), 0));
    const auto handed = static_cast<std::size_t>(std::count(made.inputs.begin(), made.inputs.end(), flat::DerivativeRule::Handed::derivative));
    if (in.model.functions[index(made.function)].inputs.size() != made.inputs.size() + handed) continue;
    in.model.functions[index(id)].derivatives.push_back(std::move(made));
  }
}

}  // namespace mosim::compiler
