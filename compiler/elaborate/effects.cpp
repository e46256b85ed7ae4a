#include "compiler/elaborate/effects.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "compiler/elaborate/elaborate.hpp"
#include "compiler/elaborate/elaboration.hpp"
#include "compiler/elaborate/function_code.hpp"
#include "compiler/expression/evaluate.hpp"
#include "compiler/instantiate/instances.hpp"

namespace mosim::compiler {

std::string_view simple_callee(Instances& in, const parser::Expression& e) {
  const auto* call = std::get_if<parser::Call>(&e.node);
  if (!call || call->callee.parts.size() != 1 || call->callee.global) return {};
  return in.text(call->callee.parts.front().name);
}

std::optional<std::vector<flat::Assertion>> call_for_effect(Instances& in, const parser::Expression& e, const Environment& env) {
  const auto* call = std::get_if<parser::Call>(&e.node);
  if (!call) {
    in.error(e.place, "this is an expression, not an equation or statement", "use its value: `v = ...`");
    return {};
  }
  auto& ex = in.model.expressions;
  FunctionCodes& codes = function_codes(in);
  const Expr outer = std::exchange(codes.without_results, Expr::none);
  in.elaboration.passed_over = false;
  const auto results = elaborate_results(in, e, *call, env);
  const Expr without_results = std::exchange(codes.without_results, outer);
  std::vector<flat::Assertion> calls;
  if (!results) return env.untaken && in.elaboration.passed_over ? std::optional(calls) : std::nullopt;
  std::vector<Expr> leaves, made;
  for (const Value& v : *results)
    if (is_assigned(v)) append_leaves(v, leaves);
  for (const Expr leaf : leaves)
    if (ex.op(leaf) == Op::result) made.push_back(ex.child(leaf, 0));
  if (results->empty() && without_results != Expr::none) made.push_back(without_results);
  for (std::size_t k = 0; k < made.size(); ++k)
    if (std::find(made.begin(), made.begin() + std::ptrdiff_t(k), made[k]) == made.begin() + std::ptrdiff_t(k))
      calls.push_back({ex.returned(made[k], e.place), ex.string(""), false, e.place});
  return calls;
}

namespace {

/// Constants alone make the assertion fail, so that nothing can be simulated: said here and not in the run.
bool never_holds(Instances& in, const flat::Assertion& a) {
  const auto constant = [&](VariableId v) {
    return in.model.variable(v).variability == flat::Variability::constant ? in.known(v) : Expr::none;
  };
  const Expr holds = evaluate(in.model, a.condition, constant);
  if (holds == Expr::none || in.model.expressions.payload(holds)) return false;
  const Expr message = evaluate(in.model, a.message, constant);
  in.error(a.place, message == Expr::none ? "this assertion always fails"
                                          : fmt::format("this assertion always fails: {}", in.model.expressions.string_value(message)));
  return true;
}

/// Where the message of an assertion counts (E14): where its condition does not hold.
Environment where_it_fails(Instances& in, const Value& condition, const Environment& env) {
  if (!condition.scalar() || condition.type.base != BaseType::boolean) return env;
  auto& ex = in.model.expressions;
  Environment inner = env;
  const Expr known = in.evaluated(condition.only(), Reliance::nothing);
  if (known != Expr::none) {
    inner.untaken = inner.untaken || ex.payload(known);
  } else {
    const Expr fails = negated(in, condition.only(), ex.place(condition.only()));
    inner.path = env.path == Expr::none ? fails : both(in, env.path, fails, ex.place(fails));
  }
  return inner;
}

}  // namespace

std::optional<flat::Assertion> elaborate_assert(Instances& in, const parser::Expression& e, const parser::Call& call,
                                                const Environment& env) {
  static constexpr std::string_view names[] = {"condition", "message", "level"};
  std::optional<Value> values[3];
  if (call.arguments.positional.size() > 3) {
    in.error(e.place, "assert takes a condition, a message and a level");
    return {};
  }
  const parser::Expression* given[3] = {};
  for (std::size_t i = 0; i < call.arguments.positional.size(); ++i) given[i] = call.arguments.positional[i];
  for (const parser::NamedArgument& a : call.arguments.named) {
    const auto* position = std::find(std::begin(names), std::end(names), in.text(a.name));
    if (position == std::end(names)) {
      in.error(a.place, fmt::format("assert has no argument named {}", in.text(a.name)));
      return {};
    }
    given[position - names] = a.value;
  }
  for (const std::size_t i : {0, 2, 1}) {
    if (!given[i]) continue;
    in.elaboration.passed_over = false;
    values[i] = elaborate(in, *given[i], i == 1 && values[0] ? where_it_fails(in, *values[0], env) : env);
    if (i == 1 && values[0] && values[0]->scalar() && in.elaboration.passed_over) (void)in.evaluated(values[0]->only());   // it is relied upon
    if (!values[i] && i == 1 && in.elaboration.passed_over) values[i] = scalar(string_type, in.model.expressions.string("", given[i]->place));
    if (!values[i]) return {};
  }
  if (!values[0] || !values[1]) {
    in.error(e.place, "assert takes a condition and a message");
    return {};
  }
  if (!values[0]->scalar() || !values[1]->scalar()) {
    in.error(e.place, "the arguments of assert are scalars");
    return {};
  }
  if (!convert(in, *values[0], boolean_type, e.place, "the condition of assert") ||
      !convert(in, *values[1], string_type, e.place, "the message of assert"))
    return {};
  flat::Assertion a{values[0]->only(), values[1]->only(), false, e.place};
  if (values[2]) {
    if (!values[2]->scalar()) {
      in.error(given[2]->place, "the level of assert is a scalar: AssertionLevel.error or AssertionLevel.warning");
      return {};
    }
    if (!convert(in, *values[2], {BaseType::enumeration, in.assertion_level_id}, e.place, "the level of assert")) return {};
    const Expr level = in.evaluated(values[2]->only());
    if (level == Expr::none) {
      in.error(e.place, "the level of an assertion must be known before the run");
      return {};
    }
    a.warning = in.model.expressions.payload(level) == 1;
  }
  if (!a.warning && !env.conditional && !env.function && !env.untaken && never_holds(in, a)) return {};
  return a;
}

void never(Instances& in, const std::string& message, Place place, const Environment& env) {
  auto& ex = in.model.expressions;
  const Expr holds = env.path == Expr::none ? ex.boolean(false, place) : ex.simplified(Op::not_, BaseType::boolean, {env.path}, place);
  asserted_by_calls(in).push_back({holds, ex.string(message, place), false, place, true});
}

std::optional<flat::Termination> elaborate_terminate(Instances& in, const parser::Expression& e, const parser::Call& call,
                                                     const Environment& env) {
  if (call.arguments.positional.size() != 1 || !call.arguments.named.empty()) {
    in.error(e.place, "terminate takes a message");
    return {};
  }
  auto v = elaborate(in, *call.arguments.positional.front(), env);
  if (!v) return {};
  if (!v->scalar()) {
    in.error(e.place, "the message of terminate is a scalar String");
    return {};
  }
  if (!convert(in, *v, string_type, e.place, "the message of terminate")) return {};
  return flat::Termination{v->only(), e.place};
}

}  // namespace mosim::compiler
