#include "cli/subcommand.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <system_error>

#include "cli/check_submission.hpp"
#include "cli/course.hpp"
#include "cli/mistaken.hpp"
#include "cli/simulation.hpp"
#include "cli/study.hpp"
#include "report/file.hpp"

namespace mosim::cli {

int carry_out(CLI::App& app, std::vector<std::string> words, Streams& streams, const std::function<void()>& check, const std::function<int()>& run) {
  try {
    if (const std::string mistake = mistaken_argument(app, words); !mistake.empty()) throw CLI::ValidationError(app.get_name(), mistake);
    std::reverse(words.begin(), words.end());   // as CLI11 wants them
    app.parse(words);
    check();
  } catch (const CLI::ParseError& e) {
    std::ostringstream out, err;
    const int status = app.exit(e, out, err) == 0 ? done : unusable;
    streams.out.say(out.str());
    streams.err.say(err.str());
    return status;
  }
  const auto complain = [&](const std::string& text, int status) {
    streams.err.say("mosim: error: " + text + "\n");
    return status;
  };
  try {
    return run();
  } catch (const Refusal& refusal) {
    return complain(refusal.text, refusal.status);
  } catch (const std::invalid_argument& e) {
    return complain(e.what(), unusable);
  } catch (const std::system_error& e) {
    return complain(e.what(), unusable);
  }
}

Subcommand subcommand(std::string_view word) {
  if (word == "study") return study_command;
  if (word == "check-submission") return check_submission_command;
  if (word == "course") return course_command;
  return nullptr;
}

void add_libraries(Session& session, const std::vector<std::string>& libraries) {
  for (const std::string& path : libraries)
    if (!session.add_library(path)) throw Refusal{unusable, fmt::format("there is no library {}", path)};
  if (const char* path = std::getenv("MODELICAPATH")) {
    std::istringstream list(path);
    for (std::string folder; std::getline(list, folder, ':');)
      if (!folder.empty()) (void)session.add_library(folder);
  }
}

void add_solver_option(CLI::App& app, std::string& name) {
  app.add_option("--solver", name, "bdf, adams, esdirk, erk, or auto (default)")->option_text("NAME")->check([](const std::string& given) {
    if (solver_of(given)) return std::string();
    return fmt::format("there is no solver {}; there are bdf and adams, which remember several steps, the Runge-Kutta methods esdirk and erk, and auto, which chooses by what they cost", given);
  });
}

std::string contents_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw Refusal{unusable, fmt::format("cannot read the file {}", path)};
  try {
    return {std::istreambuf_iterator<char>(in), {}};
  } catch (const std::ios_base::failure&) {   // a folder, a disk that cannot be read
    throw Refusal{unusable, fmt::format("cannot read the file {}", path)};
  }
}

void write_output(const std::string& text, const std::string& path) {
  if (const auto problem = report::write_file(path, text)) throw Refusal{unusable, *problem};
}

bool has_errors(const Diagnostics& diagnostics) {
  return std::any_of(diagnostics.begin(), diagnostics.end(), [](const Diagnostic& d) { return d.severity == Severity::error; });
}

void say(const Diagnostics& diagnostics, Streams& streams) {
  for (const Diagnostic& d : diagnostics) streams.err.say(d.text);
}

}  // namespace mosim::cli
