#pragma once
// Values of any type, records included, taken apart and put together.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/instantiate/value.hpp"
#include "parser/syntax.hpp"

namespace mosim::compiler {

struct Class;
struct Environment;
struct Instances;
struct Member;

using parser::Name;
using parser::Place;

/// The elements at these positions (row-major over all dimensions), as an array of size `dims`.
Value gather(const Value& v, const std::vector<std::size_t>& positions, std::vector<std::int64_t> dims);
/// The same over the first `leading` dimensions alone; the others stay behind `dims`.
Value gather_leading(const Value& v, std::size_t leading, const std::vector<std::size_t>& positions,
                     std::vector<std::int64_t> dims);
/// Element n (from 0) along the first dimension.
Value nth(const Value& v, std::size_t n);
/// Values of one type and size as an array of size `dims` of them, row-major. Not for an empty list.
Value stack(const std::vector<Value>& parts, const std::vector<std::int64_t>& dims);

/// 0, false, "" or the first value of an enumeration.
Expr zero(Expressions& ex, Type type);
/// A value of the type of the elements of `like`, in an array of size `dims`, where the value itself does not matter.
Value placeholder(Instances& in, const Value& like, std::vector<std::int64_t> dims);

/// if condition then a else b, for values of one type and size. An element not assigned in one of them is not in the
/// result.
Value choose(Instances& in, Expr condition, const Value& a, const Value& b, Place place);
/// Brings two records to one type: the same elements by name, converted where need be. An error names the operation.
bool unify_records(Instances& in, Value& a, Value& b, Place place, std::string_view what);

/// All scalar elements, those of records member by member.
void append_leaves(const Value& v, std::vector<Expr>& out);
void for_each_leaf(Value& v, const std::function<void(Value&)>& visit);
/// Of records, those of their elements too.
bool same_sizes(const Value& a, const Value& b);
/// Has every element a value?
bool is_assigned(const Value& v);

/// A record's value before anything is assigned: its elements' own bindings, Expr::none for the others. Empty after an
/// error.
std::optional<Value> initial_record(Instances& in, Class* record, const std::vector<std::int64_t>& dims,
                                    const Environment& env);
/// Is the size of a record's element left to what a function assigns to it: declared with ':' and no value (MLS 12.4.5)?
bool is_open_element(const Member* m);
/// Brings a new value to the type of such an element; its other sizes may be those of the elements that the record has. False after an error.
bool check_size_of_element(Instances& in, const Value& record, std::size_t position, Value& value, const Environment& env, Place place);
/// What its sizes shall be, if its value is that one: Expr::none for those that are left open. Empty after an error.
std::optional<std::vector<Expr>> sizes_of_element(Instances& in, Value record, std::size_t position, const Value& value, const Environment& env);
/// R(...): the record constructor (MLS 12.6).
std::optional<Value> construct_record(Instances& in, Class* record, const parser::Expression& e, const parser::Call& call,
                                      const Environment& env);

/// What may be meant by an expression that has another size than `dims`: .* for a product of arrays, {1, 2} for [1, 2].
/// Empty: not known.
std::string other_size_instead(Instances& in, const parser::Expression& e, const std::vector<std::int64_t>& dims, const Environment& env);

}  // namespace mosim::compiler
