#pragma once
// Selective model extension (MLS 7.4): `extends B(break x, break connect(a, b))`.

#include "parser/syntax.hpp"

namespace mosim::compiler {

struct Class;
struct Instances;

/// Takes out of a base class, which is expanded, what the modification of the extends clause deselects. What nothing matches, or what is no
/// model, block or connector, is an error.
void take_out(Instances& in, Class* base, const parser::Modification* modification);

/// Was a connection that stands in the class of `scope` taken out by a class that inherits it?
bool is_taken_out(const Instances& in, const Class* scope, const parser::ConnectEquation& connection);

}  // namespace mosim::compiler
