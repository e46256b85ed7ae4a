#pragma once
// The code of some functions, brought into this process: C text compiled in memory, libraries loaded (MLS 12.9.4).

#include <map>
#include <string>
#include <vector>

#include "foreign/function.hpp"

namespace mosim::foreign {

struct Unit {
  Code code;
  /// By name: where the function is, or why it is not there.
  struct Found {
    void* address = nullptr;
    std::string problem;
  };
  std::map<std::string, Found> functions;
};

/// C text and static libraries by libtcc, shared libraries by the loader; without either, the functions of the C library.
/// `utilities_folder`: that of ModelicaUtilities.h. What is loaded stays until the process ends.
Unit make_unit(const Code& code, const std::vector<std::string>& names, const std::string& utilities_folder);

/// Why a function without Include and Library annotations has no code; empty: it has some, of its own or in the C library. Nothing is
/// loaded for that, and nothing runs.
std::string missing_code(const Function& function);

}  // namespace mosim::foreign
