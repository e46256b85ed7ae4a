#pragma once
// A component of an object, and how it is made from its declaration (MLS 5.6.1).

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/flatten/flat.hpp"
#include "compiler/instantiate/value.hpp"
#include "parser/syntax.hpp"

namespace mosim::compiler {

struct Class;
struct Instances;
struct Member;
struct Modifier;

/// A component of an object.
struct Component {
  Member* member = nullptr;
  std::string name;                                // dotted, from the model down
  std::string numbered;                            // the same with a number for each subscript; empty: no other
  std::vector<std::int64_t> dims;
  std::vector<Type> dim_types;                     // what each dimension is indexed by: Integer, Boolean, enumeration
  Class* type = nullptr;                           // for class types: the type of its (first) element
  std::optional<Type> basic;
  flat::Variability variability = flat::Variability::continuous;
  bool declared_discrete = false;
  parser::Causality causality = parser::Causality::none;
  parser::ConnectorPrefix connector = parser::ConnectorPrefix::none;
  bool is_protected = false;
  bool hidden = false;                             // annotated HideResult, or in such a one
  bool removed = false;                            // its condition is false
  bool is_connector = false;                       // its class is a connector, perhaps of a predefined type
  bool absent = false;                             // in an expandable connector, and not connected: removed as well
  bool in_model = false;
  const Modifier* modifier = nullptr;              // with the attributes from its type merged in, for a basic one
  VariableId first = VariableId::none;             // basic, in the model: its variables, row-major, contiguous
  std::vector<Class*> elements;                    // class types: an object for each element, row-major
  Class* overdetermined = nullptr;                 // its type, if that has an equalityConstraint function (MLS 9.4.1)
  std::optional<Value> binding;                    // of the declaration, once asked for
  bool binding_known = false, busy = false;

  std::size_t size() const {
    std::size_t n = 1;
    for (std::int64_t d : dims) n *= static_cast<std::size_t>(d);
    return n;
  }
};

/// Its value may not be changed from outside.
bool is_final(const Component& c);
/// The component of a component member, made on the first call; null after an error.
Component* instantiate_component(Instances& in, Member* member);

}  // namespace mosim::compiler
