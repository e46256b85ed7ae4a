// Which derivative depends on which state: sets of states are carried along the order of evaluation.

#include <algorithm>

#include "compiler/lowering.hpp"

namespace mosim::compiler {

void Lowering::jacobian() {
  using Set = std::vector<std::uint32_t>;   // sorted
  std::vector<Set> depends(model_.variables.size() * 4);
  const auto& blocks = s_.continuous.blocks;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    if (!s_.for_derivatives[b]) continue;
    const auto gather = [&](Expr root, Set& set) {
      walker_.more(root, [&](Expr e) {
        const dae::Quantity q = dae::quantity_of(x_, e);
        if (q == dae::Quantity::none) return x_.op(e) != Op::delay;
        const VariableId v = dae::variable(q);
        if (dae::part(q) == dae::Part::value && s_.fact(v).role == dae::Role::state) set.push_back(s_.fact(v).number);
        else if (dae::part(q) == dae::Part::value || dae::part(q) == dae::Part::derivative)
          set.insert(set.end(), depends[dae::index(q)].begin(), depends[dae::index(q)].end());
        return true;
      });
    };
    const auto tidy = [](Set& set) {
      std::sort(set.begin(), set.end());
      set.erase(std::unique(set.begin(), set.end()), set.end());
    };
    walker_.restart();
    Set set;
    for (const dae::Solved& solved : blocks[b].assignments) gather(solved.value, set);
    for (const dae::Residual& r : blocks[b].residuals) gather(r.left, set), gather(r.right, set);
    tidy(set);
    for (const dae::Solved& solved : blocks[b].assignments) depends[dae::index(solved.unknown)] = set;
    for (dae::Quantity q : blocks[b].unknowns) depends[dae::index(q)] = set;
  }
  for (std::uint32_t i = 0; i < s_.states.size(); ++i)
    for (std::uint32_t state : depends[dae::index(dae::quantity(s_.states[i], dae::Part::derivative))])
      p_.jacobian.push_back({i, state});
  std::sort(p_.jacobian.begin(), p_.jacobian.end(), [](const auto& a, const auto& b) {
    return a.state != b.state ? a.state < b.state : a.derivative < b.derivative;
  });
}

}  // namespace mosim::compiler
