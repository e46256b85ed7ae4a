#pragma once
// What expressions ask of the state machines of a model (MLS 17.1), which are known once all transitions are.

#include <cstddef>

#include "compiler/elaborate/environment.hpp"

namespace mosim::compiler {

struct Component;

class KnownStateMachines {
public:
  virtual ~KnownStateMachines() = default;
  /// activeState of element k of a component; Expr::none: it is no state of a state machine.
  virtual Expr active(const Component* c, std::size_t k, Place place) = 0;
  /// activeState of the state that a variable is an output of; Expr::none: it is no output of a state.
  virtual Expr active_with(VariableId output, Place place) = 0;
  /// Whether the states that two variables are outputs of are never active at once.
  virtual bool exclusive(VariableId one, VariableId other) const = 0;
  /// ticksInState() and timeInState(), of the transition's state under way, else of the innermost state around; Expr::none: there is none.
  virtual Expr ticks(const Environment& env, Place place) = 0;
  virtual Expr seconds(const Environment& env, Place place) = 0;
};

}  // namespace mosim::compiler
