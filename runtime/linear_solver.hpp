#pragma once
// Linear solvers for SUNDIALS by those of algebraic loops: full matrices by panels, where its own goes by single columns, and sparse ones with
// indices of half the size.

#include <cstddef>

#include "runtime/sparse.hpp"
#include "runtime/sundials.hpp"

namespace mosim::runtime {

/// Of n unknowns; its matrices are SUNDenseMatrix.
LinearSolver make_dense_solver(std::size_t n, const Context& context);

/// Its matrices are SUNSparseMatrix by columns, with this pattern.
LinearSolver make_sparse_solver(const Pattern& pattern, const Context& context);

}  // namespace mosim::runtime
