#include "parser/resume.hpp"

#include <algorithm>

#include "parser/foreign.hpp"

namespace mosim::parser {
namespace {

using Kind = Token::Kind;

// At the beginning of a line these begin something, even where a ";" is missing before them. Those that may also stand
// inside of an expression or a modification are not among them.
constexpr KeywordSet beginnings = keyword_set(
    Keyword::equation, Keyword::algorithm, Keyword::public_, Keyword::protected_, Keyword::when, Keyword::while_,
    Keyword::connect, Keyword::import_, Keyword::extends, Keyword::parameter, Keyword::constant, Keyword::discrete,
    Keyword::input, Keyword::output, Keyword::flow, Keyword::stream, Keyword::model, Keyword::block, Keyword::record,
    Keyword::connector, Keyword::package, Keyword::partial, Keyword::encapsulated, Keyword::expandable, Keyword::within);

constexpr KeywordSet class_beginnings = keyword_set(
    Keyword::model, Keyword::block, Keyword::record, Keyword::connector, Keyword::package, Keyword::partial,
    Keyword::encapsulated, Keyword::expandable, Keyword::function, Keyword::class_, Keyword::type, Keyword::operator_,
    Keyword::pure, Keyword::impure);

/// "end" as the end of a class or a block, not as an index.
bool ends_something(const Token& token, const char* end) {
  if (!token.is(Keyword::end)) return false;
  const Token next = token_at(token.end(), end);
  return next.kind == Kind::name || next.kind == Kind::keyword || next.is(";") || next.is_end_of_file();
}

bool begins_something(const Token& token, const char* begin, const char* end) {
  if (ends_something(token, end)) return true;
  if (token.kind != Kind::keyword || !first_on_line(token.begin(), begin)) return false;
  if (token.is(Keyword::initial)) {
    const Token next = token_at(token.end(), end);
    return next.is(Keyword::equation) || next.is(Keyword::algorithm);
  }
  return contains(beginnings, token.keyword);
}

/// The "]" of a matrix whose rows go on behind a ";", if it comes before anything that no row can hold; else null.
const char* end_of_rows(const char* at, const char* end) {
  constexpr KeywordSet operands = keyword_set(Keyword::and_, Keyword::or_, Keyword::not_, Keyword::true_, Keyword::false_,
                                              Keyword::time, Keyword::der);
  for (Token t = token_at(at, end); !t.is_end_of_file(); t = token_at(t.end(), end)) {
    if (t.is("]")) return t.begin();
    if (t.is("=") || t.is(":=") || t.is("[") || t.kind == Kind::string) return nullptr;
    if (t.kind == Kind::keyword && !contains(operands, t.keyword)) return nullptr;
  }
  return nullptr;
}

}  // namespace

const char* end_of_item(const char* at, const char* begin, const char* end, bool in_matrix) {
  int opened = in_matrix ? 1 : 0;
  const char* const first = skip_space(at, end);
  for (Token t = token_at(first, end);; t = token_at(t.end(), end)) {
    if (t.is_end_of_file()) return end;
    if (t.is("[")) ++opened;
    if (t.is("]") && opened > 0) --opened;
    if (t.is(";")) {
      const char* rows = opened > 0 ? end_of_rows(t.end(), end) : nullptr;
      if (!rows) return t.end();
      t = Token{Kind::symbol, Keyword::none, {rows, 0}};
      continue;
    }
    if (t.begin() == first ? ends_something(t, end) : begins_something(t, begin, end)) return t.begin();
  }
}

const char* end_of_line(const char* at, const char* end) {
  return std::find_if(at, end, [](char c) { return c == '\n' || c == '\r'; });
}

const char* behind_misfit(const char* at, const char* end) {
  const char* line = end_of_line(at, end);
  for (Token t = token_at(at, end); !t.is_end_of_file() && t.begin() < line; t = token_at(t.end(), end))
    if (t.is(";")) return t.end();
  return line;
}

const char* head_end(const char* at, const char* begin, const char* end, Keyword keyword) {
  const char* const first = skip_space(at, end);
  for (Token t = token_at(first, end);; t = token_at(t.end(), end)) {
    if (t.is_end_of_file() || t.is(";") || (t.begin() != first && begins_something(t, begin, end))) return end;
    if (t.begin() != first && (t.is("=") || t.is(":="))) return end;
    if (t.is(keyword) || (t.kind == Kind::name && keyword_in_other_case(t.text) == keyword)) return t.begin();
  }
}

BlockEnds block_ends_behind(const char* at, const char* begin, const char* end) {
  constexpr KeywordSet blocks = keyword_set(Keyword::if_, Keyword::for_, Keyword::when, Keyword::while_);
  BlockEnds ends;
  std::size_t open = 0;
  Token before;
  for (Token t = token_at(at, end); !t.is_end_of_file(); before = t, t = token_at(t.end(), end)) {
    if (t.kind != Kind::keyword || !contains(blocks, t.keyword)) {
      if (before.is(Keyword::end) && t.kind == Kind::name) break;
      continue;
    }
    if (before.is(Keyword::end)) {
      if (open > 0) {
        --open;
      } else if (ends.count++ == 0) {
        ends.first = t.keyword;
      }
    } else if (before.is(";") || before.is(Keyword::then) || before.is(Keyword::loop) || first_on_line(t.begin(), begin)) {
      ++open;
    }
  }
  return ends;
}

bool class_ends_behind(const char* at, const char* end, std::string_view name) {
  for (Token t = token_at(at, end); !t.is_end_of_file();) {
    const Token following = token_at(t.end(), end);
    if (t.is(Keyword::end) && following.text == name) return true;
    t = following;
  }
  return false;
}

bool declarations_follow(const char* at, const char* end) {
  constexpr KeywordSet declarations = keyword_set(
      Keyword::parameter, Keyword::constant, Keyword::discrete, Keyword::input, Keyword::output, Keyword::flow,
      Keyword::stream, Keyword::extends, Keyword::import_, Keyword::inner, Keyword::outer, Keyword::replaceable,
      Keyword::redeclare, Keyword::final_);
  constexpr KeywordSet sections = keyword_set(Keyword::equation, Keyword::algorithm, Keyword::public_, Keyword::protected_,
                                              Keyword::initial, Keyword::annotation, Keyword::end, Keyword::external);
  Token t = token_at(at, end);
  const auto next = [&] { t = token_at(t.end(), end); };
  for (;;) {
    while (!t.is_end_of_file() && !t.is(";")) next();
    next();
    if (t.is_end_of_file() || (t.kind == Kind::keyword && contains(sections, t.keyword))) return false;
    if (t.kind == Kind::keyword && contains(declarations | class_beginnings, t.keyword)) return true;
    // A type, perhaps with its dimensions, and then a name.
    if (t.kind != Kind::name) continue;
    for (next(); t.text == "."; next()) next();
    if (t.is("["))
      while (!t.is_end_of_file() && !t.is(";") && !t.is("]")) next();
    if (t.is("]")) next();
    if (t.kind == Kind::name) return true;
  }
}

const char* next_class(const char* at, const char* begin, const char* end) {
  Token t = token_at(at, end);
  for (t = token_at(t.end(), end); !t.is_end_of_file(); t = token_at(t.end(), end))
    if (t.kind == Kind::keyword && contains(class_beginnings, t.keyword) && first_on_line(t.begin(), begin)) return t.begin();
  return end;
}

}  // namespace mosim::parser
