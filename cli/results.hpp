#pragma once
// Which variables a file of results holds, and the table that describes them.

#include <optional>
#include <string>
#include <variant>

#include "runtime/results.hpp"

namespace mosim::cli {

enum class Format { none, csv, mat };

/// What kind of file an output is to be, by its name: "-" and what is there already and is no file (/dev/null, a pipe) get CSV. Or what
/// is wrong with it, in one sentence.
std::variant<Format, std::string> format_of_output(const std::string& output);

/// What is written. patterns: the list of --results; empty: all but what is annotated HideResult. A .mat file has the parameters, too; a
/// CSV file those that are named without wildcards, and all with `parameters`. Or what is wrong, in one sentence.
std::variant<runtime::Contents, std::string> choose_results(const runtime::Program& program, const std::string& patterns, Format format,
                                                            bool parameters);

/// Writes the table of --describe: name, unit, displayUnit, type, kind, description; a line for each variable of the results. Returns
/// what went wrong, if anything.
std::optional<std::string> describe_results(const runtime::Program& program, const runtime::Contents& contents, const std::string& path);

}  // namespace mosim::cli
