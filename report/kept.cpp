#include "report/kept.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_set>
#include <utility>

namespace mosim::report {

namespace {

using runtime::Index;
using runtime::Variable;

constexpr std::size_t fewest_rows = 1000;
constexpr std::size_t most_in_focus = 8;

}  // namespace

const Kept::Column* Kept::column_of(Index variable) const {
  const auto at = std::find_if(columns.begin(), columns.end(), [&](const Column& c) { return c.variable == variable; });
  return at == columns.end() ? nullptr : &*at;
}

std::vector<std::size_t> kept_rows(const std::vector<double>& times, const std::vector<const std::vector<double>*>& columns, std::size_t most) {
  const std::size_t rows = times.size();
  std::vector<std::size_t> result;
  if (rows <= most) {
    for (std::size_t r = 0; r < rows; ++r) result.push_back(r);
    return result;
  }
  std::vector<std::size_t> pairs;
  for (std::size_t r = 1; r < rows; ++r)
    if (times[r] == times[r - 1]) pairs.insert(pairs.end(), {r - 1, r});
  if (pairs.size() <= most / 2) result = std::move(pairs);
  const std::size_t stretches = std::max<std::size_t>(1, (most - result.size()) / (2 + 2 * columns.size()));
  const double begin = times.front(), span = times.back() - begin;
  const auto stretch = [&](std::size_t r) { return span > 0 ? std::floor((times[r] - begin) / span * double(stretches)) : 0; };
  for (std::size_t from = 0; from < rows;) {
    std::size_t end = from + 1;
    while (end < rows && stretch(end) == stretch(from)) ++end;
    result.insert(result.end(), {from, end - 1});
    for (const std::vector<double>* column : columns) {
      std::size_t low = from, high = from;
      for (std::size_t r = from; r < end; ++r) {
        if ((*column)[r] < (*column)[low]) low = r;
        if ((*column)[r] > (*column)[high]) high = r;
      }
      result.insert(result.end(), {low, high});
    }
    from = end;
  }
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

Keeper::Keeper(const runtime::Program& program, const std::vector<Index>& recorded, const Wanted& wanted, std::size_t most_numbers)
    : program_(program), most_numbers_(most_numbers), best_(wanted.best) {
  const std::unordered_set<Index> all(wanted.variables.begin(), wanted.variables.end());
  rank_.resize(recorded.size());
  const std::vector<std::size_t> order = default_order(program, recorded);
  for (std::size_t k = 0; k < order.size(); ++k) rank_[order[k]] = k;
  for (std::size_t k = 0; k < recorded.size(); ++k) {
    kept_.columns.push_back({recorded[k]});
    always_.push_back(all.count(recorded[k]) > 0);
    still_.push_back(k);
  }
}

Keeper::~Keeper() = default;

bool Keeper::take(std::span<const double> row, std::uint64_t) {
  if (kept_.rows++ == 0) {
    for (std::size_t k = 0; k < kept_.columns.size(); ++k) kept_.columns[k].first = row[k + 1];
  } else {
    std::size_t left = 0;
    for (const std::size_t k : still_) {
      if (row[k + 1] == kept_.columns[k].first) {
        still_[left++] = k;
        continue;
      }
      kept_.columns[k].changes = true;
      if (always_[k]) begin_to_keep(k);
      if (best_ > 0) prefer(k);
    }
    still_.resize(left);
  }
  kept_.times.push_back(row[0]);
  for (std::size_t k = 0; k < kept_.values.size(); ++k) kept_.values[k].push_back(row[sources_[k] + 1]);
  if (kept_.times.size() > std::max(fewest_rows, most_numbers_ / (1 + kept_.values.size()))) thin();
  return true;
}

// Up to now it had its first value.
void Keeper::begin_to_keep(std::size_t column) {
  Kept::Column& c = kept_.columns[column];
  if (c.values != Kept::none) return;
  const Variable& v = program_.variables[c.variable];
  const auto same = [&](std::size_t source) {
    const Variable& other = program_.variables[kept_.columns[source].variable];
    return other.slot == v.slot && other.negated == v.negated;
  };
  // What shares a value changes in the same row, so that the other one has begun just now.
  const auto at = std::find_if(sources_.begin(), sources_.end(), same);
  c.values = std::size_t(at - sources_.begin());
  if (at != sources_.end()) return;
  sources_.push_back(column);
  kept_.values.emplace_back(kept_.times.size(), c.first);
}

// It joins the best, if it is one of them: one name for each quantity.
void Keeper::prefer(std::size_t column) {
  const auto slot = [&](std::size_t k) { return program_.variables[kept_.columns[k].variable].slot; };
  const auto twin = std::find_if(preferred_.begin(), preferred_.end(), [&](std::size_t k) { return slot(k) == slot(column); });
  std::size_t loser = Kept::none;
  if (twin != preferred_.end()) {
    if (rank_[*twin] < rank_[column]) return;
    loser = *twin;
    preferred_.erase(twin);
  }
  const auto place = std::find_if(preferred_.begin(), preferred_.end(), [&](std::size_t k) { return rank_[k] > rank_[column]; });
  preferred_.insert(place, column);
  if (preferred_.size() > best_) {
    loser = preferred_.back();
    preferred_.pop_back();
  }
  if (loser == column) return;
  begin_to_keep(column);
  if (loser != Kept::none && !always_[loser]) release(loser);
}

void Keeper::release(std::size_t column) {
  const std::size_t values = std::exchange(kept_.columns[column].values, Kept::none);
  if (values == Kept::none) return;
  const auto uses = [&](const Kept::Column& c) { return c.values == values; };
  if (std::any_of(kept_.columns.begin(), kept_.columns.end(), uses)) return;
  kept_.values.erase(kept_.values.begin() + std::ptrdiff_t(values));
  sources_.erase(sources_.begin() + std::ptrdiff_t(values));
  for (Kept::Column& c : kept_.columns)
    if (c.values != Kept::none && c.values > values) --c.values;
}

// Half of the rows stay.
void Keeper::thin() {
  std::vector<const std::vector<double>*> focus;
  const auto add = [&](std::size_t column) {
    const std::size_t values = kept_.columns[column].values;
    if (focus.size() < most_in_focus && values != Kept::none) focus.push_back(&kept_.values[values]);
  };
  if (best_ > 0) {
    for (const std::size_t k : preferred_) add(k);
  } else {
    for (std::size_t k = 0; k < kept_.columns.size(); ++k)
      if (always_[k]) add(k);
  }
  const std::vector<std::size_t> rows = kept_rows(kept_.times, focus, kept_.times.size() / 2);
  const auto keep = [&](std::vector<double>& list) {
    for (std::size_t k = 0; k < rows.size(); ++k) list[k] = list[rows[k]];
    list.resize(rows.size());
  };
  keep(kept_.times);
  for (std::vector<double>& list : kept_.values) keep(list);
}

Kept keep_all(const runtime::Program& program, const runtime::Trajectory& t) {
  Keeper keeper(program, t.columns, {t.columns, 0}, std::size_t(-1));
  for (std::size_t row = 0; row < t.rows(); ++row) keeper.take({t.values.data() + row * t.width(), t.width()}, 0);
  return keeper.kept();
}

}  // namespace mosim::report
