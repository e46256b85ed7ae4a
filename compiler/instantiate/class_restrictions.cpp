// What classes may hold, and from what they may be made.

#include "compiler/instantiate/restrictions.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "compiler/instantiate/class.hpp"
#include "compiler/instantiate/class_kinds.hpp"
#include "compiler/instantiate/component.hpp"
#include "compiler/instantiate/evaluation.hpp"
#include "compiler/instantiate/expand.hpp"
#include "compiler/instantiate/instances.hpp"
#include "compiler/instantiate/interface.hpp"
#include "compiler/instantiate/lookup.hpp"
#include "compiler/instantiate/modifier.hpp"
#include "compiler/instantiate/redeclaration.hpp"
#include "compiler/instantiate/value.hpp"

namespace mosim::compiler {

namespace {

using parser::Causality;
using parser::ClassKind;
using parser::ConnectorPrefix;

Place element_place(const parser::Element& e) {
  if (const auto* d = std::get_if<const parser::ClassDefinition*>(&e.node)) return (*d)->place;
  if (const auto* k = std::get_if<parser::ComponentClause>(&e.node)) return k->declarations.front().place;
  if (const auto* x = std::get_if<parser::ExtendsClause>(&e.node)) return x->type.place;
  return e.place;
}

// ---- sections (MLS 4.6) -------------------------------------------------------------------------------------------------

Place section_place(const std::variant<parser::EquationSection, parser::AlgorithmSection>& s, Place otherwise) {
  if (const auto* a = std::get_if<parser::AlgorithmSection>(&s)) return a->place;
  const auto& equations = std::get<parser::EquationSection>(s).equations;
  return equations.empty() ? otherwise : equations.front().place;
}

std::string section_name(const std::variant<parser::EquationSection, parser::AlgorithmSection>& s) {
  if (const auto* a = std::get_if<parser::AlgorithmSection>(&s)) return a->initial ? "an initial algorithm" : "an algorithm";
  return std::get<parser::EquationSection>(s).initial ? "an initial equation section" : "an equation section";
}

void check_sections(Instances& in, const parser::ClassDefinition& d, const parser::Composition& c) {
  const ClassKind k = d.kind;
  const std::string name(in.text(d.name));
  if (is_record(k) || is_connector(k) || k == ClassKind::package || k == ClassKind::operator_ || k == ClassKind::type) {
    if (!c.sections.empty())
      in.error(section_place(c.sections.front(), d.place),
               fmt::format("{} has {}, but {} cannot have one", name, section_name(c.sections.front()), a_kind(k)),
               k == ClassKind::package ? "move it into a model of the package"
                                       : "declare it as a model, or move the section to where it is used",
               {{d.place, "declared here"}});
  }
  if (!is_function(k)) {
    if (c.external)
      in.error(c.external->place, fmt::format("{} has an external clause, but only functions can have one", name), {},
               {{d.place, "declared here"}});
    return;
  }
  // MLS 12.2
  std::size_t bodies = c.external ? 1 : 0;
  for (const auto& s : c.sections) {
    const auto* a = std::get_if<parser::AlgorithmSection>(&s);
    if (!a || a->initial) {
      in.error(section_place(s, d.place), fmt::format("the function {} has {}", name, section_name(s)),
               "a function computes its outputs in an algorithm", {{d.place, "declared here"}});
      continue;
    }
    if (++bodies == 2)
      in.error(a->place, fmt::format("the function {} has more than one body", name),
               c.external ? "an external function has no algorithm" : "join the algorithm sections into one", {{d.place, "declared here"}});
  }
}

// ---- elements ---------------------------------------------------------------------------------------------------------------

void check_reserved(Instances& in, Name name, Place place) {
  static constexpr std::string_view reserved[] = {"Real", "Integer", "Boolean", "String"};
  if (std::find(std::begin(reserved), std::end(reserved), in.text(name)) != std::end(reserved))
    in.error(place, fmt::format("{} is the name of a predefined type and cannot be given to an element", in.text(name)),
             "choose another name");
}

void check_elements(Instances& in, Class* c, const parser::ClassDefinition& d, const parser::Composition& composition) {
  const ClassKind k = d.kind;
  const std::string name(in.text(d.name));
  const auto note = [&]() -> std::vector<parser::Note> { return {{d.place, "declared here"}}; };
  for (const parser::Element& e : composition.elements) {
    const auto* clause = std::get_if<parser::ComponentClause>(&e.node);
    const auto* nested = std::get_if<const parser::ClassDefinition*>(&e.node);
    if (clause)
      for (const parser::Declaration& x : clause->declarations) check_reserved(in, x.name, x.place);
    if (nested) check_reserved(in, (*nested)->name, (*nested)->place);
    const Place place = element_place(e);
    if ((is_record(k) || is_connector(k)) && e.is_protected && !std::holds_alternative<parser::ImportClause>(e.node))
      in.error(place, fmt::format("{} has a protected section, but all elements of {} are public", name, a_kind(k)),
               "move the element into the public section", note());
    if ((is_record(k) || is_connector(k) || is_function(k)) && (e.inner || e.outer) && clause)
      in.error(place, fmt::format("an element of {} cannot be {}", a_kind(k), e.inner ? "inner" : "outer"),
               "remove the prefix", note());
    if (k == ClassKind::expandable_connector && clause && clause->prefix.connector == ConnectorPrefix::flow)   // MLS 9.1.3
      in.error(place, fmt::format("{} is a flow variable, which an expandable connector cannot have", in.text(clause->declarations.front().name)),
               "put it into a connector of its own, and that one into the expandable connector", note());
    if (is_record(k) && clause) {
      const char* prefix = clause->prefix.connector != ConnectorPrefix::none ? connector_prefix(clause->prefix.connector)
                                                                             : causality_prefix(clause->prefix.causality);
      if (*prefix)
        in.error(place, fmt::format("an element of {} cannot have the prefix {}", a_kind(k), prefix),
                 "give the prefix to the component that has the record as its type", note());
    }
    if (k == ClassKind::package && clause && clause->prefix.variability != parser::Variability::constant && !e.outer && !e.redeclare)
      in.error(place, fmt::format("{} is no constant, but a package holds only classes and constants",
                                  in.text(clause->declarations.front().name)),
               "declare it `constant`, or move it into a model", note());
    if (k == ClassKind::operator_ && (clause || (nested && !is_function((*nested)->kind))))
      in.error(place, "an operator holds only functions", {}, note());
    if (nested && k != ClassKind::operator_record &&
        ((*nested)->kind == ClassKind::operator_ || (*nested)->kind == ClassKind::operator_function))
      in.error(place, fmt::format("{} can only stand directly in an operator record", a_kind((*nested)->kind)), {}, note());
    // MLS 12.2
    if (is_function(k) && clause && !e.is_protected && clause->prefix.causality == Causality::none &&
        clause->prefix.variability != parser::Variability::constant && !e.redeclare) {
      Member* m = find_member(in, c, clause->declarations.front().name);
      std::vector<std::int64_t> dims;
      const bool of_type = m && !m->is_class() && causality_of_type(in, m) != Causality::none;
      if (!of_type)
        in.error(place, fmt::format("{} is public in a function but neither input nor output",
                                    in.text(clause->declarations.front().name)),
                 "declare it input or output, or put it under `protected`", note());
    }
  }
}

void check_imports(Instances& in, Class* c) {
  std::vector<std::pair<Name, Place>> names;
  const auto add = [&](Name name, Place place) {
    for (const auto& [other, first] : names)
      if (other == name) {
        in.error(place, fmt::format("two import clauses of {} bring the name {}", c->path, in.text(name)),
                 "rename one of them: import Other = ...", {{first, "the first one"}});
        return;
      }
    names.push_back({name, place});
  };
  for (const parser::ImportClause* i : c->imports) {
    if (i->kind == parser::ImportKind::qualified) add(i->name.parts.back(), i->name.place);
    if (i->kind == parser::ImportKind::renamed) add(i->alias, i->name.place);
    if (i->kind == parser::ImportKind::list)
      for (Name n : i->members) add(n, i->name.place);
  }
}

}  // namespace

void check_class(Instances& in, Class* c) {
  const auto* specifier = c->definition ? std::get_if<parser::LongClassSpecifier>(&c->definition->specifier) : nullptr;
  if (!specifier || !in.checked.insert(c->definition).second) return;
  if (c->member && !c->member->element) check_reserved(in, c->definition->name, c->definition->place);
  check_sections(in, *c->definition, specifier->composition);
  check_elements(in, c, *c->definition, specifier->composition);
  check_imports(in, c);
}

// ---- base classes -------------------------------------------------------------------------------------------------------------

namespace {

/// The table of MLS 7.1.3.
bool kind_permits(ClassKind derived, ClassKind base) {
  if (base == ClassKind::class_) return true;
  switch (derived) {
    case ClassKind::connector: return base == ClassKind::type || is_record(base) || base == ClassKind::connector;
    case ClassKind::block: return base == ClassKind::record || base == ClassKind::block;
    case ClassKind::model: return base == ClassKind::record || base == ClassKind::block || base == ClassKind::model;
    case ClassKind::operator_function: return is_function(base);
    // Anything but a class is deprecated in a `class`; it may hold what a model holds.
    case ClassKind::class_: return base == ClassKind::record || base == ClassKind::block || base == ClassKind::model;
    default: return derived == base;
  }
}

/// Is the class reference transitively non-replaceable (MLS 6.3.1)? The member that is not, or null.
Member* replaceable_part(Instances& in, const std::vector<Member*>& path, int depth = 0) {
  for (Member* m : path) {
    if (m->replaceable) return m;
    const auto* s = m->definition ? std::get_if<parser::ShortClassSpecifier>(&m->definition->specifier) : nullptr;
    if (!s || depth > 50) continue;
    std::vector<Member*> further;
    const Quietly quietly(in);
    if (lookup_class(in, m->scope, s->type, "class", &further))
      if (Member* r = replaceable_part(in, further, depth + 1)) return r;
  }
  return nullptr;
}

/// What a short class adds that an heir cannot combine with elements of its own: dimensions or a prefix.
struct ShortForm {
  bool array = false, prefixed = false;
};
ShortForm short_form(Instances& in, Member* m) {
  ShortForm f;
  for (int depth = 0; m && m->definition && depth < 50; ++depth) {
    const auto* s = std::get_if<parser::ShortClassSpecifier>(&m->definition->specifier);
    if (!s) break;
    f.array |= !s->subscripts.empty();
    f.prefixed |= s->causality != Causality::none;
    const Quietly quietly(in);
    m = lookup_class(in, m->scope, s->type, "class");
  }
  return f;
}

/// No equations, algorithms or components, inherited ones included (MLS 4.5.2).
bool is_empty(Instances& in, Class* c) {
  if (!expand(in, c) || c->basic) return false;
  const auto* l = c->definition ? std::get_if<parser::LongClassSpecifier>(&c->definition->specifier) : nullptr;
  if (l && !l->composition.sections.empty())
    for (const auto& s : l->composition.sections)
      if (const auto* q = std::get_if<parser::EquationSection>(&s); !q || !q->equations.empty()) return false;
  for (const Member* m : c->members)
    if (!m->is_class()) return false;
  return true;
}

}  // namespace

void check_combination(Instances& in, Class* c, const parser::ExtendsClause& clause, Member* m, const Class* base) {
  if (!in.checked.insert(&clause.modification).second) return;
  const ShortForm form = short_form(in, m);
  const bool simple = base && base->basic;
  if (!form.array && !form.prefixed && !simple) return;
  const char* what = form.array ? "an array class" : form.prefixed ? "a class with the prefix input or output" : "a simple type";
  const auto& composition = std::get<parser::LongClassSpecifier>(c->definition->specifier).composition;
  const auto refuse = [&](Place other, const char* with) {
    in.error(clause.type.place, fmt::format("{} is {}: a class that extends it cannot have {} as well", in.text(m->name), what, with),
             "declare a component of that type instead of extending it", {{other, "in the same class"}});
  };
  for (const parser::Element& e : composition.elements) {
    if (const auto* k = std::get_if<parser::ComponentClause>(&e.node)) return refuse(k->declarations.front().place, "components");
    if (const auto* x = std::get_if<parser::ExtendsClause>(&e.node); x && x != &clause) {
      const bool counts = [&] {
        const Quietly quietly(in);
        Member* other = lookup_class(in, c, x->type, "base class");
        Class* other_class = other ? instantiate_class(in, other, nullptr, x->type.place) : nullptr;
        return other_class && !is_empty(in, other_class);
      }();
      if (counts) return refuse(x->type.place, "other base classes");
    }
  }
  for (const auto& s : composition.sections)
    if (const auto* q = std::get_if<parser::EquationSection>(&s); !q || !q->equations.empty())
      return refuse(section_place(s, c->definition->place), "equations or algorithms");
}

bool check_base_class(Instances& in, Class* c, const parser::ExtendsClause& clause, const std::vector<Member*>& path) {
  if (!in.checked.insert(&clause).second) return true;
  Member* m = path.back();
  const Place place = clause.type.place;
  const auto note = [&]() -> std::vector<parser::Note> { return {{m->place, "the base class"}}; };
  // The name must not be found only through another extends clause of this class (MLS 5.6.1.4).
  if (!clause.type.global && path.front()->owner != c && c->table.contains(path.front()->name) &&
      c->table.at(path.front()->name) == path.front()) {
    in.error(place, fmt::format("{} is inherited, so it cannot be a base class of the class that inherits it", in.text(path.front()->name)),
             "name it through the class that declares it: extends A.B", note());
    return false;
  }
  if (Member* r = replaceable_part(in, path)) {
    in.error(place, fmt::format("{} is replaceable, so it cannot be {}a base class", in.text(r->name), r == m ? "" : "part of the name of "),
             "extend a class that cannot be replaced, or write `redeclare model extends ...` for an inherited one",
             {{r->place, "declared replaceable here"}});
    return false;
  }
  Class* base = instantiate_class(in, m, nullptr, place);
  if (!base) return false;
  for (Class* e = c->enclosing; e; e = e->enclosing)
    if (e->definition && e->definition == base->definition && base->kind() == ClassKind::operator_record) {
      in.error(place, fmt::format("{} is an operator record around this class, which cannot extend it", base->path), {}, note());
      return false;
    }
  const ClassKind derived = c->kind();
  const ClassKind kind = base->basic && m->definition && !is_connector(m->definition->kind) && m->definition->kind != ClassKind::class_
                             ? ClassKind::type
                             : m->definition && base->basic ? m->definition->kind : base->kind();
  if (kind == ClassKind::operator_record) {
    in.error(place, fmt::format("{} is an operator record and cannot be extended this way", base->path),
             "write a short class: operator record New = Old(...)", note());
    return false;
  }
  if (!kind_permits(derived, kind)) {
    in.error(place, fmt::format("{} cannot extend {}: {} is {}", a_kind(derived), a_kind(kind), in.text(m->name), a_kind(kind)),
             kind == ClassKind::package ? "use its contents with an import clause"
                                        : fmt::format("extend {} or a class, or declare a component of it", a_kind(derived)),
             note());
    return false;
  }
  const auto* l = kind == ClassKind::package && base->definition ? std::get_if<parser::LongClassSpecifier>(&base->definition->specifier) : nullptr;
  if (!l) return true;
  for (const parser::Element& element : l->composition.elements)
    if (const auto* d = std::get_if<const parser::ClassDefinition*>(&element.node); d && (*d)->kind == ClassKind::operator_record) {
      // MLS 4.6: nor from any of its enclosing scopes
      in.error(place, fmt::format("{} holds the operator record {}, so it cannot be extended", base->path, in.text((*d)->name)),
               "import from it instead", {{(*d)->place, "the operator record"}});
      return false;
    }
  return true;
}

// ---- external objects ---------------------------------------------------------------------------------------------------------

// MLS 12.9.7: a constructor, a destructor, and nothing else.
std::string check_object_class(Instances& in, const Class* c) {
  const auto* l = std::get_if<parser::LongClassSpecifier>(&c->definition->specifier);
  const std::string name(in.text(c->definition->name));
  bool constructor = false, destructor = false;
  std::string function;
  const auto other = [&](Place place, std::string_view what) {
    in.error(place, fmt::format("{} is a class of external objects, which has a constructor and a destructor and nothing else, not {}", name, what), {},
             {{c->definition->place, "declared here"}});
  };
  for (const parser::Element& e : l->composition.elements) {
    if (const auto* d = std::get_if<const parser::ClassDefinition*>(&e.node)) {
      const std::string_view own = in.text((*d)->name);
      constructor = constructor || own == "constructor";
      destructor = destructor || own == "destructor";
      const auto* whole = std::get_if<parser::LongClassSpecifier>(&(*d)->specifier);
      if (own == "destructor" && whole && whole->composition.external)
        function = in.text(whole->composition.external->has_call ? whole->composition.external->function : (*d)->name);
      if (own != "constructor" && own != "destructor") other((*d)->place, own);
      else if (e.replaceable) in.error((*d)->place, fmt::format("the {} of a class of external objects cannot be replaceable", own), "remove `replaceable`");
    } else if (const auto* k = std::get_if<parser::ComponentClause>(&e.node)) {
      other(k->declarations.front().place, in.text(k->declarations.front().name));
    }
  }
  if (constructor && destructor) return function;
  in.error(c->definition->place, fmt::format("the class {} of external objects has no {}", name, constructor ? "destructor" : "constructor"),
           constructor ? "declare the function destructor, with the object as its only input"
                       : "declare the function constructor, with the object as its only output");
  return function;
}

}  // namespace mosim::compiler
