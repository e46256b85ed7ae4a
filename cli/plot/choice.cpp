#include "cli/plot/choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "parser/diagnostic.hpp"

namespace mosim::cli {

namespace {

using runtime::Index;
using runtime::Kind;
using runtime::Program;
using runtime::Variable;

/// Is it an element of the array, as x[2,1] is of x?
bool is_element(const std::string& name, const std::string& array) {
  return name.size() > array.size() + 2 && name.compare(0, array.size(), array) == 0 && name[array.size()] == '[' &&
         name.find(']', array.size()) == name.size() - 1;
}

/// Says what is in a component, if there is one of that name.
std::optional<std::string> in_component(const Program& program, const std::string& name) {
  constexpr std::size_t shown = 5;
  std::string text;
  std::size_t n = 0;
  for (const Variable& v : program.variables) {
    const bool inside = v.name.starts_with(name) && v.name.size() > name.size() &&
                        (v.name[name.size()] == '.' || v.name[name.size()] == '[');
    if (inside && v.kind != Kind::parameter && ++n <= shown) text += (text.empty() ? "" : ", ") + v.name;
  }
  if (n == 0) return {};
  if (n > shown) text += fmt::format(" and {} more", n - shown);
  return fmt::format("{} is a component; name what is to be drawn in it: {}", name, text);
}

bool changes(const runtime::Trajectory& t, std::size_t column) {
  for (std::size_t k = column; k < t.values.size(); k += t.width())
    if (t.values[k] != t.values[column]) return true;
  return false;
}

}  // namespace

std::vector<std::string> split_names(std::string_view list) {
  std::vector<std::string> names(1);
  int depth = 0;
  bool quoted = false;
  for (std::size_t k = 0; k < list.size(); ++k) {
    const char c = list[k];
    if (quoted) {
      names.back() += c;
      if (c == '\\' && k + 1 < list.size()) names.back() += list[++k];
      if (c == '\'') quoted = false;
      continue;
    }
    const bool space = c == ' ' || c == '\t';
    if (space && depth > 0) continue;
    if (space || (c == ',' && depth == 0)) {
      names.emplace_back();
      continue;
    }
    if (c == '\'') quoted = true;
    if (c == '[' || c == '(') ++depth;
    if ((c == ']' || c == ')') && depth > 0) --depth;
    names.back() += c;
  }
  std::erase(names, "");
  return names;
}

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
    bool found = false;
    for (Index k = 0; k < program.variables.size(); ++k) {
      const Variable& v = program.variables[k];
      if (v.name != name && !is_element(v.name, name)) continue;
      if (v.type == runtime::Type::string) return fmt::format("{} is a String; that cannot be drawn", v.name);
      add(k);
      found = true;
    }
    if (found) continue;
    if (auto component = in_component(program, name)) return std::move(*component);
    std::vector<std::string_view> candidates{"time"};
    for (const Variable& v : program.variables) candidates.push_back(v.name);
    const std::string near = parser::nearest(name, candidates);
    return fmt::format("{} has no variable {} to draw{}", program.model, name,
                       near.empty() ? "" : fmt::format("; did you mean {}?", near));
  }
  return choice;
}

Choice default_choice(const Program& program, const runtime::Result& result, std::size_t most) {
  const runtime::Trajectory& t = result.trajectory;
  Choice choice;
  std::set<runtime::Slot> seen;
  const auto take = [&](auto wanted, bool also_constant) {
    for (const bool is_protected : {false, true})
      for (std::size_t c = 0; c < t.columns.size() && choice.size() < most; ++c) {
        const Variable& v = program.variables[t.columns[c]];
        if (v.is_protected != is_protected || !wanted(v) || (!also_constant && !changes(t, c + 1))) continue;
        if (seen.insert(v.slot).second) choice.push_back(t.columns[c]);
      }
  };
  take([](const Variable& v) { return v.kind == Kind::state; }, false);
  take([](const Variable& v) { return v.kind == Kind::discrete; }, false);
  if (choice.empty()) take([](const Variable& v) { return v.kind != Kind::derivative; }, false);
  if (choice.empty()) take([](const Variable&) { return true; }, true);
  return choice;
}

}  // namespace mosim::cli
