// The members of a class: its own, and those it inherits (MLS 4.2, 7.1).

#include "compiler/instantiate/expand.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "compiler/instantiate/class.hpp"
#include "compiler/instantiate/deselection.hpp"
#include "compiler/instantiate/habits.hpp"
#include "compiler/instantiate/instances.hpp"
#include "compiler/instantiate/lookup.hpp"
#include "compiler/instantiate/modifier.hpp"
#include "compiler/instantiate/redeclaration.hpp"
#include "compiler/instantiate/restrictions.hpp"

namespace mosim::compiler {

namespace {

constexpr std::size_t looked_at = 100, seldom = 1000;   // levels of inheritance: see heir_with()

Member* make_member(Instances& in, Class* c, const parser::Element& e, const parser::ComponentClause* clause,
                    const parser::Declaration* declaration, const parser::ClassDefinition* definition) {
  Member& m = in.members.emplace_back();
  m.element = &e;
  m.clause = m.sized_clause = clause;
  m.declaration = m.sized_declaration = declaration;
  m.definition = definition;
  m.name = declaration ? declaration->name : definition->name;
  m.place = declaration ? declaration->place : definition->place;
  m.owner = m.scope = m.sized_scope = c;
  m.is_protected = e.is_protected;
  m.final_ = e.final_;
  m.inner = e.inner;
  m.outer = e.outer;
  m.replaceable = e.replaceable;
  if (clause) m.prefix = clause->prefix;
  if (declaration) m.condition = declaration->condition;
  apply_modifier(in, m, c->modifier ? c->modifier->child(m.name) : nullptr);
  return &m;
}

/// A class within another. What is encapsulated knows nothing around it (MLS 5.3.2) and is the same in every object of a class, unless somebody
/// says something of it: each variable of an operator record would have its operators otherwise.
Member* make_class_member(Instances& in, Class* c, const parser::Element& e, const parser::ClassDefinition* definition) {
  const bool alike = definition->encapsulated && !e.replaceable && !e.inner && !e.outer && !c->derived && !(c->modifier && c->modifier->child(definition->name));
  if (!alike) return make_member(in, c, e, nullptr, nullptr, definition);
  if (const auto known = in.encapsulated.find(definition); known != in.encapsulated.end()) return known->second;
  Member* const made = make_member(in, c, e, nullptr, nullptr, definition);
  made->shared = true;
  return in.encapsulated.try_emplace(definition, made).first->second;
}

/// Tokens alone count, not how they are laid out.
bool same_tokens(std::string_view a, std::string_view b) {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
  const auto word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  std::size_t i = 0, j = 0;
  for (;;) {
    const std::size_t i0 = i, j0 = j;
    while (i < a.size() && blank(a[i])) ++i;
    while (j < b.size() && blank(b[j])) ++j;
    if (i == a.size() || j == b.size()) return i == a.size() && j == b.size();
    const bool gap_a = i > i0, gap_b = j > j0;
    if (gap_a != gap_b && i > 0 && j > 0 && word(a[i - 1]) && word(a[i])) return false;   // `ab` is not `a b`
    if (a[i++] != b[j++]) return false;
  }
}

/// Elements of one name must be identical (MLS 7.1): the same text, with the same visibility.
bool identical(Instances& in, const Member& a, const Member& b) {
  if (a.is_class() != b.is_class()) return false;
  const auto text = [&](Place p) { return in.workspace.sources.text(p); };
  if (a.is_class()) {
    if (a.definition == b.definition) return true;
    const auto* x = std::get_if<parser::ShortClassSpecifier>(&a.definition->specifier);
    const auto* y = std::get_if<parser::ShortClassSpecifier>(&b.definition->specifier);
    const auto modification = [&](const parser::ShortClassSpecifier* s) { return s->modification ? text(s->modification->place) : std::string_view(); };
    if (x && y && x->subscripts.empty() && y->subscripts.empty())   // comments and annotations do not count
      return a.definition->kind == b.definition->kind && same_tokens(text(x->type.place), text(y->type.place)) &&
             same_tokens(modification(x), modification(y));
    return same_tokens(text(a.definition->whole), text(b.definition->whole));
  }
  if (same_tokens(text(a.clause->type.place), text(b.clause->type.place))) return true;
  // One type, by names that are shorter or longer where an import clause stands.
  const Quietly quietly(in);
  const Member* x = lookup_class(in, a.scope, a.clause->type, "type");
  const Member* y = x ? lookup_class(in, b.scope, b.clause->type, "type") : nullptr;
  return y && (x == y || (x->name == y->name && x->definition && x->definition == y->definition));
}

void add_own(Instances& in, Class* c, Member* m) {
  auto [it, fresh] = c->table.try_emplace(m->name, m);
  if (!fresh)
    in.error(m->place, fmt::format("{} is declared twice in {}", in.text(m->name), c->path),
             "rename or remove one of the declarations", {{it->second->place, "the first declaration"}});
}

/// An element met twice is kept once (MLS 7.1): for the base class that brings it again, too.
void keep(Class* base, Member* dropped, Member* kept) {
  if (const auto it = base->table.find(dropped->name); it != base->table.end() && it->second == dropped) it->second = kept;
  std::replace(base->members.begin(), base->members.end(), dropped, kept);
  for (Class::Base& b : base->bases) keep(b.base, dropped, kept);
}

void inherit(Instances& in, Class* c, Class* base, Member* m, Place clause) {
  if (m->inner_part) {
    c->members.push_back(m);
    return;
  }
  auto [it, fresh] = c->table.try_emplace(m->name, m);
  if (fresh) {
    c->members.push_back(m);
    return;
  }
  if (it->second == m) return;
  if (identical(in, *it->second, *m)) {
    Member* kept = it->second;
    if (kept->owner == c && !kept->placed) {   // inputs keep the order of the base class
      kept->placed = true;
      c->members.push_back(kept);
    }
    keep(base, m, kept);
    return;
  }
  if (it->second->owner != c && !it->second->shared) {   // what is shared is never a base class' own
    in.error(clause, fmt::format("{} inherits {} twice, and differently: from {} and from {}", c->path, in.text(m->name),
                                 it->second->owner->path, m->owner->path),
             "rename one of them, or extend one of the classes alone",
             {{it->second->place, "the one declaration"}, {m->place, "the other declaration"}});
    return;
  }
  std::string cause = fmt::format("{} is declared in {} and, differently, in a class it extends", in.text(m->name), c->path);
  const char* remedy = "rename one of them, or modify the inherited one";
  std::vector<parser::Note> notes{{m->place, "the inherited declaration"}, {clause, "inherited through this clause"}};
  // Functions of Modelica.Media 3.2.3 declare an output of their base class again, with another type of Real; every tool takes that.
  if (c->kind() != parser::ClassKind::function) return in.error(it->second->place, std::move(cause), remedy, std::move(notes));
  in.breach(it->second->place, std::move(cause), remedy, std::move(notes),
            "an element is declared in this library and, differently, in a class that it extends; the first one counts");
}

bool is_class_extends(const parser::ClassDefinition& d) {
  const auto* l = std::get_if<parser::LongClassSpecifier>(&d.specifier);
  return l && l->extends;
}

/// Does the element replace an inherited one?
bool redeclares(const parser::Element& e) {
  if (e.redeclare) return true;
  const auto* d = std::get_if<const parser::ClassDefinition*>(&e.node);
  return d && is_class_extends(**d);
}

/// The elements declared `redeclare` in a class, as modifiers of what it inherits.
const Modifier* element_redeclarations(Instances& in, Class* c, parser::List<parser::Element> elements) {
  Modifier* all = nullptr;
  const auto add = [&](Name name, Place place, const parser::Element& e) {
    if (!all) all = &in.modifiers->made.emplace_back();
    Modifier& m = in.modifiers->made.emplace_back();
    m.place = place;
    m.redeclarations = &in.modifiers->redeclarations.emplace_back(Redeclarations{{place, nullptr, &e, c, e.final_}, nullptr});
    if (const auto [other, is_new] = all->children.try_add({name, place, &m}); !is_new)
      in.error(place, fmt::format("{} is redeclared twice in {}", in.text(name), c->path), "keep one of the two", {{other->place, "the first one"}});
  };
  for (const parser::Element& e : elements) {
    if (!redeclares(e)) continue;
    if (!e.redeclare) continue;
    if (const auto* d = std::get_if<const parser::ClassDefinition*>(&e.node))
      add((*d)->name, (*d)->place, e);
    else if (const auto* k = std::get_if<parser::ComponentClause>(&e.node))
      for (const parser::Declaration& d : k->declarations) add(d.name, d.place, e);
  }
  return all;
}

/// The class among those that derive from `c`, and itself, whose definition this is; null if there is none. In a long chain it is not
/// asked at each level: a circle is found all the same when it has been gone round some more times.
const Class* heir_with(const Class* c, const parser::ClassDefinition* definition) {
  if (c->inheritance > looked_at && c->inheritance % seldom != 0) return nullptr;
  for (const Class* d = c; d; d = d->derived)
    if (d->definition == definition) return d;
  return nullptr;
}

void tell_of_circle(Instances& in, const Class* c, const Class* heir, Place place) {
  if (!in.circle_found)
    in.error(place,
             heir == c ? fmt::format("{} extends itself", c->path)
                       : fmt::format("{} extends {}, which extends {} in its turn", c->path, heir->path, c->path),
             "remove the clause");
  in.circle_found = true;
}

/// Adds what `c` inherits from the class that `m` declares. The base class; null after an error.
Class* inherit_from(Instances& in, Class* c, Member* m, Place place, const parser::Modification* modification,
                  bool is_protected, const Modifier* redeclarations) {
  const Modifier* own = build_modifier(in, modification, c);
  if (own && redeclarations)
    for (const Modifier::Child& child : redeclarations->children)
      if (const Modifier* other = own->child(child.name))
        in.error(child.place, fmt::format("{} is redeclared here and modified in the extends clause", in.text(child.name)),
                 "write the modification into the redeclaration", {{other->place, "modified here"}});
  TypeExtras extras;
  const auto make = [&] {
    extras = {};   // asked for, the instance is one of its own and not shared
    extras.heir = c;
    Class* base = instantiate_type(in, m, merge(in, c->modifier, merge(in, redeclarations, own)), place, extras);
    if (!base) return base;
    base->prefix = c->prefix;
    base->numbered_prefix = c->numbered_prefix;
    base->in_model = c->in_model;
    base->variability = c->variability;
    base->is_protected = c->is_protected || is_protected;
    base->parent_object = c->parent_object;
    if (base->derived != c) set_heir(*base, c);
    return base;
  };
  Class* base = make();
  // By another name for it: a short class, or what an element was redeclared to.
  if (const Class* heir = base && base->definition ? heir_with(c, base->definition) : nullptr) {
    tell_of_circle(in, c, heir, place);
    return nullptr;
  }
  if (!base || !expand(in, base)) return nullptr;
  if (base->basic && own && !m->replaced) {   // a type's own modification holds for every element
    own = build_type_modifier(in, modification, c);
    base = make();
    if (!base || !expand(in, base)) return nullptr;
  }
  if (base->basic) {
    c->basic = base->basic;
    c->modifier = base->modifier;
    c->dims = extras.dims;
    c->index_types = extras.index_types;
  }
  take_out(in, base, modification);
  check_modified_elements(in, base, own, false);
  c->bases.push_back({place, base});
  if (base->holds_stored()) c->stored_bases.push_back(base);
  for (Member* member : std::vector<Member*>(base->members)) {
    if (member->broken) continue;
    if (is_protected) member->is_protected = true;
    inherit(in, c, base, member, place);
  }
  return base;
}

/// `model extends B` without `redeclare` (MLS 7.3.1 asks for it): B means the new class here, but not in what is inherited.
void replace_here(Instances& in, Class* c, const parser::Element& e, const parser::ClassDefinition* definition) {
  const auto it = c->table.find(definition->name);
  if (it == c->table.end() || !it->second->is_class() || it->second->owner == c) {
    in.error(definition->place, fmt::format("{} extends the inherited class of its own name, but none is inherited", in.text(definition->name)),
             "extend a class by its own name: extends Base");
    return;
  }
  if (!it->second->replaceable)
    in.error(definition->place, fmt::format("{} is not replaceable and cannot be extended in its place", in.text(definition->name)),
             "declare it `replaceable`", {{it->second->place, "the inherited class"}});
  in.diagnostics.push_back({Severity::warning, definition->place,
                            fmt::format("without `redeclare`, {} is replaced in {} alone, not where the inherited elements use it", in.text(definition->name), c->path),
                            "write `redeclare` before it", {{it->second->place, "the inherited class"}}});
  Member& m = in.members.emplace_back();
  m.element = &e;
  m.definition = definition;
  m.name = definition->name;
  m.place = definition->place;
  m.owner = m.scope = c;
  m.is_protected = e.is_protected;
  m.replaceable = e.replaceable;
  m.replaced = it->second;
  std::replace(c->members.begin(), c->members.end(), it->second, &m);
  it->second = &m;
}

/// `inner outer T x`: two elements. The name means the outer one; the modification, and what is declared outer below,
/// belong to the inner one (MLS 5.5).
Member* split_inner(Instances& in, Member* m) {
  Member& inner = in.members.emplace_back(*m);
  inner.outer = false;
  inner.inner_part = true;
  m->inner = false;
  m->modifier = nullptr;
  return &inner;
}

/// `extends ExternalObject`: an opaque value, made by its constructor (MLS 12.9.7).
void become_object(Instances& in, Class* c) {
  auto [it, fresh] = in.object_classes.try_emplace(c->definition, ObjectClassId::none);
  if (fresh) {
    it->second = static_cast<ObjectClassId>(in.model.object_classes.size());
    in.model.object_classes.push_back({c->path, check_object_class(in, c)});
  }
  c->basic = Type{BaseType::object, EnumerationId::none, it->second};
}

void expand_base(Instances& in, Class* c, const parser::Element& e, const parser::ExtendsClause& clause,
                 const Modifier* redeclarations) {
  if (clause.type.parts.size() == 1 && in.text(clause.type.parts.front()) == "ExternalObject") {
    become_object(in, c);
    return;
  }
  std::vector<Member*> path;
  Member* m = lookup_class(in, c, clause.type, "base class", &path);
  if (!m) return;
  if (const Class* d = m->definition ? heir_with(c, m->definition) : nullptr) {
    tell_of_circle(in, c, d, clause.type.place);
    return;
  }
  if (!check_base_class(in, c, clause, path)) return;
  if (const Class* base = inherit_from(in, c, m, clause.type.place, clause.modification, e.is_protected, redeclarations))
    check_combination(in, c, clause, m, base);
}

}  // namespace

// A skew-binary skip list (Myers, An applicative random-access stack, 1983).
void set_heir(Class& base, Class* heir) {
  base.derived = heir;
  base.inheritance = heir->inheritance + 1;
  const Class* far = heir->far_heir;
  const bool even = far && far->far_heir && heir->inheritance - far->inheritance == far->inheritance - far->far_heir->inheritance;
  base.far_heir = even ? far->far_heir : heir;
}

bool is_heir(const Class* heir, const Class* base) {
  while (base && base->inheritance > heir->inheritance)
    base = base->far_heir && base->far_heir->inheritance >= heir->inheritance ? base->far_heir : base->derived;
  return base == heir;
}

void check_modified_elements(Instances& in, Class* c, const Modifier* modifier, bool from_outside) {
  if (!modifier || c->basic) return;
  for (const Modifier::Child& child : modifier->children) {
    const Member* m = find_member(in, c, child.name);
    if (!m) {
      std::vector<std::string_view> names;
      if (in.may_compare(c->members.size()))
        for (const Member* member : c->members) names.push_back(in.text(member->name));
      const std::string near = parser::nearest(in.text(child.name), names), now = renamed(c->path, in.text(child.name));
      in.error(child.place, fmt::format("{} has no element {}", c->path, in.text(child.name)),
               !now.empty() || near.empty() ? now : fmt::format("did you mean {}?", near));
      continue;
    }
    if (m->broken) {
      in.error(child.place, fmt::format("{} was taken out by `break` and cannot be modified", in.text(child.name)), {}, {{m->place, "declared here"}});
      continue;
    }
    if (from_outside && m->is_protected) {   // MLS 4.1
      std::string cause = fmt::format("{} is protected in {} and cannot be modified from outside", in.text(m->name), c->path);
      const char* remedy = "make it public, or modify it in an extends clause";
      // The library of Modelica by Example sets start values so, and other tools take that; no value is given.
      const bool attribute = !m->is_class() && !child.modifier->binding && !child.modifier->redeclarations;
      if (attribute)
        in.breach(child.place, std::move(cause), remedy, {{m->place, "declared here"}}, "this library modifies what is protected; it is taken all the same");
      else
        in.error(child.place, std::move(cause), remedy, {{m->place, "declared here"}});
    }
    if (m->outer && !m->inner)   // MLS 5.4
      in.error(child.place, fmt::format("{} is an outer element and cannot be modified", in.text(m->name)),
               "modify the inner element that it refers to", {{m->place, "declared outer here"}});
  }
}

bool expand(Instances& in, Class* c) {
  if (c->state != Class::State::fresh) return true;
  if (!in.may_nest(c->definition ? c->definition->place : Place{})) return false;
  c->state = Class::State::expanding;
  const Quietly aloud(in, false);
  const auto* specifier = c->definition ? std::get_if<parser::LongClassSpecifier>(&c->definition->specifier) : nullptr;
  if (!specifier) {
    c->state = Class::State::expanded;
    return true;
  }
  const auto elements = specifier->composition.elements;
  // Own names first: a base class is looked up among them (MLS 7.1.4).
  std::vector<Member*> own;                     // of all elements, one after the other
  std::vector<std::size_t> ends;                // of each element's part of them
  ends.reserve(elements.size());
  c->table.reserve(elements.size());
  for (const parser::Element& e : elements) {
    if (const auto* i = std::get_if<parser::ImportClause>(&e.node)) c->imports.push_back(i);
    const std::size_t first = own.size();
    if (redeclares(e)) {
    } else if (const auto* d = std::get_if<const parser::ClassDefinition*>(&e.node)) {
      own.push_back(make_class_member(in, c, e, *d));
    } else if (const auto* k = std::get_if<parser::ComponentClause>(&e.node)) {
      for (const parser::Declaration& d : k->declarations) {
        Member* m = make_member(in, c, e, k, &d, nullptr);
        if (m->inner && m->outer) own.push_back(split_inner(in, m));
        own.push_back(m);
      }
    }
    for (std::size_t k = first; k < own.size(); ++k)
      if (!own[k]->inner_part) add_own(in, c, own[k]);
    ends.push_back(own.size());
  }
  const Modifier* redeclarations = element_redeclarations(in, c, elements);
  // `class extends B(...)` inherits from the class that it replaces (MLS 7.3.1).
  if (specifier->extends && c->member && c->member->replaced)
    inherit_from(in, c, c->member->replaced, c->member->place, specifier->modification, false, redeclarations);
  c->members.reserve(own.size());
  std::size_t next = 0;
  for (std::size_t k = 0; k < elements.size(); ++k) {
    const parser::Element& e = elements[k];
    if (const auto* extends = std::get_if<parser::ExtendsClause>(&e.node)) expand_base(in, c, e, *extends, redeclarations);
    for (; next < ends[k]; ++next) {
      if (own[next]->placed && own[next]->owner == c) continue;
      own[next]->placed = true;
      c->members.push_back(own[next]);
    }
  }
  for (const parser::Element& e : elements)
    if (const auto* d = std::get_if<const parser::ClassDefinition*>(&e.node); d && !e.redeclare && is_class_extends(**d))
      replace_here(in, c, e, *d);
  c->state = Class::State::expanded;
  if (redeclarations)
    for (const Modifier::Child& child : redeclarations->children)
      if (const Member* m = find_member(in, c, child.name); !m || m->owner == c)
        in.error(child.place, fmt::format("{} is redeclared but not inherited", in.text(child.name)),
                 "remove `redeclare`, or extend the class that declares it");
  check_class(in, c);
  return true;
}

}  // namespace mosim::compiler
