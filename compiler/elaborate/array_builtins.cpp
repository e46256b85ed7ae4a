// Built-in functions of arrays (MLS 10.3).

#include <fmt/format.h>

#include <cmath>

#include "compiler/elaborate/run_arrays.hpp"
#include "compiler/elaborate/builtins.hpp"
#include "compiler/elaborate/elaboration.hpp"
#include "compiler/elaborate/values.hpp"
#include "compiler/expression/evaluate.hpp"

namespace mosim::compiler::builtins {

std::optional<Value> size(Call& c) {
  const Value& v = c.arguments[0];
  auto& ex = c.ex();
  if (c.arguments.size() == 1) {
    Value dims{integer_type, {static_cast<std::int64_t>(v.dims.size())}, {}};
    dims.elements = extents_of(c.in, v);
    return dims;
  }
  const auto i = known_integer(c.in, c.arguments[1], c.argument_place(1), "the dimension asked for");
  if (!i) return {};
  if (*i < 1 || *i > static_cast<std::int64_t>(v.dims.size()))
    return c.fail(v.dims.empty() ? "a scalar has no sizes" : fmt::format("this array has no dimension {}", *i));
  if (v.run) return scalar(integer_type, v.run->extents[static_cast<std::size_t>(*i - 1)]);
  return scalar(integer_type, ex.integer(v.dims[static_cast<std::size_t>(*i - 1)], c.place()));
}

std::optional<Value> ndims(Call& c) {
  return scalar(integer_type, c.ex().integer(static_cast<std::int64_t>(c.arguments[0].dims.size()), c.place()));
}

namespace {

std::optional<std::vector<std::int64_t>> size_arguments(Call& c, std::size_t first) {
  std::vector<std::int64_t> dims;
  for (std::size_t i = first; i < c.arguments.size(); ++i) {
    const auto n = known_integer(c.in, c.arguments[i], c.argument_place(i), "an array's size");
    if (!n) return {};
    if (*n < 0 && c.env.untaken) {
      c.in.elaboration.passed_over = true;
      return {};
    }
    if (*n < 0) {
      c.in.error(c.argument_place(i), fmt::format("an array's size cannot be {}", *n));
      return {};
    }
    dims.push_back(*n);
  }
  if (!c.in.has_room(c.place(), room_for(dims))) return {};
  return dims;
}

std::optional<Value> filled(Call& c, const Value& element, std::size_t first) {
  const auto dims = size_arguments(c, first);
  if (!dims) return {};
  return gather_leading(element, 0, std::vector<std::size_t>(count(*dims), 0), *dims);
}

}  // namespace

std::optional<Value> fill(Call& c) {
  if (c.arguments.size() < 2) return c.fail("fill takes a value and at least one size");
  return filled(c, c.arguments[0], 1);
}

std::optional<Value> zeros(Call& c) { return filled(c, scalar(integer_type, c.ex().integer(0, c.place())), 0); }

std::optional<Value> ones(Call& c) { return filled(c, scalar(integer_type, c.ex().integer(1, c.place())), 0); }

std::optional<Value> identity(Call& c) {
  const auto n = known_integer(c.in, c.arguments[0], c.argument_place(0), "the size of an identity matrix");
  if (!n) return {};
  if (*n < 0) return c.fail(fmt::format("an array's size cannot be {}", *n));
  if (!c.in.has_room(c.place(), double(*n) * double(*n))) return {};
  Value v{integer_type, {*n, *n}, {}};
  for (std::int64_t i = 0; i < *n * *n; ++i) v.elements.push_back(c.ex().integer(i / *n == i % *n, c.place()));
  return v;
}

std::optional<Value> diagonal(Call& c) {
  const Value& d = c.arguments[0];
  if (d.dims.size() != 1 || !is_numeric(d.type)) return c.fail("diagonal takes a vector of numbers");
  const std::int64_t n = d.dims[0];
  if (!c.in.has_room(c.place(), double(n) * double(n))) return {};
  Value v{d.type, {n, n}, {}};
  const Expr zero = d.type.base == BaseType::real ? c.ex().real(0, c.place()) : c.ex().integer(0, c.place());
  for (std::int64_t i = 0; i < n * n; ++i)
    v.elements.push_back(i / n == i % n ? d.elements[static_cast<std::size_t>(i / n)] : zero);
  return v;
}

std::optional<Value> linspace(Call& c) {
  if (!scalar_argument(c, 0, real_type) || !scalar_argument(c, 1, real_type)) return {};
  const auto n = known_integer(c.in, c.arguments[2], c.argument_place(2), "the number of points");
  if (!n) return {};
  if (*n < 2 && c.env.untaken) {
    c.in.elaboration.passed_over = true;
    return {};
  }
  if (*n < 2) return c.fail("linspace needs at least 2 points");
  if (!c.in.has_room(c.place(), double(*n))) return {};
  auto& ex = c.ex();
  const Expr a = c.arguments[0].only(), b = c.arguments[1].only();
  Value v{real_type, {*n}, {}};
  for (std::int64_t i = 0; i < *n; ++i) {
    const Expr step = ex.make(Op::multiply, BaseType::real,
                              {ex.make(Op::subtract, BaseType::real, {b, a}, c.place()),
                               ex.real(double(i) / double(*n - 1), c.place())},
                              c.place());
    v.elements.push_back(i == 0 ? a : i + 1 == *n ? b : ex.make(Op::add, BaseType::real, {a, step}, c.place()));
  }
  return v;
}

namespace {

std::optional<Value> sum_or_product(Call& c, Op op) {
  if (!is_numeric(c.arguments[0].type)) return c.fail(fmt::format("{} needs numbers", c.name));
  return scalar(c.arguments[0].type, fold(c.in, op, c.arguments[0], c.place()));
}

}  // namespace

std::optional<Value> sum(Call& c) { return sum_or_product(c, Op::add); }

std::optional<Value> product(Call& c) { return sum_or_product(c, Op::multiply); }

std::optional<Value> transpose(Call& c) {
  const Value& a = c.arguments[0];
  if (a.dims.size() < 2) return c.fail("transpose needs an array with at least two dimensions");
  Value v{a.type, a.dims, {}};
  std::swap(v.dims[0], v.dims[1]);
  const auto rows = static_cast<std::size_t>(a.dims[0]), columns = static_cast<std::size_t>(a.dims[1]);
  const std::size_t inner = a.elements.empty() ? 0 : a.elements.size() / (rows * columns);
  for (std::size_t j = 0; j < columns; ++j)
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t k = 0; k < inner; ++k) v.elements.push_back(a.elements[(i * columns + j) * inner + k]);
  return v;
}

std::optional<Value> symmetric(Call& c) {
  Value v = c.arguments[0];
  if (v.dims.size() != 2 || v.dims[0] != v.dims[1]) return c.fail("symmetric needs a square matrix");
  const auto n = static_cast<std::size_t>(v.dims[0]);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j) v.elements[i * n + j] = v.elements[j * n + i];
  return v;
}

std::optional<Value> as_scalar(Call& c) {
  Value v = c.arguments[0];
  if (v.elements.size() != 1) return c.fail(fmt::format("scalar needs an array of one element, not {}", shape_text(v.dims)));
  v.dims.clear();
  return v;
}

std::optional<Value> vector(Call& c) {
  Value v = c.arguments[0];
  std::size_t large = 0;
  for (std::int64_t d : v.dims) large += d != 1;
  if (large > 1) return c.fail("vector needs an array with at most one dimension larger than 1");
  v.dims = {static_cast<std::int64_t>(v.elements.size())};
  return v;
}

std::optional<Value> matrix(Call& c) {
  Value v = c.arguments[0];
  for (std::size_t d = 2; d < v.dims.size(); ++d)
    if (v.dims[d] != 1) return c.fail("matrix needs an array whose further dimensions have size 1");
  v.dims.resize(2, 1);
  return v;
}

std::optional<Value> cat(Call& c) {
  if (c.arguments.size() < 2) return c.fail("cat takes a dimension and at least one array");
  const auto k = known_integer(c.in, c.arguments[0], c.argument_place(0), "the dimension");
  if (!k) return {};
  if (*k < 1 || *k > static_cast<std::int64_t>(c.arguments[1].dims.size())) return c.fail(fmt::format("these arrays have no dimension {}", *k));
  return concatenate(c.in, static_cast<std::size_t>(*k - 1), {c.arguments.begin() + 1, c.arguments.end()}, c.place());
}

Expr product_of(Call& c, Expr a, Expr b) { return c.ex().make(Op::multiply, BaseType::real, {a, b}, c.place()); }

std::optional<Value> outer_product(Call& c) {
  const Value &a = c.arguments[0], &b = c.arguments[1];
  if (a.dims.size() != 1 || b.dims.size() != 1) return c.fail("outerProduct takes two vectors");
  Value v{a.type.base == BaseType::integer ? b.type : a.type, {a.dims[0], b.dims[0]}, {}};
  for (Expr x : a.elements)
    for (Expr y : b.elements) v.elements.push_back(c.ex().make(Op::multiply, v.type.base, {x, y}, c.place()));
  return v;
}

std::optional<Value> cross(Call& c) {
  for (std::size_t i : {0, 1}) {
    if (c.arguments[i].dims != std::vector<std::int64_t>{3}) return c.fail("cross takes two vectors of size 3");
    if (!convert(c.in, c.arguments[i], real_type, c.argument_place(i), "an argument of cross")) return {};
  }
  const auto &a = c.arguments[0].elements, &b = c.arguments[1].elements;
  Value v{real_type, {3}, {}};
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
    v.elements.push_back(
        c.ex().make(Op::subtract, BaseType::real, {product_of(c, a[j], b[k]), product_of(c, a[k], b[j])}, c.place()));
  }
  return v;
}

std::optional<Value> skew(Call& c) {
  if (c.arguments[0].dims != std::vector<std::int64_t>{3}) return c.fail("skew takes a vector of size 3");
  if (!convert(c.in, c.arguments[0], real_type, c.argument_place(0), "the argument of skew")) return {};
  const auto& x = c.arguments[0].elements;
  const auto minus = [&](Expr e) { return c.ex().make(Op::negate, BaseType::real, {e}, c.place()); };
  const Expr o = c.ex().real(0, c.place());
  return Value{real_type, {3, 3}, {o, minus(x[2]), x[1], x[2], o, minus(x[0]), minus(x[1]), x[0], o}};
}

}  // namespace mosim::compiler::builtins
