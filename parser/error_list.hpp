#pragma once
// Which of the errors that a text gives rise to are said: one for each mistake.

#include <cstddef>
#include <vector>

#include "parser/syntax_error.hpp"

namespace mosim::parser {

class SyntaxErrors {
public:
  /// Takes an error, unless it follows from the one before it: nothing has been read since, or what has been read began
  /// at a doubtful place. Errors of one cause are one, with a note for each of the first places. False if enough has
  /// been said: reading further makes no sense.
  /// `whole`: what was read before it is complete, whatever place it began at.
  /// `at_end`: of the text, where what was begun and could not be read breaks off.
  bool add(SyntaxError error, bool whole = false, bool at_end = false);
  /// Where reading goes on. Doubtful: it may be the middle of something.
  void resume(const char* at, bool doubtful) {
    resumed_ = at;
    doubtful_ = doubtful;
  }
  /// A whole element, equation or statement was read.
  void item_read() {
    doubtful_ = false;
    read_since_ = true;
  }

  void warn(Diagnostic warning) { warnings_.push_back(std::move(warning)); }

  bool any() const { return !said_.empty(); }
  std::size_t met() const { return met_; }
  const char* resumed() const { return resumed_; }
  /// Everything, in the order of the text.
  Diagnostics take(const Source& source);

private:
  struct Said {
    Diagnostic diagnostic;
    std::string_view family;
    std::size_t more = 0;  // places of the same cause
    Place last;            // of them
  };
  std::vector<Said> said_;
  Diagnostics warnings_;
  std::size_t met_ = 0, unsaid_ = 0;
  const char* resumed_ = nullptr;
  bool doubtful_ = false;
  bool read_since_ = true;   // an item, since the last error
};

}  // namespace mosim::parser
