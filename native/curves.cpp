#include "native/curves.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "native/call.hpp"
#include "native/say.hpp"

namespace mosim::native {
namespace {

std::optional<Slope> slope_of(Smoothness smoothness) {
  switch (smoothness) {
    case Smoothness::ContinuousDerivative: return Slope::akima;
    case Smoothness::MonotoneContinuousDerivative1: return Slope::fritsch_butland;
    case Smoothness::MonotoneContinuousDerivative2: return Slope::steffen;
    case Smoothness::ModifiedContinuousDerivative: return Slope::modified_akima;
    default: return std::nullopt;
  }
}

}  // namespace

Smoothness smoothness(long long value) {
  if (value < 1 || value > 6) throw Error("smoothness = " + std::to_string(value) + " is no value of Modelica.Blocks.Types.Smoothness, which has 6");
  return static_cast<Smoothness>(value);
}

Extrapolation extrapolation(long long value) {
  if (value < 1 || value > 4)
    throw Error("extrapolation = " + std::to_string(value) + " is no value of Modelica.Blocks.Types.Extrapolation, which has 4");
  return static_cast<Extrapolation>(value);
}

bool is_spline(Smoothness smoothness) { return slope_of(smoothness).has_value(); }

double to_period(double x, double first, double last) {
  const double period = last - first;
  if (x > last) return std::clamp(x - std::ceil((x - last) / period) * period, first, last);
  if (x < first) return std::clamp(x + std::ceil((first - x) / period) * period, first, last);
  return x;
}

Curves::Curves(Matrix table, std::span<const double> columns, Smoothness smoothness, bool jumps, std::string name)
    : table_(std::move(table)), smoothness_(smoothness), name_(std::move(name)) {
  const std::size_t n = table_.rows;
  if (n == 0 || table_.columns == 0) throw Error(name_ + " is empty: " + say_size(n, table_.columns));
  for (const double column : columns) {
    if (!(column >= 1 && column <= static_cast<double>(table_.columns)))
      throw Error("column " + say(column) + " of " + name_ + " is to be interpolated, which has the columns 1 to " + std::to_string(table_.columns));
    columns_.push_back(static_cast<std::size_t>(column) - 1);
  }
  if (table_.columns < 2 && n > 1) throw Error(name_ + " has one column: beside the abscissas it needs a column to be interpolated");
  const std::optional<Slope> slope = slope_of(smoothness_);
  const Abscissas x = abscissas();
  for (std::size_t i = 0; i < n; ++i) {
    if (!std::isfinite(x[i])) throw Error(name_ + ": the abscissa in row " + std::to_string(i + 1) + " is " + say(x[i]));
    if (i == 0 || x[i - 1] < x[i]) continue;
    if (jumps && !slope && x[i - 1] == x[i]) continue;
    throw Error(name_ + ": the abscissas in the first column have to " + (jumps && !slope ? "increase or stay" : "increase") + ", but row " +
                std::to_string(i) + " has " + say(x[i - 1]) + " and row " + std::to_string(i + 1) + " has " + say(x[i]));
  }
  if (!slope || n < 2) return;
  std::vector<double> secants(n - 1), distances(n - 1);
  for (std::size_t i = 0; i + 1 < n; ++i) distances[i] = x[i + 1] - x[i];
  slopes_.reserve(count());
  for (std::size_t c = 0; c < count(); ++c) {
    for (std::size_t i = 0; i + 1 < n; ++i) secants[i] = (ordinate(c, i + 1) - ordinate(c, i)) / distances[i];
    slopes_.push_back(slopes(*slope, secants, distances));
  }
}

std::size_t Curves::curve(long long number) const {
  if (number < 1 || number > static_cast<long long>(count()))
    throw Error("output " + std::to_string(number) + " of " + name_ + " is asked for, which has " + std::to_string(count()));
  return static_cast<std::size_t>(number - 1);
}

Jet Curves::inside(std::size_t curve, std::size_t i, double x) const {
  const double y0 = ordinate(curve, i), y1 = ordinate(curve, i + 1);
  if (smoothness_ == Smoothness::ConstantSegments) return {y0, 0, 0};
  const Abscissas at = abscissas();
  const double h = at[i + 1] - at[i], u = x - at[i];
  if (!(h > 0)) return {y1, 0, 0};
  if (!slopes_.empty()) return hermite(y0, y1, slopes_[curve][i], slopes_[curve][i + 1], h, u);
  const double secant = (y1 - y0) / h;
  return {u == h ? y1 : y0 + u * secant, secant, 0};
}

Jet Curves::beyond(std::size_t curve, bool last, double x) const {
  const std::size_t i = last ? rows() - 2 : 0, end = last ? rows() - 1 : 0;
  const Abscissas at = abscissas();
  const double h = at[i + 1] - at[i];
  double slope = 0;
  if (!slopes_.empty()) slope = slopes_[curve][end];
  else if (h > 0) slope = (ordinate(curve, i + 1) - ordinate(curve, i)) / h;
  return {ordinate(curve, end) + (x - at[end]) * slope, slope, 0};
}

}  // namespace mosim::native
