#pragma once
// Values of expressions that are known before a run.

#include <functional>
#include <optional>
#include <span>
#include <unordered_map>

#include "compiler/flatten/flat.hpp"

namespace mosim::compiler {

/// The highest variability in an expression. Relations, `pre` and the like are discrete (MLS 3.8).
flat::Variability variability(const flat::Model& model, Expr e);
/// The same of expressions that have much in common, as the elements of an array have: what was found is in `known`.
flat::Variability variability(const flat::Model& model, Expr e, std::unordered_map<Expr, flat::Variability>& known);
/// An Integer that varies between events by an operation, as sign(x) does, and not by a variable that follows a function there.
bool varies_by_operation(const flat::Model& model, Expr e);

/// Gives the value of a variable as another expression (its binding), or Expr::none if it is not known.
using Known = std::function<Expr(VariableId)>;

/// Values of variables that were found before, and will not change.
using Values = std::unordered_map<VariableId, Expr>;

/// Values of expressions that were found before: of parts of one expression, each of which is asked for.
using Parts = std::unordered_map<Expr, Expr>;

/// A text of constants is no longer than this, and all that are made on the way no longer than the second.
constexpr std::size_t longest_text = 1'000'000, most_text = 20'000'000;

/// Folds an expression to a literal; Expr::none if it holds something unknown, or has no value (sqrt(-1)),
/// or a text too long (flat::Model::overlong). `found`, if given, is asked
/// first and gets the variables' values that are found on the way.
/// `parts`, if given, is asked as well and gets what is found.
/// `visited`, if given, gets the number of expressions that were looked at. Model::reliance takes note of what a value came from.
enum class Reliance { value, size, nothing };
Expr evaluate(flat::Model& model, Expr e, const Known& known, Values* found = nullptr, std::size_t* visited = nullptr,
              Reliance reliance = Reliance::value, Parts* parts = nullptr);

/// Of negate, add, subtract, multiply or divide, a Real or an Integer; NaN if it has no value.
double fold_numbers(Op op, BaseType type, std::span<const double> values);
/// One operation over literals as its children's values; Expr::none if it has no value.
Expr fold_literals(flat::Model& model, Expr e, std::span<const Expr> values);

/// Whether the sign and the order of magnitude of an expression follow from those of its variables: -2*p/q, sqrt(p).
bool is_product(const Expressions& x, Expr e);

/// What to say of it.
std::string overlong_text();

}  // namespace mosim::compiler
