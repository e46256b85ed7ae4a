#pragma once
// The component references inside of an expression.

#include <functional>

#include "parser/syntax.hpp"

namespace mosim::parser {

/// Visits every component reference below an expression, those in subscripts, in arguments and in iterators' ranges among them; the names of
/// called functions are none. Left to right.
void each_reference(const Expression& e, const std::function<void(const ComponentReference&)>& visit);

}  // namespace mosim::parser
