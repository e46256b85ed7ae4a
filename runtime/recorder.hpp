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

void record(Recorder& recorder, const Machine& machine);

/// Removes rows [first, last) but for the last row written for the output grid.
void thin(Recorder& recorder, std::size_t first, std::size_t last);

}  // namespace mosim::runtime
