#include "parser/error_list.hpp"

#include <algorithm>
#include <functional>
#include <iterator>

#include <fmt/format.h>

namespace mosim::parser {
namespace {

constexpr std::size_t most_said = 10;   // causes
constexpr std::size_t most_shown = 3;   // places of one cause
constexpr std::size_t most_met = 200;   // errors

}  // namespace

bool SyntaxErrors::add(SyntaxError error, bool whole, bool at_end) {
  const bool follows = resumed_ && ((!whole && (doubtful_ || (at_end && !read_since_))) || std::less_equal<>()(error.at, resumed_));
  read_since_ = false;
  if (!resumed_ || std::less<>()(resumed_, error.at)) resumed_ = error.at;
  if (++met_ == most_met) return false;
  if (follows) return true;
  const auto same = std::find_if(said_.begin(), said_.end(), [&](const Said& s) {
    if (!s.family.empty()) return s.family == error.family;
    return s.diagnostic.cause == error.diagnostic.cause && s.diagnostic.remedy == error.diagnostic.remedy;
  });
  if (same != said_.end()) {
    if (error.diagnostic.place == (same->more ? same->last : same->diagnostic.place)) return true;
    same->last = error.diagnostic.place;
    if (++same->more < most_shown) same->diagnostic.notes.push_back({same->last, "the same here"});
  } else if (said_.size() < most_said) {
    said_.push_back({std::move(error.diagnostic), error.family, 0, {}});
  } else {
    ++unsaid_;
  }
  return true;
}

Diagnostics SyntaxErrors::take(const Source& source) {
  Diagnostics all;
  for (Said& s : said_) {
    if (s.more >= most_shown) {
      const std::size_t left = s.more - most_shown + 1;
      s.diagnostic.notes.push_back({s.last, left == 1 ? "the same here" : fmt::format("and {} more of the same, the last one here", left)});
    }
    all.push_back(std::move(s.diagnostic));
  }
  if (unsaid_ > 0) {
    const Place end{source.begin + static_cast<std::uint32_t>(source.text.size()), source.begin + static_cast<std::uint32_t>(source.text.size())};
    all.back().notes.push_back({end, fmt::format("{} more syntax errors are told once these are mended", unsaid_)});
  }
  std::move(warnings_.begin(), warnings_.end(), std::back_inserter(all));
  std::stable_sort(all.begin(), all.end(), [](const Diagnostic& a, const Diagnostic& b) { return a.place.begin < b.place.begin; });
  return all;
}

}  // namespace mosim::parser
