#include "tests/golden/integrator.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace mosim::golden {
namespace {

// The tableau of the paper's RK5(4)7M; the last stage is the first of the next step.
constexpr std::array<double, 7> c{0, 1. / 5, 3. / 10, 4. / 5, 8. / 9, 1, 1};
constexpr double a[7][6] = {
    {},
    {1. / 5},
    {3. / 40, 9. / 40},
    {44. / 45, -56. / 15, 32. / 9},
    {19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729},
    {9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656},
    {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84},
};
constexpr std::array<double, 7> b4{5179. / 57600, 0, 7571. / 16695, 393. / 640, -92097. / 339200, 187. / 2100, 1. / 40};

struct Step {
  State x;
  double error;  // of the step, in units of the tolerance
};

Step step(const RightSide& f, double t, const State& x, double h, double tolerance) {
  const std::size_t n = x.size();
  std::array<State, 7> k;
  State y(n);
  for (std::size_t s = 0; s < 7; ++s) {
    for (std::size_t i = 0; i < n; ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < s; ++j) sum += a[s][j] * k[j][i];
      y[i] = x[i] + h * sum;
    }
    k[s].resize(n);
    f(t + c[s] * h, y, k[s]);
  }
  // y is now the result of fifth order: its weights are those of the last stage.
  double worst = 0;
  for (std::size_t i = 0; i < n; ++i) {
    double e = 0;
    for (std::size_t s = 0; s < 7; ++s) e += ((s < 6 ? a[6][s] : 0) - b4[s]) * k[s][i];
    const double scale = tolerance * (1 + std::max(std::fabs(x[i]), std::fabs(y[i])));
    worst = std::max(worst, std::fabs(h * e) / scale);
  }
  return {std::move(y), worst};
}

}  // namespace

Point integrate(const RightSide& f, Point from, double t1, const Guard& guard, double tolerance) {
  Point p{from.t, std::move(from.x)};
  bool armed = guard && guard(p.t, p.x) < 0;
  double h = std::min(1e-3, t1 - p.t);
  while (p.t < t1) {
    const bool last = p.t + h >= t1;
    if (last) h = t1 - p.t;
    Step s = step(f, p.t, p.x, h, tolerance);
    if (s.error > 1 && h > 1e-13) {
      h *= std::max(0.2, 0.9 * std::pow(s.error, -0.2));
      continue;
    }
    if (guard) {
      const bool beyond = guard(p.t + h, s.x) >= 0;
      if (armed && beyond) {
        double low = 0, high = h;
        while (high - low > 1e-16 * std::max(1.0, std::fabs(p.t)) && low + (high - low) / 2 > low) {
          const double middle = low + (high - low) / 2;
          Step m = step(f, p.t, p.x, middle, tolerance);
          if (guard(p.t + middle, m.x) >= 0) {
            high = middle;
            s = std::move(m);
          } else {
            low = middle;
          }
        }
        return {p.t + high, std::move(s.x), true};
      }
      armed = armed || !beyond;
    }
    p.t = last ? t1 : p.t + h;
    p.x = std::move(s.x);
    h *= std::min(5.0, 0.9 * std::pow(std::max(s.error, 1e-10), -0.2));
    h = std::min(h, 0.05);  // so that a guard cannot change sign twice within one step of the slow models here
  }
  return p;
}

}  // namespace mosim::golden
