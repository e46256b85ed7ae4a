// Arithmetic, relations and logic over scalars and arrays (MLS 3.4, 3.5, 10.6).

#include <fmt/format.h>

#include "compiler/elaborate/run_arrays.hpp"
#include "compiler/elaborate/elaborate.hpp"
#include "compiler/expression/evaluate.hpp"
#include "compiler/instantiate/instances.hpp"

namespace mosim::compiler {

namespace {

using parser::BinaryOperator;

const char* symbol(BinaryOperator op) {
  switch (op) {
    case BinaryOperator::add: return "+";
    case BinaryOperator::subtract: return "-";
    case BinaryOperator::multiply: return "*";
    case BinaryOperator::divide: return "/";
    case BinaryOperator::power: return "^";
    case BinaryOperator::elementwise_add: return ".+";
    case BinaryOperator::elementwise_subtract: return ".-";
    case BinaryOperator::elementwise_multiply: return ".*";
    case BinaryOperator::elementwise_divide: return "./";
    case BinaryOperator::elementwise_power: return ".^";
    case BinaryOperator::less: return "<";
    case BinaryOperator::less_equal: return "<=";
    case BinaryOperator::greater: return ">";
    case BinaryOperator::greater_equal: return ">=";
    case BinaryOperator::equal: return "==";
    case BinaryOperator::not_equal: return "<>";
    case BinaryOperator::and_: return "and";
    case BinaryOperator::or_: return "or";
  }
  return "?";
}

std::string described(Instances& in, const Value& v) { return type_name(in, v) + shape_text(v.dims); }

std::optional<Value> wrong_shapes(Instances& in, const Value& a, const Value& b, BinaryOperator op, Place place,
                                  std::string remedy = {}) {
  in.error(place, fmt::format("{} cannot be applied to {} and {}", symbol(op), described(in, a), described(in, b)),
           std::move(remedy));
  return {};
}

/// Element by element; a scalar goes with every element of the other side.
Value elementwise(Instances& in, Op op, Type type, const Value& a, const Value& b, Place place, bool literal = false) {
  if (a.run || b.run) {
    const auto left = elements_of(in, a, place), right = elements_of(in, b, place);
    return array_of_run(in, type, extents_of(in, a.scalar() ? b : a), [&in, op, type, left, right, place, literal](Subscript at) {
      return in.model.expressions.make(op, type.base, {left(at), right(at)}, place, literal);
    }, place);
  }
  Value v{type, a.scalar() ? b.dims : a.dims, {}};
  const std::size_t n = a.scalar() ? b.elements.size() : a.elements.size();
  v.elements.reserve(n);
  for (std::size_t k = 0; k < n; ++k)
    v.elements.push_back(in.model.expressions.make(op, type.base,
                                                   {a.scalar() ? a.only() : a.elements[k],
                                                    b.scalar() ? b.only() : b.elements[k]},
                                                   place, literal));
  return v;
}

/// Have they one size? Where the run alone knows it looks.
bool of_one_size(Instances& in, const Value& a, const Value& b, Place place) {
  return a.run || b.run ? check_sizes(in, a, b, place, "arrays that go together element by element have one size") : a.dims == b.dims;
}

Expr dot(Instances& in, const Value& a, std::size_t a0, std::size_t a_step, const Value& b, std::size_t b0,
         std::size_t b_step, std::size_t n, Place place) {
  auto& ex = in.model.expressions;
  Expr sum = Expr::none;
  for (std::size_t k = 0; k < n; ++k) {
    const Expr term = ex.make(Op::multiply, a.type.base, {a.elements[a0 + k * a_step], b.elements[b0 + k * b_step]}, place);
    sum = k ? ex.make(Op::add, a.type.base, {sum, term}, place) : term;
  }
  if (sum != Expr::none) return sum;
  return a.type.base == BaseType::real ? ex.real(0, place) : ex.integer(0, place);
}

std::optional<Value> multiply(Instances& in, const Value& a, const Value& b, Place place) {
  if (a.scalar() || b.scalar()) return elementwise(in, Op::multiply, a.type, a, b, place);
  if (a.run || b.run) return run_product(in, a, b, place);
  const auto size = [](std::int64_t d) { return static_cast<std::size_t>(d); };
  const auto inner_fails = [&](std::int64_t x, std::int64_t y) { return x != y; };
  if (a.dims.size() == 1 && b.dims.size() == 1 && !inner_fails(a.dims[0], b.dims[0]))
    return scalar(a.type, dot(in, a, 0, 1, b, 0, 1, a.elements.size(), place));
  Value v{a.type, {}, {}};
  if (a.dims.size() == 2 && b.dims.size() == 1 && !inner_fails(a.dims[1], b.dims[0])) {
    v.dims = {a.dims[0]};
    for (std::size_t i = 0; i < size(a.dims[0]); ++i)
      v.elements.push_back(dot(in, a, i * size(a.dims[1]), 1, b, 0, 1, size(b.dims[0]), place));
    return v;
  }
  if (a.dims.size() == 1 && b.dims.size() == 2 && !inner_fails(a.dims[0], b.dims[0])) {
    v.dims = {b.dims[1]};
    for (std::size_t j = 0; j < size(b.dims[1]); ++j)
      v.elements.push_back(dot(in, a, 0, 1, b, j, size(b.dims[1]), size(a.dims[0]), place));
    return v;
  }
  if (a.dims.size() == 2 && b.dims.size() == 2 && !inner_fails(a.dims[1], b.dims[0])) {
    v.dims = {a.dims[0], b.dims[1]};
    for (std::size_t i = 0; i < size(a.dims[0]); ++i)
      for (std::size_t j = 0; j < size(b.dims[1]); ++j)
        v.elements.push_back(
            dot(in, a, i * size(a.dims[1]), 1, b, j, size(b.dims[1]), size(a.dims[1]), place));
    return v;
  }
  return wrong_shapes(in, a, b, BinaryOperator::multiply, place,
                      a.dims == b.dims ? "write .* for a product element by element" : "");
}

std::optional<Value> matrix_power(Instances& in, const Value& a, const Value& b, Place place) {
  if (a.run) throw SizeOfRun();
  if (a.dims.size() != 2 || a.dims[0] != a.dims[1] || !b.scalar())
    return wrong_shapes(in, a, b, BinaryOperator::power, place, "write .^ for a power element by element");
  const auto n = known_integer(in, b, place, "the exponent of a matrix");
  if (!n) return {};
  if (*n < 0) {
    in.error(place, "a matrix can only be raised to a nonnegative Integer power");
    return {};
  }
  auto& ex = in.model.expressions;
  Value v{a.type, a.dims, {}};
  for (std::int64_t i = 0; i < a.dims[0]; ++i)
    for (std::int64_t j = 0; j < a.dims[0]; ++j)
      v.elements.push_back(a.type.base == BaseType::real ? ex.real(i == j, place) : ex.integer(i == j, place));
  // By repeated squaring: the work grows with the number's digits.
  std::optional<Value> result;
  Value square = a;
  for (std::int64_t rest = *n; rest > 0; rest /= 2) {
    if (rest % 2 != 0) result = result ? multiply(in, *result, square, place) : square;
    if (rest > 1) square = *multiply(in, square, square, place);
  }
  return result ? *result : v;
}

std::optional<Value> arithmetic(Instances& in, BinaryOperator op, Value a, Value b, Place place) {
  if (op == BinaryOperator::add && a.type.base == BaseType::string && b.type.base == BaseType::string) {
    if (!of_one_size(in, a, b, place)) return wrong_shapes(in, a, b, op, place);
    return elementwise(in, Op::add, a.type, a, b, place);
  }
  if (!is_numeric(a.type) || !is_numeric(b.type)) {
    std::string remedy;
    if (op == BinaryOperator::add && (a.type.base == BaseType::string || b.type.base == BaseType::string))
      remedy = "write String(...) around the other operand";
    else if (a.type.base == BaseType::boolean || b.type.base == BaseType::boolean)
      remedy = "Booleans are no numbers: write `if ... then 1 else 0`";
    return wrong_shapes(in, a, b, op, place, remedy);
  }
  const bool exact_power = op == BinaryOperator::power || op == BinaryOperator::elementwise_power;
  if (op == BinaryOperator::power && !a.scalar()) return matrix_power(in, a, b, place);
  if (op == BinaryOperator::divide || op == BinaryOperator::elementwise_divide || exact_power) {
    // Division and powers of Integers are Real (MLS 10.6.6, 10.6.7).
    convert(in, a, real_type, place, "an operand");
    if (!exact_power || b.type.base == BaseType::real) convert(in, b, real_type, place, "an operand");
  } else if (!unify(in, a, b, place, symbol(op))) {
    return {};
  }
  const bool one_scalar = a.scalar() || b.scalar(), product = op == BinaryOperator::multiply;
  const bool same = !product && (one_scalar ? a.dims == b.dims : of_one_size(in, a, b, place));
  switch (op) {
    case BinaryOperator::add:
    case BinaryOperator::subtract:
      if (!same)
        return wrong_shapes(in, a, b, op, place,
                            one_scalar ? fmt::format("write .{} to apply the scalar to every element", symbol(op)) : "");
      return elementwise(in, op == BinaryOperator::add ? Op::add : Op::subtract, a.type, a, b, place);
    case BinaryOperator::multiply: return multiply(in, a, b, place);
    case BinaryOperator::divide:
      if (!b.scalar()) return wrong_shapes(in, a, b, op, place, "write ./ for a quotient element by element");
      return elementwise(in, Op::divide, real_type, a, b, place);
    case BinaryOperator::power:
      if (!b.scalar()) return wrong_shapes(in, a, b, op, place, "write .^ for a power element by element");
      return elementwise(in, Op::power, real_type, a, b, place);
    default: break;
  }
  if (!same && !one_scalar) return wrong_shapes(in, a, b, op, place);
  switch (op) {
    case BinaryOperator::elementwise_add: return elementwise(in, Op::add, a.type, a, b, place);
    case BinaryOperator::elementwise_subtract: return elementwise(in, Op::subtract, a.type, a, b, place);
    case BinaryOperator::elementwise_multiply: return elementwise(in, Op::multiply, a.type, a, b, place);
    case BinaryOperator::elementwise_divide: return elementwise(in, Op::divide, real_type, a, b, place);
    default: return elementwise(in, Op::power, real_type, a, b, place);
  }
}

std::optional<Value> relation(Instances& in, BinaryOperator op, Value a, Value b, Place place, const Environment& env) {
  if (!a.scalar() || !b.scalar())
    return wrong_shapes(in, a, b, op, place, "relations are between scalars; compare element by element");
  if (!unify(in, a, b, place, fmt::format("the relation {}", symbol(op)))) return {};
  if (a.type.base == BaseType::clock || a.type.base == BaseType::object) return wrong_shapes(in, a, b, op, place);
  const bool equality = op == BinaryOperator::equal || op == BinaryOperator::not_equal;
  if (equality && a.type.base == BaseType::real && !env.function) {
    // Known before the run, it is no event and harmless; else MLS 3.5 forbids it.
    if (in.evaluated(a.only()) == Expr::none || in.evaluated(b.only()) == Expr::none) {
      in.error(place, fmt::format("{} cannot compare Reals that vary: hitting a value exactly is no event that can be "
                                  "located", symbol(op)),
               "write abs(a - b) < tolerance, or >= and <= for crossings");
      return {};
    }
  }
  Op o = Op::equal;
  switch (op) {
    case BinaryOperator::less: o = Op::less; break;
    case BinaryOperator::less_equal: o = Op::less_equal; break;
    case BinaryOperator::greater: o = Op::greater; break;
    case BinaryOperator::greater_equal: o = Op::greater_equal; break;
    case BinaryOperator::equal: o = Op::equal; break;
    default: o = Op::not_equal; break;
  }
  // Integers, too, where they vary between events: sign(x) makes none of its own.
  const bool literal = env.literal || equality || (a.type.base != BaseType::real && !varies_by_operation(in.model, a.only()) && !varies_by_operation(in.model, b.only()));
  return scalar(boolean_type, in.model.expressions.make(o, BaseType::boolean, {a.only(), b.only()}, place, literal));
}

std::optional<Value> logic(Instances& in, BinaryOperator op, Value a, Value b, Place place) {
  if (!convert(in, a, boolean_type, place, fmt::format("the left operand of `{}`", symbol(op)))) return {};
  if (!convert(in, b, boolean_type, place, fmt::format("the right operand of `{}`", symbol(op)))) return {};
  if (!of_one_size(in, a, b, place)) return wrong_shapes(in, a, b, op, place);
  return elementwise(in, op == BinaryOperator::and_ ? Op::and_ : Op::or_, boolean_type, a, b, place);
}

std::optional<Value> apply(Instances& in, const parser::Binary& b, Value left, Value right, Place place,
                           const Environment& env) {
  if (left.record || right.record) {
    const std::string_view op = symbol(b.op);
    const bool elementwise = op.front() == '.';
    return overloaded_binary(in, elementwise ? op.substr(1) : op, left, right, elementwise, place, env);
  }
  if (left.function || right.function) return wrong_shapes(in, left, right, b.op, place);
  switch (b.op) {
    case BinaryOperator::and_:
    case BinaryOperator::or_: return logic(in, b.op, std::move(left), std::move(right), place);
    case BinaryOperator::less:
    case BinaryOperator::less_equal:
    case BinaryOperator::greater:
    case BinaryOperator::greater_equal:
    case BinaryOperator::equal:
    case BinaryOperator::not_equal: return relation(in, b.op, std::move(left), std::move(right), place, env);
    default: return arithmetic(in, b.op, std::move(left), std::move(right), place);
  }
}

}  // namespace

Value map(Instances& in, Op op, Type result, const Value& v, Place place, bool literal) {
  if (v.run)
    return array_of_run(in, result, v.run->extents, [&in, op, result, element = v.run->element, place, literal](Subscript at) {
      return in.model.expressions.make(op, result.base, {element(at)}, place, literal);
    }, place);
  Value out{result, v.dims, {}};
  for (Expr e : v.elements) out.elements.push_back(in.model.expressions.make(op, result.base, {e}, place, literal));
  return out;
}

Expr fold(Instances& in, Op op, const Value& v, Place place) {
  auto& ex = in.model.expressions;
  const double neutral = op == Op::add ? 0 : 1;
  Expr result = Expr::none;
  for (Expr e : v.elements) result = result == Expr::none ? e : ex.make(op, v.type.base, {result, e}, place);
  if (result != Expr::none) return result;
  return v.type.base == BaseType::real ? ex.real(neutral, place) : ex.integer(static_cast<std::int64_t>(neutral), place);
}

std::optional<Value> elaborate_unary(Instances& in, const parser::Expression& e, const parser::Unary& u,
                                     const Environment& env) {
  auto v = elaborate(in, *u.operand, env);
  if (!v) return {};
  using parser::UnaryOperator;
  if (v->record)
    return overloaded_unary(in, u.op == UnaryOperator::not_ ? "not"
                                : u.op == UnaryOperator::plus || u.op == UnaryOperator::elementwise_plus ? "+" : "-",
                            *v, e.place, env);
  if (u.op == UnaryOperator::not_) {
    if (!convert(in, *v, boolean_type, e.place, "the operand of `not`")) return {};
    return map(in, Op::not_, boolean_type, *v, e.place);
  }
  if (!is_numeric(v->type)) {
    in.error(e.place, fmt::format("a sign needs a number, not {}", type_name(in, v->type)));
    return {};
  }
  if (u.op == UnaryOperator::plus || u.op == UnaryOperator::elementwise_plus) return v;
  if (v->run) return map(in, Op::negate, v->type, *v, e.place);
  auto& ex = in.model.expressions;
  for (Expr& x : v->elements) {
    // -1 is a literal to everything that follows.
    if (ex.op(x) == Op::integer)
      x = ex.integer(-ex.integer_value(x), e.place);
    else if (ex.op(x) == Op::real)
      x = ex.real(-ex.real_value(x), e.place);
    else
      x = ex.make(Op::negate, v->type.base, {x}, e.place);
  }
  return v;
}

std::optional<Value> elaborate_binary(Instances& in, const parser::Expression& e, const parser::Binary&,
                                      const Environment& env) {
  // Chains like a + b + c + ... lean to the left, thousands deep: down the spine in a loop.
  std::vector<const parser::Expression*> spine;
  const parser::Expression* at = &e;
  while (const auto* b = std::get_if<parser::Binary>(&at->node)) {
    spine.push_back(at);
    at = b->left;
  }
  auto result = elaborate(in, *at, env);
  while (result && !spine.empty()) {
    const parser::Expression* node = spine.back();
    const auto& b = std::get<parser::Binary>(node->node);
    spine.pop_back();
    Environment reached = env;
    if ((b.op == BinaryOperator::and_ || b.op == BinaryOperator::or_) && result->scalar() && result->type.base == BaseType::boolean) {
      // E14: what decides alone makes the other side count for nothing.
      auto& ex = in.model.expressions;
      const Expr left = b.op == BinaryOperator::and_ ? result->only() : ex.simplified(Op::not_, BaseType::boolean, {result->only()}, node->place);
      reached.path = env.path == Expr::none ? left : ex.simplified(Op::and_, BaseType::boolean, {env.path, left}, node->place);
    }
    flat::Statements found;   // for the right side: only where the left one does not decide
    std::optional<Value> right;
    FunctionCode* const code = (b.op == BinaryOperator::and_ || b.op == BinaryOperator::or_) && result->scalar() ? run_code(in) : nullptr;
    if (code) {
      const FunctionCode::Into into(*code, found);
      right = elaborate(in, *b.right, reached);
    } else {
      right = elaborate(in, *b.right, reached);
    }
    if (!right) return {};
    if (!found.empty()) {
      if (!convert(in, *result, boolean_type, b.left->place, "an operand") || !right->scalar() || !convert(in, *right, boolean_type, b.right->place, "an operand")) return {};
      auto& ex = in.model.expressions;
      const LocalId l = code->made("condition", boolean_type);
      const Expr decided = ex.local(l, BaseType::boolean, node->place);
      code->emit(node->place, flat::LocalAssignment{{{l, result->only()}}});
      found.push_back({node->place, flat::LocalAssignment{{{l, right->only()}}}});
      flat::IfStatement unless;
      unless.branches.push_back({b.op == BinaryOperator::and_ ? decided : ex.simplified(Op::not_, BaseType::boolean, {decided}, node->place), std::move(found)});
      code->emit(node->place, std::move(unless));
      result = scalar(boolean_type, decided);
      continue;
    }
    result = apply(in, b, std::move(*result), std::move(*right), node->place, env);
  }
  return result;
}

Expr negated(Instances& in, Expr e, Place place) { return in.model.expressions.simplified(Op::not_, BaseType::boolean, {e}, place); }

Expr both(Instances& in, Expr a, Expr b, Place place) {
  if (a == Expr::none) return b;
  return in.model.expressions.simplified(Op::and_, BaseType::boolean, {a, b}, place);
}

}  // namespace mosim::compiler
