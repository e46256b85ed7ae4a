#include "compiler/elaborate/function_rules.hpp"

#include <algorithm>
#include <set>

#include "compiler/elaborate/elaborate.hpp"
#include "compiler/elaborate/function_code.hpp"
#include "compiler/elaborate/values.hpp"
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

bool has_own_derivative(Instances& in, const Class* function) {
  const parser::Modification* annotation = function->definition ? function->definition->description.annotation : nullptr;
  if (!annotation) return false;
  bool inlined = true, named = false;
  for (const parser::Argument& a : annotation->arguments) {
    const auto rule = rule_in(in, a);
    named = named || (rule && rule->order == 1 && !rule->none.empty());
    const auto* e = std::get_if<parser::ElementModification>(&a.node);
    if (!e || !e->modification || !e->modification->binding || e->name.parts.size() != 1 || in.text(e->name.parts.front()) != "Inline") continue;
    const auto* value = std::get_if<parser::BooleanLiteral>(&e->modification->binding->node);   // MLS 18.3
    inlined = !value || value->value;
  }
  return named && !inlined;
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
    const auto results = call_as_code(in, derivative, arguments, a.place, here);
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
