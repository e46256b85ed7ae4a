// What of a stage's findings is said: one error for each mistake.

#include "compiler/findings.hpp"

#include <fmt/format.h>

#include <string>
#include <unordered_map>

#include "parser/tokens.hpp"

namespace mosim::compiler {

namespace {

/// Whether something that is wrong may be so because of a declaration that could not be read: a name of one stands at
/// its place.
bool follows(const Library& library, const parser::Diagnostic& d) {
  const Library::Damage& damage = library.damage();
  if (damage.errors == 0) return false;
  const std::string_view text = library.workspace.sources.text(d.place);
  const char* const end = text.data() + text.size();
  for (parser::Token t = parser::token_at(text.data(), end); !t.is_end_of_file(); t = parser::token_at(t.end(), end))
    if (damage.unread.contains(library.workspace.names.intern(t.text))) return true;
  return damage.blind || text.empty();
}

}  // namespace

void say(Library& library, parser::Diagnostics found) {
  constexpr std::size_t most_shown = 3;
  struct Said {
    std::size_t position, more = 0;
    parser::Place last;
  };
  std::unordered_map<std::string, Said> said;
  for (parser::Diagnostic& d : found) {
    if (follows(library, d)) continue;
    const auto [it, fresh] = said.try_emplace(d.cause + '\n' + d.remedy, Said{library.diagnostics.size(), 0, {}});
    if (fresh) {
      library.diagnostics.push_back(std::move(d));
    } else if (++it->second.more < most_shown) {
      library.diagnostics[it->second.position].notes.push_back({d.place, "the same here"});
    } else {
      it->second.last = d.place;
    }
  }
  for (const auto& [text, s] : said)
    if (s.more >= most_shown) {
      const std::size_t left = s.more - most_shown + 1;
      library.diagnostics[s.position].notes.push_back(
          {s.last, left == 1 ? "the same here" : fmt::format("and {} more of the same, the last one here", left)});
    }
}

}  // namespace mosim::compiler
