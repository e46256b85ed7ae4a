// Operations on constants that have no value: known before the run, they are errors of the model.

#include <fmt/format.h>

#include <cmath>
#include <unordered_map>

#include "compiler/expression/evaluate.hpp"
#include "compiler/expression/print.hpp"
#include "compiler/expression/walk.hpp"
#include "compiler/flatten/flattening.hpp"
#include "compiler/instantiate/instances.hpp"

namespace mosim::compiler {

namespace {

class Domains {
public:
  explicit Domains(Instances& in) : in_(in), ex_(in.model.expressions), walker_(ex_) {}

  void check(Expr e) {
    if (e == Expr::none) return;
    if (!known_.empty()) known_ = {}, parts_ = {};
    roots_.push_back(e);
    while (!roots_.empty() && !in_.exhausted) {
      const Expr root = roots_.back();
      roots_.pop_back();
      walker_.more(root, [this](Expr x) { return visit(x); });
    }
  }

private:
  /// The number of an expression of constants alone; not a number for any other.
  double constant(Expr e) {
    if (ex_.is_number(e)) return ex_.number(e);
    if (variability(in_.model, e, known_) != flat::Variability::constant) return std::nan("");
    const Expr known = evaluated(e);
    return known != Expr::none && ex_.is_number(known) ? ex_.number(known) : std::nan("");
  }

  Expr evaluated(Expr e) { return in_.evaluated(e, Reliance::value, &parts_); }

  void complain(Expr e, std::string cause) {
    const Expr argument = ex_.child(e, ex_.children(e).size() - 1);
    if (!ex_.is_number(argument)) cause += fmt::format(" ({})", print_brief(in_.model, argument));
    in_.error(ex_.place(e), std::move(cause));
  }

  /// False where the operands are carried out under a condition: they are seen to only if it is known.
  bool visit(Expr e) {
    switch (ex_.op(e)) {
      case Op::if_: {
        const Expr condition = ex_.child(e, 0);
        roots_.push_back(condition);
        if (variability(in_.model, condition, known_) != flat::Variability::constant) return false;
        const Expr known = evaluated(condition);
        if (known != Expr::none) roots_.push_back(ex_.child(e, ex_.payload(known) ? 1 : 2));
        return false;
      }
      case Op::and_:
      case Op::or_: roots_.push_back(ex_.child(e, 0)); return false;
      case Op::divide:
      case Op::div:
      case Op::mod:
      case Op::rem:
        if (constant(ex_.child(e, 1)) == 0) complain(e, "division by zero");
        break;
      case Op::sqrt:
        if (const double x = constant(ex_.child(e, 0)); x < 0) complain(e, fmt::format("square root of a negative number, {}", x));
        break;
      case Op::log:
      case Op::log10:
        if (const double x = constant(ex_.child(e, 0)); x <= 0) complain(e, fmt::format("logarithm of {}, which is not positive", x));
        break;
      case Op::asin:
      case Op::acos:
        if (const double x = constant(ex_.child(e, 0)); x < -1 || x > 1)
          complain(e, fmt::format("{} of {}, which is not between -1 and 1", ex_.op(e) == Op::asin ? "asin" : "acos", x));
        break;
      case Op::power:
        if (const double x = constant(ex_.child(e, 0)), y = constant(ex_.child(e, 1)); x == 0 && y < 0)
          complain(e, fmt::format("zero to a negative power, 0 ^ {}", y));
        else if (x < 0 && y != std::floor(y))
          complain(e, fmt::format("a negative number to a power that is not whole, {} ^ {}", x, y));
        else
          too_large(e, std::pow(x, y));
        break;
      case Op::exp: too_large(e, std::exp(constant(ex_.child(e, 0)))); break;
      case Op::sinh: too_large(e, std::sinh(constant(ex_.child(e, 0)))); break;
      case Op::cosh: too_large(e, std::cosh(constant(ex_.child(e, 0)))); break;
      case Op::integer:
        if (std::abs(ex_.number(e)) > largest_exact) inexact(e, "this number");
        break;
      case Op::integer_of:
        if (std::abs(constant(ex_.child(e, 0))) > largest_exact) inexact(e, "the result");
        break;
      case Op::add:
      case Op::subtract:
      case Op::multiply:
        if (ex_.type(e) == BaseType::integer) {
          const double x = constant(ex_.child(e, 0)), y = constant(ex_.child(e, 1));
          const double result = ex_.op(e) == Op::add ? x + y : ex_.op(e) == Op::subtract ? x - y : x * y;
          if (std::abs(result) > largest_exact) inexact(e, "the result");
        }
        break;
      default: break;
    }
    return true;
  }

  void too_large(Expr e, double result) {
    if (std::isinf(result)) complain(e, "the result is too large for a number");
  }
  void inexact(Expr e, std::string_view what) {
    in_.error(ex_.place(e), fmt::format("{} is an Integer beyond 2^53 = {:.0f}, where whole numbers are no longer exact", what, largest_exact),
              "make it a Real");
  }

  Instances& in_;
  Expressions& ex_;
  Walker walker_;
  std::vector<Expr> roots_;
  // Of parts of one side of an equation: what is asked for them one by one would be found anew from each.
  std::unordered_map<Expr, flat::Variability> known_;
  Parts parts_;
};

}  // namespace

void check_domains(Instances& in) {
  Domains domains(in);
  for (const flat::Variable& v : in.model.variables) {
    domains.check(v.binding);
    domains.check(v.start);
  }
  for (const auto* equations : {&in.model.equations, &in.model.initial_equations})
    for (const flat::Equation& e : *equations) {
      domains.check(e.left);
      domains.check(e.right);
    }
  for (const auto* algorithms : {&in.model.algorithms, &in.model.initial_algorithms})
    for (const flat::Algorithm& a : *algorithms)
      for (const flat::Statement& s : a.statements)
        if (const auto* assignment = std::get_if<flat::Assignment>(&s.node)) domains.check(assignment->value);
}

}  // namespace mosim::compiler
