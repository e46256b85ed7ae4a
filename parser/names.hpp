#pragma once
// Identifiers as 32-bit numbers.

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace mosim::parser {

/// An interned identifier. Two names are the same identifier exactly when they are the same number.
/// A quoted identifier keeps its quotes: 'x' and x differ (MLS 2.3.1).
enum class Name : std::uint32_t { none = 0 };

/// The identifiers of one workspace.
class Names {
public:
  Names();
  Name intern(std::string_view text);
  /// The number of a text that was interned before, Name::none otherwise.
  Name find(std::string_view text) const;
  std::string_view text(Name name) const { return texts_[static_cast<std::uint32_t>(name)]; }

private:
  std::deque<std::string> texts_;  // a deque: views into it stay valid
  std::unordered_map<std::string_view, Name> numbers_;
};

}  // namespace mosim::parser
