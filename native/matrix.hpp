#pragma once
// A matrix of numbers, row by row.

#include <cstddef>
#include <vector>

namespace mosim::native {

struct Matrix {
  std::size_t rows = 0, columns = 0;
  std::vector<double> values;

  double operator()(std::size_t row, std::size_t column) const { return values[row * columns + column]; }
};

}  // namespace mosim::native
