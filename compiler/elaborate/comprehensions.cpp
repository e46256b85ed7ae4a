// Array constructors and reductions with iterators (MLS 10.3.4.1, 10.4.1, 11.2.2.3).

#include <fmt/format.h>

#include <numeric>

#include "compiler/elaborate/run_arrays.hpp"
#include "compiler/elaborate/builtins.hpp"
#include "compiler/elaborate/elaboration.hpp"
#include "compiler/elaborate/iteration.hpp"
#include "compiler/elaborate/values.hpp"
#include "compiler/instantiate/instances.hpp"

namespace mosim::compiler {

namespace {

/// What an expression gives over its iterators, the first one fastest: `{e for i in A, j in B}` means
/// `{{e for i in A} for j in B}`, and so for reductions.
struct Iterated {
  std::vector<Value> values;
  std::vector<std::int64_t> sizes;   // of the ranges, that of the last iterator first
  std::optional<Value> sample;       // where there are no values: one of their type, if it could be found
  bool ragged = false;               // a range has another size for another value of a later iterator
};

bool iterate(Instances& in, const parser::Expression& element, parser::List<parser::ForIndex> indices, const Environment& env,
             Iterated& out, std::size_t depth = 0) {
  if (indices.empty()) {
    auto v = elaborate(in, element, env);
    if (!v) return false;
    if (env.type_only)
      out.sample = std::move(*v);
    else
      out.values.push_back(std::move(*v));
    return true;
  }
  const parser::ForIndex& index = indices.back();
  const auto range = iteration_range(in, index, env, &element);
  if (!range) return false;
  const std::int64_t n = range->dims.front();
  if (depth == out.sizes.size())
    out.sizes.push_back(n);
  else if (out.sizes[depth] != n)
    out.ragged = true;
  const auto with = [&](const Value& v, bool type_only) {
    const Locals locals{index.name, v, env.locals};
    Environment inner = env;
    inner.locals = &locals;
    inner.type_only = inner.type_only || type_only;
    inner.untaken = inner.untaken || type_only;
    return iterate(in, element, indices.first(indices.size() - 1), inner, out, depth + 1);
  };
  if (n == 0) {
    // Nothing is evaluated, but the result has a type and sizes.
    std::vector<flat::Assertion> nowhere;
    const AssertionsTo none(in, &nowhere);
    in.elaboration.passed_over = false;
    if (!with(placeholder(in, *range, {}), true) && !in.elaboration.passed_over) return false;
    while (out.sizes.size() < depth + indices.size()) out.sizes.push_back(0);
    return true;
  }
  for (std::int64_t k = 0; k < n; ++k) {
    if (!in.has_room(index.place, 1)) return false;
    if (!with(nth(*range, static_cast<std::size_t>(k)), false)) return false;
  }
  return true;
}

/// All values along one dimension; without any, of the type that they would have had. An Integer where that is not known: it
/// goes with every number.
std::optional<Value> as_vector(Instances& in, Iterated& all, Place element, Place place) {
  if (!all.values.empty()) return array_of(in, std::move(all.values), std::vector<Place>(all.values.size(), element), place);
  if (!all.sample) return Value{integer_type, {0}, {}};
  return gather_leading(*all.sample, 0, {}, {0});
}

/// sum(e for ...) of arrays e: element by element.
Value sum_of_arrays(Instances& in, const Value& v, Place place) {
  auto& ex = in.model.expressions;
  Value result{v.type, {v.dims.begin() + 1, v.dims.end()}, {}};
  const std::size_t stride = count(result.dims);
  for (std::size_t p = 0; p < stride; ++p) {
    Expr sum = Expr::none;
    for (std::size_t k = p; k < v.elements.size(); k += stride)
      sum = sum == Expr::none ? v.elements[k] : ex.make(Op::add, v.type.base, {sum, v.elements[k]}, place);
    result.elements.push_back(sum != Expr::none ? sum : v.type.base == BaseType::real ? ex.real(0, place) : ex.integer(0, place));
  }
  return result;
}

}  // namespace

std::optional<Value> array_with_iterators(Instances& in, const parser::Expression& element, parser::List<parser::ForIndex> iterators,
                                          Place place, const Environment& env) {
  if (auto of_run = run_iteration(in, "", element, iterators, place, env)) return *of_run;
  Iterated all;
  if (!iterate(in, element, iterators, env, all)) return {};
  if (all.ragged) {
    in.error(place, "the elements of an array have one size, and a range here depends on another iterator",
             "an array is a box: give every row the same number of elements");
    return {};
  }
  const bool known = !all.values.empty() || all.sample;
  // Where the type alone is asked for, one value stands for all.
  const bool one_for_all = all.values.empty() && all.sample && count(all.sizes) > 0;
  if (one_for_all) all.values.push_back(*all.sample);
  const auto flat = as_vector(in, all, element.place, place);
  if (!flat) return {};
  if (!known) return Value{real_type, all.sizes, {}};   // {} has any type
  std::vector<std::size_t> order(count(all.sizes));
  if (!one_for_all) std::iota(order.begin(), order.end(), std::size_t(0));
  return gather_leading(*flat, 1, order, all.sizes);
}

std::optional<Value> reduction(Instances& in, const parser::Expression& e, const parser::Call& call, std::string_view name,
                               const Environment& env) {
  const parser::Expression& element = *call.arguments.positional.front();
  if (name == "array") return array_with_iterators(in, element, call.arguments.iterators, e.place, env);
  if (name != "sum" && name != "product" && name != "min" && name != "max") {
    in.error(e.place, fmt::format("{} cannot be applied to an iteration", name),
             "reductions are sum, product, min, max and array");
    return {};
  }
  if (auto of_run = run_iteration(in, name, element, call.arguments.iterators, e.place, env)) return *of_run;
  Iterated all;
  if (!iterate(in, element, call.arguments.iterators, env, all)) return {};
  auto values = as_vector(in, all, element.place, e.place);
  if (!values) return {};
  if (values->dims.size() > 1 && !values->record) {
    if (name == "sum" && is_numeric(values->type)) return sum_of_arrays(in, *values, e.place);
    in.error(element.place, fmt::format("{} with iterators needs {}, not an array {}", name, name == "sum" ? "numbers" : "a scalar",
                                        shape_text({values->dims.begin() + 1, values->dims.end()})),
             fmt::format("reduce the array first: {0}({0}(...) for ...)", name));
    return {};
  }
  return reduce(in, e, call, name, std::move(*values), env);
}

}  // namespace mosim::compiler
