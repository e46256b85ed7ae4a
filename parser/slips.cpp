// Slips that are known by the tokens alone: other languages, characters, operators.

#include <algorithm>
#include <cctype>

#include "parser/explainer.hpp"

namespace mosim::parser {

bool Explainer::foreign() {
  if (e_.missing == Missing::string_end || e_.missing == Missing::escape || e_.missing == Missing::quote_end) return false;
  const char* begin = s_.source.text.data();
  const bool in_name = touches_previous() && before_.kind == Kind::name;
  if (!in_name && begins_foreign_comment(found_, before_, begin)) {
    return at_found(fmt::format("'{}' begins no comment in Modelica", found_.text),
                    "write '//' before the rest of a line, or put it between '/*' and '*/'") &&
           resume(Resume::line_end);
  }
  const char* comma = found_.is(",") ? found_.begin() : before_.is(",") && touches_previous() ? before_.begin() : nullptr;
  if (const auto number = comma ? decimal_comma(comma, begin, end_) : std::nullopt) {
    return at(place(number->text.data(), number->text.data() + number->text.size()),
              "the decimals of a number stand behind a point, not behind a comma",
              fmt::format("write {}", number->corrected));
  }
  return derivative() || misspelt() || in_other_case();
}

bool Explainer::derivative() {
  if (!touches_previous() || found_.kind != Kind::name || found_.text.front() != '\'') return false;
  if (before_.kind != Kind::name && !before_.is(")") && !before_.is("]")) return false;
  const char* quotes = std::find_if(s_.at, end_, [](char c) { return c != '\''; });
  result_.at = quotes;
  const bool variable = before_.kind == Kind::name;
  return at(place(variable ? before_.begin() : s_.at, quotes), "a quote makes no derivative in Modelica",
            quotes - s_.at > 1 ? fmt::format("a second derivative needs a variable for the first one: declare Real v, and write v = der({}) and der(v) = ...",
                                             variable ? before_.text : "x")
                               : fmt::format("write der({})", variable ? before_.text : "x"));
}

bool Explainer::misspelt() {
  const auto word = misspelt_keyword(statement(), found_, {s_.section, in_block(), s_.class_name, s_.source.text.data(), end_});
  if (!word) return false;
  result_.word = word->word;
  result_.keyword = word->keyword;
  const std::string keyword = word->keyword == Keyword::end && word->whole.size() > 3
                                  ? fmt::format("end {}", word->whole.substr(3))
                                  : std::string(text(word->keyword));
  return at(place(word->whole.data(), word->whole.data() + word->whole.size()),
            fmt::format("'{}' is no keyword of Modelica", word->whole), fmt::format("write '{}'", keyword)) &&
         resume(Resume::as_keyword);
}

bool Explainer::in_other_case() {
  if (found_.kind != Kind::name || e_.missing == Missing::name || e_.missing == Missing::declaration_name) return false;
  const Keyword keyword = keyword_in_other_case(found_.text);
  if (keyword == Keyword::none) return false;
  return at_found(fmt::format("'{}' is no keyword of Modelica: capital letters count", found_.text),
                  fmt::format("write '{}'", text(keyword)));
}

bool Explainer::slip() {
  if (e_.missing == Missing::string_end || e_.missing == Missing::escape || e_.missing == Missing::quote_end) return lexical();
  if (found_.kind == Kind::stray) return stray();
  if (foreign_operator() || unit_behind_a_number()) return true;
  if (touches_previous() && before_.kind == Kind::number && found_.is("(")) {
    return at_found(fmt::format("expected an operator between '{}' and '('", before_.text),
                    fmt::format("write '{}*('", before_.text));
  }
  if (touches_previous() && before_.kind == Kind::number && found_.kind == Kind::name) {
    return at_found(fmt::format("expected an operator between '{}' and '{}'", before_.text, found_.text),
                    fmt::format("write '{}*{}'", before_.text, found_.text));
  }
  if (found_.is("^") || found_.is(".^")) {
    if (e_.missing != Missing::operand && e_.missing != Missing::expression) {
      return at_found(fmt::format("'{}' does not chain: neither of two powers in a row comes first", found_.text),
                      "put one of them in parentheses: (a ^ b) ^ c or a ^ (b ^ c)");
    }
  }
  return chained_relation();
}

bool Explainer::chained_relation() {
  constexpr std::array<std::string_view, 6> relations = {"<", "<=", ">", ">=", "==", "<>"};
  const auto is_relation = [&](const Token& token) {
    return std::any_of(relations.begin(), relations.end(), [&](auto r) { return token.is(r); });
  };
  if (!is_relation(found_) || e_.missing == Missing::operand || e_.missing == Missing::expression) return false;
  const auto tokens = statement();
  const auto first = std::find_if(tokens.rbegin(), tokens.rend(), is_relation);
  if (first == tokens.rend()) return false;
  at_found(fmt::format("'{}' does not chain: a relation cannot be compared again", found_.text),
           "write 'a < b and b < c'");
  note(place(*first), "the relation before it");
  return true;
}

bool Explainer::lexical() {
  const char* begin = skip_space(s_.token_end, end_);
  switch (e_.missing) {
    case Missing::string_end:
      at(place(begin, std::min(begin + 1, end_)), "the string that begins here does not end", "close it with '\"'");
      note_string_over_lines(begin);
      return resume(Resume::nowhere);
    case Missing::escape: {
      const Token character = s_.at < end_ ? Token{Kind::stray, Keyword::none, {s_.at, 1}} : Token{};
      const char* stop = s_.at < end_ ? s_.at + 1 : s_.at;
      while (stop < end_ && (static_cast<unsigned char>(*stop) & 0xC0) == 0x80) ++stop;
      return at(
          place(s_.at - 1, stop),
          character.text.empty() || *s_.at == '\n'
              ? "a backslash stands before nothing it could escape"
              : fmt::format("'\\{}' is no escape", std::string_view(s_.at, static_cast<std::size_t>(stop - s_.at))),
          "write '\\\\' for a backslash; the escapes are \\' \\\" \\? \\\\ \\a \\b \\f \\n \\r \\t \\v");
    }
    default: {
      const bool ended = s_.at == end_ || *s_.at == '\n' || *s_.at == '\r';
      if (!ended) {
        const Token character = token_at(s_.at, end_);
        const std::size_t size = character.kind == Kind::stray ? character.text.size() : 1;
        return at(place(s_.at, s_.at + size), "a quoted name holds printable ASCII characters only, and this is none",
                  "choose another name");
      }
      return at(place(begin, std::min(begin + 1, end_)), "the quoted name that begins here does not end on its line",
                "close it with \"'\"; a string stands in double quotes");
    }
  }
}

std::string Explainer::code_point() const {
  const std::string_view text = found_.text;
  const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i])); };
  std::uint32_t code = byte(0);
  if (text.size() > 1) {
    code &= 0x7Fu >> text.size();
    for (std::size_t i = 1; i < text.size(); ++i) code = code << 6 | (byte(i) & 0x3F);
    return fmt::format("'{}' (U+{:04X})", text, code);
  }
  return code < ' ' || code >= 0x7F ? fmt::format("the byte {:#04x}", code) : fmt::format("'{}'", text);
}

bool Explainer::stray() {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 13> replacements = {{
      {"\u201C", "\""},
      {"\u201D", "\""},
      {"\u201E", "\""},
      {"\u2018", "'"},
      {"\u2019", "'"},
      {"\u2212", "-"},
      {"\u2013", "-"},
      {"\u00D7", "*"},
      {"\u00B7", "*"},
      {"\u2264", "<="},
      {"\u2265", ">="},
      {"\u2260", "<>"},
      {"\u00A0", " "},
  }};
  for (const auto& [character, ascii] : replacements) {
    if (found_.text != character) continue;
    return at_found(fmt::format("{} has no meaning in Modelica", code_point()),
                    ascii == " " ? "write an ordinary space"
                                 : fmt::format("write {}", ascii == "\""  ? "'\"'"
                                                           : ascii == "'" ? "\"'\""
                                                                          : fmt::format("'{}'", ascii)));
  }
  if (found_.text == "\u00B2" || found_.text == "\u00B3") {
    return at_found(fmt::format("{} has no meaning in Modelica", code_point()),
                    fmt::format("write '^{}'", found_.text == "\u00B2" ? 2 : 3));
  }
  if (found_.text == "~") {
    const bool unequal = next().is("=") && next().begin() == found_.end();
    return at_found(fmt::format("'~{}' is no operator of Modelica", unequal ? "=" : ""),
                    unequal ? "write '<>' for 'not equal'" : "write 'not'");
  }
  const bool in_name = touches_previous() && before_.kind == Kind::name && before_.text.front() != '\'';
  if (static_cast<unsigned char>(found_.text.front()) >= 0x80) {
    return at_found(fmt::format("{} cannot stand in a name", code_point()),
                    "a name is made of the letters a-z and A-Z, digits and underscores");
  }
  if (in_name && (found_.text == "$" || found_.text == "@" || found_.text == "#")) {
    return at_found(fmt::format("{} cannot stand in a name", code_point()),
                    "a name is made of the letters a-z and A-Z, digits and underscores, or is put in single quotes");
  }
  return at_found(fmt::format("{} has no meaning in Modelica", code_point()));
}

std::string Explainer::trimmed(const char* begin, const char* end) {
  while (begin < end && std::isspace(static_cast<unsigned char>(*begin))) ++begin;
  while (begin < end && std::isspace(static_cast<unsigned char>(end[-1]))) --end;
  return {begin, end};
}

std::pair<std::string, bool> Explainer::value_behind(const Token& token) const {
  const Token first = token_at(token.end(), end_);
  Token last = token;
  for (Token t = first; !t.is(";") && !t.is_end_of_file() && t.kind != Kind::keyword; t = token_at(t.end(), end_)) last = t;
  const std::string text = trimmed(token.end(), last.end());
  if (text.empty() || text.find('\n') != std::string::npos) return {"...", true};
  return {text, last.begin() == first.begin()};
}

std::string Explainer::own_value(char operation, const std::string& value) const {
  const auto tokens = statement();
  const std::string name = tokens.empty() || !is_reference(tokens) ? "x" : std::string(tokens.front().begin(), s_.token_end);
  if (s_.section != Section::equations) return fmt::format("write '{0} := {0} {1} {2}'", name, operation, value);
  return fmt::format("in a when-equation write '{0} = pre({0}) {1} {2}'; in an algorithm '{0} := {0} {1} {2}'", name, operation, value);
}

bool Explainer::unit_behind_a_number() {
  if (before_.kind != Kind::number || !on_line_of_previous()) return false;
  const bool brackets = found_.is("[");
  const Token word = brackets ? next() : found_;
  if (word.kind != Kind::name && !(brackets && word.kind == Kind::string)) return false;
  const char* end = word.end();
  const auto goes_on = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '/' || c == '.' || c == '*' || c == '^'; };
  while (end < end_ && goes_on(*end)) ++end;
  const char* after = end;
  if (brackets) {
    if (!token_at(end, end_).is("]")) return false;
    after = token_at(end, end_).end();
  }
  const auto unit = unit_of({word.begin(), static_cast<std::size_t>(end - word.begin())}, before_.text);
  if (!unit && !brackets) return false;
  const std::string written = unit ? unit->unit : trimmed(word.begin(), end);
  const std::string number = unit ? unit->number : std::string(before_.text);
  const auto tokens = statement();
  const bool declares = s_.section == Section::elements && tokens.size() > 3 && tokens[tokens.size() - 2].is("=") &&
                        std::all_of(tokens.begin(), tokens.end() - 2, [](const Token& t) { return t.kind == Kind::name || t.kind == Kind::keyword || t.is("."); });
  std::string remedy = declares
      ? fmt::format("write {}(unit = \"{}\") = {}", std::string(tokens.front().begin(), tokens[tokens.size() - 3].end()), written, number)
      : fmt::format("write {} alone, and declare the variable with its unit, as in Real x(unit = \"{}\")", number, written);
  if (word.kind == Kind::name && !brackets && end == word.end()) remedy += fmt::format("; if a product is meant, write {}*{}", before_.text, word.text);
  return at(place(found_.begin(), after), fmt::format("a number carries no unit: expected an operator between {} and {}", before_.text, std::string(found_.begin(), after)),
            std::move(remedy));
}

bool Explainer::foreign_operator() {
  const Token& f = found_;
  if (f.kind != Kind::symbol) return false;
  const auto wrong = [&](std::string remedy) {
    return at_found(fmt::format("'{}' is no operator of Modelica", f.text), std::move(remedy));
  };
  if (f.is("!=")) return wrong("write '<>' for 'not equal'");
  if (f.is("|") && (e_.missing == Missing::operand || e_.missing == Missing::expression)) {
    Token t = next();
    while (!t.is("|") && !t.is(";") && !t.is_end_of_file()) t = token_at(t.end(), end_);
    if (t.is("|")) return wrong(fmt::format("write abs({})", trimmed(f.end(), t.begin())));
  }
  if (f.is("&&") || f.is("&")) return wrong("write 'and'");
  if (f.is("||") || f.is("|")) return wrong("write 'or'");
  if (f.is("!")) return wrong("write 'not'");
  if (f.is("%")) return wrong("write mod(a, b)");
  if (f.is("**")) return wrong("write '^'");
  if (f.is("?")) return wrong("write 'if c then a else b'");
  if (f.is("->")) return wrong("");
  if (before_.is("!")) return false;
  if (f.is("+=") || f.is("-=") || f.is("*=") || f.is("/=")) {
    const auto [text, one] = value_behind(f);
    return wrong(own_value(f.text.front(), one || f.is("+=") ? text : "(" + text + ")"));
  }
  const Token n = next();
  if (f.is("=") && n.begin() == f.end() && (n.is("<") || n.is(">"))) {
    return at(place(f.begin(), n.end()), fmt::format("'={}' is no operator of Modelica", n.text),
              fmt::format("write '{}='", n.text));
  }
  if (f.is("++") || (f.is("--") && (n.is(";") || e_.missing == Missing::expression))) {
    const bool behind = before_.kind == Kind::name || before_.kind == Kind::number || before_.is(")") || before_.is("]");
    if (!behind) return wrong(fmt::format("write one sign, or parentheses around the second and what belongs to it, as in {0}({0}b)", f.text.front()));
    const auto tokens = statement();
    if (std::any_of(tokens.begin(), tokens.end(), [](const Token& t) { return t.is("=") || t.is(":="); }))
      return wrong(fmt::format("write '{}{} 1'", before_.kind == Kind::name ? std::string(before_.text) + " " : "", f.text.front()));
    return wrong(own_value(f.text.front(), "1"));
  }
  return false;
}

}  // namespace mosim::parser
