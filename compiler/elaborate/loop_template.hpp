#pragma once
// The body of a for loop whose iterations have one shape: nothing in it depends on the loop's index but numbers and subscripts. Names are
// looked up and types found once; an iteration puts in its own elements.

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "compiler/elaborate/environment.hpp"
#include "compiler/instantiate/value.hpp"
#include "parser/syntax.hpp"

namespace mosim::compiler {

struct Component;

class LoopTemplate {
public:
  /// One side of an equation as an expression of scalars.
  struct Side {
    Type type;
    Expr value;
  };
  using Sides = std::vector<std::pair<Side, Side>>;

  explicit LoopTemplate(parser::List<parser::Equation> body) : body_(body) {}

  /// Looks at the body in an iteration that was elaborated without an error. False: it has another form than these, or other parts than
  /// variables of the model, numbers, arithmetic, der and the elementary functions.
  bool make(Instances& in, const Environment& env);
  /// The sides of the equations in an iteration, one pair for each. Nothing: it is to be elaborated, and may be wrong.
  bool instantiate(Instances& in, const Environment& env, Sides& sides) const;

private:
  enum class Kind : std::uint8_t { constant, index, element, derivative, negate, arithmetic, function };
  using Number = std::uint32_t;   // of a node, or of a subscript
  struct Node {
    Kind kind;
    Type type;                    // Real or Integer
    Place place;
    Op op = Op::add;              // arithmetic, function
    Expr value = Expr::none;      // constant
    Name name = Name::none;       // index
    Number left = 0, right = 0;   // operands; element: in elements_
  };
  /// A subscript: an Integer of the loop's indices.
  struct Subscript {
    enum class Kind : std::uint8_t { constant, index, negate, add, subtract, multiply } kind;
    std::int64_t value = 0;
    Name name = Name::none;
    Number left = 0, right = 0;
  };
  struct Part {
    Name name;
    std::vector<Number> subscripts;
  };
  struct Element {
    Component* first;             // of its first part
    std::vector<Part> parts;
  };

  class Maker;
  std::optional<std::int64_t> number(Instances& in, const Environment& env, Number subscript) const;
  Expr element(Instances& in, const Environment& env, const Element& e, Place place) const;
  std::optional<std::int64_t> integer(Instances& in, const Environment& env, Number number) const;
  Expr expression(Instances& in, const Environment& env, Number node) const;

  parser::List<parser::Equation> body_;
  std::vector<Node> nodes_;
  std::vector<Subscript> subscripts_;
  std::vector<Element> elements_;
  std::vector<std::pair<Number, Number>> equations_;
};

}  // namespace mosim::compiler
