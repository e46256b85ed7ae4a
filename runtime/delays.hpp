#pragma once
// delay(e, t): what an expression was (MLS 3.7.4.1).

#include <cstddef>
#include <cstdint>
#include <deque>

#include "runtime/program.hpp"

namespace mosim::runtime {

/// The past of one expression, in order of time. Between two points that belong to one integration step it is smooth.
struct DelayLine {
  struct Point {
    double time, value;
    bool starts_segment;   // right limit of an event: not smooth across it
  };
  std::deque<Point> points;
  double maximum = 0;      // older points are dropped
  double shortest = 1e300; // shortest delay asked for so far: a step should not be longer
};

/// Adds a point at or after the last one.
void append(DelayLine& line, double time, double value, bool starts_segment);

/// The value `delay` seconds before `time`; before the first point its value, `present` while nothing is known.
/// Cubic interpolation within a segment.
double delayed(DelayLine& line, double time, double delay, double present);

}  // namespace mosim::runtime
