// Which derivative depends on which state: sets of states are carried along the order of evaluation.

#include <algorithm>

#include "compiler/lower/lowering.hpp"

namespace mosim::compiler {

using runtime::none;

void Lowering::jacobian() {
  using Set = std::vector<std::uint32_t>;   // sorted
  std::vector<Set> sets;                                                    // of quantities that others in the order need
  std::vector<std::uint32_t> set_of(model_.variables.size() * 4, none);
  const auto& blocks = s_.continuous().blocks;
  // A set is dropped after its last use, so that what is held is near what comes out.
  std::vector<std::uint32_t> last_use(model_.variables.size() * 4, none);
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
  Set set;
  std::vector<std::uint32_t> used, unused;   // sets
  for (std::uint32_t b = 0; b < blocks.size(); ++b) {
    if (!s_.for_derivatives[b]) continue;
    set.clear();
    used.clear();
    each_use(blocks[b], [&](dae::Quantity q) {
      const VariableId v = dae::variable(q);
      if (dae::part(q) == dae::Part::value && s_.fact(v).kind == dae::VariableKind::state) {
        set.push_back(s_.fact(v).number);
      } else if (const std::uint32_t other = set_of[dae::index(q)]; other != none) {
        set.insert(set.end(), sets[other].begin(), sets[other].end());
        if (last_use[dae::index(q)] == b) used.push_back(other);
      }
    });
    std::sort(set.begin(), set.end());
    set.erase(std::unique(set.begin(), set.end()), set.end());
    for (const std::uint32_t other : used) {
      Set().swap(sets[other]);
      unused.push_back(other);
    }
    const auto found = [&](dae::Quantity q) {
      const VariableId v = dae::variable(q);
      if (dae::part(q) == dae::Part::derivative && s_.fact(v).kind == dae::VariableKind::state)
        for (const std::uint32_t state : set) p_.jacobian.push_back({s_.fact(v).number, state});
      if ((dae::part(q) != dae::Part::value && dae::part(q) != dae::Part::derivative) || last_use[dae::index(q)] == none || last_use[dae::index(q)] == b) return;
      if (unused.empty()) {
        unused.push_back(static_cast<std::uint32_t>(sets.size()));
        sets.emplace_back();
      }
      set_of[dae::index(q)] = unused.back();
      sets[unused.back()] = set;
      unused.pop_back();
    };
    for (const dae::Solved& solved : blocks[b].assignments()) found(solved.unknown);
    for (dae::Quantity q : blocks[b].unknowns()) found(q);
  }
  std::sort(p_.jacobian.begin(), p_.jacobian.end(), [](const auto& a, const auto& b) {
    return a.state != b.state ? a.state < b.state : a.derivative < b.derivative;
  });
}

}  // namespace mosim::compiler
