#pragma once
// Where crossing functions change their sign within a step (SEMANTICS E3). Besides a change of sign between two looks
// there may be a crossing and its return. Parabolas through neighbouring looks tell whether a function can reach 0
// between them: those of a function that a step resolves agree with each other and stay away from 0; where they do not,
// another look is taken between. So the looks follow the motion. A root is found by the method of false position
// (Illinois), with bisection where that is slow.

#include <functional>
#include <optional>
#include <vector>

namespace mosim::runtime {

struct Search {
  /// A look: the values of all functions at an instant. Positive while nothing happens, negative beyond, never 0; NaN:
  /// nothing can be said.
  struct Look {
    double time = 0;
    std::vector<double> values;
  };
  double distance = 1;              // seconds: looks are not farther apart
  std::vector<Look> looks;          // of the part searched last, perhaps with one before it; the last one is where it ended
  std::vector<Look> spare;
  double turn = 0;                  // in 0 ... 1: looks keep no rhythm that a motion might share
  std::optional<double> loss;       // in the last search, before any crossing: where of a function nothing can be said any more, though just before there could
};

/// Puts the values at a time into a vector of their number.
using Evaluate = std::function<void(double time, std::vector<double>& values)>;

/// Forgets what was before: the next search starts at `time`, where the functions have these values.
void start_search(Search& search, double time, const std::vector<double>& values);

/// The first instant up to `end` at which a function is negative, to rounding just right of the crossing, as the last
/// evaluation; the values are those of the last look. None: there is no such instant, and the next search starts at `end`.
std::optional<double> find_crossing(Search& search, double end, const Evaluate& evaluate);

}  // namespace mosim::runtime
