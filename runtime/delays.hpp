#pragma once
// delay(e, t): what an expression was (MLS 3.7.4.1).

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>

#include "runtime/program.hpp"

namespace mosim::runtime {

/// The past of one expression, in order of time. Between two points that belong to one integration step it is smooth.
/// Where its left and right limits differ it has a jump, which comes out of the delay at an event: between events
/// what is read stays on one side of it.
struct DelayLine {
  struct Point {
    double time, value;
    bool starts_segment;   // right limit of an event: not smooth across it
  };
  std::deque<Point> points;
  std::deque<double> jumps;   // instants, rising: two points stand at each
  std::size_t out = 0;        // so many of the jumps have come out
  double maximum = 0;         // older points are dropped
  double shortest = 1e300;    // shortest delay asked for so far: a step should not be longer
  double lag = std::numeric_limits<double>::quiet_NaN();  // the delay, where jumps make events; else NaN: they do not
  bool discrete = false;      // constant between jumps
  double significant = 1e-10; // a jump: the limits differ by more than this part of the larger one

  /// When the next jump comes out; infinity: none is known.
  double next_out() const { return out < jumps.size() ? jumps[out] + lag : std::numeric_limits<double>::infinity(); }
};

/// Adds a point at or after the last one. With starts_segment the last one is the left limit of what happened at its
/// time; a further one at the same time takes the place of the first.
void append(DelayLine& line, double time, double value, bool starts_segment);

/// What comes out by `time` (where next_out() <= time) has come out. Returns whether anything did.
bool pass_jumps(DelayLine& line, double time);

/// The value `delay` seconds before `time`; before the first point its value, `present` while nothing is known.
/// Cubic interpolation within a segment.
double delayed(DelayLine& line, double time, double delay, double present);

}  // namespace mosim::runtime
