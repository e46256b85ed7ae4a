// Overconstrained connections (MLS 9.4): what the virtual connection graph is made from, and the equations it leaves.

#include <fmt/format.h>

#include <algorithm>

#include "compiler/elaborate/values.hpp"
#include "compiler/expression/evaluate.hpp"
#include "compiler/flatten/connect.hpp"
#include "compiler/flatten/flattening.hpp"
#include "compiler/instantiate/class.hpp"
#include "compiler/instantiate/component.hpp"
#include "compiler/instantiate/expand.hpp"
#include "compiler/instantiate/instances.hpp"
#include "compiler/instantiate/lookup.hpp"

namespace mosim::compiler {

std::int64_t Connections::cardinality(const Component* c, std::size_t k) {
  if (counts_.empty())
    for (const Resolved::Element& e : occurrences_) ++counts_[{e.component, e.index}];
  const auto it = counts_.find({c, k});
  return it == counts_.end() ? 0 : it->second;
}

/// Connections.branch(a, b), root(a), potentialRoot(a, priority)
void Connections::graph_equation(const parser::Expression& e, const Environment& env) {
  const auto& call = std::get<parser::Call>(e.node);
  const std::string name(in_.text(call.callee.parts[1].name));
  const auto& positional = call.arguments.positional;
  const std::size_t nodes = name == "branch" ? 2 : 1;
  const bool prioritised = name == "potentialRoot";
  const parser::Expression* priority = prioritised && positional.size() == 2 ? positional[1] : nullptr;
  bool good = positional.size() == nodes + (priority ? 1 : 0) && call.arguments.iterators.empty();
  for (const parser::NamedArgument& a : call.arguments.named) {
    if (!prioritised || priority || in_.text(a.name) != "priority") good = false;
    priority = a.value;
  }
  Component* node[2] = {};
  for (std::size_t i = 0; good && i < nodes; ++i) {
    const auto* reference = std::get_if<parser::Reference>(&positional[i]->node);
    if (!reference) {
      good = false;
      break;
    }
    const auto r = resolve(in_, reference->name, env);
    if (!r || r->removed) return;   // MLS 4.4.5
    node[i] = graph_node(in_, *r, reference->name);
    if (!node[i]) return;
  }
  if (!good) {
    in_.error(e.place, fmt::format("Connections.{} takes {}", name,
                                   nodes == 2    ? "two overdetermined records or types of connectors: branch(a.R, b.R)"
                                   : prioritised ? "an overdetermined record or type of a connector, and perhaps its priority: potentialRoot(a.R, 1)"
                                                 : "one overdetermined record or type of a connector: root(a.R)"));
    return;
  }
  if (name == "root") {
    graph_.root(node[0], e.place);
  } else if (name == "branch") {
    graph_.branch(node[0], node[1], e.place);
  } else {
    std::int64_t p = 0;
    if (priority) {
      const auto v = elaborate(in_, *priority, env);
      const auto known = v ? known_integer(in_, *v, priority->place, "the priority of a potential root") : std::nullopt;
      if (!known) return;
      p = *known;
      if (p < 0) {
        in_.error(priority->place, fmt::format("the priority of a potential root cannot be {}", p), "give 0 or more; the lowest is chosen first");
        return;
      }
    }
    graph_.potential_root(node[0], p, e.place);
  }
}

// ---- equations (MLS 9.4.2.3) -------------------------------------------------------------------------------------------

/// a = b, element by element.
void Connections::equal_leaves(const ConnectionGraph::Edge& edge, const Value& a, const Value& b, Collected& out) {
  std::vector<Expr> left, right;
  append_leaves(a, left);
  append_leaves(b, right);
  for (std::size_t k = 0; k < left.size() && k < right.size(); ++k)
    if (variability(in_.model, left[k]) > flat::Variability::parameter)   // others are compared where they are matched
      out.equations.push_back({left[k], right[k], edge.place, {}, VariableId::none});
}

/// 0 = equalityConstraint(a, b)
bool Connections::constrain(const ConnectionGraph::Edge& edge, const Value& a, const Value& b, Collected& out) {
  Class* type = edge.a->overdetermined;
  Member* m = find_member(in_, type, in_.name("equalityConstraint"));
  Class* function = m && m->is_class() ? instantiate_class(in_, m, nullptr, edge.place) : nullptr;
  if (!function || !expand(in_, function) || function->kind() != parser::ClassKind::function) {
    in_.error(m ? m->place : edge.place, fmt::format("equalityConstraint of {} is no function", type->path));
    return false;
  }
  Arguments arguments;
  for (const Value* v : {&a, &b}) arguments.positional.push_back({*v, edge.place, Name::none, {}});
  const auto results = apply_function(in_, function, arguments, edge.place, Environment::of(type));
  if (!results) return false;
  if (results->size() != 1 || results->front().record || results->front().dims.size() != 1) {
    in_.error(m->place, fmt::format("equalityConstraint of {} must have one result, a vector of residues", type->path),
              "declare it `output Real residue[n]`");
    return false;
  }
  auto& ex = in_.model.expressions;
  for (Expr residue : results->front().elements)
    out.equations.push_back({ex.real(0, edge.place), residue, edge.place, {}, VariableId::none});
  return true;
}

void Connections::edge_equations(Collected& out) {
  for (const ConnectionGraph::Edge& edge : graph_.edges()) {
    const auto a = component_value(in_, edge.a, edge.place), b = component_value(in_, edge.b, edge.place);
    if (!a || !b) return;
    if (!edge.broken)
      equal_leaves(edge, *a, *b, out);
    else if (!constrain(edge, *a, *b, out))
      return;
  }
}

}  // namespace mosim::compiler
