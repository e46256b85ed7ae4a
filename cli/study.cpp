#include "cli/study.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <sstream>
#include <unistd.h>

#include "cli/interrupt.hpp"
#include "cli/mistaken.hpp"
#include "cli/progress.hpp"
#include "cli/simulation.hpp"
#include "cli/subcommand.hpp"
#include "mosim/study.hpp"
#include "report/wording.hpp"

namespace mosim::cli {

namespace {

using Clock = std::chrono::steady_clock;

struct StudyRequest {
  std::vector<std::string> files, libraries, settings, vary;
  std::string model, table, report, output, part, solver = "auto";
  std::optional<std::uint64_t> runs, maximum_events;
  std::uint64_t seed = 1;
  std::string sampling = "monte-carlo";
  std::optional<double> start, stop, tolerance, interval, hysteresis, run_limit, time_limit;
  std::optional<std::uint32_t> intervals;
  unsigned workers = 0;
  bool merge = false, native_code = false, quiet = false;
};

struct Part {
  std::uint64_t number = 1, of = 1;
};

Part part_of(const std::string& text) {
  Part part;
  if (text.empty()) return part;
  char slash = 0;
  std::istringstream in(text);
  in >> part.number >> slash >> part.of;
  if (!in || slash != '/' || in.peek() != EOF || part.number == 0 || part.number > part.of)
    throw CLI::ValidationError("--part", "is K/N, part K of N: 3/8, not " + text);
  return part;
}

void add_options(CLI::App& app, StudyRequest& r) {
  app.add_option("FILE", r.files, "Modelica files; the last model of the last one is run. Or one FILE.mosim. With --merge: parts of a study")->option_text("FILE...");
  app.add_option("-m,--model", r.model, "class to run, dotted")->option_text("NAME");
  app.add_option("-L,--library", r.libraries, "a package folder, a .mo file, or a folder of packages; repeatable")->option_text("PATH")->allow_extra_args(false);
  app.add_option("-s,--set", r.settings, "override a parameter or a start value in all runs; repeatable")->option_text("NAME=VALUE")->allow_extra_args(false);
  auto* vary = app.add_option("--vary", r.vary, "e=0.1:0.1:0.9, e=0.3,0.5 or e=normal(0.5, 0.1); repeatable")->option_text("NAME=VALUES")->allow_extra_args(false);
  app.add_option("--table", r.table, "a run per line; the first line has the names")->option_text("FILE.csv")->excludes(vary);
  app.add_option("--runs", r.runs, "how many values are drawn from distributions")->option_text("N");
  app.add_option("--seed", r.seed, "of what is drawn (1)")->option_text("N");
  app.add_option("--sampling", r.sampling, "monte-carlo (default) or latin-hypercube")->option_text("NAME")->check(CLI::IsMember({"monte-carlo", "latin-hypercube"}));
  app.add_option("--report", r.report, "what is asked of each run: 'max(h), count(h < 0), end = last(time)'")->option_text("MEASURE,...");
  app.add_option("-o,--output", r.output, "the table, '-' for standard output (MODEL_study.csv)")->option_text("FILE.csv");
  app.add_option("--workers", r.workers, "runs at a time (as many as there are cores; with --native-code one)")->option_text("N");
  app.add_option("--part", r.part, "part K of N of the study, for as many machines")->option_text("K/N");
  app.add_flag("--merge", r.merge, "puts the parts of a study together");
  app.add_option("--start", r.start, "start time (the model's experiment annotation, else 0)")->option_text("T");
  app.add_option("--stop", r.stop, "stop time (the annotation, else 1)")->option_text("T");
  app.add_option("--tolerance", r.tolerance, "relative tolerance (the annotation, else 1e-6)")->option_text("R");
  auto* intervals = app.add_option("--intervals", r.intervals, "number of output intervals (500)")->option_text("N");
  app.add_option("--interval", r.interval, "length of an output interval")->option_text("H")->excludes(intervals);
  add_solver_option(app, r.solver);
  app.add_option("--hysteresis", r.hysteresis, "how far a relation must be left before it can fire again")->option_text("R");
  app.add_option("--max-events", r.maximum_events, "a run with so many events has failed")->option_text("J");
  app.add_option("--run-limit", r.run_limit, "a run that takes so many seconds of real time has failed")->option_text("SECONDS");
  app.add_option("--time-limit", r.time_limit, "end the study after so many seconds; the same command goes on with it")->option_text("SECONDS");
  app.add_flag("--native-code", r.native_code, "C functions of the model's own may be called: they run with your rights");
  app.add_flag("--quiet", r.quiet, "no report");
  for (const char* name : {"--runs", "--seed", "--workers", "--max-events", "--intervals"})
    app.get_option(name)->check([](const std::string& text) { return text.find('-') == std::string::npos ? std::string() : "is a whole number that is not negative, and " + text + " is"; });
  app.footer("A study that was interrupted goes on with the same command. docs/studies.md says more.");
}

void check(const StudyRequest& r) {
  const auto wrong = [](const char* option, const std::string& text) { throw CLI::ValidationError(option, text); };
  for (const auto& [value, name] : {std::pair(r.tolerance, "--tolerance"), {r.interval, "--interval"}, {r.run_limit, "--run-limit"}, {r.time_limit, "--time-limit"}})
    if (value && !(*value > 0)) wrong(name, "must be a positive number");
  if (!r.output.empty() && r.output != "-" && !r.output.ends_with(".csv")) wrong("--output", "the table is written as .csv, not as '" + r.output + "'");
  (void)part_of(r.part);
  if (r.merge) {
    if (r.files.empty()) wrong("--merge", "name the parts: mosim study --merge study.csv.*-of-8 -o study.csv");
    if (r.output.empty()) wrong("--merge", "name the table to write: -o study.csv");
    return;
  }
  if (r.files.empty() && r.model.empty()) wrong("mosim study", "name a Modelica file, or a model with --model and a library with -L");
  if (r.vary.empty() && r.table.empty()) wrong("mosim study", "say what varies: --vary e=0.1:0.1:0.9, or --table FILE.csv");
  if (r.report.empty()) wrong("mosim study", "say what is asked of each run: --report 'max(h), last(v)'");
  if (!r.part.empty() && r.output == "-") wrong("--part", "the parts are files, to be put together: name one with -o");
}

/// The smallest, the mean and the largest value of each measure; and the reasons of failures.
class Summary {
 public:
  explicit Summary(std::size_t measures) : measures_(measures) {}
  void add(const Outcome& o) {
    ++runs_;
    if (!o.problem.empty()) {
      const auto [it, is_new] = problems_.try_emplace(o.problem, Problem{0, o.run});
      ++it->second.runs;
      it->second.first = std::min(it->second.first, o.run);
      return;
    }
    for (std::size_t k = 0; k < o.measures.size(); ++k) {
      if (std::isnan(o.measures[k])) continue;
      Range& r = measures_[k];
      r.least = std::min(r.least, o.measures[k]);
      r.most = std::max(r.most, o.measures[k]);
      ++r.count;
    }
  }
  std::string text(const std::vector<std::string>& names) const {
    std::string text;
    for (std::size_t k = 0; k < names.size(); ++k) {
      const Range& r = measures_[k];
      text += r.count == 0 ? fmt::format("  {}: no value\n", names[k]) : fmt::format("  {}: {:.6g} to {:.6g}\n", names[k], r.least, r.most);
    }
    constexpr std::size_t shown = 5;
    std::vector<std::pair<std::string, Problem>> list(problems_.begin(), problems_.end());
    std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.second.runs != b.second.runs ? a.second.runs > b.second.runs : a.second.first < b.second.first; });
    for (std::size_t k = 0; k < std::min(list.size(), shown); ++k)
      text += fmt::format("  {} failed, the first of them run {}: {}\n", report::plural(list[k].second.runs, "run"), list[k].second.first, list[k].first);
    if (list.size() > shown) text += fmt::format("  and {} reasons more, in the table\n", list.size() - shown);
    return text;
  }

 private:
  struct Range {
    double least = std::numeric_limits<double>::infinity(), most = -least;
    std::uint64_t count = 0;
  };
  struct Problem {
    std::uint64_t runs, first;
  };
  std::vector<Range> measures_;
  std::map<std::string, Problem> problems_;
  std::uint64_t runs_ = 0;
};

Options run_options(const StudyRequest& r) {
  Options o;
  o.start = r.start;
  o.stop = r.stop;
  o.tolerance = r.tolerance;
  o.intervals = r.intervals;
  o.interval = r.interval;
  o.hysteresis = r.hysteresis;
  o.maximum_events = r.maximum_events;
  o.solver = *solver_of(r.solver);
  return o;
}

std::string default_output(const std::string& model) {
  const std::string last = model.substr(model.rfind('.') + 1);
  const bool is_plain = std::all_of(last.begin(), last.end(), [](unsigned char c) { return std::isalnum(c) || c == '_'; });
  return (is_plain ? last : std::string("model")) + "_study.csv";
}

struct Found {
  std::shared_ptr<const Model> model;   // null: what is wrong has been said
  std::string name;                     // of the class to compile; empty: it was compiled before
};

Found find_model(Session& session, const StudyRequest& r, Streams& streams) {
  Found found{nullptr, r.model};
  for (const std::string& file : r.files) {
    std::error_code error;
    if (!std::filesystem::exists(file, error)) throw Refusal{unusable, missing_file(file)};
    if (file.ends_with(".mosim")) {
      if (r.files.size() > 1 || !r.model.empty() || !r.settings.empty() || !r.libraries.empty())
        throw Refusal{unusable, fmt::format("{} is a compiled model, which is run alone: give no other file, class, setting or library with it", file)};
      found.model = session.load(file, contents_of(file));
      say(session.diagnostics(), streams);
      return found;
    }
    const std::vector<std::string> classes = session.read(file);
    say(session.diagnostics(), streams);
    if (has_errors(session.diagnostics())) return found;
    if (r.model.empty() && !classes.empty()) found.name = classes.back();
  }
  if (found.name.empty()) throw Refusal{unusable, last_file_without_class(r.files.back())};
  found.model = session.compile(found.name, r.settings);
  say(session.diagnostics(), streams);
  return found;
}

int run(const StudyRequest& r, Streams& streams) {
  if (r.merge) {
    write_output(Journal::merge(r.files), r.output);
    if (!r.quiet && r.output != "-") streams.out.say(fmt::format("The parts are put together in {}.\n", r.output));
    return done;
  }
  const auto begin = Clock::now();
  Progress progress(streams.err.is_terminal());
  progress.begin("compiling");
  Session session({.native_code = r.native_code, .verifiable = false});
  add_libraries(session, r.libraries);
  const Found found = find_model(session, r, streams);
  progress.clear();
  if (!found.model) return invalid;
  const std::shared_ptr<const Model> model = found.model;

  const PlanOptions how{r.runs, r.sampling == "monte-carlo" ? Sampling::monte_carlo : Sampling::latin_hypercube, r.seed};
  const Plan plan = r.table.empty() ? Plan(*model, r.vary, how) : Plan::table(*model, contents_of(r.table));
  const Measures measures(*model, r.report);
  StudyOptions options;
  options.run = run_options(r);
  options.workers = r.workers == 0 && r.native_code ? 1 : r.workers;
  options.run_limit = r.run_limit;
  if (!found.name.empty()) options.compile = [&](const std::vector<std::string>& settings, std::string& problem) {
    std::vector<std::string> all = r.settings;
    all.insert(all.end(), settings.begin(), settings.end());
    auto variant = session.compile(found.name, all);
    if (!variant)
      for (const Diagnostic& d : session.diagnostics())
        if (problem.empty() && d.severity == Severity::error) problem = d.cause;
    return variant;
  };

  const Part part = part_of(r.part);
  const bool to_stdout = r.output == "-";
  const std::string output = r.output.empty() ? default_output(model->name()) : r.output;
  if (!to_stdout)
    if (const auto problem = unwritable(output)) throw Refusal{unusable, *problem};
  const std::string kept = to_stdout ? "" : part.of > 1 ? fmt::format("{}.{}-of-{}", output, part.number, part.of) : output + ".runs";
  Journal journal(kept, *model, plan, measures, options.run, {part.number, part.of});
  const std::vector<std::uint64_t> missing = journal.missing();
  const std::uint64_t before = (plan.runs() - part.number) / part.of + 1 - missing.size();
  Stream& said = to_stdout ? streams.err : streams.out;
  if (before > 0 && !r.quiet) said.say(fmt::format("{} of this study are there already, in {}.\n", report::plural(before, "run"), kept));

  Interrupt interrupt(r.time_limit);
  options.cancel = interrupt.flag();
  progress.begin_runs(missing.size());
  Summary summary(measures.names().size());
  std::uint64_t finished = 0;
  const bool whole = study(model, plan, measures, options,
                           [&](const Outcome& o) {
                             journal.add(o);
                             summary.add(o);
                             progress.show(double(++finished));
                           },
                           missing);
  progress.end();
  const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();

  const bool is_part = part.of > 1;
  if (!is_part) write_output(journal.table(), output);
  if (!r.quiet) {
    const std::uint64_t there = before + finished;
    said.say(fmt::format("{}: {} in {:.3g} s{}\n", model->name(), report::plural(finished, "run"), seconds,
                         journal.failed() > 0 ? fmt::format(", {} failed", journal.failed()) : ""));
    said.say(summary.text(measures.names()));
    if (!whole) said.say(fmt::format("  interrupted: {} of {} are there; the same command goes on with the others\n", there, report::plural(there + missing.size() - finished, "run")));
    if (!to_stdout) said.say(fmt::format("  {}\n", is_part ? fmt::format("part {} of {} is in {}; put them together with mosim study --merge {}.*-of-{} -o {}", part.number, part.of, kept, output, part.of, output)
                                                           : "the table is in " + output));
  }
  if (!whole) return interrupt.signal() == SIGALRM ? int(out_of_time) : 128 + interrupt.signal();
  if (!is_part && !to_stdout) ::unlink(kept.c_str());   // all that it holds is in the table
  return journal.failed() == before + finished ? failed : done;
}

}  // namespace

int study_command(std::vector<std::string> words, Streams& streams) {
  StudyRequest r;
  CLI::App app{"Runs a Modelica model many times with other values, and writes a table of what came of it.", "mosim study"};
  add_options(app, r);
  return carry_out(app, std::move(words), streams, [&] { check(r); }, [&] { return run(r, streams); });
}

}  // namespace mosim::cli
