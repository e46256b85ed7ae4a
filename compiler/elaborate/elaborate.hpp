#pragma once
// Inside elaboration: what its files share.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "compiler/elaborate/environment.hpp"
#include "compiler/instantiate/evaluation.hpp"
#include "compiler/instantiate/value.hpp"
#include "parser/syntax.hpp"

namespace mosim::compiler {

struct Class;
struct Component;
struct Instances;

using parser::Name;
using parser::Place;

// elaborate.cpp
/// The value of an expression; empty after an error.
std::optional<Value> elaborate(Instances& in, const parser::Expression& e, const Environment& env);
/// All results of a call.
std::optional<std::vector<Value>> elaborate_results(Instances& in, const parser::Expression& e, const parser::Call& call,
                                                    const Environment& env);

/// Both sides get one type: Real if one is; an error names the operation otherwise.
bool unify(Instances& in, Value& a, Value& b, Place place, std::string_view what);
/// An Integer known before the run; an error at `place` otherwise.
std::optional<std::int64_t> known_integer(Instances& in, const Value& v, Place place, std::string_view what);

// bindings.cpp
/// Dimensions from subscripts: each an Integer, an enumeration type or Boolean. ":" gives -1.
std::optional<std::vector<std::int64_t>> dimensions(Instances& in, parser::List<parser::Subscript> subscripts,
                                                    const Environment& env, std::vector<Type>* index_types = nullptr,
                                                    const OwnSizes* own = nullptr);
/// An attribute's value (start, fixed, ...) as given by the modifier; empty if not given.
std::optional<Value> attribute_value(Instances& in, Component* c, std::string_view attribute, Type type);

// operators.cpp
std::optional<Value> elaborate_unary(Instances& in, const parser::Expression& e, const parser::Unary& u,
                                     const Environment& env);
std::optional<Value> elaborate_binary(Instances& in, const parser::Expression& e, const parser::Binary& b,
                                      const Environment& env);
Expr negated(Instances& in, Expr e, Place place);
/// a and b; Expr::none is true.
Expr both(Instances& in, Expr a, Expr b, Place place);
/// op over all elements in order: sum and product.
Expr fold(Instances& in, Op op, const Value& v, Place place);
/// Applies a one-argument function to every element.
Value map(Instances& in, Op op, Type result, const Value& v, Place place, bool literal = false);

// arrays.cpp
/// The values that a range has or an iterator runs through: a vector; or Integers of a range, of which each is made when it is asked for.
class RangeValues {
public:
  explicit RangeValues(Value vector) : vector_(std::move(vector)), count_(vector_.dims.front()) {}
  RangeValues(std::int64_t first, std::int64_t step, std::int64_t count, Place place) : first_(first), step_(step), count_(count), place_(place) {}

  std::int64_t size() const { return count_; }
  Value nth(Instances& in, std::int64_t k) const;
  /// NaN: no number, or an Integer that is not exact as a Real.
  double number(const Instances& in, std::int64_t k) const;
  Value all(Instances& in) &&;

private:
  Value vector_;                            // no dimensions: Integers of a range
  std::int64_t first_ = 0, step_ = 0, count_ = 0;
  Place place_;
};
std::optional<RangeValues> range_values(Instances& in, const parser::Expression& e, const parser::Range& r, const Environment& env);
std::optional<Value> elaborate_range(Instances& in, const parser::Expression& e, const parser::Range& r, const Environment& env);
std::optional<Value> array_of(Instances& in, std::vector<Value> parts, const std::vector<Place>& places, Place place);
std::optional<Value> elaborate_matrix(Instances& in, const parser::Expression& e, const parser::MatrixConstructor& m,
                                      const Environment& env);
std::optional<Value> concatenate(Instances& in, std::size_t dimension, std::vector<Value> parts, Place place);

// references.cpp
/// The variables a component reference means: every element a variable. For left sides, reinit, connect.
std::optional<Value> elaborate_reference(Instances& in, const parser::ComponentReference& r, const Environment& env);
std::optional<Value> subscript(Instances& in, const Value& v, parser::List<parser::Subscript> subscripts, Place place,
                               const Environment& env, std::string_view name = "this array");

// comprehensions.cpp
/// {e for i in A, j in B}
std::optional<Value> array_with_iterators(Instances& in, const parser::Expression& element, parser::List<parser::ForIndex> iterators,
                                          Place place, const Environment& env);
/// sum(e for i in A, j in B) and the like.
std::optional<Value> reduction(Instances& in, const parser::Expression& e, const parser::Call& call, std::string_view name,
                               const Environment& env);

// functions.cpp
struct Argument {
  Value value;
  Place place;
  Name name = Name::none;          // of a named one
  Place name_place;
};
struct Arguments {
  std::vector<Argument> positional, named;
};
std::optional<Arguments> elaborate_arguments(Instances& in, const parser::Call& call, const Environment& env);
/// All results of a function for these arguments; element by element for arrays of them (MLS 12.4.6).
std::optional<std::vector<Value>> apply_function(Instances& in, Class* function, const Arguments& arguments, Place place,
                                                 const Environment& env);
/// A function that was handed in as an argument (MLS 12.4.2).
std::optional<std::vector<Value>> call_functional(Instances& in, const Value& function, const parser::Expression& e,
                                                  const parser::Call& call, const Environment& env);
/// `function f(a = 1)`
std::optional<Value> function_value(Instances& in, const parser::Expression& e, const Environment& env);
/// The function a name means, or null; says nothing.
Class* function_named(Instances& in, const parser::ComponentReference& r, const Environment& env);
/// Carries out a function's algorithm: all its results.
std::optional<std::vector<Value>> call_function(Instances& in, Class* function, const parser::Expression& e,
                                                const parser::Call& call, const Environment& env);

// overloading.cpp (MLS 14)
std::optional<Value> overloaded_binary(Instances& in, std::string_view op, const Value& a, const Value& b, bool elementwise,
                                       Place place, const Environment& env);
std::optional<Value> overloaded_unary(Instances& in, std::string_view op, const Value& a, Place place, const Environment& env);
/// sum(A) of operator records: '+' over all elements, '0' of none.
std::optional<Value> overloaded_sum(Instances& in, const Value& v, Place place, const Environment& env);
/// A call of 'constructor' or 'String': empty if the record does not define it, else its results or an error.
std::optional<std::optional<std::vector<Value>>> overloaded_call(Instances& in, Class* record, std::string_view op,
                                                                 const parser::Expression& e, const parser::Call& call,
                                                                 const Environment& env);

// builtins.cpp
bool is_builtin(std::string_view name);
std::optional<Value> elaborate_builtin(Instances& in, const parser::Expression& e, const parser::Call& call,
                                       std::string_view name, const Environment& env);
/// sum, product, min or max of a value that has been found.
std::optional<Value> reduce(Instances& in, const parser::Expression& e, const parser::Call& call, std::string_view name, Value values,
                            const Environment& env);

// connection_builtins.cpp
/// A call of the built-in package Connections (MLS 9.4.1), or of rooted or cardinality: empty if it is none of these, else
/// its result or an error.
std::optional<std::optional<Value>> connection_operator(Instances& in, const parser::Expression& e, const parser::Call& call,
                                                        const Environment& env);
/// Is it a call of Connections.branch, root or potentialRoot, which are equations by themselves?
bool is_graph_equation(Instances& in, const parser::Expression& e, const Environment& env);

// spatial_distribution.cpp
/// Both results of spatialDistribution.
std::optional<std::vector<Value>> spatial_distribution(Instances& in, const parser::Expression& e, const parser::Call& call,
                                                       const Environment& env);

// clock_builtins.cpp
/// sample, hold and the rest of MLS 16.
std::optional<Value> elaborate_clock_operator(Instances& in, const parser::Expression& e, const parser::Call& call,
                                              std::string_view name, const Environment& env);

// machine_builtins.cpp
/// "transition" or "initialState" if it is a call of one of these, which are equations by themselves; else empty.
std::string_view machine_equation(Instances& in, const parser::Expression& e, const Environment& env);
/// The operators of MLS 17.1.
std::optional<Value> elaborate_machine_operator(Instances& in, const parser::Expression& e, const parser::Call& call,
                                                std::string_view name, const Environment& env);

}  // namespace mosim::compiler
