#pragma once
// Linear solvers for SUNDIALS by those of algebraic loops: full matrices by panels, where its own goes by single columns, and sparse ones with
// indices of half the size.

#include <cstddef>
#include <functional>

#include "runtime/sparse.hpp"
#include "runtime/sundials.hpp"

namespace mosim::runtime {

/// Of n unknowns; its matrices are SUNDenseMatrix.
LinearSolver make_dense_solver(std::size_t n, const Context& context);

/// Writes what an error of each unknown weighs, as 1/tolerance.
using Weights = std::function<void(double*)>;

/// Its matrices are SUNSparseMatrix by columns, with this pattern. With weights, entries that count for nothing beside them may be left out,
/// as an iteration that looks at its residuals allows: all of a row come to 1e-6 at most of what its unknown weighs.
LinearSolver make_sparse_solver(const Pattern& pattern, const Context& context, Weights weights = {});
/// How many entries the matrix has that it factorised last.
std::size_t entries_in_use(const LinearSolver& sparse);

}  // namespace mosim::runtime
