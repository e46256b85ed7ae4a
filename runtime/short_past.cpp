#include "runtime/short_past.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "runtime/explain.hpp"

namespace mosim::runtime {

namespace {

constexpr double shortest_followed = 1e-6;   // of the run: what is shorter is extrapolated, and bounds no step to less
constexpr double usual_error = 0.1;          // of an extrapolation, in parts of the tolerance
constexpr double seen_error = 1e-3;          // of that: more than the rounding of what is straight
constexpr int most_misses = 20;
constexpr double farthest = 4e12;            // x of a spatialDistribution: beyond it rounding is a thousandth of the distribution
constexpr double worth_telling = 1e-3;       // of the run

// One reading of the past at the end of a step, and where in the step what was read lies.
struct Reading {
  Reach* reach;
  double value;      // as extrapolated
  double instant;
  Slot source;
};

std::vector<Reading> readings(Machine& m, double from) {
  std::vector<Reading> found;
  const std::vector<double>& w = m.memory;
  const double to = w[slot_time];
  for (std::size_t k = 0; k < m.delays.size(); ++k) {
    DelayLine& line = m.delays[k];
    if (line.discrete || !(to - line.latest > from + 1e-9 * (to - from))) continue;
    const Slot source = m.program->delays[k].value;
    found.push_back({&line.reach, delayed(line, to, line.latest, w[source]), to - line.latest, source});
    line.shortest = std::min(line.shortest, line.latest);
  }
  for (std::size_t k = 0; k < m.spatial_distributions.size(); ++k) {
    DistributionLine& distribution = m.spatial_distributions[k];
    const SpatialDistribution& t = m.program->spatial_distributions[k];
    const double moved = w[t.x] - distribution.x;
    if (!(std::abs(moved) > 1)) continue;
    const bool positive = moved > 0;
    found.push_back({&distribution.reach, outflow(distribution, positive, w[t.x], positive), to - (to - from) / std::abs(moved), positive ? t.in0 : t.in1});
    distribution.speed = std::abs(moved) / (to - from);
  }
  return found;
}

}  // namespace

double past_bound(const Machine& m, double span, double bound) {
  const double least = shortest_followed * span;
  const auto allow = [&](double length, const Reach& reach) {
    if (length < bound) bound = length >= least ? length : std::min(bound, std::max(least, reach.step));
  };
  // What is constant between events is known beyond its past.
  for (const DelayLine& line : m.delays)
    if (!line.discrete) allow(line.shortest, line.reach);
  for (const DistributionLine& distribution : m.spatial_distributions)
    if (distribution.speed > 0) allow(0.5 / distribution.speed, distribution.reach);
  return bound;
}

bool outruns_past(const Machine& m, double step) {
  return std::any_of(m.delays.begin(), m.delays.end(), [&](const DelayLine& line) { return !line.discrete && line.latest < step; }) ||
         std::any_of(m.spatial_distributions.begin(), m.spatial_distributions.end(), [&](const DistributionLine& p) { return p.speed == 0 || p.speed * step > 0.9; });
}

Foretold judge_step(Machine& m, double from, double span, double tolerance, const std::function<bool(double)>& read) {
  const double step = m.memory[slot_time] - from, least = shortest_followed * span;
  Foretold result = Foretold::well;
  for (const SpatialDistribution& t : m.program->spatial_distributions)
    if (std::abs(m.memory[t.x]) > farthest) return Foretold::never;
  for (const Reading& r : readings(m, from)) {
    if (!read(r.instant)) continue;
    const double actual = m.memory[r.source];
    const double allowed = usual_error * tolerance * (1 + std::abs(actual)), error = std::abs(r.value - actual);
    Reach& reach = *r.reach;
    const bool missed = !(error * usual_error <= allowed);
    if (missed && step > 1.5 * least) {
      reach.step = std::max(least, 0.2 * step);
      result = Foretold::poorly;
      continue;
    }
    const double next = step * std::clamp(0.9 * std::sqrt(allowed / std::max(error, 1e-300)), 0.2, 2.0);
    reach.step = error <= allowed ? std::max(reach.step, next) : next;
    if (error > seen_error * allowed) reach.stretched += step;
    reach.misses = missed ? reach.misses + 1 : 0;
    if (reach.misses > most_misses) return Foretold::never;
  }
  return result;
}

Message too_short(const Machine& m, double span) {
  Message message;
  message.time = m.memory[slot_time];
  const double least = shortest_followed * span;
  for (std::size_t k = 0; k < m.delays.size(); ++k) {
    if (m.delays[k].reach.misses <= most_misses) continue;
    message.origin = m.program->delays[k].origin;
    message.cause = fmt::format("{} looks back {:.3g} s, less than the shortest step of this run, {:.3g} s (a millionth of it), and what it gives cannot be extrapolated within the tolerance",
                                text_of(*m.program, message.origin), m.delays[k].latest, least);
    message.remedy = "without the delay, or with a longer one, the model can be followed; or simulate a shorter time";
    return message;
  }
  for (std::size_t k = 0; k < m.spatial_distributions.size(); ++k) {
    const double x = m.memory[m.program->spatial_distributions[k].x];
    const bool lost = std::abs(x) > farthest;
    if (!lost && m.spatial_distributions[k].reach.misses <= most_misses) continue;
    message.origin = m.program->spatial_distributions[k].origin;
    if (lost) {
      message.cause = fmt::format("the position x of {} is {:.3g}: places from 0 to 1 cannot be told apart there", text_of(*m.program, message.origin), x);
      message.remedy = "only changes of x count: let it begin at 0, and see whether it is to move so fast";
      return message;
    }
    message.cause = fmt::format("{} is passed through in {:.3g} s, less than the shortest step of this run, {:.3g} s (a millionth of it), and what comes out cannot be extrapolated within the tolerance",
                                text_of(*m.program, message.origin), 1 / m.spatial_distributions[k].speed, least);
    message.remedy = "with a slower flow the model can be followed; or simulate a shorter time";
  }
  return message;
}

std::vector<Message> tell_of_short(const Machine& m, double span) {
  std::vector<Message> messages;
  const auto tell = [&](const Reach& reach, Index origin, const char* what) {
    if (reach.stretched > worth_telling * span)
      messages.push_back({Severity::warning, m.memory[slot_time], origin,
                          fmt::format("{} {} less than a millionth of the run: what it gives is extrapolated from what went in before, as far as the tolerance allows",
                                      text_of(*m.program, origin), what), ""});
  };
  for (std::size_t k = 0; k < m.delays.size(); ++k) tell(m.delays[k].reach, m.program->delays[k].origin, "looks back");
  for (std::size_t k = 0; k < m.spatial_distributions.size(); ++k) tell(m.spatial_distributions[k].reach, m.program->spatial_distributions[k].origin, "is passed through in");
  return messages;
}

}  // namespace mosim::runtime
