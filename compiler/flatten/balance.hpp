#pragma once
// Which classes are balanced (MLS 4.8), for the messages of a model that is not.

#include <cstdint>
#include <unordered_map>

#include "compiler/flatten/connect.hpp"
#include "compiler/flatten/flattening.hpp"

namespace mosim::compiler {

struct Class;

/// By object: how many variables its own sections determine.
using OwnEquations = std::unordered_map<const Class*, std::int64_t>;

/// Counts what each component of a model or block brings, and notes in the flat model which ones are not balanced, and
/// which connectors have more potentials than flows or fewer (MLS 9.3.1). Where a count is not simple (expandable and
/// overdetermined connectors, clocks, outer components) it says nothing. After all equations were made.
void count_balance(Instances& in, const Connections& connections, const OwnEquations& own);

}  // namespace mosim::compiler
