#include "compiler/analyse/solve.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace mosim::compiler::dae {

namespace {

constexpr double largest_misfit = 1e-6;   // of an inverse, relative to both sides
constexpr double small_part = 1e-3;       // what both sides are at least taken to be: near 0 they have no relative precision

}  // namespace

bool Solver::contains(Expr e, Expr leaf) {
  bool found = false;
  walker_.each(e, [&](Expr n) {
    found = found || n == leaf;
    return !found;
  });
  return found;
}

bool Solver::never_zero(Expr e) {
  const Expressions& x = a_.x();
  if (x.is_number(e)) return x.number(e) != 0;
  switch (x.op(e)) {
    case Op::negate: return never_zero(x.child(e, 0));
    case Op::multiply: return never_zero(x.child(e, 0)) && never_zero(x.child(e, 1));
    case Op::divide: return never_zero(x.child(e, 0));
    case Op::exp: case Op::cosh: return true;
    case Op::if_: return never_zero(x.child(e, 1)) && never_zero(x.child(e, 2));
    default: break;
  }
  bool parameters_only = true;
  walker_.each(e, [&](Expr n) {
    const Quantity q = quantity_of(x, n);
    if (q != Quantity::none) {
      const VariableKind kind = a_.fact(variable(q)).kind;
      parameters_only = parameters_only && (kind == VariableKind::constant || kind == VariableKind::parameter);
    }
    switch (x.op(n)) {
      case Op::time: case Op::delay: case Op::spatial_distribution: case Op::terminal: case Op::initial: parameters_only = false; break;
      default: break;
    }
    return parameters_only;
  });
  if (!parameters_only) return false;
  const auto value = a_.number(e, is_product(x, e) ? Reliance::size : Reliance::value);
  return !value || *value != 0;
}

std::optional<Solver::Inverted> Solver::by_inverse(Expr result, Expr other, Expr leaf) {
  Expressions& x = a_.x();
  if (x.op(result) != Op::result || contains(other, leaf)) return {};
  const Expr call = x.child(result, 0);
  const flat::Function& f = a_.model().functions[index(x.function(call))];
  std::optional<std::size_t> which;
  for (std::size_t k = 0; k < f.inputs.size(); ++k) {
    if (x.child(call, k) == leaf && !which) which = k;
    else if (contains(x.child(call, k), leaf)) return {};
  }
  if (!which) return {};
  for (const flat::Inverse& inverse : f.inverses) {
    if (inverse.input != f.inputs[*which]) continue;
    bool good = true;
    Rewriter given(x, [&](Expr e) {
      if (x.op(e) != Op::local) return Expr::none;
      if (x.local(e) == f.outputs.front()) return other;
      for (std::size_t k = 0; k < f.inputs.size(); ++k)
        if (f.inputs[k] == x.local(e)) return x.child(call, k);
      good = good && a_.model().locals[index(x.local(e))].owner == FunctionId::none;
      return e;
    });
    const Expr value = given(inverse.value);
    if (good) return Inverted{value, x.function(call), inverse.of_library};
  }
  return {};
}

std::optional<Expr> Solver::solve_by_inverse(const Equation& e, Quantity unknown, flat::Assertion& check) {
  Expressions& x = a_.x();
  const Expr leaf = a_.leaf(unknown);
  if (e.clock != none || x.type(leaf) != BaseType::real) return {};
  auto found = by_inverse(e.left, e.right, leaf);
  if (!found) found = by_inverse(e.right, e.left, leaf);
  if (!found) return {};
  const auto real = [&](Op op, std::initializer_list<Expr> of) { return x.make(op, BaseType::real, of, e.place); };
  const Expr size = real(Op::add, {real(Op::abs, {e.left}), real(Op::abs, {e.right})});
  const Expr bound = real(Op::multiply, {x.real(largest_misfit), real(Op::add, {size, x.real(small_part)})});
  check.condition = x.make(Op::less_equal, BaseType::boolean, {real(Op::abs, {real(Op::subtract, {e.left, e.right})}), bound}, e.place, true);
  check.message = x.string(fmt::format("the inverse that the annotation of {} gives does not solve {}", a_.model().functions[index(found->function)].name, a_.text(e)));
  check.place = e.place;
  check.ours = true;
  check.warning = found->of_library;
  return found->value;
}

std::optional<Expr> Solver::solve(const Equation& e, Quantity unknown) {
  Expressions& x = a_.x();
  const Expr leaf = a_.leaf(unknown);
  if (e.left == leaf && !contains(e.right, leaf)) return e.right;
  if (e.right == leaf && !contains(e.left, leaf)) return e.left;
  const BaseType type = x.type(leaf);
  if (type == BaseType::boolean) {
    const auto inverted = [&](Expr side, Expr other) -> std::optional<Expr> {
      if (x.op(side) != Op::not_ || x.child(side, 0) != leaf || contains(other, leaf)) return {};
      return a_.negation(other);
    };
    if (const auto result = inverted(e.left, e.right)) return result;
    return inverted(e.right, e.left);
  }
  if (type != BaseType::real && type != BaseType::integer) return {};
  const auto left = linear_.split(e.left, leaf), right = linear_.split(e.right, leaf);
  if (!left || !right) return {};
  const auto minus = [&](Expr p, Expr q) { return x.simplified(Op::subtract, type, {p, q}); };
  Expr slope = minus(left->coefficient, right->coefficient);
  Expr rest = minus(right->offset, left->offset);
  if (x.is_number(slope) && x.number(slope) == 0) return {};
  if (x.op(slope) == Op::negate) {
    slope = x.child(slope, 0);
    rest = minus(left->offset, right->offset);
  }
  if (x.is_number(slope) && x.number(slope) == 1) return rest;
  if (x.is_number(slope) && x.number(slope) == -1) return minus(left->offset, right->offset);
  if (type == BaseType::integer || !never_zero(slope)) return {};
  if (x.is_number(rest) && x.number(rest) == 0) return rest;
  return x.simplified(Op::divide, BaseType::real, {rest, slope}, e.place);
}

Degree Solver::degree(Expr left, Expr right, const std::unordered_map<std::uint32_t, std::uint32_t>& unknowns) {
  const auto is_unknown = [&](Expr n) {
    const Quantity q = quantity_of(a_.x(), n);
    return q != Quantity::none && unknowns.count(index(q)) > 0;
  };
  return std::max(linear_.degree(left, is_unknown), linear_.degree(right, is_unknown));
}

}  // namespace mosim::compiler::dae
