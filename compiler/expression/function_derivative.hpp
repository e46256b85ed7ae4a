#pragma once
// Derivatives of functions as code.

#include "compiler/flatten/flat.hpp"
#include "parser/diagnostic.hpp"

namespace mosim::compiler {

/// Output number `which` of a call, if the function's body is one assignment of expressions of its inputs; else none. A system of equations
/// shows so that it is linear in derivatives.
Expr inlined_call(flat::Model& model, FunctionId of, const std::vector<Expr>& arguments, std::size_t which);

/// The function that gives the derivatives of another one's outputs from its inputs and the derivatives of its Real inputs, which follow
/// them in their order (forward differentiation: each assignment with that of the derivative before it). Its outputs stand where those of
/// the other one do; those that are not Real are 0. none after an error. Made once.
FunctionId derivative_function(flat::Model& model, FunctionId of, parser::Diagnostics& diagnostics);

}  // namespace mosim::compiler
