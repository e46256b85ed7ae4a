// Which derivative depends on which state: sets of states are carried along the order of evaluation.

#include <algorithm>

#include "compiler/lower/lowering.hpp"

namespace mosim::compiler {

void Lowering::jacobian() {
  using Set = std::vector<std::uint32_t>;   // sorted
  std::vector<Set> depends(model_.variables.size() * 4);
  const auto& blocks = s_.continuous().blocks;
  // A set is dropped after its last use, so that what is held is near what comes out.
  std::vector<std::uint32_t> last_use(model_.variables.size() * 4, 0);
  std::vector<std::vector<std::uint32_t>> dropped_after(blocks.size());
  const auto each_use = [&](const dae::Block& block, auto&& visit) {
    walker_.restart();
    const auto look = [&](Expr root) {
      walker_.more(root, [&](Expr e) {
        const dae::Quantity q = dae::quantity_of(x_, e);
        if (q != dae::Quantity::none) visit(q);
        return !looks_back(x_.op(e));
      });
    };
    for (const dae::Solved& solved : block.assignments()) look(solved.value);
    for (const dae::Residual& r : block.residuals()) look(r.left), look(r.right);
  };
  for (std::uint32_t b = 0; b < blocks.size(); ++b)
    if (s_.for_derivatives[b]) each_use(blocks[b], [&](dae::Quantity q) { last_use[dae::index(q)] = b; });
  for (std::uint32_t q = 0; q < last_use.size(); ++q)
    if (last_use[q] != 0 && dae::part(static_cast<dae::Quantity>(q)) == dae::Part::value) dropped_after[last_use[q]].push_back(q);
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    if (!s_.for_derivatives[b]) continue;
    const auto tidy = [](Set& set) {
      std::sort(set.begin(), set.end());
      set.erase(std::unique(set.begin(), set.end()), set.end());
    };
    Set set;
    each_use(blocks[b], [&](dae::Quantity q) {
      const VariableId v = dae::variable(q);
      if (dae::part(q) == dae::Part::value && s_.fact(v).kind == dae::VariableKind::state) set.push_back(s_.fact(v).number);
      else if (dae::part(q) == dae::Part::value || dae::part(q) == dae::Part::derivative)
        set.insert(set.end(), depends[dae::index(q)].begin(), depends[dae::index(q)].end());
    });
    tidy(set);
    for (const dae::Solved& solved : blocks[b].assignments()) depends[dae::index(solved.unknown)] = set;
    for (dae::Quantity q : blocks[b].unknowns()) depends[dae::index(q)] = set;
    for (std::uint32_t q : dropped_after[b]) Set().swap(depends[q]);
  }
  for (std::uint32_t i = 0; i < s_.states.size(); ++i)
    for (std::uint32_t state : depends[dae::index(dae::quantity(s_.states[i], dae::Part::derivative))])
      p_.jacobian.push_back({i, state});
  std::sort(p_.jacobian.begin(), p_.jacobian.end(), [](const auto& a, const auto& b) {
    return a.state != b.state ? a.state < b.state : a.derivative < b.derivative;
  });
}

}  // namespace mosim::compiler
