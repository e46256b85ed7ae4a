// Why the equations do not determine the variables, for the person who wrote them.

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <unordered_set>
#include <utility>

#include "compiler/analyse/analysis.hpp"
#include "compiler/analyse/imbalance.hpp"
#include "compiler/expression/print.hpp"

namespace mosim::compiler::dae {

namespace {

constexpr std::size_t most_shown = 6;

std::string plural(std::size_t n, const char* what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); }

class Explanation {
public:
  Explanation(Analysis& a, const Problem& problem, const Matcher& matching)
      : a_(a), problem_(problem), matching_(matching) {}

  void run() {
    for (std::uint32_t e = 0; e < problem_.equations.size(); ++e)
      if (matching_.unknown_of(e) == unmatched) extra_.push_back(e);
    for (std::uint32_t u = 0; u < problem_.unknowns.size(); ++u)
      if (matching_.equation_of(u) == unmatched) open_.push_back(u);
    if (constrains_states()) return;

    // Helpers bring one equation each, so the difference is the user's.
    std::size_t unknowns = 0;
    for (std::uint32_t i = 0; i < a_.system.user_variables; ++i) {
      const VariableKind kind = a_.system.facts[i].kind;
      const bool was_unknown = kind == VariableKind::state || kind == VariableKind::algebraic || kind == VariableKind::discrete ||
                               kind == VariableKind::clocked || kind == VariableKind::alias;
      unknowns += was_unknown;
    }
    const std::size_t equations = unknowns + problem_.equations.size() - problem_.unknowns.size();
    std::string cause;
    if (equations != unknowns)
      cause = fmt::format("model {} has {} but {}", a_.model().name, plural(unknowns, "unknown"), plural(equations, "equation"));
    else
      cause = fmt::format("model {} has as many equations as unknowns ({}), but some equations say too much about the same "
                          "variables and others too little",
                          a_.model().name, unknowns);
    std::vector<parser::Note> notes;
    std::optional<Blame> blame = equations != unknowns ? blame_connector(a_) : std::nullopt;
    if (!blame && equations < unknowns && (without_source(unknowns - equations, cause) || connected_to_nothing(cause))) return;
    if (!blame && equations != unknowns) blame = find_blame(a_, unknowns, equations);
    if (blame) {
      cause += ": " + blame->cause;
      notes = std::move(blame->notes);
    }
    if (!blame || !blame->all) {
      describe_extra(notes);
      describe_open(notes);
    }
    if (blame) return a_.error(a_.model().place, std::move(cause), std::move(blame->remedy), std::move(notes));
    std::string remedy = equations > unknowns   ? "remove an equation, or one that repeats what others say"
                         : equations < unknowns ? "add an equation for what is left over, or make it a parameter"
                                                : "look for an equation that repeats what others already say";
    if (equations > unknowns) remedy = start_value_instead(remedy);
    if (equations < unknowns) remedy = time_instead(remedy);
    a_.error(a_.model().place, std::move(cause), std::move(remedy), std::move(notes));
  }

private:
  std::string list(std::vector<std::string> names) {
    std::string result;
    const std::size_t n = std::min(names.size(), most_shown);
    for (std::size_t i = 0; i < n; ++i)
      result += (i == 0 ? "" : i + 1 == n && n == names.size() ? " and " : ", ") + names[i];
    if (names.size() > n) result += fmt::format(" and {} more", names.size() - n);
    return result;
  }

  /// It gives a variable that nobody wrote its value.
  bool is_of_helper(const Equation& e) {
    if (a_.x().op(e.left) != Op::variable) return false;
    const VariableId v = a_.x().variable(e.left);
    return a_.sums.contains(index(v)) ? is_of_sum(a_, e) : index(v) >= a_.system.user_variables;
  }
  /// What competes with an equation, as the user sees it.
  Matcher::Competition competition_with(std::uint32_t e) { return without_sums(a_, problem_, matching_.competition(e)); }
  /// The one to tell of: itself, or another one if nobody wrote it.
  const Equation& one_of(const Matcher::Competition& competition, std::uint32_t e) {
    return problem_.equations[competition.equations.empty() ? e : competition.equations.front()];
  }

  std::vector<VariableId> states_in(const std::vector<std::uint32_t>& equations) {
    std::vector<VariableId> result;
    Walker walker(a_.x());
    for (std::uint32_t e : equations)
      for (Expr side : {problem_.equations[e].left, problem_.equations[e].right})
        walker.more(side, [&](Expr n) {
          if (a_.x().op(n) == Op::variable && a_.fact(a_.x().variable(n)).kind == VariableKind::state)
            result.push_back(a_.x().variable(n));
          return true;
        });
    return result;
  }

  /// Of the equations that nothing is left for those that are looked at one by one: what each competes with can be the whole model.
  std::span<const std::uint32_t> explained() const { return std::span(extra_).first(std::min<std::size_t>(extra_.size(), 100)); }

  /// As many equations as unknowns, yet one finds nothing to determine and holds states: a constraint between states,
  /// that is, a system of higher index.
  bool constrains_states() {
    if (extra_.size() != open_.size() || extra_.empty()) return false;
    for (std::uint32_t e : explained())
      if (states_in(matching_.competition(e).equations).empty()) return false;
    for (std::uint32_t e : explained()) {
      const auto competition = competition_with(e);
      const auto states = states_in(matching_.competition(e).equations);
      std::vector<std::string> names;
      for (VariableId v : states) names.push_back(a_.name(v));
      std::vector<parser::Note> notes;
      for (std::size_t i = 1; i < competition.equations.size() && notes.size() < most_shown; ++i) {
        const Equation& other = problem_.equations[competition.equations[i]];
        notes.push_back({other.place, "together with " + a_.text(other)});
      }
      for (std::size_t i = 0; i < states.size() && i < most_shown; ++i)
        notes.push_back({a_.variable(states[i]).place, a_.name(states[i]) + " is a state because der(" +
                                                            a_.said(states[i]) + ") stands in an equation"});
      const Equation& equation = one_of(competition, e);
      a_.error(equation.place,
               states.size() == 1
                   ? fmt::format("{} fixes the state {}, whose derivative is given by other equations as well (higher index)",
                                 a_.text(equation), names[0])
                   : fmt::format("{} ties the states {} together, so that they cannot change independently (higher index), "
                                 "and differentiating it does not help: other equations give their derivatives as well",
                                 a_.text(equation), list(names)),
               "replace the constraint by its derivative and give consistent start values, or eliminate one of the states",
               std::move(notes));
    }
    return true;
  }

  /// Real x = 100 and an equation for der(x): the value was meant for the start.
  std::string start_value_instead(const std::string& otherwise) {
    std::unordered_set<std::string> derivatives;   // of what, as it is written
    std::vector<char> seen(problem_.equations.size(), 0);
    Walker walker(a_.x());
    for (const Equation& e : problem_.equations)
      for (Expr side : {e.left, e.right, e.source_left, e.source_right})
        if (side != Expr::none)
          walker.more(side, [&](Expr n) {
            if (a_.x().op(n) == Op::derivative) derivatives.insert(a_.said(a_.x().variable(n)));
            return true;
          });
    for (std::uint32_t e : explained())
      for (std::uint32_t candidate : matching_.competition(e).equations) {
        if (std::exchange(seen[candidate], 1)) continue;
        const Equation& equation = problem_.equations[candidate];
        if (a_.x().op(equation.left) != Op::variable) continue;
        const Op value = a_.x().op(equation.right);
        const VariableId v = a_.x().variable(equation.left);
        const bool known = value == Op::real || (value == Op::variable && a_.variable(a_.x().variable(equation.right)).variability <= flat::Variability::parameter);
        if (!known || index(v) >= a_.system.user_variables || a_.variable(v).type != BaseType::real || !derivatives.contains(a_.said(v))) continue;
        return fmt::format("if {0} is the value of {1} at the start, declare {1}(start = {0}, fixed = true) and leave out {2}; otherwise {3}",
                           print_brief(a_.model(), equation.right), a_.said(v), a_.text(equation), otherwise);
      }
    return otherwise;
  }

  /// A variable t without an equation, in a model that does not use time.
  std::string time_instead(const std::string& otherwise) {
    bool uses_time = false;
    Walker walker(a_.x());
    for (const Equation& e : problem_.equations)
      for (Expr side : {e.left, e.right})
        walker.more(side, [&](Expr n) {
          uses_time = uses_time || a_.x().op(n) == Op::time;
          return !uses_time;
        });
    if (uses_time) return otherwise;
    for (std::uint32_t u : open_)
      for (std::uint32_t other : group_of(u).unknowns) {
        const std::string said = a_.said(variable(problem_.unknowns[other]));
        if (said == "t" || said == "Time")
          return fmt::format("if {} is the time of the simulation, leave it out and write time, which is declared already; otherwise {}", said, otherwise);
      }
    return otherwise;
  }

  std::string nothing_unknown(std::uint32_t e) {
    const auto states = states_in(matching_.competition(e).equations);   // itself, and shared sums in it
    std::vector<std::string> names;
    for (VariableId v : states) names.push_back(a_.name(v));
    if (names.empty()) return "no unknown stands in it";
    return fmt::format("{} {} known at every instant, as {} moves {}", list(names), names.size() == 1 ? "is" : "are",
                       names.size() == 1 ? fmt::format("der({})", a_.said(states[0])) : "an equation for each derivative", names.size() == 1 ? "it" : "them");
  }

  void describe_extra(std::vector<parser::Note>& notes) {
    std::size_t shown = 0;
    for (std::uint32_t e : extra_) {
      if (++shown > 3) break;
      const auto competition = competition_with(e);
      std::vector<std::string> names;
      for (std::uint32_t u : competition.unknowns) names.push_back(a_.name(problem_.unknowns[u]));
      const Equation& equation = one_of(competition, e);
      if (names.empty())
        notes.push_back({equation.place, a_.text(equation) + " determines nothing: " + nothing_unknown(e)});
      else
        notes.push_back({equation.place, fmt::format("{} is one of {} for {}: {}", a_.text(equation),
                                                     plural(competition.equations.size(), "equation"),
                                                     plural(names.size(), "variable"), list(names))});
      for (std::size_t i = 1; i < competition.equations.size() && i < most_shown; ++i) {
        const Equation& other = problem_.equations[competition.equations[i]];
        if (is_of_helper(other)) continue;
        notes.push_back({other.place, "so is " + a_.text(other)});
      }
    }
    if (extra_.size() > 3) notes.push_back({a_.model().place, fmt::format("and {} more equations", extra_.size() - 3)});
  }

  /// An unknown that is left over, those that could be so in its place, and the equations that they share.
  struct Group {
    std::vector<std::uint32_t> unknowns, equations;
  };
  Group group_of(std::uint32_t u) {
    if (rows_.empty()) {
      rows_.resize(problem_.unknowns.size());
      for (std::uint32_t e = 0; e < problem_.equations.size(); ++e)
        for (const auto& entry : problem_.incidence.of(e))
          if (entry.solvable) rows_[entry.unknown].push_back(e);
    }
    Group group{{u}, {}};
    std::vector<char> seen(problem_.unknowns.size(), 0);
    seen[u] = 1;
    for (std::size_t i = 0; i < group.unknowns.size(); ++i)
      for (std::uint32_t e : rows_[group.unknowns[i]]) {
        const std::uint32_t other = matching_.unknown_of(e);
        if (other == unmatched || seen[other]) continue;
        seen[other] = 1;
        group.unknowns.push_back(other);
        if (!is_of_helper(problem_.equations[e])) group.equations.push_back(e);
      }
    return group;
  }

  /// As many inputs of components are connected to nothing as equations are missing, and with values for them none is.
  bool without_source(std::size_t missing, const std::string& count) {
    const auto& model = a_.model();
    std::vector<std::uint32_t> inputs;   // variables
    Incidence incidence = problem_.incidence;
    for (std::uint32_t i = 0; i < model.variables.size(); ++i) {
      const flat::Variable& v = model.variables[i];
      if (v.connector == flat::no_connector || v.given_inside) continue;
      const flat::Connector& k = model.connectors[v.connector];
      if (k.connected || k.has_flows || !k.of_outermost()) continue;
      VariableId root = static_cast<VariableId>(i);
      while (a_.fact(root).kind == VariableKind::alias) root = a_.fact(root).alias_of;
      const std::uint32_t u = problem_.number_of(quantity(root));
      if (u == unmatched) continue;
      incidence.begin_equation();
      incidence.add(u, true);
      inputs.push_back(i);
    }
    if (inputs.size() < missing) return false;
    Matcher matching(incidence, problem_.unknowns.size());
    const auto old = static_cast<std::uint32_t>(problem_.equations.size());
    matching.reduce(0, old);
    for (std::uint32_t e = 0; e < old; ++e) matching.augment(e);
    std::vector<std::uint32_t> connectors;
    std::size_t helped = 0;
    for (std::uint32_t k = 0; k < inputs.size(); ++k)
      if (matching.augment(old + k)) {
        ++helped;
        connectors.push_back(model.variables[inputs[k]].connector);
      }
    if (helped != missing) return false;
    say_connected_to_nothing(std::move(connectors), count);
    return true;
  }

  /// Everything that is left over belongs to connectors of components that stand in no connect-equation.
  bool connected_to_nothing(const std::string& count) {
    const auto& model = a_.model();
    std::vector<std::uint32_t> connectors;
    std::size_t groups = 0;
    for (std::uint32_t u : open_) {
      if (++groups > 20) break;
      const std::size_t before = connectors.size();
      for (std::uint32_t other : group_of(u).unknowns) {
        const VariableId v = variable(problem_.unknowns[other]);
        if (index(v) >= model.variables.size()) continue;
        const flat::Variable& variable = model.variable(v);
        const std::uint32_t c = variable.connector;
        if (c != flat::no_connector && !model.connectors[c].connected && !variable.flow && !variable.given_inside) connectors.push_back(c);
      }
      if (connectors.size() == before) return false;
    }
    if (connectors.empty()) return false;
    // What is wrong is seen from outside: what components do with their own parts follows from it.
    const auto is_outermost = [&](std::uint32_t c) { return model.connectors[c].of_outermost(); };
    if (std::any_of(connectors.begin(), connectors.end(), is_outermost))
      connectors.erase(std::remove_if(connectors.begin(), connectors.end(), [&](std::uint32_t c) { return !is_outermost(c); }), connectors.end());
    say_connected_to_nothing(std::move(connectors), count);
    return true;
  }

  void say_connected_to_nothing(std::vector<std::uint32_t> connectors, const std::string& count) {
    const auto& model = a_.model();
    std::sort(connectors.begin(), connectors.end());
    connectors.erase(std::unique(connectors.begin(), connectors.end()), connectors.end());
    std::vector<std::string> names;
    std::vector<parser::Note> notes;
    for (std::uint32_t c : connectors) {
      const flat::Connector& k = model.connectors[c];
      names.push_back("`" + k.name + "`");
      if (notes.size() >= 2 * most_shown) continue;
      if (names.size() > 1) notes.push_back({k.used, names.back() + " belongs to this one"});
      notes.push_back({k.declared, names.back() + " is declared here"});
    }
    const bool one = names.size() == 1;
    a_.error(model.connectors[connectors[0]].used, fmt::format("{} {} connected to nothing: {}", list(names), one ? "is" : "are", count),
             one ? "connect it, or give it a value" : "connect them, or give them values", std::move(notes));
  }

  void describe_open(std::vector<parser::Note>& notes) {
    std::size_t shown = 0;
    for (std::uint32_t u : open_) {
      if (++shown > 3) break;
      const auto [group, equations] = group_of(u);
      std::vector<std::string> names;
      for (std::uint32_t other : group)
        if (index(variable(problem_.unknowns[other])) < a_.system.user_variables)
          names.push_back(a_.name(problem_.unknowns[other]));
      const auto of_user = std::find_if(group.begin(), group.end(), [&](std::uint32_t other) { return !a_.sums.contains(index(variable(problem_.unknowns[other]))); });
      const Quantity told = problem_.unknowns[of_user == group.end() ? u : *of_user];
      const VariableId v = variable(told);
      if (equations.empty())
        notes.push_back({a_.variable(v).place, "no equation determines " + a_.name(told)});
      else
        notes.push_back({a_.variable(v).place, fmt::format("{} for {}: {}", plural(equations.size(), "equation"),
                                                           plural(names.size(), "variable"), list(names))});
      for (std::size_t i = 0; i < equations.size() && i + 1 < most_shown; ++i)
        notes.push_back({problem_.equations[equations[i]].place, a_.text(problem_.equations[equations[i]])});
    }
    if (open_.size() > 3) notes.push_back({a_.model().place, fmt::format("and {} more variables", open_.size() - 3)});
  }

  Analysis& a_;
  const Problem& problem_;
  const Matcher& matching_;
  std::vector<std::uint32_t> extra_, open_;
  std::vector<std::vector<std::uint32_t>> rows_;   // by unknown: the equations that could determine it; once asked for
};

}  // namespace

void explain_structure(Analysis& a, const Problem& problem, const Matcher& matching) {
  Explanation(a, problem, matching).run();
  a.failed = true;
}

}  // namespace mosim::compiler::dae
