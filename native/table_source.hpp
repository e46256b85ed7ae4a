#pragma once
// Where a table comes from: the matrix in the model, or a file.

#include "native/call.hpp"
#include "native/matrix.hpp"

namespace mosim::native {

/// Which arguments of a constructor say it; 0 where it has none. The matrix is followed by its two sizes.
struct TableArguments {
  std::size_t name = 0, file = 0, table = 0, verbose = 0, delimiter = 0, header_lines = 0;
};

struct Source {
  Matrix table;
  std::string name;  ///< for messages
};

/// The table; with a message to `print`, if it is read from a file and that is wanted.
/// Errors: those of read_matrix; a name without a file.
Source read_source(std::span<const In> in, const TableArguments& at, Environment& environment);

}  // namespace mosim::native
