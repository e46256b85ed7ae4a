#include "compiler/elaborate/run_arrays.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "compiler/elaborate/values.hpp"

namespace mosim::compiler {

namespace {

Expr integer_sum(Expressions& x, Expr a, Expr b, Place place) { return x.simplified(Op::add, BaseType::integer, {a, b}, place); }
Expr integer_difference(Expressions& x, Expr a, Expr b, Place place) { return x.simplified(Op::subtract, BaseType::integer, {a, b}, place); }
Expr integer_product(Expressions& x, Expr a, Expr b, Place place) { return x.simplified(Op::multiply, BaseType::integer, {a, b}, place); }
Expr not_negative(Instances& in, Expr n, Place place) {
  auto& x = in.model.expressions;
  const Expr known = in.evaluated(n);
  if (known != Expr::none) return x.integer(std::max<std::int64_t>(0, x.integer_value(known)), place);
  return x.make(Op::max, BaseType::integer, {n, x.integer(0, place)}, place);
}
Expr text_of(Expressions& x, Expr n, Place place) {
  return x.make(Op::string_of, BaseType::string, {n, x.integer(0), x.boolean(true), x.integer(6), x.string("")}, place);
}
Expr joined(Expressions& x, Expr a, Expr b, Place place) { return x.make(Op::add, BaseType::string, {a, b}, place); }

std::vector<std::int64_t> dims_of(Instances& in, std::vector<Expr>& extents) {
  std::vector<std::int64_t> dims;
  for (Expr& e : extents) {
    const Expr known = in.evaluated(e);
    if (known != Expr::none) e = known;
    dims.push_back(known == Expr::none ? -1 : in.model.expressions.integer_value(known));
  }
  return dims;
}

bool all_known(const std::vector<std::int64_t>& dims) {
  return std::all_of(dims.begin(), dims.end(), [](std::int64_t d) { return d >= 0; });
}

/// Every subscript of an array of known size, in order.
template <class Visit>
void each_known(Expressions& x, const std::vector<std::int64_t>& dims, Visit visit) {
  const std::size_t n = count(dims);
  std::vector<Expr> at(dims.size());
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t rest = k;
    for (std::size_t d = dims.size(); d-- > 0; rest /= std::size_t(dims[d])) at[d] = x.integer(std::int64_t(rest % std::size_t(dims[d])) + 1);
    visit(Subscript(at));
  }
}

}  // namespace

FunctionCode* run_code(Instances& in) {
  FunctionCodes& codes = function_codes(in);
  return codes.current && codes.current->run_sizes() && !codes.inlining ? codes.current : nullptr;
}

bool is_of_run(const Value& v) {
  return v.run || std::any_of(v.members.begin(), v.members.end(), is_of_run);
}

std::vector<Expr> extents_of(Instances& in, const Value& v) {
  if (v.run) return v.run->extents;
  std::vector<Expr> extents;
  for (const std::int64_t d : v.dims) extents.push_back(in.model.expressions.integer(d));
  return extents;
}

ElementAt elements_of(Instances& in, const Value& v, Place place) {
  if (v.run) return v.run->element;
  auto& x = in.model.expressions;
  if (v.record || v.function) throw SizeOfRun();
  if (v.dims.empty()) return [e = found_once(in, v.only(), place)](Subscript) { return e; };
  if (v.elements.empty()) return [e = zero(x, v.type)](Subscript) { return e; };
  const auto row = as_row(in, v);
  if (!row) throw SizeOfRun();
  return [&in, row = *row, place](Subscript at) {
    auto& x = in.model.expressions;
    Expr position = x.integer(0);
    if (row.dims.size() == 1 && in.evaluated(at[0]) == Expr::none)
      return x.element(x.local(row.elements.front()), at[0], std::int64_t(row.elements.size()), row.type.base, place);
    for (std::size_t d = 0; d < row.dims.size(); ++d) {
      const Expr size = x.integer(row.dims[d]);
      const Expr inside = in.evaluated(at[d]) != Expr::none || row.dims.size() == 1 ? at[d] : x.make(Op::within, BaseType::integer, {at[d], size}, place);
      position = integer_sum(x, integer_product(x, position, size, place), integer_difference(x, inside, x.integer(1), place), place);
    }
    const Expr known = in.evaluated(position);
    if (known != Expr::none) return row.elements[std::size_t(x.integer_value(known))];
    return x.element(x.local(row.elements.front()), integer_sum(x, position, x.integer(1), place), std::int64_t(row.elements.size()), row.type.base, place);
  };
}

Value array_of_run(Instances& in, Type type, std::vector<Expr> extents, ElementAt element, Place place) {
  Value v{type, dims_of(in, extents), {}};
  if (all_known(v.dims) && in.has_room(place, double(count(v.dims)))) {
    each_known(in.model.expressions, v.dims, [&](Subscript at) { v.elements.push_back(element(at)); });
    return v;
  }
  v.run = std::make_shared<const RunArray>(RunArray{std::move(extents), std::move(element), LocalId::none});
  return v;
}

Value whole_array(Instances& in, LocalId array, Type type, const std::vector<std::int64_t>& dims) {
  auto& x = in.model.expressions;
  RunArray run;
  for (std::size_t d = 0; d < dims.size(); ++d) run.extents.push_back(dims[d] >= 0 ? x.integer(dims[d]) : x.extent(array, std::int64_t(d) + 1));
  run.element = [&in, array, type](Subscript at) { return in.model.expressions.item(array, at, type.base); };
  run.whole = array;
  Value v{type, dims, {}};
  v.run = std::make_shared<const RunArray>(std::move(run));
  return v;
}

LocalId in_memory(Instances& in, const Value& v, Place place, bool copy) {
  if (v.run && v.run->whole != LocalId::none && !copy) return v.run->whole;
  FunctionCode& code = *run_code(in);
  if (v.run && v.run->whole != LocalId::none) {
    const LocalId array = code.made("copy", v.type, Expr::none, int(v.dims.size()));
    code.emit(place, flat::ArrayAssignment{array, v.run->whole});
    return array;
  }
  const LocalId array = code.made("array", v.type, Expr::none, int(v.dims.size()));
  if (!v.run) {   // of known size: element by element
    code.emit(place, flat::ArrayCreation{array, extents_of(in, v)});
    std::size_t k = 0;
    each_known(in.model.expressions, v.dims, [&](Subscript at) {
      const Expr e = v.elements[k++];
      if (e != Expr::none) code.emit(place, flat::ItemAssignment{array, {at.begin(), at.end()}, e});
    });
    return array;
  }
  const auto extents = v.run->extents;
  std::vector<Expr> once;
  for (const Expr e : extents) once.push_back(found_once(in, e, place));
  code.emit(place, flat::ArrayCreation{array, once});
  loops(in, once, [&](Subscript at) {
    code.emit(place, flat::ItemAssignment{array, {at.begin(), at.end()}, v.run->element(at)});
    return true;
  }, place);
  return array;
}

Expr found_once(Instances& in, Expr e, Place place) {
  auto& x = in.model.expressions;
  const Expr known = in.evaluated(e);
  if (known != Expr::none) return known;
  if (x.op(e) == Op::local || x.op(e) == Op::extent) return e;
  FunctionCode& code = *run_code(in);
  const LocalId l = code.made("held", {x.type(e), EnumerationId::none});
  code.emit(place, flat::LocalAssignment{{{l, e}}});
  return x.local(l, x.type(e), place);
}

void append_code_leaves(Instances& in, const Value& v, std::vector<Expr>& out, Place place) {
  if (v.run) {
    out.push_back(in.model.expressions.local(in_memory(in, v, place), v.type.base));
    return;
  }
  out.insert(out.end(), v.elements.begin(), v.elements.end());
  for (const Value& m : v.members) append_code_leaves(in, m, out, place);
}

bool check_extent(Instances& in, Expr a, Expr b, Place place, std::string_view what) {
  auto& x = in.model.expressions;
  const Expr known_a = in.evaluated(a), known_b = in.evaluated(b);
  if (known_a != Expr::none && known_b != Expr::none) {
    if (x.integer_value(known_a) == x.integer_value(known_b)) return true;
    in.error(place, fmt::format("{}: the sizes {} and {} differ", what, x.integer_value(known_a), x.integer_value(known_b)));
    return false;
  }
  if (a == b) return true;
  Expr message = x.string(fmt::format("{}: the sizes ", what), place);
  message = joined(x, joined(x, joined(x, joined(x, message, text_of(x, a, place), place), x.string(" and ", place), place), text_of(x, b, place), place), x.string(" differ", place), place);
  run_code(in)->emit(place, flat::Assertion{x.make(Op::equal, BaseType::boolean, {a, b}, place, true), message, false, place, true});
  return true;
}

bool check_sizes(Instances& in, const Value& a, const Value& b, Place place, std::string_view what) {
  if (a.dims.size() != b.dims.size()) return false;
  const auto of_a = extents_of(in, a), of_b = extents_of(in, b);
  for (std::size_t d = 0; d < of_a.size(); ++d)
    if (!check_extent(in, of_a[d], of_b[d], place, what)) return false;
  return true;
}

std::optional<Value> of_known_size(Instances& in, const Value& v, const std::vector<std::int64_t>& dims, Place place, std::string_view what) {
  if (v.dims.size() != dims.size()) {
    in.error(place, fmt::format("{} needs {} dimensions, not {}", what, dims.size(), v.dims.size()));
    return {};
  }
  const auto extents = extents_of(in, v);
  for (std::size_t d = 0; d < dims.size(); ++d)
    if (!check_extent(in, extents[d], in.model.expressions.integer(dims[d]), place, what)) return {};
  if (!v.run) return v;
  Value known{v.type, dims, {}};
  if (!in.has_room(place, double(count(dims)))) return {};
  each_known(in.model.expressions, dims, [&](Subscript at) { known.elements.push_back(v.run->element(at)); });
  return known;
}

bool loops(Instances& in, const std::vector<Expr>& extents, const std::function<bool(Subscript)>& body, Place place) {
  FunctionCode& code = *run_code(in);
  auto& x = in.model.expressions;
  std::vector<LocalId> iterators;
  std::vector<Expr> at;
  for (std::size_t d = 0; d < extents.size(); ++d) {
    iterators.push_back(code.made(fmt::format("i{}", d + 1), integer_type));
    at.push_back(x.local(iterators.back(), BaseType::integer, place));
  }
  flat::Statements list;
  bool good = false;
  {
    const FunctionCode::Into into(code, list);
    good = body(at);
  }
  if (!good) return false;
  for (std::size_t d = extents.size(); d-- > 0;) {
    flat::Loop loop{iterators[d], x.integer(1), extents[d], std::move(list)};
    list.clear();
    list.push_back({place, std::move(loop)});
  }
  for (flat::Statement& s : list) code.emit(s.place, std::move(s.node));
  return true;
}

std::optional<Value> tabulate(Instances& in, const std::vector<Expr>& extents, const std::function<std::optional<Value>(Subscript)>& body, Place place) {
  FunctionCode& code = *run_code(in);
  std::vector<Expr> once;
  for (const Expr e : extents) once.push_back(found_once(in, e, place));
  const LocalId array = code.made("array", real_type, Expr::none, int(extents.size()));
  Type type = real_type;
  flat::Statements made;
  bool good = false;
  {
    const FunctionCode::Into into(code, made);
    good = loops(in, once, [&](Subscript at) {
      const auto v = body(at);
      if (!v) return false;
      if (!v->scalar()) throw SizeOfRun();
      type = v->type;
      code.emit(place, flat::ItemAssignment{array, {at.begin(), at.end()}, v->only()});
      return true;
    }, place);
  }
  if (!good) return {};
  flat::Local& l = in.model.locals[index(array)];
  l.type = type.base;
  l.enumeration = type.enumeration;
  code.emit(place, flat::ArrayCreation{array, once});
  for (flat::Statement& s : made) code.emit(s.place, std::move(s.node));
  return whole_array(in, array, type, dims_of(in, once));
}

std::optional<Value> accumulate(Instances& in, std::string_view what, const std::vector<Expr>& extents,
                                const std::function<std::optional<Value>(Subscript)>& body, Place place) {
  FunctionCode& code = *run_code(in);
  auto& x = in.model.expressions;
  const LocalId sum = code.made(std::string(what), real_type);
  const Op op = what == "sum" ? Op::add : what == "product" ? Op::multiply : what == "min" ? Op::min : Op::max;
  Type type = real_type;
  flat::Statements made;
  bool good = false;
  {
    const FunctionCode::Into into(code, made);
    good = loops(in, extents, [&](Subscript at) {
      const auto v = body(at);
      if (!v) return false;
      if (!v->scalar()) throw SizeOfRun();
      type = v->type;
      if (!is_numeric(type) && (op == Op::add || op == Op::multiply)) {
        in.error(place, fmt::format("{} needs numbers", what));
        return false;
      }
      code.emit(place, flat::LocalAssignment{{{sum, x.make(op, type.base, {x.local(sum, type.base), v->only()}, place)}}});
      return true;
    }, place);
  }
  if (!good) return {};
  in.model.locals[index(sum)].type = type.base;
  const bool least = op == Op::min, real = type.base == BaseType::real;
  if (!is_numeric(type)) throw SizeOfRun();
  const double neutral = op == Op::add ? 0 : op == Op::multiply ? 1 : (least ? 1 : -1) * (real ? 1.7976931348623157e308 : 9007199254740991.0);
  code.emit(place, flat::LocalAssignment{{{sum, real ? x.real(neutral) : x.integer(std::int64_t(neutral))}}});
  for (flat::Statement& s : made) code.emit(s.place, std::move(s.node));
  return scalar(type, x.local(sum, type.base, place));
}

std::optional<Value> run_product(Instances& in, const Value& a, const Value& b, Place place) {
  auto& x = in.model.expressions;
  const auto size_a = extents_of(in, a), size_b = extents_of(in, b);
  if (size_a.size() > 2 || size_b.size() > 2) {
    in.error(place, "a product is of vectors and matrices");
    return {};
  }
  if (!check_extent(in, size_a.back(), size_b.front(), place, "a product")) return {};
  const auto left = elements_of(in, a, place), right = elements_of(in, b, place);
  std::vector<Expr> outer;
  if (size_a.size() == 2) outer.push_back(size_a[0]);
  if (size_b.size() == 2) outer.push_back(size_b[1]);
  const auto sum = [&](Subscript at) {
    return accumulate(in, "sum", {size_a.back()}, [&](Subscript k) -> std::optional<Value> {
      std::vector<Expr> i, j;
      if (size_a.size() == 2) i.push_back(at[0]);
      i.push_back(k[0]);
      j.push_back(k[0]);
      if (size_b.size() == 2) j.push_back(at.back());
      return scalar(a.type, x.make(Op::multiply, a.type.base, {left(i), right(j)}, place));
    }, place);
  };
  if (outer.empty()) return sum({});
  return tabulate(in, outer, sum, place);
}

namespace {

/// The part becomes the elements of `array` from these offsets on, behind subscripts that are fixed.
void put_part(Instances& in, LocalId array, const std::vector<Expr>& leading, const std::vector<Expr>& offsets, const Value& part, Place place) {
  FunctionCode& code = *run_code(in);
  auto& x = in.model.expressions;
  const auto element = elements_of(in, part, place);
  loops(in, extents_of(in, part), [&](Subscript at) {
    std::vector<Expr> to = leading;
    for (std::size_t d = 0; d < at.size(); ++d) to.push_back(offsets.empty() ? at[d] : integer_sum(x, at[d], offsets[d], place));
    code.emit(place, flat::ItemAssignment{array, to, element(at)});
    return true;
  }, place);
}

}  // namespace

std::optional<Value> run_stack(Instances& in, const std::vector<Value>& parts, Place place) {
  auto& x = in.model.expressions;
  FunctionCode& code = *run_code(in);
  for (std::size_t k = 1; k < parts.size(); ++k)
    if (!check_sizes(in, parts[k], parts[0], place, "the elements of an array have one size")) return {};
  std::vector<Expr> extents = extents_of(in, parts[0]);
  extents.insert(extents.begin(), x.integer(std::int64_t(parts.size())));
  const LocalId array = code.made("array", parts[0].type, Expr::none, int(extents.size()));
  code.emit(place, flat::ArrayCreation{array, extents});
  for (std::size_t k = 0; k < parts.size(); ++k) put_part(in, array, {x.integer(std::int64_t(k) + 1)}, {}, parts[k], place);
  return whole_array(in, array, parts[0].type, dims_of(in, extents));
}

Value run_promoted(Instances& in, const Value& v, std::size_t ndims, Place place) {
  std::vector<Expr> extents = extents_of(in, v);
  const std::size_t own = extents.size();
  extents.resize(std::max(ndims, own), in.model.expressions.integer(1));
  return array_of_run(in, v.type, std::move(extents), [element = elements_of(in, v, place), own](Subscript at) { return element(at.first(own)); }, place);
}

std::optional<Value> run_concatenation(Instances& in, std::size_t dimension, const std::vector<Value>& parts, Place place) {
  auto& x = in.model.expressions;
  FunctionCode& code = *run_code(in);
  const std::size_t n = parts.front().dims.size();
  std::vector<Expr> extents;
  std::vector<std::vector<Expr>> offsets;
  Expr total = x.integer(0);
  for (const Value& p : parts) {
    const auto own = extents_of(in, p);
    if (own.size() != n || dimension >= n) {
      in.error(place, fmt::format("arrays of {} and {} dimensions cannot be joined along dimension {}", n, own.size(), dimension + 1));
      return {};
    }
    if (extents.empty()) extents = own;
    for (std::size_t d = 0; d < n; ++d)
      if (d != dimension && !check_extent(in, own[d], extents[d], place, fmt::format("arrays that are joined along dimension {}", dimension + 1))) return {};
    offsets.emplace_back(n, x.integer(0));
    offsets.back()[dimension] = total;
    total = found_once(in, integer_sum(x, total, own[dimension], place), place);
  }
  extents[dimension] = total;
  const LocalId array = code.made("array", parts.front().type, Expr::none, int(n));
  code.emit(place, flat::ArrayCreation{array, extents});
  for (std::size_t k = 0; k < parts.size(); ++k) put_part(in, array, {}, offsets[k], parts[k], place);
  return whole_array(in, array, parts.front().type, dims_of(in, extents));
}

std::optional<Value> run_range(Instances& in, const Value& start, const std::optional<Value>& step, const Value& stop, Place place) {
  auto& x = in.model.expressions;
  if (!start.scalar() || !stop.scalar() || (step && !step->scalar()) || !is_numeric(start.type) || !is_numeric(stop.type) || (step && !is_numeric(step->type))) {
    in.error(place, "the ends and the step of a range must be numbers");
    return {};
  }
  const Expr a = found_once(in, start.only(), place), b = found_once(in, stop.only(), place);
  const bool integers = start.type == integer_type && stop.type == integer_type && (!step || step->type == integer_type);
  if (integers) {
    const Expr s = step ? found_once(in, step->only(), place) : x.integer(1);
    const Expr length = integer_difference(x, b, integer_difference(x, a, s, place), place);
    const Expr n = not_negative(in, step ? x.make(Op::div, BaseType::integer, {length, s}, place, true) : length, place);
    return array_of_run(in, integer_type, {found_once(in, n, place)}, [&in, a, s, place, step = step.has_value()](Subscript at) {
      auto& x = in.model.expressions;
      if (!step) return integer_sum(x, at[0], integer_difference(x, a, x.integer(1), place), place);
      return integer_sum(x, a, integer_product(x, integer_difference(x, at[0], x.integer(1), place), s, place), place);
    }, place);
  }
  const Expr s = step ? found_once(in, step->only(), place) : x.real(1);
  const Expr quotient = x.make(Op::divide, BaseType::real, {x.make(Op::subtract, BaseType::real, {b, a}, place), s}, place);
  const Expr rounds = x.make(Op::integer_of, BaseType::integer, {x.make(Op::add, BaseType::real, {quotient, x.real(1e-10)}, place)}, place, true);
  const Expr n = not_negative(in, integer_sum(x, rounds, x.integer(1), place), place);
  return array_of_run(in, real_type, {found_once(in, n, place)}, [&in, a, s, place](Subscript at) {
    auto& x = in.model.expressions;
    const Expr k = integer_difference(x, at[0], x.integer(1), place);
    return x.make(Op::add, BaseType::real, {a, x.make(Op::multiply, BaseType::real, {k, s}, place)}, place);
  }, place);
}

std::optional<Value> run_subscript(Instances& in, const Value& v, const std::vector<std::optional<Value>>& subscripts, Place place) {
  if (v.record) {
    Value out = v;
    for (Value& m : out.members) {
      auto part = run_subscript(in, m, subscripts, place);
      if (!part) return {};
      m = std::move(*part);
    }
    out.dims.clear();
    for (std::size_t d = 0; d < v.dims.size(); ++d)
      if (d >= subscripts.size() || !subscripts[d]) out.dims.push_back(v.dims[d]);
      else if (!subscripts[d]->scalar()) out.dims.push_back(subscripts[d]->dims[0]);
    return out;
  }
  const auto extents = extents_of(in, v);
  struct Dimension {
    Expr fixed = Expr::none;      // one subscript
    ElementAt chosen;             // or several; null: all
  };
  std::vector<Dimension> dimensions;
  std::vector<Expr> left;
  for (std::size_t d = 0; d < extents.size(); ++d) {
    Dimension one;
    if (d >= subscripts.size() || !subscripts[d]) {
      left.push_back(extents[d]);
    } else if (subscripts[d]->scalar()) {
      one.fixed = found_once(in, subscripts[d]->only(), place);
    } else {
      left.push_back(extents_of(in, *subscripts[d]).front());
      one.chosen = elements_of(in, *subscripts[d], place);
    }
    dimensions.push_back(std::move(one));
  }
  const auto element = [whole = elements_of(in, v, place), dimensions](Subscript at) {
    std::vector<Expr> all;
    std::size_t k = 0;
    for (const Dimension& d : dimensions) {
      if (d.fixed != Expr::none) all.push_back(d.fixed);
      else if (d.chosen) all.push_back(d.chosen(at.subspan(k++, 1)));
      else all.push_back(at[k++]);
    }
    return whole(all);
  };
  if (left.empty()) return scalar(v.type, element({}));
  return array_of_run(in, v.type, std::move(left), element, place);
}

}  // namespace mosim::compiler
