#pragma once
// What people write who know another language better: its comments, numbers and keywords. Works on tokens alone.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parser/syntax_error.hpp"
#include "parser/tokens.hpp"

namespace mosim::parser {

/// Whether `at` is the first thing on its line; `begin` is where the text begins.
bool first_on_line(const char* at, const char* begin);

/// Whether the token begins a comment of another language: '#' anywhere; '%' and '--' where nothing could follow them.
bool begins_foreign_comment(const Token& token, const Token& before, const char* text_begin);

/// "2,5": a number whose decimals stand behind a comma.
struct DecimalComma {
  std::string_view text;
  std::string corrected;
};
/// Looks for one with its comma at `comma`.
std::optional<DecimalComma> decimal_comma(const char* comma, const char* text_begin, const char* text_end);

/// A unit without its prefix, and the number that goes with it: 5 km are 5e3 m.
struct UnitAndNumber {
  std::string unit;
  std::string number;
};
/// What a word behind a number is if it is a unit: V, km, m/s.
std::optional<UnitAndNumber> unit_of(std::string_view word, std::string_view number);

/// A word that stands for a keyword: misspelt, in other letters, or from another language.
struct Misspelt {
  std::string_view word;   // what stands for it; of 'endif' the first three letters
  std::string_view whole;  // all of it
  Keyword keyword = Keyword::none;
};
/// Where one is looked for.
struct Surroundings {
  Section section = Section::none;
  bool in_block = false;
  std::string_view class_name;   // of the class that is open
  const char* begin;             // of the text
  const char* end;
};
/// Looks for one in an element, equation or statement whose tokens before the one that does not fit are `item`.
/// At the top level `item` is empty.
std::optional<Misspelt> misspelt_keyword(const std::vector<Token>& item, const Token& found, const Surroundings& around);

/// "equations" and the like behind 'initial'; none for anything else.
Keyword means_section(const Token& token);

/// A word that is meant to be the given keyword.
bool means(const Token& token, Keyword keyword);

/// "elif" and the like in an if-expression.
bool means_elseif(const Token& token);

/// The keyword that a word is in capitals or mixed case; none if it is none, or one as it should be.
Keyword keyword_in_other_case(std::string_view word);

}  // namespace mosim::parser
