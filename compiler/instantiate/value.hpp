#pragma once
// Typed, shaped values, and the names that iterators give to them.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "compiler/expression/expression.hpp"
#include "parser/names.hpp"

namespace mosim::compiler {

struct Class;
struct Instances;

using parser::Name;

/// The type of a scalar.
struct Type {
  BaseType base = BaseType::real;
  EnumerationId enumeration = EnumerationId::none;
  ObjectClassId object = ObjectClassId::none;
  friend bool operator==(Type, Type) = default;
};

/// In functions that are code: the elements of an array whose sizes the run alone knows (MLS 12.4.4, 12.4.5).
struct RunArray {
  std::vector<Expr> extents;                               // Integers, one for each dimension
  std::function<Expr(std::span<const Expr>)> element;      // at these subscripts, Integers from 1 that lie inside
  LocalId whole = LocalId::none;                           // it is all of this local (flat::Local::rank)
};

/// A typed, shaped value: the elements of an array in row-major order; a scalar has no dimensions and one element.
/// Of a record type: the values of its elements instead, each with the dimensions of the array in front of its own.
struct Value {
  Type type;
  std::vector<std::int64_t> dims;
  std::vector<Expr> elements;
  Class* record = nullptr;               // a record: `members` in the order of record_elements(), and no `elements`
  std::vector<Value> members = {};
  Class* function = nullptr;             // a function as an argument (MLS 12.4.2), with the inputs given by `members`
  std::vector<Name> bound = {};          // under these names
  std::shared_ptr<const RunArray> run = {};   // an array whose sizes the run alone knows: no `elements`, and dims of -1 where it is so
  bool scalar() const { return dims.empty() && !record && !function; }
  Expr only() const { return elements.front(); }
};

inline constexpr Type real_type{BaseType::real, EnumerationId::none};
inline constexpr Type integer_type{BaseType::integer, EnumerationId::none};
inline constexpr Type boolean_type{BaseType::boolean, EnumerationId::none};
inline constexpr Type string_type{BaseType::string, EnumerationId::none};
inline constexpr Type clock_type{BaseType::clock, EnumerationId::none};

inline bool is_numeric(Type t) { return t.base == BaseType::real || t.base == BaseType::integer; }
inline Value scalar(Type type, Expr e) { return {type, {}, {e}}; }
/// How many elements; throws SizeOfRun if the run alone knows.
std::size_t count(const std::vector<std::int64_t>& dims);
/// The same for Instances::has_room(), without an overflow; open sizes (-1) hold none yet.
double room_for(const std::vector<std::int64_t>& dims);
/// Something was asked of an array that has an answer only for sizes known before the run. Never beyond the function being made into code,
/// which tells its place.
struct SizeOfRun {};

// For messages.
/// Enumerations are of one type if they have the same literals in the same order (MLS 6.4, 6.7).
bool same_type(const Instances& in, Type a, Type b);
std::string type_name(Instances& in, Type type);
std::string type_name(Instances& in, const Value& v);
std::string shape_text(const std::vector<std::int64_t>& dims);

/// The names that a for loop or a comprehension binds, innermost first.
struct Locals {
  Name name;
  Value own;
  const Locals* outer = nullptr;
  const Value* elsewhere = nullptr;   // instead of a value of its own: that of a function's variable may be a large array

  const Value& value() const { return elsewhere ? *elsewhere : own; }
};

}  // namespace mosim::compiler
