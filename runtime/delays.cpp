#include "runtime/delays.hpp"

#include <algorithm>
#include <cmath>

namespace mosim::runtime {

namespace {

double epsilon_of(const DelayLine& line, double instant) { return 1e-12 * (std::abs(instant) + line.maximum); }

// A located line: the jumps around the instant that is read.
void arm(DelayLine& line) {
  line.next = line.last = {};
  line.last.value = true;
  if (!line.located) return;
  if (line.out < line.jumps.size()) {
    line.next.epsilon = epsilon_of(line, line.jumps[line.out]);
    line.next.armed = line.jumps[line.out] - line.reading > line.next.epsilon;
  }
  if (line.out > 0) {
    line.last.epsilon = epsilon_of(line, line.jumps[line.out - 1]);
    line.last.armed = line.reading - line.jumps[line.out - 1] > line.last.epsilon;
  }
}

bool take(RelationState& state, double difference) {
  if (arms(Comparison::greater_equal, state, difference)) {
    state.armed = true;
    return false;
  }
  return state.forced = true;
}

// The limits at the last instant are in place: is there a jump between them?
void note_jump(DelayLine& line, double time, double left, double right) {
  if (std::isnan(line.lag) && !line.located) return;
  const bool noted = !line.jumps.empty() && line.jumps.back() == time;
  const bool jumps = std::abs(right - left) > (line.discrete ? 0 : line.significant) * std::max(std::abs(left), std::abs(right));
  if (jumps && !noted) {
    line.jumps.push_back(time);
    // So short a delay does not take it to another instant.
    const bool at_once = line.located ? time - line.reading <= epsilon_of(line, time) : line.next_out() <= time;
    if (line.out + 1 == line.jumps.size() && at_once) ++line.out;
  }
  if (!jumps && noted && line.out < line.jumps.size()) line.jumps.pop_back();
  arm(line);
}

}  // namespace

void append(DelayLine& line, double time, double value, bool starts_segment) {
  auto& points = line.points;
  if (starts_segment) line.reach.step = 0;
  if (starts_segment && !points.empty()) {
    if (points.size() > 1 && points.back().time == time && points.back().starts_segment && points[points.size() - 2].time == time) {
      points.back().value = value;
      note_jump(line, time, points[points.size() - 2].value, value);
      return;
    }
    if (points.back().time < time) points.push_back({time, points.back().value, false});
    note_jump(line, time, points.back().value, value);
  }
  if (line.discrete && !starts_segment && !points.empty() && points.back().value == value && points.back().time < time &&
      !points.back().starts_segment) {
    points.back().time = time;
    return;
  }
  points.push_back({time, value, starts_segment});
  // One point older than the horizon must stay, and a few before it for the cubic.
  while (points.size() > 8 && points[5].time < time - line.maximum) points.pop_front();
  while (line.out > 1 && line.jumps.front() < points.front().time) line.jumps.pop_front(), --line.out;
}

void end_step(DelayLine& line, double step) {
  const double shrinking = std::max(0.0, line.settled - line.latest) / step;
  line.shortest = line.settled < 1e300 ? line.latest / (1 + 1.2 * shrinking) : line.latest;
  line.settled = line.latest;
}

bool pass_jumps(DelayLine& line, double time) {
  const std::size_t before = line.out;
  while (line.next_out() <= time) ++line.out;
  const auto met = [&] { return line.next.armed && std::abs(time - line.jumps[line.out]) <= epsilon_of(line, time); };
  if (line.out < line.jumps.size() && (line.next.forced || met())) ++line.out;
  else if (line.last.forced && line.out > 0) --line.out;
  if (line.located) arm(line);
  return line.out != before;
}

double next_jump(const DelayLine& line, double reading) {
  return line.out < line.jumps.size() ? crossing(Comparison::greater_equal, line.next, reading - line.jumps[line.out]) : RelationState::unknown;
}

double last_jump(const DelayLine& line, double reading) {
  return line.out > 0 ? crossing(Comparison::greater_equal, line.last, reading - line.jumps[line.out - 1]) : RelationState::unknown;
}

bool take_next(DelayLine& line, double reading) { return take(line.next, reading - line.jumps[line.out]); }
bool take_last(DelayLine& line, double reading) { return take(line.last, reading - line.jumps[line.out - 1]); }

void follow_reading(DelayLine& line, double reading) {
  const bool moved = std::abs(reading - line.reading) > epsilon_of(line, reading);
  line.reading = reading;
  if (!moved) return;
  line.out = std::size_t(std::upper_bound(line.jumps.begin(), line.jumps.end(), reading) - line.jumps.begin());
  arm(line);
}

double delayed(DelayLine& line, double time, double delay, double present) {
  line.latest = std::max(delay, 0.0);
  line.shortest = std::min(line.shortest, line.latest);
  const auto& points = line.points;
  if (points.empty()) return present;
  const double instant = time - delay;
  // Rounding must not take it across a jump.
  if (line.out > 0 && instant <= line.jumps[line.out - 1]) {
    const auto after = std::upper_bound(points.begin(), points.end(), line.jumps[line.out - 1],
                                        [](double t, const DelayLine::Point& p) { return t < p.time; });
    return after == points.begin() ? points.front().value : (after - 1)->value;
  }
  if (line.out < line.jumps.size() && instant >= line.jumps[line.out])
    return std::lower_bound(points.begin(), points.end(), line.jumps[line.out],
                            [](const DelayLine::Point& p, double t) { return p.time < t; })->value;
  if (instant <= points.front().time) return points.front().value;
  // The last point at or before the instant; after an event that is its right limit.
  const auto after = std::upper_bound(points.begin(), points.end(), instant,
                                      [](double t, const DelayLine::Point& p) { return t < p.time; });
  const std::size_t right = std::size_t(after - points.begin());
  const bool beyond = after == points.end();
  const std::size_t left = right - 1;
  if (line.discrete || (!beyond && points[left].time == instant)) return points[left].value;
  // Up to four points of one segment around the interval (the last ones, when the instant lies beyond).
  std::size_t first = left, last = beyond ? left : right;
  for (int k = 0; k < 2 && !points[first].starts_segment && first > 0; ++k) --first;
  if (!beyond && last + 1 < points.size() && !points[last + 1].starts_segment && !points[last].starts_segment) ++last;
  while (last - first > 3) ++first;
  if (beyond && last - first > 1) first = last - 1;
  // What did not change comes out as it was, to the last digit.
  const auto same = [&](const DelayLine::Point& p) { return p.value == points[left].value; };
  if (std::all_of(points.begin() + std::ptrdiff_t(first), points.begin() + std::ptrdiff_t(last) + 1, same)) return points[left].value;
  double value = 0;
  for (std::size_t j = first; j <= last; ++j) {
    double weight = 1;
    for (std::size_t k = first; k <= last; ++k)
      if (k != j) weight *= (instant - points[k].time) / (points[j].time - points[k].time);
    value += weight * points[j].value;
  }
  return value;
}

}  // namespace mosim::runtime
