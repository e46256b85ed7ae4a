#pragma once
// Rows of the trajectory (SEMANTICS E13).

#include "runtime/machine.hpp"
#include "runtime/simulate.hpp"

namespace mosim::runtime {

struct Recorder {
  struct Column {
    Slot slot;
    double factor, offset;   // value = factor * w[slot] + offset
  };
  Trajectory trajectory;
  std::vector<Column> columns;
  std::size_t last_grid_row = 0;        // plus one; 0: none
};

Recorder make_recorder(const Program& program, std::size_t expected_rows);

/// jump: the number of events so far.
void record(Recorder& recorder, const Machine& machine, std::uint64_t jump);

/// Takes the last row away.
void drop_last(Recorder& recorder);

/// Removes rows [first, last) but for the last row written for the output grid.
void thin(Recorder& recorder, std::size_t first, std::size_t last);

}  // namespace mosim::runtime
