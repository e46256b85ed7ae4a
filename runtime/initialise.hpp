#pragma once
// The initial system (SEMANTICS E9).

#include <optional>

#include "runtime/machine.hpp"
#include "runtime/simulate.hpp"

namespace mosim::runtime {

/// Parameters, then the initial system until relations and discrete values agree, with homotopy (MLS 3.7.4.4) if
/// the direct attempt fails; then pre := values, the continuous equations and section `instants`. `record` gets
/// the when-clauses that initial() fired.
std::optional<Message> initialise(Machine& machine, const Options& options, EventRecord& record);

}  // namespace mosim::runtime
