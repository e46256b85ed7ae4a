#pragma once
// What the passes of stage "analyse" share. Each pass has a file of its own and is one function here, in the order in
// which they run.

#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "compiler/analyse/analyse.hpp"
#include "compiler/expression/evaluate.hpp"
#include "compiler/analyse/matching.hpp"
#include "compiler/expression/walk.hpp"

namespace mosim::compiler::dae {

struct Analysis {
  Analysis(flat::Model model, const parser::Sources& sources, parser::Diagnostics& diagnostics);

  System system;
  const parser::Sources& sources;
  parser::Diagnostics& diagnostics;
  bool failed = false;

  std::vector<Equation> equations;          // that hold at all times
  std::vector<Equation> initial_equations;  // that hold at initialisation only
  std::unordered_map<std::uint32_t, Place> assigned_by;  // variable -> when-clause or algorithm that assigns it
  std::unordered_set<std::uint32_t> assigned_with_array;  // of these: by an algorithm that assigns another element
  std::unordered_map<std::uint32_t, VariableId> conditions;  // expression -> variable that holds it for a when-clause
  Walker walker{system.model.expressions};  // for one walk at a time; its memory is as large as the model
  std::vector<std::uint32_t> unknown_numbers;   // by quantity: of without_own_unknowns(), none between its calls
  std::unordered_map<std::uint32_t, VariableId> called_before;  // results of calls -> variable that holds them for systems of equations
  std::unordered_map<std::uint32_t, VariableId> shared_sums;   // expression -> variable that holds it for the equations it stands in
  std::unordered_set<std::uint32_t> sums;                      // these variables
  std::size_t step_count = 0;               // assignments in algorithms
  /// Clocks of equations, when-clauses and algorithms of the flat model, once `infer_clocks` has run; none: unclocked.
  std::vector<std::uint32_t> equation_clocks, when_clocks, algorithm_clocks;

  /// All of the above at one moment.
  struct Checkpoint;
  std::shared_ptr<const Checkpoint> checkpoint() const;
  void restore(const Checkpoint& checkpoint);
  std::shared_ptr<const Checkpoint> before_vanishing;   // nothing has vanished: none
  std::shared_ptr<const Checkpoint> before_velocities;  // add_wanted_derivatives: without those that are merely preferred
  std::uint32_t partition = none;           // the clock that these equations shall be discretised for: what comes from elsewhere has no derivative
  std::unordered_map<std::uint32_t, VariableId> dummies;   // variable that index reduction made no state -> its derivative

  flat::Model& model() { return system.model; }
  Expressions& x() { return system.model.expressions; }
  flat::Variable& variable(VariableId v) { return system.model.variables[compiler::index(v)]; }
  VariableFacts& fact(VariableId v) { return system.facts[compiler::index(v)]; }
  /// What messages call a variable, without the quotes of name().
  std::string said(VariableId v) const;
  std::string name(VariableId v) const { return "`" + said(v) + "`"; }
  std::string name(Quantity q);
  std::string text(const Equation& e);

  /// `meaning`: the expression that it stands for in messages.
  VariableId helper(std::string name, BaseType type, VariableKind kind, Place place, Expr meaning = Expr::none);
  /// The same, with a text.
  VariableId helper(std::string name, BaseType type, VariableKind kind, Place place, std::string meaning);
  Expr value(VariableId v) { return x().variable(v, variable(v).type); }
  Expr pre(VariableId v) { return x().of_variable(Op::pre, v, variable(v).type); }
  Expr leaf(Quantity q);
  Expr logical(Op op, Expr a, Expr b) { return x().simplified(op, BaseType::boolean, {a, b}); }
  Expr negation(Expr a) { return x().simplified(Op::not_, BaseType::boolean, {a}); }
  Expr choice(Expr condition, Expr a, Expr b) { return x().simplified(Op::if_, x().type(a), {condition, a, b}); }
  /// An input that may follow a function of time; the others change at events alone.
  bool is_signal(VariableId v) {
    return fact(v).kind == VariableKind::input && fact(v).clock == none && variable(v).type == BaseType::real && variable(v).variability == flat::Variability::continuous;
  }
  /// 0, false, "" or the first enumeration value.
  Expr zero(BaseType type, EnumerationId enumeration = EnumerationId::none);
  /// The start value, or the fallback value of the type (MLS 4.9).
  Expr start(VariableId v);
  /// The program depends on it otherwise than by where the variable starts.
  void rely_on_start(VariableId v) { model().reliance.values.insert(v); }
  bool is_fixed(VariableId v);
  /// The value of an expression of constants and parameters, if it is known now.
  Expr literal(Expr e, Reliance reliance = Reliance::value);
  std::optional<double> number(Expr e, Reliance reliance = Reliance::value);
  double nominal(VariableId v);

  void error(Place place, std::string cause, std::string remedy = {}, std::vector<parser::Note> notes = {});
  void warning(Place place, std::string cause, std::string remedy = {}, std::vector<parser::Note> notes = {});

private:
  bool is_new(Place place, const std::string& cause);
  std::unordered_set<std::size_t> said_;
  std::unordered_map<std::size_t, int> said_at_;
};

struct Analysis::Checkpoint {
  System system;
  std::size_t diagnostics;
  std::vector<Equation> equations, initial_equations;
  std::unordered_map<std::uint32_t, Place> assigned_by;
  std::unordered_set<std::uint32_t> assigned_with_array;
  std::unordered_map<std::uint32_t, VariableId> conditions;
  std::size_t step_count;
  std::vector<std::uint32_t> equation_clocks, when_clocks, algorithm_clocks;
  std::unordered_set<std::size_t> said;
  std::unordered_map<std::size_t, int> said_at;
};

/// Applies `rewrite` to every expression of the system that is used at run time.
void rewrite_all(Analysis& a, const std::function<Expr(Expr)>& rewrite);

// ---- the passes -------------------------------------------------------------------------------------------------

/// Constants and parameters in dependency order, with values where they are known; checks min and max.
void order_parameters(Analysis& a);
/// Clock partitions, base clocks and sub-clocks; conversion operators become variables (MLS 16).
void infer_clocks(Analysis& a);
/// Outside of when-clauses pre and change are for variables that change at events alone (MLS 3.7.5).
void check_left_limits(Analysis& a);
/// Collects the equations of the model; what generates events gets variables of its own (E1-E3).
void collect_equations(Analysis& a);
/// A sum of many unknowns that stands in many equations gets a variable of its own.
void share_sums(Analysis& a);
/// Says it if an equation repeats or contradicts others, whatever the values of variables and parameters.
void check_dependent_equations(Analysis& a);
/// Products with a factor that is 0 for the parameter values of this run, and branches that these values do not take, go.
void drop_vanishing_terms(Analysis& a);
/// Variables that are others under another name go.
void remove_aliases(Analysis& a);
/// semiLinear where its first argument is zero (MLS 3.7.4.5); after it there is none.
void resolve_semi_linear(Analysis& a);
/// Variables that shall be states get derivatives where the model has none.
void add_wanted_derivatives(Analysis& a);
/// Which variables are states. der(v) of a v that is given by an equation is replaced by that one's derivative.
void select_states(Analysis& a);
/// Tells time events from state events and gives every relation its epsilon.
void classify_relations(Analysis& a);
/// Relations that cannot be evaluated at all times (sqrt(x) > 1 behind x > 0) are evaluated where they are asked for.
void guard_relations(Analysis& a);
/// Sorts the equations that hold at all times, or explains why they cannot be.
void sort_equations(Analysis& a);
/// Completes and sorts the initial system (E9).
void sort_initial_system(Analysis& a);

// ---- parts of them ----------------------------------------------------------------------------------------------

/// Gives relations, event functions, samples and delays variables of their own.
class Normaliser {
public:
  explicit Normaliser(Analysis& a);
  /// Of an equation that holds at all times.
  Expr operator()(Expr e) { return live_(e); }
  /// Where nothing generates events: initial equations, messages.
  Expr quiet(Expr e) { return quiet_(e); }
  /// In a clocked partition.
  Expr clocked(Expr e);
  /// Whether an expression changes between events.
  bool varies(Expr e);

private:
  Expr relation(Expr e, Expr source);
  Expr event_function(Expr e, Expr source);
  Expr rounded(EventFunction::Rounding rounding, Expr argument, BaseType type, Expr source);
  Expr sample(Expr e);
  /// A variable for what an operator looks back on.
  VariableId remembered(Expr e, Place place);
  Expr delay(Expr e);
  Expr spatial_distribution(Expr e);
  Expr common(Expr e);
  Analysis& a_;
  Walker walker_;
  std::unordered_map<std::uint32_t, VariableId> known_;   // of nodes that have a variable already
  std::unordered_map<std::uint32_t, std::size_t> known_spatial_distributions_;
  std::unordered_map<std::uint32_t, VariableId> varying_;   // the lag of a delay, by its input
  std::size_t remembered_ = 0;
  Rewriter live_, quiet_;
};

void collect_whens(Analysis& a, Normaliser& normalise);
void collect_algorithms(Analysis& a, Normaliser& normalise);
/// The conditions of a when-clause's branch and the variable that says whether it is active. `earlier`: the branches
/// before it in the same clause.
std::uint32_t make_branch(Analysis& a, std::span<const Expr> conditions, std::span<const Expr> sources, Place place,
                          std::span<const std::uint32_t> earlier, Expr guard);

/// Equations and the unknowns they may determine.
struct Problem {
  std::vector<Equation> equations;
  std::vector<Quantity> unknowns;
  std::vector<std::uint32_t> number;   // by quantity: in unknowns, or unmatched
  Incidence incidence;

  void add_unknown(Quantity q);
  std::uint32_t number_of(Quantity q) const {
    return index(q) < number.size() ? number[index(q)] : unmatched;
  }
};
/// Fills problem.incidence from its equations.
void find_incidence(Analysis& a, Problem& problem);
/// The equations and unknowns as they stand now.
Problem make_problem(Analysis& a);
/// An algorithm is a vector-equation (MLS 11.1): where its inputs are known by what its outputs are, it is solved for those. Its equations lose
/// the outputs as their targets, as far as these are continuous. `initial`: so do when-clauses that hold at initialisation, which may give pre(v)
/// for a v that is known (MLS 8.6). False: there are none.
bool release_algorithms(Analysis& a, std::vector<Equation>& equations, bool initial);
/// Gives every equation an unknown, as far as possible. True if none is left over on either side.
bool match(Analysis& a, const Problem& problem, Matcher& matching);

enum class Phase { event, continuous, initial };
/// Orders matched equations into blocks. `members`: the equations to order. `last`: the problem's equations go into the schedule, and are not
/// there any more.
Schedule make_schedule(Analysis& a, Problem& problem, const Matcher& matching,
                       const std::vector<std::uint32_t>& members, Phase phase, bool last = false);

/// check_dependent_equations for equations that must be solved together, or one alone: everything but these unknowns is known to them.
void check_dependent_block(Analysis& a, const std::vector<Equation>& equations, std::span<const std::uint32_t> members,
                           const std::vector<Quantity>& unknowns);

/// Start values that depend on what the initial system finds are given to the blocks that begin with them, and these come
/// after what they need.
void place_start_values(Analysis& a, const Problem& problem, Schedule& schedule);

/// Makes a system of index 1 of one with a higher index. True if the equations have changed and must be matched anew;
/// false if no differentiation helps, or after an error.
bool reduce_index(Analysis& a, const Problem& problem, const Matcher& matching);

/// What is asked to be a state, by reinit or stateSelect, must be one.
void check_states(Analysis& a);
void check_state_select(Analysis& a, VariableId v);

/// Shared sums that no equation holds any more go: sum(der(x)) would make states of what has lost its derivatives.
void drop_unused_sums(Analysis& a);
/// The equation of a shared sum: nobody wrote it.
bool is_of_sum(const Analysis& a, const Equation& e);
/// What competes, without shared sums: each of them brings one equation.
Matcher::Competition without_sums(const Analysis& a, const Problem& problem, Matcher::Competition competition);

/// Equations and unknowns do not match: says which and why.
void explain_structure(Analysis& a, const Problem& problem, const Matcher& matching);

}  // namespace mosim::compiler::dae
