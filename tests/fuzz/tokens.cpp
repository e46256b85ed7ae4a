#include "tests/fuzz/tokens.hpp"

#include <algorithm>
#include <cctype>

namespace mosim::fuzz {

namespace {

constexpr std::string_view keywords[] = {
    "algorithm", "and", "annotation", "assert", "block", "break", "class", "connect", "connector", "constant", "constrainedby", "der",
    "discrete", "each", "else", "elseif", "elsewhen", "encapsulated", "end", "enumeration", "equation", "expandable", "extends",
    "external", "false", "final", "flow", "for", "function", "if", "import", "impure", "in", "initial", "inner", "input", "loop", "model",
    "not", "operator", "or", "outer", "output", "package", "parameter", "partial", "protected", "public", "pure", "record", "redeclare",
    "replaceable", "return", "stream", "then", "true", "type", "when", "while", "within"};

bool letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool digit(char c) { return c >= '0' && c <= '9'; }

// Up to the quote that ends it, or to the end of the text.
std::size_t end_of_quoted(std::string_view text, std::size_t at) {
  const char quote = text[at++];
  while (at < text.size() && text[at] != quote) at += text[at] == '\\' ? 2 : 1;
  return std::min(at + 1, text.size());
}

std::size_t end_of_number(std::string_view text, std::size_t at) {
  const auto digits = [&] { while (at < text.size() && digit(text[at])) ++at; };
  digits();
  if (at < text.size() && text[at] == '.') ++at, digits();
  if (at + 1 < text.size() && (text[at] == 'e' || text[at] == 'E') &&
      (digit(text[at + 1]) || (at + 2 < text.size() && (text[at + 1] == '-' || text[at + 1] == '+') && digit(text[at + 2]))))
    at += 2, digits();
  return at;
}

std::size_t end_of_blank(std::string_view text, std::size_t at) {
  for (;;) {
    while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at]))) ++at;
    if (text.substr(at, 2) == "//")
      at = std::min(text.find('\n', at), text.size());
    else if (text.substr(at, 2) == "/*")
      at = text.find("*/", at) == std::string_view::npos ? text.size() : text.find("*/", at) + 2;
    else
      return at;
  }
}

bool opens(const Token& t) { return t.text == "(" || t.text == "[" || t.text == "{"; }
bool closes(const Token& t) { return t.text == ")" || t.text == "]" || t.text == "}"; }

// Before what stands after these a line begins.
bool precedes_line(const Token& t) {
  return t.text == ";" || t.text == "equation" || t.text == "algorithm" || t.text == "then" || t.text == "loop" || t.text == "else" ||
         t.text == "public" || t.text == "protected";
}

bool begins_block(const Tokens& tokens, std::size_t at) {
  static constexpr std::string_view words[] = {"if", "for", "when", "while", "model", "class", "block", "record", "function", "package", "connector"};
  if (std::find(std::begin(words), std::end(words), tokens[at].text) == std::end(words)) return false;
  return at == 0 || tokens[at - 1].text != "end";
}

}  // namespace

bool is_keyword(std::string_view word) { return std::binary_search(std::begin(keywords), std::end(keywords), word); }

Tokens tokens_of(std::string_view text) {
  Tokens tokens;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = end_of_blank(text, at);
    std::string blank(text.substr(at, begin - at));
    if (begin == text.size()) break;
    const char c = text[begin];
    std::size_t end = begin + 1;
    Kind kind = Kind::sign;
    if (letter(c)) {
      while (end < text.size() && (letter(text[end]) || digit(text[end]))) ++end;
      kind = is_keyword(text.substr(begin, end - begin)) ? Kind::keyword : Kind::name;
    } else if (digit(c) || (c == '.' && end < text.size() && digit(text[end]))) {
      end = std::max(end, end_of_number(text, begin));
      kind = Kind::number;
    } else if (c == '"' || c == '\'') {
      end = end_of_quoted(text, begin);
      kind = c == '"' ? Kind::string : Kind::name;
    } else {
      static constexpr std::string_view pairs[] = {":=", "==", "<>", "<=", ">=", ".+", ".-", ".*", "./", ".^"};
      if (std::find(std::begin(pairs), std::end(pairs), text.substr(begin, 2)) != std::end(pairs)) ++end;
    }
    tokens.push_back({kind, std::string(text.substr(begin, end - begin)), std::move(blank)});
    at = end;
  }
  return tokens;
}

std::string text_of(const Tokens& tokens) {
  std::string text;
  for (const Token& t : tokens) {
    // What was put side by side must stay apart.
    const bool touches = t.blank.empty() && !text.empty() && t.kind != Kind::sign && (std::isalnum(static_cast<unsigned char>(text.back())) || text.back() == '_');
    text += touches ? " " : t.blank;
    text += t.text;
  }
  return text + "\n";
}

Span group_at(const Tokens& tokens, std::size_t at) {
  if (at >= tokens.size() || !opens(tokens[at])) return {at, std::min(at + 1, tokens.size())};
  int depth = 0;
  for (std::size_t k = at; k < tokens.size(); ++k) {
    depth += opens(tokens[k]) - closes(tokens[k]);
    if (depth == 0) return {at, k + 1};
  }
  return {at, at + 1};
}

Span line_at(const Tokens& tokens, std::size_t at) {
  if (tokens.empty()) return {};
  at = std::min(at, tokens.size() - 1);
  int depth = 0;
  std::size_t first = at;
  while (first > 0 && !(depth >= 0 && precedes_line(tokens[first - 1]))) {
    --first;
    depth += closes(tokens[first]) - opens(tokens[first]);
    if (at - first > 400) break;
  }
  std::size_t last = at;
  while (last < tokens.size() && tokens[last].text != ";" && last - at < 400) ++last;
  return {first, std::min(last + 1, tokens.size())};
}

Span block_at(const Tokens& tokens, std::size_t at) {
  if (tokens.empty()) return {};
  at = std::min(at, tokens.size() - 1);
  std::size_t first = at + 1;
  while (first > 0 && !begins_block(tokens, first - 1)) --first;
  if (first == 0) return line_at(tokens, at);
  --first;
  int depth = 0;
  for (std::size_t k = first; k < tokens.size(); ++k) {
    if (begins_block(tokens, k)) ++depth;
    if (tokens[k].text == "end" && --depth == 0) {
      while (k < tokens.size() && tokens[k].text != ";") ++k;
      return {first, std::min(k + 1, tokens.size())};
    }
  }
  return line_at(tokens, at);
}

}  // namespace mosim::fuzz
