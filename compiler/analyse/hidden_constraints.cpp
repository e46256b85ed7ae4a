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
    for (const auto& component : strong_components(problem_.incidence, matching_, members))
      if (component.size() > 1) look_at(component);
    return any_;
  }

private:
  /// A number, or a number times what is made of parameters. `value`: for arbitrary values of these, by which one knows
  /// whether it is zero whatever they are.
  struct Factor {
    double number;
    Expr e = Expr::none;
    double value = number;
    bool is_number() const { return e == Expr::none; }
  };
  using Factors = std::map<std::uint32_t, Factor>;

  struct Row {
    std::uint32_t equation;
    Factors coefficients;   // by unknown
    Factors parts;          // of which equations it is the sum
  };

  void look_at(const std::vector<std::uint32_t>& component) {
    std::set<std::uint32_t> unknowns;
    for (std::uint32_t e : component) unknowns.insert(matching_.unknown_of(e));
    std::vector<Row> rows;
    terms_.clear();
    for (std::uint32_t e : component) {
      Row row{e, {}, {}};
      if (!read(e, unknowns, row.coefficients)) continue;
      row.parts.try_emplace(e, Factor{1});
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
  Expr expression(const Factor& f) { return f.is_number() ? x_.real(f.number) : product(x_.real(f.number), f.e); }
  Factor times(const Factor& p, const Factor& q) {
    const double number = p.number * q.number;
    if (p.is_number() && q.is_number()) return {number};
    return {number, p.is_number() ? q.e : q.is_number() ? p.e : product(p.e, q.e), p.value * q.value};
  }
  Factor over(const Factor& p, const Factor& q) {
    const double number = p.number / q.number;
    if (p.e == q.e) return {number};   // two numbers as well
    if (q.is_number()) return {number, p.e, p.value / q.value};
    return {number, x_.simplified(Op::divide, BaseType::real, {p.is_number() ? x_.real(1) : p.e, q.e}), p.value / q.value};
  }

  /// The value of n for arbitrary values of its parameters; empty if other things than numbers and parameters stand in it.
  std::optional<double> sample(Expr n) {
    if (x_.is_number(n)) return x_.number(n);
    const auto of = [&](std::size_t i) { return sample(x_.child(n, i)); };
    const auto both = [&](auto operation) -> std::optional<double> {
      const auto p = of(0), q = p ? of(1) : std::nullopt;
      return q ? std::optional(operation(*p, *q)) : std::nullopt;
    };
    switch (x_.op(n)) {
      case Op::variable: {
        const VariableId v = x_.variable(n);
        if (a_.fact(v).kind != VariableKind::parameter || x_.type(n) != BaseType::real) return std::nullopt;
        return arbitrary(index(v));
      }
      case Op::negate: {
        const auto p = of(0);
        return p ? std::optional(-*p) : std::nullopt;
      }
      case Op::multiply: return both(std::multiplies());
      case Op::divide: return both(std::divides());
      default: return std::nullopt;
    }
  }
  /// n as a factor that is not zero, if it is one.
  std::optional<Factor> factor(Expr n) {
    const auto value = sample(n);
    if (!value || *value == 0 || !std::isfinite(*value)) return std::nullopt;
    return x_.is_number(n) ? Factor{*value} : Factor{1, n, *value};
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
    std::vector<Term> stack{{equation.right, {-1}}, {equation.left, {1}}};
    while (!stack.empty()) {
      const Expr n = stack.back().e;
      const Factor above = stack.back().factor;
      stack.pop_back();
      const auto child = [&](std::size_t i, const Factor& by) { stack.push_back({x_.child(n, i), times(above, by)}); };
      switch (x_.op(n)) {
        case Op::negate: child(0, {-1}); continue;
        case Op::add: child(1, {1}), child(0, {1}); continue;
        case Op::subtract: child(1, {-1}), child(0, {1}); continue;
        case Op::multiply:
          if (const auto f = factor(x_.child(n, 0))) child(1, *f);
          else if (const auto g = factor(x_.child(n, 1))) child(0, *g);
          else break;
          continue;
        case Op::divide:
          if (const auto f = factor(x_.child(n, 1))) {
            child(0, over({1}, *f));
            continue;
          }
          break;
        default: break;
      }
      if (const std::uint32_t u = unknown(n); u != unmatched) {
        add(coefficients, {{u, {1}}}, above);
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
      const Factor more = times(by, each);
      const auto [found, is_new] = to.try_emplace(k, more);
      if (is_new) continue;
      Factor& entry = found->second;
      const double sum = entry.value + more.value;
      if (std::abs(sum) <= 1e-12 * (std::abs(entry.value) + std::abs(more.value))) to.erase(found);
      else if (entry.e == more.e) entry = {entry.number + more.number, entry.e, sum};
      else entry = {1, x_.simplified(Op::add, BaseType::real, {expression(entry), expression(more)}), sum};
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
        const Factor by = times({-1}, over(it->second, other.coefficients.at(unknown)));
        add(row.coefficients, other.coefficients, by);
        add(row.parts, other.parts, by);
        effort += other.coefficients.size() + other.parts.size();
        row.coefficients.erase(unknown);
        it = row.coefficients.begin();
      }
      if (effort > 200 * rows.size() + 10000) return;
      if (row.coefficients.empty()) {
        replace(row);
        continue;
      }
      const auto number = std::find_if(row.coefficients.begin(), row.coefficients.end(), [](const auto& c) { return c.second.is_number(); });
      if (number != row.coefficients.end()) pivot.emplace(number->first, i);
      else if (k < rows.size()) order.push_back(i);
      else pivot.emplace(row.coefficients.begin()->first, i);
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
  bool any_ = false;
};

}  // namespace

bool expose_constraints(Analysis& a, const Problem& problem, const Matcher& matching, std::vector<Equation>* before) {
  return HiddenConstraints(a, problem, matching, before).run();
}

}  // namespace mosim::compiler::dae
