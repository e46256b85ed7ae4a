#pragma once
// spatialDistribution: a profile z over 0 ... 1 that moves with the position x (MLS 3.7.4.2).

#include <span>
#include <vector>

namespace mosim::runtime {

struct Profile {
  struct Point {
    double position, value;     // two at one position: a jump
  };
  std::vector<Point> points;    // as it was at x; positions rise from 0 to 1
  double x = 0;
  double speed = 0;             // |der(x)| in the last step: in one step not all of the profile should leave
};

/// The value at the end 0 (output 0) or 1 (output 1) once the profile has moved on to x. At the end where the flow
/// goes in, what went in last: an input has no effect at the moment it comes.
double outflow(const Profile& profile, unsigned output, double x, bool positive);

/// Moves the profile to x, with what goes in there. Without a move, a new input is a jump (after an event).
void move_on(Profile& profile, double x, double in0, double in1, bool positive);

}  // namespace mosim::runtime
