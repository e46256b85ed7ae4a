#pragma once
// States that are chosen during the run (Program::state_sets).

#include "runtime/machine.hpp"
#include "runtime/simulate.hpp"

namespace mosim::runtime {

/// Chooses other states where the present ones determine the rest badly: where the determinant of the other columns of
/// the constraints' coefficients is far smaller than it could be. Values must be consistent, and stay so: the new
/// states take theirs from the candidates. True if any set has changed; then the integrator must start anew.
bool reselect_states(Machine& machine);
/// Whether it would: only the sets' coefficients are looked at.
bool wants_other_states(const Machine& machine);

/// How well the states of those sets whose states are fixed determine the others at a consistent point: the logarithm of
/// their determinant's part of the best choice, the worst set's; 0 without such sets. `worst` is the set's number.
double fixed_determinant(const Machine& machine, std::size_t& worst);

/// Below this, two branches of the solution of a constraint meet (2e-3), or may do so within a step (0.3).
inline constexpr double branches_meet = -6.2, branches_approach = -1.2;

/// That they have met.
Message lost_branch(const Machine& machine, std::size_t set);

}  // namespace mosim::runtime
