#pragma once
// Where a break may stand (MLS 11.2.4).

#include "parser/syntax.hpp"

namespace mosim::compiler {

struct Instances;

/// Looks for a break that stands in no loop. False: there is one, and that was said.
bool check_breaks(Instances& in, parser::List<parser::Statement> statements);

}  // namespace mosim::compiler
