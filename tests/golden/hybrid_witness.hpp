#pragma once
// What the tests know of the systems of models/HybridSystems without mosim.

#include <string>
#include <vector>

#include "tests/golden/integrator.hpp"

namespace mosim::golden {

/// {xi1, xi2, eta1, eta2}, metres and metres a second.
void ball_and_platform(double t, const State& x, State& dx);

/// The start, then every contact up to `stop`, each with the state after it: Dormand and Prince's method from contact
/// to contact.
std::vector<Point> platform_contacts(double stop);

/// The nonsmooth Newmark scheme with m = 1, e = 0.9, g = 9.81, from u = 1 and at rest.
struct SchemeStep {
  double u, v, a, w, lambda;
  bool contact;
  double ekin, epot, emech, edis_inc, edis, ealg, etot, etot_alg;
};

/// The start and `steps` steps, in the order of the arithmetic in which the scheme was published: equal results may be
/// asked for up to rounding, and the same steps with contact.
std::vector<SchemeStep> newmark_ball(double dt, int steps);

/// The names of SchemeStep's members, in order, and their values as numbers.
const std::vector<std::string>& scheme_names();
State scheme_values(const SchemeStep& s);

}  // namespace mosim::golden
