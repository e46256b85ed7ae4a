#include "runtime/affine.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mosim::runtime {

namespace {

constexpr double agreeing = 1e-11;     // of the terms' sizes: what the two ways to the derivatives may differ by
constexpr double most_drift = 0.01;    // of the tolerance: what rounding may add up to
constexpr int most_in_vain = 3;
constexpr double roundoff = std::numeric_limits<double>::epsilon() / 2;

// The slopes by time, as those by a state.
Outcome differentiate_by_time(Machine& m, Slopes& s, std::vector<double>& slopes) {
  const Program& p = *m.program;
  std::fill_n(s.tangent.data() + std::size_t(p.first_state) * s.width, p.states.size() * s.width, 0.0);
  s.tangent[slot_time * s.width] = 1;
  const Outcome outcome = run_dual(m, p.derivatives, s.width, s.tangent.data());
  s.tangent[slot_time * s.width] = 0;
  for (std::size_t k = 0; k < slopes.size(); ++k) slopes[k] = s.tangent[(p.first_derivative + k) * s.width];
  return outcome;
}

// The sizes of the terms of each derivative at some states.
std::vector<double> sizes_of_terms(const AffineMotion& motion, const Pattern& pattern, double time, const std::vector<double>& states) {
  const std::size_t n = motion.b.size();
  std::vector<double> sizes(n);
  for (std::size_t k = 0; k < n; ++k) sizes[k] = std::abs(motion.b[k]) + (motion.by_time ? std::abs(motion.c[k] * time) : 0);
  for (std::size_t k = 0; k < n; ++k)
    for (auto entry = pattern.starts[k]; entry < pattern.starts[k + 1]; ++entry)
      sizes[std::size_t(pattern.rows[std::size_t(entry)])] += std::abs(motion.a[std::size_t(entry)] * states[k]);
  return sizes;
}

// Whether A, b and c were found, and give the derivatives that the code gives: here, and where no column of A hides, as one of a state that is 0 would.
// There, too, A is found: what is solved without effort for zeros says nothing of how well a system is solved.
bool find_here(AffineMotion& motion, Machine& m, Slopes& s, const AffineLimits& limits) {
  const Program& p = *m.program;
  const std::size_t n = p.states.size();
  double* const states = m.memory.data() + p.first_state;
  const double* const derivatives = m.memory.data() + p.first_derivative;
  const std::uint64_t left_open = m.left_open;
  const auto run_at = [&](double time, const std::vector<double>& x) {
    std::copy(x.begin(), x.end(), states);
    m.memory[slot_time] = time;   // inputs do not matter
    return run(m, p.derivatives, Mode::frozen).ok() && m.left_open == left_open ? std::vector<double>(derivatives, derivatives + n) : std::vector<double>();
  };
  struct Point {
    double time;
    std::vector<double> states, derivatives;
  };
  Point here{m.memory[slot_time], {states, states + n}, {}}, elsewhere{here.time + 0.37 * limits.span, limits.sizes, {}};
  for (std::size_t k = 0; k < n; ++k) {
    const double irregular = double(k + 1) * 0.6180339887498949;
    elsewhere.states[k] *= (k % 2 == 0 ? 0.5 : -0.5) - (irregular - std::floor(irregular));
  }
  for (Point* point : {&here, &elsewhere})
    if ((point->derivatives = run_at(point->time, point->states)).empty()) return false;

  motion.a.resize(s.pattern.rows.size());
  m.refines_tangents = true;
  const bool differentiated = differentiate_derivatives(m, s, [&](std::size_t k, std::size_t, std::size_t, double value) { motion.a[k] = value; }).ok();
  motion.c.assign(motion.by_time ? n : 0, 0.0);
  const bool by_time = !motion.by_time || differentiate_by_time(m, s, motion.c).ok();
  m.refines_tangents = false;
  if (!differentiated || !by_time || (motion.b = run_at(0, std::vector<double>(n))).empty()) return false;

  std::vector<double> found(n);
  for (const Point& point : {here, elsewhere}) {
    evaluate(motion, s.pattern, point.time, point.states.data(), found.data());
    const std::vector<double> sizes = sizes_of_terms(motion, s.pattern, point.time, point.states);
    for (std::size_t k = 0; k < n; ++k)
      if (!(std::abs(found[k] - point.derivatives[k]) <= agreeing * sizes[k]) || !(roundoff * sizes[k] * limits.span <= most_drift * limits.tolerance * limits.sizes[k])) return false;
  }
  return true;
}

}  // namespace

AffineMotion make_affine_motion(const Variation& variation, const Pattern& pattern) {
  AffineMotion motion;
  motion.is_possible = variation.solves && !(variation.derivatives & varies_freely) && pattern.rows.size() < variation.length;
  motion.by_time = variation.derivatives & varies_with_time;
  return motion;
}

double work_of(const AffineMotion& motion) { return double(motion.a.size() + motion.b.size() + motion.c.size()); }

void find(AffineMotion& motion, Machine& m, Slopes& s, const AffineLimits& limits) {
  motion.was_tried = true;
  std::vector<double> kept;
  copy_lasting(m, m.memory, kept);
  const std::size_t branches = m.lost_branches.size();
  motion.stands = find_here(motion, m, s, limits);
  motion.in_vain = motion.stands ? 0 : motion.in_vain + 1;
  motion.is_possible = motion.in_vain < most_in_vain;
  copy_lasting(m, kept, m.memory);
  m.lost_branches.resize(branches);
  m.evaluated.forget();
}

void evaluate(const AffineMotion& motion, const Pattern& pattern, double time, const double* states, double* derivatives) {
  const std::size_t n = motion.b.size();
  std::copy(motion.b.begin(), motion.b.end(), derivatives);
  for (std::size_t k = 0; k < motion.c.size(); ++k) derivatives[k] += motion.c[k] * time;
  for (std::size_t k = 0; k < n; ++k)
    for (auto entry = pattern.starts[k]; entry < pattern.starts[k + 1]; ++entry) derivatives[pattern.rows[std::size_t(entry)]] += motion.a[std::size_t(entry)] * states[k];
}

}  // namespace mosim::runtime
