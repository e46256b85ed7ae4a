#pragma once
// Explains one syntax error. Its parts: slips.cpp (by the tokens alone), explain_expected.cpp (by what was expected),
// explain_lists.cpp (in lists of elements, equations and statements, and at their ends).

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "parser/foreign.hpp"
#include "parser/resume.hpp"
#include "parser/syntax_error.hpp"
#include "parser/tokens.hpp"

namespace mosim::parser {

inline constexpr KeywordSet declaration_keywords = keyword_set(
    Keyword::import_, Keyword::extends, Keyword::redeclare, Keyword::final_, Keyword::inner, Keyword::outer,
    Keyword::replaceable, Keyword::encapsulated, Keyword::partial, Keyword::class_, Keyword::model, Keyword::record,
    Keyword::operator_, Keyword::block, Keyword::expandable, Keyword::connector, Keyword::type, Keyword::package,
    Keyword::pure, Keyword::impure, Keyword::function, Keyword::flow, Keyword::stream, Keyword::discrete,
    Keyword::parameter, Keyword::constant, Keyword::input, Keyword::output);
inline constexpr KeywordSet prefix_keywords = keyword_set(
    Keyword::redeclare, Keyword::final_, Keyword::inner, Keyword::outer, Keyword::replaceable, Keyword::flow,
    Keyword::stream, Keyword::discrete, Keyword::parameter, Keyword::constant, Keyword::input, Keyword::output);
inline constexpr KeywordSet class_keywords =
    keyword_set(Keyword::model, Keyword::block, Keyword::function, Keyword::package, Keyword::connector, Keyword::record,
                Keyword::class_, Keyword::type, Keyword::partial, Keyword::encapsulated, Keyword::expandable,
                Keyword::operator_);
inline constexpr KeywordSet block_keywords = keyword_set(Keyword::if_, Keyword::for_, Keyword::while_, Keyword::when);

/// Explains one syntax error: what was expected, what was found, and what a person may have meant.
class Explainer {
public:
  using Missing = Expectation::Missing;
  using Kind = Token::Kind;
  Explainer(const Situation& situation, const Expectation& expectation)
      : s_(situation),
        e_(expectation),
        end_(s_.source.text.data() + s_.source.text.size()),
        found_(token_at(s_.at, end_)),
        before_(s_.token_begin < s_.token_end ? token_at(s_.token_begin, s_.token_end) : Token{}),
        result_{{}, s_.at} {}

  SyntaxError explain() {
    if (!foreign() && !slip() && !by_what_is_missing()) plain();
    if (found_.is_end_of_file() && e_.missing != Missing::semicolon && result_.diagnostic.remedy.empty()) result_.diagnostic.remedy = "the text ends in the middle: write the rest, or look for the whole file";
    return std::move(result_);
  }

private:
  // ---- parts of a message ----

  Place place(const char* begin, const char* end) const { return place_of(s_.source, begin, end); }
  Place place(const Token& token) const { return place(token.begin(), token.end()); }
  std::string found() const { return described(found_, end_); }
  Token next() const { return token_at(found_.end(), end_); }
  /// The message stands at the token that does not fit.
  bool at_found(std::string cause, std::string remedy = {}) {
    return at(place(found_), std::move(cause), std::move(remedy));
  }
  /// The message stands where something is missing: behind the last token that fitted.
  bool behind(std::string cause, std::string remedy = {}) {
    return at(place(s_.token_end, s_.token_end), std::move(cause), std::move(remedy));
  }
  bool at(Place where, std::string cause, std::string remedy) {
    result_.diagnostic.place = where;
    result_.diagnostic.cause = std::move(cause);
    result_.diagnostic.remedy = std::move(remedy);
    return true;
  }
  void note(Place where, std::string text) { result_.diagnostic.notes.push_back({where, std::move(text)}); }
  bool resume(Resume how) {
    result_.resume = how;
    return true;
  }
  std::string after() const { return before_.is_end_of_file() ? "" : " after " + described(before_, s_.token_end); }
  bool on_line_of_previous() const { return std::find(s_.token_end, s_.at, '\n') == s_.at; }
  bool touches_previous() const { return s_.at == s_.token_end; }
  std::vector<Token> statement() const {
    return s_.item_at ? statement_before(s_.item_at, s_.at) : std::vector<Token>();
  }
  bool in_block() const { return opening() && opening()->keyword != Keyword::none; }
  const Opening* opening() const { return s_.openings.empty() ? nullptr : &s_.openings.back(); }

  // ---- other languages ----

  bool foreign();
  /// x' and x'', which begin a quoted name.
  bool derivative();
  bool misspelt();
  /// AND, Then, Loop: behind something that is complete.
  bool in_other_case();

  // ---- slips that are known by the token alone ----

  bool slip();
  bool chained_relation();
  bool lexical();
  std::string code_point() const;
  bool stray();
  bool foreign_operator();
  /// Without the white space around it.
  static std::string trimmed(const char* begin, const char* end);
  /// What stands between a token and the ";", and whether it is one token; "..." if that is not told easily.
  std::pair<std::string, bool> value_behind(const Token& token) const;
  /// x += 1: how a variable gets a value from its own.
  std::string own_value(char operation, const std::string& value) const;
  /// 10 Ohm, 1e3V, 3[kg]
  bool unit_behind_a_number();

  // ---- what the grammar asked for ----

  bool by_what_is_missing();
  void plain();
  /// A quote that is missing turns everything up to the next one into a string: suspect one of several lines.
  void suspect_string();
  /// A quote that is missing earlier makes strings of what stands between them: shows the last one over several lines.
  void note_string_over_lines(const char* at);
  /// "x > 1 then", "i in 1:3 loop": the keyword that begins a branch or a loop is missing.
  bool block_without_keyword();
  /// "when;": the end of a block without 'end'.
  bool end_before_block();
  bool semicolon();
  bool equation_rest();
  /// "M;" where "end M;" is meant.
  bool end_without_keyword(const Token& name);
  /// Lets a keyword stand before a token.
  bool stand_in(Keyword keyword, const Token& before);
  bool statement_rest();
  /// "Real x": a type's name, and then another name on the same line.
  bool looks_like_declaration() const;
  bool misplaced_declaration();
  void note_section();
  bool name(std::string_view what);
  bool declaration_name();
  /// parameter R = 10
  bool type_missing(const std::vector<Token>& item);
  static bool is_reference(const std::vector<Token>& tokens);
  bool type();
  bool expression();
  bool is_subscript(const char* bracket) const;
  bool operand();
  bool closing();
  bool begins_statement(const char* at) const;
  bool keyword();
  /// What can be said of a token that begins nothing where equations, statements or elements are listed.
  bool misfit_in_list();
  bool block_end();
  /// Whether the block that is open holds an 'else if', which opens a block of its own.
  bool has_else_if() const;
  static std::string else_if_remedy();
  /// "End M;" is a component M of type End, unless the class ends there.
  bool end_taken_for_a_type();
  bool class_end();
  bool top_level();
  bool argument();

  const Situation& s_;
  const Expectation& e_;
  const char* end_;
  Token found_;
  Token before_;
  SyntaxError result_;
};

}  // namespace mosim::parser
