#include "runtime/dense.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "runtime/wide.hpp"

namespace mosim::runtime {

DenseMatrix make_dense(std::size_t n) {
  DenseMatrix result;
  result.n = n;
  result.values.assign(n * n, 0.0);
  result.pivots.assign(n, 0);
  result.row_scale.assign(n, 0.0);
  return result;
}

namespace {

constexpr std::size_t panel = 48;    // columns that are eliminated together
constexpr std::size_t strip = 256;   // rows whose part of a panel stays in the cache

// c -= a b for four columns of c; a has `rows` rows and `inner` columns, all matrices are n apart from column to column, and c is no part of the others.
void subtract_product(const double* a, const double* b, double* c, std::size_t rows, std::size_t inner, std::size_t n) {
  widest([=]() MOSIM_WIDE {
    double* const c0 = c;
    double* const c1 = c0 + n;
    double* const c2 = c1 + n;
    double* const c3 = c2 + n;
    std::size_t k = 0;
    for (; k + 4 <= inner; k += 4) {
      const double* const a0 = a + k * n;
      const double* const a1 = a0 + n;
      const double* const a2 = a1 + n;
      const double* const a3 = a2 + n;
      const double b00 = b[k], b10 = b[k + 1], b20 = b[k + 2], b30 = b[k + 3];
      const double b01 = b[n + k], b11 = b[n + k + 1], b21 = b[n + k + 2], b31 = b[n + k + 3];
      const double b02 = b[2 * n + k], b12 = b[2 * n + k + 1], b22 = b[2 * n + k + 2], b32 = b[2 * n + k + 3];
      const double b03 = b[3 * n + k], b13 = b[3 * n + k + 1], b23 = b[3 * n + k + 2], b33 = b[3 * n + k + 3];
      MOSIM_DISJOINT
      for (std::size_t i = 0; i < rows; ++i) {
        c0[i] = c0[i] - a0[i] * b00 - a1[i] * b10 - a2[i] * b20 - a3[i] * b30;
        c1[i] = c1[i] - a0[i] * b01 - a1[i] * b11 - a2[i] * b21 - a3[i] * b31;
        c2[i] = c2[i] - a0[i] * b02 - a1[i] * b12 - a2[i] * b22 - a3[i] * b32;
        c3[i] = c3[i] - a0[i] * b03 - a1[i] * b13 - a2[i] * b23 - a3[i] * b33;
      }
    }
    for (; k < inner; ++k)
      for (std::size_t j = 0; j < 4; ++j)
        for (std::size_t i = 0; i < rows; ++i) c[j * n + i] -= a[k * n + i] * b[j * n + k];
  });
}

// Columns first ... last of what is left, with those rows swapped that have to be. Returns n, or the column without a pivot.
std::size_t factorise_panel(DenseMatrix& m, std::size_t first, std::size_t last, double least_pivot) {
  const std::size_t n = m.n;
  for (std::size_t k = first; k < last; ++k) {
    std::size_t pivot = k;
    double best = -1;
    for (std::size_t i = k; i < n; ++i) {
      const double size = m.row_scale[i] > 0 ? std::abs(m.at(i, k)) / m.row_scale[i] : 0;
      if (size > best) best = size, pivot = i;
    }
    if (!(best > least_pivot)) return k;
    m.pivots[k] = pivot;
    if (pivot != k) {
      for (std::size_t j = 0; j < n; ++j) std::swap(m.at(k, j), m.at(pivot, j));
      std::swap(m.row_scale[k], m.row_scale[pivot]);
    }
    const double inverse = 1 / m.at(k, k);
    for (std::size_t i = k + 1; i < n; ++i) m.at(i, k) *= inverse;
    for (std::size_t j = k + 1; j < last; ++j) {
      const double factor = m.at(k, j);
      if (factor == 0) continue;
      for (std::size_t i = k + 1; i < n; ++i) m.at(i, j) -= m.at(i, k) * factor;
    }
  }
  return n;
}

}  // namespace

// By panels (Golub and Van Loan, 3.2.11 and 3.4.7): most of the work is a product of matrices.
std::size_t factorise(DenseMatrix& m, double least_pivot) {
  const std::size_t n = m.n;
  std::fill(m.row_scale.begin(), m.row_scale.end(), 0.0);
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i < n; ++i) m.row_scale[i] = std::max(m.row_scale[i], std::abs(m.at(i, j)));
  for (std::size_t first = 0; first < n; first += panel) {
    const std::size_t last = std::min(n, first + panel);
    if (const std::size_t column = factorise_panel(m, first, last, least_pivot); column != n) return column;
    for (std::size_t j = last; j < n; ++j)
      for (std::size_t k = first; k < last; ++k)
        if (const double factor = m.at(k, j); factor != 0)
          for (std::size_t i = k + 1; i < last; ++i) m.at(i, j) -= m.at(i, k) * factor;
    for (std::size_t top = last; top < n; top += strip) {
      const std::size_t rows = std::min(strip, n - top);
      std::size_t j = last;
      for (; j + 4 <= n; j += 4) subtract_product(&m.at(top, first), &m.at(first, j), &m.at(top, j), rows, last - first, n);
      for (; j < n; ++j)
        for (std::size_t k = first; k < last; ++k)
          for (std::size_t i = top; i < top + rows; ++i) m.at(i, j) -= m.at(i, k) * m.at(k, j);
    }
  }
  return n;
}

void solve(const DenseMatrix& m, double* x) {
  const std::size_t n = m.n;
  for (std::size_t k = 0; k < n; ++k)
    if (m.pivots[k] != k) std::swap(x[k], x[m.pivots[k]]);
  // Right sides are mostly zeros, those of corrections above all.
  const double* column = m.values.data();
  for (std::size_t k = 0; k < n; ++k, column += n) {
    const double value = x[k];
    if (value == 0) continue;
    for (std::size_t i = k + 1; i < n; ++i) x[i] -= column[i] * value;
  }
  for (std::size_t k = n; k-- > 0;) {
    column -= n;
    if (x[k] == 0) continue;
    const double value = x[k] /= column[k];
    for (std::size_t i = 0; i < k; ++i) x[i] -= column[i] * value;
  }
}

std::size_t factorise_completely(DenseMatrix& m, std::vector<std::size_t>& columns) {
  const std::size_t n = m.n;
  columns.resize(n);
  std::iota(columns.begin(), columns.end(), std::size_t{0});
  for (std::size_t i = 0; i < n; ++i) {
    double scale = 0;
    for (std::size_t j = 0; j < n; ++j) scale = std::max(scale, std::abs(m.at(i, j)));
    m.row_scale[i] = scale > 0 ? scale : 1;
  }
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t row = k, column = k;
    double best = -1;
    for (std::size_t j = k; j < n; ++j)
      for (std::size_t i = k; i < n; ++i)
        if (const double size = std::abs(m.at(i, j)) / m.row_scale[i]; size > best) best = size, row = i, column = j;
    if (!(best > 1e-13)) return k;
    m.pivots[k] = row;
    for (std::size_t j = 0; j < n && row != k; ++j) std::swap(m.at(k, j), m.at(row, j));
    std::swap(m.row_scale[k], m.row_scale[row]);
    for (std::size_t i = 0; i < n && column != k; ++i) std::swap(m.at(i, k), m.at(i, column));
    std::swap(columns[k], columns[column]);
    for (std::size_t i = k + 1; i < n; ++i) m.at(i, k) /= m.at(k, k);
    for (std::size_t j = k + 1; j < n; ++j)
      for (std::size_t i = k + 1; i < n; ++i) m.at(i, j) -= m.at(i, k) * m.at(k, j);
  }
  return n;
}

double solve_completely(const DenseMatrix& m, std::size_t rank, const std::vector<std::size_t>& columns, double* x) {
  const std::size_t n = m.n;
  const auto at = [&](std::size_t row, std::size_t column) { return m.values[column * n + row]; };
  // The factors stand in the order of the rows after all exchanges.
  for (std::size_t k = 0; k < rank; ++k)
    if (m.pivots[k] != k) std::swap(x[k], x[m.pivots[k]]);
  for (std::size_t k = 0; k < rank; ++k)
    for (std::size_t i = k + 1; i < n; ++i) x[i] -= at(i, k) * x[k];
  double left = 0;
  for (std::size_t i = rank; i < n; ++i) {
    left = std::max(left, std::abs(x[i]) / m.row_scale[i]);
    x[i] = 0;
  }
  for (std::size_t k = rank; k-- > 0;) {
    x[k] /= at(k, k);
    for (std::size_t i = 0; i < k; ++i) x[i] -= at(i, k) * x[k];
  }
  std::vector<double> result(n);
  for (std::size_t k = 0; k < n; ++k) result[columns[k]] = x[k];
  std::copy(result.begin(), result.end(), x);
  return left;
}

}  // namespace mosim::runtime
