// Outputs of several states that are connected together are one source (MLS 17.3.6).

#include <algorithm>

#include "compiler/elaborate/elaboration.hpp"
#include "compiler/elaborate/machines.hpp"
#include "compiler/flatten/connect.hpp"
#include "compiler/flatten/flattening.hpp"
#include "compiler/instantiate/instances.hpp"

namespace mosim::compiler {

/// u = if activeState(state1) then y1 elseif activeState(state2) then y2 elseif ... else last(u). False: it is no such set.
bool Connections::merge_outputs(const std::vector<Terminal>& set, Place place, Collected& out) {
  KnownStateMachines* machines = in_.elaboration.machines;
  if (!machines) return false;
  std::vector<VariableId> sources, users;
  for (const Terminal& t : set) {
    const ConnectionKind kind = infos_[index(t.variable)].kind;
    if (kind != ConnectionKind::input && kind != ConnectionKind::output) return false;
    (t.inside && kind == ConnectionKind::output ? sources : users).push_back(t.variable);
  }
  if (sources.size() < 2) return false;
  for (std::size_t k = 0; k < sources.size(); ++k) {
    if (machines->active_with(sources[k], place) == Expr::none) return false;
    for (std::size_t j = 0; j < k; ++j)
      if (!machines->exclusive(sources[j], sources[k])) return false;
  }
  auto& ex = in_.model.expressions;
  for (std::size_t k = 0; k < users.size(); ++k) {
    const BaseType type = in_.model.variable(users[k]).type;
    Expr value = k ? ex.variable(users.front(), type, place) : ex.of_variable(Op::previous, users.front(), type, place);
    for (std::size_t s = k ? 0 : sources.size(); s-- > 0;)
      value = ex.make(Op::if_, type, {machines->active_with(sources[s], place), ex.variable(sources[s], type, place), value}, place);
    out.equations.push_back({ex.variable(users[k], type, place), value, place, {}, VariableId::none});
  }
  return true;
}

}  // namespace mosim::compiler
