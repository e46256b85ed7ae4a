// mosim: .mo text in; the trajectory, and the reason for every event on it, out.

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <new>

#include "cli/arguments.hpp"
#include "cli/compiled.hpp"
#include "cli/memory/large_objects.hpp"
#include "cli/mistaken.hpp"
#include "cli/progress.hpp"
#include "cli/simulation.hpp"
#include "cli/subcommand.hpp"
#include "mosim/session.hpp"
#include "report/file.hpp"

namespace {

using namespace mosim;

using Clock = std::chrono::steady_clock;
double seconds(Clock::time_point from) { return std::chrono::duration<double>(Clock::now() - from).count(); }

bool is_error(const Diagnostic& d) { return d.severity == Severity::error; }

/// An error about the command line (no place in a file) is status 1, one in a model 2.
int status_of(const Diagnostics& diagnostics) {
  const auto first = std::find_if(diagnostics.begin(), diagnostics.end(), is_error);
  if (first == diagnostics.end()) return cli::done;
  return first->place.file.empty() || first->place.file.starts_with("--set") ? cli::unusable : cli::invalid;
}

int run(const cli::Arguments& arguments, cli::Streams& streams) {
  const auto begin = Clock::now();
  cli::Progress progress(streams.err.is_terminal());
  // With its model, kept for the life of the process: the system frees their millions of objects at once.
  static auto& session = *new Session({.native_code = arguments.native_code, .verifiable = arguments.verify, .compiling_thread = false});
  static auto& model = *new std::shared_ptr<const Model>;
  Diagnostics said;   // by the session, so far

  const auto keep = [&] { said.insert(said.end(), session.diagnostics().begin(), session.diagnostics().end()); };
  const auto print = [&](const std::string& text) {
    progress.clear();
    streams.out.print(text);
  };
  const auto say_diagnostics = [&] {
    if (said.empty()) return;
    progress.clear();
    for (const Diagnostic& d : said) streams.err.say(d.text);
  };
  const auto complain = [&](const std::string& text) {
    progress.clear();
    streams.err.say("mosim: error: " + text + "\n");
    return cli::unusable;
  };
  if (const auto problem = cli::check_outputs(arguments)) return complain(*problem);
  progress.begin("reading");
  report::Times times;
  if (!arguments.compile && cli::runs_compiled(arguments)) {
    const auto loaded = cli::load(arguments, session);
    if (const auto* problem = std::get_if<std::string>(&loaded)) return complain(*problem);
    times.read = seconds(begin);
    return cli::simulate(arguments, std::get<std::shared_ptr<const Model>>(loaded), times, progress, streams);
  }
  for (const std::string& path : arguments.libraries) {
    if (!session.add_library(path)) return complain(fmt::format("there is no library {}", path));
    keep();
  }
  if (const char* path = std::getenv("MODELICAPATH")) {
    std::string list = path;
    for (std::size_t at = 0; at <= list.size();) {
      std::size_t colon = list.find(':', at);
      if (colon == std::string::npos) colon = list.size();
      if (colon > at) session.add_library(list.substr(at, colon - at)), keep();
      at = colon + 1;
    }
  }
  if (arguments.emit == "syntax") {
    for (const std::string& file : arguments.files) {
      std::ifstream in(file, std::ios::binary);
      if (!in) return complain(fmt::format("cannot read the file {}", file));
      print(session.show_syntax(file, std::string{std::istreambuf_iterator<char>(in), {}}));
      keep();
    }
    say_diagnostics();
    return status_of(said);
  }
  std::vector<std::string> last;
  for (const std::string& file : arguments.files) {
    std::error_code error;
    if (!std::filesystem::exists(file, error)) return complain(cli::missing_file(file));
    last = session.read(file);
    keep();
  }
  // After syntax errors a model is looked at all the same, as far as it could be read.
  const bool damaged = cli::has_errors(said);
  if (damaged && arguments.model.empty() && (last.empty() || session.is_package(last.back()))) {
    say_diagnostics();
    return status_of(said);
  }
  if (arguments.model.empty() && last.empty()) return complain(cli::last_file_without_class(arguments.files.back()));
  const std::string name = arguments.model.empty() ? last.back() : arguments.model;
  times.read = seconds(begin);

  progress.begin("compiling");
  const auto compile_begin = Clock::now();
  if (!arguments.emit.empty()) {
    static const std::map<std::string, Stage> stages{{"instance", Stage::instance}, {"flat", Stage::flat}, {"dae", Stage::dae}, {"program", Stage::program}};
    const std::string text = session.show(name, stages.at(arguments.emit), arguments.settings);
    keep();
    if (arguments.emit == "instance") print(text);
    say_diagnostics();
    if (arguments.emit == "instance" || text.empty()) return status_of(said);
    print(text);
    return cli::done;
  }
  if (damaged) (void)session.check(name, arguments.settings);
  else model = session.compile(name, arguments.settings);
  keep();
  say_diagnostics();
  if (!model) return status_of(said);
  times.compile = seconds(compile_begin);
  if (arguments.check) {
    if (!arguments.quiet) print(fmt::format("{} is a valid model.\n", model->name()));
    return cli::done;
  }
  if (arguments.compile) {
    if (const auto problem = report::write_file(arguments.output, model->write())) return complain(*problem);
    if (!arguments.quiet) print(fmt::format("{} is compiled to {}.\n", model->name(), arguments.output));
    return cli::done;
  }
  cli::LargeObjects::begin_run();
  return cli::simulate(arguments, model, times, progress, streams);
}

}  // namespace

int main(int argc, char** argv) {
  // A reader that goes away, and a file that may not grow, are told by the write that fails.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  mosim::cli::Streams streams;
  mosim::cli::Arguments arguments;
  int status = mosim::cli::done;
  if (const auto command = argc > 1 ? mosim::cli::subcommand(argv[1]) : nullptr) {
    try {
      status = command({argv + 2, argv + argc}, streams);
    } catch (const std::bad_alloc&) {
      streams.err.say(fmt::format("mosim: error: there is not enough memory for this {}\n", argv[1]));
      status = mosim::cli::failed;
    }
  } else if (const auto end = mosim::cli::parse_arguments(argc, argv, arguments, streams)) {
    status = *end;
  } else {
    mosim::cli::LargeObjects::begin_compiling();
    try {
      status = run(arguments, streams);
    } catch (const std::bad_alloc&) {
      streams.err.say("mosim: error: there is not enough memory for this model\n");
      status = mosim::cli::failed;
    }
  }
  streams.out.flush();
  if (status != mosim::cli::done || streams.out.error() == 0) return status;
  if (streams.out.error() == EPIPE) return mosim::cli::unread;
  streams.err.say(fmt::format("mosim: error: cannot write to standard output: {}\n", std::strerror(streams.out.error())));
  return mosim::cli::unusable;
}
