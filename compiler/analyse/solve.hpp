#pragma once
// Solving one equation for one unknown, symbolically.

#include <optional>

#include "compiler/analyse/analysis.hpp"
#include "compiler/expression/differentiate.hpp"

namespace mosim::compiler::dae {

class Solver {
public:
  explicit Solver(Analysis& a) : a_(a), walker_(a.x()), linear_(a.x()) {}

  /// left = right solved for an unknown; nothing if that takes an iteration: the equation is not linear in it, or
  /// what it would be divided by might vanish during the run. A parameter is taken to differ from 0.
  std::optional<Expr> solve(const Equation& e, Quantity unknown);
  /// The same, but by an inverse that an annotation gives (MLS 12.8); the text is believed no further than its result: `check` says whether
  /// the equation holds with it, and is to be looked at in the run.
  std::optional<Expr> solve_by_inverse(const Equation& e, Quantity unknown, flat::Assertion& check);
  /// The degree of both sides in these unknowns (keys) together.
  Degree degree(Expr left, Expr right, const std::unordered_map<std::uint32_t, std::uint32_t>& unknowns);
  bool contains(Expr e, Expr leaf);

private:
  bool never_zero(Expr e);
  struct Inverted {
    Expr value;
    FunctionId function;
    bool of_library;
  };
  /// `call` = other, solved for the leaf.
  std::optional<Inverted> by_inverse(Expr call, Expr other, Expr leaf);
  Analysis& a_;
  Walker walker_;
  LinearForm linear_;
};

}  // namespace mosim::compiler::dae
