#include "runtime/known_pivots.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include "runtime/sparse.hpp"

namespace mosim::runtime {

namespace {

using Number = std::int32_t;
std::size_t at(Number number) { return static_cast<std::size_t>(number); }

}  // namespace

KnownPivots::KnownPivots(const Pattern& pattern, Pivots pivots)
    : rows_(std::move(pivots.rows)), columns_(std::move(pivots.columns)), blocks_(std::move(pivots.blocks)) {
  const std::size_t n = pattern.n;
  entries_.reserve(pattern.rows.size());
  places_.reserve(pattern.rows.size());
  std::vector<Number> place(n);
  for (std::size_t k = 0; k < n; ++k) place[at(rows_[k])] = Number(k);
  std::vector<Number> sorted;
  const auto add = [&](Columns& to, const std::vector<Number>& starts, const std::vector<Number>& rows, std::size_t column) {
    sorted.assign(rows.begin() + starts[column], rows.begin() + starts[column + 1]);
    std::erase(sorted, Number(column));
    std::sort(sorted.begin(), sorted.end());   // an order in which the columns of L are there when they are wanted
    to.rows.insert(to.rows.end(), sorted.begin(), sorted.end());
    to.starts.push_back(Number(to.rows.size()));
  };
  for (std::vector<Number>* const starts : {&starts_, &lower_.starts, &upper_.starts, &outer_.starts}) {
    starts->reserve(n + 1);
    starts->push_back(0);
  }
  lower_.rows.reserve(pivots.lower_rows.size() - n);   // without the diagonal
  upper_.rows.reserve(pivots.upper_rows.size() - n);
  std::size_t block = 0;
  for (std::size_t k = 0; k < n; ++k) {
    while (at(blocks_[block + 1]) <= k) ++block;
    add(lower_, pivots.lower_starts, pivots.lower_rows, k);
    add(upper_, pivots.upper_starts, pivots.upper_rows, k);
    for (Number e = pattern.starts[at(columns_[k])]; e < pattern.starts[at(columns_[k]) + 1]; ++e) {
      entries_.push_back(e);
      places_.push_back(place[at(pattern.rows[at(e)])]);
      if (places_.back() < blocks_[block]) outer_.rows.push_back(places_.back());
    }
    starts_.push_back(Number(entries_.size()));
    outer_.starts.push_back(Number(outer_.rows.size()));
  }
  for (Columns* const part : {&lower_, &upper_, &outer_}) part->values.resize(part->rows.size());
  factors_.resize(n);
  inverse_.resize(n);
  work_.resize(n);
}

// The columns of L and U of a block.
bool KnownPivots::eliminate(Number first, Number last, const double* values) {
  double* const x = work_.data();
  const double* const scale = factors_.data();
  const Number *const upper_rows = upper_.rows.data(), *const lower_rows = lower_.rows.data(), *const lower_starts = lower_.starts.data();
  double *const upper = upper_.values.data(), *const lower = lower_.values.data();
  const Number *const entries = entries_.data(), *const places = places_.data();
  double* outer = outer_.values.data() + outer_.starts[at(first)];
  Number e = starts_[at(first)], p = upper_.starts[at(first)], q = lower_starts[first];
  for (Number column = first; column < last; ++column) {
    double before = 0, after = 0;   // the largest entry of A, and of U
    for (const Number end = starts_[at(column) + 1]; e < end; ++e) {
      const Number row = places[e];
      const double value = values[entries[e]] * scale[row];
      if (row < first) {
        *outer++ = value;
        continue;
      }
      x[row] = value;
      before = std::max(before, std::abs(value));
    }
    for (const Number end = upper_.starts[at(column) + 1]; p < end; ++p) {
      const Number k = upper_rows[p];
      const double factor = upper[p] = x[k];
      x[k] = 0;
      if (factor == 0) continue;
      after = std::max(after, std::abs(factor));
      for (Number i = lower_starts[k]; i < lower_starts[k + 1]; ++i) x[lower_rows[i]] -= lower[i] * factor;
    }
    const double pivot = x[column], size = std::abs(pivot), inverse = 1 / pivot;
    x[column] = 0;
    for (const Number end = lower_starts[column + 1]; q < end; ++q) {
      lower[q] = x[lower_rows[q]] * inverse;
      x[lower_rows[q]] = 0;
    }
    if (!(size > 0) || !std::isfinite(inverse)) return false;
    inverse_[at(column)] = inverse;
    least_ = std::min(least_, size);
    largest_ = std::max(largest_, size);
    growth_ = std::min(growth_, before / std::max(after, size));
  }
  return true;
}

void KnownPivots::scale_rows(const double* values) {
  std::fill(factors_.begin(), factors_.end(), 0.0);
  for (std::size_t e = 0; e < places_.size(); ++e) {
    double& largest = factors_[at(places_[e])];
    largest = std::max(largest, std::abs(values[entries_[e]]));
  }
  for (double& factor : factors_) factor = 1 / factor;
}

bool KnownPivots::factorise(const double* values) {
  scale_rows(values);
  growth_ = least_ = std::numeric_limits<double>::infinity();
  largest_ = 0;
  for (std::size_t block = 0; block + 1 < blocks_.size(); ++block)
    if (!eliminate(blocks_[block], blocks_[block + 1], values)) return false;
  condition_ = inverse_.empty() ? 1 : least_ / largest_;
  return true;
}

void KnownPivots::solve(double* right_side) {
  double* const x = work_.data();
  const auto subtract = [x](const Columns& part, std::size_t column, double factor) {
    const Number* const rows = part.rows.data();
    const double* const values = part.values.data();
    for (Number p = part.starts[column], end = part.starts[column + 1]; p < end; ++p) x[rows[p]] -= values[p] * factor;
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
