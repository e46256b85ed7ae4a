#pragma once
// From a class's name to its equations and its program: the stages of the compiler one after the other.

#include <optional>
#include <string>
#include <vector>

#include "compiler/analyse/dae.hpp"
#include "compiler/flatten/flat.hpp"
#include "compiler/instantiate/library.hpp"
#include "runtime/program.hpp"

namespace mosim::compiler {

struct Request {
  std::string model;                    // qualified class name
  std::vector<std::string> settings;    // "name = value": parameters, or start values of variables
};

/// Instantiates and flattens. `instances`, if given, gets the instance tree as text, also after an error.
/// Empty if there are errors, which are in `library.diagnostics`.
std::optional<flat::Model> flatten(Library& library, const Request& request, std::string* instances = nullptr);

/// All the way to the program.
std::optional<runtime::Program> compile(Library& library, const Request& request);

/// Adds the library that is part of mosim (models/Modelica); one found by path takes its place.
void add_bundled_library(Library& library);

}  // namespace mosim::compiler
