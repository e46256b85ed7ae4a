#pragma once
// Stage "parse": text -> syntax tree.

#include <memory_resource>
#include <optional>
#include <string>

#include "parser/diagnostic.hpp"
#include "parser/names.hpp"
#include "parser/source.hpp"
#include "parser/syntax.hpp"

namespace mosim::parser {

/// What everything read lives in: texts, identifiers and syntax nodes. It must outlive the trees.
struct Workspace {
  Sources sources;
  Names names;
  std::pmr::monotonic_buffer_resource arena;
};

/// How deep expressions, modifications, statements and classes may nest; beyond it, parsing ends with an error.
inline constexpr int maximum_depth = 400;

/// Parses one text, whole. On a syntax error: no tree, and a diagnostic that says what stood there and what
/// could have.
std::optional<StoredDefinition> parse(const Source& source, Workspace& workspace, Diagnostics& diagnostics);

/// The tree as indented text, a line a node (`mosim --emit syntax`).
std::string print(const StoredDefinition& definition, const Workspace& workspace);

}  // namespace mosim::parser
