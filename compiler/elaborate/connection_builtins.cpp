// The built-in package Connections (MLS 9.4.1), and cardinality: what can be asked of the connections of a model.

#include <fmt/format.h>

#include <algorithm>

#include "compiler/elaborate/connections.hpp"
#include "compiler/elaborate/elaboration.hpp"
#include "compiler/elaborate/references.hpp"
#include "compiler/instantiate/component.hpp"
#include "compiler/instantiate/instances.hpp"
#include "compiler/instantiate/lookup.hpp"

namespace mosim::compiler {

namespace {

enum class Asked { none, isRoot, rooted, cardinality, equation, unknown };

/// Which operator a callee means, if the name is not one of the model's own.
Asked asked_for(Instances& in, const parser::ComponentReference& callee, const Environment& env) {
  const std::string_view first = in.text(callee.parts.front().name);
  if (callee.parts.size() == 1 && (first == "rooted" || first == "cardinality")) {
    if (callee.global || lookup(in, env.scope, callee.parts.front().name)) return Asked::none;
    return first == "rooted" ? Asked::rooted : Asked::cardinality;
  }
  if (callee.parts.size() != 2 || first != "Connections") return Asked::none;
  if (callee.global ? find_member(in, &in.top, callee.parts.front().name) : lookup(in, env.scope, callee.parts.front().name)) return Asked::none;
  const std::string_view second = in.text(callee.parts[1].name);
  if (second == "isRoot") return Asked::isRoot;
  if (second == "rooted") return Asked::rooted;
  if (second == "branch" || second == "root" || second == "potentialRoot") return Asked::equation;
  return Asked::unknown;
}

}  // namespace

bool is_graph_equation(Instances& in, const parser::Expression& e, const Environment& env) {
  const auto* call = std::get_if<parser::Call>(&e.node);
  return call && asked_for(in, call->callee, env) == Asked::equation;
}

Component* graph_node(Instances& in, const Resolved& r, const parser::ComponentReference& name) {
  Component* c = r.last;
  const std::string text(in.workspace.sources.text(name.place));
  const auto refuse = [&](std::string cause, std::string remedy) {
    in.error(name.place, std::move(cause), std::move(remedy), {{c->member->place, "declared here"}});
    return nullptr;
  };
  if (!c->overdetermined)
    return refuse(fmt::format("{} is no node of the virtual connection graph: its type has no function equalityConstraint", text),
                  "name the overdetermined record or type of a connector: a.R");
  if (std::none_of(r.path.begin(), r.path.end(), [](const Component* p) { return p->is_connector; }))
    return refuse(fmt::format("{} is no node of the virtual connection graph: it belongs to no connector", text),
                  "name the overdetermined record or type of a connector: a.R");
  if (r.elements.size() != c->size() || std::any_of(r.elements.begin(), r.elements.end(), [&](const auto& e) { return e.component != c; })) {
    in.unsupported(name.place, fmt::format("{} as a node of the virtual connection graph: it is a part of an array, or several arrays,", text));
    return nullptr;
  }
  return c;
}

std::optional<std::optional<Value>> connection_operator(Instances& in, const parser::Expression& e, const parser::Call& call,
                                                        const Environment& env) {
  const Asked asked = asked_for(in, call.callee, env);
  if (asked == Asked::none) return {};
  const std::string name(in.workspace.sources.text(call.callee.place));
  const auto fail = [&](std::string cause, std::string remedy = {}) {
    in.error(e.place, std::move(cause), std::move(remedy));
    return std::optional<std::optional<Value>>(std::optional<Value>());
  };
  if (asked == Asked::unknown) {
    constexpr std::string_view names[] = {"branch", "root", "potentialRoot", "isRoot", "rooted"};
    const std::string near = parser::nearest(in.text(call.callee.parts[1].name), {std::begin(names), std::end(names)});
    return fail(fmt::format("Connections has no operator {}", in.text(call.callee.parts[1].name)),
                near.empty() ? "" : fmt::format("did you mean Connections.{}?", near));
  }
  if (env.function) return fail(fmt::format("{} cannot stand in a function: it has no connections", name));
  if (asked == Asked::equation)
    return fail(fmt::format("{} stands where a connection may stand: alone, in an equation section", name),
                "move it to an equation section, outside when-equations");
  if (!in.elaboration.connections)
    return fail(fmt::format("{} is known once all connections are: it cannot be used for what these depend on", name),
                "use it in equations and in values of variables alone");
  const auto* argument = call.arguments.positional.size() == 1 && call.arguments.named.empty()
                             ? std::get_if<parser::Reference>(&call.arguments.positional.front()->node)
                             : nullptr;
  if (!argument) return fail(fmt::format("{} takes {}", name, asked == Asked::cardinality ? "one connector" : "one overdetermined record or type of a connector"));
  const auto r = resolve(in, argument->name, env);
  if (!r) return std::optional<Value>();
  auto& ex = in.model.expressions;
  if (asked == Asked::cardinality) {
    if (r->removed) return std::optional<Value>(scalar(integer_type, ex.integer(0, e.place)));
    if (!r->dims.empty() || !r->last->is_connector) return fail(fmt::format("cardinality takes one connector, and {} is none", in.workspace.sources.text(argument->name.place)));
    return std::optional<Value>(scalar(integer_type, ex.integer(in.elaboration.connections->cardinality(r->elements.front().component, r->elements.front().index), e.place)));
  }
  if (r->removed) return fail(fmt::format("{} is removed by its condition", in.workspace.sources.text(argument->name.place)));
  Component* c = graph_node(in, *r, argument->name);
  if (!c) return std::optional<Value>();
  const auto answer = asked == Asked::isRoot ? std::optional<bool>(in.elaboration.connections->is_root(c)) : in.elaboration.connections->rooted(c, e.place);
  if (!answer) return std::optional<Value>();
  return std::optional<Value>(scalar(boolean_type, ex.boolean(*answer, e.place)));
}

}  // namespace mosim::compiler
