#include "compiler/instantiate/habits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "parser/diagnostic.hpp"

namespace mosim::compiler {

namespace {

using Pair = std::pair<std::string_view, std::string_view>;

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

template <std::size_t N>
std::string_view find(const Pair (&pairs)[N], std::string_view name) {
  const auto it = std::find_if(std::begin(pairs), std::end(pairs), [&](const Pair& p) { return p.first == name; });
  return it == std::end(pairs) ? std::string_view() : it->second;
}

constexpr Pair types[] = {
    {"double", "Real"},    {"float", "Real"},      {"real", "Real"},       {"number", "Real"},      {"num", "Real"},
    {"float64", "Real"},   {"int", "Integer"},     {"integer", "Integer"}, {"long", "Integer"},     {"short", "Integer"},
    {"uint", "Integer"},   {"unsigned", "Integer"}, {"bool", "Boolean"},   {"boolean", "Boolean"},  {"logical", "Boolean"},
    {"str", "String"},     {"string", "String"},   {"char", "String"},     {"variable", "Real"},    {"var", "Real"},
};

constexpr std::string_view keywords[] = {"equation", "algorithm", "extends", "import", "public", "protected", "parameter",
                                         "constant", "input", "output", "initial", "model", "block", "connector", "package",
                                         "function", "record"};

constexpr Pair functions[] = {
    {"ln", "log(x)"},          {"pow", "x^y"},            {"power", "x^y"},          {"fabs", "abs(x)"},
    {"sgn", "sign(x)"},        {"arcsin", "asin(x)"},     {"arccos", "acos(x)"},
    {"arctan", "atan(x)"},     {"atg", "atan(x)"},        {"tg", "tan(x)"},          {"log2", "log(x)/log(2)"},
    {"round", "integer(x + 0.5)"}, {"int", "integer(x)"}, {"trunc", "integer(x)"},   {"length", "size(x, 1)"},
    {"len", "size(x, 1)"},     {"numel", "size(x, 1)"},   {"dot", "der(x)"},         {"ddt", "der(x)"},
    {"diff", "der(x)"},        {"derivative", "der(x)"},  {"deriv", "der(x)"},       {"D", "der(x)"},
    {"d", "der(x)"},           {"dt", "der(x)"},          {"heaviside", "if x > 0 then 1 else 0"},
    {"ceiling", "ceil(x)"},    {"modulo", "mod(x, y)"},   {"print", "Modelica.Utilities.Streams.print(...)"},
    {"printf", "Modelica.Utilities.Streams.print(...)"},
};

constexpr std::string_view constants = "import Modelica.Constants.pi;";

}  // namespace

std::string type_instead(std::string_view name) {
  if (const auto type = find(types, lower(name)); !type.empty()) return fmt::format("write {}", type);
  const std::string near = parser::nearest(name, {std::begin(keywords), std::end(keywords)});
  return near.empty() ? "" : fmt::format("if the keyword is meant, write '{}'", near);
}

std::string function_instead(std::string_view name) {
  const auto call = find(functions, name);
  return call.empty() ? "" : fmt::format("write {}", call);
}

std::string variable_instead(std::string_view name, const std::vector<std::string_view>& visible) {
  const std::string small = lower(name);
  if (small == "true" || small == "false") return fmt::format("write {}", small);
  if (small == "pi") return fmt::format("write Modelica.Constants.pi, or '{}'", constants);
  if (small == "inf" || small == "infinity") return "write Modelica.Constants.inf";
  if (name == "eps") return "write Modelica.Constants.eps";
  if (name == "t" || name == "Time") return "if the time of the simulation is meant, write time";
  if (small == "null" || small == "nil" || small == "nan" || small == "none") return "every variable has a value; leave it out";
  const auto seen = [&](std::string_view v) { return std::find(visible.begin(), visible.end(), v) != visible.end(); };
  if (name.size() > 1 && name.front() == 'd' && seen(name.substr(1)))
    return fmt::format("if the derivative of {0} is meant, write der({0})", name.substr(1));
  for (const std::string_view end : {"dot", "_dot", "_d", "_der", "Dot"})
    if (name.size() > end.size() && name.substr(name.size() - end.size()) == end && seen(name.substr(0, name.size() - end.size())))
      return fmt::format("if the derivative of {0} is meant, write der({0})", name.substr(0, name.size() - end.size()));
  return "";
}

std::string member_instead(std::string_view of, std::string_view name) {
  const std::string small = lower(name);
  if (small == "dot" || small == "der" || small == "d" || small == "diff" || small == "ddt")
    return fmt::format("if its derivative is meant, write der({})", of);
  return "";
}

std::string library_instead(std::string_view name) {
  if (name == "SI") return "write 'import Modelica.Units.SI;' above it, or Modelica.Units.SI in its place";
  if (name == "SIunits") return "write Modelica.Units.SI, as the SI units are called since version 4 of the library";
  return "";
}

std::string renamed(std::string_view path, std::string_view name) {
  if (path == "Modelica" && name == "SIunits")
    return "since version 4 of the library the SI units are Modelica.Units.SI, and those of Modelica.SIunits.Conversions.NonSIunits are Modelica.Units.NonSI";
  if ((path == "Modelica.Units.SI" || path == "Modelica.SIunits") && name == "Conversions")
    return "since version 4 of the library they are Modelica.Units.Conversions, and the units of Conversions.NonSIunits are Modelica.Units.NonSI";
  if (path.starts_with("Modelica.") && name == "freqHz") return "since version 4 of the library it is called f";
  return "";
}

}  // namespace mosim::compiler
