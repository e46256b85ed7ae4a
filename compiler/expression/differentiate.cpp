#include "compiler/expression/differentiate.hpp"

#include "compiler/expression/function_derivative.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace mosim::compiler {

namespace {

/// Builds derivatives; every argument may be the literal 0, which is absorbed.
struct Calculus {
  Expressions& x;

  Expr number(double v) { return x.real(v); }
  bool zero(Expr e) const { return x.is_number(e) && x.number(e) == 0; }
  Expr add(Expr a, Expr b) { return x.simplified(Op::add, BaseType::real, {a, b}); }
  Expr subtract(Expr a, Expr b) { return x.simplified(Op::subtract, BaseType::real, {a, b}); }
  Expr negate(Expr a) { return x.simplified(Op::negate, BaseType::real, {a}); }
  Expr multiply(Expr a, Expr b) {
    if (zero(a) || zero(b)) return number(0);
    return x.simplified(Op::multiply, BaseType::real, {a, b});
  }
  Expr divide(Expr a, Expr b) {
    if (zero(a)) return number(0);
    return x.simplified(Op::divide, BaseType::real, {a, b});
  }
  Expr call(Op op, Expr a) { return x.make(op, BaseType::real, {a}); }
  Expr square(Expr a) { return x.make(Op::multiply, BaseType::real, {a, a}); }
};

class TimeDerivative {
public:
  TimeDerivative(flat::Model& model, Place place, parser::Diagnostics& diagnostics, const LeafDerivative* given = nullptr)
      : model_(model), x_(model.expressions), c_{model.expressions}, place_(place), diagnostics_(diagnostics), given_(given) {}

  Expr operator()(Expr root) {
    wanted_children_first(
        x_, root, [&](Expr e) { return done_.count(index(e)) > 0; },
        [&](Expr e, std::size_t i) { return is_wanted(e, i); },
        [&](Expr e) {
          const Expr result = failed_ ? c_.number(0) : node(e);
          done_[index(e)] = result;
        });
    return failed_ ? Expr::none : done_[index(root)];
  }

private:
  Expr d(Expr e, std::size_t i) {
    const Expr child = x_.child(e, i);
    const auto it = done_.find(index(child));
    return it != done_.end() ? it->second : (*this)(child);
  }

  /// What no rule hands the derivative of over need not have one (MLS 12.7.1, noDerivative).
  bool is_wanted(Expr e, std::size_t i) const {
    if (x_.op(e) == Op::inlined) return false;
    if (x_.op(e) != Op::call) return true;
    const auto& rules = model_.functions[index(x_.function(e))].derivatives;
    return rules.empty() || std::any_of(rules.begin(), rules.end(), [&](const flat::DerivativeRule& r) {
      return i < r.inputs.size() && r.inputs[i] != flat::DerivativeRule::Handed::nothing;
    });
  }

  Expr refuse(std::string cause, std::string remedy = {}) {
    if (!failed_) diagnostics_.push_back({parser::Severity::error, place_, std::move(cause), std::move(remedy), {}});
    failed_ = true;
    return c_.number(0);
  }

  Expr leaf(Expr e) {
    if (given_ && (x_.op(e) == Op::variable || x_.op(e) == Op::derivative || x_.op(e) == Op::previous || x_.op(e) == Op::local)) return (*given_)(e);
    switch (x_.op(e)) {
      case Op::time: return c_.number(1);
      case Op::variable: {
        const flat::Variable& v = model_.variable(x_.variable(e));
        if (v.variability != flat::Variability::continuous || v.type != BaseType::real) return c_.number(0);
        return x_.of_variable(Op::derivative, x_.variable(e), BaseType::real, x_.place(e));
      }
      case Op::derivative: {
        const std::string& name = model_.variable(x_.variable(e)).name;
        return refuse("der() is applied to an expression that holds der(" + name + "): a second derivative",
                      "declare a variable for the first derivative, w = der(" + name + "), and differentiate w");
      }
      default: return c_.number(0);
    }
  }

  Expr power(Expr e, Expr a, Expr b) {
    const Expr da = d(e, 0), db = d(e, 1);
    if (c_.zero(db)) {
      if (c_.zero(da)) return c_.number(0);
      if (x_.is_number(b)) {
        const double n = x_.number(b);
        if (n == 2) return c_.multiply(c_.multiply(c_.number(2), a), da);
        if (n == 1) return da;
        const Expr lower = x_.make(Op::power, BaseType::real, {a, c_.number(n - 1)});
        return c_.multiply(c_.multiply(b, lower), da);
      }
      const Expr lower = x_.make(Op::power, BaseType::real, {a, c_.subtract(b, c_.number(1))});
      return c_.multiply(c_.multiply(b, lower), da);
    }
    // a^b (b' log a + b a'/a)
    return c_.multiply(e, c_.add(c_.multiply(db, c_.call(Op::log, a)), c_.divide(c_.multiply(b, da), a)));
  }

  Expr node(Expr e) {
    if (x_.children(e).empty()) return leaf(e);
    const Expr a = x_.child(e, 0);
    const Expr b = x_.children(e).size() > 1 ? x_.child(e, 1) : Expr::none;
    const auto chain = [&](Expr outer) { return c_.multiply(outer, d(e, 0)); };
    switch (x_.op(e)) {
      case Op::negate: return c_.negate(d(e, 0));
      case Op::add: return x_.type(e) == BaseType::string ? c_.number(0) : c_.add(d(e, 0), d(e, 1));
      case Op::subtract: return c_.subtract(d(e, 0), d(e, 1));
      case Op::multiply: return c_.add(c_.multiply(d(e, 0), b), c_.multiply(a, d(e, 1)));
      case Op::divide:
        if (c_.zero(d(e, 1))) return c_.divide(d(e, 0), b);
        return c_.divide(c_.subtract(c_.multiply(d(e, 0), b), c_.multiply(a, d(e, 1))), c_.square(b));
      case Op::power: return power(e, a, b);
      case Op::abs: {   // MLS 3.7.1.1: noEvent(if a >= 0 then a else -a). The derivative of a stands once: abs(abs(...)) stays short
        if (c_.zero(d(e, 0))) return c_.number(0);
        const Expr upward = x_.make(Op::greater_equal, BaseType::boolean, {a, c_.number(0)}, x_.place(e), true);
        return c_.multiply(x_.make(Op::if_, BaseType::real, {upward, c_.number(1), c_.number(-1)}, x_.place(e)), d(e, 0));
      }
      case Op::sqrt: return c_.divide(d(e, 0), c_.multiply(c_.number(2), e));
      case Op::sin: return chain(c_.call(Op::cos, a));
      case Op::cos: return chain(c_.negate(c_.call(Op::sin, a)));
      case Op::tan: return chain(c_.add(c_.number(1), c_.square(e)));
      case Op::asin: return c_.divide(d(e, 0), c_.call(Op::sqrt, c_.subtract(c_.number(1), c_.square(a))));
      case Op::acos: return c_.negate(c_.divide(d(e, 0), c_.call(Op::sqrt, c_.subtract(c_.number(1), c_.square(a)))));
      case Op::atan: return c_.divide(d(e, 0), c_.add(c_.number(1), c_.square(a)));
      case Op::atan2:
        return c_.divide(c_.subtract(c_.multiply(d(e, 0), b), c_.multiply(a, d(e, 1))),
                         c_.add(c_.square(a), c_.square(b)));
      case Op::sinh: return chain(c_.call(Op::cosh, a));
      case Op::cosh: return chain(c_.call(Op::sinh, a));
      case Op::tanh: return chain(c_.subtract(c_.number(1), c_.square(e)));
      case Op::exp: return chain(e);
      case Op::log: return c_.divide(d(e, 0), a);
      case Op::log10: return c_.divide(d(e, 0), c_.multiply(a, c_.number(std::log(10.0))));
      case Op::min:
      case Op::max: {
        if (d(e, 0) == d(e, 1)) return d(e, 0);
        const Op op = x_.op(e) == Op::min ? Op::less_equal : Op::greater_equal;
        const Expr first = x_.make(op, BaseType::boolean, {a, b}, x_.place(e), true);
        return x_.simplified(Op::if_, BaseType::real, {first, d(e, 0), d(e, 1)});
      }
      case Op::mod:
      case Op::rem: {
        if (c_.zero(d(e, 1))) return d(e, 0);
        const Op op = x_.op(e) == Op::mod ? Op::floor : Op::div;
        const Expr whole = op == Op::div ? x_.make(op, BaseType::real, {a, b}, x_.place(e), x_.literal(e))
                                         : x_.make(op, BaseType::real, {x_.make(Op::divide, BaseType::real, {a, b})},
                                                   x_.place(e), x_.literal(e));
        return c_.subtract(d(e, 0), c_.multiply(whole, d(e, 1)));
      }
      case Op::if_:
        return x_.simplified(Op::if_, BaseType::real, {a, d(e, 1), d(e, 2)}, x_.place(e));
      case Op::smooth: {
        // smooth(p, e): the derivative is smooth of one order less, and of no order below 0.
        const double order = x_.is_number(a) ? x_.number(a) : 0;
        if (order < 1) return d(e, 1);
        return x_.make(Op::smooth, BaseType::real, {x_.integer(x_.op(a) == Op::integer ? x_.integer_value(a) - 1 : 0), d(e, 1)}, x_.place(e));
      }
      case Op::semi_linear: {
        const auto slope = [&](std::size_t k) { return c_.add(c_.multiply(d(e, k), b), c_.multiply(x_.child(e, k), d(e, 1))); };
        return x_.simplified(Op::if_, BaseType::real, {a, slope(2), slope(3)}, x_.place(e));
      }
      case Op::homotopy: return x_.make(Op::homotopy, BaseType::real, {d(e, 0), d(e, 1)}, x_.place(e));
      case Op::delay: {
        if (given_) return refuse("delay() has no derivative here");
        if (!c_.zero(d(e, 1))) return refuse("delay() with a delay time that varies has no derivative here");
        std::vector<Expr> children(x_.children(e).begin(), x_.children(e).end());
        children[0] = d(e, 0);
        return x_.make(Op::delay, BaseType::real, children, x_.place(e));
      }
      case Op::spatial_distribution: return refuse("spatialDistribution has no derivative here");
      case Op::sample_clocked: case Op::sub_sample: case Op::super_sample: case Op::shift_sample:
      case Op::back_sample: case Op::no_clock:
        return refuse("a clock conversion operator has no derivative (MLS 16.5.2)",
                      "let a filter follow it in a partition with a solverMethod, and differentiate what comes out of that");
      case Op::element: case Op::item: return given_ ? (*given_)(e) : c_.number(0);   // outside of functions, of constants
      case Op::result: return of_function(e);
      case Op::inlined: return (*this)(x_.result_of_inlined(e));   // MLS 18.3: inlined after the function is differentiated
      // Piecewise constant: between events the derivative is 0.
      default: return c_.number(0);
    }
  }

  /// Does it hold what may change between events?
  bool varies(Expr root) const {
    bool found = false;
    Walker walker(x_);
    walker.each(root, [&](Expr e) {
      switch (x_.op(e)) {
        case Op::time: case Op::local: case Op::element: case Op::derivative: found = true; break;
        case Op::variable: {
          const flat::Variable& v = model_.variable(x_.variable(e));
          found = found || (v.variability == flat::Variability::continuous && v.type == BaseType::real);
          break;
        }
        default: break;
      }
      return !found;
    });
    return found;
  }

  /// A call of the function that an annotation names (MLS 12.7.1); none: none fits.
  Expr of_rule(Expr e, Expr call, FunctionId f) {
    using Handed = flat::DerivativeRule::Handed;
    const flat::Function function = model_.functions[index(f)];
    std::uint32_t which = 0;   // among the Real outputs
    for (std::uint32_t k = 0; k < x_.payload(e); ++k) which += model_.locals[index(function.outputs[k])].type == BaseType::real;
    // Only what comes from differentiation itself is known to be called with derivatives of one another: it has an operand more.
    const bool derived = x_.children(call).size() > function.inputs.size() && x_.op(x_.children(call).back()) == Op::boolean;
    for (const flat::DerivativeRule& rule : function.derivatives) {
      std::vector<Expr> arguments(x_.children(call).begin(), x_.children(call).begin() + static_cast<std::ptrdiff_t>(function.inputs.size()));
      bool fits = which < model_.functions[index(rule.function)].outputs.size() && (rule.order == 1 || derived);
      for (std::size_t k = 0; k < rule.inputs.size() && fits; ++k) {
        if (model_.locals[index(function.inputs[k])].type != BaseType::real) continue;
        if (rule.inputs[k] == Handed::derivative) arguments.push_back(d(call, k));
        if (rule.inputs[k] == Handed::zero) fits = c_.zero(d(call, k));
      }
      if (!fits) continue;
      if (!varies(call)) return c_.number(0);
      arguments.push_back(x_.boolean(true));
      const Expr result = x_.result(x_.call(rule.function, arguments, x_.place(call)), which, BaseType::real, x_.place(e));
      const Expr inlined = inlined_call(model_, rule.function, arguments, which);
      if (inlined == Expr::none) return result;
      return model_.functions[index(rule.function)].derivatives.empty() ? inlined : x_.inlined(inlined, result);
    }
    return Expr::none;
  }

  /// A call of the function that gives the derivatives.
  Expr of_function(Expr e) {
    if (x_.type(e) != BaseType::real) return c_.number(0);
    const Expr call = x_.child(e, 0);
    const FunctionId f = x_.function(call);
    const std::vector<LocalId> inputs = model_.functions[index(f)].inputs;
    std::vector<Expr> arguments(x_.children(call).begin(), x_.children(call).begin() + static_cast<std::ptrdiff_t>(inputs.size()));
    if (const Expr by_rule = of_rule(e, call, f); by_rule != Expr::none) return by_rule;
    bool constant = true;
    for (std::size_t k = 0; k < inputs.size(); ++k) {
      if (model_.locals[index(inputs[k])].type != BaseType::real) continue;
      arguments.push_back(d(call, k));
      constant = constant && c_.zero(arguments.back());
    }
    if (constant) return c_.number(0);
    const FunctionId derivative = derivative_function(model_, f, diagnostics_);
    if (derivative == FunctionId::none) {
      failed_ = true;   // and that was said
      return c_.number(0);
    }
    if (const Expr inlined = inlined_call(model_, derivative, arguments, x_.payload(e)); inlined != Expr::none) return inlined;
    return x_.result(x_.call(derivative, arguments, x_.place(call)), x_.payload(e), BaseType::real, x_.place(e));
  }

  flat::Model& model_;
  Expressions& x_;
  Calculus c_;
  Place place_;
  parser::Diagnostics& diagnostics_;
  const LeafDerivative* given_;
  bool failed_ = false;
  std::unordered_map<std::uint32_t, Expr> done_;   // small: it is made anew for every expression
};

}  // namespace

Expr differentiate_time(flat::Model& model, Expr e, Place place, parser::Diagnostics& diagnostics) {
  return TimeDerivative(model, place, diagnostics)(e);
}

Expr differentiate(flat::Model& model, Expr e, Place place, parser::Diagnostics& diagnostics,
                   const LeafDerivative& leaf) {
  return TimeDerivative(model, place, diagnostics, &leaf)(e);
}

std::optional<Linear> LinearForm::split(Expr root, Expr unknown) {
  entries_.clear();
  const Expr zero = x_.real(0);
  const auto simple = [&](Op op, Expr a, Expr b) { return x_.simplified(op, BaseType::real, {a, b}); };
  children_first(
      x_, root, [&](Expr e) { return entries_.has(e); },
      [&](Expr e) {
        Entry result;
        result.linear = true;
        if (e == unknown) {
          result.form = {x_.real(1), zero};
          entries_[e] = result;
          return;
        }
        bool holds = false, all_linear = true;
        for (Expr c : x_.children(e)) {
          const Entry& entry = entries_[c];
          holds = holds || !entry.linear || entry.form.coefficient != Expr::none;
          all_linear = all_linear && entry.linear;
        }
        if (!holds) {
          result.form = {Expr::none, e};
          entries_[e] = result;
          return;
        }
        result.linear = all_linear;
        if (all_linear) {
          // Copies: making expressions below may move nothing here, but references into entries_ could.
          const auto part = [&](std::size_t i) { return entries_[x_.child(e, i)].form; };
          const auto slope = [&](Linear f) { return f.coefficient == Expr::none ? zero : f.coefficient; };
          switch (x_.op(e)) {
            case Op::negate: {
              const Linear a = part(0);
              result.form = {x_.simplified(Op::negate, BaseType::real, {slope(a)}),
                             x_.simplified(Op::negate, BaseType::real, {a.offset})};
              break;
            }
            case Op::add:
            case Op::subtract: {
              const Linear a = part(0), b = part(1);
              result.form = {simple(x_.op(e), slope(a), slope(b)), simple(x_.op(e), a.offset, b.offset)};
              break;
            }
            case Op::multiply: {
              Linear a = part(0), b = part(1);
              if (a.coefficient != Expr::none && b.coefficient != Expr::none) {
                result.linear = false;
                break;
              }
              const bool left = a.coefficient != Expr::none;
              const Linear& inner = left ? a : b;
              const Expr factor = left ? b.offset : a.offset;
              const auto times = [&](Expr what) {
                if (x_.is_number(what) && x_.number(what) == 0) return zero;
                return left ? simple(Op::multiply, what, factor) : simple(Op::multiply, factor, what);
              };
              result.form = {times(inner.coefficient), times(inner.offset)};
              break;
            }
            case Op::divide: {
              const Linear a = part(0), b = part(1);
              if (b.coefficient != Expr::none) {
                result.linear = false;
                break;
              }
              const Expr offset = x_.is_number(a.offset) && x_.number(a.offset) == 0
                                      ? zero
                                      : simple(Op::divide, a.offset, b.offset);
              result.form = {simple(Op::divide, slope(a), b.offset), offset};
              break;
            }
            case Op::if_: {
              const Linear c = part(0), a = part(1), b = part(2);
              if (c.coefficient != Expr::none) {
                result.linear = false;
                break;
              }
              const auto either = [&](Expr p, Expr q) {
                return x_.simplified(Op::if_, BaseType::real, {c.offset, p, q}, x_.place(e));
              };
              result.form = {either(slope(a), slope(b)), either(a.offset, b.offset)};
              break;
            }
            case Op::smooth: result.form = part(1); break;
            case Op::inlined: result.form = part(0); break;
            default: result.linear = false; break;
          }
        }
        entries_[e] = result;
      });
  Entry entry = entries_[root];
  if (!entry.linear) return {};
  if (entry.form.coefficient == Expr::none) entry.form.coefficient = zero;
  return entry.form;
}

Degree LinearForm::combine(Expr e) {
  const auto of = [&](std::size_t i) { return degrees_[x_.child(e, i)]; };
  Degree highest = Degree::constant;
  for (std::size_t i = 0; i < x_.children(e).size(); ++i) highest = std::max(highest, of(i));
  if (highest == Degree::constant) return highest;
  switch (x_.op(e)) {
    case Op::negate: case Op::add: case Op::subtract: return highest;
    case Op::multiply:
      return of(0) != Degree::constant && of(1) != Degree::constant ? Degree::nonlinear : highest;
    case Op::divide: return of(1) != Degree::constant ? Degree::nonlinear : highest;
    case Op::if_: return of(0) != Degree::constant ? Degree::nonlinear : highest;
    case Op::smooth: return of(1);
    case Op::inlined: return of(0);
    default: return Degree::nonlinear;
  }
}

}  // namespace mosim::compiler
