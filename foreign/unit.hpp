#pragma once
// The code of some functions, brought into this process: C text compiled in memory, libraries loaded (MLS 12.9.4).

#include <compare>
#include <map>
#include <string>
#include <vector>

#include "foreign/function.hpp"

namespace mosim::foreign {

/// A function of a unit, and which text says what it is: 0 for the code's own, k for companion k - 1.
struct Wanted {
  std::string name;
  std::size_t text = 0;
  friend auto operator<=>(const Wanted&, const Wanted&) = default;
};

struct Unit {
  Code code;
  /// Where the function is, or why it is not there.
  struct Found {
    void* address = nullptr;
    std::string problem;
  };
  std::map<Wanted, Found> functions;
};

/// C text and static libraries by libtcc, shared libraries by the loader; without either, the functions of the C library.
/// All texts are linked together. `utilities_folder`: that of ModelicaUtilities.h. What is loaded stays until the process ends.
Unit make_unit(const Code& code, const std::vector<Wanted>& all, const std::string& utilities_folder);

/// Why a function without Include and Library annotations has no code; empty: it has some, of its own or in the C library. Nothing is
/// loaded for that, and nothing runs.
std::string missing_code(const Function& function);

}  // namespace mosim::foreign
