// Sums of many unknowns that stand in many equations: z[i] + sum(z) = b[i]. Each of these equations holds all of the unknowns, so that
// whatever follows from the structure (who determines what, blocks, the matrix of a block) grows with the square of the text or worse.
// With a variable s of its own for the sum it does not, and a block is torn at s alone.

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "compiler/analyse/analysis.hpp"

namespace mosim::compiler::dae {

namespace {

constexpr std::uint32_t least_uses = 3;        // equations that hold it
constexpr std::uint32_t least_unknowns = 8;    // in it
/// Places in the incidence that are saved: below it an ordinary model stays as it is written, and costs little anyway.
constexpr std::uint32_t least_saving = 4096;
constexpr std::uint32_t most_terms = 1u << 30;

class SharedSums {
public:
  explicit SharedSums(Analysis& a)
      : a_(a), x_(a.x()), share_(x_, [this](Expr e) {
          if (looks_back(x_.op(e))) return e;   // has a variable of its own for what it looks back on
          const auto it = a_.shared_sums.find(index(e));
          return it == a_.shared_sums.end() ? Expr::none : a_.value(it->second);
        }) {}

  void run() {
    for (const Equation& e : a_.equations) look_at(e);
    for (const Equation& e : a_.initial_equations) look_at(e);
    if (largest_ < least_unknowns) return;
    choose();
    if (chosen_.empty()) return;
    make_variables();
    for (auto* list : {&a_.equations, &a_.initial_equations})
      for (Equation& e : *list) {
        if (!is_plain(e)) continue;
        e.left = share_(e.left);
        e.right = share_(e.right);
      }
    // First: they find their places before what competes for them, so that what is left over is the user's.
    a_.equations.insert(a_.equations.begin(), definitions_.begin(), definitions_.end());
  }

private:
  /// What stands below an equation.
  struct Shape {
    bool known = false;       // of constants and parameters
    bool linear = false;      // a sum of unknowns with such factors
    bool total = false;       // has a value, whatever these are
    std::uint32_t terms = 0;  // of a sum: unknowns, one that stands twice counts twice
  };
  struct Uses {
    std::uint32_t equations = 0;   // at least, that reach it by different ways
    std::uint32_t last = 0;        // of these, from 1
    std::uint32_t above = 0;       // those of what it stands in
    bool always = false;           // in one of these it is evaluated at all times
  };
  struct Sides {
    Expr left, right;
    bool always;
    std::size_t first;   // in order_: what no earlier equation holds
  };

  bool is_plain(const Equation& e) const {
    const auto is_real = [&](Expr side, Expr other) { return x_.type(side) == BaseType::real && (x_.type(other) == BaseType::real || x_.is_number(other)); };
    return (e.why == Why::equation || e.why == Why::initial_equation) && e.target == Quantity::none && e.clock == none && e.guard == Expr::none &&
           (is_real(e.left, e.right) || is_real(e.right, e.left));
  }

  /// Too few operands, counted as often as they stand there, for a sum that is looked for.
  bool is_small(Expr e) const {
    std::array<Expr, 2 * least_unknowns> open;   // a sum of so many unknowns has as many operations, but one
    std::size_t known = 1;
    open[0] = e;
    for (std::size_t k = 0; k < known; ++k) {
      const std::span<const Expr> children = x_.children(open[k]);
      if (known + children.size() > open.size() - 2) return false;
      for (const Expr c : children) open[known++] = c;
    }
    return true;
  }

  void look_at(const Equation& e) {
    if (!is_plain(e) || (is_small(e.left) && is_small(e.right))) return;
    sides_.push_back({e.left, e.right, e.why == Why::equation, order_.size()});
    for (const Expr side : {e.left, e.right})
      children_first(x_, side, [&](Expr n) { return shapes_.has(n); }, [&](Expr n) {
        const Shape s = shape(n);
        shapes_[n] = s;
        order_.push_back(n);
        largest_ = std::max(largest_, s.terms);
      });
  }

  bool is_unknown(Expr e) const {
    if (x_.op(e) != Op::variable && x_.op(e) != Op::derivative) return false;
    return x_.type(e) == BaseType::real && a_.fact(x_.variable(e)).kind == VariableKind::algebraic;
  }

  Shape shape(Expr e) {
    const BaseType type = x_.type(e);
    if (type != BaseType::real && type != BaseType::integer) return {};
    if (x_.is_number(e)) return {true, false, true};
    if (is_unknown(e)) return {false, true, true, 1};
    switch (x_.op(e)) {
      case Op::time: return {false, true, true};
      case Op::variable: {
        const VariableKind kind = a_.fact(x_.variable(e)).kind;
        if (kind == VariableKind::constant || kind == VariableKind::parameter) return {true, false, true};
        return a_.is_signal(x_.variable(e)) ? Shape{false, true, true} : Shape{};
      }
      case Op::negate: {
        Shape s = shapes_[x_.child(e, 0)];
        s.total = s.total && type == BaseType::real;
        return s;
      }
      case Op::add: case Op::subtract: case Op::multiply: case Op::divide: break;
      default: return {};
    }
    const Shape p = shapes_[x_.child(e, 0)], q = shapes_[x_.child(e, 1)];
    Shape s;
    s.known = p.known && q.known;
    if (x_.op(e) == Op::add || x_.op(e) == Op::subtract) s.linear = (p.known || p.linear) && (q.known || q.linear) && !s.known;
    else s.linear = (p.linear && q.known) || (p.known && q.linear && x_.op(e) == Op::multiply);
    // Integers may become too large, and a parameter be 0.
    s.total = p.total && q.total && type == BaseType::real && (x_.op(e) != Op::divide || (x_.is_number(x_.child(e, 1)) && x_.number(x_.child(e, 1)) != 0));
    if (s.linear) s.terms = std::min(most_terms, p.terms + q.terms);
    return s;
  }

  /// Whether an operand is evaluated whenever the operation is.
  static bool is_needed(Op op, std::size_t operand) {
    switch (op) {
      case Op::if_: case Op::and_: case Op::or_: return operand == 0;
      case Op::homotopy: case Op::semi_linear: return false;
      default: return true;
    }
  }

  /// Parents first, the largest sums so. In what no earlier equation holds every way down is looked at once: how many equations hold a
  /// part is counted by those in which its parents are met first, and by what is known of these.
  void choose() {
    const auto meet = [&](Expr e, std::size_t equation, bool always) -> Uses& {
      Uses& u = uses_[e];
      if (u.last != equation + 1) {
        u.last = static_cast<std::uint32_t>(equation + 1);
        ++u.equations;
      }
      u.always = u.always || always;
      return u;
    };
    for (std::size_t q = sides_.size(); q-- > 0;) {
      for (const Expr side : {sides_[q].left, sides_[q].right}) meet(side, q, sides_[q].always);
      for (std::size_t k = q + 1 < sides_.size() ? sides_[q + 1].first : order_.size(); k-- > sides_[q].first;) {
        const Expr e = order_[k];
        if (!uses_.has(e) || looks_back(x_.op(e))) continue;
        const Uses here = uses_[e];
        const std::uint32_t uses = std::max(here.equations, here.above);
        const bool taken = is_worth_it(e, uses, here.always);
        if (taken) chosen_.push_back(e);
        for (std::size_t i = 0; i < x_.children(e).size(); ++i) {
          if (taken) {   // it has one equation in their place
            Uses& u = uses_[x_.child(e, i)];
            ++u.equations;
            u.always = true;
          } else {
            Uses& u = meet(x_.child(e, i), q, here.always && is_needed(x_.op(e), i));
            u.above = std::max(u.above, uses);
          }
        }
      }
    }
  }

  bool is_worth_it(Expr e, std::uint32_t uses, bool always) {
    // With a factor, it is the sum below that others may hold too.
    if (x_.op(e) != Op::add && x_.op(e) != Op::subtract) return false;
    const Shape& s = shapes_[e];
    // What can fault is moved only where it would do so anyway.
    if (!s.linear || (!s.total && !always) || uses < least_uses) return false;
    const std::uint32_t least = std::max(least_unknowns, 1 + (least_saving + uses - 2) / (uses - 1));
    return s.terms >= least && has_unknowns(e, least);
  }

  /// Different ones. Not looked for longer than where most are different.
  bool has_unknowns(Expr e, std::uint32_t least) {
    const std::size_t most = std::size_t(8) * least;
    std::uint32_t found = 0;
    seen_.clear();
    queue_.assign(1, e);
    for (std::size_t i = 0; i < queue_.size() && i < most; ++i) {
      const Expr n = queue_[i];
      if (is_unknown(n) && ++found >= least) return true;
      for (const Expr c : x_.children(n)) {
        if (seen_.has(c) || !shapes_[c].linear) continue;
        seen_[c] = 1;
        queue_.push_back(c);
      }
    }
    return false;
  }

  // Those that stand in others first.
  void make_variables() {
    Rewriter start(x_, [this](Expr e) {
      if (x_.op(e) == Op::derivative || x_.op(e) == Op::time) return x_.real(0);
      if (x_.op(e) != Op::variable || shapes_[e].known) return Expr::none;
      const Expr given = a_.variable(x_.variable(e)).start;
      return given != Expr::none ? given : x_.real(0);
    });
    Walker walker(x_);
    std::vector<Expr> children;
    for (std::size_t k = chosen_.size(); k-- > 0;) {
      const Expr e = chosen_[k];
      children.clear();
      for (std::size_t i = 0; i < x_.children(e).size(); ++i) children.push_back(share_(x_.child(e, i)));
      Equation definition;
      definition.right = with_children(x_, e, children);
      definition.place = x_.place(e);
      const VariableId v = a_.helper(fmt::format("$sum{}", a_.sums.size() + 1), BaseType::real, VariableKind::algebraic, definition.place, e);
      definition.left = definition.source_left = a_.value(v);
      definition.source_right = e;
      // Where a loop is solved from it, it is what the first guesses of its parts come to.
      bool given = false;
      Expr nominal = Expr::none;
      walker.each(definition.right, [&](Expr n) {
        if (!is_unknown(n) || x_.op(n) != Op::variable) return true;
        const flat::Variable& part = a_.variable(x_.variable(n));
        given = given || part.start != Expr::none;
        if (nominal == Expr::none) nominal = part.nominal;
        return true;
      });
      const Expr first = given ? start(definition.right) : Expr::none;
      flat::Variable& variable = a_.variable(v);
      variable.start = first;
      variable.nominal = nominal;
      variable.state_select = flat::StateSelect::never;
      a_.shared_sums.emplace(index(e), v);
      a_.sums.insert(index(v));
      definitions_.push_back(definition);
    }
  }

  Analysis& a_;
  Expressions& x_;
  Scratch<Shape> shapes_;
  Scratch<Uses> uses_;
  Scratch<char> seen_;
  std::vector<Sides> sides_;
  std::vector<Expr> order_, chosen_, queue_;
  std::uint32_t largest_ = 0;
  std::vector<Equation> definitions_;
  Rewriter share_;
};

}  // namespace

void share_sums(Analysis& a) { SharedSums(a).run(); }

bool is_of_sum(const Analysis& a, const Equation& e) {
  const Expressions& x = a.system.model.expressions;
  // Not by its left side: sum(z) = y has become s = y.
  return !a.sums.empty() && e.source_left != Expr::none && x.op(e.source_left) == Op::variable && a.sums.contains(index(x.variable(e.source_left)));
}

Matcher::Competition without_sums(const Analysis& a, const Problem& problem, Matcher::Competition competition) {
  if (a.sums.empty()) return competition;
  std::unordered_set<std::uint32_t> left_out;   // unknowns
  std::erase_if(competition.equations, [&](std::uint32_t e) {
    const Equation& equation = problem.equations[e];
    if (!is_of_sum(a, equation)) return false;
    left_out.insert(problem.number_of(quantity(a.system.model.expressions.variable(equation.source_left))));
    return true;
  });
  std::erase_if(competition.unknowns, [&](std::uint32_t u) { return left_out.contains(u); });
  return competition;
}

void drop_unused_sums(Analysis& a) {
  const Expressions& x = a.x();
  std::unordered_set<std::uint32_t> used;
  a.walker.restart();
  const auto look_at = [&](Expr side) {
    a.walker.more(side, [&](Expr n) {
      if (x.op(n) == Op::variable && a.sums.contains(index(x.variable(n)))) used.insert(index(x.variable(n)));
      return true;
    });
  };
  for (const auto* list : {&a.equations, &a.initial_equations})
    for (const Equation& e : *list)
      if (!is_of_sum(a, e)) look_at(e.left), look_at(e.right);
  // From the last one on: each holds earlier ones alone.
  for (std::size_t k = a.equations.size(); k-- > 0;) {
    const Equation& e = a.equations[k];
    if (!is_of_sum(a, e)) continue;
    const VariableId v = x.variable(e.source_left);
    if (used.contains(index(v))) look_at(e.right);
    else a.fact(v).kind = VariableKind::gone;
  }
  std::erase_if(a.equations, [&](const Equation& e) { return is_of_sum(a, e) && a.fact(x.variable(e.source_left)).kind == VariableKind::gone; });
}

}  // namespace mosim::compiler::dae
