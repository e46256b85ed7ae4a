#pragma once
// Arrays whose sizes the run alone knows (MLS 12.4.4, 12.4.5), in functions that are code. Operations on them are functions of subscripts
// until something has to stand in memory; then loops are put before the statement at hand.

#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "compiler/elaborate/builtins.hpp"
#include "compiler/elaborate/elaborate.hpp"
#include "compiler/elaborate/function_body.hpp"
#include "compiler/instantiate/instances.hpp"

namespace mosim::compiler {

using Subscript = std::span<const Expr>;
using ElementAt = std::function<Expr(Subscript)>;

/// The function being made into code, if its arrays may have such sizes; else null.
FunctionCode* run_code(Instances& in);
/// Is it such an array, or a record with one?
bool is_of_run(const Value& v);

/// The sizes of any array, and its elements.
std::vector<Expr> extents_of(Instances& in, const Value& v);
ElementAt elements_of(Instances& in, const Value& v, Place place);
/// An array of these sizes and elements; an ordinary one if all sizes are known.
Value array_of_run(Instances& in, Type type, std::vector<Expr> extents, ElementAt element, Place place);
/// The local, with the sizes that are known (-1: others).
Value whole_array(Instances& in, LocalId array, Type type, const std::vector<std::int64_t>& dims);
/// It, or what is equal, in a local that holds an array of the run's size. A copy, if it must be one.
LocalId in_memory(Instances& in, const Value& v, Place place, bool copy = false);
/// It, found once: a local or a literal.
Expr found_once(Instances& in, Expr e, Place place);

/// The leaves of values as code hands them over: whole arrays as their locals.
void append_code_leaves(Instances& in, const Value& v, std::vector<Expr>& out, Place place);

/// Are these the same? Where that is not known, the run looks. Said if they are known to differ.
bool check_extent(Instances& in, Expr a, Expr b, Place place, std::string_view what);
bool check_sizes(Instances& in, const Value& a, const Value& b, Place place, std::string_view what);
/// It as an ordinary value of this size: the run looks.
std::optional<Value> of_known_size(Instances& in, const Value& v, const std::vector<std::int64_t>& dims, Place place, std::string_view what);

/// A new array with these sizes whose elements, scalars, are found by `body` in a loop.
std::optional<Value> tabulate(Instances& in, const std::vector<Expr>& extents, const std::function<std::optional<Value>(Subscript)>& body, Place place);
/// Over all subscripts up to these sizes, the last one fastest.
std::optional<Value> accumulate(Instances& in, std::string_view what, const std::vector<Expr>& extents,
                                const std::function<std::optional<Value>(Subscript)>& body, Place place);
/// Loops over all subscripts up to these sizes around what `body` makes; false: it failed.
bool loops(Instances& in, const std::vector<Expr>& extents, const std::function<bool(Subscript)>& body, Place place);

// What the operations of MLS 10 are for arrays of which one is such.
std::optional<Value> run_product(Instances& in, const Value& a, const Value& b, Place place);
std::optional<Value> run_stack(Instances& in, const std::vector<Value>& parts, Place place);
std::optional<Value> run_concatenation(Instances& in, std::size_t dimension, const std::vector<Value>& parts, Place place);
/// With trailing dimensions of size 1 (MLS 10.4.2.1).
Value run_promoted(Instances& in, const Value& v, std::size_t ndims, Place place);
std::optional<Value> run_range(Instances& in, const Value& start, const std::optional<Value>& step, const Value& stop, Place place);
/// With a scalar or a vector of Integers for each dimension; no value: all of it.
std::optional<Value> run_subscript(Instances& in, const Value& v, const std::vector<std::optional<Value>>& subscripts, Place place);
/// Built-in functions; nothing: it is an ordinary call.
std::optional<std::optional<Value>> run_builtin(builtins::Call& c, const std::function<std::optional<Value>(builtins::Call&)>& of_scalars);
/// {e for i in ...}, or sum(e for ...) where `what` is a reduction. Nothing: the sizes of the ranges are known.
std::optional<std::optional<Value>> run_iteration(Instances& in, std::string_view what, const parser::Expression& element,
                                                  parser::List<parser::ForIndex> iterators, Place place, const Environment& env);

}  // namespace mosim::compiler
