// What is said of names, expressions, brackets and keywords that the grammar asked for.

#include <cctype>

#include "parser/explainer.hpp"

namespace mosim::parser {

bool Explainer::by_what_is_missing() {
  switch (e_.missing) {
    case Missing::semicolon: return semicolon();
    case Missing::equation_rest: return equation_rest();
    case Missing::statement_rest: return statement_rest();
    case Missing::name: return name("a name");
    case Missing::declaration_name: return declaration_name();
    case Missing::class_or_component: return type();
    case Missing::expression: return expression();
    case Missing::operand: return operand();
    case Missing::closing: return closing();
    case Missing::keyword: return keyword();
    case Missing::block_end: return block_end();
    case Missing::class_end: return class_end();
    case Missing::class_definition:
    case Missing::end_of_file: return top_level();
    case Missing::argument: return argument();
    default: return false;
  }
}

void Explainer::plain() {
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

void Explainer::suspect_string() {
  if (before_.kind == Kind::string && before_.text.find('\n') != std::string_view::npos) {
    note(place(before_.begin(), before_.begin() + 1),
         "the string before it begins here: is its closing quote missing?");
    // From here on strings and what is between them may have changed places; a line that ends as a statement does
    // says where its quote is missing.
    const std::string_view line = before_.text.substr(0, before_.text.find('\n'));
    const std::size_t last = line.find_last_not_of(" \t\r");
    const bool closed = last != std::string_view::npos && line[last] == ';';
    result_.at = before_.begin();
    resume(closed ? Resume::next_line : Resume::nowhere);
  }
}

void Explainer::note_string_over_lines(const char* at) {
  Token last;
  for (Token t = token_at(s_.source.text.data(), at); !t.is_end_of_file(); t = token_at(t.end(), at))
    if (t.kind == Kind::string && t.text.find('\n') != std::string_view::npos) last = t;
  if (last.kind == Kind::string) {
    note(place(last.begin(), last.begin() + 1), "a string before it goes over several lines: is its closing quote missing?");
  }
}

bool Explainer::name(std::string_view what) {
  if (end_before_block()) return true;
  const Token after_found = next();
  const bool declared = after_found.is("=") || after_found.is("(") || after_found.is("[") || after_found.is(",");
  if (found_.kind == Kind::keyword && on_line_of_previous() && (!found_.is(Keyword::end) || declared)) {
    if (found_.is(Keyword::der) && before_.is(".")) {   // x.der
      const char* begin = before_.begin();
      while (begin > s_.source.text.data() && (std::isalnum(static_cast<unsigned char>(begin[-1])) || begin[-1] == '_' || begin[-1] == '.')) --begin;
      return at_found("'der' is a keyword and cannot be a name",
                      fmt::format("if the derivative is meant, write der({})", std::string_view(begin, static_cast<std::size_t>(before_.begin() - begin))));
    }
    return at_found(fmt::format("'{}' is a keyword and cannot be a name", found_.text), "choose another name");
  }
  return at_found(fmt::format("expected {}{}, found {}", what, after(), found()));
}

bool Explainer::type() {
  if (found_.kind == Kind::keyword && contains(prefix_keywords, found_.keyword)) {
    return at_found(fmt::format("'{}' cannot stand{}", found_.text, after()),
                    "the order is: redeclare, final, inner, outer, replaceable; flow or stream; discrete, parameter "
                    "or constant; input or output");
  }
  return name("a type");
}

bool Explainer::expression() {
  if ((found_.is("}") && before_.is("{")) || (found_.is("]") && before_.is("["))) {
    const bool subscripts =
        before_.is("[") && before_.begin() > s_.source.text.data() && is_subscript(before_.begin());
    const std::string_view text = s_.source.text, before = text.substr(0, text.find_last_not_of(" \t\r\n", std::size_t(before_.begin() - text.data()) - 1) + 1);
    if (before_.is("{") && before.ends_with("when"))   // or elsewhen
      return at_found("a when-clause is given a vector of conditions, and none is in it", "write them: the clause fires when any of them becomes true");
    return at_found(
        fmt::format("expected an expression between '{}' and '{}'", before_.text, found_.text),
        subscripts ? "write '[:]' for a whole dimension" : "write fill(x, 0), with an x of the elements' type, for an array without elements");
  }
  if (end_before_block()) return true;
  if (found_.is(Keyword::end) && next().kind == Kind::symbol && !next().is(";")) {
    return at_found("'end' is an index, and stands inside subscripts only", "");
  }
  if (found_.kind == Kind::keyword && on_line_of_previous() && !found_.is(Keyword::end) &&
      (contains(declaration_keywords, found_.keyword) || found_.is(Keyword::each) || found_.is(Keyword::connect))) {
    return at_found(fmt::format("'{}' is a keyword and cannot be a name", found_.text), "choose another name");
  }
  return at_found(fmt::format("expected an expression{}, found {}", after(), found()));
}

bool Explainer::is_subscript(const char* bracket) const {
  const char previous = bracket[-1];
  return (previous >= 'a' && previous <= 'z') || (previous >= 'A' && previous <= 'Z') ||
         (previous >= '0' && previous <= '9') || previous == '_' || previous == ')' || previous == '\'';
}

bool Explainer::operand() {
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

bool Explainer::closing() {
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

bool Explainer::begins_statement(const char* at) const {
  const auto tokens = statement();
  return !tokens.empty() && tokens.front().begin() == at;
}

bool Explainer::keyword() {
  if (e_.what == "'then'" || e_.what == "'loop'") {
    const bool then = e_.what == "'then'";
    if (found_.is("=") || found_.is(":=")) {
      const auto tokens = statement();
      const bool loop =
          !then && std::any_of(tokens.begin(), tokens.end(), [](const Token& t) { return t.is(Keyword::for_); });
      return loop ? at_found(fmt::format("expected 'in'{}, found {}", after(), found()), "write 'for i in 1:n loop'")
                  : at_found(fmt::format("'{}' does not compare", found_.text), "write '=='");
    }
    if (means(found_, then ? Keyword::then : Keyword::loop)) {
      return at_found(fmt::format("'{}' is no keyword of Modelica", found_.text), fmt::format("write {}", e_.what)) &&
             resume(Resume::behind_token);
    }
    const bool other = found_.is(then ? Keyword::loop : Keyword::then) || found_.text == "do" || found_.text == ":" || found_.text == "{";
    if (other)
      return at_found(fmt::format("expected {}{}, found {}", e_.what, after(), found()),
                      fmt::format("write {}", e_.what)) &&
             resume(Resume::behind_token);
    const bool index = !then && opening() && opening()->keyword == Keyword::for_;
    return behind(fmt::format("expected {} after the {}, found {}", e_.what, index ? "index" : "condition", found())) &&
           resume(Resume::here);
  }
  if (e_.what == "'else'" && means_elseif(found_)) {
    return at_found(fmt::format("'{}' is no keyword of Modelica", found_.text), "write 'elseif'");
  }
  if (e_.what == "'else'") {
    return behind(
        fmt::format("expected 'else'{}, found {}: an if-expression needs a value for every case", after(), found()),
        "write 'if c then a else b'");
  }
  return behind(fmt::format("expected {}{}, found {}", e_.what, after(), found()));
}

bool Explainer::argument() {
  if (found_.is(Keyword::break_)) {
    return at_found("'break' can only stand in the modification of an extends clause", "");
  }
  if (found_.kind == Kind::keyword && on_line_of_previous() && !found_.is(Keyword::end)) {
    return at_found(fmt::format("'{}' is a keyword and cannot be a name", found_.text), "choose another name");
  }
  return at_found(fmt::format("expected a modification{}, found {}", after(), found()));
}

}  // namespace mosim::parser
