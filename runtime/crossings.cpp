#include "runtime/crossings.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/interpreter.hpp"

namespace mosim::runtime {

namespace {
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

double low_crossing(const EventFunctionState& state, const Thresholds& limits, double argument) {
  return crossing(limits.low_comparison, low_relation(state), argument - limits.low);
}
double high_crossing(const EventFunctionState& state, const Thresholds& limits, double argument) {
  return crossing(limits.high_comparison, high_relation(state), argument - limits.high);
}
bool has_crossing(const Machine& m, std::size_t relation) { return !m.program->relations[relation].time_event && m.relations[relation].watched; }

bool has_surfaces(const Machine& m) {
  for (std::size_t k = 0; k < m.relations.size(); ++k)
    if (has_crossing(m, k)) return true;
  return false;
}

double reading(const Machine& m, std::size_t delay) { return m.memory[slot_time] - m.memory[m.program->delays[delay].varying]; }
double position(const Machine& m, std::size_t number) { return m.memory[m.program->spatial_distributions[number].x]; }

// Positive while the motion leads back to the surfaces; never 0.
double staying(double margin) { return margin == 0 ? -1e-100 : margin; }

bool is_here(const Machine& m) {
  const auto states = m.memory.begin() + m.program->first_state;
  return m.evaluated.time == m.memory[slot_time] && std::equal(m.evaluated.states.begin(), m.evaluated.states.end(), states);
}

void note_here(Machine& m) {
  const auto states = m.memory.begin() + m.program->first_state;
  m.evaluated.time = m.memory[slot_time];
  m.evaluated.states.assign(states, states + std::ptrdiff_t(m.program->states.size()));
}

}  // namespace

bool derivatives_stand(const Machine& m) { return m.evaluated.derivatives && is_here(m); }

namespace {

// What quiet relations compare is measured by the derivatives, in every mode.
void forget_quiet(Machine& m) { std::fill(m.relation_differences.begin() + std::ptrdiff_t(m.first_quiet), m.relation_differences.end(), nan); }

void forget_measures(Machine& m) {
  std::fill_n(m.relation_differences.begin(), m.first_quiet, nan);
  std::fill(m.event_function_arguments.begin(), m.event_function_arguments.end(), nan);
}

// There is more to measure in them than their values.
bool has_more_to_measure(const Machine& m) { return m.watches_quiet || !m.delays.empty() || !m.spatial_distributions.empty(); }

}  // namespace

Outcome evaluate_derivatives(Machine& m) {
  if (derivatives_stand(m)) return {};
  forget_quiet(m);
  return run(m, m.program->derivatives, Mode::frozen);
}

void note_derivatives(Machine& m) {
  if (has_more_to_measure(m)) return;
  m.evaluated.derivatives = true;
  m.evaluated.crossings = false;
  note_here(m);
}

bool measure(Machine& m) {
  if (m.evaluated.crossings && is_here(m)) return true;
  m.evaluated.crossings = false;
  forget_measures(m);
  if (!derivatives_stand(m) && m.program->crossings_alone != none) {
    forget_quiet(m);
    if (!run(m, m.program->crossings_alone, Mode::measure).ok()) return false;
    note_here(m);
    return m.evaluated.crossings = true;
  }
  if (!has_more_to_measure(m) && evaluate_derivatives(m).ok()) {
    note_derivatives(m);
  } else {
    forget_measures(m);
    forget_quiet(m);
    if (!run(m, m.program->derivatives, Mode::measure).ok()) return false;
  }
  if (!run(m, m.program->crossings, Mode::measure).ok()) return false;
  m.evaluated.crossings = m.evaluated.derivatives;
  return !m.watches_quiet || run(m, m.program->quiet, Mode::measure).ok();
}

std::size_t crossing_count(const Machine& m) {
  std::size_t count = 2 * m.event_functions.size();
  for (std::size_t k = 0; k < m.relations.size(); ++k) count += has_crossing(m, k);
  for (const DelayLine& line : m.delays) count += line.located ? 2 : 0;
  for (const DistributionLine& distribution : m.spatial_distributions) count += distribution.events ? 2 : 0;
  return count + (has_surfaces(m) ? 2 : 0);
}

void evaluate_crossings(Machine& m, std::span<double> values) {
  const Program& program = *m.program;
  if (m.sliding ? !slide(m, false).ok() : !measure(m)) {
    std::fill(values.begin(), values.end(), nan);
    return;
  }
  std::size_t at = 0;
  for (std::size_t k = 0; k < m.relations.size(); ++k)
    if (has_crossing(m, k))
      values[at++] = crossing(program.relations[k].comparison, m.relations[k], m.relation_differences[k]);
  for (std::size_t k = 0; k < m.event_functions.size(); ++k) {
    const EventFunctionState& state = m.event_functions[k];
    const Thresholds limits = thresholds(program.event_functions[k].rounding, state.value);
    values[at++] = low_crossing(state, limits, m.event_function_arguments[k]);
    values[at++] = high_crossing(state, limits, m.event_function_arguments[k]);
  }
  for (std::size_t k = 0; k < m.delays.size(); ++k) {
    if (!m.delays[k].located) continue;
    values[at++] = next_jump(m.delays[k], reading(m, k));
    values[at++] = last_jump(m.delays[k], reading(m, k));
  }
  for (std::size_t k = 0; k < m.spatial_distributions.size(); ++k) {
    if (!m.spatial_distributions[k].events) continue;
    for (const unsigned end : {0u, 1u}) values[at++] = leaving(m.spatial_distributions[k], end, position(m, k));
  }
  if (!has_surfaces(m)) return;
  values[at++] = m.sliding ? staying(above_zero(*m.sliding)) : 1;
  values[at++] = m.sliding ? staying(below_one(*m.sliding)) : 1;
}

bool take_crossings(Machine& m, std::span<const double> values) {
  const Program& program = *m.program;
  bool flips = false;
  std::size_t at = 0;
  for (std::size_t k = 0; k < m.relations.size(); ++k) {
    if (!has_crossing(m, k) || !(values[at++] < 0)) continue;
    if (arms(program.relations[k].comparison, m.relations[k], m.relation_differences[k])) {
      m.relations[k].armed = true;
    } else {
      m.relations[k].forced = flips = true;
    }
  }
  for (std::size_t k = 0; k < m.event_functions.size(); ++k) {
    const bool low = values[at++] < 0, high = values[at++] < 0;
    if (!low && !high) continue;
    EventFunctionState& state = m.event_functions[k];
    const Thresholds limits = thresholds(program.event_functions[k].rounding, state.value);
    const double argument = m.event_function_arguments[k];
    const bool low_arms = low && arms(limits.low_comparison, low_relation(state), argument - limits.low);
    const bool high_arms = high && arms(limits.high_comparison, high_relation(state), argument - limits.high);
    state.low_armed = state.low_armed || low_arms;
    state.high_armed = state.high_armed || high_arms;
    if ((low && !low_arms) || (high && !high_arms)) state.forced = flips = true;
  }
  for (std::size_t k = 0; k < m.delays.size(); ++k) {
    if (!m.delays[k].located) continue;
    if (values[at++] < 0) flips = take_next(m.delays[k], reading(m, k)) || flips;
    if (values[at++] < 0) flips = take_last(m.delays[k], reading(m, k)) || flips;
  }
  for (std::size_t k = 0; k < m.spatial_distributions.size(); ++k) {
    if (!m.spatial_distributions[k].events) continue;
    for (const unsigned end : {0u, 1u})
      if (values[at++] < 0) flips = take_leaving(m.spatial_distributions[k], end, position(m, k)) || flips;
  }
  if (m.sliding && (values[at] < 0 || values[at + 1] < 0)) {
    note_leaving(*m.sliding);
    flips = true;
  }
  return flips;
}

bool is_within_hysteresis(const Machine& m) {
  const auto within = [](bool armed, double difference, double epsilon) { return !armed && std::abs(difference) <= epsilon; };
  for (std::size_t k = 0; k < m.relations.size(); ++k)
    if (has_crossing(m, k) && within(m.relations[k].armed, m.relation_differences[k], m.relations[k].epsilon)) return true;
  for (std::size_t k = 0; k < m.event_functions.size(); ++k) {
    const EventFunctionState& state = m.event_functions[k];
    const Thresholds limits = thresholds(m.program->event_functions[k].rounding, state.value);
    const double argument = m.event_function_arguments[k];
    if (within(state.low_armed, argument - limits.low, state.epsilon) || within(state.high_armed, argument - limits.high, state.epsilon)) return true;
  }
  return false;
}

std::optional<Index> find_contradiction(Machine& m, std::span<double> values) {
  if (m.sliding) return {};
  evaluate_crossings(m, values);
  std::size_t at = 0;
  for (Index k = 0; k < m.relations.size(); ++k) {
    if (!has_crossing(m, k) || !(values[at++] < 0)) continue;
    const RelationState& state = m.relations[k];
    if (!arms(m.program->relations[k].comparison, state, m.relation_differences[k]) && std::abs(m.relation_differences[k]) > state.epsilon) return k;
  }
  return {};
}

bool settle_crossings(Machine& m, std::span<double> values) {
  const Program& program = *m.program;
  evaluate_crossings(m, values);
  std::size_t at = 0;
  for (std::size_t k = 0; k < m.relations.size(); ++k) {
    if (!has_crossing(m, k) || !(values[at++] < 0)) continue;
    RelationState& state = m.relations[k];
    if (state.armed && std::abs(m.relation_differences[k]) <= state.epsilon) state.armed = false;
    values[at - 1] = crossing(program.relations[k].comparison, state, m.relation_differences[k]);
  }
  for (std::size_t k = 0; k < m.event_functions.size(); ++k) {
    EventFunctionState& state = m.event_functions[k];
    const Thresholds limits = thresholds(program.event_functions[k].rounding, state.value);
    const double argument = m.event_function_arguments[k];
    double& low = values[at++];
    if (low <= 0 && state.low_armed && std::abs(argument - limits.low) <= state.epsilon) state.low_armed = false;
    low = low_crossing(state, limits, argument);
    double& high = values[at++];
    if (high <= 0 && state.high_armed && std::abs(argument - limits.high) <= state.epsilon) state.high_armed = false;
    high = high_crossing(state, limits, argument);
  }
  return take_crossings(m, values);
}

}  // namespace mosim::runtime
