#pragma once
// Faults as messages (SEMANTICS E12).

#include "runtime/machine.hpp"
#include "runtime/simulate.hpp"

namespace mosim::runtime {

/// What stopped a section, with the values that memory holds now: call it before anything else runs.
Message explain(Machine& machine, const Outcome& outcome);

/// `path:line` of an origin, or nothing.
std::string place(const Program& program, Index origin);
/// The text of an origin in quotes: "`h < 0`".
std::string text_of(const Program& program, Index origin);
/// The text of an origin in quotes with its place: "`h < 0` (ball.mo:12)".
std::string quote(const Program& program, Index origin);

/// The name of what is in a slot, if it is a variable.
std::string name_of(const Program& program, Slot slot);

}  // namespace mosim::runtime
