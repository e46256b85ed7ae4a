// Redeclarations: a declared element replaced by another one, which keeps what it does not give itself (MLS 7.3).

#include "compiler/instantiate/redeclaration.hpp"

#include <fmt/format.h>

#include "compiler/instantiate/class.hpp"
#include "compiler/instantiate/instances.hpp"
#include "compiler/instantiate/modifier.hpp"

namespace mosim::compiler {

namespace {

const parser::ShortClassSpecifier* short_specifier(const parser::ClassDefinition* d) {
  return d ? std::get_if<parser::ShortClassSpecifier>(&d->specifier) : nullptr;
}

/// The new element a redeclaration brings, under the one name that is redeclared.
struct New {
  const parser::ComponentClause* clause = nullptr;
  const parser::Declaration* declaration = nullptr;
  const parser::ClassDefinition* definition = nullptr;
  const parser::ConstrainingClause* constraint = nullptr;
  bool replaceable = false;
};

New new_element(const Redeclaration& r, Name name) {
  New n;
  const auto use = [&](const parser::ComponentClause* clause) {
    n.clause = clause;
    n.declaration = &clause->declarations.front();
    for (const parser::Declaration& d : clause->declarations)
      if (d.name == name) n.declaration = &d;
  };
  if (r.argument) {
    n.replaceable = r.argument->replaceable;
    n.constraint = r.argument->constraint;
    if (const auto* d = std::get_if<const parser::ClassDefinition*>(&r.argument->element))
      n.definition = *d;
    else
      use(std::get<const parser::ComponentClause*>(r.argument->element));
  } else {
    n.replaceable = r.element->replaceable;
    n.constraint = r.element->constraint;
    if (const auto* d = std::get_if<const parser::ClassDefinition*>(&r.element->node))
      n.definition = *d;
    else if (const auto* k = std::get_if<parser::ComponentClause>(&r.element->node))
      use(k);
  }
  return n;
}

/// What forbids a redeclaration whatever the types are (MLS 7.3.3). False after an error.
bool permitted(Instances& in, const Member& m, const Redeclaration& r, const New& n) {
  const auto note = [&]() -> std::vector<parser::Note> { return {{m.place, "declared here"}}; };
  const auto refuse = [&](std::string cause, std::string remedy) {
    in.error(r.place, std::move(cause), std::move(remedy), note());
    return false;
  };
  const std::string name(in.text(m.name));
  if (n.clause && m.is_class()) return refuse(fmt::format("{} is a class and cannot be redeclared as a component", name), "");
  if (n.definition && !m.is_class())
    return refuse(fmt::format("{} is a component and cannot be redeclared as a class", name), "");
  if (!n.clause && !n.definition) return false;
  if (m.final_)
    return refuse(fmt::format("{} is final and cannot be redeclared", name), "remove the redeclaration, or the `final`");
  if (m.prefix.variability == parser::Variability::constant)
    return refuse(fmt::format("{} is a constant and cannot be redeclared", name),
                  "modify its value instead, or declare it a parameter");
  if (!m.replaceable) {
    // With its own type it may get other array dimensions or a lower variability.
    const bool same_type = n.clause && m.clause && in.workspace.sources.text(n.clause->type.place) ==
                                                       in.workspace.sources.text(m.clause->type.place);
    if (!same_type) {
      std::string cause = fmt::format("{} is not replaceable and cannot be redeclared", name);
      const char* remedy = m.element && m.element->replaceable ? "write `redeclare replaceable` where it was redeclared before" : "declare it `replaceable`";
      if (!in.is_lenient(r.place)) return refuse(std::move(cause), remedy);
      // IBPSA and OpenIPSL do it, mostly to say the same again, and other tools take it.
      in.breach(r.place, std::move(cause), remedy, note(), "this library redeclares what is not replaceable; it is taken all the same");
    }
  }
  if (n.declaration && n.declaration->condition)
    return refuse("a redeclaration has no condition of its own: that of the declaration is kept", "remove the `if`");
  if (r.element && r.element->is_protected != m.is_protected)
    return refuse(fmt::format("{} is {} and cannot be redeclared as {}", name, m.is_protected ? "protected" : "public",
                              m.is_protected ? "public" : "protected"),
                  fmt::format("move the redeclaration into a {} section", m.is_protected ? "protected" : "public"));
  return true;
}

Constraint constraint_of(Instances& in, Member& m, const parser::ConstrainingClause* clause, Class* scope) {
  Constraint c;
  c.place = m.place;
  c.scope = scope;
  if (clause) {
    c.type = &clause->type;
    c.place = clause->place;
    c.modifier = build_modifier(in, clause->modification, scope);
  } else if (m.declaration) {
    c.type = &m.clause->type;
    c.modifier = build_modifier(in, m.declaration->modification, scope);
  } else {
    c.declared = &in.members.emplace_back(m);
    if (const auto* s = short_specifier(m.definition)) c.modifier = build_type_modifier(in, s->modification, scope);
  }
  return c;
}

void redeclare_component(Member& m, const New& n, Class* scope) {
  using parser::Causality;
  const parser::TypePrefix given = n.clause->prefix;
  if (given.connector != parser::ConnectorPrefix::none) m.prefix.connector = given.connector;
  if (given.variability != parser::Variability::none) m.prefix.variability = given.variability;
  if (given.causality != Causality::none) m.prefix.causality = given.causality;
  if (!n.declaration->subscripts.empty() || !n.clause->subscripts.empty()) {
    m.sized_clause = n.clause;
    m.sized_declaration = n.declaration;
    m.sized_scope = scope;
  }
  m.clause = n.clause;
  m.declaration = n.declaration;
}

/// Without what another modifier says itself.
const Modifier* without(Instances& in, const Modifier* m, const Modifier* other) {
  if (!m || !other || !in.may_nest(m->place)) return m;
  if (m->final_) return merge(in, other, m), m;   // says that it is final
  Modifier& rest = in.modifiers->made.emplace_back(*m);
  if (other->binding) rest.binding.reset();
  if (other->redeclarations) rest.redeclarations = nullptr;
  rest.children.clear();
  for (const Modifier::Child& c : m->children) {
    const Modifier* said = other->child(c.name);
    const Modifier* left = without(in, c.modifier, said);
    if (!said || left->binding || left->redeclarations || !left->children.empty()) (void)rest.children.try_add({c.name, c.place, left});
  }
  return &rest;
}

}  // namespace

void apply_modifier(Instances& in, Member& m, const Modifier* outer) {
  const Modifier* own = m.declaration ? build_modifier(in, m.declaration->modification, m.owner) : nullptr;
  const parser::ConstrainingClause* clause = m.element ? m.element->constraint : nullptr;
  const bool redeclared = outer && outer->redeclarations;
  if (m.outer && !m.inner && own && (own->binding || !own->children.empty()))   // MLS 5.4
    in.error(m.place, fmt::format("{} is outer, so it cannot be modified or given a value here", in.text(m.name)),
             "give the value to the inner element that it refers to");
  Constraint constraint;
  if (redeclared || clause) {
    constraint = constraint_of(in, m, clause, m.owner);
    if (clause) {
      own = merge(in, own, constraint.modifier);
      m.modifier = own;
      RedeclarationCheck check{&m, m.place, constraint, {}, nullptr};
      if (redeclared) check.member = &in.members.emplace_back(m);   // as it is before it is replaced
      in.redeclaration_checks.push_back(std::move(check));
    }
  }
  if (outer && m.final_ && !redeclared && (outer->binding || !outer->children.empty())) {
    in.error(outer->place, fmt::format("{} is final and cannot be modified", in.text(m.name)),
             "remove the modification, or the `final`", {{m.place, "declared here"}});
    outer = nullptr;
  }
  if (redeclared) {
    // Modifiers of the constraining type hold for every redeclaration; the declaration's others go with it.
    const Modifier* kept = merge(in, outer->under, constraint.modifier);
    for (const Redeclarations* list = outer->redeclarations; list; list = list->rest) {
      const Redeclaration& r = list->first;
      const New n = new_element(r, m.name);
      if (!permitted(in, m, r, n)) break;
      if (n.clause) {
        redeclare_component(m, n, r.scope);
        own = merge(in, build_modifier(in, n.declaration->modification, r.scope), kept);
      } else {
        const auto* l = std::get_if<parser::LongClassSpecifier>(&n.definition->specifier);
        if (l && l->extends) {
          m.modifier = own;   // what was said of the inherited class stays with it
          m.replaced = &in.members.emplace_back(m);
        } else {
          m.replaced = nullptr;
        }
        m.definition = n.definition;
        m.stored = nullptr;
        own = m.replaced ? nullptr : kept;
        // Of a short class they hold where its own modification says nothing else (MLS 7.3.2).
        if (const auto* s = short_specifier(n.definition)) own = without(in, own, build_type_modifier(in, s->modification, r.scope));
      }
      m.scope = r.scope;
      m.replaceable = n.replaceable;
      m.final_ = m.final_ || r.final_;
      m.modifier = own;
      RedeclarationCheck check{&m, r.place, constraint, {}, r.scope};
      if (n.constraint) {
        Constraint next = constraint_of(in, m, n.constraint, r.scope);
        next.modifier = merge(in, next.modifier, kept);
        kept = next.modifier;
        own = merge(in, own, kept);
        check.new_constraint = next;
        constraint = std::move(next);
      }
      m.modifier = own;
      check.member = &in.members.emplace_back(m);
      in.redeclaration_checks.push_back(std::move(check));
    }
    Modifier& rest = in.modifiers->made.emplace_back(*outer);
    rest.redeclarations = nullptr;
    rest.under = nullptr;
    if (m.is_class()) rest.final_ = false;   // no other class takes its place (m.final_); components of it may be modified
    outer = rest.binding || !rest.children.empty() || rest.final_ ? &rest : nullptr;
  }
  m.modifier = merge(in, m.is_class() ? class_modifier(in, outer) : outer, own);
}

}  // namespace mosim::compiler
