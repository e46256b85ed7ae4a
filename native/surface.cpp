#include "native/surface.hpp"

#include <array>
#include <cmath>
#include <utility>

#include "native/call.hpp"
#include "native/say.hpp"
#include "native/slopes.hpp"

namespace mosim::native {
namespace {

void check(const Abscissas& x, const std::string& name, const char* where, const char* line) {
  for (std::size_t i = 0; i < x.count; ++i) {
    if (!std::isfinite(x[i])) throw Error(name + ": the abscissa in " + line + " " + std::to_string(i + 2) + " of the " + where + " is " + say(x[i]));
    if (i > 0 && !(x[i - 1] < x[i]))
      throw Error(name + ": the abscissas in the " + where + " have to increase, but " + line + " " + std::to_string(i + 1) + " has " + say(x[i - 1]) +
                  " and " + line + " " + std::to_string(i + 2) + " has " + say(x[i]));
  }
}

/// How much each of the four values (at both ends, and slopes at both ends) counts for a cubic at a place, and its derivatives.
struct Basis {
  std::array<double, 4> value, first, second;
};

/// Hermite's polynomials over a distance h, at u from the beginning; beyond the end in question they are straight lines.
Basis basis(double h, double u, bool outside, double beyond) {
  const double t = u / h;
  Basis b;
  b.value = {(1 + 2 * t) * (1 - t) * (1 - t), t * t * (3 - 2 * t), h * t * (1 - t) * (1 - t), h * t * t * (t - 1)};
  b.first = {6 * t * (t - 1) / h, 6 * t * (1 - t) / h, (1 - t) * (1 - 3 * t), t * (3 * t - 2)};
  b.second = {(12 * t - 6) / (h * h), (6 - 12 * t) / (h * h), (6 * t - 4) / h, (6 * t - 2) / h};
  if (outside) {
    for (std::size_t k = 0; k < 4; ++k) b.value[k] += beyond * b.first[k];
    b.second = {};
  }
  return b;
}

Basis basis(const Abscissas& x, const Place& place) {
  if (x.count == 1) return {{1, 0, 0, 0}, {}, {}};
  Basis b = basis(x[place.interval + 1] - x[place.interval], place.at - x[place.interval], place.outside, place.beyond);
  if (place.held) b.first = b.second = {};
  return b;
}

}  // namespace

Surface::Surface(Matrix table, Smoothness smoothness, std::string name)
    : table_(std::move(table)), smoothness_(smoothness), name_(std::move(name)) {
  if (table_.rows < 2 || table_.columns < 2)
    throw Error(name_ + " is " + say_size(table_.rows, table_.columns) +
                ": for a look-up in two dimensions it needs a column and a row of abscissas and at least one value");
  if (smoothness_ != Smoothness::LinearSegments && smoothness_ != Smoothness::ContinuousDerivative && smoothness_ != Smoothness::ConstantSegments)
    throw Error(name_ + ": a look-up in two dimensions knows the smoothness LinearSegments, ContinuousDerivative and ConstantSegments only");
  check(x(), name_, "first column", "row");
  check(y(), name_, "first row", "column");
  if (smoothness_ == Smoothness::ContinuousDerivative) find_slopes();
}

void Surface::find_slopes() {
  const Abscissas xs = x(), ys = y();
  const std::size_t n = xs.count, m = ys.count;
  slopes_x_.assign(n * m, 0);
  slopes_y_.assign(n * m, 0);
  twists_.assign(n * m, 0);
  // The secants with two more beyond each end, along x for each j, along y for each i.
  std::vector<std::vector<double>> along_x(n > 1 ? m : 0), along_y(m > 1 ? n : 0);
  std::vector<double> secants;
  for (std::size_t j = 0; j < along_x.size(); ++j) {
    secants.resize(n - 1);
    for (std::size_t i = 0; i + 1 < n; ++i) secants[i] = (z(i + 1, j) - z(i, j)) / (xs[i + 1] - xs[i]);
    along_x[j] = continued(secants);
  }
  for (std::size_t i = 0; i < along_y.size(); ++i) {
    secants.resize(m - 1);
    for (std::size_t j = 0; j + 1 < m; ++j) secants[j] = (z(i, j + 1) - z(i, j)) / (ys[j + 1] - ys[j]);
    along_y[i] = continued(secants);
  }
  const auto weights = [](const std::vector<double>& d, std::size_t i) { return akima_weights(d[i], d[i + 1], d[i + 2], d[i + 3]); };
  for (std::size_t j = 0; j < along_x.size(); ++j)
    for (std::size_t i = 0; i < n; ++i) {
      const Weights w = weights(along_x[j], i);
      slopes_x_[i * m + j] = w.left * along_x[j][i + 1] + w.right * along_x[j][i + 2];
    }
  for (std::size_t i = 0; i < along_y.size(); ++i)
    for (std::size_t j = 0; j < m; ++j) {
      const Weights w = weights(along_y[i], j);
      slopes_y_[i * m + j] = w.left * along_y[i][j + 1] + w.right * along_y[i][j + 2];
    }
  if (n < 2 || m < 2) return;
  // The twist: the change along y of the secants along x left and right of a point, weighted in both directions.
  std::vector<double> left(m - 1), right(m - 1);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j + 1 < m; ++j) {
      left[j] = (along_x[j + 1][i + 1] - along_x[j][i + 1]) / (ys[j + 1] - ys[j]);
      right[j] = (along_x[j + 1][i + 2] - along_x[j][i + 2]) / (ys[j + 1] - ys[j]);
    }
    const std::vector<double> l = continued(left), r = continued(right);
    for (std::size_t j = 0; j < m; ++j) {
      const Weights wx = weights(along_x[j], i), wy = weights(along_y[i], j);
      twists_[i * m + j] = wx.left * (wy.left * l[j + 1] + wy.right * l[j + 2]) + wx.right * (wy.left * r[j + 1] + wy.right * r[j + 2]);
    }
  }
}

Jet2 Surface::at(const Place& x, const Place& y) const {
  if (smoothness_ == Smoothness::ConstantSegments && !x.outside && !y.outside) return constant(x, y);
  return smoothness_ == Smoothness::ContinuousDerivative ? cubic(x, y) : linear(x, y);
}

Jet2 Surface::constant(const Place& x, const Place& y) const {
  const std::size_t i = x.interval + (x.is_last && this->x().count > 1 ? 1 : 0), j = y.interval + (y.is_last && this->y().count > 1 ? 1 : 0);
  return {z(i, j)};
}

Jet2 Surface::linear(const Place& px, const Place& py) const {
  const Abscissas xs = x(), ys = y();
  const std::size_t i = px.interval, j = py.interval, i1 = xs.count > 1 ? i + 1 : i, j1 = ys.count > 1 ? j + 1 : j;
  const double hx = xs.count > 1 ? xs[i1] - xs[i] : 1, hy = ys.count > 1 ? ys[j1] - ys[j] : 1;
  const double s = xs.count > 1 ? (px.at + px.beyond - xs[i]) / hx : 0, t = ys.count > 1 ? (py.at + py.beyond - ys[j]) / hy : 0;
  const double z00 = z(i, j), z10 = z(i1, j), z01 = z(i, j1), z11 = z(i1, j1);
  const auto mix = [](double a, double b, double w) { return w == 1 ? b : a + w * (b - a); };
  Jet2 result;
  result.value = mix(mix(z00, z10, s), mix(z01, z11, s), t);
  if (!px.held) result.x = mix(z10 - z00, z11 - z01, t) / hx;
  if (!py.held) result.y = mix(z01 - z00, z11 - z10, s) / hy;
  if (!px.held && !py.held) result.xy = (z11 - z10 - z01 + z00) / (hx * hy);
  return result;
}

Jet2 Surface::cubic(const Place& px, const Place& py) const {
  const Abscissas xs = x(), ys = y();
  const Basis bx = basis(xs, px), by = basis(ys, py);
  const std::size_t m = ys.count;
  Jet2 result;
  for (std::size_t a = 0; a < 2; ++a)
    for (std::size_t b = 0; b < 2; ++b) {
      if ((a == 1 && xs.count == 1) || (b == 1 && m == 1)) continue;
      const std::size_t i = px.interval + a, j = py.interval + b, at = i * m + j;
      const auto sum = [&](const std::array<double, 4>& x, const std::array<double, 4>& y) {
        return z(i, j) * x[a] * y[b] + slopes_x_[at] * x[a + 2] * y[b] + slopes_y_[at] * x[a] * y[b + 2] + twists_[at] * x[a + 2] * y[b + 2];
      };
      result.value += sum(bx.value, by.value);
      result.x += sum(bx.first, by.value);
      result.y += sum(bx.value, by.first);
      result.xx += sum(bx.second, by.value);
      result.xy += sum(bx.first, by.first);
      result.yy += sum(bx.value, by.second);
    }
  return result;
}

}  // namespace mosim::native
