// Names to members (MLS 5.3).

#include <fmt/format.h>

#include "compiler/instance.hpp"

namespace mosim::compiler {

namespace {

Member* stored_member(Instances& in, Class* c, StoredClass* stored) {
  auto [it, fresh] = c->table.try_emplace(stored->name, nullptr);
  if (!fresh) return it->second;
  Member& m = in.members.emplace_back();
  m.name = stored->name;
  m.place = stored->definition->place;
  m.owner = m.scope = c;
  m.definition = stored->definition;
  m.stored = stored;
  m.modifier = c->modifier ? c->modifier->child(stored->name) : nullptr;
  it->second = &m;
  return &m;
}

/// A fully qualified name from the top level, the way import clauses give them.
Member* from_top(Instances& in, parser::List<Name> parts) {
  Member* m = find_member(in, &in.top, parts.front());
  for (std::size_t i = 1; m && i < parts.size(); ++i) {
    if (!m->is_class()) return nullptr;
    Class* c = instantiate_class(in, m, nullptr, m->place);
    m = c ? find_member(in, c, parts[i]) : nullptr;
  }
  return m;
}

Member* imported(Instances& in, Class* c, Name name) {
  for (const parser::ImportClause* import : c->imports) {
    switch (import->kind) {
      case parser::ImportKind::qualified:
        if (import->name.parts.back() == name) return from_top(in, import->name.parts);
        break;
      case parser::ImportKind::renamed:
        if (import->alias == name) return from_top(in, import->name.parts);
        break;
      case parser::ImportKind::list:
        for (Name member : import->members)
          if (member == name) {
            std::vector<Name> parts(import->name.parts.begin(), import->name.parts.end());
            parts.push_back(name);
            return from_top(in, parts);
          }
        break;
      case parser::ImportKind::unqualified:
        break;
    }
  }
  // Unqualified imports are weaker than the others (MLS 5.3.1).
  for (const parser::ImportClause* import : c->imports) {
    if (import->kind != parser::ImportKind::unqualified) continue;
    Member* package = from_top(in, import->name.parts);
    if (!package || !package->is_class()) continue;
    Class* p = instantiate_class(in, package, nullptr, package->place);
    if (!p) continue;
    if (Member* m = find_member(in, p, name); m && !m->is_protected) return m;
  }
  return nullptr;
}

}  // namespace

Member* find_member(Instances& in, Class* c, Name name) {
  if (c->state == Class::State::fresh) expand(in, c);
  if (const auto it = c->table.find(name); it != c->table.end()) return it->second;
  if (c == &in.top) {
    StoredClass* stored = in.library.find(nullptr, name);
    // One without a definition is known from a `within` alone.
    return stored && stored->definition ? stored_member(in, c, stored) : nullptr;
  }
  if (c->stored)
    if (StoredClass* stored = in.library.find(c->stored, name); stored && stored->definition)
      return stored_member(in, c, stored);
  for (const Class::Base& b : c->bases)
    if (b.base)
      if (Member* m = find_member(in, b.base, name)) return m;
  return nullptr;
}

Member* lookup(Instances& in, Class* scope, Name name) {
  for (Class* c = scope; c && c != &in.top; c = c->enclosing) {
    if (Member* m = find_member(in, c, name)) return m;
    if (Member* m = imported(in, c, name)) return m;
    if (c->definition && c->definition->encapsulated) {
      // Only predefined types are seen through the wall of an encapsulated class.
      const auto it = in.top.table.find(name);
      return it != in.top.table.end() && !it->second->stored ? it->second : nullptr;
    }
  }
  return find_member(in, &in.top, name);
}

Member* lookup_class(Instances& in, Class* scope, const parser::QualifiedName& name, std::string_view what) {
  Member* m = name.global ? find_member(in, &in.top, name.parts.front()) : lookup(in, scope, name.parts.front());
  if (!m) {
    in.error(name.place, fmt::format("there is no {} {} here", what, in.text(name.parts.front())),
             did_you_mean(in, scope, in.text(name.parts.front())));
    return nullptr;
  }
  for (std::size_t i = 1; i < name.parts.size(); ++i) {
    if (!m->is_class()) {
      in.error(name.place, fmt::format("{} is a component, not a class", in.text(m->name)), {},
               {{m->place, "declared here"}});
      return nullptr;
    }
    Class* c = instantiate_class(in, m, nullptr, name.place);
    if (!c) return nullptr;
    Member* next = find_member(in, c, name.parts[i]);
    if (!next) {
      std::vector<std::string_view> candidates;
      for (const Member* member : c->members) candidates.push_back(in.text(member->name));
      const std::string near = parser::nearest(in.text(name.parts[i]), candidates);
      in.error(name.place, fmt::format("{} has no {} {}", c->path, what, in.text(name.parts[i])),
               near.empty() ? "" : fmt::format("did you mean {}?", near));
      return nullptr;
    }
    if (next->is_protected)
      in.error(name.place, fmt::format("{} is protected in {}", in.text(next->name), c->path), {},
               {{next->place, "declared here"}});
    m = next;
  }
  if (!m->is_class()) {
    in.error(name.place, fmt::format("{} is a component, not a {}", in.text(m->name), what), {},
             {{m->place, "declared here"}});
    return nullptr;
  }
  return m;
}

std::vector<std::string_view> visible_names(Instances& in, Class* scope) {
  std::vector<std::string_view> names;
  for (Class* c = scope; c; c = c->enclosing)
    for (const auto& [name, member] : c->table) names.push_back(in.text(name));
  return names;
}

std::string did_you_mean(Instances& in, Class* scope, std::string_view misspelt) {
  auto names = visible_names(in, scope);
  const std::vector<std::string> stored = in.library.names(nullptr);
  for (const std::string& s : stored) names.push_back(s);
  const std::string near = parser::nearest(misspelt, names);
  return near.empty() ? "" : fmt::format("did you mean {}?", near);
}

}  // namespace mosim::compiler
