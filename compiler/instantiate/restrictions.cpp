#include "compiler/instantiate/restrictions.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "compiler/instantiate/class.hpp"
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

bool is_record(ClassKind k) { return k == ClassKind::record || k == ClassKind::operator_record; }
bool is_connector(ClassKind k) { return k == ClassKind::connector || k == ClassKind::expandable_connector; }
bool is_function(ClassKind k) { return k == ClassKind::function || k == ClassKind::operator_function; }

/// "a record", "an operator record"
std::string a_kind(ClassKind k) { return with_article(kind_name(k)); }

/// The name of a type prefix that a component has, or "".
const char* connector_prefix(ConnectorPrefix p) {
  return p == ConnectorPrefix::flow ? "flow" : p == ConnectorPrefix::stream ? "stream" : "";
}
const char* causality_prefix(Causality c) { return c == Causality::input ? "input" : c == Causality::output ? "output" : ""; }
const char* variability_prefix(parser::Variability v) {
  switch (v) {
    case parser::Variability::constant: return "constant";
    case parser::Variability::parameter: return "parameter";
    case parser::Variability::discrete: return "discrete";
    case parser::Variability::none: break;
  }
  return "";
}

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
  if (!clause.type.global && path.front()->owner != c && c->table.count(path.front()->name) &&
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

// ---- components ---------------------------------------------------------------------------------------------------------------

namespace {

void check_type_kind(Instances& in, Member* m, Class* type) {
  const ClassKind owner = m->owner->kind();
  const ClassKind kind = type->basic ? ClassKind::type : type->kind();
  const auto note = [&]() -> std::vector<parser::Note> { return {{type->definition ? type->definition->place : Place{}, "its type"}}; };
  const bool value = kind == ClassKind::type || is_record(kind);
  const char* allowed = is_record(owner)      ? "components of a record or of a type"
                        : is_connector(owner) ? "components of a connector, a record or a type"
                                              : "components of a type, a record or a function";
  const bool fits = is_record(owner)      ? value || kind == ClassKind::class_
                    : is_connector(owner) ? value || is_connector(kind) || kind == ClassKind::class_
                    : is_function(owner)  ? value || is_function(kind)
                                          : true;
  if (!fits)
    in.error(m->place, fmt::format("{} holds only {}, but {} is {}", a_kind(owner), allowed, in.text(m->name), a_kind(kind)), {}, note());
}

/// Does any element below have one of the prefixes flow, stream, input or output?
const Member* prefixed_element(Instances& in, Class* type, int depth = 0) {
  if (type->basic || depth > 20 || !expand(in, type)) return nullptr;
  for (Member* e : type->members) {
    if (e->is_class()) continue;
    if (e->prefix.connector != ConnectorPrefix::none || e->prefix.causality != Causality::none) return e;
    if (Class* inner = type_of(in, e))
      if (const Member* found = prefixed_element(in, inner, depth + 1)) return found;
  }
  return nullptr;
}

}  // namespace

void check_component(Instances& in, Member* m, Class* type) {
  if (!in.checked.insert(m->declaration).second) return;
  check_type_kind(in, m, type);
  const parser::TypePrefix& p = m->prefix;
  const ClassKind kind = type->basic ? ClassKind::type : type->kind();
  const ClassKind owner = m->owner->kind();
  const std::string name(in.text(m->name));
  const std::string prefixes[] = {connector_prefix(p.connector), variability_prefix(p.variability), causality_prefix(p.causality)};
  const std::string& prefix = !prefixes[0].empty() ? prefixes[0] : !prefixes[1].empty() ? prefixes[1] : prefixes[2];
  const auto note = [&]() -> std::vector<parser::Note> { return {{type->definition ? type->definition->place : Place{}, "its type"}}; };
  const bool functional_input = is_function(kind) && p.causality == Causality::input;
  // MLS 4.4.2.2. A plain `class` may hold anything; it counts as a model unless it is a type.
  if (!prefix.empty() && !is_record(kind) && !is_connector(kind) && kind != ClassKind::type && !functional_input)
    in.error(m->place, fmt::format("{} is {}, so it cannot have the prefix {}: prefixes are for types, records and connectors", name,
                                   a_kind(kind), prefix),
             "give the prefix to the variables inside it", note());
  if (!type->basic && is_connector(kind) && (p.variability == parser::Variability::parameter || p.variability == parser::Variability::constant))
    in.error(m->place, fmt::format("the connector {} cannot be a {}", name, prefixes[1]),   // MLS 9.3
             "declare the variables inside it so", note());
  if (p.causality == Causality::input && !is_function(owner) &&
      (p.variability == parser::Variability::parameter || p.variability == parser::Variability::constant))
    in.error(m->place, fmt::format("{} cannot be both input and {}", name, prefixes[1]), "remove one of the prefixes");
  // A short class may give the prefix as well: connector In = input C.
  const Causality of_type = causality_of_type(in, m);
  const Causality causality = p.causality != Causality::none ? p.causality : of_type;
  if ((p.connector != ConnectorPrefix::none || causality != Causality::none) && !type->basic && !functional_input)
    if (const Member* inner = prefixed_element(in, type))
      in.error(m->place, fmt::format("{} cannot be {}, as its element {} has a prefix of that kind itself", name,
                                     p.connector != ConnectorPrefix::none ? prefixes[0] : causality_prefix(causality), in.text(inner->name)),
               "remove one of the two prefixes", {{inner->place, "the element"}});
  if (p.connector == ConnectorPrefix::stream && !is_connector(owner))   // MLS 15.1
    in.error(m->place, fmt::format("{} is a stream variable, but {} is no connector", name, m->owner->path),
             "stream variables are declared in connectors alone", {{m->owner->definition->place, "declared here"}});
  if (p.connector != ConnectorPrefix::none && type->basic && type->basic->base != BaseType::real &&
      !(p.connector == ConnectorPrefix::flow && type->basic->base == BaseType::integer))
    in.error(m->place, fmt::format("{} cannot be {}: it is {}, not a Real", name, prefixes[0], type_name(in, *type->basic)), {});
  if (p.causality != Causality::none && type->basic && of_type != Causality::none)
    in.error(m->place, fmt::format("{} cannot be {}, as its type gives it the prefix {} itself", name, prefixes[2], causality_prefix(of_type)),
             "remove the prefix");
  if (p.connector == ConnectorPrefix::flow && kind == ClassKind::operator_record)   // MLS 4.4.2.2, 9.2
    for (const char* op : {"'+'", "'-'", "'0'"})
      if (!find_member(in, type, in.name(op))) {
        in.error(m->place, fmt::format("{} cannot be flow: its type {} does not define the operator {}", name, type->path, op),
                 "flow variables add up to zero, which takes '+', '-' and '0'", note());
        break;
      }
  if (is_function(owner) && type->basic && type->basic->base == BaseType::clock)
    in.error(m->place, fmt::format("{} is a Clock, which a function cannot have", name), {});
}

namespace {

void check_each(Instances& in, const parser::Modification& modification, Class* type, const std::string& name, bool array) {
  for (const parser::Argument& a : modification.arguments) {
    if (a.each && !array)
      in.breach(a.place, fmt::format("each has no meaning here: {} is no array", name), "remove `each`", {},
                "`each` stands in this library where there is no array; it is passed over");
    const auto* e = std::get_if<parser::ElementModification>(&a.node);
    if (!e || !e->modification || !type || type->basic) continue;
    bool inner_array = array;
    Class* inner = type;
    std::string path = name;
    for (const Name part : e->name.parts) {
      Member* m = inner && !inner->basic ? find_member(in, inner, part) : nullptr;
      if (!m || m->is_class()) {
        inner = nullptr;
        break;
      }
      std::vector<std::int64_t> dims;
      inner = type_of(in, m, &dims);
      inner_array = inner_array || !dims.empty() || !m->sized_clause->subscripts.empty() || !m->sized_declaration->subscripts.empty();
      path += "." + std::string(in.text(part));
    }
    if (inner) check_each(in, *e->modification, inner, path, inner_array);
  }
}

}  // namespace

void check_each(Instances& in, Member* m, Class* type, bool array, bool array_type) {
  const parser::Modification* modification = m->declaration->modification;
  if (!modification || !in.checked.insert(modification).second) return;
  const std::string name(in.text(m->name));
  check_each(in, *modification, type, name, array);
  if (!type->basic || !array || array_type) return;
  for (const parser::Argument& a : modification->arguments) {
    const auto* e = std::get_if<parser::ElementModification>(&a.node);
    if (!a.each || !e || !e->modification || !e->modification->binding) continue;
    const auto value = value_in(in, *e->modification->binding, m->scope);
    if (value && !value->dims.empty())
      in.error(e->modification->binding_place,
               fmt::format("each element of {} is a scalar and cannot have a value of size {}", name, shape_text(value->dims)),
               "remove `each`, or give one value");
  }
}

// ---- objects ------------------------------------------------------------------------------------------------------------------

namespace {

/// Scalar variables of a connector by their role.
struct Roles {
  std::size_t potential = 0, flow = 0, stream = 0, causal = 0;
};

/// The degrees of freedom of an overdetermined type or record: the size of what equalityConstraint gives (MLS 9.3.1). None
/// if that is not known.
std::optional<std::size_t> residue_size(Instances& in, Class* type) {
  Member* m = find_member(in, type, in.name("equalityConstraint"));
  Class* function = m && m->is_class() ? instantiate_class(in, m, nullptr, m->place) : nullptr;
  if (!function || !expand(in, function)) return {};
  for (const Member* v : function->members) {
    if (v->is_class() || v->prefix.causality != Causality::output) continue;
    std::size_t n = 1;
    for (const auto& subscripts : {v->sized_declaration->subscripts, v->sized_clause->subscripts}) {
      const auto dims = dimensions_in(in, subscripts, function);
      if (!dims) return {};
      for (std::int64_t d : *dims) {
        if (d < 0) return {};
        n *= static_cast<std::size_t>(d);
      }
    }
    return n;
  }
  return {};
}

/// False if the size of a residue is not known.
bool count_roles(Instances& in, Class* object, ConnectorPrefix connector, Causality causality, Roles& r) {
  for (Member* m : object->members) {
    Component* c = m->is_class() ? nullptr : m->component;
    if (!c || c->removed) continue;
    const ConnectorPrefix p = c->connector != ConnectorPrefix::none ? c->connector : connector;
    const Causality k = c->causality != Causality::none ? c->causality : causality;
    if (c->overdetermined && p == ConnectorPrefix::none && k == Causality::none) {
      const auto n = residue_size(in, c->overdetermined);
      if (!n) return false;
      std::size_t of_one = 1;
      for (std::int64_t d : c->overdetermined->dims) of_one *= static_cast<std::size_t>(d);
      r.potential += *n * (c->basic && of_one > 0 ? c->size() / of_one : c->size());
      continue;
    }
    if (!c->basic) {
      for (Class* e : c->elements)
        if (!count_roles(in, e, p, k, r)) return false;
      continue;
    }
    if (c->variability <= flat::Variability::parameter) continue;
    (p == ConnectorPrefix::flow ? r.flow : p == ConnectorPrefix::stream ? r.stream : k != Causality::none ? r.causal : r.potential) += c->size();
  }
  return true;
}

const Member* acausal_variable(Class* connector) {
  for (Member* m : connector->members) {
    Component* c = m->is_class() ? nullptr : m->component;
    if (!c || c->removed || c->causality != Causality::none) continue;
    if (c->basic) {
      if (c->variability > flat::Variability::parameter) return m;
    } else if (c->type) {
      if (const Member* found = acausal_variable(c->type)) return found;
    }
  }
  return nullptr;
}

}  // namespace

void check_object(Instances& in, Class* object) {
  if (!object->definition || !in.checked.insert(&object->definition->whole).second) return;
  check_imports_lead_somewhere(in, object);
  const ClassKind kind = object->kind();
  if (kind == ClassKind::connector) {
    Roles r;
    const bool known = count_roles(in, object, ConnectorPrefix::none, Causality::none, r);
    if (r.stream > 0 && r.flow != 1)   // MLS 15.1
      in.error(object->definition->place, fmt::format("the connector {} has stream variables and {} flow variables instead of one", object->path, r.flow),
               "a stream connector has exactly one scalar flow variable, which carries its stream variables");
    const bool simple = r.flow == 0 && r.stream == 0 && r.causal == 0;
    if (known && !simple && r.flow != r.potential && !object->definition->partial)   // MLS 9.3.1
      in.error(object->definition->place,
               fmt::format("the connector {} has {} flow variables but {} potential variables", object->path, r.flow, r.potential),
               "a connector has as many of the one as of the other, so that connecting it gives as many equations as unknowns");
  }
  if (kind == ClassKind::block)
    for (Member* m : object->members) {
      Component* c = m->is_class() ? nullptr : m->component;
      if (!c || c->removed || c->is_protected || c->causality != Causality::none || !c->type) continue;
      if (c->type->kind() != ClassKind::connector) continue;
      if (const Member* v = acausal_variable(c->type))
        in.error(m->place, fmt::format("{} is a public connector of a block, but its variable {} is neither input nor output", in.text(m->name), in.text(v->name)),
                 "declare the variable input or output, or make the block a model", {{v->place, "the variable"}});
    }
}

void check_redeclarations(Instances& in) {
  for (std::size_t i = 0; i < in.redeclaration_checks.size(); ++i) {
    const RedeclarationCheck check = in.redeclaration_checks[i];
    Member* m = check.member;
    // What is declared in a library but not used in the model may be incomplete.
    if (!m->owner->in_model && !check.redeclared_in) continue;
    if (!in.checked.insert(m).second) continue;
    struct Side {
      Class* type = nullptr;
      std::size_t dims = 0;
    };
    const auto class_side = [&](Member* c) {
      Side s;
      const Quietly quietly(in);
      s.type = instantiate_class(in, c, nullptr, c->place);
      if (const auto* d = std::get_if<parser::ShortClassSpecifier>(&c->definition->specifier))
        if (Member* target = lookup_class(in, c->scope, d->type, "class")) {
          std::vector<std::int64_t> dims;
          instantiate_class(in, target, nullptr, c->place, &dims);
          s.dims = dims.size();
        }
      return s;
    };
    const auto named_side = [&](const parser::QualifiedName& name, Class* scope, const Modifier* modifier) {
      Side s;
      const Quietly quietly(in);
      Member* t = lookup_class(in, scope, name, "type");
      std::vector<std::int64_t> dims;
      s.type = t ? instantiate_class(in, t, modifier, name.place, &dims) : nullptr;
      s.dims = dims.size();
      return s;
    };
    const auto constraint_side = [&](const Constraint& c) {
      return c.type ? named_side(*c.type, c.scope, c.modifier) : c.declared ? class_side(c.declared) : Side{};
    };
    const Side wanted = constraint_side(check.constraint);
    const Side given = m->is_class() ? class_side(m) : named_side(m->clause->type, m->scope, m->modifier);
    if (!wanted.type || !given.type) continue;
    const auto refuse = [&](const std::string& what, const Incompatibility& why) {
      std::vector<parser::Note> notes{{check.constraint.place, "the constraining type"}};
      if (why.place) notes.push_back({why.place, "the element in question"});
      std::string cause = fmt::format("{} is not compatible with the constraining type of {}: {}", what, in.text(m->name), why.reason);
      const char* remedy = "use a class with all of its elements, or give a wider constraining type with `constrainedby`";
      if (!why.default_only) return in.error(check.place, std::move(cause), remedy, std::move(notes));
      // Modelica.Media has functions without the default values of those that they are redeclared for, and every tool takes them.
      in.breach(check.place, std::move(cause), remedy, std::move(notes),
                "a class of a library is not quite compatible with the constraining type of what it is redeclared for; it is taken all the same", why.place);
    };
    const auto path = [](const Class* c, const char* otherwise) { return c->path.empty() ? otherwise : c->path.c_str(); };
    if (wanted.dims != given.dims) {
      refuse(path(given.type, "the type"), {fmt::format("it has {} array dimensions, not {}", given.dims, wanted.dims), {}});
      continue;
    }
    // A redeclared component that is inherited can still be connected; any other must work as it is (MLS 6.5).
    const bool inherited = !check.redeclared_in || is_heir(check.redeclared_in, m->owner);
    if (const auto why = incompatibility(in, given.type, wanted.type, inherited ? Compatibility::subtype : Compatibility::plug)) {
      refuse(path(given.type, "the type"), *why);
      continue;
    }
    if (!check.new_constraint) continue;
    const Side narrower = constraint_side(*check.new_constraint);
    if (!narrower.type) continue;
    if (const auto why = incompatibility(in, narrower.type, wanted.type, Compatibility::subtype))
      refuse(fmt::format("the new constraining type {}", path(narrower.type, "")), *why);
    else if (const auto own = incompatibility(in, given.type, narrower.type, Compatibility::subtype))
      refuse(path(given.type, "the type"), *own);
  }
}

}  // namespace mosim::compiler
