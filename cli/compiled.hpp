#pragma once
// A compiled model as a file, FILE.mosim: what `mosim compile` writes, and what is run in place of a Modelica file.

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "cli/arguments.hpp"
#include "report/page.hpp"
#include "runtime/program.hpp"

namespace mosim::cli {

inline constexpr const char* compiled_ending = ".mosim";

struct Compiled {
  runtime::Program program;
  std::vector<report::SourceText> sources;   // those that a page shows
};

/// Whether one of the files is a compiled model.
bool runs_compiled(const Arguments& arguments);

/// The compiled model that the arguments name; or why it cannot be run, or not with these options.
std::variant<Compiled, std::string> read_compiled(const Arguments& arguments);

/// Writes the program and those of the texts that it refers to. Returns what went wrong, if anything.
std::optional<std::string> write_compiled(const runtime::Program& program, const std::vector<report::SourceText>& sources, const std::string& path);

}  // namespace mosim::cli
