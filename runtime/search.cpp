#include "runtime/search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mosim::runtime {

namespace {

using Look = Search::Look;

constexpr double unit = std::numeric_limits<double>::epsilon();
constexpr double golden_ratio = 0.6180339887498949;
// A function may be off by some times what two parabolas differ, or one differs from a straight line. Much, as that
// costs nothing where a step resolves it; where it does not, what two parabolas have in common is chance.
constexpr double caution = 32;
constexpr double lone_caution = 5;
constexpr double near_look = 1e-3;      // of an interval: a neighbour that near says nothing of it
constexpr double least_part = 1e-6;     // of what is searched
constexpr double short_part = 0.25;     // of the distance
constexpr std::size_t most_looks = 4096;   // in one search

bool is_negative(const Look& look) {
  return std::any_of(look.values.begin(), look.values.end(), [](double value) { return value < 0; });
}

double smallest_distance(double time) { return 100 * unit * std::abs(time); }

/// A number in 0 ... 1, another one each time.
double irregular(Search& s) {
  s.turn += golden_ratio;
  s.turn -= std::floor(s.turn);
  return s.turn;
}

Look take_look(Search& s, double time, const Evaluate& evaluate) {
  Look look;
  if (!s.spare.empty()) {
    look = std::move(s.spare.back());
    s.spare.pop_back();
  }
  look.values.resize(s.looks.front().values.size());
  look.time = time;
  evaluate(time, look.values);
  return look;
}

void drop_after(Search& s, std::size_t last) {
  while (s.looks.size() > last + 1) {
    s.spare.push_back(std::move(s.looks.back()));
    s.looks.pop_back();
  }
}

/// How far a parabola through the values at both ends of an interval and at another instant hangs below the straight
/// line between the ends: this much times 4*s*(1 - s), s = 0 ... 1.
double sag(double left, double right, double width, double other, double distance) {
  // Divided differences; the other instant is `distance` to the right of the right end (or, mirrored, to the left).
  const double curvature = ((other - right) / distance - (right - left) / width) / (distance + width);
  return curvature * width * width / 4;
}

/// Where in the interval from look i to the next one another look is needed; none: nothing hides there.
std::optional<double> doubt(const Search& s, std::size_t i) {
  const Look &a = s.looks[i], &b = s.looks[i + 1];
  const double width = b.time - a.time;
  const auto near = [&](double distance) { return distance < near_look * width; };
  const Look* before = i > 0 && !near(a.time - s.looks[i - 1].time) ? &s.looks[i - 1] : nullptr;
  const Look* after = i + 2 < s.looks.size() && !near(s.looks[i + 2].time - b.time) ? &s.looks[i + 2] : nullptr;
  std::optional<double> worst;
  double lowest = 0;
  for (std::size_t k = 0; k < a.values.size(); ++k) {
    const double left = a.values[k], right = b.values[k];
    if (std::isnan(left) || std::isnan(right)) continue;
    const bool has_before = before && !std::isnan(before->values[k]), has_after = after && !std::isnan(after->values[k]);
    if (!has_before && !has_after) return 0.5;
    const double one = has_before ? sag(right, left, width, before->values[k], a.time - before->time) : 0;
    const double two = has_after ? sag(left, right, width, after->values[k], after->time - b.time) : 0;
    const double hang = has_before && has_after ? std::max(one, two) + caution * std::abs(one - two)
                                                : one + two + lone_caution * std::abs(one + two);
    if (!(4 * hang > std::abs(right - left))) continue;   // lowest at an end
    const double position = 0.5 * (1 - (right - left) / (4 * hang));
    const double low = left + (right - left) * position - 4 * hang * position * (1 - position);
    if (low <= 0 && (!worst || low < lowest)) worst = position, lowest = low;
  }
  return worst;
}

/// Adds looks where crossings may hide, from look `first` on; what comes after a negative one is dropped.
void refine(Search& s, std::size_t first, double least, const Evaluate& evaluate) {
  for (bool again = true; again;) {
    again = false;
    for (std::size_t i = first; i + 1 < s.looks.size(); ++i) {
      if (i + 2 == s.looks.size() && is_negative(s.looks.back())) break;   // a root is looked for there
      const double width = s.looks[i + 1].time - s.looks[i].time;
      if (width <= least || s.looks.size() >= most_looks) continue;
      const std::optional<double> position = doubt(s, i);
      if (!position) continue;
      const double part = std::clamp(*position, 0.2, 0.8) + 0.1 * (irregular(s) - 0.5);
      s.looks.insert(s.looks.begin() + std::ptrdiff_t(i) + 1, take_look(s, s.looks[i].time + part * width, evaluate));
      again = true;
      if (is_negative(s.looks[i + 1])) {
        drop_after(s, i + 1);
        break;
      }
      ++i;
    }
  }
}

bool sees_less(const Look& seen, const Look& look) {
  for (std::size_t k = 0; k < look.values.size(); ++k)
    if (std::isnan(look.values[k]) && !std::isnan(seen.values[k])) return true;
  return false;
}

/// At the last look something could not be evaluated any more: an event before it may be why. Looks as far as there is something to see, and
/// notes where that ends.
void approach(Search& s, double least, const Evaluate& evaluate) {
  double blind = s.looks.back().time;
  while (s.looks.size() > 1 && !is_negative(s.looks.back()) && sees_less(s.looks[s.looks.size() - 2], s.looks.back())) {
    const Look& seen = s.looks[s.looks.size() - 2];
    if (blind - seen.time <= least) {
      if (!s.loss) s.loss = blind;
      return;
    }
    Look middle = take_look(s, seen.time + 0.5 * (blind - seen.time), evaluate);
    if (!is_negative(middle) && sees_less(seen, middle)) {
      blind = middle.time;
      s.spare.push_back(std::move(middle));
      continue;
    }
    const bool negative = is_negative(middle);
    s.looks.insert(s.looks.end() - 1, std::move(middle));
    if (negative) drop_after(s, s.looks.size() - 2);
  }
}

/// The last look is negative, the one before is not: narrows them to neighbours. Returns whether the last one was
/// evaluated last.
void narrow(Search& s, const Evaluate& evaluate) {
  Look &l = s.looks[s.looks.size() - 2], &r = s.looks.back();
  bool at_right = false;
  double weight = 1;              // of the left value
  int moved = 0, slow = 0;        // the end that moved last: -1, 1
  while (r.time - l.time > smallest_distance(r.time)) {
    const double width = r.time - l.time;
    double time = r.time;
    for (std::size_t k = 0; k < r.values.size(); ++k) {
      if (!(r.values[k] < 0)) continue;
      const double part = r.values[k] / (r.values[k] - weight * l.values[k]);
      time = std::min(time, std::isnan(part) ? l.time + 0.5 * width : r.time - part * width);
    }
    const double margin = std::min(0.4 * smallest_distance(r.time), 0.25 * width);
    time = slow >= 2 ? l.time + 0.5 * width : std::clamp(time, l.time + margin, r.time - margin);
    if (time <= l.time || time >= r.time) break;
    Look middle = take_look(s, time, evaluate);
    at_right = is_negative(middle);
    std::swap(at_right ? r : l, middle);
    s.spare.push_back(std::move(middle));
    const int move = at_right ? 1 : -1;
    weight = move != moved ? 1 : at_right ? weight * 0.5 : weight * 2;
    moved = move;
    slow = slow >= 2 || r.time - l.time <= 0.5 * width ? 0 : slow + 1;
  }
  if (at_right) return;
  // What is iterated to may come out positive this time, within its rounding: the crossing is there all the same.
  Look again = take_look(s, r.time, evaluate);
  if (is_negative(again)) std::swap(s.looks.back(), again);
  s.spare.push_back(std::move(again));
}

}  // namespace

void start_search(Search& s, double time, const std::vector<double>& values) {
  if (s.looks.empty()) s.looks.emplace_back();
  drop_after(s, 0);
  s.looks[0].time = time;
  s.looks[0].values = values;
}

std::optional<double> find_crossing(Search& s, double end, const Evaluate& evaluate) {
  // Of the search before, its last look and the one before that are left.
  if (s.looks.size() > 2) {
    std::rotate(s.looks.begin(), s.looks.end() - 2, s.looks.end());
    drop_after(s, 1);
  }
  const std::size_t first = s.looks.size() - 1;
  s.loss.reset();
  if (is_negative(s.looks[first])) {
    evaluate(s.looks[first].time, s.looks[first].values);
    // Within the rounding of what is iterated to, it may be positive this time.
    if (is_negative(s.looks[first])) return s.looks[first].time;
  }
  const double start = s.looks.back().time, length = end - start, least = std::max(least_part * length, 8 * smallest_distance(end));
  // Short steps are looked at where they end: what hides between two ends is seen from the looks around it.
  const bool is_short = length < short_part * s.distance;
  const int parts = is_short ? 1 : std::max(2, int(std::ceil(std::min(length / s.distance, 1e6))));
  for (int k = 1; k <= parts && !is_negative(s.looks.back()); ++k) {
    const double part = k == parts ? 1 : (k + 0.6 * (irregular(s) - 0.5)) / parts;
    s.looks.push_back(take_look(s, k == parts ? end : start + part * length, evaluate));
    approach(s, least, evaluate);
  }
  for (;;) {
    refine(s, first, least, evaluate);
    if (!is_negative(s.looks.back())) return {};
    const std::size_t count = s.looks.size();
    narrow(s, evaluate);
    // The part before it is known better now.
    refine(s, first, least, evaluate);
    if (s.looks.size() == count && is_negative(s.looks.back())) break;
  }
  if (s.loss && s.looks.back().time <= *s.loss) s.loss.reset();
  return s.looks.back().time;
}

}  // namespace mosim::runtime
