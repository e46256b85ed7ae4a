#pragma once
// Stage "parse": text -> syntax tree.

#include <memory_resource>
#include <optional>
#include <string>
#include <vector>

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

/// What could be read of a text with syntax errors.
struct Remains {
  StoredDefinition definition;
  std::vector<Name> unread;  // names in the declarations that could not be read, and of their classes
  bool blind = false;        // more is missing than what these names declare: a base class, an import, the end of a class
};

/// Parses one text, whole. On syntax errors: no tree, and a diagnostic for each that says what stood there and what
/// could have; what follows from one is not said again. `remains` gets what could be read.
std::optional<StoredDefinition> parse(const Source& source, Workspace& workspace, Diagnostics& diagnostics,
                                      Remains* remains = nullptr);

/// The tree as indented text, a line a node (`mosim --emit syntax`).
std::string print(const StoredDefinition& definition, const Workspace& workspace);

}  // namespace mosim::parser
