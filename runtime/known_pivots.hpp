#pragma once
// Sparse systems whose pivots are known: the factors of values that have changed.

#include <cstdint>
#include <vector>

namespace mosim::runtime {

struct Pattern;

/// What a factorisation has left of its pivots: which they are, and where the factors have entries. R (L U + F) = A(P, Q) with R the largest entries
/// of the rows, L and U triangular within diagonal blocks, and F above these (Davis and Palamadai Natarajan, Algorithm 907: KLU, 2010).
struct Pivots {
  std::vector<std::int32_t> rows, columns;         // P, Q
  std::vector<std::int32_t> blocks;                // where each begins, and n
  std::vector<std::int32_t> lower_starts, lower_rows, upper_starts, upper_rows;   // L and U by columns, both with their diagonals
};

/// Left-looking, column by column (Gilbert and Peierls 1988), without looking for anything.
class KnownPivots {
public:
  KnownPivots(const Pattern& pattern, Pivots pivots);

  /// Factorises. False: a pivot is 0 or no number, or so small that its inverse is none.
  bool factorise(const double* values);
  /// Of the last factorisation: how little the pivots have let entries grow (max |A| / max |U|, the worst column), and the smallest pivot beside the largest.
  double growth() const { return growth_; }
  double condition() const { return condition_; }

  void solve(double* right_side);

private:
  void scale_rows(const double* values);
  bool eliminate(std::int32_t first, std::int32_t last, const double* values);

  std::vector<std::int32_t> rows_, columns_, blocks_;
  std::vector<std::int32_t> starts_;                    // of A's columns, in the order of the pivots
  std::vector<std::int32_t> entries_, places_;          // in this order: which of A's it is, and its row among the pivots
  std::vector<double> factors_;                         // 1/R, by row among the pivots
  struct Columns {
    std::vector<std::int32_t> starts, rows;
    std::vector<double> values;
  };
  Columns lower_, upper_, outer_;                       // without diagonals; F
  std::vector<double> inverse_;                         // 1/pivot
  std::vector<double> work_;
  double growth_ = 0, least_ = 0, largest_ = 0, condition_ = 0;
};

}  // namespace mosim::runtime
