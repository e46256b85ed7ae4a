#pragma once
// Files named by a URI (MLS 13.5).

#include <string>
#include <string_view>

#include "native/call.hpp"

namespace mosim::native {

/// The file that `modelica://Package.Inner/folder/file` or `file:///folder/file` means; anything else is a name already. An Error, if the package is
/// not known, or has no folder.
std::string file_of(std::string_view name, const Environment& environment);

}  // namespace mosim::native
