#include "parser/recovery.hpp"

#include <fmt/format.h>

namespace mosim::parser {

using Kind = Token::Kind;

SyntaxError misfit(const Input& in, const Builder& b) {
  using Missing = Expectation::Missing;
  const auto block = [&](std::string_view what) { return explain(situation(in, b), {Missing::block_end, what, {}}); };
  if (!is_block_open(in)) return explain(situation(in, b), {Missing::class_end, {}, {}});
  switch (in.openings.back().keyword) {
    case Keyword::for_: return block("'end for'");
    case Keyword::while_: return block("'end while'");
    case Keyword::when: return block("'end when'");
    default: return block("'end if'");
  }
}

bool may_end_list(Input& in, const Builder& b) {
  const bool block = is_block_open(in);
  if (in.empty() || b.class_ends_at == in.current()) return true;
  if (block && in.openings.back().braces && *in.current() == '}') return true;
  const auto behind = [&] { return Input::keyword_at(skip_space(in.word_end(), in.end())); };
  switch (in.keyword()) {
    case Keyword::equation:
    case Keyword::algorithm:
    case Keyword::public_:
    case Keyword::protected_:
    case Keyword::external:
    case Keyword::annotation: return true;
    case Keyword::initial: return behind() == Keyword::equation || behind() == Keyword::algorithm;
    case Keyword::else_:
    case Keyword::elseif:
    case Keyword::elsewhen: return block;
    case Keyword::end:
      return block || !contains(keyword_set(Keyword::if_, Keyword::for_, Keyword::when, Keyword::while_), behind());
    default: return false;
  }
}

void skip_brace_before_branch(Input& in) {
  if (!is_block_open(in) || !in.openings.back().braces || *in.current() != '}') return;
  const Token next = token_at(in.current() + 1, in.end());
  if (next.is(Keyword::else_) || next.is(Keyword::elseif)) in.accept(in.current() + 1);
}

void skip_branch_head(Input& in, Builder& b) {
  const char* const word = in.word_end();
  const char* then = in.keyword() == Keyword::else_ ? in.end() : head_end(word, text_begin(in), in.end(), Keyword::then);
  move_to(in, b, then == in.end() ? word : then + text(Keyword::then).size());
}

void skip_misfit(Input& in, Builder& b, Resume how, const char* stopped) {
  if (how == Resume::line_end) return move_to(in, b, end_of_line(stopped, in.end()));
  if (how == Resume::behind_token) return move_to(in, b, next_token(in).end());
  if (contains(keyword_set(Keyword::else_, Keyword::elseif, Keyword::elsewhen), in.keyword())) return skip_branch_head(in, b);
  if (in.keyword() == Keyword::end) {
    const Token what = token_at(in.word_end(), in.end());
    const Token semicolon = token_at(what.end(), in.end());
    return move_to(in, b, semicolon.is(";") ? semicolon.end() : what.end());
  }
  const char* const behind = behind_misfit(in.current(), in.end());
  move_to(in, b, behind, behind[-1] != ';');
}

bool close_block(Input& in, Builder& b) {
  const bool at_end = in.keyword() == Keyword::end;
  const char* const word = at_end ? in.word_end() : in.current();
  const Token what = token_at(word, in.end());
  if (at_end && what.is(Keyword::end)) {
    move_to(in, b, what.begin());
    return false;
  }
  in.openings.pop_back();
  b.blind = true;   // more may stand in it than belongs to it
  if (!at_end) return true;
  const auto ends_class = [&](const OpenClass& c) { return b.names.text(c.definition.name) == what.text; };
  const auto ends_block = [&](const Opening& o) { return o.keyword == what.keyword; };
  if (what.kind == Kind::name) {
    if (!std::any_of(b.open_classes.begin(), b.open_classes.end(), ends_class)) move_to(in, b, what.end());
  } else if (what.kind == Kind::keyword) {
    const bool block = contains(keyword_set(Keyword::if_, Keyword::for_, Keyword::when, Keyword::while_), what.keyword);
    if (block && !std::any_of(in.openings.begin(), in.openings.end(), ends_block)) move_to(in, b, what.end());
  } else {
    move_to(in, b, word);
  }
  return true;
}

void go_to_body(Input& in, Builder& b, Keyword keyword, Resume how, const char* stopped) {
  const char* const end = in.end();
  const bool known = how == Resume::behind_token || (how == Resume::here && first_on_line(skip_space(stopped, end), text_begin(in)));
  const char* const body = known ? end : head_end(stopped, text_begin(in), end, keyword);
  if (body != end) {
    move_to(in, b, body);
    in.stand_in(keyword, Input::word_end(body));
    return;
  }
  const Token at = token_at(stopped, end);
  if (how == Resume::behind_token) {
    if (at.text == "{") in.openings.back().braces = true;
    move_to(in, b, at.end());
  } else {
    move_to(in, b, how == Resume::here ? stopped : end_of_line(stopped, end));
  }
  in.stand_in(keyword, in.current());
}

bool is_known_end(Input& in, const Builder& b) {
  if (b.open_classes.back().definition.name == Name::none) return true;
  if (in.keyword() != Keyword::end) return false;
  const Token what = token_at(in.word_end(), in.end());
  return std::any_of(b.unread.begin(), b.unread.end(), [&](Name n) { return b.names.text(n) == what.text; });
}

namespace {

/// Behind the annotation: the section before it goes on.
void go_on(Input& in, OpenClass& open) {
  if (open.section == Section::ended) open.section = open.section_before_annotation;
  if (open.section == Section::equations) in.stand_in(Keyword::equation, in.current());
  if (open.section == Section::algorithm) in.stand_in(Keyword::algorithm, in.current());
}

/// How far into its line a place is, and where the line begins.
std::pair<const char*, std::ptrdiff_t> indentation(const char* at, const char* text) {
  const char* line = at;
  while (line != text && line[-1] != '\n') --line;
  const char* first = line;
  while (first != at && (*first == ' ' || *first == '\t')) ++first;
  return {line, first - line};
}

}  // namespace

bool goes_on_behind_annotation(Input& in, Builder& b) {
  OpenClass& open = b.open_classes.back();
  if (open.section != Section::ended || in.empty() || in.keyword() == Keyword::end || !open.name_at) return false;
  const Token found = next_token(in);
  const bool begins = found.kind == Kind::keyword
                          ? !contains(keyword_set(Keyword::then, Keyword::else_, Keyword::elseif, Keyword::elsewhen, Keyword::loop), found.keyword)
                          : found.kind == Kind::name && !token_at(found.end(), in.end()).is(";");
  if (!begins) return false;
  // Another class no further in than this one: the end of this one is missing. Packages of old begin with their annotation.
  constexpr auto classes = keyword_set(Keyword::class_, Keyword::model, Keyword::record, Keyword::operator_, Keyword::block, Keyword::expandable,
                                       Keyword::connector, Keyword::type, Keyword::package, Keyword::pure, Keyword::impure, Keyword::function,
                                       Keyword::partial, Keyword::encapsulated, Keyword::replaceable, Keyword::redeclare, Keyword::final_);
  if (found.kind == Kind::keyword && contains(classes, found.keyword) && open.definition.kind != ClassKind::package) {
    const auto [class_line, class_column] = indentation(open.name_at, text_begin(in));
    const auto [line, column] = indentation(found.begin(), text_begin(in));
    if (line != class_line && column <= class_column) return false;
  }
  // Whether the equations and statements that follow are initial ones, too, nobody can know.
  const auto initial = [](const auto& section) { return section.initial; };
  if (!b.sections.empty() && open.section_before_annotation != Section::elements && std::visit(initial, b.sections.back())) return false;
  if (!std::exchange(b.early_annotation, true))
    b.errors.warn({Severity::warning, b.place(found.begin(), found.end()),
                   "the class goes on behind its annotation, as in old libraries; the annotation of a class stands last in it", "move the annotation to the end of the class", {}});
  go_on(in, open);
  return true;
}

bool mend_class_end(Input& in, Builder& b) {
  if (in.empty()) return true;
  OpenClass& open = b.open_classes.back();
  if (in.keyword() != Keyword::end) {
    go_on(in, open);
    return false;
  }
  const char* const word = in.word_end();
  const Token what = token_at(word, in.end());
  if (what.is(Keyword::end)) {
    move_to(in, b, what.begin());
    return false;
  }
  if (what.kind == Kind::keyword && contains(keyword_set(Keyword::if_, Keyword::for_, Keyword::when, Keyword::while_), what.keyword)) {
    skip_misfit(in, b, Resume::behind_item, in.current());
    return false;
  }
  if (what.kind == Kind::name) {
    const auto named = [&](const OpenClass& c) { return c.definition.name != Name::none && b.names.text(c.definition.name) == what.text; };
    b.blind = true;
    if (std::any_of(b.open_classes.begin(), b.open_classes.end() - 1, named)) return true;   // its own end is missing
    if (open.definition.name != Name::none && class_ends_behind(what.end(), in.end(), b.names.text(open.definition.name))) {
      skip_misfit(in, b, Resume::behind_item, in.current());
      return false;
    }
  }
  const bool named = what.kind == Kind::name || what.kind == Kind::keyword;
  move_to(in, b, named ? what.end() : word);
  return true;
}

void check_name_of_class(const Input& in, const Builder& b, const char* name) {
  if (!first_on_line(name, text_begin(in))) return;
  const Token word = token_at(name, in.end());
  if (next_token(in).kind == Kind::string || first_on_line(in.current(), text_begin(in))) return;
  if (class_ends_behind(in.current(), in.end(), word.text)) return;
  throw SyntaxError{{Severity::error, b.place(word.begin(), word.end()), "expected the name of the class before this line", {}, {}}, name};
}

bool lacks_equals(const Input& in, const Builder& b) {
  const Token type = next_token(in);
  if (type.kind != Kind::name && type.text != ".") return false;
  const OpenClass& open = b.open_classes.back();
  if (open.definition.kind != ClassKind::type) {
    Token behind = token_at(type.end(), in.end());
    while (behind.text == ".") behind = token_at(token_at(behind.end(), in.end()).end(), in.end());
    if (!behind.is(";") && !behind.is("(") && !behind.is("[") && behind.kind != Kind::string) return false;
  }
  if (open.class_extends || !open.definition.description.text.empty()) return false;
  return !class_ends_behind(in.current(), in.end(), b.names.text(open.definition.name));
}

StoodIn stand_in(Input& in, Builder& b, const char* at, Resume how, std::string_view word, Keyword keyword) {
  const char* const begin = how == Resume::as_keyword ? word.data() : at;
  const bool again = b.stood_in_at == begin;   // it has not helped
  b.stood_in_at = nullptr;
  if (again) return StoodIn::in_vain;
  switch (how) {
    case Resume::as_keyword:
      move_to(in, b, begin);
      in.stand_in(keyword, begin + word.size());
      break;
    case Resume::as_equations:
    case Resume::as_statements:
      move_to(in, b, begin, true);
      in.stand_in(how == Resume::as_equations ? Keyword::equation : Keyword::algorithm, begin);
      break;
    default: return StoodIn::no;
  }
  b.stood_in_at = begin;
  return StoodIn::yes;
}

bool blame_section(Input& in, Builder& b, SyntaxError& error) {
  if (error.resume != Resume::as_equations && error.resume != Resume::as_statements) return false;
  for (std::size_t i = b.open_classes.back().element_mark; i < b.elements.size(); ++i) {
    const auto* clause = std::get_if<ComponentClause>(&b.elements[i].node);
    if (!clause || clause->type.parts.size() != 1) continue;
    const char* const at = text_begin(in) + (clause->type.place.begin - b.source.begin);
    const Token word = token_at(at, in.end());
    const auto found = misspelt_keyword({word}, token_at(word.end(), in.end()),
                                        {Section::elements, false, {}, text_begin(in), in.end()});
    if (!found || (found->keyword != Keyword::equation && found->keyword != Keyword::algorithm)) continue;
    error = {{Severity::error, clause->type.place, fmt::format("'{}' is no keyword of Modelica", word.text),
              fmt::format("write '{}'", text(found->keyword)), {}},
             error.at, Resume::as_keyword};
    b.elements.resize(i);
    if (say(std::move(error), in, b)) (void)stand_in(in, b, at, Resume::as_keyword, word.text, found->keyword);
    return true;
  }
  return false;
}

void note_unread(Builder& b, const char* begin, const char* end) {
  // These bring names that do not stand there.
  constexpr KeywordSet makers_of_names =
      keyword_set(Keyword::import_, Keyword::extends, Keyword::model, Keyword::block, Keyword::package, Keyword::connector,
                  Keyword::record, Keyword::class_, Keyword::function, Keyword::operator_);
  for (Token t = token_at(begin, end); !t.is_end_of_file(); t = token_at(t.end(), end)) {
    if (t.kind == Kind::name) b.unread.push_back(b.names.intern(t.text));
    if (t.kind == Kind::keyword && contains(makers_of_names, t.keyword)) b.blind = true;
  }
  if (!b.open_classes.empty()) b.unread.push_back(b.open_classes.back().definition.name);
}

}  // namespace mosim::parser
