// Expressions: syntax -> typed, shaped values (MLS 3, 6, 10).

#include "compiler/elaborate/elaborate.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "compiler/expression/evaluate.hpp"

namespace mosim::compiler {

std::size_t count(const std::vector<std::int64_t>& dims) {
  std::size_t n = 1;
  for (std::int64_t d : dims) n *= static_cast<std::size_t>(d);
  return n;
}

std::string type_name(Instances& in, Type type) {
  switch (type.base) {
    case BaseType::real: return "Real";
    case BaseType::integer: return "Integer";
    case BaseType::boolean: return "Boolean";
    case BaseType::string: return "String";
    case BaseType::clock: return "Clock";
    case BaseType::enumeration: return in.model.enumerations[index(type.enumeration)].name;
  }
  return "?";
}

std::string shape_text(const std::vector<std::int64_t>& dims) {
  if (dims.empty()) return "";
  std::string text = "[";
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (i) text += ",";
    text += dims[i] < 0 ? ":" : std::to_string(dims[i]);
  }
  return text + "]";
}

bool convert(Instances& in, Value& value, Type type, Place place, std::string_view what) {
  if (value.type == type) return true;
  if (value.type.base == BaseType::integer && type.base == BaseType::real) {
    // A literal becomes a Real literal; the value of anything else is the same number.
    for (Expr& e : value.elements)
      if (in.model.expressions.op(e) == Op::integer)
        e = in.model.expressions.real(double(in.model.expressions.integer_value(e)), in.model.expressions.place(e));
    value.type = type;
    return true;
  }
  if (value.elements.empty() && is_numeric(value.type)) {
    value.type = type;   // {} has any type
    return true;
  }
  std::string remedy;
  if (value.type.base == BaseType::real && type.base == BaseType::integer)
    remedy = "round it with integer(...), which is an event, or declare the variable Real";
  else if (value.type.base == BaseType::boolean && is_numeric(type))
    remedy = "write `if ... then 1 else 0`";
  else if (is_numeric(value.type) && type.base == BaseType::boolean)
    remedy = "compare it with something";
  else if (value.type.base == BaseType::enumeration && type.base == BaseType::integer)
    remedy = "write Integer(...) around it";
  in.error(place, fmt::format("{} must be {} but is {}", what, type_name(in, type), type_name(in, value.type)), remedy);
  return false;
}

bool unify(Instances& in, Value& a, Value& b, Place place, std::string_view what) {
  if (a.type == b.type) return true;
  if (is_numeric(a.type) && is_numeric(b.type)) {
    convert(in, a, real_type, place, what);
    convert(in, b, real_type, place, what);
    return true;
  }
  in.error(place, fmt::format("{} needs operands of one type, not {} and {}", what, type_name(in, a.type),
                              type_name(in, b.type)));
  return false;
}

std::optional<std::int64_t> known_integer(Instances& in, const Value& v, Place place, std::string_view what) {
  if (!v.scalar() || v.type.base != BaseType::integer) {
    in.error(place, fmt::format("{} must be an Integer", what));
    return {};
  }
  const Expr e = in.evaluated(v.only());
  if (e == Expr::none || in.model.expressions.op(e) != Op::integer) {
    in.error(place, fmt::format("{} must be known before the run", what),
             "use only constants and parameters with values in it");
    return {};
  }
  return in.model.expressions.integer_value(e);
}

// ---- references -------------------------------------------------------------------------------------------------------

namespace {

/// Where a component reference has arrived: one component for each element of the arrays passed on the way.
struct Position {
  std::vector<std::int64_t> dims;      // of the arrays passed, slices applied
  std::vector<Class*> objects;         // row-major over dims
};

struct Subscripts {
  /// For each dimension: the indices taken, from 1.
  std::vector<std::vector<std::int64_t>> taken;
  std::vector<bool> keeps;             // a slice keeps its dimension; one index removes it
};

std::optional<Subscripts> fixed_subscripts(Instances& in, const std::vector<std::int64_t>& dims,
                                           parser::List<parser::Subscript> subscripts, Place place,
                                           std::string_view name, const Environment& env, bool& dynamic,
                                           const std::vector<Type>* index_types = nullptr) {
  Subscripts s;
  dynamic = false;
  if (subscripts.size() > dims.size()) {
    in.error(place, dims.empty() ? fmt::format("{} is a scalar and has no subscripts", name)
                                 : fmt::format("{} has {} dimensions, not {}", name, dims.size(), subscripts.size()));
    return {};
  }
  for (std::size_t d = 0; d < dims.size(); ++d) {
    std::vector<std::int64_t> all;
    if (d >= subscripts.size() || !subscripts[d].expression) {
      for (std::int64_t i = 1; i <= dims[d]; ++i) all.push_back(i);
      s.taken.push_back(std::move(all));
      s.keeps.push_back(true);
      continue;
    }
    Environment inner = env;
    inner.end_dims = &dims;
    inner.end_position = d;
    const auto v = elaborate(in, *subscripts[d].expression, inner);
    if (!v) return {};
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
          in.error(subscripts[d].place, "a slice must be known before the run");
          return {};
        }
        dynamic = true;
        return Subscripts{};
      }
      const auto& ex = in.model.expressions;
      const std::int64_t i = ex.op(k) == Op::integer ? ex.integer_value(k)
                             : ex.op(k) == Op::boolean ? ex.payload(k) + 1
                                                       : ex.payload(k);
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

/// Elements of a component as expressions: variables of the model, or the value of a constant in a package.
bool component_elements(Instances& in, Component* c, Place place, std::vector<Expr>& out) {
  auto& ex = in.model.expressions;
  if (c->in_model) {
    for (std::size_t k = 0; k < c->size(); ++k)
      out.push_back(ex.variable(static_cast<VariableId>(index(c->first) + k), c->basic->base, place));
    return true;
  }
  const auto& value = binding_value(in, c);
  if (!value) {
    if (!c->modifier || !c->modifier->binding)
      in.error(place, fmt::format("the constant {} has no value", in.text(c->member->name)),
               "give it one where it is declared", {{c->member->place, "declared here"}});
    return false;
  }
  for (Expr e : value->elements) {
    const Expr known = in.evaluated(e);
    if (known == Expr::none) {
      in.error(place, fmt::format("the value of {} is not known before the run", in.text(c->member->name)), {},
               {{c->member->place, "declared here"}});
      return false;
    }
    out.push_back(known);
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

/// a[i] where i is not known before the run: if i == 1 then a[1] elseif ...
std::optional<Value> dynamic_subscript(Instances& in, const Value& whole, parser::List<parser::Subscript> subscripts,
                                       Place place, const Environment& env) {
  auto& ex = in.model.expressions;
  Value v = whole;
  for (std::size_t d = 0; d < subscripts.size(); ++d) {
    // Subscripts are taken one by one, so the first dimension is always the one meant.
    if (!subscripts[d].expression) {
      in.error(place, "a slice and a subscript that is not known before the run cannot stand together");
      return {};
    }
    Environment inner = env;
    inner.end_dims = &whole.dims;
    inner.end_position = d;
    auto i = elaborate(in, *subscripts[d].expression, inner);
    if (!i) return {};
    if (!i->scalar() || i->type.base != BaseType::integer) {
      in.error(subscripts[d].place, "a subscript that is not known before the run must be a scalar Integer");
      return {};
    }
    const auto n = static_cast<std::size_t>(v.dims.front());
    if (n == 0) {
      in.error(place, "an empty array has no elements");
      return {};
    }
    const std::size_t stride = v.elements.size() / n;
    Value next{v.type, {v.dims.begin() + 1, v.dims.end()}, {}};
    for (std::size_t k = 0; k < stride; ++k) {
      Expr e = v.elements[(n - 1) * stride + k];
      for (std::size_t p = n - 1; p-- > 0;) {
        const Expr here = ex.make(Op::equal, BaseType::boolean,
                                  {i->only(), ex.integer(static_cast<std::int64_t>(p + 1), place)}, place, true);
        e = ex.make(Op::if_, v.type.base, {here, v.elements[p * stride + k], e}, place);
      }
      next.elements.push_back(e);
    }
    v = std::move(next);
  }
  return v;
}

std::string spelled(Instances& in, const parser::ComponentReference& r, std::size_t upto) {
  std::string text;
  for (std::size_t i = 0; i <= upto; ++i) text += (i ? "." : "") + std::string(in.text(r.parts[i].name));
  return text;
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

std::optional<Value> reference(Instances& in, const parser::ComponentReference& r, const Environment& env,
                               bool variables_only) {
  auto& ex = in.model.expressions;
  const parser::ReferencePart& first = r.parts.front();
  if (!r.global) {
    for (const Locals* l = env.locals; l; l = l->outer)
      if (l->name == first.name) {
        if (r.parts.size() > 1) {
          in.error(r.place, fmt::format("{} is an iterator and has no elements", in.text(first.name)));
          return {};
        }
        if (variables_only) {
          in.error(r.place, fmt::format("{} is an iterator and cannot be set", in.text(first.name)));
          return {};
        }
        if (!first.subscripts.empty()) return subscript(in, l->value, first.subscripts, r.place, env);
        return l->value;
      }
    if (in.text(first.name) == "time" && r.parts.size() == 1 && first.subscripts.empty()) {
      if (env.scope && !has_time(*env.scope)) {   // MLS 3.6.7
        in.error(r.place, fmt::format("time is known in models and blocks alone, and {} is a {}", env.scope->path,
                                      kind_name(env.scope->kind())),
                 env.in_function ? "hand it in as an input" : "give the value where the component is declared");
        return {};
      }
      return scalar(real_type, ex.make(Op::time, BaseType::real, {}, r.place));
    }
  }

  const Start start = find_start(in, r, env);
  Member* m = start.member;
  if (!m) {
    in.error(first.place, fmt::format("there is no variable {} here", in.text(first.name)),
             did_you_mean(in, env.scope, in.text(first.name)));
    return {};
  }

  // Classes first: packages on the way to a constant, or an enumeration's literal.
  std::size_t part = 0;
  bool outside = start.outside;
  while (m->is_class()) {
    Class* c = instantiate_class(in, m, nullptr, r.parts[part].place);
    if (!c || !expand(in, c)) return {};
    if (c->basic) {
      if (part + 1 == r.parts.size() && !variables_only) {
        if (c->basic->base == BaseType::enumeration) return enumeration_literals(in, c->basic->enumeration, r.place);
        if (c->basic->base == BaseType::boolean)
          return Value{boolean_type, {2}, {ex.boolean(false, r.place), ex.boolean(true, r.place)}};
      }
      if (part + 2 == r.parts.size() && c->basic->base == BaseType::enumeration && !variables_only) {
        const auto& literals = in.model.enumerations[index(c->basic->enumeration)].literals;
        const std::string_view name = in.text(r.parts[part + 1].name);
        for (std::size_t k = 0; k < literals.size(); ++k)
          if (literals[k] == name)
            return scalar(*c->basic, ex.enumeration(c->basic->enumeration, static_cast<std::uint32_t>(k + 1), r.place));
        std::vector<std::string_view> names(literals.begin(), literals.end());
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
    Member* next = find_inside(in, m, r.parts[part].name, r.parts[part].place, "element");
    if (!next) return {};
    m = next;
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

  // Components: all elements of the arrays on the way side by side.
  std::vector<Component*> here{instantiate_component(in, m)};
  std::vector<std::int64_t> dims;
  for (;; ++part) {
    Component* front = here.empty() ? nullptr : here.front();
    if (!front) {
      if (in.diagnostics.empty() || !parser::has_errors(in.diagnostics))
        in.error(r.place, fmt::format("{} depends on itself", spelled(in, r, part)));
      return {};
    }
    if (front->removed) {
      in.error(r.place, fmt::format("{} was removed by its condition", spelled(in, r, part)), {},
               {{front->member->place, "declared here"}});
      return {};
    }
    const parser::ReferencePart& p = r.parts[part];
    const std::string name = spelled(in, r, part);
    bool dynamic = false;
    const auto subscripts = fixed_subscripts(in, front->dims, p.subscripts, p.place, name, env, dynamic, &front->dim_types);
    if (!subscripts) return {};
    const bool last = part + 1 == r.parts.size();
    if (dynamic && (!last || here.size() != 1 || !front->basic)) {
      in.unsupported(p.place, "a subscript that is not known before the run, on a component with elements of its own,");
      return {};
    }
    if (last) {
      if (!front->basic) {
        if (!front->type) return {};
        in.unsupported(r.place, fmt::format("the value of a whole component ({} is of type {})", name, front->type->path));
        return {};
      }
      Value whole{*front->basic, {}, {}};
      if (dynamic) {
        if (variables_only) {
          in.unsupported(p.place, "a subscript that is not known before the run, on a left side,");
          return {};
        }
        whole.dims = front->dims;
        if (!component_elements(in, front, r.place, whole.elements)) return {};
        return dynamic_subscript(in, whole, p.subscripts, p.place, env);
      }
      std::vector<std::int64_t> left;
      const auto taken = positions(front->dims, *subscripts, left);
      whole.dims = dims;
      whole.dims.insert(whole.dims.end(), left.begin(), left.end());
      for (Component* c : here) {
        if (c->dims != front->dims) {
          in.error(r.place, fmt::format("the elements of {} have different sizes", name));
          return {};
        }
        std::vector<Expr> elements;
        if (!component_elements(in, c, r.place, elements)) return {};
        for (std::size_t k : taken) whole.elements.push_back(elements[k]);
      }
      return whole;
    }
    // One level down.
    if (front->basic) {
      in.error(r.parts[part + 1].place, fmt::format("{} is a {} and has no elements", name, type_name(in, *front->basic)));
      return {};
    }
    std::vector<std::int64_t> left;
    const auto taken = positions(front->dims, *subscripts, left);
    dims.insert(dims.end(), left.begin(), left.end());
    std::vector<Component*> next;
    for (Component* c : here)
      for (std::size_t k : taken) {
        if (k >= c->elements.size()) return {};
        Class* object = c->elements[k];
        Member* inner = find_member(in, object, r.parts[part + 1].name);
        if (!inner || inner->is_class()) {
          std::vector<std::string_view> names;
          for (const Member* member : object->members) names.push_back(in.text(member->name));
          const std::string near = parser::nearest(in.text(r.parts[part + 1].name), names);
          in.error(r.parts[part + 1].place, fmt::format("{} has no element {}", name, in.text(r.parts[part + 1].name)),
                   near.empty() ? "" : fmt::format("did you mean {}?", near), {{c->member->place, "declared here"}});
          return {};
        }
        if (inner->is_protected)
          in.error(r.parts[part + 1].place, fmt::format("{} is protected in {}", in.text(inner->name), object->path), {},
                   {{inner->place, "declared here"}});
        next.push_back(instantiate_component(in, inner));
      }
    if (next.empty()) {
      in.unsupported(r.place, "an element of an empty array of components");
      return {};
    }
    here = std::move(next);
  }
}

}  // namespace

std::optional<Value> elaborate_reference(Instances& in, const parser::ComponentReference& r, const Environment& env) {
  auto v = reference(in, r, env, true);
  if (!v) return v;
  for (Expr e : v->elements)
    if (in.model.expressions.op(e) != Op::variable) {
      in.error(r.place, "this is a constant, not a variable of the model");
      return {};
    }
  return v;
}

// ---- bindings -----------------------------------------------------------------------------------------------------------

namespace {

/// One element of a bound value, where the modifier was carried into an element of an array of components.
bool select(Instances& in, Value& v, const Binding& b) {
  if (b.indices.empty()) return true;
  if (v.dims.size() < b.indices.size()) {
    in.error(b.place, "this modifies every element of an array of components: its value must be an array too",
             "write `each` before the name, or give an array");
    return false;
  }
  for (std::size_t d = 0; d < b.indices.size(); ++d) {
    const std::int64_t i = b.indices[d];
    if (v.dims.front() != b.sizes[d]) {
      in.error(b.place, fmt::format("the value has size {}, the array of components {}", v.dims.front(), b.sizes[d]));
      return false;
    }
    const std::size_t stride = v.elements.size() / static_cast<std::size_t>(v.dims.front());
    v.elements.assign(v.elements.begin() + static_cast<std::ptrdiff_t>(stride * static_cast<std::size_t>(i - 1)),
                      v.elements.begin() + static_cast<std::ptrdiff_t>(stride * static_cast<std::size_t>(i)));
    v.dims.erase(v.dims.begin());
  }
  return true;
}

std::optional<Value> bound(Instances& in, const Binding& b) {
  if (!b.expression) return {};   // = break
  auto v = elaborate(in, *b.expression, Environment::of(b.scope));
  if (!v || !select(in, *v, b)) return {};
  return v;
}

/// Repeats a value over leading dimensions it does not have: an `each`, or a type's own modification.
bool spread(Value& v, const std::vector<std::int64_t>& dims) {
  if (v.dims.size() > dims.size() || !std::equal(v.dims.rbegin(), v.dims.rend(), dims.rbegin())) return false;
  const std::size_t n = count(dims);
  std::vector<Expr> elements;
  elements.reserve(n);
  while (elements.size() < n) elements.insert(elements.end(), v.elements.begin(), v.elements.end());
  v.elements = std::move(elements);
  v.dims = dims;
  return true;
}

}  // namespace

const std::optional<Value>& binding_value(Instances& in, Component* c) {
  if (c->binding_known) return c->binding;
  if (!c->modifier || !c->modifier->binding) {
    c->binding_known = true;
    return c->binding;
  }
  const Binding& b = *c->modifier->binding;
  if (c->busy) {
    in.error(c->member->place, fmt::format("the value of {} depends on itself", c->name),
             "break the cycle of declarations");
    c->binding_known = true;
    return c->binding;
  }
  c->busy = true;
  auto v = bound(in, b);
  c->busy = false;
  if (c->binding_known) return c->binding;
  const bool open = std::find(c->dims.begin(), c->dims.end(), -1) != c->dims.end();
  if (v && c->basic && convert(in, *v, *c->basic, b.place, fmt::format("the value of {}", in.text(c->member->name)))) {
    if (open) {
      return c->binding = std::move(v);   // sizes come from it; asked for again once they are known
    }
    if (v->dims == c->dims || (b.each && spread(*v, c->dims)))
      c->binding = std::move(v);
    else
      in.error(b.place,
               fmt::format("{}{} cannot have a value of size {}", in.text(c->member->name), shape_text(c->dims),
                           v->dims.empty() ? "1 (a scalar)" : shape_text(v->dims)),
               v->dims.empty() ? "write `each` before it, or fill(value, size)" : "");
  }
  c->binding_known = true;
  return c->binding;
}

std::optional<Value> attribute_value(Instances& in, Component* c, std::string_view attribute, Type type) {
  const Name name = in.workspace.names.find(attribute);
  const Modifier* m = c->modifier && name != Name::none ? c->modifier->child(name) : nullptr;
  if (!m || !m->binding) return {};
  auto v = bound(in, *m->binding);
  if (!v) return {};
  if (!convert(in, *v, type, m->binding->place, fmt::format("the attribute {}", attribute))) return {};
  if (v->dims == c->dims || (m->binding->each && spread(*v, c->dims))) return v;
  in.error(m->binding->place,
           fmt::format("the attribute {} of {}{} cannot have a value of size {}", attribute, in.text(c->member->name),
                       shape_text(c->dims), v->dims.empty() ? "1 (a scalar)" : shape_text(v->dims)),
           v->dims.empty() ? fmt::format("write `each {} = ...`", attribute) : "");
  return {};
}

std::optional<std::vector<std::int64_t>> dimensions(Instances& in, parser::List<parser::Subscript> subscripts,
                                                    const Environment& env, std::vector<Type>* index_types) {
  std::vector<std::int64_t> dims;
  const auto indexed_by = [&](Type t) {
    if (index_types) index_types->push_back(t);
  };
  for (const parser::Subscript& s : subscripts) {
    if (!s.expression) {
      dims.push_back(-1);
      indexed_by(integer_type);
      continue;
    }
    const auto v = elaborate(in, *s.expression, env);
    if (!v) return {};
    // An enumeration or Boolean as a dimension: as many elements as it has values.
    if (!v->scalar() && (v->type.base == BaseType::enumeration || v->type.base == BaseType::boolean)) {
      dims.push_back(v->dims.front());
      indexed_by(v->type);
      continue;
    }
    indexed_by(integer_type);
    const auto n = known_integer(in, *v, s.place, "an array's size");
    if (!n) return {};
    if (*n < 0) {
      in.error(s.place, fmt::format("an array's size cannot be {}", *n));
      return {};
    }
    dims.push_back(*n);
  }
  return dims;
}

// ---- expressions -----------------------------------------------------------------------------------------------------------

namespace {

std::optional<Value> if_expression(Instances& in, const parser::Expression& e, const parser::IfExpression& i,
                                   const Environment& env) {
  auto& ex = in.model.expressions;
  auto result = elaborate(in, *i.otherwise, env);
  if (!result) return {};
  for (std::size_t k = i.branches.size(); k-- > 0;) {
    auto condition = elaborate(in, *i.branches[k].condition, env);
    auto value = elaborate(in, *i.branches[k].value, env);
    if (!condition || !value) return {};
    if (!condition->scalar() ||
        !convert(in, *condition, boolean_type, i.branches[k].condition->place, "a condition")) {
      if (!condition->scalar()) in.error(i.branches[k].condition->place, "the condition of an if must be a scalar");
      return {};
    }
    if (value->dims != result->dims) {
      // Branches of different sizes: the condition must choose one before the run.
      const Expr known = in.evaluated(condition->only());
      if (known == Expr::none) {
        in.error(e.place, fmt::format("the branches of this if have different sizes, {} and {}",
                                      value->dims.empty() ? "scalar" : shape_text(value->dims),
                                      result->dims.empty() ? "scalar" : shape_text(result->dims)));
        return {};
      }
      if (ex.payload(known)) result = std::move(value);
      continue;
    }
    if (!unify(in, *value, *result, e.place, "an if with two branches")) return {};
    for (std::size_t n = 0; n < value->elements.size(); ++n)
      result->elements[n] =
          ex.make(Op::if_, result->type.base, {condition->only(), value->elements[n], result->elements[n]}, e.place);
  }
  return result;
}

/// `external "builtin" y = sin(u)`: a function that is one of the elementary ones (MLS 12.9). Empty if it is not.
std::string_view builtin_implementation(Instances& in, Class* function) {
  const auto* specifier = function->definition ? std::get_if<parser::LongClassSpecifier>(&function->definition->specifier) : nullptr;
  if (!specifier || !specifier->composition.external) return {};
  const parser::ExternalClause& external = *specifier->composition.external;
  if (external.language != "builtin") return {};
  const std::string_view name = external.has_call ? in.text(external.function) : in.text(function->definition->name);
  return is_builtin(name) ? name : std::string_view();
}

std::optional<std::vector<Value>> call(Instances& in, const parser::Expression& e, const parser::Call& c,
                                       const Environment& env) {
  const auto one = [](std::optional<Value> v) -> std::optional<std::vector<Value>> {
    if (!v) return {};
    return std::vector<Value>{std::move(*v)};
  };
  const parser::ComponentReference& callee = c.callee;
  const std::string_view name = in.text(callee.parts.front().name);
  const bool simple = callee.parts.size() == 1 && callee.parts.front().subscripts.empty();
  Member* m = nullptr;
  if (!(simple && is_builtin(name))) {
    m = callee.global ? find_member(in, &in.top, callee.parts.front().name) : lookup(in, env.scope, callee.parts.front().name);
    for (std::size_t i = 1; m && i < callee.parts.size(); ++i) {
      if (!m->is_class()) break;
      m = find_inside(in, m, callee.parts[i].name, callee.place, "function");
      if (!m) return {};
    }
    if (!m) {
      std::vector<std::string_view> names = visible_names(in, env.scope);
      for (std::string_view b : {"abs", "sign", "sqrt", "sin", "cos", "tan", "exp", "log", "log10", "min", "max", "sum", "sample",
                                 "pre", "edge", "change", "reinit", "assert", "terminate", "noEvent", "smooth", "floor",
                                 "ceil", "integer", "mod", "rem", "div", "size", "fill", "zeros", "ones", "delay", "der",
                                 "initial", "terminal", "hold", "previous", "homotopy", "semiLinear", "atan2"})
        names.push_back(b);
      const std::string near = parser::nearest(spelled(in, callee, callee.parts.size() - 1), names);
      in.error(callee.place, fmt::format("there is no function {}", spelled(in, callee, callee.parts.size() - 1)),
               near.empty() ? "" : fmt::format("did you mean {}?", near));
      return {};
    }
    if (m->is_class()) {
      Class* k = instantiate_class(in, m, nullptr, callee.place);
      if (k && k->basic && k->basic->base == BaseType::enumeration) {
        // EnumTypeName(i): the literal with that number (MLS 4.9.5.3).
        if (c.arguments.positional.size() != 1 || !c.arguments.named.empty()) {
          in.error(e.place, fmt::format("{}(...) takes one Integer", k->path));
          return {};
        }
        auto v = elaborate(in, *c.arguments.positional.front(), env);
        if (!v) return {};
        const auto i = known_integer(in, *v, e.place, "the number of an enumeration literal");
        if (!i) return {};
        const auto& literals = in.model.enumerations[index(k->basic->enumeration)].literals;
        if (*i < 1 || *i > static_cast<std::int64_t>(literals.size())) {
          in.error(e.place, fmt::format("{} has no literal number {}", k->path, *i));
          return {};
        }
        return one(scalar(*k->basic, in.model.expressions.enumeration(k->basic->enumeration,
                                                                      static_cast<std::uint32_t>(*i), e.place)));
      }
      if (const auto name = k ? builtin_implementation(in, k) : std::string_view(); !name.empty())
        return one(elaborate_builtin(in, e, c, name, env));
      if (k && (k->kind() == parser::ClassKind::function || k->kind() == parser::ClassKind::operator_function))
        return call_function(in, k, e, c, env);
      if (k && k->kind() != parser::ClassKind::record) {
        in.error(callee.place, fmt::format("{} is not a function", spelled(in, callee, callee.parts.size() - 1)), {},
                 {{m->place, "declared here"}});
        return {};
      }
      in.unsupported(callee.place, fmt::format("the record constructor {}",
                                               spelled(in, callee, callee.parts.size() - 1)));
      return {};
    }
    in.error(callee.place, fmt::format("{} is a variable, not a function", spelled(in, callee, callee.parts.size() - 1)),
             {}, {{m->place, "declared here"}});
    return {};
  }
  return one(elaborate_builtin(in, e, c, name, env));
}

}  // namespace

std::optional<std::vector<Value>> elaborate_results(Instances& in, const parser::Expression& e, const parser::Call& c,
                                                    const Environment& env) {
  return call(in, e, c, env);
}

std::optional<Value> elaborate(Instances& in, const parser::Expression& e, const Environment& env) {
  auto& ex = in.model.expressions;
  return std::visit(
      [&](const auto& node) -> std::optional<Value> {
        using T = std::decay_t<decltype(node)>;
        if constexpr (std::is_same_v<T, parser::RealLiteral>) {
          return scalar(real_type, ex.real(node.value, e.place));
        } else if constexpr (std::is_same_v<T, parser::IntegerLiteral>) {
          return scalar(integer_type, ex.integer(node.value, e.place));
        } else if constexpr (std::is_same_v<T, parser::StringLiteral>) {
          return scalar(string_type, ex.string(node.value, e.place));
        } else if constexpr (std::is_same_v<T, parser::BooleanLiteral>) {
          return scalar(boolean_type, ex.boolean(node.value, e.place));
        } else if constexpr (std::is_same_v<T, parser::EndExpression>) {
          if (!env.end_dims) {
            in.error(e.place, "`end` stands for a size only inside subscripts");
            return {};
          }
          return scalar(integer_type, ex.integer((*env.end_dims)[env.end_position], e.place));
        } else if constexpr (std::is_same_v<T, parser::Reference>) {
          return reference(in, node.name, env, false);
        } else if constexpr (std::is_same_v<T, parser::Call>) {
          auto results = call(in, e, node, env);
          if (!results) return {};
          return std::move(results->front());
        } else if constexpr (std::is_same_v<T, parser::PartialApplication>) {
          in.unsupported(e.place, "a function as an argument");
          return {};
        } else if constexpr (std::is_same_v<T, parser::Unary>) {
          return elaborate_unary(in, e, node, env);
        } else if constexpr (std::is_same_v<T, parser::Binary>) {
          return elaborate_binary(in, e, node, env);
        } else if constexpr (std::is_same_v<T, parser::IfExpression>) {
          return if_expression(in, e, node, env);
        } else if constexpr (std::is_same_v<T, parser::Range>) {
          return elaborate_range(in, e, node, env);
        } else if constexpr (std::is_same_v<T, parser::ArrayConstructor>) {
          std::vector<Value> parts;
          std::vector<Place> places;
          for (const parser::Expression* part : node.elements) {
            auto v = elaborate(in, *part, env);
            if (!v) return {};
            parts.push_back(std::move(*v));
            places.push_back(part->place);
          }
          return array_of(in, std::move(parts), places, e.place);
        } else if constexpr (std::is_same_v<T, parser::ArrayComprehension>) {
          std::vector<Value> parts;
          std::vector<Place> places;
          std::vector<std::int64_t> sizes;
          const bool done = for_each_iteration(
              in, node.iterators, env,
              [&](const Environment& inner) {
                auto v = elaborate(in, *node.element, inner);
                if (!v) return false;
                parts.push_back(std::move(*v));
                places.push_back(node.element->place);
                return true;
              },
              &sizes);
          if (!done) return {};
          auto flat = array_of(in, std::move(parts), places, e.place);
          if (!flat) return {};
          // The first iterator is the innermost dimension (MLS 10.4.1).
          if (sizes.size() > 1) {
            std::vector<std::int64_t> dims(sizes.rbegin(), sizes.rend());
            const std::size_t inner = flat->dims.front() ? flat->elements.size() / static_cast<std::size_t>(flat->dims.front()) : 1;
            const std::vector<std::int64_t> rest(flat->dims.begin() + 1, flat->dims.end());
            std::vector<Expr> reordered(flat->elements.size());
            const std::size_t n = count(sizes);
            for (std::size_t k = 0; k < n; ++k) {
              std::size_t left = k, to = 0, stride = 1;
              std::vector<std::size_t> at(sizes.size());
              for (std::size_t d = sizes.size(); d-- > 0;) {
                at[d] = left % static_cast<std::size_t>(sizes[d]);
                left /= static_cast<std::size_t>(sizes[d]);
              }
              for (std::size_t d = 0; d < sizes.size(); ++d) {
                to += at[d] * stride;
                stride *= static_cast<std::size_t>(sizes[d]);
              }
              for (std::size_t i = 0; i < inner; ++i) reordered[to * inner + i] = flat->elements[k * inner + i];
            }
            flat->elements = std::move(reordered);
            dims.insert(dims.end(), rest.begin(), rest.end());
            flat->dims = std::move(dims);
          }
          return flat;
        } else if constexpr (std::is_same_v<T, parser::MatrixConstructor>) {
          return elaborate_matrix(in, e, node, env);
        } else if constexpr (std::is_same_v<T, parser::Tuple>) {
          in.error(e.place, "a list of results can only stand on the left of a function call");
          return {};
        } else if constexpr (std::is_same_v<T, parser::Subscripted>) {
          const auto base = elaborate(in, *node.base, env);
          if (!base) return {};
          return subscript(in, *base, node.subscripts, e.place, env);
        } else {
          in.unsupported(e.place, "an element of a parenthesised expression");
          return {};
        }
      },
      e.node);
}

// Used by arrays.cpp as well: the subscripts of any value.
std::optional<Value> subscript(Instances& in, const Value& v, parser::List<parser::Subscript> subscripts, Place place,
                               const Environment& env) {
  bool dynamic = false;
  const auto s = fixed_subscripts(in, v.dims, subscripts, place, "this array", env, dynamic);
  if (!s) return {};
  if (dynamic) return dynamic_subscript(in, v, subscripts, place, env);
  Value result{v.type, {}, {}};
  for (std::size_t k : positions(v.dims, *s, result.dims)) result.elements.push_back(v.elements[k]);
  return result;
}

}  // namespace mosim::compiler
