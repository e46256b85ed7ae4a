#pragma once
// Stage "lower": dae system -> program.

#include "compiler/analyse/dae.hpp"
#include "runtime/program.hpp"

namespace mosim::compiler {

/// Register code, tables and source places of a system that `analyse` has accepted.
runtime::Program lower(const dae::System& system, const parser::Sources& sources);

}  // namespace mosim::compiler
