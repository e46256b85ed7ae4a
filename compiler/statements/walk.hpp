#pragma once
// Walking over flat statements, those inside of others included.

#include <type_traits>
#include <variant>

#include "compiler/flatten/flat.hpp"

namespace mosim::compiler {

/// Calls visit(list) for each list of statements that stands in a statement itself.
template <class Statement, class Visit>
void each_body(Statement& s, Visit&& visit) {
  std::visit(
      [&](auto& node) {
        using Node = std::remove_const_t<std::remove_reference_t<decltype(node)>>;
        if constexpr (std::is_same_v<Node, flat::IfStatement> || std::is_same_v<Node, flat::WhenStatement>) {
          for (auto& b : node.branches) visit(b.body);
        } else if constexpr (std::is_same_v<Node, flat::UnrolledLoop>) {
          for (auto& body : node.iterations) visit(body);
        } else if constexpr (std::is_same_v<Node, flat::WhileStatement> || std::is_same_v<Node, flat::Loop>) {
          visit(node.body);
        }
      },
      s.node);
}

/// Calls visit(statement, in a when-statement?) for each statement, one before those inside of it.
template <class List, class Visit>
void each_statement(List& list, Visit&& visit, bool in_when = false) {
  for (auto& s : list) {
    visit(s, in_when);
    const bool inner = in_when || std::holds_alternative<flat::WhenStatement>(s.node);
    each_body(s, [&](auto& body) { each_statement(body, visit, inner); });
  }
}

/// Calls visit(assignment, its statement's place, in a when-statement?) for each assignment to a variable.
template <class List, class Visit>
void each_assignment(List& list, Visit&& visit) {
  each_statement(list, [&](auto& s, bool in_when) {
    if (auto* a = std::get_if<flat::Assignment>(&s.node)) visit(*a, s.place, in_when);
  });
}

}  // namespace mosim::compiler
