#pragma once
// Nonlinear blocks.

#include <functional>

#include "runtime/machine.hpp"

namespace mosim::runtime {

/// Damped Newton with the natural monotonicity test (Deuflhard, Newton Methods for Nonlinear Problems, 3.3), from what the
/// unknowns hold. Where they converge linearly, as at a multiple root, steps are stretched to the root (Ortega and
/// Rheinboldt, Iterative Solution of Nonlinear Equations in Several Variables, 10.2).
Outcome newton(Machine& machine, Index block, Entry at);

/// The same from other starts, with KINSOL in between: the guess itself, then farther and farther from it. The unknowns
/// hold the guess, and hold it again after a failure. What it converges to counts if `is_solution` says so of what memory
/// holds; if nothing does, the last one stays.
Outcome newton_from_elsewhere(Machine& machine, Index block, Entry at, const std::function<bool()>& is_solution);

}  // namespace mosim::runtime
