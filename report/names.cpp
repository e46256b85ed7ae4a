#include "report/names.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "parser/diagnostic.hpp"

namespace mosim::report {

namespace {

using runtime::Index;
using runtime::Kind;
using runtime::Program;
using runtime::Variable;

/// Behind the brackets that begin a text, with what is in them.
std::string_view behind_brackets(std::string_view text) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    if (quoted && c == '\\') ++k;
    else if (c == '\'') quoted = !quoted;
    else if (quoted) continue;
    else if (c == '[') ++depth;
    else if (c == ']' && --depth == 0) return text.substr(k + 1);
  }
  return {};
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

bool has_wildcards(std::string_view pattern) { return pattern.find_first_of("*?") != std::string_view::npos; }

bool matches(std::string_view pattern, std::string_view name, bool wildcards) {
  // Where to go on when what follows the last * does not fit.
  std::string_view star_pattern, star_name;
  bool has_star = false;
  while (true) {
    if (wildcards && pattern.starts_with('*')) {
      pattern.remove_prefix(1);
      has_star = true;
      star_pattern = pattern;
      star_name = name;
    } else if (name.starts_with('[') && !pattern.starts_with('[')) {
      name = behind_brackets(name);
    } else if (!name.empty() && !pattern.empty() && (pattern.front() == name.front() || (wildcards && pattern.front() == '?'))) {
      pattern.remove_prefix(1);
      name.remove_prefix(1);
    } else if (name.empty() && pattern.empty()) {
      return true;
    } else if (has_star && !star_name.empty()) {
      star_name.remove_prefix(1);
      pattern = star_pattern;
      name = star_name;
    } else {
      return false;
    }
  }
}

std::vector<Index> find_variables(const Program& program, const std::string& pattern) {
  std::vector<Index> found;
  for (Index k = 0; k < program.variables.size(); ++k)
    if (program.variables[k].name == pattern) return {k};
  const bool wildcards = has_wildcards(pattern);
  for (Index k = 0; k < program.variables.size(); ++k)
    if (matches(pattern, program.variables[k].name, wildcards)) found.push_back(k);
  return found;
}

std::string unknown_name(const Program& program, const std::string& name, std::string_view verb, std::string_view participle) {
  constexpr std::size_t shown = 5;
  std::string text;
  std::size_t n = 0;
  for (const Variable& v : program.variables) {
    const bool inside = v.name.starts_with(name) && v.name.size() > name.size() && (v.name[name.size()] == '.' || v.name[name.size()] == '[');
    if (inside && v.kind != Kind::parameter && ++n <= shown) text += (text.empty() ? "" : ", ") + v.name;
  }
  if (n > 0)
    return fmt::format("{} is a component; name what is to be {} in it: {}{}", name, participle, text, n > shown ? fmt::format(" and {} more", n - shown) : "");
  if (has_wildcards(name)) return fmt::format("{} has no variable like {}", program.model, name);
  std::vector<std::string_view> candidates{"time"};
  for (const Variable& v : program.variables) candidates.push_back(v.name);
  const std::string near = parser::nearest(name, candidates);
  return fmt::format("{} has no variable {} to {}{}", program.model, name, verb, near.empty() ? "" : fmt::format("; did you mean {}?", near));
}

std::string nearest(std::string_view misspelt, const std::vector<std::string_view>& candidates) { return parser::nearest(misspelt, candidates); }

}  // namespace mosim::report
