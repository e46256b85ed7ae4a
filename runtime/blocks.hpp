#pragma once
// Equations that must be solved together: linear ones directly, nonlinear ones by damped Newton, then KINSOL.

#include "runtime/machine.hpp"

namespace mosim::runtime {

/// Solves a block for its unknowns and leaves memory consistent with them. With width > 0 the tangents of all that
/// the block computes follow too: J dz = -dr (implicit differentiation). `at` is the solve instruction.
Outcome solve_block(Machine& machine, Index block, unsigned width, double* tangent, Entry at);

}  // namespace mosim::runtime
