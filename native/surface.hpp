#pragma once
// A surface over a rectangular grid, given by a matrix: the first column holds the first abscissas, the first row the second ones.

#include <string>

#include "native/abscissas.hpp"
#include "native/curves.hpp"
#include "native/matrix.hpp"

namespace mosim::native {

/// A value with its first and second derivatives.
struct Jet2 {
  double value = 0, x = 0, y = 0, xx = 0, xy = 0, yy = 0;
};

/// One coordinate of a point, brought to the grid: in which interval, where, and what goes on outside.
struct Place {
  std::size_t interval = 0;
  double at = 0;       ///< on the grid
  double beyond = 0;   ///< how far outside of it the surface is continued linearly; 0 inside, and on its edge
  bool held = false;   ///< outside, where the last value is held: no derivative in this direction
  bool is_last = false;  ///< exactly the last abscissa
  bool outside = false;  ///< or on its edge, on the way out
};

class Surface {
 public:
  /// ContinuousDerivative: H. Akima, A method of bivariate interpolation and smooth surface fitting based on local procedures,
  /// Comm. ACM 17 (1974), bicubic; with one abscissa in a direction the surface is constant there.
  /// Errors: fewer than two rows or columns, abscissas that do not increase, a smoothness that is not defined for surfaces.
  Surface(Matrix table, Smoothness smoothness, std::string name);

  Abscissas x() const { return {table_.values.data() + table_.columns, table_.columns, table_.rows - 1}; }
  Abscissas y() const { return {table_.values.data() + 1, 1, table_.columns - 1}; }
  const std::string& name() const { return name_; }

  Jet2 at(const Place& x, const Place& y) const;

 private:
  double z(std::size_t i, std::size_t j) const { return table_(i + 1, j + 1); }
  Jet2 constant(const Place& x, const Place& y) const;
  Jet2 linear(const Place& x, const Place& y) const;
  Jet2 cubic(const Place& x, const Place& y) const;
  void find_slopes();

  Matrix table_;
  Smoothness smoothness_;
  std::string name_;
  std::vector<double> slopes_x_, slopes_y_, twists_;  // at the grid's points, row by row; of ContinuousDerivative alone
};

}  // namespace mosim::native
