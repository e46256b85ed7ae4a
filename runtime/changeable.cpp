#include "runtime/changeable.hpp"

#include <fmt/format.h>

#include <cmath>

namespace mosim::runtime {

namespace {

constexpr double largest_ratio = 1000;   // of two values of one order of magnitude, with room for a study

}  // namespace

std::string mismatch(const Variable& v, double value) {
  const bool whole = value == std::floor(value) && std::abs(value) <= 0x1p53;
  const auto is_none = [&](std::string_view what) { return fmt::format("{} cannot be {:.17g}: it is {}", v.name, value, what); };
  switch (v.type) {
    case Type::real:
      if (!std::isfinite(value)) return is_none("a Real, which is finite");
      break;
    case Type::integer:
      if (!whole) return is_none("an Integer");
      break;
    case Type::boolean:
      if (value != 0 && value != 1) return is_none("a Boolean, 0 or 1");
      break;
    case Type::enumeration:
      if (!whole || value < 1 || value > double(v.literals.size())) return is_none(fmt::format("of an enumeration of {} literals", v.literals.size()));
      break;
    case Type::string: return is_none("a String");
  }
  return {};
}

std::string refusal(const Program& program, const Changeable& c, double value) {
  const Variable& v = program.variables[c.variable];
  if (std::string why = mismatch(v, value); !why.empty() || !c.by_size) return why;
  const double ratio = value / c.value;
  if (ratio >= 1 / largest_ratio && ratio <= largest_ratio) return {};
  return fmt::format("{} = {:g} is far from {:g}, and the model was compiled for its sign and order of magnitude", v.name, value, c.value);
}

void put_values(Machine& m, const std::vector<std::pair<Index, double>>& values) {
  for (const auto& [number, value] : values) {
    const Changeable& c = m.program->changeable[number];
    if (c.given == none) {
      m.memory[m.program->variables[c.variable].slot] = value;
      if (c.start != none) m.memory[c.start] = value;
    } else {
      m.memory[c.given] = value;
      m.memory[c.given + 1] = 1;
    }
  }
}

std::optional<Message> check_parameters(const Machine& m) {
  for (const Bound& bound : m.program->parameter_bounds) {
    const Variable& v = m.program->variables[bound.variable];
    const double value = m.memory[v.slot] * (v.negated ? -1 : 1);
    for (const bool below : {true, false}) {
      const Slot limit = below ? bound.minimum : bound.maximum;
      if (limit == none || !(below ? value < m.memory[limit] : value > m.memory[limit])) continue;
      return Message{Severity::error, m.memory[slot_time], v.origin,
                     fmt::format("parameter {} = {:g} is {} {:g}", v.name, value, below ? "below its minimum" : "above its maximum", m.memory[limit]), ""};
    }
  }
  return {};
}

}  // namespace mosim::runtime
