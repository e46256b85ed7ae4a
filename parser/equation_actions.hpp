#pragma once
// The actions of the grammar's equations and statements.

#include "parser/actions.hpp"

namespace mosim::parser {

// ---- branches and loops -----------------------------------------------------------------------------------------

inline void remember_branch(const Matched& in, Builder& b) { b.branch_place = place_of(in, b); }
inline void open_branch(Builder& b, const Expression* condition) {
  b.branches.push_back({b.branch_place, condition, b.equations.size(), b.statements.size(), {}, {}});
}
inline void begin_branches(const Matched& in, Builder& b) {
  remember_branch(in, b);
  b.mark(b.branches);
}

template <>
struct action<grammar::if_begin> : with_text<begin_branches> {};
template <>
struct action<grammar::when_begin> : with_text<begin_branches> {};
template <>
struct action<grammar::branch_elseif> : with_text<remember_branch> {};
template <>
struct action<grammar::branch_elsewhen> : with_text<remember_branch> {};
template <>
struct action<grammar::condition_then> {
  static void apply0(Builder& b) { open_branch(b, b.pop_expression()); }
};
template <>
struct action<grammar::else_body> {
  static void apply(const Matched& in, Builder& b) {
    remember_branch(in, b);
    open_branch(b, nullptr);
  }
};
template <>
struct action<grammar::for_begin> {
  static void apply0(Builder& b) { b.mark(b.indices); }
};
template <>
struct action<grammar::loop_body> {
  static void apply0(Builder& b) { open_branch(b, nullptr); }
};
template <>
struct action<grammar::branch_equations> {
  static void apply0(Builder& b) {
    b.branches.back().equations = b.collect(b.equations, b.branches.back().equation_mark);
  }
};
template <>
struct action<grammar::branch_statements> {
  static void apply0(Builder& b) {
    b.branches.back().statements = b.collect(b.statements, b.branches.back().statement_mark);
  }
};

template <class Body>
List<Branch<Body>> collect_branches(Builder& b) {
  const std::size_t mark = b.pop_mark();
  const std::size_t count = b.branches.size() - mark;
  Branch<Body>* branches = b.arena.allocate<Branch<Body>>(count);
  for (std::size_t i = 0; i < count; ++i) {
    const OpenBranch& open = b.branches[mark + i];
    if constexpr (std::is_same_v<Body, Equation>) {
      std::construct_at(branches + i, Branch<Body>{open.place, open.condition, open.equations});
    } else {
      std::construct_at(branches + i, Branch<Body>{open.place, open.condition, open.statements});
    }
  }
  b.branches.erase(b.branches.begin() + static_cast<std::ptrdiff_t>(mark), b.branches.end());
  return {branches, count};
}

// ---- equations --------------------------------------------------------------------------------------------------

template <class Node>
void push_equation(Builder& b, Place place, const Node& node) {
  b.equations.push_back({place, node, {}});
}

template <>
struct action<grammar::equation_right> {
  static void apply0(Builder& b) {
    const Operand right = Builder::pop(b.operands);
    const Operand left = Builder::pop(b.operands);
    push_equation(b, join(left.place, right.place), SimpleEquation{left.expression, right.expression});
  }
};
template <>
struct action<grammar::equation_call> {
  static void apply(const Matched& in, Builder& b) {
    const Operand call = Builder::pop(b.operands);
    check(in.input(), call, b);
    push_equation(b, call.place, CallEquation{call.expression});
  }
  static void check(const Input& in, const Operand& operand, const Builder& b);
};
template <>
struct action<grammar::if_equation> {
  static void apply(const Matched& in, Builder& b) {
    push_equation(b, place_of(in, b), IfEquation{collect_branches<Equation>(b)});
  }
};
template <>
struct action<grammar::when_equation> {
  static void apply(const Matched& in, Builder& b) {
    push_equation(b, place_of(in, b), WhenEquation{collect_branches<Equation>(b)});
  }
};
template <>
struct action<grammar::for_equation> {
  static void apply(const Matched& in, Builder& b) {
    const OpenBranch body = Builder::pop(b.branches);
    push_equation(b, place_of(in, b), ForEquation{Builder::pop(b.index_lists), body.equations});
  }
};
template <>
struct action<grammar::connect_equation> {
  static void apply(const Matched& in, Builder& b) {
    const ComponentReference right = Builder::pop(b.references);
    const ComponentReference left = Builder::pop(b.references);
    push_equation(b, place_of(in, b), ConnectEquation{left, right});
  }
};
template <>
struct action<grammar::equation_description> {
  static void apply0(Builder& b) { b.equations.back().description = Builder::pop(b.descriptions); }
};

// ---- statements -------------------------------------------------------------------------------------------------

template <class Node>
void push_statement(Builder& b, Place place, const Node& node) {
  b.statements.push_back({place, node, {}});
}

template <>
struct action<grammar::assignment_value> {
  static void apply0(Builder& b) {
    const Operand value = Builder::pop(b.operands);
    const ComponentReference target = Builder::pop(b.references);
    push_statement(b, join(target.place, value.place), Assignment{target, value.expression});
  }
};
template <>
struct action<grammar::derivative_assignment> {
  static void apply(const Matched& in, Builder& b) {
    const Expression* value = b.pop_expression();
    push_statement(b, place_of(in, b), Assignment{Builder::pop(b.references), value, true});
  }
};
template <>
struct action<grammar::call_statement> {
  static void apply(const Matched& in, Builder& b) {
    push_call(b, in.input().token_end);
    const Operand call = Builder::pop(b.operands);
    push_statement(b, call.place, CallStatement{call.expression});
  }
};
template <>
struct action<grammar::targets_begin> {
  static void apply0(Builder& b) { b.mark(b.operands); }
};
template <>
struct action<grammar::targets_end> {
  static void apply(const Matched& in, Builder& b) {
    for (std::size_t i = b.marks.back(); i < b.operands.size(); ++i) {
      const Operand& target = b.operands[i];
      if (!target.expression || std::holds_alternative<Reference>(target.expression->node)) continue;
      const char* begin = b.source.text.data() + (target.place.begin - b.source.begin);
      in.input().fail(begin, begin + (target.place.end - target.place.begin),
                      "the left side of ':=' holds names of variables, and this is none");
    }
  }
};
template <>
struct action<grammar::multiple_assignment> {
  static void apply(const Matched& in, Builder& b) {
    const Expression* call = b.pop_expression();
    push_statement(b, place_of(in, b), MultipleAssignment{b.collect_expressions(b.pop_mark()), call});
  }
};
template <>
struct action<grammar::break_statement> {
  static void apply(const Matched& in, Builder& b) { push_statement(b, place_of(in, b), BreakStatement{}); }
};
template <>
struct action<grammar::return_statement> {
  static void apply(const Matched& in, Builder& b) { push_statement(b, place_of(in, b), ReturnStatement{}); }
};
template <>
struct action<grammar::if_statement> {
  static void apply(const Matched& in, Builder& b) {
    push_statement(b, place_of(in, b), IfStatement{collect_branches<Statement>(b)});
  }
};
template <>
struct action<grammar::when_statement> {
  static void apply(const Matched& in, Builder& b) {
    push_statement(b, place_of(in, b), WhenStatement{collect_branches<Statement>(b)});
  }
};
template <>
struct action<grammar::for_statement> {
  static void apply(const Matched& in, Builder& b) {
    const OpenBranch body = Builder::pop(b.branches);
    push_statement(b, place_of(in, b), ForStatement{Builder::pop(b.index_lists), body.statements});
  }
};
template <>
struct action<grammar::while_statement> {
  static void apply(const Matched& in, Builder& b) {
    const OpenBranch body = Builder::pop(b.branches);
    push_statement(b, place_of(in, b), WhileStatement{b.pop_expression(), body.statements});
  }
};
template <>
struct action<grammar::statement_description> {
  static void apply0(Builder& b) { b.statements.back().description = Builder::pop(b.descriptions); }
};

// ---- what stands in for heads that cannot be read -----------------------------------------------------------------

inline void grammar::true_condition::push(Input&, Builder& b) { b.push(b.branch_place, BooleanLiteral{true}); }
inline void grammar::false_condition::push(Input&, Builder& b) { b.push(b.branch_place, BooleanLiteral{false}); }
/// No round of the loop: its body means nothing without its index.
inline void grammar::no_indices::push(Input&, Builder& b) {
  b.pop_mark();   // that of the indices
  b.push(b.branch_place, IntegerLiteral{1});
  b.push(b.branch_place, IntegerLiteral{0});
  action<range_of_two>::apply0(b);
  ForIndex* index = b.arena.allocate<ForIndex>(1);
  std::construct_at(index, ForIndex{b.intern("?"), b.branch_place, b.pop_expression()});
  b.index_lists.push_back({index, 1});
}

// ---- checks -----------------------------------------------------------------------------------------------------

inline void action<grammar::equation_call>::check(const Input& in, const Operand& operand, const Builder& b) {
  const auto& node = operand.expression->node;
  const auto* call = std::get_if<Call>(&node);
  const std::string_view callee = call ? b.names.text(call->callee.parts.back().name) : std::string_view();
  if (call && callee != "der" && callee != "initial" && callee != "pure") return;
  const auto text = [&](Place place) { return b.source.text.data() + (place.begin - b.source.begin); };
  if (const auto* binary = std::get_if<Binary>(&node); binary && binary->op == BinaryOperator::equal) {
    in.fail(text(binary->op_place), text(binary->op_place) + 2, "'==' compares; it does not make an equation",
            "write '='");
  }
  throw explain(situation(in, b), {Expectation::Missing::equation_rest, "'='", {}});
}

}  // namespace mosim::parser
