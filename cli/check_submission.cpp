#include "cli/check_submission.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <filesystem>
#include <optional>

#include "cli/interrupt.hpp"
#include "cli/mistaken.hpp"
#include "cli/simulation.hpp"
#include "cli/subcommand.hpp"
#include "mosim/lesson.hpp"
#include "report/wording.hpp"

namespace mosim::cli {

namespace {

struct SubmissionRequest {
  std::vector<std::string> files, libraries, conditions, variables;
  std::string reference, model, course;
  std::optional<std::size_t> step;
  std::optional<double> start, stop, tolerance, run_tolerance, hysteresis, time_limit;
  bool quiet = false;
};

void add_options(CLI::App& app, SubmissionRequest& r) {
  app.add_option("FILE", r.files, "the submissions: the last model of each is run")->option_text("FILE.mo...");
  app.add_option("--against", r.reference, "the model that they are to behave like")->option_text("REFERENCE.mo");
  app.add_option("--condition", r.conditions, "what a run is to fulfil: 'count(h < 0) == 3'; repeatable")->option_text("CONDITION")->allow_extra_args(false);
  auto* course = app.add_option("--course", r.course, "the conditions of a step of this course (mosim course)")->option_text("LESSON.md");
  app.add_option("--step", r.step, "which step of the course, from 1")->option_text("N")->needs(course);
  app.add_option("--tolerance", r.tolerance, "how far a variable may be off the reference, as a part of its range there (1e-3)")->option_text("R");
  app.add_option("--variables", r.variables, "the variables to compare: names, and patterns with * and ?")->option_text("PATTERN,...")->delimiter(',')->allow_extra_args(false);
  app.add_option("-m,--model", r.model, "class to run in each submission, dotted (the last one)")->option_text("NAME");
  app.add_option("-L,--library", r.libraries, "a package folder, a .mo file, or a folder of packages; repeatable")->option_text("PATH")->allow_extra_args(false);
  app.add_option("--start", r.start, "start time of all runs (the reference's experiment annotation, else each model's own)")->option_text("T");
  app.add_option("--stop", r.stop, "stop time of all runs (the reference's, else each model's own)")->option_text("T");
  app.add_option("--run-tolerance", r.run_tolerance, "relative tolerance of the runs")->option_text("R");
  app.add_option("--hysteresis", r.hysteresis, "how far a relation must be left before it can fire again")->option_text("R");
  app.add_option("--time-limit", r.time_limit, "seconds of real time for each run (60)")->option_text("SECONDS");
  app.add_flag("--quiet", r.quiet, "no tables, one line for each submission");
  app.footer("Exit status 0: all pass; 4: some do not; 2: one is no valid model; 3: a run failed.");
}

void check_request(const SubmissionRequest& r) {
  const auto wrong = [](const char* option, const std::string& text) { throw CLI::ValidationError(option, text); };
  for (const auto& [value, name] : {std::pair(r.tolerance, "--tolerance"), {r.run_tolerance, "--run-tolerance"}, {r.time_limit, "--time-limit"}})
    if (value && !(*value > 0)) wrong(name, "must be a positive number");
  if (r.tolerance && *r.tolerance >= 1) wrong("--tolerance", "is a part of a variable's range, less than 1");
  if (r.files.empty()) wrong("mosim check-submission", "name the submissions: mosim check-submission submission.mo --against reference.mo");
  if (r.reference.empty() && r.conditions.empty() && r.course.empty()) wrong("mosim check-submission", "say what they are to do: --against REFERENCE.mo, --condition 'count(h < 0) == 3', or --course LESSON.md --step N");
  if (!r.course.empty() && !r.step) wrong("--course", "say which step of it: --step 2");
  if (r.reference.empty() && (r.tolerance || !r.variables.empty())) wrong(r.tolerance ? "--tolerance" : "--variables", "is about a reference: give one with --against");
}

constexpr int differs = 4;
/// Of every run, whatever its annotation says: between rows there are straight lines, which have to be near the curve, and rows at the same instants
/// need none.
constexpr std::uint32_t intervals = 2000;

/// A model that was compiled and run, or why not.
struct Ran {
  std::optional<Result> result;
  int status = done;
  std::string problem;
};

class Submissions {
 public:
  Submissions(const SubmissionRequest& r, Streams& streams) : r_(r), streams_(streams) {}

  int run() {
    checks_ = conditions();
    std::optional<Ran> reference;
    if (!r_.reference.empty()) {
      reference = simulate(r_.reference, "");
      if (!reference->result || reference->result->ending == Ending::failed || reference->result->ending == Ending::interrupted)
        throw Refusal{reference->status, fmt::format("the reference {} {}, and nothing can be compared with it", r_.reference, reference->problem)};
    }
    int status = done;
    std::size_t passed = 0;
    for (const std::string& file : r_.files) {
      const Ran ran = simulate(file, r_.model);
      int own = ran.status;
      std::string verdict = ran.problem, table;
      if (ran.result && own == done) {
        std::size_t wrong = 0, all = 0;
        if (reference) table += beside(*reference->result, *ran.result, wrong, all);
        if (!checks_.empty()) table += answers(*ran.result, wrong, all);
        own = wrong > 0 ? differs : done;
        verdict = wrong == 0 ? fmt::format("passes in {}", report::plural(all, "point")) : fmt::format("does not pass in {} of {}", wrong, report::plural(all, "point"));
      }
      passed += own == done;
      if (status == done || own == done) status = std::max(status, own);
      streams_.out.say(fmt::format("{}: {}\n", file, verdict));
      if (!r_.quiet) streams_.out.say(table);
    }
    if (r_.files.size() > 1) streams_.out.say(fmt::format("{} of {} pass\n", passed, report::plural(r_.files.size(), "submission")));
    return status;
  }

 private:
  std::vector<Check> conditions() {
    std::vector<Check> checks;
    for (const std::string& c : r_.conditions) checks.push_back({c, {}, {}});
    if (r_.course.empty()) return checks;
    const Course course = read_course(r_.course, contents_of(r_.course));
    say(course.diagnostics, streams_);
    if (has_errors(course.diagnostics)) throw Refusal{invalid, fmt::format("the course {} has errors", r_.course)};
    if (*r_.step == 0 || *r_.step > course.steps.size()) throw Refusal{unusable, fmt::format("the course {} has {}, and --step {} is none of them", r_.course, report::plural(course.steps.size(), "step"), *r_.step)};
    const CourseStep& step = course.steps[*r_.step - 1];
    if (step.checks.empty()) throw Refusal{unusable, fmt::format("step {} of {}, \"{}\", asks nothing", *r_.step, r_.course, step.title)};
    checks.insert(checks.end(), step.checks.begin(), step.checks.end());
    options_.stop = step.stop;
    options_.tolerance = step.tolerance;
    options_.hysteresis = step.hysteresis;
    return checks;
  }

  Ran simulate(const std::string& file, const std::string& wanted) {
    Ran ran;
    std::error_code error;
    if (!std::filesystem::exists(file, error)) throw Refusal{unusable, missing_file(file)};
    Session session({.verifiable = false});
    add_libraries(session, r_.libraries);
    const std::vector<std::string> classes = session.read(file);
    Diagnostics said = session.diagnostics();
    std::shared_ptr<const Model> model;
    if (!has_errors(said)) {
      const std::string name = !wanted.empty() ? wanted : classes.empty() ? "" : classes.back();
      if (name.empty()) throw Refusal{unusable, file_without_class(file)};
      model = session.compile(name);
      said.insert(said.end(), session.diagnostics().begin(), session.diagnostics().end());
    }
    say(said, streams_);
    if (!model) {
      ran.status = invalid;
      ran.problem = "is no valid model";
      return ran;
    }
    const bool is_first = !experiment_ && file == r_.reference;
    Options o = options_;
    if (experiment_) {
      if (!o.start) o.start = experiment_->start;
      if (!o.stop) o.stop = experiment_->stop;
      if (!o.tolerance) o.tolerance = experiment_->tolerance;
    }
    o.intervals = intervals;
    if (r_.start) o.start = r_.start;
    if (r_.stop) o.stop = r_.stop;
    if (r_.run_tolerance) o.tolerance = r_.run_tolerance;
    if (r_.hysteresis) o.hysteresis = r_.hysteresis;
    if (is_first) {
      experiment_ = model->experiment();
      if (!experiment_->stop) experiment_->stop = o.start.value_or(experiment_->start.value_or(0)) + 1;
    }
    Interrupt interrupt(r_.time_limit.value_or(60));
    o.cancel = interrupt.flag();
    o.on_print = [](std::string_view) {};
    ran.result = model->simulate(std::move(o));
    for (const Diagnostic& d : ran.result->diagnostics) streams_.err.say(d.text);
    switch (ran.result->ending) {
      case Ending::failed:
        ran.status = failed;
        ran.problem = fmt::format("fails at {:.6g} s", ran.result->time);
        break;
      case Ending::interrupted:
        ran.status = failed;
        ran.problem = fmt::format("took too long, and had come to {:.6g} s", ran.result->time);
        if (const int signal = interrupt.signal(); signal != 0 && signal != SIGALRM) throw Refusal{128 + signal, "interrupted"};
        break;
      default: break;
    }
    return ran;
  }

  std::string beside(const Result& reference, const Result& result, std::size_t& wrong, std::size_t& all) {
    const Comparison c = compare(reference, result, {r_.tolerance.value_or(1e-3), r_.variables});
    std::size_t width = 8;
    for (const Compared& v : c.variables) width = std::max(width, v.variable.size());
    std::string text = fmt::format("  {:{}}  {:>12}  {:>12}  {:>12}\n", "variable", width, "difference", "allowed", "at (s)");
    for (const Compared& v : c.variables) {
      ++all;
      wrong += !v.agrees;
      if (!v.is_there) text += fmt::format("  {:{}}  is not there\n", v.variable, width);
      else text += fmt::format("  {:{}}  {:>12.4g}  {:>12.4g}  {:>12}  {}\n", v.variable, width, v.difference, v.allowed, v.difference > 0 ? fmt::format("{:.6g}", v.time) : "",
                               v.agrees ? "agrees" : fmt::format("differs: {:.6g}, and {:.6g} in the reference", v.found, v.reference));
    }
    ++all;
    wrong += !c.same_end;
    if (!c.same_end) text += fmt::format("  the run ends at {:.6g} s, the reference's at {:.6g} s\n", c.end, c.reference_end);
    return text;
  }

  std::string answers(const Result& result, std::size_t& wrong, std::size_t& all) {
    std::string text;
    for (const Answer& a : check(result, checks_)) {
      // Not the fault of who handed in.
      if (a.is_of_condition) throw Refusal{unusable, fmt::format("the condition `{}` cannot be asked of any model: {}", a.check.condition, a.problem)};
      ++all;
      wrong += !a.holds;
      text += fmt::format("  {}  {}{}{}\n", a.holds ? "yes" : "no ", a.check.condition, a.check.words.empty() ? "" : fmt::format(" ({})", a.check.words),
                          !a.problem.empty() ? ": " + a.problem : a.holds || a.found.empty() ? "" : ": " + a.found);
    }
    return text;
  }

  const SubmissionRequest& r_;
  Streams& streams_;
  std::vector<Check> checks_;
  Options options_;                        // of a step of a course
  std::optional<Experiment> experiment_;   // of the reference
};

}  // namespace

int check_submission_command(std::vector<std::string> words, Streams& streams) {
  SubmissionRequest r;
  CLI::App app{"Runs models that others wrote, and says whether they do what they are to do: what a reference does, or what conditions ask for.", "mosim check-submission"};
  add_options(app, r);
  return carry_out(app, std::move(words), streams, [&] { check_request(r); }, [&] { return Submissions(r, streams).run(); });
}

}  // namespace mosim::cli
