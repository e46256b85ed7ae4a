#pragma once
// Why equations that must be solved together have no solution, or more than one, in the terms of their source.

#include <optional>
#include <string>

#include "runtime/machine.hpp"

namespace mosim::runtime {

/// Equations of a block, nothing torn out, that say nothing of its unknowns at what memory holds, or whose left sides are a
/// combination of each other's: which, and whether they agree. Empty if the Jacobian shows no such thing.
std::optional<std::string> explain_singular(Machine& machine, Index block);

/// Where the equations of a nonlinear block come no closer: the least sum of squares of their residuals near what memory holds, if it is
/// not 0 (Levenberg-Marquardt: Nocedal and Wright, Numerical Optimization, 10.3). Empty if there is none, or the block is large.
std::optional<std::string> explain_no_solution(Machine& machine, Index block);

}  // namespace mosim::runtime
