#pragma once
// What the writers of result files share.

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "runtime/results.hpp"

namespace mosim::runtime {

/// Of each of Contents::variables: where it stands in a row.
std::vector<std::size_t> positions_in_row(const Contents& contents);

/// A variable's value in a run's memory.
double value_of(const Variable& variable, const std::vector<double>& memory);

/// Rows of a table that variables share: those of one value, and those of the opposite number.
class Shared {
public:
  explicit Shared(const Program& program) : rows_(program.memory.size()) {}
  /// The row of a variable, negative where it holds the opposite number; and whether it is `next`, a new one.
  std::pair<std::int32_t, bool> index_of(const Variable& variable, std::size_t next) {
    const bool complement = variable.type == Type::boolean && variable.negated;   // 1 - x is no sign
    const std::int32_t sign = variable.negated && !complement ? -1 : 1;
    std::int32_t& row = complement ? complements_[variable.slot] : rows_[variable.slot];
    const bool is_new = row == 0;
    if (is_new) row = sign * std::int32_t(next);
    return {sign * row, is_new};
  }

private:
  std::vector<std::int32_t> rows_;            // by slot, with the sign that its value has there; 0: none
  std::map<Slot, std::int32_t> complements_;
};

}  // namespace mosim::runtime
