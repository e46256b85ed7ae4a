#pragma once
// delay(e, t): what an expression was (MLS 3.7.4.1).

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>

#include "runtime/hysteresis.hpp"
#include "runtime/program.hpp"
#include "runtime/reach.hpp"

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
  double shortest = 1e300;    // shortest delay asked for since the last step: the next one should not be longer
  double latest = 1e300;      // asked for last
  double settled = 1e300;     // asked for at the end of the last step
  Reach reach;
  double lag = std::numeric_limits<double>::quiet_NaN();  // the delay, where it is fixed and jumps make events; else NaN
  bool located = false;       // it varies, and jumps make events: where the instant that is read meets them
  double reading = std::numeric_limits<double>::quiet_NaN();  // located: that instant, in the round before or when last measured
  RelationState next, last;   // located: "read from beyond it" of the next jump to come out, and of the last one that did
  bool discrete = false;      // constant between jumps
  double significant = 1e-10; // a jump: the limits differ by more than this part of the larger one

  /// When the next jump comes out; infinity: none is known.
  double next_out() const { return out < jumps.size() && !located ? jumps[out] + lag : std::numeric_limits<double>::infinity(); }
};

/// Adds a point at or after the last one. With starts_segment the last one is the left limit of what happened at its
/// time; a further one at the same time takes the place of the first.
void append(DelayLine& line, double time, double value, bool starts_segment);

/// At the end of a step, where the delay has been asked for: it goes on to shrink as it did.
void end_step(DelayLine& line, double step);

/// In an event: what comes out by `time` (next_out() <= time) has come out; of a located line, what was taken, or what the
/// instant that is read, then `time`, has come to (E5). Returns whether anything did.
bool pass_jumps(DelayLine& line, double time);

/// A located line, read at an instant: crossing functions of the next jump, which comes out, and the last one, which goes in
/// again where the delay grows faster than time. NaN: there is none.
double next_jump(const DelayLine& line, double reading);
double last_jump(const DelayLine& line, double reading);

/// Where they are negative: notes what comes of it. True: the jump passes, at the event that follows.
bool take_next(DelayLine& line, double reading);
bool take_last(DelayLine& line, double reading);

/// In an event: an instant that has jumped is read as it is, whatever lies between.
void follow_reading(DelayLine& line, double reading);

/// The value `delay` seconds before `time`; before the first point its value, `present` while nothing is known.
/// Cubic interpolation within a segment.
double delayed(DelayLine& line, double time, double delay, double present);

}  // namespace mosim::runtime
