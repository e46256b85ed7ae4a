#pragma once
// Expressions in Modelica's words that are evaluated over numbers: values of factors, measures of a run.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "parser/parse.hpp"

namespace mosim::studies {

/// What a text asks does not fit the model that it is asked of: a variable that this has not, or that is of another type. Anything else that is refused is
/// wrong of any model.
struct Unfit : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

/// The parts of a list that commas separate, outside of brackets and quotes, without blanks around them.
std::vector<std::string> split(std::string_view list);

/// `name = rest`, if the text begins so.
struct Named {
  std::string name;   // empty: there is none
  std::string rest;
};
Named separate_name(std::string_view text);

/// A text that is read as one expression, or as a range. Throws std::invalid_argument with the reason.
class Text {
 public:
  explicit Text(std::string text);
  const parser::Expression& expression() const { return *expression_; }
  std::string_view whole() const { return text_; }
  /// As it was written, without blanks outside of quotes: the name of a variable.
  std::string name(parser::Place place) const;
  std::string_view written(parser::Place place) const { return workspace_.sources.text(place); }
  std::string_view name(parser::Name name) const { return workspace_.names.text(name); }
  [[noreturn]] void refuse(std::string_view cause) const;
  /// Throws Unfit.
  [[noreturn]] void refuse_here(std::string_view cause) const;

 private:
  std::string text_;
  parser::Workspace workspace_;
  const parser::Expression* expression_ = nullptr;
};

/// What an expression is evaluated with.
struct Values {
  double time = 0;
  const double* row = nullptr;         // of the variables in it
  const double* constants = nullptr;   // the parameters
  const double* inner = nullptr;       // results of the functions over time
};

enum class Sort : std::uint8_t { number, condition };

/// A tree of operations, in one list: operands stand before what uses them.
class Formula {
 public:
  enum class What : std::uint8_t { number, time, row, constant, inner, one, two, choice };
  struct Node {
    What what = What::number;
    Sort sort = Sort::number;
    double number = 0;
    std::uint32_t index = 0;                        // of row, constant, inner
    double (*one)(double) = nullptr;
    double (*two)(double, double) = nullptr;
    std::uint32_t a = 0, b = 0, c = 0;              // operands; choice: if a then b else c
  };
  std::uint32_t add(Node node) {
    nodes_.push_back(node);
    return std::uint32_t(nodes_.size() - 1);
  }
  const Node& node(std::uint32_t k) const { return nodes_[k]; }
  double value(std::uint32_t node, const Values& values) const;

 private:
  std::vector<Node> nodes_;
};

/// Makes formulas of expressions.
class Reader {
 public:
  /// What a name stands for; none: it is unknown, or refused by an exception. 
  using Lookup = std::function<std::optional<Formula::Node>(const std::string& name)>;
  /// A call that the reader does not know by itself.
  using Callee = std::function<std::optional<Formula::Node>(const std::string& name, const parser::Call& call, parser::Place place)>;
  /// The number of a literal beside that variable: mode == Mode.fast.
  using Literal = std::function<std::optional<double>(const std::string& variable, const std::string& name)>;

  Reader(const Text& text, Formula& formula, Lookup lookup, Callee callee = {}, Literal literal = {})
      : text_(text), formula_(formula), lookup_(std::move(lookup)), callee_(std::move(callee)), literal_(std::move(literal)) {}

  std::uint32_t read(const parser::Expression& expression, Sort wanted);
  /// A number, or a condition: 1 or 0.
  std::uint32_t read(const parser::Expression& expression) { return node_of(expression); }

 private:
  std::uint32_t node_of(const parser::Expression& e);
  std::uint32_t call(const parser::Expression& e, const parser::Call& call);
  std::uint32_t binary(const parser::Binary& b);
  std::optional<std::uint32_t> beside_literal(const parser::Binary& b);
  std::uint32_t number(double value) { return formula_.add({.number = value}); }

  const Text& text_;
  Formula& formula_;
  Lookup lookup_;
  Callee callee_;
  Literal literal_;
};

/// The value of an expression of numbers alone; throws std::invalid_argument if it is none.
double constant(const Text& text, const parser::Expression& expression);

}  // namespace mosim::studies
