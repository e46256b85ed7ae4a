#pragma once
// Curves over common abscissas, given by a matrix: the first column holds the abscissas, some of the others the ordinates
// (Modelica.Blocks.Tables, CombiTimeTable).

#include <span>
#include <string>
#include <vector>

#include "native/abscissas.hpp"
#include "native/matrix.hpp"
#include "native/slopes.hpp"

namespace mosim::native {

/// Modelica.Blocks.Types.Smoothness, in its order.
enum class Smoothness {
  LinearSegments = 1,
  ContinuousDerivative,
  ConstantSegments,
  MonotoneContinuousDerivative1,
  MonotoneContinuousDerivative2,
  ModifiedContinuousDerivative
};
/// Modelica.Blocks.Types.Extrapolation, in its order.
enum class Extrapolation { HoldLastPoint = 1, LastTwoPoints, Periodic, NoExtrapolation };

/// Errors: a number that is no value of the enumeration.
Smoothness smoothness(long long value);
Extrapolation extrapolation(long long value);
bool is_spline(Smoothness smoothness);

/// The place in [first, last] of which x is a repetition; what is inside stays; NaN for an infinite x.
double to_period(double x, double first, double last);

class Curves {
 public:
  /// `columns`: the columns of the ordinates, from 1. `name`: of the table, for messages.
  /// `jumps`: the same abscissa may come more than once, unless the curve is a spline.
  /// Errors: a table without rows, a column that is not there, abscissas that do not increase, a number that is not finite.
  Curves(Matrix table, std::span<const double> columns, Smoothness smoothness, bool jumps, std::string name);

  std::size_t count() const { return columns_.size(); }
  /// The curve with a number from 1; an Error, if there is none.
  std::size_t curve(long long number) const;
  std::size_t rows() const { return table_.rows; }
  Abscissas abscissas() const { return {table_.values.data(), table_.columns, table_.rows}; }
  Smoothness smoothness() const { return smoothness_; }
  const std::string& name() const { return name_; }

  /// The ordinate of a row; curve: from 0.
  double ordinate(std::size_t curve, std::size_t row) const { return table_(row, columns_[curve]); }
  /// What the interval between rows i and i+1 says at x, also beyond its ends. It needs two rows.
  Jet inside(std::size_t curve, std::size_t i, double x) const;
  /// The straight line that goes on from the first or the last row with the derivative there; between the two
  /// outermost rows, where the curve is no spline.
  Jet beyond(std::size_t curve, bool last, double x) const;

 private:
  Matrix table_;
  std::vector<std::size_t> columns_;
  Smoothness smoothness_;
  std::string name_;
  std::vector<std::vector<double>> slopes_;  // by curve; of splines alone
};

}  // namespace mosim::native
