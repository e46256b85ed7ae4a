#include "cli/verification.hpp"

#include <fmt/format.h>

#include <cmath>

#include "report/wording.hpp"

namespace mosim::cli {

using namespace report;

namespace {
std::string place(const verify::Finding& f) { return f.line == 0 ? "" : fmt::format("  ({}:{})", f.path, f.line); }
}  // namespace

std::string verification(const verify::Report& r, std::size_t columns) {
  std::string text = fmt::format("  verified    {} at {}", plural(r.equations, "equation"), plural(r.rows, "row"));
  if (!r.violated.empty()) text += fmt::format(": {} of them do NOT hold", r.violated.size());
  if (!r.worst.text.empty())
    text += fmt::format("; the largest residual that rounding explains is {:.2g} of the terms of `{}`{} at {:.6g} s", r.worst.part(),
                        r.worst.text, place(r.worst), r.worst.time);
  std::string unchecked;
  for (const auto& [why, count] : r.unchecked) unchecked += fmt::format("{}{} {}", unchecked.empty() ? "" : ", ", count, why);
  if (!unchecked.empty()) text += "; not looked at: " + unchecked;
  constexpr std::size_t margin = 14;
  return columns == 0 ? text + "\n" : wrapped(text, columns, margin);
}

std::string render(const verify::Finding& f) {
  const std::string where = f.line == 0 ? "" : fmt::format("{}:{}: ", f.path, f.line);
  if (!(f.size > 0)) return fmt::format("{}error: at time {:.9g}: `{}` does not hold\n", where, f.time, f.text);
  return fmt::format("{}error: at time {:.9g}: the sides of `{}` differ by {:.3g}, where their terms are of the size {:.3g}\n", where, f.time, f.text,
                     f.residual, f.size);
}

}  // namespace mosim::cli
