#pragma once
// Built-in functions: what the files that carry them out share.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/elaborate/elaborate.hpp"
#include "compiler/instantiate/instances.hpp"

namespace mosim::compiler::builtins {

/// The arguments of a call, elaborated, with what messages need.
struct Call {
  Instances& in;
  const parser::Expression& e;
  const parser::Call& syntax;
  std::string_view name;
  const Environment& env;
  std::vector<Value> arguments;
  Expressions& ex() const { return in.model.expressions; }
  Place place() const { return e.place; }
  Place argument_place(std::size_t i) const {
    return i < syntax.arguments.positional.size() ? syntax.arguments.positional[i]->place : e.place;
  }
  std::optional<Value> fail(std::string cause, std::string remedy = {}) const {
    in.error(e.place, std::move(cause), std::move(remedy));
    return {};
  }
};

/// The operation of a function of one Real (MLS 3.7.3): sin, exp, sqrt, ...
std::optional<Op> elementary_function(std::string_view name);

/// Makes an argument a scalar of a type; false after an error.
bool scalar_argument(Call& call, std::size_t i, Type type);

/// Two Real arguments, vectorised over arrays of one size.
std::optional<Value> pairwise(Call& call, Op op, Type result, bool literal);

/// The product of two Real numbers.
Expr product_of(Call& call, Expr a, Expr b);

// Arrays (MLS 10.3; array_builtins.cpp). The number of arguments is right; nothing after an error.
std::optional<Value> size(Call& call);
std::optional<Value> ndims(Call& call);
std::optional<Value> fill(Call& call);
std::optional<Value> zeros(Call& call);
std::optional<Value> ones(Call& call);
std::optional<Value> identity(Call& call);
std::optional<Value> diagonal(Call& call);
std::optional<Value> linspace(Call& call);
std::optional<Value> sum(Call& call);
std::optional<Value> product(Call& call);
std::optional<Value> transpose(Call& call);
std::optional<Value> symmetric(Call& call);
std::optional<Value> as_scalar(Call& call);
std::optional<Value> vector(Call& call);
std::optional<Value> matrix(Call& call);
std::optional<Value> cat(Call& call);
std::optional<Value> outer_product(Call& call);
std::optional<Value> cross(Call& call);
std::optional<Value> skew(Call& call);

// Operators that are no functions (MLS 3.7.4, 3.7.5, 15; special_builtins.cpp).
std::optional<Value> pre(Call& call);
std::optional<Value> edge(Call& call);
std::optional<Value> change(Call& call);
std::optional<Value> initial(Call& call);
std::optional<Value> terminal(Call& call);
std::optional<Value> no_event(Call& call);
std::optional<Value> smooth(Call& call);
std::optional<Value> delay(Call& call);
std::optional<Value> homotopy(Call& call);
std::optional<Value> semi_linear(Call& call);
std::optional<Value> der(Call& call);
std::optional<Value> in_stream(Call& call);
std::optional<Value> actual_stream(Call& call);
std::optional<Value> instance_name(Call& call);
std::optional<Value> pure(Call& call);

}  // namespace mosim::compiler::builtins
