#include "compiler/flatten/balance.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "compiler/instantiate/class.hpp"
#include "compiler/instantiate/component.hpp"
#include "compiler/instantiate/instances.hpp"

namespace mosim::compiler {

namespace {

constexpr std::size_t nobody = static_cast<std::size_t>(-1);

/// An object of a model or block class.
struct Count {
  Class* object;
  std::size_t parent;
  Place declared;                        // its component
  std::int64_t unknowns = 0, own = 0;    // its variables and what its components leave open; equations
  std::int64_t connectors = 0;           // flows and inputs of public connectors: an equation each from outside
  std::int64_t inputs = 0;               // others without a value: the same
};

/// What flows, by its name, unit or quantity.
bool looks_like_a_flow(const flat::Variable& v, std::string_view name) {
  constexpr std::string_view names[] = {"i", "I", "f", "F", "tau", "T_flow", "Q", "q", "current", "force", "torque", "heatFlow", "massFlow", "flow"};
  constexpr std::string_view units[] = {"A", "N", "N.m", "W", "J/s", "kg/s", "m3/s", "mol/s", "Wb"};
  constexpr std::string_view quantities[] = {"ElectricCurrent", "Force", "Torque", "Power", "HeatFlowRate", "MassFlowRate", "VolumeFlowRate", "EnthalpyFlowRate"};
  const auto among = [](const auto& list, std::string_view text) { return std::find(std::begin(list), std::end(list), text) != std::end(list); };
  return name.ends_with("_flow") || among(names, name) || among(units, v.unit.text()) || among(quantities, v.quantity.text());
}

class Balance {
public:
  Balance(Instances& in, const Connections& connections, const OwnEquations& own)
      : in_(in), connections_(connections), own_(own), holders_(in.model.variables.size(), nobody), hidden_(holders_.size(), 0), bound_(holders_.size(), 0) {
    for (const flat::Equation& e : in.model.equations)
      if (e.binding_of != VariableId::none) bound_[index(e.binding_of)] = 1;
  }

  void run() {
    count(in_.root, nobody, in_.root->definition ? in_.root->definition->place : Place{});
    for (const auto& [root, set] : connections_.sets()) count_set(set);
    if (simple_) note();
  }

private:
  void count(Class* object, std::size_t parent, Place declared) {
    const std::size_t self = counts_.size();
    counts_.push_back({object, parent, declared});
    if (const auto it = own_.find(object); it != own_.end()) counts_[self].own += it->second;
    for (Member* m : object->members) {
      Component* c = m->is_class() || m->broken ? nullptr : m->component;
      if (!c || c->removed) continue;
      if (m->outer && !m->inner) {   // a variable or record counts where its inner one is declared
        simple_ = simple_ && !c->is_connector && (c->basic || !c->type || is_record_class(c->type));
        continue;
      }
      const bool is_part = !c->basic && !c->is_connector && !(c->type && is_record_class(c->type));
      if (!is_part) {
        if (c->is_connector && !m->is_protected && c->causality == parser::Causality::none) compare_roles(c);
        leaves(c, self, c->is_connector, m->is_protected);
        continue;
      }
      for (Class* element : c->elements) {
        const std::size_t part = counts_.size();
        count(element, self, m->place);
        counts_[self].unknowns += counts_[part].connectors + counts_[part].inputs;
      }
    }
  }

  void leaves(Component* c, std::size_t holder, bool in_connector, bool is_protected) {
    if (c->removed) return;
    simple_ = simple_ && !c->overdetermined;
    for (Class* element : c->elements) {
      simple_ = simple_ && element->kind() != parser::ClassKind::expandable_connector;
      for (Member* m : element->members)
        if (!m->is_class() && !m->broken && m->component) leaves(m->component, holder, in_connector, is_protected || m->is_protected);
    }
    if (!c->basic || c->first == VariableId::none || c->variability <= flat::Variability::parameter) return;
    simple_ = simple_ && c->basic->base != BaseType::clock;
    Count& count = counts_[holder];
    for (std::size_t k = 0; k < c->size(); ++k) {
      const std::size_t v = index(c->first) + k;
      if (v >= holders_.size()) continue;
      holders_[v] = holder;
      hidden_[v] = is_protected;
      ++count.unknowns;
      count.own += bound_[v];
      const ConnectionKind kind = connections_.kind(static_cast<VariableId>(v));
      if (is_protected) continue;
      if (in_connector)
        count.connectors += kind == ConnectionKind::flow || kind == ConnectionKind::input;
      else
        count.inputs += kind == ConnectionKind::input && !bound_[v];
    }
  }

  struct ConnectorVariables {
    std::size_t potentials = 0, flows = 0;
    bool simple = true;
    std::vector<flat::UnevenConnector::Candidate> candidates;
  };

  void add_variables(Component* c, ConnectorVariables& found) {
    if (c->removed) return;
    found.simple = found.simple && !c->overdetermined;
    for (Class* element : c->elements) add_variables(element, found);
    if (!c->basic || c->first == VariableId::none || c->size() == 0 || c->variability <= flat::Variability::parameter) return;
    const ConnectionKind kind = connections_.kind(c->first);
    found.simple = found.simple && (kind == ConnectionKind::potential || kind == ConnectionKind::flow || kind == ConnectionKind::stream || kind == ConnectionKind::input || kind == ConnectionKind::output);
    (kind == ConnectionKind::flow ? found.flows : found.potentials) += kind == ConnectionKind::flow || kind == ConnectionKind::potential ? c->size() : 0;
    const std::string_view name = in_.text(c->member->name);
    if (kind == ConnectionKind::potential && c->size() == 1 && looks_like_a_flow(in_.model.variable(c->first), name)) found.candidates.push_back({std::string(name), c->member->place});
  }
  void add_variables(Class* object, ConnectorVariables& found) {
    for (Member* m : object->members)
      if (!m->is_class() && !m->broken && m->component) add_variables(m->component, found);
  }

  /// Of the innermost classes of a connector. False: one of them is not even.
  bool compare_roles(Component* c) {
    if (c->removed || c->basic || c->elements.empty() || !is_connector(c->elements.front())) return true;
    Class* const object = c->elements.front();
    if (const auto known = even_.find(object->definition); known != even_.end()) return known->second;
    bool even = true;
    for (Member* m : object->members)
      if (!m->is_class() && !m->broken && m->component && m->component->causality == parser::Causality::none) even = compare_roles(m->component) && even;
    ConnectorVariables found;
    add_variables(object, found);
    if (even && found.simple && found.potentials != found.flows && !object->definition->partial && !in_.library.in_library(object->definition->place)) {
      even = false;
      flat::UnevenConnector u{object->path, object->definition->place, found.potentials, found.flows, {}};
      if (found.potentials == found.flows + 2 * found.candidates.size()) u.candidates = std::move(found.candidates);
      in_.model.uneven_connectors.push_back(std::move(u));
    }
    return even_[object->definition] = even;
  }
  static bool is_connector(const Class* c) { return c->definition && c->kind() == parser::ClassKind::connector; }

  void count_set(const std::vector<Terminal>& set) {
    std::size_t owner = nobody;
    std::int64_t outside = 0;
    for (const Terminal& t : set) {
      const std::size_t v = index(t.variable);
      const std::size_t holder = v < holders_.size() ? holders_[v] : nobody;
      if (holder == nobody) {
        simple_ = simple_ && connections_.kind(t.variable) == ConnectionKind::parameter;
        return;
      }
      const std::size_t level = t.inside && !hidden_[v] ? counts_[holder].parent : holder;
      if (level == nobody) return;   // the model's own: counted as given from outside
      simple_ = simple_ && (owner == nobody || owner == level);
      owner = level;
      outside += !t.inside;
    }
    if (owner == nobody) return;
    switch (connections_.kind(set.front().variable)) {
      case ConnectionKind::flow: counts_[owner].own += 1; break;
      case ConnectionKind::stream: counts_[owner].own += outside; break;
      case ConnectionKind::parameter: break;
      case ConnectionKind::signal: simple_ = false; break;
      default: counts_[owner].own += static_cast<std::int64_t>(set.size()) - 1;
    }
  }

  void note() {
    std::unordered_map<const parser::ClassDefinition*, bool> sound;   // has a balanced component
    for (const Count& c : counts_) sound[c.object->definition] |= missing(c) == 0;
    for (const Count& c : counts_) {
      if (missing(c) == 0 || !c.object->definition) continue;
      flat::Unbalanced u;
      u.component = c.object->prefix.empty() ? "" : c.object->prefix.substr(0, c.object->prefix.size() - 1);
      u.type = c.object->path;
      u.declared = c.declared;
      u.of_class = c.object->definition->place;
      u.unknowns = c.unknowns;
      u.from_outside = c.connectors + c.inputs;
      u.equations = c.own;
      u.always = !sound[c.object->definition];
      in_.model.unbalanced.push_back(std::move(u));
    }
  }
  static std::int64_t missing(const Count& c) { return c.unknowns - c.own - c.connectors - c.inputs; }

  Instances& in_;
  const Connections& connections_;
  const OwnEquations& own_;
  std::vector<Count> counts_;
  std::vector<std::size_t> holders_;     // by variable: whose it is
  std::vector<char> hidden_, bound_;     // by variable: of a protected component; has an equation at its declaration
  std::unordered_map<const parser::ClassDefinition*, bool> even_;
  bool simple_ = true;
};

}  // namespace

void count_balance(Instances& in, const Connections& connections, const OwnEquations& own) { Balance(in, connections, own).run(); }

}  // namespace mosim::compiler
