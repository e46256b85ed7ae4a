#include "runtime/quiet.hpp"

#include <algorithm>
#include <cmath>

#include "runtime/crossings.hpp"
#include "runtime/interpreter.hpp"

namespace mosim::runtime {

namespace {

constexpr std::size_t flips_enough = 8;
constexpr double spacing = 2e-2;       // of the resolution: closer flips cannot be seen one by one
constexpr double least_jump = 1e-3;    // of a derivative
constexpr double closeness = 10;       // times the change in a step: relations over one surface

void put(Machine& m, double time, const std::vector<double>& states) {
  set_time(m, time);
  std::copy(states.begin(), states.end(), m.memory.begin() + m.program->first_state);
}

// The derivatives at the machine's point, as if the relation were buffered with this value. False: they have none.
bool derivatives_with(Machine& m, Index relation, bool value, std::vector<double>& derivatives) {
  RelationState& state = m.relations[relation];
  const RelationState before = state;
  state.watched = true;
  state.value = value;
  const bool good = run(m, m.program->derivatives, Mode::frozen).ok();
  state = before;
  const auto first = m.memory.begin() + m.program->first_derivative;
  derivatives.assign(first, first + std::ptrdiff_t(m.program->states.size()));
  return good;
}

enum class Across { no_value, no_jump, jump };

// What the derivatives do across a relation.
Across across(Machine& m, Index relation) {
  std::vector<double> with, without;
  if (!derivatives_with(m, relation, true, with) || !derivatives_with(m, relation, false, without)) return Across::no_value;
  Across result = Across::no_jump;
  for (std::size_t k = 0; k < with.size(); ++k) {
    if (!std::isfinite(with[k]) || !std::isfinite(without[k])) return Across::no_value;
    if (std::abs(with[k] - without[k]) > least_jump * std::max(std::abs(with[k]), std::abs(without[k]))) result = Across::jump;
  }
  return result;
}

}  // namespace

QuietWatch make_quiet_watch(const Machine& m) {
  QuietWatch watch;
  for (Index k = 0; k < m.relations.size(); ++k)
    if (m.program->relations[k].quiet) watch.suspects.push_back({.relation = k, .flips = {}});
  return watch;
}

namespace {

// Did it change in this step, and has it done so many times, closer than can be seen? A step may go across and end on the side where it
// began, with the derivatives of the other: then its difference, `before` and now, turns beside the surface.
bool flips_often(QuietWatch::Suspect& suspect, bool value, double before, double difference, double time, double resolution) {
  const double change = difference - before;
  const bool rises = change > 0, near = std::abs(difference) <= closeness * std::abs(change);
  const bool flipped = suspect.known && (value != suspect.value || (near && rises != suspect.rises));
  suspect.known = true;
  suspect.value = value;
  suspect.rises = rises;
  if (!flipped) return false;
  auto& flips = suspect.flips;
  if (flips.size() >= flips_enough) flips.erase(flips.begin());
  flips.push_back(time);
  return flips.size() >= flips_enough && time - flips.front() <= double(flips_enough) * spacing * resolution;
}

// Relations over the surface of a relation that are reached at one end of the step alone, as v < 0 in
// if v > 0 then 1 else if v < 0 then -1 else 0. Their differences are put in.
std::vector<Index> companions(const QuietWatch& watch, Index relation, std::vector<double>& differences) {
  std::vector<Index> list;
  const double here = differences[relation], there = watch.differences[relation];
  for (const QuietWatch::Suspect& suspect : watch.suspects) {
    double& difference = differences[suspect.relation];
    const double before = watch.differences[suspect.relation];
    if (std::isnan(difference) == std::isnan(before)) continue;
    const double ratio = std::isnan(difference) ? before / there : difference / here;
    const double reached = std::isnan(difference) ? before : difference;
    if (!(std::abs(reached) <= closeness * std::abs(here - there))) continue;
    difference = ratio * here;
    list.push_back(suspect.relation);
  }
  return list;
}

}  // namespace

std::vector<Index> note_short_step(QuietWatch& watch, Machine& m, double resolution) {
  if (watch.suspects.empty() || m.sliding || !measure(m)) return {};
  const double time = m.memory[slot_time];
  const auto first = m.memory.begin() + m.program->first_state;
  const std::vector<double> states(first, first + std::ptrdiff_t(m.program->states.size()));
  std::vector<double> differences = m.relation_differences;
  std::vector<Index> found;
  bool any_jump = false;
  for (QuietWatch::Suspect& suspect : watch.suspects) {
    const double difference = differences[suspect.relation];
    if (std::isnan(difference)) continue;
    const double before = watch.differences.empty() ? difference : watch.differences[suspect.relation];
    if (!flips_often(suspect, as_written(m.program->relations[suspect.relation].comparison, difference), before, difference, time, resolution)) continue;
    // At both ends of the step, so that what only guards a function's domain is left alone.
    const Across here = across(m, suspect.relation);
    put(m, watch.time, watch.states);
    const Across there = across(m, suspect.relation);
    put(m, time, states);
    if (here == Across::no_value || there == Across::no_value) continue;
    any_jump = any_jump || here == Across::jump || there == Across::jump;
    found.push_back(suspect.relation);
  }
  if (!any_jump) found.clear();
  if (!found.empty())
    for (const Index k : companions(watch, found.front(), differences)) found.push_back(k);
  for (const Index k : found) {
    RelationState& state = m.relations[k];
    state.watched = m.watches_quiet = true;
    (void)set_literal(m.program->relations[k].comparison, state, differences[k]);
    std::erase_if(watch.suspects, [&](const QuietWatch::Suspect& suspect) { return suspect.relation == k; });
  }
  watch.states = states;
  watch.differences = std::move(differences);
  watch.time = time;
  return found;
}

void note_long_step(QuietWatch& watch) {
  for (QuietWatch::Suspect& suspect : watch.suspects) {
    suspect.known = false;
    suspect.flips.clear();
  }
}

}  // namespace mosim::runtime
