#pragma once
// What the commands behind `mosim WORD` share.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/output.hpp"
#include "mosim/session.hpp"

namespace CLI {
class App;
}

namespace mosim::cli {

/// What ends the command with a status and a sentence.
struct Refusal {
  int status;
  std::string text;
};

/// Reads the words behind `mosim WORD`, looks at them with `check`, which throws CLI::ValidationError, and does what they ask for. Returns the exit
/// status. Refusals, std::invalid_argument and std::system_error end with their sentence.
int carry_out(CLI::App& app, std::vector<std::string> words, Streams& streams, const std::function<void()>& check, const std::function<int()>& run);

/// The command of `mosim WORD ...`; none: WORD is an option or a file.
using Subcommand = int (*)(std::vector<std::string> words, Streams& streams);
Subcommand subcommand(std::string_view word);

/// --solver NAME, one of solver_names.
void add_solver_option(CLI::App& app, std::string& name);

/// Throws a Refusal if one of them is none; those of MODELICAPATH come after them.
void add_libraries(Session& session, const std::vector<std::string>& libraries);
/// Throws a Refusal if it cannot be read.
std::string contents_of(const std::string& path);
void write_output(const std::string& text, const std::string& path);

bool has_errors(const Diagnostics& diagnostics);
void say(const Diagnostics& diagnostics, Streams& streams);

}  // namespace mosim::cli
