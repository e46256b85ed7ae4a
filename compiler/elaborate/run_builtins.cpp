// Built-in functions, comprehensions and reductions for arrays whose sizes the run alone knows (MLS 10.3, 10.4.1).

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <unordered_map>

#include "compiler/elaborate/iteration.hpp"
#include "compiler/elaborate/run_arrays.hpp"
#include "compiler/elaborate/values.hpp"

namespace mosim::compiler {

namespace {

using builtins::Call;
using Handler = std::optional<Value> (*)(Call&);

Expr chosen(Expressions& x, Expr condition, Expr yes, Expr no, BaseType type, Place place) { return x.make(Op::if_, type, {condition, yes, no}, place); }
Expr equal(Expressions& x, Expr a, Expr b, Place place) { return x.make(Op::equal, BaseType::boolean, {a, b}, place, true); }

/// Arguments from `first` on as sizes; nothing after an error.
std::optional<std::vector<Expr>> sizes(Call& c, std::size_t first) {
  std::vector<Expr> extents;
  for (std::size_t k = first; k < c.arguments.size(); ++k) {
    if (!c.arguments[k].scalar() || c.arguments[k].type != integer_type) {
      c.in.error(c.argument_place(k), "an array's size must be an Integer");
      return {};
    }
    extents.push_back(found_once(c.in, c.arguments[k].only(), c.place()));
  }
  return extents;
}

Value constant_array(Call& c, Type type, std::vector<Expr> extents, Expr value) {
  return array_of_run(c.in, type, std::move(extents), [value](Subscript) { return value; }, c.place());
}

bool needs_dimensions(Call& c, std::size_t argument, std::size_t n) {
  if (c.arguments[argument].dims.size() == n) return true;
  c.in.error(c.argument_place(argument), fmt::format("{} takes an array of {} dimension{} here", c.name, n, n == 1 ? "" : "s"));
  return false;
}

std::optional<Value> fill(Call& c) {
  const auto extents = c.arguments.size() < 2 ? std::nullopt : sizes(c, 1);
  if (!extents) return {};
  const Value& v = c.arguments[0];
  if (v.record) throw SizeOfRun();
  if (v.dims.empty()) return constant_array(c, v.type, *extents, found_once(c.in, v.only(), c.place()));
  std::vector<Expr> all = *extents;
  const auto inner = extents_of(c.in, v);
  all.insert(all.end(), inner.begin(), inner.end());
  return array_of_run(c.in, v.type, all, [element = elements_of(c.in, v, c.place()), n = extents->size()](Subscript at) { return element(at.subspan(n)); }, c.place());
}
std::optional<Value> filled_with(Call& c, std::int64_t value) {
  const auto extents = sizes(c, 0);
  if (!extents) return {};
  return constant_array(c, integer_type, *extents, c.ex().integer(value));
}
std::optional<Value> zeros(Call& c) { return filled_with(c, 0); }
std::optional<Value> ones(Call& c) { return filled_with(c, 1); }
std::optional<Value> identity(Call& c) {
  const auto n = sizes(c, 0);
  if (!n) return {};
  return array_of_run(c.in, integer_type, {n->front(), n->front()}, [&in = c.in, place = c.place()](Subscript at) {
    auto& x = in.model.expressions;
    return chosen(x, equal(x, at[0], at[1], place), x.integer(1), x.integer(0), BaseType::integer, place);
  }, c.place());
}
std::optional<Value> diagonal(Call& c) {
  if (!needs_dimensions(c, 0, 1)) return {};
  const Value& d = c.arguments[0];
  const Expr n = extents_of(c.in, d).front();
  return array_of_run(c.in, d.type, {n, n}, [&in = c.in, type = d.type, place = c.place(), element = elements_of(c.in, d, c.place())](Subscript at) {
    auto& x = in.model.expressions;
    return chosen(x, equal(x, at[0], at[1], place), element(at.first(1)), zero(x, type), type.base, place);
  }, c.place());
}
std::optional<Value> linspace(Call& c) {
  if (!builtins::scalar_argument(c, 0, real_type) || !builtins::scalar_argument(c, 1, real_type)) return {};
  const auto n = sizes(c, 2);
  if (!n) return {};
  const Expr a = found_once(c.in, c.arguments[0].only(), c.place()), b = found_once(c.in, c.arguments[1].only(), c.place());
  return array_of_run(c.in, real_type, *n, [&in = c.in, a, b, n = n->front(), place = c.place()](Subscript at) {
    auto& x = in.model.expressions;
    const auto less_one = [&](Expr e) { return x.simplified(Op::subtract, BaseType::integer, {e, x.integer(1)}, place); };
    const Expr part = x.make(Op::divide, BaseType::real, {less_one(at[0]), less_one(n)}, place);
    return x.make(Op::add, BaseType::real, {a, x.make(Op::multiply, BaseType::real, {x.make(Op::subtract, BaseType::real, {b, a}, place), part}, place)}, place);
  }, c.place());
}
std::optional<Value> reduced(Call& c) {
  const Value& v = c.arguments[0];
  return accumulate(c.in, c.name, extents_of(c.in, v), [&, element = elements_of(c.in, v, c.place())](Subscript at) { return scalar(v.type, element(at)); }, c.place());
}
std::optional<Value> transpose(Call& c) {
  const Value& v = c.arguments[0];
  auto extents = extents_of(c.in, v);
  if (extents.size() < 2) return c.fail("transpose needs an array with at least two dimensions");
  std::swap(extents[0], extents[1]);
  return array_of_run(c.in, v.type, std::move(extents), [element = elements_of(c.in, v, c.place())](Subscript at) {
    std::vector<Expr> turned(at.begin(), at.end());
    std::swap(turned[0], turned[1]);
    return element(turned);
  }, c.place());
}
std::optional<Value> symmetric(Call& c) {
  if (!needs_dimensions(c, 0, 2)) return {};
  const Value& v = c.arguments[0];
  const auto extents = extents_of(c.in, v);
  if (!check_extent(c.in, extents[0], extents[1], c.place(), "symmetric needs a square matrix")) return {};
  return array_of_run(c.in, v.type, extents, [&in = c.in, type = v.type, place = c.place(), element = elements_of(c.in, v, c.place())](Subscript at) {
    auto& x = in.model.expressions;
    const Expr turned[] = {at[1], at[0]};
    return chosen(x, x.make(Op::less_equal, BaseType::boolean, {at[0], at[1]}, place, true), element(at), element(turned), type.base, place);
  }, c.place());
}
std::optional<Value> as_scalar(Call& c) {
  const Value& v = c.arguments[0];
  auto one = of_known_size(c.in, v, std::vector<std::int64_t>(v.dims.size(), 1), c.place(), "scalar needs an array of one element");
  if (one) one->dims.clear();
  return one;
}
std::optional<Value> vector(Call& c) {
  auto& x = c.ex();
  const Value& v = c.arguments[0];
  const auto extents = extents_of(c.in, v);
  if (extents.size() == 1) return v;
  // All but one are 1: then the number of elements is the largest of them, or 0.
  Expr n = x.integer(1), large = x.integer(0);
  for (const Expr e : extents) {
    n = found_once(c.in, x.simplified(Op::multiply, BaseType::integer, {n, e}, c.place()), c.place());
    large = x.simplified(Op::add, BaseType::integer, {large, chosen(x, x.make(Op::greater, BaseType::boolean, {e, x.integer(1)}, c.place(), true), x.integer(1), x.integer(0), BaseType::integer, c.place())}, c.place());
  }
  run_code(c.in)->emit(c.place(), flat::Assertion{x.make(Op::less_equal, BaseType::boolean, {large, x.integer(1)}, c.place(), true),
                                                  x.string("vector needs an array with at most one dimension larger than 1"), false, c.place(), true});
  return array_of_run(c.in, v.type, {n}, [&in = c.in, extents, place = c.place(), element = elements_of(c.in, v, c.place())](Subscript at) {
    auto& x = in.model.expressions;
    std::vector<Expr> all;
    for (const Expr e : extents) {
      const Expr known = in.evaluated(e);
      all.push_back(known != Expr::none ? (x.integer_value(known) == 1 ? x.integer(1) : at[0]) : chosen(x, equal(x, e, x.integer(1), place), x.integer(1), at[0], BaseType::integer, place));
    }
    return element(all);
  }, c.place());
}
std::optional<Value> matrix(Call& c) {
  const Value& v = c.arguments[0];
  if (v.dims.size() > 2) throw SizeOfRun();
  return run_promoted(c.in, v, 2, c.place());
}
std::optional<Value> cat(Call& c) {
  const auto k = c.arguments.size() < 2 ? std::nullopt : known_integer(c.in, c.arguments[0], c.argument_place(0), "the dimension");
  if (!k) return {};
  std::vector<Value> parts(c.arguments.begin() + 1, c.arguments.end());
  Type type = parts.front().type;
  for (const Value& p : parts)
    if (is_numeric(type) && p.type.base == BaseType::real) type = real_type;
  for (Value& p : parts)
    if (!convert(c.in, p, type, c.place(), "a part of this array")) return {};
  if (*k < 1) return c.fail(fmt::format("these arrays have no dimension {}", *k));
  return run_concatenation(c.in, std::size_t(*k - 1), parts, c.place());
}
std::optional<Value> outer_product(Call& c) {
  if (!needs_dimensions(c, 0, 1) || !needs_dimensions(c, 1, 1)) return {};
  const Value &a = c.arguments[0], &b = c.arguments[1];
  const Type type = a.type.base == BaseType::integer ? b.type : a.type;
  return array_of_run(c.in, type, {extents_of(c.in, a).front(), extents_of(c.in, b).front()},
                      [&in = c.in, type, place = c.place(), left = elements_of(c.in, a, c.place()), right = elements_of(c.in, b, c.place())](Subscript at) {
    return in.model.expressions.make(Op::multiply, type.base, {left(at.first(1)), right(at.last(1))}, place);
  }, c.place());
}
std::optional<Value> of_three(Call& c) {   // cross, skew
  for (Value& v : c.arguments) {
    auto known = of_known_size(c.in, v, {3}, c.place(), c.name);
    if (!known) return {};
    v = std::move(*known);
  }
  return c.name == "cross" ? builtins::cross(c) : builtins::skew(c);
}

const std::unordered_map<std::string_view, Handler>& table() {
  static const std::unordered_map<std::string_view, Handler> all = {
      {"fill", fill}, {"zeros", zeros}, {"ones", ones}, {"identity", identity}, {"diagonal", diagonal}, {"linspace", linspace},
      {"sum", reduced}, {"product", reduced}, {"transpose", transpose}, {"symmetric", symmetric}, {"scalar", as_scalar}, {"vector", vector},
      {"matrix", matrix}, {"cat", cat}, {"outerProduct", outer_product}, {"cross", of_three}, {"skew", of_three},
  };
  return all;
}

constexpr std::string_view sized_by_arguments[] = {"fill", "zeros", "ones", "identity", "linspace"};

}  // namespace

std::optional<std::optional<Value>> run_builtin(Call& c, const std::function<std::optional<Value>(Call&)>& of_scalars) {
  if (!run_code(c.in)) return {};
  const bool of_run = std::any_of(c.arguments.begin(), c.arguments.end(), is_of_run);
  if (!of_run) {
    if (std::find(std::begin(sized_by_arguments), std::end(sized_by_arguments), c.name) == std::end(sized_by_arguments)) return {};
    const std::size_t first = c.name == "fill" ? 1 : c.name == "linspace" ? 2 : 0;
    bool known = true;
    for (std::size_t k = first; k < c.arguments.size(); ++k)
      known = known && (!c.arguments[k].scalar() || c.arguments[k].type != integer_type || c.in.evaluated(c.arguments[k].only()) != Expr::none);
    if (known) return {};
  }
  if (c.name == "size" || c.name == "ndims" || c.name == "pure") return {};
  for (const Value& v : c.arguments)
    if (v.record || v.function) throw SizeOfRun();
  if ((c.name == "min" || c.name == "max") && c.arguments.size() == 1) return reduced(c);
  if (const auto it = table().find(c.name); it != table().end()) return it->second(c);
  // Of scalars: element by element (MLS 12.4.6).
  const Value* over = nullptr;
  for (const Value& v : c.arguments) {
    if (v.dims.empty()) continue;
    if (over && !check_sizes(c.in, *over, v, c.place(), c.name)) return std::optional<Value>();
    over = &v;
  }
  std::vector<ElementAt> elements;
  for (const Value& v : c.arguments) elements.push_back(elements_of(c.in, v, c.place()));
  return tabulate(c.in, extents_of(c.in, *over), [&](Subscript at) {
    Call one = c;
    for (std::size_t k = 0; k < elements.size(); ++k) one.arguments[k] = scalar(c.arguments[k].type, elements[k](at));
    return of_scalars(one);
  }, c.place());
}

std::optional<std::optional<Value>> run_iteration(Instances& in, std::string_view what, const parser::Expression& element,
                                                  parser::List<parser::ForIndex> iterators, Place place, const Environment& env) {
  if (!run_code(in) || env.type_only) return {};
  std::vector<Value> ranges;   // the last iterator's first: the first one is the fastest
  bool of_run = false;
  for (std::size_t k = iterators.size(); k-- > 0;) {
    flat::Statements before;   // of no use, if the sizes are known
    std::optional<Value> range;
    {
      const Quietly quietly(in);
      const FunctionCode::Into into(*run_code(in), before);
      range = iteration_range(in, iterators[k], env, &element);
    }
    if (!range) return {};     // it may depend on another iterator
    if (range->run)
      for (flat::Statement& s : before) run_code(in)->emit(s.place, std::move(s.node));
    of_run = of_run || range->run;
    ranges.push_back(std::move(*range));
  }
  if (!of_run) return {};
  std::vector<Expr> extents;
  std::vector<ElementAt> values;
  for (const Value& r : ranges) {
    extents.push_back(extents_of(in, r).front());
    values.push_back(elements_of(in, r, place));
  }
  const auto body = [&](Subscript at) {
    std::deque<Locals> locals;
    Environment inner = env;
    for (std::size_t k = 0; k < ranges.size(); ++k)
      inner.locals = &locals.emplace_back(Locals{iterators[ranges.size() - 1 - k].name, scalar(ranges[k].type, values[k](at.subspan(k, 1))), inner.locals});
    return elaborate(in, element, inner);
  };
  if (what.empty() || what == "array") return tabulate(in, extents, body, place);
  return accumulate(in, what, extents, body, place);
}

}  // namespace mosim::compiler
