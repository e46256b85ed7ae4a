#include "native/scanner.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>

#include "native/call.hpp"
#include "native/extreme.hpp"

namespace mosim::native {

void Scanner::skip_line() {
  const std::size_t end = text.find('\n', at);
  at = end == std::string_view::npos ? text.size() : end + 1;
}

void Scanner::fail(std::size_t where, const std::string& why) const {
  where = std::min(where, text.size());
  const std::size_t line = 1 + static_cast<std::size_t>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(where), '\n'));
  const std::size_t before = where == 0 ? std::string_view::npos : text.rfind('\n', where - 1);
  const std::size_t column = where - (before == std::string_view::npos ? 0 : before + 1) + 1;
  throw Error(file + ":" + std::to_string(line) + ":" + std::to_string(column) + ": " + why);
}

double Scanner::number(std::string_view ends, const std::string& what) {
  const std::size_t begin = at;
  std::size_t digits = at + (peek() == '+' || peek() == '-' ? 1 : 0);
  const char first = digits < text.size() ? text[digits] : '\0';
  double value = 0;
  bool good = (first >= '0' && first <= '9') || first == '.';
  if (good) {
    const char* const from = text.data() + (peek() == '+' ? digits : at);
    const auto [end, error] = std::from_chars(from, text.data() + text.size(), value);
    at = static_cast<std::size_t>(end - text.data());
    if (error == std::errc::result_out_of_range) {
      value = extreme(text.substr(begin, at - begin));
      if (std::isinf(value)) fail(begin, "the number is too large for a Real");
    } else {
      good = error == std::errc();
    }
    good = good && (is_end() || ends.find(text[at]) != std::string_view::npos);
  }
  if (good) return value;
  const std::size_t end = std::min(text.find_first_of(ends, begin), text.size());
  std::string word(text.substr(begin, std::min<std::size_t>(end - begin, 40)));
  fail(begin, (word.empty() ? "nothing stands here" : "\"" + word + "\" is no number") + ": " + what);
}

}  // namespace mosim::native
