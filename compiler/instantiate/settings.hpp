#pragma once
// What is set from outside: --set name = value.

#include <optional>
#include <string>
#include <vector>

#include "compiler/instantiate/value.hpp"
#include "parser/syntax.hpp"

namespace mosim::compiler {

struct Class;
struct Component;
struct Instances;
struct Member;
struct Modifier;

using parser::Place;

/// A parameter or start value given from outside: `name = value`, a Modelica modification.
struct Setting {
  std::string text;
};

/// `name = value` from outside, of a component of a predefined type: it stands for the value of the declaration and of all
/// modifications, or for the start value of what is no parameter.
struct Override {
  std::string component;                           // as Component::name or Component::numbered
  std::vector<std::string> element;                // its subscripts; empty: the whole component
  const parser::Expression* expression = nullptr;  // looked up in the model
  Place place;
};

/// Reads settings: values go to in.overrides, the others are merged into the modifier returned (null if there are none),
/// whose names are looked up in `scope`.
const Modifier* read_settings(Instances& in, Member* model, const std::vector<Setting>& settings, Class* scope);
bool has_override(const Instances& in, const Component* c);
/// Where it was set from outside, the last time.
Place override_place(const Instances& in, const Component* c);
bool has_whole_override(const Instances& in, const Component* c);
/// Puts what is set from outside into a component's value or start value; an element of it not set stays Expr::none
/// where `value` is empty.
void apply_overrides(Instances& in, Component* c, std::optional<Value>& value);
/// Refuses settings that lead nowhere, and those of constants and final elements.
void check_overrides(Instances& in);

}  // namespace mosim::compiler
