#pragma once
// Component references (MLS 3.6.1): their values, and the components they mean.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <boost/container/small_vector.hpp>

#include "compiler/elaborate/elaborate.hpp"

namespace mosim::compiler {

/// What a reference means in the instance tree.
struct Resolved {
  struct Element {
    Component* component;
    std::size_t index;                 // row-major, of the component's elements
  };
  std::vector<Element> elements;       // row-major over dims
  std::vector<std::int64_t> dims;      // of all arrays passed, slices applied
  Component* last = nullptr;           // the (first) component of the last part
  boost::container::small_vector<Component*, 4> path;   // the (first) component of every part
  bool outside = false;                // for its type alone: elements that do not exist
  bool removed = false;                // a component on the way is removed by its condition; nothing else is given
};

/// The components of a reference; empty after an error. Components removed by their conditions are no error.
std::optional<Resolved> resolve(Instances& in, const parser::ComponentReference& r, const Environment& env);
/// The value of a reference in an expression.
std::optional<Value> elaborate_name(Instances& in, const parser::ComponentReference& r, const Environment& env);
/// The value of a component of a predefined type or a record, all elements of it; empty after an error.
std::optional<Value> component_value(Instances& in, Component* c, Place place);
/// The part of a value that a reference asks for, from its part number `part` on, whose name is the value's own.
std::optional<Value> select_parts(Instances& in, const Value& whole, const parser::ComponentReference& r, std::size_t part,
                                  const Environment& env);
/// The names of a reference up to one of its parts, without subscripts.
std::string spelled(Instances& in, const parser::ComponentReference& r, std::size_t upto);

}  // namespace mosim::compiler
