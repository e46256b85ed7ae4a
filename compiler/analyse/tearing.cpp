#include "compiler/analyse/tearing.hpp"

#include <algorithm>
#include <cmath>
#include <queue>
#include <unordered_map>

namespace mosim::compiler::dae {

namespace {

/// Following a guess through many equations may magnify its rounding errors: u[i+1] = 2.5*u[i] - u[i-1] loses a digit
/// every three steps. No more digits than this, of the size that a number has, are given away before a further unknown is guessed.
constexpr double most_amplification = 1e4;

struct Interval {
  double low, high;
  double smallest() const { return low > 0 ? low : high < 0 ? -high : 0; }
  double largest() const { return std::max(std::abs(low), std::abs(high)); }
};

/// How a guess passes through an equation.
class Sensitivity {
public:
  explicit Sensitivity(Analysis& a) : a_(a), linear_(a.x()) {}

  /// The largest |d u / d other| in an equation that is to be solved for u, over the branches of its if-expressions, and at
  /// the start values where it is not linear; 1 if it is not known.
  double operator()(const Equation& e, Expr u, Expr other) {
    const auto own = slope(e, u), others = slope(e, other);
    if (!own || !others || !(own->smallest() > 0)) return 1;
    const double result = others->largest() / own->smallest();
    return std::isfinite(result) ? result : 1;
  }

  /// How large u is at the start values, at least 1, where an equation gives it outright.
  double size(const Equation& e, Expr u) {
    const auto value = e.left == u ? range(e.right) : e.right == u ? range(e.left) : std::nullopt;
    return value ? std::max(1.0, value->smallest()) : 1;
  }

private:
  std::optional<Interval> slope(const Equation& e, Expr leaf) {
    const auto left = coefficient(e.left, leaf), right = coefficient(e.right, leaf);
    if (!left || !right) return {};
    return Interval{left->low - right->high, left->high - right->low};
  }

  std::optional<Interval> coefficient(Expr side, Expr leaf) {
    if (const auto split = linear_.split(side, leaf)) return range(split->coefficient);
    parser::Diagnostics unsaid;
    const Expr derivative = differentiate(a_.model(), side, Place{}, unsaid, [&](Expr e) { return a_.x().real(e == leaf ? 1 : 0); });
    return derivative == Expr::none ? std::optional<Interval>{} : range(derivative);
  }

  static std::optional<Interval> finite(double a, double b, double c, double d) {
    const Interval result{std::min({a, b, c, d}), std::max({a, b, c, d})};
    if (!std::isfinite(result.low) || !std::isfinite(result.high)) return {};
    return result;
  }

  std::optional<Interval> range(Expr e) {
    if (ranges_.has(e)) return ranges_[e];
    const auto found = find_range(e);
    return ranges_[e] = found;
  }

  /// Whether there is an operand without a value below, so that e has none either; where not all operands are needed that is not known.
  bool varies(Expr e) {
    children_first(
        a_.x(), e, [&](Expr n) { return varies_.has(n); },
        [&](Expr n) {
          const Expressions& x = a_.x();
          const Op op = x.op(n);
          bool found = x.children(n).empty() && !x.is_literal_leaf(n) && (op != Op::variable || !a_.fact(x.variable(n)).has_value);
          if (op != Op::if_ && op != Op::and_ && op != Op::or_)
            for (const Expr c : x.children(n)) found = found || varies_[c];
          varies_[n] = found;
        });
    return varies_[e];
  }

  std::optional<Interval> find_range(Expr e) {
    const Expressions& x = a_.x();
    if (!varies(e))
      if (const auto number = a_.number(e, Reliance::size)) return finite(*number, *number, *number, *number);
    if (x.children(e).empty()) {
      // An unknown, or what varies: where it starts.
      const Quantity q = quantity_of(x, e);
      if (q == Quantity::none || part(q) != Part::value || x.type(e) != BaseType::real) return {};
      const auto start = a_.number(a_.start(variable(q)), Reliance::nothing);
      return start ? finite(*start, *start, *start, *start) : std::optional<Interval>{};
    }
    if (x.op(e) == Op::if_) {
      const auto one = range(x.child(e, 1)), two = range(x.child(e, 2));
      if (!one || !two) return {};
      return finite(one->low, one->high, two->low, two->high);
    }
    const auto one = range(x.child(e, x.op(e) == Op::smooth ? 1 : 0));
    if (!one || x.op(e) == Op::smooth || x.op(e) == Op::inlined) return one;
    if (x.children(e).size() == 1) return of_one(x.op(e), *one);
    const auto two = range(x.child(e, 1));
    if (!two) return {};
    switch (x.op(e)) {
      case Op::add: return finite(one->low + two->low, one->high + two->high, one->low + two->low, one->high + two->high);
      case Op::subtract: return finite(one->low - two->high, one->high - two->low, one->low - two->high, one->high - two->low);
      case Op::multiply: return finite(one->low * two->low, one->low * two->high, one->high * two->low, one->high * two->high);
      case Op::divide:
        if (!(two->smallest() > 0)) return {};
        return finite(one->low / two->low, one->low / two->high, one->high / two->low, one->high / two->high);
      case Op::power:
        if (!(one->low > 0) && one->low != one->high) return {};
        return finite(std::pow(one->low, two->low), std::pow(one->low, two->high), std::pow(one->high, two->low), std::pow(one->high, two->high));
      default: return {};
    }
  }

  static std::optional<Interval> of_one(Op op, Interval i) {
    if (op == Op::negate) return Interval{-i.high, -i.low};
    if (i.low != i.high) return {};
    const auto at = [](double y) { return finite(y, y, y, y); };
    switch (op) {
      case Op::abs: return at(std::abs(i.low));
      case Op::sqrt: return at(std::sqrt(i.low));
      case Op::sin: return at(std::sin(i.low));
      case Op::cos: return at(std::cos(i.low));
      case Op::tan: return at(std::tan(i.low));
      case Op::exp: return at(std::exp(i.low));
      case Op::log: return at(std::log(i.low));
      case Op::tanh: return at(std::tanh(i.low));
      default: return {};
    }
  }

  Analysis& a_;
  LinearForm linear_;
  Scratch<std::optional<Interval>> ranges_;
  Scratch<char> varies_;
};

}  // namespace

Block::Together tear(Analysis& a, Solver& solver, const std::vector<Equation>& all, const std::vector<std::uint32_t>& equations,
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

  Block::Together block;
  std::vector<std::uint32_t> left(equations.size());       // unknowns still open, by equation
  std::vector<std::uint32_t> uses(n);                      // equations still unused, by unknown
  std::vector<char> settled(n, 0), used(equations.size(), 0);
  // Shared sums come last: what is left open in one may have an equation of its own.
  std::vector<std::uint32_t> ready, ready_sums;
  const auto be_ready = [&](std::uint32_t i) { (is_of_sum(a, all[equations[i]]) ? ready_sums : ready).push_back(i); };
  for (std::uint32_t i = 0; i < equations.size(); ++i) {
    left[i] = static_cast<std::uint32_t>(row[i].size());
    if (left[i] == 1) be_ready(i);
  }
  std::priority_queue<std::pair<std::uint32_t, std::int64_t>> busiest;
  for (std::uint32_t u = 0; u < n; ++u) {
    // What is not Real cannot be guessed.
    uses[u] = a.variable(variable(unknowns[u])).type == BaseType::real ? static_cast<std::uint32_t>(column[u].size()) : 0;
    busiest.push({uses[u], -std::int64_t(u)});
  }
  std::vector<double> amplification(n, 0);
  Sensitivity sensitivity(a);
  std::size_t open = n;
  const auto settle = [&](std::uint32_t u) {
    settled[u] = 1;
    --open;
    for (std::uint32_t i : column[u])
      if (--left[i] == 1 && !used[i]) be_ready(i);
  };
  while (open > 0) {
    if (!ready.empty() || !ready_sums.empty()) {
      std::vector<std::uint32_t>& from = ready.empty() ? ready_sums : ready;
      const std::uint32_t i = from.back();
      from.pop_back();
      if (used[i] || left[i] != 1) continue;
      std::uint32_t u = 0;
      for (std::uint32_t candidate : row[i])
        if (!settled[candidate]) u = candidate;
      const Equation& e = all[equations[i]];
      std::optional<Expr> value;
      flat::Assertion unneeded;   // a block is accepted with all of its residuals alone
      if (e.target == Quantity::none) {
        value = solver.solve(e, unknowns[u]);
        if (!value) value = solver.solve_by_inverse(e, unknowns[u], unneeded);
      } else if (e.target == unknowns[u] && !solver.contains(e.right, a.leaf(unknowns[u]))) {
        value = e.right;
      }
      if (!value) continue;   // stays a residual
      double amplified = 0;
      for (std::uint32_t other : row[i])
        if (other != u && amplification[other] > 0)
          amplified += amplification[other] *
                              sensitivity(e, a.leaf(unknowns[u]), a.leaf(unknowns[other]));
      if (!(amplified <= most_amplification) && !(amplified <= most_amplification * sensitivity.size(e, a.leaf(unknowns[u])))) continue;
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
