#pragma once
// The members of a class: its own, and those it inherits (MLS 4.2, 7.1).

namespace mosim::compiler {

struct Class;
struct Instances;
struct Modifier;

/// Notes that `base` is a base class of `heir`.
void set_heir(Class& base, Class* heir);
/// Whether `heir` is `base` or derives from it.
bool is_heir(const Class* heir, const Class* base);
/// Finds extends, imports and members. False if it could not be done (said so already).
bool expand(Instances& in, Class* c);
/// Every name that a modification gives must be an element of the class it modifies; a protected or an outer one
/// cannot be modified from outside (`from_outside`: not by an extends clause).
void check_modified_elements(Instances& in, Class* c, const Modifier* modifier, bool from_outside);

}  // namespace mosim::compiler
