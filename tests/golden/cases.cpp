#include "tests/golden/cases.hpp"

#include <cmath>
#include <memory>
#include <ostream>

namespace mosim::golden {

std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.name; }

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const auto part : {basic_cases, ball_cases, continuous_cases, control_cases, clocked_cases, hybrid_cases, lesson_cases})
    for (Case& c : part()) all.push_back(std::move(c));
  return all;
}

std::function<State(double t)> follow(RightSide f, State x) {
  const auto point = std::make_shared<Point>(Point{0, x});
  return [f = std::move(f), x = std::move(x), point](double t) {
    if (t < point->t) *point = {0, x};
    *point = integrate(f, *point, t);
    return point->x;
  };
}

State rlc(double t) {
  // u = V - Vb obeys u'' + 2*a*u' + u/(L*C) = 0 with u(0) = -Vb, u'(0) = 0.
  constexpr double Vb = 24, L = 1, R = 100, C = 1e-3;
  const double a = 1 / (2 * R * C), w = std::sqrt(1 / (L * C) - a * a);
  const double decay = Vb * std::exp(-a * t);
  const double V = Vb - decay * (std::cos(w * t) + a / w * std::sin(w * t));
  const double i_C = C * decay * (w + a * a / w) * std::sin(w * t);
  return {V, V / R + i_C, V / R, i_C};
}

void two_inertias(double, const State& x, State& dx) {
  constexpr double J1 = 0.4, J2 = 1, c1 = 11, c2 = 5, d1 = 0.2, d2 = 1;
  const double spring = c1 * (x[1] - x[0]) + d1 * (x[3] - x[2]);
  dx = {x[2], x[3], spring / J1, (-spring - c2 * x[1] - d2 * x[3]) / J2};
}

std::vector<double> ticks(double first, double step, double stop) {
  std::vector<double> instants;
  for (int k = 0; first + k * step <= stop; ++k) instants.push_back(first + k * step);
  return instants;
}

}  // namespace mosim::golden
