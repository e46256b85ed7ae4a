// Classes in their context (MLS 5.6.1).

#include "compiler/instantiate/class.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "compiler/instantiate/evaluation.hpp"
#include "compiler/instantiate/expand.hpp"
#include "compiler/instantiate/instances.hpp"
#include "compiler/instantiate/lookup.hpp"
#include "compiler/instantiate/modifier.hpp"

namespace mosim::compiler {

namespace {

bool extends_external_object(Instances& in, const parser::ClassDefinition& d) {
  const auto& elements = std::get<parser::LongClassSpecifier>(d.specifier).composition.elements;
  return std::any_of(elements.begin(), elements.end(), [&](const parser::Element& e) {
    const auto* x = std::get_if<parser::ExtendsClause>(&e.node);
    return x && x->type.parts.size() == 1 && in.text(x->type.parts.front()) == "ExternalObject";
  });
}

bool is_predefined(const Instances& in, const Member* m) { return m->scope == &in.top && m->plain && !m->stored && !m->plain->definition; }

Class* instantiate(Instances& in, Member* member, const Modifier* outer, Place use, TypeExtras* extras) {
  if (!in.may_nest(use)) return nullptr;
  if (member->outer && !member->inner) {   // a field function or an outer package (MLS 5.4)
    const auto* s = std::get_if<parser::ShortClassSpecifier>(&member->definition->specifier);
    if (s && s->modification && in.checked.insert(s->modification).second)
      in.error(member->place, fmt::format("{} is outer, so it cannot be modified here", in.text(member->name)), "modify the inner one");
    if (Member* inner = find_inner(in, member); inner && inner != member) {
      if (inner->is_class()) return instantiate(in, inner, outer, use, extras);
      in.error(member->place, fmt::format("{} is outer and a class, but the inner {} is a component", in.text(member->name), in.text(member->name)),
               "let both be classes, or both components", {{inner->place, "the inner element"}});
      return nullptr;
    }
  }
  const Modifier* modifier = merge(in, outer, member->modifier);
  if (is_predefined(in, member)) {
    if (!modifier) return member->plain;
    Class& c = in.classes.emplace_back(*member->plain);
    c.modifier = modifier;
    return &c;
  }
  const bool plain = !outer && !extras;
  if (plain && member->plain) return member->plain;

  Class* result = nullptr;
  if (const auto* s = std::get_if<parser::ShortClassSpecifier>(&member->definition->specifier)) {
    if (member->busy) {
      in.error(member->place, fmt::format("{} is defined by itself", in.text(member->name)));
      return nullptr;
    }
    if (extras) extras->connector |= member->definition->kind == parser::ClassKind::connector;
    member->busy = true;
    Member* target = lookup_class(in, member->scope, s->type, "class");
    if (target == member) {
      // `type X = X`: the name outside is meant only for redeclarations; here it is a cycle.
      in.error(s->type.place, fmt::format("{} is defined by itself", in.text(member->name)));
      target = nullptr;
    }
    if (target) {
      const std::size_t around = extras ? extras->dims.size() : 0;
      if (extras) {
        const auto dims = dimensions_in(in, s->subscripts, member->scope, &extras->index_types);
        if (dims) extras->dims.insert(extras->dims.end(), dims->begin(), dims->end());
        if (s->causality != parser::Causality::none) {
          if (extras->causality != parser::Causality::none && extras->causality != s->causality)
            in.error(member->place, fmt::format("{} is {}, but a type made of it is {}", in.text(member->name),
                                                s->causality == parser::Causality::input ? "input" : "output",
                                                s->causality == parser::Causality::input ? "output" : "input"),
                     "remove one of the two prefixes", {{use, "where the other prefix stands"}});
          extras->causality = s->causality;
        }
      }
      const Modifier* own = build_type_modifier(in, s->modification, member->scope);
      if (extras && around < extras->element.size()) own = type_element_modifier(in, own, extras->element.subspan(around));
      result = instantiate(in, target, merge(in, modifier, own), s->type.place, extras);
      if (result && own && !result->basic && expand(in, result)) check_modified_elements(in, result, own, true);
    }
    member->busy = false;
  } else if (const auto* e = std::get_if<parser::EnumerationSpecifier>(&member->definition->specifier)) {
    if (e->open) {
      in.unsupported(member->place, "an enumeration left open, enumeration(:),");
      return nullptr;
    }
    auto [it, fresh] = in.enumerations.try_emplace(member->definition, EnumerationId::none);
    if (fresh) {
      it->second = static_cast<EnumerationId>(in.model.enumerations.size());
      flat::Enumeration enumeration;
      enumeration.name = member->owner->path.empty() ? std::string(in.text(member->name))
                                                      : member->owner->path + "." + std::string(in.text(member->name));
      std::unordered_set<Name> seen;
      for (const parser::EnumerationLiteral& l : e->literals) {
        if (!seen.insert(l.name).second)
          in.error(l.place, fmt::format("the literal {} stands twice in this enumeration", in.text(l.name)));
        // They stand in one scope with the attributes of the type (MLS 4.9.5.1).
        static constexpr std::string_view attributes[] = {"quantity", "min", "max", "start", "fixed"};
        if (std::find(std::begin(attributes), std::end(attributes), in.text(l.name)) != std::end(attributes))
          in.error(l.place, fmt::format("{} is an attribute of enumeration types and cannot be a literal of one", in.text(l.name)),
                   "choose another name");
        enumeration.literals.emplace_back(in.text(l.name));
      }
      in.model.enumerations.push_back(std::move(enumeration));
    }
    Class& c = in.classes.emplace_back();
    c.basic = Type{BaseType::enumeration, it->second};
    c.path = in.model.enumerations[index(it->second)].name;
    c.definition = member->definition;
    c.member = member;
    c.enclosing = member->scope;
    c.modifier = modifier;
    c.state = Class::State::expanded;
    result = &c;
  } else {
    if (!in.has_room(use, Instances::work_of_a_class)) return nullptr;
    Class& c = in.classes.emplace_back();
    c.definition = member->definition;
    c.stored = member->stored;
    c.member = member;
    c.enclosing = member->scope;
    c.modifier = modifier;
    c.path = (member->owner->path.empty() ? "" : member->owner->path + ".") + std::string(in.text(member->name));
    if (extras && extras->heir) set_heir(c, extras->heir);
    result = &c;
  }
  if (extras && result && std::holds_alternative<parser::LongClassSpecifier>(member->definition->specifier)) {
    const parser::ClassKind kind = member->definition->kind;
    const bool object = (kind == parser::ClassKind::class_ || kind == parser::ClassKind::type) && extends_external_object(in, *member->definition);
    if ((object || kind == parser::ClassKind::type || kind == parser::ClassKind::connector) && expand(in, result)) {
      extras->dims.insert(extras->dims.end(), result->dims.begin(), result->dims.end());
      extras->index_types.insert(extras->index_types.end(), result->index_types.begin(), result->index_types.end());
    }
  }
  if (extras && result && !std::holds_alternative<parser::ShortClassSpecifier>(member->definition->specifier))
    extras->connector |= member->definition->kind == parser::ClassKind::connector ||
                         member->definition->kind == parser::ClassKind::expandable_connector;
  if (plain) member->plain = result;
  return result;
}

}  // namespace

Class* instantiate_class(Instances& in, Member* member, const Modifier* modifier, Place use,
                         std::vector<std::int64_t>* dims) {
  if (!dims) return instantiate(in, member, modifier, use, nullptr);
  TypeExtras extras;
  Class* c = instantiate(in, member, modifier, use, &extras);
  *dims = extras.dims;
  return c;
}

Class* instantiate_type(Instances& in, Member* member, const Modifier* modifier, Place use, TypeExtras& extras) {
  return instantiate(in, member, modifier, use, &extras);
}

Class* type_of(Instances& in, Member* component, std::vector<std::int64_t>* dims) {
  if (!component->type) {
    const Quietly quietly(in);
    Member* type = lookup_class(in, component->scope, component->clause->type, "type");
    if (type) component->type = instantiate_class(in, type, component->modifier, component->place, &component->type_dims);
    if (component->type) expand(in, component->type);
  }
  if (dims) *dims = component->type_dims;
  return component->type;
}

parser::Causality causality_of_type(Instances& in, Member* component) {
  const Quietly quietly(in);
  Member* type = lookup_class(in, component->scope, component->clause->type, "type");
  TypeExtras extras;
  if (type) instantiate_type(in, type, nullptr, component->place, extras);
  return extras.causality;
}

Member* find_inner(Instances& in, Member* outer) {
  // An outer element of a package in an object belongs to that object.
  const auto object_of = [](Class* c) {
    while (c && !c->parent_object && !c->in_model && c->enclosing) c = c->enclosing;
    return c;
  };
  Class* owner = object_of(outer->owner);
  if (!owner) return nullptr;
  for (Class* object = owner == outer->owner ? owner->parent_object : owner; object; object = object->parent_object) {
    while (object->derived) object = object->derived;   // what its heirs inherit besides counts as well
    if (Member* m = find_member(in, object, outer->name); m && m->inner && m != outer) return m;
    for (Member* m : object->members)
      if (m->inner_part && m->name == outer->name) return m;
  }
  for (Member* m : in.automatic_inners)
    if (m->name == outer->name) return m;
  return nullptr;
}

std::string with_article(std::string_view noun) {
  const bool vowel = !noun.empty() && std::string_view("aeiouAEIOU").find(noun.front()) != std::string_view::npos;
  return (vowel ? "an " : "a ") + std::string(noun);
}

const char* kind_name(parser::ClassKind kind) {
  using parser::ClassKind;
  switch (kind) {
    case ClassKind::class_: return "class";
    case ClassKind::model: return "model";
    case ClassKind::record: return "record";
    case ClassKind::operator_record: return "operator record";
    case ClassKind::block: return "block";
    case ClassKind::connector: return "connector";
    case ClassKind::expandable_connector: return "expandable connector";
    case ClassKind::type: return "type";
    case ClassKind::package: return "package";
    case ClassKind::function: return "function";
    case ClassKind::operator_function: return "operator function";
    case ClassKind::operator_: return "operator";
  }
  return "class";
}

bool is_record_class(const Class* c) {
  return c && !c->basic && (c->kind() == parser::ClassKind::record || c->kind() == parser::ClassKind::operator_record);
}

std::vector<Member*> record_elements(Instances& in, Class* record) {
  expand(in, record);
  std::vector<Member*> elements;
  for (Member* m : record->members)
    if (!m->is_class() && !m->broken) elements.push_back(m);
  return elements;
}

std::optional<std::size_t> record_position(Instances& in, Class* record, Name element) {
  if (record->positions.empty()) {
    const auto elements = record_elements(in, record);
    for (std::size_t i = 0; i < elements.size(); ++i) record->positions.try_emplace(elements[i]->name, i);
  }
  const auto it = record->positions.find(element);
  if (it == record->positions.end()) return {};
  return it->second;
}

}  // namespace mosim::compiler
