#pragma once
// What the methods that solve a block share: its residuals, its Jacobian and the factors of that, its working memory.

#include <string>

#include "runtime/machine.hpp"

namespace mosim::runtime {

/// The working memory of a block, made before its first use.
BlockState& make_state(Machine& machine, Index block);
inline BlockState& state_of(Machine& machine, Index block) {
  BlockState& state = machine.blocks[block];
  return state.is_made ? state : make_state(machine, block);
}

/// Unknowns between memory and an array.
void load(Machine& machine, const Block& block, const double* unknowns);
void save(const Machine& machine, const Block& block, double* unknowns);

/// What a block reads has changed: its code runs from its beginning the next time.
void forget_invariants(Machine& machine, Index block);

/// Residuals and their Jacobian by the unknowns at what memory holds now: into BlockState::residual and the matrix.
Outcome evaluate_jacobian(Machine& machine, Index block);
/// Residuals at the given unknowns.
Outcome evaluate_residual(Machine& machine, Index block, const double* unknowns, double* residual);

/// Factorises the Jacobian in the block's state. Returns the unknown without a pivot, or n.
std::size_t factorise_jacobian(Machine& machine, Index block);
/// A linear block whose matrix is the one that was factorised last: its coefficients hold the same values as then.
bool factors_stand(const Machine& machine, Index block);
/// Residuals at what memory holds now, and the factors of the Jacobian there; those that stand are kept. `column`: the unknown
/// without a pivot, or n.
Outcome evaluate_and_factorise(Machine& machine, Index block, std::size_t& column);
/// Solves in place; the Jacobian is factorised.
void solve_jacobian(BlockState& state, double* right_side);

/// max(|unknown|, nominal), into BlockState::scale.
void set_scale(BlockState& state, const Block& block);
/// The largest part, each by its scale; NaN does not get lost.
double scaled_size(const std::vector<double>& step, const std::vector<double>& scale);

/// Notes what failed, for the message.
Outcome fail(Machine& machine, Index block, Fault fault, Entry at, std::string detail);
Outcome singular(Machine& machine, Index block, Entry at, std::size_t column);
/// The unknowns with their values, for the message.
std::string values_of(const Machine& machine, const Block& block);

}  // namespace mosim::runtime
