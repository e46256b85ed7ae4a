#pragma once
// What a syntax error says. Knows the language's tokens, but not the grammar and not PEGTL.

#include <cstdint>
#include <string_view>
#include <vector>

#include "parser/diagnostic.hpp"
#include "parser/keywords.hpp"

namespace mosim::parser {

/// What the grammar asked for and did not find.
struct Expectation {
  enum class Missing : std::uint8_t {
    other,               // `what`, where it is missing
    name, declaration_name, class_or_component, expression, operand, argument, class_definition, end_of_file,
    semicolon, closing, keyword, block_end, class_end,
    equation_rest,       // '=' behind the left side
    statement_rest,      // ':=' or '(' behind the component reference
    string_end, quote_end, escape
  };
  Missing missing = Missing::other;
  std::string_view what;   // "';'", "an expression"
  std::string_view after;  // "the equation": what just ended; may be empty
};

/// Something that was opened and must be closed: a bracket, or a block with the keyword that opened it.
struct Opening {
  const char* at;
  char bracket;     // '(', '[', '{', or 0
  Keyword keyword;  // if, for, while, when, or none
  bool braces = false;  // a block that was opened as in C
};

/// What part of a class the parser is in.
enum class Section : std::uint8_t { none, elements, equations, algorithm, ended };

/// Where the parser stood when it had to give up.
struct Situation {
  const Source& source;
  const char* at;           // the token that does not fit
  const char* token_begin;  // of the token before it
  const char* token_end;
  const std::vector<Opening>& openings;
  Section section = Section::none;
  std::string_view class_name = {};   // of the innermost open class
  const char* class_at = nullptr;
  bool in_function = false, in_package = false;
  const char* section_at = nullptr;  // the keyword that began the section
  const char* item_at = nullptr;     // where the element, equation or statement began that is being read
};

/// How reading goes on after an error.
enum class Resume : std::uint8_t {
  behind_item,   // what is being read is left out
  here,          // something is missing; what stands there goes on
  behind_token,  // what stands there is left out
  line_end,      // the rest of the line is a comment of another language
  next_line,     // so is a string whose quote is missing
  as_keyword,    // a word stands for a keyword
  as_equations, as_statements,                     // a section begins whose keyword is missing
  as_declaration, as_equation, as_statement,       // one of these stands among others
  end_of_class,  // the end of the class is missing
  nowhere        // what follows cannot be told apart
};

/// A syntax error on its way out of the parser.
struct SyntaxError {
  Diagnostic diagnostic;
  const char* at;                        // how far the text has been read
  Resume resume = Resume::behind_item;
  std::string_view word = {};            // as_keyword: it, in the text
  Keyword keyword = Keyword::none;       // as_keyword: what it stands for
  std::string_view family = {};          // errors of one family are one
};

SyntaxError explain(const Situation& situation, const Expectation& expectation);

/// The place of a stretch of a source's text.
inline Place place_of(const Source& source, const char* begin, const char* end) {
  const auto offset = [&](const char* p) { return source.begin + static_cast<std::uint32_t>(p - source.text.data()); };
  return {offset(begin), offset(end)};
}

}  // namespace mosim::parser
