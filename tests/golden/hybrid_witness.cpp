#include "tests/golden/hybrid_witness.hpp"

#include <cmath>

namespace mosim::golden {

void ball_and_platform(double t, const State& x, State& dx) {
  dx = {x[1], -0.8, x[3], -x[2] - 2 * x[3] + std::sin(t)};
}

std::vector<Point> platform_contacts(double stop) {
  std::vector<Point> list{{0, {1, 0, 0, 0}}};
  for (;;) {
    Point p = integrate(ball_and_platform, list.back(), stop, [](double, const State& x) { return x[2] - x[0]; });
    if (!p.hit) return list;
    if (p.x[1] <= 0) p.x[1] = 0.8 * std::fabs(p.x[1]);
    p.x[3] = -0.8 * std::fabs(p.x[3]);
    list.push_back(std::move(p));
  }
}

std::vector<SchemeStep> newmark_ball(double dt, int steps) {
  constexpr double m = 1, e = 0.9, gravity = 9.81;
  const auto energies = [&](SchemeStep& s, double edis_before) {
    s.edis = edis_before + s.edis_inc;
    s.ekin = 0.5 * m * (s.v * s.v);
    s.epot = m * gravity * s.u;
    s.emech = s.ekin + s.epot;
    s.ealg = s.emech - (dt * dt) * 0.125 * m * (s.a * s.a);
    s.etot = s.emech + s.edis;
    s.etot_alg = s.ealg + s.edis;
  };
  SchemeStep first{};
  first.u = 1;
  first.a = -gravity;
  energies(first, 0);
  std::vector<SchemeStep> list{first};
  for (int n = 0; n < steps; ++n) {
    const SchemeStep& s = list.back();
    SchemeStep next{};
    const double u_tilde = s.u + dt * s.v + 0.5 * (dt * dt) * s.a;
    const double v_star = s.v + dt * s.a;
    next.a = -gravity;
    const double v_tilde = s.v + 0.5 * dt * (s.a + next.a);
    next.contact = u_tilde < 0 && v_star < 0;
    if (next.contact) {
      next.v = -e * s.v;
      next.w = next.v - v_tilde;
      next.lambda = m * next.w;
      next.u = u_tilde + 0.5 * dt * next.w;
      next.edis_inc = -next.lambda * 0.5 * (s.v + next.v);
    } else {
      next.v = v_tilde;
      next.u = u_tilde;
    }
    energies(next, s.edis);
    list.push_back(next);
  }
  return list;
}

const std::vector<std::string>& scheme_names() {
  static const std::vector<std::string> names{"u",    "v",     "a",        "w",    "lambda", "contact", "ekin",
                                              "epot", "emech", "edis_inc", "edis", "ealg",   "etot",    "etot_alg"};
  return names;
}

State scheme_values(const SchemeStep& s) {
  return {s.u,    s.v,     s.a,        s.w,    s.lambda, s.contact ? 1.0 : 0.0, s.ekin,
          s.epot, s.emech, s.edis_inc, s.edis, s.ealg,   s.etot,                s.etot_alg};
}

}  // namespace mosim::golden
