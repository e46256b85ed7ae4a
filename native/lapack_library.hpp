#pragma once
// liblapack, with the BLAS that it needs: loaded with the first of its routines, as it is large.

#include <string>
#include <string_view>

namespace mosim::native {

/// The address of a routine, by its name in lower case. Errors: the library is not there, or has it not.
void* lapack_routine(std::string_view name);

/// Thrown out of a routine by the xerbla that the program exports: who refused (the routine may have called another), and which of its
/// arguments, from 1.
struct RefusedArgument {
  std::string routine;
  int place;
};

}  // namespace mosim::native
