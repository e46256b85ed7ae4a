#include "engine/render.hpp"

#include <fmt/format.h>

namespace mosim::engine {

namespace {

std::string caret(const runtime::Spot& o) {
  if (!o.line || o.line_text.empty()) return "";
  const std::string& line = o.line_text;
  std::string under;
  for (std::uint32_t c = 1; c < o.column && c <= line.size(); ++c) under += line[c - 1] == '\t' ? '\t' : ' ';
  const std::uint32_t n = o.end_column > o.column ? o.end_column - o.column : 1;
  under += "^" + std::string(n - 1, '~');
  return fmt::format("  {}\n  {}\n", line, under);
}

}  // namespace

std::string render(const runtime::Message& m, const runtime::Program& p) {
  std::string out;
  const runtime::Spot* const at = m.origin == runtime::none ? nullptr : &p.origins[m.origin].at;
  if (at && at->line) out += fmt::format("{}:{}:{}: ", at->path.text(), at->line, at->column);
  out += m.severity == runtime::Severity::error ? "error: " : "warning: ";
  out += fmt::format("at time {}: {}\n", m.time, m.cause);
  if (at) out += caret(*at);
  if (!m.remedy.empty()) out += "  remedy: " + m.remedy + "\n";
  return out;
}

}  // namespace mosim::engine
