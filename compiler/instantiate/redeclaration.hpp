#pragma once
// Redeclarations (MLS 7.3): what an element may be redeclared to, and the element that one brings.

#include <optional>

#include "parser/syntax.hpp"

namespace mosim::compiler {

struct Class;
struct Instances;
struct Member;
struct Modifier;

using parser::Place;

/// What an element may be redeclared to: its constraining type (MLS 7.3.2).
struct Constraint {
  const parser::QualifiedName* type = nullptr;     // of a component, or given by a constrainedby clause; else null
  Class* scope = nullptr;                          // of the name
  Member* declared = nullptr;                      // of a class without clause: the class as it was declared
  const Modifier* modifier = nullptr;
  Place place;
};

/// A declaration or redeclaration whose type must be compatible with a constraining type. Types are not known yet
/// while a class is expanded, so this is seen to once the model is instantiated (restrictions.cpp).
struct RedeclarationCheck {
  Member* member = nullptr;                        // as it is after this redeclaration
  Place place;
  Constraint constraint;
  std::optional<Constraint> new_constraint;        // of the redeclaration itself: must be a subtype as well
  Class* redeclared_in = nullptr;                  // null: the original declaration
};

/// Gives a member its modifier, and puts the elements that redeclarations bring in the place of the declared one.
void apply_modifier(Instances& in, Member& m, const Modifier* outer);

}  // namespace mosim::compiler
