#pragma once
// What is said to the person at the keyboard, by every stage.

#include <string>
#include <vector>

#include "parser/source.hpp"

namespace mosim::parser {

enum class Severity { error, warning, note };

/// Another place that has to do with the matter.
struct Note {
  Place place;
  std::string text;
};

/// One thing wrong: where, why (one sentence), and what to do about it where that is known.
struct Diagnostic {
  Severity severity = Severity::error;
  Place place;
  std::string cause;
  std::string remedy;
  std::vector<Note> notes;
};

using Diagnostics = std::vector<Diagnostic>;

bool has_errors(const Diagnostics& diagnostics);

/// "path:line:column: error: cause", the line with a caret under the place, "  remedy: ...", and the notes
/// in the same form. Ends with a line end.
std::string render(const Diagnostic& diagnostic, const Sources& sources);

/// In small letters.
std::string lower(std::string_view text);

/// The candidate nearest to a misspelt name ("did you mean"), or an empty string when none is near.
std::string nearest(std::string_view misspelt, const std::vector<std::string_view>& candidates);

}  // namespace mosim::parser
