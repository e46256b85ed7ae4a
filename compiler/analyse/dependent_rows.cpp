#include "compiler/analyse/dependent_rows.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>

namespace mosim::compiler::dae {

std::optional<SparseRow> combine(const SparseRow& a, const SparseRow& b, Rational factor) {
  SparseRow result;
  result.reserve(a.size() + b.size());
  auto i = a.begin();
  for (const RowEntry& e : b) {
    while (i != a.end() && i->column < e.column) result.push_back(*i++);
    auto value = multiply(e.value, factor);
    if (!value) return {};
    if (i != a.end() && i->column == e.column) {
      value = add(i->value, *value);
      if (!value) return {};
      ++i;
    }
    if (value->numerator != 0) result.push_back({e.column, *value});
  }
  result.insert(result.end(), i, a.end());
  return result;
}

namespace {

class Elimination {
public:
  Elimination(std::vector<SparseRow> rows, std::size_t columns, std::size_t budget)
      : rows_(std::move(rows)), sums_(rows_.size()), made_of_(rows_.size()), active_(rows_.size(), 1), count_(columns, 0), where_(columns), budget_(budget) {
    for (std::uint32_t r = 0; r < rows_.size(); ++r)
      for (const RowEntry& e : rows_[r]) {
        ++count_[e.column];
        where_[e.column].push_back(r);
      }
  }

  std::vector<Dependency> run() {
    for (std::uint32_t c = 0; c < count_.size(); ++c)
      if (count_[c] == 1) alone_.push_back(c);
    leave_out();
    for (std::uint32_t r = 0; r < rows_.size(); ++r)
      if (active_[r]) {
        made_of_[r] = r;
        by_size_.insert({rows_[r].size(), r});
      }
    while (!by_size_.empty() && budget_ > 0) {
      const std::uint32_t r = by_size_.begin()->second;
      if (rows_[r].empty()) {
        if (auto dependency = original_rows(made_of_[r])) found_.push_back(std::move(*dependency));
        drop(r);
      } else {
        eliminate(r);
        leave_out();
      }
    }
    return std::move(found_);
  }

private:
  void drop(std::uint32_t r) {
    active_[r] = 0;
    by_size_.erase({rows_[r].size(), r});
    for (const RowEntry& e : rows_[r])
      if (--count_[e.column] == 1) alone_.push_back(e.column);
  }

  /// Rows with a column that no other row has depend on nothing.
  void leave_out() {
    while (!alone_.empty()) {
      const std::uint32_t c = alone_.back();
      alone_.pop_back();
      if (count_[c] != 1) continue;
      for (std::uint32_t r : where_[c])
        if (active_[r] && has(r, c)) {
          drop(r);
          break;
        }
    }
  }

  const RowEntry* entry(std::uint32_t r, std::uint32_t column) const {
    const auto it = std::lower_bound(rows_[r].begin(), rows_[r].end(), column, [](const RowEntry& e, std::uint32_t c) { return e.column < c; });
    return it != rows_[r].end() && it->column == column ? &*it : nullptr;
  }
  bool has(std::uint32_t r, std::uint32_t column) const { return entry(r, column) != nullptr; }

  void spend(std::size_t n) { budget_ -= std::min(budget_, n); }

  void eliminate(std::uint32_t r) {
    std::uint32_t pivot = rows_[r].front().column;
    for (const RowEntry& e : rows_[r])
      if (count_[e.column] < count_[pivot]) pivot = e.column;
    const Rational at_pivot = entry(r, pivot)->value;
    std::vector<std::uint32_t> others;
    for (std::uint32_t s : where_[pivot])
      if (s != r && active_[s] && has(s, pivot)) others.push_back(s);
    std::sort(others.begin(), others.end());
    others.erase(std::unique(others.begin(), others.end()), others.end());
    for (std::uint32_t s : others) {
      const auto quotient = divide(entry(s, pivot)->value, at_pivot);
      const auto factor = quotient ? Rational::of(-quotient->numerator, quotient->denominator) : std::nullopt;
      auto row = factor ? combine(rows_[s], rows_[r], *factor) : std::nullopt;
      spend(rows_[s].size() + rows_[r].size());
      if (!row) {   // nothing is known of it any more
        drop(s);
        continue;
      }
      by_size_.erase({rows_[s].size(), s});
      for (const RowEntry& e : rows_[s]) --count_[e.column];
      for (const RowEntry& e : *row) {
        if (!has(s, e.column)) where_[e.column].push_back(s);
        ++count_[e.column];
      }
      for (const RowEntry& e : rows_[s])
        if (count_[e.column] == 1) alone_.push_back(e.column);
      rows_[s] = std::move(*row);
      sums_.push_back({made_of_[s], made_of_[r], *factor});
      made_of_[s] = static_cast<std::uint32_t>(sums_.size() - 1);
      by_size_.insert({rows_[s].size(), s});
    }
    drop(r);
  }

  /// What a sum comes from: from the last sum to the first, each once.
  std::optional<Dependency> original_rows(std::uint32_t sum) {
    std::map<std::uint32_t, Rational, std::greater<>> open{{sum, {1, 1}}};
    Dependency result;
    const auto more = [&](std::uint32_t s, Rational factor) {
      const auto [it, fresh] = open.try_emplace(s, factor);
      if (fresh) return true;
      const auto value = add(it->second, factor);
      if (!value) return false;
      it->second = *value;
      if (value->numerator == 0) open.erase(it);
      return true;
    };
    while (!open.empty()) {
      const auto [s, factor] = *open.begin();
      open.erase(open.begin());
      if (s < rows_.size()) {
        result.push_back({s, factor});
        continue;
      }
      const auto times = multiply(factor, sums_[s].factor);
      if (!times || !more(sums_[s].one, factor) || !more(sums_[s].other, *times)) return {};
    }
    std::reverse(result.begin(), result.end());
    return result;
  }

  struct Sum {   // one + factor*other
    std::uint32_t one, other;
    Rational factor;
  };
  std::vector<SparseRow> rows_;
  std::vector<Sum> sums_;                         // the first are the original rows
  std::vector<std::uint32_t> made_of_;            // by row: in sums_
  std::vector<char> active_;
  std::vector<std::uint32_t> count_;              // by column: active rows that have it
  std::vector<std::vector<std::uint32_t>> where_; // by column: rows that had it once
  std::vector<std::uint32_t> alone_;
  std::set<std::pair<std::size_t, std::uint32_t>> by_size_;
  std::vector<Dependency> found_;
  std::size_t budget_;
};

}  // namespace

std::vector<Dependency> find_dependencies(std::vector<SparseRow> rows, std::size_t columns, std::size_t budget) {
  return Elimination(std::move(rows), columns, budget).run();
}

}  // namespace mosim::compiler::dae
