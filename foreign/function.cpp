#include "foreign/function.hpp"

#include <algorithm>

namespace mosim::foreign {

namespace {

bool has_text(const Code& code, const std::string& text) { return number_of_text(code, text) <= code.companions.size(); }

void add(std::vector<std::string>& all, const std::vector<std::string>& more) {
  for (const std::string& one : more)
    if (std::find(all.begin(), all.end(), one) == all.end()) all.push_back(one);
}

}  // namespace

std::size_t count_leaves(const Type& type) {
  if (type.kind != Type::Kind::record) return 1;
  std::size_t n = 0;
  for (const Type& field : type.fields) n += count_leaves(field);
  return n;
}

std::size_t number_of_text(const Code& code, const std::string& text) {
  if (code.include == text) return 0;
  return std::size_t(std::find(code.companions.begin(), code.companions.end(), text) - code.companions.begin()) + 1;
}

bool are_linked(const Code& a, const Code& b) {
  if (a == b) return true;
  if (a.companions.empty() && b.companions.empty()) return false;
  const auto in_b = [&](const std::string& text) { return !text.empty() && has_text(b, text); };
  return in_b(a.include) || std::any_of(a.companions.begin(), a.companions.end(), in_b);
}

void link_with(Code& code, const Code& other) {
  if (code == other) return;
  for (const std::string& text : other.companions)
    if (!has_text(code, text)) code.companions.push_back(text);
  if (!has_text(code, other.include)) code.companions.push_back(other.include);
  add(code.include_folders, other.include_folders);
  add(code.libraries, other.libraries);
  add(code.library_folders, other.library_folders);
}

}  // namespace mosim::foreign
