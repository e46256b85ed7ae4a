#pragma once
// Algebraic loops with few iteration variables.

#include "compiler/analyse/solve.hpp"

namespace mosim::compiler::dae {

/// Tears a loop of as many equations as unknowns: some unknowns are guessed, the others follow one by one, and the
/// equations left over are residuals. `equations` are numbers in `all`. After a guess everything that it settles is
/// settled; the next guess is the unknown in most of the equations left (Cellier's rule).
Block::Together tear(Analysis& a, Solver& solver, const std::vector<Equation>& all, const std::vector<std::uint32_t>& equations,
                     const std::vector<Quantity>& unknowns);

}  // namespace mosim::compiler::dae
