#pragma once
// Reads a file with a library that a damaged file can make fall: HDF5 and so libmatio copy what a file says beyond what they allocated.

#include <functional>
#include <string>

#include "native/matrix.hpp"

namespace mosim::native {

/// What `read` returns or throws as an Error, carried out in a process of its own: if that falls, an Error says that the file is damaged.
Matrix read_apart(const std::string& file, const std::function<Matrix()>& read);

}  // namespace mosim::native
