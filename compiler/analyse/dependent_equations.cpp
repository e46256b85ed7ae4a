// Equations that repeat or contradict others whatever the values of variables and parameters: then others are missing.

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "compiler/analyse/linear_terms.hpp"
#include "compiler/analyse/own_unknowns.hpp"
#include "compiler/expression/print.hpp"

namespace mosim::compiler::dae {

namespace {

constexpr std::size_t most_shown = 6;
constexpr std::size_t budget = 20'000'000;   // operations on entries of rows: some tenths of a second

/// An equation, as the reader wrote it.
struct Written {
  Expr left, right;         // for the row
  std::string text;
  Place place;
  std::uint32_t flat = none;   // in the flat model's equations
  bool of_sum = false;         // of a shared sum: nobody wrote it
};

/// What nothing determines once an equation that repeats others is left out: the unknowns of which one is too many, and
/// the equations that they share.
struct Open {
  std::vector<VariableId> variables;
  std::vector<std::uint32_t> equations;
};

/// `left_out`: in a.equations.
Open find_open(Analysis& a, std::uint32_t left_out) {
  const Expressions& x = a.x();
  std::vector<std::uint32_t> number(a.system.facts.size(), none);
  std::vector<VariableId> unknowns;
  for (std::uint32_t v = 0; v < a.system.facts.size(); ++v) {
    const VariableKind kind = a.system.facts[v].kind;
    if (kind != VariableKind::algebraic && kind != VariableKind::discrete && kind != VariableKind::clocked && kind != VariableKind::state) continue;
    number[v] = static_cast<std::uint32_t>(unknowns.size());
    unknowns.push_back(static_cast<VariableId>(v));
  }
  Incidence incidence;
  std::vector<std::vector<std::uint32_t>> rows(unknowns.size());
  for (std::uint32_t e = 0; e < a.equations.size(); ++e) {
    incidence.begin_equation();
    if (e == left_out) continue;
    a.walker.restart();
    for (Expr side : {a.equations[e].left, a.equations[e].right})
      a.walker.more(side, [&](Expr n) {
        if ((x.op(n) == Op::variable || x.op(n) == Op::derivative) && number[index(x.variable(n))] != none) {
          const std::uint32_t u = number[index(x.variable(n))];
          if (rows[u].empty() || rows[u].back() != e) {
            incidence.add(u, true);
            rows[u].push_back(e);
          }
        }
        return true;
      });
  }
  Matcher matching(incidence, unknowns.size());
  const auto count = static_cast<std::uint32_t>(a.equations.size());
  matching.reduce(0, count);
  for (std::uint32_t e = 0; e < count; ++e) matching.augment(e);
  Open open;
  for (std::uint32_t u = 0; u < unknowns.size() && open.variables.empty(); ++u) {
    if (matching.equation_of(u) != unmatched) continue;
    std::vector<char> seen(unknowns.size(), 0);
    std::vector<std::uint32_t> group{u};
    seen[u] = 1;
    for (std::size_t i = 0; i < group.size(); ++i)
      for (std::uint32_t e : rows[group[i]]) {
        const std::uint32_t other = matching.unknown_of(e);
        if (other == unmatched || seen[other]) continue;
        seen[other] = 1;
        group.push_back(other);
        if (!is_of_sum(a, a.equations[e])) open.equations.push_back(e);
      }
    for (std::uint32_t g : group)
      if (index(unknowns[g]) < a.system.user_variables) open.variables.push_back(unknowns[g]);
  }
  return open;
}

class Report {
public:
  Report(Analysis& a, LinearTerms& terms, std::vector<LinearTerms::Split>& rows, const std::function<Written(std::uint32_t)>& written)
      : a_(a), terms_(terms), rows_(rows), written_of_(written) {}

  /// False if the numbers of the combination do not fit: then nothing is said.
  bool say(const Dependency& dependency) {
    SparseRow rest;
    for (const RowEntry& e : dependency) {
      auto sum = combine(rest, rows_[e.column].known, e.value);
      if (!sum) return false;
      rest = std::move(*sum);
    }
    const Left left = rest.empty() ? Left::nothing : rest.size() == 1 && rest[0].column == LinearTerms::one ? Left::number : Left::known;
    std::vector<std::uint32_t> members;
    for (const RowEntry& e : dependency)
      if (!written_(e.column).of_sum) members.push_back(e.column);
    // The last one in the model's own text is the one to look at; it is what it is because of the others.
    const auto* text = a_.sources.source(a_.model().place);
    const auto key = [&](std::uint32_t m) { return std::pair(a_.sources.source(written_(m).place) == text, written_(m).place.begin); };
    std::sort(members.begin(), members.end(), [&](std::uint32_t p, std::uint32_t q) { return key(p) < key(q); });
    if (left == Left::nothing && without_reference(members)) return true;
    if (members.size() == 1) alone(members[0], left);
    else if (members.size() == 2) pair(members, left);
    else many(members, left);
    return true;
  }

private:
  enum class Left { nothing, number, known };   // what the combination leaves: 0 = 0, 0 = 1, 0 = p - q

  std::string list(std::vector<std::string> names) const {
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    std::string result;
    const std::size_t n = std::min(names.size(), most_shown);
    for (std::size_t i = 0; i < n; ++i) result += (i == 0 ? "" : i + 1 == n && n == names.size() ? " and " : ", ") + names[i];
    if (names.size() > n) result += fmt::format(" and {} more", names.size() - n);
    return result;
  }
  std::string quoted(Expr leaf) { return a_.name(quantity_of(a_.x(), leaf)); }

  std::vector<std::string> unknowns(const std::vector<std::uint32_t>& members) {
    std::vector<std::string> names;
    for (std::uint32_t m : members)
      for (const RowEntry& e : rows_[m].unknown)
        for (Expr leaf : terms_.unknowns(e.column)) names.push_back(quoted(leaf));
    return names;
  }

  std::vector<parser::Note> notes(const std::vector<std::uint32_t>& members, std::string_view words) {
    std::vector<parser::Note> all;
    for (std::size_t i = 0; i + 1 < members.size() && i < most_shown; ++i) {
      const Written w = written_(members[i]);
      all.push_back({w.place, fmt::format("{}{}", words, w.text)});
    }
    if (const std::size_t n = members.size() - 1; n > most_shown)
      all.push_back({a_.model().place, fmt::format("and {} more equation{}", n - most_shown, n == most_shown + 1 ? "" : "s")});
    return all;
  }

  /// Unknowns that stand in an equation with factors that add up to 0.
  std::vector<std::string> cancelled(std::uint32_t member) {
    const Written w = written_(member);
    const std::vector<std::string> left = unknowns({member});
    std::vector<std::string> names;
    for (Expr side : {w.left, w.right})
      a_.walker.each(side, [&](Expr n) {
        if (quantity_of(a_.x(), n) != Quantity::none && terms_.is_unknown(n) && std::find(left.begin(), left.end(), quoted(n)) == left.end())
          names.push_back(quoted(n));
        return true;
      });
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
  }
  void note_cancelled(const std::vector<std::uint32_t>& members, std::vector<parser::Note>& notes) {
    for (std::uint32_t m : members)
      if (const auto names = cancelled(m); !names.empty())
        notes.push_back({written_(m).place, fmt::format("{} {} out of it", list(names), names.size() > 1 ? "cancel" : "cancels")});
  }

  // ---- what is left open ----

  const Open& open(const Written& left_out) {
    if (open_) return *open_;
    open_.emplace();
    if (left_out.flat == none) return *open_;   // of a block: the rest of the model is in order
    for (std::uint32_t e = 0; e < a_.equations.size(); ++e) {
      const Equation& equation = a_.equations[e];
      if (equation.source_left != left_out.left || equation.source_right != left_out.right || equation.place != left_out.place) continue;
      open_ = find_open(a_, e);
      break;
    }
    return *open_;
  }
  std::vector<std::string> open_names(const Written& left_out) {
    std::vector<std::string> names;
    for (VariableId v : open(left_out).variables) names.push_back(a_.name(v));
    return names;
  }
  std::string missing(const Written& left_out) {
    const auto names = open_names(left_out);
    return names.empty() ? "" : " for " + list(names);
  }
  void note_open(const Written& left_out, std::vector<parser::Note>& notes) {
    const Open& o = open(left_out);
    if (o.variables.empty()) return;
    const Place place = a_.variable(o.variables[0]).place;
    if (o.equations.empty()) notes.push_back({place, fmt::format("no equation determines {}", a_.name(o.variables[0]))});
    else if (o.variables.size() > 1 && o.equations.size() < most_shown)
      notes.push_back({place, fmt::format("{} equation{} for {} variables: {}", o.equations.size(), o.equations.size() == 1 ? "" : "s", o.variables.size(),
                                          list(open_names(left_out)))});
  }

  /// One equation from which all unknowns vanish: x - x + p = 1.
  void alone(std::uint32_t member, Left left) {
    const Written w = written_(member);
    const std::vector<std::string> names = cancelled(member);
    if (names.empty()) {
      a_.error(w.place, fmt::format("{} determines nothing: no unknown stands in it", w.text), "write an equation that determines one of the unknowns of the model");
      return;
    }
    const bool several = names.size() > 1;
    const std::string_view says = left == Left::nothing  ? "it says 0 = 0 whatever the value"
                                  : left == Left::number ? "what is left can never hold"
                                                         : "what is left holds no unknown";
    std::vector<parser::Note> all;
    if (open_names(w) != names) note_open(w, all);
    a_.error(w.place, fmt::format("{} {} out of {}: {}", list(names), several ? "cancel" : "cancels", w.text, says),
             "look for a mistake in the signs or the factors", std::move(all));
  }

  void pair(const std::vector<std::uint32_t>& members, Left left) {
    const Written first = written_(members[0]), second = written_(members[1]);
    const std::string names = list(unknowns(members));
    std::string cause, remedy;
    switch (left) {
      case Left::nothing:
        cause = fmt::format("{} says the same as {}, so that an equation is missing{}", second.text, first.text, missing(second));
        remedy = "replace one of the two by what is still to be said";
        break;
      case Left::number:
        cause = fmt::format("{} contradicts {}: no {} can fulfil both", second.text, first.text, names);
        remedy = "look for a mistake in one of the two";
        break;
      case Left::known:
        cause = fmt::format("{} and {} are two equations for {}{}: they contradict each other, or one repeats the other", first.text, second.text,
                            names.find(' ') == std::string::npos ? "" : "the same combination of ", names);
        remedy = "remove one of the two, or look for a mistake in the signs or the factors";
        break;
    }
    std::vector<parser::Note> all{{first.place, "the other equation: " + first.text}};
    note_cancelled(members, all);
    note_open(second, all);
    a_.error(second.place, std::move(cause), std::move(remedy), std::move(all));
  }

  void many(const std::vector<std::uint32_t>& members, Left left) {
    const Written last = written_(members.back());
    const std::size_t others = members.size() - 1;
    std::string cause, remedy = "look for an equation among these that repeats what the others say, or has a mistake in its signs or factors";
    switch (left) {
      case Left::nothing: cause = fmt::format("{} follows from {} other equations, so that an equation is missing{}", last.text, others, missing(last)); break;
      case Left::number: cause = fmt::format("{} contradicts what {} other equations say together", last.text, others); break;
      case Left::known:
        cause = fmt::format("{} and {} other equations determine one variable too few: together they contradict each other, or one repeats the others",
                            last.text, others);
        break;
    }
    std::vector<parser::Note> all = notes(members, "together with ");
    note_cancelled(members, all);
    note_open(last, all);
    a_.error(last.place, std::move(cause), std::move(remedy), std::move(all));
  }

  // ---- circuits without a reference ----

  struct Reference {
    std::string_view what, remedy;
  };
  static Reference reference_of(std::string_view unit) {
    if (unit == "V") return {"a ground", "a ground to one of them"};
    if (unit == "K") return {"a reference temperature", "something that gives one of them: a fixed temperature, or a heat capacity"};
    if (unit == "Pa" || unit == "bar") return {"a reference pressure", "something that gives one of them: a boundary with a given pressure, or a tank"};
    if (unit == "m" || unit == "rad") return {"a fixed point", "something that gives one of them: a fixed flange, or a mass"};
    return {"a reference", "what gives one of them: in a circuit a ground, in mechanics a fixed point, else a given temperature or pressure"};
  }

  /// Only flows, and the sums of several connection sets among them: whatever flows into a part of the model flows out of
  /// it, and its potentials can be shifted alike.
  bool without_reference(const std::vector<std::uint32_t>& members) {
    const auto& model = a_.model();
    std::vector<std::uint32_t> connectors;
    std::size_t sets = 0;
    for (std::uint32_t m : members) {
      for (const RowEntry& e : rows_[m].unknown) {
        const Expr leaf = terms_.leaf(e.column);
        if (leaf == Expr::none || a_.x().op(leaf) != Op::variable) return false;
      }
      const std::uint32_t number = written_(m).flat;
      if (number == none || !model.equations[number].of_flows) continue;
      ++sets;
      for (const RowEntry& e : rows_[m].unknown) connectors.push_back(model.variable(a_.x().variable(terms_.leaf(e.column))).connector);
    }
    if (sets == 0) return false;
    std::sort(connectors.begin(), connectors.end());
    connectors.erase(std::unique(connectors.begin(), connectors.end()), connectors.end());
    std::vector<std::string> names;
    std::vector<char> taken(model.connectors.size(), 0);
    for (std::uint32_t c : connectors)
      if (c != flat::no_connector) taken[c] = 1;
    std::string unit;
    for (const flat::Variable& v : model.variables)
      if (v.connector != flat::no_connector && taken[v.connector] && !v.flow && v.type == BaseType::real && v.variability == flat::Variability::continuous) {
        names.push_back("`" + v.name + "`");
        unit = v.unit;
      }
    if (names.empty()) return false;
    if (connected_to_nothing(taken, names)) return true;
    std::vector<parser::Note> all;
    for (auto m = members.rbegin(); m != members.rend() && all.size() < 3; ++m) {   // the outermost ones
      const Written w = written_(*m);
      if (w.flat == none || !model.equations[w.flat].of_flows || rows_[*m].unknown.size() < 2) continue;
      all.push_back({w.place, "one of the connections: " + w.text});
    }
    std::reverse(all.begin(), all.end());
    std::vector<std::string> loose;
    Place place = a_.model().place;
    for (std::size_t c = 0; c < model.connectors.size() && loose.size() < most_shown; ++c) {
      const flat::Connector& k = model.connectors[c];
      if (k.connected || !k.has_flows || (!taken[c] && !k.of_outermost())) continue;
      if (loose.empty() && taken[c]) place = k.used;
      loose.push_back(k.name);
      all.push_back({k.used, fmt::format("{} is connected to nothing", k.name)});
      if (taken[c]) all.push_back({k.declared, "its declaration"});
    }
    if (all.size() > 8) all.resize(8);
    const Reference reference = reference_of(unit);
    a_.error(place,
             fmt::format("{} is missing: {} can all be shifted alike, as the equations fix differences between them alone", reference.what,
                         list(std::move(names))),
             fmt::format("connect {}", reference.remedy), std::move(all));
    return true;
  }

  /// None of the connectors is connected; `potentials` are theirs.
  bool connected_to_nothing(const std::vector<char>& taken, const std::vector<std::string>& potentials) {
    const auto& model = a_.model();
    std::vector<std::string> names;
    std::vector<parser::Note> all;
    Place place;
    for (std::size_t c = 0; c < model.connectors.size(); ++c) {
      if (!taken[c]) continue;
      const flat::Connector& k = model.connectors[c];
      if (k.connected) return false;
      if (names.empty()) place = k.used;
      names.push_back("`" + k.name + "`");
      if (all.size() < most_shown) all.push_back({k.declared, names.back() + " is declared here"});
    }
    const bool one = names.size() == 1;
    a_.error(place, fmt::format("{} {} connected to nothing, so that no equation determines the level of {}", list(names), one ? "is" : "are", list(potentials)),
             one ? "connect it" : "connect them", std::move(all));
    return true;
  }

  const Written& written_(std::uint32_t member) {
    const auto known = texts_.find(member);
    return known != texts_.end() ? known->second : texts_.emplace(member, written_of_(member)).first->second;
  }

  Analysis& a_;
  LinearTerms& terms_;
  std::vector<LinearTerms::Split>& rows_;
  const std::function<Written(std::uint32_t)>& written_of_;
  std::map<std::uint32_t, Written> texts_;
  std::optional<Open> open_;
};

/// Rows of a dependency as they are without shared sums: it holds for these with the same factors. False if one is too long.
bool expand(LinearTerms& terms, const Dependency& dependency, std::vector<LinearTerms::Split>& rows, const std::function<Written(std::uint32_t)>& written) {
  for (const RowEntry& e : dependency) {
    const Written w = written(e.column);
    auto split = w.of_sum ? LinearTerms::Split{} : terms.split(w.left, w.right);
    if (!split) return false;
    rows[e.column] = std::move(*split);
  }
  return true;
}

/// Splits equations into rows, and says the first dependency. `written` gives each as the reader knows it; `as_written`: it is told with
/// these rows, without shared sums.
void check(Analysis& a, LinearTerms& terms, const std::vector<std::pair<Expr, Expr>>& equations, const std::function<Written(std::uint32_t)>& written,
           bool as_written) {
  std::vector<LinearTerms::Split> rows(equations.size());
  std::vector<SparseRow> unknown;
  std::vector<std::uint32_t> numbers;
  for (const std::uint32_t i : without_own_unknowns(a, equations, [&](Expr leaf) { return terms.is_unknown(leaf); })) {
    auto split = terms.split(equations[i].first, equations[i].second);
    if (!split) continue;
    rows[i] = std::move(*split);
    unknown.push_back(rows[i].unknown);
    numbers.push_back(i);
  }
  for (Dependency d : find_dependencies(std::move(unknown), terms.columns(), budget)) {
    for (RowEntry& e : d) e.column = numbers[e.column];
    if (as_written && !expand(terms, d, rows, written)) continue;
    if (Report(a, terms, rows, written).say(d)) return;
  }
}

bool is_numeric(BaseType type) { return type == BaseType::real || type == BaseType::integer; }

}  // namespace

void check_dependent_equations(Analysis& a) {
  const Expressions& x = a.x();
  // With too many or too few equations, the count is what is said.
  std::size_t unknowns = 0;
  for (const VariableFacts& f : a.system.facts)
    unknowns += f.kind == VariableKind::algebraic || f.kind == VariableKind::discrete || f.kind == VariableKind::clocked;
  if (unknowns != a.equations.size()) return;
  LinearTerms terms(a, [&](Expr n) {
    switch (a.fact(x.variable(n)).kind) {
      case VariableKind::constant: case VariableKind::parameter: case VariableKind::input: return false;
      default: return true;
    }
  });
  const auto& model = a.model();
  std::vector<std::pair<Expr, Expr>> equations;
  std::vector<std::uint32_t> numbers;   // in the flat model's equations; none: of a shared sum
  Rewriter share(a.x(), [&](Expr n) {
    const auto it = a.shared_sums.find(index(n));
    return it == a.shared_sums.end() ? Expr::none : a.value(it->second);
  });
  const auto shared = [&](Expr side) { return a.sums.empty() ? side : share(side); };
  for (const Equation& e : a.equations) {
    if (!is_of_sum(a, e)) continue;
    equations.push_back({e.left, e.right});
    numbers.push_back(none);
  }
  for (std::uint32_t i = 0; i < model.equations.size(); ++i) {
    const flat::Equation& e = model.equations[i];
    const bool clocked = i < a.equation_clocks.size() && a.equation_clocks[i] != none;
    if (clocked || !is_numeric(x.type(e.left)) || !is_numeric(x.type(e.right))) continue;
    equations.push_back({shared(e.left), shared(e.right)});
    numbers.push_back(i);
  }
  const auto written = [&](std::uint32_t i) {
    if (numbers[i] == none) return Written{Expr::none, Expr::none, {}, {}, none, true};
    const flat::Equation& e = model.equations[numbers[i]];
    return Written{e.left, e.right, print_brief(model, e.left) + " = " + print_brief(model, e.right), e.place, numbers[i]};
  };
  check(a, terms, equations, written, !a.sums.empty());
}

void check_dependent_block(Analysis& a, const std::vector<Equation>& equations, std::span<const std::uint32_t> members, const std::vector<Quantity>& unknowns) {
  std::vector<Quantity> sorted = unknowns;
  std::sort(sorted.begin(), sorted.end());
  LinearTerms terms(a, [&](Expr n) { return std::binary_search(sorted.begin(), sorted.end(), quantity_of(a.x(), n)); });
  std::vector<std::pair<Expr, Expr>> sides;
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t m : members) {
    const Equation& e = equations[m];
    if (e.why != Why::equation || e.target != Quantity::none || e.clock != none) continue;
    if (!is_numeric(a.x().type(e.left)) || !is_numeric(a.x().type(e.right))) continue;
    sides.push_back({e.left, e.right});
    numbers.push_back(m);
  }
  check(a, terms, sides, [&](std::uint32_t i) {
    const Equation& e = equations[numbers[i]];
    return Written{e.left, e.right, a.text(e), e.place, none, is_of_sum(a, e)};
  }, false);
}

}  // namespace mosim::compiler::dae
