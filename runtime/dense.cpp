#include "runtime/dense.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace mosim::runtime {

DenseMatrix make_dense(std::size_t n) {
  DenseMatrix result;
  result.n = n;
  result.values.assign(n * n, 0.0);
  result.pivots.assign(n, 0);
  result.row_scale.assign(n, 0.0);
  return result;
}

std::size_t factorise(DenseMatrix& m) {
  const std::size_t n = m.n;
  for (std::size_t i = 0; i < n; ++i) {
    double scale = 0;
    for (std::size_t j = 0; j < n; ++j) scale = std::max(scale, std::abs(m.at(i, j)));
    m.row_scale[i] = scale;
  }
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    double best = -1;
    for (std::size_t i = k; i < n; ++i) {
      const double size = m.row_scale[i] > 0 ? std::abs(m.at(i, k)) / m.row_scale[i] : 0;
      if (size > best) best = size, pivot = i;
    }
    if (!(best > 1e-14)) return k;
    m.pivots[k] = pivot;
    if (pivot != k) {
      for (std::size_t j = 0; j < n; ++j) std::swap(m.at(k, j), m.at(pivot, j));
      std::swap(m.row_scale[k], m.row_scale[pivot]);
    }
    const double inverse = 1 / m.at(k, k);
    for (std::size_t i = k + 1; i < n; ++i) m.at(i, k) *= inverse;
    for (std::size_t j = k + 1; j < n; ++j) {
      const double factor = m.at(k, j);
      if (factor == 0) continue;
      for (std::size_t i = k + 1; i < n; ++i) m.at(i, j) -= m.at(i, k) * factor;
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
  for (std::size_t k = 0; k < rank; ++k) {
    if (m.pivots[k] != k) std::swap(x[k], x[m.pivots[k]]);
    for (std::size_t i = k + 1; i < n; ++i) x[i] -= at(i, k) * x[k];
  }
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
