#pragma once
// What instantiation asks of expressions: sizes, conditions, and values of bindings. Carried out by stage "elaborate".

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "compiler/instantiate/value.hpp"
#include "parser/syntax.hpp"

namespace mosim::compiler {

struct Binding;
struct Class;
struct Component;
struct Instances;

using parser::Place;

/// The value of an expression whose names are looked up in `scope`; empty after an error.
std::optional<Value> value_in(Instances& in, const parser::Expression& e, Class* scope);
/// What a declaration like `Real A[:, size(A, 1)]` asks of itself.
struct OwnSizes {
  parser::Name name;
  std::function<std::vector<std::int64_t>()> of_value;   // sizes of the value that it is given; none: it has none
};
/// Dimensions from subscripts: each an Integer, an enumeration type or Boolean. ":" gives -1.
std::optional<std::vector<std::int64_t>> dimensions_in(Instances& in, parser::List<parser::Subscript> subscripts, Class* scope,
                                                       std::vector<Type>* index_types = nullptr, const OwnSizes* own = nullptr);
/// The value bound to a component (its modifier's binding), with element indices applied; empty if it has none or
/// after an error.
const std::optional<Value>& binding_value(Instances& in, Component* c);
/// The value of a binding as a whole or, with its steps taken, in part; empty after an error.
std::optional<Value> bound_value(Instances& in, const Binding& b, bool whole = false);
/// Converts to a type (Integer to Real) and checks it; an error at `place` says what was expected of `what`.
bool convert(Instances& in, Value& value, Type type, Place place, std::string_view what);
/// Converts to a record type, element by element; an error at `place` says what was expected of `what`.
bool convert_record(Instances& in, Value& v, Class* record, Place place, std::string_view what);

}  // namespace mosim::compiler
