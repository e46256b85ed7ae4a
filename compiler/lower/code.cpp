// Expressions as instructions.

#include <algorithm>
#include <utility>
#include <cmath>

#include "compiler/expression/print.hpp"
#include "compiler/lower/lowering.hpp"
#include "runtime/opcode.hpp"

namespace mosim::compiler {

using runtime::none;

runtime::Entry Lowering::instruction(Opcode op, std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d,
                                     Index origin) {
  runtime::Instruction i;
  i.op = op;
  i.a = a;
  i.b = b;
  i.c = c;
  i.d = d;
  p_.code.push_back(i);
  p_.code_origins.push_back(origin);
  return static_cast<Entry>(p_.code.size() - 1);
}

void Lowering::remember(Expr e, Slot slot) {
  known_[e] = slot + 1;
  known_order_.push_back(e);
}

void Lowering::close_scope() {
  while (known_order_.size() > scopes_.back()) {
    known_[known_order_.back()] = 0;
    known_order_.pop_back();
  }
  scopes_.pop_back();
}

runtime::Entry Lowering::begin_section() {
  known_.clear();
  known_order_.clear();
  scopes_.clear();
  run_ = next_temporary_ = 0;
  return section_ = here();
}

void Lowering::end_section(Runs runs) {
  known_.reset();
  std::vector<Expr>().swap(known_order_);
  if (runs != Runs::once) make_kernels(section_, runs == Runs::between_events);   // to find them takes longer than to run without
  instruction(Opcode::end);
  emit_deferred();
}

Expr Lowering::literal(Expr e, Reliance reliance) {
  if (e == Expr::none || x_.is_literal_leaf(e)) return e;
  return evaluate(model_, e, [this](VariableId v) {
    const dae::VariableFacts& facts = s_.facts[index(v)];
    return facts.has_value ? facts.value : Expr::none;
  }, nullptr, nullptr, reliance);
}

bool Lowering::can_fault_itself(Expr e) const {
  switch (x_.op(e)) {
    case Op::sqrt: case Op::log: case Op::log10: case Op::asin: case Op::acos: case Op::exp: case Op::sinh:
    case Op::cosh:
    case Op::within: case Op::element: case Op::item: case Op::call:
      return true;
    case Op::divide: case Op::div: case Op::mod: case Op::rem: return !(x_.is_number(x_.child(e, 1)) && x_.number(x_.child(e, 1)) != 0);
    case Op::power:
      return !(x_.is_number(x_.child(e, 1)) && x_.number(x_.child(e, 1)) >= 0 &&
               x_.number(x_.child(e, 1)) == std::floor(x_.number(x_.child(e, 1))));
    default: return false;
  }
}

/// In the course of a run: not by what is known before it, unless it is not evaluated at once.
bool Lowering::may_come_to_fault(Expr root) {
  if (!can_fault(root)) return false;
  std::vector<Expr> found;
  bool is_always_evaluated = true;
  walker_.each(root, [&](Expr e) {
    const Op op = x_.op(e);
    is_always_evaluated = is_always_evaluated && op != Op::if_ && op != Op::and_ && op != Op::or_;
    if (can_fault_itself(e)) found.push_back(e);
    return true;
  });
  return !is_always_evaluated || std::any_of(found.begin(), found.end(), [&](Expr e) {
    switch (x_.op(e)) {
      case Op::divide: case Op::div: case Op::mod: case Op::rem: return !known_before_run(x_.child(e, 1));
      default: return !known_before_run(e);
    }
  });
}

bool Lowering::can_fault(Expr root) {
  children_first(
      x_, root, [&](Expr e) { return fault_.has(e); },
      [&](Expr e) {
        bool fault = can_fault_itself(e);
        for (Expr c : x_.children(e)) fault = fault || fault_[c] == 2;
        fault_[e] = fault ? 2 : 1;
      });
  return fault_[root] == 2;
}

namespace {

runtime::Opcode plain(Op op) {
  using runtime::Opcode;
  switch (op) {
    case Op::negate: return Opcode::negate;
    case Op::add: return Opcode::add;
    case Op::subtract: return Opcode::subtract;
    case Op::multiply: return Opcode::multiply;
    case Op::divide: return Opcode::divide;
    case Op::power: return Opcode::power;
    case Op::not_: return Opcode::not_;
    case Op::and_: return Opcode::and_;
    case Op::or_: return Opcode::or_;
    case Op::less: return Opcode::less;
    case Op::less_equal: return Opcode::less_equal;
    case Op::greater: return Opcode::less;
    case Op::greater_equal: return Opcode::less_equal;
    case Op::equal: return Opcode::equal;
    case Op::not_equal: return Opcode::not_equal;
    case Op::abs: return Opcode::abs;
    case Op::sign: return Opcode::sign;
    case Op::sqrt: return Opcode::sqrt;
    case Op::sin: return Opcode::sin;
    case Op::cos: return Opcode::cos;
    case Op::tan: return Opcode::tan;
    case Op::asin: return Opcode::asin;
    case Op::acos: return Opcode::acos;
    case Op::atan: return Opcode::atan;
    case Op::atan2: return Opcode::atan2;
    case Op::sinh: return Opcode::sinh;
    case Op::cosh: return Opcode::cosh;
    case Op::tanh: return Opcode::tanh;
    case Op::exp: return Opcode::exp;
    case Op::log: return Opcode::log;
    case Op::log10: return Opcode::log10;
    case Op::min: return Opcode::min;
    case Op::max: return Opcode::max;
    case Op::div: return Opcode::div;
    case Op::mod: return Opcode::mod;
    case Op::rem: return Opcode::rem;
    case Op::within: return Opcode::within;
    case Op::ceil: return Opcode::ceil;
    case Op::floor: case Op::integer_of: return Opcode::floor;
    default: return Opcode::end;
  }
}

}  // namespace

runtime::Slot Lowering::leaf(Expr e) {
  switch (x_.op(e)) {
    case Op::real: return constant(e);
    case Op::integer: return constant(double(x_.integer_value(e)));
    case Op::boolean: case Op::enumeration: return constant(x_.payload(e));
    case Op::string: return constant(string_number(x_.string_value(e)));
    case Op::time: return runtime::slot_time;
    case Op::initial: return runtime::slot_initial;
    case Op::terminal: return runtime::slot_terminal;
    case Op::local: return local_[index(x_.local(e))];
    case Op::variable: case Op::derivative: case Op::pre: case Op::previous: {
      const Slot slot = slot_of(dae::quantity_of(x_, e));
      return slot == none ? runtime::slot_zero : slot;
    }
    default: return runtime::slot_zero;
  }
}

runtime::Slot Lowering::emit(Expr root, Slot target) {
  // Down the left spine without recursion: sums are deep there.
  const std::size_t base = spine_.size();   // emit() is entered again for the operands on the right
  Expr e = root;
  const auto is_known = [&](Expr n) { return known_.has(n) && known_[n] != 0; };
  Slot slot = none;
  for (;;) {
    if (x_.children(e).empty()) {
      slot = leaf(e);
      break;
    }
    if (is_known(e)) {
      slot = known_[e] - 1;
      break;
    }
    const Op op = x_.op(e);
    const Slot wanted = spine_.size() == base ? target : none;
    if (op == Op::if_) {
      slot = emit_choice(e, wanted);
      remember(e, slot);
      break;
    }
    if ((op == Op::and_ || op == Op::or_) && can_fault(x_.child(e, 1))) {
      slot = emit_short_circuit(e, wanted);
      remember(e, slot);
      break;
    }
    if (op == Op::homotopy) {
      slot = emit_homotopy(e, wanted);
      remember(e, slot);
      break;
    }
    if (op == Op::string_of || (op == Op::add && x_.type(e) == BaseType::string)) {
      slot = emit_text(e, wanted);
      remember(e, slot);
      break;
    }
    if ((op == Op::less || op == Op::less_equal || op == Op::greater || op == Op::greater_equal) &&
        x_.type(x_.child(e, 0)) == BaseType::string) {
      slot = emit_string_order(e, wanted);
      remember(e, slot);
      break;
    }
    if (op == Op::result || op == Op::element || op == Op::item || op == Op::extent) {
      slot = op == Op::result ? emit_result(e, wanted) : op == Op::element ? emit_element(e, wanted) : op == Op::item ? emit_item(e, wanted) : emit_extent(e, wanted);
      remember(e, slot);
      break;
    }
    if (op == Op::spatial_distribution) {
      // The position and the direction have variables of their own.
      slot = wanted != none ? wanted : temporary();
      instruction(Opcode::spatial_distribution, slot, 0, static_cast<std::uint32_t>(x_.integer_value(x_.child(e, 4))), spatial_distribution_of_.at(index(x_.variable(x_.child(e, 0)))));
      remember(e, slot);
      break;
    }
    if (op == Op::delay) {
      const Index number = delay_of_.at(index(x_.variable(x_.child(e, 0))));
      const Slot lag = emit(x_.child(e, 1));
      slot = wanted != none ? wanted : temporary();
      instruction(Opcode::delay, slot, lag, 0, number, origin(e));
      remember(e, slot);
      break;
    }
    spine_.push_back(e);
    // smooth(order, e) is e, and so is what was inlined.
    e = x_.child(e, op == Op::smooth ? 1 : 0);
  }
  while (spine_.size() > base) {
    e = spine_.back();
    spine_.pop_back();
    const Op op = x_.op(e);
    if (op == Op::smooth || op == Op::inlined || op == Op::ordinal || plain(op) == Opcode::end) continue;
    slot = emit_operation(e, slot, spine_.size() == base ? target : none);
    remember(e, slot);
  }
  if (target != none && slot != target) {
    instruction(Opcode::move, target, slot);
    slot = target;
  }
  return slot;
}

runtime::Index Lowering::quiet_relation(Expr e) {
  runtime::Relation r;
  const Op op = x_.op(e);
  switch (op) {
    case Op::less: r.comparison = runtime::Comparison::less; break;
    case Op::less_equal: r.comparison = runtime::Comparison::less_equal; break;
    case Op::greater: case Op::sign: r.comparison = runtime::Comparison::greater; break;
    case Op::greater_equal: r.comparison = runtime::Comparison::greater_equal; break;
    default: return none;
  }
  const auto it = quiet_.find(index(e));
  if (it != quiet_.end()) return it->second;
  // How large the sides are: of the variables and numbers in them.
  bool varies = false, real = false;
  double size = 0;
  for (Expr side : x_.children(e)) real = real || x_.type(side) == BaseType::real;
  if (!in_derivatives_ || !real) return none;
  walker_.each(e, [&](Expr n) {
    if (x_.is_number(n)) size = std::max(size, std::abs(x_.number(n)));
    varies = varies || x_.op(n) == Op::time || x_.op(n) == Op::delay || x_.op(n) == Op::spatial_distribution;
    const dae::Quantity q = dae::quantity_of(x_, n);
    if (q == dae::Quantity::none) return true;
    const dae::VariableKind kind = s_.fact(dae::variable(q)).kind;
    varies = varies || kind == dae::VariableKind::state || kind == dae::VariableKind::algebraic || dae::part(q) == dae::Part::derivative;
    size = std::max(size, nominal(dae::variable(q)));
    return true;
  });
  if (!varies) return none;
  r.quiet = true;
  r.epsilon = new_slot(1e-10 * (size > 0 ? size : 1));
  r.origin = op == Op::sign ? origin(x_.place(e), print_brief(model_, e) + " > 0", {e}) : origin(e);
  const auto number = static_cast<Index>(p_.relations.size());
  p_.relations.push_back(r);
  quiet_.emplace(index(e), number);
  quiet_order_.push_back(e);
  return number;
}

int Lowering::infinite_sign(Expr root) {
  constexpr int either = 2;   // the run knows which; where there is none, 0 times infinity, is a fault of the product
  const auto sum = [](int a, int b) { return a == 0 || b == 0 ? a + b : a == b && a != either ? a : 0; };
  const auto negated = [](int a) { return a == either ? a : -a; };
  const auto times = [&](Expr factor, int sign) { return sign == 0 ? 0 : !x_.is_number(factor) ? either : x_.number(factor) > 0 ? sign : x_.number(factor) < 0 ? negated(sign) : 0; };
  children_first(
      x_, root, [&](Expr e) { return overflow_.has(e); },
      [&](Expr e) {
        const auto child = [&](std::size_t i) { return overflow_[x_.child(e, i)] - 2; };
        int sign = 0;
        if (x_.type(e) == BaseType::real) {
          switch (x_.op(e)) {
            case Op::exp: case Op::cosh: sign = 1; break;
            case Op::negate: sign = negated(child(0)); break;
            case Op::add: sign = sum(child(0), child(1)); break;
            case Op::subtract: sign = sum(child(0), negated(child(1))); break;
            case Op::multiply: sign = child(0) != 0 && child(1) != 0 ? either : times(x_.child(e, 0), child(1)) + times(x_.child(e, 1), child(0)); break;
            default: break;
          }
        }
        overflow_[e] = static_cast<char>(sign + 2);
      });
  return overflow_[root] - 2;
}

runtime::Slot Lowering::emit_divisor(Expr root) {
  std::unordered_map<std::uint32_t, Slot> made;   // remembered here alone: elsewhere its overflow is a fault
  const auto slot_of = [&](Expr e) { return infinite_sign(e) == 0 ? emit(e) : made.at(index(e)); };
  children_first(
      x_, root, [&](Expr e) { return infinite_sign(e) == 0 || made.contains(index(e)); },
      [&](Expr e) {
        const bool one = x_.children(e).size() == 1;
        const Slot first = slot_of(x_.child(e, 0)), second = one ? 0 : slot_of(x_.child(e, 1)), result = temporary();
        // Marked: it may overflow. An exp has the mark beside its operand.
        instruction(plain(x_.op(e)), result, first, one ? runtime::may_overflow : second, one ? 0 : runtime::may_overflow, origin(e));
        made.emplace(index(e), result);
      });
  return slot_of(root);
}

runtime::Slot Lowering::emit_side(Expr e) {
  if (x_.type(e) != BaseType::real || x_.children(e).empty() || variability(model_, e) > flat::Variability::parameter) return emit(e);
  const bool before = std::exchange(may_be_infinite_, true);
  open_scope();   // elsewhere its overflow is a fault
  const Slot result = emit(e);
  close_scope();
  may_be_infinite_ = before;
  return result;
}

runtime::Slot Lowering::emit_operation(Expr e, Slot first, Slot target) {
  const Op op = x_.op(e);
  const Slot second = x_.children(e).size() < 2 ? 0 : op == Op::divide ? emit_divisor(x_.child(e, 1)) : emit(x_.child(e, 1));
  const Slot result = target != none ? target : temporary();
  Opcode code = plain(op);
  if (const Index number = quiet_relation(e); number != none) {
    if (op == Op::sign) instruction(Opcode::quiet_sign, result, first, runtime::slot_zero, number);
    else instruction(Opcode::quiet_relation, result, first, second, number);
    return result;
  }
  if (op == Op::power && x_.is_number(x_.child(e, 1)) && x_.number(x_.child(e, 1)) == 2) {
    instruction(Opcode::multiply, result, first, first, 0, origin(e));
    return result;
  }
  const bool marked = may_be_infinite_ && x_.type(e) == BaseType::real && (op == Op::add || op == Op::subtract || op == Op::multiply);
  // An Integer's zero has no sign: 0 - n instead of -n, and `whole` takes it away.
  if (op == Op::negate && x_.type(e) == BaseType::integer) instruction(Opcode::subtract, result, runtime::slot_zero, first);
  else if (op == Op::greater || op == Op::greater_equal) instruction(code, result, second, first);
  else instruction(code, result, first, second, marked ? runtime::may_overflow : 0, runtime::facts(code).faults ? origin(e) : none);
  if (x_.type(e) == BaseType::integer && (op == Op::add || op == Op::subtract || op == Op::multiply || op == Op::div || op == Op::integer_of))
    instruction(Opcode::whole, result, result, 0, 0, origin(e));
  return result;
}

runtime::Slot Lowering::emit_choice(Expr e, Slot target) {
  const Slot result = target != none ? target : temporary();
  std::vector<Entry> to_end;
  std::size_t scopes = 0;
  while (x_.op(e) == Op::if_ && !(known_.has(e) && known_[e] != 0)) {
    const Slot condition = emit(x_.child(e, 0));
    const Entry skip = jump(Opcode::jump_if_zero, condition);
    open_scope();
    emit(x_.child(e, 1), result);
    close_scope();
    to_end.push_back(jump(Opcode::jump));
    land(skip);
    // What the next condition needs is computed only if this one does not hold.
    open_scope();
    ++scopes;
    e = x_.child(e, 2);
  }
  emit(e, result);
  while (scopes-- > 0) close_scope();
  for (Entry j : to_end) land(j);
  return result;
}

runtime::Slot Lowering::emit_short_circuit(Expr e, Slot target) {
  const Slot first = emit(x_.child(e, 0));
  const Slot result = target != none ? target : temporary();
  instruction(Opcode::move, result, first);
  const Entry skip = jump(x_.op(e) == Op::and_ ? Opcode::jump_if_zero : Opcode::jump_if_nonzero, first);
  open_scope();
  emit(x_.child(e, 1), result);
  close_scope();
  land(skip);
  return result;
}

runtime::Slot Lowering::emit_text(Expr e, Slot target) {
  runtime::Text text;
  std::vector<std::pair<Expr, std::size_t>> values;
  add_pieces(text, e, values);
  for (const auto& [value, piece] : values) text.pieces[piece].value = emit(value);
  const Slot result = target != none ? target : temporary();
  p_.texts.push_back(std::move(text));
  instruction(Opcode::text, result, 0, 0, static_cast<Index>(p_.texts.size() - 1));
  return result;
}

runtime::Slot Lowering::emit_string_order(Expr e, Slot target) {
  const Slot first = emit(x_.child(e, 0)), second = emit(x_.child(e, 1));
  const Slot result = target != none ? target : temporary();
  const Op op = x_.op(e);
  const bool other_way = op == Op::greater || op == Op::less_equal;
  instruction(Opcode::precedes, result, other_way ? second : first, other_way ? first : second);
  if (op == Op::less_equal || op == Op::greater_equal) instruction(Opcode::not_, result, result);
  return result;
}

runtime::Slot Lowering::emit_homotopy(Expr e, Slot target) {
  if (!in_initial_) return emit(x_.child(e, 0), target);
  // lambda*actual + (1 - lambda)*simplified: exact at both ends.
  const Slot actual = emit(x_.child(e, 0)), simplified = emit(x_.child(e, 1));
  const Slot one = temporary(), other = temporary(), rest = temporary();
  instruction(Opcode::multiply, one, runtime::slot_lambda, actual);
  instruction(Opcode::subtract, rest, runtime::slot_one, runtime::slot_lambda);
  instruction(Opcode::multiply, other, rest, simplified);
  const Slot result = target != none ? target : temporary();
  instruction(Opcode::add, result, one, other);
  return result;
}

}  // namespace mosim::compiler
