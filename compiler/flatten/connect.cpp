#include "compiler/flatten/connect.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "compiler/elaborate/references.hpp"
#include "compiler/elaborate/values.hpp"
#include "compiler/expression/evaluate.hpp"
#include "compiler/flatten/flattening.hpp"
#include "compiler/flatten/structural_equations.hpp"
#include "compiler/instantiate/deselection.hpp"
#include "compiler/instantiate/class.hpp"
#include "compiler/instantiate/component.hpp"
#include "compiler/instantiate/instances.hpp"
#include "compiler/instantiate/lookup.hpp"

namespace mosim::compiler {

namespace {

using parser::ClassKind;
using parser::ConnectorPrefix;

bool is_connector_class(const Class* c) {
  return c && !c->basic && (c->kind() == ClassKind::connector || c->kind() == ClassKind::expandable_connector);
}

}  // namespace

const char* connection_kind_name(ConnectionKind r) {
  switch (r) {
    case ConnectionKind::potential: return "a potential variable";
    case ConnectionKind::flow: return "a flow variable";
    case ConnectionKind::stream: return "a stream variable";
    case ConnectionKind::input: return "an input";
    case ConnectionKind::output: return "an output";
    case ConnectionKind::signal: return "a variable of an expandable connector";
    case ConnectionKind::parameter: return "a parameter or constant";
  }
  return "";
}

namespace {

bool causal(ConnectionKind r) { return r == ConnectionKind::input || r == ConnectionKind::output; }
bool compatible(ConnectionKind a, ConnectionKind b) {
  const auto fits_signal = [](ConnectionKind r) { return causal(r) || r == ConnectionKind::potential || r == ConnectionKind::signal; };
  return a == b || (causal(a) && causal(b)) || (a == ConnectionKind::signal && fits_signal(b)) || (b == ConnectionKind::signal && fits_signal(a));
}

ConnectionKind kind_of(const Component* c, ConnectionKind around) {
  if (c->connector == ConnectorPrefix::flow) return ConnectionKind::flow;
  if (c->connector == ConnectorPrefix::stream) return ConnectionKind::stream;
  if (around == ConnectionKind::signal) return around;
  if (c->causality == parser::Causality::input) return ConnectionKind::input;
  if (c->causality == parser::Causality::output) return ConnectionKind::output;
  return around;
}

bool is_graph_call(Instances& in, const parser::Equation& e) {
  const parser::Call* call = call_in(e);
  return call && call->callee.parts.size() == 2 && in.text(call->callee.parts.front().name) == "Connections";
}

}  // namespace

void visit_connections(Instances& in, const ConnectionVisitor& visit) {
  visit_structural_equations(in, in.root,
      {[&in](const parser::Equation& e) { return std::holds_alternative<parser::ConnectEquation>(e.node) || is_graph_call(in, e); },
       [&](const parser::Equation& e, const Environment& env) {
         if (const auto* c = std::get_if<parser::ConnectEquation>(&e.node); c && is_taken_out(in, env.scope, *c)) return;
         if (!is_graph_call(in, e) || is_graph_equation(in, *std::get<parser::CallEquation>(e.node).call, env)) visit(e, env);
       },
       "a connection needs a condition that is known before the run: it holds always or never",   // MLS 8.3.3
       "use only constants and parameters with values in the condition"});
}

Connections::Connections(Instances& in) : in_(in), infos_(in.model.variables.size()) {
  parents_.resize(2 * infos_.size());
  places_.resize(parents_.size());
  std::iota(parents_.begin(), parents_.end(), std::size_t{0});
  learn(in.root, ConnectionKind::potential, false, true, false);
}

// ---- what the variables are --------------------------------------------------------------------------------------------------

void Connections::learn(Class* object, ConnectionKind kind, bool in_connector, bool is_public, bool added) {
  if (object->kind() == ClassKind::expandable_connector) {
    kind = ConnectionKind::signal;
    has_signals_ = true;
  }
  VariableId flow = VariableId::none;
  for (Member* m : object->members) {
    Component* c = m->is_class() || m->broken || (m->outer && !m->inner) ? nullptr : m->component;
    if (!c || c->removed) continue;
    learn(c, kind_of(c, kind), in_connector || c->is_connector, is_public && !m->is_protected, added || m->presence == Member::Presence::added);
    if (c->basic && c->connector == ConnectorPrefix::flow) flow = c->first;
  }
  if (!is_connector_class(object)) return;
  for (Member* m : object->members) {
    Component* c = m->is_class() || m->broken ? nullptr : m->component;
    if (!c || c->removed || c->connector != ConnectorPrefix::stream) continue;
    std::vector<Component*> all{c};
    while (!all.empty()) {
      Component* at = all.back();
      all.pop_back();
      if (at->basic)
        for (std::size_t k = 0; k < at->size(); ++k) infos_[index(at->first) + k].flow = flow;
      for (Class* element : at->elements)
        for (Member* inner : element->members)
          if (!inner->is_class() && inner->component) all.push_back(inner->component);
    }
  }
}

void Connections::learn(Component* c, ConnectionKind kind, bool in_connector, bool is_public, bool added) {
  for (Class* element : c->elements) learn(element, is_connector_class(element) || is_record_class(element) ? kind : ConnectionKind::potential, in_connector && (is_connector_class(element) || is_record_class(element)), is_public, added);
  if (!c->basic || c->first == VariableId::none) return;
  for (std::size_t k = 0; k < c->size(); ++k)
    infos_[index(c->first) + k] = {c->variability <= flat::Variability::parameter ? ConnectionKind::parameter : kind, VariableId::none, in_connector, is_public, added};
}

// ---- union-find ----------------------------------------------------------------------------------------------------------------

std::size_t Connections::find(std::size_t t) {
  while (parents_[t] != t) t = parents_[t] = parents_[parents_[t]];
  return t;
}

void Connections::join(Terminal a, Terminal b, Place place) {
  const std::size_t x = number(a), y = number(b);
  if (!places_[x]) places_[x] = place;
  if (!places_[y]) places_[y] = place;
  const std::size_t rx = find(x), ry = find(y);
  if (rx != ry) parents_[std::max(rx, ry)] = std::min(rx, ry);   // the earlier variable stands for the set
}

void Connections::group() {
  if (grouped_) return;
  grouped_ = true;
  for (std::size_t t = 0; t < parents_.size(); ++t) {
    const bool alone = parents_[t] == t && !places_[t];
    const Terminal self = terminal(t);
    // Every flow variable is in a set as an inside connector, one added to an expandable connector as an outside one too;
    // others only if they are connected.
    const Info& info = infos_[index(self.variable)];
    if (alone && !(info.kind == ConnectionKind::flow && (self.inside || (info.added && !(parents_[t + 1] == t + 1 && !places_[t + 1]))))) continue;
    sets_[find(t)].push_back(self);
  }
}

const std::vector<Terminal>& Connections::members(Terminal t) {
  group();
  const auto it = sets_.find(find(number(t)));
  if (it != sets_.end()) return it->second;
  lone_ = {t};
  return lone_;
}

// ---- connect-equations ------------------------------------------------------------------------------------------------------------

void Connections::collect() {
  visit_connections(in_, [this](const parser::Equation& e, const Environment& env) {
    if (const auto* c = std::get_if<parser::ConnectEquation>(&e.node))
      connect(e, *c, env);
    else
      graph_equation(*std::get<parser::CallEquation>(e.node).call, env);
  });
}

void Connections::connect(const parser::Equation& e, const parser::ConnectEquation& c, const Environment& env) {
  const parser::ComponentReference* names[] = {&c.left, &c.right};
  std::optional<Resolved> resolved[2];
  bool inside[2] = {};
  for (int s : {0, 1}) {
    // An element of an expandable connector that only a removed component would have added is no error.
    const Quietly quietly(in_, has_signals_);
    resolved[s] = resolve(in_, *names[s], env);
    if (!resolved[s] && !has_signals_) return;
  }
  for (int s : {0, 1}) {
    if (resolved[s]) continue;
    if (!resolved[1 - s] || !resolved[1 - s]->removed) resolve(in_, *names[s], env);
    return;
  }
  for (int s : {0, 1}) {
    const Resolved& r = *resolved[s];
    if (r.removed) continue;
    const std::string text(in_.workspace.sources.text(names[s]->place));
    // MLS 9.1: c1.c2...cn with connectors alone, or m.c... with the component m before them.
    if (!r.last->is_connector && !std::any_of(r.path.begin(), r.path.end(), [](const Component* p) { return p->is_connector; })) {
      in_.error(names[s]->place, fmt::format("{} is no connector", text), "connect joins connectors; write an equation for other variables",
                {{r.last->member->place, "declared here"}});
      return;
    }
    if (!r.last->is_connector) {
      in_.error(names[s]->place, fmt::format("{} is a variable of a connector, not a connector", text), "connect the whole connector, or write an equation",
                {{r.last->member->place, "declared here"}});
      return;
    }
    inside[s] = !r.path.front()->is_connector;
    const std::size_t first = inside[s] ? 1 : 0;
    for (std::size_t p = first; p < r.path.size(); ++p)
      if (!r.path[p]->is_connector) {
        in_.error(names[s]->place, fmt::format("{} reaches through more than one component", text),
                  "connect to a connector of the component itself, and connect that one inside the component",
                  {{r.path[p]->member->place, "this is no connector"}});
        return;
      }
    if (inside[s] && r.path.size() < 2) return;
  }
  if (resolved[0]->removed || resolved[1]->removed) return;   // MLS 4.4.5: the connection goes with the component
  const auto expandable = [&](int s) { return resolved[s]->last->type && resolved[s]->last->type->kind() == ClassKind::expandable_connector; };
  if (expandable(0) != expandable(1)) {   // MLS 9.1.3
    const int s = expandable(0) ? 0 : 1;
    in_.error(e.place, fmt::format("{} is an expandable connector and {} is not, so they cannot be connected", in_.workspace.sources.text(names[s]->place),
                                   in_.workspace.sources.text(names[1 - s]->place)),
              fmt::format("connect it to an element: {}.name", in_.workspace.sources.text(names[s]->place)));
    return;
  }
  if (resolved[0]->dims != resolved[1]->dims) {
    in_.error(e.place, fmt::format("arrays of connectors of different sizes cannot be connected: {} and {}",
                                   resolved[0]->dims.empty() ? "one" : shape_text(resolved[0]->dims),
                                   resolved[1]->dims.empty() ? "one" : shape_text(resolved[1]->dims)),
              "connect single elements, or slices of one size");
    return;
  }
  if (resolved[0]->path.front()->member->outer && resolved[1]->path.front()->member->outer) return;
  for (std::size_t k = 0; k < resolved[0]->elements.size(); ++k) {
    const auto &a = resolved[0]->elements[k], &b = resolved[1]->elements[k];
    occurrences_.push_back(a);
    occurrences_.push_back(b);
    if (!match_components(a.component, a.index, b.component, b.index, inside[0], inside[1], e.place)) return;
  }
}

bool Connections::match_components(Component* a, std::size_t ka, Component* b, std::size_t kb, bool inside_a, bool inside_b, Place place) {
  const auto notes = [&]() -> std::vector<parser::Note> {
    return {{a->member->place, fmt::format("{} is declared here", a->name)}, {b->member->place, fmt::format("{} here", b->name)}};
  };
  if (a->basic.has_value() != b->basic.has_value()) {
    in_.error(place, fmt::format("{} and {} cannot be connected: one is a single variable, the other has elements", a->name, b->name), {}, notes());
    return false;
  }
  // Overdetermined ones are compared as others are, but joined as a whole.
  const bool whole = (a->overdetermined || b->overdetermined) && !only_matched_;
  if (whole && (!a->overdetermined || !b->overdetermined || a->overdetermined->definition != b->overdetermined->definition)) {
    in_.error(place, fmt::format("{} and {} cannot be connected: they are of different overdetermined types", a->name, b->name),
              "connect components of one type: it has one equalityConstraint function", notes());
    return false;
  }
  if (whole && (a->connector != ConnectorPrefix::none || b->connector != ConnectorPrefix::none)) {   // MLS 9.4.1
    in_.error(place, fmt::format("{} is of the overdetermined type {}, which cannot be the type of a flow or stream variable", a->name, a->overdetermined->path), {}, notes());
    return false;
  }
  if (whole) {
    graph_.connect(a, inside_a, b, inside_b, place);
    only_matched_ = true;
    const bool good = match_components(a, ka, b, kb, inside_a, inside_b, place);
    only_matched_ = false;
    return good;
  }
  if (!a->basic) {
    if (ka >= a->elements.size() || kb >= b->elements.size()) return false;
    return match_objects(a->elements[ka], b->elements[kb], inside_a, inside_b, place);
  }
  if (!same_type(in_, *a->basic, *b->basic)) {
    in_.error(place, fmt::format("{} and {} cannot be connected: they are {} and {}", a->name, b->name, type_name(in_, *a->basic), type_name(in_, *b->basic)),
              {}, notes());
    return false;
  }
  const auto va = static_cast<VariableId>(index(a->first) + ka), vb = static_cast<VariableId>(index(b->first) + kb);
  const ConnectionKind ra = infos_[index(va)].kind, rb = infos_[index(vb)].kind;
  if (!compatible(ra, rb)) {
    in_.error(place, fmt::format("{} and {} cannot be connected: they are {} and {}", a->name, b->name, connection_kind_name(ra), connection_kind_name(rb)),
              "connectors are connected to connectors of the same kind", notes());
    return false;
  }
  if (ra == ConnectionKind::parameter) {   // MLS 9.3: their values must agree
    if (a->variability != b->variability) {
      in_.error(place, fmt::format("{} and {} cannot be connected: one is a constant, the other a parameter", a->name, b->name),
                "declare both alike", notes());
      return false;
    }
    auto& ex = in_.model.expressions;
    const Expr x = ex.variable(va, a->basic->base, place), y = ex.variable(vb, a->basic->base, place);
    const Expr kx = in_.evaluated(x), ky = in_.evaluated(y);
    if (kx != Expr::none && kx == ky) return true;
    if (kx != Expr::none && ky != Expr::none) {
      in_.error(place, fmt::format("the connected parameters {} and {} have different values", a->name, b->name), "give them the same value", notes());
      return false;
    }
    in_.model.assertions.push_back({ex.make(Op::equal, BaseType::boolean, {x, y}, place, true),
                                    ex.string(fmt::format("the connected parameters {} and {} have different values", a->name, b->name)), false, place});
    return true;
  }
  if (!only_matched_) join({va, inside_a}, {vb, inside_b}, place);
  return true;
}

bool Connections::match_objects(Class* a, Class* b, bool inside_a, bool inside_b, Place place) {
  const auto missing = [&](Class* has, Class* lacks, const Member* m) {
    in_.error(place, fmt::format("connectors of the classes {} and {} cannot be connected: {} has no element {}", has->path, lacks->path, lacks->path, in_.text(m->name)),
              "connected connectors have the same elements", {{m->place, "declared here"}});
    return false;
  };
  const bool expandable = a->kind() == ClassKind::expandable_connector && b->kind() == ClassKind::expandable_connector;
  const auto left_out = [&](const Member* m, const Component* c) { return expandable && (m->presence == Member::Presence::declared || !c); };   // parameters
  for (Member* m : b->members)
    if (!m->is_class() && m->component && !m->component->removed) {
      Member* other = find_member(in_, a, m->name);
      if (!other || other->is_class() || !other->component || other->component->removed) {
        if (left_out(m, m->component)) continue;
        return missing(b, a, m);
      }
    }
  for (Member* m : a->members) {
    Component* ca = m->is_class() ? nullptr : m->component;
    if (!ca || ca->removed) continue;
    Member* other = find_member(in_, b, m->name);
    Component* cb = other && !other->is_class() ? other->component : nullptr;
    if ((!cb || cb->removed) && left_out(m, ca)) continue;
    if (!cb || cb->removed) return missing(a, b, m);
    if (ca->dims != cb->dims) {
      in_.error(place, fmt::format("{} and {} cannot be connected: their sizes are {} and {}", ca->name, cb->name,
                                   ca->dims.empty() ? "one" : shape_text(ca->dims), cb->dims.empty() ? "one" : shape_text(cb->dims)),
                {}, {{m->place, "declared here"}, {other->place, "and here"}});
      return false;
    }
    for (std::size_t k = 0; k < ca->size(); ++k)
      if (!match_components(ca, k, cb, k, inside_a, inside_b, place)) return false;
  }
  return true;
}

// ---- equations ------------------------------------------------------------------------------------------------------------------------

void Connections::describe_connectors() {
  for (Member* m : in_.root->members)
    if (!m->is_class() && m->component && !m->component->is_connector)
      for (Class* element : m->component->elements) describe_connectors(element, m->place);
}

void Connections::describe_connectors(Class* object, Place used) {
  auto& model = in_.model;
  for (Member* m : object->members) {
    Component* c = m->is_class() || m->broken || (m->outer && !m->inner) ? nullptr : m->component;
    if (!c || c->removed) continue;
    if (!c->is_connector) {
      for (Class* element : c->elements) describe_connectors(element, used);
      continue;
    }
    for (std::size_t k = 0; k < c->size(); ++k) {
      flat::Connector connector{c->name, m->place, used};
      const auto number = static_cast<std::uint32_t>(model.connectors.size());
      const auto take = [&](VariableId v) {
        flat::Variable& variable = model.variables[index(v)];
        variable.connector = number;
        variable.flow = infos_[index(v)].kind == ConnectionKind::flow;
        connector.has_flows = connector.has_flows || variable.flow;
        variable.given_inside = infos_[index(v)].kind == ConnectionKind::output;
        connector.connected = connector.connected || static_cast<bool>(places_[this->number({v, true})]);
      };
      if (c->basic && c->first != VariableId::none) take(static_cast<VariableId>(index(c->first) + k));
      std::vector<Class*> objects;
      if (k < c->elements.size()) objects.push_back(c->elements[k]);
      while (!objects.empty()) {
        Class* at = objects.back();
        objects.pop_back();
        for (Member* inner : at->members) {
          Component* i = inner->is_class() || inner->broken ? nullptr : inner->component;
          if (!i || i->removed) continue;
          if (i->basic && i->first != VariableId::none)
            for (std::size_t n = 0; n < i->size(); ++n) take(static_cast<VariableId>(index(i->first) + n));
          objects.insert(objects.end(), i->elements.begin(), i->elements.end());
        }
      }
      if (c->size() > 1) connector.name = k < c->elements.size() ? c->elements[k]->prefix : model.variables[index(c->first) + k].name;
      if (connector.name.ends_with('.')) connector.name.pop_back();
      model.connectors.push_back(std::move(connector));
    }
  }
}

void Connections::equations(Collected& out) {
  describe_connectors();
  group();
  if (has_signals_) check_signals(out);
  for (const auto& [root, set] : sets_) {
    Place place = places_[root];
    for (const Terminal& t : set)
      if (!place) place = places_[number(t)];
    if (!place) place = in_.model.variable(set.front().variable).place;
    switch (infos_[index(set.front().variable)].kind) {
      case ConnectionKind::flow: flow_equation(set, place, out); break;
      case ConnectionKind::stream: stream_equations(set, place, out); break;
      case ConnectionKind::input:
      case ConnectionKind::output:
        if (merge_outputs(set, place, out)) break;
        check_sources(set, place);
        [[fallthrough]];
      case ConnectionKind::signal:
      case ConnectionKind::potential: potential_equations(set, place, out); break;
      case ConnectionKind::parameter: break;
    }
  }
  edge_equations(out);
}

void Connections::potential_equations(const std::vector<Terminal>& set, Place place, Collected& out) {
  auto& ex = in_.model.expressions;
  const auto expression = [&](const Terminal& t) {
    return ex.variable(t.variable, in_.model.variable(t.variable).type, place);
  };
  for (std::size_t k = 1; k < set.size(); ++k)
    if (set[k].variable != set.front().variable)
      out.equations.push_back({expression(set.front()), expression(set[k]), place, {}, VariableId::none});
}

void Connections::flow_equation(const std::vector<Terminal>& set, Place place, Collected& out) {
  auto& ex = in_.model.expressions;
  const BaseType type = in_.model.variable(set.front().variable).type;
  Expr sum = Expr::none;
  for (const Terminal& t : set) {
    const Expr v = ex.variable(t.variable, type, place);
    if (sum == Expr::none)
      sum = t.inside ? v : ex.make(Op::negate, type, {v}, place);
    else
      sum = ex.make(t.inside ? Op::add : Op::subtract, type, {sum, v}, place);
  }
  const Expr zero = type == BaseType::integer ? ex.integer(0, place) : ex.real(0, place);
  out.equations.push_back({sum, zero, place, {}, VariableId::none, true});
}

/// One source of a signal: an inside output, or a public outside input (MLS 9.3).
void Connections::check_sources(const std::vector<Terminal>& set, Place place) {
  if (std::any_of(set.begin(), set.end(), [&](const Terminal& s) { return infos_[index(s.variable)].kind == ConnectionKind::signal; })) return;   // check_signals
  std::vector<VariableId> sources;
  bool other = false;
  for (const Terminal& t : set) {
    const Info& info = infos_[index(t.variable)];
    if (t.inside ? info.kind == ConnectionKind::output : info.kind == ConnectionKind::input && info.is_public) sources.push_back(t.variable);
    if (!t.inside && !info.is_public) other = true;
  }
  std::vector<parser::Note> notes;
  if (sources.size() > 1) {
    for (VariableId v : sources) notes.push_back({in_.model.variable(v).place, fmt::format("{} sets it", in_.model.variable(v).name)});
    in_.error(place, fmt::format("{} signals are connected together, and more than one of them sets the value", set.size()),
              "connect inputs to one output alone", std::move(notes));
  } else if (sources.empty() && !other && set.size() > 1) {
    for (const Terminal& t : set) notes.push_back({in_.model.variable(t.variable).place, fmt::format("{} is declared here", in_.model.variable(t.variable).name)});
    in_.error(place, "inputs and outputs are connected together, but none of them sets the value",
              "connect an input to an output of another component", std::move(notes));
  }
}

}  // namespace mosim::compiler
