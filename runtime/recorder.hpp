#pragma once
// Rows of the trajectory (SEMANTICS E13).

#include "runtime/machine.hpp"
#include "runtime/simulate.hpp"

namespace mosim::runtime {

/// Rows are counted from the start of the run. Where there is a sink, the first ones are with it, and `trajectory` holds those that
/// may still be taken back.
struct Recorder {
  struct Column {
    Slot slot;
    double factor, offset;   // value = factor * w[slot] + offset
  };
  Trajectory trajectory;
  std::vector<Column> columns;
  std::size_t last_grid_row = 0;        // plus one; 0: none
  Sink* sink = nullptr;
  std::size_t first = 0;                // number of the first row in `trajectory`
  std::size_t handed = 0;               // so many rows are with the sink
  bool refused = false;                 // it wants no more
};

Recorder make_recorder(const Program& program, const Options& options);

/// So many rows so far.
std::size_t row_count(const Recorder& recorder);

/// The time of a row that the sink does not have yet.
double row_time(const Recorder& recorder, std::size_t row);

/// jump: the number of events so far.
void record(Recorder& recorder, const Machine& machine, std::uint64_t jump);

/// Takes the last row away.
void drop_last(Recorder& recorder);

/// Removes rows [first, last) but for the last row written for the output grid. What the sink has, it keeps.
void thin(Recorder& recorder, std::size_t first, std::size_t last);

/// The sink gets the next row. False: it wants no more.
bool hand_on(Recorder& recorder);

}  // namespace mosim::runtime
