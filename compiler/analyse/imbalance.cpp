#include "compiler/analyse/imbalance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "compiler/analyse/analysis.hpp"

namespace mosim::compiler::dae {

namespace {

constexpr std::size_t most_shown = 6;

std::string number_of(std::size_t n, const char* what) { return n == 0 ? fmt::format("no {}", what) : fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); }

std::string list(const std::vector<std::string>& names, const char* last = "and") {
  std::string result;
  for (std::size_t k = 0; k < names.size() && k < most_shown; ++k)
    result += (k == 0 ? "" : k + 1 == names.size() ? fmt::format(" {} ", last) : ", ") + names[k];
  return names.size() > most_shown ? result + fmt::format(" and {} more", names.size() - most_shown) : result;
}

// ---- connectors -----------------------------------------------------------------------------------------------------

std::string numbers(const flat::UnevenConnector& c) {
  return fmt::format("connector {} has {} and {}", c.type, number_of(c.potentials, "potential"), number_of(c.flows, "flow variable"));
}

std::string flow_remedy(const flat::UnevenConnector& c) {
  std::vector<std::string> names;
  for (const auto& candidate : c.candidates) names.push_back("`" + candidate.name + "`");
  if (!names.empty()) return fmt::format("declare {} with the prefix flow, as in flow Real {}", list(names), c.candidates.front().name);
  return c.potentials > c.flows ? "declare what flows through it (a current, a force, a mass flow) with the prefix flow" : "give it a potential for each flow";
}

std::vector<parser::Note> flow_notes(const flat::UnevenConnector& c) {
  std::vector<parser::Note> notes;
  for (const auto& candidate : c.candidates)
    notes.push_back({candidate.place, fmt::format("without flow, connect makes `{}` equal on all sides; with it, what flows in adds up to zero", candidate.name)});
  if (notes.empty()) notes.push_back({c.place, "a connector needs as many flow variables as potentials: connect makes potentials equal, and what flows in add up to zero"});
  return notes;
}

/// The first of those of which it is known, or is not known, what lacks the prefix.
std::optional<Blame> blame_connector(const flat::Model& model, bool known) {
  for (const flat::UnevenConnector& c : model.uneven_connectors)
    if (c.candidates.empty() != known) return Blame{numbers(c), flow_remedy(c), flow_notes(c), true};
  return {};
}

// ---- potentials that are made equal instead of connected ------------------------------------------------------------------

std::optional<Blame> blame_equality(Analysis& a) {
  const flat::Model& model = a.model();
  Blame blame;
  std::vector<std::string> connects;
  for (const flat::Equation& e : model.equations) {
    if (a.x().op(e.left) != Op::variable || a.x().op(e.right) != Op::variable || e.binding_of != VariableId::none) continue;
    const flat::Variable &left = model.variable(a.x().variable(e.left)), &right = model.variable(a.x().variable(e.right));
    if (left.connector == flat::no_connector || right.connector == flat::no_connector || left.connector == right.connector || left.flow || right.flow) continue;
    const flat::Connector &one = model.connectors[left.connector], &other = model.connectors[right.connector];
    if (!one.has_flows || !other.has_flows || (one.connected && other.connected)) continue;
    connects.push_back(fmt::format("connect({}, {})", one.name, other.name));
    const bool both = !one.connected && !other.connected;
    if (blame.notes.size() < most_shown)
      blame.notes.push_back({e.place, fmt::format("this makes {} and {} equal, but nothing flows: {} {} connected to nothing", left.name, right.name,
                                                  both ? one.name + " and " + other.name : one.connected ? other.name : one.name, both ? "are" : "is")});
  }
  if (connects.empty()) return {};
  blame.cause = "potentials of connectors are made equal where the connectors should be connected";
  blame.remedy = fmt::format("write {} instead of {}", list(connects), connects.size() == 1 ? "the equation" : "these equations");
  blame.all = true;
  return blame;
}

// ---- classes -----------------------------------------------------------------------------------------------------------

std::int64_t missing(const flat::Unbalanced& u) { return u.unknowns - u.equations - u.from_outside; }

std::string amount(std::int64_t missing) {
  const std::int64_t n = std::abs(missing);
  return fmt::format("{} equation{} too {}", n, n == 1 ? "" : "s", missing > 0 ? "few" : "many");
}

std::optional<Blame> blame_classes(Analysis& a, std::size_t unknowns, std::size_t equations) {
  const auto& unbalanced = a.model().unbalanced;
  std::int64_t total = 0, of_model = 0;
  for (const flat::Unbalanced& u : unbalanced) {
    total += missing(u);
    if (u.component.empty()) of_model = missing(u);
  }
  // Only if these counts explain that one.
  if (total != static_cast<std::int64_t>(unknowns) - static_cast<std::int64_t>(equations)) return {};
  struct Group {
    const flat::Unbalanced* first;
    std::vector<std::string> components;
  };
  std::vector<Group> groups;
  std::map<std::pair<std::string, std::int64_t>, std::size_t> numbers;
  for (const flat::Unbalanced& u : unbalanced) {
    if (u.component.empty()) continue;
    const auto [it, fresh] = numbers.try_emplace({u.always ? u.type : u.component, missing(u)}, groups.size());
    if (fresh) groups.push_back({&u, {}});
    groups[it->second].components.push_back("`" + u.component + "`");
  }
  if (groups.empty() || groups.size() > most_shown) return {};
  Blame blame;
  std::vector<std::string> causes, changed;
  for (const Group& g : groups) {
    const flat::Unbalanced& u = *g.first;
    const std::int64_t needed = u.unknowns - u.from_outside;
    const std::string whom = u.always ? fmt::format("class {}", u.type) : fmt::format("component {}", g.components.front());
    causes.push_back(fmt::format("{} has {}", whom, amount(missing(u))));
    changed.push_back(u.always ? u.type : g.components.front());
    const std::string given = u.from_outside == 0 ? fmt::format("it has {}", number_of(std::size_t(u.unknowns), "unknown"))
                                                  : fmt::format("of its {} {} given from outside, through its connectors and inputs", number_of(std::size_t(u.unknowns), "unknown"),
                                                                u.from_outside == 1 ? "1 is" : fmt::format("{} are", u.from_outside));
    blame.notes.push_back({u.always ? u.of_class : u.declared,
                           fmt::format("{}: {}, so it needs {} of its own, and it has {}{}", u.always ? u.type : g.components.front(), given,
                                       number_of(std::size_t(std::max<std::int64_t>(needed, 0)), "equation"), u.equations,
                                       u.always ? fmt::format(" (used for {})", list(g.components)) : fmt::format("; others of class {} are balanced", u.type))});
  }
  blame.cause = list(causes);
  blame.remedy = (missing(*groups.front().first) > 0 ? "add what is missing to " : "remove an equation, or a value that a declaration is given, from ") + list(changed);
  blame.all = of_model == 0 && total > 1;   // with one, what is left over says more
  return blame;
}

}  // namespace

std::optional<Blame> blame_connector(const Analysis& a) { return blame_connector(a.system.model, true); }

std::optional<Blame> find_blame(Analysis& a, std::size_t unknowns, std::size_t equations) {
  if (auto blame = blame_connector(a)) return blame;
  if (equations > unknowns)
    if (auto blame = blame_equality(a)) return blame;
  if (auto blame = blame_classes(a, unknowns, equations)) return blame;
  return blame_connector(a.model(), false);
}

void warn_of_uneven_connectors(Analysis& a) {
  for (const flat::UnevenConnector& c : a.model().uneven_connectors)
    if (!c.candidates.empty()) a.warning(c.candidates.front().place, numbers(c), flow_remedy(c), flow_notes(c));
}

}  // namespace mosim::compiler::dae
