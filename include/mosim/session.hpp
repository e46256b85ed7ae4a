#pragma once
// The library: a session reads texts and compiles models, a model starts runs.
//
//   mosim::Session session;
//   session.read("BouncingBall.mo");
//   if (auto model = session.compile("BouncingBall")) {
//     mosim::Result result = model->simulate({.stop = 3});
//     for (double h : result.column("h")) ...
//   } else {
//     for (const mosim::Diagnostic& d : session.diagnostics()) std::cerr << d.text;
//   }
//
// Nothing here prints, exits, or keeps state outside of these objects; the host's locale does not matter. What is wrong with a text, a model
// or a run is data (Diagnostics); what is wrong with a call, a name that no variable has, say, is std::invalid_argument. Memory that is
// exhausted is std::bad_alloc, and leaves the objects as they were or ended. A session, and a run, belong to one thread at a time; a model
// may be used by many. Source compatible within one minor version; binaries are not, for that there is mosim.h.

#include <array>
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

#include "mosim/diagnostic.hpp"

namespace mosim {

// ---- models ------------------------------------------------------------------------------------------------------------

enum class Type : std::uint8_t { real, integer, boolean, string, enumeration };
enum class Kind : std::uint8_t { state, derivative, algebraic, discrete, parameter, constant };

struct Variable {
  std::string name;              // "body.h", "x[2]", "der(x)"
  std::string description, unit, display_unit, quantity;
  Type type = Type::real;
  Kind kind = Kind::algebraic;
  bool is_protected = false;
  bool is_hidden = false;        // annotated HideResult (MLS 18.3)
  bool is_input = false, is_output = false;   // of the model as a whole
  /// A run can be started with another value of this parameter, or another start value of this variable: see Options::set. The other
  /// parameters are part of what the program was made from (a size, a branch), or final: Session::compile() takes values of these.
  bool is_changeable = false;
  std::vector<std::string> literals;          // of an enumeration; its values are numbers from 1 on
  Place place;                   // of the declaration
};

/// What the model's experiment annotation says (MLS 18.4), in seconds.
struct Experiment {
  std::optional<double> start, stop, tolerance, interval;
};

// ---- runs --------------------------------------------------------------------------------------------------------------

/// How the run goes on between events. Of variable order, from CVODE: backward differences for stiff motions, and Adams. From ARKODE, which
/// lose no order at an event: a diagonally implicit Runge-Kutta method of order 4 for stiff motions, and an explicit one of order 5 (Dormand and Prince).
/// `automatic`: begins with bdf; in a run that takes more than some milliseconds and has many events or steps, whichever of the four costs least at
/// equal errors. Another one is tried within a single step of the run, which takes as long as some hundred others: where each has to come in time, name one.
enum class Solver : std::uint8_t { bdf, adams, esdirk, erk, automatic };
/// Their names, in this order.
inline constexpr std::array<std::string_view, 5> solver_names{"bdf", "adams", "esdirk", "erk", "auto"};
inline std::string_view name_of(Solver solver) { return solver_names[std::size_t(solver)]; }
/// Nothing, where there is none of that name.
inline std::optional<Solver> solver_of(std::string_view name) {
  for (std::size_t k = 0; k < solver_names.size(); ++k)
    if (solver_names[k] == name) return static_cast<Solver>(k);
  return {};
}
enum class EventKind : std::uint8_t { initial, time, state, clock, terminal, set };

/// A relation, a clock or an expression that has to do with an event.
struct Cause {
  enum class What : std::uint8_t { relation, rounding, sample, clock, delay };
  What what = What::relation;
  std::string text;              // as Modelica: "h < 0"
  Place place;
  double value = 0;              // what it becomes: 0 or 1, the whole number of a rounding
};
/// A when-clause that fired.
struct Fired {
  std::string text;              // of its condition
  Place place;
  std::vector<std::uint32_t> elements, already_true;   // of a vector of conditions, from 1
  std::uint32_t round = 1;       // of event iteration; 0: initialisation
};
/// A variable that is another one after the event. Of a String: numbers of texts (Result::strings).
struct Change {
  std::uint32_t variable;        // in Model::variables()
  double before, after;          // left limit, value after the last round
};
/// One event instant: all that happens at it.
struct Event {
  std::uint64_t number = 0;      // from 1; initialisation is 0
  double time = 0;               // s
  EventKind kind = EventKind::state;
  std::uint32_t rounds = 1;
  bool is_rearming = false;      // no event: relations came back through their hysteresis, and nothing else changed
  std::vector<Cause> causes;
  std::vector<Fired> fired;
  std::vector<Change> changes;   // of reinit, too
};

enum class Ending : std::uint8_t { stop_time, terminated, maximum_events, failed, interrupted };

struct Statistics {
  std::uint64_t steps = 0, evaluations = 0, jacobians = 0;
  std::uint64_t time_events = 0, state_events = 0, clock_events = 0;
};

/// What an input of the model as a whole follows: a function of time, or a table.
struct Input {
  std::string variable;
  /// Of time in seconds; continuous, finite, and the same whenever it is asked. Only for Reals.
  std::function<double(double)> function{};
  /// As many of both; times in seconds that do not fall. Before the first and behind the last the value is that one. Two times alike are a
  /// jump: an event, as are the times of what holds where the value changes.
  std::vector<double> times{}, values{};
  bool holds = false;                         // each value up to the next time; else straight lines between them, for Reals alone
};

class ResultFile;   // result_file.hpp
struct ResultFileOptions;

struct Options {
  std::optional<double> start{}, stop{};          // s; else the experiment's, else 0 and start + 1
  std::optional<double> tolerance{};            // relative, of the result; else the experiment's, else 1e-6
  std::optional<std::uint32_t> intervals{};     // rows besides those of events: so many intervals of one length, or
  std::optional<double> interval{};             // intervals of this length; else the experiment's, else 500 intervals
  /// Values of parameters, and start values of other variables, in place of the model's own: what Session::compile() was given as
  /// settings would be compiled in, these are not. Booleans are 0 and 1, values of enumerations count from 1. See Model::refusal().
  std::vector<std::pair<std::string, double>> set{};
  std::vector<Input> inputs{};                // the others keep their start values, or what Run::set() gives them
  Solver solver = Solver::automatic;
  std::optional<double> hysteresis{};           // instead of each relation's own
  std::optional<std::uint64_t> maximum_events{};
  /// What runs often becomes machine code, where that can be made (x86-64 with AVX). The results are the same without it, bit by bit.
  bool machine_code = true;
  std::optional<std::vector<std::string>> results{};   // names of the variables in a row, and patterns with * and ?; else all but parameters, constants and what is hidden
  bool events = true;                         // Result::events, or on_event
  /// A second witness: the equations of the model as they are written are evaluated at every row, by a path of their own. See
  /// Result::verification. Not for models without equations: from Session::load(), or of a session that keeps none (SessionOptions::verifiable).
  bool verify = false;

  /// Gets the rows, with variables of its own choice. It has to outlive the run, and goes with it to Run::finish().
  ResultFile* file = nullptr;
  /// Gets each row once it is final: time, then the results. False: the run may end. Without it, and without a file, the result holds them.
  std::function<bool(std::span<const double> row)> on_row{};
  /// Gets each event once it is final. Without it the result holds them.
  std::function<void(Event&&)> on_event{};
  /// Gets warnings while the run goes on, and what functions of the model print.
  std::function<void(const Diagnostic&)> on_message{};
  std::function<void(std::string_view)> on_print{};
  std::function<void(double)> on_progress{};    // the time that the run has come to
  /// If it becomes true, from whichever thread, the run ends as soon as it can.
  const std::atomic<bool>* cancel = nullptr;
};

/// How well an equation holds, where it does so worst.
struct Residual {
  std::string equation;                       // as Modelica, or what it is
  Place place;                                // file and line
  double time = 0;                            // s
  double difference = 0;                      // of its sides
  double size = 0;                            // of its terms; 0: a side has no value, or a relation is not as its sides are
};
/// What Options::verify has found.
struct Verification {
  std::size_t equations = 0;                  // looked at: equations, assignments of algorithms, relations, initial conditions
  std::size_t rows = 0;
  std::optional<Residual> worst;              // of those that hold
  std::vector<Residual> violated;             // by more than rounding and the solution of loops explain; the worst first
  std::vector<std::pair<std::string, std::size_t>> unchecked;   // why not: how many equations, or rows
};

/// What a page shows, for a page of the caller's own: `run`, a text of JSON, has the variables, the sources and the event log (docs/event-log.md); the columns are numbers,
/// time first, and not finite where a variable has no value.
struct PageContent {
  std::string run;
  std::vector<std::vector<double>> columns;
};

struct Account;   // of a run

struct Result {
  Ending ending = Ending::failed;
  double time = 0;                            // that was reached, s
  std::vector<std::string> names;             // of the columns: "time", then variables
  std::vector<double> rows;                   // one after the other, names.size() numbers each. At an event: the left limits, then the values after it
  std::uint64_t row_count = 0;                // those that on_row and the file have got among them
  std::vector<Event> events;
  Diagnostics diagnostics;                    // an error last, if the run failed
  Statistics statistics;
  std::vector<std::string> strings;           // what the values of String variables are numbers of
  std::optional<Verification> verification;   // if it was asked for

  /// The values of one column, row by row. Throws std::invalid_argument if there is no such column.
  std::vector<double> column(std::string_view name) const;

  /// In words, as the command tells them after a run: what was integrated, what was assumed, why it went as it did.
  std::string report() const;
  /// The event log as text; of the events in this result.
  std::string event_log() const;
  /// One page of HTML that loads nothing: the curves of the rows, the events and the source beside them. variables: those that are shown at first;
  /// empty: states and discrete variables that change. most_numbers: in its data; it has fewer rows where there are more. Throws std::invalid_argument for a name that no variable has.
  std::string page(const std::vector<std::string>& variables = {}, std::size_t most_numbers = 1'500'000) const;
  PageContent page_content(const std::vector<std::string>& variables = {}, std::size_t most_numbers = 1'500'000) const;
  std::shared_ptr<const Account> account{};   // what these are made from
};

/// A model near a point of its run, as a linear system of the differences from that point:
///
///   der(x) = A x + B u,   y = C x + D u
///
/// x are the states, u the inputs and y the outputs of the model as a whole, as far as they are Reals. The derivatives are exact (up to rounding):
/// the program itself is differentiated, forward, and solutions of algebraic loops by the implicit function theorem. Discrete variables,
/// relations and what delay() remembers count as constant. Where states are chosen during the run, they are those of that instant.
/// Where the model has no derivative (the root of 0) there is none.
struct Linearization {
  double time = 0;                            // s
  std::vector<std::string> states, inputs, outputs;
  std::vector<double> a, b, c, d;             // row by row: a[i * states.size() + k] is the derivative of der(states[i]) by states[k]
  std::vector<double> x, u, y, der_x;         // values at the point
  Diagnostics diagnostics;                    // an error: there is no such system, and the matrices are empty
};

class Model;

/// A run on its way, initialised. What the options point to has to outlive it; the model it keeps itself.
class Run {
public:
  Run(Run&&) noexcept;
  Run& operator=(Run&&) noexcept;
  ~Run();

  double time() const;                        // s
  /// False: it has come to its end, by whatever reason; see finish().
  bool goes_on() const;
  /// One step of the integrator, not beyond `until`, and the event that it leads to. Returns goes_on().
  bool step(double until);
  /// Steps to an instant, events at it included. Returns goes_on().
  bool advance_to(double until);

  /// The value of a variable now; of a String the number of its text. Throws std::invalid_argument if there is no such variable.
  double get(std::string_view variable);
  double get(std::uint32_t variable);         // in Model::variables()
  /// Sets inputs (but for those of Options::inputs) and states, all at one instant: an event, at which relations are evaluated anew and when-clauses may fire. Throws
  /// std::invalid_argument for what is neither. Returns goes_on().
  bool set(std::span<const std::pair<std::string, double>> values);
  bool set(const std::string& variable, double value);

  /// The run as it is now, as bytes for Model::restore(): the same version of mosim and the same model give it back, in another process
  /// too. They hold how the run was started and what was done with it since, so they grow with the number of calls, not with the
  /// model; functions of Options stay with the caller.
  std::string save() const;

  /// The model as a linear system, at the present point. Throws std::invalid_argument after a failure, and while the motion follows a surface.
  Linearization linearize();

  /// Ends the run here, and says how it was. To be called once, last.
  Result finish();

private:
  friend class Model;
  friend struct Account;
  struct Impl;
  explicit Run(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// A compiled model. It does not change, and does not need its session any more.
class Model : public std::enable_shared_from_this<Model> {
public:
  ~Model();
  const std::string& name() const;
  const std::string& description() const;
  const Experiment& experiment() const;
  const std::vector<Variable>& variables() const;
  std::optional<std::uint32_t> find(std::string_view variable) const;
  /// What was said while it was compiled: warnings.
  const Diagnostics& diagnostics() const;
  /// Of what is run: the same for models that were compiled from the same text by the same version.
  std::uint64_t checksum() const;

  /// The model as the bytes of a .mosim file, for Session::load() of the same version, in another process too.
  std::string write() const;

  /// Why a run cannot be started with this value (Options::set); empty: it can. A model that was compiled with that setting may.
  std::string refusal(std::string_view variable, double value) const;

  /// Throws std::invalid_argument for times, tolerances and results that no run can have.
  void check(const Options& options) const;
  /// Initialises a run. Throws std::invalid_argument for options that no run can have; a run whose initialisation fails has come to its end.
  Run start(Options options = {}) const;
  /// A run that was saved, as it was: what follows is the same to the last bit. It is gone through anew up to there, which takes as long as
  /// it took. Of `given` the callbacks, the file, `cancel`, `verify` and the functions of inputs count; what was handed to callbacks before is not handed
  /// to them again. Throws std::invalid_argument if the bytes are not a saved run of this model.
  Run restore(std::string_view saved, Options given = {}) const;
  /// A whole run.
  Result simulate(Options options = {}) const;
  /// As a linear system, after a run to that time (s), events there included.
  Linearization linearize(double time, Options options = {}) const;

private:
  friend class ResultFile;
  friend class Run;
  friend class Session;
  friend struct Account;
  friend struct Result;
  friend std::string describe(const Model&, const ResultFileOptions&);
  struct Impl;
  explicit Model(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// ---- sessions ----------------------------------------------------------------------------------------------------------

/// A text, and what its file is called.
struct SourceText {
  std::string file, text;
};

struct SessionOptions {
  bool bundled_library = true;   // the part of the standard library that is in mosim, where no other is found
  bool native_code = false;      // C functions that models bring along may be called: they run with the rights of the process
  /// Asked for a class that no text read so far has, and no library: "Pack.Inner.Model", after its packages. Gives the text that it is in, or nothing. It is
  /// asked once for each name that is looked for in a package, and many of these are none of its classes. No file is looked for if it gives all.
  std::function<std::optional<SourceText>(const std::string& name)> source{};
  /// Asked for the path of a file that `modelica://Package/...` names, in sessions and by the runs of their models, from whichever thread these are in;
  /// nothing: it lies in the folder of the package.
  std::function<std::optional<std::string>(std::string_view uri)> resource{};
  bool verifiable = true;   // models keep their equations as they were compiled, for Options::verify: half of what they take
  bool compiling_thread = true;   // models are compiled in a thread of their own, which has a large stack. Without it the calling one changes to such a stack
                                  // meanwhile, which is quicker; `source` must not mind then (CPython from 3.14 does). With sanitizers there is always a thread
};

/// The stages that a model goes through after its text was read.
enum class Stage : std::uint8_t {
  instance,   // the tree of its components, with what they are modified by
  flat,       // variables and equations, as Modelica
  dae,        // sorted equations, relations with their numbers
  program,    // what a run works on
};

/// Texts and the classes in them.
class Session {
public:
  explicit Session(SessionOptions options = {});
  ~Session();
  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;

  /// A folder of packages, a package's folder or a file, in which classes are found when they are asked for. False: there is none.
  bool add_library(const std::string& path);
  /// Reads a .mo file, or a package's folder. Returns the qualified names of the classes at its top; what is wrong is in diagnostics().
  std::vector<std::string> read(const std::string& path);
  /// Reads a text, whose diagnostics call it `file`.
  std::vector<std::string> read_text(const std::string& file, const std::string& text);

  /// Compiles a class. settings: "name = value", for parameters and start values. Null if there is an error: see diagnostics(). The session
  /// can be used on.
  std::shared_ptr<const Model> compile(const std::string& name, const std::vector<std::string>& settings = {});

  /// Whether a class is a valid model. Where texts that were read have errors, it is not; what could be read of it is looked at all the same.
  bool check(const std::string& name, const std::vector<std::string>& settings = {});
  /// A class after one of its stages, as text to be read; empty if it does not come so far, as check() would tell (but a tree of instances that
  /// has errors is shown).
  std::string show(const std::string& name, Stage stage, const std::vector<std::string>& settings = {});
  /// A text as it was understood, or empty if it has errors. Its classes are not known by that.
  std::string show_syntax(const std::string& file, const std::string& text);
  /// Whether a class that has been read is a package.
  bool is_package(const std::string& name) const;

  /// A model from what Model::write() gave, or `mosim compile` wrote; `file` is its name in diagnostics(). All in it is checked before it is used.
  /// Null if it is damaged, of another version, or calls C functions of its own and SessionOptions::native_code does not let it.
  std::shared_ptr<const Model> load(const std::string& file, std::string_view bytes);

  /// All that was said since the last call that reads, compiles, checks, shows or loads began.
  const Diagnostics& diagnostics() const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// "0.1.0"
std::string_view version();

}  // namespace mosim
