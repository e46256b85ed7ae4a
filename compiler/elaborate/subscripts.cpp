// Subscripts (MLS 10.5): the elements that they take.

#include "compiler/elaborate/subscripts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "compiler/elaborate/effects.hpp"
#include "compiler/elaborate/elaboration.hpp"
#include "compiler/elaborate/function_code.hpp"
#include "compiler/elaborate/references.hpp"
#include "compiler/elaborate/run_arrays.hpp"
#include "compiler/elaborate/values.hpp"
#include "compiler/instantiate/class.hpp"
#include "compiler/instantiate/instances.hpp"

namespace mosim::compiler {

std::optional<Subscripts> fixed_subscripts(Instances& in, const std::vector<std::int64_t>& dims,
                                           parser::List<parser::Subscript> subscripts, Place place,
                                           std::string_view name, const Environment& env, bool& dynamic,
                                           const std::vector<Type>* index_types,
                                           const std::vector<std::optional<Value>>* found) {
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
    s.places.push_back(d < subscripts.size() ? subscripts[d].place : place);
    if (d >= subscripts.size() || !subscripts[d].expression) {
      for (std::int64_t i = 1; i <= dims[d]; ++i) all.push_back(i);
      s.taken.push_back(std::move(all));
      s.keeps.push_back(true);
      continue;
    }
    Environment inner = env;
    inner.end_dims = &dims;
    inner.end_types = index_types;
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
    if (index_types && !same_type(in, v->type, index_type) && !v->elements.empty()) {
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
      if ((i < 1 || i > dims[d]) && env.seen_to_in_run() && v->scalar()) {
        never(in, fmt::format("the subscript {} of {} lies outside 1:{}", i, name, dims[d]), subscripts[d].place, env);
        dynamic = dims[d] > 0;
        s.outside = !dynamic;
        s.chosen.back() = *v;
        all.push_back(0);
        continue;
      }
      if (i < 1 || i > dims[d]) {
        in.error(subscripts[d].place, fmt::format("the subscript {} of {} lies outside 1:{}", i, name, dims[d]),
                 dims[d] == 0 && env.function ? "it is empty here: in a function, an array declared with ':' gets its size when the whole of it is assigned" : "");
        return {};
      }
      all.push_back(i);
    }
    s.taken.push_back(std::move(all));
    s.keeps.push_back(!v->scalar());
  }
  return s;
}

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

std::vector<std::int64_t> left_dims(const Subscripts& s) {
  std::vector<std::int64_t> left;
  for (std::size_t d = 0; d < s.taken.size(); ++d)
    if (s.keeps[d]) left.push_back(static_cast<std::int64_t>(s.taken[d].size()));
  return left;
}

namespace {

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

}  // namespace

std::optional<Value> dynamic_subscript(Instances& in, const Value& whole, Subscripts s, Place place, const Environment& env) {
  auto& ex = in.model.expressions;
  const auto& dims = whole.dims;
  std::vector<Value>& chosen = s.chosen;
  for (std::size_t d = 0; d < dims.size(); ++d) {
    if (chosen[d].elements.empty()) continue;
    Value* const i = &chosen[d];
    if (!i->scalar() || (i->type.base != BaseType::integer && i->type.base != BaseType::boolean &&
                         i->type.base != BaseType::enumeration)) {
      in.error(s.places[d], "a subscript that is not known before the run must be a scalar Integer");
      return {};
    }
    if (dims[d] == 0) {
      in.error(place, "an empty array has no elements");
      return {};
    }
    if (i->type.base == BaseType::integer)
      i->elements.front() = ex.make(Op::within, BaseType::integer, {i->only(), ex.integer(dims[d])}, s.places[d]);
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

namespace {

std::string nearest_element(Instances& in, const Value& v, Name missing) {
  if (!v.record) return "";
  std::vector<std::string_view> names;
  for (const Member* m : record_elements(in, v.record)) names.push_back(in.text(m->name));
  const std::string near = parser::nearest(in.text(missing), names);
  return near.empty() ? names.empty() || names.size() > 8 ? "" : fmt::format("it has {}", fmt::join(names, ", ")) : fmt::format("did you mean {}?", near);
}

}  // namespace

std::optional<Value> select_parts(Instances& in, const Value& whole, const parser::ComponentReference& r, std::size_t part,
                                  const Environment& env) {
  // The whole is not copied for the sake of one of its elements.
  std::optional<Value> owned;
  const Value* v = &whole;
  std::size_t leading = 0;   // dimensions of the arrays passed: later subscripts are of those behind them
  for (std::size_t p = part;; ++p) {
    const auto subscripts = r.parts[p].subscripts;
    if (!subscripts.empty()) {
      if (leading == 0) {
        auto taken = p == 0 ? subscript(in, *v, subscripts, r.place, env, in.text(r.parts.front().name)) : subscript(in, *v, subscripts, r.place, env, spelled(in, r, p));
        if (!taken) return {};
        owned = std::move(taken);
        v = &*owned;
      } else {
        const std::vector<std::int64_t> own(v->dims.begin() + static_cast<std::ptrdiff_t>(leading), v->dims.end());
        bool dynamic = false;
        const auto s = fixed_subscripts(in, own, subscripts, r.parts[p].place, spelled(in, r, p), env, dynamic);
        if (!s) return {};
        if (s->outside) {
          if (env.seen_to_in_run()) in.error(r.parts[p].place, fmt::format("{} is empty", spelled(in, r, p)));
          in.elaboration.passed_over = true;
          return {};
        }
        if (dynamic) {
          in.unsupported(r.parts[p].place, "a subscript that is not known before the run, behind an array of records,");
          return {};
        }
        std::vector<std::int64_t> left(v->dims.begin(), v->dims.begin() + static_cast<std::ptrdiff_t>(leading));
        const std::size_t rows = count(left), stride = count(own);
        const auto inner = positions(own, *s, left);
        std::vector<std::size_t> all;
        for (std::size_t row = 0; row < rows; ++row)
          for (std::size_t k : inner) all.push_back(row * stride + k);
        owned = gather(*v, all, left);
        v = &*owned;
      }
    }
    if (p + 1 == r.parts.size()) return owned ? std::move(owned) : *v;
    const Name next = r.parts[p + 1].name;
    const auto i = v->record ? record_position(in, v->record, next) : std::nullopt;
    if (!i) {
      in.error(r.parts[p + 1].place, fmt::format("{} is {} and has no element {}", spelled(in, r, p), type_name(in, *v), in.text(next)), nearest_element(in, *v, next));
      return {};
    }
    leading = v->dims.size();
    if (!owned) {
      v = &v->members[*i];
      continue;
    }
    Value member = std::move(owned->members[*i]);
    owned = std::move(member);
    v = &*owned;
  }
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
                               const Environment& env, std::string_view name) {
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
      inner.end_types = nullptr;
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
  const auto s = fixed_subscripts(in, v.dims, subscripts, place, name, env, dynamic, nullptr, found.empty() ? nullptr : &found);
  if (!s) return {};
  if (s->outside) return placeholder(in, v, left_dims(*s));
  if (dynamic) return dynamic_subscript(in, v, *s, place, env);
  std::vector<std::int64_t> left;
  const auto taken = positions(v.dims, *s, left);
  return gather(v, taken, std::move(left));
}

}  // namespace mosim::compiler
