// States: variables under der(), except those that an equation gives in terms of others.

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "compiler/analyse/analysis.hpp"
#include "compiler/expression/differentiate.hpp"

namespace mosim::compiler::dae {

namespace {

class States {
public:
  explicit States(Analysis& a) : a_(a), x_(a.x()), walker_(a.x()) {}

  void run() {
    find_wanted();
    for (VariableId v : a_.system.states) a_.fact(v).kind = VariableKind::algebraic;
    a_.system.states.clear();
    // What one round gives may make another variable explicit: x = f(time), der(x) = v, der(v) = a.
    while (round() && !a_.failed) {
    }
    if (a_.failed) return;
    for (std::uint32_t i = 0; i < differentiated_.size(); ++i) {
      if (!differentiated_[i]) continue;
      VariableFacts& facts = a_.system.facts[i];
      facts.kind = VariableKind::state;
      facts.number = static_cast<std::uint32_t>(a_.system.states.size());
      a_.system.states.push_back(static_cast<VariableId>(i));
    }
  }

private:
  enum Answer : char { unknown, open, no, yes };

  /// What someone asks to be a state is not replaced here: index reduction weighs it against others.
  void find_wanted() {
    wanted_.assign(a_.model().variables.size(), 0);
    for (std::uint32_t i = 0; i < a_.system.user_variables; ++i)
      wanted_[i] = a_.model().variables[i].state_select >= flat::StateSelect::prefer || a_.is_fixed(static_cast<VariableId>(i));
    for (const WhenEffect& effect : a_.system.effects)
      if (const auto* r = std::get_if<flat::Reinit>(&effect.node)) wanted_[index(r->state)] = 1;
    want_instead();
  }

  /// Nor is what may take the place of a variable that must not be a state: r in r = s + 1, where s must not.
  void want_instead() {
    const auto& variables = a_.model().variables;
    if (std::none_of(variables.begin(), variables.end(), [](const flat::Variable& v) { return v.state_select == flat::StateSelect::never; })) return;
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> given_by;   // variable -> those with it in their equation
    std::vector<std::uint32_t> open;
    std::vector<char> seen(a_.model().variables.size(), 0);
    Walker walker(x_);
    const auto unwelcome = [&](std::uint32_t v) { return a_.model().variables[v].state_select == flat::StateSelect::never; };
    for (const Equation& e : a_.equations) {
      if (e.why != Why::equation) continue;
      for (const auto& [one, other] : {std::pair{e.left, e.right}, std::pair{e.right, e.left}})
        walker.each(other, [&, one = one](Expr n) {
          if (x_.op(n) != Op::variable && x_.op(n) != Op::derivative) return true;
          const std::uint32_t v = index(x_.variable(n));
          if (x_.op(n) == Op::derivative && unwelcome(v) && !seen[v]) seen[v] = 1, open.push_back(v);
          if (x_.op(one) == Op::variable) given_by[v].push_back(index(x_.variable(one)));
          return true;
        });
    }
    while (!open.empty()) {
      const std::uint32_t v = open.back();
      open.pop_back();
      const auto it = given_by.find(v);
      if (it == given_by.end()) continue;
      for (const std::uint32_t u : it->second) {
        if (seen[u]) continue;
        seen[u] = 1;
        open.push_back(u);
        if (!unwelcome(u)) wanted_[u] = 1;
      }
    }
  }

  /// Replaces the derivatives of variables that are given by an equation. False if there are none.
  bool round() {
    differentiated_.assign(a_.model().variables.size(), 0);
    order_.clear();
    walker_.restart();
    find_differentiated();
    find_explicit();
    bool any = false;
    for (std::uint32_t i = 0; i < differentiated_.size(); ++i) {
      if (differentiated_[i] && answer_[i] == unknown) decide(i);
      if (!differentiated_[i] || answer_[i] != yes) continue;
      any = true;
    }
    if (any) replace_derivatives();
    return any;
  }

  void find_differentiated() {
    // The derivative of what changes at events only is 0.
    Rewriter zero(x_, [&](Expr e) {
      if (x_.op(e) != Op::derivative) return Expr::none;
      const VariableKind kind = a_.fact(x_.variable(e)).kind;
      if (kind == VariableKind::algebraic || kind == VariableKind::state) return Expr::none;
      if (a_.is_signal(x_.variable(e))) a_.model().reliance.steady.insert(x_.variable(e));
      if (kind == VariableKind::discrete) refuse_discrete(x_.variable(e), x_.place(e));
      return x_.real(0);
    }, {}, contents::derivative);
    rewrite_all(a_, [&](Expr e) { return zero(e); });
    for (const auto* list : {&a_.equations, &a_.initial_equations})
      for (const Equation& e : *list)
        for (Expr side : {e.left, e.right})
          if (x_.holds(side, contents::derivative)) walker_.more(side, [&](Expr n) {
            if (x_.op(n) == Op::derivative) differentiated_[index(x_.variable(n))] = 1;
            return true;
          });
    for (const Relation& r : a_.system.relations)
      walker_.more(r.relation, [&](Expr n) {
        if (x_.op(n) == Op::derivative) differentiated_[index(x_.variable(n))] = 1;
        return true;
      });
  }

  // MLS 3.7.4.2: what is differentiated is continuous. Setting a velocity in a when-clause is how one gets here.
  void refuse_discrete(VariableId v, Place place) {
    if (index(v) >= a_.system.user_variables) return;
    a_.error(place, fmt::format("{0} changes at events only, so it has no derivative der({1})", a_.name(v), a_.said(v)),
             fmt::format("if {0} is a state that an event gives a new value, write reinit({1}, ...) in the when-clause",
                         a_.name(v), a_.said(v)),
             {{a_.variable(v).place, "declared here"}});
  }

  void find_explicit() {
    const std::size_t n = differentiated_.size();
    answer_.assign(n, unknown);
    definition_.assign(n, Expr::none);
    place_.assign(n, Place{});
    for (const Equation& e : a_.equations) {
      if (e.why != Why::equation && e.why != Why::algorithm) continue;
      for (const auto& [one, other] : {std::pair{e.left, e.right}, std::pair{e.right, e.left}}) {
        if (x_.op(one) != Op::variable || x_.type(one) != BaseType::real) continue;
        const VariableId v = x_.variable(one);
        if (a_.fact(v).kind != VariableKind::algebraic || definition_[index(v)] != Expr::none || wanted_[index(v)]) continue;
        definition_[index(v)] = other;
        place_[index(v)] = e.place;
        break;
      }
    }
  }

  /// The variables in v's definition that vary; nothing if it cannot be differentiated.
  std::optional<std::vector<std::uint32_t>> needs(std::uint32_t v) {
    if (definition_[v] == Expr::none) return {};
    std::vector<std::uint32_t> result;
    bool good = true;
    walker_.each(definition_[v], [&](Expr e) {
      switch (x_.op(e)) {
        case Op::variable: {
          const VariableKind kind = a_.fact(x_.variable(e)).kind;
          if (kind == VariableKind::algebraic || kind == VariableKind::state) result.push_back(index(x_.variable(e)));
          if (kind == VariableKind::clocked || index(x_.variable(e)) == v) good = false;
          break;
        }
        case Op::derivative: case Op::previous: case Op::delay: case Op::spatial_distribution: good = false; break;
        default: break;
      }
      return good;
    });
    if (!good) return {};
    return result;
  }

  /// Depth first, without recursion: chains of definitions may be long. A variable that is asked for while its own
  /// definition is being followed counts as a state there.
  void decide(std::uint32_t root) {
    struct Step {
      std::uint32_t variable;
      std::vector<std::uint32_t> needs;
      std::size_t next = 0;
      bool good = true;
    };
    std::vector<Step> path;
    const auto enter = [&](std::uint32_t v) {
      const auto list = needs(v);
      if (!list) {
        answer_[v] = no;
        return;
      }
      answer_[v] = open;
      path.push_back({v, *list});
    };
    enter(root);
    while (!path.empty()) {
      Step& top = path.back();
      if (!top.good || top.next == top.needs.size()) {
        answer_[top.variable] = top.good ? yes : no;
        if (top.good) order_.push_back(top.variable);
        path.pop_back();
        continue;
      }
      const std::uint32_t other = top.needs[top.next];
      switch (answer_[other]) {
        case unknown: enter(other); break;
        case open:
          top.good = false;
          break;
        case no:
          if (!differentiated_[other]) top.good = false;
          ++top.next;
          break;
        case yes: ++top.next; break;
      }
    }
  }

  void replace_derivatives() {
    std::unordered_map<std::uint32_t, Expr> derivative;
    const auto replaced = [&](Expr e) {
      if (x_.op(e) != Op::derivative) return Expr::none;
      const auto it = derivative.find(index(x_.variable(e)));
      return it == derivative.end() ? Expr::none : it->second;
    };
    Rewriter rewriter(x_, replaced, {}, contents::derivative);
    for (std::uint32_t v : order_) {
      const Expr plain = differentiate_time(a_.model(), definition_[v], place_[v], a_.diagnostics);
      if (plain == Expr::none) {
        a_.failed = true;
        return;
      }
      derivative[v] = rewriter(plain);
    }
    rewriter.forget();
    rewrite_all(a_, [&](Expr e) { return rewriter(e); });
  }

  Analysis& a_;
  Expressions& x_;
  Walker walker_;
  std::vector<char> differentiated_;
  std::vector<char> wanted_;           // as a state
  std::vector<Answer> answer_;
  std::vector<Expr> definition_;
  std::vector<Place> place_;
  std::vector<std::uint32_t> order_;   // to be replaced, each after those in its definition
};

}  // namespace

void select_states(Analysis& a) { States(a).run(); }

void check_states(Analysis& a) {
  for (const WhenEffect& effect : a.system.effects) {
    const auto* r = std::get_if<flat::Reinit>(&effect.node);
    if (!r || a.fact(r->state).kind == VariableKind::state) continue;
    a.error(r->place, fmt::format("reinit of {}, which is not a state: der({}) stands in no equation", a.name(r->state),
                                  a.variable(r->state).name),
            "reinit can only be used for variables whose derivative stands in an equation",
            {{a.variable(r->state).place, "declared here"}});
  }
  for (std::uint32_t i = 0; i < a.system.user_variables; ++i) {
    const VariableFacts& own = a.system.facts[i];
    const VariableFacts& facts = own.kind == VariableKind::alias ? a.fact(own.alias_of) : own;
    // The states of discretised partitions are known by now (reduce_partition).
    if (facts.kind != VariableKind::clocked || a.system.sub_clocks[facts.clock].solver_method.empty()) check_state_select(a, static_cast<VariableId>(i));
  }
}

void check_state_select(Analysis& a, VariableId variable) {
  const flat::Variable& v = a.variable(variable);
  const VariableFacts& facts = a.fact(variable);
  const VariableKind kind = facts.kind == VariableKind::alias ? a.fact(facts.alias_of).kind : facts.kind;
  if (v.state_select == flat::StateSelect::always && kind != VariableKind::state)
    a.error(v.place, fmt::format("`{}` has stateSelect = StateSelect.always but is not a state", v.name),
            fmt::format("only variables whose derivative stands in an equation can be: der({})", v.name));
  if (v.state_select == flat::StateSelect::never && facts.kind == VariableKind::state)
    a.error(v.place, fmt::format("`{0}` has stateSelect = StateSelect.never, but der({0}) makes it a state", v.name));
}

}  // namespace mosim::compiler::dae
