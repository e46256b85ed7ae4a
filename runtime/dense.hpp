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
};

DenseMatrix make_dense(std::size_t n);

/// Factorises in place. Returns n, or the first column whose pivot vanishes: the matrix is singular.
std::size_t factorise(DenseMatrix& matrix);

/// Solves in place; the matrix is factorised.
void solve(const DenseMatrix& matrix, double* right_side);

}  // namespace mosim::runtime
