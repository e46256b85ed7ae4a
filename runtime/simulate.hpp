#pragma once
// Stage "run": program -> trajectory.

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/program.hpp"
#include "runtime/signals.hpp"
#include "runtime/sink.hpp"

namespace mosim::runtime {

struct Machine;

enum class Solver { bdf, adams, esdirk, erk, automatic };   // Stepper; automatic: MethodChoice between all of them

/// A finer tolerance than this is one that the rounding of double numbers cannot keep.
constexpr double least_tolerance = 1e-13;

struct EventRecord;
struct Message;

struct Options {
  double start = 0, stop = 1;            // seconds
  double tolerance = 1e-6;               // relative, of the result; absolute is tolerance * nominal
  std::uint32_t intervals = 500;         // output grid: start + k*(stop - start)/intervals, or
  std::optional<double> interval;        // start + k*interval for k < intervals, and the stop: where it does not divide the run
  Solver solver = Solver::bdf;
  double short_run = 5e6;                // cost, of some ns each, below which Solver::automatic is bdf: it would be over before a choice is worth anything
  std::optional<double> hysteresis;      // replaces every epsilon (E4) by this number
  std::optional<std::uint64_t> maximum_events;  // stop, not error, after so many events
  std::uint64_t maximum_rounds = 100'000'000;   // of all loops of functions in one evaluation, and recursive calls: more are endless ones
  std::uint64_t interpreted = 200;              // runs of a section before it becomes machine code, which gives the same results; the largest number: never
  std::vector<std::pair<Index, double>> values;   // the run is started with these: numbers in Program::changeable
  std::vector<Signal> signals;                // of inputs
  std::optional<std::vector<Index>> recorded;   // the columns of a row; none: recorded_variables()
  Sink* sink = nullptr;                  // gets the rows as soon as they are final; null: Result::trajectory has them
  bool record_events = false;            // fill Result::events
  /// If set, called with every row, and once initialisation is done (E9): a second witness of what is in memory.
  enum class Moment { initial, between_events, event };
  std::function<void(const Machine&, Moment)> witness;
  std::function<void(EventRecord&&)> keep_event;  // if set, gets the records instead, as soon as they are final
  std::function<void(double)> progress;  // if set, called at accepted steps with the simulated time
  std::function<void(const Message&)> tell;       // if set, gets what should be known while the run goes on
  std::function<void(std::string_view)> print;    // if set, gets what functions of the model print: whole lines; what they warn of goes to `tell`
  std::function<std::optional<std::string>(std::string_view)> resource;   // if set, asked for the path of what `modelica://` names
  const std::atomic<bool>* interrupt = nullptr;   // if it becomes true, the run ends as soon as it can
};

/// Seconds that are too short to be seen in a picture of the run: what happens within them may be looked at as a whole.
/// Results and events depend on this, and never on the output grid.
inline double resolution(const Options& options) { return (options.stop - options.start) / 500; }

/// One event instant (E5). `number` counts from 1; initialisation is event 0, and a rearming has the number of the
/// event before it. `round` 0 is initialisation, in which initial() holds.
enum class EventKind { initial, time, state, clock, terminal, set };   // set: values came from outside, see Simulation::set()
struct EventRecord {
  struct Flip { Index relation; bool value; bool hysteresis; std::uint32_t round; };  // hysteresis: at +-epsilon, not at 0
  struct Rounded { Index function; double value; };                      // an event function, and its new whole number
  struct Fired { Index when; std::vector<Index> elements; std::vector<Index> already_true; std::uint32_t round; };
  /// Of any kind; left limit, new value. The round is told of discrete variables that changed in one only, else 0.
  struct Change { Index variable; double before, after; std::uint32_t round = 0; };
  struct Step { Index variable; double before, after; std::uint32_t round; };   // of a discrete variable
  struct Reset { Index reinit; double before, after; std::uint32_t round; };
  struct Said { Index number; std::string text; };                       // in assertions_table or terminations; rendered
  std::uint64_t number = 0;
  double time = 0;
  EventKind kind = EventKind::state;
  std::uint32_t rounds = 1;
  bool is_set = false;                   // values came from outside
  bool acts = false;                     // more than relations changed
  bool rearming = false;                 // no event: relations came back through their hysteresis, nothing else changed
  std::vector<Flip> flips;
  std::vector<Rounded> rounded;
  std::vector<Index> samples, clocks;    // that ticked
  std::vector<Index> delays, spatial_distributions; // out of which a jump comes
  std::vector<Fired> fired;
  std::vector<Index> transitions;        // of state machines, that fired
  std::vector<Change> changes;
  std::vector<Step> steps;               // of variables that changed in more than one round, in the order of rounds
  std::vector<Reset> resets;
  std::vector<Said> warnings;            // assertions of level warning that failed here
  std::vector<Said> terminations;        // terminate() that was reached here
  /// Of the initial event: discrete variables, states and free parameters that initialisation gave another value than
  /// their start value. `before` is the start value.
  std::vector<Change> initialised;
  /// The run failed in this event. Without a fixed point the lists hold the first rounds only, `rounds` counts all.
  bool failed = false;
};

/// E11: the same relation fired at intervals that shrink by a constant ratio.
struct Zeno {
  Index relation;
  double ratio;              // of successive intervals, 0 < ratio < 1
  double accumulation;       // estimated instant
  double last;               // its last event before it fell silent (or the run ended)
  std::uint64_t events;
};
/// E11: a relation fired without progress. Where its sides are two steady states of all that is discrete, the solution
/// follows the surface between them, without events (runtime/sliding.hpp); else its hysteresis is widened.
struct Chattering {
  Index relation;
  double from, to;           // first and last instant of the spell
  std::uint64_t events;
  double epsilon;            // the widest band used
  double slid = 0;           // seconds of the spell on the surface itself: der(x) and algebraic variables are then the
                             // means of both sides, Booleans those of the side with the greater weight
  std::vector<Index> with{}; // relations over the same surface, which flipped with it
  Index reinit = none;       // sends the motion back each time: on the surface the state stays where it is put, and der(x) and
                             // all else are those of the side that the motion comes from
};

/// E11: a relation under noEvent, or a sign, across which the derivatives jumped back and forth. It makes events from
/// `since` on.
struct Watched {
  Index relation;
  double since;
};

/// A when-clause that was to turn a motion back and cannot do it any more: a relation in its condition became true and
/// stayed so to the end of the run, beyond its hysteresis, though the when-clause fired then and reset a state that leads
/// across it. The ball has fallen through the floor. Not said of relations whose Zeno is, nor of a time no longer than
/// others before.
struct Unarmed {
  Index relation;            // holds as it does since `since`, and is farther than epsilon from changing
  Index when;                // fires again only after its condition has been false
  Index reinit;
  double since;
};

/// The variables in a relation after an instant that a finding is about: Zeno::last, Chattering::from, Unarmed::since.
struct Course {
  struct Value {
    Index variable;          // a Real that varies
    double then, at_end;
  };
  Index relation;
  double from;
  std::vector<Value> values;
};

enum class Severity { warning, error };
/// What the run has to say. `origin` is in Program::origins or none.
struct Message {
  Severity severity = Severity::error;
  double time = 0;
  Index origin = none;
  std::string cause;         // one sentence, with the values that matter
  std::string remedy;        // may be empty
};

enum class Ending {
  stop_time, terminated, maximum_events, failed,
  interrupted,               // by Options::interrupt, or the sink wants no more
};

struct Statistics {
  std::uint64_t steps = 0, evaluations = 0, jacobians = 0, newton_iterations = 0, error_test_failures = 0;
  std::array<std::uint64_t, 4> steps_by{};   // of `steps`: by each Solver
  std::uint64_t method_changes = 0;      // of Solver::automatic, those of trials too
  std::uint64_t time_events = 0, state_events = 0, clock_events = 0;
  std::uint64_t rearmings = 0;           // see EventRecord
  std::uint64_t reselections = 0;        // of states (Program::state_sets)
};

/// Rows of values, one column for each recorded variable, `time` first. At an event: the left limits, then the
/// values after the last round, at the same time (E13).
struct Trajectory {
  std::vector<Index> columns;            // in Program::variables; time is not among them
  std::vector<double> values;            // row-major, 1 + columns.size() numbers a row
  std::vector<std::uint64_t> jumps;      // per row: the number of events so far, the j of hybrid time (t, j)
  std::size_t width() const { return columns.size() + 1; }
  std::size_t rows() const { return values.size() / width(); }
};

/// The last event of a run at which more than relations changed.
struct LastEvent {
  double time;
  Index relation;                        // that flipped first, or none
};

struct Result {
  Ending ending = Ending::failed;
  double time = 0;                       // reached
  Trajectory trajectory;                 // what there is, also after a failure; its columns alone where the rows have gone to a sink
  std::uint64_t rows = 0;                // so many there were
  std::vector<Message> messages;
  std::vector<EventRecord> events;
  std::vector<Zeno> zeno;
  std::vector<Chattering> chattering;
  std::vector<Watched> watched;
  std::vector<TrueFromStart> true_from_start;   // not of when-clauses that fire by initial() as well
  std::vector<Unarmed> unarmed;
  std::vector<Course> courses;           // of the first of these
  Statistics statistics;
  std::optional<LastEvent> last_event;   // none: there was no event
  std::vector<double> parameters;        // memory after initialisation: values of parameters and start values
  std::vector<std::string> strings;      // what the values of String variables are numbers of
};

/// Initialises and integrates. Never throws for what a model does; a failure is in messages, with Ending::failed.
Result simulate(const Program& program, const Options& options);

/// The columns that are recorded: states, algebraic and discrete variables, der(x) of states; parameters, constants
/// and Strings not.
std::vector<Index> recorded_variables(const Program& program);

}  // namespace mosim::runtime
