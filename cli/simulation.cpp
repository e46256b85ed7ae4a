#include "cli/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>
#include <set>

#include "cli/interrupt.hpp"
#include "cli/results.hpp"
#include "cli/verification.hpp"
#include "engine/render.hpp"
#include "report/event_log.hpp"
#include "report/event_text.hpp"
#include "runtime/simulate.hpp"

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

/// Options of the run, or what is wrong with them.
std::variant<runtime::Options, std::string> options_of(const Arguments& arguments, const Program& program) {
  runtime::Options options;
  options.start = arguments.start.value_or(program.experiment.start.value_or(0));
  options.stop = arguments.stop.value_or(program.experiment.stop.value_or(options.start + 1));
  options.tolerance = arguments.tolerance.value_or(program.experiment.tolerance.value_or(1e-6));
  if (!(options.tolerance < 1)) return fmt::format("the model asks for a tolerance of {:g}, which is relative and must be below 1", options.tolerance);
  if (options.tolerance < runtime::least_tolerance)
    return fmt::format("a tolerance of {:g} is finer than double numbers allow; the finest is {:g}", options.tolerance, runtime::least_tolerance);
  options.solver = arguments.solver == "adams" ? runtime::Solver::adams : runtime::Solver::bdf;
  options.hysteresis = arguments.hysteresis;
  options.maximum_events = arguments.maximum_events;
  if (!std::isfinite(options.start) || !std::isfinite(options.stop))
    return fmt::format("a run from {} to {} has no end", options.start, options.stop);
  if (!(options.stop >= options.start))
    return fmt::format("the stop time {} lies before the start time {}", options.stop, options.start);
  if (arguments.intervals) {
    options.intervals = *arguments.intervals;
  } else if (const auto h = arguments.interval ? arguments.interval : program.experiment.interval; h && *h > 0) {
    const double parts = (options.stop - options.start) / *h, n = std::round(parts);
    if (!(n <= 1e9)) return fmt::format("an output interval of {} makes {:.3g} rows; there is room for 1e9", *h, n);
    const bool divides = n >= 1 && std::abs(parts - n) <= 1e-9 * n;   // but for rounding
    options.intervals = static_cast<std::uint32_t>(std::max(1.0, divides ? n : std::ceil(parts)));
    if (!divides) options.interval = *h;
  }
  return options;
}

/// Rows go to each.
class Both : public runtime::Sink {
 public:
  Both(runtime::Sink* first, runtime::Sink* second) : sinks_{first, second} {}
  void begin(const std::vector<double>& parameters) override {
    for (runtime::Sink* sink : sinks_)
      if (sink) sink->begin(parameters);
  }
  bool take(std::span<const double> row, std::uint64_t jumps) override {
    bool wanted = true;
    for (runtime::Sink* sink : sinks_)
      if (sink && !sink->take(row, jumps)) wanted = false;
    return wanted;
  }

 private:
  runtime::Sink* sinks_[2];
};

/// What a picture needs of an event.
runtime::EventRecord instant_of(const runtime::EventRecord& e) {
  runtime::EventRecord instant;
  instant.number = e.number;
  instant.time = e.time;
  instant.kind = e.kind;
  instant.rearming = e.rearming;
  return instant;
}

/// What is recorded for the file and for a drawing, in the order of the program.
std::vector<Index> recorded_for(const Program& program, const runtime::Contents& contents, const Wanted& wanted) {
  const std::vector<Index> all = runtime::recorded_variables(program);
  std::set<Index> both(contents.variables.begin(), contents.variables.end());
  both.insert(wanted.variables.begin(), wanted.variables.end());
  std::vector<Index> recorded;
  std::copy_if(all.begin(), all.end(), std::back_inserter(recorded), [&](Index k) { return both.count(k) > 0 || (wanted.best > 0 && !program.variables[k].hidden); });
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

Status simulate(const Arguments& arguments, const Program& program, const std::vector<SourceText>& sources, Times times,
                Progress& progress, Streams& streams, verify::Verifier* verifier) {
  const auto complain = [&](const std::string& text) {
    progress.clear();
    streams.err.say("mosim: error: " + text + "\n");
    return unusable;
  };
  auto checked = options_of(arguments, program);
  if (const auto* problem = std::get_if<std::string>(&checked)) return complain(*problem);
  runtime::Options& options = std::get<runtime::Options>(checked);

  const std::string output = arguments.output.empty() ? file_name_of(program.model) + "_res.csv" : arguments.output;
  const bool to_stdout = output == "-";
  const auto format = format_of_output(output);
  if (const auto* problem = std::get_if<std::string>(&format)) return complain(*problem);
  auto chosen = choose_results(program, arguments.results, std::get<Format>(format), arguments.parameters);
  if (const auto* problem = std::get_if<std::string>(&chosen)) return complain(*problem);
  runtime::Contents contents = std::get<runtime::Contents>(std::move(chosen));
  contents.hybrid_time = arguments.hybrid_time;
  if (arguments.hybrid_time && std::any_of(program.variables.begin(), program.variables.end(),
                                           [](const auto& v) { return v.name == runtime::jump_column; }))
    return complain("--hybrid-time adds a column j, but the model has a variable of that name");
  const bool plots = !arguments.plot.empty() || !arguments.plot_to.empty();
  Wanted wanted;
  if (plots) {
    if (const auto problem = check_plot(program, arguments.plot, arguments.plot_to)) return complain(*problem);
    wanted = wanted_for_plot(program, arguments.plot, arguments.plot_to);
  }
  if (!arguments.describe.empty())
    if (const auto problem = describe_results(program, contents, arguments.describe)) return complain(*problem);

  // Where the rows go, and the events.
  options.recorded = contents.recorded = recorded_for(program, contents, wanted);
  std::unique_ptr<runtime::ResultFile> file;
  if (std::get<Format>(format) == Format::csv) file = runtime::open_csv(program, contents, output);
  if (std::get<Format>(format) == Format::mat) file = runtime::open_mat(program, contents, output);
  if (file && file->error() != 0) return complain(*file->problem());
  std::optional<Keeper> keeper;
  if (plots) keeper.emplace(program, *options.recorded, wanted);
  Both sinks(file.get(), keeper ? &*keeper : nullptr);
  options.sink = &sinks;
  EventSpool spool;
  const bool logs = arguments.events || !arguments.events_file.empty();
  const bool whole = logs || needs_whole_events(arguments.plot_to);
  options.record_events = logs || plots;
  options.keep_event = [&](runtime::EventRecord&& e) { spool.add(whole ? e : instant_of(e)); };
  const Events events = spool.events();

  const auto run_begin = Clock::now();
  if (to_stdout && streams.out.is_terminal()) progress.end();   // it is seen to go on
  else progress.begin_run(options.start, options.stop);
  options.progress = [&](double time) { progress.show(time); };
  options.tell = [&](const runtime::Message& m) {
    progress.clear();
    streams.err.say(engine::render(m, program));
    streams.err.flush();
  };
  options.print = [&](std::string_view text) {   // results may go to standard output
    progress.clear();
    streams.err.say(text);
    streams.err.flush();
  };
  if (verifier)
    options.witness = [verifier](const runtime::Machine& machine, runtime::Options::Moment moment) { verifier->look(machine, moment); };
  std::optional<Interrupt> interrupt(std::in_place, arguments.time_limit);
  options.interrupt = interrupt->flag();
  const runtime::Result result = runtime::simulate(program, options);
  times.run = seconds(run_begin);
  if (file) file->finish(result.time);
  const int ended_by = result.ending == runtime::Ending::interrupted && interrupt->signal() != 0 ? status_after(*interrupt) : done;
  interrupt.reset();
  progress.end();

  for (const runtime::Message& m : result.messages) streams.err.say(engine::render(m, program));
  // The reader of a pipe may go when it has seen enough.
  const bool left = file && to_stdout && file->error() == EPIPE;
  bool all_written = true;
  const auto check = [&](const std::optional<std::string>& problem) {
    if (!problem) return;
    (void)complain(*problem);
    all_written = false;
  };
  if (file && !left) check(file->problem());
  if (!arguments.events_file.empty()) {
    progress.begin("writing the event log");
    check(write_event_log(program, options, result, events, arguments.events_file));
    progress.end();
  }
  if (logs) check(spool.problem());
  // What is said goes where results do not.
  Stream& said = to_stdout ? streams.err : streams.out;
  const std::size_t columns = said.is_terminal() ? std::size_t(screen_of(said.descriptor()).columns) : 0;
  if (arguments.events) {
    const auto say = [&](std::string_view text) { said.say(text); };
    if (said.is_terminal()) write_event_text(program, options, result, events, {longest_on_terminal, columns}, say);
    else write_event_text(program, options, result, events, say);
    said.say("\n");
  }
  if (!arguments.quiet) said.say(report::report(program, options, result, times, file && !to_stdout ? output : "", columns));
  bool holds = true;
  if (verifier) {
    const verify::Report verified = verifier->report();
    if (!arguments.quiet) said.say(verification(verified, columns));
    for (const verify::Finding& f : verified.violated) streams.err.say(render(f));
    holds = verified.violated.empty();
  }
  const Recording recording{program, options, result, keeper ? keeper->kept() : Kept{}, events};
  if (plots && arguments.plot_to.empty()) {
    std::string text;
    check(plot_on_screen(recording, arguments.plot, screen_of(said.descriptor()), text));
    said.write(text);
  } else if (plots) {
    progress.begin("drawing");
    check(plot_to_file(recording, sources, arguments.plot, arguments.plot_to));
    progress.end();
  }
  if (result.ending == runtime::Ending::failed || !holds) return failed;
  if (!all_written) return unusable;
  if (left) return unread;
  return Status(ended_by);
}

}  // namespace mosim::cli
