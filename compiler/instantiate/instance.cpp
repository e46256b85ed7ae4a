// Classes and components in their context (MLS 5.6.1).

#include "compiler/instantiate/instance.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "compiler/expression/evaluate.hpp"

namespace mosim::compiler {

namespace {

// ---- predefined types (MLS 4.9) -----------------------------------------------------------------------------------

Member* predefined(Instances& in, Class& c, std::string_view name, Type type) {
  c.path = name;
  c.basic = type;
  c.enclosing = &in.top;
  c.state = Class::State::expanded;
  static constexpr parser::ClassDefinition type_definition = [] {
    parser::ClassDefinition d;
    d.kind = parser::ClassKind::type;
    return d;
  }();
  c.definition = nullptr;
  Member& m = in.members.emplace_back();
  m.name = in.name(name);
  m.owner = m.scope = &in.top;
  m.definition = &type_definition;
  m.plain = &c;
  in.top.table[m.name] = &m;
  return &m;
}

EnumerationId predefined_enumeration(Instances& in, Class& c, std::string_view name,
                                     std::vector<std::string> literals) {
  const auto id = static_cast<EnumerationId>(in.model.enumerations.size());
  in.model.enumerations.push_back({std::string(name), std::move(literals)});
  predefined(in, c, name, {BaseType::enumeration, id});
  return id;
}

bool is_predefined(const Instances& in, const Member* m) { return m->scope == &in.top && m->plain && !m->stored && !m->plain->definition; }

}  // namespace

Instances::Instances(Library& l, Diagnostics& d) : library(l), workspace(l.workspace), diagnostics(d) {
  top.state = Class::State::expanded;
  predefined(*this, real, "Real", {BaseType::real, EnumerationId::none});
  predefined(*this, integer, "Integer", {BaseType::integer, EnumerationId::none});
  predefined(*this, boolean, "Boolean", {BaseType::boolean, EnumerationId::none});
  predefined(*this, string, "String", {BaseType::string, EnumerationId::none});
  predefined(*this, clock, "Clock", {BaseType::clock, EnumerationId::none});
  state_select_id = predefined_enumeration(*this, state_select, "StateSelect",
                                           {"never", "avoid", "default", "prefer", "always"});
  assertion_level_id = predefined_enumeration(*this, assertion_level, "AssertionLevel", {"warning", "error"});
}

bool Instances::has_room(Place place, double more) {
  work += more;
  if (work <= most_work || exhausted) return !exhausted;
  const Quietly aloud(*this, false);
  error(place,
        fmt::format("the model becomes too large here: there is room for {} variables, {} components, {} calls of functions or {} iterations",
                    most_work / work_of_a_variable, most_work / work_of_a_class, most_work / work_of_a_call, most_work),
        "look for a size that is too large, or for a nesting that multiplies");
  exhausted = true;
  return false;
}

bool Instances::too_deep(Place place) {
  const Quietly aloud(*this, false);
  error(place, "this leads too deep: what is needed here needs something else, and so on, through tens of thousands of declarations",
        "look for a chain that has no end, or make it shorter");
  exhausted = true;
  return false;
}

std::uint32_t Instances::literal_number(EnumerationId enumeration, Name literal) {
  if (literal_numbers.size() <= index(enumeration)) literal_numbers.resize(index(enumeration) + 1);
  auto& numbers = literal_numbers[index(enumeration)];
  if (numbers.empty())
    for (const std::string& l : model.enumerations[index(enumeration)].literals)
      numbers.try_emplace(name(l), static_cast<std::uint32_t>(numbers.size() + 1));
  const auto it = numbers.find(literal);
  return it == numbers.end() ? 0 : it->second;
}

bool Instances::is_news(Place place, const std::string& cause) {
  if (quiet || exhausted) return false;
  const std::size_t hash = std::hash<std::string>()(cause) ^ ((std::size_t(place.begin) << 32 | place.end) * 0x9e3779b97f4a7c15u);
  return said.insert(hash).second;
}

void Instances::error(Place place, std::string cause, std::string remedy, std::vector<parser::Note> notes) {
  if (!is_news(place, cause)) return;
  constexpr int most_at_one_place = 5;
  if (place && ++said_at[place.begin] > most_at_one_place) return;
  diagnostics.push_back({Severity::error, place, std::move(cause), std::move(remedy), std::move(notes)});
}

void Instances::breach(Place place, std::string cause, std::string remedy, std::vector<parser::Note> notes, std::string lenient, Place culprit) {
  if (!library.in_library(place) && !library.in_library(culprit)) return error(place, std::move(cause), std::move(remedy), std::move(notes));
  if (is_news(place, lenient)) diagnostics.push_back({Severity::warning, place, std::move(lenient), {}, {}});
}

Expr Instances::known(VariableId v) {
  const Element e = variable_elements[index(v)];
  if (e.component->variability > flat::Variability::parameter) return Expr::none;
  const auto& value = binding_value(*this, e.component);
  return value && e.element < value->elements.size() ? value->elements[e.element] : Expr::none;
}

Expr Instances::evaluated(Expr e) {
  std::size_t visited = 0;
  const Expr value = evaluate(model, e, [this](VariableId v) { return known(v); }, &known_values, &visited);
  if (visited > 0) (void)has_room(model.expressions.place(e), work_of_a_node * double(visited));
  if (model.overlong) {
    const Quietly aloud(*this, false);
    error(model.overlong, overlong_text());
  }
  return value;
}

// ---- classes --------------------------------------------------------------------------------------------------------

namespace {

Class* instantiate(Instances& in, Member* member, const Modifier* outer, Place use, TypeExtras* extras) {
  if (!in.may_nest(use)) return nullptr;
  if (member->outer && !member->inner)   // a field function or an outer package (MLS 5.4)
    if (Member* inner = find_inner(in, member); inner && inner != member)
      return instantiate(in, inner, outer, use, extras);
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
      if (extras) {
        const auto dims = dimensions(in, s->subscripts, Environment::of(member->scope), &extras->index_types);
        if (dims) extras->dims.insert(extras->dims.end(), dims->begin(), dims->end());
        if (s->causality != parser::Causality::none) extras->causality = s->causality;
      }
      const Modifier* own = build_modifier(in, s->modification, member->scope, true);
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
    if ((kind == parser::ClassKind::type || kind == parser::ClassKind::connector) && expand(in, result)) {
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


}  // namespace mosim::compiler
