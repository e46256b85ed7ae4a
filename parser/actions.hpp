#pragma once
// The actions of the grammar's lexical units, names, descriptions and expressions: what builds their nodes.

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "parser/builder.hpp"
#include "parser/grammar.hpp"

namespace mosim::parser {

template <class Rule>
struct action {};

using Matched = tao::pegtl::internal::action_input<Input>;

/// The place of what matched, without the white space behind it.
inline Place place_of(const Matched& in, const Builder& b) { return b.place(in.begin(), in.input().token_end); }

// An action that needs to know what matched, and one that does not.
template <void (*Function)(const Matched&, Builder&)>
struct with_text {
  static void apply(const Matched& in, Builder& b) { Function(in, b); }
};
template <void (*Function)(Builder&)>
struct without_text {
  static void apply0(Builder& b) { Function(b); }
};

// ---- lexical units ----------------------------------------------------------------------------------------------

template <Keyword K>
struct action<grammar::prefix<K>> {
  static void apply0(Builder& b) { b.prefixes |= keyword_set(K); }
};

/// The text of a string or a quoted identifier with its escapes replaced.
inline std::string_view unescape(std::string_view text, Builder& b) {
  char* out = b.arena.allocate<char>(text.size());
  char* end = out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '\\' && i + 1 < text.size()) {
      switch (c = text[++i]) {
        case 'a': c = '\a'; break;
        case 'b': c = '\b'; break;
        case 'f': c = '\f'; break;
        case 'n': c = '\n'; break;
        case 'r': c = '\r'; break;
        case 't': c = '\t'; break;
        case 'v': c = '\v'; break;
        default: break;
      }
    }
    *end++ = c;
  }
  return {out, static_cast<std::size_t>(end - out)};
}

/// A quoted identifier keeps its escapes but the redundant ones: '\?' is '?'.
inline Name intern_quoted(std::string_view text, Builder& b) {
  if (text.find('\\') == std::string_view::npos) return b.intern(text);
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) {
      ++i;
      if (text[i] != '?' && text[i] != '"') plain += '\\';
    }
    plain += text[i];
  }
  return b.names.intern(plain);
}

template <>
struct action<grammar::IDENT> {
  static void apply(const Matched& in, Builder& b) {
    const char* end = in.input().token_end;
    const std::string_view text(in.begin(), static_cast<std::size_t>(end - in.begin()));
    b.idents.push_back({text[0] == '\'' ? intern_quoted(text, b) : b.intern(text), b.place(in.begin(), end)});
  }
};

template <>
struct action<grammar::STRING> {
  static void apply(const Matched& in, Builder& b) {
    const char* end = in.input().token_end;
    const std::string_view text(in.begin() + 1, static_cast<std::size_t>(end - in.begin()) - 2);
    b.strings.push_back(text.find('\\') == std::string_view::npos ? text : unescape(text, b));
  }
};

template <>
struct action<grammar::UNSIGNED_INTEGER> {
  static void apply(const Matched& in, Builder& b) {
    std::int64_t value = 0;
    if (std::from_chars(in.begin(), in.end(), value).ec != std::errc()) {
      in.input().fail(in.begin(), in.end(),
                      "the number " + in.string() + " is larger than the largest Integer, 9223372036854775807",
                      "write it as a Real: " + in.string() + ".0");
    }
    b.push(b.place(in.begin(), in.end()), IntegerLiteral{value});
  }
};

template <>
struct action<grammar::UNSIGNED_REAL> {
  static void apply(const Matched& in, Builder& b) {
    double value = 0;
    if (std::from_chars(in.begin(), in.end(), value).ec != std::errc()) {
      value = std::strtod(in.string().c_str(), nullptr);  // tells too large from too small
      if (std::isinf(value)) {
        in.input().fail(in.begin(), in.end(),
                        "the number " + in.string() + " is larger than the largest Real, 1.7976931348623157e308");
      }
    }
    b.push(b.place(in.begin(), in.end()), RealLiteral{value});
  }
};

// ---- names ------------------------------------------------------------------------------------------------------

template <>
struct action<grammar::name_head> {
  static void apply0(Builder& b) { b.marks.push_back(b.idents.size() - 1); }
};
template <>
struct action<grammar::name> {
  static void apply(const Matched& in, Builder& b) {
    const std::size_t mark = b.pop_mark();
    const std::size_t count = b.idents.size() - mark;
    Name* parts = b.arena.allocate<Name>(count);
    for (std::size_t i = 0; i < count; ++i) parts[i] = b.idents[mark + i].name;
    b.idents.resize(mark);
    b.qualified_names.push_back({place_of(in, b), false, {parts, count}});
  }
};
template <>
struct action<grammar::type_specifier> {
  static void apply(const Matched& in, Builder& b) {
    QualifiedName& name = b.qualified_names.back();
    name.global = *in.begin() == '.';
    name.place = place_of(in, b);
  }
};

inline void add_reference_part(Builder& b) {
  const Identifier ident = Builder::pop(b.idents);
  b.parts.push_back({ident.name, ident.place, {}});
}
template <>
struct action<grammar::reference_head> {
  static void apply0(Builder& b) {
    b.mark(b.parts);
    add_reference_part(b);
  }
};
template <>
struct action<grammar::reference_name> : without_text<add_reference_part> {};
template <>
struct action<grammar::reference_subscripts> {
  static void apply0(Builder& b) { b.parts.back().subscripts = b.subscript_list; }
};
template <>
struct action<grammar::component_reference> {
  static void apply(const Matched& in, Builder& b) {
    b.references.push_back({place_of(in, b), *in.begin() == '.', b.collect(b.parts, b.pop_mark())});
  }
};

template <>
struct action<grammar::subscripts_begin> {
  static void apply0(Builder& b) { b.mark(b.subscripts); }
};
template <>
struct action<grammar::whole_dimension> {
  static void apply(const Matched& in, Builder& b) { b.subscripts.push_back({place_of(in, b), nullptr}); }
};
template <>
struct action<grammar::subscript_expression> {
  static void apply0(Builder& b) {
    const Operand operand = Builder::pop(b.operands);
    b.subscripts.push_back({operand.place, operand.expression});
  }
};
template <>
struct action<grammar::array_subscripts> {
  static void apply0(Builder& b) { b.subscript_list = b.collect(b.subscripts, b.pop_mark()); }
};

// ---- descriptions -----------------------------------------------------------------------------------------------

template <>
struct action<grammar::description_string> {
  static void apply0(Builder& b) {
    std::string_view text;
    if (b.strings.size() == 1) {
      text = b.strings[0];
    } else if (!b.strings.empty()) {
      std::string all;
      for (const std::string_view part : b.strings) all += part;
      char* copy = b.arena.allocate<char>(all.size());
      all.copy(copy, all.size());
      text = {copy, all.size()};
    }
    b.strings.clear();
    b.descriptions.push_back({text, nullptr});
  }
};
template <>
struct action<grammar::description_annotation> {
  static void apply0(Builder& b) { b.descriptions.back().annotation = b.make(Builder::pop(b.modifications)); }
};

// ---- expressions ------------------------------------------------------------------------------------------------

template <>
struct action<grammar::string_primary> {
  static void apply(const Matched& in, Builder& b) { b.push(place_of(in, b), StringLiteral{Builder::pop(b.strings)}); }
};
template <>
struct action<grammar::false_primary> {
  static void apply(const Matched& in, Builder& b) { b.push(place_of(in, b), BooleanLiteral{false}); }
};
template <>
struct action<grammar::true_primary> {
  static void apply(const Matched& in, Builder& b) { b.push(place_of(in, b), BooleanLiteral{true}); }
};
template <>
struct action<grammar::time_primary> {
  static void apply(const Matched& in, Builder& b) {
    const Place place = place_of(in, b);
    b.push(place, Reference{b.reference_to("time", place)});
  }
};
template <>
struct action<grammar::end_of_dimension> {
  static void apply(const Matched& in, Builder& b) { b.push(place_of(in, b), EndExpression{}); }
};
template <>
struct action<grammar::primary_reference> {
  static void apply0(Builder& b) {
    const ComponentReference& reference = b.references.back();
    b.push(reference.place, Reference{reference});
    b.references.pop_back();
  }
};

inline void push_call(Builder& b, const char* end) {
  const ComponentReference& callee = b.references.back();
  b.push(join(callee.place, b.place(end, end)), Call{callee, b.call_arguments});
  b.references.pop_back();
}
template <>
struct action<grammar::primary_arguments> {
  static void apply(const Matched& in, Builder& b) { push_call(b, in.input().token_end); }
};
template <>
struct action<grammar::special_function> {
  static void apply(const Matched& in, Builder& b) {
    b.take_prefixes();
    const char* end = in.input().token_end;
    b.references.push_back(b.reference_to({in.begin(), static_cast<std::size_t>(end - in.begin())}, place_of(in, b)));
  }
};
template <>
struct action<grammar::special_call> {
  static void apply(const Matched& in, Builder& b) { push_call(b, in.input().token_end); }
};
template <>
struct action<grammar::function_call> {
  static void apply(const Matched& in, Builder& b) { push_call(b, in.input().token_end); }
};

inline void begin_call(Builder& b) { b.calls.push_back({b.operands.size(), b.named.size(), b.index_lists.size()}); }
inline List<ForIndex> take_iterators(Builder& b, const CallFrame& frame) {
  return b.index_lists.size() > frame.index_lists ? Builder::pop(b.index_lists) : List<ForIndex>{};
}
template <>
struct action<grammar::call_begin> : without_text<begin_call> {};
template <>
struct action<grammar::function_call_args> {
  static void apply(const Matched& in, Builder& b) {
    const CallFrame frame = Builder::pop(b.calls);
    const bool comprehends = b.index_lists.size() > frame.index_lists;
    const bool one_expression = b.operands.size() == frame.operands + 1 && b.named.size() == frame.named &&
                                !std::holds_alternative<PartialApplication>(b.operands.back().expression->node);
    if (comprehends && !one_expression) {
      in.input().fail(in.begin(), in.input().token_end,
                      "'for' can only follow an expression, as in sum(e for i in 1:n)");
    }
    b.call_arguments = {b.collect_expressions(frame.operands), b.collect(b.named, frame.named),
                        take_iterators(b, frame)};
  }
};
template <>
struct action<grammar::positional_argument> {
  static void apply(const Matched& in, Builder& b) {
    if (b.named.size() == b.calls.back().named) return;
    in.input().fail(in.begin(), in.input().token_end, "a positional argument cannot follow a named one",
                    b.references.back().parts.size() == 1 && b.names.text(b.references.back().parts.front().name) == "assert"
                        ? "'=' names an argument; to compare, write '=='"
                        : "put the positional arguments first, or name this one too",
                    {{b.named.back().place, "the named argument before it"}});
  }
};
template <>
struct action<grammar::named_argument> {
  static void apply0(Builder& b) {
    const Identifier ident = Builder::pop(b.idents);
    b.named.push_back({ident.name, ident.place, b.pop_expression()});
  }
};
template <>
struct action<grammar::function_partial_application> {
  static void apply(const Matched& in, Builder& b) {
    const CallFrame frame = Builder::pop(b.calls);
    b.push(place_of(in, b), PartialApplication{Builder::pop(b.qualified_names), b.collect(b.named, frame.named)});
  }
};

template <>
struct action<grammar::comprehension_begin> {
  static void apply0(Builder& b) { b.mark(b.indices); }
};
template <>
struct action<grammar::for_index_name> {
  static void apply0(Builder& b) {
    const Identifier ident = Builder::pop(b.idents);
    b.indices.push_back({ident.name, ident.place, nullptr});
  }
};
template <>
struct action<grammar::for_index_range> {
  static void apply0(Builder& b) { b.indices.back().range = b.pop_expression(); }
};
template <>
struct action<grammar::for_indices> {
  static void apply0(Builder& b) { b.index_lists.push_back(b.collect(b.indices, b.pop_mark())); }
};

template <>
struct action<grammar::array_begin> : without_text<begin_call> {};
template <>
struct action<grammar::array> {
  static void apply(const Matched& in, Builder& b) {
    const CallFrame frame = Builder::pop(b.calls);
    const List<ForIndex> iterators = take_iterators(b, frame);
    if (iterators.empty()) {
      const auto elements = b.collect_expressions(frame.operands);
      b.push(place_of(in, b), ArrayConstructor{elements});
    } else {
      const Expression* element = b.pop_expression();
      b.push(place_of(in, b), ArrayComprehension{element, iterators});
    }
  }
};

template <>
struct action<grammar::matrix_begin> {
  static void apply0(Builder& b) {
    b.mark(b.rows);
    b.mark(b.operands);
  }
};
template <>
struct action<grammar::matrix_row> {
  static void apply0(Builder& b) { b.rows.push_back(b.collect_expressions(b.marks.back())); }
};
template <>
struct action<grammar::matrix> {
  static void apply(const Matched& in, Builder& b) {
    b.pop_mark();
    const auto rows = b.collect(b.rows, b.pop_mark());
    b.push(place_of(in, b), MatrixConstructor{rows});
  }
};

template <>
struct action<grammar::parenthesis_begin> {
  static void apply0(Builder& b) { b.mark(b.operands); }
};
template <>
struct action<grammar::no_expression> {
  static void apply0(Builder& b) { b.operands.push_back({nullptr, {}, 0}); }
};
template <>
struct action<grammar::output_expression_list> {
  static void apply0(Builder& b) {  // "()" holds none, not one left out
    if (b.operands.size() - b.marks.back() == 1 && !b.operands.back().expression) b.operands.pop_back();
  }
};
template <>
struct action<grammar::parenthesis_end> {
  static void apply(const Matched& in, Builder& b) {
    const std::size_t mark = b.pop_mark();
    const Place closing = place_of(in, b);
    if (b.operands.size() - mark != 1) {
      const auto members = b.collect_expressions(mark);
      b.push(closing, Tuple{members});  // its whole place comes with `parenthesized`
    }
  }
};
template <>
struct action<grammar::parenthesis_subscripts> {
  static void apply0(Builder& b) {
    const Operand base = Builder::pop(b.operands);
    b.push(base.place, Subscripted{base.expression, b.subscript_list});
  }
};
template <>
struct action<grammar::parenthesis_member> {
  static void apply0(Builder& b) {
    const Operand base = Builder::pop(b.operands);
    b.push(base.place, MemberAccess{base.expression, Builder::pop(b.idents).name});
  }
};
template <>
struct action<grammar::parenthesized> {
  static void apply(const Matched& in, Builder& b) {
    Operand& whole = b.operands.back();
    whole.place = place_of(in, b);
    const auto& node = whole.expression->node;
    // The place of "(e)" is that of e; what the parentheses are part of is all of it.
    const bool own = std::holds_alternative<Tuple>(node) || std::holds_alternative<Subscripted>(node) ||
                     std::holds_alternative<MemberAccess>(node);
    if (own) whole.expression->place = whole.place;
  }
};

inline void push_binary(BinaryOperator op, Place op_place, Builder& b, const Input& in) {
  const Operand right = Builder::pop(b.operands);
  const Operand left = Builder::pop(b.operands);
  if (left.chain == maximum_chain) {
    const char* at = b.source.text.data() + (op_place.begin - b.source.begin);
    in.fail(at, at + (op_place.end - op_place.begin),
            "this chain of operators has more than " + std::to_string(maximum_chain) + " of them",
            "split it, or write sum() over an array");
  }
  b.push(join(left.place, right.place), Binary{op, op_place, left.expression, right.expression}, left.chain + 1);
}
inline void push_binary(const Matched& in, Builder& b) {
  const OperatorToken token = Builder::pop(b.operators);
  push_binary(token.op, token.place, b, in.input());
}
inline void push_operator(BinaryOperator op, const Matched& in, Builder& b) {
  b.operators.push_back({op, place_of(in, b)});
}

template <>
struct action<grammar::power_operator> {
  static void apply(const Matched& in, Builder& b) {
    push_operator(*in.begin() == '.' ? BinaryOperator::elementwise_power : BinaryOperator::power, in, b);
  }
};
template <>
struct action<grammar::mul_operator> {
  static void apply(const Matched& in, Builder& b) {
    const bool elementwise = *in.begin() == '.';
    const bool multiply = in.begin()[elementwise] == '*';
    push_operator(elementwise ? multiply ? BinaryOperator::elementwise_multiply : BinaryOperator::elementwise_divide
                  : multiply  ? BinaryOperator::multiply
                              : BinaryOperator::divide,
                  in, b);
  }
};
template <>
struct action<grammar::add_operator> {
  static void apply(const Matched& in, Builder& b) {
    const bool elementwise = *in.begin() == '.';
    const bool add = in.begin()[elementwise] == '+';
    push_operator(elementwise ? add ? BinaryOperator::elementwise_add : BinaryOperator::elementwise_subtract
                  : add       ? BinaryOperator::add
                              : BinaryOperator::subtract,
                  in, b);
  }
};
template <>
struct action<grammar::relational_operator> {
  static void apply(const Matched& in, Builder& b) {
    const char first = in.begin()[0], second = in.begin()[1];
    const BinaryOperator op = first == '='                    ? BinaryOperator::equal
                              : first == '<' && second == '>' ? BinaryOperator::not_equal
                              : first == '<'
                                  ? (second == '=' ? BinaryOperator::less_equal : BinaryOperator::less)
                                  : (second == '=' ? BinaryOperator::greater_equal : BinaryOperator::greater);
    push_operator(op, in, b);
  }
};
template <>
struct action<grammar::raised_primary> : with_text<push_binary> {};
template <>
struct action<grammar::multiplied_factor> : with_text<push_binary> {};
template <>
struct action<grammar::added_term> : with_text<push_binary> {};
template <>
struct action<grammar::right_of_relation> : with_text<push_binary> {};
template <>
struct action<grammar::and_factor> {
  static void apply(const Matched& in, Builder& b) {
    push_binary(BinaryOperator::and_, b.place(in.begin(), in.begin() + 3), b, in.input());
  }
};
template <>
struct action<grammar::or_term> {
  static void apply(const Matched& in, Builder& b) {
    push_binary(BinaryOperator::or_, b.place(in.begin(), in.begin() + 2), b, in.input());
  }
};

template <>
struct action<grammar::signed_term> {
  static void apply(const Matched&, Builder& b) {
    const OperatorToken token = Builder::pop(b.operators);
    const Operand operand = Builder::pop(b.operands);
    const UnaryOperator op = token.op == BinaryOperator::add               ? UnaryOperator::plus
                             : token.op == BinaryOperator::subtract        ? UnaryOperator::minus
                             : token.op == BinaryOperator::elementwise_add ? UnaryOperator::elementwise_plus
                                                                           : UnaryOperator::elementwise_minus;
    b.push(join(token.place, operand.place), Unary{op, operand.expression}, 0);
  }
};
template <>
struct action<grammar::not_relation> {
  static void apply(const Matched& in, Builder& b) {
    const Operand operand = Builder::pop(b.operands);
    b.push(join(b.place(in.begin(), in.begin() + 3), operand.place), Unary{UnaryOperator::not_, operand.expression});
  }
};

template <>
struct action<grammar::range_of_two> {
  static void apply0(Builder& b) {
    const Operand stop = Builder::pop(b.operands);
    const Operand start = Builder::pop(b.operands);
    b.push(join(start.place, stop.place), Range{start.expression, nullptr, stop.expression});
  }
};
template <>
struct action<grammar::range_of_three> {
  static void apply0(Builder& b) {
    const Operand stop = Builder::pop(b.operands);
    const Operand step = Builder::pop(b.operands);
    const Operand start = Builder::pop(b.operands);
    b.push(join(start.place, stop.place), Range{start.expression, step.expression, stop.expression});
  }
};

template <>
struct action<grammar::if_expression_begin> {
  static void apply0(Builder& b) { b.mark(b.operands); }
};
template <>
struct action<grammar::if_expression> {
  static void apply(const Matched& in, Builder& b) {
    const Expression* otherwise = b.pop_expression();
    const std::size_t mark = b.pop_mark();
    const std::size_t count = (b.operands.size() - mark) / 2;
    IfBranch* branches = b.arena.allocate<IfBranch>(count);
    for (std::size_t i = 0; i < count; ++i) {
      branches[i] = {b.operands[mark + 2 * i].expression, b.operands[mark + 2 * i + 1].expression};
    }
    b.operands.resize(mark);
    b.push(place_of(in, b), IfExpression{{branches, count}, otherwise});
  }
};

}  // namespace mosim::parser
