#include "runtime/transport.hpp"

#include <algorithm>

namespace mosim::runtime {

namespace {

double interpolate(const std::vector<Profile::Point>& points, double position) {
  if (position <= points.front().position) return points.front().value;
  if (position >= points.back().position) return points.back().value;
  const auto right = std::upper_bound(points.begin(), points.end(), position,
                                      [](double p, const Profile::Point& point) { return p < point.position; });
  const auto left = right - 1;
  const double width = right->position - left->position;
  return width > 0 ? left->value + (right->value - left->value) * (position - left->position) / width : left->value;
}

}  // namespace

double outflow(const Profile& profile, unsigned output, double x, bool positive) {
  const double moved = x - profile.x;
  if (output == 1) return positive ? interpolate(profile.points, 1 - moved) : profile.points.back().value;
  return positive ? profile.points.front().value : interpolate(profile.points, -moved);
}

void move_on(Profile& profile, double x, double in0, double in1, bool positive) {
  const double moved = x - profile.x;
  auto& points = profile.points;
  std::vector<Profile::Point> next;
  if (moved > 0) {
    next.push_back({0, in0});
    for (const Profile::Point& p : points)
      if (p.position + moved < 1) next.push_back({p.position + moved, p.value});
    next.push_back({1, interpolate(points, 1 - moved)});
    // The whole profile has left: what went in meanwhile is a straight line.
    if (moved > 1) next.back().value = in0 + (points.front().value - in0) / moved;
  } else if (moved < 0) {
    next.push_back({0, interpolate(points, -moved)});
    if (moved < -1) next.back().value = in1 - (points.back().value - in1) / moved;
    for (const Profile::Point& p : points)
      if (p.position + moved > 0) next.push_back({p.position + moved, p.value});
    next.push_back({1, in1});
  } else {
    next = points;
    const std::size_t n = points.size();
    if (positive && in0 != points.front().value) {
      // While nothing moves, what went in last takes the place of what went in before.
      if (points[1].position == 0) next.front().value = in0; else next.insert(next.begin(), {0, in0});
    }
    if (!positive && in1 != points.back().value) {
      if (points[n - 2].position == 1) next.back().value = in1; else next.push_back({1, in1});
    }
  }
  points = std::move(next);
  profile.x = x;
}

}  // namespace mosim::runtime
