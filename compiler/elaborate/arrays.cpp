// Array constructors, ranges, iterators (MLS 10.4, 10.5, 11.2.2).

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "compiler/elaborate/run_arrays.hpp"
#include "compiler/elaborate/function_code.hpp"
#include "compiler/elaborate/elaborate.hpp"
#include "compiler/elaborate/values.hpp"
#include "compiler/expression/evaluate.hpp"
#include "compiler/instantiate/instances.hpp"

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
    if (note_need(in, v.only())) return {};
    in.error(place, fmt::format("{} must be known before the run", what),
             "use only constants and parameters with values in it");
    return {};
  }
  return in.model.expressions.number(e);
}

}  // namespace

std::optional<RangeValues> range_values(Instances& in, const parser::Expression& e, const parser::Range& r, const Environment& env) {
  auto& ex = in.model.expressions;
  auto start = elaborate(in, *r.start, env);
  auto stop = elaborate(in, *r.stop, env);
  std::optional<Value> step;
  if (r.step) {
    step = elaborate(in, *r.step, env);
    if (!step) return {};
  }
  if (!start || !stop) return {};
  if (same_type(in, start->type, stop->type) && !r.step &&
      (start->type.base == BaseType::enumeration || start->type.base == BaseType::boolean) && start->scalar() &&
      stop->scalar()) {
    const Expr a = in.evaluated(start->only()), b = in.evaluated(stop->only());
    if (a == Expr::none || b == Expr::none) {
      if ((a == Expr::none && note_need(in, start->only())) || (b == Expr::none && note_need(in, stop->only()))) return {};
      in.error(e.place, "the ends of a range must be known before the run");
      return {};
    }
    Value v{start->type, {0}, {}};
    for (std::uint32_t k = ex.payload(a); k <= ex.payload(b); ++k)
      v.elements.push_back(start->type.base == BaseType::boolean ? ex.boolean(k != 0, e.place)
                                                                 : ex.enumeration(start->type.enumeration, k, e.place));
    v.dims = {static_cast<std::int64_t>(v.elements.size())};
    return RangeValues(std::move(v));
  }
  if (run_code(in)) {
    const auto is_known = [&](const Value& v) { return !v.scalar() || in.evaluated(v.only()) != Expr::none; };
    if (!is_known(*start) || !is_known(*stop) || (step && !is_known(*step))) {
      auto v = run_range(in, *start, step, *stop, e.place);
      return v ? std::optional<RangeValues>(std::move(*v)) : std::nullopt;
    }
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
  if (integers && std::max(std::abs(*a), std::abs(*b)) > largest_exact) {
    in.error(e.place, fmt::format("this range goes from {:.0f} to {:.0f}, and its elements are not exact beyond 2^53", *a, *b));
    return {};
  }
  double n = std::floor((*b - *a) / *s + (integers ? 0.0 : 1e-10)) + 1;
  if (n < 0) n = 0;
  if (!(n <= maximum_range)) {
    in.error(e.place, fmt::format("this range has {} elements", n));
    return {};
  }
  if (!in.has_room(e.place, n)) return {};
  if (integers) return RangeValues(static_cast<std::int64_t>(*a), static_cast<std::int64_t>(*s), static_cast<std::int64_t>(n), e.place);
  Value v{real_type, {static_cast<std::int64_t>(n)}, {}};
  for (double k = 0; k < n; ++k) v.elements.push_back(ex.real(*a + k * *s, e.place));
  return RangeValues(std::move(v));
}

Value RangeValues::nth(Instances& in, std::int64_t k) const {
  return vector_.dims.empty() ? scalar(integer_type, in.model.expressions.integer(first_ + k * step_, place_)) : compiler::nth(vector_, static_cast<std::size_t>(k));
}

double RangeValues::number(const Instances& in, std::int64_t k) const {
  if (vector_.dims.empty()) return static_cast<double>(first_ + k * step_);
  const Expressions& ex = in.model.expressions;
  const auto at = static_cast<std::size_t>(k);
  if (vector_.elements.empty() || !is_numeric(vector_.type) || !ex.is_number(vector_.elements[at])) return std::numeric_limits<double>::quiet_NaN();
  const double number = ex.number(vector_.elements[at]);
  return vector_.type == integer_type && !(std::abs(number) < largest_exact) ? std::numeric_limits<double>::quiet_NaN() : number;
}

Value RangeValues::all(Instances& in) && {
  if (!vector_.dims.empty()) return std::move(vector_);
  Value v{integer_type, {count_}, {}};
  for (std::int64_t k = 0; k < count_; ++k) v.elements.push_back(in.model.expressions.integer(first_ + k * step_, place_));
  return v;
}

std::optional<Value> elaborate_range(Instances& in, const parser::Expression& e, const parser::Range& r, const Environment& env) {
  auto values = range_values(in, e, r, env);
  return values ? std::optional(std::move(*values).all(in)) : std::nullopt;
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
  const auto place_of = [&](std::size_t i) { return places.empty() ? place : places[i]; };
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].function) {
      in.error(place_of(i), "a function cannot be an element of an array");
      return {};
    }
    if (parts[i].dims.size() == parts.front().dims.size() && (parts[i].run || parts.front().run)) {   // the run looks
    } else if (parts[i].dims != parts.front().dims) {
      in.error(place_of(i), fmt::format("the elements of an array have one size: this is {}, the first {}",
                                      parts[i].dims.empty() ? "a scalar" : shape_text(parts[i].dims),
                                      parts.front().dims.empty() ? "a scalar" : shape_text(parts.front().dims)));
      return {};
    }
    if (is_numeric(v.type) && parts[i].type.base == BaseType::real && !parts[i].record) v.type = real_type;
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts.front().record ? !unify_records(in, parts.front(), parts[i], place_of(i), "an element of this array")
                             : !convert(in, parts[i], v.type, place_of(i), "an element of this array"))
      return {};
  }
  if (std::any_of(parts.begin(), parts.end(), [](const Value& p) { return p.run != nullptr; })) return run_stack(in, parts, place);
  return stack(parts, v.dims);
}

std::optional<Value> concatenate(Instances& in, std::size_t dimension, std::vector<Value> parts, Place place) {
  if (parts.empty()) return {};
  Type type = parts.front().type;
  const std::size_t n = parts.front().dims.size();
  for (const Value& p : parts)
    if (is_numeric(type) && p.type.base == BaseType::real) type = real_type;
  if (std::any_of(parts.begin(), parts.end(), [](const Value& p) { return p.run != nullptr; })) {
    for (Value& p : parts)
      if (!convert(in, p, type, place, "a part of this array")) return {};
    return run_concatenation(in, dimension, parts, place);
  }
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
    for (Value& v : row) {
      if (v.run) v = run_promoted(in, v, dims, e.place);
      else v.dims.resize(dims, 1);
    }
    auto joined = concatenate(in, 1, std::move(row), e.place);
    if (!joined) return {};
    rows.push_back(std::move(*joined));
  }
  return concatenate(in, 0, std::move(rows), e.place);
}

}  // namespace mosim::compiler
