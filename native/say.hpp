#pragma once
// How messages write numbers and sizes.

#include <charconv>
#include <cstddef>
#include <string>

namespace mosim::native {

/// The shortest digits that read back to the same number.
inline std::string say(double value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

inline std::string say_size(std::size_t rows, std::size_t columns) {
  return std::to_string(rows) + " x " + std::to_string(columns);
}

}  // namespace mosim::native
