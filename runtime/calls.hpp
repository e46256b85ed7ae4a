#pragma once
// Calls of functions in code: how deep they may be, the frames of those that call themselves, and results that lack a value.

#include "runtime/machine.hpp"

namespace mosim::runtime {

bool is_too_deep(const Machine& machine);

/// The frame of a function that is called from itself, put aside and taken back; with `width` tangents for each number.
void keep_frame(Machine& machine, const Function& function, unsigned width, const double* tangent);
void restore_frame(Machine& machine, const Function& function, unsigned width, double* tangent);

/// Notes the first result without a value, if there is one.
bool lacks_result(Machine& machine, Index function);

/// What a call and the return from it do, where the function does not call itself again. A fault: nothing was done.
Fault begin_call(Machine& machine, Entry at);
Fault end_call(Machine& machine, bool tolerant);

}  // namespace mosim::runtime
