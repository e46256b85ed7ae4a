// Component references: names with subscripts -> values, or the components they mean (MLS 3.6.1, 5.3, 10.5).

#include "compiler/elaborate/run_arrays.hpp"
#include "compiler/elaborate/function_code.hpp"
#include "compiler/elaborate/references.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "compiler/elaborate/elaboration.hpp"
#include "compiler/elaborate/subscripts.hpp"
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
  auto v = select_parts(in, l.value(), r, 0, env);
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
        for (const std::size_t p : {part, part + 1})
          if (!r.parts[p].subscripts.empty()) {
            in.error(r.parts[p].place, fmt::format("{} is {} and has no subscripts", spelled(in, r, p), p == part ? "a type" : "a literal of an enumeration"));
            return {};
          }
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
    in.error(r.place, fmt::format("{} was taken out by `break`", in.text(m->name)), {}, {{m->place, "declared here"}});
    return {};
  }
  return Found{m, part, {}};
}

bool depends_on_itself(Instances& in, const parser::ComponentReference& r, std::size_t part) {
  if (!parser::has_errors(in.diagnostics)) in.error(r.place, fmt::format("{} depends on itself", spelled(in, r, part)));
  return false;
}

using Components = boost::container::small_vector<Component*, 4>;

/// One step down: the element `name` of every object.
std::optional<Components> step_down(Instances& in, std::span<Class* const> objects,
                                                 const parser::ComponentReference& r, std::size_t part, Place declared) {
  const parser::ReferencePart& p = r.parts[part];
  Components next;
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

/// Walks the components of a reference down to its last part. `dynamic` tells that subscripts on the way are not known before the run; the
/// elements are then those without these subscripts, which are put into `chosen`, by the dimensions of the result.
std::optional<Resolved> walk(Instances& in, const parser::ComponentReference& r, const Found& found, const Environment& env,
                             bool removed_allowed, bool& dynamic, Subscripts* chosen = nullptr) {
  Resolved result;
  Components here{instantiate_component(in, found.member)};
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
      std::string cause = fmt::format("{} has a condition: it can be connected and modified, but not used here", spelled(in, r, part));
      const char* remedy = front->is_connector ? "connect it to a connector without a condition, and use that one" : "declare it without the `if`";
      std::vector<parser::Note> notes{{front->member->condition->place, "the condition"}};
      if (front->removed || !in.is_lenient(r.place)) {
        in.error(r.place, std::move(cause), remedy, std::move(notes));
        return {};
      }
      in.breach(r.place, std::move(cause), remedy, std::move(notes), fmt::format("this library uses {}, which has a condition; it holds here", spelled(in, r, part)));
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
    bool dynamic_here = false;
    auto subscripts = fixed_subscripts(in, front->dims, p.subscripts, p.place, name, env, dynamic_here, &front->dim_types);
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
    std::optional<Subscripts> open;
    if (dynamic_here) {   // all of it
      dynamic = true;
      bool none = false;
      open = std::exchange(subscripts, fixed_subscripts(in, front->dims, {}, p.place, name, env, none));
    }
    std::vector<std::int64_t> left;
    const auto taken = positions(front->dims, *subscripts, left);
    if (chosen)
      for (std::size_t d = 0; d < left.size(); ++d) {
        chosen->keeps.push_back(!open || open->keeps[d]);
        chosen->chosen.push_back(open ? std::move(open->chosen[d]) : Value{});
        chosen->places.push_back(open ? open->places[d] : p.place);
        chosen->taken.emplace_back();
        if (open)
          chosen->taken.back() = std::move(open->taken[d]);
        else
          for (std::int64_t i = 1; i <= left[d]; ++i) chosen->taken.back().push_back(i);
      }
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
    boost::container::small_vector<Class*, 4> objects;
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
    auto next = step_down(in, {objects.data(), objects.size()}, r, part + 1, front->member->place);
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
                 env.function ? "hand it in as an input" : "give the value where the component is declared");
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
  return dynamic_subscript(in, *v, std::move(chosen), r.place, env);
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

}  // namespace mosim::compiler
