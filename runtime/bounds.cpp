#include "runtime/bounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace mosim::runtime {

namespace {

constexpr std::size_t most_told = 5, most_named = 6;
constexpr double slack = 10;   // times the tolerance of the run

void check(std::vector<Bounds::Range>& ranges, std::vector<Bounds::Left>& left, const std::vector<double>& memory) {
  for (std::size_t k = 0; k < ranges.size();) {
    const Bounds::Range& r = ranges[k];
    const double value = r.factor * memory[r.slot] + r.offset;
    if (value >= r.low && value <= r.high) {
      ++k;
      continue;
    }
    if (std::isfinite(value)) left.push_back({r.number, memory[slot_time], value, value < r.low});
    ranges[k] = ranges.back();
    ranges.pop_back();
  }
}

std::string text(const Variable& variable, double value) {
  if (variable.type == Type::enumeration && value >= 1 && value <= double(variable.literals.size()))
    return variable.literals[static_cast<std::size_t>(value) - 1];
  return fmt::format("{:.6g}{}{}", value, variable.unit.empty() || variable.unit == "1" ? "" : " ", variable.unit == "1" ? "" : variable.unit.text());
}

}  // namespace

Bounds make_bounds(const Machine& m, const Options& options) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Bounds bounds;
  for (Index k = 0; k < m.program->bounds.size(); ++k) {
    const Bound& bound = m.program->bounds[k];
    const Variable& variable = m.program->variables[bound.variable];
    const auto margin = [&](double limit) { return slack * options.tolerance * std::max(std::abs(limit), bound.nominal); };
    Bounds::Range range{variable.slot, variable.negated ? -1.0 : 1.0, 0, -infinity, infinity, k};
    if (bound.minimum != none) range.low = m.memory[bound.minimum] - margin(m.memory[bound.minimum]);
    if (bound.maximum != none) range.high = m.memory[bound.maximum] + margin(m.memory[bound.maximum]);
    const bool is_state = variable.slot >= m.program->first_state && variable.slot < m.program->first_state + m.program->states.size();
    (is_state ? bounds.states : bounds.others).push_back(range);
  }
  return bounds;
}

void check_bounds(Bounds& bounds, const Machine& m, bool states_alone) {
  check(bounds.states, bounds.left, m.memory);
  if (!states_alone) check(bounds.others, bounds.left, m.memory);
}

std::vector<Message> tell(const Bounds& bounds, const Machine& m) {
  std::vector<Bounds::Left> left = bounds.left;
  std::sort(left.begin(), left.end(), [](const auto& a, const auto& b) { return a.time != b.time ? a.time < b.time : a.number < b.number; });
  std::vector<Message> messages;
  const auto variable = [&](const Bounds::Left& l) -> const Variable& { return m.program->variables[m.program->bounds[l.number].variable]; };
  for (std::size_t k = 0; k < left.size() && k < most_told; ++k) {
    const Variable& v = variable(left[k]);
    const Bound& bound = m.program->bounds[left[k].number];
    messages.push_back({Severity::warning, left[k].time, v.origin,
                        fmt::format("{} = {} is {} {}", v.name, text(v, left[k].value), left[k].below ? "below its min =" : "above its max =",
                                    text(v, m.memory[left[k].below ? bound.minimum : bound.maximum])),
                        ""});
  }
  if (left.size() <= most_told) return messages;
  std::string names;
  for (std::size_t k = most_told; k < left.size() && k < most_told + most_named; ++k) names += (k > most_told ? ", " : "") + variable(left[k]).name;
  const std::size_t more = left.size() - most_told;
  messages.push_back({Severity::warning, left[most_told].time, none,
                      fmt::format("{} more variable{} left the range of {} min and max, from here on: {}{}", more, more == 1 ? "" : "s",
                                  more == 1 ? "its" : "their", names, more > most_named ? ", ..." : ""),
                      ""});
  return messages;
}

}  // namespace mosim::runtime
