// State machines: the equations of the machines, and those of their states (MLS 17.3).

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "compiler/expression/print.hpp"
#include "compiler/expression/walk.hpp"
#include "compiler/flatten/state_equations.hpp"
#include "compiler/flatten/state_machines.hpp"
#include "compiler/instantiate/component.hpp"
#include "compiler/instantiate/instances.hpp"

namespace mosim::compiler {

namespace {

constexpr std::size_t none = StateMachines::none;

/// The semantic model of one machine (17.3.4).
class MachineWriter {
public:
  MachineWriter(Instances& in, StateMachines& machines, StateEquations& states)
      : in_(in), sm_(machines), states_(states), m_(in.model), ex_(m_.expressions) {}

  void write(std::size_t number) {
    StateMachines::Machine& machine = sm_.machines[number];
    place_ = sm_.states[machine.states.front()].initial;
    const bool inner = machine.outside != none;
    active_ = inner ? sm_.value(sm_.states[machine.outside].active) : ex_.boolean(true, place_);
    reset_ = inner ? sm_.value(states_.reset(machine.outside)) : ex_.make(Op::first_tick, BaseType::boolean, {}, place_);
    const Expr before = sm_.previous(machine.state);
    // fired, from delayed and immediate
    Expr immediate = ex_.integer(0, place_), delayed = immediate;
    bool any_delayed = false;
    for (std::size_t k = 0; k < machine.transitions.size(); ++k) {
      const StateMachines::Transition& t = sm_.transitions[machine.transitions[k]];
      const Expr condition = condition_of(t);
      const Expr here = is(t.immediate ? before : sm_.value(machine.state), number, t.from);
      Expr& chain = t.immediate ? immediate : delayed;
      chain = choice(BaseType::integer, logical(Op::and_, here, condition), ex_.integer(std::int64_t(k) + 1, t.place), chain);
      any_delayed = any_delayed || !t.immediate;
      m_.transitions.push_back({machine.fired, std::int64_t(k) + 1, sm_.states[t.from].name, sm_.states[t.to].name, t.condition, t.immediate, t.place});
    }
    Expr fired = immediate;
    if (any_delayed) {
      const VariableId v = sm_.variable(fmt::format("$stateMachine({}).delayed", sm_.title(number)), BaseType::integer, machine.states.front(),
                                        fmt::format("the transition of the machine of {} that is to fire next", sm_.title(number)));
      add(v, choice(BaseType::integer, active_, delayed, sm_.previous(v)));
      const bool alone = ex_.op(immediate) == Op::integer;
      fired = alone ? sm_.previous(v) : ex_.make(Op::max, BaseType::integer, {sm_.previous(v), immediate}, place_);
    }
    add(machine.fired, choice(BaseType::integer, logical(Op::and_, active_, negated(reset_)), fired, ex_.integer(0, place_)));
    // activeState and nextState
    const auto literal = [&](std::size_t s) { return state_literal(number, s); };
    Expr next = before;
    for (std::size_t k = 0; k < machine.transitions.size(); ++k)
      next = choice(BaseType::enumeration, fires(machine, k), literal(sm_.transitions[machine.transitions[k]].to), next);
    next = choice(BaseType::enumeration, reset_, literal(machine.states.front()), next);
    add(machine.state, choice(BaseType::enumeration, active_, next, before));
    for (std::size_t s : machine.states) add(sm_.states[s].active, logical(Op::and_, active_, is(sm_.value(machine.state), number, s)));
    for (std::size_t s : machine.states) write_reset(machine, s, inner);
    write_counters(machine);
  }

private:
  void add(VariableId v, Expr e) { m_.equations.push_back({sm_.value(v), e, place_, {}, VariableId::none}); }
  Expr choice(BaseType type, Expr c, Expr a, Expr b) { return ex_.simplified(Op::if_, type, {c, a, b}, place_); }
  Expr logical(Op op, Expr a, Expr b) { return ex_.simplified(op, BaseType::boolean, {a, b}, place_); }
  Expr negated(Expr a) { return ex_.simplified(Op::not_, BaseType::boolean, {a}, place_); }
  Expr state_literal(std::size_t machine, std::size_t state) {
    const auto& all = sm_.machines[machine].states;
    return ex_.enumeration(sm_.machines[machine].literals, std::uint32_t(std::find(all.begin(), all.end(), state) - all.begin()) + 1, place_);
  }
  Expr is(Expr state, std::size_t machine, std::size_t s) { return ex_.make(Op::equal, BaseType::boolean, {state, state_literal(machine, s)}, place_); }
  Expr fires(const StateMachines::Machine& machine, std::size_t k) {
    return ex_.make(Op::equal, BaseType::boolean, {sm_.value(machine.fired), ex_.integer(std::int64_t(k) + 1)}, place_);
  }

  Expr condition_of(const StateMachines::Transition& t) {
    if (t.immediate) check_immediate(t);
    Expr c = states_.located(t.condition, t.within);
    if (!t.synchronize) return c;
    // All machines of the state that is left have reached final states (17.3.1).
    for (std::size_t m : sm_.states[t.from].machines) {
      const StateMachines::Machine& machine = sm_.machines[m];
      const Expr state = t.immediate ? sm_.previous(machine.state) : sm_.value(machine.state);
      Expr final = ex_.boolean(false, t.place);
      for (std::size_t s : machine.states)
        if (!sm_.states[s].leads_on) final = logical(Op::or_, final, is(state, m, s));
      if (ex_.op(final) == Op::boolean)
        in_.diagnostics.push_back({parser::Severity::warning, t.place,
                                   fmt::format("this transition never fires: it waits for the machine of {}, which has no final state", sm_.title(m)),
                                   "a final state is one that no transition leaves",
                                   {}});
      c = logical(Op::and_, final, c);
    }
    return c;
  }

  /// What a state of the machine gives at this tick is not known before it is known which state is active.
  void check_immediate(const StateMachines::Transition& t) {
    if (t.condition == Expr::none) return;   // that was said
    const std::size_t machine = sm_.states[t.from].machine;
    Walker walker(ex_);
    VariableId found = VariableId::none;
    walker.each(t.condition, [&](Expr e) {
      if (ex_.op(e) == Op::variable && found == VariableId::none && states_.given_by(ex_.variable(e), machine)) found = ex_.variable(e);
      return true;
    });
    if (found == VariableId::none) return;
    const std::string name = said_name(m_, found);
    in_.error(t.condition_text->place, fmt::format("an immediate transition leaves {} before the equations of the states are evaluated, and its condition uses what they give at that tick, {}", sm_.states[t.from].name, name),
              fmt::format("use previous({}), or make the transition delayed: immediate = false", name), {{m_.variable(found).place, "declared here"}});
  }

  /// 17.3.2: reset by the transition, with the whole machine, or when that was reset while another state was active.
  void write_reset(const StateMachines::Machine& machine, std::size_t s, bool inner) {
    const VariableId v = states_.reset_if_asked(s);
    if (v == VariableId::none) return;
    Expr why = reset_;
    for (std::size_t k = 0; k < machine.transitions.size(); ++k) {
      const StateMachines::Transition& t = sm_.transitions[machine.transitions[k]];
      if (t.reset && t.to == s) why = logical(Op::or_, why, fires(machine, k));
    }
    const Expr active = sm_.value(sm_.states[s].active);
    if (inner) {
      const VariableId due = sm_.variable(fmt::format("$resetDue({})", sm_.states[s].name), BaseType::boolean, s, fmt::format("whether {} is to be reset", sm_.states[s].name));
      const Expr still = logical(Op::or_, reset_, sm_.previous(due));
      add(due, choice(BaseType::boolean, active_, logical(Op::and_, still, negated(active)), sm_.previous(due)));
      why = logical(Op::or_, why, sm_.previous(due));
    }
    add(v, logical(Op::and_, active, why));
  }

  void write_counters(const StateMachines::Machine& machine) {
    if (machine.entered == VariableId::none) return;
    Expr entered = logical(Op::or_, reset_, ex_.make(Op::greater, BaseType::boolean, {sm_.value(machine.fired), ex_.integer(0)}, place_));
    if (machine.outside != none) entered = logical(Op::or_, entered, sm_.value(sm_.entered(sm_.states[machine.outside].machine)));
    add(machine.entered, logical(Op::and_, active_, entered));
    entered = sm_.value(machine.entered);
    if (machine.ticks != VariableId::none) {
      const Expr before = sm_.previous(machine.ticks);
      const Expr more = choice(BaseType::integer, entered, ex_.integer(1), ex_.make(Op::add, BaseType::integer, {before, ex_.integer(1)}, place_));
      add(machine.ticks, choice(BaseType::integer, active_, more, before));
    }
    if (machine.seconds == VariableId::none) return;
    const Expr now = ex_.make(Op::sample_clocked, BaseType::real, {ex_.make(Op::time, BaseType::real, {})}, place_);
    add(machine.since, choice(BaseType::real, entered, now, sm_.previous(machine.since)));
    add(machine.seconds, choice(BaseType::real, active_, ex_.make(Op::subtract, BaseType::real, {now, sm_.value(machine.since)}, place_), sm_.previous(machine.seconds)));
    m_.state_seconds.push_back({machine.seconds, sm_.value(machine.ticks)});
    if (machine.kept_seconds == VariableId::none) return;
    const std::size_t number = sm_.states[machine.states.front()].machine;
    const Expr kept = ex_.make(Op::subtract, BaseType::real, {now, sm_.previous(machine.since)}, place_);
    const Expr anew = machine.outside == none ? ex_.boolean(false, place_) : sm_.value(sm_.entered(sm_.states[machine.outside].machine));
    add(machine.kept_seconds, choice(BaseType::real, anew, ex_.real(0, place_), kept));
    m_.state_seconds.push_back({machine.kept_seconds, sm_.kept_ticks(number, place_)});
  }

  Instances& in_;
  StateMachines& sm_;
  StateEquations& states_;
  flat::Model& m_;
  Expressions& ex_;
  Place place_;
  Expr active_ = Expr::none, reset_ = Expr::none;   // of the machine from outside
};

}  // namespace

void write_machine_equations(Instances& in, StateMachines& machines, const std::vector<OfObject>& objects) {
  StateEquations states(in, machines, objects);
  states.write();
  if (parser::has_errors(in.diagnostics)) return;
  // Inner machines first: they ask of the states around them.
  std::vector<std::size_t> order;
  const auto depth = [&](std::size_t m) { return machines.depth(machines.machines[m].states.front()); };
  for (std::size_t m = 0; m < machines.machines.size(); ++m) order.push_back(m);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return depth(a) > depth(b); });
  MachineWriter writer(in, machines, states);
  for (std::size_t m : order) writer.write(m);
}

}  // namespace mosim::compiler
