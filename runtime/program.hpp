#pragma once
// The program: everything the runtime knows of a model. It is data, complete in itself: no pointer leads back to
// the compiler or the source text.
//
// Memory is one array of doubles; a Slot is an index into it. Reals are themselves, Booleans 0 and 1, Integers
// exact up to 2^53, enumeration values their ordinal from 1, Strings a number in a table that holds each text once:
// Program::strings, and what the run adds to it. Equal numbers are equal texts.
//
// Code is one array of instructions. A section or a block is an entry point into it and runs up to the next `end`.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "foreign/function.hpp"
#include "runtime/label.hpp"

namespace mosim::runtime {

using Slot = std::uint32_t;
using Entry = std::uint32_t;   // index of an instruction
using Index = std::uint32_t;   // into one of the tables of Program
inline constexpr std::uint32_t none = 0xffffffffu;

/// Slots with a fixed meaning.
inline constexpr Slot slot_time = 0;
inline constexpr Slot slot_initial = 1;    // 1 while the initial system is solved: initial()
inline constexpr Slot slot_terminal = 2;   // 1 in the last event: terminal()
inline constexpr Slot slot_lambda = 3;     // homotopy: 1 is the actual, 0 the simplified expression
inline constexpr Slot slot_zero = 4;       // constant 0
inline constexpr Slot slot_one = 5;        // constant 1
inline constexpr Slot first_free_slot = 6;

/// The literals of an enumeration, in their order. Thousands of variables of one type share them.
class Literals {
public:
  Literals() = default;
  Literals(std::vector<std::string> list) : kept_(new Kept(std::move(list))) {}
  const std::vector<std::string>& list() const {
    static const std::vector<std::string> none;
    return kept_ ? kept_->list : none;
  }
  std::size_t size() const { return list().size(); }
  const std::string& operator[](std::size_t k) const { return list()[k]; }
  bool operator==(const Literals& other) const { return kept_ == other.kept_ || list() == other.list(); }

private:
  struct Kept : boost::intrusive_ref_counter<Kept> {
    explicit Kept(std::vector<std::string> l) : list(std::move(l)) {}
    const std::vector<std::string> list;
  };
  boost::intrusive_ptr<const Kept> kept_;
};

// clang-format off
enum class Opcode : std::uint16_t {
  end,
  body,                                         // ends what a block computes once, where only that is wanted
  // w[a] = f(w[b], w[c]); exp and cosh with c = 1 may be infinite, as divisors are made of them alone
  move, negate, not_, add, subtract, multiply, divide, power, and_, or_,
  less, less_equal, equal, not_equal,           // as written, no events; > and >= by exchanging operands
  abs, sign, sqrt, sin, cos, tan, asin, acos, atan, atan2, sinh, cosh, tanh, exp, log, log10, min, max,
  floor, ceil, truncate,                        // as written, no events; truncate is toward zero
  div, mod, rem,                                // as written, no events (MLS 3.7.2: div truncates, mod floors)
  text,                                         // w[a] = texts[d], put together from the slots in it
  precedes,                                     // w[a] = the String w[b] comes before the String w[c]
  whole,                                        // w[a] = w[b] + 0, as an Integer has no zero with a sign; it must be exact: |w[b]| <= 2^53
  within,                                       // w[b], which must be one of 1 ... w[c]
  load,                                         // w[a] = w[d + w[b] - 1], for w[b] one of 1 ... c
  store,                                        // w[a + w[b] - 1] = w[c], for w[b] one of 1 ... d
  // arrays of functions whose sizes the run alone knows; d is the number of one
  create,                                       // arrays[d] gets c sizes, w[b], w[b + 1], ...; its elements have no value (a is 1: are "")
  extent,                                       // w[a] = its size along dimension c, from 0
  item,                                         // w[a] = its element at the c subscripts w[b], w[b + 1], ...
  put,                                          // its element there := w[a]
  assign_array,                                 // arrays[a] := it, which is not used afterwards if c is 1
  // control: a is an Entry
  jump, jump_if_zero, jump_if_nonzero,          // condition w[b]
  loop,                                         // back to a
  call,                                         // functions[d]: its inputs are in place, afterwards its results are
  external,                                     // externals[d], a function that is not Modelica
  return_,                                      // from a function
  // buffered values (E1); d is the number in the table
  relation,                                     // w[a] = relations[d] over w[b] and w[c]
  time_relation,                                // w[a] = relations[d]; w[b] is its instant
  event_function,                               // w[a] = event_functions[d] of w[b]
  quiet_relation,                               // w[a] = relations[d] over w[b] and w[c], as written while it is not watched (E11)
  quiet_sign,                                   // the same, as 1 and -1, and 0 where w[b] = w[c]
  delay,                                        // w[a] = delays[d] at time - w[b]
  spatial_distribution,                                    // w[a] = output c (0 or 1) of distributions[d]
  // effects
  solve,                                        // blocks[d]
  settle,                                       // mixed[d]
  reinit,                                       // reinits[d] := w[b], at the end of this round
  check,                                        // assertions[d] holds if w[b] is nonzero
  terminate,                                    // terminations[d]
  kernel,                                       // kernels[d]
};
// clang-format on

struct Instruction {
  Opcode op = Opcode::end;
  std::uint32_t a = 0, b = 0, c = 0, d = 0;
};

/// Lanes of a kernel that may be computed together, row by row.
inline constexpr std::uint32_t lanes_together = 64;
/// Where the lanes of a kernel find an operand: lane k has the number first + k*stride (modulo 2^32), or Program::lanes[first + k], or, where only lanes that
/// are computed together have values at a time, first + k % lanes_together.
struct Lanes {
  enum class How : std::uint8_t { strided, listed, passing };
  std::uint32_t first = 0, stride = 0;
  How how = How::strided;
};
/// Instructions of one shape, `count` times. What a lane reads no other lane of it writes, so it makes no difference whether they are carried out
/// lane by lane, as they stand for, or row by row.
struct Kernel {
  struct Row {
    Opcode op = Opcode::move;        // writes w[a], and nothing else that counts
    Lanes a, b, c, d, origin;        // origin: as Program::code_origins has it
  };
  std::uint32_t count = 0;
  std::vector<Row> rows;
  /// The instructions that it stands for.
  std::uint64_t size() const { return std::uint64_t(count) * rows.size(); }
};

/// The mark of sums, products and functions that come into divisors alone: c of one operand, d of two.
constexpr std::uint32_t may_overflow = 1;
/// What an infinite divisor makes nothing of: a quotient below 1e-208. A larger one may have a value.
constexpr double largest_dividend = 1e100;
/// What may stand before an infinite factor of a divisor.
constexpr double smallest_factor = 1e-100;

/// A place in a source text, in a form that does not need it.
struct Spot {
  Label path;
  std::uint32_t line = 0, column = 0, end_column = 0;  // from 1; 0: unknown
  Label line_text;                                     // the whole source line
};

enum class Part : std::uint8_t { value, derivative, pre, previous };
/// What an expression reads, for messages: see name_of().
struct Mention {
  Slot slot = 0;
  Index variable = 0;            // in Program::variables
  Part part = Part::value;
};

/// Where something comes from.
struct Origin {
  const Spot& at;
  std::string_view text;                // the expression or equation, as Modelica
  std::span<const Mention> variables;   // those in the expression
};

/// The origins of a program. A large model has a few for each of its equations: what they hold stands in rows, without lists of their own.
struct Origins {
  struct End {
    Index spot = 0;                        // in spots
    std::uint32_t text = 0, mention = 0;   // where its part of texts and mentions ends, and the next one's begins
  };
  std::vector<End> ends;
  std::vector<Spot> spots;
  std::string texts;
  std::vector<Mention> mentions;

  std::size_t size() const { return ends.size(); }
  Origin operator[](Index k) const {
    const End begin = k == 0 ? End{} : ends[k - 1], end = ends[k];
    return {spots[end.spot], std::string_view(texts).substr(begin.text, end.text - begin.text), std::span(mentions).subspan(begin.mention, end.mention - begin.mention)};
  }
  /// Of what was added to `mentions` since the last one.
  Index add(Index spot, std::string_view text) {
    texts += text;
    ends.push_back({spot, static_cast<std::uint32_t>(texts.size()), static_cast<std::uint32_t>(mentions.size())});
    return static_cast<Index>(ends.size() - 1);
  }
};

enum class Type : std::uint8_t { real, integer, boolean, enumeration, string };

enum class Kind : std::uint8_t { state, derivative, algebraic, discrete, parameter, constant };

/// A variable as the user knows it. An alias shares its slot with another, perhaps with the opposite sign. A large model has two for each of
/// its equations: what is small stands together.
struct Variable {
  std::string name;
  Label meaning;              // of one that the compiler made: what messages call it. Empty: its name
  Label description, unit, display_unit, quantity;
  Literals literals;                    // of an enumeration
  Label text;                           // the value of a String parameter
  Slot slot = 0;
  Index origin = none;
  Type type = Type::real;
  Kind kind = Kind::algebraic;
  bool negated = false;       // its value is -w[slot] (Boolean: 1 - w[slot])
  bool is_protected = false;
  bool hidden = false;        // annotated HideResult (MLS 18.3): not among the results unless asked for
  bool input = false, output = false;   // top-level causality
  bool steady = false;                  // an input whose derivative was taken as 0: it may change at events alone

  const std::string& said() const { return meaning.empty() ? name : meaning.text(); }   // in messages
  /// Its description; that of a derivative says of what, if it has none of its own.
  std::string described() const {
    return kind == Kind::derivative && description.empty() && name.starts_with("der(") ? "derivative of " + name.substr(4, name.size() - 5) : description.text();
  }
};

/// A continuous state. State i lives in slot first_state + i, its derivative in first_derivative + i.
struct State {
  Index variable = none;  // in Program::variables
  double nominal = 1;     // > 0; scales the absolute tolerance
};

/// pre(v): slot `pre` holds the value of slot `value` at the end of the round before.
struct Pre {
  Slot value, pre;
  bool discrete;       // false: a continuous variable's left limit; it never asks for another round
  Index variable;      // in Program::variables, or none for a helper (a when-condition)
};

enum class Comparison : std::uint8_t { less, less_equal, greater, greater_equal };

/// A buffered relation `left op right`: one crossing function (E2), numbered in order of appearance.
struct Relation {
  Comparison comparison;
  bool time_event = false;   // left - right is `time - instant` up to a constant factor (E3)
  bool rising = true;        // time events: becomes true (not false) as time passes the instant
  Slot instant = none;       // time events: written by section `instants`
  Slot epsilon = none;       // written by section `parameters`: the hysteresis (E4), same unit as left and right
  Index origin = none;
  bool quiet = false;        // under noEvent, or of sign: no events before derivatives are seen to jump across it (E11)
};

enum class Rounding : std::uint8_t { floor, ceil, truncate };
/// floor, ceil, integer, div, mod or rem of a continuous argument: keeps its value between events.
struct EventFunction {
  Rounding rounding;
  Slot epsilon = none;
  Index origin = none;
};

/// sample(start, interval): w[flag] is 1 in the first round of an event at start + k*interval, else 0.
struct Sample {
  Slot start, interval;  // written by section `parameters` or `initial`
  Slot flag;
  Index origin = none;
};

/// One clock of a base clock's family. It ticks at the fine ticks n with n >= shift and (n - shift) % factor == 0.
struct SubClock {
  Slot tick;                // 1 in the first round of an event at which it ticks
  Slot interval = none;     // interval(): seconds since its previous tick (at the first one: its nominal interval)
  Slot first = none;        // firstTick(): 1 at the first tick
  std::uint64_t factor = 1;
  std::uint64_t shift = 0;
  Index origin = none;
};
enum class ClockKind : std::uint8_t { rational, real, event };
/// A base clock (MLS 16.3). Fine tick n is at start + n*interval/subdivision; `start` is the start of the simulation.
struct BaseClock {
  ClockKind kind = ClockKind::rational;
  Slot counter = none;      // rational: interval is w[counter]/resolution
  double resolution = 1;
  Slot interval = none;     // real: seconds
  bool varying = false;     // rational, real: read anew at every tick, by section `instants`
  Slot condition = none;    // event: ticks when this Boolean becomes true
  Slot start_interval = none;  // event: interval() at the first tick; none: 0
  std::uint64_t subdivision = 1;
  std::vector<SubClock> clocks;
  Index origin = none;
};

/// A call of a function that is not Modelica (MLS 12.9): by its own name, with its operands in the order of the call. What it returns is the
/// first of them.
struct External {
  struct Operand {
    enum class Kind : std::uint8_t { numbers, texts, object } kind = Kind::numbers;
    bool result = false;    // is written; numbers that stand there before are handed over
    bool real = false;      // Reals: the function can be differentiated by them
    std::vector<Slot> slots;   // of an array: row by row in C, column by column in FORTRAN 77. An object: its number from 1, or 0
    Index array = none;        // an array of the run's size: instead of slots
  };
  std::string function;
  bool fortran = false;   // of LAPACK or BLAS
  std::vector<Operand> operands;
  std::optional<foreign::Function> foreign;      // the model's own C: its parameters have the operands as their scalars
  std::optional<foreign::Function> destructor;   // of the object that it makes
};

/// A call that counts (MLS 12.3), in the initial section or that of events: made once in an initialisation, and in each round of an event.
struct CallOnce {
  Slot done;      // 1: it was made; what it was made with and what came out follow
  Slot end;       // behind these
};

/// reinit(x, e). At most one of those for a state is active in a round.
struct Reinit {
  Index state;
  Index origin = none;
  Index when = none;           // in Program::whens: it stands in this one
  /// State events in the condition of that when-clause whose difference depends on the state, or on one whose derivative
  /// does: what the reset is there to turn back.
  std::vector<Index> turns{};
};

/// delay(e, t): the value of slot `value` (written by section `outputs`) t seconds ago.
struct Delay {
  Slot value;
  Slot maximum;           // delayMax, written by section `parameters` or `initial`
  Slot lag = none;        // t, if it is fixed, written likewise: what jumped makes an event when it comes out. none: no event
  bool discrete = false;  // e changes at events alone
  Index origin = none;
  Slot varying = none;    // t, if it varies: what jumped makes an event when t meets it
};

/// spatialDistribution: what went in at both ends, moved along by x (MLS 3.7.4.2).
struct SpatialDistribution {
  Slot in0, in1, x, positive;   // positive: Boolean
  std::vector<double> points;   // initially, rising from 0 to 1
  std::vector<Slot> values;     // at these; written by section `parameters` or `initial`
  Index origin = none;
  bool events = true;           // where what jumped leaves
};

/// How String(...) writes a number (MLS 3.7.1).
struct Format {
  std::int32_t minimum_length = 0;
  bool left_justified = true;
  std::int32_t significant_digits = 6;
  std::string c_format;               // format = "...", without the leading %; empty: not given
};
/// A text with values in it: pieces in order.
struct Text {
  struct Piece {
    std::string text;     // a literal, when value is none
    Slot value = none;
    Type type = Type::real;             // a String stands as it is
    Format format;
    Literals literals;                  // of an enumeration
  };
  Entry code = none;      // computes the values; none: nothing to compute
  std::vector<Piece> pieces;
};

struct Assertion {
  bool warning = false;   // AssertionLevel.warning
  Text message;
  Index origin = none;
  bool ours = false;      // no assertion of the model: the message says all
};
struct Termination {
  Text message;
  Index origin = none;
};

/// One element of a when-clause's vector of conditions.
struct WhenCondition {
  Slot value, pre;        // the condition now, and in the round before
  Index origin = none;
};
/// One branch of a when-clause (`when`, or an `elsewhen`). The runtime does not need it to run: it is for the record.
struct When {
  Slot fired;             // 1 in the round in which its body is active
  std::vector<WhenCondition> conditions;
  Index origin = none;
};

/// A transition of a state machine (MLS 17), for the record (E16): it fires at a tick at which w[fired] is its number.
struct Transition {
  Slot tick, fired;
  double number;
  std::string from, to;   // states
  bool delayed = false;   // its condition held a tick ago
  Index origin = none;    // its condition
};

/// E6: a condition that was true when the run began, after initialisation, and never became true since.
struct TrueFromStart {
  Index when, element;    // in Program::whens, and of its conditions
  double until;           // it was false first at this time; infinity: it never was
};

/// Equations that must be solved together. Its code computes the residuals from the unknowns (and everything torn
/// out of the block on the way); `solve` finds unknowns with residuals 0 and leaves all that consistent.
struct Block {
  bool linear = false;            // residuals are linear in the unknowns
  std::vector<Slot> unknowns;     // iteration variables; their slots hold the first guess
  std::vector<Slot> residuals;    // as many
  std::vector<double> nominal;    // of the unknowns
  std::vector<std::string> names; // of the unknowns, for messages
  Entry code = none;
  Entry body = none;              // the code from here on depends on the unknowns; what stands before, up to opcode body, does not
  Slot first_own = 0, last_own = 0;   // slots of no other code, each written before it is read: first_own <= slot < last_own
  Index origin = none;            // of the first equation
  /// In Program::blocks: the same equations for all their unknowns at once, with nothing torn out. none: nothing is.
  Index untorn = none;
  std::vector<Index> residual_origins;   // of the equations that the residuals belong to; may be empty
};

/// A mixed system (E15): buffered values that depend, in its code, on what they select. The code reads slot `held` in
/// place of each value, and computes the value anew.
struct Mixed {
  struct Held {
    bool is_relation;             // in Program::relations; else in Program::event_functions
    Index number;
    Slot value, held;
  };
  std::vector<Held> held;
  Entry code = none;
  Index origin = none;            // of the first of them
};

/// A row of a sparse pattern: which derivative depends on which state.
struct Dependence {
  std::uint32_t derivative, state;
};

/// States that are chosen during the run among candidates: at each level, state i is the candidate whose select is 1.
/// The others follow from the constraints, whose coefficients say how well.
struct StateSet {
  struct Level {
    std::vector<Slot> states;
    std::vector<Slot> candidates;
  };
  std::vector<Level> levels;
  std::uint32_t constraints = 0;       // rows of the coefficients
  std::uint32_t never = 0;             // the first columns are never states; the candidates follow
  std::vector<Slot> coefficients;      // row by row, written by sections `outputs` and `state_sets_alone`
  std::vector<double> nominal;         // of the columns
  std::vector<Slot> select;            // state by state: 0 or 1 for each candidate
  /// Without levels the choice is fixed: the columns that are states. A determinant of the others that vanishes, or changes
  /// its sign, ends the run: what they are could not be told any more.
  std::vector<std::uint32_t> states;
  Index origin = none;                 // of a constraint
};

/// The range of a variable that is valid (MLS 4.9).
struct Bound {
  Index variable;                 // in Program::variables
  Slot minimum = none, maximum = none;   // written by section `parameters` or `initial`, or constants
  double nominal = 1;
};

/// A variable that a run may be started with another value of: a parameter, or another one with another start value. The compiler has
/// not relied on what it was.
struct Changeable {
  Index variable;
  Slot given = none;      // where its own value is computed: the other one goes here, and 1 into the next slot. none: it stands in memory,
  Slot start = none;      // and here too, for the initial system
  bool by_size = false;   // the compiler has relied on the sign and the order of magnitude of `value`
  double value = 0;
};

/// A start value that depends on what the initial section finds.
struct LateStart {
  Slot variable, value;   // of the value: written by section `initial`
};

/// A function (MLS 12) as code. A call moves its arguments to `inputs`, and finds the results in `results`: slots of the function's own,
/// a scalar each, arrays row by row. The code has the slots of its frame for itself; where a function is under way already, the
/// frame is kept aside during the inner call.
struct Function {
  std::string name;
  Entry entry = none;              // runs up to `return_`
  std::vector<Slot> inputs, results;
  Slot first = 0, last = 0;        // the frame: inputs and results lie outside if it is recursive
  Index first_array = 0, last_array = 0;   // likewise its arrays of the run's sizes
  std::vector<Index> result_arrays{};      // by result: none for one that is a number
  bool recursive = false;          // it may be called from itself
  std::vector<std::string> result_names;
  Index origin = none;
};

struct Experiment {
  std::optional<double> start, stop, tolerance, interval;
};

struct Program {
  std::string model;
  std::string description;
  Experiment experiment;

  std::vector<double> memory;           // what every slot starts with: literals in place, else 0
  std::vector<Instruction> code;
  std::vector<Index> code_origins;      // per instruction: where it comes from, or none
  std::vector<Kernel> kernels;
  std::vector<std::uint32_t> lanes;     // index vectors of kernels
  Origins origins;

  // Sections. Each may rely on those named before it having run.
  Entry parameters = none;   // constants, parameters, start values (as guesses, into the variables' own slots), epsilons
  Entry initial = none;      // the initial system: every variable, pre(v), and parameters with fixed = false
  Entry derivatives = none;  // from time, states, discrete variables: all derivatives, and what they need
  Entry outputs = none;      // after `derivatives`: the other continuous variables
  Entry event = none;        // every equation in order; relations live, when-clauses, reinit
  Entry instants = none;     // after an event: the instants of the time relations, intervals of varying clocks
  Entry crossings = none;    // after `derivatives`: reaches every buffered relation and event function once
  /// The same without `derivatives` before it, of which it does what it needs. none: that would be most of it, or there are delays,
  /// distributions or quiet relations.
  Entry crossings_alone = none;
  /// The coefficients of `state_sets`, without `derivatives` before it, of which it does what they need. none: as for `crossings_alone`, or `outputs`
  /// may lose a value, or have something to iterate to, that is not needed here.
  Entry state_sets_alone = none;
  Entry quiet = none;        // after `derivatives`: reaches every quiet relation that they depend on once
  Entry assertions = none;   // after `outputs`: the checks
  /// The same checks without `derivatives` and `outputs` before them, of which it does what they need: for those that hold. none: as for `state_sets_alone`.
  Entry assertions_alone = none;
  Entry initially = none;    // once, when the initial system is solved: calls for their effect

  Slot first_state = 0, first_derivative = 0;
  std::vector<State> states;
  std::vector<Dependence> jacobian;     // sorted by state, then derivative

  std::vector<Variable> variables;
  std::vector<Pre> pre;
  std::vector<Relation> relations;      // quiet ones last
  std::vector<EventFunction> event_functions;
  std::vector<Sample> samples;
  std::vector<BaseClock> clocks;
  std::vector<Reinit> reinits;
  std::vector<Delay> delays;
  std::vector<SpatialDistribution> spatial_distributions;
  std::vector<Assertion> assertions_table;
  std::vector<Termination> terminations;
  std::vector<When> whens;
  std::vector<Transition> transitions;
  std::vector<Block> blocks;
  std::vector<Mixed> mixed;
  std::vector<StateSet> state_sets;
  std::vector<LateStart> starts;
  std::vector<Bound> bounds;
  std::vector<Bound> parameter_bounds;   // of parameters whose own values are within them
  std::vector<Changeable> changeable;
  std::vector<Text> texts;              // of Opcode::text; their values are in place when it is reached
  std::vector<Function> functions;
  std::vector<External> externals;
  std::vector<CallOnce> calls_once;
  Index arrays = 0;                     // how many arrays of the run's sizes functions have
  std::vector<std::pair<std::string, std::string>> folders;   // of packages, by their names: where `modelica://` leads
  std::vector<std::string> strings;     // each once; number 0 is the empty one

  bool uses_homotopy = false;
  std::vector<Index> assumed_starts;    // E9: variables whose start value was taken as fixed without being asked
};

/// `x`, `der(x)`, `pre(x)` or `previous(x)`.
std::string name_of(const Program& program, const Mention& mention);

}  // namespace mosim::runtime
