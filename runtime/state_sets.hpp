#pragma once
// States that are chosen during the run (Program::state_sets).

#include "runtime/machine.hpp"

namespace mosim::runtime {

/// Chooses other states where the present ones determine the rest badly: where the determinant of the other columns of
/// the constraints' coefficients is far smaller than it could be. Values must be consistent, and stay so: the new
/// states take theirs from the candidates. True if any set has changed; then the integrator must start anew.
bool reselect_states(Machine& machine);

}  // namespace mosim::runtime
