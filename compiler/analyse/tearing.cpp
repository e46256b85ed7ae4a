#include "compiler/analyse/tearing.hpp"

#include <cmath>
#include <queue>
#include <unordered_map>

namespace mosim::compiler::dae {

namespace {

/// Following a guess through many equations may magnify its rounding errors: u[i+1] = 2.5*u[i] - u[i-1] loses a digit
/// every three steps. No more digits than this are given away before a further unknown is guessed.
constexpr double most_amplification = 1e4;

/// d u / d other in an equation that is to be solved for u, as far as it is known before the run; else 1.
double sensitivity(Analysis& a, LinearForm& linear, const Equation& e, Expr u, Expr other) {
  const auto slope = [&](Expr leaf) -> std::optional<double> {
    const auto left = linear.split(e.left, leaf), right = linear.split(e.right, leaf);
    if (!left || !right) return {};
    const auto one = a.number(left->coefficient), two = a.number(right->coefficient);
    if (!one || !two) return {};
    return *one - *two;
  };
  const auto own = slope(u), others = slope(other);
  if (!own || !others || *own == 0) return 1;
  return std::abs(*others / *own);
}

}  // namespace

Block tear(Analysis& a, Solver& solver, const std::vector<Equation>& all, const std::vector<std::uint32_t>& equations,
           const std::vector<Quantity>& unknowns) {
  const std::size_t n = unknowns.size();
  std::unordered_map<std::uint32_t, std::uint32_t> number;   // quantity -> position in unknowns
  for (std::uint32_t i = 0; i < n; ++i) number.emplace(index(unknowns[i]), i);

  std::vector<std::vector<std::uint32_t>> row(equations.size()), column(n);
  for (std::uint32_t i = 0; i < equations.size(); ++i) {
    a.walker.restart();
    for (Expr side : {all[equations[i]].left, all[equations[i]].right})
      a.walker.more(side, [&](Expr e) {
        const Quantity q = quantity_of(a.x(), e);
        if (q == Quantity::none) return true;
        if (const auto it = number.find(index(q)); it != number.end()) {
          row[i].push_back(it->second);
          column[it->second].push_back(i);
        }
        return true;
      });
  }

  Block block;
  std::vector<std::uint32_t> left(equations.size());       // unknowns still open, by equation
  std::vector<std::uint32_t> uses(n);                      // equations still unused, by unknown
  std::vector<char> settled(n, 0), used(equations.size(), 0);
  std::vector<std::uint32_t> ready;
  for (std::uint32_t i = 0; i < equations.size(); ++i) {
    left[i] = static_cast<std::uint32_t>(row[i].size());
    if (left[i] == 1) ready.push_back(i);
  }
  std::priority_queue<std::pair<std::uint32_t, std::int64_t>> busiest;
  for (std::uint32_t u = 0; u < n; ++u) {
    uses[u] = static_cast<std::uint32_t>(column[u].size());
    busiest.push({uses[u], -std::int64_t(u)});
  }
  std::vector<double> amplification(n, 0);
  LinearForm linear(a.x());
  std::size_t open = n;
  const auto settle = [&](std::uint32_t u) {
    settled[u] = 1;
    --open;
    for (std::uint32_t i : column[u])
      if (--left[i] == 1 && !used[i]) ready.push_back(i);
  };
  while (open > 0) {
    if (!ready.empty()) {
      const std::uint32_t i = ready.back();
      ready.pop_back();
      if (used[i] || left[i] != 1) continue;
      std::uint32_t u = 0;
      for (std::uint32_t candidate : row[i])
        if (!settled[candidate]) u = candidate;
      const Equation& e = all[equations[i]];
      std::optional<Expr> value;
      if (e.target == Quantity::none) value = solver.solve(e, unknowns[u]);
      else if (e.target == unknowns[u] && !solver.contains(e.right, a.leaf(unknowns[u]))) value = e.right;
      if (!value) continue;   // stays a residual
      double amplified = 0;
      for (std::uint32_t other : row[i])
        if (other != u && amplification[other] > 0)
          amplified += amplification[other] *
                              (n > 2 ? sensitivity(a, linear, e, a.leaf(unknowns[u]), a.leaf(unknowns[other])) : 1);
      if (!(amplified <= most_amplification)) continue;
      amplification[u] = amplified;
      used[i] = 1;
      block.assignments.push_back({unknowns[u], *value, equations[i]});
      settle(u);
      for (std::uint32_t other : row[i])
        if (!settled[other] && uses[other] > 0) busiest.push({--uses[other], -std::int64_t(other)});
      continue;
    }
    std::uint32_t u = unmatched;
    while (!busiest.empty()) {
      const auto [count, negative] = busiest.top();
      busiest.pop();
      const auto candidate = static_cast<std::uint32_t>(-negative);
      if (settled[candidate] || uses[candidate] != count) continue;
      u = candidate;
      break;
    }
    if (u == unmatched) break;
    block.unknowns.push_back(unknowns[u]);
    amplification[u] = 1;
    settle(u);
  }
  for (std::uint32_t i = 0; i < equations.size(); ++i)
    if (!used[i]) block.residuals.push_back({all[equations[i]].left, all[equations[i]].right, equations[i]});

  block.linear = true;
  for (std::uint32_t i : equations)
    block.linear = block.linear && solver.degree(all[i].left, all[i].right, number) != Degree::nonlinear;
  return block;
}

}  // namespace mosim::compiler::dae
