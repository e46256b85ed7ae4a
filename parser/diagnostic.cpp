#include "parser/diagnostic.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string_view>

#include <fmt/format.h>

namespace mosim::parser {
namespace {

constexpr std::size_t widest = 120;  // characters of a source line that are shown
constexpr std::size_t before = 80;   // of these, at most so many before the caret of a cut line

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

/// The byte at which the n-th character after (before, if n is negative) the one at `at` begins, or the end. n is what is left of
/// it there.
std::size_t walk(std::string_view text, std::size_t at, std::ptrdiff_t& n) {
  for (; n > 0 && at < text.size(); --n)
    do ++at;
    while (at < text.size() && continues_character(text[at]));
  for (; n < 0 && at > 0; ++n)
    do --at;
    while (at > 0 && continues_character(text[at]));
  return at;
}

/// The source line and the line with the caret. A tab shows as one space in both, so that the caret stands right
/// whatever the terminal's tab stops are.
void append_quote(std::string& out, const Location& location) {
  // A line may be as long as the text: no more of it is looked at than is shown.
  std::ptrdiff_t rest = widest + 1;
  (void)walk(location.text, location.offset, rest);
  const std::size_t caret = location.column - 1;
  const std::size_t size = caret + widest + 1 - std::size_t(rest);  // or less than that, where it is longer
  std::size_t last = std::max<std::size_t>(caret + 1, location.end_column - 1);  // one past the marked characters
  std::size_t from = 0, to = size;
  if (size > widest) {
    from = caret > before ? caret - before : 0;
    to = std::min(size, from + widest);
    from = std::min(from, to - std::min(to, widest));
    last = std::min(last, std::max(to, caret + 1));
  }
  const std::string_view left = from > 0 ? "..." : "";
  const std::string_view right = to < size ? "..." : "";
  std::ptrdiff_t back = std::ptrdiff_t(from) - std::ptrdiff_t(caret), shown = std::ptrdiff_t(to - from);
  const std::size_t first = walk(location.text, location.offset, back);
  std::string line(location.text.substr(first, walk(location.text, first, shown) - first));
  for (char& c : line) {
    if (c == '\t' || static_cast<unsigned char>(c) < ' ') c = ' ';
  }
  out += fmt::format("    {}{}{}\n", left, line, right);
  out += fmt::format("    {}^{}\n", std::string(left.size() + caret - from, ' '), std::string(last - caret - 1, '~'));
}

void append_message(std::string& out, std::string_view severity, Place place, std::string_view cause,
                    const Sources& sources) {
  const Location location = sources.locate(place);
  if (location.line == 0) {
    out += fmt::format("{}: {}\n", severity, cause);
    return;
  }
  const std::string at = location.numbered ? fmt::format(":{}:{}", location.line, location.column) : "";
  out += fmt::format("{}{}: {}: {}\n", location.path, at, severity, cause);
  append_quote(out, location);
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1), previous(b.size() + 1), before_previous(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) previous[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({previous[j] + 1, row[j - 1] + 1, previous[j - 1] + (a[i - 1] != b[j - 1])});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before_previous[j - 2] + 1);
    }
    std::swap(before_previous, previous);
    std::swap(previous, row);
  }
  return previous[b.size()];
}

}  // namespace

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

bool has_errors(const Diagnostics& diagnostics) {
  return std::any_of(diagnostics.begin(), diagnostics.end(),
                     [](const Diagnostic& d) { return d.severity == Severity::error; });
}

std::string render(const Diagnostic& diagnostic, const Sources& sources) {
  const std::string_view severity = diagnostic.severity == Severity::error     ? "error"
                                    : diagnostic.severity == Severity::warning ? "warning"
                                                                               : "note";
  std::string out;
  append_message(out, severity, diagnostic.place, diagnostic.cause, sources);
  if (!diagnostic.remedy.empty()) out += fmt::format("  remedy: {}\n", diagnostic.remedy);
  for (const Note& note : diagnostic.notes) append_message(out, "note", note.place, note.text, sources);
  return out;
}

std::string nearest(std::string_view misspelt, const std::vector<std::string_view>& candidates) {
  // One slip in three characters, at most three; a difference of case alone is always near.
  const std::size_t allowed = std::min<std::size_t>(3, (misspelt.size() + 1) / 3);
  std::string_view best;
  std::size_t best_distance = allowed + 1;
  const std::string misspelt_lower = lower(misspelt);
  for (const std::string_view candidate : candidates) {
    if (candidate == misspelt) continue;
    if (lower(candidate) == misspelt_lower) return std::string(candidate);
    const std::size_t difference =
        candidate.size() > misspelt.size() ? candidate.size() - misspelt.size() : misspelt.size() - candidate.size();
    if (difference >= best_distance) continue;
    const std::size_t distance = edit_distance(misspelt, candidate);
    // A name as short as the distance would match anything.
    if (distance < best_distance && distance < std::max(candidate.size(), misspelt.size())) {
      best = candidate;
      best_distance = distance;
    }
  }
  return std::string(best);
}

}  // namespace mosim::parser
