#pragma once
// A compiled model as a file, FILE.mosim, that is run in place of a Modelica file.

#include <memory>
#include <string>
#include <variant>

#include "cli/arguments.hpp"
#include "mosim/session.hpp"

namespace mosim::cli {

inline constexpr const char* compiled_ending = ".mosim";

/// Whether one of the files is a compiled model.
bool runs_compiled(const Arguments& arguments);

/// The compiled model that the arguments name; or why it cannot be run, or not with these options.
std::variant<std::shared_ptr<const Model>, std::string> load(const Arguments& arguments, Session& session);

}  // namespace mosim::cli
