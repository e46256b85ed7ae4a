// Array constructors, ranges, iterators (MLS 10.4, 10.5, 11.2.2).

#include <fmt/format.h>

#include <cmath>

#include "compiler/elaborate/elaborate.hpp"
#include "compiler/expression/evaluate.hpp"

namespace mosim::compiler {

namespace {

constexpr double maximum_range = 1e7;

std::optional<double> known_number(Instances& in, const Value& v, Place place, std::string_view what) {
  if (!v.scalar() || !is_numeric(v.type)) {
    in.error(place, fmt::format("{} must be a number", what));
    return {};
  }
  const Expr e = in.evaluated(v.only());
  if (e == Expr::none) {
    in.error(place, fmt::format("{} must be known before the run", what),
             "use only constants and parameters with values in it");
    return {};
  }
  return in.model.expressions.number(e);
}

}  // namespace

std::optional<Value> elaborate_range(Instances& in, const parser::Expression& e, const parser::Range& r,
                                     const Environment& env) {
  auto& ex = in.model.expressions;
  auto start = elaborate(in, *r.start, env);
  auto stop = elaborate(in, *r.stop, env);
  std::optional<Value> step;
  if (r.step) {
    step = elaborate(in, *r.step, env);
    if (!step) return {};
  }
  if (!start || !stop) return {};
  if (start->type == stop->type && !r.step &&
      (start->type.base == BaseType::enumeration || start->type.base == BaseType::boolean) && start->scalar() &&
      stop->scalar()) {
    const Expr a = in.evaluated(start->only()), b = in.evaluated(stop->only());
    if (a == Expr::none || b == Expr::none) {
      in.error(e.place, "the ends of a range must be known before the run");
      return {};
    }
    Value v{start->type, {0}, {}};
    for (std::uint32_t k = ex.payload(a); k <= ex.payload(b); ++k)
      v.elements.push_back(start->type.base == BaseType::boolean ? ex.boolean(k != 0, e.place)
                                                                 : ex.enumeration(start->type.enumeration, k, e.place));
    v.dims = {static_cast<std::int64_t>(v.elements.size())};
    return v;
  }
  const auto a = known_number(in, *start, r.start->place, "the start of a range");
  const auto b = known_number(in, *stop, r.stop->place, "the end of a range");
  const auto s = step ? known_number(in, *step, r.step->place, "the step of a range") : std::optional<double>(1.0);
  if (!a || !b || !s) return {};
  if (*s == 0) {
    in.error(r.step->place, "the step of a range cannot be 0");
    return {};
  }
  const bool integers = start->type.base == BaseType::integer && stop->type.base == BaseType::integer &&
                        (!step || step->type.base == BaseType::integer);
  double n = std::floor((*b - *a) / *s + (integers ? 0.0 : 1e-10)) + 1;
  if (n < 0) n = 0;
  if (!(n <= maximum_range)) {
    in.error(e.place, fmt::format("this range has {} elements", n));
    return {};
  }
  Value v{integers ? integer_type : real_type, {static_cast<std::int64_t>(n)}, {}};
  for (double k = 0; k < n; ++k)
    v.elements.push_back(integers ? ex.integer(static_cast<std::int64_t>(*a + k * *s), e.place)
                                  : ex.real(*a + k * *s, e.place));
  return v;
}

std::optional<Value> array_of(Instances& in, std::vector<Value> parts, const std::vector<Place>& places, Place place) {
  Value v;
  v.dims = {static_cast<std::int64_t>(parts.size())};
  if (parts.empty()) {
    // {} alone: its type is taken from where it goes.
    v.type = real_type;
    return v;
  }
  v.type = parts.front().type;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    if (parts[i].dims != parts.front().dims) {
      in.error(places[i], fmt::format("the elements of an array have one size: this is {}, the first {}",
                                      parts[i].dims.empty() ? "a scalar" : shape_text(parts[i].dims),
                                      parts.front().dims.empty() ? "a scalar" : shape_text(parts.front().dims)));
      return {};
    }
    if (is_numeric(v.type) && parts[i].type.base == BaseType::real) v.type = real_type;
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!convert(in, parts[i], v.type, places.empty() ? place : places[i], "an element of this array")) return {};
    v.elements.insert(v.elements.end(), parts[i].elements.begin(), parts[i].elements.end());
  }
  v.dims.insert(v.dims.end(), parts.front().dims.begin(), parts.front().dims.end());
  return v;
}

std::optional<Value> concatenate(Instances& in, std::size_t dimension, std::vector<Value> parts, Place place) {
  if (parts.empty()) return {};
  Type type = parts.front().type;
  const std::size_t n = parts.front().dims.size();
  for (const Value& p : parts)
    if (is_numeric(type) && p.type.base == BaseType::real) type = real_type;
  Value v{type, parts.front().dims, {}};
  v.dims[dimension] = 0;
  for (Value& p : parts) {
    bool fits = p.dims.size() == n;
    for (std::size_t d = 0; fits && d < n; ++d)
      if (d != dimension && p.dims[d] != v.dims[d]) fits = false;
    if (!fits) {
      in.error(place, fmt::format("arrays of sizes {} and {} cannot be joined along dimension {}",
                                  shape_text(parts.front().dims), shape_text(p.dims), dimension + 1));
      return {};
    }
    if (!convert(in, p, type, place, "a part of this array")) return {};
    v.dims[dimension] += p.dims[dimension];
  }
  std::size_t outer = 1;
  for (std::size_t d = 0; d < dimension; ++d) outer *= static_cast<std::size_t>(v.dims[d]);
  for (std::size_t o = 0; o < outer; ++o)
    for (const Value& p : parts) {
      const std::size_t chunk = outer ? p.elements.size() / outer : 0;
      v.elements.insert(v.elements.end(), p.elements.begin() + static_cast<std::ptrdiff_t>(o * chunk),
                        p.elements.begin() + static_cast<std::ptrdiff_t>((o + 1) * chunk));
    }
  return v;
}

std::optional<Value> elaborate_matrix(Instances& in, const parser::Expression& e, const parser::MatrixConstructor& m,
                                      const Environment& env) {
  std::vector<std::vector<Value>> all;
  std::size_t dims = 2;
  for (const auto& row : m.rows) {
    all.emplace_back();
    for (const parser::Expression* x : row) {
      auto v = elaborate(in, *x, env);
      if (!v) return {};
      dims = std::max(dims, v->dims.size());
      all.back().push_back(std::move(*v));
    }
  }
  std::vector<Value> rows;
  for (auto& row : all) {
    // promote(): trailing dimensions of size 1 (MLS 10.4.2.1)
    for (Value& v : row) v.dims.resize(dims, 1);
    auto joined = concatenate(in, 1, std::move(row), e.place);
    if (!joined) return {};
    rows.push_back(std::move(*joined));
  }
  return concatenate(in, 0, std::move(rows), e.place);
}

std::optional<Value> iteration_range(Instances& in, const parser::ForIndex& index, const Environment& env) {
  if (!index.range) {
    in.unsupported(index.place, fmt::format("the range of {} deduced from the subscripts it stands in", in.text(index.name)));
    return {};
  }
  auto v = elaborate(in, *index.range, env);
  if (!v) return {};
  if (v->dims.size() != 1) {
    in.error(index.range->place, "a for loop runs through a vector",
             v->scalar() && v->type.base == BaseType::integer ? "write 1:n" : "");
    return {};
  }
  for (Expr& e : v->elements) {
    const Expr known = in.evaluated(e);
    if (known == Expr::none) {
      in.error(index.range->place, "the range of a for loop must be known before the run",
               "use only constants and parameters with values in it");
      return {};
    }
    e = known;
  }
  return v;
}

bool for_each_iteration(Instances& in, parser::List<parser::ForIndex> indices, const Environment& env,
                        const std::function<bool(const Environment&)>& visit, std::vector<std::int64_t>* sizes) {
  if (indices.empty()) return visit(env);
  const auto range = iteration_range(in, indices.front(), env);
  if (!range) return false;
  if (sizes) sizes->push_back(range->dims.front());
  bool first = true;
  for (Expr e : range->elements) {
    const Locals locals{indices.front().name, scalar(range->type, e), env.locals};
    Environment inner = env;
    inner.locals = &locals;
    if (!for_each_iteration(in, indices.subspan(1), inner, visit, first ? sizes : nullptr)) return false;
    first = false;
  }
  if (range->elements.empty() && sizes)
    for (std::size_t k = 1; k < indices.size(); ++k) sizes->push_back(0);
  return true;
}

}  // namespace mosim::compiler
