#pragma once
// Goes through a text that holds numbers; what it complains about it names by line and column.

#include <cstddef>
#include <string>
#include <string_view>

namespace mosim::native {

struct Scanner {
  std::string_view text;
  std::string file;  ///< for messages
  std::size_t at = 0;

  bool is_end() const { return at >= text.size(); }
  char peek() const { return is_end() ? '\0' : text[at]; }
  void skip_line();

  /// A number in the syntax of C, with an optional sign, that ends where `ends` says or the text does.
  /// `what`: what it is to be, for the Error.
  double number(std::string_view ends, const std::string& what);

  /// An Error with the place, the current one or another.
  [[noreturn]] void fail(const std::string& why) const { fail(at, why); }
  [[noreturn]] void fail(std::size_t where, const std::string& why) const;
};

}  // namespace mosim::native
