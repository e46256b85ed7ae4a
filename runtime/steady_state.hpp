#pragma once
// The steady state that the motion from the start values comes to: a first guess for initial systems that are solved from no nearer one.

#include "runtime/machine.hpp"

namespace mosim::runtime {

/// From the start values in memory, with parameters known: steps of the implicit Euler method that grow as the states change less, up to
/// where they do not change (pseudo-transient continuation: Kelley and Keyes 1998, SIAM J. Numer. Anal. 35, 508-523). True: memory has
/// the values there of all continuous variables and unknowns of systems, and the relations theirs; everything else is as it was. False, with
/// memory as it was: there is no motion, it cannot be followed, or it does not come to rest.
bool approach_steady_state(Machine& machine);

}  // namespace mosim::runtime
