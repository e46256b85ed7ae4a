#pragma once
// Where reading goes on in a text that the grammar has given up on. Works on tokens alone.

#include <cstddef>

#include "parser/keywords.hpp"
#include "parser/tokens.hpp"

namespace mosim::parser {

/// Behind the ";" that ends what `at` stands in the middle of; or before the "end", the section or the declaration that
/// begins without one. `in_matrix`: a "[" is open, and a ";" may stand between its rows.
const char* end_of_item(const char* at, const char* begin, const char* end, bool in_matrix);

/// The end of the line that `at` stands on.
const char* end_of_line(const char* at, const char* end);

/// Behind a token that begins nothing: at the end of its line, or behind an earlier ";".
const char* behind_misfit(const char* at, const char* end);

/// The keyword that ends the head of a branch or a loop ("then", "loop"), ahead of `at` in the same head; `end` if
/// there is none.
const char* head_end(const char* at, const char* begin, const char* end, Keyword keyword);

/// The ends of blocks behind `at`, in the same class, that do not begin there: the keyword of the first, and how many.
struct BlockEnds {
  Keyword first = Keyword::none;
  std::size_t count = 0;
};
BlockEnds block_ends_behind(const char* at, const char* begin, const char* end);

/// Whether "end" and the name stand somewhere behind `at`.
bool class_ends_behind(const char* at, const char* end, std::string_view name);

/// Whether a declaration comes behind the ";" that `at` stands before, in the same section of the class.
bool declarations_follow(const char* at, const char* end);

/// The next class at the top level, at the beginning of a line; `end` if there is none.
const char* next_class(const char* at, const char* begin, const char* end);

}  // namespace mosim::parser
