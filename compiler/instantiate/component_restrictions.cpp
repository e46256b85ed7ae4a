// What components, the objects made of them and redeclarations may be.

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

using parser::Causality;
using parser::ClassKind;
using parser::ConnectorPrefix;

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
  if (p.causality != Causality::none && type->basic && of_type != Causality::none) {
    std::string cause = fmt::format("{} cannot be {}, as its type gives it the prefix {} itself", name, prefixes[2], causality_prefix(of_type));
    if (p.causality == of_type)   // PowerSystems has it, and other tools take it
      in.breach(m->place, std::move(cause), "remove the prefix", {}, "this library gives a component a prefix that its type gives it already");
    else
      in.error(m->place, std::move(cause), "remove the prefix");
  }
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
    const auto* e = std::get_if<parser::ElementModification>(&a.node);
    bool inner_array = array;   // of what the last part of the name stands in: `each` belongs to that part (MLS 7.2.4)
    Class* inner = type && !type->basic ? type : nullptr;
    std::string path = name, holder = name;
    bool holder_array = array;
    if (e)
      for (const Name part : e->name.parts) {
        holder = path;
        holder_array = inner_array;
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
    if (a.each && !holder_array)
      in.breach(a.place, fmt::format("each has no meaning here: {} is no array", holder), "remove `each`", {},
                "`each` stands in this library where there is no array; it is passed over");
    if (inner && e && e->modification) check_each(in, *e->modification, inner, path, inner_array);
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

/// How many scalar variables of a connector there are.
struct VariableCounts {
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
bool count_variables(Instances& in, Class* object, ConnectorPrefix connector, Causality causality, VariableCounts& r) {
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
        if (!count_variables(in, e, p, k, r)) return false;
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
    VariableCounts r;
    const bool known = count_variables(in, object, ConnectorPrefix::none, Causality::none, r);
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
