#pragma once

namespace mosim::runtime {

/// How far beyond what is known of the past a delay or a flow may be followed in one step.
struct Reach {
  double step = 0;         // so long a step, by the errors of those before; 0: unknown
  double stretched = 0;    // seconds of the run that were followed so
  int misses = 0;          // steps in a row that no shorter ones could make right
};

}  // namespace mosim::runtime
