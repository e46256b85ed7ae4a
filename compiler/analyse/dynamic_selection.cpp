// States that are chosen during the run. A pendulum swings round: neither its x nor its y determines the other
// everywhere. Some of the candidates are copied into helper states s = A z, where A has one 1 in each row; the run
// changes A where the pivots of the others become small (S. E. Mattsson, H. Olsson, H. Elmqvist, Dynamic selection of
// states in Dymola, Modelica Workshop 2000, 61-67).

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "compiler/analyse/index_reduction.hpp"
#include "compiler/analyse/matching.hpp"

namespace mosim::compiler::dae {

namespace {

/// Constraints, and entries of A: a larger set keeps its first choice. So many constraints may there be before those are eliminated
/// that only say what something is; more of them are looked at block by block.
constexpr std::size_t most_constraints = 30, largest_set = 400, most_with_definitions = 100;
constexpr double least_pivot = 1e-3;   // of a definition, beside the largest coefficient in it

class StateSets {
public:
  StateSets(Analysis& a, Tower& tower, const Constraints& constraints)
      : a_(a), x_(a.x()), t_(tower), coefficients_(constraints.coefficients), wishes_(constraints.wishes) {}

  std::vector<Equation> run() {
    std::vector<Component> list = components(coefficients_);
    while (!list.empty()) {
      std::vector<Component> next;
      for (Component& c : list) {
        if (!may_become_singular(c) || add_somehow(c)) continue;
        for (Component& low : lower(c)) next.push_back(std::move(low));
      }
      list = std::move(next);
    }
    return std::move(equations_);
  }

private:
  /// Constraints that are coupled by highest derivatives.
  struct Component {
    std::vector<std::uint32_t> rows, columns;
  };

  /// True: nothing of the component is left to choose. False: what is left in it has no set of its own.
  bool add_somehow(Component& c) {
    const bool small = c.rows.size() <= most_constraints;
    if (small && add(c, false)) return true;
    const auto kept = coefficients_;
    const bool may_eliminate = c.rows.size() <= most_with_definitions;
    const std::optional<Component> reduced = may_eliminate ? without_definitions(c) : std::nullopt;
    if (reduced && reduced->rows.size() <= most_constraints && add(*reduced, true)) {
      for (const auto& [u, order] : defined_) make_dummy(u, order);
      return true;
    }
    coefficients_ = kept;
    Component rest = c;
    if (!small && may_eliminate) {
      rest = without_helpers(c);
      if (rest.rows.size() <= most_constraints && add(rest, false)) return true;
    }
    add_blocks(c, rest);
    coefficients_ = kept;
    if (small && !c.rows.empty()) watch(c);
    return c.rows.empty();
  }

  /// The dummies' matrix falls into blocks along its diagonal, and is singular where one of these is: each block with
  /// candidates of its own gets a set, and leaves the component. `rest`: those of its rows and columns that matter.
  void add_blocks(Component& c, const Component& rest) {
    const auto count = static_cast<std::uint32_t>(rest.rows.size());
    Incidence incidence;
    std::vector<std::uint32_t> all;
    for (std::uint32_t i = 0; i < count; ++i) {
      all.push_back(i);
      incidence.begin_equation();
      for (std::uint32_t j = 0; j < rest.columns.size(); ++j)
        if (t_.unknowns[rest.columns[j]].dummy && at(rest.rows[i], rest.columns[j])) incidence.add(j, true);
    }
    Matcher matching(incidence, rest.columns.size());
    for (std::uint32_t i = 0; i < count; ++i)
      if (!matching.augment(i)) return;
    const auto blocks = strong_components(incidence, matching, all);
    if (blocks.size() < 2) return;
    // A column of a block stands in its rows and in those of later ones.
    std::vector<char> taken(rest.columns.size(), 0);
    for (std::uint32_t j = 0; j < rest.columns.size(); ++j) taken[j] = t_.unknowns[rest.columns[j]].dummy;
    for (const std::span<const std::uint32_t> block : blocks) {
      Component part;
      for (std::uint32_t i : block) {
        part.rows.push_back(rest.rows[i]);
        part.columns.push_back(rest.columns[matching.unknown_of(i)]);
      }
      for (std::uint32_t j = 0; j < rest.columns.size(); ++j) {
        if (taken[j]) continue;
        taken[j] = std::any_of(part.rows.begin(), part.rows.end(), [&](std::uint32_t e) { return at(e, rest.columns[j]); });
        if (taken[j]) part.columns.push_back(rest.columns[j]);
      }
      if (part.rows.size() > most_constraints || !may_become_singular(part) || !add(part, false)) continue;
      const auto is_in = [](const std::vector<std::uint32_t>& list) {
        return [&list](std::uint32_t k) { return std::find(list.begin(), list.end(), k) != list.end(); };
      };
      std::erase_if(c.rows, is_in(part.rows));
      std::erase_if(c.columns, is_in(part.columns));
    }
  }

  /// The constraints as they were before they were differentiated for the last time, and what must be no state among the
  /// derivatives below the dummies: where speeds are states always, only positions are left to choose.
  std::vector<Component> lower(const Component& c) {
    Coefficients below;
    for (std::uint32_t e : c.rows) {
      if (t_.equations[e].order < 2) continue;
      for (std::uint32_t u : c.columns)
        if (const Coefficient* k = at(e, u); k && t_.unknowns[u].dummy && t_.unknowns[u].order >= 2)
          below[{t_.equations[e].lower, t_.unknowns[u].lower}] = *k;
    }
    coefficients_.insert(below.begin(), below.end());
    return components(below);
  }

  using Coefficients = std::map<std::pair<std::uint32_t, std::uint32_t>, Coefficient>;

  std::vector<Component> components(const Coefficients& coefficients) {
    std::map<std::uint32_t, std::uint32_t> parent;   // of rows, by column
    std::map<std::uint32_t, std::uint32_t> first_row;
    const auto find = [&](std::uint32_t r) {
      while (parent[r] != r) r = parent[r] = parent[parent[r]];
      return r;
    };
    for (const auto& [key, c] : coefficients) {
      if (c.constant && c.value == 0) continue;
      const auto [row, column] = key;
      parent.try_emplace(row, row);
      const auto [it, fresh] = first_row.try_emplace(column, row);
      if (!fresh) parent[std::max(find(row), find(it->second))] = std::min(find(row), find(it->second));
    }
    std::map<std::uint32_t, Component> result;
    for (const auto& [row, p] : parent) result[find(row)].rows.push_back(row);
    for (const auto& [column, row] : first_row) result[find(row)].columns.push_back(column);
    std::vector<Component> list;
    for (auto& [root, c] : result) list.push_back(std::move(c));
    return list;
  }

  const Coefficient* at(std::uint32_t row, std::uint32_t column) const {
    const auto it = coefficients_.find({row, column});
    return it == coefficients_.end() || (it->second.constant && it->second.value == 0) ? nullptr : &it->second;
  }

  /// The determinant of the dummies' matrix changes with the run: something varies in it even when rows and columns with
  /// one constant entry are taken away.
  bool may_become_singular(const Component& c) const {
    std::map<std::uint32_t, std::map<std::uint32_t, bool>> rows, columns;   // entries that are left: constant?
    for (std::uint32_t u : c.columns)
      if (t_.unknowns[u].dummy)
        for (std::uint32_t e : c.rows)
          if (const Coefficient* k = at(e, u)) rows[e][u] = columns[u][e] = k->constant;
    const auto peel = [](auto& lines, auto& across) {
      for (auto& [line, entries] : lines) {
        if (entries.size() != 1 || !entries.begin()->second) continue;
        const std::uint32_t crossing = entries.begin()->first;
        for (const auto& [other, constant] : across[crossing]) {
          (void)constant;
          lines[other].erase(crossing);
        }
        across.erase(crossing);
        for (auto& [other, others] : across) others.erase(line);
        return true;
      }
      return false;
    };
    while (peel(rows, columns) || peel(columns, rows)) {
    }
    for (const auto& [e, entries] : rows)
      for (const auto& [u, constant] : entries)
        if (!constant) return true;
    return false;
  }

  /// Where not even all that should be states by preference can be, the choice is among these.
  bool is_free(const Component& c, std::uint32_t u, bool reduced) const {
    const Wish wish = wishes_.at(u);
    const bool preferred = std::any_of(c.columns.begin(), c.columns.end(), [&](std::uint32_t other) { return t_.unknowns[other].dummy && wishes_.at(other) == Wish::prefer; });
    if (preferred) return wish == Wish::prefer;
    return wish >= (reduced ? Wish::underived : Wish::helper) && wish <= Wish::usual;
  }

  void make_dummy(std::uint32_t u, std::uint32_t order) {
    for (; order > 0; --order, u = t_.unknowns[u].lower) {
      t_.unknowns[u].dummy = true;
      if (t_.unknowns[u].why.empty()) t_.unknowns[u].why = "the derivative of another gives it";
    }
  }

  /// der(y) = 2*v + f is differentiated less often than the constraint between positions, and says what v is. Equations of
  /// that kind, with constant coefficients, are eliminated: what they give is no state, and all that is left is
  /// differentiated alike.
  std::optional<Component> without_definitions(const Component& c) {
    std::uint32_t depth = 0;
    for (std::uint32_t e : c.rows) depth = std::max(depth, t_.equations[e].order);
    Component left;
    std::vector<std::uint32_t> low;
    for (std::uint32_t e : c.rows) (t_.equations[e].order < depth ? low : left.rows).push_back(e);
    std::map<std::uint32_t, char> gone;
    defined_.clear();
    while (!low.empty()) {
      // The row and the unknown with the largest constant pivot; unknowns that cannot be chosen among come first.
      std::size_t row = low.size();
      std::uint32_t unknown = none;
      double best = 0;
      for (std::size_t i = 0; i < low.size(); ++i) {
        double largest = 0;
        for (std::uint32_t u : c.columns)
          if (const Coefficient* k = at(low[i], u); k && !gone[u]) largest = std::max(largest, std::abs(k->value));
        for (std::uint32_t u : c.columns) {
          const Coefficient* k = at(low[i], u);
          if (!k || gone[u] || !k->constant || t_.unknowns[u].order >= depth || wishes_.at(u) > Wish::usual) continue;
          if (const double size = std::abs(k->value) / largest; size > best) best = size, row = i, unknown = u;
        }
      }
      if (!(best >= least_pivot)) return {};
      const std::uint32_t e = low[row];
      low.erase(low.begin() + std::ptrdiff_t(row));
      gone[unknown] = 1;
      defined_.emplace_back(unknown, t_.equations[e].order);
      for (const auto* rows : {&low, &left.rows})
        for (std::uint32_t other : *rows) eliminate(c, other, e, unknown);
    }
    for (std::uint32_t u : c.columns) {
      const bool used = std::any_of(left.rows.begin(), left.rows.end(), [&](std::uint32_t e) { return at(e, u) != nullptr; });
      if (gone[u] || (!used && !t_.unknowns[u].dummy)) continue;   // what stands in definitions alone stays a state
      if (!used) return {};
      left.columns.push_back(u);
    }
    return left;
  }

  /// What is left without equations that give, with a constant pivot, what can be no state in any case.
  Component without_helpers(Component c) {
    const auto stays_dummy = [&](std::uint32_t u, std::uint32_t levels) {
      for (; levels > 0; --levels, u = t_.unknowns[u].lower)
        if (u == none || !t_.unknowns[u].dummy) return false;
      return true;
    };
    for (bool again = true; again;) {
      again = false;
      for (std::size_t i = 0; i < c.rows.size() && !again; ++i) {
        const std::uint32_t e = c.rows[i];
        double largest = 0;
        for (std::uint32_t u : c.columns)
          if (const Coefficient* k = at(e, u)) largest = std::max(largest, std::abs(k->value));
        for (std::size_t j = 0; j < c.columns.size() && !again; ++j) {
          const std::uint32_t u = c.columns[j];
          const Coefficient* k = at(e, u);
          if (!k || !k->constant || wishes_.at(u) >= Wish::helper || std::abs(k->value) < least_pivot * largest) continue;
          if (!stays_dummy(u, t_.equations[e].order)) continue;
          c.rows.erase(c.rows.begin() + std::ptrdiff_t(i));
          for (std::uint32_t other : c.rows) eliminate(c, other, e, u);
          c.columns.erase(c.columns.begin() + std::ptrdiff_t(j));
          again = true;
        }
      }
    }
    std::erase_if(c.columns, [&](std::uint32_t u) { return std::none_of(c.rows.begin(), c.rows.end(), [&](std::uint32_t e) { return at(e, u); }); });
    return c;
  }

  /// row - factor * pivot row, so that the unknown is no longer in it.
  void eliminate(const Component& c, std::uint32_t row, std::uint32_t pivot_row, std::uint32_t unknown) {
    const Coefficient* own = at(row, unknown);
    if (!own) return;
    const Coefficient factor = *own, pivot = *at(pivot_row, unknown);
    for (std::uint32_t u : c.columns) {
      const Coefficient* k = at(pivot_row, u);
      if (!k || u == unknown) continue;
      Coefficient& target = coefficients_.try_emplace({row, u}, Coefficient{x_.real(0), 0, 0, true}).first->second;
      const double part = k->value / pivot.value;
      if (factor.expression == Expr::none || k->expression == Expr::none || pivot.expression == Expr::none || target.expression == Expr::none) {
        target.expression = Expr::none;
      } else {
        const Expr ratio = x_.simplified(Op::divide, BaseType::real, {k->expression, pivot.expression});
        target.expression = x_.simplified(Op::subtract, BaseType::real,
                                          {target.expression, x_.simplified(Op::multiply, BaseType::real, {factor.expression, ratio})});
      }
      target.value -= factor.value * part;
      target.generic -= factor.generic * k->generic / pivot.generic;
      target.constant = target.constant && factor.constant && k->constant;
    }
    coefficients_[{row, unknown}] = Coefficient{x_.real(0), 0, 0, true};
  }

  /// The choice of the start values stays: a pivot that vanishes in the run is an error there.
  void watch(const Component& c) {
    StateSet set;
    set.place = t_.equations[c.rows[0]].equation.place;
    set.constraints = static_cast<std::uint32_t>(c.rows.size());
    for (std::uint32_t u : c.columns) {
      for (std::uint32_t e : c.rows)
        if (const Coefficient* k = at(e, u); k && k->expression == Expr::none) return;
      if (!t_.unknowns[u].dummy) set.chosen.push_back(static_cast<std::uint32_t>(set.nominal.size()));
      set.nominal.push_back(a_.nominal(t_.variable_of(t_.unknowns[u].lower)));
    }
    if (set.nominal.size() - set.chosen.size() != c.rows.size()) return;
    number_ = a_.system.state_sets.size() + 1;
    add_coefficients(set, c.rows, c.columns);
    a_.system.state_sets.push_back(std::move(set));
  }

  /// How often every constraint of the component is differentiated, if all are as often and every unknown has as many
  /// derivatives: only then do all levels choose alike. 0 otherwise.
  std::uint32_t depth(const Component& c) const {
    const std::uint32_t depth = t_.equations[c.rows[0]].order;
    for (std::uint32_t e : c.rows)
      if (t_.equations[e].order != depth) return 0;
    for (std::uint32_t u : c.columns)
      if (t_.unknowns[u].order < depth) return 0;
    for (std::uint32_t e : c.rows)
      for (std::uint32_t u : c.columns)
        if (const Coefficient* k = at(e, u); k && k->expression == Expr::none) return 0;
    return depth;
  }

  /// In a reduced component the choice at the start is made anew.
  void choose(const Component& c) {
    std::vector<std::vector<double>> m;
    for (std::uint32_t e : c.rows) {
      m.emplace_back();
      for (std::uint32_t u : c.columns) {
        const Coefficient* k = at(e, u);
        m.back().push_back(k ? k->value * a_.nominal(t_.variable_of(t_.unknowns[u].lower)) : 0);
      }
    }
    std::vector<char> dummy(c.columns.size(), 0);
    for (std::size_t i = 0; i < m.size(); ++i) {
      std::size_t best = 0;
      const auto rank = [&](std::size_t j) { return std::pair{wishes_.at(c.columns[j]) == Wish::never, std::abs(m[i][j])}; };
      for (std::size_t j = 0; j < c.columns.size(); ++j)
        if (!dummy[j] && (dummy[best] || rank(j) > rank(best))) best = j;
      dummy[best] = 1;
      for (std::size_t r = i + 1; r < m.size() && m[i][best] != 0; ++r) {
        const double factor = m[r][best] / m[i][best];
        for (std::size_t j = 0; j < c.columns.size(); ++j) m[r][j] -= factor * m[i][j];
      }
    }
    for (std::size_t j = 0; j < c.columns.size(); ++j) t_.unknowns[c.columns[j]].dummy = dummy[j] != 0;
  }

  bool add(const Component& c, bool reduced) {
    const std::uint32_t levels = depth(c);
    if (levels == 0) return false;
    std::vector<char> before;
    for (std::uint32_t u : c.columns) before.push_back(t_.unknowns[u].dummy);
    if (reduced) choose(c);
    if (add(c, reduced, levels)) return true;
    for (std::size_t j = 0; j < c.columns.size(); ++j) t_.unknowns[c.columns[j]].dummy = before[j] != 0;
    return false;
  }

  bool add(const Component& c, bool reduced, std::uint32_t levels) {
    StateSet set;
    set.place = t_.equations[c.rows[0]].equation.place;
    set.constraints = static_cast<std::uint32_t>(c.rows.size());
    std::vector<std::uint32_t> never, free, states;
    bool unfree_dummy = false;
    for (std::uint32_t u : c.columns) {
      const bool dummy = t_.unknowns[u].dummy;
      const bool is_candidate = is_free(c, u, reduced);
      if (!is_candidate && dummy) never.push_back(u), unfree_dummy = unfree_dummy || wishes_.at(u) > Wish::usual;
      else if (is_candidate) free.push_back(u);
      if (is_candidate && !dummy) states.push_back(u);
    }
    if (states.empty() || states.size() == free.size() || unfree_dummy || states.size() * free.size() > largest_set) return false;
    // Each level of each candidate is a variable.
    for (std::uint32_t u : free)
      for (std::uint32_t level = 1; level <= levels; ++level)
        if (t_.variable_of(down(u, level)) == VariableId::none) return false;
    if (reduced)
      for (std::uint32_t u : never) make_dummy(u, levels);
    set.never = static_cast<std::uint32_t>(never.size());
    std::vector<std::uint32_t> columns = never;
    columns.insert(columns.end(), free.begin(), free.end());
    for (std::uint32_t u : columns) set.nominal.push_back(a_.nominal(t_.variable_of(t_.unknowns[u].lower)));
    number_ = a_.system.state_sets.size() + 1;
    add_coefficients(set, c.rows, columns);
    for (std::uint32_t u : states)
      set.chosen.push_back(static_cast<std::uint32_t>(std::find(free.begin(), free.end(), u) - free.begin()));
    for (std::size_t i = 0; i < states.size() * free.size(); ++i)
      set.select.push_back(a_.helper(fmt::format("$select{}.{}", number_, i + 1), BaseType::real, VariableKind::flag, Place{}, "the choice of states"));
    for (std::uint32_t level = 1; level <= levels; ++level) add_level(set, free, states.size(), level);
    a_.system.state_sets.push_back(std::move(set));
    return true;
  }

  void add_coefficients(StateSet& set, const std::vector<std::uint32_t>& rows, const std::vector<std::uint32_t>& columns) {
    for (std::uint32_t e : rows)
      for (std::uint32_t u : columns) {
        const Coefficient* k = at(e, u);
        if (!k) {
          set.coefficients.push_back(VariableId::none);
          continue;
        }
        const VariableId v = a_.helper(fmt::format("$pivot{}.{}", number_, set.coefficients.size() + 1), BaseType::real,
                                       VariableKind::algebraic, set.place, "a coefficient of the constraints");
        set.coefficients.push_back(v);
        equate(a_.value(v), k->expression, set.place);
      }
  }

  std::uint32_t down(std::uint32_t u, std::uint32_t steps) const {
    while (steps-- > 0) u = t_.unknowns[u].lower;
    return u;
  }

  /// The candidates `level` integrations below the highest derivative, and the states that are some of them.
  void add_level(StateSet& set, const std::vector<std::uint32_t>& free, std::size_t states, std::uint32_t level) {
    StateSet::Level result;
    for (std::uint32_t u : free) {
      result.candidates.push_back(t_.variable_of(down(u, level)));
      Tower::Unknown& unknown = t_.unknowns[down(u, level - 1)];
      if (!unknown.dummy) unknown.why = "chosen during the run";
      unknown.dummy = true;   // no candidate is a state itself
    }
    std::string meaning = "one of ";
    for (std::size_t i = 0; i < result.candidates.size(); ++i) meaning += (i ? ", " : "") + a_.said(result.candidates[i]);
    for (std::size_t i = 0; i < states; ++i) {
      const VariableId s = a_.helper(fmt::format("$stateSet{}.level{}[{}]", number_, level, i + 1), BaseType::real, VariableKind::state, set.place, meaning);
      result.states.push_back(s);
      const auto selected = [&](std::uint32_t below) {
        Expr sum = x_.real(0);
        for (std::size_t j = 0; j < free.size(); ++j) {
          const Expr a = a_.value(set.select[i * free.size() + j]);
          const Expr z = t_.leaf(down(free[j], below));
          sum = x_.simplified(Op::add, BaseType::real, {sum, x_.simplified(Op::multiply, BaseType::real, {a, z})});
        }
        return sum;
      };
      equate(a_.value(s), selected(level), set.place);
      equate(x_.of_variable(Op::derivative, s, BaseType::real), selected(level - 1), set.place);
    }
    set.levels.push_back(std::move(result));
  }

  void equate(Expr left, Expr right, Place place) {
    Equation e;
    e.left = left;
    e.right = right;
    e.place = place;
    equations_.push_back(e);
  }

  Analysis& a_;
  Expressions& x_;
  Tower& t_;
  Coefficients coefficients_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> defined_;   // unknowns that definitions give, and how often these are differentiated
  const std::map<std::uint32_t, Wish>& wishes_;
  std::size_t number_ = 0;
  std::vector<Equation> equations_;
};

}  // namespace

std::vector<Equation> make_state_sets(Analysis& a, Tower& tower, const Constraints& constraints) {
  return StateSets(a, tower, constraints).run();
}

}  // namespace mosim::compiler::dae
