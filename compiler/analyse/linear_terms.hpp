#pragma once
// Equations as rows: sums of exact numbers times products that are taken as they stand.

#include <functional>
#include <unordered_map>

#include "compiler/analyse/analysis.hpp"
#include "compiler/analyse/dependent_rows.hpp"
#include "compiler/ordered_table.hpp"

namespace mosim::compiler::dae {

/// The value that decimal digits mean, as the shortest text of a double has them: 0.1 is 1/10. Empty if it does not fit.
std::optional<Rational> exact(double value);

/// Splits differences left - right into terms. Each different product of factors (variables, parameters, functions, what
/// is under a power) is a column: R*i and i*R are the same one. A column of its own is the number 1.
class LinearTerms {
public:
  /// `is_unknown(leaf)`: whether a variable, derivative, pre or previous is asked for.
  LinearTerms(Analysis& a, std::function<bool(Expr)> is_unknown);

  /// The rows of an equation between numbers: in columns with unknowns, and in the others. Empty if it is too long.
  struct Split {
    SparseRow unknown, known;
  };
  std::optional<Split> split(Expr left, Expr right);

  std::size_t columns() const { return columns_.size(); }
  static constexpr std::uint32_t one = 0;   // the column of pure numbers
  /// The variable or derivative whose column this is; Expr::none if it is a product or a function.
  Expr leaf(std::uint32_t column) const { return columns_[column].leaf; }
  bool is_unknown(Expr leaf) const { return is_unknown_(leaf); }
  /// The unknowns in a column.
  std::vector<Expr> unknowns(std::uint32_t column);

private:
  struct Factor {
    Expr e;
    std::int64_t power;
    friend auto operator<=>(const Factor&, const Factor&) = default;
  };
  using Product = std::vector<Factor>;   // sorted
  struct Column {
    Expr leaf = Expr::none;
    bool unknown = false;
    Product factors;
  };
  /// Factors, the last one first, in links_: terms of one product share theirs.
  struct Factors {
    std::uint32_t last = none, count = 0;
  };
  struct Link {
    Factor factor;
    std::uint32_t before;
  };
  struct Term {
    Expr e;
    Rational number;
    Factors factors;
  };
  struct HashOfProduct {
    std::uint64_t operator()(const Product& product) const;
  };

  void append(Factors& factors, Factor factor);
  bool single(Expr e, Rational& number, Factors& factors, std::int64_t power);
  bool holds_unknown(Expr e);
  std::uint32_t column(Factors factors);
  std::uint32_t column(Product& factors);
  void shorten(Split& split);
  std::optional<Rational> number(Expr e);

  Analysis& a_;
  Expressions& x_;
  std::function<bool(Expr)> is_unknown_;
  std::vector<Column> columns_;
  PlacesByKey<Product, HashOfProduct> places_;   // of columns_
  std::vector<Link> links_;                      // of the equation at hand
  Product scratch_;
  std::unordered_map<std::uint32_t, bool> holds_unknown_;
};

}  // namespace mosim::compiler::dae
