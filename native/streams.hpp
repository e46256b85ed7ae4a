#pragma once
// Text files that are read line by line.

#include "native/call.hpp"

namespace mosim::native {

/// No file stays open: one of them changes.
void forget_streams(Environment& environment);

}  // namespace mosim::native
