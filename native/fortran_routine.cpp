#include "native/fortran_routine.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>

#include "native/fortran_declarations.hpp"

namespace mosim::native {
namespace {

constexpr bool is_space(char c) { return c == ' ' || c == '\n'; }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

/// Takes the text up to the first comma outside of brackets, and the comma.
std::string_view take_part(std::string_view& text) {
  int depth = 0;
  std::size_t end = 0;
  for (; end < text.size(); ++end) {
    const char c = text[end];
    if (c == '[' || c == '(' || c == '{') ++depth;
    if (c == ']' || c == ')' || c == '}') --depth;
    if (c == ',' && depth == 0) break;
  }
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return trimmed(part);
}

std::vector<std::string_view> parts(std::string_view text) {
  std::vector<std::string_view> result;
  while (!text.empty()) result.push_back(take_part(text));
  return result;
}

std::string_view take_word(std::string_view& text) {
  text = trimmed(text);
  const std::size_t end = std::find_if_not(text.begin(), text.end(), [](char c) { return is_letter(c) || is_digit(c); }) - text.begin();
  const std::string_view word = text.substr(0, end);
  text = trimmed(text.substr(end));
  return word;
}

/// What stands between these two, if the text begins with them.
std::string_view take_between(std::string_view& text, char open, char close) {
  if (text.empty() || text.front() != open) return {};
  const std::size_t end = text.find(close);
  const std::string_view inner = text.substr(1, end - 1);
  text = trimmed(text.substr(end + 1));
  return inner;
}

[[noreturn]] void wrong(std::string_view text) { throw std::logic_error("the declaration of a FORTRAN 77 routine has \"" + std::string(text) + "\""); }

FortranParameter parameter(std::string_view text) {
  using Kind = FortranParameter::Kind;
  using Use = FortranParameter::Use;
  const std::string_view whole = text;
  FortranParameter result{Kind::real, Use::in, {}, {}, {}, {}};
  std::string_view word = take_word(text);
  if (word == "out") result.use = Use::out;
  else if (word == "inout") result.use = Use::inout;
  else if (word == "scratch") result.use = Use::scratch;
  if (result.use != Use::in) word = take_word(text);
  if (word == "int") result.kind = Kind::integer;
  else if (word == "bool") result.kind = Kind::logical;
  else if (word == "char") result.kind = Kind::character;
  else if (word == "function") result.kind = Kind::function;
  else if (word != "real") wrong(whole);
  result.name = take_word(text);
  result.letters = take_between(text, '{', '}');
  result.sizes = parts(take_between(text, '[', ']'));
  if (text.starts_with("<=")) {
    result.limit = trimmed(text.substr(2));
    text = {};
  }
  if (result.name.empty() || !text.empty() || (result.sizes.size() != 0 && result.sizes.size() != 1 && result.sizes.size() != 3)) wrong(whole);
  return result;
}

FortranRoutine routine(const FortranDeclaration& declaration) {
  using Result = FortranRoutine::Result;
  FortranRoutine result{declaration.name, Result::none, {}, declaration.iterates};
  if (declaration.result == "real") result.result = Result::real;
  else if (declaration.result == "int") result.result = Result::integer;
  else if (!declaration.result.empty()) wrong(declaration.result);
  for (const std::string_view part : parts(declaration.parameters)) result.parameters.push_back(parameter(part));
  return result;
}

/// Reads and evaluates in one go.
class Evaluator {
 public:
  Evaluator(std::string_view text, const FortranRoutine& routine, std::span<const double> values)
      : text_(text), rest_(trimmed(text)), routine_(routine), values_(values) {}

  double whole() {
    const double result = choice();
    if (!rest_.empty()) wrong(text_);
    return result;
  }

 private:
  bool take(char c) {
    if (rest_.empty() || rest_.front() != c) return false;
    rest_ = trimmed(rest_.substr(1));
    return true;
  }
  void expect(char c) {
    if (!take(c)) wrong(text_);
  }
  double choice() {
    const double condition = comparison();
    if (!take('?')) return condition;
    const double yes = choice();
    expect(':');
    const double no = choice();
    return condition != 0 ? yes : no;
  }
  double comparison() {
    const double left = sum();
    return take('<') ? left < sum() : left;
  }
  double sum() {
    double result = product();
    for (;;) {
      if (take('+')) result += product();
      else if (take('-')) result -= product();
      else return result;
    }
  }
  double product() {
    double result = factor();
    while (take('*')) result *= factor();
    return result;
  }
  double factor() {
    if (take('(')) {
      const double result = choice();
      expect(')');
      return result;
    }
    const std::string_view word = take_word(rest_);
    if (word.empty()) wrong(text_);
    if (is_digit(word.front())) {
      int result = 0;
      std::from_chars(word.data(), word.data() + word.size(), result);
      return result;
    }
    if (take('(')) {
      const double a = choice();
      expect(',');
      const double b = choice();
      expect(')');
      if (word == "min") return std::min(a, b);
      if (word == "max") return std::max(a, b);
      if (word == "strided") return a < 1 ? 0 : 1 + (a - 1) * std::abs(b);
      wrong(text_);
    }
    const double value = named(word);
    if (!take('=')) return value;
    return take_word(rest_).find(static_cast<char>(value)) != std::string_view::npos;
  }
  double named(std::string_view name) const {
    for (std::size_t i = 0; i < routine_.parameters.size(); ++i)
      if (routine_.parameters[i].name == name && routine_.parameters[i].sizes.empty()) return values_[i];
    wrong(text_);
  }

  std::string_view text_, rest_;
  const FortranRoutine& routine_;
  std::span<const double> values_;
};

}  // namespace

std::span<const FortranRoutine> fortran_routines() {
  static const std::vector<FortranRoutine> all = [] {
    std::vector<FortranRoutine> result;
    for (const auto part : {lapack_declarations(), blas_declarations()})
      for (const FortranDeclaration& declaration : part) result.push_back(routine(declaration));
    std::sort(result.begin(), result.end(), [](const FortranRoutine& a, const FortranRoutine& b) { return a.name < b.name; });
    return result;
  }();
  return all;
}

const FortranRoutine* find_fortran(std::string_view name) {
  const auto all = fortran_routines();
  const auto at = std::lower_bound(all.begin(), all.end(), name, [](const FortranRoutine& r, std::string_view n) { return r.name < n; });
  return at != all.end() && at->name == name ? &*at : nullptr;
}

double fortran_size(std::string_view text, const FortranRoutine& routine, std::span<const double> values) {
  return Evaluator(text, routine, values).whole();
}

}  // namespace mosim::native
