#pragma once
// Whether a block stands solved already: nothing that its solution depends on, nor the solution itself, is another number than it was.

#include <vector>

#include "runtime/machine.hpp"

namespace mosim::runtime {

/// Whether a call may leave Modelica. `seen`: of functions, those that were looked at already.
bool is_foreign(const Program& program, Index function, std::vector<bool>& seen);

/// Memory and buffered values are those that the block was last solved for. Its code has not run for others since; then it need not run, and what
/// quiet relations in it compare is in Machine::relation_differences again.
bool is_solved(Machine& machine, Index block);
/// They are from now on, where its code allows to tell: what looks back on the past or leaves Modelica is always solved again.
void note_solved(Machine& machine, Index block);

}  // namespace mosim::runtime
