#include "cli/plot/style.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace mosim::cli {

namespace {

template <class Number>
std::optional<Number> number_in(std::string_view text) {
  Number n{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(n) : std::nullopt;
}

}  // namespace

std::optional<PictureStyle::Size> picture_size(const std::string& text) {
  const std::size_t x = text.find_first_of("xX");
  if (x == std::string::npos) return {};
  const std::string_view whole = text;
  const auto width = number_in<int>(whole.substr(0, x)), height = number_in<int>(whole.substr(x + 1));
  if (!width || !height || std::min(*width, *height) < 100 || std::max(*width, *height) > 10000) return {};
  return PictureStyle::Size{*width, *height};
}

std::optional<std::string> set_font(PictureStyle& style, const std::string& text) {
  const std::size_t comma = text.rfind(',');
  const std::string_view whole = text, behind = whole.substr(comma == std::string::npos ? 0 : comma + 1);
  std::string_view family = whole.substr(0, comma);
  if (const auto size = number_in<double>(behind)) {
    if (!(*size >= 4 && *size <= 200)) return "its size is in pixels, between 4 and 200";
    style.font_size = *size;
    if (comma == std::string::npos) family = {};
  } else if (comma != std::string::npos) {
    return "is written as a name, a size in pixels, or both: 'DejaVu Serif,20'";
  }
  // A name of fontconfig's, without what gnuplot or an SVG would take for something else.
  const auto is_letter = [](unsigned char c) { return c >= 0x80 || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == ' ' || c == '-'; };
  if (!std::all_of(family.begin(), family.end(), is_letter)) return "has a name of letters, digits, blanks and hyphens";
  style.font = family;
  return {};
}

}  // namespace mosim::cli
