#pragma once
// What the library says of texts, models and runs: as data, with its place.

#include <cstdint>
#include <string>
#include <vector>

namespace mosim {

/// A place in a text. line = 0: none is known.
struct Place {
  std::string file;              // as it was named when it was read
  std::uint32_t line = 0;        // from 1
  std::uint32_t column = 0;      // from 1, in characters (Unicode)
  std::uint32_t end_column = 0;  // behind the last character, if that is on the same line; else 0
  std::string source_line;       // the whole line
};

enum class Severity : std::uint8_t { error, warning, note };

/// Another place that has to do with the matter.
struct Note {
  Place place;
  std::string text;
};

/// One thing: where, why (one sentence), and what to do about it where that is known.
struct Diagnostic {
  Severity severity = Severity::error;
  Place place;
  double time = 0;               // s; of a run alone
  std::string cause;
  std::string remedy;            // may be empty
  std::vector<Note> notes;
  std::string text;              // all of it as the command prints it: lines, the last with its end
};

using Diagnostics = std::vector<Diagnostic>;

}  // namespace mosim
