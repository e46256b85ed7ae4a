// Component references: names with subscripts -> values, or the components they mean (MLS 3.6.1, 5.3, 10.5).

#include "compiler/elaborate/run_arrays.hpp"
#include "compiler/elaborate/function_code.hpp"
#include "compiler/elaborate/references.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "compiler/elaborate/elaboration.hpp"
#include "compiler/elaborate/values.hpp"
#include "compiler/expression/evaluate.hpp"
#include "compiler/instantiate/class.hpp"
#include "compiler/instantiate/component.hpp"
#include "compiler/instantiate/expand.hpp"
#include "compiler/instantiate/habits.hpp"
#include "compiler/instantiate/instances.hpp"
#include "compiler/instantiate/lookup.hpp"
#include "compiler/instantiate/modifier.hpp"

namespace mosim::compiler {

namespace {

struct Subscripts {
  /// For each dimension: the indices taken, from 1.
  std::vector<std::vector<std::int64_t>> taken;
  std::vector<bool> keeps;             // a slice keeps its dimension; one index removes it
  bool outside = false;                // for its type alone: some of them do not exist
  std::vector<Value> chosen;           // an index that the run alone knows; no element: it is in `taken`
};

std::optional<Subscripts> fixed_subscripts(Instances& in, const std::vector<std::int64_t>& dims,
                                           parser::List<parser::Subscript> subscripts, Place place,
                                           std::string_view name, const Environment& env, bool& dynamic,
                                           const std::vector<Type>* index_types = nullptr,
                                           const std::vector<std::optional<Value>>* found = nullptr) {
  Subscripts s;
  dynamic = false;
  if (subscripts.size() > dims.size()) {
    in.error(place, dims.empty() ? fmt::format("{} is a scalar and has no subscripts", name)
                                 : fmt::format("{} has {} dimensions, not {}", name, dims.size(), subscripts.size()));
    return {};
  }
  for (std::size_t d = 0; d < dims.size(); ++d) {
    std::vector<std::int64_t> all;
    s.chosen.emplace_back();
    if (d >= subscripts.size() || !subscripts[d].expression) {
      for (std::int64_t i = 1; i <= dims[d]; ++i) all.push_back(i);
      s.taken.push_back(std::move(all));
      s.keeps.push_back(true);
      continue;
    }
    Environment inner = env;
    inner.end_dims = &dims;
    inner.end_position = d;
    auto v = found ? (*found)[d] : elaborate(in, *subscripts[d].expression, inner);
    if (!v) return {};
    if (v->run) throw SizeOfRun();
    if (v->type.base == BaseType::real || v->type.base == BaseType::string || v->dims.size() > 1) {
      in.error(subscripts[d].place, "a subscript must be an Integer or a vector of Integers");
      return {};
    }
    // MLS 10.5: a dimension is indexed by its own type alone.
    const Type index_type = index_types && d < index_types->size() ? (*index_types)[d] : integer_type;
    if (index_types && v->type != index_type && !v->elements.empty()) {
      in.error(subscripts[d].place, fmt::format("dimension {} of {} is indexed by {}, not by {}", d + 1, name,
                                                type_name(in, index_type), type_name(in, v->type)),
               index_type.base == BaseType::integer ? "write Integer(...) around the value" : "name one of the type's values");
      return {};
    }
    for (Expr e : v->elements) {
      const Expr k = in.evaluated(e);
      if (k == Expr::none) {
        if (!v->scalar()) {
          if (note_need(in, e)) return {};
          in.error(subscripts[d].place, "a slice must be known before the run");
          return {};
        }
        dynamic = true;
        s.chosen.back() = *v;
        all.push_back(0);
        continue;
      }
      const auto& ex = in.model.expressions;
      const std::int64_t i = ex.op(k) == Op::integer ? ex.integer_value(k)
                             : ex.op(k) == Op::boolean ? ex.payload(k) + 1
                                                       : ex.payload(k);
      if ((i < 1 || i > dims[d]) && env.type_only) {
        s.outside = true;
        continue;
      }
      if ((i < 1 || i > dims[d]) && (env.untaken || env.open_way)) {
        in.elaboration.passed_over = true;
        return {};
      }
      if (i < 1 || i > dims[d]) {
        in.error(subscripts[d].place, fmt::format("the subscript {} of {} lies outside 1:{}", i, name, dims[d]));
        return {};
      }
      all.push_back(i);
    }
    s.taken.push_back(std::move(all));
    s.keeps.push_back(!v->scalar());
  }
  return s;
}

/// The row-major positions that subscripts take from an array, and the dimensions left.
std::vector<std::size_t> positions(const std::vector<std::int64_t>& dims, const Subscripts& s,
                                   std::vector<std::int64_t>& left) {
  std::vector<std::size_t> result{0};
  for (std::size_t d = 0; d < dims.size(); ++d) {
    std::vector<std::size_t> next;
    for (std::size_t p : result)
      for (std::int64_t i : s.taken[d])
        next.push_back(p * static_cast<std::size_t>(dims[d]) + static_cast<std::size_t>(i - 1));
    result = std::move(next);
    if (s.keeps[d]) left.push_back(static_cast<std::int64_t>(s.taken[d].size()));
  }
  return result;
}

/// The dimensions that subscripts leave of an array.
std::vector<std::int64_t> left_dims(const Subscripts& s) {
  std::vector<std::int64_t> left;
  for (std::size_t d = 0; d < s.taken.size(); ++d)
    if (s.keeps[d]) left.push_back(static_cast<std::int64_t>(s.taken[d].size()));
  return left;
}

/// Element k of a component of a basic type: a variable of the model, or the value of a constant in a package; none is an
/// error that has been said.
Expr component_element(Instances& in, Component* c, std::size_t k, Place place) {
  if (c->in_model) return in.model.expressions.variable(static_cast<VariableId>(index(c->first) + k), c->basic->base, place);
  const auto& value = binding_value(in, c);
  if (!value) {
    if (!c->modifier || !c->modifier->binding)
      in.error(place, fmt::format("the constant {} has no value", in.text(c->member->name)),
               "give it one where it is declared", {{c->member->place, "declared here"}});
    return Expr::none;
  }
  const Expr known = in.evaluated(value->elements[k]);
  if (known == Expr::none)
    in.error(place, fmt::format("the value of {} is not known before the run", in.text(c->member->name)), {},
             {{c->member->place, "declared here"}});
  return known;
}

bool component_elements(Instances& in, Component* c, Place place, std::vector<Expr>& out) {
  for (std::size_t k = 0; k < c->size(); ++k) {
    out.push_back(component_element(in, c, k, place));
    if (out.back() == Expr::none) return false;
  }
  return true;
}

std::optional<Value> enumeration_literals(Instances& in, EnumerationId id, Place place) {
  Value v;
  v.type = {BaseType::enumeration, id};
  const std::size_t n = in.model.enumerations[index(id)].literals.size();
  v.dims = {static_cast<std::int64_t>(n)};
  for (std::size_t k = 0; k < n; ++k)
    v.elements.push_back(in.model.expressions.enumeration(id, static_cast<std::uint32_t>(k + 1), place));
  return v;
}

/// The elements of rows (see as_row) that subscripts take, some of them known in the run alone. A row of whole numbers that follow each
/// other is taken as the number that it comes to.
Value taken_from_rows(Instances& in, const Value& v, const std::vector<std::int64_t>& dims, const Subscripts& s, Place place) {
  Value out = v;
  out.dims = left_dims(s);
  out.dims.insert(out.dims.end(), v.dims.begin() + static_cast<std::ptrdiff_t>(dims.size()), v.dims.end());
  if (v.record) {
    for (std::size_t m = 0; m < v.members.size(); ++m) out.members[m] = taken_from_rows(in, v.members[m], dims, s, place);
    return out;
  }
  auto& ex = in.model.expressions;
  out.elements.clear();
  const std::size_t rest = count(v.dims) / std::max<std::size_t>(count(dims), 1);
  std::vector<Expr> at{ex.integer(0)};   // rows before it
  for (std::size_t d = 0; d < dims.size(); ++d) {
    std::vector<Expr> next;
    const Expr size = ex.integer(dims[d]);
    for (Expr before : at) {
      const Expr scaled = ex.simplified(Op::multiply, BaseType::integer, {before, size}, place);
      const auto add = [&](Expr index) {
        const Expr offset = ex.simplified(Op::subtract, BaseType::integer, {index, ex.integer(1)}, place);
        next.push_back(ex.simplified(Op::add, BaseType::integer, {scaled, offset}, place));
      };
      if (s.chosen[d].elements.empty()) {
        for (std::int64_t i : s.taken[d]) add(ex.integer(i));
        continue;
      }
      const Value& i = s.chosen[d];
      add(i.type.base == BaseType::integer   ? i.only()
          : i.type.base == BaseType::boolean ? ex.make(Op::if_, BaseType::integer, {i.only(), ex.integer(2), ex.integer(1)}, place)
                                             : ex.make(Op::ordinal, BaseType::integer, {i.only()}, place));
    }
    at = std::move(next);
  }
  const Expr first = v.elements.front();
  for (Expr before : at)
    for (std::size_t r = 0; r < rest; ++r) {
      const Expr scaled = ex.simplified(Op::multiply, BaseType::integer, {before, ex.integer(static_cast<std::int64_t>(rest))}, place);
      if (ex.op(first) == Op::integer) {
        out.elements.push_back(ex.simplified(Op::add, BaseType::integer, {scaled, ex.integer(ex.integer_value(first) + static_cast<std::int64_t>(r))}, place));
        continue;
      }
      const Expr index = ex.simplified(Op::add, BaseType::integer, {scaled, ex.integer(static_cast<std::int64_t>(r) + 1)}, place);
      out.elements.push_back(ex.op(index) == Op::integer
                                 ? ex.local(static_cast<LocalId>(mosim::compiler::index(ex.local(first)) + static_cast<std::uint32_t>(ex.integer_value(index)) - 1), v.type.base, place)
                                 : ex.element(ex.local(first), index, static_cast<std::int64_t>(v.elements.size()), v.type.base, place));
    }
  return out;
}

/// Whole numbers that follow each other.
bool counts_up(const Expressions& ex, const Value& v) {
  if (v.record) return std::all_of(v.members.begin(), v.members.end(), [&](const Value& m) { return counts_up(ex, m); });
  for (std::size_t k = 0; k < v.elements.size(); ++k)
    if (v.elements[k] == Expr::none || ex.op(v.elements[k]) != Op::integer || ex.integer_value(v.elements[k]) != ex.integer_value(v.elements[0]) + std::int64_t(k)) return false;
  return true;
}

constexpr std::size_t few_elements = 8;   // chosen from one by one

/// a[i] where i is not known before the run: if i == 1 then a[1] elseif ... Other subscripts of it may be known.
std::optional<Value> dynamic_subscript(Instances& in, const Value& whole, Subscripts s, parser::List<parser::Subscript> subscripts, Place place,
                                       const Environment& env) {
  auto& ex = in.model.expressions;
  const auto& dims = whole.dims;
  std::vector<Value>& chosen = s.chosen;
  for (std::size_t d = 0; d < dims.size(); ++d) {
    if (chosen[d].elements.empty()) continue;
    Value* const i = &chosen[d];
    if (!i->scalar() || (i->type.base != BaseType::integer && i->type.base != BaseType::boolean &&
                         i->type.base != BaseType::enumeration)) {
      in.error(subscripts[d].place, "a subscript that is not known before the run must be a scalar Integer");
      return {};
    }
    if (dims[d] == 0) {
      in.error(place, "an empty array has no elements");
      return {};
    }
    if (i->type.base == BaseType::integer)
      i->elements.front() = ex.make(Op::within, BaseType::integer, {i->only(), ex.integer(dims[d])}, subscripts[d].place);
  }
  // As an element of a row, where there are rows: in code, and for long arrays of constants.
  const bool in_code = function_codes(in).current != nullptr;
  if (!env.shape_only && (in_code || count(dims) > few_elements)) {
    if (in_code && counts_up(ex, whole)) return taken_from_rows(in, whole, dims, s, place);
    if (const auto row = as_row(in, whole)) return taken_from_rows(in, *row, dims, s, place);
  }
  const auto index_value = [&](const Value& i, std::int64_t p) {
    if (i.type.base == BaseType::boolean) return ex.boolean(p == 2, place);
    if (i.type.base == BaseType::enumeration) return ex.enumeration(i.type.enumeration, static_cast<std::uint32_t>(p), place);
    return ex.integer(p, place);
  };
  const auto choose_from = [&](const auto& self, std::size_t d) -> Value {
    while (d < dims.size() && chosen[d].elements.empty()) ++d;
    if (d == dims.size()) {
      std::vector<std::int64_t> left;
      const auto taken = positions(dims, s, left);
      return gather(whole, taken, std::move(left));
    }
    const Value& i = chosen[d];
    const auto here = [&](std::int64_t p) { return ex.make(Op::equal, BaseType::boolean, {i.only(), index_value(i, p)}, place, true); };
    s.taken[d] = {dims[d]};
    Value v = self(self, d + 1);
    // The only element, and the subscript must be 1 all the same.
    if (dims[d] == 1 && i.type.base == BaseType::integer) v = choose(in, here(1), v, v, place);
    for (std::int64_t p = dims[d] - 1; p >= 1; --p) {
      s.taken[d] = {p};
      v = choose(in, here(p), self(self, d + 1), v, place);
    }
    return v;
  };
  return choose_from(choose_from, 0);
}

bool has_time(const Class& c) {
  using parser::ClassKind;
  if (!c.definition) return true;
  const ClassKind k = c.kind();
  return k == ClassKind::model || k == ClassKind::block || k == ClassKind::class_;
}

struct Start {
  Member* member = nullptr;
  bool outside = false;    // found in an enclosing class or through an import: a component must be constant
};

Start find_start(Instances& in, const parser::ComponentReference& r, const Environment& env) {
  const Name name = r.parts.front().name;
  if (r.global) return {find_member(in, &in.top, name), true};
  if (env.scope && env.scope != &in.top)
    if (Member* m = find_member(in, env.scope, name)) return {m, false};
  return {lookup(in, env.scope ? env.scope : &in.top, name), true};
}

/// A name bound by a loop, or a variable of a function: its value, with the elements and subscripts asked for.
std::optional<Value> local_value(Instances& in, const parser::ComponentReference& r, const Locals& l, const Environment& env) {
  auto v = select_parts(in, l.value, r, 0, env);
  if (v && !is_assigned(*v)) {
    if (env.shape_only) {   // any value has it
      for_each_leaf(*v, [&](Value& leaf) { leaf = placeholder(in, leaf, leaf.dims); });
      return v;
    }
    in.elaboration.without_value = true;
    in.error(r.place, fmt::format("{} is used before it has a value", spelled(in, r, r.parts.size() - 1)),
             "assign it first, or give it a value where it is declared");
    return {};
  }
  return v;
}

/// The component that a reference begins with, after the packages on the way to it; or, in `value`, an enumeration's
/// literal or the values of a type.
struct Found {
  Member* member = nullptr;
  std::size_t part = 0;
  std::optional<Value> value;
};

std::optional<Found> find_component(Instances& in, const parser::ComponentReference& r, const Environment& env,
                                    bool variables_only) {
  auto& ex = in.model.expressions;
  const parser::ReferencePart& first = r.parts.front();
  const Start start = find_start(in, r, env);
  Member* m = start.member;
  if (!m) {
    if (r.parts.size() == 1 && !variables_only)
      if (const ImportedLiteral l = imported_literal(in, env.scope, first.name); l.type)
        return Found{l.type, 0, scalar(*l.of->basic, ex.enumeration(l.of->basic->enumeration, l.number, r.place))};
    if (!import_of_nothing(in, env.scope, first.name))
      in.error(first.place, fmt::format("there is no variable {} here", in.text(first.name)),
               did_you_mean(in, env.scope, in.text(first.name)));
    return {};
  }
  std::size_t part = 0;
  bool outside = start.outside;
  while (m->is_class()) {
    Class* c = instantiate_class(in, m, nullptr, r.parts[part].place);
    if (!c || !expand(in, c)) return {};
    if (c->basic) {
      if (part + 1 == r.parts.size() && !variables_only) {
        if (c->basic->base == BaseType::enumeration)
          return Found{m, part, enumeration_literals(in, c->basic->enumeration, r.place)};
        if (c->basic->base == BaseType::boolean)
          return Found{m, part, Value{boolean_type, {2}, {ex.boolean(false, r.place), ex.boolean(true, r.place)}}};
      }
      if (part + 2 == r.parts.size() && c->basic->base == BaseType::enumeration && !variables_only) {
        const auto& literals = in.model.enumerations[index(c->basic->enumeration)].literals;
        const std::string_view name = in.text(r.parts[part + 1].name);
        if (const std::uint32_t number = in.literal_number(c->basic->enumeration, r.parts[part + 1].name))
          return Found{m, part, scalar(*c->basic, ex.enumeration(c->basic->enumeration, number, r.place))};
        std::vector<std::string_view> names;
        if (in.may_compare(literals.size())) names.assign(literals.begin(), literals.end());
        const std::string near = parser::nearest(name, names);
        in.error(r.parts[part + 1].place, fmt::format("{} has no literal {}", c->path, name),
                 near.empty() ? "" : fmt::format("did you mean {}?", near));
        return {};
      }
    }
    if (part + 1 == r.parts.size()) {
      in.error(r.place, fmt::format("{} is a class, not a variable", spelled(in, r, part)), {},
               {{m->place, "declared here"}});
      return {};
    }
    if (!r.parts[part].subscripts.empty()) {
      in.error(r.parts[part].place, fmt::format("{} is a class and has no subscripts", spelled(in, r, part)));
      return {};
    }
    ++part;
    m = find_inside(in, m, r.parts[part].name, r.parts[part].place, "element");
    if (!m) return {};
    outside = true;
  }
  if (outside && !m->outer && m->prefix.variability != parser::Variability::constant) {
    in.error(r.place,
             fmt::format("{} belongs to an enclosing class and is not constant: it cannot be used here",
                         in.text(m->name)),
             "only constants are visible from inside a class; hand the value in as a parameter",
             {{m->place, "declared here"}});
    return {};
  }
  if (m->broken) {
    in.error(r.place, fmt::format("{} was removed by `break`", in.text(m->name)), {}, {{m->place, "declared here"}});
    return {};
  }
  return Found{m, part, {}};
}

bool depends_on_itself(Instances& in, const parser::ComponentReference& r, std::size_t part) {
  if (!parser::has_errors(in.diagnostics)) in.error(r.place, fmt::format("{} depends on itself", spelled(in, r, part)));
  return false;
}

/// One step down: the element `name` of every object.
std::optional<std::vector<Component*>> step_down(Instances& in, const std::vector<Class*>& objects,
                                                 const parser::ComponentReference& r, std::size_t part, Place declared) {
  const parser::ReferencePart& p = r.parts[part];
  std::vector<Component*> next;
  for (Class* object : objects) {
    Member* inner = find_member(in, object, p.name);
    if (!inner || inner->is_class()) {
      std::vector<std::string_view> names;
      if (in.may_compare(object->members.size()))
        for (const Member* member : object->members) names.push_back(in.text(member->name));
      const std::string near = parser::nearest(in.text(p.name), names);
      in.error(p.place, fmt::format("{} has no element {}", spelled(in, r, part - 1), in.text(p.name)),
               near.empty() ? "" : fmt::format("did you mean {}?", near), {{declared, "declared here"}});
      return {};
    }
    if (inner->is_protected) {
      in.error(p.place, fmt::format("{} is protected in {}", in.text(inner->name), object->path), {},
               {{inner->place, "declared here"}});
      return {};
    }
    next.push_back(instantiate_component(in, inner));
  }
  return next;
}

/// Walks the components of a reference down to its last part. `dynamic` tells that the last part's subscripts are not
/// known before the run; the elements are then those without these subscripts, which are put into `chosen`.
std::optional<Resolved> walk(Instances& in, const parser::ComponentReference& r, const Found& found, const Environment& env,
                             bool removed_allowed, bool& dynamic, Subscripts* chosen = nullptr) {
  Resolved result;
  std::vector<Component*> here{instantiate_component(in, found.member)};
  bool nothing = false;
  dynamic = false;
  for (std::size_t part = found.part;; ++part) {
    Component* front = here.front();
    if (!front) {
      depends_on_itself(in, r, part);
      return {};
    }
    result.path.push_back(front);
    if (front->member->condition && !removed_allowed) {   // MLS 4.4.5
      in.error(r.place, fmt::format("{} has a condition: it can be connected and modified, but not used here", spelled(in, r, part)),
               front->is_connector ? "connect it to a connector without a condition, and use that one" : "declare it without the `if`",
               {{front->member->condition->place, "the condition"}});
      return {};
    }
    if (!removed_allowed && (front->absent || front->member->presence == Member::Presence::added)) {   // MLS 9.1.3
      if (front->absent)
        in.error(r.place, fmt::format("{} is not present: no connection uses this element of the expandable connector", spelled(in, r, part)),
                 "connect it to a component that sets it", {{front->member->place, "declared here"}});
      else
        in.error(r.place, fmt::format("{} is not declared in the expandable connector: it is there by a connection alone", spelled(in, r, part)),
                 "declare it there for it to be used here", {{front->member->place, "added here"}});
      return {};
    }
    if (front->removed) {
      result.removed = true;
      return result;
    }
    const parser::ReferencePart& p = r.parts[part];
    const std::string name = spelled(in, r, part);
    auto subscripts = fixed_subscripts(in, front->dims, p.subscripts, p.place, name, env, dynamic, &front->dim_types);
    if (!subscripts) return {};
    const bool last = part + 1 == r.parts.size();
    if (subscripts->outside) {
      result.outside = last && front->basic;
      in.elaboration.passed_over = in.elaboration.passed_over || !result.outside;
      result.last = front;
      const auto left = left_dims(*subscripts);
      result.dims.insert(result.dims.end(), left.begin(), left.end());
      return result.outside ? std::optional(result) : std::nullopt;
    }
    if (dynamic && (!last || here.size() != 1)) {
      in.unsupported(p.place, "a subscript that is not known before the run, on a component with elements of its own,");
      return {};
    }
    if (dynamic) {   // all of it
      bool none = false;
      if (chosen) *chosen = std::move(*subscripts);
      subscripts = fixed_subscripts(in, front->dims, {}, p.place, name, env, none);
    }
    std::vector<std::int64_t> left;
    const auto taken = positions(front->dims, *subscripts, left);
    result.dims.insert(result.dims.end(), left.begin(), left.end());
    if (last) {
      for (Component* c : here) {
        if (!c || c->dims != front->dims) {
          in.error(r.place, fmt::format("the elements of {} have different sizes", name));
          return {};
        }
        if (!nothing)
          for (std::size_t k : taken) result.elements.push_back({c, k});
      }
      result.last = front;
      return result;
    }
    if (front->basic) {
      in.error(r.parts[part + 1].place, fmt::format("{} is {} and has no elements", name, with_article(type_name(in, *front->basic))),
               member_instead(name, in.text(r.parts[part + 1].name)));
      return {};
    }
    std::vector<Class*> objects;
    for (Component* c : here)
      for (std::size_t k : taken) {
        if (!c || k >= c->elements.size()) return {};
        objects.push_back(c->elements[k]);
      }
    if (objects.empty() && env.type_only) {
      in.elaboration.passed_over = true;
      return {};
    }
    if (objects.empty() && !front->type) return {};
    if (objects.empty()) {   // of an empty array: one that is no part of the model tells the type and the sizes
      nothing = true;
      objects.push_back(front->type);
    }
    // An outer element is as wide as it is declared, whatever the inner one has besides (MLS 5.4).
    if (part == found.part && found.member->outer)
      if (Class* declared = type_of(in, found.member); declared && !declared->basic && !find_member(in, declared, r.parts[part + 1].name) &&
                                                       !(removed_allowed && declared->kind() == parser::ClassKind::expandable_connector)) {
        in.error(r.parts[part + 1].place, fmt::format("{} has no element {}: it is declared outer as {}", name, in.text(r.parts[part + 1].name), declared->path),
                 "declare the outer element with the class of the inner one", {{found.member->place, "declared here"}});
        return {};
      }
    auto next = step_down(in, objects, r, part + 1, front->member->place);
    if (!next) return {};
    here = std::move(*next);
  }
}

std::optional<Value> object_value(Instances& in, Class* object, Place place);

/// An array of records of a size `dims` that leaves no room for any.
std::optional<Value> empty_records(Instances& in, Class* record, const std::vector<std::int64_t>& dims) {
  Value v{real_type, dims, {}, record, {}, nullptr, {}};
  for (Member* m : record_elements(in, record)) {
    Component* c = instantiate_component(in, m);
    if (!c || (!c->basic && !c->type)) return {};
    std::vector<std::int64_t> all = dims;
    all.insert(all.end(), c->dims.begin(), c->dims.end());
    auto part = c->basic ? std::optional(Value{*c->basic, all, {}}) : empty_records(in, c->type, all);
    if (!part) return {};
    v.members.push_back(std::move(*part));
  }
  return v;
}

/// Element k of a component.
std::optional<Value> element_value(Instances& in, Component* c, std::size_t k, Place place) {
  if (c->basic) {
    const Expr element = component_element(in, c, k, place);
    if (element == Expr::none) return {};
    return scalar(*c->basic, element);
  }
  return object_value(in, c->elements[k], place);
}

std::optional<Value> object_value(Instances& in, Class* object, Place place) {
  Value v{real_type, {}, {}, object, {}, nullptr, {}};
  for (Member* m : record_elements(in, object)) {
    Component* c = instantiate_component(in, m);
    auto part = c ? component_value(in, c, place) : std::nullopt;
    if (!part) return {};
    v.members.push_back(std::move(*part));
  }
  return v;
}

std::optional<Value> value_of(Instances& in, const Resolved& r, const parser::ComponentReference& syntax) {
  if (r.outside) return placeholder(in, Value{*r.last->basic, {}, {}}, r.dims);
  if (r.last->basic) {
    Value v{*r.last->basic, r.dims, {}};
    for (const Resolved::Element& e : r.elements) {
      v.elements.push_back(component_element(in, e.component, e.index, syntax.place));
      if (v.elements.back() == Expr::none) return {};
    }
    return v;
  }
  if (!r.last->type) return {};
  const auto kind = r.last->type->kind();
  if (!is_record_class(r.last->type) && kind != parser::ClassKind::connector && kind != parser::ClassKind::class_) {
    in.error(syntax.place, fmt::format("{} is {} and has no value as a whole", spelled(in, syntax, syntax.parts.size() - 1),
                                       with_article(kind_name(kind))),
             "name one of its variables", {{r.last->member->place, "declared here"}});
    return {};
  }
  if (!is_record_class(r.last->type)) {
    in.unsupported(syntax.place, fmt::format("the value of a whole {} ({} is of type {})", kind_name(kind),
                                             spelled(in, syntax, syntax.parts.size() - 1), r.last->type->path));
    return {};
  }
  std::vector<Value> parts;
  for (const Resolved::Element& e : r.elements) {
    auto part = element_value(in, e.component, e.index, syntax.place);
    if (!part) return {};
    parts.push_back(std::move(*part));
  }
  return parts.empty() ? empty_records(in, r.last->type, r.dims) : stack(parts, r.dims);
}

std::optional<Value> reference(Instances& in, const parser::ComponentReference& r, const Environment& env,
                               bool variables_only) {
  auto& ex = in.model.expressions;
  const parser::ReferencePart& first = r.parts.front();
  if (!r.global) {
    for (const Locals* l = env.locals; l; l = l->outer)
      if (l->name == first.name) {
        if (variables_only) {
          in.error(r.place, fmt::format("{} is an iterator and cannot be set", in.text(first.name)));
          return {};
        }
        return local_value(in, r, *l, env);
      }
    if (in.text(first.name) == "time" && r.parts.size() == 1 && first.subscripts.empty()) {
      if (env.scope && !has_time(*env.scope)) {   // MLS 3.6.7
        in.error(r.place, fmt::format("time is known in models and blocks alone, and {} is {}", env.scope->path,
                                      with_article(kind_name(env.scope->kind()))),
                 env.in_function ? "hand it in as an input" : "give the value where the component is declared");
        return {};
      }
      return scalar(real_type, ex.make(Op::time, BaseType::real, {}, r.place));
    }
  }
  const auto found = find_component(in, r, env, variables_only);
  if (!found) return {};
  if (found->value) return found->value;
  bool dynamic = false;
  Subscripts chosen;
  const auto resolved = walk(in, r, *found, env, false, dynamic, &chosen);
  if (!resolved) return {};
  if (dynamic && variables_only) {
    in.unsupported(r.place, "a subscript that is not known before the run, on a left side,");
    return {};
  }
  auto v = value_of(in, *resolved, r);
  if (!v || !dynamic) return v;
  return dynamic_subscript(in, *v, std::move(chosen), r.parts.back().subscripts, r.place, env);
}

}  // namespace

std::string spelled(Instances& in, const parser::ComponentReference& r, std::size_t upto) {
  std::string text;
  for (std::size_t i = 0; i <= upto; ++i) text += (i ? "." : "") + std::string(in.text(r.parts[i].name));
  return text;
}

std::optional<Value> component_value(Instances& in, Component* c, Place place) {
  if (!c->basic && !c->type) return {};
  if (c->basic) {
    Value whole{*c->basic, c->dims, {}};
    if (!component_elements(in, c, place, whole.elements)) return {};
    return whole;
  }
  std::vector<Value> parts;
  for (std::size_t k = 0; k < c->size(); ++k) {
    auto part = element_value(in, c, k, place);
    if (!part) return {};
    parts.push_back(std::move(*part));
  }
  return parts.empty() ? empty_records(in, c->type, c->dims) : stack(parts, c->dims);
}

std::optional<Value> elaborate_name(Instances& in, const parser::ComponentReference& r, const Environment& env) {
  return reference(in, r, env, false);
}

std::optional<Resolved> resolve(Instances& in, const parser::ComponentReference& r, const Environment& env) {
  const auto found = find_component(in, r, env, true);
  if (!found) return {};
  bool dynamic = false;
  auto resolved = walk(in, r, *found, env, true, dynamic);
  if (resolved && dynamic) {
    in.error(r.place, "the subscripts of a connector must be known before the run", "use only constants and parameters in them");
    return {};
  }
  return resolved;
}

std::optional<Value> select_parts(Instances& in, const Value& whole, const parser::ComponentReference& r, std::size_t part,
                                  const Environment& env) {
  Value v = whole;
  std::size_t leading = 0;   // dimensions of the arrays passed: later subscripts are of those behind them
  for (std::size_t p = part;; ++p) {
    const auto subscripts = r.parts[p].subscripts;
    if (!subscripts.empty()) {
      if (leading == 0) {
        auto taken = subscript(in, v, subscripts, r.place, env);
        if (!taken) return {};
        v = std::move(*taken);
      } else {
        const std::vector<std::int64_t> own(v.dims.begin() + static_cast<std::ptrdiff_t>(leading), v.dims.end());
        bool dynamic = false;
        const auto s = fixed_subscripts(in, own, subscripts, r.parts[p].place, spelled(in, r, p), env, dynamic);
        if (!s) return {};
        if (s->outside) {
          in.elaboration.passed_over = true;
          return {};
        }
        if (dynamic) {
          in.unsupported(r.parts[p].place, "a subscript that is not known before the run, behind an array of records,");
          return {};
        }
        std::vector<std::int64_t> left(v.dims.begin(), v.dims.begin() + static_cast<std::ptrdiff_t>(leading));
        const std::size_t rows = count(left), stride = count(own);
        const auto inner = positions(own, *s, left);
        std::vector<std::size_t> all;
        for (std::size_t row = 0; row < rows; ++row)
          for (std::size_t k : inner) all.push_back(row * stride + k);
        v = gather(v, all, left);
      }
    }
    if (p + 1 == r.parts.size()) return v;
    const Name next = r.parts[p + 1].name;
    const auto i = v.record ? record_position(in, v.record, next) : std::nullopt;
    if (!i) {
      in.error(r.parts[p + 1].place, fmt::format("{} is {} and has no element {}", spelled(in, r, p), type_name(in, v), in.text(next)));
      return {};
    }
    leading = v.dims.size();
    Value member = std::move(v.members[*i]);
    v = std::move(member);
  }
}

std::optional<Value> elaborate_reference(Instances& in, const parser::ComponentReference& r, const Environment& env) {
  for (const Locals* l = r.global ? nullptr : env.locals; l; l = l->outer)
    if (l->name == r.parts.front().name) {
      in.error(r.place, fmt::format("{} is the index of a for loop and cannot be set", in.text(l->name)), "the loop gives it its values");
      return {};
    }
  auto v = reference(in, r, env, true);
  if (!v) return v;
  std::vector<Expr> leaves;
  append_leaves(*v, leaves);
  for (Expr e : leaves)
    if (in.model.expressions.op(e) != Op::variable) {
      in.error(r.place, "this is a constant, not a variable of the model");
      return {};
    }
  return v;
}

namespace {

/// The sizes of an array, of a record those that its members have in common.
std::vector<Expr> extents_of_leading(Instances& in, const Value& v) {
  if (!v.record) return extents_of(in, v);
  std::vector<Expr> extents;
  if (!v.members.empty()) extents = extents_of_leading(in, v.members.front());
  extents.resize(v.dims.size(), Expr::none);
  return extents;
}

}  // namespace

std::optional<Value> subscript(Instances& in, const Value& v, parser::List<parser::Subscript> subscripts, Place place,
                               const Environment& env) {
  bool dynamic = false;
  std::vector<std::optional<Value>> found;
  if (run_code(in)) {
    bool of_run = is_of_run(v);
    if (subscripts.size() > v.dims.size()) {
      in.error(place, fmt::format("this array has {} dimensions, not {}", v.dims.size(), subscripts.size()));
      return {};
    }
    const auto extents = extents_of_leading(in, v);
    for (std::size_t d = 0; d < subscripts.size(); ++d) {
      found.emplace_back();
      if (!subscripts[d].expression) continue;
      Environment inner = env;
      inner.end_dims = &v.dims;
      inner.end_extents = &extents;
      inner.end_position = d;
      found.back() = elaborate(in, *subscripts[d].expression, inner);
      if (!found.back()) return {};
      const Value& i = *found.back();
      of_run = of_run || i.run || std::any_of(i.elements.begin(), i.elements.end(), [&](Expr e) { return !i.scalar() && in.evaluated(e) == Expr::none; });
    }
    if (of_run) {
      for (std::size_t d = 0; d < found.size(); ++d)
        if (found[d] && (found[d]->type != integer_type || found[d]->dims.size() > 1)) {
          in.error(subscripts[d].place, "a subscript must be an Integer or a vector of Integers");
          return {};
        }
      return run_subscript(in, v, found, place);
    }
  }
  const auto s = fixed_subscripts(in, v.dims, subscripts, place, "this array", env, dynamic, nullptr, found.empty() ? nullptr : &found);
  if (!s) return {};
  if (s->outside) return placeholder(in, v, left_dims(*s));
  if (dynamic) return dynamic_subscript(in, v, *s, subscripts, place, env);
  std::vector<std::int64_t> left;
  const auto taken = positions(v.dims, *s, left);
  return gather(v, taken, std::move(left));
}

}  // namespace mosim::compiler
