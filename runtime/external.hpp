#pragma once
// Functions that are not Modelica (MLS 12.9), called with what stands in memory.

#include <memory>
#include <string>
#include <vector>

#include "foreign/process.hpp"
#include "native/call.hpp"
#include "native/lapack.hpp"
#include "runtime/program.hpp"

namespace mosim::runtime {

struct Machine;

/// What the external functions of a run work with: objects live as long as this, and end in the reverse order of their making.
struct Externals {
  /// Of one call in Program::externals: its operands, copied out of memory.
  struct Call {
    const native::Entry* entry = nullptr;   // null: nobody knows it, or it is FORTRAN 77, or foreign
    std::size_t foreign = 0;                // its number in `process`
    std::optional<std::size_t> destructor;
    std::vector<double> numbers;
    std::vector<std::vector<std::string_view>> views;
    std::vector<std::vector<std::string>> texts;
    std::vector<std::unique_ptr<native::Object>> made;
    std::vector<native::In> in;
    std::vector<native::Out> out;
    std::vector<native::FortranOperand> fortran;
    bool is_made = false;
  };
  std::vector<Call> calls;
  std::shared_ptr<foreign::Process> process;              // of foreign code; null: there is none
  std::vector<std::unique_ptr<native::Object>> objects;   // number n is objects[n - 1]
  native::Environment environment;
  std::string failure;                                    // what the last call that failed said

  Externals() = default;
  Externals(const Externals&) = delete;
  Externals& operator=(const Externals&) = delete;
  ~Externals();
};

/// Null if the program calls none.
std::unique_ptr<Externals> make_externals(const Program& program);

/// Calls Program::externals[which]; its results are in their slots then. False: Externals::failure says why.
///
/// With a width, tangent[slot * width + k] becomes the derivative of the results along direction k: by the function's own derivative where the
/// interface has one, else by central differences (relative step: the cube root of the rounding); 0 for impure ones. With sizes, the
/// absolute value of that, at least the result (run_sizes()).
/// Destroys the objects. Why a destructor failed; empty: none did.
std::string close_externals(Machine& machine);

bool call_external(Machine& machine, Index which, unsigned width = 0, double* tangent = nullptr, bool sizes = false);

}  // namespace mosim::runtime
