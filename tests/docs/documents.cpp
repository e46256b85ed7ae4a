#include "tests/docs/documents.hpp"

#include <sstream>

namespace mosim::tests {

std::vector<Command> commands_in(const std::string& document) {
  std::vector<Command> commands;
  std::istringstream lines(document);
  std::string line;
  bool inside = false;
  for (std::size_t number = 1; std::getline(lines, line); ++number) {
    if (line.rfind("```", 0) == 0) {
      inside = line == "```console";
    } else if (inside && line.rfind("$ ", 0) == 0) {
      commands.push_back({line.substr(2), {}, number});
    } else if (inside && !commands.empty()) {
      commands.back().output.push_back(line);
    }
  }
  return commands;
}

namespace {
bool matches_line(const std::string& expected, const std::string& found) {
  if (!expected.ends_with(" ...")) return expected == found;
  return found.rfind(expected.substr(0, expected.size() - 4), 0) == 0;
}

bool matches_from(const std::vector<std::string>& expected, std::size_t e, const std::vector<std::string>& found, std::size_t f) {
  for (; e < expected.size(); ++e, ++f) {
    if (expected[e] == "...") {
      for (; f <= found.size(); ++f)
        if (matches_from(expected, e + 1, found, f)) return true;
      return false;
    }
    if (f == found.size() || !matches_line(expected[e], found[f])) return false;
  }
  return f == found.size();
}
}  // namespace

bool matches(const std::vector<std::string>& expected, const std::vector<std::string>& found) {
  return matches_from(expected, 0, found, 0);
}

std::vector<std::string> local_links(const std::string& document) {
  std::vector<std::string> links;
  // ](file) or ](file#section)
  const std::string opening = "](", fence = "```";
  for (std::size_t at = document.find(opening); at != std::string::npos; at = document.find(opening, at + 1)) {
    std::size_t fences = 0;   // before it: within a pair of them is code
    for (std::size_t f = document.find(fence); f < at; f = document.find(fence, f + 1)) ++fences;
    if (fences % 2 == 1) continue;
    const std::size_t begin = at + opening.size(), end = document.find_first_of(")#", begin);
    if (end == std::string::npos || end == begin) continue;
    const std::string target = document.substr(begin, end - begin);
    if (target.find("://") == std::string::npos) links.push_back(target);
  }
  return links;
}

}  // namespace mosim::tests
