#pragma once
// How the variables in a relation went on after the instants that the report speaks of (SEMANTICS E11), without the trajectory.

#include <vector>

#include "runtime/machine.hpp"
#include "runtime/simulate.hpp"

namespace mosim::runtime {

/// What the variables in each relation were when it flipped: the last times, and those that a finding is about.
struct Courses {
  struct Instant {
    double time;
    std::vector<double> values;    // of Origin::variables
  };
  struct Watch {
    std::vector<Instant> last, held;
  };
  std::vector<Watch> watches;      // per relation
  std::size_t spells = 0;          // so many of them are held
};

/// At the start of the run.
Courses make_courses(const Machine& machine);

/// The relations that flipped in an event, with the values after it.
void note_flips(Courses& courses, const Machine& machine, const EventRecord& record);

/// Keeps the instants that findings are about. To be called after each event.
void hold(Courses& courses, const std::vector<Zeno>& zeno, const std::vector<Chattering>& chattering);

/// Result::courses, of the findings in the result; the values at the end are those of the last row, or of the machine where that has no
/// such column.
void finish(const Courses& courses, const Machine& machine, const Trajectory& last_rows, Result& result);

}  // namespace mosim::runtime
