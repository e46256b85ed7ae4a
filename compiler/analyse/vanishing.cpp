// Terms that vanish for the parameter values of this run: R*i with R = 0, L*der(i) with L = 0, if quasiStatic then 0 else der(psi),
// if level >= height then p1 = p2 else flow = 0 with equations level = 0 and height = 0.
// Structure counts unknowns: with such a term an equation would be chosen to give what it says nothing of, or a variable be taken
// for a state that has no derivative.
// What numbers alone come to is worked out on the way: a loop's index and the sizes of arrays are such numbers.

#include <cmath>
#include <limits>
#include <span>

#include <boost/container/small_vector.hpp>

#include "compiler/analyse/function_zeros.hpp"
#include "compiler/expression/evaluate.hpp"

namespace mosim::compiler::dae {

namespace {

constexpr int most_rounds = 8;

class Vanishing {
public:
  explicit Vanishing(Analysis& a) : a_(a), x_(a.x()), functions_(a) {}

  void run() {
    constexpr std::size_t together = 4096;   // equations: what is known of expressions serves those nearby, and its room the next ones
    std::size_t seen = 0;
    find_constants();
    find_zeros();
    for (auto* list : {&a_.equations, &a_.initial_equations})
      for (Equation& e : *list) {
        if (!is_plain(e)) continue;
        if (++seen % together == 0) facts_.reset();
        const Expr left = without_vanishing(e.left), right = without_vanishing(e.right);
        if (left == e.left && right == e.right) continue;
        if (vanished_ && !a_.before_vanishing) a_.before_vanishing = a_.checkpoint();
        if (e.source_left == Expr::none) e.source_left = e.left;
        if (e.source_right == Expr::none) e.source_right = e.right;
        e.left = left;
        e.right = right;
      }
  }

private:
  static constexpr double no_number = std::numeric_limits<double>::quiet_NaN();
  struct Facts {
    bool known = false;      // of constants and parameters with a value
    bool zero = false;       // is 0, if it has a value: of what is known, once that has been evaluated
    bool total = false;      // has a value, whatever its variables are
    bool evaluated = false;
    bool open = false;       // holds an unknown
    bool settled = false;    // as known, but of variables as well that equations make constants
    double number = no_number;   // of numbers alone, what a run would find: -i/N in a loop over i
    Expr left = Expr::none;  // what is left of it, unless it is such a number; none: not asked for yet
  };

  static bool is_plain(const Equation& e) {
    return (e.why == Why::equation || e.why == Why::initial_equation) && e.target == Quantity::none && e.clock == none && e.guard == Expr::none;
  }

  /// Variables that have one value at all times, as equations between them, parameters and numbers say. Only conditions ask for them:
  /// their equations stay as they are.
  void find_constants() {
    struct Candidate {
      VariableId variable;
      Expr value;
      std::uint32_t open = 0;   // variables in it that are not known yet
    };
    std::vector<Candidate> candidates;
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> users;   // variable -> candidates
    std::vector<std::uint32_t> ready;
    Walker walker(x_);
    const auto add = [&](Expr one, Expr other) {
      if (x_.op(one) != Op::variable) return;
      const VariableKind kind = a_.fact(x_.variable(one)).kind;
      if ((kind != VariableKind::algebraic && kind != VariableKind::discrete) || x_.type(one) == BaseType::string) return;
      std::vector<std::uint32_t> open;
      bool usable = true;
      walker.each(other, [&](Expr e) {
        if (x_.op(e) == Op::variable) {
          const VariableFacts& v = a_.fact(x_.variable(e));
          if (v.kind == VariableKind::algebraic || v.kind == VariableKind::discrete) open.push_back(index(x_.variable(e)));
          else usable = usable && v.has_value && (v.kind == VariableKind::constant || v.kind == VariableKind::parameter);
        } else if (x_.op(e) == Op::call || x_.op(e) == Op::result || (x_.children(e).empty() && !x_.is_literal_leaf(e))) {
          usable = false;
        }
        return usable;
      });
      if (!usable) return;
      const auto number = static_cast<std::uint32_t>(candidates.size());
      for (const std::uint32_t v : open) users[v].push_back(number);
      if (open.empty()) ready.push_back(number);
      candidates.push_back({x_.variable(one), other, static_cast<std::uint32_t>(open.size())});
    };
    for (const Equation& e : a_.equations) {
      if (e.why != Why::equation || !is_plain(e)) continue;
      add(e.left, e.right);
      add(e.right, e.left);
    }
    for (const Relation& r : a_.system.relations) add(a_.value(r.variable), r.relation);
    while (!ready.empty()) {
      const Candidate& c = candidates[ready.back()];
      ready.pop_back();
      if (constants_.contains(c.variable)) continue;
      const Expr value = constant(c.value);
      if (value == Expr::none) continue;
      constants_.emplace(c.variable, value);
      sources_.emplace(c.variable, c.value);
      if (const auto it = users.find(index(c.variable)); it != users.end())
        for (const std::uint32_t user : it->second)
          if (--candidates[user].open == 0) ready.push_back(user);
    }
  }

  Expr constant(Expr e) {
    return evaluate(a_.model(), e, [this](VariableId v) {
      if (const auto it = constants_.find(v); it != constants_.end()) return it->second;
      const VariableFacts& facts = a_.fact(v);
      return facts.has_value ? facts.value : Expr::none;
    }, nullptr, nullptr, Reliance::nothing);
  }
  /// The value of a constant has been made use of.
  void rely_on(Expr e) {
    std::vector<Expr> open{e};
    std::unordered_set<VariableId> seen;
    Walker walker(x_);
    while (!open.empty()) {
      const Expr next = open.back();
      open.pop_back();
      walker.restart();
      walker.more(next, [&](Expr n) {
        if (x_.op(n) != Op::variable || !seen.insert(x_.variable(n)).second) return true;
        if (const auto it = sources_.find(x_.variable(n)); it != sources_.end()) open.push_back(it->second);
        else a_.model().reliance.values.insert(x_.variable(n));
        return true;
      });
    }
  }

  /// Variables that parameters make 0 at all times: R_actual = R*(1 + alpha*(T - T_ref)) with R = 0. Their equations stay as they are, and
  /// may fail. Not v = 0 as written: that may be one of several constraints, and which of them solves what is not for this to decide.
  void find_zeros() {
    zeros_.assign(a_.model().variables.size(), 0);
    bool more = true;
    for (int round = 0; round < most_rounds && more; ++round) {
      more = false;
      for (const Equation& e : a_.equations) {
        if (e.why != Why::equation || !is_plain(e)) continue;
        for (const auto& [one, other] : {std::pair{e.left, e.right}, std::pair{e.right, e.left}}) {
          if (x_.op(one) != Op::variable || x_.type(one) != BaseType::real || x_.is_literal_leaf(other)) continue;
          const VariableId v = x_.variable(one);
          if (a_.fact(v).kind != VariableKind::algebraic || zeros_[index(v)]) continue;
          facts_.clear();
          look_at(other);
          if (!zero(other)) continue;
          zeros_[index(v)] = 1;
          more = true;
        }
      }
    }
    facts_.clear();
  }

  void look_at(Expr root) {
    children_first(x_, root, [&](Expr e) { return facts_.has(e); }, [&](Expr e) {
      const Facts f = x_.children(e).empty() ? leaf(e) : operation(e);
      facts_[e] = f;
    });
  }

  Expr without_vanishing(Expr root) {
    if (x_.children(root).empty()) return root;
    children_first(x_, root, [&](Expr e) { return facts_.has(e) && facts_[e].left != Expr::none; }, [&](Expr e) {
      Facts f = x_.children(e).empty() ? leaf(e) : operation(e);
      f.left = e;
      facts_[e] = f;
      if (!x_.children(e).empty() && std::isnan(f.number)) facts_[e].left = rebuilt(e);
    });
    return left_of(root);
  }

  Expr left_of(Expr e) {
    const Expr number = as_number(e);
    return number == Expr::none ? facts_[e].left : number;
  }

  Expr rebuilt(Expr e) {
    // What was inlined has another part beside its children.
    if (x_.op(e) == Op::inlined) return shortened(x_.inlined(left_of(x_.child(e, 0)), without_vanishing(x_.result_of_inlined(e))), e);
    boost::container::small_vector<Expr, 8> children;
    bool changed = false;
    for (std::size_t k = 0; k < x_.children(e).size(); ++k) {
      const Expr child = x_.child(e, k);
      children.push_back(left_of(child));
      changed = changed || children.back() != child;
    }
    return shortened(changed ? with_children(x_, e, {children.data(), children.size()}) : e, e);
  }

  /// What is known is evaluated once, as a whole.
  bool zero(Expr e) {
    Facts& f = facts_[e];
    if (f.known && !f.evaluated) {
      f.evaluated = true;
      if (!std::isnan(f.number)) return f.zero = f.number == 0;
      f.zero = x_.type(e) != BaseType::boolean && a_.number(e, Reliance::size) == 0.0;
      if (f.zero) (void)a_.number(e);   // other values may not make it 0
    }
    return f.zero;
  }

  Facts leaf(Expr e) {
    if (x_.is_literal_leaf(e)) return {true, x_.is_number(e) && x_.number(e) == 0, true, true, false, true, x_.is_number(e) ? x_.number(e) : no_number};
    switch (x_.op(e)) {
      case Op::variable: {
        const VariableFacts& v = a_.fact(x_.variable(e));
        if (v.kind == VariableKind::constant || v.kind == VariableKind::parameter) {
          // No run has another value of what the compiler has relied on.
          const bool fixed = v.has_value && x_.is_number(v.value) && (v.kind == VariableKind::constant || a_.model().reliance.values.contains(x_.variable(e)));
          return {v.has_value, false, true, false, false, v.has_value, fixed ? x_.number(v.value) : no_number};
        }
        return {false, zeros_[index(x_.variable(e))] != 0, true, false, true, constants_.contains(x_.variable(e))};
      }
      case Op::derivative: return {false, zeros_[index(x_.variable(e))] != 0, true, false, true};
      case Op::pre: case Op::time: return {false, false, true};
      default: return {};
    }
  }

  Facts operation(Expr e) {
    const auto child = [&](std::size_t i) { return zero(x_.child(e, i)); };
    Facts f;
    f.known = f.total = f.settled = true;
    for (Expr c : x_.children(e)) {
      const Facts& its = facts_[c];
      f.known = f.known && its.known;
      f.total = f.total && its.total;
      f.open = f.open || its.open;
      f.settled = f.settled && its.settled;
    }
    switch (x_.op(e)) {
      case Op::negate: case Op::add: case Op::subtract: case Op::multiply: case Op::if_: case Op::smooth: case Op::inlined: case Op::abs: case Op::sin: case Op::cos: case Op::atan:
      case Op::tanh: case Op::min: case Op::max: case Op::not_: case Op::and_: case Op::or_: case Op::less: case Op::less_equal: case Op::greater:
      case Op::greater_equal: case Op::equal: case Op::not_equal: break;
      case Op::divide: f.total = f.total && facts_[x_.child(e, 1)].known && !child(1); break;
      default: f.total = false;
    }
    if (x_.op(e) == Op::call || x_.op(e) == Op::result) f.known = f.settled = false;
    if (f.known) {
      f.number = number(e);
      return f;
    }
    switch (x_.op(e)) {
      case Op::negate: case Op::abs: case Op::sin: case Op::divide: f.zero = child(0); break;
      case Op::add: case Op::subtract: f.zero = child(0) && child(1); break;
      case Op::multiply: f.zero = child(0) || child(1); break;
      case Op::smooth: f.zero = child(1); break;
      case Op::inlined: f.zero = child(0); break;
      case Op::result: f.zero = is_zero_result(e); break;
      case Op::if_: {
        const auto taken = branch(e);
        f.zero = taken ? child(*taken) : child(1) && child(2);
        break;
      }
      default: break;
    }
    return f;
  }

  /// The arithmetic that comes out here as it does in a run, to the last bit.
  double number(Expr e) {
    const Op op = x_.op(e);
    if (op != Op::negate && op != Op::add && op != Op::subtract && op != Op::multiply && op != Op::divide) return no_number;
    double values[2];
    const std::size_t n = x_.children(e).size();
    for (std::size_t k = 0; k < n; ++k)
      if (std::isnan(values[k] = facts_[x_.child(e, k)].number)) return no_number;
    return fold_numbers(op, x_.type(e), std::span(values, n));
  }

  Expr as_number(Expr e) {
    if (x_.children(e).empty()) return Expr::none;
    const double number = facts_[e].number;
    if (std::isnan(number)) return Expr::none;
    return x_.type(e) == BaseType::integer ? x_.integer(static_cast<std::int64_t>(number), x_.place(e)) : x_.real(number, x_.place(e));
  }

  /// Of a call: with what is known of its arguments, looked at once.
  bool is_zero_result(Expr e) {
    const Expr call = x_.child(e, 0);
    const auto [it, fresh] = calls_.try_emplace(index(call));
    if (fresh) {
      std::vector<Expr> arguments;
      for (std::size_t k = 0; k < x_.children(call).size(); ++k) {
        const Expr argument = x_.child(call, k);
        arguments.push_back(facts_[argument].known ? a_.literal(argument) : zero(argument) ? x_.real(0) : Expr::none);
      }
      it->second = functions_.results(x_.function(call), arguments);
    }
    if (x_.payload(e) >= it->second.size()) return false;
    const Expr result = it->second[x_.payload(e)];
    return result != Expr::none && x_.is_number(result) && x_.number(result) == 0;
  }

  /// The branch of an if-expression that is taken in this run.
  std::optional<std::size_t> branch(Expr e) {
    const Facts& f = facts_[x_.child(e, 0)];
    if (!f.known && !f.settled) return {};
    const Expr condition = f.known ? a_.literal(x_.child(e, 0)) : constant(x_.child(e, 0));
    if (condition == Expr::none || x_.op(condition) != Op::boolean) return {};
    if (!f.known) rely_on(x_.child(e, 0));
    return x_.payload(condition) != 0 ? 1 : 2;
  }

  /// `rebuilt` is `e` with what is left of its children.
  Expr shortened(Expr rebuilt, Expr e) {
    const Expr left = without_vanishing_term(rebuilt, e);
    vanished_ = vanished_ || left != rebuilt;
    return left;
  }

  Expr without_vanishing_term(Expr rebuilt, Expr e) {
    if (x_.op(e) == Op::multiply && x_.type(e) == BaseType::real) {
      // 0*x as written stays, like v = 0.
      const auto vanishes = [&](std::size_t factor, std::size_t other) {
        const Facts rest = facts_[x_.child(e, other)];
        const Expr by = x_.child(e, factor);
        return rest.total && rest.open && !x_.is_literal_leaf(by) && zero(by);
      };
      return vanishes(0, 1) || vanishes(1, 0) ? x_.real(0) : rebuilt;
    }
    if (x_.op(e) != Op::if_ || x_.op(rebuilt) != Op::if_ || !facts_[e].open) return rebuilt;
    const auto taken = branch(e);
    return taken ? x_.child(rebuilt, *taken) : rebuilt;
  }

  Analysis& a_;
  Expressions& x_;
  Values constants_;          // variables with one value at all times
  Values sources_;            // what they are, by their equations
  bool vanished_ = false;     // something has
  std::vector<char> zeros_;   // variables that are always 0
  Scratch<Facts> facts_;      // of the sides that are looked at
  FunctionZeros functions_;
  std::unordered_map<std::uint32_t, std::vector<Expr>> calls_;   // the results of each, if it has some whatever its arguments are
};

}  // namespace

void drop_vanishing_terms(Analysis& a) {
  Vanishing(a).run();
  if (a.before_vanishing && !a.sums.empty()) drop_unused_sums(a);
}

}  // namespace mosim::compiler::dae
