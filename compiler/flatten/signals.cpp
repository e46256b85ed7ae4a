// Variables of expandable connectors (MLS 9.1.3): which of them are set, and by what.

#include <fmt/format.h>

#include <algorithm>

#include "compiler/flatten/connect.hpp"
#include "compiler/flatten/flattening.hpp"
#include "compiler/instantiate/class.hpp"
#include "compiler/instantiate/component.hpp"
#include "compiler/instantiate/instances.hpp"

namespace mosim::compiler {

namespace {

bool is_connector_or_record(const Class* c) {
  using parser::ClassKind;
  const ClassKind k = c->kind();
  return k == ClassKind::connector || k == ClassKind::expandable_connector || k == ClassKind::record || k == ClassKind::operator_record;
}

/// All variables of expandable connectors that connections make equal, and what is connected to them besides.
struct Network {
  std::vector<VariableId> signals, sources, users;
  VariableId at_top = VariableId::none;   // one that the model's own public connectors show to the outside
  bool elsewhere = false;                 // may have its value from a variable that is no input or output
  Place place;
};

}  // namespace

/// Is it an element of a connector of the model itself?
bool Connections::of_top_level(VariableId v) const {
  const Class* object = in_.variable_elements[index(v)].component->member->owner;
  const auto whole = [](const Class* c) {
    while (c && c->derived) c = c->derived;
    return c;
  };
  object = whole(object);
  while (object && object != in_.root && is_connector_or_record(object)) object = whole(object->parent_object);
  return object == in_.root;
}

void Connections::check_signals(Collected& out) {
  std::vector<VariableId> signals;
  for (std::size_t v = 0; v < infos_.size(); ++v)
    if (infos_[v].kind == ConnectionKind::signal) signals.push_back(static_cast<VariableId>(v));
  std::vector<std::size_t> parents(infos_.size());
  for (VariableId v : signals) parents[index(v)] = index(v);
  const auto find = [&](VariableId v) {
    std::size_t i = index(v);
    while (parents[i] != i) i = parents[i] = parents[parents[i]];
    return i;
  };
  const auto first_signal = [&](const std::vector<Terminal>& set) {
    return std::find_if(set.begin(), set.end(), [&](const Terminal& t) { return infos_[index(t.variable)].kind == ConnectionKind::signal; });
  };
  for (const auto& [root, set] : sets_) {
    const auto first = first_signal(set);
    if (first == set.end()) continue;
    for (const Terminal& t : set)
      if (infos_[index(t.variable)].kind == ConnectionKind::signal) {
        const std::size_t a = find(first->variable), b = find(t.variable);
        parents[std::max(a, b)] = std::min(a, b);
      }
  }
  std::map<std::size_t, Network> networks;
  for (VariableId v : signals) networks[find(v)].signals.push_back(v);
  for (const auto& [root, set] : sets_) {
    const auto first = first_signal(set);
    if (first == set.end()) continue;
    Network& n = networks[find(first->variable)];
    for (const Terminal& t : set) {
      const Info& info = infos_[index(t.variable)];
      if (!n.place) n.place = places_[number(t)];
      if (info.kind == ConnectionKind::signal) {
        if (!t.inside && info.is_public && n.at_top == VariableId::none && of_top_level(t.variable)) n.at_top = t.variable;
      } else if (info.kind == ConnectionKind::potential || (!t.inside && !info.is_public)) {
        n.elsewhere = true;
      } else if (t.inside ? info.kind == ConnectionKind::output : info.kind == ConnectionKind::input) {
        n.sources.push_back(t.variable);
      } else {
        n.users.push_back(t.variable);
      }
    }
  }
  auto& ex = in_.model.expressions;
  for (const auto& [root, n] : networks) {
    std::vector<parser::Note> notes;
    const auto note = [&](VariableId v, std::string_view what) { notes.push_back({in_.model.variable(v).place, fmt::format("{} {}", in_.model.variable(v).name, what)}); };
    const std::string& name = in_.model.variable(n.signals.front()).name;
    if (n.sources.size() > 1) {
      for (VariableId v : n.sources) note(v, "sets it");
      in_.error(n.place, fmt::format("{} of an expandable connector is set more than once", name), "connect one output alone to it", std::move(notes));
    } else if (n.sources.empty() && n.users.empty() && !n.elsewhere) {
      // Not present, but an element of an array of which others are: it has its default value.
      for (VariableId v : n.signals) {
        const flat::Variable& variable = in_.model.variable(v);
        Expr value = variable.start;
        if (value == Expr::none) switch (variable.type) {
            case BaseType::real: value = ex.real(0, variable.place); break;
            case BaseType::integer: value = ex.integer(0, variable.place); break;
            case BaseType::boolean: value = ex.boolean(false, variable.place); break;
            case BaseType::string: value = ex.string("", variable.place); break;
            case BaseType::enumeration: value = ex.enumeration(variable.enumeration, 1, variable.place); break;
            case BaseType::clock:
            case BaseType::object: continue;
          }
        out.equations.push_back({ex.variable(v, variable.type, variable.place), value, variable.place, {}, VariableId::none});
        break;                         // the others are equal to it
      }
    } else if (n.sources.empty() && !n.elsewhere) {
      if (n.at_top != VariableId::none) {
        in_.model.variables[index(n.at_top)].causality = flat::Causality::input;
        continue;
      }
      // A declared one may be set by an equation of the class that declares the connector.
      if (std::any_of(n.signals.begin(), n.signals.end(), [&](VariableId v) { return !infos_[index(v)].added; })) continue;
      for (VariableId v : n.users) note(v, "needs it");
      in_.error(n.place, fmt::format("{} of an expandable connector is used, but nothing sets it", name),
                "connect an output of a component to it, in one of the connected expandable connectors", std::move(notes));
    }
  }
}

}  // namespace mosim::compiler
