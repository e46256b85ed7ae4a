#pragma once
// Decimal numbers beyond the range of std::from_chars.

#include <cstdlib>
#include <locale.h>
#include <string>
#include <string_view>

namespace mosim::native {

/// The nearest double: an infinity, 0, or one of the smallest. Whatever the host's locale is.
inline double extreme(std::string_view number) {
  static const locale_t plain = ::newlocale(LC_ALL_MASK, "C", locale_t(nullptr));
  return ::strtod_l(std::string(number).c_str(), nullptr, plain);
}

}  // namespace mosim::native
