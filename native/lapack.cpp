#include "native/lapack.hpp"

#include <ffi.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "native/call.hpp"
#include "native/fortran_routine.hpp"
#include "native/lapack_library.hpp"
#include "native/say.hpp"

namespace mosim::native {
namespace {

using Kind = FortranParameter::Kind;
using Use = FortranParameter::Use;
using Result = FortranRoutine::Result;

static_assert(sizeof(ffi_arg) >= sizeof(std::int32_t));

std::string_view say_kind(Kind kind) {
  switch (kind) {
    case Kind::integer: return "an Integer";
    case Kind::real: return "a Real";
    case Kind::logical: return "a Boolean";
    case Kind::character: return "a String";
    case Kind::function: break;
  }
  return "a function";
}

bool fits(double value) {
  return value == std::trunc(value) && value >= std::numeric_limits<std::int32_t>::min() && value <= std::numeric_limits<std::int32_t>::max();
}

/// A whole number with all its digits.
std::string say_number(double value) {
  return fits(value) ? std::to_string(static_cast<std::int32_t>(value)) : say(value);
}

char upper(std::string_view text) {
  if (text.empty()) return ' ';
  const char c = text.front();
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

/// What the routine gets of one operand.
struct Copy {
  std::vector<double> reals;
  std::vector<std::int32_t> integers;
  std::string text;

  void* address() {
    if (!reals.empty()) return reals.data();
    return text.empty() ? static_cast<void*>(integers.data()) : text.data();
  }
};

/// One call, whose operands are without a function's result.
class Call {
 public:
  Call(const FortranRoutine& routine, std::span<FortranOperand> operands)
      : routine_(routine), operands_(operands), values_(operands.size()), least_(operands.size()), copies_(operands.size()) {}

  void check() {
    for (std::size_t i = 0; i < operands_.size(); ++i) check_kind(i);
    for (std::size_t i = 0; i < operands_.size(); ++i) check_size(i);
    for (std::size_t i = 0; i < operands_.size(); ++i) check_limit(i);
  }

  void copy_in() {
    for (std::size_t i = 0; i < operands_.size(); ++i) {
      const FortranOperand& operand = operands_[i];
      Copy& copy = copies_[i];
      // An empty array has an address too.
      const std::size_t count = std::max<std::size_t>({1, operand.numbers.size(), static_cast<std::size_t>(least_[i])});
      switch (routine_.parameters[i].kind) {
        case Kind::character: copy.text = operand.text.empty() ? " " : std::string(operand.text); break;
        case Kind::real:
          copy.reals.reserve(count);
          copy.reals.assign(operand.numbers.begin(), operand.numbers.end());
          copy.reals.resize(count);
          break;
        case Kind::integer:
        case Kind::logical:
        case Kind::function:
          copy.integers.reserve(count);
          for (const double value : operand.numbers) copy.integers.push_back(fits(value) ? static_cast<std::int32_t>(value) : 0);
          copy.integers.resize(count);
      }
    }
  }

  /// Every argument by its address; behind them the lengths of the CHARACTER ones, by value (as gfortran has it).
  double run(void* address) {
    std::vector<void*> addresses;
    std::vector<std::size_t> lengths;
    for (Copy& copy : copies_) {
      addresses.push_back(copy.address());
      if (!copy.text.empty()) lengths.push_back(copy.text.size());
    }
    std::vector<ffi_type*> types(addresses.size(), &ffi_type_pointer);
    types.resize(addresses.size() + lengths.size(), sizeof(std::size_t) == 8 ? &ffi_type_uint64 : &ffi_type_uint32);
    std::vector<void*> arguments;
    for (void*& a : addresses) arguments.push_back(&a);
    for (std::size_t& length : lengths) arguments.push_back(&length);
    ffi_type* const result = routine_.result == Result::none   ? &ffi_type_void
                             : routine_.result == Result::real ? &ffi_type_double
                                                               : &ffi_type_sint32;
    ffi_cif interface;
    if (ffi_prep_cif(&interface, FFI_DEFAULT_ABI, static_cast<unsigned>(types.size()), result, types.data()) != FFI_OK)
      throw Error(std::string(routine_.name) + " cannot be called: libffi does not take its arguments");
    double real = 0;
    ffi_arg integer = 0;  // libffi widens what is narrower than a register
    void* const place = routine_.result == Result::integer ? static_cast<void*>(&integer) : &real;
    try {
      const LapackCall under_way;
      ffi_call(&interface, reinterpret_cast<void (*)()>(address), place, arguments.data());
    } catch (const RefusedArgument& refused) {
      refuse(refused);
    }
    check_info();
    return routine_.result == Result::integer ? static_cast<double>(static_cast<std::int32_t>(integer)) : real;
  }

  void copy_out() {
    for (std::size_t i = 0; i < operands_.size(); ++i) {
      const FortranParameter& parameter = routine_.parameters[i];
      const auto numbers = operands_[i].numbers;
      if (!operands_[i].result || parameter.use == Use::in || parameter.kind == Kind::character) continue;
      const bool logical = parameter.kind == Kind::logical;
      for (std::size_t k = 0; k < numbers.size(); ++k)
        numbers[k] = parameter.kind == Kind::real ? copies_[i].reals[k] : logical ? copies_[i].integers[k] != 0 : copies_[i].integers[k];
    }
  }

 private:
  std::string operand(std::size_t i) const {
    return "operand " + std::to_string(i + 1) + " (" + std::string(routine_.parameters[i].name) + ") of " + std::string(routine_.name);
  }

  void check_kind(std::size_t i) {
    const FortranParameter& parameter = routine_.parameters[i];
    const FortranOperand& given = operands_[i];
    if (parameter.kind == Kind::function) return;
    const auto is_not = [&](std::string_view what) {
      throw Error(operand(i) + " is " + std::string(say_kind(parameter.kind)) + ", not " + std::string(what));
    };
    if (parameter.kind == Kind::character) {
      if (!given.numbers.empty()) is_not("a number");
      values_[i] = upper(given.text);
      if (!parameter.letters.empty() && parameter.letters.find(upper(given.text)) == std::string_view::npos) refuse_letter(i);
      return;
    }
    if (!given.text.empty()) is_not("a String");
    if (given.real != (parameter.kind == Kind::real) && !given.numbers.empty()) is_not(given.real ? "a Real" : "an Integer or Boolean");
    const bool read = parameter.use == Use::in || parameter.use == Use::inout;
    if (routine_.iterates && parameter.kind == Kind::real && read)
      for (const double value : given.numbers)
        if (!std::isfinite(value)) throw Error(operand(i) + " holds " + say_number(value) + ", with which " + std::string(routine_.name) + " finds no end");
    if (parameter.kind != Kind::real && read)
      for (const double value : given.numbers)
        if (!fits(value)) throw Error(operand(i) + " is " + say_number(value) + ", which is no whole number of 32 bits");
    if (parameter.sizes.empty() && !given.numbers.empty()) values_[i] = given.numbers[0];
  }

  [[noreturn]] void refuse_letter(std::size_t i) const {
    std::string letters;
    for (const char c : routine_.parameters[i].letters) letters += std::string(letters.empty() ? "\"" : ", \"") + c + "\"";
    throw Error(operand(i) + " is \"" + std::string(operands_[i].text) + "\", where it can be " + letters);
  }

  std::size_t place(std::string_view name) const {
    return std::ranges::find(routine_.parameters, name, &FortranParameter::name) - routine_.parameters.begin();
  }

  double size(std::string_view text) const { return fortran_size(text, routine_, values_); }

  double least(std::size_t i) const {
    const FortranParameter& parameter = routine_.parameters[i];
    if (parameter.sizes.empty()) return 1;
    if (parameter.sizes.size() == 1) return std::max(0.0, size(parameter.sizes[0]));
    const double rows = size(parameter.sizes[0]);
    const double columns = size(parameter.sizes[1]);
    const double leading = size(parameter.sizes[2]);
    if (rows < 1 || columns < 1) return 0;
    if (leading < rows)
      throw Error(operand(place(parameter.sizes[2])) + " is " + say_number(leading) + ", which is less than the " + say_number(rows) + " rows of its array " +
                  std::string(parameter.name));
    return leading * (columns - 1) + rows;
  }

  void check_size(std::size_t i) {
    const FortranParameter& parameter = routine_.parameters[i];
    if (parameter.kind == Kind::character || parameter.kind == Kind::function) return;
    least_[i] = least(i);
    const std::size_t given = operands_[i].numbers.size();
    if (parameter.use == Use::scratch || static_cast<double>(given) >= least_[i]) return;
    if (parameter.sizes.empty()) throw Error(operand(i) + " is an empty array, where the routine takes a number");
    throw Error(operand(i) + " is an array of " + std::to_string(given) + ", where the routine takes one of " + say_number(least_[i]) + ": " + say_sizes(i));
  }

  /// What the sizes are, and the operands that they come from: "[n, n, lda] with n = 3, lda = 3".
  std::string say_sizes(std::size_t i) const {
    std::string sizes;
    for (const std::string_view text : routine_.parameters[i].sizes) sizes += (sizes.empty() ? "" : ", ") + std::string(text);
    std::string with;
    for (std::size_t k = 0; k < values_.size(); ++k) {
      const FortranParameter& other = routine_.parameters[k];
      if (!other.sizes.empty() || other.kind != Kind::integer || !names(sizes, other.name)) continue;
      with += (with.empty() ? " with " : ", ") + std::string(other.name) + " = " + say_number(values_[k]);
    }
    return "[" + sizes + "]" + with;
  }

  static bool names(std::string_view text, std::string_view name) {
    const auto in_word = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); };
    for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
      const std::size_t end = at + name.size();
      if ((at == 0 || !in_word(text[at - 1])) && (end == text.size() || !in_word(text[end]))) return true;
    }
    return false;
  }

  void check_limit(std::size_t i) const {
    const FortranParameter& parameter = routine_.parameters[i];
    if (parameter.limit.empty()) return;
    const double limit = size(parameter.limit);
    if (limit < 1) return;
    for (const double value : operands_[i].numbers.first(static_cast<std::size_t>(least_[i])))
      if (value < 1 || value > limit) throw Error(operand(i) + " holds " + say_number(value) + ", where an index from 1 to " + say_number(limit) + " is wanted");
  }

  /// The other way in which LAPACK refuses an argument.
  void check_info() const {
    for (std::size_t i = 0; i < operands_.size(); ++i)
      if (routine_.parameters[i].name == "info" && copies_[i].integers[0] < 0) refuse(-copies_[i].integers[0]);
  }

  [[noreturn]] void refuse(const RefusedArgument& refused) const {
    if (refused.routine == routine_.name) refuse(refused.place);
    throw Error(std::string(routine_.name) + ": " + refused.routine + ", which it calls, refuses its operand " + std::to_string(refused.place));
  }

  [[noreturn]] void refuse(int place) const {
    const std::size_t i = static_cast<std::size_t>(place) - 1;
    if (i >= operands_.size()) throw Error(std::string(routine_.name) + " refuses its operand " + std::to_string(place));
    const FortranParameter& parameter = routine_.parameters[i];
    const std::string value = parameter.kind == Kind::character ? " is \"" + std::string(operands_[i].text) + "\""
                              : !operands_[i].numbers.empty() && parameter.sizes.empty() ? " is " + say_number(operands_[i].numbers[0])
                                                                : std::string();
    throw Error(operand(i) + value + ", which the routine refuses");
  }

  const FortranRoutine& routine_;
  std::span<FortranOperand> operands_;
  std::vector<double> values_;  ///< of the scalars and the first letters
  std::vector<double> least_;   ///< sizes
  std::vector<Copy> copies_;
};

[[noreturn]] void wrong_count(const FortranRoutine& routine, std::size_t given) {
  std::string names;
  for (const FortranParameter& parameter : routine.parameters) names += (names.empty() ? "" : ", ") + std::string(parameter.name);
  throw Error(std::string(routine.name) + " has " + std::to_string(routine.parameters.size()) + " operands, not " + std::to_string(given) + ": " + names);
}

[[noreturn]] void no_memory(std::string_view name) { throw Error("there is not enough memory for a call of " + std::string(name)); }

}  // namespace

bool knows_fortran(std::string_view name) { return find_fortran(name) != nullptr; }

void call_fortran(std::string_view name, std::span<FortranOperand> operands) {
  const FortranRoutine* const routine = find_fortran(name);
  if (!routine) throw Error(std::string(name) + " is not known as a routine of LAPACK or BLAS");
  double* returned = nullptr;
  if (routine->result != Result::none) {
    if (operands.empty() || operands[0].numbers.size() != 1 || !operands[0].result)
      throw Error(std::string(name) + " is a function: its call has to be given to a variable");
    if (operands[0].real != (routine->result == Result::real))
      throw Error("what " + std::string(name) + " returns is " + (operands[0].real ? "an Integer, not a Real" : "a Real, not an Integer"));
    returned = operands[0].numbers.data();
    operands = operands.subspan(1);
  }
  if (operands.size() != routine->parameters.size()) wrong_count(*routine, operands.size());
  try {
    Call call(*routine, operands);
    call.check();
    call.copy_in();
    const double result = call.run(lapack_routine(name));
    call.copy_out();
    if (returned) *returned = result;
  } catch (const std::bad_alloc&) {
    no_memory(name);
  } catch (const std::length_error&) {
    no_memory(name);
  }
}

}  // namespace mosim::native
