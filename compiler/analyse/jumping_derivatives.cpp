// Such models are in wide use, and right between events: so these are warnings.

#include "compiler/analyse/jumping_derivatives.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <unordered_set>

#include "compiler/analyse/analysis.hpp"
#include "compiler/expression/evaluate.hpp"
#include "compiler/ordered_table.hpp"

namespace mosim::compiler::dae {

namespace {

constexpr int smooth_enough = std::numeric_limits<int>::max();

std::string ordinal(int n) {
  constexpr const char* words[] = {"first", "second", "third"};
  return n <= 3 ? words[n - 1] : fmt::format("{}th", n);
}

/// So many derivatives of it are continuous, as far as its functions say; -1: it may jump itself.
int smoothness(Analysis& a, Walker& walker, Expr e) {
  int least = smooth_enough;
  walker.each(e, [&](Expr n) {
    const Op op = a.x().op(n);
    const Expr order = op == Op::smooth ? a.x().child(n, 0) : Expr::none;
    if (order != Expr::none && a.x().op(order) == Op::integer) least = std::min(least, int(std::clamp<std::int64_t>(a.x().integer_value(order), -1, smooth_enough - 1)));
    const bool bent = (op == Op::abs || op == Op::min || op == Op::max) && a.x().type(n) == BaseType::real;
    if (bent && variability(a.model(), n) == flat::Variability::continuous) least = std::min(least, 0);
    const bool stepped = op == Op::sign || op == Op::floor || op == Op::ceil || op == Op::integer_of || op == Op::div || op == Op::mod || op == Op::rem;
    if (stepped && variability(a.model(), n) > flat::Variability::parameter) least = -1;
    return op != Op::smooth;
  });
  return least;
}

class Derivatives {
public:
  explicit Derivatives(Analysis& a) : walker_(a.x()) {
    const auto& x = a.x();
    for (const flat::Equation& e : a.model().equations)
      for (const auto& [side, other] : {std::pair{e.left, e.right}, std::pair{e.right, e.left}}) {
        if (x.op(side) == Op::derivative && x.op(other) == Op::variable) names_.try_emplace(index(x.variable(side)), x.variable(other));
        if (x.holds(side, contents::derivative)) walker_.more(side, [&](Expr n) {
          if (x.op(n) == Op::derivative) wanted_.try_emplace(index(x.variable(n)), n);
          return true;
        });
      }
  }

  /// The place of a derivative of that order of v, where there is one.
  Expr of_order(VariableId v, int order) const {
    for (;; --order) {
      const auto it = wanted_.find(index(v));
      if (it == wanted_.end() || order == 1) return it == wanted_.end() ? Expr::none : it->second;
      const auto name = names_.find(index(v));
      if (name == names_.end()) return Expr::none;
      v = name->second;
    }
  }

private:
  Walker walker_;
  OrderedTable<std::uint32_t, Expr> wanted_;        // by variable: its derivative
  OrderedTable<std::uint32_t, VariableId> names_;   // by variable: what equals its derivative
};

}  // namespace

void warn_of_jumping_derivatives(Analysis& a) {
  std::optional<Derivatives> derivatives;   // once they are asked for
  Walker walker(a.x());
  std::unordered_set<std::uint32_t> told;
  for (const flat::Equation& e : a.model().equations) {
    if (a.x().op(e.left) != Op::variable) continue;
    const VariableId v = a.x().variable(e.left);
    if (a.variable(v).type != BaseType::real || a.variable(v).variability != flat::Variability::continuous || told.contains(index(v)) || a.fact(v).kind == VariableKind::clocked) continue;
    if (!derivatives) derivatives.emplace(a);
    const Expr first = derivatives->of_order(v, 1);
    if (first == Expr::none) continue;
    const std::string name = a.said(v);
    if (variability(a.model(), e.right) == flat::Variability::discrete) {
      told.insert(index(v));
      a.warning(a.x().place(first), fmt::format("der({0}) is 0 between events and leaves out the jumps: {0} changes at events alone", name),
                fmt::format("if a steep rise is meant, differentiate a signal that follows it, as in T*der(w) = {0} - w; the change at an event is {0} - pre({0}) in a when-clause", name),
                {{e.place, fmt::format("this makes {} jump", name)}});
      continue;
    }
    const int order = smoothness(a, walker, e.right);
    if (order > 8) continue;
    const Expr high = derivatives->of_order(v, order + 2);
    if (high == Expr::none) continue;
    told.insert(index(v));
    if (order < 0) {
      a.warning(a.x().place(high), fmt::format("der({0}) leaves out the jumps: {0} may jump where a sign or a rounding in it does", name),
                "write it with something continuous, such as tanh(v/v0) for sign(v)", {{e.place, fmt::format("this gives {} its value", name)}});
      continue;
    }
    const std::string only = order == 0 ? "it is no more than continuous" : fmt::format("no more than {} derivative{} of it {} continuous", order, order == 1 ? "" : "s", order == 1 ? "is" : "are");
    a.warning(a.x().place(high), fmt::format("{} is differentiated {} times, but {}: its {} derivative may jump, and the next one leaves the jump out", name, order + 2, only, ordinal(order + 1)),
              "use a smoother expression, such as a polynomial between the branches, or smooth with the order that it really has",
              {{e.place, fmt::format("this gives {} its value", name)}});
  }
}

}  // namespace mosim::compiler::dae
