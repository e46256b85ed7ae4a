#include "compiler/analyse/matching.hpp"

#include <algorithm>

namespace mosim::compiler::dae {

namespace {
constexpr std::uint32_t dead = 0xffffffffu;  // seen by a search that failed: leads nowhere, ever
}

Matcher::Matcher(const Incidence& incidence, std::size_t unknowns)
    : incidence_(incidence),
      unknown_of_(incidence.equations(), unmatched),
      equation_of_(unknowns, unmatched),
      visited_(unknowns, 0),
      cursor_(incidence.equations(), 0) {}

void Matcher::reduce(std::uint32_t first, std::uint32_t last) {
  const std::size_t unknowns = equation_of_.size();
  std::vector<std::uint32_t> equation_degree(last - first, 0), unknown_degree(unknowns, 0);
  std::vector<std::uint32_t> start(unknowns + 1, 0), rows;
  for (std::uint32_t e = first; e < last; ++e) {
    if (unknown_of_[e] != unmatched) continue;
    for (const auto& entry : incidence_.of(e)) {
      if (!entry.solvable || equation_of_[entry.unknown] != unmatched) continue;
      ++equation_degree[e - first];
      ++unknown_degree[entry.unknown];
      ++start[entry.unknown + 1];
    }
  }
  for (std::size_t u = 0; u < unknowns; ++u) start[u + 1] += start[u];
  rows.resize(start[unknowns]);
  std::vector<std::uint32_t> fill(start.begin(), start.end() - 1);
  for (std::uint32_t e = first; e < last; ++e) {
    if (unknown_of_[e] != unmatched) continue;
    for (const auto& entry : incidence_.of(e))
      if (entry.solvable && equation_of_[entry.unknown] == unmatched) rows[fill[entry.unknown]++] = e;
  }
  struct Item {
    bool is_equation;
    std::uint32_t number;
  };
  std::vector<Item> queue;
  for (std::uint32_t e = first; e < last; ++e)
    if (equation_degree[e - first] == 1) queue.push_back({true, e});
  for (std::uint32_t u = 0; u < unknowns; ++u)
    if (unknown_degree[u] == 1) queue.push_back({false, u});

  const auto take = [&](std::uint32_t e, std::uint32_t u) {
    unknown_of_[e] = u;
    equation_of_[u] = e;
    for (std::uint32_t i = start[u]; i < start[u + 1]; ++i) {
      const std::uint32_t other = rows[i];
      if (unknown_of_[other] == unmatched && --equation_degree[other - first] == 1) queue.push_back({true, other});
    }
    for (const auto& entry : incidence_.of(e))
      if (entry.solvable && equation_of_[entry.unknown] == unmatched && --unknown_degree[entry.unknown] == 1)
        queue.push_back({false, entry.unknown});
  };
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const Item item = queue[i];
    if (item.is_equation) {
      if (unknown_of_[item.number] != unmatched) continue;
      for (const auto& entry : incidence_.of(item.number))
        if (entry.solvable && equation_of_[entry.unknown] == unmatched) {
          take(item.number, entry.unknown);
          break;
        }
    } else {
      if (equation_of_[item.number] != unmatched) continue;
      for (std::uint32_t k = start[item.number]; k < start[item.number + 1]; ++k)
        if (unknown_of_[rows[k]] == unmatched) {
          take(rows[k], item.number);
          break;
        }
    }
  }
}

bool Matcher::augment(std::uint32_t root) {
  if (unknown_of_[root] != unmatched) return true;
  ++search_;
  path_.assign(1, {root, 0});
  taken_.clear();
  seen_.clear();
  while (!path_.empty()) {
    const std::uint32_t e = path_.back().equation;
    const auto row = incidence_.of(e);
    // A free unknown, if there is one: each entry is looked at once for this, over all searches.
    std::uint32_t free = unmatched;
    while (cursor_[e] < row.size()) {
      const auto& entry = row[cursor_[e]];
      if (entry.solvable && equation_of_[entry.unknown] == unmatched) {
        free = entry.unknown;
        break;
      }
      ++cursor_[e];
    }
    if (free != unmatched) {
      taken_.push_back(free);
      for (std::size_t i = path_.size(); i-- > 0;) {
        unknown_of_[path_[i].equation] = taken_[i];
        equation_of_[taken_[i]] = path_[i].equation;
      }
      return true;
    }
    bool deeper = false;
    while (path_.back().next < row.size()) {
      const auto& entry = row[path_.back().next++];
      if (!entry.solvable || visited_[entry.unknown] == search_ || visited_[entry.unknown] == dead) continue;
      visited_[entry.unknown] = search_;
      seen_.push_back(entry.unknown);
      taken_.push_back(entry.unknown);
      path_.push_back({equation_of_[entry.unknown], 0});
      deeper = true;
      break;
    }
    if (deeper) continue;
    path_.pop_back();
    if (!taken_.empty()) taken_.pop_back();
  }
  for (std::uint32_t u : seen_) visited_[u] = dead;
  return false;
}

Matcher::Competition Matcher::competition(std::uint32_t equation) const {
  Competition result;
  std::vector<char> seen(equation_of_.size(), 0);
  result.equations.push_back(equation);
  for (std::size_t i = 0; i < result.equations.size(); ++i)
    for (const auto& entry : incidence_.of(result.equations[i])) {
      if (!entry.solvable || seen[entry.unknown]) continue;
      seen[entry.unknown] = 1;
      result.unknowns.push_back(entry.unknown);
      if (equation_of_[entry.unknown] != unmatched) result.equations.push_back(equation_of_[entry.unknown]);
    }
  return result;
}

void Components::close() {
  const std::size_t begin = ends_.empty() ? 0 : ends_.back();
  std::sort(members_.begin() + std::ptrdiff_t(begin), members_.end());
  ends_.push_back(static_cast<std::uint32_t>(members_.size()));
}

Components strong_components(const Incidence& incidence, const Matcher& matching, std::span<const std::uint32_t> members) {
  constexpr std::uint32_t unseen = 0, outside = 0xffffffffu;
  std::vector<std::uint32_t> number(incidence.equations(), outside), low(incidence.equations(), 0);
  std::vector<char> on_stack(incidence.equations(), 0);
  for (std::uint32_t e : members) number[e] = unseen;
  Components components;
  components.reserve(members.size());
  std::vector<std::uint32_t> stack;
  struct Step {
    std::uint32_t equation, next;
  };
  std::vector<Step> calls;
  std::uint32_t counter = 0;
  for (std::uint32_t root : members) {
    if (number[root] != unseen) continue;
    calls.push_back({root, 0});
    while (!calls.empty()) {
      const std::uint32_t e = calls.back().equation;
      if (calls.back().next == 0) {
        number[e] = low[e] = ++counter;
        stack.push_back(e);
        on_stack[e] = 1;
      }
      const auto row = incidence.of(e);
      bool deeper = false;
      while (calls.back().next < row.size()) {
        const std::uint32_t other = matching.equation_of(row[calls.back().next++].unknown);
        if (other == unmatched || other == e || number[other] == outside) continue;
        if (number[other] == unseen) {
          calls.push_back({other, 0});
          deeper = true;
          break;
        }
        if (on_stack[other]) low[e] = std::min(low[e], number[other]);
      }
      if (deeper) continue;
      if (row.empty()) calls.back().next = 1;
      calls.pop_back();
      if (!calls.empty()) low[calls.back().equation] = std::min(low[calls.back().equation], low[e]);
      if (low[e] != number[e]) continue;
      for (;;) {
        const std::uint32_t top = stack.back();
        stack.pop_back();
        on_stack[top] = 0;
        components.add(top);
        if (top == e) break;
      }
      components.close();
    }
  }
  return components;
}

}  // namespace mosim::compiler::dae
