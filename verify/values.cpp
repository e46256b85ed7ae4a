#include "verify/values.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mosim::verify {

using namespace compiler;
using dae::VariableKind;

Values::Values(const dae::System& system, const Layout& layout) : s_(system) {
  const std::size_t n = system.model.variables.size();
  values_.resize(n);
  derivatives_.resize(n);
  pre_.resize(n);
  nominal_.assign(n, 0.0);
  std::unordered_map<std::string, std::size_t> helpers;   // der(x) of an x that is no state
  for (std::size_t i = system.user_variables; i < n; ++i) helpers.emplace(system.model.variables[i].name, i);
  for (std::size_t i = 0; i < n; ++i) {
    const dae::VariableFacts& facts = system.facts[i];
    const bool alias = facts.kind == VariableKind::alias;
    const std::size_t other = alias ? index(facts.alias_of) : i;
    values_[i] = {layout.value[other], alias && facts.negated};
    pre_[i] = {layout.pre[other], alias && facts.negated};
    derivatives_[i] = {layout.derivative[other], alias && facts.negated};
    if (derivatives_[i].slot == runtime::none)
      for (const std::size_t of : {i, other})
        if (const auto it = helpers.find("der(" + system.model.variables[of].name + ")"); it != helpers.end()) {
          const dae::VariableFacts& helper = system.facts[it->second];
          const bool again = helper.kind == VariableKind::alias;
          derivatives_[i] = {layout.value[again ? index(helper.alias_of) : it->second],
                             (of != i && facts.negated) != (again && helper.negated)};
          break;
        }
    const VariableKind kind = system.facts[other].kind;
    if (kind == VariableKind::constant || kind == VariableKind::parameter) continue;
    const Expr nominal = system.model.variables[i].nominal;
    nominal_[i] = nominal != Expr::none && system.model.expressions.is_number(nominal) ? std::abs(system.model.expressions.number(nominal)) : 1.0;
  }
}

double Values::read(const runtime::Machine& m, Held held, bool boolean) const {
  if (held.slot == runtime::none) return 0;
  const double value = m.memory[held.slot];
  return !held.negated ? value : boolean ? 1 - value : -value;
}

Number Values::value(const runtime::Machine& m, VariableId v) const {
  const double value = read(m, values_[index(v)], s_.model.variable(v).type == BaseType::boolean);
  return {value, std::max(std::abs(value), s_.model.variable(v).type == BaseType::real ? nominal_[index(v)] : 0), 0};
}

std::optional<Number> Values::derivative(const runtime::Machine& m, VariableId v) const {
  const VariableKind kind = s_.fact(v).kind;
  if (kind == VariableKind::constant || kind == VariableKind::parameter || kind == VariableKind::free_parameter || kind == VariableKind::discrete || kind == VariableKind::input)
    return Number{0, 0, 0};
  if (derivatives_[index(v)].slot == runtime::none) return {};
  const double value = read(m, derivatives_[index(v)], false);
  return Number{value, std::max(std::abs(value), nominal_[index(v)]), std::numeric_limits<double>::quiet_NaN()};
}

bool Values::has_pre(VariableId v) const { return pre_[index(v)].slot != runtime::none; }
double Values::pre(const runtime::Machine& m, VariableId v) const {
  return has_pre(v) ? read(m, pre_[index(v)], s_.model.variable(v).type == BaseType::boolean) : value(m, v).value;
}
bool Values::is_continuous(VariableId v) const {
  const dae::VariableFacts& facts = s_.fact(v);
  const VariableKind kind = facts.kind == VariableKind::alias ? s_.fact(facts.alias_of).kind : facts.kind;
  return kind == VariableKind::state || kind == VariableKind::algebraic;
}

}  // namespace mosim::verify
