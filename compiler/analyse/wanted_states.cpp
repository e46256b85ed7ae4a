// Variables that shall be states although their derivatives stand in no equation (MLS 4.9.7.1): with der(v) as one more
// unknown, what gives v becomes a constraint between states, and index reduction weighs v against the others. What is merely
// preferred is weighed where a differentiated variable is given by it, as contents are by pressure and temperature, and where it
// is itself the derivative of one that is preferred, as a relative velocity is: the pair becomes states, or neither.

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <unordered_map>
#include <utility>

#include "compiler/analyse/analysis.hpp"

namespace mosim::compiler::dae {

namespace {

/// What differentiated variables are made of, step by step, where the model gives these by equations: U = m*u, m = V*d, d = p/(R*T).
std::vector<char> find_givers(Analysis& a, const std::vector<char>& differentiated) {
  const Expressions& x = a.x();
  std::unordered_map<std::uint32_t, std::vector<Expr>> definitions;
  for (const Equation& e : a.equations) {
    if (e.why != Why::equation || e.clock != none) continue;
    for (const auto& [one, other] : {std::pair{e.left, e.right}, std::pair{e.right, e.left}})
      if (x.op(one) == Op::variable && x.type(one) == BaseType::real && x.op(other) != Op::variable) definitions[index(x.variable(one))].push_back(other);
  }
  std::vector<char> gives(differentiated.size(), 0);
  std::vector<std::uint32_t> open;
  for (std::uint32_t i = 0; i < differentiated.size(); ++i)
    if (differentiated[i] && definitions.contains(i)) open.push_back(i);
  Walker walker(x);
  std::vector<char> seen(differentiated.size(), 0);
  while (!open.empty()) {
    const std::uint32_t v = open.back();
    open.pop_back();
    const auto it = definitions.find(v);
    if (seen[v] || it == definitions.end()) continue;
    seen[v] = 1;
    for (Expr definition : it->second)
      walker.more(definition, [&](Expr e) {
        if (x.op(e) == Op::derivative) return false;
        if (x.op(e) == Op::variable && index(x.variable(e)) < gives.size()) {
          gives[index(x.variable(e))] = 1;
          open.push_back(index(x.variable(e)));
        }
        return true;
      });
  }
  return gives;
}

/// The derivatives, by name, of what is preferred: der(s_rel) = v_rel.
std::vector<char> find_velocities(const Analysis& a, const std::vector<char>& preferred) {
  const Expressions& x = a.system.model.expressions;
  std::vector<char> velocity(preferred.size(), 0);
  for (const Equation& e : a.equations) {
    if (e.why != Why::equation || e.clock != none) continue;
    for (const auto& [one, other] : {std::pair{e.left, e.right}, std::pair{e.right, e.left}})
      if (x.op(one) == Op::derivative && preferred[index(x.variable(one))] && x.op(other) == Op::variable) velocity[index(x.variable(other))] = 1;
  }
  return velocity;
}

void add_derivative(Analysis& a, VariableId v) {
  Expressions& x = a.x();
  const Place place = a.variable(v).place;
  Equation e;
  e.left = a.value(a.helper(fmt::format("$der({})", a.variable(v).name), BaseType::real, VariableKind::algebraic, place, x.of_variable(Op::derivative, v, BaseType::real, place)));
  e.right = x.of_variable(Op::derivative, v, BaseType::real, place);
  e.place = place;
  e.source_left = e.left;
  e.source_right = e.right;
  a.equations.push_back(e);
}

}  // namespace

void add_wanted_derivatives(Analysis& a) {
  const auto variables = std::span(a.model().variables).first(a.system.user_variables);
  if (std::none_of(variables.begin(), variables.end(), [](const flat::Variable& v) { return v.state_select >= flat::StateSelect::prefer; })) return;
  const Expressions& x = a.x();
  std::vector<char> differentiated(a.model().variables.size(), 0);
  Walker walker(x);
  for (const Equation& e : a.equations)
    for (Expr side : {e.left, e.right})
      walker.more(side, [&](Expr n) {
        if (x.op(n) == Op::derivative) differentiated[index(x.variable(n))] = 1;
        return true;
      });
  const auto representative = [&](std::uint32_t i) {
    return a.system.facts[i].kind == VariableKind::alias ? a.system.facts[i].alias_of : static_cast<VariableId>(i);
  };
  // Somebody must take the place of a variable that must not be a state.
  bool preferred_too = false;
  for (std::uint32_t i = 0; i < a.system.user_variables; ++i)
    if (a.model().variables[i].state_select == flat::StateSelect::never && differentiated[index(representative(i))]) preferred_too = true;
  std::vector<char> preferred(differentiated.size(), 0);
  for (std::uint32_t i = 0; i < a.system.user_variables; ++i)
    if (a.model().variables[i].state_select >= flat::StateSelect::prefer) preferred[index(representative(i))] = 1;
  const std::vector<char> gives = find_givers(a, differentiated), velocity = find_velocities(a, preferred);
  std::vector<VariableId> velocities;
  for (std::uint32_t i = 0; i < a.system.user_variables; ++i) {
    const auto select = a.model().variables[i].state_select;
    const VariableId v = representative(i);
    if (select < flat::StateSelect::prefer || differentiated[index(v)] || a.fact(v).kind != VariableKind::algebraic || a.variable(v).type != BaseType::real) continue;
    const bool wanted = select == flat::StateSelect::always || preferred_too || gives[index(v)];
    if (!wanted && !velocity[index(v)]) continue;
    differentiated[index(v)] = 1;
    if (wanted) add_derivative(a, v);
    else velocities.push_back(v);
  }
  if (velocities.empty()) return;
  // It is a wish alone: where what gives a velocity has no derivative, it stays as it is.
  a.before_velocities = a.checkpoint();
  for (VariableId v : velocities) add_derivative(a, v);
}

}  // namespace mosim::compiler::dae
