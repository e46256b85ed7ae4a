#pragma once
// How a routine of LAPACK or BLAS is declared: its arguments, and the least sizes of its arrays by the other arguments.

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mosim::native {

/// One argument. As text: [out|inout|scratch] int|real|bool|char|function NAME [{LETTERS}] [[SIZES]] [<= LIMIT]
/// - without a first word it is only read; `scratch` needs no memory of the model's;
/// - {LETTERS}: those that may begin a `char`, where the routine itself does not look;
/// - [count] of a vector; [rows, columns, leading dimension] of a matrix, whose element (i, j) is at i + j * leading dimension;
/// - <= LIMIT: the Integers are indices, from 1 to this (0: they are not read).
struct FortranParameter {
  enum class Kind { integer, real, logical, character, function };
  enum class Use { in, out, inout, scratch };
  Kind kind;
  Use use;
  std::string_view name;
  std::string_view letters;
  std::vector<std::string_view> sizes;  ///< none of a scalar
  std::string_view limit;
};

struct FortranRoutine {
  std::string_view name;
  enum class Result { none, integer, real } result;
  std::vector<FortranParameter> parameters;
  bool iterates;  ///< what it reads has to be finite
};

/// By its name in lower case; null: not known.
const FortranRoutine* find_fortran(std::string_view name);
/// All, in the order of their names.
std::span<const FortranRoutine> fortran_routines();

/// The value of a size or limit: whole numbers, names, + - *, a < b, min(a, b), max(a, b), strided(n, increment), c ? a : b, and
/// name=LETTERS, which is 1 where the first letter of a `char`, in upper case, is one of them. `values`: of the scalars, by place; of a
/// `char` its letter. In doubles: whole up to 2^53, and nothing overflows.
double fortran_size(std::string_view text, const FortranRoutine& routine, std::span<const double> values);

}  // namespace mosim::native
