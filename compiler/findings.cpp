// What of a stage's findings is said: one error for each mistake.

#include "compiler/findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "parser/tokens.hpp"

namespace mosim::compiler {

namespace {

using Names = std::unordered_set<Name>;

/// The names that stand at a place.
Names names_at(const Library& library, parser::Place place) {
  Names names;
  const std::string_view text = library.workspace.sources.text(place);
  const char* const end = text.data() + text.size();
  for (parser::Token t = parser::token_at(text.data(), end); !t.is_end_of_file(); t = parser::token_at(t.end(), end))
    if (t.kind == parser::Token::Kind::name) names.insert(library.workspace.names.intern(t.text));
  return names;
}
bool share(const Names& a, const Names& b) {
  return std::any_of(a.begin(), a.end(), [&](Name n) { return b.contains(n); });
}

/// Whether branches are compared that begin here, and an equation behind this place could not be read.
bool lacks_equation(const Library& library, const parser::Diagnostic& d) {
  if (!d.cause.starts_with("the branches of this if-equation have ") && d.cause.find(" is set in one branch of this ") == std::string::npos) return false;
  const parser::Sources& sources = library.workspace.sources;
  const auto& errors = library.damage().errors;
  return std::any_of(errors.begin(), errors.end(), [&](parser::Place p) {
    if (p.begin < d.place.begin || sources.source(p) != sources.source(d.place)) return false;
    // In the same class: none ends between the two.
    const char* const begin = sources.text(d.place).data();
    const char* const end = begin + (p.begin - d.place.begin);
    bool behind_end = false;
    for (parser::Token t = parser::token_at(begin, end); !t.is_end_of_file(); t = parser::token_at(t.end(), end)) {
      if (behind_end && t.kind == parser::Token::Kind::name) return false;
      behind_end = t.is(parser::Keyword::end);
    }
    return true;
  });
}

/// Whether something that is wrong may be so because of what could not be read: a declaration, of which a name stands at
/// its place, or an equation.
bool follows(const Library& library, const parser::Diagnostic& d) {
  const Library::Damage& damage = library.damage();
  return !damage.errors.empty() && (damage.blind || !d.place || share(names_at(library, d.place), damage.unread) || lacks_equation(library, d));
}

/// What is not supported yet, or foreign and not called, and what may be wrong because of that: what has to do with the same names,
/// and everything in libraries.
class Unsupported {
public:
  explicit Unsupported(const Library& library) : library_(library) {}
  bool follows(const parser::Diagnostic& d) {
    if (d.severity != parser::Severity::error) return false;
    const auto says = [&](std::string_view words) { return d.cause.find(words) != std::string::npos; };
    const bool is_one = says("not supported yet") || says("is called only with --native-code") || (says("the external function ") && says(" cannot be called: "));
    if (!is_one && !found_) return false;
    Names names = names_at(library_, d.place);
    for (const parser::Note& n : d.notes) names.merge(names_at(library_, n.place));
    const bool concerned = !is_one && (library_.in_library(d.place) || share(names, names_));
    if (is_one || concerned) names_.merge(names);
    found_ = found_ || is_one;
    return concerned;
  }

private:
  const Library& library_;
  bool found_ = false;
  Names names_;
};

}  // namespace

void say(Library& library, parser::Diagnostics found) {
  constexpr std::size_t most_shown = 3;
  struct Said {
    std::size_t position, more = 0;
    parser::Place last;
  };
  std::unordered_map<std::string, Said> said;
  Unsupported unsupported(library);
  for (parser::Diagnostic& d : found) {
    if (follows(library, d) || unsupported.follows(d)) continue;
    const auto [it, fresh] = said.try_emplace(d.cause, Said{library.diagnostics.size(), 0, {}});
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
