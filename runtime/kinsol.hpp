#pragma once
// Nonlinear blocks that damped Newton does not solve: KINSOL with line search.

#include "runtime/machine.hpp"

namespace mosim::runtime {

/// Starts at `start` (n numbers). True: memory holds what may be a solution: Newton decides.
bool solve_with_kinsol(Machine& machine, Index block, const double* start);

}  // namespace mosim::runtime
