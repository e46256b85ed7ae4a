// mosim: .mo text in; the trajectory, and the reason for every event on it, out.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <new>

#include <unistd.h>

#include "cli/arguments.hpp"
#include "cli/event_log.hpp"
#include "cli/event_text.hpp"
#include "cli/plot/plot.hpp"
#include "cli/progress.hpp"
#include "cli/report.hpp"
#include "cli/verification.hpp"
#include "compiler/analyse/analyse.hpp"
#include "compiler/compile.hpp"
#include "compiler/lower/lower.hpp"
#include "runtime/results.hpp"
#include "runtime/simulate.hpp"
#include "verify/verify.hpp"

namespace {

using namespace mosim;

enum Status { done = 0, unusable = 1, invalid = 2, failed = 3 };

constexpr std::size_t longest_on_terminal = 60;   // lines of the event log

using Clock = std::chrono::steady_clock;
double seconds(Clock::time_point from) { return std::chrono::duration<double>(Clock::now() - from).count(); }

void say(const parser::Diagnostics& diagnostics, const parser::Sources& sources) {
  for (const parser::Diagnostic& d : diagnostics) std::fputs(parser::render(d, sources).c_str(), stderr);
}

/// An error about the command line (no place in a file) is status 1, one in a model 2.
int status_of(const parser::Diagnostics& diagnostics, const parser::Sources& sources) {
  for (const parser::Diagnostic& d : diagnostics)
    if (d.severity == parser::Severity::error) {
      const parser::Source* source = sources.source(d.place);
      return !source || source->path.compare(0, 5, "--set") == 0 ? unusable : invalid;
    }
  return done;
}

std::string qualified(const parser::Names& names, const compiler::StoredClass* c) {
  std::string name;
  for (; c; c = c->parent) name = std::string(names.text(c->name)) + (name.empty() ? "" : "." + name);
  return name;
}

/// The last part of a class's name, without the quotes of a quoted identifier.
std::string simple_name(std::string name) {
  std::erase(name, '\'');
  return name.substr(name.rfind('.') + 1);
}

bool has_variable(const runtime::Program& program, std::string_view name) {
  return std::any_of(program.variables.begin(), program.variables.end(), [&](const auto& v) { return v.name == name; });
}

int run(const cli::Arguments& arguments) {
  const auto begin = Clock::now();
  parser::Workspace workspace;
  parser::Diagnostics diagnostics;
  compiler::Library library(workspace, diagnostics);
  compiler::add_bundled_library(library);

  const auto complain = [&](const std::string& text) {
    std::fputs(("mosim: error: " + text + "\n").c_str(), stderr);
    return unusable;
  };
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
      if (stored) std::fputs(parser::print(*stored, workspace).c_str(), stdout);
    }
    say(diagnostics, workspace.sources);
    return status_of(diagnostics, workspace.sources);
  }
  std::vector<compiler::StoredClass*> last;
  for (const std::string& file : arguments.files) {
    std::error_code error;
    if (!std::filesystem::exists(file, error)) return complain(fmt::format("there is no file {}", file));
    last = library.read(file);
  }
  // After syntax errors a model is looked at all the same, as far as it could be read.
  const bool named = !arguments.model.empty() || (!last.empty() && last.back()->definition->kind != parser::ClassKind::package);
  if (parser::has_errors(diagnostics) && !named) {
    say(diagnostics, workspace.sources);
    return status_of(diagnostics, workspace.sources);
  }
  compiler::Request request;
  request.settings = arguments.settings;
  request.model = arguments.model;
  if (request.model.empty()) {
    if (last.empty()) return complain("the last file holds no model; name one with --model");
    request.model = qualified(workspace.names, last.back());
  }
  cli::Times times;
  times.read = seconds(begin);

  const auto compile_begin = Clock::now();
  std::string instances;
  auto flat = compiler::flatten(library, request, arguments.emit == "instance" ? &instances : nullptr);
  if (arguments.emit == "instance") std::fputs(instances.c_str(), stdout);
  if (!flat || arguments.emit == "instance") {
    say(diagnostics, workspace.sources);
    return status_of(diagnostics, workspace.sources);
  }
  if (arguments.emit == "flat") {
    say(diagnostics, workspace.sources);
    std::fputs(compiler::print(*flat).c_str(), stdout);
    return done;
  }
  auto system = compiler::analyse(std::move(*flat), workspace.sources, diagnostics);
  say(diagnostics, workspace.sources);
  if (!system) return invalid;
  if (arguments.emit == "dae") {
    std::fputs(compiler::print(*system, workspace.sources).c_str(), stdout);
    return done;
  }
  compiler::Layout layout;
  const runtime::Program program = compiler::lower(*system, workspace.sources, &layout);
  if (arguments.emit == "program") {
    std::fputs(runtime::print(program).c_str(), stdout);
    return done;
  }
  times.compile = seconds(compile_begin);
  if (arguments.check) {
    if (!arguments.quiet) std::fputs(fmt::format("{} is a valid model.\n", program.model).c_str(), stdout);
    return done;
  }

  runtime::Options options;
  options.start = arguments.start.value_or(program.experiment.start.value_or(0));
  options.stop = arguments.stop.value_or(program.experiment.stop.value_or(options.start + 1));
  options.tolerance = arguments.tolerance.value_or(program.experiment.tolerance.value_or(1e-6));
  if (options.tolerance < runtime::least_tolerance)
    return complain(fmt::format("a tolerance of {:g} is finer than double numbers allow; the finest is {:g}", options.tolerance,
                                runtime::least_tolerance));
  options.solver = arguments.solver == "adams" ? runtime::Solver::adams : runtime::Solver::bdf;
  options.hysteresis = arguments.hysteresis;
  options.maximum_events = arguments.maximum_events;
  options.record_events = arguments.events || !arguments.events_file.empty();
  if (!std::isfinite(options.start) || !std::isfinite(options.stop))
    return complain(fmt::format("a run from {} to {} has no end", options.start, options.stop));
  if (!(options.stop >= options.start))
    return complain(fmt::format("the stop time {} lies before the start time {}", options.stop, options.start));
  if (arguments.intervals) {
    options.intervals = *arguments.intervals;
  } else if (const auto h = arguments.interval ? arguments.interval : program.experiment.interval; h && *h > 0) {
    const double n = std::round((options.stop - options.start) / *h);
    if (!(n <= 1e8)) return complain(fmt::format("an output interval of {} makes {} rows", *h, n));
    options.intervals = static_cast<std::uint32_t>(std::max(1.0, n));
  }
  const std::string output = arguments.output.empty() ? simple_name(program.model) + "_res.csv" : arguments.output;
  const bool to_stdout = output == "-";
  const std::string ending = std::filesystem::path(output).extension().string();
  if (!to_stdout && ending != ".csv" && ending != ".mat")
    return complain(fmt::format("results are written as .csv or .mat, not as {}", output));

  if (arguments.hybrid_time && has_variable(program, runtime::jump_column))
    return complain("--hybrid-time adds a column j, but the model has a variable of that name");
  const bool plots = !arguments.plot.empty() || !arguments.plot_to.empty();
  if (plots) {
    if (const auto problem = cli::check_plot(program, arguments.plot, arguments.plot_to)) return complain(*problem);
    options.record_events = true;
  }

  std::optional<verify::Verifier> verifier;
  if (arguments.verify) {
    verifier.emplace(*system, layout, workspace.sources);
    options.witness = [&](const runtime::Machine& machine, runtime::Options::Moment moment) { verifier->look(machine, moment); };
  }
  const auto run_begin = Clock::now();
  cli::Progress progress(options.start, options.stop);
  options.progress = [&](double time) { progress.show(time); };
  const runtime::Result result = runtime::simulate(program, options);
  times.run = seconds(run_begin);
  progress.clear();
  for (const runtime::Message& m : result.messages) std::fputs(cli::render(m, program).c_str(), stderr);
  const auto problem = ending == ".mat" ? runtime::write_mat(program, result, output, arguments.hybrid_time)
                                        : runtime::write_csv(program, result, output, arguments.hybrid_time);
  if (problem) return complain(*problem);
  if (!arguments.events_file.empty())
    if (const auto error = cli::write_event_log(program, options, result, arguments.events_file)) return complain(*error);
  // What is said goes where results do not.
  std::FILE* const said = to_stdout ? stderr : stdout;
  const bool terminal = isatty(fileno(said)) == 1;
  const std::size_t columns = terminal ? std::size_t(cli::screen_of(fileno(said)).columns) : 0;
  if (arguments.events) {
    const std::string text = terminal ? cli::event_text(program, options, result, {longest_on_terminal, columns})
                                      : cli::event_text(program, options, result);
    std::fputs((text + "\n").c_str(), said);
  }
  if (!arguments.quiet)
    std::fputs(cli::report(program, options, result, times, to_stdout ? "" : output, columns).c_str(), said);
  Status status = result.ending == runtime::Ending::failed ? failed : done;
  if (verifier) {
    const verify::Report report = verifier->report();
    if (!arguments.quiet) std::fputs(cli::verification(report, columns).c_str(), said);
    for (const verify::Finding& f : report.violated) std::fputs(cli::render(f).c_str(), stderr);
    if (!report.violated.empty()) status = failed;
  }
  if (!plots) return status;
  std::optional<std::string> bad;
  if (arguments.plot_to.empty()) {
    std::string text;
    bad = cli::plot_on_screen(program, options, result, arguments.plot, cli::screen_of(fileno(said)), text);
    std::fputs(text.c_str(), said);
  } else {
    std::vector<cli::SourceText> sources;
    for (const parser::Source& s : workspace.sources.all()) sources.push_back({s.path, s.text});
    bad = cli::plot_to_file(program, options, result, sources, arguments.plot, arguments.plot_to);
  }
  if (bad) complain(*bad);
  return bad && status == done ? unusable : status;
}

}  // namespace

int main(int argc, char** argv) {
  mosim::cli::Arguments arguments;
  if (const auto status = mosim::cli::parse_arguments(argc, argv, arguments)) return *status;
  try {
    return run(arguments);
  } catch (const std::bad_alloc&) {
    std::fputs("mosim: error: there is not enough memory for this model\n", stderr);
    return failed;
  }
}
