// Constraints that the structure does not show. Capacitors in a triangle: v1 = a - b, v2 = b - c, v3 = c - a look like
// three equations for three potentials, yet they say v1 + v2 + v3 = 0. Equations of a loop whose coefficients are
// numbers are eliminated after Gauss; what is left of a row without unknowns takes its place.

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "compiler/analyse/index_reduction.hpp"

namespace mosim::compiler::dae {

namespace {

class HiddenConstraints {
public:
  HiddenConstraints(Analysis& a, const Problem& problem, const Matcher& matching)
      : a_(a), x_(a.x()), problem_(problem), matching_(matching) {}

  bool run() {
    std::vector<std::uint32_t> members;
    for (std::uint32_t e = 0; e < problem_.equations.size(); ++e)
      if (matching_.unknown_of(e) != unmatched) members.push_back(e);
    for (const auto& component : strong_components(problem_.incidence, matching_, members))
      if (component.size() > 1) look_at(component);
    return any_;
  }

private:
  struct Row {
    std::uint32_t equation;
    std::map<std::uint32_t, double> coefficients;   // by unknown
    std::map<std::uint32_t, double> parts;          // of which equations it is the sum
  };

  void look_at(const std::vector<std::uint32_t>& component) {
    std::set<std::uint32_t> unknowns;
    for (std::uint32_t e : component) unknowns.insert(matching_.unknown_of(e));
    std::vector<Row> rows;
    terms_.clear();
    for (std::uint32_t e : component) {
      Row row{e, {}, {}};
      if (!read(e, unknowns, row.coefficients)) continue;
      row.parts[e] = 1;
      rows.push_back(std::move(row));
    }
    std::sort(rows.begin(), rows.end(), [](const Row& p, const Row& q) { return p.coefficients.size() < q.coefficients.size(); });
    eliminate(rows);
  }

  /// A part of an equation's left - right without unknowns of the loop, and its factor.
  struct Term {
    Expr e;
    double factor;
  };

  /// left - right = sum of coefficients times unknowns + terms; false unless all coefficients are numbers.
  bool read(std::uint32_t e, const std::set<std::uint32_t>& unknowns, std::map<std::uint32_t, double>& coefficients) {
    const Equation& equation = a_.equations[e];
    if (equation.target != Quantity::none || equation.why != Why::equation || x_.type(equation.left) != BaseType::real) return false;
    const auto unknown = [&](Expr n) {
      const Quantity q = quantity_of(x_, n);
      const std::uint32_t u = q == Quantity::none ? unmatched : problem_.number_of(q);
      return u != unmatched && unknowns.count(u) ? u : unmatched;
    };
    const auto is_number = [&](Expr n) { return x_.is_number(n) && x_.number(n) != 0; };
    std::vector<Term>& terms = terms_[e];
    std::vector<Term> stack{{equation.right, -1}, {equation.left, 1}};
    while (!stack.empty()) {
      const Expr n = stack.back().e;
      const double factor = stack.back().factor;
      stack.pop_back();
      const auto child = [&](std::size_t i, double times) { stack.push_back({x_.child(n, i), factor * times}); };
      switch (x_.op(n)) {
        case Op::negate: child(0, -1); continue;
        case Op::add: child(1, 1), child(0, 1); continue;
        case Op::subtract: child(1, -1), child(0, 1); continue;
        case Op::multiply:
          if (is_number(x_.child(n, 0))) child(1, x_.number(x_.child(n, 0)));
          else if (is_number(x_.child(n, 1))) child(0, x_.number(x_.child(n, 1)));
          else break;
          continue;
        case Op::divide:
          if (!is_number(x_.child(n, 1))) break;
          child(0, 1 / x_.number(x_.child(n, 1)));
          continue;
        default: break;
      }
      if (const std::uint32_t u = unknown(n); u != unmatched) {
        add(coefficients, {{u, 1.0}}, factor);
        continue;
      }
      bool holds_unknown = false;
      a_.walker.each(n, [&](Expr part) {
        holds_unknown = holds_unknown || unknown(part) != unmatched;
        return !holds_unknown;
      });
      if (holds_unknown) return false;
      if (!x_.is_number(n) || x_.number(n) != 0) terms.push_back({n, factor});
    }
    return true;
  }

  Expr sum_of(const Row& row) {
    Expr sum = x_.real(0);
    for (const auto& [e, factor] : row.parts)
      for (const Term& term : terms_[e])
        sum = x_.simplified(Op::add, BaseType::real,
                            {sum, x_.simplified(Op::multiply, BaseType::real, {x_.real(factor * term.factor), term.e})});
    return sum;
  }

  static void add(std::map<std::uint32_t, double>& to, const std::map<std::uint32_t, double>& from, double factor) {
    for (const auto& [k, value] : from) {
      double& entry = to[k];
      const double size = std::abs(entry) + std::abs(factor * value);
      entry += factor * value;
      if (std::abs(entry) <= 1e-12 * size) to.erase(k);
    }
  }

  /// Row after row, each by those before it. Gives up where rows fill up: then nothing of this kind is hidden there.
  void eliminate(std::vector<Row>& rows) {
    std::map<std::uint32_t, std::size_t> pivot;   // unknown -> row
    std::size_t effort = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      Row& row = rows[i];
      for (auto it = row.coefficients.begin(); it != row.coefficients.end();) {
        const auto found = pivot.find(it->first);
        if (found == pivot.end()) {
          ++it;
          continue;
        }
        const Row& other = rows[found->second];
        const std::uint32_t unknown = it->first;
        const double factor = -it->second / other.coefficients.at(unknown);
        add(row.coefficients, other.coefficients, factor);
        add(row.parts, other.parts, factor);
        effort += other.coefficients.size() + other.parts.size();
        row.coefficients.erase(unknown);
        it = row.coefficients.begin();
      }
      if (effort > 200 * rows.size() + 10000) return;
      if (row.coefficients.empty()) replace(row);
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
  std::unordered_map<std::uint32_t, std::vector<Term>> terms_;   // by equation
  bool any_ = false;
};

}  // namespace

bool expose_constraints(Analysis& a, const Problem& problem, const Matcher& matching) {
  return HiddenConstraints(a, problem, matching).run();
}

}  // namespace mosim::compiler::dae
