#pragma once
// Source texts, and places in them.

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace mosim::parser {

/// A stretch of source text: two offsets into the texts of all sources laid end to end.
/// Offset 0 belongs to no source, so a default Place is "nowhere".
struct Place {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;  // one past the last byte
  explicit operator bool() const { return begin != 0; }
  friend bool operator==(Place, Place) = default;
};

/// The smallest place that holds both.
inline Place join(Place a, Place b) {
  if (!a) return b;
  if (!b) return a;
  return {a.begin < b.begin ? a.begin : b.begin, a.end > b.end ? a.end : b.end};
}

/// One text that was read: a file, or a text given from memory under a made-up path.
struct Source {
  std::string path;
  std::string text;
  std::uint32_t begin = 0;                 // offset of its first byte
  bool numbered = true;                    // its lines have numbers that a reader can look up

  struct Index {
    std::vector<std::uint32_t> line_starts;
    std::vector<std::uint32_t> characters_before;   // every so many bytes, of the whole text
  };
  /// Made at the first question for a line, from whichever thread.
  const Index& index() const;

 private:
  mutable std::once_flag indexed_;
  mutable Index index_;
};

/// A place as a person reads it. Line and column count from 1; a column is a Unicode character, a tab is one.
struct Location {
  std::string_view path;
  std::uint32_t line = 0;        // 0: nowhere
  bool numbered = true;          // false: a text on the command line; its path says all
  std::uint32_t column = 0;
  std::uint32_t end_column = 0;  // one past the last character of the place on this line
  std::uint32_t offset = 0;      // of its first byte in the line
  std::string_view text;         // the whole line, without its line end
};

/// A copy has the texts read so far, without copying them; another thread may ask it while this one gets more.
class Sources {
public:
  /// Takes a text. A UTF-8 byte order mark stays in the text and is skipped by the parser.
  const Source& add(std::string path, std::string text, bool numbered = true);
  /// The source a place lies in; nullptr for nowhere.
  const Source* source(Place place) const;
  Location locate(Place place) const;
  std::string_view text(Place place) const;
  /// In the order in which they were added.
  const std::deque<std::shared_ptr<const Source>>& all() const { return sources_; }

private:
  std::deque<std::shared_ptr<const Source>> sources_;
  std::uint32_t next_ = 1;
};

}  // namespace mosim::parser
