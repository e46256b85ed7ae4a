// Constants and parameters: dependency order, values, bounds.

#include <fmt/format.h>

#include <unordered_set>

#include "compiler/analyse/analysis.hpp"

namespace mosim::compiler::dae {

namespace {

using flat::Variability;

bool is_parameter(const flat::Variable& v) {
  return v.variability == Variability::constant || v.variability == Variability::parameter;
}

class ParameterOrder {
public:
  explicit ParameterOrder(Analysis& a) : a_(a), walker_(a.x()) {}

  void run() {
    const std::uint32_t n = a_.system.user_variables;
    state_.assign(n, unseen);
    for (std::uint32_t i = 0; i < n; ++i) {
      const auto v = static_cast<VariableId>(i);
      if (!is_parameter(a_.variable(v))) continue;
      a_.fact(v).kind = a_.variable(v).variability == Variability::constant ? VariableKind::constant : VariableKind::parameter;
    }
    for (std::uint32_t i = 0; i < n; ++i)
      if (state_[i] == unseen && is_parameter(a_.variable(static_cast<VariableId>(i)))) visit(i);
    if (!valueless_.empty()) complain_of_valueless();
  }

private:
  enum State : char { unseen, open, done };

  struct Step {
    std::uint32_t variable;
    std::vector<std::uint32_t> needs;
    std::size_t next = 0;
  };

  Expr definition(VariableId v) {
    const flat::Variable& variable = a_.variable(v);
    return variable.binding != Expr::none ? variable.binding : a_.start(v);
  }

  std::vector<std::uint32_t> needs(VariableId v) {
    std::vector<std::uint32_t> result;
    walker_.each(definition(v), [&](Expr e) {
      switch (a_.x().op(e)) {
        case Op::variable:
          if (is_parameter(a_.variable(a_.x().variable(e)))) result.push_back(index(a_.x().variable(e)));
          else refuse(v, a_.name(a_.x().variable(e)));
          break;
        case Op::derivative: case Op::previous:
          refuse(v, "`" + print(a_.model(), e) + "`");
          break;
        case Op::pre: case Op::edge: case Op::change:
          if (!is_parameter(a_.variable(a_.x().variable(e)))) refuse(v, "`" + print(a_.model(), e) + "`");
          break;
        case Op::time: refuse(v, "`time`"); break;
        case Op::call: return !called_.contains(e);   // an array's elements may all be results of one call
        default: break;
      }
      return true;
    });
    return result;
  }

  void refuse(VariableId v, const std::string& what) {
    a_.error(a_.variable(v).place,
             fmt::format("the {} {} depends on {}, which varies with time",
                         a_.variable(v).variability == Variability::constant ? "constant" : "parameter", a_.name(v), what));
  }

  void visit(std::uint32_t root) {
    while (state_[root] == unseen) attempt(root);
  }

  /// All that `root` needs, and it. If that leads round a circle which branches not taken are part of, these are cut off, and
  /// what is not finished is as unseen as before.
  void attempt(std::uint32_t root) {
    std::vector<Step> path;
    path.push_back({root, needs(static_cast<VariableId>(root))});
    state_[root] = open;
    while (!path.empty()) {
      Step& top = path.back();
      if (top.next == top.needs.size()) {
        finish(static_cast<VariableId>(top.variable), top.needs);
        state_[top.variable] = done;
        path.pop_back();
        continue;
      }
      const std::uint32_t other = top.needs[top.next++];
      if (state_[other] == done) continue;
      if (state_[other] == open) {
        if (cut_open(path, other)) {
          for (const Step& step : path) state_[step.variable] = unseen;
          return;
        }
        complain_of_cycle(path, other);
        continue;
      }
      state_[other] = open;
      path.push_back({other, needs(static_cast<VariableId>(other))});
    }
  }

  /// Decides the conditions in the definitions of a circle's parameters, as far as their values are known. False: none is.
  bool cut_open(const std::vector<Step>& path, std::uint32_t from) {
    bool cut = false, inside = false;
    for (const Step& step : path) {
      inside = inside || step.variable == from;
      flat::Variable& v = a_.variable(static_cast<VariableId>(step.variable));
      if (!inside || v.binding == Expr::none) continue;
      Rewriter decided(a_.x(), {}, [&](Expr rebuilt, Expr) {
        if (a_.x().op(rebuilt) != Op::if_) return rebuilt;
        const auto parts = a_.x().children(rebuilt);
        const Expr condition = value_of(parts[0]);
        if (condition == Expr::none || a_.x().op(condition) != Op::boolean) return rebuilt;
        return a_.x().children(rebuilt)[a_.x().payload(condition) ? 1 : 2];
      });
      const Expr binding = decided(v.binding);
      cut = cut || binding != v.binding;
      v.binding = binding;
    }
    return cut;
  }

  /// As Analysis::literal, also where what is needed has not been visited.
  Expr value_of(Expr e) {
    std::unordered_set<std::uint32_t> open;
    std::function<Expr(VariableId)> known = [&](VariableId v) {
      if (!is_parameter(a_.variable(v))) return Expr::none;
      if (a_.fact(v).has_value) return a_.fact(v).value;
      const flat::Variable& variable = a_.variable(v);
      const bool free = variable.fixed != Expr::none && a_.x().op(variable.fixed) == Op::boolean && !a_.x().payload(variable.fixed);
      if (free || !open.insert(index(v)).second) return Expr::none;
      const Expr value = a_.x().is_literal_leaf(definition(v)) ? definition(v) : evaluate(a_.model(), definition(v), known);
      open.erase(index(v));
      return value;
    };
    return evaluate(a_.model(), e, known);
  }

  void complain_of_cycle(const std::vector<Step>& path, std::uint32_t from) {
    std::string chain;
    std::vector<parser::Note> notes;
    bool inside = false;
    for (const Step& step : path) {
      inside = inside || step.variable == from;
      if (!inside) continue;
      const auto v = static_cast<VariableId>(step.variable);
      chain += a_.variable(v).name + " -> ";
      notes.push_back({a_.variable(v).place, a_.name(v) + " = " + print(a_.model(), definition(v))});
    }
    const auto v = static_cast<VariableId>(from);
    chain += a_.variable(v).name;
    notes.erase(notes.begin());
    const bool constants = a_.variable(v).variability == flat::Variability::constant;
    a_.error(a_.variable(v).place, fmt::format("{} depend on each other in a circle: {}", constants ? "constants" : "parameters", chain),
             "give one of them a value that does not need the others", std::move(notes));
  }

  void finish(VariableId v, const std::vector<std::uint32_t>& needs) {
    const flat::Variable& variable = a_.variable(v);
    VariableFacts& facts = a_.fact(v);
    for (std::uint32_t other : needs)
      if (a_.fact(static_cast<VariableId>(other)).kind == VariableKind::free_parameter) facts.kind = VariableKind::free_parameter;
    if (const Expr d = definition(v); facts.kind != VariableKind::free_parameter && a_.x().op(d) == Op::result) called_.insert(a_.x().child(d, 0));
    const bool free = variable.fixed != Expr::none && !a_.is_fixed(v);
    if (free && facts.kind == VariableKind::constant) {
      a_.error(variable.place, "the constant " + a_.name(v) + " has fixed = false", "make it a parameter");
      return;
    }
    if (free) {
      facts.kind = VariableKind::free_parameter;
      if (variable.binding != Expr::none)
        a_.warning(variable.place, "the parameter " + a_.name(v) + " has both fixed = false and a value; the value is used");
    }
    if (facts.kind == VariableKind::free_parameter) {
      if (variable.binding == Expr::none) return;
      Equation e;
      e.left = a_.value(v);
      e.right = variable.binding;
      // No target: with k2 = 2*k it may be k that follows.
      e.place = variable.place;
      e.why = Why::parameter;
      a_.initial_equations.push_back(e);
      return;
    }
    if (variable.binding == Expr::none) {
      if (facts.kind == VariableKind::constant) {
        valueless_.push_back(v);
        return;
      }
      a_.warning(variable.place,
                 fmt::format("parameter {} has no value; its {} {} is used", a_.name(v),
                             variable.start != Expr::none ? "start value" : "default value",
                             print(a_.model(), a_.start(v))));
    }
    a_.system.parameters.push_back(v);
    facts.value = a_.literal(definition(v), Reliance::nothing);
    facts.has_value = facts.value != Expr::none;
    if (facts.has_value) check_bounds(v);
  }

  void check_bounds(VariableId v) {
    const flat::Variable& variable = a_.variable(v);
    const auto value = a_.number(a_.fact(v).value, Reliance::nothing);
    if (!value || variable.type == BaseType::boolean) return;
    const auto low = a_.number(variable.min, Reliance::nothing), high = a_.number(variable.max, Reliance::nothing);
    const char* kind = a_.fact(v).kind == VariableKind::constant ? "constant" : "parameter";
    const auto complain = [&](const char* how, Expr bound) {
      const std::string cause = fmt::format("{} {} = {} is {} {}", kind, a_.name(v), print(a_.model(), a_.fact(v).value), how, print(a_.model(), bound));
      // PowerSystems and IBPSA compute such values, and other tools take them.
      if (variable.of_library) a_.warning(variable.place, cause);
      else a_.error(variable.place, cause);
    };
    if (low && *value < *low) complain("below its minimum", variable.min);
    if (high && *value > *high) complain("above its maximum", variable.max);
  }

  /// A constant without a value is an error only where it is used (MLS 4.5.1).
  void complain_of_valueless() {
    std::vector<char> used(a_.system.user_variables, 0);
    walker_.restart();
    const auto look = [&](Expr e) {
      if (e == Expr::none) return;
      walker_.more(e, [&](Expr n) {
        if (a_.x().op(n) == Op::variable) used[index(a_.x().variable(n))] = 1;
        return true;
      });
    };
    for (const auto& e : a_.model().equations) look(e.left), look(e.right);
    for (const auto& e : a_.model().initial_equations) look(e.left), look(e.right);
    for (const auto& v : a_.model().variables) look(v.binding), look(v.start);
    for (const auto& w : a_.model().whens)
      for (const auto& b : w.branches) {
        for (Expr c : b.conditions) look(c);
        for (const auto& action : b.body)
          if (const auto* set = std::get_if<flat::WhenAssignment>(&action.node)) look(set->value);
          else if (const auto* e = std::get_if<flat::ClockedEquation>(&action.node)) look(e->left), look(e->right);
      }
    for (VariableId v : valueless_) {
      if (used[index(v)])
        a_.error(a_.variable(v).place, "constant " + a_.name(v) + " is used but has no value", "give it one: = ...");
      else {
        a_.system.parameters.push_back(v);
        a_.fact(v).value = a_.start(v);
      }
    }
  }

  Analysis& a_;
  Walker walker_;
  std::vector<State> state_;
  std::vector<VariableId> valueless_;
  std::unordered_set<Expr> called_;   // calls all of whose arguments are done, and none of them free
};

}  // namespace

void order_parameters(Analysis& a) { ParameterOrder(a).run(); }

}  // namespace mosim::compiler::dae
