// What is set from outside: `--set name = value`. A parameter gets the value in place of its own, any other variable
// gets it as its start value. What is no such simple value (`x(start = 1)`, a whole record) is a modification of the model.

#include "compiler/instantiate/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "compiler/instantiate/class.hpp"
#include "compiler/instantiate/component.hpp"
#include "compiler/instantiate/evaluation.hpp"
#include "compiler/instantiate/expand.hpp"
#include "compiler/instantiate/instances.hpp"
#include "compiler/instantiate/lookup.hpp"
#include "compiler/instantiate/modifier.hpp"
#include "compiler/instantiate/value.hpp"

namespace mosim::compiler {

namespace {

constexpr std::string_view example = "write NAME=VALUE, for example --set h0=2.5";

const parser::Source& source_of(Instances& in, const Setting& s, std::string text) {
  return in.workspace.sources.add("--set " + s.text, std::move(text), false);
}

/// The equation `name = value`, if the setting is one.
const parser::SimpleEquation* as_equation(Instances& in, const Setting& s) {
  Diagnostics unsaid;
  const auto stored = parser::parse(source_of(in, s, fmt::format("model S equation\n{}\n; end S;", s.text)), in.workspace, unsaid);
  if (!stored || parser::has_errors(unsaid)) return nullptr;
  const auto& composition = std::get<parser::LongClassSpecifier>(stored->classes.front()->specifier).composition;
  if (composition.sections.size() != 1) return nullptr;
  const auto* section = std::get_if<parser::EquationSection>(&composition.sections.front());
  if (!section || section->equations.size() != 1) return nullptr;
  const auto* e = std::get_if<parser::SimpleEquation>(&section->equations.front().node);
  return e && std::holds_alternative<parser::Reference>(e->left->node) ? e : nullptr;
}

/// Subscripts as they name an element: whole numbers, literals behind the name of their enumeration, false and true. None after an
/// error.
std::optional<std::vector<std::string>> subscripts_of(Instances& in, const parser::ReferencePart& part) {
  std::vector<std::string> list;
  for (const parser::Subscript& s : part.subscripts) {
    const auto* i = s.expression ? std::get_if<parser::IntegerLiteral>(&s.expression->node) : nullptr;
    const auto* b = s.expression ? std::get_if<parser::BooleanLiteral>(&s.expression->node) : nullptr;
    const auto* r = s.expression ? std::get_if<parser::Reference>(&s.expression->node) : nullptr;
    if (i) {
      list.push_back(std::to_string(i->value));
    } else if (b) {
      list.push_back(b->value ? "true" : "false");
    } else if (r && r->name.parts.size() >= 2) {
      const auto n = r->name.parts.size();
      list.push_back(fmt::format("{}.{}", in.text(r->name.parts[n - 2].name), in.text(r->name.parts[n - 1].name)));
    } else {
      in.error(s.place, "a subscript of what is set must be a whole number, or a literal such as Color.red");
      return {};
    }
  }
  return list;
}

std::string subscripts_text(const std::vector<std::string>& list) {
  return list.empty() ? "" : fmt::format("[{}]", fmt::join(list, ","));
}

bool is_of(const Override& o, const Component& c) { return o.component == c.name || (!c.numbered.empty() && o.component == c.numbered); }

enum class Target { value, start, modification, unknown };

/// Whether the name means a value of a predefined type, or x.start of what is no parameter: then it is set on its own.
Target target_of(Instances& in, Member* model, const parser::ComponentReference& name) {
  Class* c = instantiate_class(in, model, nullptr, model->place);
  for (std::size_t part = 0; c; ++part) {
    if (!expand(in, c)) return Target::unknown;
    const parser::ReferencePart& p = name.parts[part];
    Member* m = find_member(in, c, p.name);
    if (!m || m->is_class()) {
      std::vector<std::string_view> names;
      for (const Member* other : c->members)
        if (!other->is_class()) names.push_back(in.text(other->name));
      const std::string near = parser::nearest(in.text(p.name), names);
      in.error(p.place, m ? fmt::format("{} is a class of {} and has no value to set", in.text(p.name), c->path)
                          : fmt::format("{} has no element {} to set", c->path, in.text(p.name)),
               near.empty() ? "" : fmt::format("did you mean {}?", near));
      return Target::unknown;
    }
    std::vector<std::int64_t> dims;
    Class* type = type_of(in, m, &dims);
    if (!type) return Target::modification;   // what is wrong with it will be said
    const bool last = part + 1 == name.parts.size();
    if (type->basic) {
      if (last) return Target::value;
      static constexpr std::string_view attributes[] = {"quantity", "unit", "displayUnit", "min", "max", "start", "fixed", "nominal", "unbounded", "stateSelect"};
      const std::string_view attribute = in.text(name.parts[part + 1].name);
      if (part + 2 == name.parts.size() && std::find(std::begin(attributes), std::end(attributes), attribute) != std::end(attributes)) {
        const auto v = m->prefix.variability;
        const bool parameter = v == parser::Variability::parameter || v == parser::Variability::constant;
        return attribute == "start" && !parameter ? Target::start : Target::modification;
      }
      in.error(name.parts[part + 1].place, fmt::format("{} has no element {} to set", in.text(p.name), in.text(name.parts[part + 1].name)));
      return Target::unknown;
    }
    const bool array = !dims.empty() || !m->sized_declaration->subscripts.empty() || !m->sized_clause->subscripts.empty();
    if (last || (array && p.subscripts.empty())) return Target::modification;
    c = type;
  }
  return Target::unknown;
}

/// `name = value` of a value of a predefined type. False if the setting is no such thing.
bool read_value(Instances& in, Member* model, const Setting& s) {
  const parser::SimpleEquation* e = as_equation(in, s);
  if (!e) return false;
  const auto& name = std::get<parser::Reference>(e->left->node).name;
  const Target target = target_of(in, model, name);
  if (target != Target::value && target != Target::start) return target == Target::unknown;
  const std::size_t parts = name.parts.size() - (target == Target::start ? 1 : 0);
  Override o;
  o.place = name.place;
  o.expression = e->right;
  for (std::size_t part = 0; part < parts; ++part) {
    const auto list = subscripts_of(in, name.parts[part]);
    if (!list) return true;
    const bool last = part + 1 == parts;
    o.component += (part ? "." : "") + std::string(in.text(name.parts[part].name));
    if (last)
      o.element = *list;
    else
      o.component += subscripts_text(*list);
  }
  std::erase_if(in.overrides, [&](const Override& other) { return other.component == o.component && other.element == o.element; });
  in.overrides.push_back(std::move(o));
  return true;
}

/// `name = value` on what is no parameter is a start value, at any depth of the modification.
const Modifier* as_start(Instances& in, Class* c, const Modifier* modifier) {
  Modifier& copy = in.modifiers->made.emplace_back(*modifier);
  for (Modifier::Child& child : copy.children) {
    Member* member = c ? find_member(in, c, child.name) : nullptr;
    if (!member || member->is_class() || !member->clause) continue;
    Class* type = type_of(in, member);
    if (type) expand(in, type);
    const auto v = member->prefix.variability;
    if (type && type->basic && child.modifier->binding && v != parser::Variability::parameter && v != parser::Variability::constant) {
      Modifier& start = in.modifiers->made.emplace_back();
      start.place = child.place;
      start.binding = child.modifier->binding;
      Modifier& outer = in.modifiers->made.emplace_back();
      outer.place = child.place;
      (void)outer.children.try_add({in.name("start"), child.place, &start});
      child.modifier = &outer;
    } else if (type && !type->basic) {
      child.modifier = as_start(in, type, child.modifier);
    }
  }
  return &copy;
}

const Modifier* read_modification(Instances& in, Member* model, const Setting& s, Class* scope) {
  Diagnostics unsaid;   // it would speak of what the setting is wrapped in
  const auto stored = parser::parse(source_of(in, s, fmt::format("class S = M(\n{}\n);", s.text)), in.workspace, unsaid);
  if (!stored || parser::has_errors(unsaid)) {
    in.error(Place{}, fmt::format("--set {} cannot be read", s.text), std::string(example));
    return nullptr;
  }
  const auto* specifier = std::get_if<parser::ShortClassSpecifier>(&stored->classes.front()->specifier);
  if (!specifier || !specifier->modification || specifier->modification->arguments.empty()) {
    in.error(specifier ? specifier->type.place : Place{}, fmt::format("--set {} sets nothing", s.text), std::string(example));
    return nullptr;
  }
  for (const parser::Argument& a : specifier->modification->arguments)
    if (const auto* e = std::get_if<parser::ElementModification>(&a.node); e && !e->modification) {
      in.error(a.place, fmt::format("{} gets no value", in.workspace.sources.text(a.place)), std::string(example));
      return nullptr;
    }
  return as_start(in, instantiate_class(in, model, nullptr, model->place), build_modifier(in, specifier->modification, scope));
}

/// What a subscript counts as in a dimension, from 1; 0: nothing.
std::int64_t ordinal_of(const Instances& in, const Component& c, std::size_t dimension, const std::string& subscript) {
  const Type type = dimension < c.dim_types.size() ? c.dim_types[dimension] : Type{BaseType::integer, EnumerationId::none};
  if (type.base == BaseType::boolean && (subscript == "false" || subscript == "true")) return subscript == "true" ? 2 : 1;
  if (type.base == BaseType::enumeration) {
    const flat::Enumeration& e = in.model.enumerations[index(type.enumeration)];
    for (std::size_t k = 0; k < e.literals.size(); ++k)
      if (("." + e.name + "." + e.literals[k]).ends_with("." + subscript)) return static_cast<std::int64_t>(k + 1);
  }
  std::int64_t number = 0;
  std::from_chars(subscript.data(), subscript.data() + subscript.size(), number);
  return number;
}

/// Row-major position of an element, empty if it lies outside.
std::optional<std::size_t> position(const Instances& in, const Component& c, const std::vector<std::int64_t>& dims,
                                    const std::vector<std::string>& element) {
  if (dims.size() != element.size()) return {};
  std::size_t k = 0;
  for (std::size_t d = 0; d < dims.size(); ++d) {
    const std::int64_t ordinal = ordinal_of(in, c, d, element[d]);
    if (ordinal < 1 || ordinal > dims[d]) return {};
    k = k * static_cast<std::size_t>(dims[d]) + static_cast<std::size_t>(ordinal - 1);
  }
  return k;
}

std::size_t elements(const std::vector<std::int64_t>& dims) {
  std::size_t n = 1;
  for (std::int64_t d : dims) n *= static_cast<std::size_t>(d);
  return n;
}

/// The literal of an enumeration by its full name, or by its own alone where that means nothing else. A value without
/// elements is an error that has been said.
std::optional<Value> literal(Instances& in, const Component& c, const parser::Expression& e) {
  const auto* r = std::get_if<parser::Reference>(&e.node);
  if (!r || r->name.global) return {};
  std::string name;
  for (const parser::ReferencePart& part : r->name.parts) name += (name.empty() ? "" : ".") + std::string(in.text(part.name));
  const bool unknown = r->name.parts.size() == 1 && !lookup(in, in.root, r->name.parts.front().name);
  if (c.basic->base == BaseType::string && unknown) {
    in.error(e.place, fmt::format("there is no variable {}, and a String stands in quotes", name),
             fmt::format("write --set '{}=\"{}\"'", c.name, name));
    return Value{};
  }
  if (c.basic->base != BaseType::enumeration) return {};
  const flat::Enumeration& type = in.model.enumerations[index(c.basic->enumeration)];
  for (std::size_t k = 0; k < type.literals.size(); ++k)
    if (name == type.name + "." + type.literals[k] || (unknown && name == type.literals[k])) {
      Value v{*c.basic, {}, {}};
      v.elements.push_back(in.model.expressions.enumeration(c.basic->enumeration, static_cast<std::uint32_t>(k + 1), e.place));
      return v;
    }
  if (!unknown) return {};
  in.error(e.place, fmt::format("{} has no literal {}", type.name, name), fmt::format("its literals are {}", fmt::join(type.literals, ", ")));
  return Value{};
}

std::optional<Value> value_of(Instances& in, const Component& c, const Override& o) {
  std::optional<Value> v = literal(in, c, *o.expression);
  if (v && v->elements.empty()) return {};
  if (!v) v = value_in(in, *o.expression, in.root);
  if (!v || !convert(in, *v, *c.basic, o.expression->place, fmt::format("the value of {}", c.name))) return {};
  return v;
}

}  // namespace

const Modifier* read_settings(Instances& in, Member* model, const std::vector<Setting>& settings, Class* scope) {
  const Modifier* all = nullptr;
  for (const Setting& s : settings)
    if (!read_value(in, model, s))
      if (const Modifier* m = read_modification(in, model, s, scope)) all = merge(in, m, all);
  return all;
}

bool has_override(const Instances& in, const Component* c) {
  return c->in_model && std::any_of(in.overrides.begin(), in.overrides.end(), [&](const Override& o) { return is_of(o, *c); });
}

bool has_whole_override(const Instances& in, const Component* c) {
  return c->in_model && std::any_of(in.overrides.begin(), in.overrides.end(), [&](const Override& o) { return is_of(o, *c) && o.element.empty(); });
}

Place override_place(const Instances& in, const Component* c) {
  Place place;
  for (const Override& o : in.overrides)
    if (is_of(o, *c)) place = o.place;
  return place;
}

void apply_overrides(Instances& in, Component* c, std::optional<Value>& value) {
  for (Override& o : in.overrides) {
    if (!is_of(o, *c)) continue;
    auto given = value_of(in, *c, o);
    if (!given) continue;
    const bool open = std::find(c->dims.begin(), c->dims.end(), -1) != c->dims.end();
    if (o.element.empty()) {
      if (given->dims == c->dims || (open && given->dims.size() == c->dims.size()))
        value = std::move(given);
      else
        in.error(o.expression->place, fmt::format("{} has {}, its new value {}", c->name, c->dims.empty() ? "no dimensions" : "the size " + shape_text(c->dims),
                                                  given->dims.empty() ? "none" : "the size " + shape_text(given->dims)),
                 c->dims.empty() ? "" : "set one element, as in k[2]=3, or all of them, as in k={1, 2, 3}");
      continue;
    }
    const std::vector<std::int64_t>& dims = open && value ? value->dims : c->dims;
    const auto k = position(in, *c, dims, o.element);
    if (!k || !given->scalar()) {
      in.error(k ? o.expression->place : o.place,
               k ? fmt::format("{}{} is one element and its new value has the size {}", c->name, subscripts_text(o.element), shape_text(given->dims))
                 : fmt::format("{}{} does not exist: {} {}", c->name, subscripts_text(o.element), c->name,
                               dims.empty() ? "is a scalar" : "has the size " + shape_text(dims)),
               {}, {{c->member->place, "declared here"}});
      continue;
    }
    if (!value) {   // start values, or elements that have no value of their own
      value = Value{*c->basic, dims, std::vector<Expr>(elements(dims), Expr::none)};
    }
    value->elements[*k] = given->only();
  }
}

void check_overrides(Instances& in) {
  for (const Override& o : in.overrides) {
    const auto known = std::find_if(in.model_components.begin(), in.model_components.end(), [&](const Component* c) { return is_of(o, *c); });
    if (known == in.model_components.end()) {
      in.error(o.place, fmt::format("{} is not part of {} as it is set up", o.component, in.model.name),
               "its subscripts may be wrong, or a condition removes it");
      continue;
    }
    const Component& c = **known;
    if (c.variability == flat::Variability::constant)
      in.error(o.place, fmt::format("{} is a constant and cannot be set", o.component), "declare it parameter",
               {{c.member->place, "declared here"}});
    else if (is_final(c))
      in.error(o.place, fmt::format("{} is final and cannot be set", o.component), "set what it is computed from, or remove the `final`",
               {{c.member->modifier && c.member->modifier->final_ && c.member->modifier->place ? c.member->modifier->place : c.member->place, "declared here"}});
  }
}

}  // namespace mosim::compiler
