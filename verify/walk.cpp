#include "verify/walk.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mosim::verify {

using namespace compiler;

namespace {
constexpr double root_rounding = 200;    // a crossing is located to within so many roundings of the time
constexpr double rounding_band = 1e-7;   // of the operands: a relation as written may be either

bool is_relation(Op op) { return op == Op::less || op == Op::less_equal || op == Op::greater || op == Op::greater_equal; }
constexpr const char* by_derivative = "with a derivative that nothing holds";
constexpr const char* by_operation = "with an operation that is not looked into";
bool is_rounding(Op op) {
  return op == Op::floor || op == Op::ceil || op == Op::integer_of || op == Op::div || op == Op::mod || op == Op::rem;
}
}  // namespace

Walk::Walk(const dae::System& system, const Values& values) : s_(system), x_(system.model.expressions), values_(values), bodies_(system.model) {
  for (std::size_t k = 0; k < system.relations.size(); ++k) relations_.emplace(index(system.relations[k].source), runtime::Index(k));
  for (std::size_t k = 0; k < system.event_functions.size(); ++k) functions_.emplace(index(system.event_functions[k].source), runtime::Index(k));
  for (const flat::Equation& e : system.model.equations)
    for (const auto& [one, other] : {std::pair{e.left, e.right}, {e.right, e.left}})
      if (x_.op(one) == Op::variable) defined_by_.emplace(index(x_.variable(one)), other);
  for (std::uint32_t k = 0; k < system.facts.size(); ++k)
    if (system.facts[k].kind == dae::VariableKind::alias && defined_by_.contains(k)) other_names_.emplace(index(system.facts[k].alias_of), static_cast<VariableId>(k));
}

void Walk::move_to(const runtime::Machine& machine, Moment moment) {
  m_ = &machine;
  moment_ = moment;
  forget();
  assigned_.clear();
  derivatives_.clear();
  widest_band_ = 0;
  for (const runtime::RelationState& state : machine.relations) widest_band_ = std::max(widest_band_, 4 * state.epsilon);
}

void Walk::forget() {
  plain_.clear();
  with_derivatives_.clear();
}

void Walk::assign(VariableId v, Number value) {
  assigned_[index(v)] = value;
  forget();
}

void Walk::forget_assignments() {
  if (!assigned_.empty()) forget();
  assigned_.clear();
}

Number Walk::operator()(Expr root) {
  if (known_->has(root)) return (*known_)[root];
  struct Step {
    Expr e;
    std::size_t asked;   // 0: nothing yet; of an if-expression then the condition, then the branch
  };
  std::vector<Step> stack{{root, 0}};
  while (!stack.empty()) {
    Step& step = stack.back();
    const Expr e = step.e;
    const auto children = x_.children(e);
    if (known_->has(e)) {
      stack.pop_back();
      continue;
    }
    const std::size_t asked = step.asked++;
    if (x_.op(e) == Op::if_ && asked < 2) {
      if (asked == 0) {
        stack.push_back({children[0], 0});
        continue;
      }
      if (const double taken = (*known_)[children[0]].value; !std::isnan(taken)) {
        stack.push_back({children[taken != 0 ? 1 : 2], 0});
        continue;
      }
    } else if (asked == 0 && !children.empty()) {
      for (std::size_t i = children.size(); i-- > 0;)
        if (!known_->has(children[i])) stack.push_back({children[i], 0});
      continue;
    }
    stack.pop_back();
    const Number n = evaluate(e);
    (*known_)[e] = n;
  }
  return (*known_)[root];
}

Number Walk::evaluate(Expr e) {
  Number n = x_.children(e).empty() ? leaf(e) : operation(e);
  if (x_.type(e) == BaseType::integer) n.value += 0.0;   // its zero has no sign
  n.size = std::max(n.size, std::abs(n.value));
  return n;
}

Number Walk::leaf(Expr e) {
  switch (x_.op(e)) {
    case Op::real: case Op::integer: return {x_.number(e), 0, 0};
    case Op::boolean: case Op::enumeration: return {double(x_.payload(e)), 0, 0};
    case Op::time: return {m_->memory[runtime::slot_time], 0, 1};
    case Op::initial: return {double(moment_ == Moment::initial), 0, 0};
    case Op::terminal: return {m_->memory[runtime::slot_terminal], 0, 0};
    case Op::variable: {
      const VariableId v = x_.variable(e);
      if (const auto it = assigned_.find(index(v)); it != assigned_.end()) return it->second;
      Number n = values_.value(*m_, v);
      if (const auto dot = values_.derivative(*m_, v)) n.dot = dot->value;
      else if (!open_.empty()) n.dot = derivative(v).value;
      else n.dot = nan;
      return n;
    }
    case Op::derivative: return derivative(x_.variable(e));
    case Op::pre: {
      const VariableId v = x_.variable(e);
      return {values_.pre(*m_, v), values_.value(*m_, v).size, 0};
    }
    case Op::edge: case Op::change: return {0, 0, 0};
    case Op::local: return bodies_.local(x_.local(e));
    default: unknown = by_operation; return {nan, nan, nan};
  }
}

Number Walk::derivative(VariableId v) {
  if (const auto own = values_.derivative(*m_, v)) return *own;
  if (const auto it = derivatives_.find(index(v)); it != derivatives_.end()) {
    if (std::isnan(it->second.value)) unknown = by_derivative;
    return it->second;
  }
  const auto defined = defined_by_.find(index(v));
  // R*i = u - v with R = 0: v is u by another name, as its values show at every row.
  if (defined == defined_by_.end()) {
    const dae::VariableFacts& facts = s_.fact(v);
    const auto other = other_names_.find(index(v));
    const bool is_alias = facts.kind == dae::VariableKind::alias;
    if (is_alias || other != other_names_.end()) {
      Number n = derivative(is_alias ? facts.alias_of : other->second);
      if (is_alias ? facts.negated : s_.fact(other->second).negated) n.value = -n.value;
      return n;
    }
  }
  if (defined == defined_by_.end() || open_.size() > 50 || std::find(open_.begin(), open_.end(), v) != open_.end()) {
    unknown = by_derivative;
    return {nan, nan, nan};
  }
  // What has been evaluated without them lacks the derivatives that only this asks for.
  open_.push_back(v);
  Scratch<Number>* const outer = known_;
  known_ = &with_derivatives_;
  const Number side = (*this)(defined->second);
  known_ = outer;
  open_.pop_back();
  if (std::isnan(side.dot)) unknown = by_derivative;
  const Number result{side.dot, std::max(std::abs(side.dot), side.size), nan};
  derivatives_[index(v)] = result;
  return result;
}

/// A difference that is none within rounding, within the band of a relation, or within the rounding of the instant: either side is right.
bool Walk::is_close(Number difference, double size) const {
  return std::abs(difference.value) <= std::max({rounding_band * size, widest_band_, moved(difference.dot)});
}

double Walk::moved(double speed) const {
  const double instant = root_rounding * std::numeric_limits<double>::epsilon() * std::max(std::abs(m_->memory[runtime::slot_time]), std::abs(m_->farthest_time));
  return std::isfinite(speed) ? std::abs(speed) * instant : 0;
}

Number Walk::relation(Expr e) {
  const Number a = (*known_)[x_.child(e, 0)], b = (*known_)[x_.child(e, 1)];
  const Op op = x_.op(e);
  const auto held = x_.literal(e) || moment_ == Moment::initial || !assigned_.empty() ? relations_.end() : relations_.find(index(e));
  if (held != relations_.end()) return {double(m_->relations[held->second].value), 0, 0};
  if (x_.type(x_.child(e, 0)) == BaseType::string) unknown = by_operation;
  if (x_.type(x_.child(e, 0)) == BaseType::real && is_close({a.value - b.value, 0, a.dot - b.dot}, std::max(a.size, b.size))) close = true;
  if (std::isnan(a.value) || std::isnan(b.value)) return {nan, nan, 0};
  const bool value = op == Op::less ? a.value < b.value : op == Op::less_equal ? a.value <= b.value
                     : op == Op::greater ? a.value > b.value : a.value >= b.value;
  return {double(value), 0, 0};
}

Number Walk::rounding(Expr e) {
  const Number a = (*known_)[x_.child(e, 0)];
  const bool two = x_.children(e).size() > 1;
  const Number b = two ? (*known_)[x_.child(e, 1)] : Number{1, 1, 0};
  const double ratio = a.value / b.value;
  const Op op = x_.op(e);
  const auto held = x_.literal(e) || moment_ == Moment::initial || !assigned_.empty() ? functions_.end() : functions_.find(index(e));
  double whole = 0;
  if (held != functions_.end()) {
    whole = m_->event_functions[held->second].value;
  } else {
    if (x_.type(x_.child(e, 0)) == BaseType::real || (two && x_.type(x_.child(e, 1)) == BaseType::real))
      if (std::abs(ratio - std::round(ratio)) <= rounding_band * std::max(1.0, std::abs(ratio))) close = true;
    whole = op == Op::ceil ? std::ceil(ratio) : op == Op::div || op == Op::rem ? std::trunc(ratio) : std::floor(ratio);
  }
  if (op == Op::mod || op == Op::rem) return {a.value - whole * b.value, a.size + std::abs(whole) * b.size, a.dot};
  return {whole, 0, 0};
}

Number Walk::operation(Expr e) {
  const Op op = x_.op(e);
  const auto child = [&](std::size_t i) -> const Number& { return (*known_)[x_.child(e, i)]; };
  if (is_relation(op)) return relation(e);
  if (is_rounding(op)) return rounding(e);
  const Number& a = child(0);
  // f of one operand with its derivative there.
  const auto one = [&](double value, double slope) { return Number{value, std::abs(slope) * a.size, slope * a.dot}; };
  switch (op) {
    case Op::negate: return one(-a.value, -1);
    case Op::add: return {a.value + child(1).value, a.size + child(1).size, a.dot + child(1).dot};
    case Op::subtract: return {a.value - child(1).value, a.size + child(1).size, a.dot - child(1).dot};
    case Op::multiply: {
      const Number& b = child(1);
      return {a.value * b.value, std::abs(a.value) * b.size + a.size * std::abs(b.value), a.value * b.dot + a.dot * b.value};
    }
    case Op::divide: {
      const Number& b = child(1);
      if (std::isinf(b.value) && std::abs(a.value) <= runtime::largest_dividend) return {0, 0, 0};
      const double ratio = a.value / b.value;
      return {ratio, (a.size + std::abs(ratio) * b.size) / std::abs(b.value), (a.dot - ratio * b.dot) / b.value};
    }
    case Op::power: {
      const Number& b = child(1);
      const double value = b.value == 2 ? a.value * a.value : std::pow(a.value, b.value);
      const double slope = b.value == 0 ? 0 : b.value * std::pow(a.value, b.value - 1);
      const double by_exponent = a.value > 0 ? std::log(a.value) * value : 0;
      // Where a root begins, its slope has no end: as far as a rounding of the base leads.
      constexpr double rounded = 1e-16;
      const double by_base = std::isfinite(slope) ? std::abs(slope) * a.size : b.value > 0 ? std::pow(rounded * a.size, b.value) / rounded : 0;
      return {value, by_base + std::abs(by_exponent) * b.size, slope * a.dot + by_exponent * b.dot};
    }
    case Op::not_: return {double(a.value == 0), 0, 0};
    case Op::and_: return {double(a.value != 0 && child(1).value != 0), 0, 0};
    case Op::or_: return {double((a.value != 0 && !std::isnan(a.value)) || child(1).value != 0), 0, 0};
    case Op::equal: case Op::not_equal:
      if (x_.type(x_.child(e, 0)) == BaseType::string) unknown = by_operation;
      return {double((a.value == child(1).value) == (op == Op::equal)), 0, 0};
    case Op::if_:
      if (std::isnan(a.value)) return {nan, nan, nan};
      return a.value != 0 ? child(1) : child(2);
    case Op::abs: return one(std::abs(a.value), a.value < 0 ? -1 : 1);
    case Op::sign:
      if (is_close(a, a.size)) close = true;
      return {double((a.value > 0) - (a.value < 0)), 0, 0};
    case Op::sqrt: return one(std::sqrt(a.value), 0.5 / std::max(std::sqrt(a.value), 1e-8));
    case Op::sin: return one(std::sin(a.value), std::cos(a.value));
    case Op::cos: return one(std::cos(a.value), -std::sin(a.value));
    case Op::tan: return one(std::tan(a.value), 1 + std::tan(a.value) * std::tan(a.value));
    case Op::asin: return one(std::asin(a.value), 1 / std::sqrt(std::max(1 - a.value * a.value, 1e-16)));
    case Op::acos: return one(std::acos(a.value), -1 / std::sqrt(std::max(1 - a.value * a.value, 1e-16)));
    case Op::atan: return one(std::atan(a.value), 1 / (1 + a.value * a.value));
    case Op::atan2: {
      const Number& b = child(1);
      const double square = std::max(a.value * a.value + b.value * b.value, 1e-300);
      return {std::atan2(a.value, b.value), (std::abs(b.value) * a.size + std::abs(a.value) * b.size) / square,
              (b.value * a.dot - a.value * b.dot) / square};
    }
    case Op::sinh: return one(std::sinh(a.value), std::cosh(a.value));
    case Op::cosh: return one(std::cosh(a.value), std::sinh(a.value));
    case Op::tanh: return one(std::tanh(a.value), 1 - std::tanh(a.value) * std::tanh(a.value));
    case Op::exp: return one(std::exp(a.value), std::exp(a.value));
    case Op::log: return one(std::log(a.value), 1 / a.value);
    case Op::log10: return one(std::log10(a.value), 1 / (a.value * std::log(10.0)));
    case Op::min: return a.value <= child(1).value ? a : child(1);
    case Op::max: return a.value >= child(1).value ? a : child(1);
    case Op::ordinal: case Op::within: return a;
    case Op::sample: return {0, 0, 0};   // its pulse is over after the first round
    case Op::homotopy: return a;
    case Op::smooth: return child(1);
    case Op::inlined: return {a.value, a.size, nan};   // its derivative is that of another function
    case Op::element: return bodies_.element(x_.local(e), a.value);
    case Op::call: {
      std::vector<Number> arguments;
      for (std::size_t i = 0; i < x_.children(e).size(); ++i) arguments.push_back(child(i));
      results_[index(e)] = bodies_.call(*this, x_.function(e), arguments);
      return {0, 0, 0};
    }
    case Op::result: {
      const std::vector<Number>& all = results_[index(x_.child(e, 0))];
      return x_.payload(e) < all.size() ? all[x_.payload(e)] : Number{nan, nan, nan};
    }
    default: unknown = by_operation; return {nan, nan, nan};
  }
}

}  // namespace mosim::verify
