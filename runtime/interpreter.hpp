#pragma once
// Runs code over the machine's memory, alone or with tangents (forward differentiation).

#include "runtime/machine.hpp"

namespace mosim::runtime {

/// Runs from `entry` to the next `end`. Does nothing if entry is none.
Outcome run(Machine& machine, Entry entry, Mode mode);

/// The widest differentiation in one pass; widths 1, 4 and 8 exist.
inline constexpr unsigned max_width = 8;

/// As run(frozen), and tangent[slot * width + k] becomes the derivative of the slot along direction k. Slots that the
/// code does not write must hold the seeds: usually 0, and 1 for the slots to differentiate by.
Outcome run_dual(Machine& machine, Entry entry, unsigned width, double* tangent);

/// As run(frozen), and sizes[slot] becomes how much the rounding of one part in its operands can make of it: the sum of
/// |d result / d operand| * size of the operand, at least |result| (running error analysis: Higham, Accuracy and Stability
/// of Numerical Algorithms, 3.3). Slots that the code reads first must hold their sizes.
Outcome run_sizes(Machine& machine, Entry entry, double* sizes);

/// What code that does the rest by itself has done so far, its own and that of steps: rounds of loops, and instructions.
struct Steps {
  std::uint64_t rounds = 0, executed = 0;
};
/// One instruction, which does not jump, as in run(), run_dual() (width 1, 4 or 8) and run_sizes(); of a call the whole function. The instruction
/// itself is not counted.
Outcome run_step(Machine& machine, Entry at, Mode mode, unsigned width, bool sizes, double* tangent, Steps& steps);

/// What an instruction with tangents counts for in Machine::work, beside one without: measured over models, in which it is the same for
/// widths of 1, 4 and 8.
inline constexpr double tangent_work = 3;

}  // namespace mosim::runtime
