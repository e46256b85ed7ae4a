#include "study/expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <stdexcept>

namespace mosim::studies {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

/// Behind the quoted text that begins at `at`.
std::size_t behind_quotes(std::string_view text, std::size_t at) {
  const char quote = text[at++];
  while (at < text.size() && text[at] != quote) at += text[at] == '\\' ? 2 : 1;
  return std::min(at + 1, text.size());
}

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;

double not_(double x) { return x == 0; }
double minus(double x) { return -x; }
double sign(double x) { return (x > 0) - (x < 0); }

const std::map<std::string_view, double (*)(double), std::less<>> functions_of_one{
    {"abs", std::fabs},   {"sqrt", std::sqrt}, {"exp", std::exp},   {"log", std::log},     {"log10", std::log10}, {"sin", std::sin},
    {"cos", std::cos},    {"tan", std::tan},   {"asin", std::asin}, {"acos", std::acos},   {"atan", std::atan},   {"sinh", std::sinh},
    {"cosh", std::cosh},  {"tanh", std::tanh}, {"sign", sign},      {"floor", std::floor}, {"ceil", std::ceil},   {"integer", std::floor}};

const std::map<std::string_view, double (*)(double, double), std::less<>> functions_of_two{
    {"min", [](double a, double b) { return std::min(a, b); }},
    {"max", [](double a, double b) { return std::max(a, b); }},
    {"atan2", [](double a, double b) { return std::atan2(a, b); }},
    {"mod", [](double a, double b) { return a - std::floor(a / b) * b; }},       // MLS 3.7.2
    {"div", [](double a, double b) { return std::trunc(a / b); }},
    {"rem", [](double a, double b) { return a - std::trunc(a / b) * b; }}};

struct Operation {
  double (*apply)(double, double);
  Sort operands, result;
};

Operation operation(parser::BinaryOperator op) {
  using enum parser::BinaryOperator;
  switch (op) {
    case add: case elementwise_add: return {[](double a, double b) { return a + b; }, Sort::number, Sort::number};
    case subtract: case elementwise_subtract: return {[](double a, double b) { return a - b; }, Sort::number, Sort::number};
    case multiply: case elementwise_multiply: return {[](double a, double b) { return a * b; }, Sort::number, Sort::number};
    case divide: case elementwise_divide: return {[](double a, double b) { return a / b; }, Sort::number, Sort::number};
    case power: case elementwise_power: return {[](double a, double b) { return std::pow(a, b); }, Sort::number, Sort::number};
    case less: return {[](double a, double b) { return double(a < b); }, Sort::number, Sort::condition};
    case less_equal: return {[](double a, double b) { return double(a <= b); }, Sort::number, Sort::condition};
    case greater: return {[](double a, double b) { return double(a > b); }, Sort::number, Sort::condition};
    case greater_equal: return {[](double a, double b) { return double(a >= b); }, Sort::number, Sort::condition};
    case equal: return {[](double a, double b) { return double(a == b); }, Sort::number, Sort::condition};
    case not_equal: return {[](double a, double b) { return double(a != b); }, Sort::number, Sort::condition};
    case and_: return {[](double a, double b) { return double(a != 0 && b != 0); }, Sort::condition, Sort::condition};
    case or_: return {[](double a, double b) { return double(a != 0 || b != 0); }, Sort::condition, Sort::condition};
  }
  return {};
}

}  // namespace

std::vector<std::string> split(std::string_view list) {
  std::vector<std::string> parts;
  int depth = 0;
  std::size_t begin = 0;
  const auto end_part = [&](std::size_t end) { parts.emplace_back(trimmed(list.substr(begin, end - begin))); };
  for (std::size_t k = 0; k < list.size();) {
    const char c = list[k];
    if (c == '"' || c == '\'') {
      k = behind_quotes(list, k);
      continue;
    }
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    if (c == ',' && depth == 0) {
      end_part(k);
      begin = k + 1;
    }
    ++k;
  }
  end_part(list.size());
  return parts;
}

Named separate_name(std::string_view text) {
  int depth = 0;
  for (std::size_t k = 0; k < text.size();) {
    const char c = text[k];
    if (c == '"' || c == '\'') {
      k = behind_quotes(text, k);
      continue;
    }
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    const bool compares = (k + 1 < text.size() && text[k + 1] == '=') || (k > 0 && (text[k - 1] == '<' || text[k - 1] == '>' || text[k - 1] == '='));
    if (c == '=' && depth == 0) {
      if (compares) break;
      return {std::string(trimmed(text.substr(0, k))), std::string(trimmed(text.substr(k + 1)))};
    }
    ++k;
  }
  return {{}, std::string(trimmed(text))};
}

// ---- texts -------------------------------------------------------------------------------------------------------------

Text::Text(std::string text) : text_(std::move(text)) {
  if (trimmed(text_).empty()) refuse("an expression is missing");
  parser::Diagnostics unsaid;
  // A range stands where a subscript or a loop may have it; here it is the whole.
  const parser::Source& source = workspace_.sources.add(text_, fmt::format("model S algorithm for i in\n{}\nloop end for; end S;", text_), false);
  const auto stored = parser::parse(source, workspace_, unsaid);
  if (!stored || parser::has_errors(unsaid)) {
    const bool is_keyword = text_.find("final(") != std::string::npos;
    refuse(is_keyword ? "final is a word of the language; the value at the end is last(x)" : "this is no expression as Modelica writes it");
  }
  const auto& composition = std::get<parser::LongClassSpecifier>(stored->classes.front()->specifier).composition;
  const auto* section = composition.sections.size() == 1 ? std::get_if<parser::AlgorithmSection>(&composition.sections.front()) : nullptr;
  const auto* loop = section && section->statements.size() == 1 ? std::get_if<parser::ForStatement>(&section->statements.front().node) : nullptr;
  if (!loop || loop->indices.size() != 1 || !loop->indices.front().range || !loop->body.empty()) refuse("this is more than one expression");
  expression_ = loop->indices.front().range;
}

std::string Text::name(parser::Place place) const {
  const std::string_view written = workspace_.sources.text(place);
  std::string text;
  for (std::size_t k = 0; k < written.size();) {
    if (written[k] == '\'') {
      const std::size_t end = behind_quotes(written, k);
      text += written.substr(k, end - k);
      k = end;
    } else {
      if (!is_blank(written[k])) text += written[k];
      ++k;
    }
  }
  return text;
}

void Text::refuse(std::string_view cause) const { throw std::invalid_argument(fmt::format("`{}`: {}", text_, cause)); }

void Text::refuse_here(std::string_view cause) const { throw Unfit(fmt::format("`{}`: {}", text_, cause)); }

// ---- formulas ----------------------------------------------------------------------------------------------------------

double Formula::value(std::uint32_t k, const Values& v) const {
  const Node& n = nodes_[k];
  switch (n.what) {
    case What::number: return n.number;
    case What::time: return v.time;
    case What::row: return v.row[n.index];
    case What::constant: return v.constants[n.index];
    case What::inner: return v.inner[n.index];
    case What::one: return n.one(value(n.a, v));
    case What::two: return n.two(value(n.a, v), value(n.b, v));
    case What::choice: return value(n.a, v) != 0 ? value(n.b, v) : value(n.c, v);
  }
  return 0;
}

std::uint32_t Reader::read(const parser::Expression& expression, Sort wanted) {
  const std::uint32_t k = node_of(expression);
  const Formula::Node& node = formula_.node(k);
  if (node.what == Formula::What::inner && wanted == Sort::number) return k;   // ever(c) and always(c) are conditions, and 1 or 0 as well
  if (node.sort != wanted)
    text_.refuse_here(fmt::format("{} is {}", text_.name(expression.place),
                             wanted == Sort::condition ? "a number, and a condition is needed here, such as h < 0" : "a condition, and a number is needed here; count(c), duration(c) and ever(c) make one of it"));
  return k;
}

std::uint32_t Reader::node_of(const parser::Expression& e) {
  return std::visit(
      Overloaded{
          [&](const parser::RealLiteral& n) { return number(n.value); },
          [&](const parser::IntegerLiteral& n) { return number(double(n.value)); },
          [&](const parser::BooleanLiteral& n) { return formula_.add({.sort = Sort::condition, .number = double(n.value)}); },
          [&](const parser::Reference&) {
            const std::string name = text_.name(e.place);
            const auto found = lookup_(name);
            if (!found && name == "pi") return number(std::numbers::pi);
            if (!found) text_.refuse_here(fmt::format("{} is unknown here", name));
            return formula_.add(*found);
          },
          [&](const parser::Call& c) { return call(e, c); },
          [&](const parser::Unary& u) {
            const bool negates = u.op == parser::UnaryOperator::not_;
            const std::uint32_t a = read(*u.operand, negates ? Sort::condition : Sort::number);
            if (u.op == parser::UnaryOperator::plus || u.op == parser::UnaryOperator::elementwise_plus) return a;
            return formula_.add({.what = Formula::What::one, .sort = negates ? Sort::condition : Sort::number, .one = negates ? not_ : minus, .a = a});
          },
          [&](const parser::Binary& b) { return binary(b); },
          [&](const parser::IfExpression& i) {
            std::uint32_t rest = node_of(*i.otherwise);
            for (std::size_t k = i.branches.size(); k-- > 0;) {
              const std::uint32_t condition = read(*i.branches[k].condition, Sort::condition);
              const std::uint32_t value = read(*i.branches[k].value, formula_.node(rest).sort);
              rest = formula_.add({.what = Formula::What::choice, .sort = formula_.node(rest).sort, .a = condition, .b = value, .c = rest});
            }
            return rest;
          },
          [&](const auto&) -> std::uint32_t { text_.refuse(fmt::format("{} is no number", text_.name(e.place))); },
      },
      e.node);
}

std::uint32_t Reader::call(const parser::Expression& e, const parser::Call& c) {
  const std::string name = text_.name(c.callee.place);
  if (!c.arguments.named.empty() || !c.arguments.iterators.empty()) text_.refuse(fmt::format("{} takes arguments without names", name));
  if (name == "der")
    if (const auto found = lookup_(text_.name(e.place))) return formula_.add(*found);
  if (callee_)
    if (const auto found = callee_(name, c, e.place)) return formula_.add(*found);
  const auto& given = c.arguments.positional;
  const auto one = functions_of_one.find(name);
  const auto two = functions_of_two.find(name);
  if (one == functions_of_one.end() && two == functions_of_two.end()) {
    if (name == "der") text_.refuse_here(fmt::format("{} is unknown here", text_.name(e.place)));
    text_.refuse(fmt::format("there is no function {} here", name));
  }
  const std::size_t takes = one != functions_of_one.end() ? 1 : 2;
  if (given.size() != takes) text_.refuse(fmt::format("{} takes {} argument{}, not {}", name, takes, takes == 1 ? "" : "s", given.size()));
  const std::uint32_t a = read(*given[0], Sort::number);
  if (takes == 1) return formula_.add({.what = Formula::What::one, .one = one->second, .a = a});
  const std::uint32_t b = read(*given[1], Sort::number);
  return formula_.add({.what = Formula::What::two, .two = two->second, .a = a, .b = b});
}

std::uint32_t Reader::binary(const parser::Binary& b) {
  if (const auto k = beside_literal(b)) return *k;
  const Operation o = operation(b.op);
  std::uint32_t left = node_of(*b.left), right = node_of(*b.right);
  const bool compares = b.op == parser::BinaryOperator::equal || b.op == parser::BinaryOperator::not_equal;
  const bool alike = formula_.node(left).sort == formula_.node(right).sort;
  if (!(compares && alike) && (formula_.node(left).sort != o.operands || formula_.node(right).sort != o.operands)) {
    (void)read(*b.left, o.operands);   // says what is wrong
    (void)read(*b.right, o.operands);
  }
  return formula_.add({.what = Formula::What::two, .sort = o.result, .two = o.apply, .a = left, .b = right});
}

std::optional<std::uint32_t> Reader::beside_literal(const parser::Binary& b) {
  const Operation o = operation(b.op);
  if (!literal_ || o.operands != Sort::number || o.result != Sort::condition) return {};
  for (const bool swapped : {false, true}) {
    const parser::Expression& variable = swapped ? *b.right : *b.left;
    const parser::Expression& other = swapped ? *b.left : *b.right;
    if (!std::holds_alternative<parser::Reference>(variable.node) || !std::holds_alternative<parser::Reference>(other.node)) continue;
    const auto literal = literal_(text_.name(variable.place), text_.name(other.place));
    if (!literal) continue;
    const std::uint32_t v = node_of(variable), l = number(*literal);
    return formula_.add({.what = Formula::What::two, .sort = Sort::condition, .two = o.apply, .a = swapped ? l : v, .b = swapped ? v : l});
  }
  return {};
}

double constant(const Text& text, const parser::Expression& expression) {
  Formula formula;
  Reader reader(text, formula, [](const std::string&) { return std::nullopt; });
  return formula.value(reader.read(expression, Sort::number), {});
}

}  // namespace mosim::studies
