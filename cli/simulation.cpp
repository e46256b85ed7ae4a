#include "cli/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <limits>
#include <set>
#include <stdexcept>

#include "cli/interrupt.hpp"
#include "cli/results.hpp"
#include "cli/verification.hpp"
#include "engine/account.hpp"
#include "mosim/result_file.hpp"
#include "report/event_log.hpp"
#include "report/event_text.hpp"
#include "report/file.hpp"
#include "report/names.hpp"

namespace mosim::cli {

using namespace report;

namespace {

using runtime::Index;
using runtime::Program;

constexpr std::size_t longest_on_terminal = 60;   // lines of the event log

using Clock = std::chrono::steady_clock;
double seconds(Clock::time_point from) { return std::chrono::duration<double>(Clock::now() - from).count(); }

/// The last part of a model's name as the beginning of a file's: no folder, nothing hidden, of a length that a file system takes.
std::string file_name_of(std::string_view model) {
  constexpr std::size_t longest = 200;
  std::string last;
  bool quoted = false;
  for (std::size_t k = 0; k < model.size(); ++k) {
    const char c = model[k];
    if (c == '\'') quoted = !quoted;
    else if (quoted && c == '\\' && k + 1 < model.size()) last += model[++k];
    else if (!quoted && c == '.') last.clear();
    else last += c;
  }
  const auto is_plain = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  for (char& c : last)
    if (!is_plain(c) && !std::strchr(" +-=,;!#%&()@[]^{}~.", c)) c = '_';
  if (last.starts_with('.') || last.starts_with('-')) last[0] = '_';
  return last.substr(0, longest);
}

/// What is asked for, whatever the model says.
Options options_of(const Arguments& arguments) {
  Options options;
  options.start = arguments.start;
  options.stop = arguments.stop;
  options.tolerance = arguments.tolerance;
  options.intervals = arguments.intervals;
  options.interval = arguments.interval;
  options.solver = *solver_of(arguments.solver);
  options.hysteresis = arguments.hysteresis;
  options.maximum_events = arguments.maximum_events;
  options.machine_code = !arguments.interpret;
  options.results.emplace();   // the file has its own
  options.verify = arguments.verify;
  return options;
}

/// What a picture needs of an event.
runtime::EventRecord instant_of(const runtime::EventRecord& e) {
  runtime::EventRecord instant;
  instant.number = e.number;
  instant.time = e.time;
  instant.kind = e.kind;
  instant.rearming = e.rearming;
  return instant;
}

/// What is recorded for a drawing.
std::vector<Index> recorded_for(const Program& program, const Wanted& wanted) {
  std::vector<Index> recorded = runtime::recorded_variables(program);
  const std::set<Index> named(wanted.variables.begin(), wanted.variables.end());
  std::erase_if(recorded, [&](Index k) { return !named.contains(k) && (wanted.best == 0 || program.variables[k].hidden); });
  return recorded;
}

int status_after(const Interrupt& interrupt) { return interrupt.signal() == SIGALRM ? int(out_of_time) : 128 + interrupt.signal(); }

}  // namespace

std::optional<std::string> check_outputs(const Arguments& arguments) {
  std::set<std::string> files;
  for (const std::string* path : {&arguments.output, &arguments.events_file, &arguments.plot_to, &arguments.describe}) {
    if (path->empty() || *path == "-" || (path == &arguments.output && *path == "none")) continue;
    if (path == &arguments.output && !arguments.compile) {
      const auto format = format_of_output(*path);
      if (const auto* problem = std::get_if<std::string>(&format)) return *problem;
    }
    if (!files.insert(*path).second) return fmt::format("{} is named for two outputs", *path);
    if (auto problem = unwritable(*path)) return problem;
  }
  return {};
}

Status simulate(const Arguments& arguments, const std::shared_ptr<const Model>& model, Times times, Progress& progress, Streams& streams) {
  const auto complain = [&](const std::string& text) {
    progress.clear();
    streams.err.say("mosim: error: " + text + "\n");
    return unusable;
  };
  const Program& program = Account::program_of(*model);
  Options options = options_of(arguments);
  try {
    const runtime::Options all = Account::options_of(*model, options);
    options.start = all.start;
    options.stop = all.stop;
  } catch (const std::invalid_argument& problem) {
    return complain(problem.what());
  }

  const std::string output = arguments.output.empty() ? file_name_of(program.model) + "_res.csv" : arguments.output;
  const bool to_stdout = output == "-";
  const auto found = format_of_output(output);
  if (const auto* problem = std::get_if<std::string>(&found)) return complain(*problem);
  const auto format = std::get<std::optional<ResultFormat>>(found);
  if (arguments.hybrid_time && std::any_of(program.variables.begin(), program.variables.end(), [](const auto& v) { return v.name == "j"; }))
    return complain("--hybrid-time adds a column j, but the model has a variable of that name");
  ResultFileOptions contents{.format = format, .parameters = arguments.parameters, .hybrid_time = arguments.hybrid_time, .background = true};
  if (!format) contents.results.emplace();
  else if (!arguments.results.empty()) contents.results = split_names(arguments.results);
  const bool plots = !arguments.plot.empty() || !arguments.plot_to.empty();
  Wanted wanted;
  if (plots) {
    if (const auto problem = check_plot(program, arguments.plot, arguments.plot_to)) return complain(*problem);
    wanted = wanted_for_plot(program, arguments.plot, arguments.plot_to);
  }

  // Where the rows go, and the events.
  std::optional<ResultFile> file;
  try {
    if (!arguments.describe.empty())
      if (const auto problem = write_file(arguments.describe, describe(*model, contents))) return complain(*problem);
    if (format) file.emplace(model, output, contents);
  } catch (const std::invalid_argument& problem) {
    return complain(std::string("--results: ") + problem.what());
  }
  if (file && file->error() != 0) return complain(file->problem());
  options.file = file ? &*file : nullptr;
  if (!file) options.on_row = [](std::span<const double>) { return true; };   // nobody keeps them
  Observer observer;
  std::optional<Keeper> keeper;
  if (plots) {
    observer.recorded = recorded_for(program, wanted);
    observer.sink = [&](const std::vector<Index>& recorded) { return &keeper.emplace(program, recorded, wanted); };
  }
  EventSpool spool;
  const bool logs = arguments.events || !arguments.events_file.empty();
  const bool whole = logs || needs_whole_events(arguments.plot_to);
  options.events = logs || plots;
  observer.keep_event = [&](runtime::EventRecord&& e) { spool.add(whole ? e : instant_of(e)); };
  const Events events = spool.events();

  const auto run_begin = Clock::now();
  if (to_stdout && streams.out.is_terminal()) progress.end();   // it is seen to go on
  else progress.begin_run(*options.start, *options.stop);
  options.on_progress = [&](double time) { progress.show(time); };
  const auto say_at_once = [&](std::string_view text) {   // results may go to standard output
    progress.clear();
    streams.err.say(text);
    streams.err.flush();
  };
  options.on_message = [&](const Diagnostic& d) { say_at_once(d.text); };
  options.on_print = say_at_once;
  std::optional<Interrupt> interrupt(std::in_place, arguments.time_limit);
  options.cancel = interrupt->flag();
  Run run = Account::start(*model, std::move(options), std::move(observer));
  while (run.goes_on()) (void)run.advance_to(std::numeric_limits<double>::infinity());
  const Result told = run.finish();
  times.run = seconds(run_begin);
  const runtime::Options& used = told.account->options;
  const runtime::Result& result = told.account->result;
  const int ended_by = told.ending == Ending::interrupted && interrupt->signal() != 0 ? status_after(*interrupt) : done;
  interrupt.reset();
  progress.end();

  for (const Diagnostic& d : told.diagnostics) streams.err.say(d.text);
  // The reader of a pipe may go when it has seen enough.
  const bool left = file && to_stdout && file->error() == EPIPE;
  bool all_written = true;
  const auto check = [&](const std::optional<std::string>& problem) {
    if (!problem) return;
    (void)complain(*problem);
    all_written = false;
  };
  if (file && !left && file->error() != 0) check(file->problem());
  if (!arguments.events_file.empty()) {
    progress.begin("writing the event log");
    check(write_event_log(program, used, result, events, arguments.events_file));
    progress.end();
  }
  if (logs) check(spool.problem());
  // What is said goes where results do not.
  Stream& said = to_stdout ? streams.err : streams.out;
  const std::size_t columns = said.is_terminal() ? std::size_t(screen_of(said.descriptor()).columns) : 0;
  if (arguments.events) {
    const auto say = [&](std::string_view text) { said.say(text); };
    if (said.is_terminal()) write_event_text(program, used, result, events, {longest_on_terminal, columns}, say);
    else write_event_text(program, used, result, events, say);
    said.say("\n");
  }
  if (!arguments.quiet) said.say(report::report(program, used, result, times, file && !to_stdout ? output : "", columns));
  bool holds = true;
  if (const auto& verified = told.verification) {
    if (!arguments.quiet) said.say(verification(*verified, columns));
    for (const Residual& r : verified->violated) streams.err.say(render(r));
    holds = verified->violated.empty();
  }
  const Recording recording{program, used, result, keeper ? keeper->kept() : Kept{}, events};
  if (plots && arguments.plot_to.empty()) {
    std::string text;
    check(plot_on_screen(recording, arguments.plot, screen_of(said.descriptor()), text));
    said.write(text);
  } else if (plots) {
    progress.begin("drawing");
    check(plot_to_file(recording, Account::sources_of(*model), arguments.plot, arguments.plot_to, arguments.picture));
    progress.end();
  }
  if (told.ending == Ending::failed || !holds) return failed;
  if (!all_written) return unusable;
  if (left) return unread;
  return Status(ended_by);
}

}  // namespace mosim::cli
