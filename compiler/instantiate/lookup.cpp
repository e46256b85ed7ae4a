// Names to members (MLS 5.3).

#include "compiler/instantiate/lookup.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "compiler/instantiate/class.hpp"
#include "compiler/instantiate/expand.hpp"
#include "compiler/instantiate/habits.hpp"
#include "compiler/instantiate/instances.hpp"
#include "compiler/instantiate/modifier.hpp"

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
  it->second = &m;
  m.modifier = class_modifier(in, c->modifier ? c->modifier->child(stored->name) : nullptr);
  return &m;
}

/// To import from, a class that merely could be a package is not enough (MLS 13.2).
bool is_package(const Class& c) { return c.definition && c.kind() == parser::ClassKind::package; }

/// Says an error of an import clause once, however often it is used.
void import_error(Instances& in, const parser::ImportClause* import, std::string cause, std::string remedy,
                  std::vector<parser::Note> notes) {
  const Quietly aloud(in, false);
  if (in.checked.insert(import).second) in.error(import->name.place, std::move(cause), std::move(remedy), std::move(notes));
}

/// The last part of a full name, where the one before it is an enumeration type that has it as a literal.
ImportedLiteral literal_at(Instances& in, const std::vector<Name>& parts) {
  if (parts.size() < 2) return {};
  const Quietly quietly(in);
  Member* m = find_member(in, &in.top, parts.front());
  Class* c = nullptr;
  for (std::size_t i = 1; m && m->is_class(); ++i) {
    c = instantiate_class(in, m, nullptr, m->place);
    if (!c || !expand(in, c)) return {};
    if (i + 1 == parts.size()) break;
    m = find_member(in, c, parts[i]);
  }
  if (!m || !c || !c->basic || c->basic->base != BaseType::enumeration) return {};
  const std::uint32_t number = in.literal_number(c->basic->enumeration, parts.back());
  return number ? ImportedLiteral{m, c, number} : ImportedLiteral{};
}

/// A fully qualified name from the top level, the way import clauses give them: all but the last part are packages.
Member* from_top(Instances& in, const parser::ImportClause* import, const std::vector<Name>& parts) {
  Member* m = find_member(in, &in.top, parts.front());
  for (std::size_t i = 1; m && i < parts.size(); ++i) {
    if (!m->is_class()) return nullptr;
    Class* c = instantiate_class(in, m, nullptr, m->place);
    if (!c) return nullptr;
    if (import->kind != parser::ImportKind::unqualified && i + 1 == parts.size() && !is_package(*c) && !literal_at(in, parts).type)
      import_error(in, import, fmt::format("{} is no package: only from packages can be imported", c->path),
                   "move what is imported into a package", {{m->place, "declared here"}});
    m = find_member(in, c, parts[i]);
    if (m && m->is_protected)
      import_error(in, import, fmt::format("{} is protected in {} and cannot be imported", in.text(m->name), c->path),
                   "make it public", {{m->place, "declared here"}});
  }
  return m;
}

/// The full name that an import clause gives to `name`; empty if it does not bring that name itself.
std::vector<Name> full_name(const parser::ImportClause* import, Name name) {
  const auto& written = import->name.parts;
  bool brings = false;
  switch (import->kind) {
    case parser::ImportKind::qualified: brings = written.back() == name; break;
    case parser::ImportKind::renamed: brings = import->alias == name; break;
    case parser::ImportKind::list: brings = std::find(import->members.begin(), import->members.end(), name) != import->members.end(); break;
    case parser::ImportKind::unqualified: break;
  }
  if (!brings) return {};   // asked of every import clause on the way to a name
  std::vector<Name> parts(written.begin(), written.end());
  if (import->kind == parser::ImportKind::list) parts.push_back(name);
  return parts;
}

/// What is wrong with an import clause that finds nothing; says nothing if it finds something.
void explain_import(Instances& in, const parser::ImportClause* import, const std::vector<Name>& parts) {
  Member* m = find_member(in, &in.top, parts.front());
  if (!m) {
    import_error(in, import, fmt::format("there is no class or library {}", in.text(parts.front())),
                 "name the folder that holds it with -L, or set MODELICAPATH", {});
    return;
  }
  if (literal_at(in, parts).type) return;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    Class* c = m->is_class() ? instantiate_class(in, m, nullptr, m->place) : nullptr;
    if (!c || !expand(in, c) || c->state != Class::State::expanded) return;
    m = find_member(in, c, parts[i]);
    if (m) continue;
    std::vector<std::string_view> names;
    for (const auto& [name, member] : c->table) names.push_back(in.text(name));
    const std::vector<std::string> stored = c->stored ? in.library.names(c->stored) : std::vector<std::string>{};
    for (const std::string& s : stored) names.push_back(s);
    import_error(in, import, fmt::format("{} has no element {}", c->path, in.text(parts[i])),
                 missing_remedy(in, c, in.text(parts[i]), names), {});
    return;
  }
}

Member* imported(Instances& in, Class* c, Name name) {
  for (const parser::ImportClause* import : c->imports)
    if (const auto parts = full_name(import, name); !parts.empty()) return from_top(in, import, parts);
  // Unqualified imports are weaker than the others (MLS 5.3.1), and only one of them may bring a name.
  Member* found = nullptr;
  for (const parser::ImportClause* import : c->imports) {
    if (import->kind != parser::ImportKind::unqualified) continue;
    Member* package = from_top(in, import, {import->name.parts.begin(), import->name.parts.end()});
    if (!package || !package->is_class()) continue;
    Class* p = instantiate_class(in, package, nullptr, package->place);
    if (!p || p->state == Class::State::expanding) continue;
    Member* m = find_member(in, p, name);
    if (!m || m->is_protected) continue;
    if (!is_package(*p))
      import_error(in, import, fmt::format("{} is no package: only from packages can be imported", p->path),
                   "move what is imported into a package", {{package->place, "declared here"}});
    if (found && found != m)
      import_error(in, import, fmt::format("{} is brought by two import clauses", in.text(name)),
                   "import it by its full name", {{found->place, "one of them means this"}, {m->place, "the other this"}});
    if (!found) found = m;
  }
  return found;
}

}  // namespace

Member* find_member(Instances& in, Class* c, Name name) {
  if (c->state == Class::State::fresh) expand(in, c);
  if (const auto it = c->table.find(name); it != c->table.end()) {
    if (it->second->broken)   // an heir may have another one in its place (MLS 7.4)
      for (const Class* heir = c->derived; heir; heir = heir->derived)
        if (const auto other = heir->table.find(name); other != heir->table.end() && !other->second->broken) return other->second;
    return it->second;
  }
  if (c == &in.top) {
    StoredClass* stored = in.library.find(nullptr, name);
    // One without a definition is known from a `within` alone.
    return stored && stored->definition ? stored_member(in, c, stored) : nullptr;
  }
  if (c->stored)
    if (StoredClass* stored = in.library.find(c->stored, name); stored && stored->definition)
      return stored_member(in, c, stored);
  for (Class* base : c->stored_bases)
    if (Member* m = find_member(in, base, name)) return m;
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

std::string missing_remedy(Instances& in, const Class* c, std::string_view missing, const std::vector<std::string_view>& names) {
  if (std::string now = renamed(c->path, missing); !now.empty()) return now;
  const std::string near = parser::nearest(missing, names);
  std::string remedy = near.empty() ? "" : fmt::format("did you mean {}?", near);
  const Class* outermost = c;
  while (outermost->enclosing && outermost->enclosing != &in.top) outermost = outermost->enclosing;
  if (!outermost->stored || !outermost->stored->bundled) return remedy;
  if (!remedy.empty()) remedy += " If not: ";
  return remedy + fmt::format("only a small part of the {0} library (constants, units) comes with mosim; for the rest, name the "
                              "folder that holds the whole {0} library with -L, or set MODELICAPATH", outermost->path);
}

ImportedLiteral imported_literal(Instances& in, Class* scope, Name name) {
  for (Class* c = scope; c && c != &in.top; c = c->enclosing)
    for (const parser::ImportClause* import : c->imports) {
      const auto parts = full_name(import, name);
      const ImportedLiteral found = parts.empty() ? ImportedLiteral{} : literal_at(in, parts);
      if (!found.type) continue;
      if (in.checked.insert(import).second) {
        const std::string type = found.of->path;
        in.diagnostics.push_back({parser::Severity::warning, import->name.place,
                                  fmt::format("{} is a literal of the enumeration {}, and only elements of packages can be imported (MLS 13.2); it is taken all the same", in.text(name), type),
                                  fmt::format("write import {}; and then {}.{}", type, type.substr(type.rfind('.') + 1), in.text(name)), {}});
      }
      return found;
    }
  return {};
}

bool import_of_nothing(Instances& in, Class* scope, Name name) {
  bool found = false;
  for (Class* c = scope; c && c != &in.top; c = c->enclosing)
    for (const parser::ImportClause* import : c->imports) {
      auto parts = full_name(import, name);
      // One that brings everything of what does not exist may have been to bring this.
      if (import->kind == parser::ImportKind::unqualified) parts.assign(import->name.parts.begin(), import->name.parts.end());
      if (parts.empty()) continue;
      explain_import(in, import, parts);
      found = found || in.checked.contains(import);
    }
  return found;
}

void check_imports_lead_somewhere(Instances& in, Class* c) {
  for (const parser::ImportClause* import : c->imports) {
    std::vector<Name> parts(import->name.parts.begin(), import->name.parts.end());
    if (import->kind != parser::ImportKind::list) explain_import(in, import, parts);
    for (Name member : import->members) {
      parts.push_back(member);
      explain_import(in, import, parts);
      parts.pop_back();
    }
  }
}

bool is_package_like(Instances& in, Class* c) {
  if (!c->definition) return false;
  if (c->kind() == parser::ClassKind::package || c->kind() == parser::ClassKind::operator_) return true;
  const auto* l = std::get_if<parser::LongClassSpecifier>(&c->definition->specifier);
  if (!l || l->composition.external || !expand(in, c)) return false;
  for (const auto& s : l->composition.sections) {
    const auto* e = std::get_if<parser::EquationSection>(&s);
    if (!e || !e->equations.empty()) return false;
  }
  for (const Member* m : c->members)
    if (!m->is_class() && m->prefix.variability != parser::Variability::constant) return false;
  return std::all_of(c->bases.begin(), c->bases.end(), [&](const Class::Base& b) { return is_package_like(in, b.base); });
}

/// A class by its own name, in its own text: nothing is named from outside. A global name is (MLS 5.3.3).
bool stands_in(const Instances& in, Place place, const Class* c) {
  return c->definition && c->definition->whole.begin <= place.begin && place.end <= c->definition->whole.end && !in.workspace.sources.text(place).starts_with('.');
}

Member* find_inside(Instances& in, Member* class_member, Name name, Place place, std::string_view what) {
  Class* c = instantiate_class(in, class_member, nullptr, place);
  if (!c) return nullptr;
  Member* m = find_member(in, c, name);
  if (!m) {
    std::vector<std::string_view> candidates;
    if (in.may_compare(c->members.size()))
      for (const Member* member : c->members) candidates.push_back(in.text(member->name));
    in.error(place, fmt::format("{} has no {} {}", c->path, what, in.text(name)), missing_remedy(in, c, in.text(name), candidates));
    return nullptr;
  }
  if (m->is_protected)
    in.error(place, fmt::format("{} is protected in {}", in.text(m->name), c->path), {}, {{m->place, "declared here"}});
  const bool encapsulated = m->definition && m->definition->encapsulated;
  if (c->definition && c->definition->partial) {
    std::string cause = fmt::format("{} is partial, so nothing in it can be named from outside", c->path);
    const char* remedy = "name it through a class that completes it";
    std::vector<parser::Note> notes{{c->definition->place, "declared partial here"}};
    // Version 3.2.3 of the standard library extends classes of a partial package (ModelicaServices); every tool takes that.
    if (m->is_class())
      in.breach(place, std::move(cause), remedy, std::move(notes),
                fmt::format("this library names a class inside of {}, which is partial; it is taken all the same", c->path));
    else
      in.error(place, std::move(cause), remedy, std::move(notes));
  } else if (!encapsulated && !is_package_like(in, c) && !(m->is_class() && stands_in(in, place, c)))
    in.error(place, fmt::format("{} is no package, so {} in it cannot be named from outside", c->path, in.text(m->name)),
             m->is_class() ? "declare it encapsulated, or move it into a package"
                           : "declare a component of the class, or move it into a package",
             {{c->definition ? c->definition->place : Place{}, "declared here"}});
  return m;
}

Member* lookup_class(Instances& in, Class* scope, const parser::QualifiedName& name, std::string_view what,
                     std::vector<Member*>* path) {
  Member* m = name.global ? find_member(in, &in.top, name.parts.front()) : lookup(in, scope, name.parts.front());
  if (!m) {
    const std::string_view first = in.text(name.parts.front());
    if (!name.global && import_of_nothing(in, scope, name.parts.front())) return nullptr;
    std::string near = library_instead(first);
    if (near.empty()) near = did_you_mean(in, scope, first, true);
    if (name.parts.size() > 1)
      in.error(name.place, fmt::format("there is no class or library {} here", first),
               near.empty() ? "name the folder that holds it with -L, or set MODELICAPATH" : near);
    else
      in.error(name.place, fmt::format("there is no {} {} here", what, first), near.empty() ? type_instead(first) : near);
    return nullptr;
  }
  if (path) path->push_back(m);
  for (std::size_t i = 1; i < name.parts.size(); ++i) {
    if (!m->is_class()) {
      in.error(name.place, fmt::format("{} is a component, not a class", in.text(m->name)), {},
               {{m->place, "declared here"}});
      return nullptr;
    }
    m = find_inside(in, m, name.parts[i], name.place, what);
    if (!m) return nullptr;
    if (path) path->push_back(m);
  }
  if (!m->is_class()) {
    in.error(name.place, fmt::format("{} is a component, not a {}", in.text(m->name), what), {},
             {{m->place, "declared here"}});
    return nullptr;
  }
  return m;
}

std::vector<std::string_view> visible_names(Instances& in, Class* scope, bool classes_only) {
  std::vector<std::string_view> names;
  for (Class* c = scope; c && in.may_compare(c->table.size()); c = c->enclosing)
    for (const auto& [name, member] : c->table)
      if (!classes_only || member->is_class()) names.push_back(in.text(name));
  return names;
}

std::string did_you_mean(Instances& in, Class* scope, std::string_view misspelt, bool classes_only) {
  auto names = visible_names(in, scope, classes_only);
  if (!classes_only)
    if (std::string meant = variable_instead(misspelt, names); !meant.empty()) return meant;
  const std::vector<std::string> stored = in.may_compare(1) ? in.library.names(nullptr) : std::vector<std::string>{};
  for (const std::string& s : stored) names.push_back(s);
  const std::string near = parser::nearest(misspelt, names);
  return near.empty() ? "" : fmt::format("did you mean {}?", near);
}

}  // namespace mosim::compiler
