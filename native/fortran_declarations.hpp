#pragma once
// The routines that can be called, a row each (the notation: fortran_routine.hpp).

#include <span>
#include <string_view>

namespace mosim::native {

struct FortranDeclaration {
  std::string_view name;
  std::string_view result;  ///< of a function: real, int
  std::string_view parameters;
  bool iterates = false;  ///< where NaN or an infinity may keep it from ever coming to an end, or lead it out of its arrays
};

/// From the LAPACK Users' Guide and the routines' own headings (https://netlib.org/lapack). A routine belongs here only if these checks and
/// its own make every access stay inside: none whose arrays hold places that are not checked by <= LIMIT.
std::span<const FortranDeclaration> lapack_declarations();

/// From the BLAS Technical Forum's reference (https://netlib.org/blas).
std::span<const FortranDeclaration> blas_declarations();

}  // namespace mosim::native
