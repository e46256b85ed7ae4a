#include "runtime/affine.hpp"

#include <algorithm>
#include <cmath>

namespace mosim::runtime {

namespace {

constexpr double agreeing = 1e-11;   // of the terms' sizes: what the two ways to the derivatives may differ by

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

// Whether A, b and c were found, and give the derivatives that the code gives.
bool find_here(AffineMotion& motion, Machine& m, Slopes& s) {
  const Program& p = *m.program;
  const std::size_t n = p.states.size();
  double* const states = m.memory.data() + p.first_state;
  const double* const derivatives = m.memory.data() + p.first_derivative;
  const std::uint64_t left_open = m.left_open;
  if (!run(m, p.derivatives, Mode::frozen).ok() || m.left_open != left_open) return false;
  const std::vector<double> expected(derivatives, derivatives + n), here(states, states + n);
  const double time = m.memory[slot_time];

  motion.a.resize(s.pattern.rows.size());
  m.refines_tangents = true;
  const bool differentiated = differentiate_derivatives(m, s, [&](std::size_t k, std::size_t, std::size_t, double value) { motion.a[k] = value; }).ok();
  motion.c.assign(motion.by_time ? n : 0, 0.0);
  const bool by_time = !motion.by_time || differentiate_by_time(m, s, motion.c).ok();
  m.refines_tangents = false;
  if (!differentiated || !by_time) return false;

  std::fill_n(states, n, 0.0);
  set_time(m, 0);
  if (!run(m, p.derivatives, Mode::frozen).ok() || m.left_open != left_open) return false;
  motion.b.assign(derivatives, derivatives + n);

  std::vector<double> found(n), sizes(n);
  evaluate(motion, s.pattern, time, here.data(), found.data());
  for (std::size_t k = 0; k < n; ++k) sizes[k] = std::abs(motion.b[k]) + (motion.by_time ? std::abs(motion.c[k] * time) : 0);
  for (std::size_t k = 0; k < n; ++k)
    for (auto entry = s.pattern.starts[k]; entry < s.pattern.starts[k + 1]; ++entry)
      sizes[std::size_t(s.pattern.rows[std::size_t(entry)])] += std::abs(motion.a[std::size_t(entry)] * here[k]);
  for (std::size_t k = 0; k < n; ++k)
    if (!(std::abs(found[k] - expected[k]) <= agreeing * sizes[k])) return false;
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

void find(AffineMotion& motion, Machine& m, Slopes& s) {
  motion.was_tried = true;
  std::vector<double> kept;
  copy_lasting(m, m.memory, kept);
  const std::size_t branches = m.lost_branches.size();
  motion.stands = find_here(motion, m, s);
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
