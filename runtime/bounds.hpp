#pragma once
// min and max of variables: the range in which the model says that it holds (MLS 4.9). What leaves it in the run is told of once.

#include <vector>

#include "runtime/machine.hpp"
#include "runtime/simulate.hpp"

namespace mosim::runtime {

/// The ranges that have not been left yet, and those that have.
struct Bounds {
  struct Range {
    Slot slot;
    double factor, offset;   // value = factor * w[slot] + offset
    double low, high;        // of the value, the tolerance around them included
    Index number;            // in Program::bounds
  };
  struct Left {
    Index number;
    double time, value;
    bool below;
  };
  std::vector<Range> states, others;
  std::vector<Left> left;
};

/// With the values that minimum and maximum have after initialisation. What the tolerance of the run explains lies within.
Bounds make_bounds(const Machine& machine, const Options& options);

/// Looks at consistent values in memory. Costs nothing for ranges that have been left.
void check_bounds(Bounds& bounds, const Machine& machine, bool states_alone);

/// A warning for each variable; of many the first ones, and the number of the rest.
std::vector<Message> tell(const Bounds& bounds, const Machine& machine);

}  // namespace mosim::runtime
