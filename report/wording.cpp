#include "report/wording.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace mosim::report {

std::string place(const runtime::Program& p, runtime::Index origin) {
  if (origin == runtime::none) return "";
  const runtime::Spot& o = p.origins[origin].at;
  return o.line ? fmt::format("{}:{}:{}", o.path.text(), o.line, o.column) : "";
}

std::string at(const runtime::Program& p, runtime::Index origin) {
  const std::string where = place(p, origin);
  return where.empty() ? "" : "  (" + where.substr(where.rfind('/') + 1) + ")";
}

std::string text_of(const runtime::Program& p, runtime::Index origin) {
  return origin == runtime::none ? "" : std::string(p.origins[origin].text);
}

std::string value_of(const runtime::Variable& variable, double value, const std::vector<std::string>& strings) {
  switch (variable.type) {
    case runtime::Type::boolean: return value != 0 ? "true" : "false";
    case runtime::Type::integer: return fmt::format("{:.0f}", value);
    case runtime::Type::enumeration: {
      const bool known = value >= 1 && value <= double(variable.literals.size());
      return known ? variable.literals[std::size_t(value) - 1] : fmt::format("{:g}", value);
    }
    case runtime::Type::string: return fmt::format("\"{}\"", value >= 0 && value < double(strings.size()) ? strings[std::size_t(value)] : "");
    default: return fmt::format("{:.6g}", value + 0.0);  // no -0
  }
}

const char* name_of(runtime::Kind kind) {
  switch (kind) {
    case runtime::Kind::state: return "state";
    case runtime::Kind::derivative: return "derivative";
    case runtime::Kind::algebraic: return "algebraic";
    case runtime::Kind::discrete: return "discrete";
    case runtime::Kind::parameter: return "parameter";
    case runtime::Kind::constant: return "constant";
  }
  return "";
}

const char* name_of(runtime::Type type) {
  switch (type) {
    case runtime::Type::real: return "Real";
    case runtime::Type::integer: return "Integer";
    case runtime::Type::boolean: return "Boolean";
    case runtime::Type::enumeration: return "enumeration";
    case runtime::Type::string: return "String";
  }
  return "";
}

std::size_t crossing_functions(const runtime::Program& p) {
  const auto quiet = std::count_if(p.relations.begin(), p.relations.end(), [](const runtime::Relation& r) { return r.quiet; });
  return p.relations.size() - std::size_t(quiet) + p.event_functions.size();
}

std::size_t number_of(const runtime::Program& p, runtime::Index relation) {
  return relation + 1 + (p.relations[relation].quiet ? p.event_functions.size() : 0);
}

std::string plural(std::uint64_t n, std::string_view one) { return fmt::format("{} {}{}", n, one, n == 1 ? "" : "s"); }

void append_wrapped(std::vector<std::string>& lines, const std::string& line, std::size_t columns, std::size_t indent) {
  std::string rest = line;
  const auto is_continued = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; };
  while (true) {
    // Columns, not bytes; what is narrower than the indentation and some words is not worth a break.
    std::size_t end = 0, width = 0;
    while (end < rest.size() && width < std::max(columns, indent + 20)) {
      do ++end;
      while (end < rest.size() && is_continued(rest[end]));
      ++width;
    }
    std::size_t gap = end < rest.size() ? rest.rfind(' ', end) : std::string::npos;
    const std::size_t words = rest.find_first_not_of(' ');
    if (end == rest.size() || gap == std::string::npos || gap <= words) gap = end < rest.size() ? rest.find(' ', end) : std::string::npos;
    if (gap == std::string::npos) break;
    lines.push_back(rest.substr(0, rest.find_last_not_of(' ', gap) + 1));
    const std::size_t next = rest.find_first_not_of(' ', gap);
    if (next == std::string::npos) return;
    rest = std::string(indent, ' ') + rest.substr(next);
  }
  lines.push_back(rest);
}

std::string wrapped(const std::string& text, std::size_t columns, std::size_t indent) {
  std::vector<std::string> lines;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    append_wrapped(lines, text.substr(from, end - from), columns, indent);
    from = end + 1;
  }
  std::string result;
  for (const std::string& line : lines) result += line + "\n";
  return result;
}

}  // namespace mosim::report
