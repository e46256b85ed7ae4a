#pragma once
// MATLAB's files.

#include <memory>
#include <string>

#include "native/mat_library.hpp"
#include "native/matrix.hpp"

namespace mosim::native {

struct CloseMat {
  void operator()(mat_t* file) const { mat_library().close(file); }
};
using MatFile = std::unique_ptr<mat_t, CloseMat>;
struct FreeMat {
  void operator()(matvar_t* variable) const { mat_library().free(variable); }
};
using MatVariable = std::unique_ptr<matvar_t, FreeMat>;

/// An existing file, to be read. Errors: it is not there, or no such file.
MatFile open_mat(const std::string& file);

/// Its rows and columns, without reading the numbers. Errors: as read_mat_matrix.
Matrix mat_matrix_size(const std::string& file, const std::string& name);

}  // namespace mosim::native
