// Classes and components in their context (MLS 5.6.1).

#include "compiler/instance.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "compiler/evaluate.hpp"

namespace mosim::compiler {

namespace {

constexpr int maximum_object_depth = 100;

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

Expr Instances::known(VariableId v) {
  const Element e = variable_elements[index(v)];
  if (e.component->variability > flat::Variability::parameter) return Expr::none;
  const auto& value = binding_value(*this, e.component);
  return value && e.element < value->elements.size() ? value->elements[e.element] : Expr::none;
}

Expr Instances::evaluated(Expr e) {
  return evaluate(model, e, [this](VariableId v) { return known(v); });
}

namespace {

// ---- expanding a class --------------------------------------------------------------------------------------------

Name declared_name(const Member& m) { return m.declaration ? m.declaration->name : m.definition->name; }

/// Puts the element a redeclaration brings in the place of the declared one (MLS 7.3).
void redeclare(Instances& in, Member& m) {
  const Modifier* outer = m.modifier;
  if (!outer || (!outer->redeclaration && !outer->element_redeclaration)) return;
  if (!m.replaceable) {
    in.error(outer->place, fmt::format("{} is not replaceable and cannot be redeclared", in.text(m.name)),
             "declare it `replaceable`", {{m.place, "declared here"}});
    return;
  }
  const auto use = [&](const auto* clause_or_class) {
    using T = std::remove_cv_t<std::remove_pointer_t<decltype(clause_or_class)>>;
    if constexpr (std::is_same_v<T, parser::ComponentClause>) {
      if (m.is_class()) {
        in.error(outer->place, fmt::format("{} is a class and cannot be redeclared as a component", in.text(m.name)),
                 {}, {{m.place, "declared here"}});
        return;
      }
      // The declared prefixes and dimensions stay where the redeclaration does not give its own.
      m.clause = clause_or_class;
      m.declaration = &clause_or_class->declarations.front();
      for (const parser::Declaration& d : clause_or_class->declarations)
        if (d.name == m.name) m.declaration = &d;
      m.modifier = merge(in, m.modifier, build_modifier(in, m.declaration->modification, outer->redeclaration_scope));
    } else {
      if (!m.is_class()) {
        in.error(outer->place, fmt::format("{} is a component and cannot be redeclared as a class", in.text(m.name)),
                 {}, {{m.place, "declared here"}});
        return;
      }
      m.definition = clause_or_class;
      m.stored = nullptr;
    }
    m.scope = outer->redeclaration_scope;
  };
  // What is left to say is about the new element.
  Modifier& rest = in.modifiers.emplace_back(*outer);
  rest.redeclaration = nullptr;
  rest.element_redeclaration = nullptr;
  rest.redeclaration_scope = nullptr;
  m.modifier = &rest;
  if (outer->redeclaration) {
    m.replaceable = outer->redeclaration->replaceable;
    std::visit([&](const auto* e) { use(e); }, outer->redeclaration->element);
  } else {
    m.replaceable = outer->element_redeclaration->replaceable;
    if (const auto* c = std::get_if<const parser::ClassDefinition*>(&outer->element_redeclaration->node))
      use(*c);
    else if (const auto* k = std::get_if<parser::ComponentClause>(&outer->element_redeclaration->node))
      use(k);
  }
}

Member* make_member(Instances& in, Class* c, const parser::Element& e, const parser::ComponentClause* clause,
                    const parser::Declaration* declaration, const parser::ClassDefinition* definition) {
  Member& m = in.members.emplace_back();
  m.element = &e;
  m.clause = clause;
  m.declaration = declaration;
  m.definition = definition;
  m.name = declared_name(m);
  m.place = declaration ? declaration->place : definition->place;
  m.owner = m.scope = c;
  m.is_protected = e.is_protected;
  m.final_ = e.final_;
  m.inner = e.inner;
  m.outer = e.outer;
  m.replaceable = e.replaceable;
  const Modifier* own = declaration ? build_modifier(in, declaration->modification, c) : nullptr;
  if (e.constraint) own = merge(in, own, build_modifier(in, e.constraint->modification, c));
  const Modifier* outer = c->modifier ? c->modifier->child(m.name) : nullptr;
  if (outer && e.final_ && (outer->binding || !outer->children.empty() || outer->redeclaration)) {
    in.error(outer->place, fmt::format("{} is final and cannot be modified", in.text(m.name)),
             "remove the modification, or the `final`", {{m.place, "declared here"}});
    outer = nullptr;
  }
  m.modifier = merge(in, outer, own);
  redeclare(in, m);
  return &m;
}

bool same_text(Instances& in, const Member& a, const Member& b) {
  if (a.is_class() != b.is_class()) return false;
  if (a.is_class()) return in.workspace.sources.text(a.definition->whole) == in.workspace.sources.text(b.definition->whole);
  return in.workspace.sources.text(a.clause->type.place) == in.workspace.sources.text(b.clause->type.place);
}

void add_own(Instances& in, Class* c, Member* m) {
  auto [it, fresh] = c->table.try_emplace(m->name, m);
  if (!fresh) {
    in.error(m->place, fmt::format("{} is declared twice in {}", in.text(m->name), c->path),
             "rename or remove one of the declarations", {{it->second->place, "the first declaration"}});
    return;
  }
}

void inherit(Instances& in, Class* c, Member* m, Place clause) {
  auto [it, fresh] = c->table.try_emplace(m->name, m);
  if (fresh) {
    c->members.push_back(m);
    return;
  }
  if (it->second == m || same_text(in, *it->second, *m)) return;
  in.error(it->second->place,
           fmt::format("{} is declared in {} and, differently, in a class it extends", in.text(m->name), c->path),
           "rename one of them, or modify the inherited one", {{m->place, "the inherited declaration"},
                                                               {clause, "inherited through this clause"}});
}

/// Every name that a modification gives must be an element of the class it modifies.
void check_names(Instances& in, Class* c, const Modifier* modifier) {
  if (!modifier || c->basic) return;
  for (const Modifier::Child& child : modifier->children) {
    if (find_member(in, c, child.name)) continue;
    std::vector<std::string_view> names;
    for (const Member* m : c->members) names.push_back(in.text(m->name));
    const std::string near = parser::nearest(in.text(child.name), names);
    in.error(child.place, fmt::format("{} has no element {}", c->path, in.text(child.name)),
             near.empty() ? "" : fmt::format("did you mean {}?", near));
  }
}

/// The elements declared `redeclare` in a class, as modifiers of what it inherits.
const Modifier* element_redeclarations(Instances& in, Class* c, parser::List<parser::Element> elements) {
  Modifier* all = nullptr;
  const auto add = [&](Name name, Place place, const parser::Element& e) {
    if (!all) all = &in.modifiers.emplace_back();
    Modifier& m = in.modifiers.emplace_back();
    m.place = place;
    m.element_redeclaration = &e;
    m.redeclaration_scope = c;
    m.replaceable_ = e.replaceable;
    all->children.push_back({name, place, &m});
  };
  for (const parser::Element& e : elements) {
    if (!e.redeclare) continue;
    if (const auto* d = std::get_if<const parser::ClassDefinition*>(&e.node))
      add((*d)->name, (*d)->place, e);
    else if (const auto* k = std::get_if<parser::ComponentClause>(&e.node))
      for (const parser::Declaration& d : k->declarations) add(d.name, d.place, e);
  }
  return all;
}

void expand_base(Instances& in, Class* c, const parser::Element& e, const parser::ExtendsClause& clause,
                 const Modifier* redeclarations) {
  Member* m = lookup_class(in, c, clause.type, "base class");
  if (!m) return;
  for (Class* p = c; p; p = p->enclosing)
    if (p->definition == m->definition && p->definition && p->state == Class::State::expanding && p == c) {
      in.error(clause.type.place, fmt::format("{} extends itself", c->path), "remove the clause");
      return;
    }
  const bool of_type = [&] {
    Class* plain = instantiate_class(in, m, nullptr, clause.type.place);
    return plain && expand(in, plain) && plain->basic;
  }();
  const Modifier* own = build_modifier(in, clause.modification, c, of_type);
  const Modifier* modifier = merge(in, c->modifier, merge(in, redeclarations, own));
  std::vector<std::int64_t> dims;   // asked for, the instance is one of its own and not shared
  Class* base = instantiate_class(in, m, modifier, clause.type.place, &dims);
  if (!base) return;
  base->prefix = c->prefix;
  base->in_model = c->in_model;
  base->variability = c->variability;
  base->is_protected = c->is_protected || e.is_protected;
  base->parent_object = c->parent_object;
  if (!expand(in, base)) return;
  if (base->basic) {
    c->basic = base->basic;
    c->modifier = base->modifier;
  }
  if (clause.modification)
    for (const parser::Argument& argument : clause.modification->arguments)
      if (const auto* b = std::get_if<parser::InheritanceBreak>(&argument.node)) {
        if (const Name* name = std::get_if<Name>(&b->target)) {
          if (Member* broken = find_member(in, base, *name))
            broken->broken = true;
          else
            in.error(argument.place, fmt::format("{} has no element {}", base->path, in.text(*name)));
        } else {
          in.unsupported(argument.place, "break of a connection");
        }
      }
  check_names(in, base, own);
  c->bases.push_back({&clause, base});
  for (Member* member : base->members) {
    if (e.is_protected) member->is_protected = true;
    inherit(in, c, member, clause.type.place);
  }
}

}  // namespace

bool expand(Instances& in, Class* c) {
  if (c->state != Class::State::fresh) return true;
  c->state = Class::State::expanding;
  const auto* specifier = c->definition ? std::get_if<parser::LongClassSpecifier>(&c->definition->specifier) : nullptr;
  if (!specifier) {
    c->state = Class::State::expanded;
    return true;
  }
  const auto elements = specifier->composition.elements;
  // Own names first: a base class is looked up among them (MLS 7.1.4).
  std::unordered_map<const parser::Element*, std::vector<Member*>> own;
  for (const parser::Element& e : elements) {
    if (const auto* i = std::get_if<parser::ImportClause>(&e.node)) c->imports.push_back(i);
    if (e.redeclare) continue;
    if (const auto* d = std::get_if<const parser::ClassDefinition*>(&e.node)) {
      if (const auto* l = std::get_if<parser::LongClassSpecifier>(&(*d)->specifier); l && l->extends) {
        in.unsupported((*d)->place, "a class extends clause (`extends` after the class's kind)");
        continue;
      }
      own[&e].push_back(make_member(in, c, e, nullptr, nullptr, *d));
    } else if (const auto* k = std::get_if<parser::ComponentClause>(&e.node)) {
      for (const parser::Declaration& d : k->declarations) own[&e].push_back(make_member(in, c, e, k, &d, nullptr));
    }
    for (Member* m : own[&e]) add_own(in, c, m);
  }
  const Modifier* redeclarations = element_redeclarations(in, c, elements);
  for (const parser::Element& e : elements) {
    if (const auto* extends = std::get_if<parser::ExtendsClause>(&e.node))
      expand_base(in, c, e, *extends, redeclarations);
    else if (const auto it = own.find(&e); it != own.end())
      for (Member* m : it->second) c->members.push_back(m);
  }
  c->state = Class::State::expanded;
  if (redeclarations)
    for (const Modifier::Child& child : redeclarations->children)
      if (!find_member(in, c, child.name))
        in.error(child.place, fmt::format("{} is redeclared but not inherited", in.text(child.name)),
                 "remove `redeclare`, or extend the class that declares it");
  return true;
}

// ---- classes --------------------------------------------------------------------------------------------------------

namespace {

/// instantiate_class, with what short classes on the way add to a component of the type.
struct TypeExtras {
  std::vector<std::int64_t> dims;
  parser::Causality causality = parser::Causality::none;
};

Class* instantiate(Instances& in, Member* member, const Modifier* outer, Place use, TypeExtras* extras, int depth) {
  if (depth > maximum_object_depth) {
    in.error(use, fmt::format("{} is defined by itself", in.text(member->name)), {}, {{member->place, "defined here"}});
    return nullptr;
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
    member->busy = true;
    Member* target = lookup_class(in, member->scope, s->type, "class");
    if (target == member) {
      // `type X = X`: the name outside is meant only for redeclarations; here it is a cycle.
      in.error(s->type.place, fmt::format("{} is defined by itself", in.text(member->name)));
      target = nullptr;
    }
    if (target) {
      if (extras) {
        const auto dims = dimensions(in, s->subscripts, Environment::of(member->scope));
        if (dims) extras->dims.insert(extras->dims.end(), dims->begin(), dims->end());
        if (s->causality != parser::Causality::none) extras->causality = s->causality;
      }
      const Modifier* own = build_modifier(in, s->modification, member->scope, true);
      result = instantiate(in, target, merge(in, modifier, own), s->type.place, extras, depth + 1);
      if (result && own && !result->basic) check_names(in, result, own);
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
      for (const parser::EnumerationLiteral& l : e->literals) {
        if (std::find(enumeration.literals.begin(), enumeration.literals.end(), in.text(l.name)) !=
            enumeration.literals.end())
          in.error(l.place, fmt::format("the literal {} stands twice in this enumeration", in.text(l.name)));
        enumeration.literals.emplace_back(in.text(l.name));
      }
      in.model.enumerations.push_back(std::move(enumeration));
    }
    Class& c = in.classes.emplace_back();
    c.basic = Type{BaseType::enumeration, it->second};
    c.path = in.model.enumerations[index(it->second)].name;
    c.definition = member->definition;
    c.enclosing = member->scope;
    c.modifier = modifier;
    c.state = Class::State::expanded;
    result = &c;
  } else if (std::holds_alternative<parser::DerClassSpecifier>(member->definition->specifier)) {
    in.unsupported(member->place, "a partial derivative of a function (der)");
    return nullptr;
  } else {
    Class& c = in.classes.emplace_back();
    c.definition = member->definition;
    c.stored = member->stored;
    c.enclosing = member->scope;
    c.modifier = modifier;
    c.path = (member->owner->path.empty() ? "" : member->owner->path + ".") + std::string(in.text(member->name));
    result = &c;
  }
  if (plain) member->plain = result;
  return result;
}

}  // namespace

Class* instantiate_class(Instances& in, Member* member, const Modifier* modifier, Place use,
                         std::vector<std::int64_t>* dims) {
  if (!dims) return instantiate(in, member, modifier, use, nullptr, 0);
  TypeExtras extras;
  Class* c = instantiate(in, member, modifier, use, &extras, 0);
  *dims = extras.dims;
  return c;
}

// ---- components -----------------------------------------------------------------------------------------------------

namespace {

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

constexpr std::string_view attributes_of(BaseType base) {
  switch (base) {
    case BaseType::real:
      return " quantity unit displayUnit min max start fixed nominal unbounded stateSelect ";
    case BaseType::integer:
    case BaseType::enumeration: return " quantity min max start fixed ";
    case BaseType::boolean:
    case BaseType::string: return " quantity start fixed ";
    case BaseType::clock: return " ";
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
  return base == BaseType::real ? flat::Variability::continuous : flat::Variability::discrete;
}

/// One flat variable for each element.
void make_variables(Instances& in, Component& c) {
  c.first = static_cast<VariableId>(in.model.variables.size());
  const std::size_t n = c.size();
  for (std::size_t k = 0; k < n; ++k) {
    flat::Variable v;
    v.name = c.name;
    if (!c.dims.empty()) {
      std::string subscripts;
      std::size_t rest = k;
      for (std::size_t d = c.dims.size(); d-- > 0;) {
        const auto size = static_cast<std::size_t>(c.dims[d]);
        subscripts = fmt::format("{}{}{}", rest % size + 1, subscripts.empty() ? "" : ",", subscripts);
        rest /= size;
      }
      v.name += "[" + subscripts + "]";
    }
    v.description = c.member->declaration->description.text;
    v.place = c.member->place;
    v.type = c.basic->base;
    v.enumeration = c.basic->enumeration;
    v.variability = c.variability;
    v.is_protected = c.is_protected;
    in.model.variables.push_back(std::move(v));
    in.variable_elements.push_back({&c, k});
  }
}

/// The inner element that an outer one means (MLS 5.4): the nearest of that name among the objects around it.
Member* find_inner(Instances& in, Member* outer) {
  for (Class* object = outer->owner->parent_object; object; object = object->parent_object)
    if (Member* m = find_member(in, object, outer->name); m && m->inner) return m;
  return nullptr;
}

bool is_enclosing_type(const Class* object, const parser::ClassDefinition* definition, int& depth) {
  bool found = false;
  depth = 0;
  for (const Class* o = object; o; o = o->parent_object, ++depth)
    if (o->definition == definition) found = true;
  return found;
}

/// The object a class belongs to: itself, unless it is a base class.
void fill_component(Instances& in, Component& c, Member* m) {
  Class* owner = m->owner;
  const parser::TypePrefix& prefix = m->clause->prefix;
  c.connector = prefix.connector;
  c.causality = prefix.causality;
  c.is_protected = m->is_protected || owner->is_protected;
  c.in_model = owner->in_model;

  Member* type_member = lookup_class(in, m->scope, m->clause->type, "type");
  if (!type_member) return;
  const Environment env = Environment::of(m->scope);

  if (m->declaration->condition) {
    const auto value = elaborate(in, *m->declaration->condition, env);
    if (value) {
      Value condition = *value;
      if (convert(in, condition, {BaseType::boolean, EnumerationId::none}, m->declaration->condition->place,
                  "the condition of a component")) {
        const Expr folded = condition.scalar()
                                ? in.evaluated(condition.only())
                                : Expr::none;
        if (folded == Expr::none)
          in.error(m->declaration->condition->place, "the condition of a component must be known before the run",
                   "use only constants and parameters with values in it");
        else if (!in.model.expressions.payload(folded))
          c.removed = true;
      }
    }
    if (c.removed) return;
  }

  TypeExtras extras;
  Class* type = instantiate(in, type_member, m->modifier, m->clause->type.place, &extras, 0);
  if (!type) return;
  const std::vector<std::int64_t>& type_dims = extras.dims;
  if (c.causality == parser::Causality::none) c.causality = extras.causality;
  if (!expand(in, type)) return;

  auto dims = dimensions(in, m->declaration->subscripts, env);
  const auto more = dimensions(in, m->clause->subscripts, env);
  if (!dims || !more) return;
  dims->insert(dims->end(), more->begin(), more->end());
  dims->insert(dims->end(), type_dims.begin(), type_dims.end());
  c.dims = *dims;
  c.modifier = type->basic ? type->modifier : m->modifier;

  const bool open = std::find(c.dims.begin(), c.dims.end(), -1) != c.dims.end();
  if (open) {
    c.basic = type->basic;
    const auto& value = binding_value(in, &c);
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
    c.dims = value->dims;
  }
  for (std::int64_t d : c.dims)
    if (d < 0) {
      in.error(m->place, fmt::format("{} has a negative size", in.text(m->name)));
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
             fmt::format("{} is a {} and cannot be the type of a component", type->path, kind_name(kind)), {},
             {{type_member->place, "declared here"}});
    return;
  }
  if (c.in_model && type->definition->partial && !m->outer) {
    in.error(m->clause->type.place, fmt::format("{} is partial and cannot be the type of a component", type->path),
             "use a class that completes it", {{type_member->place, "declared partial here"}});
    return;
  }
  if (c.modifier && c.modifier->binding) {
    in.unsupported(c.modifier->binding->place, "a value for a whole component (record)");
    return;
  }
  int depth = 0;
  if (is_enclosing_type(owner, type->definition, depth) && depth > maximum_object_depth) {
    in.error(m->place, fmt::format("{} contains itself, without end", type->path), "remove this component");
    return;
  }
  const std::size_t n = c.size();
  for (std::size_t k = 0; k < n; ++k) {
    Class* object = type;
    if (k > 0 || !c.dims.empty())
      object = instantiate(in, type_member, element_modifier(in, m->modifier, c.dims, k), m->clause->type.place,
                           &extras, 0);
    if (!object) return;
    std::string subscripts;
    std::size_t rest = k;
    for (std::size_t d = c.dims.size(); d-- > 0;) {
      const auto size = static_cast<std::size_t>(c.dims[d]);
      subscripts = fmt::format("{}{}{}", rest % size + 1, subscripts.empty() ? "" : ",", subscripts);
      rest /= size;
    }
    // A fresh object each: prefixes must be in place before anything in it is made.
    object->prefix = c.name + (subscripts.empty() ? "" : "[" + subscripts + "]") + ".";
    object->in_model = owner->in_model;
    object->is_protected = c.is_protected;
    object->parent_object = owner;
    object->variability = owner->variability;
    if (prefix.variability == parser::Variability::parameter || prefix.variability == parser::Variability::constant)
      object->variability = std::min(object->variability, declared_variability(prefix, BaseType::real));
    for (Class::Base& b : object->bases) b.base->prefix = object->prefix;
    c.elements.push_back(object);
  }
  c.type = c.elements.empty() ? type : c.elements.front();
}

/// Bases share the prefix and the flags of the object they are part of.
void hand_down(Class* object) {
  for (Class::Base& b : object->bases) {
    b.base->prefix = object->prefix;
    b.base->in_model = object->in_model;
    b.base->is_protected |= object->is_protected;
    b.base->variability = object->variability;
    b.base->parent_object = object->parent_object;
    hand_down(b.base);
  }
}

}  // namespace

Component* instantiate_component(Instances& in, Member* m) {
  if (m->component) return m->component->busy ? nullptr : m->component;
  if (m->busy) {
    in.error(m->place, fmt::format("{} depends on itself", in.text(m->name)), "break the cycle of declarations");
    return nullptr;
  }
  if (m->outer) {
    Member* inner = find_inner(in, m);
    if (inner) return m->component = instantiate_component(in, inner);
    if (!m->inner) {
      in.error(m->place, fmt::format("there is no inner {} for this outer one", in.text(m->name)),
               fmt::format("declare `inner {} {};` in an enclosing model", in.workspace.sources.text(m->clause->type.place),
                           in.text(m->name)));
      return nullptr;
    }
  }
  m->busy = true;
  Component& c = in.components.emplace_back();
  c.member = m;
  c.name = m->owner->prefix + std::string(in.text(m->name));
  const std::size_t before = in.diagnostics.size();
  fill_component(in, c, m);
  for (Class* object : c.elements) hand_down(object);
  m->busy = false;
  if (!c.basic && !c.type && !c.removed && in.diagnostics.size() == before)
    in.error(m->place, fmt::format("{} cannot be instantiated", in.text(m->name)));
  m->component = &c;
  return &c;
}

// ---- the model --------------------------------------------------------------------------------------------------------

namespace {

void instantiate_object(Instances& in, Class* object, int depth) {
  expand(in, object);
  if (depth > maximum_object_depth) {
    in.error(object->definition ? object->definition->place : Place{},
             fmt::format("{} contains itself, without end", object->path), "remove the component of its own type");
    return;
  }
  if (parser::has_errors(in.diagnostics) && depth > maximum_object_depth / 2) return;
  for (Member* m : object->members) {
    if (m->is_class() || m->broken) continue;
    if (m->outer && !m->inner) {
      instantiate_component(in, m);
      continue;
    }
    Component* c = instantiate_component(in, m);
    if (!c || c->removed) continue;
    if (c->basic)
      in.model_components.push_back(c);
    else
      for (Class* element : c->elements) instantiate_object(in, element, depth + 1);
  }
}

/// The class of a stored class, through the packages around it.
Member* member_of(Instances& in, const std::string& path) {
  Class* scope = &in.top;
  Member* m = nullptr;
  std::size_t at = 0;
  while (at <= path.size()) {
    std::size_t dot = path.find('.', at);
    if (dot == std::string::npos) dot = path.size();
    const std::string part = path.substr(at, dot - at);
    at = dot + 1;
    m = part.empty() ? nullptr : find_member(in, scope, in.name(part));
    if (!m || !m->is_class()) {
      std::vector<std::string> stored =
          in.library.names(scope == &in.top ? nullptr : scope->stored);
      if (scope != &in.top)
        for (const Member* member : scope->members)
          if (member->is_class()) stored.emplace_back(in.text(member->name));
      std::vector<std::string_view> names(stored.begin(), stored.end());
      const std::string near = parser::nearest(part, names);
      in.error({}, fmt::format("there is no model {}{}", path,
                               scope == &in.top ? "" : fmt::format(": {} has no class {}", scope->path, part)),
               near.empty() ? "" : fmt::format("did you mean {}?", near));
      return nullptr;
    }
    if (at <= path.size()) {
      scope = instantiate_class(in, m, nullptr, m->place);
      if (!scope) return nullptr;
    }
  }
  return m;
}

/// Settings from outside as one modifier. A variable that is no parameter gets the value as its start value.
const Modifier* settings_modifier(Instances& in, Member* model, const std::vector<Setting>& settings) {
  const Modifier* all = nullptr;
  for (const Setting& s : settings) {
    const std::string text = fmt::format("class S = M({});", s.text);
    const parser::Source& source = in.workspace.sources.add("--set " + s.text, text);
    const auto stored = parser::parse(source, in.workspace, in.diagnostics);
    if (!stored) continue;
    const auto* specifier = std::get_if<parser::ShortClassSpecifier>(&stored->classes.front()->specifier);
    if (!specifier || !specifier->modification || specifier->modification->arguments.empty()) continue;
    // Which component is it? `x = 3` on a variable means x(start = 3).
    const Modifier* m = build_modifier(in, specifier->modification, &in.top);
    Class* plain = instantiate_class(in, model, nullptr, model->place);
    const auto as_start = [&](const auto& self, Class* c, const Modifier* modifier) -> const Modifier* {
      Modifier& copy = in.modifiers.emplace_back(*modifier);
      for (Modifier::Child& child : copy.children) {
        Member* member = c ? find_member(in, c, child.name) : nullptr;
        if (!member || member->is_class() || !member->clause) continue;
        Member* type = nullptr;
        const std::size_t before = in.diagnostics.size();
        type = lookup_class(in, member->scope, member->clause->type, "type");
        Class* type_class = type ? instantiate_class(in, type, nullptr, child.place) : nullptr;
        in.diagnostics.resize(before);
        if (type_class) expand(in, type_class);
        const auto v = member->clause->prefix.variability;
        if (type_class && type_class->basic && child.modifier->binding && v != parser::Variability::parameter &&
            v != parser::Variability::constant) {
          Modifier& start = in.modifiers.emplace_back();
          start.place = child.place;
          start.binding = child.modifier->binding;
          Modifier& outer = in.modifiers.emplace_back();
          outer.place = child.place;
          outer.children.push_back({in.name("start"), child.place, &start});
          child.modifier = &outer;
        } else if (type_class && !type_class->basic) {
          child.modifier = self(self, type_class, child.modifier);
        }
      }
      return &copy;
    };
    all = merge(in, as_start(as_start, plain, m), all);
  }
  return all;
}

}  // namespace

bool instantiate_model(Instances& in, const std::string& model, const std::vector<Setting>& settings) {
  Member* m = member_of(in, model);
  if (!m) return false;
  const Modifier* modifier = settings.empty() ? nullptr : settings_modifier(in, m, settings);
  std::vector<std::int64_t> dims;
  in.root = instantiate_class(in, m, modifier, m->place, &dims);   // dims: a fresh instance, not the plain one
  if (!in.root) return false;
  using parser::ClassKind;
  const ClassKind kind = in.root->kind();
  if (in.root->basic || (kind != ClassKind::model && kind != ClassKind::block && kind != ClassKind::class_)) {
    in.error(m->place, fmt::format("{} is a {} and cannot be simulated", model, kind_name(m->definition->kind)),
             "name a model or a block");
    return false;
  }
  if (m->definition->partial || in.root->definition->partial) {
    in.error(m->place, fmt::format("{} is partial and cannot be simulated", model),
             "simulate a model that extends it");
    return false;
  }
  in.model.name = model;
  in.model.place = m->place;
  in.model.description = m->definition->description.text;
  in.root->in_model = true;
  instantiate_object(in, in.root, 0);
  check_names(in, in.root, modifier);
  return !parser::has_errors(in.diagnostics);
}

std::string print_instances(Instances& in) {
  std::string out;
  const auto line = [&](const Component& c, int depth) {
    out += std::string(static_cast<std::size_t>(depth) * 2, ' ');
    out += fmt::format("{} {}{}", c.basic ? type_name(in, *c.basic) : c.type ? c.type->path : "?", in.text(c.member->name),
                       shape_text(c.dims));
    if (c.removed) out += " (removed by its condition)";
    out += "\n";
  };
  const auto walk = [&](const auto& self, Class* object, int depth) -> void {
    for (Member* m : object->members) {
      if (m->is_class() || !m->component) continue;
      line(*m->component, depth);
      for (Class* element : m->component->elements) self(self, element, depth + 1);
    }
  };
  if (in.root) {
    out += fmt::format("{} {}\n", kind_name(in.root->kind()), in.model.name);
    walk(walk, in.root, 1);
  }
  return out;
}

}  // namespace mosim::compiler
