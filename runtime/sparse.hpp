#pragma once
// Sparse patterns, their colouring for differentiation, and linear systems by KLU.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "runtime/program.hpp"

namespace mosim::runtime {

/// More unknowns than these may have a sparse matrix.
inline constexpr std::size_t largest_dense = 40;

/// Compressed columns: the rows of column j are rows[starts[j]] ... rows[starts[j + 1] - 1], ascending.
struct Pattern {
  std::size_t n = 0;
  std::vector<std::int32_t> starts, rows;
};

/// More than largest_dense unknowns, and less than a quarter of the entries, or of the work on a full matrix: fuller ones become dense, and
/// dense ones are faster then.
bool is_sparse(const Pattern& pattern);

/// Columns of one colour share no row, so one direction of differentiation serves them all. Greedy, in order
/// (Curtis, Powell and Reid 1974).
struct Colouring {
  std::vector<std::uint32_t> colour;  // per column
  std::uint32_t colours = 0;
};
Colouring colour(const Pattern& pattern);

/// Entries sorted by column, then row; `diagonal`: the pattern holds the diagonal in any case.
Pattern make_pattern(std::size_t n, const std::vector<Dependence>& entries, bool diagonal);

/// Which outputs depend on which inputs when the code from `entry` runs (to `end`; through `solve` as well).
Pattern dependences(const Program& program, Entry entry, const std::vector<Slot>& inputs,
                    const std::vector<Slot>& outputs);

/// A square sparse system with values for each entry of its pattern.
struct SparseSystem {
  Pattern pattern;
  Colouring colouring;   // where its values are found by differentiation
  std::vector<double> values;

  SparseSystem(Pattern pattern);
  ~SparseSystem();
  SparseSystem(const SparseSystem&) = delete;
  SparseSystem& operator=(const SparseSystem&) = delete;

  struct Factors;
  std::unique_ptr<Factors> factors;
};

enum class Factorised { singular, with_new_pivots, with_known_pivots };
/// Its pivots are those of the time before while they are as good for these values. Singular: its reciprocal condition, as the pivots show it, is
/// no larger.
Factorised factorise(SparseSystem& system, double least_condition = 1e-16);
/// What that cost: floating-point operations.
double factorisation_cost(SparseSystem& system);
void solve(SparseSystem& system, double* right_side);

}  // namespace mosim::runtime
