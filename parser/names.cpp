#include "parser/names.hpp"

namespace mosim::parser {

Names::Names() { texts_.emplace_back(); }

Name Names::intern(std::string_view text) {
  if (const auto found = numbers_.find(text); found != numbers_.end()) return found->second;
  const auto number = static_cast<Name>(texts_.size());
  numbers_.emplace(texts_.emplace_back(text), number);
  return number;
}

Name Names::find(std::string_view text) const {
  const auto found = numbers_.find(text);
  return found == numbers_.end() ? Name::none : found->second;
}

}  // namespace mosim::parser
