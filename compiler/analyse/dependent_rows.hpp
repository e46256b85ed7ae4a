#pragma once
// Linear dependencies between sparse rows of exact numbers.

#include <cstddef>
#include <vector>

#include "compiler/expression/rational.hpp"

namespace mosim::compiler::dae {

struct RowEntry {
  std::uint32_t column;
  Rational value;
};
/// Sorted by column, no zeros, no column twice.
using SparseRow = std::vector<RowEntry>;

/// a + factor*b; empty if a number does not fit.
std::optional<SparseRow> combine(const SparseRow& a, const SparseRow& b, Rational factor);

/// Factors (RowEntry::value) of rows (RowEntry::column) whose sum is zero in every column.
using Dependency = std::vector<RowEntry>;

/// Dependencies between rows, by exact elimination: independent ones, not necessarily all. What cannot be told because
/// numbers grow too large, or within `budget` operations on entries, is not among them. Rows with a column of their own
/// cost nothing.
std::vector<Dependency> find_dependencies(std::vector<SparseRow> rows, std::size_t columns, std::size_t budget);

}  // namespace mosim::compiler::dae
