#pragma once
// The flat model: typed scalar variables, equations, when-clauses and algorithms, with no classes left (MLS 5.6).
// It prints as Modelica text that is itself a valid model.

#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <variant>
#include <vector>

#include "compiler/expression/expression.hpp"
#include "foreign/function.hpp"
#include "runtime/label.hpp"

namespace mosim::compiler::flat {

using runtime::Label;

enum class Variability : std::uint8_t { constant, parameter, discrete, continuous };
enum class Causality : std::uint8_t { none, input, output };
enum class StateSelect : std::uint8_t { never, avoid, default_, prefer, always };

struct Enumeration {
  std::string name;                    // qualified
  std::vector<std::string> literals;   // ordinal 1 is literals[0]
};

/// A class of external objects (MLS 12.9.7).
struct ObjectClass {
  std::string name;                    // qualified
  std::string destructor;              // its external function, for the flat model's text; what an object holds ends with the object
};

/// A connector of a component, for messages.
struct Connector {
  std::string name;
  Place declared;
  Place used;                          // where the component is declared: of several within each other, the outermost
  bool connected = false;              // stands in a connect-equation outside of its component
  bool has_flows = false;
  /// Of a component of the model itself, not of one inside of another.
  bool of_outermost() const { return name.find('.') == name.rfind('.'); }
};
inline constexpr std::uint32_t no_connector = 0xffffffffu;

/// A component of a class that is not balanced (MLS 4.8), for messages.
struct Unbalanced {
  std::string component;               // "": the model itself
  std::string type;                    // its class
  Place declared, of_class;
  std::int64_t unknowns = 0;           // its own variables, and what its components leave open to it
  std::int64_t from_outside = 0;       // so many equations are made by whoever uses it
  std::int64_t equations = 0;          // its own
  bool always = true;                  // no component of this class is balanced: not what this one was given
};

/// A connector class with more potentials than flows, or fewer (MLS 9.3.1), for messages.
struct UnevenConnector {
  std::string type;
  Place place;                         // of the class
  std::size_t potentials = 0, flows = 0;
  struct Candidate {
    std::string name;
    Place place;
  };
  std::vector<Candidate> candidates;   // that may lack `flow`: as many as would make it even, or none
};

struct Variable {
  std::string name;                    // dotted, subscripts included: a.b[2].c
  Label description;
  Place place;                         // of its declaration
  BaseType type = BaseType::real;
  EnumerationId enumeration = EnumerationId::none;
  ObjectClassId object = ObjectClassId::none;
  /// As it is: a Real assigned in a when-clause is discrete, declared so or not; Boolean, Integer, String and
  /// enumeration variables are discrete unless constant or parameter, or following in a library's record.
  Variability variability = Variability::continuous;
  Causality causality = Causality::none;   // of the model's own connectors and variables only
  bool is_protected = false, is_final = false;
  bool of_library = false;             // declared in a library, which gives its value, too
  bool hidden = false;                 // annotated HideResult: not among the results unless asked for
  /// The declaration's value, for constants and parameters alone; the others' are among the equations. May be none:
  /// then start is used, with a warning.
  Expr binding = Expr::none;
  // Attributes, each none if not given. fixed defaults to true for parameters and constants, else false.
  Expr start = Expr::none, fixed = Expr::none, min = Expr::none, max = Expr::none, nominal = Expr::none;
  Place start_set;                     // where the start value was set from outside; nowhere: it was not
  bool start_declared = false;         // of such a one: it has a start value of its own
  Label unit, display_unit, quantity;
  StateSelect state_select = StateSelect::default_;
  /// Of one that the compiler made: what messages call it, the expression it stands for or a text. Its own name is for
  /// --emit alone.
  Expr meaning = Expr::none;
  Label meaning_text;
  std::uint32_t connector = no_connector;  // in Model::connectors: the connector of a component that it belongs to
  bool flow = false;
  bool given_inside = false;               // an output of that connector: the component determines it
};

/// left = right; Real, Integer, Boolean, String, enumeration or Clock.
struct Equation {
  Expr left, right;
  Place place;
  Label description;
  /// The declaration whose binding this is, or none.
  VariableId binding_of = VariableId::none;
  bool of_flows = false;               // a connection set's: its flows add up to zero
};

/// Or a call for its effect: its condition is Expressions::returned() then, perhaps with the condition under which it is called.
struct Assertion {
  Expr condition;
  Expr message;             // String
  bool warning = false;
  Place place;
  bool ours = false;        // not the model's: what the run must find out for the compiler; the message says all
};
struct Termination {
  Expr message;
  Place place;
  Expr condition = Expr::none;   // of an if-equation around it, while it is collected; in a model it is a when-clause's action
};

// ---- when-equations ---------------------------------------------------------------------------------------------

struct WhenAssignment {     // v = value: an assignment (MLS 8.3.5.2)
  VariableId target;
  Expr value;
  Place place;
};
struct Reinit {
  VariableId state;
  Expr value;
  Place place;
};
struct ClockedEquation {    // any equation, in a clocked when-equation (MLS 16.6)
  Expr left, right;
  Place place;
};
struct WhenAction {
  Expr guard = Expr::none;  // from an if-equation around it (for reinit, assert, terminate); none: always
  std::variant<WhenAssignment, Reinit, Assertion, Termination, ClockedEquation> node;
};
struct WhenBranch {
  std::vector<Expr> conditions;   // one, or the elements of the vector; may be empty: never fires
  std::vector<WhenAction> body;
  Place place;                    // of `when` or `elsewhen` with its condition
  bool clocked = false;           // the condition is a Clock
};
struct When {
  std::vector<WhenBranch> branches;
  Place place;
};

// ---- algorithms -------------------------------------------------------------------------------------------------

struct Statement;
using Statements = std::vector<Statement>;

struct Assignment {
  VariableId target;
  Expr value;
  bool of_array = false;         // v := v: another element of its array is assigned, which initialises all of it
};
struct IfStatement {
  struct Branch {
    Expr condition;              // none: else
    Statements body;
  };
  std::vector<Branch> branches;
};
/// The rounds of a for loop one after the other. A break leaves all of it.
struct UnrolledLoop {
  std::vector<Statements> iterations;
};
struct WhileStatement {
  Expr condition;                // relations within are literal
  Statements body;
};
struct WhenStatement {
  struct Branch {
    std::vector<Expr> conditions;
    Statements body;
    Place place;
  };
  std::vector<Branch> branches;
};
/// In functions: values, all found before any is assigned.
struct LocalAssignment {
  struct One {
    LocalId target;
    Expr value;
  };
  std::vector<One> all;
};
/// In functions: element number `at` of `count` locals, the first of them `first`.
struct ElementAssignment {
  LocalId first;
  std::int64_t count;
  Expr at, value;
};
/// In functions: an array of the run's size gets one, Integers, and elements without a value.
struct ArrayCreation {
  LocalId array;
  std::vector<Expr> extents;
};
/// In functions: its element at these subscripts.
struct ItemAssignment {
  LocalId array;
  std::vector<Expr> at;
  Expr value;
};
/// In functions: the size and the elements of another one, which is not used afterwards if it is `spent`.
struct ArrayAssignment {
  LocalId to, from;
  bool spent = false;
};
/// In functions: first, first + 1, ... up to `last`, both Integers that are found before the loop begins.
struct Loop {
  LocalId iterator;
  Expr first, last;
  Statements body;
};
/// In functions, alone: the call of a function that is not Modelica (MLS 12.9).
struct ExternalCall {
  struct Operand {
    BaseType type = BaseType::real;
    bool result = false;               // it is written
    std::vector<Expr> values;          // what is handed over, in the order that the language wants
    std::vector<LocalId> targets;      // of one that is written: instead; numbers that they hold are handed over as well
    LocalId array = LocalId::none;     // an array of the run's size: instead of both
  };
  std::string function;
  std::string language;
  std::vector<Operand> operands;       // in the order of the call; the first is what it returns, if it returns something
  bool returns = false;
  std::string text;                    // as it is written
  std::optional<foreign::Function> foreign;      // a C function of the model's own; its parameters have the operands as their scalars
  std::optional<foreign::Function> destructor;   // of the object that it makes
};
struct BreakStatement {};
struct ReturnStatement {};

struct Statement {
  Place place;
  std::variant<Assignment, IfStatement, UnrolledLoop, WhileStatement, WhenStatement, BreakStatement, ReturnStatement,
               Assertion, Termination, LocalAssignment, ElementAssignment, ArrayCreation, ItemAssignment, ArrayAssignment, Loop,
               ExternalCall>
      node;
};
struct Algorithm {
  Statements statements;
  Place place;
};

// ---- functions --------------------------------------------------------------------------------------------------

/// A scalar of a function's frame, or an element of an array there: these follow each other, row by row. Or an array whose size the run
/// alone knows, as a whole.
struct Local {
  std::string name;                    // a, a[2,1], r.x[3]
  BaseType type = BaseType::real;
  EnumerationId enumeration = EnumerationId::none;
  FunctionId owner = FunctionId::none;
  Expr value = Expr::none;             // a literal: of a constant, which has no owner; else before any is assigned (none: none)
  ObjectClassId object = ObjectClassId::none;
  int rank = 0;                        // the number of dimensions of an array of the run's size
};
/// A function that gives the derivatives of another one's Real outputs, named by an annotation (MLS 12.7.1): its arguments are those of the other
/// one, then the derivatives that it wants.
struct DerivativeRule {
  enum class Handed : std::uint8_t {
    derivative,   // its derivative is handed over
    nothing,      // its derivative is not needed, or, of a higher order, an argument already
    zero,         // its derivative must be 0
  };
  FunctionId function = FunctionId::none;
  int order = 1;                       // above 1: for calls that come from differentiation alone
  std::vector<Handed> inputs;          // of the other one
};
/// What an annotation gives for one of a function's inputs, made of the others and of its only output (MLS 12.8).
struct Inverse {
  LocalId input;
  Expr value;
  bool of_library = false;   // what is wrong in it is a warning
};
/// A function for arguments of certain sizes (MLS 12): its inputs and outputs taken apart into scalars.
struct Function {
  std::string name;                    // qualified
  Place place;                         // of its declaration
  std::vector<LocalId> inputs, outputs;
  Statements body;                     // BreakStatement leaves the innermost Loop or WhileStatement
  bool complete = false;               // false while its body is being made
  bool impure = false;                 // each of its calls counts: declared so, or it calls what acts (MLS 12.3)
  bool declared_impure = false;
  std::vector<DerivativeRule> derivatives;    // the first that fits counts
  std::vector<Inverse> inverses;
  FunctionId derivative = FunctionId::none;   // derivative_function(), once asked for
};

// ---- the model --------------------------------------------------------------------------------------------------

/// pre(v) or change(v) of a Real outside of when-clauses and initial sections: right only if v turns out to be a
/// discrete-time variable (MLS 3.7.5).
struct LeftLimit {
  VariableId variable;
  bool of_change = false;
  Place place;
};

/// A transition of a state machine (MLS 17), for the record: it fires where `fired` has its number.
struct Transition {
  VariableId fired;
  std::int64_t number;
  std::string from, to;                // names of states
  Expr condition;                      // as it is in the flat model
  bool immediate = true;
  Place place;
};
/// timeInState() of a machine, by the ticks that it counts: where the clock is regular it is so many intervals, without the rounding of
/// a difference of two instants.
struct StateSeconds {
  VariableId variable;
  Expr ticks;                          // 1 at the tick at which the state is entered
};
/// A Real x of a state whose der(x) is used: x keeps its value while the state is not active, and begins anew where it is reset (MLS 17.3.3).
struct HeldState {
  VariableId variable;
  VariableId active, reset;            // Booleans
};

struct Experiment {
  std::optional<double> start, stop, tolerance, interval;
};

/// What the compiler has made use of beyond the text: for other values the program may be another one.
struct Reliance {
  std::unordered_set<VariableId> values;   // of parameters; of other variables their start values
  std::unordered_set<VariableId> steady;   // inputs whose derivatives are 0
  std::unordered_set<Expr> sizes;          // of these expressions of parameters the sign and the order of magnitude
};

struct Model {
  std::string name;
  std::string description;
  Place place;
  Experiment experiment;
  Expressions expressions;
  std::vector<Enumeration> enumerations;
  std::vector<ObjectClass> object_classes;
  std::vector<Variable> variables;
  std::vector<Connector> connectors;
  std::vector<Unbalanced> unbalanced;
  std::vector<UnevenConnector> uneven_connectors;   // of the user's own files
  std::vector<Local> locals;
  std::vector<Function> functions;
  std::vector<Equation> equations;
  std::vector<Equation> initial_equations;
  std::vector<When> whens;
  std::vector<Algorithm> algorithms;
  std::vector<Algorithm> initial_algorithms;
  std::vector<Assertion> assertions;
  std::vector<Assertion> initial_assertions;
  std::vector<Termination> terminations;   // terminate() outside when: as soon as the model is initialised
  std::vector<LeftLimit> left_limits;
  std::vector<Transition> transitions;
  std::vector<HeldState> held_states;
  std::vector<StateSeconds> state_seconds;
  /// Where a text of constants was not put together, as it would become too long; nowhere: nothing was.
  Place overlong;
  Reliance reliance;
  std::vector<std::pair<std::string, std::string>> folders;   // of packages, by their names (MLS 13.5)
  std::size_t text_made = 0;               // characters put together so far

  const Variable& variable(VariableId v) const { return variables[index(v)]; }
};

}  // namespace mosim::compiler::flat

namespace mosim::compiler {

/// An expression as Modelica text for messages, with the fewest parentheses that keep its meaning; cut off where it gets long.
std::string print(const flat::Model& model, Expr e);

/// The model as Modelica text (`mosim --emit flat`).
/// Throws TextTooLong (compiler/expression/print.hpp).
std::string print(const flat::Model& model);

}  // namespace mosim::compiler
