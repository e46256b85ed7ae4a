#pragma once
// Studies: many runs of one model, in which some values vary, and a few numbers of each run.
//
//   auto model = session.compile("BouncingBall");
//   mosim::Plan plan(*model, {"e=0.1:0.1:0.9", "h0=lognormal(0, 0.2)"}, {.runs = 1000, .seed = 1});
//   mosim::Measures measures(*model, "max(h), count(h < 0)");
//   mosim::study(model, plan, measures, {.run = {.stop = 3}}, [&](const mosim::Outcome& o) { ... });
//
// What a run gives depends on the model, the plan and the options alone, not on how many workers there are nor on the order in which
// they come to it. What is wrong with a call is std::invalid_argument.

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mosim/session.hpp"

namespace mosim {

// ---- what varies -------------------------------------------------------------------------------------------------------

enum class Sampling : std::uint8_t {
  monte_carlo,      // each value drawn on its own; more runs begin with the same ones
  latin_hypercube,  // of N runs, each has one in every N-th part of each distribution (McKay, Beckman, Conover 1979)
};

struct PlanOptions {
  /// As many as there are points in the grid, if there are no distributions; with them it has to be given, and the points of the grid are
  /// gone through in turn.
  std::optional<std::uint64_t> runs{};
  Sampling sampling = Sampling::monte_carlo;
  std::uint64_t seed = 1;
};

/// Which values each run has. Runs are numbered from 1.
class Plan {
public:
  /// factors, one for each parameter or start value that varies:
  ///   "e=0.1:0.1:0.9"  "n=1:5"  "e=0.3,0.5,pi/4"  "e={0.3, 0.5}"  "closed=false,true"  "mode=Mode.slow,Mode.fast"    values of a grid
  ///   "h0=normal(1, 0.1)"                                                                                     a distribution
  /// All combinations of the values are the grid, of which the last factor varies fastest. The distributions are uniform(a, b),
  /// loguniform(a, b), triangular(a, mode, b), normal(mean, deviation), lognormal(mean, deviation) of the logarithm, exponential(mean),
  /// weibull(shape, scale) and beta(alpha, beta); of independent values (std::mt19937_64, a stream for each factor).
  Plan(const Model& model, const std::vector<std::string>& factors, PlanOptions options = {});
  /// A table of runs as CSV: the first line has the variables' names, each further one the values of a run.
  static Plan table(const Model& model, std::string_view csv);
  /// Columns of values, as many of each.
  static Plan columns(const Model& model, std::vector<std::string> variables, std::vector<std::vector<double>> values);

  const std::vector<std::string>& variables() const { return variables_; }
  std::uint64_t runs() const { return runs_; }
  /// One for each variable. Booleans are 0 and 1, values of enumerations count from 1.
  std::vector<double> values(std::uint64_t run) const;

private:
  Plan() = default;
  void add_variable(const Model& model, const std::string& name);
  /// What varies as a column: one value for each run, or a few that are gone through, each `repeat` times in a row.
  struct Column {
    std::vector<double> values;
    std::uint64_t repeat = 1;
  };
  std::vector<std::string> variables_;
  std::vector<Column> columns_;
  std::uint64_t runs_ = 0;
};

// ---- what is asked of each run -----------------------------------------------------------------------------------------

/// Numbers that are taken from the rows of a run, as expressions in Modelica's terms over
///
///   min(x) max(x)         smallest and largest value          first(x) last(x)       at the first and the last row
///   mean(x) rms(x)        over time                            integral(x)            over time
///   at(x, t)              at a time; at an event after it      count(c)               how often c became true
///   reached(c)            the first time at which c holds      duration(c)            how long c holds, s
///   ever(c) always(c)     1 or 0                               events() steps()       of the run as a whole: how many
///
/// in which x is an expression of variables and c a condition over them: "max(h) - min(h)", "count(h < 0)", "top = max(body.r[2])".
/// Between rows there are straight lines, on which a condition's change is looked for; rows at events are the left limit and the value
/// after it. Parameters may stand outside of these functions, too. A condition of them, "count(h < 0) == 3", is 1 or 0. What has no value (reached(c) where c never held) is NaN.
class Measures {
public:
  /// list: measures, separated by commas; each may be given a name: "top = max(h)".
  Measures(const Model& model, std::string_view list);
  Measures(Measures&&) noexcept;
  Measures& operator=(Measures&&) noexcept;
  ~Measures();

  /// As given, else as written.
  const std::vector<std::string>& names() const;
  /// The variables that a row has to have, and the parameters besides.
  const std::vector<std::string>& variables() const;
  const std::vector<std::string>& parameters() const;
  /// The functions over the run in them, as written, in order.
  std::vector<std::string> functions() const;
  /// Of a run of that model: as many numbers as there are names. The result has variables() among its columns.
  std::vector<double> of(const Result& result) const;

  struct Impl;
private:
  friend class Watch;
  std::unique_ptr<Impl> impl_;
};

/// The same of one result alone, with their names.
std::vector<std::pair<std::string, double>> measure(const Result& result, std::string_view list);

// ---- the runs ----------------------------------------------------------------------------------------------------------

/// What came of one run.
struct Outcome {
  std::uint64_t run = 0;             // from 1
  std::vector<double> measures;      // all NaN if it failed
  std::string problem;               // why it failed, in a line; else empty
};

struct StudyOptions {
  Options run{};                     // of each; results, events, set and callbacks are the study's own
  unsigned workers = 0;              // threads; 0: as many as the machine has cores
  std::optional<double> run_limit{}; // s of real time; a run that takes longer has failed
  /// If it becomes true, the runs under way are given up, and study() returns.
  const std::atomic<bool>* cancel = nullptr;
  /// Compiles the model with settings ("n = 3"), for variables that a run cannot be started with: see Variable::is_changeable. Null if that
  /// fails, with the reason in `problem`. Called by one worker at a time. Without it such variables cannot vary.
  std::function<std::shared_ptr<const Model>(const std::vector<std::string>& settings, std::string& problem)> compile{};
};

/// Does the runs of a plan, all or those listed. Each outcome is handed on once it is there, by one worker at a time, in whichever order.
/// Returns false if it was cancelled.
bool study(const std::shared_ptr<const Model>& model, const Plan& plan, const Measures& measures, const StudyOptions& options,
           const std::function<void(const Outcome&)>& on_outcome, std::optional<std::span<const std::uint64_t>> runs = {});

// ---- the file ----------------------------------------------------------------------------------------------------------

/// A study on disk: outcomes are appended as they come, so that a study that ends before its time can go on. The first line says what study
/// it is, the others are rows of the table, in whichever order; a line that was cut off is dropped.
class Journal {
public:
  /// Opens the file, or begins it; an empty path is none, and all is kept in memory alone. Throws std::invalid_argument if it is of another study, and std::system_error if it cannot be read or written.
  /// part: which of how many parts of the study these runs are, {k, n}: runs k, k + n, ...
  Journal(std::string path, const Model& model, const Plan& plan, const Measures& measures, const Options& options,
          std::pair<std::uint64_t, std::uint64_t> part = {1, 1});
  Journal(const Journal&) = delete;
  ~Journal();

  /// Those that are not there yet, in order.
  std::vector<std::uint64_t> missing() const;
  /// Throws std::system_error if it cannot be written.
  void add(const Outcome& outcome);
  /// The table of what is there, in the order of the runs: run, variables, measures, problem.
  std::string table() const;
  std::uint64_t failed() const;     // runs with a problem

  /// The table of the journals of all parts of one study. Throws std::invalid_argument if they are not that.
  static std::string merge(const std::vector<std::string>& paths);

private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace mosim
