#pragma once
// spatialDistribution: a distribution z over 0 ... 1 that moves with the position x (MLS 3.7.4.2).

#include <deque>
#include <optional>
#include <vector>

#include "runtime/hysteresis.hpp"
#include "runtime/reach.hpp"

namespace mosim::runtime {

/// What is on the way. A point has a mark, its position - x, which stays as it is while it moves. Where two points have
/// one mark there is a jump, which leaves at an event: up to there what is read at that end is the value before it.
struct DistributionLine {
  struct Point {
    double mark, value;
  };
  std::deque<Point> points;     // marks rise; from the end 0 to the end 1
  std::deque<double> jumps;     // their marks, rising, if they make events
  double x = 0;
  double speed = 0;             // |der(x)| in the last step: in one step not all of the distribution should leave
  std::optional<Point> entered[2];   // what went in before the last point, at that end; none: since it jumped
  Reach reach;
  bool events = false;
  double significant = 1e-10;   // a jump: the limits differ by more than this part of the larger one
  RelationState ends[2];        // "the jump next to the end has passed it"
};

/// The distribution at x, with values at positions that rise from 0 to 1.
DistributionLine make_distribution_line(const std::vector<double>& positions, const std::vector<double>& values, double x, bool events, double significant);

/// The value at the end 0 (output 0) or 1 (output 1) once the distribution has moved on to x. At the end where the flow
/// goes in, what went in last: an input has no effect at the moment it comes.
double outflow(const DistributionLine& distribution, unsigned output, double x, bool positive);

/// Moves the distribution to x, with what goes in there. Without a move, a new input is a jump (after an event).
void move_on(DistributionLine& distribution, double x, double in0, double in1, bool positive);

/// Crossing function of a jump at an end: positive while it is inside. NaN: there is none.
double leaving(const DistributionLine& distribution, unsigned end, double x);

/// Where `leaving` is negative: notes what comes of it. True: the jump leaves, at the event that follows.
bool take_leaving(DistributionLine& distribution, unsigned end, double x);

/// In an event: lets jumps out that were found to leave, or that have come to the end to which the flow goes (E5).
/// Returns whether there were any.
bool release(DistributionLine& distribution, bool positive);

}  // namespace mosim::runtime
