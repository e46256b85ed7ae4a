#pragma once
// Relations that make no events (under noEvent, in sign), across which the derivatives jump back and forth (SEMANTICS
// E11): the steps shrink, as no step across the jump meets the tolerance. Such a relation is watched from there on.

#include <vector>

#include "runtime/machine.hpp"

namespace mosim::runtime {

struct QuietWatch {
  struct Suspect {
    Index relation;
    bool known = false, value = false;      // at the end of the last short step
    bool rises = false;                     // its difference did, in that step
    std::vector<double> flips;              // the last instants at which it had changed, or its difference had turned
  };
  std::vector<Suspect> suspects;            // that are not watched yet
  std::vector<double> states, differences;  // at the end of the last short step; Machine::relation_differences
  double time = 0;
};

QuietWatch make_quiet_watch(const Machine& machine);

/// At the end of a short step, whose time and states the machine holds: which relations changed in it? Those that
/// have done so many times, closer than `resolution` would show, and across which the derivatives jump, are watched from
/// here on. Returns them; mostly none.
std::vector<Index> note_short_step(QuietWatch& watch, Machine& machine, double resolution);

/// A step that was not short: what was seen before it does not count.
void note_long_step(QuietWatch& watch);

}  // namespace mosim::runtime
