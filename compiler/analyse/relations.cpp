// Crossing functions: time events or state events (E3), and the scale of their hysteresis (E4).

#include <fmt/format.h>

#include <cmath>

#include "compiler/analyse/analysis.hpp"
#include "compiler/expression/differentiate.hpp"

namespace mosim::compiler::dae {

namespace {

constexpr double relative_epsilon = 1e-10;

class Relations {
public:
  explicit Relations(Analysis& a) : a_(a), x_(a.x()), walker_(a.x()), linear_(a.x()) {}

  void run() {
    for (Relation& r : a_.system.relations) {
      if (!find_instant(r)) r.epsilon = epsilon(x_.child(r.relation, 0), x_.child(r.relation, 1));
      else r.epsilon = x_.real(relative_epsilon);
    }
    // Where floor and the like jump is next to a whole number: rounding errors grow with the argument, at least 1.
    for (EventFunction& f : a_.system.event_functions) f.epsilon = epsilon(f.argument, x_.real(1));
  }

private:
  struct Contents {
    bool time = false, continuous = false;
  };

  Contents contents(Expr e) {
    Contents result;
    walker_.each(e, [&](Expr n) {
      switch (x_.op(n)) {
        case Op::time: result.time = true; break;
        case Op::derivative: case Op::delay: case Op::spatial_distribution: result.continuous = true; break;
        case Op::variable: {
          const VariableKind kind = a_.fact(x_.variable(n)).kind;
          result.continuous = result.continuous || kind == VariableKind::state || kind == VariableKind::algebraic || a_.is_signal(x_.variable(n));
          break;
        }
        default: break;
      }
      return true;
    });
    return result;
  }

  bool find_instant(Relation& r) {
    const Expr left = x_.child(r.relation, 0), right = x_.child(r.relation, 1);
    const Contents one = contents(left), two = contents(right);
    if (one.continuous || two.continuous || !(one.time || two.time)) return false;
    const Op op = x_.op(r.relation);
    const bool greater = op == Op::greater || op == Op::greater_equal;
    // As it is written, with no arithmetic: `time > 1` is at 1 exactly.
    if (x_.op(left) == Op::time && !two.time) {
      r.time_event = true;
      r.rising = greater;
      r.instant = right;
      return true;
    }
    if (x_.op(right) == Op::time && !one.time) {
      r.time_event = true;
      r.rising = !greater;
      r.instant = left;
      return true;
    }
    const Expr time = x_.make(Op::time, BaseType::real, {});
    const auto first = linear_.split(left, time), second = linear_.split(right, time);
    if (!first || !second) return false;
    const Expr slope = x_.simplified(Op::subtract, BaseType::real, {first->coefficient, second->coefficient});
    const auto value = a_.number(slope);
    if (!value || *value == 0 || !std::isfinite(*value)) return false;
    const Expr rest = x_.simplified(Op::subtract, BaseType::real, {second->offset, first->offset});
    r.time_event = true;
    r.rising = (*value > 0) == greater;
    r.instant = x_.simplified(Op::divide, BaseType::real, {rest, slope});
    return true;
  }

  // ---- how large a side is, as an expression of parameters --------------------------------------------------------

  Expr larger(Expr one, Expr two) {
    if (one == two) return one;
    if (x_.is_number(one) && x_.is_number(two)) return x_.real(std::max(x_.number(one), x_.number(two)));
    return x_.make(Op::max, BaseType::real, {one, two});
  }

  Expr magnitude(Expr parameter) {
    if (x_.is_number(parameter)) return x_.real(std::abs(x_.number(parameter)));
    return x_.make(Op::abs, BaseType::real, {parameter});
  }

  struct Size {
    Expr size = Expr::none;     // none: not a number, or not known
    bool constant = false;      // of constants and parameters alone: size is |e|
  };

  Size size_of(Expr e) {
    sizes_.clear();
    children_first(
        x_, e, [&](Expr n) { return sizes_.has(n); }, [&](Expr n) { sizes_[n] = size(n); });
    return sizes_[e];
  }

  Size size(Expr e) {
    const auto children = x_.children(e);
    if (children.empty()) {
      if (x_.is_number(e)) return {x_.real(std::abs(x_.number(e))), true};
      if (x_.op(e) == Op::time) return {x_.real(1), false};
      const Quantity q = quantity_of(x_, e);
      if (q == Quantity::none || x_.type(e) == BaseType::boolean || x_.type(e) == BaseType::enumeration)
        return {Expr::none, x_.is_literal_leaf(e)};
      const VariableKind kind = a_.fact(variable(q)).kind;
      if (kind == VariableKind::constant || kind == VariableKind::parameter) return {magnitude(e), true};
      return {x_.real(a_.nominal(variable(q))), false};
    }
    bool constant = true;
    for (Expr c : children) constant = constant && sizes_[c].constant;
    if (constant && x_.type(e) != BaseType::boolean && x_.type(e) != BaseType::string && x_.type(e) != BaseType::enumeration)
      return {magnitude(e), true};
    const auto of = [&](std::size_t i) { return sizes_[x_.child(e, i)].size; };
    Expr both = Expr::none;
    for (std::size_t i = 0; i < children.size(); ++i)
      if (of(i) != Expr::none) both = both == Expr::none ? of(i) : larger(both, of(i));
    switch (x_.op(e)) {
      case Op::multiply:
        if (of(0) != Expr::none && of(1) != Expr::none) return {x_.simplified(Op::multiply, BaseType::real, {of(0), of(1)}), false};
        break;
      case Op::divide:
        // A divisor that varies may be anything; one that is known is as large as it is.
        if (of(0) != Expr::none && sizes_[x_.child(e, 1)].constant)
          return {x_.simplified(Op::divide, BaseType::real, {of(0), of(1)}), false};
        return {of(0), false};
      case Op::sin: case Op::cos: case Op::tanh: case Op::sign: case Op::atan: case Op::atan2:
      case Op::asin: case Op::acos: case Op::exp: case Op::log: case Op::log10: return {x_.real(1), false};
      case Op::sqrt: return {of(0) == Expr::none ? both : x_.make(Op::sqrt, BaseType::real, {of(0)}), false};
      case Op::power:
        if (of(0) != Expr::none && x_.is_number(x_.child(e, 1)) && x_.number(x_.child(e, 1)) == 2)
          return {x_.simplified(Op::multiply, BaseType::real, {of(0), of(0)}), false};
        break;
      default: break;
    }
    return {both, false};
  }

  Expr epsilon(Expr left, Expr right) {
    Expr scale = Expr::none;
    for (Expr side : {left, right}) {
      const Expr size = size_of(side).size;
      if (size == Expr::none) continue;
      scale = scale == Expr::none ? size : larger(scale, size);
    }
    if (scale == Expr::none || (x_.is_number(scale) && x_.number(scale) == 0)) scale = x_.real(1);
    return x_.simplified(Op::multiply, BaseType::real, {x_.real(relative_epsilon), scale});
  }

  Analysis& a_;
  Expressions& x_;
  Walker walker_;
  LinearForm linear_;
  Scratch<Size> sizes_;
};

}  // namespace

void classify_relations(Analysis& a) { Relations(a).run(); }

}  // namespace mosim::compiler::dae
