// mosim: .mo text in; the trajectory, and the reason for every event on it, out.

#include <fmt/format.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <new>

#include "cli/arguments.hpp"
#include "cli/compiled.hpp"
#include "cli/mistaken.hpp"
#include "cli/progress.hpp"
#include "cli/simulation.hpp"
#include "cli/study.hpp"
#include "compiler/analyse/analyse.hpp"
#include "compiler/compile.hpp"
#include "runtime/results.hpp"
#include "runtime/simulate.hpp"
#include "verify/verify.hpp"

namespace {

using namespace mosim;

using Clock = std::chrono::steady_clock;
double seconds(Clock::time_point from) { return std::chrono::duration<double>(Clock::now() - from).count(); }

void say(const parser::Diagnostics& diagnostics, const parser::Sources& sources, cli::Progress& progress, cli::Streams& streams) {
  if (diagnostics.empty()) return;
  progress.clear();
  for (const parser::Diagnostic& d : diagnostics) streams.err.say(parser::render(d, sources));
}

/// An error about the command line (no place in a file) is status 1, one in a model 2.
int status_of(const parser::Diagnostics& diagnostics, const parser::Sources& sources) {
  for (const parser::Diagnostic& d : diagnostics)
    if (d.severity == parser::Severity::error) {
      const parser::Source* source = sources.source(d.place);
      return !source || source->path.compare(0, 5, "--set") == 0 ? cli::unusable : cli::invalid;
    }
  return cli::done;
}

int run(const cli::Arguments& arguments, cli::Streams& streams) {
  const auto begin = Clock::now();
  cli::Progress progress(streams.err.is_terminal());
  compiler::Reading reading;
  compiler::Library& library = reading.library;
  parser::Workspace& workspace = reading.workspace;
  parser::Diagnostics& diagnostics = reading.diagnostics;

  const auto print = [&](const std::string& text) {
    progress.clear();
    streams.out.print(text);
  };
  const auto complain = [&](const std::string& text) {
    progress.clear();
    streams.err.say("mosim: error: " + text + "\n");
    return cli::unusable;
  };
  if (const auto problem = cli::check_outputs(arguments)) return complain(*problem);
  progress.begin("reading");
  if (!arguments.compile && cli::runs_compiled(arguments)) {
    auto read = cli::read_compiled(arguments);
    if (const auto* problem = std::get_if<std::string>(&read)) return complain(*problem);
    const auto& compiled = std::get<cli::Compiled>(read);
    report::Times times;
    times.read = seconds(begin);
    return cli::simulate(arguments, compiled.program, compiled.sources, times, progress, streams, nullptr);
  }
  for (const std::string& path : arguments.libraries)
    if (!library.add_path(path)) return complain(fmt::format("there is no library {}", path));
  if (const char* path = std::getenv("MODELICAPATH")) {
    std::string list = path;
    for (std::size_t at = 0; at <= list.size();) {
      std::size_t colon = list.find(':', at);
      if (colon == std::string::npos) colon = list.size();
      if (colon > at) library.add_path(list.substr(at, colon - at));
      at = colon + 1;
    }
  }
  if (arguments.emit == "syntax") {
    for (const std::string& file : arguments.files) {
      std::ifstream in(file, std::ios::binary);
      if (!in) return complain(fmt::format("cannot read the file {}", file));
      std::string text{std::istreambuf_iterator<char>(in), {}};
      const auto stored = parser::parse(workspace.sources.add(file, std::move(text)), workspace, diagnostics);
      if (stored) print(parser::print(*stored, workspace));
    }
    say(diagnostics, workspace.sources, progress, streams);
    return status_of(diagnostics, workspace.sources);
  }
  std::vector<compiler::StoredClass*> last;
  for (const std::string& file : arguments.files) {
    std::error_code error;
    if (!std::filesystem::exists(file, error)) return complain(cli::missing_file(file));
    last = library.read(file);
  }
  // After syntax errors a model is looked at all the same, as far as it could be read.
  const bool named = !arguments.model.empty() || (!last.empty() && last.back()->definition->kind != parser::ClassKind::package);
  if (parser::has_errors(diagnostics) && !named) {
    say(diagnostics, workspace.sources, progress, streams);
    return status_of(diagnostics, workspace.sources);
  }
  compiler::Request request;
  request.settings = arguments.settings;
  request.model = arguments.model;
  request.native_code = arguments.native_code;
  if (request.model.empty()) {
    if (last.empty()) return complain("the last file holds no model; name one with --model");
    request.model = reading.name_of(last.back());
  }
  report::Times times;
  times.read = seconds(begin);

  progress.begin("compiling");
  const auto compile_begin = Clock::now();
  compiler::Compilation compilation(reading, std::move(request));
  if (arguments.emit == "instance") print(compilation.instances());
  if (!compilation.flat() || arguments.emit == "instance") {
    say(diagnostics, workspace.sources, progress, streams);
    return status_of(diagnostics, workspace.sources);
  }
  if (arguments.emit == "flat") {
    say(diagnostics, workspace.sources, progress, streams);
    print(compiler::print(*compilation.flat()));
    return cli::done;
  }
  auto& system = compilation.system();
  say(diagnostics, workspace.sources, progress, streams);
  if (!system) return cli::invalid;
  if (arguments.emit == "dae") {
    print(compiler::print(*system, workspace.sources));
    return cli::done;
  }
  const runtime::Program& program = *compilation.program();
  if (arguments.emit == "program") {
    print(runtime::print(program));
    return cli::done;
  }
  times.compile = seconds(compile_begin);
  if (arguments.check) {
    if (!arguments.quiet) print(fmt::format("{} is a valid model.\n", program.model));
    return cli::done;
  }

  std::vector<report::SourceText> sources;
  if (!arguments.plot_to.empty() || arguments.compile)
    for (const auto& source : workspace.sources.all()) sources.push_back({source->path, source->text});
  if (arguments.compile) {
    if (const auto problem = cli::write_compiled(program, sources, arguments.output)) return complain(*problem);
    if (!arguments.quiet) print(fmt::format("{} is compiled to {}.\n", program.model, arguments.output));
    return cli::done;
  }
  std::optional<verify::Verifier> verifier;
  if (arguments.verify) verifier.emplace(*system, compilation.layout(), workspace.sources);
  return cli::simulate(arguments, program, sources, times, progress, streams, verifier ? &*verifier : nullptr);
}

}  // namespace

int main(int argc, char** argv) {
  // A reader that goes away, and a file that may not grow, are told by the write that fails.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  mosim::cli::Streams streams;
  mosim::cli::Arguments arguments;
  int status = mosim::cli::done;
  if (argc > 1 && std::string_view(argv[1]) == "study") {
    try {
      status = mosim::cli::study_command({argv + 2, argv + argc}, streams);
    } catch (const std::bad_alloc&) {
      streams.err.say("mosim: error: there is not enough memory for this study\n");
      status = mosim::cli::failed;
    }
  } else if (const auto end = mosim::cli::parse_arguments(argc, argv, arguments, streams)) {
    status = *end;
  } else {
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
