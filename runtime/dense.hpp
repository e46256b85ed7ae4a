#pragma once
// Dense linear systems by LU factorisation with scaled partial pivoting (Golub and Van Loan, Matrix Computations, 3.4).

#include <cstddef>
#include <vector>

namespace mosim::runtime {

struct DenseMatrix {
  std::size_t n = 0;
  std::vector<double> values;        // column-major, n * n; after factorise the two triangles
  std::vector<std::size_t> pivots;   // after factorise
  std::vector<double> row_scale;
  double& at(std::size_t row, std::size_t column) { return values[column * n + row]; }
  double at(std::size_t row, std::size_t column) const { return values[column * n + row]; }
};

DenseMatrix make_dense(std::size_t n);

/// What factorising costs, in operations of a sparse factorisation (factorisation_cost(SparseSystem&)): the 2/3 n^3 of it are several times as fast.
inline double factorisation_cost(std::size_t n) { return 0.1 * double(n) * double(n) * double(n); }

/// Factorises in place. Returns n, or the first column whose pivot is no larger than that part of its row: the matrix is singular.
std::size_t factorise(DenseMatrix& matrix, double least_pivot = 1e-14);

/// Factorises in place whatever its rank is, with complete pivoting (3.4.8 there). Returns the rank; `columns` gets the
/// columns in the order of their pivots, those without one last.
std::size_t factorise_completely(DenseMatrix& matrix, std::vector<std::size_t>& columns);

/// Solves in place what `factorise_completely` has left; unknowns without a pivot get 0. Returns by how much the equations
/// contradict each other: the largest part, by the size of its row, that no unknown can make 0.
double solve_completely(const DenseMatrix& matrix, std::size_t rank, const std::vector<std::size_t>& columns, double* right_side);

/// Solves in place; the matrix is factorised.
void solve(const DenseMatrix& matrix, double* right_side);

}  // namespace mosim::runtime
