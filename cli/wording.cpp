#include "cli/wording.hpp"

#include <fmt/format.h>

namespace mosim::cli {

std::string place(const runtime::Program& p, runtime::Index origin) {
  if (origin == runtime::none) return "";
  const runtime::Origin& o = p.origins[origin];
  return o.line ? fmt::format("{}:{}:{}", o.path, o.line, o.column) : "";
}

std::string at(const runtime::Program& p, runtime::Index origin) {
  const std::string where = place(p, origin);
  return where.empty() ? "" : "  (" + where.substr(where.rfind('/') + 1) + ")";
}

std::string text_of(const runtime::Program& p, runtime::Index origin) {
  return origin == runtime::none ? "" : p.origins[origin].text;
}

std::string value_of(const runtime::Variable& variable, double value, const std::vector<std::string>& strings) {
  switch (variable.type) {
    case runtime::Type::boolean: return value != 0 ? "true" : "false";
    case runtime::Type::integer: return fmt::format("{:.0f}", value);
    case runtime::Type::enumeration: {
      const std::size_t ordinal = value >= 1 ? std::size_t(value) : 0;
      return ordinal >= 1 && ordinal <= variable.literals.size() ? variable.literals[ordinal - 1] : fmt::format("{:g}", value);
    }
    case runtime::Type::string: return fmt::format("\"{}\"", strings.at(std::size_t(value)));
    default: return fmt::format("{:.6g}", value + 0.0);  // no -0
  }
}

std::string plural(std::uint64_t n, std::string_view one) { return fmt::format("{} {}{}", n, one, n == 1 ? "" : "s"); }

}  // namespace mosim::cli
