#pragma once
// Expressions as text: for whole models, which are written in full, and for messages, which are short.

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "compiler/flatten/flat.hpp"

namespace mosim::compiler {

enum class NameStyle { plain, quoted };   // quoted: names that are no identifiers between quotes

std::string print_real(double value);
std::string print_string(std::string_view value);
std::string print_name(const std::string& name, NameStyle style);
/// What the text of an expression would be longer than, where parts of it stand in many places: thrown by those that print whole models.
struct TextTooLong : std::length_error {
  TextTooLong();
};
constexpr std::size_t longest_expression = std::size_t(1) << 26, longest_model = std::size_t(1) << 30;   // characters

/// mark_literal: relations without events are written with noEvent.
std::string print_expression(const flat::Model& model, Expr e, NameStyle names, bool mark_literal);

/// The subscripts of element number `at` of an array whose last element has this name: its row's ones, if it has several dimensions.
std::string print_subscripts(const std::string& last_name, const std::string& at);

/// For messages, where a helper is what it stands for: cut off where it gets long.
std::string print_brief(const flat::Model& model, Expr e);
/// In place of what `text` was, and in its room.
void print_brief(const flat::Model& model, Expr e, std::string& text);
/// What messages call a variable.
std::string said_name(const flat::Model& model, VariableId v);

}  // namespace mosim::compiler
