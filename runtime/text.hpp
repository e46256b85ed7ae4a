#pragma once
// Texts with values in them: String(...) of MLS 3.7.1, and messages.

#include <optional>
#include <span>
#include <string>

#include "runtime/machine.hpp"

namespace mosim::runtime {

/// The text that a String's number stands for; of a number that is none, as in a String without a value, the empty one.
inline const std::string& string_of(const Machine& machine, double number) {
  static const std::string nothing;
  return number >= 0 && number < double(machine.strings.size()) ? machine.strings[std::size_t(number)] : nothing;
}

/// One value as String(...) writes it. format.c_format has been checked by whoever made the program; a conversion
/// that does not fit gives the value in the default format.
std::string format_value(double value, Type type, const Format& format, const Literals& literals);

/// The pieces of a text, whose values are in place, put together.
std::string join(const Machine& machine, const Text& text);
/// All texts of a run together are no longer than this.
constexpr std::size_t most_text = 200'000'000;

/// The number of the text in Machine::strings, where it is added if need be; empty if that would be too much.
std::optional<double> number_of(Machine& machine, const Text& text);
std::optional<double> number_of(Machine& machine, std::string text);

/// Between events: forgets texts that nothing in the machine refers to, if many were made since the last time.
void forget_strings(Machine& machine);

/// Runs the text's code and puts its pieces together. A fault in the code shows in the text.
std::string format_text(Machine& machine, const Text& text);

/// "x = 1, y = 2" for messages; empty if there are none.
std::string values_text(const Machine& machine, std::span<const Mention> variables);

}  // namespace mosim::runtime
