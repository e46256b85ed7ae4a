#include "runtime/spatial_distribution.hpp"

#include <algorithm>
#include <cmath>

namespace mosim::runtime {

namespace {

constexpr double rounding = 1e-12;      // of a position
constexpr double far_beyond = 1e-9;     // the same: an event has moved the distribution, not the flow

double interpolate(const std::deque<DistributionLine::Point>& points, double mark) {
  if (!(mark > points.front().mark)) return points.front().value;   // nor where x is no number
  if (!(mark < points.back().mark)) return points.back().value;
  const auto right = std::upper_bound(points.begin(), points.end(), mark,
                                      [](double m, const DistributionLine::Point& point) { return m < point.mark; });
  const auto left = right - 1;
  const double width = right->mark - left->mark;
  return width > 0 ? left->value + (right->value - left->value) * (mark - left->mark) / width : left->value;
}

/// What has come from an end: beyond all that is known, a straight line from what went in there last.
double arriving(const DistributionLine& p, unsigned from, double mark) {
  const DistributionLine::Point& last = from == 0 ? p.points.front() : p.points.back();
  const bool beyond = from == 0 ? mark < last.mark : mark > last.mark;
  if (!beyond || !p.entered[from]) return interpolate(p.points, mark);
  return last.value + (last.value - p.entered[from]->value) * ((mark - last.mark) / (last.mark - p.entered[from]->mark));
}

bool is_jump(const DistributionLine& p, double one, double other) {
  return p.events && std::abs(one - other) > p.significant * std::max(std::abs(one), std::abs(other));
}

/// How far the jump next to an end is from it; negative beyond.
double distance(const DistributionLine& p, unsigned end, double x) { return end == 1 ? 1 - x - p.jumps.back() : p.jumps.front() + x; }

void arm(DistributionLine& p) {
  for (const unsigned end : {0u, 1u}) {
    const bool forced = p.ends[end].forced && !p.jumps.empty();   // it leaves at the event to come
    p.ends[end] = {};
    p.ends[end].forced = forced;
    p.ends[end].epsilon = rounding * std::max(1.0, std::abs(p.x));
    if (!p.jumps.empty()) p.ends[end].armed = distance(p, end, p.x) > p.ends[end].epsilon;
  }
}

/// The jump next to an end leaves, with what was before it.
void leave(DistributionLine& p, unsigned end) {
  auto& points = p.points;
  if (end == 1) {
    while (points.size() > 1 && points[points.size() - 2].mark >= p.jumps.back()) points.pop_back();
    p.jumps.pop_back();
  } else {
    while (points.size() > 1 && points[1].mark <= p.jumps.front()) points.pop_front();
    p.jumps.pop_front();
  }
}

/// What is beyond the ends has left; a jump waits for its event.
void cut(DistributionLine& p) {
  const double beyond_it = std::max(far_beyond, 2 * rounding * std::abs(p.x));
  while (!p.jumps.empty() && distance(p, 1, p.x) < -beyond_it) leave(p, 1);
  while (!p.jumps.empty() && distance(p, 0, p.x) < -beyond_it) leave(p, 0);
  auto& points = p.points;
  const double high = p.jumps.empty() ? 1 - p.x : std::max(1 - p.x, p.jumps.back());
  const double at_high = interpolate(points, high);
  const bool beyond = points.back().mark > high;
  while (points.size() > 1 && points.back().mark > high) points.pop_back();
  if (beyond && points.back().mark < high) points.push_back({high, at_high});
  const double low = p.jumps.empty() ? -p.x : std::min(-p.x, p.jumps.front());
  const double at_low = interpolate(points, low);
  const bool before = points.front().mark < low;
  while (points.size() > 1 && points.front().mark < low) points.pop_front();
  if (before && points.front().mark > low) points.push_front({low, at_low});
}

/// An input that has changed while nothing moves takes the place of what went in there before at this x.
void put_in(DistributionLine& p, unsigned end, double value) {
  auto& points = p.points;
  const auto at = [&](std::size_t k) -> DistributionLine::Point& { return end == 0 ? points[k] : points[points.size() - 1 - k]; };
  const double mark = end == 0 ? -p.x : 1 - p.x;
  const auto noted = [&] { return !p.jumps.empty() && (end == 0 ? p.jumps.front() : p.jumps.back()) == at(0).mark; };
  if (at(0).value == value) return;
  p.entered[end].reset();
  p.reach.step = 0;
  const bool again = points.size() > 1 && at(1).mark == at(0).mark && std::abs(at(0).mark - mark) <= std::max(far_beyond, rounding * std::abs(p.x));
  if (again) {
    if (noted()) end == 0 ? p.jumps.pop_front() : p.jumps.pop_back();
    at(0).value = value;
  } else {
    const DistributionLine::Point point{at(0).mark, value};
    end == 0 ? points.push_front(point) : points.push_back(point);
  }
  if (is_jump(p, at(0).value, at(1).value)) end == 0 ? p.jumps.push_front(at(0).mark) : p.jumps.push_back(at(0).mark);
}

}  // namespace

DistributionLine make_distribution_line(const std::vector<double>& positions, const std::vector<double>& values, double x, bool events, double significant) {
  DistributionLine p;
  p.x = x;
  p.events = events;
  p.significant = significant;
  for (std::size_t k = 0; k < positions.size(); ++k) {
    p.points.push_back({positions[k] - x, values[k]});
    if (k > 0 && positions[k] == positions[k - 1] && is_jump(p, values[k], values[k - 1]) &&
        (p.jumps.empty() || p.jumps.back() != positions[k] - x))
      p.jumps.push_back(positions[k] - x);
  }
  arm(p);
  return p;
}

double outflow(const DistributionLine& p, unsigned output, double x, bool positive) {
  const auto& points = p.points;
  if (output == 1) {
    if (!positive) return arriving(p, 1, 1 - x);   // what goes in, from the past alone: no algebraic loop (MLS 3.7.4.2)
    const double mark = 1 - x;
    if (p.jumps.empty() || mark >= p.jumps.back()) return arriving(p, 0, mark);
    return interpolate(points, p.jumps.back());   // from the end 1
  }
  if (positive) return arriving(p, 0, -x);
  const double mark = -x;
  if (p.jumps.empty() || mark < p.jumps.front()) return arriving(p, 1, mark);
  return std::lower_bound(points.begin(), points.end(), p.jumps.front(), [](const DistributionLine::Point& point, double m) { return point.mark < m; })->value;
}

void move_on(DistributionLine& p, double x, double in0, double in1, bool positive) {
  const double moved = x - p.x;
  p.x = x;
  if (moved > 0) {
    p.entered[0] = p.points.front();
    p.entered[1].reset();
    p.points.push_front({-x, in0});
    cut(p);
  } else if (moved < 0) {
    p.entered[1] = p.points.back();
    p.entered[0].reset();
    p.points.push_back({1 - x, in1});
    cut(p);
  } else {
    positive ? put_in(p, 0, in0) : put_in(p, 1, in1);
  }
  arm(p);
}

double leaving(const DistributionLine& p, unsigned end, double x) {
  if (p.jumps.empty()) return RelationState::unknown;
  return crossing(Comparison::less, p.ends[end], distance(p, end, x));
}

bool take_leaving(DistributionLine& p, unsigned end, double x) {
  RelationState& state = p.ends[end];
  if (arms(Comparison::less, state, distance(p, end, x))) {
    state.armed = true;
    return false;
  }
  return state.forced = true;
}

bool release(DistributionLine& p, bool positive) {
  bool any = false;
  for (const unsigned end : {0u, 1u}) {
    if (p.jumps.empty()) break;
    const bool arrived = end == unsigned(positive) && std::abs(distance(p, end, p.x)) <= p.ends[end].epsilon;
    if (p.ends[end].forced || arrived) leave(p, end), any = true;
  }
  p.ends[0].forced = p.ends[1].forced = false;
  if (any) arm(p);
  return any;
}

}  // namespace mosim::runtime
