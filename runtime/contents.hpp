#pragma once
// What the writers of result files share.

#include <cstddef>
#include <vector>

#include "runtime/results.hpp"

namespace mosim::runtime {

/// Of each of Contents::variables: where it stands in a row.
std::vector<std::size_t> positions_in_row(const Contents& contents);

/// A variable's value in a run's memory.
double value_of(const Variable& variable, const std::vector<double>& memory);

}  // namespace mosim::runtime
