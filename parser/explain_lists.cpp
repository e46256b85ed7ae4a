// What is said of members of lists, and of the ends of blocks and classes.

#include "parser/explainer.hpp"

namespace mosim::parser {

bool Explainer::block_without_keyword() {
  const bool in_list = s_.section == Section::equations || s_.section == Section::algorithm;
  if (!in_list || !(found_.is(Keyword::then) || found_.is(Keyword::loop) || found_.is(Keyword::in))) return false;
  const auto item = statement();
  const BlockEnds ends = block_ends_behind(found_.end(), s_.source.text.data(), end_);
  const bool loops = ends.first == Keyword::for_ || ends.first == Keyword::while_;
  const bool is_equation = std::any_of(item.begin(), item.end(), [](const Token& t) { return t.is("=") || t.is(":="); });
  if (item.empty() || is_equation || ends.count == 0 || loops == found_.is(Keyword::then)) return false;
  // Every block that is open ends once; one more end belongs to the block that begins here.
  Keyword keyword = ends.first;
  if (!loops && ends.count <= s_.openings.size()) keyword = ends.first == Keyword::if_ ? Keyword::elseif : Keyword::elsewhen;
  at(place(item.front()), fmt::format("expected '{}' before the {}, found '{}'", text(keyword), keyword == Keyword::for_ ? "index" : "condition", item.front().text),
     fmt::format("write '{}'", text(keyword)));
  return stand_in(keyword, item.front());
}

bool Explainer::end_before_block() {
  if (!found_.is(";") || before_.kind != Kind::keyword || !contains(block_keywords, before_.keyword)) return false;
  if (s_.openings.size() < 2 || s_.openings[s_.openings.size() - 2].keyword != before_.keyword) return false;
  at(place(before_), fmt::format("expected 'end {0}', found '{0}'", before_.text), fmt::format("write 'end {}'", before_.text));
  return stand_in(Keyword::end, before_);
}

bool Explainer::semicolon() {
  if (block_without_keyword()) return true;
  if (found_.is(":=") && s_.section != Section::algorithm) {
    return at_found(s_.section == Section::equations ? "':=' assigns, and an equation does not"
                                                     : "':=' assigns, and a declaration does not",
                    "write '='");
  }
  if (found_.is(":=") && before_.is(")")) {
    const auto tokens = statement();
    if (tokens.size() > 2 && tokens[0].kind == Kind::name && tokens[1].is("(")) {
      return at(place(tokens[0].begin(), s_.token_end), "this is a call, and only a variable can be assigned to",
                fmt::format("the element of an array is written with brackets: {}[...]", tokens[0].text));
    }
  }
  if (found_.is(":=")) return at_found("only a variable can be assigned to", "");
  if (found_.is("==")) return at_found("'==' compares; it does not give a value", "write '='");
  if (found_.is(")") || found_.is("]") || found_.is("}")) {
    return at_found(fmt::format("'{}' closes nothing that is open", found_.text));
  }
  if (found_.is("=") && s_.section == Section::algorithm) {
    return at_found("'=' makes an equation; a statement assigns with ':='", "write ':='");
  }
  if (found_.is("=") && s_.section == Section::equations) {
    return at_found("an equation has one '='", "where two values are compared, write '=='");
  }
  if (s_.section == Section::elements && before_.kind == Kind::string && on_line_of_previous() && (found_.is("(") || found_.is("="))) {
    const auto tokens = statement();
    const std::string name = tokens.size() > 2 && tokens[tokens.size() - 2].kind == Kind::name ? std::string(tokens[tokens.size() - 2].text) : "x";
    return at_found("the text of a declaration stands last in it",
                    fmt::format("the order is name, modifiers, value, text: {}", found_.is("(") ? name + "(start = 1) = 2 \"text\"" : name + " = 2 \"text\""));
  }
  if (before_.is(Keyword::return_) && on_line_of_previous()) {
    return at_found("'return' ends the function and takes no value",
                    "assign to the output before it: 'y := ...; return;'");
  }
  behind(fmt::format("expected ';' after {}, found {}", e_.after, found()));
  if (!on_line_of_previous()) {
    resume(Resume::here);
    result_.family = "a ';' at the end of a line";
  }
  suspect_string();
  return true;
}

bool Explainer::equation_rest() {
  if (block_without_keyword()) return true;
  if (found_.is(":=")) return at_found("':=' assigns, and an equation does not", "write '='");
  if (found_.kind == Kind::name && looks_like_declaration()) return misplaced_declaration();
  if (found_.is(";")) {
    const auto tokens = statement();
    if (tokens.size() == 1 && tokens[0].text == s_.class_name) return end_without_keyword(tokens[0]);
    at(tokens.empty() ? place(found_) : place(tokens.front().begin(), s_.token_end),
       "this is no equation: it has no '='", "");
    return true;
  }
  behind(fmt::format("expected '='{}, found {}", after(), found()));
  suspect_string();
  return true;
}

bool Explainer::end_without_keyword(const Token& name) {
  at(place(name), fmt::format("expected 'end {0}', found '{0}'", name.text), fmt::format("write 'end {}'", name.text));
  return stand_in(Keyword::end, name);
}

bool Explainer::stand_in(Keyword keyword, const Token& before) {
  result_.word = {before.begin(), 0};
  result_.keyword = keyword;
  return resume(Resume::as_keyword);
}

bool Explainer::statement_rest() {
  if (block_without_keyword()) return true;
  if (found_.is(";")) {
    const auto tokens = statement();
    if (tokens.size() == 1 && tokens[0].text == s_.class_name) return end_without_keyword(tokens[0]);
  }
  if (found_.is("=") || found_.is("==")) {
    return at_found(fmt::format("'{}' {}; a statement assigns with ':='", found_.text,
                                found_.is("=") ? "makes an equation" : "compares"),
                    "write ':='");
  }
  if (found_.kind == Kind::name && looks_like_declaration()) return misplaced_declaration();
  return behind(fmt::format("expected ':=' or '('{}, found {}", after(), found()));
}

bool Explainer::looks_like_declaration() const {
  const auto tokens = statement();
  // The names of types begin with a capital letter by custom, but for those of other languages.
  constexpr std::array<std::string_view, 6> others = {"int", "double", "float", "bool", "real", "string"};
  const std::string_view type = before_.text;
  const bool is_type = (!type.empty() && type.front() >= 'A' && type.front() <= 'Z') || std::find(others.begin(), others.end(), type) != others.end();
  const Token following = next();
  const bool declares = following.is(";") || following.is("=") || following.is("(") || following.is("[") || following.is(",") ||
                        following.is(":=") || following.kind == Kind::string || following.kind == Kind::keyword;
  return !tokens.empty() && on_line_of_previous() && before_.kind == Kind::name && is_type && declares &&
         std::all_of(tokens.begin(), tokens.end(), [](const Token& t) { return t.kind == Kind::name || t.is("."); });
}

bool Explainer::misplaced_declaration() {
  const bool equations = s_.section == Section::equations;
  if (found_.kind == Kind::keyword && contains(class_keywords, found_.keyword) && !class_ends_behind(found_.begin(), end_, s_.class_name)) {
    at_found(fmt::format("expected {} or 'end {}', found {}", equations ? "an equation" : "a statement", s_.class_name, found()),
             fmt::format("write 'end {};' before the next class", s_.class_name));
    if (s_.class_at) note(place(token_at(s_.class_at, end_)), fmt::format("'{}' begins here", s_.class_name));
    return resume(Resume::end_of_class);
  }
  at_found(fmt::format("a declaration cannot stand among {}", equations ? "equations" : "statements"),
           fmt::format("put it before '{}', or begin a section for it with 'public' or 'protected'",
                       equations ? "equation" : "algorithm"));
  note_section();
  return resume(Resume::as_declaration);
}

void Explainer::note_section() {
  if (s_.section_at) note(place(token_at(s_.section_at, end_)), "the section begins here");
}

bool Explainer::type_missing(const std::vector<Token>& item) {
  constexpr std::array<std::string_view, 4> types = {"Real", "Integer", "Boolean", "String"};
  const bool declares = item.size() > 1 && std::all_of(item.begin(), item.end() - 1, [](const Token& t) {
    return t.kind == Kind::keyword && contains(prefix_keywords, t.keyword);
  });
  if (!declares || item.back().kind != Kind::name || std::find(types.begin(), types.end(), item.back().text) != types.end()) return false;
  if (!found_.is("=") && !found_.is(";") && !found_.is("(") && found_.kind != Kind::string) return false;
  const Token value = next();
  const bool given = found_.is("=");
  const std::string_view type = given && value.kind == Kind::string                                           ? "String"
                                : given && (value.is(Keyword::true_) || value.is(Keyword::false_)) ? "Boolean"
                                                                                                     : "Real";
  const auto [text, one] = given ? value_behind(found_) : std::pair<std::string, bool>{"", true};
  return at(place(item.back()), fmt::format("the type of {} is missing", item.back().text),
            fmt::format("write {} {} {}{}", std::string(item.front().begin(), item[item.size() - 2].end()), type, item.back().text,
                        !given ? "" : " = " + text));
}

bool Explainer::declaration_name() {
  const auto item = statement();
  const bool end_of_line = found_.kind == Kind::string || !on_line_of_previous();
  if (item.size() == 1 && end_of_line && item[0].text != s_.class_name && class_ends_behind(s_.at, end_, item[0].text)) {
    at(place(item[0]), fmt::format("expected a name after '{}', found {}", item[0].text, found()),
       fmt::format("if a class begins here, its kind is missing: 'model {}'", item[0].text));
    return stand_in(Keyword::model, item[0]);
  }
  if (item.size() == 1 && found_.is(";") && item[0].text == s_.class_name) return end_without_keyword(item[0]);
  if (type_missing(item)) return true;
  if (opening() && opening()->bracket == '(' && found_.is("=")) {
    return at_found(fmt::format("expected a name{}, found '='", after()),
                    "a redeclaration has a type and a name: redeclare Real x = 1");
  }
  const bool operation = found_.is("=") || found_.is("==") || found_.is("(") || found_.is("+") || found_.is("-") || found_.is("*");
  // Behind a reference alone; not where one of several declarations lacks its type or its name.
  const bool bare = is_reference(item) && !(before_.is("]") && found_.is("(")) && !s_.in_package && !declarations_follow(s_.at, end_);
  if (found_.is(":=") || (operation && s_.in_function)) {
    return at_found(fmt::format("expected a name{}, found {}", after(), found()),
                    "if this is a statement, it belongs behind the keyword 'algorithm'") &&
           resume(bare ? Resume::as_statements : Resume::behind_item);
  }
  if (operation) {
    return at_found(fmt::format("expected a name{}, found {}", after(), found()),
                    "if this is an equation, it belongs behind the keyword 'equation'") &&
           resume(bare ? Resume::as_equations : Resume::behind_item);
  }
  return name("a name");
}

bool Explainer::is_reference(const std::vector<Token>& tokens) {
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].kind == Kind::keyword && i == 0) return false;
    if (i > 0 && tokens[i].kind == Kind::name && tokens[i - 1].kind == Kind::name) return false;
  }
  return true;
}

bool Explainer::misfit_in_list() {
  if (found_.text == ":" && before_.kind == Kind::keyword) {
    return at_found(fmt::format("no ':' stands behind '{}'", before_.text), "leave it out") && resume(Resume::behind_token);
  }
  if (found_.is("(") && s_.class_at && before_.begin() == s_.class_at) {
    return at_found(fmt::format("no list stands behind the name of a {}", s_.in_function ? "function" : "class"),
                    s_.in_function ? "declare each input and output inside, as in 'input Real x;'"
                                   : "declare what it has inside, as in 'parameter Real x;'");
  }
  if (found_.text == "{" || (found_.is("}") && !in_block())) {
    return at_found("a class does not stand in braces",
                    fmt::format("it begins with its name and ends with 'end {};'", s_.class_name));
  }
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
                      "statements belong behind the keyword 'algorithm'") &&
             resume(Resume::as_statement);
    }
    if (!equations && found_.is(Keyword::connect)) {
      return at_found("'connect' is an equation and cannot stand among statements",
                      "equations belong behind the keyword 'equation'") &&
             resume(Resume::as_equation);
    }
    return false;
  }
  if (contains(block_keywords, found_.keyword) || found_.is(Keyword::connect) || found_.is(Keyword::der)) {
    return at_found(fmt::format("'{}' cannot stand among declarations", found_.text),
                    "equations belong behind the keyword 'equation', statements behind 'algorithm'") &&
           resume(s_.in_function || found_.is(Keyword::while_) ? Resume::as_statements : Resume::as_equations);
  }
  return false;
}

bool Explainer::block_end() {
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

bool Explainer::has_else_if() const {
  const Opening* open = opening();
  if (!open || open->keyword != Keyword::if_) return false;
  Token last;
  for (Token token = token_at(open->at, s_.at); !token.is_end_of_file(); token = token_at(token.end(), s_.at)) {
    if (token.is(Keyword::if_) && last.is(Keyword::else_)) return true;
    last = token;
  }
  return false;
}

std::string Explainer::else_if_remedy() {
  return "write 'elseif' in place of 'else if', which begins an 'if' of its own";
}

bool Explainer::end_taken_for_a_type() {
  if (!s_.class_at) return false;
  std::array<Token, 3> last;
  for (Token t = token_at(s_.class_at, end_); !t.is_end_of_file(); t = token_at(t.end(), end_)) {
    std::rotate(last.begin(), last.begin() + 1, last.end());
    last.back() = t;
  }
  if (!means(last[0], Keyword::end) || last[1].text != s_.class_name || !last[2].is(";")) return false;
  return at(place(last[0]), fmt::format("'{}' is no keyword of Modelica", last[0].text), "write 'end'");
}

bool Explainer::class_end() {
  const std::string end = fmt::format("'end {}'", s_.class_name);
  const auto note_class = [&] {
    if (s_.class_at) note(place(token_at(s_.class_at, end_)), fmt::format("'{}' begins here", s_.class_name));
  };
  if (found_.is_end_of_file()) {
    if (end_taken_for_a_type()) return true;
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
    const Token word = next();
    const Keyword meant = means_section(word);
    if (meant != Keyword::none) {
      result_.word = word.text;
      result_.keyword = meant;
      return at(place(word), fmt::format("'{}' is no keyword of Modelica", word.text),
                fmt::format("write 'initial {}'", text(meant))) &&
             resume(Resume::as_keyword);
    }
    return at(place(found_.end(), found_.end()),
              fmt::format("expected 'equation' or 'algorithm' after 'initial', found {}", described(next(), end_)),
              "");
  }
  if (s_.section == Section::ended && found_.text == s_.class_name && next().is(";")) return end_without_keyword(found_);
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

bool Explainer::top_level() {
  if (found_.is(";")) return at_found("there is nothing before this ';'", "leave it out");
  if (found_.is(Keyword::end)) {
    const Token what = next();
    const bool named = what.kind == Kind::name || what.kind == Kind::keyword;
    return at(place(found_.begin(), named ? what.end() : found_.end()),
              fmt::format("{} ends nothing: no class is open", found()), "there may be one 'end' too many before it");
  }
  if (found_.is(Keyword::within)) return at_found("'within' stands once, and before everything else", "");
  at_found(fmt::format("expected a class{}, found {}", before_.kind == Kind::keyword ? after() : "", found()));
  if (found_.kind == Kind::name && class_ends_behind(found_.end(), end_, found_.text)) {
    result_.diagnostic.remedy = fmt::format("write its kind before its name: 'model {}'", found_.text);
    return stand_in(Keyword::model, found_);
  }
  return true;
}

}  // namespace mosim::parser
