#pragma once
// State machines (MLS 17): transition and initialState -> machines of states, and these -> clocked equations of the flat model.
//
// States are block instances; those that transitions couple make a machine (17.1). A machine whose states lie in a state of another one
// belongs to that state and is active while it is; several may lie in one (parallel machines). The equations are those of the
// specification's semantic model (17.3.4): which transition fires, which state is then active, what is reset; from one tick to the next
// they are kept with previous(). While a state is not active its variables keep their values (17.3.3). previous(x) of a variable of a
// state is x's start value, for the equations in that state, when the state is entered with reset (17.3.2). `outer output` variables
// have one value in each state that sets them, and the inner one is that of the active state, else what it was (17.3.5); outputs of
// several states may be connected, and are one source (17.3.6).
//
// Where the text leaves something open:
//   - A state is left by an immediate transition before its equations are evaluated, so the condition cannot use what they give at
//     the same tick: an error, with previous() and delayed transitions as its remedies. ticksInState() and timeInState() in it are what
//     they would be if the state were not left; a synchronize transition that is immediate asks which states were active a tick ago.
//   - While a machine is not active, the conditions of its delayed transitions keep their values as all else of it does.

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compiler/elaborate/machines.hpp"
#include "compiler/flatten/flattening.hpp"

namespace mosim::compiler {

struct StateMachines : KnownStateMachines {
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  struct State {
    const Class* object;
    const Component* component;
    std::size_t element;
    std::string name;                      // dotted
    Place named;                           // where it is named first, in transition or initialState
    std::size_t machine = none;
    std::size_t outside = none;            // the state that it lies in
    std::vector<std::size_t> machines{};   // that lie in it
    VariableId active = VariableId::none;  // Boolean
    bool leads_on = false;                 // a transition leaves it
    Place initial{};                       // of its initialState; nowhere: none
  };
  struct Transition {
    std::size_t from, to;
    Place place;
    const parser::Expression* condition_text;
    Expr condition = Expr::none;
    std::size_t within = none;             // the state that the equation stands in
    bool immediate = true, reset = true, synchronize = false;
    std::int64_t priority = 1;
    std::size_t visit = 0;                 // which of the equations it is: others may name components that are removed
  };
  struct Machine {
    std::vector<std::size_t> states;       // enumerated from 1: the initial one first
    std::vector<std::size_t> transitions;  // the lowest priority number last (17.3)
    std::size_t outside = none;            // the state that it lies in; none: it is always active
    EnumerationId literals = EnumerationId::none;
    VariableId state = VariableId::none;   // nextState: its active state, kept while it is not active
    VariableId fired = VariableId::none;   // Integer: a transition, from 1, or 0
    VariableId entered = VariableId::none, ticks = VariableId::none, seconds = VariableId::none;   // only if asked for
    VariableId since = VariableId::none;
    VariableId kept_seconds = VariableId::none;   // timeInState() if the state were not left
  };

  explicit StateMachines(Instances& instances) : in(instances) {}
  /// All transitions and initial states of the model, and the machines they make. Says what is wrong with them.
  void collect();
  /// Once activeState and the like can be asked for.
  void take_conditions();
  bool any() const { return !states.empty(); }

  Expr active(const Component* c, std::size_t k, Place place) override;
  Expr active_with(VariableId output, Place place) override;
  bool exclusive(VariableId one, VariableId other) const override;
  Expr ticks(const Environment& env, Place place) override;
  Expr seconds(const Environment& env, Place place) override;

  /// The innermost state that an object lies in, or is.
  std::size_t state_around(const Class* object) const;
  /// The state that an object is, or none.
  std::size_t state_of(const Class* object) const {
    const auto it = of_objects_.find(object);
    return it == of_objects_.end() ? none : it->second;
  }
  /// How many states it lies in.
  std::size_t depth(std::size_t state) const {
    std::size_t d = 0;
    for (std::size_t s = states[state].outside; s != none; s = states[s].outside) ++d;
    return d;
  }
  /// Are they, or two states around them, different states of one machine?
  bool never_together(std::size_t a, std::size_t b) const;
  bool lies_in(std::size_t state, std::size_t outside) const;
  /// A new variable of the flat model.
  VariableId variable(std::string name, BaseType type, std::size_t state, std::string meaning, EnumerationId enumeration = EnumerationId::none);
  VariableId entered(std::size_t machine);
  /// ticksInState() if the state were not left.
  Expr kept_ticks(std::size_t machine, Place place);
  Expr value(VariableId v);
  Expr previous(VariableId v);
  std::string title(std::size_t machine) const { return states[machines[machine].states.front()].name; }

  Instances& in;
  std::vector<State> states;
  std::vector<Transition> transitions;
  std::vector<Machine> machines;

private:
  void add(const parser::Equation& e, const parser::Call& call, std::string_view name, const Environment& env);
  std::size_t state_named(const parser::Expression& e, const Environment& env, std::string_view what);
  void make_machines();
  void complete(std::size_t machine);
  std::size_t state_giving(VariableId output) const;
  std::size_t asked(const Environment& env) const;
  void add_ticks(std::size_t machine), add_seconds(std::size_t machine);

  std::map<std::pair<const Component*, std::size_t>, std::size_t> numbers_;   // of states
  std::map<const Class*, std::size_t> of_objects_;
  std::vector<const Class*> scopes_;       // of transitions: the object that the equation stands in
  std::size_t visits_ = 0;                 // of equations that are transitions
  const Transition* current_ = nullptr;    // whose condition is being made
};

/// The equations of the machines take their place in the flat model, and those of the states, which `objects` tells, become equations that hold
/// while these are active.
void write_machine_equations(Instances& in, StateMachines& machines, const std::vector<OfObject>& objects);

}  // namespace mosim::compiler
