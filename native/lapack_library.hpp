#pragma once
// liblapack, with the BLAS that it needs: loaded with the first of its routines, as it is large.

#include <string>
#include <string_view>

namespace mosim::native {

/// The address of a routine, by its name in lower case. Errors: the library is not there, or has it not.
void* lapack_routine(std::string_view name);

/// A call of a routine is under way, in this thread: what it refuses is thrown.
struct LapackCall {
  LapackCall();
  ~LapackCall();
  LapackCall(const LapackCall&) = delete;
};

/// Thrown out of a routine by the xerbla of this library: who refused (the routine may have called another), and which of its
/// arguments, from 1.
struct RefusedArgument {
  std::string routine;
  int place;
};

}  // namespace mosim::native
