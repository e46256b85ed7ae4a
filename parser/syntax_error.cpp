#include "parser/syntax_error.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "parser/tokens.hpp"

namespace mosim::parser {
namespace {

using Role = Expectation::Role;
using Kind = Token::Kind;

constexpr KeywordSet declaration_keywords = keyword_set(
    Keyword::import_, Keyword::extends, Keyword::redeclare, Keyword::final_, Keyword::inner, Keyword::outer,
    Keyword::replaceable, Keyword::encapsulated, Keyword::partial, Keyword::class_, Keyword::model, Keyword::record,
    Keyword::operator_, Keyword::block, Keyword::expandable, Keyword::connector, Keyword::type, Keyword::package,
    Keyword::pure, Keyword::impure, Keyword::function, Keyword::flow, Keyword::stream, Keyword::discrete,
    Keyword::parameter, Keyword::constant, Keyword::input, Keyword::output);
constexpr KeywordSet prefix_keywords = keyword_set(
    Keyword::redeclare, Keyword::final_, Keyword::inner, Keyword::outer, Keyword::replaceable, Keyword::flow,
    Keyword::stream, Keyword::discrete, Keyword::parameter, Keyword::constant, Keyword::input, Keyword::output);
constexpr KeywordSet block_keywords = keyword_set(Keyword::if_, Keyword::for_, Keyword::while_, Keyword::when);

/// Explains one syntax error: what was expected, what was found, and what a person may have meant.
class Explainer {
public:
  Explainer(const Situation& situation, const Expectation& expectation)
      : s_(situation),
        e_(expectation),
        end_(s_.source.text.data() + s_.source.text.size()),
        found_(token_at(s_.at, end_)),
        before_(s_.token_begin < s_.token_end ? token_at(s_.token_begin, s_.token_end) : Token{}) {}

  Diagnostic explain() {
    if (!slip() && !by_role()) plain();
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
    result_.place = where;
    result_.cause = std::move(cause);
    result_.remedy = std::move(remedy);
    return true;
  }
  void note(Place where, std::string text) { result_.notes.push_back({where, std::move(text)}); }
  std::string after() const { return before_.is_end_of_file() ? "" : " after " + described(before_, s_.token_end); }
  bool on_line_of_previous() const { return std::find(s_.token_end, s_.at, '\n') == s_.at; }
  bool touches_previous() const { return s_.at == s_.token_end; }

  std::vector<Token> statement() const {
    const char* begin =
        std::max(s_.class_at ? s_.class_at : s_.source.text.data(), s_.section_at ? s_.section_at : nullptr);
    return statement_before(begin, s_.at);
  }
  const Opening* opening() const { return s_.openings.empty() ? nullptr : &s_.openings.back(); }

  // ---- slips that are known by the token alone ----

  bool slip() {
    if (e_.role == Role::string_end || e_.role == Role::escape || e_.role == Role::quote_end) return lexical();
    if (found_.kind == Kind::stray) return stray();
    if (foreign_operator()) return true;
    if (touches_previous() && before_.kind == Kind::number && found_.kind == Kind::name) {
      return at_found(fmt::format("expected an operator between '{}' and '{}'", before_.text, found_.text),
                      fmt::format("write '{}*{}'", before_.text, found_.text));
    }
    if (found_.is("^") || found_.is(".^")) {
      if (e_.role != Role::operand && e_.role != Role::expression) {
        return at_found(fmt::format("'{}' does not chain: neither of two powers in a row comes first", found_.text),
                        "put one of them in parentheses: (a ^ b) ^ c or a ^ (b ^ c)");
      }
    }
    return chained_relation();
  }

  bool chained_relation() {
    constexpr std::array<std::string_view, 6> relations = {"<", "<=", ">", ">=", "==", "<>"};
    const auto is_relation = [&](const Token& token) {
      return std::any_of(relations.begin(), relations.end(), [&](auto r) { return token.is(r); });
    };
    if (!is_relation(found_) || e_.role == Role::operand || e_.role == Role::expression) return false;
    const auto tokens = statement();
    const auto first = std::find_if(tokens.rbegin(), tokens.rend(), is_relation);
    if (first == tokens.rend()) return false;
    at_found(fmt::format("'{}' does not chain: a relation cannot be compared again", found_.text),
             "write 'a < b and b < c'");
    note(place(*first), "the relation before it");
    return true;
  }

  bool lexical() {
    const char* begin = skip_space(s_.token_end, end_);
    switch (e_.role) {
      case Role::string_end:
        return at(place(begin, std::min(begin + 1, end_)), "the string that begins here does not end",
                  "close it with '\"'");
      case Role::escape: {
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

  std::string code_point() const {
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

  bool stray() {
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

  bool foreign_operator() {
    const Token& f = found_;
    if (f.kind != Kind::symbol) return false;
    const auto wrong = [&](std::string remedy) {
      return at_found(fmt::format("'{}' is no operator of Modelica", f.text), std::move(remedy));
    };
    if (f.is("!=")) return wrong("write '<>' for 'not equal'");
    if (f.is("&&") || f.is("&")) return wrong("write 'and'");
    if (f.is("||") || f.is("|")) return wrong("write 'or'");
    if (f.is("!")) return wrong("write 'not'");
    if (f.is("%")) return wrong("write mod(a, b)");
    if (f.is("**")) return wrong("write '^'");
    if (f.is("?")) return wrong("write 'if c then a else b'");
    if (f.is("->")) return wrong("");
    if (before_.is("!")) return false;
    if (f.is("+=") || f.is("-=") || f.is("*=") || f.is("/=")) {
      const char op = f.text.front();
      return wrong(fmt::format("write 'x := x {} ...'", op));
    }
    const Token n = next();
    if (f.is("=") && n.begin() == f.end() && (n.is("<") || n.is(">"))) {
      return at(place(f.begin(), n.end()), fmt::format("'={}' is no operator of Modelica", n.text),
                fmt::format("write '{}='", n.text));
    }
    if (f.is("++") || (f.is("--") && (n.is(";") || e_.role == Role::expression))) {
      return wrong(fmt::format("write 'x := x {} 1'", f.text.front()));
    }
    return false;
  }

  // ---- what the grammar asked for ----

  bool by_role() {
    switch (e_.role) {
      case Role::semicolon: return semicolon();
      case Role::equation_rest: return equation_rest();
      case Role::statement_rest: return statement_rest();
      case Role::name: return name("a name");
      case Role::declaration_name: return declaration_name();
      case Role::class_or_component: return type();
      case Role::expression: return expression();
      case Role::operand: return operand();
      case Role::closing: return closing();
      case Role::keyword: return keyword();
      case Role::block_end: return block_end();
      case Role::class_end: return class_end();
      case Role::class_definition:
      case Role::end_of_file: return top_level();
      case Role::argument: return argument();
      default: return false;
    }
  }

  void plain() {
    if (e_.what == "':='" && (found_.is("=") || found_.is("=="))) {
      at_found(fmt::format("'{}' {}; a statement assigns with ':='", found_.text,
                           found_.is("=") ? "makes an equation" : "compares"),
               "write ':='");
    } else if (e_.what.empty()) {
      at_found(fmt::format("{} does not fit here", found()));
    } else {
      behind(fmt::format("expected {}{}, found {}", e_.what, after(), found()));
    }
    suspect_string();
  }

  /// A quote that is missing turns everything up to the next one into a string: suspect one of several lines.
  void suspect_string() {
    if (before_.kind == Kind::string && before_.text.find('\n') != std::string_view::npos) {
      note(place(before_.begin(), before_.begin() + 1),
           "the string before it begins here: is its closing quote missing?");
    }
  }

  bool semicolon() {
    if (found_.is(":=") && s_.section != Section::algorithm) {
      return at_found(s_.section == Section::equations ? "':=' assigns, and an equation does not"
                                                       : "':=' assigns, and a declaration does not",
                      "write '='");
    }
    if (found_.is(":=")) return at_found("only a variable can be assigned to", "");
    if (found_.is("==")) return at_found("'==' compares; it does not give a value", "write '='");
    if (found_.is(")") || found_.is("]") || found_.is("}")) {
      return at_found(fmt::format("'{}' closes nothing that is open", found_.text));
    }
    if (found_.is("=") && s_.section == Section::algorithm) {
      return at_found("'=' makes an equation; a statement assigns with ':='", "write ':='");
    }
    behind(fmt::format("expected ';' after {}, found {}", e_.after, found()));
    suspect_string();
    return true;
  }

  bool equation_rest() {
    if (found_.is(":=")) return at_found("':=' assigns, and an equation does not", "write '='");
    if (found_.kind == Kind::name && looks_like_declaration()) return misplaced_declaration();
    if (found_.is(";")) {
      const auto tokens = statement();
      at(tokens.empty() ? place(found_) : place(tokens.front().begin(), s_.token_end),
         "this is no equation: it has no '='", "");
      return true;
    }
    behind(fmt::format("expected '='{}, found {}", after(), found()));
    suspect_string();
    return true;
  }

  bool statement_rest() {
    if (found_.is("=") || found_.is("==")) {
      return at_found(fmt::format("'{}' {}; a statement assigns with ':='", found_.text,
                                  found_.is("=") ? "makes an equation" : "compares"),
                      "write ':='");
    }
    if (found_.kind == Kind::name && looks_like_declaration()) return misplaced_declaration();
    return behind(fmt::format("expected ':=' or '('{}, found {}", after(), found()));
  }

  /// "Real x": a type's name, and then another name on the same line.
  bool looks_like_declaration() const {
    const auto tokens = statement();
    return !tokens.empty() && on_line_of_previous() && before_.kind == Kind::name &&
           std::all_of(tokens.begin(), tokens.end(), [](const Token& t) { return t.kind == Kind::name || t.is("."); });
  }
  bool misplaced_declaration() {
    const bool equations = s_.section == Section::equations;
    at_found(fmt::format("a declaration cannot stand among {}", equations ? "equations" : "statements"),
             fmt::format("put it before '{}', or begin a section for it with 'public' or 'protected'",
                         equations ? "equation" : "algorithm"));
    note_section();
    return true;
  }
  void note_section() {
    if (s_.section_at) note(place(token_at(s_.section_at, end_)), "the section begins here");
  }

  bool name(std::string_view what) {
    const Token after_found = next();
    const bool declared = after_found.is("=") || after_found.is("(") || after_found.is("[") || after_found.is(",");
    if (found_.kind == Kind::keyword && on_line_of_previous() && (!found_.is(Keyword::end) || declared)) {
      return at_found(fmt::format("'{}' is a keyword and cannot be a name", found_.text), "choose another name");
    }
    return at_found(fmt::format("expected {}{}, found {}", what, after(), found()));
  }

  bool declaration_name() {
    if (opening() && opening()->bracket == '(' && found_.is("=")) {
      return at_found(fmt::format("expected a name{}, found '='", after()),
                      "a redeclaration has a type and a name: redeclare Real x = 1");
    }
    if (found_.is("=") || found_.is("==") || found_.is("(") || found_.is("+") || found_.is("-") || found_.is("*")) {
      return at_found(fmt::format("expected a name{}, found {}", after(), found()),
                      "if this is an equation, it belongs behind the keyword 'equation'");
    }
    if (found_.is(":=")) {
      return at_found(fmt::format("expected a name{}, found ':='", after()),
                      "if this is a statement, it belongs behind the keyword 'algorithm'");
    }
    return name("a name");
  }

  bool type() {
    if (found_.kind == Kind::keyword && contains(prefix_keywords, found_.keyword)) {
      return at_found(fmt::format("'{}' cannot stand{}", found_.text, after()),
                      "the order is: redeclare, final, inner, outer, replaceable; flow or stream; discrete, parameter "
                      "or constant; input or output");
    }
    return name("a type");
  }

  bool expression() {
    if ((found_.is("}") && before_.is("{")) || (found_.is("]") && before_.is("["))) {
      const bool subscripts =
          before_.is("[") && before_.begin() > s_.source.text.data() && is_subscript(before_.begin());
      return at_found(
          fmt::format("expected an expression between '{}' and '{}'", before_.text, found_.text),
          subscripts ? "write '[:]' for a whole dimension" : "write fill(x, 0), with an x of the elements' type, for an array without elements");
    }
    if (found_.is(Keyword::end) && next().kind == Kind::symbol && !next().is(";")) {
      return at_found("'end' is an index, and stands inside subscripts only", "");
    }
    if (found_.kind == Kind::keyword && on_line_of_previous() && !found_.is(Keyword::end) &&
        (contains(declaration_keywords, found_.keyword) || found_.is(Keyword::each) || found_.is(Keyword::connect))) {
      return at_found(fmt::format("'{}' is a keyword and cannot be a name", found_.text), "choose another name");
    }
    return at_found(fmt::format("expected an expression{}, found {}", after(), found()));
  }
  bool is_subscript(const char* bracket) const {
    const char previous = bracket[-1];
    return (previous >= 'a' && previous <= 'z') || (previous >= 'A' && previous <= 'Z') ||
           (previous >= '0' && previous <= '9') || previous == '_' || previous == ')' || previous == '\'';
  }

  bool operand() {
    if (found_.is("-") || found_.is("+") || found_.is(".-") || found_.is(".+") || found_.is("--")) {
      return at_found(
          fmt::format("a sign cannot follow an operator: expected an operand{}, found {}", after(), found()),
          "put the sign and its operand in parentheses: a * (-b)");
    }
    if (found_.is(Keyword::not_) || found_.is(Keyword::if_)) {
      return at_found(fmt::format("expected an operand{}, found {}", after(), found()),
                      fmt::format("put the '{}' and what belongs to it in parentheses", found_.text));
    }
    if (found_.is("*") && before_.is("*")) {
      return at(place(before_.begin(), found_.end()), "'**' is no operator of Modelica", "write '^'");
    }
    if (found_.is("=")) {
      return at_found(fmt::format("expected an operand{}, found '='", after()),
                      "'<=' and '>=' are written in this order");
    }
    return at_found(fmt::format("expected an operand{}, found {}", after(), found()));
  }

  bool closing() {
    const Opening* open = opening();
    const Token after_found = next();
    if (found_.is(Keyword::break_) && open && open->bracket == '(') {
      at_found("'break' can only stand in the modification of an extends clause");
    } else if (found_.kind == Kind::keyword && (before_.is("(") || before_.is(",")) &&
               (after_found.is("=") || after_found.is("(") || after_found.is(",") || after_found.is(")"))) {
      at_found(fmt::format("'{}' is a keyword and cannot be a name", found_.text), "choose another name");
    } else if (found_.is("=") && open && open->bracket == '(' && !begins_statement(open->at)) {
      at_found(fmt::format("expected ',' or {}{}, found '='", e_.what, after()), "write '==' to compare");
    } else if (before_.is(",")) {
      at_found(fmt::format("expected an expression after ',', found {}", found()));
    } else {
      const bool over = found_.is(";") || found_.kind == Kind::keyword || found_.is_end_of_file() || found_.is("}") ||
                        found_.is("]") || found_.is(")");
      behind(fmt::format("expected {}{}{}, found {}", over ? "" : "',' or ", e_.what, after(), found()));
    }
    if (open && open->bracket != 0)
      note(place(open->at, open->at + 1), fmt::format("the '{}' that is open", open->bracket));
    suspect_string();
    return true;
  }

  bool begins_statement(const char* at) const {
    const auto tokens = statement();
    return !tokens.empty() && tokens.front().begin() == at;
  }

  bool keyword() {
    if (e_.what == "'then'" || e_.what == "'loop'") {
      const bool then = e_.what == "'then'";
      if (found_.is("=") || found_.is(":=")) {
        const auto tokens = statement();
        const bool loop =
            !then && std::any_of(tokens.begin(), tokens.end(), [](const Token& t) { return t.is(Keyword::for_); });
        return loop ? at_found(fmt::format("expected 'in'{}, found {}", after(), found()), "write 'for i in 1:n loop'")
                    : at_found(fmt::format("'{}' does not compare", found_.text), "write '=='");
      }
      const bool other =
          found_.is(then ? Keyword::loop : Keyword::then) || found_.text == "do" || found_.is(":") || found_.is("{");
      if (other)
        return at_found(fmt::format("expected {}{}, found {}", e_.what, after(), found()),
                        fmt::format("write {}", e_.what));
      const bool index = !then && opening() && opening()->keyword == Keyword::for_;
      return behind(fmt::format("expected {} after the {}, found {}", e_.what, index ? "index" : "condition", found()));
    }
    if (e_.what == "'else'") {
      return behind(
          fmt::format("expected 'else'{}, found {}: an if-expression needs a value for every case", after(), found()),
          "write 'if c then a else b'");
    }
    return behind(fmt::format("expected {}{}, found {}", e_.what, after(), found()));
  }

  /// What can be said of a token that begins nothing where equations, statements or elements are listed.
  bool misfit_in_list() {
    if (found_.is(";")) return at_found("there is nothing before this ';'", "leave it out");
    if (found_.is(")") || found_.is("]") || found_.is("}")) {
      return at_found(fmt::format("'{}' closes nothing that is open", found_.text), "");
    }
    if (found_.kind != Kind::keyword) return false;
    if (s_.section == Section::equations || s_.section == Section::algorithm) {
      if (contains(declaration_keywords, found_.keyword)) return misplaced_declaration();
      const bool equations = s_.section == Section::equations;
      const KeywordSet statements = keyword_set(Keyword::while_, Keyword::break_, Keyword::return_);
      if (equations && contains(statements, found_.keyword)) {
        return at_found(fmt::format("'{}' is a statement and cannot stand among equations", found_.text),
                        "statements belong behind the keyword 'algorithm'");
      }
      if (!equations && found_.is(Keyword::connect)) {
        return at_found("'connect' is an equation and cannot stand among statements",
                        "equations belong behind the keyword 'equation'");
      }
      return false;
    }
    if (contains(block_keywords, found_.keyword) || found_.is(Keyword::connect) || found_.is(Keyword::der)) {
      return at_found(fmt::format("'{}' cannot stand among declarations", found_.text),
                      "equations belong behind the keyword 'equation', statements behind 'algorithm'");
    }
    return false;
  }

  bool block_end() {
    const Opening* open = opening();
    const std::string_view block = open ? text(open->keyword) : "if";
    const std::string_view what = s_.section == Section::algorithm ? "a statement" : "an equation";
    if (open && open->keyword == Keyword::when && (found_.is(Keyword::elseif) || found_.is(Keyword::else_))) {
      found_.is(Keyword::elseif)
          ? at_found("'elseif' belongs to an 'if'; a 'when' goes on with 'elsewhen'", "write 'elsewhen'")
          : at_found("a 'when' has no 'else'", "write 'elsewhen' and a condition");
    } else if (open && open->keyword == Keyword::if_ && found_.is(Keyword::elsewhen)) {
      at_found("'elsewhen' belongs to a 'when'; an 'if' goes on with 'elseif'", "write 'elseif'");
    } else if (found_.is(Keyword::elseif) || found_.is(Keyword::else_) || found_.is(Keyword::elsewhen)) {
      at_found(open && open->keyword == Keyword::if_
                   ? fmt::format("'{}' cannot follow the 'else' of an 'if'", found_.text)
                   : fmt::format("'{}' does not belong to a '{}'", found_.text, block));
    } else if (found_.is(Keyword::end)) {
      const Token what_ends = next();
      at_found(fmt::format("expected {}, found {}", e_.what, found()),
               what_ends.kind == Kind::name && has_else_if() ? else_if_remedy() : fmt::format("write {}", e_.what));
    } else if (!misfit_in_list()) {
      at_found(fmt::format("expected {} or {}, found {}", what, e_.what, found()),
               has_else_if() ? else_if_remedy() : "");
      suspect_string();
    }
    if (open) note(place(open->at, open->at + block.size()), fmt::format("the '{}' that is open", block));
    return true;
  }

  /// Whether the block that is open holds an 'else if', which opens a block of its own.
  bool has_else_if() const {
    const Opening* open = opening();
    if (!open || open->keyword != Keyword::if_) return false;
    Token last;
    for (Token token = token_at(open->at, s_.at); !token.is_end_of_file(); token = token_at(token.end(), s_.at)) {
      if (token.is(Keyword::if_) && last.is(Keyword::else_)) return true;
      last = token;
    }
    return false;
  }
  static std::string else_if_remedy() {
    return "write 'elseif' in place of 'else if', which begins an 'if' of its own";
  }

  bool class_end() {
    const std::string end = fmt::format("'end {}'", s_.class_name);
    const auto note_class = [&] {
      if (s_.class_at) note(place(token_at(s_.class_at, end_)), fmt::format("'{}' begins here", s_.class_name));
    };
    if (found_.is_end_of_file()) {
      at(place(s_.token_end, s_.token_end), fmt::format("expected {}, found the end of the file", end),
         fmt::format("write {} and ';'", end));
      note_class();
      return true;
    }
    if (found_.is(Keyword::end)) {
      const Token what = next();
      if (what.kind == Kind::keyword && contains(block_keywords, what.keyword)) {
        at(place(found_.begin(), what.end()),
           fmt::format("'end {}' ends nothing: no '{}' is open", what.text, what.text), "");
      } else if (what.kind == Kind::keyword) {
        at(place(found_.begin(), what.end()), fmt::format("expected {}, found {}", end, found()),
           fmt::format("write {}", end));
      } else {
        at_found("expected the name of the class after 'end'", fmt::format("write {}", end));
      }
      note_class();
      return true;
    }
    const KeywordSet branches = keyword_set(Keyword::else_, Keyword::elseif, Keyword::elsewhen);
    if (found_.kind == Kind::keyword && contains(branches, found_.keyword)) {
      return at_found(fmt::format("'{}' continues nothing: no '{}' is open", found_.text,
                                  found_.is(Keyword::elsewhen) ? "when" : "if"));
    }
    if (found_.is(Keyword::initial)) {
      return at(place(found_.end(), found_.end()),
                fmt::format("expected 'equation' or 'algorithm' after 'initial', found {}", described(next(), end_)),
                "");
    }
    if (s_.section == Section::ended) {
      at_found(fmt::format("expected {} after the annotation of the class, found {}", end, found()),
               "the annotation of a class stands last in it");
      return true;
    }
    if (misfit_in_list()) return true;
    const std::string_view what = s_.section == Section::equations   ? "an equation"
                                  : s_.section == Section::algorithm ? "a statement"
                                                                     : "a declaration";
    at_found(fmt::format("expected {} or {}, found {}", what, end, found()));
    suspect_string();
    return true;
  }

  bool top_level() {
    if (found_.is(";")) return at_found("there is nothing before this ';'", "leave it out");
    if (found_.is(Keyword::end)) {
      const Token what = next();
      const bool named = what.kind == Kind::name || what.kind == Kind::keyword;
      return at(place(found_.begin(), named ? what.end() : found_.end()),
                fmt::format("{} ends nothing: no class is open", found()), "there may be one 'end' too many before it");
    }
    if (found_.is(Keyword::within)) return at_found("'within' stands once, and before everything else", "");
    at_found(fmt::format("expected a class{}, found {}", before_.kind == Kind::keyword ? after() : "", found()));
    return true;
  }

  bool argument() {
    if (found_.is(Keyword::break_)) {
      return at_found("'break' can only stand in the modification of an extends clause", "");
    }
    if (found_.kind == Kind::keyword && on_line_of_previous() && !found_.is(Keyword::end)) {
      return at_found(fmt::format("'{}' is a keyword and cannot be a name", found_.text), "choose another name");
    }
    return at_found(fmt::format("expected a modification{}, found {}", after(), found()));
  }

  const Situation& s_;
  const Expectation& e_;
  const char* end_;
  Token found_;
  Token before_;
  Diagnostic result_;
};

}  // namespace

Diagnostic explain(const Situation& situation, const Expectation& expectation) {
  return Explainer(situation, expectation).explain();
}

}  // namespace mosim::parser
