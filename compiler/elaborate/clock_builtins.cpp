// The operators of synchronous Modelica (MLS 16), and sample in both its meanings.

#include <fmt/format.h>

#include <array>

#include "compiler/elaborate/elaborate.hpp"
#include "compiler/expression/evaluate.hpp"
#include "compiler/instantiate/class.hpp"
#include "compiler/instantiate/instances.hpp"

namespace mosim::compiler {

namespace {

struct ClockArguments {
  std::vector<std::optional<Value>> values;   // by position in the list of names
  bool good = true;
  bool has(std::size_t i) const { return i < values.size() && values[i].has_value(); }
};

/// Positional arguments, then those given by name.
ClockArguments take(Instances& in, const parser::Call& call, std::string_view name,
               std::initializer_list<std::string_view> names, const Environment& env) {
  ClockArguments result;
  result.values.resize(names.size());
  const auto fail = [&](Place place, std::string cause) {
    in.error(place, std::move(cause));
    result.good = false;
  };
  std::size_t at = 0;
  for (const parser::Expression* a : call.arguments.positional) {
    if (at >= names.size()) {
      fail(a->place, fmt::format("{} takes at most {} arguments", name, names.size()));
      return result;
    }
    auto v = elaborate(in, *a, env);
    if (!v) {
      result.good = false;
      return result;
    }
    result.values[at++] = std::move(v);
  }
  for (const parser::NamedArgument& a : call.arguments.named) {
    std::size_t i = 0;
    while (i < names.size() && *(names.begin() + i) != in.text(a.name)) ++i;
    if (i == names.size()) {
      fail(a.place, fmt::format("{} has no argument named {} here", name, in.text(a.name)));
      return result;
    }
    if (result.values[i]) {
      fail(a.place, fmt::format("the argument {} of {} is given twice", in.text(a.name), name));
      return result;
    }
    auto v = elaborate(in, *a.value, env);
    if (!v) {
      result.good = false;
      return result;
    }
    result.values[i] = std::move(v);
  }
  return result;
}

std::optional<Value> clock_constructor(Instances& in, const parser::Expression& e, const parser::Call& call,
                                       const Environment& env) {
  auto& ex = in.model.expressions;
  const auto make = [&](Op op, std::initializer_list<Expr> children) {
    return scalar(clock_type, ex.make(op, BaseType::clock, children, e.place));
  };
  if (call.arguments.positional.empty() && call.arguments.named.empty()) return make(Op::clock_inferred, {});
  // Which constructor it is shows in the type of the first argument, or in a name.
  const parser::Expression* first = !call.arguments.positional.empty() ? call.arguments.positional.front()
                                                                       : call.arguments.named.front().value;
  Environment inner = env;
  const auto probe = elaborate(in, *first, inner);
  if (!probe) return {};
  if (!probe->scalar()) {
    in.error(first->place, "the argument of Clock must be a scalar");
    return {};
  }
  const auto must = [&](Value& v, Type type, std::string_view what) { return convert(in, v, type, first->place, what); };
  switch (probe->type.base) {
    case BaseType::integer: {
      auto a = take(in, call, "Clock", {"intervalCounter", "resolution"}, env);
      if (!a.good || !a.has(0)) return {};
      if (!a.has(1)) a.values[1] = scalar(integer_type, ex.integer(1, e.place));
      const auto resolution = known_integer(in, *a.values[1], e.place, "the resolution of a clock");
      if (!resolution) return {};
      if (*resolution < 1) {
        in.error(e.place, "the resolution of a clock must be at least 1");
        return {};
      }
      return make(Op::clock_rational, {a.values[0]->only(), ex.integer(*resolution, e.place)});
    }
    case BaseType::real: {
      auto a = take(in, call, "Clock", {"interval"}, env);
      if (!a.good || !a.has(0)) return {};
      return make(Op::clock_real, {a.values[0]->only()});
    }
    case BaseType::boolean: {
      auto a = take(in, call, "Clock", {"condition", "startInterval"}, env);
      if (!a.good || !a.has(0)) return {};
      if (!a.has(1)) a.values[1] = scalar(real_type, ex.real(0, e.place));
      if (!must(*a.values[1], real_type, "the start interval of a clock")) return {};
      return make(Op::clock_event, {a.values[0]->only(), a.values[1]->only()});
    }
    case BaseType::clock: {
      auto a = take(in, call, "Clock", {"c", "solverMethod"}, env);
      if (!a.good || !a.has(0)) return {};
      if (!a.has(1)) return a.values[0];
      if (!must(*a.values[1], string_type, "the solver method of a clock")) return {};
      const Expr method = in.evaluated(a.values[1]->only());
      if (method == Expr::none) {
        in.error(e.place, "the solver method of a clock must be known before the run");
        return {};
      }
      return make(Op::clock_solver, {a.values[0]->only(), method});
    }
    default: break;
  }
  in.error(e.place, fmt::format("there is no clock of {}", with_article(type_name(in, probe->type))),
           "write Clock(counter, resolution), Clock(interval), Clock(condition) or Clock(clock, solverMethod)");
  return {};
}

std::optional<Value> sample(Instances& in, const parser::Expression& e, const parser::Call& call,
                            const Environment& env) {
  auto& ex = in.model.expressions;
  const bool second_is_clock = [&] {
    if (call.arguments.positional.size() < 2) return true;
    const Quietly quietly(in);   // it is said below
    const auto v = elaborate(in, *call.arguments.positional[1], env);
    return v && v->type.base == BaseType::clock;
  }();
  const bool named_times = !call.arguments.named.empty() && (in.text(call.arguments.named.front().name) == "start" ||
                                                             in.text(call.arguments.named.front().name) == "interval");
  if (!second_is_clock || named_times) {
    auto a = take(in, call, "sample", {"start", "interval"}, env);
    if (!a.good) return {};
    if (!a.has(0) || !a.has(1)) {
      in.error(e.place, "sample takes a start time and an interval");
      return {};
    }
    for (std::size_t i : {0, 1}) {
      if (!a.values[i]->scalar() || !convert(in, *a.values[i], real_type, e.place, "a time of sample")) return {};
      if (variability(in.model, a.values[i]->only()) > flat::Variability::parameter) {
        in.error(e.place, fmt::format("the {} of sample must be a parameter expression", i ? "interval" : "start"),
                 "use only constants and parameters in it");
        return {};
      }
    }
    const Expr interval = in.evaluated(a.values[1]->only());
    if (interval != Expr::none && !(ex.number(interval) > 0)) {
      in.error(e.place, fmt::format("the interval of sample must be positive, not {}", ex.number(interval)));
      return {};
    }
    return scalar(boolean_type, ex.make(Op::sample, BaseType::boolean, {a.values[0]->only(), a.values[1]->only()}, e.place));
  }
  auto a = take(in, call, "sample", {"u", "c"}, env);
  if (!a.good) return {};
  if (!a.has(0)) {
    in.error(e.place, "sample needs to know of what", "write sample(u) or sample(u, c) for a value in clocked equations, sample(start, interval) for events in time");
    return {};
  }
  Value v = *a.values[0];
  for (Expr& u : v.elements)
    u = a.has(1) ? ex.make(Op::sample_clocked, v.type.base, {u, a.values[1]->only()}, e.place)
                 : ex.make(Op::sample_clocked, v.type.base, {u}, e.place);
  return v;
}

}  // namespace

std::optional<Value> elaborate_clock_operator(Instances& in, const parser::Expression& e, const parser::Call& call,
                                              std::string_view name, const Environment& env) {
  auto& ex = in.model.expressions;
  if (name == "Clock") return clock_constructor(in, e, call, env);
  if (name == "sample") return sample(in, e, call, env);
  const auto wrong = [&](std::string cause) -> std::optional<Value> {
    in.error(e.place, std::move(cause));
    return {};
  };

  if (name == "interval" || name == "firstTick") {
    auto a = take(in, call, name, {"u"}, env);
    if (!a.good) return {};
    const Type type = name == "interval" ? real_type : boolean_type;
    const Op op = name == "interval" ? Op::interval : Op::first_tick;
    if (!a.has(0)) return scalar(type, ex.make(op, type.base, {}, e.place));
    if (a.values[0]->elements.empty() || env.function) return wrong(fmt::format("{} needs a clocked variable", name));
    return scalar(type, ex.make(op, type.base, {a.values[0]->elements.front()}, e.place));
  }
  if (name == "hold" || name == "noClock" || name == "previous") {
    auto a = take(in, call, name, {"u"}, env);
    if (!a.good) return {};
    if (!a.has(0)) return wrong(fmt::format("{} takes one argument", name));
    Value v = *a.values[0];
    if (v.type.base == BaseType::clock && name != "noClock") return wrong(fmt::format("{} needs a value, not a Clock", name));
    for (Expr& u : v.elements) {
      if (name == "previous" && ex.op(u) != Op::variable)
        return wrong("previous needs a variable, not an expression");
      if (name == "previous" && in.model.variable(ex.variable(u)).variability <= flat::Variability::parameter) continue;
      u = name == "previous" ? ex.of_variable(Op::previous, ex.variable(u), v.type.base, e.place)
                             : ex.make(name == "hold" ? Op::hold : Op::no_clock, v.type.base, {u}, e.place);
    }
    return v;
  }

  const bool shifts = name == "shiftSample" || name == "backSample";
  auto a = name == "shiftSample"  ? take(in, call, name, {"u", "shiftCounter", "resolution"}, env)
           : name == "backSample" ? take(in, call, name, {"u", "backCounter", "resolution"}, env)
                                  : take(in, call, name, {"u", "factor"}, env);
  if (!a.good) return {};
  if (!a.has(0)) return wrong(fmt::format("{} needs a clocked variable or a clock", name));
  const auto number = [&](std::size_t i, std::int64_t otherwise, std::int64_t least) -> std::optional<std::int64_t> {
    if (!a.has(i)) return otherwise;
    const auto n = known_integer(in, *a.values[i], e.place, fmt::format("an argument of {}", name));
    if (!n) return {};
    if (*n < least) {
      in.error(e.place, fmt::format("an argument of {} must be at least {}, not {}", name, least, *n));
      return {};
    }
    return n;
  };
  if (shifts && !a.has(1)) return wrong(fmt::format("{} needs a number of ticks", name));
  // factor 0, or none: inferred (MLS 16.5.2)
  const auto n = number(1, 0, 0);
  const auto resolution = shifts ? number(2, 1, 1) : std::optional<std::int64_t>(1);
  if (!n || !resolution) return {};
  const Op op = name == "subSample"     ? Op::sub_sample
                : name == "superSample" ? Op::super_sample
                : name == "shiftSample" ? Op::shift_sample
                                        : Op::back_sample;
  Value v = *a.values[0];
  for (Expr& u : v.elements)
    u = shifts ? ex.make(op, v.type.base, {u, ex.integer(*n, e.place), ex.integer(*resolution, e.place)}, e.place)
               : ex.make(op, v.type.base, {u, ex.integer(*n, e.place)}, e.place);
  return v;
}

}  // namespace mosim::compiler
