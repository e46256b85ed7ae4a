#include "cli/verification.hpp"

#include <fmt/format.h>

#include <cmath>

#include "report/wording.hpp"

namespace mosim::cli {

using namespace report;

namespace {
std::string place(const Residual& r) { return r.place.line == 0 ? "" : fmt::format("  ({}:{})", r.place.file, r.place.line); }
}  // namespace

std::string verification(const Verification& r, std::size_t columns) {
  std::string text = fmt::format("  verified    {} at {}", plural(r.equations, "equation"), plural(r.rows, "row"));
  if (!r.violated.empty()) text += fmt::format(": {} of them do NOT hold", r.violated.size());
  if (r.worst)
    text += fmt::format("; the largest residual that rounding explains is {:.2g} of the terms of `{}`{} at {:.6g} s", r.worst->difference == 0 ? 0 : r.worst->difference / r.worst->size,
                        r.worst->equation, place(*r.worst), r.worst->time);
  std::string unchecked;
  for (const auto& [why, count] : r.unchecked) unchecked += fmt::format("{}{} {}", unchecked.empty() ? "" : ", ", count, why);
  if (!unchecked.empty()) text += "; not looked at: " + unchecked;
  constexpr std::size_t margin = 14;
  return columns == 0 ? text + "\n" : wrapped(text, columns, margin);
}

std::string render(const Residual& r) {
  const std::string where = r.place.line == 0 ? "" : fmt::format("{}:{}: ", r.place.file, r.place.line);
  if (!(r.size > 0)) return fmt::format("{}error: at time {:.9g}: `{}` does not hold\n", where, r.time, r.equation);
  return fmt::format("{}error: at time {:.9g}: the sides of `{}` differ by {:.3g}, where their terms are of the size {:.3g}\n", where, r.time, r.equation,
                     r.difference, r.size);
}

}  // namespace mosim::cli
