// What a browser has not: C functions of a model's own, LAPACK and MATLAB's files. Each says so where it is asked for.

#include <stdexcept>

#include "foreign/process.hpp"
#include "foreign/unit.hpp"
#include "native/fortran_routine.hpp"
#include "native/lapack.hpp"
#include "native/mat_library.hpp"

namespace mosim::native {

bool knows_fortran(std::string_view name) { return find_fortran(name) != nullptr; }
void call_fortran(std::string_view name, std::span<FortranOperand>) { throw Error("LAPACK, which has the routine " + std::string(name) + ", is not in mosim for browsers"); }
const MatLibrary& mat_library() { throw Error("files of MATLAB are not read by mosim for browsers"); }

}  // namespace mosim::native

namespace mosim::foreign {

namespace {

std::string say(const std::string& function) { return "the function " + function + " is C of the model's own, which mosim for browsers does not call"; }

}  // namespace

Channel::~Channel() {}
Process::~Process() {}
std::size_t Process::add(Function function) {
  entries_.push_back({std::move(function), false, {}});
  return entries_.size() - 1;
}
void Process::check(std::size_t function) { throw native::Error(say(entries_[function].function.name)); }
void Process::call(std::size_t function, std::span<const native::In>, std::span<native::Out>, native::Environment&, std::optional<std::size_t>) { check(function); }

std::string missing_code(const Function& function) { return function.code.include.empty() && function.code.libraries.empty() ? say(function.name) : ""; }

}  // namespace mosim::foreign
