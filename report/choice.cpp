#include "report/choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "report/kept.hpp"
#include "report/names.hpp"

namespace mosim::report {

namespace {

using runtime::Index;
using runtime::Kind;
using runtime::Program;
using runtime::Variable;

enum class Tier { state, discrete, other, derivative };

Tier tier_of(const Variable& v) {
  switch (v.kind) {
    case Kind::state: return Tier::state;
    case Kind::discrete: return Tier::discrete;
    case Kind::derivative: return Tier::derivative;
    default: return Tier::other;
  }
}

}  // namespace

std::variant<Choice, std::string> choose(const Program& program, std::string_view list) {
  Choice choice;
  const auto add = [&](Index v) {
    if (std::find(choice.begin(), choice.end(), v) == choice.end()) choice.push_back(v);
  };
  const std::vector<std::string> names = split_names(list);
  if (names.empty()) return std::string("--plot names no variable");
  for (const std::string& name : names) {
    if (name == "time") {
      add(time_itself);
      continue;
    }
    const std::vector<Index> found = find_variables(program, name);
    if (found.empty()) return unknown_name(program, name, "draw", "drawn");
    for (const Index k : found) {
      const Variable& v = program.variables[k];
      if (v.type != runtime::Type::string) add(k);
      else if (found.size() == 1) return fmt::format("{} is a String; that cannot be drawn", v.name);
    }
  }
  return choice;
}

std::vector<std::size_t> default_order(const Program& program, const std::vector<Index>& variables) {
  std::vector<std::size_t> order(variables.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  const auto key = [&](std::size_t k) {
    const Variable& v = program.variables[variables[k]];
    return std::pair(tier_of(v), v.is_protected);
  };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
  return order;
}

Choice default_choice(const Program& program, const Kept& rows, std::size_t most) {
  std::vector<Index> variables;
  for (const Kept::Column& column : rows.columns) variables.push_back(column.variable);
  const std::vector<std::size_t> order = default_order(program, variables);
  Choice choice;
  std::set<runtime::Slot> seen;
  const auto take = [&](Tier from, Tier to, bool also_constant) {
    for (const std::size_t k : order) {
      const Variable& v = program.variables[variables[k]];
      const Tier tier = tier_of(v);
      if (choice.size() >= most || tier < from || tier > to || (!also_constant && !rows.columns[k].changes)) continue;
      if (seen.insert(v.slot).second) choice.push_back(variables[k]);
    }
  };
  take(Tier::state, Tier::discrete, false);
  if (choice.empty()) take(Tier::state, Tier::other, false);
  if (choice.empty()) take(Tier::state, Tier::derivative, true);
  return choice;
}

}  // namespace mosim::report
