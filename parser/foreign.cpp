#include "parser/foreign.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "parser/diagnostic.hpp"
#include "parser/resume.hpp"

namespace mosim::parser {
namespace {

using Kind = Token::Kind;

struct Synonym {
  std::string_view word;
  Keyword keyword;
};
constexpr std::array<Synonym, 17> synonyms = {{
    {"equations", Keyword::equation}, {"algorithms", Keyword::algorithm},
    {"const", Keyword::constant},     {"param", Keyword::parameter},      {"params", Keyword::parameter},
    {"parameters", Keyword::parameter}, {"constants", Keyword::constant}, {"include", Keyword::import_},
    {"using", Keyword::import_},      {"func", Keyword::function},        {"private", Keyword::protected_},
    {"elif", Keyword::elseif},        {"elsif", Keyword::elseif},         {"elsewhen", Keyword::elsewhen},
    {"inputs", Keyword::input},       {"outputs", Keyword::output},       {"struct", Keyword::record},
}};

/// The keyword among `choice` that a word was meant to be.
Keyword meant(const Token& token, std::initializer_list<Keyword> choice) {
  if (token.kind != Kind::name || token.text.front() == '\'') return Keyword::none;
  const auto chosen = [&](Keyword k) { return std::find(choice.begin(), choice.end(), k) != choice.end(); };
  const std::string word = lower(token.text);
  for (const Synonym& s : synonyms)
    if (s.word == word && chosen(s.keyword)) return s.keyword;
  std::vector<std::string_view> names;
  for (const Keyword k : choice) names.push_back(text(k));
  const std::string near = nearest(token.text, names);
  return near.empty() ? Keyword::none : find_keyword(near);
}

/// Whether the keyword stands behind `at` before the next ";".
bool has_ahead(const char* at, const char* end, Keyword keyword) {
  for (Token t = token_at(at, end); !t.is_end_of_file() && !t.is(";"); t = token_at(t.end(), end))
    if (t.is(keyword)) return true;
  return false;
}

std::optional<Misspelt> as(const Token& word, Keyword keyword) {
  if (keyword == Keyword::none) return {};
  return Misspelt{word.text, word.text, keyword};
}

bool begins_lower(const Token& t) { return std::islower(static_cast<unsigned char>(t.text.front())) != 0; }

/// What a section is that begins with a word: its first line tells.
Keyword section_of(const Token& word, const char* end) {
  for (Token t = token_at(word.end(), end); !t.is_end_of_file() && !t.is(";"); t = token_at(t.end(), end))
    if (t.is(":=")) return Keyword::algorithm;
  return Keyword::equation;
}

std::optional<Misspelt> in_elements(const std::vector<Token>& item, const Token& found, const Surroundings& around) {
  std::size_t i = 0;
  while (i < item.size() && item[i].kind == Kind::keyword) ++i;
  std::size_t left = item.size() - i;
  if (left == 0) return {};
  const Token& word = item[i];
  const bool new_line = first_on_line(found.begin(), around.begin);
  const Token& second = left > 1 ? item[i + 1] : found;
  if (first_on_line(word.begin(), around.begin) && first_on_line(second.begin(), around.begin)) {
    // Alone on its line.
    if (lower(word.text) == "begin") return as(word, section_of(word, around.end));
    const Keyword k = meant(word, {Keyword::equation, Keyword::algorithm, Keyword::public_, Keyword::protected_});
    if (k != Keyword::none) return as(word, k);
  }
  if (left == 1 && found.kind == Kind::keyword && !new_line)
    return as(word, meant(word, {Keyword::partial, Keyword::encapsulated, Keyword::replaceable, Keyword::redeclare,
                                 Keyword::inner, Keyword::outer, Keyword::final_, Keyword::parameter, Keyword::constant,
                                 Keyword::initial, Keyword::flow, Keyword::stream, Keyword::discrete}));
  if (left == 3 && item.back().kind == Kind::string) --left;
  if (left != 2 || second.kind != Kind::name) return {};
  if (new_line && class_ends_behind(found.begin(), around.end, second.text))
    return as(word, meant(word, {Keyword::model, Keyword::block, Keyword::connector, Keyword::package, Keyword::function,
                                 Keyword::record, Keyword::class_}));
  // 'Parameter Real k', but not 'Constant a b': there it may be a type, and a comma is missing.
  const bool type_follows = begins_lower(word) || !begins_lower(second);
  if (!new_line && type_follows && (found.kind == Kind::name || found.kind == Kind::stray || found.text == "."))
    return as(word, meant(word, {Keyword::parameter, Keyword::constant, Keyword::discrete, Keyword::input,
                                 Keyword::output, Keyword::flow, Keyword::stream, Keyword::inner, Keyword::outer,
                                 Keyword::final_, Keyword::replaceable, Keyword::redeclare, Keyword::import_,
                                 Keyword::extends}));
  return {};
}

std::optional<Misspelt> in_lists(const Token& word, const Token& found, const Surroundings& around) {
  const std::string small = lower(word.text);
  if (around.in_block && (small == "endif" || small == "endfor" || small == "endwhen" || small == "endwhile"))
    return Misspelt{word.text.substr(0, 3), word.text, Keyword::end};
  const bool block_keyword = found.is(Keyword::if_) || found.is(Keyword::for_) || found.is(Keyword::when) || found.is(Keyword::while_);
  if ((found.text == around.class_name || (around.in_block && block_keyword)) && means(word, Keyword::end))
    return as(word, Keyword::end);
  if (first_on_line(found.begin(), around.begin)) {
    const Keyword k = around.in_block ? meant(word, {Keyword::else_, Keyword::equation, Keyword::algorithm})
                                      : meant(word, {Keyword::equation, Keyword::algorithm, Keyword::public_, Keyword::protected_});
    return as(word, k);
  }
  if (found.kind != Kind::name && found.kind != Kind::number && found.kind != Kind::keyword && !found.is("(")) return {};
  Keyword k = Keyword::none;
  if (has_ahead(found.begin(), around.end, Keyword::then)) {
    if (around.in_block) k = meant(word, {Keyword::elseif, Keyword::elsewhen});
    if (k == Keyword::none) k = meant(word, {Keyword::if_, Keyword::when});
  }
  if (k == Keyword::none && has_ahead(found.begin(), around.end, Keyword::loop)) k = meant(word, {Keyword::for_, Keyword::while_});
  return as(word, k);
}

constexpr std::array<std::string_view, 24> units = {"m", "s", "kg", "g", "A", "K", "V", "W", "N", "J", "C", "F", "H", "Hz", "Pa", "Ohm",
                                                    "ohm", "S", "T", "rad", "mol", "bar", "degC", "deg"};
constexpr std::array<std::string_view, 14> taking_prefixes = {"m", "s", "A", "V", "W", "N", "J", "F", "H", "Hz", "Pa", "Ohm", "ohm", "S"};
struct Prefix {
  char letter;
  std::string_view exponent;
};
constexpr std::array<Prefix, 8> prefixes = {{{'G', "9"}, {'M', "6"}, {'k', "3"}, {'c', "-2"}, {'m', "-3"}, {'u', "-6"}, {'n', "-9"}, {'p', "-12"}}};

template <std::size_t N>
bool is_in(const std::array<std::string_view, N>& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

}  // namespace

std::optional<UnitAndNumber> unit_of(std::string_view word, std::string_view number) {
  const auto spelled = [](std::string_view unit) { return unit == "ohm" ? std::string("Ohm") : std::string(unit); };
  if (is_in(units, word)) return UnitAndNumber{spelled(word), std::string(number)};
  if (word.size() > 1 && is_in(taking_prefixes, word.substr(1)))
    for (const Prefix& p : prefixes)
      if (p.letter == word.front())
        return UnitAndNumber{spelled(word.substr(1)), std::string(number) + (number.find_first_of("eE") == std::string_view::npos ? "e" : "*1e") + std::string(p.exponent)};
  // m/s, kg/m3, N.m: a first unit, and others behind it.
  const std::size_t first = word.find_first_of("/.*^");
  if (first == std::string_view::npos || !is_in(units, word.substr(0, first))) return {};
  std::size_t letters = first + 1;
  while (letters < word.size() && std::isalpha(static_cast<unsigned char>(word[letters]))) ++letters;
  if (word[first] != '^' && !is_in(units, word.substr(first + 1, letters - first - 1))) return {};
  return UnitAndNumber{std::string(word), std::string(number)};
}

bool first_on_line(const char* at, const char* begin) {
  while (at > begin && (at[-1] == ' ' || at[-1] == '\t')) --at;
  return at == begin || at[-1] == '\n' || at[-1] == '\r';
}

bool begins_foreign_comment(const Token& token, const Token& before, const char* text_begin) {
  if (token.kind == Kind::stray && token.text == "#") return true;
  const bool other = (token.kind == Kind::symbol || token.kind == Kind::stray) && (token.text == "%" || token.text == "--");
  if (!other) return false;
  return before.is(";") || before.is_end_of_file() || first_on_line(token.begin(), text_begin);
}

std::optional<DecimalComma> decimal_comma(const char* comma, const char* text_begin, const char* text_end) {
  if (comma == text_begin || comma + 1 >= text_end || !is_digit(comma[-1]) || !is_digit(comma[1])) return {};
  const char* first = comma;
  while (first > text_begin && is_digit(first[-1])) --first;
  // Not the decimals of a number before it, nor the end of a name.
  if (first > text_begin && (first[-1] == '.' || first[-1] == '_' || std::isalpha(static_cast<unsigned char>(first[-1])))) return {};
  const Token decimals = token_at(comma + 1, text_end);
  if (decimals.text.find('.') != std::string_view::npos) return {};
  const auto size = [](const char* from, const char* to) { return static_cast<std::size_t>(to - from); };
  return DecimalComma{{first, size(first, decimals.end())},
                      std::string(first, comma) + "." + std::string(decimals.text)};
}

std::optional<Misspelt> misspelt_keyword(const std::vector<Token>& item, const Token& found, const Surroundings& around) {
  const auto ends_class = [&](const Token& t) {
    return t.kind == Kind::name && means(t, Keyword::end) && token_at(t.end(), around.end).text == around.class_name;
  };
  switch (around.section) {
    case Section::none:
      if (!item.empty()) return {};
      return as(found, meant(found, {Keyword::model, Keyword::package, Keyword::function, Keyword::block, Keyword::class_,
                                     Keyword::connector, Keyword::record, Keyword::type, Keyword::partial, Keyword::within}));
    case Section::elements: return in_elements(item, found, around);
    case Section::equations:
    case Section::algorithm:
      if (item.size() == 1) return in_lists(item.front(), found, around);
      return {};
    case Section::ended:
      if (item.empty() && ends_class(found)) return as(found, Keyword::end);
      return {};
  }
  return {};
}

Keyword means_section(const Token& token) { return meant(token, {Keyword::equation, Keyword::algorithm}); }

bool means(const Token& token, Keyword keyword) { return meant(token, {keyword}) == keyword; }

bool means_elseif(const Token& token) { return meant(token, {Keyword::elseif, Keyword::else_}) == Keyword::elseif; }

Keyword keyword_in_other_case(std::string_view word) {
  const std::string small = lower(word);
  return small == word ? Keyword::none : find_keyword(small);
}

}  // namespace mosim::parser
