// Components in their context (MLS 5.6.1): sizes, types, variability, conditions, and their variables or objects.

#include "compiler/instantiate/component.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "compiler/elaborate/values.hpp"
#include "compiler/expression/evaluate.hpp"
#include "compiler/instantiate/class.hpp"
#include "compiler/instantiate/evaluation.hpp"
#include "compiler/instantiate/expand.hpp"
#include "compiler/instantiate/instances.hpp"
#include "compiler/instantiate/interface.hpp"
#include "compiler/instantiate/lookup.hpp"
#include "compiler/instantiate/modifier.hpp"
#include "compiler/instantiate/restrictions.hpp"
#include "compiler/instantiate/settings.hpp"
#include "compiler/instantiate/value.hpp"

namespace mosim::compiler {

namespace {

constexpr int most_times_enclosed = 100;   // a condition may end a recursion
constexpr int most_times_enclosed_after_an_error = 3;

constexpr std::string_view attributes_of(BaseType base) {
  switch (base) {
    case BaseType::real:
      return " quantity unit displayUnit min max start fixed nominal unbounded stateSelect ";
    case BaseType::integer:
    case BaseType::enumeration: return " quantity min max start fixed ";
    case BaseType::boolean:
    case BaseType::string: return " quantity start fixed ";
    case BaseType::clock:
    case BaseType::object: return " ";
  }
  return " ";
}

void check_attributes(Instances& in, const Component& c) {
  if (!c.modifier) return;
  const std::string_view known = attributes_of(c.basic->base);
  for (const Modifier::Child& child : c.modifier->children) {
    const std::string_view name = in.text(child.name);
    if (known.find(fmt::format(" {} ", name)) != std::string_view::npos) continue;
    std::vector<std::string_view> names;
    for (std::size_t at = 1; at < known.size();) {
      const std::size_t end = known.find(' ', at);
      names.push_back(known.substr(at, end - at));
      at = end + 1;
    }
    const std::string near = parser::nearest(name, names);
    in.error(child.place, fmt::format("{} has no attribute {}", type_name(in, *c.basic), name),
             near.empty() ? "" : fmt::format("did you mean {}?", near));
  }
}

flat::Variability declared_variability(const parser::TypePrefix& prefix, BaseType base) {
  switch (prefix.variability) {
    case parser::Variability::constant: return flat::Variability::constant;
    case parser::Variability::parameter: return flat::Variability::parameter;
    case parser::Variability::discrete: return flat::Variability::discrete;
    case parser::Variability::none: break;
  }
  if (base == BaseType::object) return flat::Variability::parameter;   // bound once (MLS 12.9.7)
  return base == BaseType::real ? flat::Variability::continuous : flat::Variability::discrete;
}

/// A subscript as the results name it: by a literal where the dimension is an enumeration or Boolean.
std::string subscript_text(const Instances& in, const Component& c, std::size_t dimension, std::size_t ordinal) {
  if (dimension < c.dim_types.size()) {
    const Type type = c.dim_types[dimension];
    if (type.base == BaseType::boolean && ordinal <= 2) return ordinal == 1 ? "false" : "true";
    if (type.base == BaseType::enumeration) {
      const flat::Enumeration& e = in.model.enumerations[index(type.enumeration)];
      const std::size_t dot = e.name.back() == '\'' ? std::string::npos : e.name.rfind('.');   // what is quoted may hold dots
      if (ordinal <= e.literals.size()) return (dot == std::string::npos ? e.name : e.name.substr(dot + 1)) + "." + e.literals[ordinal - 1];
    }
  }
  return std::to_string(ordinal);
}

/// The subscripts of an element in brackets: nothing, for a scalar.
std::string subscripts_text(const Instances& in, const Component& c, std::size_t element, bool numbered) {
  std::string text;
  for (std::size_t d = c.dims.size(); d-- > 0;) {
    const auto size = static_cast<std::size_t>(c.dims[d]);
    const std::size_t ordinal = element % size + 1;
    text = (numbered ? std::to_string(ordinal) : subscript_text(in, c, d, ordinal)) + (text.empty() ? "" : ",") + text;
    element /= size;
  }
  return text.empty() ? text : "[" + text + "]";
}

}  // namespace

bool is_final(const Component& c) { return c.member->final_ || (c.member->modifier && c.member->modifier->final_); }

namespace {

/// One flat variable for each element.
void make_variables(Instances& in, Component& c) {
  c.first = static_cast<VariableId>(in.model.variables.size());
  const std::size_t n = c.size();
  if (n > in.model.variables.size()) in.model.variables.reserve(in.model.variables.size() + n);   // twice as much otherwise
  const flat::Label description = in.labels(c.member->declaration->description.text);
  for (std::size_t k = 0; k < n; ++k) {
    flat::Variable v;
    v.name = c.name + subscripts_text(in, c, k, false);
    v.description = description;
    v.place = c.member->place;
    v.type = c.basic->base;
    v.enumeration = c.basic->enumeration;
    v.object = c.basic->object;
    v.variability = c.variability;
    v.is_protected = c.is_protected;
    v.is_final = is_final(c);
    v.hidden = c.hidden;
    v.of_library = in.is_lenient(v.place) && (!c.modifier || !c.modifier->binding || in.is_lenient(c.modifier->binding->place)) && !has_override(in, &c);
    in.model.variables.push_back(std::move(v));
    in.variable_elements.push_back({&c, k});
  }
}

/// How often a class stands among the types of the objects around a component.
int times_enclosed(const Class* object, const parser::ClassDefinition* definition) {
  int times = 0;
  for (const Class* o = object; o; o = o->parent_object) {
    const Class* whole = o;   // `o` may be a base class of it
    while (whole->derived) whole = whole->far_heir ? whole->far_heir : whole->derived;
    times += o->definition == definition || whole->definition == definition;
  }
  return times;
}

/// The value of a record: of its type and size. What is said of its elements then comes from it.
bool check_record_value(Instances& in, Component& c, Class* type) {
  const Binding& b = *c.modifier->binding;
  if (c.busy) {
    in.error(c.member->place, fmt::format("the value of {} depends on itself", c.name), "break the cycle of declarations");
    return false;
  }
  // What it asserts is seen to when its elements get their values.
  const std::size_t assertions = in.model.assertions.size();
  auto v = bound_value(in, b);
  in.model.assertions.resize(std::min(assertions, in.model.assertions.size()));
  if (!v) return false;
  if (!convert_record(in, *v, type, b.place, fmt::format("the value of {}", in.text(c.member->name)))) return false;
  if (v->dims == c.dims || (b.may_spread() && v->dims.empty())) return true;
  in.error(b.place, fmt::format("{}{} cannot have a value of size {}", in.text(c.member->name), shape_text(c.dims),
                                v->dims.empty() ? "1 (one record)" : shape_text(v->dims)),
           v->dims.empty() ? "write `each` before it, or fill(value, size)" : "");
  return false;
}

/// Does a constant keep its own value, because the part of a binding that belongs to it has none?
bool keeps_own_value(Instances& in, Binding binding, Name element) {
  const Quietly quietly(in);
  binding.steps.push_back({element, 0, 0});
  const auto v = bound_value(in, binding);
  return !v || !is_assigned(*v);
}

/// `R r = value`: each element of the record is bound to that element of the value. Constants may keep their own.
const Modifier* hand_to_elements(Instances& in, const Modifier* modifier, Class* record) {
  Modifier& whole = in.modifiers->made.emplace_back(*modifier);
  const Binding binding = *whole.binding;
  whole.binding.reset();
  for (Member* e : record_elements(in, record)) {
    const bool own = e->modifier && e->modifier->binding;
    if (own && (e->final_ || e->modifier->final_)) continue;
    if (own && e->prefix.variability == parser::Variability::constant && keeps_own_value(in, binding, e->name)) continue;
    Modifier& child = in.modifiers->made.emplace_back();
    child.place = binding.place;
    child.binding = binding;
    child.binding->each = Binding::no_each;
    child.binding->of_type = Binding::no_type;
    child.binding->steps.push_back({e->name, 0, 0});
    const auto [known, is_new] = whole.children.try_add({e->name, binding.place, &child});
    if (!is_new) known->modifier = merge(in, &child, known->modifier);
  }
  return &whole;
}

/// Is it an overdetermined type or record (MLS 9.4.1)?
bool is_overdetermined(Instances& in, Class* type) {
  const bool may_be = type->basic ? !type->table.empty() || !type->bases.empty() : is_record_class(type);
  return may_be && find_member(in, type, in.name("equalityConstraint"));
}

/// A size left open may follow from an array attribute as well (MLS 10.1).
std::optional<Value> array_attribute(Instances& in, const Component& c) {
  if (!c.modifier || c.modifier->binding) return {};
  for (const Modifier::Child& attribute : c.modifier->children)
    if (attribute.modifier->binding && !attribute.modifier->binding->whole(1))
      if (auto v = bound_value(in, *attribute.modifier->binding); v && v->dims.size() == c.dims.size()) return v;
  return {};
}

/// annotation(HideResult = true), MLS 18.3: a literal.
bool hides_result(Instances& in, const parser::Modification* annotation) {
  if (!annotation) return false;
  for (const parser::Argument& a : annotation->arguments) {
    const auto* e = std::get_if<parser::ElementModification>(&a.node);
    if (!e || !e->modification || !e->modification->binding || e->name.parts.size() != 1) continue;
    if (in.text(e->name.parts.front()) != "HideResult") continue;
    const auto* value = std::get_if<parser::BooleanLiteral>(&e->modification->binding->node);
    return value && value->value;
  }
  return false;
}

/// Bases share the prefix and the flags of the object they are part of.
void hand_down(Class* object) {
  for (Class::Base& b : object->bases) {
    b.base->prefix = object->prefix;
    b.base->numbered_prefix = object->numbered_prefix;
    b.base->in_model = object->in_model;
    b.base->is_protected |= object->is_protected;
    b.base->hidden |= object->hidden;
    b.base->variability = object->variability;
    b.base->parent_object = object->parent_object;
    hand_down(b.base);
  }
}

/// The object a class belongs to: itself, unless it is a base class.
void fill_component(Instances& in, Component& c, Member* m) {
  Class* owner = m->owner;
  const parser::TypePrefix& prefix = m->prefix;
  c.connector = prefix.connector;
  c.causality = prefix.causality;
  c.is_protected = m->is_protected || owner->is_protected;
  c.hidden = owner->hidden || hides_result(in, m->declaration->description.annotation);
  c.in_model = owner->in_model;

  Member* type_member = lookup_class(in, m->scope, m->clause->type, "type");
  if (!type_member) return;

  if (m->condition) {
    const auto value = value_in(in, *m->condition, m->owner);
    if (value) {
      Value condition = *value;
      if (convert(in, condition, {BaseType::boolean, EnumerationId::none}, m->condition->place,
                  "the condition of a component")) {
        const Expr folded = condition.scalar()
                                ? in.evaluated(condition.only())
                                : Expr::none;
        if (folded == Expr::none)
          in.error(m->condition->place, "the condition of a component must be known before the run",
                   "use only constants and parameters with values in it");
        else if (!in.model.expressions.payload(folded))
          c.removed = true;
      }
    }
    if (c.removed) return;
  }

  const bool in_expandable = c.in_model && owner->kind() == parser::ClassKind::expandable_connector;
  if (in_expandable && m->presence == Member::Presence::declared && prefix.variability != parser::Variability::parameter &&
      prefix.variability != parser::Variability::constant) {
    c.removed = c.absent = true;   // MLS 9.1.3: potentially present
    return;
  }

  TypeExtras extras;
  Class* type = instantiate_type(in, type_member, m->modifier, m->clause->type.place, extras);
  if (!type) return;
  if (c.causality == parser::Causality::none) c.causality = extras.causality;
  if (!expand(in, type)) return;
  check_component(in, m, type);
  check_modified_elements(in, type, m->modifier, true);

  const OwnSizes own{m->name, [&] {
                       const Modifier* given = type->basic ? type->modifier : m->modifier;
                       const auto value = given && given->binding ? bound_value(in, *given->binding) : std::nullopt;
                       return value ? value->dims : std::vector<std::int64_t>{};
                     }};
  auto dims = dimensions_in(in, m->sized_declaration->subscripts, m->sized_scope, &c.dim_types, &own);
  const auto more = dimensions_in(in, m->sized_clause->subscripts, m->sized_scope, &c.dim_types);
  if (!dims || !more) return;
  dims->insert(dims->end(), more->begin(), more->end());
  dims->insert(dims->end(), extras.dims.begin(), extras.dims.end());
  c.dim_types.insert(c.dim_types.end(), extras.index_types.begin(), extras.index_types.end());
  c.dims = *dims;
  check_each(in, m, type, !c.dims.empty(), !extras.dims.empty());
  if (m->given_dims) {
    c.dims = *m->given_dims;
    c.dim_types.clear();
  }
  c.is_connector = extras.connector || in_expandable;
  if (in_expandable) c.causality = parser::Causality::none;   // where its value comes from follows from its connections
  if (c.in_model && type->kind() == parser::ClassKind::expandable_connector) in.has_expandable = true;
  if (is_overdetermined(in, type)) c.overdetermined = type;
  c.modifier = type->basic ? type->modifier : m->modifier;

  const bool open = std::find(c.dims.begin(), c.dims.end(), -1) != c.dims.end();
  if (open) {
    c.basic = type->basic;
    auto value = type->basic ? binding_value(in, &c)
                       : c.modifier && c.modifier->binding ? bound_value(in, *c.modifier->binding) : std::nullopt;
    if (type->basic && !value) value = array_attribute(in, c);
    if (!value || value->dims.size() != c.dims.size()) {
      if (!c.modifier || !c.modifier->binding)
        in.error(m->place, fmt::format("the size of {} is left open with ':' and no value gives it", in.text(m->name)),
                 "give the size, or a value");
      else if (value)
        in.error(m->place, fmt::format("{} has {} dimensions but its value has {}", in.text(m->name), c.dims.size(),
                                       value->dims.size()));
      c.basic.reset();
      c.dims.assign(c.dims.size(), 0);
      return;
    }
    for (std::size_t d = 0; d < c.dims.size(); ++d)
      if (c.dims[d] >= 0 && c.dims[d] != value->dims[d]) {
        in.error(m->modifier->binding ? m->modifier->binding->place : m->place,
                 fmt::format("{}{} cannot have a value of size {}", in.text(m->name), shape_text(c.dims), shape_text(value->dims)));
        c.basic.reset();
        return;
      }
    c.dims = value->dims;
  }
  for (std::int64_t d : c.dims) {
    if (d < 0) {
      in.error(m->place, fmt::format("{} has a negative size", in.text(m->name)));
      c.dims.assign(c.dims.size(), 0);
      return;
    }
  }
  if (!in.has_room(m->place, room_for(c.dims) * Instances::work_of_a_variable)) {
    c.dims.assign(c.dims.size(), 0);   // references to it must not make what has no room
    return;
  }

  if (type->basic) {
    c.basic = type->basic;
    c.declared_discrete = prefix.variability == parser::Variability::discrete;
    c.variability = std::min(declared_variability(prefix, c.basic->base), owner->variability);
    check_attributes(in, c);
    if (c.in_model) make_variables(in, c);
    return;
  }

  using parser::ClassKind;
  const ClassKind kind = type->kind();
  if (kind == ClassKind::package || kind == ClassKind::function || kind == ClassKind::operator_function ||
      kind == ClassKind::operator_) {
    in.error(m->clause->type.place,
             fmt::format("{} is {} and cannot be the type of a component", type->path, with_article(kind_name(kind))), {},
             {{type_member->place, "declared here"}});
    return;
  }
  if (c.in_model && type->definition->partial && !m->outer) {
    in.error(m->clause->type.place, fmt::format("{} is partial and cannot be the type of a component", type->path),
             "use a class that completes it", {{type_member->place, "declared partial here"}});
    return;
  }
  if (c.modifier && c.modifier->binding && c.modifier->binding->expression) {
    if (!is_record_class(type)) {   // MLS 4.4.2.1
      in.error(c.modifier->binding->place, fmt::format("{} is {}, which has no value as a whole", in.text(m->name), with_article(kind_name(type->kind()))),
               "modify its elements: c(x = ...)", {{m->place, "declared here"}});
      return;
    }
    if (!check_record_value(in, c, type)) return;
  }
  const int enclosed = times_enclosed(owner, type->definition);
  if (enclosed > most_times_enclosed_after_an_error && parser::has_errors(in.diagnostics)) return;
  if (enclosed > most_times_enclosed) {
    in.error(m->place, fmt::format("{} contains itself, without end", type->path), "remove this component");
    in.exhausted = true;   // the components beside it contain it as well
    return;
  }
  const std::size_t n = c.size();
  const bool valued = c.modifier && c.modifier->binding && c.modifier->binding->expression;
  for (std::size_t k = 0; k < n; ++k) {
    Class* object = type;
    if (k > 0 || !c.dims.empty() || valued) {
      const std::vector<Binding::Step> element = element_steps(c.dims, k);
      const Modifier* modifier = element_modifier(in, m->modifier, element);
      TypeExtras of_element;
      of_element.element = std::span(element).last(std::min(extras.dims.size(), element.size()));
      object = instantiate_type(in, type_member, valued ? hand_to_elements(in, modifier, type) : modifier, m->clause->type.place, of_element);
    }
    if (!object) return;
    // A fresh object each: prefixes must be in place before anything in it is made.
    const std::string subscripts = subscripts_text(in, c, k, false), numbers = subscripts_text(in, c, k, true);
    object->prefix = c.name + subscripts + ".";
    if (!c.numbered.empty() || subscripts != numbers) object->numbered_prefix = (c.numbered.empty() ? c.name : c.numbered) + numbers + ".";
    object->in_model = owner->in_model;
    object->is_protected = c.is_protected;
    object->hidden = c.hidden;
    object->parent_object = owner;
    object->variability = owner->variability;
    if (prefix.variability == parser::Variability::parameter || prefix.variability == parser::Variability::constant)
      object->variability = std::min(object->variability, declared_variability(prefix, BaseType::real));
    for (Class::Base& b : object->bases) {
      b.base->prefix = object->prefix;
      b.base->numbered_prefix = object->numbered_prefix;
    }
    c.elements.push_back(object);
  }
  c.type = c.elements.empty() ? type : c.elements.front();
  if (c.elements.empty()) {   // no part of the model; it tells what its elements would be
    type->prefix = c.name + "[].";
    type->parent_object = owner;
    type->variability = owner->variability;
    hand_down(type);
  }
}

/// The inner member for an outer one, made at the top of the model if there is none (MLS 5.4); null after an error.
Member* inner_of(Instances& in, Member* m) {
  Member* inner = find_inner(in, m);
  if (!inner && !m->inner) {
    Class* type = type_of(in, m);
    const auto example = fmt::format("declare `inner {} {};` in an enclosing model",
                                     in.workspace.sources.text(m->clause->type.place), in.text(m->name));
    const auto refuse = [&](std::string why) {
      in.error(m->place, fmt::format("there is no inner {} for this outer one{}", in.text(m->name), why), example);
      return nullptr;
    };
    if (!type || type->basic) return refuse("");
    if (type->definition->partial) return refuse(fmt::format(", and none can be made: {} is partial", type->path));
    if (!in.root || find_member(in, in.root, m->name)) return refuse("");
    Member& made = in.members.emplace_back(*m);
    made.owner = in.root;
    made.outer = false;
    made.inner = made.automatic_inner = true;
    made.component = nullptr;
    made.busy = false;
    made.modifier = nullptr;
    in.automatic_inners.push_back(&made);
    in.root->members.push_back(&made);
    in.diagnostics.push_back({Severity::warning, m->place,
                              fmt::format("there is no inner {} for this outer one: it is added at the top of the model", in.text(m->name)),
                              example, {}});
    return &made;
  }
  if (inner && inner->is_class()) {
    if (in.checked.insert(m).second)
      in.error(m->place, fmt::format("{} is outer and a component, but the inner {} is a class", in.text(m->name), in.text(m->name)),
               "let both be components, or both classes", {{inner->place, "the inner element"}});
    return nullptr;
  }
  if (!inner || !in.checked.insert(m).second) return inner;
  if (inner->automatic_inner) {
    Class *made = type_of(in, inner), *wanted = type_of(in, m);
    if (made && wanted && made->definition != wanted->definition)
      in.error(m->place, fmt::format("there is no inner {} for this outer one, and other outer ones of that name have another class", in.text(m->name)),
               fmt::format("declare an inner {} in an enclosing model", in.text(m->name)), {{inner->place, "an outer one of another class"}});
  } else if (const auto why = inner_incompatibility(in, inner, m)) {
    in.error(m->place, fmt::format("the inner {} is not compatible with this outer one: {}", in.text(m->name), why->reason),
             "declare both with the same type", {{inner->place, "the inner element"}});
  }
  return inner;
}

}  // namespace

Component* instantiate_component(Instances& in, Member* m) {
  const Quietly aloud(in, false);
  if (m->component) return m->component;
  if (m->busy) {
    in.error(m->place, fmt::format("{} depends on itself", in.text(m->name)), "break the cycle of declarations");
    return nullptr;
  }
  if (m->outer) {
    if (Member* inner = inner_of(in, m)) return m->component = instantiate_component(in, inner);
    if (!m->inner) return nullptr;
  }
  m->busy = true;
  Component& c = in.components.emplace_back();
  c.member = m;
  c.name = m->owner->prefix + std::string(in.text(m->name));
  if (!m->owner->numbered_prefix.empty()) c.numbered = m->owner->numbered_prefix + std::string(in.text(m->name));
  fill_component(in, c, m);
  for (Class* object : c.elements) hand_down(object);
  m->busy = false;
  if (!c.basic && !c.type && !c.removed && !parser::has_errors(in.diagnostics))
    in.error(m->place, fmt::format("{} cannot be instantiated", in.text(m->name)));
  m->component = &c;
  return &c;
}

}  // namespace mosim::compiler
