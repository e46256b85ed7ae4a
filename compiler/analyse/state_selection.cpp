// Which derivatives are dummies, and so which variables stay states (Mattsson and Söderlind 1993).
//
// The constraints, each differentiated as often as it was, are linear in the highest derivatives. As many of these as
// there are constraints become dummies, such that the matrix of their coefficients is regular; then the same goes for
// the constraints differentiated once less and the dummies' integrals, and so on. The sets of columns that are
// regular are the bases of a matroid, so taking the least wanted states first gives the best choice.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "compiler/analyse/index_reduction.hpp"
#include "compiler/expression/differentiate.hpp"

namespace mosim::compiler::dae {

namespace {

/// How small a pivot may be beside the largest coefficient of its row: for coefficients that may change during the run,
/// for constants, and where nothing better is left.
constexpr double least_varying = 0.1, least_constant = 1e-4, least_of_all = 1e-10;

/// A number of [0.5, 1.5) for an entry of a matrix, so that its minors do not vanish by chance: the bits of both numbers, mixed well (splitmix64).
double arbitrary(std::uint32_t row, std::uint32_t column) {
  std::uint64_t bits = (std::uint64_t(row) << 32 | column) + 0x9e3779b97f4a7c15u;
  bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9u;
  bits = (bits ^ bits >> 27) * 0x94d049bb133111ebu;
  return 0.5 + double((bits ^ bits >> 31) >> 11) * 0x1p-53;
}

/// Rows of coefficients by column, eliminated as columns are chosen.
class Elimination {
public:
  Elimination(std::size_t rows, std::size_t columns) : rows_(rows), used_(rows, 0), columns_(columns) {}

  void set(std::uint32_t row, std::uint32_t column, double value) {
    if (value == 0) return;
    rows_[row][column] = value;
    columns_[column].insert(row);
  }
  /// The column's largest coefficient beside the largest of its row, and where it is found.
  std::pair<double, std::uint32_t> best(std::uint32_t column) const {
    std::pair<double, std::uint32_t> result{0, none};
    for (std::uint32_t r : columns_[column]) {
      if (used_[r]) continue;
      double largest = 0;
      for (const auto& [c, value] : rows_[r]) largest = std::max(largest, std::abs(value));
      const double size = std::abs(rows_[r].at(column)) / largest;
      const bool shorter = result.second != none && rows_[r].size() < rows_[result.second].size();
      if (size > 2 * result.first || (shorter && size > 0.5 * result.first)) result = {size, r};
    }
    return result;
  }
  void take(std::uint32_t row, std::uint32_t column) {
    used_[row] = 1;
    const double pivot = rows_[row][column];
    const std::vector<std::uint32_t> others(columns_[column].begin(), columns_[column].end());
    for (std::uint32_t r : others) {
      if (used_[r]) continue;
      const double factor = rows_[r][column] / pivot;
      for (const auto& [c, value] : rows_[row]) {
        double& entry = rows_[r][c];
        const double size = std::abs(entry);
        entry -= factor * value;
        if (c == column || std::abs(entry) <= 1e-12 * (size + std::abs(factor * value))) {
          rows_[r].erase(c);
          columns_[c].erase(r);
        } else {
          columns_[c].insert(r);
        }
      }
    }
  }
  bool is_used(std::uint32_t row) const { return used_[row] != 0; }

private:
  std::vector<std::map<std::uint32_t, double>> rows_;
  std::vector<char> used_;
  std::vector<std::set<std::uint32_t>> columns_;
};

class Selection {
public:
  Selection(Analysis& a, Tower& tower, Constraints& constraints)
      : a_(a), x_(a.x()), t_(tower), coefficients_(constraints.coefficients), wishes_(constraints.wishes), linear_(a.x()) {}

  bool run() {
    find_reinits();
    std::vector<std::uint32_t> rows;
    for (std::uint32_t e = 0; e < t_.equations.size(); ++e)
      if (t_.equations[e].order > 0 && t_.equations[e].higher == none) rows.push_back(e);
    std::vector<std::uint32_t> columns = highest_in(rows);
    read_coefficients(rows);
    while (!rows.empty()) {
      for (std::uint32_t u : columns) wishes_[u] = wish(u);
      if (!choose(rows, columns)) return false;
      rows = lower(rows, [&](std::uint32_t e) { return t_.equations[e].lower; },
                   [&](std::uint32_t e) { return t_.equations[e].order > 0; });
      std::erase_if(columns, [&](std::uint32_t u) { return !t_.unknowns[u].dummy; });
      columns = lower(columns, [&](std::uint32_t u) { return t_.unknowns[u].lower; },
                      [&](std::uint32_t u) { return t_.unknowns[u].order > 0; });
    }
    return check();
  }

private:
  template <class Lower, class Keep>
  static std::vector<std::uint32_t> lower(const std::vector<std::uint32_t>& list, Lower&& step, Keep&& keep) {
    std::vector<std::uint32_t> result;
    for (std::uint32_t i : list)
      if (const std::uint32_t next = step(i); keep(next)) result.push_back(next);
    return result;
  }

  std::vector<std::uint32_t> highest_in(const std::vector<std::uint32_t>& rows) {
    std::vector<std::uint32_t> result;
    for (std::uint32_t e : rows)
      for (std::uint32_t u : t_.equations[e].unknowns)
        if (t_.is_highest(u) && t_.unknowns[u].order > 0) result.push_back(u);
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
  }

  void find_reinits() {
    find_definitions();
    reinit_.assign(a_.model().variables.size(), 0);
    for (const WhenEffect& effect : a_.system.effects)
      if (const auto* r = std::get_if<flat::Reinit>(&effect.node)) reinit_[index(r->state)] = 1;
  }

  // ---- coefficients -----------------------------------------------------------------------------------------------

  void read_coefficients(const std::vector<std::uint32_t>& rows) {
    for (std::uint32_t e : rows)
      for (std::uint32_t u : t_.equations[e].unknowns) {
        if (!t_.is_highest(u) || t_.unknowns[u].order == 0) continue;
        const Expr leaf = t_.leaf(u);
        const Equation& equation = t_.equations[e].equation;
        const auto left = linear_.split(t_.canonical(equation.left), leaf), right = linear_.split(t_.canonical(equation.right), leaf);
        Expr difference = Expr::none;
        if (left && right) difference = x_.simplified(Op::subtract, BaseType::real, {left->coefficient, right->coefficient});
        coefficients_[{e, u}] = coefficient(difference, e, u);
      }
  }

  Coefficient coefficient(Expr e, std::uint32_t row, std::uint32_t column) {
    Coefficient result;
    const double generic = arbitrary(row, column);
    result.generic = generic;
    result.value = generic;
    result.expression = e;
    if (e == Expr::none) return result;
    result.constant = is_constant(e);
    const Expr value = evaluate(a_.model(), e, [this](VariableId v) { return at_start(v); });
    if (value != Expr::none && x_.is_number(value) && std::isfinite(x_.number(value))) result.value = x_.number(value);
    if (result.constant) result.generic = result.value;
    return result;
  }

  bool is_constant(Expr e) {
    bool result = true;
    a_.walker.each(e, [&](Expr n) {
      const Quantity q = quantity_of(x_, n);
      if (q != Quantity::none) {
        const VariableKind kind = a_.fact(variable(q)).kind;
        result = result && (kind == VariableKind::constant || kind == VariableKind::parameter || kind == VariableKind::free_parameter);
      }
      result = result && x_.op(n) != Op::time && x_.op(n) != Op::delay && x_.op(n) != Op::terminal;
      return result;
    });
    return result;
  }

  /// What gives an algebraic variable says more of it than a start value that nobody wrote.
  void find_definitions() {
    for (const Equation& e : a_.equations) {
      if (e.why != Why::equation || e.clock != none) continue;
      for (const auto& [one, other] : {std::pair{e.left, e.right}, std::pair{e.right, e.left}}) {
        if (x_.op(one) != Op::variable) continue;
        const VariableId v = x_.variable(one);
        if (a_.fact(v).kind == VariableKind::algebraic && a_.variable(v).start == Expr::none) definitions_.try_emplace(v, other);
      }
    }
  }

  Expr at_start(VariableId v) {
    const VariableFacts& facts = a_.fact(v);
    if (facts.has_value) return facts.value;
    if (const auto it = definitions_.find(v); it != definitions_.end()) {
      const Expr definition = it->second;
      definitions_.erase(it);   // asked for once, by a loop of equations too
      const Expr value = evaluate(a_.model(), definition, [this](VariableId other) { return at_start(other); });
      if (value != Expr::none && x_.is_number(value) && std::isfinite(x_.number(value))) at_start_.emplace(v, value);
    }
    if (const auto it = at_start_.find(v); it != at_start_.end()) return it->second;
    switch (facts.kind) {
      case VariableKind::state: case VariableKind::algebraic: case VariableKind::discrete: case VariableKind::input: return a_.literal(a_.start(v));
      default: return Expr::none;
    }
  }

  // ---- one stage --------------------------------------------------------------------------------------------------

  Wish wish(std::uint32_t u) {
    const std::uint32_t lower = t_.unknowns[u].lower;
    const Wish own = own_wish(u);
    // Which velocity is a state decides which position can be one.
    return own < Wish::promised && t_.unknowns[lower].order > 0 && wish(lower) >= Wish::promised ? Wish::promised : own;
  }

  Wish own_wish(std::uint32_t u) {
    const VariableId v = t_.variable_of(t_.unknowns[u].lower);
    const auto select = a_.variable(v).state_select;
    if (reinit_[index(v)]) return Wish::always;
    // Only those that are preferred may be states without standing under der().
    if (!t_.unknowns[u].given && select < flat::StateSelect::prefer)
      return select == flat::StateSelect::never ? Wish::never : Wish::underived;
    if (index(v) >= a_.system.user_variables) return Wish::helper;
    switch (select) {
      case flat::StateSelect::never: return Wish::never;
      case flat::StateSelect::avoid: return Wish::avoid;
      case flat::StateSelect::default_: return Wish::usual;
      case flat::StateSelect::prefer: return Wish::prefer;
      case flat::StateSelect::always: break;
    }
    return Wish::always;
  }

  /// What is known of its initial value speaks for a state.
  int knowledge(std::uint32_t u) {
    const VariableId v = t_.variable_of(t_.unknowns[u].lower);
    return a_.is_fixed(v) ? 2 : a_.variable(v).start != Expr::none ? 1 : 0;
  }

  std::uint32_t top_row(std::uint32_t e) const {
    while (t_.equations[e].higher != none) e = t_.equations[e].higher;
    return e;
  }

  bool choose(const std::vector<std::uint32_t>& rows, const std::vector<std::uint32_t>& columns) {
    // Where the motion starts coefficients may vanish that do not later.
    const auto spares = [&] {
      return std::none_of(columns.begin(), columns.end(), [&](std::uint32_t u) { return t_.unknowns[u].dummy && wish(u) == Wish::always; });
    };
    for (const bool generic : {false, true})
      if (attempt(rows, columns, generic) && spares()) return true;
    if (attempt(rows, columns, false) || attempt(rows, columns, true)) return true;
    std::vector<parser::Note> notes;
    for (std::size_t i = 1; i < rows.size() && i < 8; ++i)
      notes.push_back({t_.equations[rows[i]].equation.place, "another is " + a_.text(t_.equations[rows[i]].equation)});
    const Equation& e = t_.equations[rows[0]].equation;
    a_.error(e.place, "constraints between states repeat or contradict each other, one of them " + a_.text(e),
             "remove the constraint that follows from the others", std::move(notes));
    return false;
  }

  bool attempt(const std::vector<std::uint32_t>& rows, const std::vector<std::uint32_t>& columns, bool generic) {
    std::map<std::uint32_t, std::uint32_t> column_of;   // by highest derivative
    for (std::uint32_t j = 0; j < columns.size(); ++j) column_of[t_.highest(columns[j])] = j;
    Elimination m(rows.size(), columns.size());
    std::vector<char> varying(columns.size(), 0), changes(columns.size(), 0);   // the column's rows; itself
    std::vector<double> size(columns.size(), 0);
    for (std::uint32_t i = 0; i < rows.size(); ++i) {
      const std::uint32_t e = top_row(rows[i]);
      bool row_varies = false;
      double largest = 0;
      std::vector<std::pair<std::uint32_t, double>> entries;
      for (auto it = coefficients_.lower_bound({e, 0}); it != coefficients_.end() && it->first.first == e; ++it) {
        const auto found = column_of.find(it->first.second);
        if (found == column_of.end()) continue;
        const Coefficient& c = it->second;
        const double scale = a_.nominal(t_.variable_of(t_.unknowns[columns[found->second]].lower));
        entries.emplace_back(found->second, (generic ? c.generic : c.value) * scale);
        largest = std::max(largest, std::abs(entries.back().second));
        row_varies = row_varies || !c.constant;
        changes[found->second] = changes[found->second] || !c.constant;
      }
      for (const auto& [column, value] : entries) {
        m.set(i, column, value);
        varying[column] = varying[column] || row_varies;
        if (largest > 0) size[column] = std::max(size[column], std::abs(value) / largest);
      }
    }
    std::vector<std::uint32_t> order(columns.size());
    std::iota(order.begin(), order.end(), 0u);
    struct Rank {
      Wish wish;
      bool changes;       // a constant pivot stays one
      int knowledge;
      auto operator<=>(const Rank&) const = default;
    };
    std::vector<Rank> ranks;
    for (std::uint32_t j = 0; j < columns.size(); ++j) ranks.push_back({wish(columns[j]), changes[j] != 0, knowledge(columns[j])});
    std::sort(order.begin(), order.end(), [&](std::uint32_t p, std::uint32_t q) {
      if (ranks[p] != ranks[q]) return ranks[p] < ranks[q];
      if (size[p] != size[q]) return size[p] > size[q];
      return columns[p] > columns[q];   // what is declared first stays
    });
    std::vector<char> taken(columns.size(), 0);
    std::size_t count = 0;
    // What is a state always is given up last of all, whatever the pivots of the others are.
    const auto take = [&](bool always, bool last_resort) {
      for (std::uint32_t j : order) {
        if (count == rows.size()) break;
        if (taken[j] || (ranks[j].wish == Wish::always) != always) continue;
        const auto [ratio, row] = m.best(j);
        if (row == none || ratio < (last_resort ? least_of_all : varying[j] ? least_varying : least_constant)) continue;
        m.take(row, j);
        taken[j] = 1;
        ++count;
      }
    };
    for (const bool always : {false, true})
      for (const bool last_resort : {false, true}) take(always, last_resort);
    if (count < rows.size()) return false;
    for (std::uint32_t j = 0; j < columns.size(); ++j) {
      t_.unknowns[columns[j]].dummy = taken[j];
      if (taken[j]) t_.unknowns[columns[j]].why = reason(columns[j], changes[j] != 0, size[j]);
    }
    return true;
  }

  std::string reason(std::uint32_t u, bool changes, double size) {
    switch (wish(u)) {
      case Wish::never: return "stateSelect = StateSelect.never";
      case Wish::avoid: return "stateSelect = StateSelect.avoid";
      case Wish::underived: return "its derivative is not in the model";
      default: break;
    }
    if (changes) return fmt::format("the constraint gives it, with the pivot {:.3g} at the start values", size);
    return "the constraint gives it, with a constant pivot";
  }

  // ---- what must be -----------------------------------------------------------------------------------------------

  /// The constraints that hold an unknown's derivatives.
  std::vector<parser::Note> constraints_on(std::uint32_t u) {
    std::vector<parser::Note> notes;
    const std::uint32_t root = t_.unknowns[u].root;
    for (const Tower::Row& row : t_.equations) {
      if (row.order != 0 || row.higher == none || notes.size() == 6) continue;
      const bool holds = std::any_of(row.unknowns.begin(), row.unknowns.end(),
                                     [&](std::uint32_t other) { return t_.unknowns[other].root == root; });
      if (holds) notes.push_back({row.equation.place, "this equation ties it to others: " + a_.text(row.equation)});
    }
    return notes;
  }

  bool check() {
    for (std::uint32_t u = 0; u < t_.unknowns.size(); ++u) {
      if (t_.unknowns[u].order == 0 || !t_.unknowns[u].dummy) continue;
      const VariableId v = t_.variable_of(t_.unknowns[u].lower);
      for (const WhenEffect& effect : a_.system.effects) {
        const auto* r = std::get_if<flat::Reinit>(&effect.node);
        if (!r || r->state != v) continue;
        a_.error(r->place, fmt::format("reinit of {}, which is not a state: the other states determine it", a_.name(v)),
                 "reinit one of the states that are left (see --emit dae)", constraints_on(u));
      }
      if (a_.variable(v).state_select == flat::StateSelect::always)
        a_.error(a_.variable(v).place,
                 fmt::format("`{}` has stateSelect = StateSelect.always but cannot be a state: it is tied to other states, or to time",
                             a_.said(v)),
                 "leave StateSelect.always to fewer variables, or use StateSelect.prefer", constraints_on(u));
    }
    return !a_.failed;
  }

  Analysis& a_;
  Expressions& x_;
  Tower& t_;
  Values definitions_, at_start_;   // of algebraic variables without a start value
  std::map<std::pair<std::uint32_t, std::uint32_t>, Coefficient>& coefficients_;
  std::map<std::uint32_t, Wish>& wishes_;
  LinearForm linear_;
  std::vector<char> reinit_;   // by variable
};

}  // namespace

bool select_dummy_derivatives(Analysis& a, Tower& tower, Constraints& constraints) {
  return Selection(a, tower, constraints).run();
}

}  // namespace mosim::compiler::dae
