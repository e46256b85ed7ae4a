#include "compiler/elaborate/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <map>

#include "compiler/elaborate/declaration_order.hpp"
#include "compiler/elaborate/elaborate.hpp"
#include "compiler/elaborate/elaboration.hpp"
#include "compiler/instantiate/class.hpp"
#include "compiler/instantiate/expand.hpp"
#include "compiler/instantiate/instances.hpp"
#include "compiler/instantiate/modifier.hpp"

namespace mosim::compiler {

namespace {

/// Positions of blocks of `stride` elements each.
Value gather_blocks(const Value& v, const std::vector<std::size_t>& positions, std::size_t stride,
                    std::vector<std::int64_t> dims) {
  if (v.run) throw SizeOfRun();
  Value out{v.type, std::move(dims), {}, v.record, {}, v.function, v.bound};
  if (v.record) {
    const std::size_t own = v.dims.size();
    for (const Value& m : v.members) {
      std::vector<std::int64_t> inner(m.dims.begin() + static_cast<std::ptrdiff_t>(own), m.dims.end());
      std::vector<std::int64_t> member_dims = out.dims;
      member_dims.insert(member_dims.end(), inner.begin(), inner.end());
      out.members.push_back(gather_blocks(m, positions, stride * count(inner), std::move(member_dims)));
    }
    return out;
  }
  out.elements.reserve(positions.size() * stride);
  for (std::size_t p : positions)
    for (std::size_t k = 0; k < stride; ++k) out.elements.push_back(v.elements[p * stride + k]);
  return out;
}

}  // namespace

Value gather(const Value& v, const std::vector<std::size_t>& positions, std::vector<std::int64_t> dims) {
  return gather_blocks(v, positions, 1, std::move(dims));
}

Value gather_leading(const Value& v, std::size_t leading, const std::vector<std::size_t>& positions,
                     std::vector<std::int64_t> dims) {
  const std::vector<std::int64_t> rest(v.dims.begin() + static_cast<std::ptrdiff_t>(leading), v.dims.end());
  dims.insert(dims.end(), rest.begin(), rest.end());
  return gather_blocks(v, positions, count(rest), std::move(dims));
}

Value nth(const Value& v, std::size_t n) {
  if (v.dims.size() == 1 && !v.record && !v.function && !v.run) return scalar(v.type, v.elements[n]);
  return gather_leading(v, 1, {n}, {});
}

Value stack(const std::vector<Value>& parts, const std::vector<std::int64_t>& dims) {
  const Value& first = parts.front();
  for (const Value& p : parts)
    if (p.run) throw SizeOfRun();
  Value out{first.type, dims, {}, first.record, {}, nullptr, {}};
  out.dims.insert(out.dims.end(), first.dims.begin(), first.dims.end());
  if (!first.record) {
    for (const Value& p : parts) out.elements.insert(out.elements.end(), p.elements.begin(), p.elements.end());
    return out;
  }
  for (std::size_t m = 0; m < first.members.size(); ++m) {
    std::vector<Value> members;
    for (const Value& p : parts) members.push_back(p.members[m]);
    out.members.push_back(stack(members, dims));
  }
  return out;
}

Expr zero(Expressions& ex, Type type) {
  switch (type.base) {
    case BaseType::integer: return ex.integer(0);
    case BaseType::boolean: return ex.boolean(false);
    case BaseType::string: return ex.string("");
    case BaseType::enumeration: return ex.enumeration(type.enumeration, 1);
    default: return ex.real(0);
  }
}

Value placeholder(Instances& in, const Value& like, std::vector<std::int64_t> dims) {
  Value out{like.type, std::move(dims), {}, like.record, {}, like.function, like.bound};
  for (const Value& m : like.members) {
    std::vector<std::int64_t> member_dims = out.dims;
    member_dims.insert(member_dims.end(), m.dims.begin() + static_cast<std::ptrdiff_t>(like.dims.size()), m.dims.end());
    out.members.push_back(placeholder(in, m, std::move(member_dims)));
  }
  if (out.record || out.function) return out;
  auto& ex = in.model.expressions;
  const Expr one = like.type.base == BaseType::integer       ? ex.integer(1)
                   : like.type.base == BaseType::boolean     ? ex.boolean(false)
                   : like.type.base == BaseType::string      ? ex.string("")
                   : like.type.base == BaseType::enumeration ? ex.enumeration(like.type.enumeration, 1)
                                                             : ex.real(1);
  out.elements.assign(count(out.dims), one);
  return out;
}

Value choose(Instances& in, Expr condition, const Value& a, const Value& b, Place place) {
  if (a.run || b.run) throw SizeOfRun();
  Value out = a;
  for (std::size_t m = 0; m < out.members.size(); ++m) out.members[m] = choose(in, condition, a.members[m], b.members[m], place);
  for (std::size_t k = 0; k < out.elements.size(); ++k) {
    const Expr x = a.elements[k], y = b.elements[k];
    out.elements[k] = x == Expr::none || y == Expr::none ? Expr::none
                      : x == y && in.model.expressions.is_literal_leaf(x)
                          ? x
                          : in.model.expressions.make(Op::if_, a.type.base, {condition, x, y}, place);
  }
  return out;
}

bool convert_record(Instances& in, Value& v, Class* record, Place place, std::string_view what) {
  const auto wrong = [&](std::string why) {
    in.error(place, fmt::format("{} must be {} but is {}{}", what, record->path, type_name(in, v), why), {},
             {{record->definition->place, "the record"}});
    return false;
  };
  if (!v.record) return wrong("");
  if (v.record == record || v.record->definition == record->definition) {
    v.record = record;
    return true;
  }
  const bool named = record->kind() == parser::ClassKind::operator_record || v.record->kind() == parser::ClassKind::operator_record;
  if (named) return wrong(": an operator record is compatible with itself alone");
  const auto wanted = record_elements(in, record), given = record_elements(in, v.record);
  if (wanted.size() != given.size())
    return wrong(fmt::format(", which has {} elements, not {}", given.size(), wanted.size()));
  std::vector<Value> members;
  for (Member* m : wanted) {
    const auto i = record_position(in, v.record, m->name);
    if (!i) return wrong(fmt::format(", which has no element {}", in.text(m->name)));
    Value member = v.members[*i];
    Class* type = type_of(in, m);
    const std::string name = fmt::format("{}.{}", what, in.text(m->name));
    if (type && type->basic && !member.elements.empty() && !convert(in, member, *type->basic, place, name)) return false;
    if (is_record_class(type) && !convert_record(in, member, type, place, name)) return false;
    members.push_back(std::move(member));
  }
  v.members = std::move(members);
  v.record = record;
  return true;
}

bool unify_records(Instances& in, Value& a, Value& b, Place place, std::string_view what) {
  if (!convert_record(in, b, a.record, place, what)) return false;
  for (std::size_t m = 0; m < a.members.size(); ++m) {
    if (a.members[m].dims != b.members[m].dims) {
      in.error(place, fmt::format("{} needs records whose elements have the same sizes: {} is {} and {}", what,
                                  in.text(record_elements(in, a.record)[m]->name), shape_text(a.members[m].dims),
                                  shape_text(b.members[m].dims)));
      return false;
    }
    if (!unify(in, a.members[m], b.members[m], place, what)) return false;
  }
  return true;
}

void append_leaves(const Value& v, std::vector<Expr>& out) {
  if (v.run) throw SizeOfRun();
  out.insert(out.end(), v.elements.begin(), v.elements.end());
  for (const Value& m : v.members) append_leaves(m, out);
}

void for_each_leaf(Value& v, const std::function<void(Value&)>& visit) {
  if (!v.record) return visit(v);
  for (Value& m : v.members) for_each_leaf(m, visit);
}

bool same_sizes(const Value& a, const Value& b) {
  return a.dims == b.dims && a.members.size() == b.members.size() && std::equal(a.members.begin(), a.members.end(), b.members.begin(), same_sizes);
}

bool is_assigned(const Value& v) {
  for (Expr e : v.elements)
    if (e == Expr::none) return false;
  for (const Value& m : v.members)
    if (!is_assigned(m)) return false;
  return true;
}

// ---- records from their parts --------------------------------------------------------------------------------------------

namespace {

/// Does a size stand in the record itself? Else, given where the record is used, its names are those of that place.
bool is_sized_within(const Member* m, const Class* record) { return m->sized_scope == record || m->sized_scope == m->owner; }

/// The sizes of a record's element, with the other elements' values at hand. `value`: what it is to be; null: nothing yet, so that open ones are 0.
std::optional<std::vector<std::int64_t>> element_dims(Instances& in, Member* m, const Class* record, const Environment& env, const Value* value) {
  std::vector<std::int64_t> of_type;
  if (!type_of(in, m, &of_type)) return {};
  Environment sized = env;
  sized.scope = m->sized_scope;
  const OwnSizes own{m->name, [&] { return value ? value->dims : std::vector<std::int64_t>(m->sized_declaration->subscripts.size(), 0); }};
  auto dims = dimensions(in, m->sized_declaration->subscripts, sized, nullptr, is_sized_within(m, record) ? &own : nullptr);
  const auto clause = dimensions(in, m->sized_clause->subscripts, sized);
  if (!dims || !clause) return {};
  dims->insert(dims->end(), clause->begin(), clause->end());
  dims->insert(dims->end(), of_type.begin(), of_type.end());
  return dims;
}

/// Fits a value to an element: its type and the sizes that are given.
bool fit(Instances& in, Member* m, Value& v, const std::vector<std::int64_t>& dims, Place place) {
  Class* type = type_of(in, m);
  if (!type) return false;
  const std::string name(in.text(m->name));
  if (type->basic ? !convert(in, v, *type->basic, place, name) : !convert_record(in, v, type, place, name)) return false;
  bool fits = v.dims.size() == dims.size();
  for (std::size_t d = 0; fits && d < dims.size(); ++d) fits = dims[d] < 0 || dims[d] == v.dims[d];
  if (!fits)
    in.error(place, fmt::format("{}{} cannot have a value of size {}", name, shape_text(dims),
                                v.dims.empty() ? "1 (a scalar)" : shape_text(v.dims)), {}, {{m->place, "declared here"}});
  return fits;
}

/// Empty after an error.
std::optional<Value> unassigned(Instances& in, const Member* m, Class* type, std::vector<std::int64_t> dims, const Environment& env) {
  for (std::int64_t& d : dims)
    if (d < 0) d = 0;
  if (!in.has_room(m->place, room_for(dims))) return {};
  if (type->basic) return Value{*type->basic, dims, std::vector<Expr>(count(dims), Expr::none)};
  return initial_record(in, type, dims, env);
}

using Given = std::map<Name, std::pair<Value, Place>>;

/// Where elements use each other in a circle, what is given breaks it; else the order is found once for each record.
std::vector<std::size_t> assembly_order(Instances& in, Class* record, const std::vector<Member*>& elements, const Given& given) {
  std::vector<Name> names;
  for (const Member* m : elements) names.push_back(m->name);
  const auto order = [&](const Given& without_default) {
    return declaration_order(names, [&](std::size_t i, const VisitReference& visit) {
      const Member* m = elements[i];
      if (is_sized_within(m, record)) each_reference_in_sizes(*m, visit);
      const Binding* b = m->modifier && m->modifier->binding ? &*m->modifier->binding : nullptr;
      if (b && (b->scope == record || b->scope == m->owner) && !without_default.contains(m->name)) each_reference_in_value(*m, visit);
    });
  };
  const auto [known, fresh] = in.elaboration.record_orders.try_emplace(record);
  if (fresh)
    if (DeclarationOrder found = order({}); !found.circular) known->second = std::move(found.order);
  return known->second.size() == elements.size() ? known->second : order(given).order;
}

/// Each element may use the others. `given` has those that are not left to the declaration.
std::optional<Value> assemble(Instances& in, Class* record, const Given& given,
                              const Environment& env, Place place, bool complete) {
  Value v{real_type, {}, {}, record, {}, nullptr, {}};
  const std::vector<Member*> elements = record_elements(in, record);
  v.members.resize(elements.size());
  std::deque<Locals> locals;
  Environment inner = Environment::of(record);
  inner.literal = env.literal;
  inner.in_when = env.in_when;
  inner.call_depth = env.call_depth;
  inner.function = env.function;
  for (const std::size_t position : assembly_order(in, record, elements, given)) {
    Member* const m = elements[position];
    inner.locals = locals.empty() ? nullptr : &locals.back();
    Class* type = type_of(in, m);
    if (!type || !expand(in, type)) return {};
    const auto sizes = [&](const Value* value) { return element_dims(in, m, record, is_sized_within(m, record) ? inner : env, value); };
    std::optional<Value> value;
    Place value_place = place;
    if (const auto it = given.find(m->name); it != given.end()) {
      value = it->second.first;
      value_place = it->second.second;
    } else if (m->modifier && m->modifier->binding && m->modifier->binding->expression) {
      const Binding& b = *m->modifier->binding;
      // Given where the record is used, its names are those of that place.
      Environment declared = b.scope == record || b.scope == m->owner ? inner : env;
      declared.scope = b.scope;
      value = elaborate(in, *b.expression, declared);
      value_place = b.place;
      if (!value) return {};
    } else if (!complete || (is_record_class(type) && !m->modifier)) {
      const auto dims = sizes(nullptr);
      if (!dims) return {};
      value = unassigned(in, m, type, *dims, inner);
      if (!value) return {};
    } else {
      in.error(place, fmt::format("the element {} of the record {} is not given and has no default", in.text(m->name), record->path),
               {}, {{m->place, "declared here"}});
      return {};
    }
    const auto dims = sizes(&*value);
    if (!dims || !fit(in, m, *value, *dims, value_place)) return {};
    v.members[position] = *value;
    locals.push_back({m->name, std::move(*value), inner.locals});
  }
  return v;
}

}  // namespace

std::optional<Value> initial_record(Instances& in, Class* record, const std::vector<std::int64_t>& dims,
                                    const Environment& env) {
  auto one = assemble(in, record, {}, env, record->definition->place, false);
  if (!one || dims.empty()) return one;
  std::vector<Expr> leaves;
  append_leaves(*one, leaves);
  if (!in.has_room(record->definition->place, room_for(dims) * double(leaves.size()))) return {};
  return gather_leading(*one, 0, std::vector<std::size_t>(count(dims), 0), dims);
}

bool is_open_element(const Member* m) {
  if (m->modifier && m->modifier->binding) return false;
  for (const auto& subscripts : {m->sized_declaration->subscripts, m->sized_clause->subscripts})
    for (const parser::Subscript& s : subscripts)
      if (!s.expression) return true;
  return false;
}

namespace {

/// A place in which the elements of a record have these values.
Environment within(Instances& in, const Value& record, const Environment& env, std::deque<Locals>& locals) {
  const auto members = record_elements(in, record.record);
  for (std::size_t k = 0; k < members.size(); ++k) locals.push_back({members[k]->name, record.members[k], locals.empty() ? nullptr : &locals.back()});
  Environment inner = env;
  inner.locals = locals.empty() ? nullptr : &locals.back();
  return inner;
}

}  // namespace

bool check_size_of_element(Instances& in, const Value& record, std::size_t position, Value& value, const Environment& env, Place place) {
  Member* m = record_elements(in, record.record)[position];
  std::deque<Locals> locals;
  const auto dims = element_dims(in, m, record.record, is_sized_within(m, record.record) ? within(in, record, env, locals) : env, &value);
  return dims && fit(in, m, value, *dims, place);
}

std::optional<std::vector<Expr>> sizes_of_element(Instances& in, Value record, std::size_t position, const Value& value, const Environment& env) {
  Member* m = record_elements(in, record.record)[position];
  record.members[position] = value;
  std::deque<Locals> locals;
  Environment sized = is_sized_within(m, record.record) ? within(in, record, env, locals) : env;
  sized.scope = m->sized_scope;
  std::vector<Expr> sizes;
  for (const auto& subscripts : {m->sized_declaration->subscripts, m->sized_clause->subscripts})
    for (const parser::Subscript& s : subscripts) {
      sizes.push_back(Expr::none);
      if (!s.expression) continue;
      const auto n = elaborate(in, *s.expression, sized);
      if (!n) return {};
      if (n->scalar() && n->type.base == BaseType::integer) sizes.back() = n->only();
    }
  return sizes;
}

std::optional<Value> construct_record(Instances& in, Class* record, const parser::Expression& e, const parser::Call& call,
                                      const Environment& env) {
  // Inputs are the elements that can be modified (MLS 12.6). Constants with a value can be, too, but were not by earlier editions: they count in
  // a list without names if that is too long otherwise.
  std::vector<Member*> inputs, all;
  for (Member* m : record_elements(in, record)) {
    if (m->final_ || (m->modifier && m->modifier->final_)) continue;
    all.push_back(m);
    if (m->prefix.variability != parser::Variability::constant || !m->modifier || !m->modifier->binding) inputs.push_back(m);
  }
  const auto& positional = call.arguments.positional;
  if (positional.size() > inputs.size() && positional.size() <= all.size()) inputs = all;
  if (positional.size() > inputs.size()) {
    in.error(e.place, fmt::format("the record {} has {} elements to give, not {}", record->path, inputs.size(), positional.size()),
             {}, {{record->definition->place, "the record"}});
    return {};
  }
  std::map<Name, std::pair<Value, Place>> given;
  for (std::size_t i = 0; i < positional.size(); ++i) {
    auto v = elaborate(in, *positional[i], env);
    if (!v) return {};
    given[inputs[i]->name] = {std::move(*v), positional[i]->place};
  }
  for (const parser::NamedArgument& a : call.arguments.named) {
    if (std::none_of(all.begin(), all.end(), [&](const Member* m) { return m->name == a.name; })) {
      in.error(a.place, fmt::format("the record {} has no element {} to give", record->path, in.text(a.name)), {},
               {{record->definition->place, "the record"}});
      return {};
    }
    if (given.contains(a.name)) {
      in.error(a.place, fmt::format("the element {} is given twice", in.text(a.name)));
      return {};
    }
    auto v = elaborate(in, *a.value, env);
    if (!v) return {};
    given[a.name] = {std::move(*v), a.value->place};
  }
  return assemble(in, record, given, env, e.place, true);
}

std::string other_size_instead(Instances& in, const parser::Expression& e, const std::vector<std::int64_t>& dims, const Environment& env) {
  const auto text = [&](const parser::Expression& of) { return in.workspace.sources.text(of.place); };
  if (const auto* matrix = std::get_if<parser::MatrixConstructor>(&e.node)) {
    if (dims.size() != 1 || matrix->rows.empty()) return "";
    std::string elements;
    for (const auto& row : matrix->rows) {
      if (row.size() != 1 && matrix->rows.size() != 1) return "";
      for (const parser::Expression* element : row) elements += (elements.empty() ? "" : ", ") + std::string(text(*element));
    }
    return fmt::format("brackets make a matrix; the vector is {{{}}}", elements);
  }
  const auto* product = std::get_if<parser::Binary>(&e.node);
  if (!product || product->op != parser::BinaryOperator::multiply || dims.size() != 1) return "";
  const Quietly quietly(in);
  for (const parser::Expression* side : {product->left, product->right}) {
    const auto v = elaborate(in, *side, env);
    if (!v || v->dims != dims) return "";
  }
  return fmt::format("the product of two vectors is a scalar; element by element it is {} .* {}", text(*product->left), text(*product->right));
}

}  // namespace mosim::compiler
