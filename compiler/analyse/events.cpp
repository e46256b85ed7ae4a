// What generates events becomes a variable of its own: relations, floor and the like, sample, delay (E1, E3).

#include <fmt/format.h>

#include "compiler/analyse/analysis.hpp"

namespace mosim::compiler::dae {

namespace {

bool is_relation(Op op) { return op >= Op::less && op <= Op::greater_equal; }

bool is_event_function(Op op) {
  switch (op) {
    case Op::div: case Op::mod: case Op::rem: case Op::ceil: case Op::floor: case Op::integer_of: return true;
    default: return false;
  }
}

constexpr Contents replaced = contents::past | contents::choice | contents::special;   // what a normaliser gives another form

}  // namespace

Normaliser::Normaliser(Analysis& a)
    : a_(a),
      walker_(a.x()),
      live_(
          a.x(), [](Expr) { return Expr::none; },
          [this](Expr e, Expr source) {
            const Op op = a_.x().op(e);
            if (op == Op::sample) return sample(e);
            if (op == Op::delay) return delay(e);
            if (op == Op::spatial_distribution) return spatial_distribution(e);
            if (is_relation(op)) return relation(e, source);
            if (is_event_function(op)) return event_function(e, source);
            return common(e);
          },
          replaced),
      quiet_(
          a.x(), [](Expr) { return Expr::none; },
          [this](Expr e, Expr) {
            Expressions& x = a_.x();
            const Op op = x.op(e);
            if (op == Op::sample) return x.boolean(false);
            if (op == Op::delay) return delay(e);
            if (op == Op::spatial_distribution) return spatial_distribution(e);
            if ((is_relation(op) || is_event_function(op)) && !x.literal(e)) {
              const std::vector<Expr> children(x.children(e).begin(), x.children(e).end());
              return x.make(op, x.type(e), children, x.place(e), true);
            }
            return common(e);
          },
          replaced) {}

Expr Normaliser::clocked(Expr e) {
  walker_.each(e, [&](Expr n) {
    if (looks_back(a_.x().op(n)))
      a_.error(a_.x().place(n), fmt::format("{} in a clocked partition is not supported yet", a_.x().op(n) == Op::delay ? "delay" : "spatialDistribution"),
               "delay in ticks with previous(...), or what is sampled: sample(delay(u, T))");
    return !a_.failed;
  });
  return a_.failed ? e : quiet(e);
}

Expr Normaliser::common(Expr e) {
  Expressions& x = a_.x();
  switch (x.op(e)) {
    case Op::edge: {
      const VariableId v = x.variable(e);
      return a_.logical(Op::and_, a_.value(v), a_.negation(a_.pre(v)));
    }
    case Op::change: {
      const VariableId v = x.variable(e);
      return x.make(Op::not_equal, BaseType::boolean, {a_.value(v), a_.pre(v)}, x.place(e));
    }
    case Op::smooth: return x.child(e, 1);
    case Op::homotopy: a_.system.uses_homotopy = true; return e;
    case Op::pre: {
      // pre of what never changes is the thing itself.
      const VariableKind kind = a_.fact(x.variable(e)).kind;
      if (kind == VariableKind::constant || kind == VariableKind::parameter || kind == VariableKind::free_parameter)
        return a_.value(x.variable(e));
      return e;
    }
    default: return e;
  }
}

bool Normaliser::varies(Expr e) {
  bool result = false;
  walker_.each(e, [&](Expr n) {
    switch (a_.x().op(n)) {
      case Op::time: case Op::derivative: case Op::delay: case Op::spatial_distribution: result = true; break;
      case Op::variable: {
        const VariableKind kind = a_.fact(a_.x().variable(n)).kind;
        result = result || kind == VariableKind::algebraic || kind == VariableKind::state || a_.is_signal(a_.x().variable(n));
        break;
      }
      default: break;
    }
    return !result;
  });
  return result;
}

Expr Normaliser::relation(Expr e, Expr source) {
  Expressions& x = a_.x();
  if (x.literal(e) || !varies(e)) return e;   // an Integer may vary, too: sign(x) makes no event of its own (MLS 3.7.1.1)
  if (const auto it = known_.find(index(e)); it != known_.end()) return a_.value(it->second);
  const auto number = static_cast<std::uint32_t>(a_.system.relations.size());
  const VariableId v = a_.helper(fmt::format("$relation{}", number + 1), BaseType::boolean, VariableKind::discrete, x.place(e), source);
  known_.emplace(index(e), v);
  a_.fact(v).is_relation = a_.fact(v).pinned = true;
  Relation r;
  r.variable = v;
  r.relation = e;
  r.source = source;
  r.place = x.place(source);
  a_.system.relations.push_back(r);
  Equation equation;
  equation.left = a_.value(v);
  equation.right = e;
  equation.target = quantity(v);
  equation.place = x.place(source);
  equation.why = Why::relation;
  equation.number = number;
  equation.source_left = equation.left;
  equation.source_right = source;
  a_.equations.push_back(equation);
  return a_.value(v);
}

Expr Normaliser::rounded(EventFunction::Rounding rounding, Expr argument, BaseType type, Expr source) {
  Expressions& x = a_.x();
  const Expr key = x.make(rounding == EventFunction::Rounding::ceil ? Op::ceil : rounding == EventFunction::Rounding::floor ? Op::floor : Op::div,
                          type, {argument});
  if (const auto it = known_.find(index(key)); it != known_.end()) return a_.value(it->second);
  const auto number = static_cast<std::uint32_t>(a_.system.event_functions.size());
  const VariableId v = a_.helper(fmt::format("$rounded{}", number + 1), type, VariableKind::discrete, x.place(source), source);
  known_.emplace(index(key), v);
  a_.fact(v).pinned = true;
  a_.system.event_functions.push_back({v, rounding, argument, Expr::none, source, x.place(source)});
  Equation equation;
  equation.left = a_.value(v);
  equation.right = argument;
  equation.target = quantity(v);
  equation.place = x.place(source);
  equation.why = Why::event_function;
  equation.number = number;
  equation.source_left = equation.left;
  equation.source_right = source;
  a_.equations.push_back(equation);
  return a_.value(v);
}

Expr Normaliser::event_function(Expr e, Expr source) {
  Expressions& x = a_.x();
  if (x.literal(e) || !varies(e)) return e;
  using Rounding = EventFunction::Rounding;
  const Expr first = x.child(e, 0);
  const BaseType type = x.type(e);
  switch (x.op(e)) {
    case Op::floor: return rounded(Rounding::floor, first, type, source);
    case Op::integer_of: return rounded(Rounding::floor, first, BaseType::integer, source);
    case Op::ceil: return rounded(Rounding::ceil, first, type, source);
    default: break;
  }
  const Expr second = x.child(e, 1);
  const Expr ratio = x.make(Op::divide, BaseType::real, {first, second}, x.place(e));
  switch (x.op(e)) {
    case Op::div: return rounded(Rounding::truncate, ratio, type, source);
    case Op::mod:
    case Op::rem: {
      // mod(x, y) = x - floor(x/y)*y; rem(x, y) = x - div(x, y)*y (MLS 3.7.2)
      const Rounding rounding = x.op(e) == Op::mod ? Rounding::floor : Rounding::truncate;
      const Expr whole = rounded(rounding, ratio, BaseType::real, source);
      return x.make(Op::subtract, type, {first, x.make(Op::multiply, type, {whole, second}, x.place(e))}, x.place(e));
    }
    default: return e;
  }
}

Expr Normaliser::sample(Expr e) {
  Expressions& x = a_.x();
  if (const auto it = known_.find(index(e)); it != known_.end()) return a_.value(it->second);
  const VariableId v = a_.helper(fmt::format("$sample{}", a_.system.samples.size() + 1), BaseType::boolean, VariableKind::flag,
                                 x.place(e), e);
  known_.emplace(index(e), v);
  for (Expr c : x.children(e))
    walker_.each(c, [&](Expr n) {
      const Quantity q = quantity_of(x, n);
      const VariableKind kind = q == Quantity::none ? VariableKind::constant : a_.fact(variable(q)).kind;
      const bool known = kind == VariableKind::constant || kind == VariableKind::parameter || kind == VariableKind::free_parameter;
      if (!known || x.op(n) == Op::time)
        a_.error(x.place(e), fmt::format("the start and the interval of `{}` must be parameter expressions, but `{}` is not one",
                                         print(a_.model(), e), print(a_.model(), n)));
      return true;
    });
  if (const auto interval = a_.number(x.child(e, 1)); interval && !(*interval > 0))
    a_.error(x.place(e), fmt::format("the interval of `{}` is {}, it must be positive", print(a_.model(), e), *interval));
  a_.system.samples.push_back({v, x.child(e, 0), x.child(e, 1), x.place(e)});
  return a_.value(v);
}

VariableId Normaliser::remembered(Expr e, Place place) {
  Expressions& x = a_.x();
  const auto number = static_cast<std::uint32_t>(a_.system.delays.size() + a_.system.spatial_distributions.size());
  const VariableId v = a_.helper(fmt::format("$delayed{}", ++remembered_), x.type(e), VariableKind::algebraic, place, e);
  a_.fact(v).pinned = true;
  Equation equation;
  equation.left = a_.value(v);
  equation.right = e;
  equation.target = quantity(v);
  equation.place = place;
  equation.why = Why::delay;
  equation.number = number;
  a_.equations.push_back(equation);
  return v;
}

Expr Normaliser::delay(Expr e) {
  Expressions& x = a_.x();
  const auto [it, fresh] = known_.try_emplace(index(e), VariableId::none);
  if (fresh) {
    it->second = remembered(x.child(e, 0), x.place(e));
    const bool fixed = variability(a_.model(), x.child(e, 1)) <= flat::Variability::parameter;
    const bool discrete = variability(a_.model(), x.child(e, 0)) <= flat::Variability::discrete;
    const VariableId input = it->second;   // the lag has a variable of its own if its instants are looked for
    const VariableId varying = fixed || x.literal(e) ? VariableId::none : remembered(x.child(e, 1), x.place(e));
    a_.system.delays.push_back({input, x.child(e, 2), fixed && !x.literal(e) ? x.child(e, 1) : Expr::none, discrete, e, x.place(e), varying});
    varying_.emplace(index(input), varying);
  }
  const VariableId input = known_[index(e)], varying = varying_[index(input)];
  const Expr lag = varying == VariableId::none ? x.child(e, 1) : a_.value(varying);
  return x.make(Op::delay, x.type(e), {a_.value(input), lag, x.child(e, 2)}, x.place(e));
}

Expr Normaliser::spatial_distribution(Expr e) {
  Expressions& x = a_.x();
  std::vector<Expr> operands(x.children(e).begin(), x.children(e).end());
  // The two outputs differ in operand 4 alone.
  std::vector<Expr> key = operands;
  key[4] = x.integer(0);
  const Expr both = x.make(Op::spatial_distribution, BaseType::real, key, x.place(e));
  const auto [it, fresh] = known_spatial_distributions_.try_emplace(index(both), a_.system.spatial_distributions.size());
  if (fresh) {
    SpatialDistribution t;
    t.place = x.place(e);
    t.in0 = remembered(operands[0], t.place);
    t.in1 = remembered(operands[1], t.place);
    t.x = remembered(operands[2], t.place);
    t.positive = remembered(operands[3], t.place);
    const std::size_t n = (operands.size() - 5) / 2;
    t.points.assign(operands.begin() + 5, operands.begin() + 5 + static_cast<std::ptrdiff_t>(n));
    t.values.assign(operands.begin() + 5 + static_cast<std::ptrdiff_t>(n), operands.end());
    a_.system.spatial_distributions.push_back(std::move(t));
  }
  SpatialDistribution& t = a_.system.spatial_distributions[it->second];
  t.events = t.events || !x.literal(e);
  operands[0] = a_.value(t.in0);
  operands[1] = a_.value(t.in1);
  operands[2] = a_.value(t.x);
  operands[3] = a_.value(t.positive);
  return x.make(Op::spatial_distribution, BaseType::real, operands, x.place(e));
}

}  // namespace mosim::compiler::dae
