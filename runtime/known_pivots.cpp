#include "runtime/known_pivots.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "runtime/sparse.hpp"

namespace mosim::runtime {

namespace {

using Number = std::int32_t;
std::size_t at(Number number) { return static_cast<std::size_t>(number); }

}  // namespace

KnownPivots::KnownPivots(const Pattern& pattern, const Pivots& pivots)
    : rows_(pivots.rows), columns_(pivots.columns), blocks_(pivots.blocks), starts_(pattern.starts) {
  const std::size_t n = pattern.n;
  std::vector<Number> place(n);
  for (std::size_t k = 0; k < n; ++k) place[at(rows_[k])] = Number(k);
  for (const Number row : pattern.rows) places_.push_back(place[at(row)]);
  std::vector<Number> sorted;
  const auto add = [&](Columns& to, const std::vector<Number>& starts, const std::vector<Number>& rows, std::size_t column) {
    sorted.assign(rows.begin() + starts[column], rows.begin() + starts[column + 1]);
    std::erase(sorted, Number(column));
    std::sort(sorted.begin(), sorted.end());   // an order in which the columns of L are there when they are wanted
    to.rows.insert(to.rows.end(), sorted.begin(), sorted.end());
    to.starts.push_back(Number(to.rows.size()));
  };
  for (Columns* const part : {&lower_, &upper_, &outer_}) part->starts.push_back(0);
  std::size_t block = 0;
  for (std::size_t k = 0; k < n; ++k) {
    while (at(blocks_[block + 1]) <= k) ++block;
    add(lower_, pivots.lower_starts, pivots.lower_rows, k);
    add(upper_, pivots.upper_starts, pivots.upper_rows, k);
    for (Number e = starts_[at(columns_[k])]; e < starts_[at(columns_[k]) + 1]; ++e)
      if (places_[at(e)] < blocks_[block]) outer_.rows.push_back(places_[at(e)]);
    outer_.starts.push_back(Number(outer_.rows.size()));
  }
  for (Columns* const part : {&lower_, &upper_, &outer_}) part->values.resize(part->rows.size());
  factors_.resize(n);
  inverse_.resize(n);
  work_.resize(n);
}

// One column of L and U, in a block that begins at `first`.
bool KnownPivots::eliminate(Number first, Number column, const double* values) {
  double* const x = work_.data();
  const Number from = columns_[at(column)];
  double* outer = outer_.values.data() + outer_.starts[at(column)];
  double entries = 0;
  for (Number e = starts_[at(from)]; e < starts_[at(from) + 1]; ++e) {
    const double value = values[e] * factors_[at(places_[at(e)])];
    if (places_[at(e)] < first) {
      *outer++ = value;
      continue;
    }
    x[places_[at(e)]] = value;
    entries = std::max(entries, std::abs(value));
  }
  double result = 0;
  for (Number p = upper_.starts[at(column)]; p < upper_.starts[at(column) + 1]; ++p) {
    const Number k = upper_.rows[at(p)];
    const double factor = upper_.values[at(p)] = x[k];
    x[k] = 0;
    if (factor == 0) continue;
    result = std::max(result, std::abs(factor));
    const Number end = lower_.starts[at(k) + 1];
    for (Number q = lower_.starts[at(k)]; q < end; ++q) x[lower_.rows[at(q)]] -= lower_.values[at(q)] * factor;
  }
  const double pivot = x[column], size = std::abs(pivot), inverse = 1 / pivot;
  x[column] = 0;
  for (Number q = lower_.starts[at(column)]; q < lower_.starts[at(column) + 1]; ++q) {
    lower_.values[at(q)] = x[lower_.rows[at(q)]] * inverse;
    x[lower_.rows[at(q)]] = 0;
  }
  if (!(size > 0) || !std::isfinite(inverse)) return false;
  inverse_[at(column)] = inverse;
  least_ = std::min(least_, size);
  largest_ = std::max(largest_, size);
  growth_ = std::min(growth_, entries / std::max(result, size));
  return true;
}

void KnownPivots::scale_rows(const double* values) {
  std::fill(factors_.begin(), factors_.end(), 0.0);
  for (std::size_t e = 0; e < places_.size(); ++e) {
    double& largest = factors_[at(places_[e])];
    largest = std::max(largest, std::abs(values[e]));
  }
  for (double& factor : factors_) factor = 1 / factor;
}

bool KnownPivots::factorise(const double* values) {
  scale_rows(values);
  growth_ = least_ = std::numeric_limits<double>::infinity();
  largest_ = 0;
  for (std::size_t block = 0; block + 1 < blocks_.size(); ++block)
    for (Number k = blocks_[block]; k < blocks_[block + 1]; ++k)
      if (!eliminate(blocks_[block], k, values)) return false;
  condition_ = inverse_.empty() ? 1 : least_ / largest_;
  return true;
}

void KnownPivots::solve(double* right_side) {
  double* const x = work_.data();
  const auto subtract = [x](const Columns& part, std::size_t column, double factor) {
    const Number end = part.starts[column + 1];
    for (Number p = part.starts[column]; p < end; ++p) x[part.rows[at(p)]] -= part.values[at(p)] * factor;
  };
  const std::size_t n = inverse_.size();
  for (std::size_t k = 0; k < n; ++k) x[k] = right_side[rows_[k]] * factors_[k];
  for (std::size_t block = blocks_.size() - 1; block-- > 0;) {
    const std::size_t first = at(blocks_[block]), last = at(blocks_[block + 1]);
    // Right sides are mostly zeros, those of corrections above all.
    for (std::size_t k = first; k < last; ++k)
      if (x[k] != 0) subtract(lower_, k, x[k]);
    for (std::size_t k = last; k-- > first;)
      if (x[k] != 0) subtract(upper_, k, x[k] *= inverse_[k]);
    for (std::size_t k = first; k < last; ++k)
      if (x[k] != 0) subtract(outer_, k, x[k]);
  }
  for (std::size_t k = 0; k < n; ++k) {
    right_side[columns_[k]] = x[k];
    x[k] = 0;
  }
}

}  // namespace mosim::runtime
