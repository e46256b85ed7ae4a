#pragma once
// Inside printing: what its files share.

#include <optional>
#include <string>
#include <string_view>

#include "compiler/flatten/flat.hpp"

namespace mosim::compiler {

enum class NameStyle { plain, quoted };   // quoted: names that are no identifiers between quotes

std::string print_real(double value);
std::string print_string(std::string_view value);
std::string print_name(const std::string& name, NameStyle style);
/// mark_literal: relations without events are written with noEvent.
std::string print_expression(const flat::Model& model, Expr e, NameStyle names, bool mark_literal);

/// The subscripts of element number `at` of an array whose last element has this name: its row's ones, if it has several dimensions.
std::string print_subscripts(const std::string& last_name, const std::string& at);

/// For messages, where a helper is what it stands for: cut off where it gets long.
std::string print_brief(const flat::Model& model, Expr e);
/// What messages call a variable.
std::string said_name(const flat::Model& model, VariableId v);

}  // namespace mosim::compiler
