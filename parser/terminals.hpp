#pragma once
// The grammar's terminals and look-ahead: PEGTL rules that take the white space behind a token with it.

#include "parser/input.hpp"

namespace mosim::parser::grammar {

/// A lexical unit given by a PEGTL rule.
template <class Rule>
struct token {
  using rule_t = token;
  using subs_t = tao::pegtl::type_list<Rule>;

  template <tao::pegtl::apply_mode A, tao::pegtl::rewind_mode M, template <class...> class Action,
            template <class...> class Control, class... States>
  static bool match(Input& in, States&&... states) {
    const char* begin = in.current();
    if (!Control<Rule>::template match<A, M, Action, Control>(in, states...)) return false;
    in.accept_from(begin);
    return true;
  }
};

/// NON-DIGIT { DIGIT | NON-DIGIT }, where it is no keyword.
struct plain_identifier {
  static bool match(Input& in) {
    if (!in.at_identifier()) return false;
    in.accept_word();
    return true;
  }
};

template <Keyword K>
struct key {
  static bool match(Input& in) {
    if (in.keyword() != K) return false;
    in.accept_word();
    return true;
  }
};

/// A keyword that says something about what follows it: flow, parameter, partial, model ...
template <Keyword K>
struct prefix : key<K> {};

/// A keyword that opens a block.
template <Keyword K>
struct block_begin {
  static bool match(Input& in) {
    if (in.keyword() != K) return false;
    in.openings.push_back({in.current(), 0, K});
    in.accept_word();
    return true;
  }
};

/// "end" and the keyword that opened the block.
template <Keyword K>
struct block_end {
  static bool match(Input& in) {
    if (in.keyword() != Keyword::end) return false;
    const char* second = in.skip(in.word_end());
    if (Input::keyword_at(second) != K) return false;
    in.openings.pop_back();
    in.iterator() = second;
    in.accept(second + text(K).size());
    return true;
  }
};

/// A symbol. Not: the characters that would make it another one.
template <char C, char... Not>
struct symbol {
  static bool match(Input& in) {
    const char* p = in.current();
    if (*p != C || (... || (p[1] == Not))) return false;
    in.accept(p + 1);
    return true;
  }
};
template <char C, char D>
struct symbol_of_two {
  static bool match(Input& in) {
    const char* p = in.current();
    if (*p != C || p[1] != D) return false;
    in.accept(p + 2);
    return true;
  }
};

template <char C>
struct open {
  static bool match(Input& in) {
    const char* p = in.current();
    if (*p != C) return false;
    in.openings.push_back({p, C, Keyword::none});
    in.accept(p + 1);
    return true;
  }
};
template <char C>
struct close {
  static bool match(Input& in) {
    if (*in.current() != C) return false;
    in.openings.pop_back();
    in.accept(in.current() + 1);
    return true;
  }
};

/// The ";" behind what What names.
template <class What>
struct semicolon_after : symbol<';'> {};

/// Look-ahead: one of the keywords.
template <Keyword... Ks>
struct at_key {
  static bool match(Input& in) { return contains(keyword_set(Ks...), in.keyword()); }
};
/// Look-ahead: a name, or one of the keywords.
template <Keyword... Ks>
struct at_name_or_key {
  static bool match(Input& in) {
    const char c = *in.current();
    if (characters::is(c, characters::letter)) return contains(keyword_set(Keyword::none, Ks...), in.keyword());
    return c == '.' || c == '\'';
  }
};
/// Look-ahead: IDENT and then a symbol.
template <char C, char... Not>
struct at_identifier_and {
  static bool match(Input& in) {
    const char* p = in.identifier_end();
    if (p == in.current()) return false;
    p = in.skip(p);
    return *p == C && (... && (p[1] != Not));
  }
};
/// Look-ahead: "end" IDENT.
struct at_end_of_class {
  static bool match(Input& in) {
    if (in.keyword() != Keyword::end) return false;
    const char* p = in.skip(in.word_end());
    return *p == '\'' || (characters::is(*p, characters::letter) && Input::keyword_at(p) == Keyword::none);
  }
};
/// The dot of a name: not one that begins an operator or a number, and not the last one of an import clause.
struct dot {
  static bool match(Input& in) {
    const char* p = in.current();
    if (*p != '.') return false;
    if (!characters::is(p[1], characters::letter)) {
      if (characters::is(p[1], characters::digit) || (p[1] != '\0' && std::strchr("*/^+-", p[1]))) return false;
      const char next = *in.skip(p + 1);
      if (next == '*' || next == '{') return false;
    }
    in.accept(p + 1);
    return true;
  }
};
/// Look-ahead: IDENT "=" and then a keyword.
template <Keyword K>
struct at_identifier_equals_key {
  static bool match(Input& in) {
    const char* p = in.identifier_end();
    if (p == in.current()) return false;
    p = in.skip(p);
    return *p == '=' && Input::keyword_at(in.skip(p + 1)) == K;
  }
};
/// Look-ahead: a keyword and then, or not, another.
template <Keyword First, Keyword Second, bool Wanted = true>
struct at_keys {
  static bool match(Input& in) {
    return in.keyword() == First &&
           (Input::keyword_at(in.skip(Input::word_end(in.current()))) == Second) == Wanted;
  }
};
/// Look-ahead: the beginning of an expression.
struct at_expression {
  static bool match(Input& in) {
    const char* p = in.current();
    if (characters::is(*p, characters::letter)) {
      const Keyword keyword = in.keyword();
      if (keyword == Keyword::initial) return *in.skip(Input::word_end(p)) == '(';
      if (keyword == Keyword::end) return in.subscript_depth > 0;
      return contains(keyword_set(Keyword::none, Keyword::false_, Keyword::true_, Keyword::time, Keyword::der,
                                  Keyword::pure, Keyword::not_, Keyword::if_),
                      keyword);
    }
    if (characters::is(*p, characters::digit)) return true;
    return *p != '\0' && std::strchr("\"([{+-.'", *p) != nullptr;
  }
};

/// `end` as an expression: inside subscripts only.
struct end_of_dimension {
  static bool match(Input& in) {
    if (in.subscript_depth == 0 || in.keyword() != Keyword::end) return false;
    in.accept_word();
    return true;
  }
};

/// A rule that takes part in a recursion: bounds how deep it goes.
template <class Rule>
struct nested {
  using rule_t = nested;
  using subs_t = tao::pegtl::type_list<Rule>;

  template <tao::pegtl::apply_mode A, tao::pegtl::rewind_mode M, template <class...> class Action,
            template <class...> class Control, class... States>
  static bool match(Input& in, States&&... states) {
    if (in.depth == maximum_depth) {
      if (in.empty()) return false;  // after an error that ended the reading
      refuse(in);
    }
    ++in.depth;
    const bool matched = Control<Rule>::template match<A, M, Action, Control>(in, states...);
    --in.depth;
    return matched;
  }
  [[noreturn]] static void refuse(const Input& in);
};

/// A rule inside of which `end` is an expression.
template <class Rule>
struct subscripted {
  using rule_t = subscripted;
  using subs_t = tao::pegtl::type_list<Rule>;

  template <tao::pegtl::apply_mode A, tao::pegtl::rewind_mode M, template <class...> class Action,
            template <class...> class Control, class... States>
  static bool match(Input& in, States&&... states) {
    ++in.subscript_depth;
    const bool matched = Control<Rule>::template match<A, M, Action, Control>(in, states...);
    --in.subscript_depth;
    return matched;
  }
};

template <class Rule>
void nested<Rule>::refuse(const Input& in) {
  in.give_up(in.current(), in.current() + (in.empty() ? 0 : 1),
          "this is nested more than " + std::to_string(maximum_depth) + " levels deep",
          "split it: name a part of it and use the name");
}

}  // namespace mosim::parser::grammar
