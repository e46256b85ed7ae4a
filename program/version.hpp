#pragma once

namespace mosim {

/// As `mosim --version` says it.
extern const char* const version;

}  // namespace mosim
