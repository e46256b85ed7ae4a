#pragma once
// The parser's input: a PEGTL memory input that skips white space behind each token and classifies each word once.
// The text of a source ends with a null character, so that looking at the next character needs no test for the end.

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include <tao/pegtl.hpp>

#include "parser/keywords.hpp"
#include "parser/parse.hpp"
#include "parser/syntax_error.hpp"

namespace mosim::parser {

namespace characters {

inline constexpr std::uint8_t letter = 1, digit = 2, space = 4;

inline constexpr std::array<std::uint8_t, 256> classes = [] {
  std::array<std::uint8_t, 256> table{};
  for (unsigned c = 'a'; c <= 'z'; ++c) table[c] = table[c - 'a' + 'A'] = letter;
  table['_'] = letter;
  for (unsigned c = '0'; c <= '9'; ++c) table[c] = digit;
  for (const unsigned c : {' ', '\t', '\n', '\r'}) table[c] = space;
  return table;
}();

inline bool is(char c, std::uint8_t set) { return (classes[static_cast<unsigned char>(c)] & set) != 0; }

}  // namespace characters

class Input : public tao::pegtl::memory_input<tao::pegtl::tracking_mode::lazy, tao::pegtl::eol::lf_crlf, const char*> {
public:
  using action_t = tao::pegtl::internal::action_input<Input>;

  explicit Input(const Source& source)
      : memory_input(source.text.data(), source.text.data() + source.text.size(), ""), source_(source) {
    token_begin = token_end = current();
  }

  const Source& source() const { return source_; }

  /// The keyword at the current position: none for anything else.
  Keyword keyword() {
    if (word_at_ != current()) classify();
    return word_keyword_;
  }
  /// Whether a word stands here that is no keyword.
  bool at_identifier() { return keyword() == Keyword::none && word_end_ != current(); }

  void accept_word() {
    const char* end = word_end_;
    if (end == current()) word_at_ = nullptr;  // a keyword that is missing: it counts once
    accept(end);
  }
  /// Lets a word from here to `end`, or nothing, stand for a keyword.
  void stand_in(Keyword keyword, const char* end) {
    word_at_ = current();
    word_end_ = end;
    word_keyword_ = keyword;
  }
  /// The end of the word here, as `keyword` takes it.
  const char* word_end() {
    if (word_at_ != current()) classify();
    return word_end_;
  }
  /// Ends a token, and skips the white space and the comments behind it.
  void accept(const char* end) {
    token_begin = current();
    token_end = end;
    iterator() = skip(end);
  }
  /// Ends a token that PEGTL has matched up to here.
  void accept_from(const char* begin) {
    token_begin = begin;
    token_end = current();
    iterator() = skip(token_end);
  }
  void skip_byte_order_mark() {
    if (size() >= 3 && std::memcmp(current(), "\xEF\xBB\xBF", 3) == 0) iterator() += 3;
    token_begin = token_end = current();
  }
  void skip_space() { iterator() = skip(current()); }

  /// The first character behind the white space and the comments at p.
  const char* skip(const char* p) const {
    for (;;) {
      while (characters::is(*p, characters::space)) ++p;
      if (*p != '/') return p;
      if (p[1] == '/') {
        p += 2;
        while (*p != '\n' && *p != '\r' && (*p != '\0' || p != end())) ++p;
      } else if (p[1] == '*') {
        p = skip_comment(p);
      } else {
        return p;
      }
    }
  }

  /// The end of the word at p; p itself when there is none.
  static const char* word_end(const char* p) {
    if (!characters::is(*p, characters::letter)) return p;
    while (characters::is(*p, characters::letter | characters::digit)) ++p;
    return p;
  }
  static Keyword keyword_at(const char* p) {
    return find_keyword(std::string_view(p, static_cast<std::size_t>(word_end(p) - p)));
  }
  /// The end of the identifier or keyword at the current position, plain or quoted; the position when there is none.
  const char* identifier_end() {
    if (*current() != '\'') return at_identifier() ? word_end_ : current();
    const char* p = current() + 1;
    while (*p != '\'' && *p != '\n' && p != end()) p += *p == '\\' && p + 1 != end() ? 2 : 1;
    return *p == '\'' ? p + 1 : current();
  }

  [[noreturn]] void fail(const char* begin, const char* end, std::string cause, std::string remedy = {},
                         std::vector<Note> notes = {}) const {
    throw SyntaxError{{Severity::error, place_of(source_, begin, end), std::move(cause), std::move(remedy),
                       std::move(notes)}, std::max(current(), end)};
  }
  /// The same where nothing behind it can be read.
  [[noreturn]] void give_up(const char* begin, const char* end, std::string cause, std::string remedy) const {
    throw SyntaxError{{Severity::error, place_of(source_, begin, end), std::move(cause), std::move(remedy), {}}, end,
                      Resume::nowhere};
  }

  const char* token_begin;  // the last token
  const char* token_end;
  int depth = 0;             // of nesting
  int subscript_depth = 0;   // more than 0: `end` is an expression
  std::vector<Opening> openings;

private:
  void classify() {
    word_at_ = current();
    word_end_ = word_end(word_at_);
    word_keyword_ = find_keyword(std::string_view(word_at_, static_cast<std::size_t>(word_end_ - word_at_)));
  }
  const char* skip_comment(const char* begin) const {
    for (const char* p = begin + 2;; ++p) {
      p = static_cast<const char*>(std::memchr(p, '*', static_cast<std::size_t>(end() - p)));
      if (!p) give_up(begin, begin + 2, "the comment that begins here does not end", "close it with '*/'");
      if (p[1] == '/') return p + 2;
    }
  }

  const Source& source_;
  const char* word_at_ = nullptr;
  const char* word_end_ = nullptr;
  Keyword word_keyword_ = Keyword::none;
};

}  // namespace mosim::parser
