#pragma once
// Texts with values in them: String(...) of MLS 3.7.1, and messages.

#include <string>

#include "runtime/machine.hpp"

namespace mosim::runtime {

/// One value as String(...) writes it. format.c_format has been checked by whoever made the program; a conversion
/// that does not fit gives the value in the default format.
std::string format_value(double value, Type type, const Format& format, const std::vector<std::string>& literals);

/// The pieces of a text, whose values are in place, put together.
std::string join(const Machine& machine, const Text& text);
/// The number of a text in Machine::strings, where it is added if need be.
double number_of(Machine& machine, std::string text);

/// Runs the text's code and puts its pieces together. A fault in the code shows in the text.
std::string format_text(Machine& machine, const Text& text);

/// "x = 1, y = 2" for messages; empty if there are none.
std::string values_text(const Machine& machine, const Origin& origin);

}  // namespace mosim::runtime
