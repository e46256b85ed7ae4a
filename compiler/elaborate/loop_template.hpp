#pragma once
// The body of a for loop whose iterations have one shape: nothing in it depends on the loop's index but numbers and subscripts. Names are
// looked up and types found once; an iteration puts in its own elements.

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "compiler/elaborate/iteration.hpp"
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
  using Numbers = std::span<const double>;   // the values of the loop's iterators

  explicit LoopTemplate(parser::List<parser::Equation> body) : body_(body) {}

  /// Looks at the body in an iteration that was elaborated without an error. False: it has another form than these, or other parts than
  /// variables of the model, numbers, arithmetic, der and the elementary functions.
  bool make(Instances& in, const Iteration& iteration);
  /// The sides of the equations in an iteration with these numbers(), one pair for each. Nothing: it is to be elaborated, and may be wrong. Work
  /// out: what numbers alone come to, such as -i/N, is found here, if it is not 0, and the sides are Expressions::written() beside it. The pass
  /// for terms that vanish does the same for all equations; of a long loop it would find, make and compare each expression a second time.
  bool instantiate(Instances& in, Numbers numbers, Sides& sides, bool work_out) const;

private:
  enum class Kind : std::uint8_t { constant, index, element, derivative, negate, arithmetic, function };
  using Number = std::uint32_t;   // of a node, or of a subscript
  struct Node {
    Kind kind;
    Type type;                    // Real or Integer
    Place place;
    Op op = Op::add;              // arithmetic, function
    Expr value = Expr::none;      // constant
    Number left = 0, right = 0;   // operands; element: in elements_; index: which of the loop's
    bool numeric = false;         // numbers and indices alone, and what no run has another value of
    bool literal = false;         // a number or an index, with any number of signs: it comes out as a number, and not as an operation
    double number = no_number;    // of a numeric constant or element
    bool operates() const { return numeric && !literal && kind != Kind::element; }   // on numbers alone: worked out at once
  };
  /// A subscript: an Integer of the loop's indices.
  struct Subscript {
    enum class Kind : std::uint8_t { constant, index, negate, add, subtract, multiply } kind;
    std::int64_t value = 0;
    Number left = 0, right = 0;   // index: left is which of the loop's
  };
  struct Part {
    Name name;
    std::vector<Number> subscripts;
  };
  struct Element {
    Component* first;             // of its first part
    std::vector<Part> parts;
  };

  static constexpr double no_number = std::numeric_limits<double>::quiet_NaN();
  /// An expression as written, and what the compiler goes on with: the same where there is nothing to work out. None: neither was made.
  struct Made {
    Expr written = Expr::none, value = Expr::none;
  };

  class Maker;
  std::optional<std::int64_t> number(Numbers numbers, Number subscript) const;
  Expr element(Instances& in, Numbers numbers, const Element& e, Place place) const;
  double numeric(Numbers numbers, Number node) const;
  Expr numeric_as_written(Instances& in, Numbers numbers, Number node) const;
  Made expression(Instances& in, Numbers numbers, Number node, bool work_out) const;

  parser::List<parser::Equation> body_;
  std::vector<Node> nodes_;
  std::vector<Subscript> subscripts_;
  std::vector<Element> elements_;
  std::vector<std::pair<Number, Number>> equations_;
  bool works_out_ = false;   // there is an operation of numbers in it
};

}  // namespace mosim::compiler
