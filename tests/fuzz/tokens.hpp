#pragma once
// A text as tokens, mended or not: whatever stands in it is some token, so that broken texts can be mutated too.

#include <string>
#include <string_view>
#include <vector>

namespace mosim::fuzz {

enum class Kind { name, keyword, number, string, sign };

struct Token {
  Kind kind;
  std::string text;
  std::string blank;   // what stands before it: white space and comments
};
using Tokens = std::vector<Token>;

bool is_keyword(std::string_view word);
Tokens tokens_of(std::string_view text);
std::string text_of(const Tokens& tokens);

/// The stretch [first, last) of tokens.
struct Span {
  std::size_t first = 0, last = 0;
  std::size_t size() const { return last - first; }
};
/// What a bracket at `at` encloses, brackets included; the token alone if it is no opening bracket or has no partner.
Span group_at(const Tokens& tokens, std::size_t at);
/// The element, equation or statement around `at`, up to its semicolon, as far as brackets and keywords tell.
Span line_at(const Tokens& tokens, std::size_t at);
/// The if, for, when, while or class around `at` with its end; the line if there is none.
Span block_at(const Tokens& tokens, std::size_t at);

}  // namespace mosim::fuzz
