#pragma once
// LAPACK and BLAS, as external "FORTRAN 77" calls them (MLS 12.9): Debian's liblapack.so.3 and the BLAS that it brings, loaded with the
// first call. Every operand is checked against the routine's own declaration beforehand, so that a wrong one in a model is an Error.

#include <span>
#include <string_view>

namespace mosim::native {

/// One operand of a FORTRAN 77 routine, in the order of its call: by address, arrays column by column.
struct FortranOperand {
  std::span<double> numbers;  ///< a scalar is an array of one; Integers and Booleans too are doubles
  std::string_view text;      ///< of a CHARACTER argument, whose `numbers` are empty
  bool real = true;           ///< DOUBLE PRECISION, not INTEGER or LOGICAL
  bool result = false;        ///< `numbers` get what the routine leaves there; of the others it gets a copy
};

/// Is it a routine of LAPACK or BLAS that can be called?
bool knows_fortran(std::string_view name);

/// Calls it; what a function returns comes back in a first operand, ahead of its arguments. An `info` above zero is the caller's to read.
/// Errors, which leave every operand as it was: the library is not there; the number of operands, their kinds, an array that is shorter
/// than the routine takes it to be, an Integer that is not whole or outside of 32 bits, a value that the routine itself refuses.
void call_fortran(std::string_view name, std::span<FortranOperand> operands);

}  // namespace mosim::native
