#include "runtime/sliding.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/crossings.hpp"
#include "runtime/interpreter.hpp"
#include "runtime/machine.hpp"

namespace mosim::runtime {

namespace {

constexpr double probe_part = 1e-4;    // of an output interval
constexpr double pull_rate = 100;      // per output interval
constexpr double pull_part = 0.1;      // of the slower rate: the pull is no motion of its own
constexpr double parallel = 1e-4;      // relations over one surface change in one proportion
constexpr unsigned seen_enough = 2;
constexpr unsigned failures_enough = 6;

bool is_continuous(const Variable& v) {
  return v.type == Type::real && (v.kind == Kind::algebraic || v.kind == Kind::derivative);
}

bool is_discrete(const Variable& v) {
  return v.kind == Kind::discrete || (v.type != Type::real && v.kind == Kind::algebraic);
}

void put(Machine& m, double time, const std::vector<double>& states, double step, const std::vector<double>& derivatives) {
  m.memory[slot_time] = time + step;
  for (std::size_t k = 0; k < states.size(); ++k)
    m.memory[m.program->first_state + k] = step == 0 ? states[k] : states[k] + step * derivatives[k];
}

// With the side's memory and relations in the machine.
Outcome evaluate_side(Machine& m, const Sliding& s, Sliding::Side& side, double time, bool outputs) {
  put(m, time, s.states, 0, {});
  Outcome outcome = run(m, m.program->derivatives, Mode::frozen);
  if (!outcome.ok()) return outcome;
  side.derivatives.assign(m.memory.begin() + m.program->first_derivative,
                          m.memory.begin() + m.program->first_derivative + std::ptrdiff_t(s.states.size()));
  side.rates.assign(s.relations.size(), 0.0);
  for (const double step : {s.probe, -s.probe}) {
    put(m, time, s.states, step, side.derivatives);
    (void)measure(m);
    for (std::size_t k = 0; k < s.relations.size(); ++k) side.rates[k] += m.relation_differences[s.relations[k]] / (2 * step);
  }
  side.rate = side.rates.front();
  put(m, time, s.states, 0, {});
  (void)measure(m);
  side.differences = m.relation_differences;
  side.arguments = m.event_function_arguments;
  if (!std::isfinite(side.rate)) return {Fault::derivative_not_finite, none};
  return outputs ? run(m, m.program->outputs, Mode::frozen) : outcome;
}

double mean(double weight, double below, double above) {
  return below == above ? below : (1 - weight) * below + weight * above;
}

}  // namespace

Outcome slide(Machine& m, bool outputs) {
  Sliding& s = *m.sliding;
  const double time = m.memory[slot_time];
  s.states.assign(m.memory.begin() + m.program->first_state, m.memory.begin() + m.program->first_state + std::ptrdiff_t(s.states.size()));
  for (Sliding::Side& side : s.sides) {
    m.memory.swap(side.memory);
    m.relations.swap(side.relations);
    const Outcome outcome = evaluate_side(m, s, side, time, outputs);
    m.memory.swap(side.memory);
    m.relations.swap(side.relations);
    if (!outcome.ok()) {
      std::copy(side.memory.begin(), side.memory.end(), m.memory.begin());   // for the message
      return outcome;
    }
  }
  const Sliding::Side &below = s.sides[0], &above = s.sides[1];
  const Index lead = s.relations.front();
  // What is shown is free of the pull, which makes much of the integrator's small errors.
  const double limit = outputs ? 0 : pull_part * std::max(0.0, std::min(below.rate, -above.rate));
  const double wanted = std::clamp(-s.pull * 0.5 * (below.differences[lead] + above.differences[lead]), -limit, limit);
  if (below.rate > above.rate) s.weight = std::clamp((below.rate - wanted) / (below.rate - above.rate), 0.0, 1.0);
  if (outputs) {
    const std::vector<double>& discrete = s.sides[s.weight > 0.5].memory;
    std::copy(discrete.begin(), discrete.end(), m.memory.begin());
    for (const Slot slot : s.mixed) m.memory[slot] = mean(s.weight, below.memory[slot], above.memory[slot]);
  }
  for (std::size_t k = 0; k < s.states.size(); ++k)
    m.memory[m.program->first_derivative + k] = mean(s.weight, below.derivatives[k], above.derivatives[k]);
  for (std::size_t k = 0; k < m.relation_differences.size(); ++k)
    m.relation_differences[k] = mean(s.weight, below.differences[k], above.differences[k]);
  for (std::size_t k = 0; k < m.event_function_arguments.size(); ++k)
    m.event_function_arguments[k] = mean(s.weight, below.arguments[k], above.arguments[k]);
  for (const Index k : s.relations) m.relation_differences[k] = std::numeric_limits<double>::quiet_NaN();
  return {};
}

bool is_attractive(const Sliding& s) { return s.sides[0].rate > 0 && s.sides[1].rate < 0; }

bool note_side(SlidingWatch& watch, const Machine& m, std::vector<Index> flipped) {
  if (watch.wait > 0) {
    --watch.wait;
    return false;
  }
  std::sort(flipped.begin(), flipped.end());
  flipped.erase(std::unique(flipped.begin(), flipped.end()), flipped.end());
  if (flipped != watch.relations) {
    watch.seen[0] = watch.seen[1] = 0;
    watch.relations = std::move(flipped);
  }
  if (watch.relations.empty()) return false;
  const Comparison comparison = m.program->relations[watch.relations.front()].comparison;
  const bool greater = comparison == Comparison::greater || comparison == Comparison::greater_equal;
  const bool above = greater == m.relations[watch.relations.front()].value;
  Sliding::Side& side = watch.sides[above];
  const auto agrees = [&](const Variable& v) { return !is_discrete(v) || side.memory[v.slot] == m.memory[v.slot]; };
  const bool same = watch.seen[above] > 0 && std::all_of(m.program->variables.begin(), m.program->variables.end(), agrees);
  watch.seen[above] = same ? watch.seen[above] + 1 : 1;
  side.memory = m.memory;
  side.relations = m.relations;
  return watch.seen[0] >= seen_enough && watch.seen[1] >= seen_enough;
}

bool begin_sliding(Machine& m, SlidingWatch& watch, double output_interval) {
  auto sliding = std::make_unique<Sliding>();
  Sliding& s = *sliding;
  s.relations = watch.relations;
  for (const bool above : {false, true}) {
    s.sides[above].memory = watch.sides[above].memory;
    s.sides[above].relations = watch.sides[above].relations;
  }
  for (const Variable& v : m.program->variables)
    if (is_continuous(v)) s.mixed.push_back(v.slot);
  s.probe = probe_part * output_interval;
  s.pull = pull_rate / output_interval;
  s.since = m.memory[slot_time];
  s.states.resize(m.program->states.size());
  watch.seen[0] = watch.seen[1] = 0;
  const std::vector<double> before = m.memory;
  m.sliding = std::move(sliding);
  bool good = slide(m, true).ok() && is_attractive(s);
  for (std::size_t i = 0; i < s.relations.size() && good; ++i) {
    // One surface for all of them, and the same from both sides.
    const Index k = s.relations[i];
    const double epsilon = 4 * m.relations[k].epsilon, below = s.sides[0].differences[k], above = s.sides[1].differences[k];
    const double one = s.sides[0].rate * s.sides[1].rates[i], other = s.sides[1].rate * s.sides[0].rates[i];
    good = std::abs(below - above) <= epsilon && std::abs(below) <= epsilon &&
           std::abs(one - other) <= parallel * (std::abs(one) + std::abs(other));
  }
  if (good) return true;
  m.sliding.reset();
  std::copy(before.begin(), before.end(), m.memory.begin());
  ++watch.failures;
  watch.wait = watch.failures > failures_enough ? std::numeric_limits<unsigned>::max() : 32u << watch.failures;
  return false;
}

void end_sliding(Machine& m) {
  const Sliding& s = *m.sliding;
  const Sliding::Side& side = s.sides[s.leaves >= 0 ? s.leaves : s.weight > 0.5];
  const double time = m.memory[slot_time];
  const auto first = m.memory.begin() + m.program->first_state;
  const std::vector<double> states(first, first + std::ptrdiff_t(s.states.size()));
  std::copy(side.memory.begin(), side.memory.end(), m.memory.begin());
  put(m, time, states, 0, {});
  for (const Index k : s.relations) {
    m.relations[k].value = side.relations[k].value;
    m.relations[k].armed = m.relations[k].forced = false;
  }
  m.sliding.reset();
}

}  // namespace mosim::runtime
