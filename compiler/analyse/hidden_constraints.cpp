// Constraints that the structure does not show. Capacitors in a triangle: v1 = a - b, v2 = b - c, v3 = c - a look like
// three equations for three potentials, yet they say v1 + v2 + v3 = 0. Equations of a loop whose coefficients are
// numbers are eliminated after Gauss; what is left of a row without unknowns takes its place.

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "compiler/analyse/index_reduction.hpp"

namespace mosim::compiler::dae {

namespace {

class HiddenConstraints {
public:
  HiddenConstraints(Analysis& a, const Problem& problem, const Matcher& matching, std::vector<Equation>* before)
      : a_(a), x_(a.x()), problem_(problem), matching_(matching), before_(before) {}

  bool run() {
    std::vector<std::uint32_t> members;
    for (std::uint32_t e = 0; e < problem_.equations.size(); ++e)
      if (matching_.unknown_of(e) != unmatched) members.push_back(e);
    for (const std::span<const std::uint32_t> component : strong_components(problem_.incidence, matching_, members))
      if (component.size() > 1) look_at(component);
    return any_;
  }

private:
  /// A polynomial in parameters, of which negative powers may stand in it too: each product of powers with its number.
  using Powers = std::map<Expr, int>;   // none is 0
  using Factor = std::map<Powers, double>;
  using Factors = std::map<std::uint32_t, Factor>;
  static constexpr std::size_t most_products = 16;   // in a factor: longer ones are no ratios of anything

  static Factor number(double value) { return {{Powers{}, value}}; }
  /// What one may divide by: a number, or a product. (A sum may vanish for some values of its parameters.)
  static bool is_product(const Factor& f) { return f.size() == 1; }
  static bool is_number(const Factor& f) { return is_product(f) && f.begin()->first.empty(); }

  struct Row {
    std::uint32_t equation;
    Factors coefficients;   // by unknown
    Factors parts;          // of which equations it is the sum
  };

  void look_at(std::span<const std::uint32_t> component) {
    std::set<std::uint32_t> unknowns;
    for (std::uint32_t e : component) unknowns.insert(matching_.unknown_of(e));
    std::vector<Row> rows;
    terms_.clear();
    too_long_ = false;
    for (std::uint32_t e : component) {
      Row row{e, {}, {}};
      if (!read(e, unknowns, row.coefficients)) continue;
      row.parts.try_emplace(e, number(1));
      rows.push_back(std::move(row));
    }
    std::sort(rows.begin(), rows.end(), [](const Row& p, const Row& q) { return p.coefficients.size() < q.coefficients.size(); });
    eliminate(rows);
  }

  /// A part of an equation's left - right without unknowns of the loop, and its factor.
  struct Term {
    Expr e;
    Factor factor;
  };

  Expr product(Expr p, Expr q) { return x_.simplified(Op::multiply, BaseType::real, {p, q}); }
  Expr expression(const Factor& f) {
    Expr sum = x_.real(0);
    for (const auto& [powers, value] : f) {
      Expr above = x_.real(value), below = x_.real(1);
      for (const auto& [e, power] : powers)
        for (int k = 0; k < std::abs(power); ++k) (power > 0 ? above : below) = product(power > 0 ? above : below, e);
      sum = x_.simplified(Op::add, BaseType::real, {sum, x_.simplified(Op::divide, BaseType::real, {above, below})});
    }
    return sum;
  }
  static void accumulate(Factor& to, const Powers& powers, double value) {
    const auto [entry, is_new] = to.try_emplace(powers, value);
    if (is_new) return;
    const double size = std::abs(entry->second) + std::abs(value);
    entry->second += value;
    if (std::abs(entry->second) <= 1e-12 * size) to.erase(entry);
  }
  static Powers multiplied(Powers p, const Powers& q, int sign) {
    for (const auto& [e, power] : q)
      if ((p[e] += sign * power) == 0) p.erase(e);
    return p;
  }
  Factor times(const Factor& p, const Factor& q) {
    Factor result;
    for (const auto& [a, x] : p)
      for (const auto& [b, y] : q) accumulate(result, multiplied(a, b, 1), x * y);
    too_long_ = too_long_ || result.size() > most_products;
    return result;
  }
  static Factor over(const Factor& p, const Factor& product) {
    const auto& [below, divisor] = *product.begin();
    Factor result;
    for (const auto& [a, x] : p) accumulate(result, multiplied(a, below, -1), x / divisor);
    return result;
  }

  /// n as a polynomial; empty if other things than numbers and parameters stand in it, or if it is 0.
  std::optional<Factor> factor(Expr n) {
    if (x_.is_number(n)) return x_.number(n) == 0 || !std::isfinite(x_.number(n)) ? std::nullopt : std::optional(number(x_.number(n)));
    switch (x_.op(n)) {
      case Op::variable:
        if (a_.fact(x_.variable(n)).kind != VariableKind::parameter || x_.type(n) != BaseType::real) return std::nullopt;
        return Factor{{Powers{{n, 1}}, 1}};
      case Op::negate: {
        const auto p = factor(x_.child(n, 0));
        return p ? std::optional(times(number(-1), *p)) : std::nullopt;
      }
      case Op::multiply: case Op::divide: {
        const auto p = factor(x_.child(n, 0)), q = p ? factor(x_.child(n, 1)) : std::nullopt;
        if (!q) return std::nullopt;
        if (x_.op(n) == Op::multiply) return times(*p, *q);
        return is_product(*q) ? std::optional(over(*p, *q)) : std::nullopt;
      }
      default: return std::nullopt;
    }
  }

  /// left - right = sum of coefficients times unknowns + terms; false unless all coefficients are numbers or made of parameters.
  bool read(std::uint32_t e, const std::set<std::uint32_t>& unknowns, Factors& coefficients) {
    const Equation& equation = a_.equations[e];
    if (equation.target != Quantity::none || equation.why != Why::equation || x_.type(equation.left) != BaseType::real) return false;
    const auto unknown = [&](Expr n) {
      const Quantity q = quantity_of(x_, n);
      const std::uint32_t u = q == Quantity::none ? unmatched : problem_.number_of(q);
      return u != unmatched && unknowns.count(u) ? u : unmatched;
    };
    std::vector<Term>& terms = terms_[e];
    std::vector<Term> stack{{equation.right, number(-1)}, {equation.left, number(1)}};
    while (!stack.empty()) {
      const Expr n = stack.back().e;
      const Factor above = stack.back().factor;
      stack.pop_back();
      const auto child = [&](std::size_t i, const Factor& by) { stack.push_back({x_.child(n, i), times(above, by)}); };
      switch (x_.op(n)) {
        case Op::negate: child(0, number(-1)); continue;
        case Op::add: child(1, number(1)), child(0, number(1)); continue;
        case Op::subtract: child(1, number(-1)), child(0, number(1)); continue;
        case Op::multiply:
          if (const auto f = factor(x_.child(n, 0))) child(1, *f);
          else if (const auto g = factor(x_.child(n, 1))) child(0, *g);
          else break;
          continue;
        case Op::divide:
          if (const auto f = factor(x_.child(n, 1)); f && is_product(*f)) {
            child(0, over(number(1), *f));
            continue;
          }
          break;
        default: break;
      }
      if (const std::uint32_t u = unknown(n); u != unmatched) {
        add(coefficients, {{u, number(1)}}, above);
        continue;
      }
      bool holds_unknown = false;
      a_.walker.each(n, [&](Expr part) {
        holds_unknown = holds_unknown || unknown(part) != unmatched;
        return !holds_unknown;
      });
      if (holds_unknown) return false;
      if (!x_.is_number(n) || x_.number(n) != 0) terms.push_back({n, above});
    }
    return true;
  }

  Expr sum_of(const Row& row) {
    Expr sum = x_.real(0);
    for (const auto& [e, by] : row.parts)
      for (const Term& term : terms_[e])
        sum = x_.simplified(Op::add, BaseType::real, {sum, product(expression(times(by, term.factor)), term.e)});
    return sum;
  }

  void add(Factors& to, const Factors& from, const Factor& by) {
    for (const auto& [k, each] : from) {
      Factor& entry = to[k];
      for (const auto& [powers, value] : times(by, each)) accumulate(entry, powers, value);
      too_long_ = too_long_ || entry.size() > most_products;
      if (entry.empty()) to.erase(k);
    }
  }

  /// Row after row, each by those before it; those without a number for a pivot at the end, as a parameter may be zero.
  /// Gives up where rows fill up: then nothing of this kind is hidden there.
  void eliminate(std::vector<Row>& rows) {
    std::map<std::uint32_t, std::size_t> pivot;   // unknown -> row
    std::vector<std::size_t> order(rows.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::size_t effort = 0;
    for (std::size_t k = 0; k < order.size(); ++k) {
      const std::size_t i = order[k];
      Row& row = rows[i];
      for (auto it = row.coefficients.begin(); it != row.coefficients.end();) {
        const auto found = pivot.find(it->first);
        if (found == pivot.end()) {
          ++it;
          continue;
        }
        const Row& other = rows[found->second];
        const std::uint32_t unknown = it->first;
        const Factor by = times(number(-1), over(it->second, other.coefficients.at(unknown)));
        add(row.coefficients, other.coefficients, by);
        add(row.parts, other.parts, by);
        effort += other.coefficients.size() + other.parts.size();
        row.coefficients.erase(unknown);
        it = row.coefficients.begin();
      }
      if (too_long_ || effort > 200 * rows.size() + 10000) return;
      if (row.coefficients.empty()) {
        replace(row);
        continue;
      }
      const auto pick = [&](auto&& fits) { return std::find_if(row.coefficients.begin(), row.coefficients.end(), [&](const auto& c) { return fits(c.second); }); };
      auto chosen = pick(is_number);
      if (chosen == row.coefficients.end()) {
        if (k < rows.size()) {
          order.push_back(i);
          continue;
        }
        chosen = pick(is_product);
      }
      if (chosen != row.coefficients.end()) pivot.emplace(chosen->first, i);
    }
  }

  /// The sum of the equations without their unknowns stands in for one of them.
  void replace(const Row& row) {
    const Expr sum = sum_of(row);
    bool holds_variable = false;
    a_.walker.each(sum, [&](Expr n) {
      const Quantity q = quantity_of(x_, n);
      if (q != Quantity::none) {
        const VariableKind kind = a_.fact(variable(q)).kind;
        holds_variable = holds_variable || kind == VariableKind::state || kind == VariableKind::algebraic;
      }
      return !holds_variable;
    });
    if (!holds_variable) return;   // the same twice, or a contradiction: no constraint between variables
    if (before_ && before_->empty()) *before_ = a_.equations;
    Equation& e = a_.equations[row.equation];
    e.left = sum;
    e.right = x_.real(0);
    e.source_left = e.source_right = Expr::none;
    a_.system.reduction.differentiated.push_back({e.left, e.right, 0, e.place});
    any_ = true;
  }

  Analysis& a_;
  Expressions& x_;
  const Problem& problem_;
  const Matcher& matching_;
  std::vector<Equation>* before_;
  std::unordered_map<std::uint32_t, std::vector<Term>> terms_;   // by equation
  bool too_long_ = false;                    // a factor
  bool any_ = false;
};

}  // namespace

bool expose_constraints(Analysis& a, const Problem& problem, const Matcher& matching, std::vector<Equation>* before) {
  return HiddenConstraints(a, problem, matching, before).run();
}

}  // namespace mosim::compiler::dae
