#pragma once
// Grammar rules that go on after a syntax error (panic mode): they catch it, leave out what could not be read, and
// match again where the text can be told apart. Classes and blocks keep their nesting.

#include "parser/builder.hpp"
#include "parser/foreign.hpp"
#include "parser/resume.hpp"

namespace mosim::parser {

/// What to go back to when something cannot be read. Between the members of a list all other stacks are empty.
struct Checkpoint {
  Checkpoint(const Input& in, const Builder& b)
      : at(in.current()), token_end(in.token_end), depth(in.depth), openings(in.openings.size()), marks(b.marks.size()),
        operands(b.operands.size()), branches(b.branches.size()), index_lists(b.index_lists.size()),
        elements(b.elements.size()), equations(b.equations.size()), statements(b.statements.size()),
        sections(b.sections.size()), open_classes(b.open_classes.size()) {}

  void restore(Input& in, Builder& b) const {
    in.iterator() = at;
    in.depth = depth;
    in.subscript_depth = 0;
    in.openings.resize(openings, Opening{});
    b.marks.resize(marks);
    b.operands.resize(operands);
    b.branches.resize(branches);
    b.index_lists.resize(index_lists);
    b.elements.resize(elements);
    b.equations.resize(equations, Equation{{}, SimpleEquation{}, {}});
    b.statements.resize(statements, Statement{{}, BreakStatement{}, {}});
    b.sections.resize(sections);
    b.open_classes.resize(open_classes);
    b.clear_parts();
  }

  const char* at;
  const char* token_end;
  int depth;
  std::size_t openings, marks, operands, branches, index_lists, elements, equations, statements, sections, open_classes;
};

inline const char* text_begin(const Input& in) { return in.source().text.data(); }
inline Token next_token(const Input& in) { return token_at(in.current(), in.end()); }

inline void move_to(Input& in, Builder& b, const char* at, bool doubtful = false) {
  in.iterator() = skip_space(at, in.end());
  in.token_begin = in.token_end = at;
  b.errors.resume(in.current(), doubtful);
}

/// Says an error. False, and the text is at its end, if nothing more shall be read. `whole`: see SyntaxErrors::add.
inline bool say(SyntaxError error, Input& in, Builder& b, bool whole = false) {
  const bool lost = error.resume == Resume::nowhere;
  const bool at_end = error.at == in.end();
  if (b.errors.add(std::move(error), whole, at_end) && !lost) return true;
  b.blind = true;
  in.openings.clear();
  move_to(in, b, in.end());
  return false;
}

inline bool is_block_open(const Input& in) { return !in.openings.empty() && in.openings.back().keyword != Keyword::none; }

/// The error of a token that begins nothing in a list, and does not end what the list stands in.
SyntaxError misfit(const Input& in, const Builder& b);

/// Whether a list of elements, equations or statements may end here.
bool may_end_list(Input& in, const Builder& b);

/// In a block with braces: goes behind the "}" before its next branch.
void skip_brace_before_branch(Input& in);

/// Goes behind what stands for nothing here.
void skip_misfit(Input& in, Builder& b, Resume how, const char* stopped);

/// Goes behind the "else", or the "elseif ... then", that stands here.
void skip_branch_head(Input& in, Builder& b);

/// Goes behind the "end" here and the word after it, if they are meant to end the block that is open. Either way it is
/// closed; not (false) if what stood here was an "end" too many.
bool close_block(Input& in, Builder& b);

/// The head of a branch or a loop could not be read: goes to where its body begins, and lets the keyword before it
/// (then, loop) stand there if it does not.
void go_to_body(Input& in, Builder& b, Keyword keyword, Resume how, const char* stopped);

/// Whether an end of class that does not fit belongs to one of which something has been said.
bool is_known_end(Input& in, const Builder& b);

/// Does the class go on behind its annotation, as classes of Modelica 2 could? Says so, and where its sections go on.
bool goes_on_behind_annotation(Input& in, Builder& b);

/// A class does not end as it should: goes behind what was meant to end it. False if the class goes on here.
bool mend_class_end(Input& in, Builder& b);

/// Throws if the name of the class is missing, and the first word of the line behind was taken for it.
void check_name_of_class(const Input& in, const Builder& b, const char* name);

/// "type A Real;"
bool lacks_equals(const Input& in, const Builder& b);

/// Lets a keyword stand at the beginning of something that could not be read, if the error asks for it. In vain: that
/// has been tried.
enum class StoodIn : std::uint8_t { yes, no, in_vain };
StoodIn stand_in(Input& in, Builder& b, const char* at, Resume how, std::string_view word, Keyword keyword);

/// An earlier element of the class that is no declaration, but a section's misspelt keyword and its first equation:
/// puts the error there and gives the elements up from it on.
bool blame_section(Input& in, Builder& b, SyntaxError& error);

/// The names in a part of the text that is left out.
void note_unread(Builder& b, const char* begin, const char* end);

namespace grammar {

/// The lists that know each other, so that what stands in the wrong one is read all the same.
template <class E, class Q, class S>
struct lists {
  using element = E;
  using equation = Q;
  using statement = S;
};

/// Reads what begins here as a member of another list. False if the error does not ask for it.
template <class Lists, tao::pegtl::apply_mode A, tao::pegtl::rewind_mode M, template <class...> class Action,
          template <class...> class Control>
bool read_elsewhere(Input& in, Builder& b, const Checkpoint& before, Resume how) {
  // What is wrong in statements among equations follows from their place.
  move_to(in, b, before.at, how != Resume::as_declaration);
  switch (how) {
    case Resume::as_declaration: return Control<typename Lists::element>::template match<A, M, Action, Control>(in, b);
    case Resume::as_equation: {
      const bool read = Control<typename Lists::equation>::template match<A, M, Action, Control>(in, b);
      b.equations.resize(before.equations, Equation{{}, SimpleEquation{}, {}});
      return read;
    }
    case Resume::as_statement: {
      const bool read = Control<typename Lists::statement>::template match<A, M, Action, Control>(in, b);
      b.statements.resize(before.statements, Statement{{}, BreakStatement{}, {}});
      return read;
    }
    default: return false;
  }
}

/// A member of a list of elements, equations or statements, its ";" included. What cannot be read is left out.
template <class Rule, Section Kind, class Lists>
struct member {
  using rule_t = member;
  using subs_t = tao::pegtl::type_list<Rule>;

  template <tao::pegtl::apply_mode A, tao::pegtl::rewind_mode M, template <class...> class Action,
            template <class...> class Control>
  static bool match(Input& in, Builder& b) {
    const Checkpoint before(in, b);
    const char* const outer_item = std::exchange(b.item_at, before.at);
    const std::size_t met = b.errors.met();
    try {
      const bool matched = Control<Rule>::template match<A, M, Action, Control>(in, b);
      if (matched && met == b.errors.met()) b.errors.item_read();
      if (Kind == Section::elements && b.has_nameless) b.drop_nameless();
      b.item_at = outer_item;
      return matched;
    } catch (SyntaxError& error) {
      const char* const stopped = error.at;
      const Resume how = error.resume;
      const auto word = error.word;
      const Keyword keyword = error.keyword;
      const bool in_matrix = std::any_of(in.openings.begin() + static_cast<std::ptrdiff_t>(std::min(before.openings, in.openings.size())),
                                         in.openings.end(), [](const Opening& o) { return o.bracket == '['; });
      before.restore(in, b);
      b.item_at = outer_item;
      if (Kind == Section::elements && blame_section(in, b, error)) return true;
      if (!say(std::move(error), in, b)) return true;
      const StoodIn tried = stand_in(in, b, before.at, how, word, keyword);
      if (tried == StoodIn::yes) return true;
      if (tried == StoodIn::no && read_elsewhere<Lists, A, M, Action, Control>(in, b, before, how)) return true;
      if (how == Resume::line_end || how == Resume::next_line)
        move_to(in, b, end_of_line(stopped, in.end()));
      else
        move_to(in, b, end_of_item(stopped, text_begin(in), in.end(), in_matrix));
      if (in.current() <= before.at && !in.empty()) move_to(in, b, next_token(in).end());
      if (Kind == Section::elements) note_unread(b, before.at, in.current());
      if (Kind == Section::none) b.blind = true;
      return true;
    }
  }
};

/// The ";" behind a member. Where it is missing at the end of a line, the member counts all the same.
template <class Rule>
struct closing {
  using rule_t = closing;
  using subs_t = tao::pegtl::type_list<Rule>;

  template <tao::pegtl::apply_mode A, tao::pegtl::rewind_mode M, template <class...> class Action,
            template <class...> class Control>
  static bool match(Input& in, Builder& b) {
    if (Control<Rule>::template match<A, M, Action, Control>(in, b)) return true;
    if (b.errors.resumed() == in.current()) return true;  // what stood before it has been mended up to here
    try {
      Control<Rule>::raise(in, b);
    } catch (SyntaxError& error) {
      if (error.resume != Resume::here) throw;
      if (say(std::move(error), in, b, true)) b.errors.resume(in.current(), true);
    }
    return true;
  }
};

/// What begins no member of a list where the list cannot end.
template <class Lists>
struct misfits {
  using rule_t = misfits;
  using subs_t = tao::pegtl::empty_list;

  template <tao::pegtl::apply_mode A, tao::pegtl::rewind_mode M, template <class...> class Action,
            template <class...> class Control>
  static bool match(Input& in, Builder& b) {
    if (may_end_list(in, b)) {
      skip_brace_before_branch(in);
      return false;
    }
    const Checkpoint before(in, b);
    const char* const outer_item = std::exchange(b.item_at, before.at);
    SyntaxError error = misfit(in, b);
    b.item_at = outer_item;
    const Resume how = error.resume;
    const char* const stopped = error.at;
    const auto word = error.word;
    const Keyword keyword = error.keyword;
    if (!say(std::move(error), in, b)) return true;
    if (how == Resume::end_of_class) {
      b.class_ends_at = in.current();
      return false;
    }
    const StoodIn tried = stand_in(in, b, before.at, how, word, keyword);
    if (tried == StoodIn::yes) return true;
    if (tried == StoodIn::no && read_elsewhere<Lists, A, M, Action, Control>(in, b, before, how)) return true;
    skip_misfit(in, b, how, stopped);
    if (*before.at == '(') note_unread(b, before.at, in.current());   // inputs behind a function's name
    return true;
  }
};

/// "else {" in a block with braces.
struct brace_behind_else {
  static bool match(Input& in) {
    if (is_block_open(in) && in.openings.back().braces && *in.current() == '{') in.accept(in.current() + 1);
    return true;
  }
};

/// The head of a branch or a loop, with the keyword before its body.
template <class Content, class Body, Keyword Before, class StandIn>
struct head {
  using rule_t = head;
  using subs_t = tao::pegtl::type_list<tao::pegtl::must<Content>, tao::pegtl::must<Body>>;

  template <tao::pegtl::apply_mode A, tao::pegtl::rewind_mode M, template <class...> class Action,
            template <class...> class Control>
  static bool match(Input& in, Builder& b) {
    const Checkpoint before(in, b);
    try {
      return Control<tao::pegtl::seq<tao::pegtl::must<Content>, tao::pegtl::must<Body>>>::template match<A, M, Action, Control>(in, b);
    } catch (SyntaxError& error) {
      const Resume how = error.resume;
      const char* const stopped = error.at;
      if (how == Resume::as_keyword) throw;   // this is no head
      before.restore(in, b);
      StandIn::push(in, b);
      say(std::move(error), in, b);
      if (in.empty()) return Control<Body>::template match<A, M, Action, Control>(stand_at_end(in, Before), b);
      go_to_body(in, b, Before, how, stopped);
      return Control<Body>::template match<A, M, Action, Control>(in, b);
    }
  }
  static Input& stand_at_end(Input& in, Keyword keyword) {
    in.stand_in(keyword, in.current());
    return in;
  }
};

/// The end of a block. Branches that do not belong to it are read and left out.
template <class End, class Branch>
struct block_closing {
  using rule_t = block_closing;
  using subs_t = tao::pegtl::type_list<End, Branch>;

  template <tao::pegtl::apply_mode A, tao::pegtl::rewind_mode M, template <class...> class Action,
            template <class...> class Control>
  static bool match(Input& in, Builder& b) {
    for (;;) {
      if (Control<End>::template match<A, M, Action, Control>(in, b)) return true;
      if (in.openings.empty()) return true;   // given up
      if (in.openings.back().braces) {   // said at its head
        in.openings.pop_back();
        move_to(in, b, in.current() + (*in.current() == '}' ? 1 : 0));
        return true;
      }
      if (b.class_ends_at == in.current()) {
        in.openings.pop_back();
        return true;
      }
      if (b.errors.resumed() != in.current() && !say(misfit(in, b), in, b)) return true;
      if (!contains(keyword_set(Keyword::else_, Keyword::elseif, Keyword::elsewhen), in.keyword())) {
        if (close_block(in, b)) return true;
        continue;
      }
      skip_branch_head(in, b);
      b.branches.push_back({{}, nullptr, b.equations.size(), b.statements.size(), {}, {}});
      (void)Control<Branch>::template match<A, M, Action, Control>(in, b);
      b.branches.pop_back();
    }
  }
};

/// What a class begins with: its name and what stands before its elements. Without it, its elements are read and the
/// class is left out. Then an "=" is missing if a type follows and the class has no end.
template <class Rule>
struct class_head {
  using rule_t = class_head;
  using subs_t = tao::pegtl::type_list<Rule>;

  template <tao::pegtl::apply_mode A, tao::pegtl::rewind_mode M, template <class...> class Action,
            template <class...> class Control>
  static bool match(Input& in, Builder& b) {
    const Checkpoint before(in, b);
    try {
      if (!Control<tao::pegtl::must<Rule>>::template match<A, M, Action, Control>(in, b)) return false;
      check_name_of_class(in, b, before.at);
      if (lacks_equals(in, b)) throw explain(situation(in, b), {Expectation::Missing::other, "'='", {}});
      return true;
    } catch (SyntaxError& error) {
      const char* line = end_of_line(before.token_end, in.end());
      const auto ends_on_line = [&] {
        for (Token t = token_at(before.token_end, line); !t.is_end_of_file(); t = token_at(t.end(), line))
          if (t.is(";") || t.is("=")) return true;
        return b.open_classes.back().definition.kind == ClassKind::type;
      };
      if (error.resume == Resume::nowhere || ends_on_line()) throw;
      before.restore(in, b);
      b.open_classes.back().definition.name = Name::none;
      b.has_nameless = true;
      b.blind = true;
      if (say(std::move(error), in, b)) move_to(in, b, line);
      return true;
    }
  }
};

/// The end of a class. What stands between its annotation and its end is read with Composition.
template <class End, class Composition>
struct class_closing {
  using rule_t = class_closing;
  using subs_t = tao::pegtl::type_list<tao::pegtl::must<End>, Composition>;

  template <tao::pegtl::apply_mode A, tao::pegtl::rewind_mode M, template <class...> class Action,
            template <class...> class Control>
  static bool match(Input& in, Builder& b) {
    for (;;) {
      if (in.empty() && b.errors.resumed() == in.current()) return true;
      if (b.class_ends_at == in.current()) {
        b.class_ends_at = nullptr;
        b.blind = true;
        return true;
      }
      if (goes_on_behind_annotation(in, b)) {
        (void)Control<Composition>::template match<A, M, Action, Control>(in, b);
        continue;
      }
      const Checkpoint before(in, b);
      try {
        return Control<tao::pegtl::must<End>>::template match<A, M, Action, Control>(in, b);
      } catch (SyntaxError& error) {
        const Resume how = error.resume;
        const auto word = error.word;
        const Keyword keyword = error.keyword;
        before.restore(in, b);
        if (is_known_end(in, b)) b.errors.resume(error.at, false);
        if (!say(std::move(error), in, b)) return true;
        if (stand_in(in, b, before.at, how, word, keyword) == StoodIn::yes) continue;
      }
      if (mend_class_end(in, b)) return true;
      (void)Control<Composition>::template match<A, M, Action, Control>(in, b);
      if (in.current() == before.at && !in.empty()) move_to(in, b, next_token(in).end());
    }
  }
};

/// What stands between classes and is none.
template <class Rule>
struct top_misfits {
  using rule_t = top_misfits;
  using subs_t = tao::pegtl::type_list<Rule>;

  template <tao::pegtl::apply_mode A, tao::pegtl::rewind_mode M, template <class...> class Action,
            template <class...> class Control>
  static bool match(Input& in, Builder& b) {
    if (in.empty()) return false;
    try {
      Control<Rule>::raise(in, b);
    } catch (SyntaxError& error) {
      const Resume how = error.resume;
      const auto word = error.word;
      const Keyword keyword = error.keyword;
      const char* const at = in.current();
      // Once it is not known what is in a class, more of it says nothing.
      if (std::exchange(b.outside_of_class, true)) b.errors.resume(error.at, false);
      if (!say(std::move(error), in, b)) return true;
      if (stand_in(in, b, at, how, word, keyword) == StoodIn::yes) return true;
      if (how == Resume::line_end) {
        move_to(in, b, end_of_line(at, in.end()));
      } else if (*at == ';') {
        move_to(in, b, at + 1);
      } else {
        b.blind = true;
        move_to(in, b, next_class(at, text_begin(in), in.end()));
      }
    }
    return true;
  }
};

}  // namespace grammar
}  // namespace mosim::parser
