#pragma once
// The dae system: what `analyse` makes of a flat model. Equations have an order, relations have numbers, clocks are
// known, and the initial system has as many equations as unknowns.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "compiler/flatten/flat.hpp"
#include "runtime/program.hpp"

namespace mosim::compiler::dae {

inline constexpr std::uint32_t none = 0xffffffffu;

// ---- quantities -------------------------------------------------------------------------------------------------

/// What an equation can be solved for: v, der(v), pre(v) or previous(v).
using runtime::Part;
/// A variable and its part in one number.
enum class Quantity : std::uint32_t { none = 0xffffffffu };
inline Quantity quantity(VariableId v, Part part = Part::value) {
  return static_cast<Quantity>(index(v) * 4 + static_cast<std::uint32_t>(part));
}
inline std::uint32_t index(Quantity q) { return static_cast<std::uint32_t>(q); }
inline VariableId variable(Quantity q) { return static_cast<VariableId>(index(q) / 4); }
inline Part part(Quantity q) { return static_cast<Part>(index(q) % 4); }
/// The quantity that a leaf stands for; Quantity::none for other nodes.
Quantity quantity_of(const Expressions& x, Expr e);

// ---- variables --------------------------------------------------------------------------------------------------

enum class VariableKind : std::uint8_t {
  constant, parameter,  // known before initialisation
  free_parameter,       // an unknown of the initial system: fixed = false, or depending on such a one
  input,                // of the model itself, given by nobody: keeps its start value
  state, algebraic,
  discrete,             // changes at events only
  clocked,              // changes at ticks of its clock only
  flag,                 // written by the runtime: sample, clock ticks, interval(), firstTick()
  alias,                // another's value, perhaps negated
  gone,                 // Clock variables after inference
};

struct VariableFacts {
  VariableKind kind = VariableKind::algebraic;
  VariableId alias_of = VariableId::none;
  bool negated = false;          // alias: minus (Boolean: not) the other
  std::uint32_t number = none;   // of a state, in System::states
  std::uint32_t clock = none;    // clocked: in System::sub_clocks
  bool is_relation = false;      // a helper that holds a relation's value
  bool pinned = false;           // the runtime reads or writes it: it is nobody's alias
  bool has_value = false;        // constants and parameters: value is what it is without overriding
  Expr value = Expr::none;       // a literal
};

// ---- equations --------------------------------------------------------------------------------------------------

enum class Why : std::uint8_t {
  equation, algorithm, when, condition, active, relation, event_function, delay, step, parameter, initial_equation,
  start, pre, reinit,
};

struct Equation {
  Expr left = Expr::none, right = Expr::none;
  Quantity target = Quantity::none;  // an assignment: solved for this and nothing else
  Place place;
  Why why = Why::equation;
  std::uint32_t number = none;       // of the relation, event function, delay or when-branch it computes
  std::uint32_t clock = none;        // in System::sub_clocks
  Expr guard = Expr::none;           // relation, event function: evaluated only if this holds
  Expr source_left = Expr::none, source_right = Expr::none;  // as in the flat model, for messages
};

/// unknown := value
struct Solved {
  Quantity unknown;
  Expr value;
  std::uint32_t equation;
};
struct Residual {
  Expr left, right;
  std::uint32_t equation;
};

/// What is found at one place of the order: mostly one quantity, by an explicit equation, and else the unknowns of equations that are solved
/// together. There is one of these for each equation of a model.
class Block {
public:
  Block() = default;
  explicit Block(Solved alone, std::uint32_t clock_ = none) : clock(clock_), alone_(alone) {}
  Block(const Block& other) : clock(other.clock), alone_(other.alone_) {
    if (other.together_) together_ = std::make_unique<Together>(*other.together_);
  }
  Block(Block&&) = default;
  Block& operator=(Block other) noexcept {
    clock = other.clock;
    alone_ = other.alone_;
    together_ = std::move(other.together_);
    return *this;
  }

  /// Iteration variables (torn).
  std::span<const Quantity> unknowns() const { return together_ ? std::span<const Quantity>(together_->unknowns) : std::span<const Quantity>(); }
  /// Given the unknowns, in this order.
  std::span<const Solved> assignments() const { return together_ ? std::span<const Solved>(together_->assignments) : std::span(&alone_, 1); }
  /// As many as unknowns.
  std::span<const Residual> residuals() const { return together_ ? std::span<const Residual>(together_->residuals) : std::span<const Residual>(); }
  /// At initialisation: start values of unknowns that are found there, or follow from those of others.
  std::span<const Solved> guesses() const { return together_ ? std::span<const Solved>(together_->guesses) : std::span<const Solved>(); }
  bool linear() const { return together_ && together_->linear; }

  struct Together {
    std::vector<Quantity> unknowns;
    std::vector<Solved> assignments;
    std::vector<Residual> residuals;
    std::vector<Solved> guesses;
    bool linear = false;
  };
  /// Equations that are solved together. They are not those of a block of one.
  Together& together() {
    if (!together_) together_ = std::make_unique<Together>();
    return *together_;
  }

  std::uint32_t clock = none;

private:
  Solved alone_{Quantity::none, Expr::none, none};
  std::unique_ptr<Together> together_;
};

/// A mixed system (E15): the relations among blocks [first, last) and the equations that depend on them must agree.
struct Iteration {
  std::uint32_t first, last;
  struct Frozen {
    VariableId relation;   // computed within
    VariableId held;       // the value tried, which the blocks use in its place
  };
  std::vector<Frozen> frozen;
};

/// Blocks in an order in which each needs only those before it.
struct Schedule {
  std::vector<Equation> equations;       // those that Solved::equation and Residual::equation count
  std::vector<Block> blocks;
  std::vector<Iteration> iterations;
};

// ---- events -----------------------------------------------------------------------------------------------------

/// An event-generating relation between Reals (E1), numbered in order of appearance (E2).
struct Relation {
  VariableId variable;               // the Boolean that holds its value
  Expr relation;                     // less ... greater_equal
  bool time_event = false;           // E3
  bool rising = true;
  Expr instant = Expr::none;         // of a time event
  Expr epsilon = Expr::none;         // E4, of parameters alone
  Expr source = Expr::none;          // as in the flat model
  Place place;
};
/// floor, ceil or integer of a continuous argument.
struct EventFunction {
  enum class Rounding : std::uint8_t { floor, ceil, truncate };
  VariableId variable;
  Rounding rounding;
  Expr argument;
  Expr epsilon = Expr::none;
  Expr source = Expr::none;
  Place place;
};
struct Sample {
  VariableId variable;               // true in the first round of an event at which it ticks
  Expr start, interval;
  Place place;
};
struct Delay {
  VariableId input;                  // what is delayed
  Expr maximum;
  Expr lag = Expr::none;             // if it is fixed and what jumps makes an event when it comes out
  bool discrete = false;             // the input changes at events alone
  Expr source = Expr::none;          // as written
  Place place;
  VariableId varying = VariableId::none;   // the lag, if it varies and what jumps makes an event when it is met
};
/// spatialDistribution: both its outputs have the same record of the past.
struct SpatialDistribution {
  VariableId in0, in1, x, positive;
  std::vector<Expr> points, values;  // initially
  Place place;
  bool events = false;               // what jumps makes an event where it leaves
};

struct Condition {
  VariableId variable;               // Boolean
  bool pulse = false;                // a sample: true in one round only, no edge to look for
  bool initial = false;              // initial() itself
  Expr source;
  Place place;
};
struct Branch {                      // `when` or `elsewhen`
  VariableId active;                 // true in the round in which its body holds
  VariableId taken = VariableId::none;   // true if this or one before it in its clause is active; only if asked for
  bool active_initially = false;
  bool taken_initially = false;      // this or one before it
  std::vector<Condition> conditions;
  Place place;
};
struct WhenEffect {
  std::uint32_t branch;              // in System::branches; none: always
  Expr guard = Expr::none;           // of an if around it
  std::variant<flat::Reinit, flat::Assertion, flat::Termination> node;
};

// ---- clocks (MLS 16) --------------------------------------------------------------------------------------------

struct BaseClock {
  enum class Kind : std::uint8_t { rational, real, event };
  Kind kind = Kind::rational;
  Expr counter = Expr::none;         // rational: interval is counter / resolution
  std::int64_t resolution = 1;
  Expr interval = Expr::none;        // real
  bool varying = false;
  VariableId condition = VariableId::none;   // event
  Expr start_interval = Expr::none;
  std::uint64_t subdivision = 1;
  Place place;
};
struct SubClock {
  std::uint32_t base = none;
  VariableId tick = VariableId::none;
  VariableId interval = VariableId::none, first = VariableId::none;  // only if asked for
  std::uint64_t factor = 1, shift = 0;
  std::string solver_method;
  Place place;
};
/// Taken at the beginning of a tick, from the left limits.
struct Sampled {
  VariableId variable;
  Expr value;
  std::uint32_t clock;
};

// ---- the system -------------------------------------------------------------------------------------------------

struct AssumedStart {
  VariableId variable;
};

/// What index reduction did: nothing where the index was 1.
struct Reduction {
  struct Differentiated {
    Expr left, right;              // as it has become
    std::uint32_t order;           // how often the equation was differentiated
    Place place;                   // of the equation
    std::uint32_t clock = none;    // of a discretised partition
  };
  std::vector<Differentiated> differentiated;
  struct Demoted {
    VariableId variable;
    std::string why;
  };
  std::vector<Demoted> demoted;       // stand under der(), but are no states
  std::vector<VariableId> promoted;   // the other way round
};

/// States that are chosen during the run, because the pivots of the constraints between them change: state i of each
/// level is the candidate whose select(i, candidate) is 1. The first candidates are never states.
struct StateSet {
  struct Level {
    std::vector<VariableId> states;       // helpers
    std::vector<VariableId> candidates;   // that may be states
  };
  std::vector<Level> levels;              // values, velocities, ...: chosen alike
  std::uint32_t constraints = 0, never = 0;
  /// d constraint / d highest derivative, row by row; first those of what is never a state. none: 0.
  std::vector<VariableId> coefficients;
  std::vector<double> nominal;            // of the columns
  std::vector<VariableId> select;         // state by state: one for each candidate
  std::vector<std::uint32_t> chosen;      // at first: by state, the candidate. Without levels: columns that are states
  Place place;                            // of a constraint
};

struct System {
  flat::Model model;                 // with helper variables after the user's
  std::uint32_t user_variables = 0;  // how many are the user's
  std::vector<VariableFacts> facts;  // of every variable

  std::vector<VariableId> parameters;  // constants and parameters in dependency order
  std::vector<VariableId> states;

  Schedule event;                    // everything
  std::optional<Schedule> between_events;   // only where not all of it varies between events
  /// Derivatives and algebraic variables that vary between events.
  const Schedule& continuous() const { return between_events ? *between_events : event; }
  std::vector<bool> for_derivatives; // of continuous().blocks
  Schedule initial;
  bool initial_goes_on = false;      // the initial system is `initial`, and behind that `event`

  std::vector<Relation> relations;
  std::vector<EventFunction> event_functions;
  std::vector<Sample> samples;
  std::vector<Delay> delays;
  std::vector<SpatialDistribution> spatial_distributions;
  std::vector<Branch> branches;
  std::vector<WhenEffect> effects;
  std::vector<flat::Assertion> assertions;           // between events
  std::vector<flat::Assertion> initial_assertions;
  std::vector<VariableId> checked_starts;   // whose start values one of these looks at: constraints give them already
  std::vector<flat::Termination> terminations;

  std::vector<BaseClock> base_clocks;
  std::vector<SubClock> sub_clocks;
  std::vector<Sampled> sampled;
  std::vector<VariableId> previous;  // clocked variables whose previous() is used

  std::vector<VariableId> pre;             // variables whose pre() is used in the event section
  std::vector<VariableId> pre_of_helpers;  // those that hold conditions and frozen relations: pre := value at first
  std::vector<AssumedStart> assumed_starts;
  bool uses_homotopy = false;
  Reduction reduction;
  std::vector<StateSet> state_sets;

  bool active_initially(const WhenEffect& effect) const {
    return effect.branch == none || branches[effect.branch].active_initially;
  }
  const VariableFacts& fact(VariableId v) const { return facts[compiler::index(v)]; }
  /// Gives back what says in which order the equations are solved. The equations as written stay, and under which guards relations are evaluated.
  void forget_order() {
    std::vector<Block>().swap(event.blocks);
    std::erase_if(event.equations, [](const Equation& e) { return e.why != Why::relation; });
    event.equations.shrink_to_fit();
    between_events.reset();
    initial = {};
    std::vector<bool>().swap(for_derivatives);
  }
};

}  // namespace mosim::compiler::dae
