#pragma once
// Kinds of classes and type prefixes, in groups and in words.

#include <string>

#include "compiler/instantiate/class.hpp"
#include "parser/syntax.hpp"

namespace mosim::compiler {

inline bool is_record(parser::ClassKind k) { return k == parser::ClassKind::record || k == parser::ClassKind::operator_record; }
inline bool is_connector(parser::ClassKind k) { return k == parser::ClassKind::connector || k == parser::ClassKind::expandable_connector; }
inline bool is_function(parser::ClassKind k) { return k == parser::ClassKind::function || k == parser::ClassKind::operator_function; }

/// "a record", "an operator record"
inline std::string a_kind(parser::ClassKind k) { return with_article(kind_name(k)); }

/// The name of a type prefix that a component has, or "".
inline const char* connector_prefix(parser::ConnectorPrefix p) {
  return p == parser::ConnectorPrefix::flow ? "flow" : p == parser::ConnectorPrefix::stream ? "stream" : "";
}
inline const char* causality_prefix(parser::Causality c) { return c == parser::Causality::input ? "input" : c == parser::Causality::output ? "output" : ""; }
inline const char* variability_prefix(parser::Variability v) {
  switch (v) {
    case parser::Variability::constant: return "constant";
    case parser::Variability::parameter: return "parameter";
    case parser::Variability::discrete: return "discrete";
    case parser::Variability::none: break;
  }
  return "";
}

}  // namespace mosim::compiler
