// Unknowns and equations with their derivatives.

#include <fmt/format.h>

#include <algorithm>

#include "compiler/analyse/index_reduction.hpp"
#include "compiler/expression/differentiate.hpp"

namespace mosim::compiler::dae {

namespace {

bool varies(VariableKind kind) { return kind == VariableKind::state || kind == VariableKind::algebraic; }

}  // namespace

Tower::Tower(Analysis& a, const Problem& problem, const Matcher& matching)
    : a_(a), x_(a.x()), canonical_(a.x(), [this](Expr e) {
        const Quantity q = quantity_of(x_, e);
        if (q == Quantity::none || part(q) != Part::derivative) return Expr::none;
        const std::uint32_t u = number_of(q);
        return u == none ? Expr::none : a_.leaf(unknowns[u].leaf);
      }) {
  const std::size_t n = a.model().variables.size();
  derivative_.assign(n, VariableId::none);
  is_derivative_.assign(n, 0);
  is_link_.assign(a.equations.size(), 0);
  link_derivatives();
  find_steady();
  for (std::uint32_t i = 0; i < n; ++i) {
    const auto v = static_cast<VariableId>(i);
    if (varies(a.fact(v).kind) && a.variable(v).type == BaseType::real && !is_derivative_[i] && !steady_[i]) add_chain(v);
  }
  for (std::uint32_t e = 0; e < a.equations.size(); ++e) {
    if (is_link_[e]) continue;
    if (gives_steady_[e] || !is_continuous(a.equations[e])) {
      others.push_back(a.equations[e]);
      continue;
    }
    Row row;
    row.equation = a.equations[e];
    find_unknowns(row);
    const std::uint32_t matched = matching.unknown_of(e);
    const std::uint32_t u = matched == unmatched ? none : number_of(problem.unknowns[matched]);
    if (u != none && is_highest(u) && unknowns[u].equation == none && (!row.has_signals || std::binary_search(row.unknowns.begin(), row.unknowns.end(), u))) {
      row.unknown = u;
      unknowns[u].equation = static_cast<std::uint32_t>(equations.size());
    }
    equations.push_back(std::move(row));
  }
}

bool Tower::is_continuous(const Equation& e) const {
  if (e.clock != none || x_.type(e.left) != BaseType::real) return false;
  return e.target == Quantity::none || (part(e.target) != Part::pre && varies(a_.fact(variable(e.target)).kind));
}

/// der(from) = to
bool Tower::may_link(const Equation& e, VariableId& from, VariableId& to) const {
  if (e.why != Why::equation || e.target != Quantity::none || e.clock != none) return false;
  Expr one = e.left, other = e.right;
  if (x_.op(one) != Op::derivative) std::swap(one, other);
  if (x_.op(one) != Op::derivative || x_.op(other) != Op::variable) return false;
  from = x_.variable(one);
  to = x_.variable(other);
  return varies(a_.fact(from).kind) && varies(a_.fact(to).kind);
}

void Tower::link_derivatives() {
  for (std::uint32_t i = 0; i < a_.equations.size(); ++i) {
    VariableId from = VariableId::none, to = VariableId::none;
    if (!may_link(a_.equations[i], from, to)) continue;
    if (derivative_[index(from)] != VariableId::none || is_derivative_[index(to)]) continue;
    VariableId end = to;   // x = der(y), y = der(x) is no chain
    while (end != from && derivative_[index(end)] != VariableId::none) end = derivative_[index(end)];
    if (end == from) continue;
    derivative_[index(from)] = to;
    is_derivative_[index(to)] = 1;
    is_link_[i] = 1;
    links_.emplace(index(from), a_.equations[i]);
  }
}

void Tower::set_number(Quantity q, std::uint32_t number) {
  if (index(q) >= number_.size()) number_.resize(index(q) + index(q) / 2 + 64, none);
  number_[index(q)] = number;
}

std::uint32_t Tower::add_unknown(Quantity leaf, std::uint32_t lower) {
  const auto number = static_cast<std::uint32_t>(unknowns.size());
  Unknown u;
  u.leaf = leaf;
  u.root = lower == none ? number : unknowns[lower].root;
  u.order = lower == none ? 0 : unknowns[lower].order + 1;
  u.lower = lower;
  if (lower != none) unknowns[lower].higher = number;
  unknowns.push_back(u);
  set_number(leaf, number);
  return number;
}

void Tower::add_chain(VariableId v) {
  std::uint32_t last = add_unknown(quantity(v), none);
  unknowns[last].given = true;
  for (;;) {
    const VariableId next = derivative_[index(v)];
    const bool is_state = a_.fact(v).kind == VariableKind::state;
    if (next == VariableId::none && !is_state) return;
    last = add_unknown(next == VariableId::none ? quantity(v, Part::derivative) : quantity(next), last);
    unknowns[last].given = true;
    if (next == VariableId::none) return;
    set_number(quantity(v, Part::derivative), last);
    v = next;
  }
}

std::uint32_t Tower::highest(std::uint32_t unknown) const {
  while (unknowns[unknown].higher != none) unknown = unknowns[unknown].higher;
  return unknown;
}

/// v = what parameters give, as the ratio of a transformer without a tap changer: such variables, and those that follow from them alone.
void Tower::find_steady() {
  steady_.assign(a_.model().variables.size(), 0);
  gives_steady_.assign(a_.equations.size(), 0);
  struct Candidate {
    std::uint32_t equation;
    VariableId variable;
    std::size_t waits;   // for so many variables on its other side
  };
  std::vector<Candidate> candidates;
  std::vector<std::vector<std::uint32_t>> waiting(a_.model().variables.size());   // candidates
  std::vector<std::uint32_t> ready;
  std::vector<VariableId> on_other_side;
  const auto may_stand_still = [&](Expr side) {
    bool still = true;
    on_other_side.clear();
    a_.walker.each(side, [&](Expr n) {
      switch (x_.op(n)) {
        case Op::time: case Op::derivative: case Op::pre: case Op::previous: case Op::delay: case Op::spatial_distribution: case Op::call: case Op::inlined: still = false; break;
        case Op::variable: {
          const VariableKind kind = a_.fact(x_.variable(n)).kind;
          if (kind == VariableKind::algebraic) on_other_side.push_back(x_.variable(n));
          else still = still && (kind == VariableKind::constant || kind == VariableKind::parameter || kind == VariableKind::free_parameter);
          break;
        }
        default: break;
      }
      return still;
    });
    return still;
  };
  for (std::uint32_t i = 0; i < a_.equations.size(); ++i) {
    const Equation& e = a_.equations[i];
    if (e.why != Why::equation || e.target != Quantity::none || e.clock != none || e.guard != Expr::none) continue;
    for (const auto& [one, other] : {std::pair(e.left, e.right), std::pair(e.right, e.left)}) {
      if (x_.op(one) != Op::variable) continue;
      const VariableId v = x_.variable(one);
      if (a_.fact(v).kind != VariableKind::algebraic || is_derivative_[index(v)] || !may_stand_still(other)) continue;
      const auto number = static_cast<std::uint32_t>(candidates.size());
      candidates.push_back({i, v, on_other_side.size()});
      for (const VariableId w : on_other_side) waiting[index(w)].push_back(number);
      if (on_other_side.empty()) ready.push_back(number);
    }
  }
  for (std::size_t k = 0; k < ready.size(); ++k) {
    const auto [equation, v, waits] = candidates[ready[k]];
    if (gives_steady_[equation] || steady_[index(v)]) continue;
    steady_[index(v)] = gives_steady_[equation] = 1;
    for (const std::uint32_t c : waiting[index(v)])
      if (--candidates[c].waits == 0) ready.push_back(c);
  }
}

void Tower::find_unknowns(Row& row) {
  a_.walker.restart();
  for (Expr side : {row.equation.left, row.equation.right})
    a_.walker.more(side, [&](Expr n) {
      const Quantity q = quantity_of(x_, n);
      if (q != Quantity::none) {
        const std::uint32_t u = number_of(q);
        if (u != none) row.unknowns.push_back(u);
        return false;
      }
      // A signal whose derivatives are signals of their own: nothing of it is differentiated, so that it is as good as known here.
      row.has_signals = row.has_signals || x_.op(n) == Op::inlined;
      if (x_.op(n) == Op::inlined) return false;
      // What stands under these has no derivative but 0.
      switch (x_.op(n)) {
        case Op::floor: case Op::ceil: case Op::div: case Op::sign: case Op::delay: return false;
        default: return x_.type(n) == BaseType::real;
      }
    });
  std::sort(row.unknowns.begin(), row.unknowns.end());
  row.unknowns.erase(std::unique(row.unknowns.begin(), row.unknowns.end()), row.unknowns.end());
}

void Tower::name_derivative(std::uint32_t unknown) {
  if (part(unknowns[unknown].leaf) != Part::derivative) return;
  const VariableId v = variable(unknowns[unknown].leaf);
  const VariableId w = a_.helper("der(" + a_.variable(v).name + ")", BaseType::real, VariableKind::algebraic, a_.variable(v).place);
  derivative_.resize(a_.model().variables.size(), VariableId::none);
  is_derivative_.resize(derivative_.size(), 0);
  derivative_[index(v)] = w;
  is_derivative_[index(w)] = 1;
  unknowns[unknown].leaf = quantity(w);
  set_number(quantity(w), unknown);
  canonical_.forget();
}

std::uint32_t Tower::differentiate_unknown(std::uint32_t unknown) {
  name_derivative(unknown);
  return add_unknown(quantity(variable(unknowns[unknown].leaf), Part::derivative), unknown);
}

Expr Tower::derivative_of(Expr leaf) {
  const std::uint32_t u = number_of(quantity_of(x_, leaf));
  if (u == none) {
    if (x_.op(leaf) == Op::variable && index(x_.variable(leaf)) < steady_.size() && steady_[index(x_.variable(leaf))]) return x_.real(0);
    if (a_.partition != none) refuse_outer(leaf);
    if (a_.is_signal(x_.variable(leaf))) a_.model().reliance.steady.insert(x_.variable(leaf));
    return x_.real(0);   // it changes at events only
  }
  refuse_held(variable(unknowns[u].leaf));
  const std::uint32_t higher = unknowns[u].higher;
  return this->leaf(higher == none ? differentiate_unknown(u) : higher);
}

/// What a discretised partition takes from elsewhere is known at its ticks alone (MLS 16.8.2).
void Tower::refuse_outer(Expr leaf) {
  const VariableId v = x_.variable(leaf);
  const VariableFacts& facts = a_.fact(v);
  if (facts.kind == VariableKind::constant || facts.kind == VariableKind::parameter || facts.kind == VariableKind::free_parameter) return;
  const SubClock& clock = a_.system.sub_clocks[a_.partition];
  const BaseClock& base = a_.system.base_clocks[clock.base];
  if (v == clock.interval && base.kind != BaseClock::Kind::event && !base.varying) return;
  if (const auto it = a_.assigned_by.find(index(v)); it != a_.assigned_by.end())
    return a_.error(differentiated_, fmt::format("{}, which an algorithm of a clocked partition assigns, has no derivative", a_.name(v)), "write an equation for it",
                    {{it->second, "declared here"}});
  a_.error(differentiated_, fmt::format("{} has values at the ticks of a clock alone, and no derivative", a_.name(quantity_of(x_, leaf))),
           "let a filter follow it in the partition, of as high an order as derivatives are needed: y has one with der(y) = (u - y)/T, whatever u is");
}

/// A Real in a state of a state machine stands still while that is not active, and jumps where it is reset (MLS 17.3.3).
void Tower::refuse_held(VariableId v) {
  if (a_.partition == none) return;
  for (const flat::HeldState& held : a_.model().held_states)
    if (held.variable == v)
      a_.error(differentiated_, fmt::format("{} stands in a state of a state machine, and a constraint ties it to others: its index cannot be reduced there", a_.name(v)),
               "solve the constraint for it and write the derivatives of the others out, or move the equations out of the state machine", {{a_.variable(v).place, "declared here"}});
}

std::uint32_t Tower::differentiate_equation(std::uint32_t number) {
  const LeafDerivative leaf = [this](Expr e) { return derivative_of(e); };
  Row row;
  row.equation = equations[number].equation;
  row.equation.target = Quantity::none;
  row.equation.why = Why::equation;
  row.equation.source_left = row.equation.source_right = Expr::none;
  row.order = equations[number].order + 1;
  row.lower = number;
  differentiated_ = row.equation.place;
  for (Expr* side : {&row.equation.left, &row.equation.right}) {
    *side = differentiate(a_.model(), *side, row.equation.place, a_.diagnostics, leaf);
    if (*side == Expr::none || a_.failed) {
      a_.failed = true;
      return none;
    }
  }
  find_unknowns(row);
  const auto result = static_cast<std::uint32_t>(equations.size());
  equations[number].higher = result;
  equations.push_back(std::move(row));
  return result;
}

Equation Tower::definition(std::uint32_t unknown) {
  const VariableId w = variable_of(unknown), v = variable_of(unknowns[unknown].lower);
  if (const auto it = links_.find(index(v)); it != links_.end()) return it->second;
  Equation e;
  e.left = x_.of_variable(Op::derivative, v, BaseType::real);
  e.right = a_.value(w);
  e.place = a_.variable(v).place;
  return e;
}

}  // namespace mosim::compiler::dae
