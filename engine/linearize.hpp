#pragma once
// A model near a point of its run as a linear system.

#include "mosim/session.hpp"
#include "runtime/machine.hpp"

namespace mosim::engine {

/// At the machine's point, which has to be consistent.
Linearization linearize(runtime::Machine& machine, const std::vector<Variable>& variables);

}  // namespace mosim::engine
