#pragma once
// What decides the matrix of a linear block.

#include <optional>
#include <vector>

#include "runtime/program.hpp"

namespace mosim::runtime {

struct Coefficients {
  /// Once the code has run, everything that an entry of the matrix depends on: the other factor and the divisor of what varies
  /// with the unknowns, and the conditions of jumps. While they hold the same values, the matrix is the same.
  std::vector<Slot> slots;
  bool in_body = false;   // some stand only after the body has run, not before it
};

/// Nothing: this code may depend on its unknowns in other ways.
std::optional<Coefficients> find_coefficients(const Program& program, const Block& block);

}  // namespace mosim::runtime
