// The operators of state machines (MLS 17.1): activeState, ticksInState, timeInState; and where transition and initialState may stand.

#include <fmt/format.h>

#include "compiler/elaborate/elaborate.hpp"
#include "compiler/elaborate/elaboration.hpp"
#include "compiler/elaborate/machines.hpp"
#include "compiler/elaborate/references.hpp"
#include "compiler/instantiate/component.hpp"
#include "compiler/instantiate/instances.hpp"
#include "compiler/instantiate/lookup.hpp"

namespace mosim::compiler {

std::string_view machine_equation(Instances& in, const parser::Expression& e, const Environment& env) {
  const auto* call = std::get_if<parser::Call>(&e.node);
  if (!call || call->callee.parts.size() != 1) return {};
  const std::string_view name = in.text(call->callee.parts.front().name);
  if (name != "transition" && name != "initialState") return {};
  if (!call->callee.global && lookup(in, env.scope, call->callee.parts.front().name)) return {};   // a function of the user's
  return name;
}

std::optional<Value> elaborate_machine_operator(Instances& in, const parser::Expression& e, const parser::Call& call, std::string_view name,
                                                const Environment& env) {
  const auto fail = [&](std::string cause, std::string remedy = {}) {
    in.error(e.place, std::move(cause), std::move(remedy));
    return std::optional<Value>();
  };
  if (env.function) return fail(fmt::format("{} cannot stand in a function (MLS 17.1)", name));
  if (name == "transition" || name == "initialState")
    return fail(fmt::format("{} is an equation of its own, not a value or a statement, and cannot stand in a when-equation (MLS 17.1)", name),
                "move it to an equation section");
  const std::size_t wanted = name == "activeState" ? 1 : 0;
  if (call.arguments.positional.size() != wanted || !call.arguments.named.empty() || !call.arguments.iterators.empty())
    return fail(wanted ? "activeState takes one argument, a state" : fmt::format("{} takes no argument", name),
                wanted ? "" : "it is about the state that it stands in, or that the transition leaves");
  KnownStateMachines* machines = in.elaboration.machines;
  if (!machines)
    return fail(fmt::format("{} is known once all transitions are: it cannot be used for what these depend on", name),
                "use it in equations and in values of variables alone");
  if (name == "activeState") {
    const auto* argument = std::get_if<parser::Reference>(&call.arguments.positional.front()->node);
    if (!argument) return fail("activeState takes a state, and this is none", "name a block instance that a transition leads to or from");
    const auto r = resolve(in, argument->name, env);
    if (!r) return {};
    const std::string text(in.workspace.sources.text(argument->name.place));
    if (r->removed) return fail(fmt::format("{} is removed by its condition", text));
    const Expr active = r->dims.empty() && r->elements.size() == 1 ? machines->active(r->elements.front().component, r->elements.front().index, e.place) : Expr::none;
    if (active == Expr::none)
      return fail(fmt::format("{} is no state of a state machine", text),
                  "a state is a block instance that stands in transition or initialState");
    return scalar(boolean_type, active);
  }
  const Expr value = name == "ticksInState" ? machines->ticks(env, e.place) : machines->seconds(env, e.place);
  if (value == Expr::none)
    return fail(fmt::format("{} stands neither in a state nor in the condition of a transition", name), "move it there: it is about the state around it");
  return scalar(name == "ticksInState" ? integer_type : real_type, value);
}

}  // namespace mosim::compiler
