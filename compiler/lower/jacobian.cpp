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
  std::vector<std::uint32_t> met(p_.states.size(), none);   // of each state: by that block
  for (std::uint32_t b = 0; b < blocks.size(); ++b) {
    if (!s_.for_derivatives[b]) continue;
    set.clear();
    used.clear();
    const auto meet = [&](std::uint32_t state) {
      if (met[state] != b) set.push_back(state);
      met[state] = b;
    };
    each_use(blocks[b], [&](dae::Quantity q) {
      const VariableId v = dae::variable(q);
      if (dae::part(q) == dae::Part::value && s_.fact(v).kind == dae::VariableKind::state) {
        meet(s_.fact(v).number);
      } else if (const std::uint32_t other = set_of[dae::index(q)]; other != none) {
        for (const std::uint32_t state : sets[other]) meet(state);
        if (last_use[dae::index(q)] == b) used.push_back(other);
      }
    });
    if (!std::is_sorted(set.begin(), set.end())) std::sort(set.begin(), set.end());
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
  sort_by_state();
}

// And by derivative.
void Lowering::sort_by_state() {
  std::vector<std::uint32_t> next(p_.states.size() + 1, 0);   // place in the order
  for (const auto& [derivative, state] : p_.jacobian) ++next[state + 1];
  for (std::size_t k = 1; k < next.size(); ++k) next[k] += next[k - 1];
  const std::vector<std::uint32_t> starts = next;
  std::vector<runtime::Dependence> sorted(p_.jacobian.size());
  for (const runtime::Dependence& d : p_.jacobian) sorted[next[d.state]++] = d;
  const auto before = [](const runtime::Dependence& a, const runtime::Dependence& b) { return a.derivative < b.derivative; };
  for (std::size_t k = 0; k + 1 < starts.size(); ++k) {
    const auto first = sorted.begin() + starts[k], last = sorted.begin() + starts[k + 1];
    if (!std::is_sorted(first, last, before)) std::sort(first, last, before);
  }
  p_.jacobian = std::move(sorted);
}

}  // namespace mosim::compiler
