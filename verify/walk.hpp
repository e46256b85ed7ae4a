#pragma once
// Expressions of a flat model evaluated by walking over them: another path than the program's.

#include "compiler/expression/walk.hpp"
#include "runtime/simulate.hpp"
#include "verify/functions.hpp"
#include "verify/values.hpp"

namespace mosim::verify {

/// The kind of a point of the run.
using Moment = runtime::Options::Moment;

/// Evaluates expressions at one point. Relations and integer-valued functions that keep their value between events (E1) have
/// the one that the machine holds; the others are taken as written.
class Walk {
public:
  Walk(const compiler::dae::System& system, const Values& values);
  Walk(const Walk&) = delete;

  /// Begins a new point.
  void move_to(const runtime::Machine& machine, Moment moment);
  /// Values of variables that take the place of those in memory, for the statements of an algorithm.
  void assign(VariableId v, Number value);
  void forget_assignments();

  /// NaN where it has no value. What cannot be evaluated here sets `unknown`. Of an if-expression the branch that is taken alone is evaluated.
  Number operator()(Expr e);
  void clear() { unknown = nullptr, close = false; }
  /// How far a quantity with this derivative gets within the rounding of the instant at which a crossing is located.
  double moved(double speed) const;

  const char* unknown = nullptr;   // since last cleared: something cannot be evaluated here, and why
  bool close = false;       // a relation taken as written lies so near to its threshold that rounding decides

private:
  friend class Functions;   // it walks over the expressions of bodies
  void forget();
  Number evaluate(Expr e);
  Number leaf(Expr e);
  Number operation(Expr e);
  bool is_close(Number difference, double size) const;
  Number relation(Expr e);
  Number rounding(Expr e);
  /// der(v) of a v that stands alone on one side of an equation: that of the other side, by dual numbers.
  Number derivative(VariableId v);

  const compiler::dae::System& s_;
  const compiler::Expressions& x_;
  const Values& values_;
  const runtime::Machine* m_ = nullptr;
  Moment moment_ = Moment::between_events;
  compiler::Scratch<Number> plain_, with_derivatives_;   // values found at this point; those whose derivatives were asked for
  compiler::Scratch<Number>* known_ = &plain_;           // in use
  std::unordered_map<std::uint32_t, Number> assigned_;
  Functions bodies_;
  std::unordered_map<std::uint32_t, std::vector<Number>> results_;   // of calls, by expression: where their expression is known
  double widest_band_ = 0;     // of all relations: there either value is right
  std::unordered_map<std::uint32_t, runtime::Index> relations_, functions_;   // by expression of the flat model
  std::unordered_map<std::uint32_t, Expr> defined_by_;                        // variable -> the other side
  std::unordered_map<std::uint32_t, VariableId> other_names_;   // by variable: an alias of it that an equation gives
  std::unordered_map<std::uint32_t, Number> derivatives_;                     // found at this point
  std::vector<VariableId> open_;                                              // being differentiated
};

}  // namespace mosim::verify
