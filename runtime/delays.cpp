#include "runtime/delays.hpp"

#include <algorithm>

namespace mosim::runtime {

void append(DelayLine& line, double time, double value, bool starts_segment) {
  line.points.push_back({time, value, starts_segment});
  // One point older than the horizon must stay, and a few before it for the cubic.
  while (line.points.size() > 8 && line.points[5].time < time - line.maximum) line.points.pop_front();
}

double delayed(DelayLine& line, double time, double delay, double present) {
  if (delay > 0) line.shortest = std::min(line.shortest, delay);
  const auto& points = line.points;
  if (points.empty()) return present;
  const double instant = time - delay;
  if (instant <= points.front().time) return points.front().value;
  // The last point at or before the instant; after an event that is its right limit.
  const auto after = std::upper_bound(points.begin(), points.end(), instant,
                                      [](double t, const DelayLine::Point& p) { return t < p.time; });
  const std::size_t right = std::size_t(after - points.begin());
  const bool beyond = after == points.end();
  const std::size_t left = right - 1;
  if (!beyond && points[left].time == instant) return points[left].value;
  // Up to four points of one segment around the interval (the last ones, when the instant lies beyond).
  std::size_t first = left, last = beyond ? left : right;
  for (int k = 0; k < 2 && !points[first].starts_segment && first > 0; ++k) --first;
  if (!beyond && last + 1 < points.size() && !points[last + 1].starts_segment && !points[last].starts_segment) ++last;
  while (last - first > 3) ++first;
  if (beyond && last - first > 1) first = last - 1;
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
