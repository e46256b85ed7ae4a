// ModelicaStrings_*: characters are bytes, indices begin with 1.

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <optional>

#include "native/arguments.hpp"
#include "native/entries.hpp"
#include "native/extreme.hpp"

namespace mosim::native {
namespace {

// Of ASCII, whatever the locale.
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

void length(std::span<const In> in, std::span<Out> out, Environment&) { set(out, 0, static_cast<double>(text(in, 0).size())); }

void substring(std::span<const In> in, std::span<Out> out, Environment& environment) {
  const std::string_view string = text(in, 0);
  const auto warn = [&](const std::string& what) {
    if (environment.warn) environment.warn(what);
  };
  long long first = integer(in, 1), last = integer(in, 2);
  if (first < 1) {
    warn("substring: the start index " + std::to_string(first) + " is taken as 1");
    first = 1;
  }
  if (last < 0) {
    warn("substring: the end index " + std::to_string(last) + " is taken as the start index " + std::to_string(first));
    last = first;
  }
  last = std::min(last, static_cast<long long>(string.size()));
  set(out, 0, first > last ? std::string() : std::string(string.substr(static_cast<std::size_t>(first - 1), static_cast<std::size_t>(last - first + 1))));
}

/// Modelica.Utilities.Types.Compare: 1 less, 2 equal, 3 greater; by bytes.
void compare(std::span<const In> in, std::span<Out> out, Environment&) {
  std::string a(text(in, 0)), b(text(in, 1));
  if (!boolean(in, 2))
    for (std::string* const s : {&a, &b}) std::transform(s->begin(), s->end(), s->begin(), lower);
  const int order = a.compare(b);
  set(out, 0, order < 0 ? 1.0 : order == 0 ? 2.0 : 3.0);
}

/// A. Partow's AP hash.
void hash(std::span<const In> in, std::span<Out> out, Environment&) {
  const std::string_view string = text(in, 0);
  std::uint32_t h = 0xAAAAAAAAu;
  for (std::size_t i = 0; i < string.size(); ++i) {
    const std::uint32_t c = static_cast<unsigned char>(string[i]);
    h ^= i % 2 == 0 ? (h << 7) ^ (c * (h >> 3)) : ~((h << 11) + (c ^ (h >> 5)));
  }
  set(out, 0, static_cast<double>(static_cast<std::int32_t>(h)));
}

/// Where scanning begins, from 0; nothing, if that is no place in the string.
std::optional<std::size_t> begin(std::span<const In> in, std::string_view string) {
  const long long start = integer(in, 1);
  if (start < 1 || start > static_cast<long long>(string.size())) return std::nullopt;
  return static_cast<std::size_t>(start - 1);
}

std::size_t skip_space(std::string_view string, std::size_t at) {
  while (at < string.size() && is_space(string[at])) ++at;
  return at;
}

std::size_t skip_digits(std::string_view string, std::size_t at) {
  while (at < string.size() && is_digit(string[at])) ++at;
  return at;
}

bool is_sign(std::string_view string, std::size_t at) { return at < string.size() && (string[at] == '+' || string[at] == '-'); }

void found(std::span<Out> out, std::size_t next, double value) {
  set(out, 0, static_cast<double>(next + 1));
  set(out, 1, value);
}

void scan_real(std::span<const In> in, std::span<Out> out, Environment&) {
  const std::string_view string = text(in, 0);
  set(out, 0, real(in, 1));
  set(out, 1, 0.0);
  const auto start = begin(in, string);
  if (!start) return;
  const std::size_t token = skip_space(string, *start);
  std::size_t at = token;
  if (is_sign(string, at)) {
    if (boolean(in, 2)) return;
    ++at;
  }
  std::size_t end = skip_digits(string, at), digits = end - at;
  if (end < string.size() && string[end] == '.') {
    const std::size_t fraction = skip_digits(string, end + 1);
    digits += fraction - end - 1;
    end = fraction;
  }
  if (digits == 0) return;
  if (end < string.size() && (string[end] == 'e' || string[end] == 'E')) {
    const std::size_t exponent = end + 1 + (is_sign(string, end + 1) ? 1 : 0);
    end = skip_digits(string, exponent);
    if (end == exponent) return;
  }
  double value = 0;
  const char* const from = string.data() + token + (string[token] == '+' ? 1 : 0);
  if (std::from_chars(from, string.data() + end, value).ec != std::errc()) {
    value = extreme(string.substr(token, end - token));
    if (std::isinf(value)) return;  // too large for a Real; what is too small is 0
  }
  found(out, end, value);
}

void scan_integer(std::span<const In> in, std::span<Out> out, Environment&) {
  const std::string_view string = text(in, 0);
  set(out, 0, real(in, 1));
  set(out, 1, 0.0);
  const auto start = begin(in, string);
  if (!start) return;
  const std::size_t token = skip_space(string, *start);
  std::size_t at = token;
  if (is_sign(string, at)) {
    if (boolean(in, 2)) return;
    ++at;
  }
  const std::size_t end = skip_digits(string, at);
  // A Real is no Integer.
  if (end == at || (end < string.size() && (string[end] == '.' || string[end] == 'e' || string[end] == 'E'))) return;
  std::int32_t value = 0;
  const char* const from = string.data() + token + (string[token] == '+' ? 1 : 0);
  if (std::from_chars(from, string.data() + end, value).ec != std::errc()) return;
  found(out, end, value);
}

void scan_string(std::span<const In> in, std::span<Out> out, Environment&) {
  const std::string_view string = text(in, 0);
  set(out, 0, real(in, 1));
  set(out, 1, std::string());
  const auto start = begin(in, string);
  if (!start) return;
  const std::size_t token = skip_space(string, *start);
  if (token >= string.size() || string[token] != '"') return;
  for (std::size_t at = token + 1; at < string.size(); ++at) {
    if (string[at] == '\\') {
      ++at;
    } else if (string[at] == '"') {
      set(out, 0, static_cast<double>(at + 2));
      set(out, 1, std::string(string.substr(token + 1, at - token - 1)));
      return;
    }
  }
}

void scan_identifier(std::span<const In> in, std::span<Out> out, Environment&) {
  const std::string_view string = text(in, 0);
  set(out, 0, real(in, 1));
  set(out, 1, std::string());
  const auto start = begin(in, string);
  if (!start) return;
  const std::size_t token = skip_space(string, *start);
  if (token >= string.size() || !is_letter(string[token])) return;
  std::size_t end = token + 1;
  while (end < string.size() && (is_letter(string[end]) || is_digit(string[end]) || string[end] == '_')) ++end;
  set(out, 0, static_cast<double>(end + 1));
  set(out, 1, std::string(string.substr(token, end - token)));
}

void skip_white_space(std::span<const In> in, std::span<Out> out, Environment&) {
  const std::string_view string = text(in, 0);
  const auto start = begin(in, string);
  set(out, 0, start ? static_cast<double>(skip_space(string, *start) + 1) : real(in, 1));
}

constexpr Entry entries[] = {
    {"ModelicaStrings_length", length, Effect::none},
    {"ModelicaStrings_substring", substring, Effect::none},
    {"ModelicaStrings_compare", compare, Effect::none},
    {"ModelicaStrings_hashString", hash, Effect::none},
    {"ModelicaStrings_scanReal", scan_real, Effect::none},
    {"ModelicaStrings_scanInteger", scan_integer, Effect::none},
    {"ModelicaStrings_scanString", scan_string, Effect::none},
    {"ModelicaStrings_scanIdentifier", scan_identifier, Effect::none},
    {"ModelicaStrings_skipWhiteSpace", skip_white_space, Effect::none},
};

}  // namespace

std::span<const Entry> strings() { return entries; }

}  // namespace mosim::native
