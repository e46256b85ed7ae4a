#include "parser/source.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <utility>

namespace mosim::parser {
namespace {

/// Of UTF-8, eight bytes at a time: those that begin with the bits 10 go on with one.
std::uint32_t characters(std::string_view text) {
  std::size_t count = text.size();
  for (std::size_t at = 0; at < text.size(); at += sizeof(std::uint64_t)) {
    constexpr std::uint64_t first_bits = 0x8080808080808080u;
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, text.data() + at, std::min(sizeof bytes, text.size() - at));
    count -= static_cast<std::size_t>(std::popcount(bytes & first_bits & ~(bytes << 1)));
  }
  return static_cast<std::uint32_t>(count);
}

constexpr std::uint32_t stride = 256;

Source::Index index_of(std::string_view text) {
  Source::Index index;
  index.line_starts.push_back(0);
  // One character is looked for many at a time; returns are rare.
  const std::string_view ends = text.find('\r') == std::string_view::npos ? "\n" : "\r\n";
  const auto next = [&](std::size_t from) { return ends.size() == 1 ? text.find(ends.front(), from) : text.find_first_of(ends, from); };
  for (std::size_t i = next(0); i < text.size(); i = next(i + 1))
    if (text[i] == '\n' || i + 1 == text.size() || text[i + 1] != '\n') index.line_starts.push_back(static_cast<std::uint32_t>(i + 1));
  std::uint32_t count = 0;
  for (std::size_t at = 0; at <= text.size(); at += stride) {
    index.characters_before.push_back(count);
    count += characters(text.substr(at, stride));
  }
  return index;
}

/// Characters before a byte of the text: counted from a mark nearby, as a line may be as long as the text.
std::uint32_t characters_up_to(const Source& source, std::uint32_t offset) {
  const std::string_view text = source.text;
  offset = std::min(offset, static_cast<std::uint32_t>(text.size()));
  const std::uint32_t mark = offset / stride;
  return source.index().characters_before[mark] + characters(text.substr(mark * stride, offset % stride));
}

}  // namespace

const Source::Index& Source::index() const {
  std::call_once(indexed_, [this] { index_ = index_of(text); });
  return index_;
}

const Source& Sources::add(std::string path, std::string text, bool numbered) {
  const auto made = std::make_shared<Source>();
  Source& source = *made;
  source.path = std::move(path);
  source.numbered = numbered;
  // One offset more than there are bytes, so that the end of a text is a place in it.
  const std::uint64_t next = std::uint64_t{next_} + text.size() + 1;
  if (next <= std::numeric_limits<std::uint32_t>::max()) {
    source.begin = next_;
    next_ = static_cast<std::uint32_t>(next);
  }  // else: begin stays 0, and the parser refuses the text
  source.text = std::move(text);
  sources_.push_back(made);
  return source;
}

const Source* Sources::source(Place place) const {
  if (!place) return nullptr;
  const auto holds = [&](const std::shared_ptr<const Source>& s) {
    return s->begin != 0 && s->begin <= place.begin && place.begin - s->begin <= s->text.size();
  };
  // The begins grow; a text that did not fit has none and stands at the end.
  const auto after = std::partition_point(sources_.begin(), sources_.end(),
                                          [&](const auto& s) { return s->begin != 0 && s->begin <= place.begin; });
  if (after != sources_.begin() && holds(*std::prev(after))) return std::prev(after)->get();
  const auto found = std::find_if(sources_.begin(), sources_.end(), holds);  // texts after one that did not fit
  return found == sources_.end() ? nullptr : found->get();
}

Location Sources::locate(Place place) const {
  const Source* source = this->source(place);
  if (!source) return {};
  const auto& starts = source->index().line_starts;
  const std::uint32_t offset = place.begin - source->begin;
  const auto next = std::upper_bound(starts.begin(), starts.end(), offset);
  const std::uint32_t start = *std::prev(next);
  std::string_view line =
      std::string_view(source->text).substr(start, next == starts.end() ? std::string::npos : *next - start);
  while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.remove_suffix(1);
  const std::string_view mark = "\xEF\xBB\xBF";
  std::uint32_t skipped = 0;
  if (start == 0 && line.substr(0, 3) == mark) {  // a byte order mark is no column
    line.remove_prefix(3);
    skipped = 3;
  }
  const auto column = [&](std::uint32_t at) {
    const auto first = start + skipped;
    const auto last = static_cast<std::uint32_t>(first + line.size());
    return characters_up_to(*source, std::clamp(at, first, last)) - characters_up_to(*source, first) + 1;
  };
  Location location;
  location.path = source->path;
  location.numbered = source->numbered;
  location.line = static_cast<std::uint32_t>(next - starts.begin());
  location.column = column(offset);
  location.end_column = std::max(location.column, column(std::max(place.end, place.begin) - source->begin));
  location.offset = std::min(offset < start + skipped ? 0 : offset - start - skipped, static_cast<std::uint32_t>(line.size()));
  location.text = line;
  return location;
}

std::string_view Sources::text(Place place) const {
  const Source* source = this->source(place);
  if (!source || place.end < place.begin) return {};
  return std::string_view(source->text).substr(place.begin - source->begin, place.end - place.begin);
}

}  // namespace mosim::parser
