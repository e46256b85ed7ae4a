#pragma once
// Index reduction: constraints between states are differentiated until the highest derivatives can be solved for, and
// as many states as there are constraints become ordinary unknowns.
//
// Which equations are differentiated: C. C. Pantelides, The consistent initialization of differential-algebraic
// systems, SIAM J. Sci. Stat. Comput. 9 (1988) 213-231. Which states stay: S. E. Mattsson and G. Söderlind, Index
// reduction in differential-algebraic equations using dummy derivatives, SIAM J. Sci. Comput. 14 (1993) 677-692.

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "compiler/analyse/analysis.hpp"

namespace mosim::compiler::dae {

/// The continuous equations and unknowns of a system together with their derivatives. Numbers are indices into
/// `unknowns` and `equations`; `none` is no number.
class Tower {
public:
  /// v, der(v), der(der(v)) ... are one unknown each. A variable may stand for another's derivative: v after
  /// der(x) = v, or a helper.
  struct Unknown {
    Quantity leaf;                    // how it is written: a variable, or der() of one that no variable stands for
    std::uint32_t root;               // the number of the unknown that it is a derivative of; itself at order 0
    std::uint32_t order = 0;
    std::uint32_t lower = none, higher = none;
    std::uint32_t equation = none;    // that is matched with it
    bool given = false;               // stands in the model; else it came in by differentiation
    bool dummy = false;               // a derivative that is no state's (Mattsson and Söderlind)
    std::string why;                  // it is one
  };
  struct Row {
    Equation equation;
    std::uint32_t order = 0;          // how often it is differentiated
    std::uint32_t lower = none, higher = none;
    std::uint32_t unknown = none;     // that is matched with it
    std::vector<std::uint32_t> unknowns;   // that it holds
    bool has_signals = false;         // whose derivatives an annotation names: their unknowns are not among these
  };

  Tower(Analysis& a, const Problem& problem, const Matcher& matching);

  std::vector<Unknown> unknowns;
  std::vector<Row> equations;
  std::vector<Equation> others;       // discrete and clocked ones

  bool is_highest(std::uint32_t unknown) const { return unknowns[unknown].higher == none; }
  /// The highest derivative of the same variable.
  std::uint32_t highest(std::uint32_t unknown) const;
  Expr leaf(std::uint32_t unknown) { return a_.leaf(unknowns[unknown].leaf); }
  /// The variable that an unknown is, if it is one: not for an unknown der(v).
  VariableId variable_of(std::uint32_t unknown) const {
    const Quantity q = unknowns[unknown].leaf;
    return part(q) == Part::value ? variable(q) : VariableId::none;
  }
  /// The number of v, or of der(v); none for others.
  std::uint32_t number_of(Quantity q) const { return dae::index(q) < number_.size() ? number_[dae::index(q)] : none; }

  /// Adds the derivative of an unknown that is the highest so far.
  std::uint32_t differentiate_unknown(std::uint32_t unknown);
  /// Adds the derivative of an equation; none after an error. The derivatives of its unknowns must be there.
  std::uint32_t differentiate_equation(std::uint32_t equation);
  /// Makes der(v) a variable of its own, so that it can be differentiated, or be an unknown where v is no state.
  void name_derivative(std::uint32_t unknown);
  /// Writes every unknown in the one way that Unknown::leaf says.
  Expr canonical(Expr e) { return canonical_(e); }
  /// der(v) = w, for w that stands for der(v): the equation of the model, if there was one.
  Equation definition(std::uint32_t unknown);

private:
  bool is_continuous(const Equation& e) const;
  bool may_link(const Equation& e, VariableId& from, VariableId& to) const;
  void link_derivatives();
  void find_steady();
  void add_chain(VariableId v);
  std::uint32_t add_unknown(Quantity leaf, std::uint32_t lower);
  void find_unknowns(Row& row);
  Expr derivative_of(Expr leaf);
  void refuse_outer(Expr leaf);
  void refuse_held(VariableId v);
  void set_number(Quantity q, std::uint32_t number);

  Analysis& a_;
  Expressions& x_;
  std::vector<std::uint32_t> number_;            // by quantity
  std::vector<VariableId> derivative_;           // by variable: the one that stands for its derivative
  std::vector<char> is_derivative_;              // by variable: stands for another's
  std::unordered_map<std::uint32_t, Equation> links_;   // by variable: der(v) = w
  std::vector<char> is_link_;                    // by equation of the problem
  std::vector<char> steady_, gives_steady_;      // algebraic variables that parameters give, and the equations that say so
  Place differentiated_;                         // of the equation that is being differentiated
  Rewriter canonical_;
};

/// Variables that stand for a derivative are put in its place, so that w1 = der(x), w2 = der(x) makes w1 and w2 one.
/// True if anything changed.
bool share_derivatives(Analysis& a);

/// Puts constraints that follow from equations with constant coefficients in a loop in place of one of these. True if
/// there were any. `before`, if it is given and empty: gets the equations as they were.
bool expose_constraints(Analysis& a, const Problem& problem, const Matcher& matching, std::vector<Equation>* before = nullptr);

/// Differentiates what has to be. False: the system is structurally singular, or there was an error (Analysis::failed).
bool differentiate_constraints(Analysis& a, Tower& tower);

/// Of a highest derivative in a differentiated constraint.
struct Coefficient {
  Expr expression = Expr::none;   // none: not linear, as far as is known
  double value = 1;               // with the start values
  double generic = 1;             // of the same structure, but not 0 by chance
  bool constant = false;          // of constants and parameters alone
};

/// How much a variable should be a state (MLS 4.9.7.1).
enum class Wish : std::uint8_t { never, underived, helper, avoid, usual, prefer, promised, always };   // promised: its integral is always a state

/// What the selection of states knows of the constraints.
struct Constraints {
  std::map<std::pair<std::uint32_t, std::uint32_t>, Coefficient> coefficients;   // of an equation and an unknown
  std::map<std::uint32_t, Wish> wishes;   // by derivative: for what it is the derivative of
};

/// Marks the derivatives that are dummies. False after an error.
bool select_dummy_derivatives(Analysis& a, Tower& tower, Constraints& constraints);

/// Where a choice may become singular during the run, it is left to the run: System::state_sets, and equations that
/// say which candidates the states are.
std::vector<Equation> make_state_sets(Analysis& a, Tower& tower, const Constraints& constraints);

}  // namespace mosim::compiler::dae
