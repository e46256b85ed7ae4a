#pragma once
// Pieces of sentences that the report, the event log and messages share.

#include <string>
#include <string_view>
#include <vector>

#include "runtime/program.hpp"

namespace mosim::report {

/// "file:line:column" of an origin, or nothing.
std::string place(const runtime::Program& program, runtime::Index origin);
/// As an aside, without the folders: "  (file:line:column)".
std::string at(const runtime::Program& program, runtime::Index origin);
/// An origin as Modelica, or nothing.
std::string text_of(const runtime::Program& program, runtime::Index origin);

/// A value as people read it: true and false, the name of an enumeration's literal, six digits of a Real. `strings` as
/// in runtime::Result.
std::string value_of(const runtime::Variable& variable, double value, const std::vector<std::string>& strings);

/// "Real", "state".
const char* name_of(runtime::Type type);
const char* name_of(runtime::Kind kind);
/// How many crossing functions there are from the start: relations, then roundings. Quiet relations come after them.
std::size_t crossing_functions(const runtime::Program& program);
/// The number of a relation among the crossing functions, from 1.
std::size_t number_of(const runtime::Program& program, runtime::Index relation);

/// "1 event", "2 events".
std::string plural(std::uint64_t n, std::string_view one);

/// A text whose longer lines are broken at spaces.
std::string wrapped(const std::string& text, std::size_t columns, std::size_t indent);

/// Appends a line, broken at spaces where it is longer than so many columns; what follows a break is indented.
void append_wrapped(std::vector<std::string>& lines, const std::string& line, std::size_t columns, std::size_t indent);

}  // namespace mosim::report
