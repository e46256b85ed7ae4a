#pragma once
// The keywords of Modelica (MLS 2.3.3), and their recognition by a perfect hash.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace mosim::parser {

enum class Keyword : std::uint8_t {
  none, algorithm, and_, annotation, block, break_, class_, connect, connector, constant, constrainedby, der, discrete,
  each, else_, elseif, elsewhen, encapsulated, end, enumeration, equation, expandable, extends, external, false_,
  final_, flow, for_, function, if_, import_, impure, in, initial, inner, input, loop, model, not_, operator_, or_,
  outer, output, package, parameter, partial, protected_, public_, pure, record, redeclare, replaceable, return_,
  stream, then, time, true_, type, when, while_, within
};

inline constexpr std::array<std::string_view, 61> keyword_texts = {
    "",          "algorithm", "and",       "annotation", "block",     "break",     "class",        "connect",
    "connector", "constant",  "constrainedby", "der",    "discrete",  "each",      "else",         "elseif",
    "elsewhen",  "encapsulated", "end",    "enumeration", "equation", "expandable", "extends",     "external",
    "false",     "final",     "flow",      "for",        "function",  "if",        "import",       "impure",
    "in",        "initial",   "inner",     "input",      "loop",      "model",     "not",          "operator",
    "or",        "outer",     "output",    "package",    "parameter", "partial",   "protected",    "public",
    "pure",      "record",    "redeclare", "replaceable", "return",   "stream",    "then",         "time",
    "true",      "type",      "when",      "while",      "within"};

constexpr std::string_view text(Keyword keyword) { return keyword_texts[static_cast<std::size_t>(keyword)]; }

/// A set of keywords: a bit each.
using KeywordSet = std::uint64_t;
template <class... K>
constexpr KeywordSet keyword_set(K... keywords) {
  return (KeywordSet{0} | ... | (KeywordSet{1} << static_cast<unsigned>(keywords)));
}
constexpr bool contains(KeywordSet set, Keyword keyword) { return (set >> static_cast<unsigned>(keyword)) & 1; }

namespace keyword_hash {

constexpr std::size_t slots = 512;

constexpr std::size_t slot(const char* word, std::size_t size, std::uint32_t factor) {
  const std::uint32_t mixed = static_cast<unsigned char>(word[0]) | static_cast<unsigned char>(word[1]) << 8 |
                              static_cast<unsigned char>(word[size - 1]) << 16 | static_cast<std::uint32_t>(size) << 24;
  return (mixed * factor) >> 23;
}

struct Table {
  std::uint32_t factor = 0;
  std::array<Keyword, slots> keywords{};
};

constexpr Table make_table() {
  for (std::uint32_t factor = 0x9E3779B1;; factor = factor * 1664525 + 1013904223) {
    Table table{factor | 1, {}};
    bool perfect = true;
    for (std::size_t k = 1; k < keyword_texts.size() && perfect; ++k) {
      Keyword& keyword = table.keywords[slot(keyword_texts[k].data(), keyword_texts[k].size(), table.factor)];
      perfect = keyword == Keyword::none;
      keyword = static_cast<Keyword>(k);
    }
    if (perfect) return table;
  }
}

inline constexpr Table table = make_table();

}  // namespace keyword_hash

/// The keyword a word is, or none.
inline Keyword find_keyword(std::string_view word) {
  if (word.size() < 2 || word.size() > 13) return Keyword::none;
  const Keyword keyword =
      keyword_hash::table.keywords[keyword_hash::slot(word.data(), word.size(), keyword_hash::table.factor)];
  return keyword != Keyword::none && text(keyword) == word ? keyword : Keyword::none;
}

}  // namespace mosim::parser
