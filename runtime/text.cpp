#include "runtime/text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <limits>

#include "runtime/interpreter.hpp"

namespace mosim::runtime {

namespace {

// One printf conversion (flags, width, precision, letter) and nothing else, without '*' or length modifiers.
bool is_conversion(const std::string& text, const char* letters) {
  if (text.empty()) return false;
  std::size_t at = 0;
  const auto digits = [&] {
    const std::size_t start = at;
    while (at < text.size() && text[at] >= '0' && text[at] <= '9') ++at;
    return at - start <= 4;
  };
  while (at < text.size() && std::string("-+ #0").find(text[at]) != std::string::npos) ++at;
  if (!digits()) return false;
  if (at < text.size() && text[at] == '.') {
    ++at;
    if (!digits()) return false;
  }
  return at + 1 == text.size() && std::string(letters).find(text[at]) != std::string::npos;
}

template <class Value>
std::string print_with(const std::string& conversion, Value value) {
  // The conversion has been checked to fit the type of the value.
  const int size = std::snprintf(nullptr, 0, conversion.c_str(), value);
  if (size < 0) return {};
  std::string result(std::size_t(size) + 1, '\0');
  std::snprintf(result.data(), result.size(), conversion.c_str(), value);
  result.pop_back();
  return result;
}

std::string pad(std::string text, const Format& format) {
  const std::size_t length = format.minimum_length > 0 ? std::size_t(format.minimum_length) : 0;
  if (text.size() >= length) return text;
  const std::string blanks(length - text.size(), ' ');
  return format.left_justified ? text + blanks : blanks + text;
}

/// As a whole number of C, in which not all have room.
long long whole_of(double value) {
  const double whole = std::round(value);
  return !(whole > -9.2e18) ? std::numeric_limits<long long>::min() : whole < 9.2e18 ? static_cast<long long>(whole) : std::numeric_limits<long long>::max();
}

}  // namespace

std::string format_value(double value, Type type, const Format& format, const Literals& literals) {
  if (!format.c_format.empty() && (type == Type::real || type == Type::integer)) {
    const std::string& given = format.c_format;
    if (is_conversion(given, "feEgG")) return print_with("%" + given, value);
    const std::string start = given.substr(0, given.size() - 1);
    if (is_conversion(given, "di")) return print_with("%" + start + "lld", whole_of(value));
    if (is_conversion(given, "oxXu"))
      return print_with("%" + start + "ll" + given.back(), static_cast<unsigned long long>(whole_of(value)));
    if (is_conversion(given, "c")) return print_with("%" + given, static_cast<int>(whole_of(value)));
  }
  switch (type) {
    case Type::boolean: return pad(value != 0 ? "true" : "false", format);
    case Type::integer: return pad(fmt::format("{:.0f}", value), format);
    case Type::enumeration: {
      const bool known = value >= 1 && value <= double(literals.size());
      return pad(known ? literals[std::size_t(value) - 1] : fmt::format("{:.0f}", value), format);
    }
    case Type::real:
    case Type::string: break;
  }
  const int digits = format.significant_digits > 0 ? format.significant_digits : 6;
  return pad(fmt::format("{:.{}g}", value, std::min(digits, 60)), format);
}

std::string join(const Machine& machine, const Text& text) {
  std::string result;
  for (const Text::Piece& piece : text.pieces) {
    if (piece.value == none) {
      result += piece.text;
      continue;
    }
    const double value = machine.memory[piece.value];
    result += piece.type == Type::string ? string_of(machine, value)
                                         : format_value(value, piece.type, piece.format, piece.literals);
  }
  return result;
}

namespace {

constexpr std::size_t own_size = 100;   // of a text, whatever is in it

}  // namespace

std::optional<double> number_of(Machine& m, const Text& text) {
  std::size_t size = 0;
  for (const Text::Piece& piece : text.pieces)
    if (piece.value != none && piece.type == Type::string) size += string_of(m, m.memory[piece.value]).size();
  if (size > most_text) return {};
  return number_of(m, join(m, text));
}

std::optional<double> number_of(Machine& m, std::string made) {
  if (const auto it = m.string_numbers.find(made); it != m.string_numbers.end()) return it->second;
  if (m.text_size + made.size() + own_size > most_text) return {};
  m.text_size += made.size() + own_size;
  std::size_t number = m.strings.size();
  if (m.free_strings.empty()) {
    m.strings.push_back(made);
  } else {
    number = m.free_strings.back();
    m.free_strings.pop_back();
    m.strings[number] = made;
  }
  m.string_numbers.emplace(std::move(made), double(number));
  return double(number);
}

// Whatever is a number of a text counts as one: no slot tells its type.
void forget_strings(Machine& m) {
  if (m.keeps_strings || m.text_size < m.next_collection) return;
  std::vector<bool> used(m.strings.size());
  const auto mark = [&](const std::vector<double>& values) {
    for (const double value : values)
      if (value >= 0 && value < double(used.size())) used[std::size_t(value)] = true;
  };
  mark(m.memory);
  mark(m.left_limits);
  mark(m.reinit_values);
  if (m.sliding)
    for (const Sliding::Side& side : m.sliding->sides) mark(side.memory);
  for (const std::size_t free : m.free_strings) used[free] = true;
  for (std::size_t k = m.kept_strings; k < used.size(); ++k) {
    if (used[k]) continue;
    m.text_size -= m.strings[k].size() + own_size;
    m.string_numbers.erase(m.strings[k]);
    m.strings[k] = std::string();
    m.free_strings.push_back(k);
  }
  constexpr std::size_t soon = 1'000'000;
  m.next_collection = 2 * m.text_size + soon;
}

std::string format_text(Machine& machine, const Text& text) {
  const Outcome outcome = run(machine, text.code, Mode::measure);
  std::string result = join(machine, text);
  if (!outcome.ok()) result += " (a value in this text could not be computed)";
  return result;
}

std::string values_text(const Machine& machine, std::span<const Mention> variables) {
  std::string result;
  for (const Mention& variable : variables) {
    // `time` is part of every message.
    if (variable.slot == slot_time) continue;
    const std::string name = name_of(*machine.program, variable);
    if (name.find('$') != std::string::npos && name.find('\'') == std::string::npos) continue;   // a name of the compiler's own
    const double value = machine.memory[variable.slot];
    result += fmt::format("{}{} = ", result.empty() ? "" : ", ", name);
    const bool is_string = variable.part != Part::derivative && machine.program->variables[variable.variable].type == Type::string;
    result += is_string ? '"' + string_of(machine, value) + '"' : fmt::format("{:.9g}", value);
  }
  return result;
}

}  // namespace mosim::runtime
