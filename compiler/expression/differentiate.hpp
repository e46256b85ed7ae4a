#pragma once
// Symbolic differentiation and its small sibling, the splitting of linear expressions.

#include <functional>
#include <optional>

#include "compiler/flatten/flat.hpp"
#include "compiler/expression/walk.hpp"
#include "parser/diagnostic.hpp"

namespace mosim::compiler {

/// The total derivative with respect to time. Constants, parameters and discrete variables have derivative 0, an
/// if-expression is differentiated branch by branch, a continuous variable v becomes der(v). Expr::none after an
/// error, which is at `place` and says what has no derivative.
Expr differentiate_time(flat::Model& model, Expr e, Place place, parser::Diagnostics& diagnostics);

/// The total derivative by whatever the derivatives of the leaves, which `leaf` says, are by: time again, or an unknown. delay() is refused:
/// what it would delay further back is kept by nobody.
using LeafDerivative = std::function<Expr(Expr)>;
Expr differentiate(flat::Model& model, Expr e, Place place, parser::Diagnostics& diagnostics,
                   const LeafDerivative& leaf);

/// e = coefficient * unknown + offset, where neither holds the unknown.
struct Linear {
  Expr coefficient, offset;
};

/// How an expression depends on some unknowns.
enum class Degree : std::uint8_t { constant, linear, nonlinear };

/// Keeps its working memory from one expression to the next.
class LinearForm {
public:
  explicit LinearForm(Expressions& expressions) : x_(expressions) {}
  /// Splits e by an unknown (a leaf: variable, derivative, pre, time). Nothing if e is not linear in it.
  std::optional<Linear> split(Expr e, Expr unknown);
  /// The degree of e in all unknowns together.
  template <class IsUnknown>
  Degree degree(Expr e, IsUnknown&& is_unknown);

private:
  Degree combine(Expr e);
  Expressions& x_;
  struct Entry {
    bool linear = false;
    Linear form{Expr::none, Expr::none};   // coefficient none: does not hold the unknown
  };
  Scratch<Entry> entries_;
  Scratch<Degree> degrees_;
};

template <class IsUnknown>
Degree LinearForm::degree(Expr e, IsUnknown&& is_unknown) {
  degrees_.clear();
  children_first(
      x_, e, [&](Expr n) { return degrees_.has(n); },
      [&](Expr n) {
        const Degree d = x_.children(n).empty() ? (is_unknown(n) ? Degree::linear : Degree::constant) : combine(n);
        degrees_[n] = d;
      });
  return degrees_[e];
}

}  // namespace mosim::compiler
