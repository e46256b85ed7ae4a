#include "native/slopes.hpp"

#include <algorithm>
#include <cmath>

namespace mosim::native {
namespace {

Weights normalised(double left, double right) {
  const double sum = left + right;
  return sum > 0 ? Weights{left / sum, right / sum} : Weights{0.5, 0.5};
}

double modified_akima(double far_left, double left, double right, double far_right) {
  const Weights w = normalised(std::abs(far_right - right) + std::abs(far_right + right) / 2,
                               std::abs(left - far_left) + std::abs(left + far_left) / 2);
  return w.left * left + w.right * right;
}

double fritsch_butland(double left, double right, double h_left, double h_right) {
  if (left == 0 || right == 0 || (left > 0) != (right > 0)) return 0;
  return 3 * (h_left + h_right) / ((2 * h_right + h_left) / left + (2 * h_left + h_right) / right);
}

double steffen(double left, double right, double h_left, double h_right) {
  if (left == 0 || right == 0 || (left > 0) != (right > 0)) return 0;
  const double parabola = (left * h_right + right * h_left) / (h_left + h_right);
  return std::copysign(std::min({2 * std::abs(left), 2 * std::abs(right), std::abs(parabola)}), left);
}

}  // namespace

Weights akima_weights(double far_left, double left, double right, double far_right) {
  return normalised(std::abs(far_right - right), std::abs(left - far_left));
}

std::vector<double> continued(std::span<const double> secants) {
  const std::size_t n = secants.size();
  const double first = n > 1 ? secants[1] - secants[0] : 0, last = n > 1 ? secants[n - 1] - secants[n - 2] : 0;
  std::vector<double> result;
  result.reserve(n + 4);
  result.push_back(secants[0] - 2 * first);
  result.push_back(secants[0] - first);
  for (const double secant : secants) result.push_back(secant);
  result.push_back(secants[n - 1] + last);
  result.push_back(secants[n - 1] + 2 * last);
  return result;
}

std::vector<double> slopes(Slope kind, std::span<const double> secants, std::span<const double> distances) {
  const std::size_t n = secants.size() + 1;
  std::vector<double> result(n);
  if (kind == Slope::akima || kind == Slope::modified_akima) {
    const std::vector<double> d = continued(secants);
    for (std::size_t i = 0; i < n; ++i) {
      if (kind == Slope::modified_akima) {
        result[i] = modified_akima(d[i], d[i + 1], d[i + 2], d[i + 3]);
      } else {
        const Weights w = akima_weights(d[i], d[i + 1], d[i + 2], d[i + 3]);
        result[i] = w.left * d[i + 1] + w.right * d[i + 2];
      }
    }
    return result;
  }
  result.front() = secants.front();
  result.back() = secants.back();
  const auto mean = kind == Slope::steffen ? steffen : fritsch_butland;
  for (std::size_t i = 1; i + 1 < n; ++i) result[i] = mean(secants[i - 1], secants[i], distances[i - 1], distances[i]);
  return result;
}

Jet hermite(double y0, double y1, double s0, double s1, double h, double u) {
  const double secant = (y1 - y0) / h;
  const double c2 = (3 * secant - 2 * s0 - s1) / h, c3 = (s0 + s1 - 2 * secant) / (h * h);
  return {y0 + u * (s0 + u * (c2 + u * c3)), s0 + u * (2 * c2 + u * 3 * c3), 2 * c2 + u * 6 * c3};
}

}  // namespace mosim::native
