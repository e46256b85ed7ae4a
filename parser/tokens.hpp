#pragma once
// A small tokenizer for error messages: it takes a text apart where the grammar could not.

#include <string>
#include <string_view>
#include <vector>

#include "parser/keywords.hpp"

namespace mosim::parser {

struct Token {
  enum class Kind : std::uint8_t { end, name, keyword, number, string, symbol, stray };
  Kind kind = Kind::end;
  Keyword keyword = Keyword::none;
  std::string_view text;  // a view into the source

  const char* begin() const { return text.data(); }
  const char* end() const { return text.data() + text.size(); }
  bool is(std::string_view symbol) const { return kind == Kind::symbol && text == symbol; }
  bool is(Keyword k) const { return kind == Kind::keyword && keyword == k; }
  bool is_end_of_file() const { return kind == Kind::end; }
};

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The first character at or behind `at` that is no white space and in no comment.
const char* skip_space(const char* at, const char* end);

/// The token that begins at or behind `at`. Symbols are those of Modelica and, whole, those of C: "!=", "&&", "+=".
/// A stray token is one character that begins no token, as many bytes as it has.
Token token_at(const char* at, const char* end);

/// As a message names it: 'end M', 'x', a string, the end of the file.
std::string described(const Token& token, const char* end);

/// The tokens of [begin, at) behind the last ";" or section or branch keyword.
std::vector<Token> statement_before(const char* begin, const char* at);

}  // namespace mosim::parser
