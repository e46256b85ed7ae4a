// Constraints that the structure does not show. Capacitors in a triangle: v1 = a - b, v2 = b - c, v3 = c - a look like
// three equations for three potentials, yet they say v1 + v2 + v3 = 0. Equations of a loop whose coefficients are
// numbers are eliminated after Gauss; what is left of a row without unknowns takes its place.

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "compiler/analyse/index_reduction.hpp"
#include "compiler/expression/differentiate.hpp"

namespace mosim::compiler::dae {

namespace {

class HiddenConstraints {
public:
  HiddenConstraints(Analysis& a, const Problem& problem, const Matcher& matching)
      : a_(a), x_(a.x()), problem_(problem), matching_(matching), linear_(a.x()) {}

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
    offsets_.clear();
    for (std::uint32_t e : component) {
      Row row{e, {}, {}};
      if (!read(e, unknowns, row.coefficients)) continue;
      row.parts[e] = 1;
      rows.push_back(std::move(row));
    }
    std::sort(rows.begin(), rows.end(), [](const Row& p, const Row& q) { return p.coefficients.size() < q.coefficients.size(); });
    eliminate(rows);
  }

  /// left - right = sum of coefficients times unknowns + offset; false unless all coefficients are numbers.
  bool read(std::uint32_t e, const std::set<std::uint32_t>& unknowns, std::map<std::uint32_t, double>& coefficients) {
    const Equation& equation = a_.equations[e];
    if (equation.target != Quantity::none || equation.why != Why::equation || x_.type(equation.left) != BaseType::real) return false;
    Expr rest = x_.simplified(Op::subtract, BaseType::real, {equation.left, equation.right});
    for (const auto& entry : problem_.incidence.of(e)) {
      if (!unknowns.count(entry.unknown)) continue;
      const auto form = linear_.split(rest, a_.leaf(problem_.unknowns[entry.unknown]));
      if (!form || !x_.is_number(form->coefficient)) return false;
      if (x_.number(form->coefficient) != 0) coefficients[entry.unknown] = x_.number(form->coefficient);
      rest = form->offset;
    }
    offsets_[e] = rest;
    return true;
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
    Expr sum = x_.real(0);
    for (const auto& [e, factor] : row.parts)
      sum = x_.simplified(Op::add, BaseType::real,
                          {sum, x_.simplified(Op::multiply, BaseType::real, {x_.real(factor), offsets_[e]})});
    bool holds_variable = false;
    a_.walker.each(sum, [&](Expr n) {
      const Quantity q = quantity_of(x_, n);
      if (q != Quantity::none) {
        const Role role = a_.fact(variable(q)).role;
        holds_variable = holds_variable || role == Role::state || role == Role::algebraic;
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
  LinearForm linear_;
  std::unordered_map<std::uint32_t, Expr> offsets_;   // by equation
  bool any_ = false;
};

}  // namespace

bool expose_constraints(Analysis& a, const Problem& problem, const Matcher& matching) {
  return HiddenConstraints(a, problem, matching).run();
}

}  // namespace mosim::compiler::dae
