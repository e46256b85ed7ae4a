#include "parser/tokens.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace mosim::parser {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/// The end of a quoted stretch, behind its closing quote; the end of the text, or of a quoted name's line, when it has none.
const char* quoted_end(const char* at, const char* end) {
  const char quote = *at++;
  const auto stops = [&](char c) { return c == quote || (quote == '\'' && (c == '\n' || c == '\r')); };
  while (at < end && !stops(*at)) at += *at == '\\' && at + 1 < end ? 2 : 1;
  return at < end && *at == quote ? at + 1 : at;
}

const char* number_end(const char* at, const char* end) {
  const auto digits = [&] {
    while (at < end && is_digit(*at)) ++at;
  };
  digits();
  if (at < end && *at == '.') {
    ++at;
    digits();
  }
  if (at < end && (*at == 'e' || *at == 'E')) {
    const char* exponent = at + 1;
    if (exponent < end && (*exponent == '+' || *exponent == '-')) ++exponent;
    if (exponent < end && is_digit(*exponent)) {
      at = exponent;
      digits();
    }
  }
  return at;
}

// Longer ones first.
constexpr std::array<std::string_view, 37> symbols = {
    "!=", "&&", "||", "+=", "-=", "*=", "/=", "++", "--", "**", "->", ":=", "==", "<=", ">=", "<>", ".+", ".-", ".*",
    "./", ".^", "+",  "-",  "*",  "/",  "^",  "=",  "<",  ">",  "(",  ")",  "[",  "]",  "{",  "}",  ",",  ";"};

}  // namespace

const char* skip_space(const char* at, const char* end) {
  while (at < end) {
    if (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r') {
      ++at;
    } else if (*at == '/' && at + 1 < end && at[1] == '/') {
      at = std::find_if(at, end, [](char c) { return c == '\n' || c == '\r'; });
    } else if (*at == '/' && at + 1 < end && at[1] == '*') {
      const std::string_view rest(at + 2, static_cast<std::size_t>(end - at - 2));
      const std::size_t close = rest.find("*/");
      at = close == std::string_view::npos ? end : rest.data() + close + 2;
    } else {
      break;
    }
  }
  return at;
}

Token token_at(const char* at, const char* end) {
  at = skip_space(at, end);
  const auto token = [&](Token::Kind kind, const char* stop) {
    return Token{kind, Keyword::none, {at, static_cast<std::size_t>(stop - at)}};
  };
  if (at == end) return token(Token::Kind::end, end);
  if (is_letter(*at)) {
    Token word = token(Token::Kind::name, std::find_if(at, end, [](char c) { return !is_letter(c) && !is_digit(c); }));
    word.keyword = find_keyword(word.text);
    if (word.keyword != Keyword::none) word.kind = Token::Kind::keyword;
    return word;
  }
  if (is_digit(*at) || (*at == '.' && at + 1 < end && is_digit(at[1])))
    return token(Token::Kind::number, number_end(at, end));
  if (*at == '"') return token(Token::Kind::string, quoted_end(at, end));
  if (*at == '\'') return token(Token::Kind::name, quoted_end(at, end));
  const std::string_view rest(at, static_cast<std::size_t>(end - at));
  for (const std::string_view symbol : symbols) {
    if (rest.substr(0, symbol.size()) == symbol) return token(Token::Kind::symbol, at + symbol.size());
  }
  for (const char symbol : {'.', ':', '!', '&', '|', '%', '?'}) {
    if (*at == symbol) return token(Token::Kind::symbol, at + 1);
  }
  const char* stop = at + 1;  // a whole character, however many bytes it has
  while (stop < end && stop - at < 4 && (static_cast<unsigned char>(*at) & 0x80) &&
         (static_cast<unsigned char>(*stop) & 0xC0) == 0x80) {
    ++stop;
  }
  return token(Token::Kind::stray, stop);
}

std::string described(const Token& token, const char* end) {
  switch (token.kind) {
    case Token::Kind::end: return "the end of the file";
    case Token::Kind::string: return "a string";
    default: break;
  }
  if (token.is(Keyword::end)) {
    const Token next = token_at(token.end(), end);
    if (next.kind == Token::Kind::name || next.kind == Token::Kind::keyword) return fmt::format("'end {}'", next.text);
  }
  if (token.kind == Token::Kind::name && token.text.front() == '\'') return std::string(token.text);
  return fmt::format("'{}'", token.text);
}

std::vector<Token> statement_before(const char* begin, const char* at) {
  constexpr KeywordSet beginnings = keyword_set(Keyword::equation, Keyword::algorithm, Keyword::public_,
                                                Keyword::protected_, Keyword::then, Keyword::else_, Keyword::loop);
  std::vector<Token> tokens;
  for (Token token = token_at(begin, at); !token.is_end_of_file(); token = token_at(token.end(), at)) {
    if (token.is(";") || (token.kind == Token::Kind::keyword && contains(beginnings, token.keyword))) {
      tokens.clear();
    } else {
      tokens.push_back(token);
    }
  }
  return tokens;
}

}  // namespace mosim::parser
