// Modifiers: made from syntax, merged, and carried into the elements of arrays (MLS 7.2).

#include "compiler/instantiate/modifier.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "compiler/instantiate/class.hpp"
#include "compiler/instantiate/instances.hpp"

namespace mosim::compiler {

namespace {

Modifier& fresh(Instances& in) { return in.modifiers->made.emplace_back(); }

/// Wraps a modifier into the path of a dotted name: a.b.c = 1 is a(b(c = 1)).
const Modifier* wrap(Instances& in, parser::List<Name> path, Place place, const Modifier* innermost) {
  const Modifier* m = innermost;
  for (std::size_t i = path.size(); i-- > 1;) {
    Modifier& outer = fresh(in);
    outer.place = place;
    (void)outer.children.try_add({path[i], place, m});
    m = &outer;
  }
  return m;
}

Name redeclared_name(const parser::ElementRedeclaration& r) {
  if (const auto* c = std::get_if<const parser::ClassDefinition*>(&r.element)) return (*c)->name;
  return std::get<const parser::ComponentClause*>(r.element)->declarations.front().name;
}

const Redeclarations* joined(Instances& in, const Redeclarations* inner, const Redeclarations* outer) {
  if (!outer) return inner;
  std::vector<const Redeclarations*> list;
  for (; inner; inner = inner->rest) list.push_back(inner);
  for (std::size_t k = list.size(); k-- > 0;) outer = &in.modifiers->redeclarations.emplace_back(Redeclarations{list[k]->first, outer});
  return outer;
}

bool empty(const Modifier& m) { return !m.binding && m.children.empty(); }

/// Do both set the same attribute or element?
bool overlap(const Modifier& a, const Modifier& b) {
  for (const Modifier::Child& c : a.children)
    if (const Modifier* other = b.child(c.name))
      if ((c.modifier->binding && other->binding) || overlap(*c.modifier, *other)) return true;
  return false;
}

void add_child(Instances& in, Modifier& m, Name name, Place place, const Modifier* child) {
  const auto [c, is_new] = m.children.try_add({name, place, child});
  if (is_new) return;
  // Two dotted paths may share a beginning; the same element may not be given twice.
  const bool clash = (c->modifier->binding && child->binding) || c->modifier->redeclarations ||
                     child->redeclarations || empty(*c->modifier) || empty(*child) || overlap(*c->modifier, *child);
  if (clash)
    in.error(place, fmt::format("{} is modified twice", in.text(name)), "keep one of the two modifications",
             {{c->place, "the first one"}});
  else
    c->modifier = merge(in, child, c->modifier);
}

/// `outer`: what a binding that stands here has of each, and of its type.
const Modifier* build(Instances& in, const parser::Modification& syntax, const Binding& outer, bool final_) {
  Modifier& m = fresh(in);
  m.place = syntax.place;
  m.final_ = final_;
  if (syntax.binding || syntax.binding_break) {
    m.binding = outer;
    m.binding->expression = syntax.binding;
    m.binding->place = syntax.binding_place;
    m.binding->is_break = syntax.binding_break;
  }
  for (const parser::Argument& argument : syntax.arguments) {
    if (const auto* e = std::get_if<parser::ElementModification>(&argument.node)) {
      const Modifier* inner;
      if (e->modification) {
        Binding nested = outer;
        if (argument.each) nested.each = 0;
        else if (nested.each != Binding::no_each) nested.each += static_cast<unsigned>(e->name.parts.size());
        if (nested.of_type != Binding::no_type) nested.of_type += static_cast<unsigned>(e->name.parts.size());
        inner = build(in, *e->modification, nested, argument.final_);
      } else {
        Modifier& empty = fresh(in);
        empty.place = argument.place;
        empty.final_ = argument.final_;
        inner = &empty;
      }
      add_child(in, m, e->name.parts.front(), e->name.place, wrap(in, e->name.parts, e->name.place, inner));
    } else if (const auto* r = std::get_if<parser::ElementRedeclaration>(&argument.node)) {
      Modifier& inner = fresh(in);
      inner.place = argument.place;
      inner.final_ = argument.final_;
      inner.redeclarations = &in.modifiers->redeclarations.emplace_back(Redeclarations{{argument.place, r, nullptr, outer.scope, argument.final_}, nullptr});
      add_child(in, m, redeclared_name(*r), argument.place, &inner);
    }
    // InheritanceBreak is seen to by the extends clause it stands in.
  }
  return &m;
}

}  // namespace

const Modifier* build_modifier(Instances& in, const parser::Modification* modification, Class* scope) {
  if (!modification) return nullptr;
  Binding outer;
  outer.scope = scope;
  return build(in, *modification, outer, false);
}

const Modifier* build_type_modifier(Instances& in, const parser::Modification* modification, Class* scope) {
  if (!modification) return nullptr;
  Binding outer;
  outer.scope = scope;
  outer.of_type = 0;
  return build(in, *modification, outer, false);
}

const Modifier* merge(Instances& in, const Modifier* outer, const Modifier* inner) {
  if (!outer || outer == inner) return inner;
  if (!inner) return outer;
  if (inner->final_) {
    in.error(outer->place, "this element is final and cannot be modified", "remove the modification, or the `final`",
             {{inner->place, "declared final here"}});
    return inner;
  }
  if (!in.may_nest(outer->place)) return outer;
  Modifier& m = fresh(in);
  m = *outer;
  if (outer->redeclarations && (inner->binding || !inner->children.empty())) {
    m.redeclarations = joined(in, inner->redeclarations, outer->redeclarations);
    Modifier& said = fresh(in);
    said = *inner;
    said.redeclarations = nullptr;
    said.under = nullptr;
    m.under = merge(in, outer->under, merge(in, &said, inner->under));
    return &m;
  }
  m.under = merge(in, outer->under, inner->under);
  if (!m.binding) m.binding = inner->binding;
  m.redeclarations = joined(in, inner->redeclarations, outer->redeclarations);
  for (const Modifier::Child& c : inner->children) {
    const auto [o, is_new] = m.children.try_add(c);
    if (!is_new) o->modifier = merge(in, o->modifier, c.modifier);
  }
  return &m;
}

const Modifier* class_modifier(Instances& in, const Modifier* modifier, unsigned depth) {
  if (!modifier || !in.may_nest(modifier->place)) return nullptr;
  Modifier& copy = fresh(in);
  copy = *modifier;
  if (copy.binding) copy.binding->of_type = std::min(copy.binding->of_type, depth);
  for (Modifier::Child& c : copy.children) c.modifier = class_modifier(in, c.modifier, depth + 1);
  copy.under = class_modifier(in, copy.under, depth);
  return &copy;
}

namespace {

/// Takes apart what stands in a modifier for the elements of an array, but for what they have as a whole.
const Modifier* element_of(Instances& in, const Modifier* m, std::span<const Binding::Step> element, bool of_type, unsigned depth) {
  if (!in.may_nest(m->place)) return m;
  Modifier& copy = fresh(in);
  copy = *m;
  if (copy.binding && copy.binding->each >= depth && (of_type || copy.binding->of_type > depth))
    copy.binding->steps.insert(copy.binding->steps.end(), element.begin(), element.end());
  for (Modifier::Child& c : copy.children) c.modifier = element_of(in, c.modifier, element, of_type, depth + 1);
  if (copy.under) copy.under = element_of(in, copy.under, element, of_type, depth);
  return &copy;
}

}  // namespace

std::vector<Binding::Step> element_steps(const std::vector<std::int64_t>& dims, std::size_t element) {
  std::vector<Binding::Step> steps(dims.size());
  for (std::size_t d = dims.size(); d-- > 0;) {
    steps[d] = {Name::none, static_cast<std::int64_t>(element % static_cast<std::size_t>(dims[d])) + 1, dims[d]};
    element /= static_cast<std::size_t>(dims[d]);
  }
  return steps;
}

const Modifier* element_modifier(Instances& in, const Modifier* modifier, std::span<const Binding::Step> element) {
  return modifier && !element.empty() ? element_of(in, modifier, element, false, 0) : modifier;
}

const Modifier* type_element_modifier(Instances& in, const Modifier* own, std::span<const Binding::Step> element) {
  return own && !element.empty() ? element_of(in, own, element, true, 0) : own;
}

}  // namespace mosim::compiler
