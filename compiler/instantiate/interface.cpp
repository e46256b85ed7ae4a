#include "compiler/instantiate/interface.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "compiler/instantiate/class.hpp"
#include "compiler/instantiate/evaluation.hpp"
#include "compiler/instantiate/expand.hpp"
#include "compiler/instantiate/instances.hpp"
#include "compiler/instantiate/lookup.hpp"
#include "compiler/instantiate/modifier.hpp"
#include "compiler/instantiate/value.hpp"

namespace mosim::compiler {

namespace {

using parser::ClassKind;

/// Classes of one group may stand for each other (MLS 6.4, the last items). A plain `class` fits everywhere.
enum class Group { any, model, record_or_type, connector, package, function, operator_ };

Group group(const Class* c) {
  if (c->basic) return Group::record_or_type;
  switch (c->kind()) {
    case ClassKind::class_: return Group::any;
    case ClassKind::model:
    case ClassKind::block: return Group::model;
    case ClassKind::record:
    case ClassKind::operator_record:
    case ClassKind::type: return Group::record_or_type;
    case ClassKind::connector:
    case ClassKind::expandable_connector: return Group::connector;
    case ClassKind::package: return Group::package;
    case ClassKind::function:
    case ClassKind::operator_function: return Group::function;
    case ClassKind::operator_: return Group::operator_;
  }
  return Group::any;
}

/// Connectors may be simple types: `connector RealInput = input Real`.
bool groups_fit(const Class* a, const Class* b) {
  const Group x = group(a), y = group(b);
  return x == y || x == Group::any || y == Group::any ||
         (a->basic && b->basic) /* one builtin type, or a message about the types */;
}

int variability_rank(parser::Variability v, const Class* type) {
  switch (v) {
    case parser::Variability::constant: return 0;
    case parser::Variability::parameter: return 1;
    case parser::Variability::discrete: return 2;
    case parser::Variability::none: break;
  }
  return type && type->basic && type->basic->base != BaseType::real ? 2 : 3;
}

class Comparison {
public:
  explicit Comparison(Instances& in) : in_(in) {}

  std::optional<Incompatibility> classes(Class* a, Class* b, Compatibility kind);
  std::optional<Incompatibility> component(Member* a, Member* b, Compatibility kind);

private:
  std::optional<Incompatibility> types(const Class* a, const Class* b);
  std::optional<Incompatibility> functions(Class* a, Class* b);
  std::optional<Incompatibility> additional(Class* a, Class* b);
  std::string name(const Member* m) const { return std::string(in_.text(m->name)); }

  Instances& in_;
  std::set<std::pair<const Class*, const Class*>> under_way_;
};

bool public_component(const Member* m) { return !m->is_class() && !m->is_protected && !m->broken; }

std::optional<Incompatibility> Comparison::types(const Class* a, const Class* b) {
  if (!a->basic || !b->basic)
    return Incompatibility{fmt::format("one is a predefined type, {}, the other is not", type_name(in_, *(a->basic ? a : b)->basic)), {}};
  if (same_type(in_, *a->basic, *b->basic)) return {};
  return Incompatibility{fmt::format("{} is not {}", type_name(in_, *a->basic), type_name(in_, *b->basic)), {}};
}

std::optional<Incompatibility> Comparison::component(Member* a, Member* b, Compatibility kind) {
  std::vector<std::int64_t> dims_a, dims_b;
  Class* type_a = type_of(in_, a, &dims_a);
  Class* type_b = type_of(in_, b, &dims_b);
  if (!type_a || !type_b) return {};   // said elsewhere
  const auto fail = [&](std::string reason) { return Incompatibility{std::move(reason), a->place}; };
  const std::size_t count_a = dims_a.size() + a->sized_clause->subscripts.size() + a->sized_declaration->subscripts.size();
  const std::size_t count_b = dims_b.size() + b->sized_clause->subscripts.size() + b->sized_declaration->subscripts.size();
  if (count_a != count_b)
    return fail(fmt::format("{} has {} array dimensions where {} are expected", name(a), count_a, count_b));
  if (a->prefix.connector != b->prefix.connector) return fail(fmt::format("{} differs in its prefix flow or stream", name(a)));
  if (a->prefix.causality != b->prefix.causality) return fail(fmt::format("{} differs in its prefix input or output", name(a)));
  if (variability_rank(a->prefix.variability, type_a) > variability_rank(b->prefix.variability, type_b))
    return fail(fmt::format("{} may vary more than expected (constant < parameter < discrete < continuous)", name(a)));
  if ((a->condition != nullptr) != (b->condition != nullptr))
    return fail(fmt::format("{} is conditional in one of them alone", name(a)));
  auto inner = classes(type_a, type_b, kind);
  if (inner) {
    inner->reason = fmt::format("{}: {}", name(a), inner->reason);
    if (!inner->place) inner->place = a->place;
  }
  return inner;
}

/// Inputs and outputs by order, with defaults for what is new (MLS 6.6).
std::optional<Incompatibility> Comparison::functions(Class* a, Class* b) {
  for (const auto causality : {parser::Causality::input, parser::Causality::output}) {
    std::vector<Member*> of_a, of_b;
    for (Member* m : a->members)
      if (public_component(m) && m->prefix.causality == causality) of_a.push_back(m);
    for (Member* m : b->members)
      if (public_component(m) && m->prefix.causality == causality) of_b.push_back(m);
    const char* what = causality == parser::Causality::input ? "input" : "output";
    for (std::size_t i = 0; i < of_b.size(); ++i)
      if (i >= of_a.size() || of_a[i]->name != of_b[i]->name)
        return Incompatibility{fmt::format("its {} number {} is not {}", what, i + 1, name(of_b[i])), of_b[i]->place};
    if (causality == parser::Causality::output) continue;
    for (std::size_t i = 0; i < of_a.size(); ++i) {
      const bool has = of_a[i]->modifier && of_a[i]->modifier->binding;
      const bool needs = i >= of_b.size() || (of_b[i]->modifier && of_b[i]->modifier->binding);
      if (needs && !has)
        return Incompatibility{fmt::format("its input {} needs a default value", name(of_a[i])), of_a[i]->place, true};
    }
  }
  return {};
}

/// What `a` has in addition must work without being connected or set (MLS 6.5).
std::optional<Incompatibility> Comparison::additional(Class* a, Class* b) {
  for (Member* m : a->members) {
    if (!public_component(m) || find_member(in_, b, m->name)) continue;
    Class* type = type_of(in_, m);
    if (!type) continue;
    const bool connector = type->kind() == ClassKind::connector || type->kind() == ClassKind::expandable_connector;
    const bool bound = m->modifier && m->modifier->binding;
    if (type->kind() == ClassKind::expandable_connector)
      return Incompatibility{fmt::format("it adds the expandable connector {}, which nothing can connect", name(m)), m->place};
    if (m->prefix.causality == parser::Causality::input && !bound)
      return Incompatibility{fmt::format("it adds the input {}, which nothing would set", name(m)), m->place};
    if (!connector && type->basic && !bound &&
        (m->prefix.variability == parser::Variability::parameter || m->prefix.variability == parser::Variability::constant) &&
        !(m->modifier && m->modifier->child(in_.name("start"))))
      return Incompatibility{fmt::format("it adds the parameter {}, which has no value", name(m)), m->place};
  }
  return {};
}

std::optional<Incompatibility> Comparison::classes(Class* a, Class* b, Compatibility kind) {
  if (!expand(in_, a) || !expand(in_, b)) return {};
  if (a == b || (a->definition && a->definition == b->definition)) return {};
  if (a->basic || b->basic) return types(a, b);
  if (!groups_fit(a, b))
    return Incompatibility{fmt::format("a {} cannot stand for a {}", kind_name(a->kind()), kind_name(b->kind())), {}};
  if (b->kind() == ClassKind::operator_record || a->kind() == ClassKind::operator_record)
    return Incompatibility{"an operator record is compatible with itself alone", {}};
  if (!under_way_.insert({a, b}).second) return {};
  for (Member* mb : b->members) {
    if (mb->is_protected || mb->broken) continue;
    Member* ma = find_member(in_, a, mb->name);
    if (!ma) return Incompatibility{fmt::format("it has no element {}", name(mb)), mb->place};
    if (ma->is_protected) return Incompatibility{fmt::format("its element {} is protected", name(mb)), ma->place};
    if (ma->is_class() != mb->is_class())
      return Incompatibility{fmt::format("{} is a class in one and a component in the other", name(mb)), ma->place};
    if (ma == mb) continue;
    if (!mb->is_class()) {
      if (auto found = component(ma, mb, Compatibility::plug)) return found;
    } else if (ma->definition != mb->definition) {
      Class* ca = instantiate_class(in_, ma, nullptr, ma->place);
      Class* cb = instantiate_class(in_, mb, nullptr, mb->place);
      if (!ca || !cb) continue;
      if (auto found = classes(ca, cb, Compatibility::plug)) {
        found->reason = fmt::format("{}: {}", name(mb), found->reason);
        return found;
      }
    }
  }
  if (group(b) == Group::function && group(a) == Group::function) return functions(a, b);
  if (kind == Compatibility::plug && group(a) == Group::model) return additional(a, b);
  return {};
}

}  // namespace

std::optional<Incompatibility> incompatibility(Instances& in, Class* a, Class* b, Compatibility kind) {
  const Quietly quietly(in);
  return Comparison(in).classes(a, b, kind);
}

std::optional<Incompatibility> inner_incompatibility(Instances& in, Member* inner, Member* outer) {
  const Quietly quietly(in);
  Comparison comparison(in);
  if (inner->is_class() != outer->is_class()) return Incompatibility{"one is a class, the other a component", {}};
  if (inner->is_class()) {
    Class* a = instantiate_class(in, inner, nullptr, inner->place);
    Class* b = instantiate_class(in, outer, nullptr, outer->place);
    return a && b ? comparison.classes(a, b, Compatibility::subtype) : std::nullopt;
  }
  std::vector<std::int64_t> dims_a, dims_b;
  Class* a = type_of(in, inner, &dims_a);
  Class* b = type_of(in, outer, &dims_b);
  if (!a || !b) return {};
  const auto all = [&](Member* m, std::vector<std::int64_t>& dims) {
    for (const auto& list : {m->sized_clause->subscripts, m->sized_declaration->subscripts}) {
      const auto more = dimensions_in(in, list, m->sized_scope);
      if (more) dims.insert(dims.begin(), more->begin(), more->end());
    }
  };
  all(inner, dims_a);
  all(outer, dims_b);
  if (dims_a.size() != dims_b.size())
    return Incompatibility{fmt::format("it has {} array dimensions where the outer element has {}", dims_a.size(), dims_b.size()), {}};
  for (std::size_t d = 0; d < dims_a.size(); ++d)
    if (dims_a[d] >= 0 && dims_b[d] >= 0 && dims_a[d] != dims_b[d])
      return Incompatibility{fmt::format("its array dimension {} is {} where the outer element has {}", d + 1, dims_a[d], dims_b[d]), {}};
  if (auto found = comparison.classes(a, b, Compatibility::subtype)) return found;
  if (variability_rank(inner->prefix.variability, a) > variability_rank(outer->prefix.variability, b))
    return Incompatibility{"it may vary more than the outer element (constant < parameter < discrete < continuous)", {}};
  return {};
}

}  // namespace mosim::compiler
