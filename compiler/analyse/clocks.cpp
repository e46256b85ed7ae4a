// Clock inference (MLS 16.7): what belongs to which clock.

#include <fmt/format.h>

#include <unordered_set>

#include "compiler/analyse/clock_equations.hpp"
#include "compiler/statements/walk.hpp"

namespace mosim::compiler::dae {

void each_target(const flat::Statements& list, const std::function<void(VariableId)>& visit) {
  each_assignment(list, [&](const flat::Assignment& a, Place, bool) { visit(a.target); });
}

namespace {

bool is_clock_operator(Op op) { return op >= Op::clock_inferred || op == Op::previous; }

bool converts_between_sub_clocks(Op op) {
  switch (op) {
    case Op::sub_sample: case Op::super_sample: case Op::shift_sample: case Op::back_sample: case Op::no_clock: return true;
    default: return false;
  }
}

/// A walk that needs no memory beyond what it visits; clocked models are small beside what they control.
template <class Visit>
void each_node(const Expressions& x, Expr root, Visit&& visit) {
  std::unordered_set<std::uint32_t> seen;
  std::vector<Expr> stack{root};
  while (!stack.empty()) {
    const Expr e = stack.back();
    stack.pop_back();
    if (!seen.insert(index(e)).second || !visit(e)) continue;
    const auto children = x.children(e);
    for (std::size_t i = children.size(); i-- > 0;) stack.push_back(children[i]);
  }
}

class Clocks {
public:
  explicit Clocks(Analysis& a) : a_(a), x_(a.x()), partitions_(a) {}

  void run() {
    if (!any()) return;
    for (std::size_t i = 0; i < a_.model().variables.size(); ++i) found_.variable_node.push_back(partitions_.add_node());
    take_clocked_whens();
    // Equations that name a clock first, so that a conflict shows where two of them meet.
    const std::size_t given = a_.model().equations.size();
    found_.equation_node.resize(given);
    for (std::uint32_t& node : found_.equation_node) node = partitions_.add_node();
    std::vector<char> names_clock(given, 0);
    for (std::size_t i = 0; i < given; ++i) names_clock[i] = holds_source(a_.model().equations[i]);
    for (const bool first : {true, false})
      for (std::size_t i = 0; i < given && !a_.failed; ++i)
        if (names_clock[i] == first) equation(i);
    algorithms();
    unclocked_parts();
    if (a_.failed) return;
    partitions_.solve();
    if (a_.failed) return;
    write_clocked_equations(a_, partitions_, found_);
  }

private:
  bool any() {
    bool found = false;
    for (const auto& v : a_.model().variables) found = found || v.type == BaseType::clock;
    const auto look = [&](Expr e) {
      if (e == Expr::none || found || !x_.holds(e, contents::special | contents::past)) return;
      a_.walker.more(e, [&](Expr n) {
        found = found || is_clock_operator(x_.op(n));
        return !found;
      });
    };
    a_.walker.restart();
    for (const auto& e : a_.model().equations) look(e.left), look(e.right);
    for (const auto& w : a_.model().whens)
      for (const auto& b : w.branches) {
        found = found || b.clocked;
        for (Expr c : b.conditions) look(c);
        for (const auto& action : b.body)
          if (const auto* set = std::get_if<flat::WhenAssignment>(&action.node)) look(set->value);
      }
    for (auto& algorithm : a_.model().algorithms) each_expression(algorithm.statements, look);
    return found;
  }

  bool holds_source(const flat::Equation& e) {
    bool found = false;
    for (Expr side : {e.left, e.right})
      a_.walker.each(side, [&](Expr n) {
        const Op op = x_.op(n);
        found = found || op == Op::clock_rational || op == Op::clock_real || op == Op::clock_event;
        return !found;
      });
    return found;
  }

  // ---- clock expressions ------------------------------------------------------------------------------------------

  /// Whole numbers in clock operators are evaluable.
  std::optional<std::int64_t> whole(Expr e, Expr in) {
    const auto value = a_.number(e);
    if (!value || !(std::abs(*value) <= largest_exact) || *value != std::floor(*value)) {
      a_.error(x_.place(e) ? x_.place(e) : x_.place(in),
               fmt::format("{} in {} must be a whole number that is known before the run, and no larger than 2^53", print(a_.model(), e), print(a_.model(), in)));
      return {};
    }
    return std::int64_t(*value);
  }

  ClockRelation relation(Expr e, std::uint32_t from, std::uint32_t to) {
    ClockRelation r{from, to, x_.op(e), {}, {0, 1}, x_.place(e)};
    const auto argument = [&](std::size_t i, std::int64_t otherwise) {
      return i < x_.children(e).size() ? whole(x_.child(e, i), e).value_or(0) : otherwise;
    };
    const auto negative = [&](std::int64_t n) {
      if (n < 0) a_.error(x_.place(e), fmt::format("{} has a negative argument", print(a_.model(), e)));
    };
    switch (x_.op(e)) {
      case Op::sub_sample:
      case Op::super_sample: {
        const std::int64_t factor = argument(1, 0);
        negative(factor);
        if (factor > 0) r.ratio = x_.op(e) == Op::sub_sample ? Rational::of(factor, 1) : Rational::of(1, factor);
        break;
      }
      case Op::shift_sample:
      case Op::back_sample: {
        const std::int64_t counter = argument(1, 0), resolution = argument(2, 1);
        negative(counter);
        if (resolution < 1) {
          a_.error(x_.place(e), fmt::format("the resolution in {} is below 1", print(a_.model(), e)));
          break;
        }
        r.ratio = Rational{1, 1};
        r.delay = Rational::of(x_.op(e) == Op::shift_sample ? counter : -counter, resolution).value_or(Rational{});
        break;
      }
      default: break;
    }
    return r;
  }

  std::uint32_t clock_node(Expr e, Place place) {
    switch (x_.op(e)) {
      case Op::variable: return found_.variable_node[index(x_.variable(e))];
      case Op::clock_inferred: {
        const std::uint32_t node = partitions_.add_node();
        partitions_.is_clocked(node, place, "Clock()");
        return node;
      }
      default: break;
    }
    if (const auto it = clock_nodes_.find(index(e)); it != clock_nodes_.end()) return it->second;
    const std::uint32_t node = partitions_.add_node();
    clock_nodes_[index(e)] = node;
    if (x_.place(e)) place = x_.place(e);
    partitions_.is_clocked(node, place, print(a_.model(), e));
    switch (x_.op(e)) {
      case Op::clock_rational: rational(e, node, place); break;
      case Op::clock_real: {
        ClockSource source;
        source.op = Op::clock_real;
        source.expression = e;
        source.place = place;
        source.varying = own_interval(x_.child(e, 0), node, place);
        if (looks_back(x_.child(e, 0)))
          a_.error(place, fmt::format("a delay in the interval of {} is not supported yet", print(a_.model(), e)), "give the interval a variable of its own");
        if (const auto value = a_.number(x_.child(e, 0)); value && !(*value > 0))
          a_.error(place, fmt::format("the interval of {} must be positive", print(a_.model(), e)));
        partitions_.set_source(node, source, place);
        break;
      }
      case Op::clock_event: {
        ClockSource source;
        source.op = Op::clock_event;
        source.expression = e;
        source.place = place;
        source.condition = new_variable(fmt::format("$clock{}", ++clock_conditions_), BaseType::boolean, VariableKind::discrete, place, x_.child(e, 0));
        a_.fact(source.condition).pinned = true;
        // edge(pre(b)) at the start: b that is declared true does not become true there (MLS 16.3).
        const Expr condition = x_.child(e, 0), own = x_.op(condition) == Op::not_ ? x_.child(condition, 0) : condition;
        if (x_.op(own) == Op::variable) {
          a_.rely_on_start(x_.variable(own));
          const Expr start = a_.start(x_.variable(own));
          a_.variable(source.condition).start = own == condition ? start : a_.negation(start);
        }
        flat::Equation equation;
        equation.left = a_.value(source.condition);
        equation.right = x_.child(e, 0);
        equation.place = place;
        unclocked(x_.child(e, 0), "being a condition of " + print(a_.model(), e));
        found_.extra.push_back({equation, none});
        partitions_.set_source(node, source, place);
        break;
      }
      case Op::clock_solver: {
        const std::uint32_t inner = clock_node(x_.child(e, 0), place);
        const Expr method = a_.literal(x_.child(e, 1));
        if (method == Expr::none || x_.op(method) != Op::string)
          a_.error(place, "the solverMethod is not known before the run");
        else if (!x_.string_value(method).empty())
          partitions_.set_method(node, x_.string_value(method), place);
        // The same ticks, but a clock of its own: only this one has the method.
        ClockRelation same{inner, node, Op::clock_solver, Rational{1, 1}, {0, 1}, place};
        partitions_.relate(same);
        break;
      }
      case Op::sub_sample: case Op::super_sample: case Op::shift_sample: case Op::back_sample:
        partitions_.relate(relation(e, clock_node(x_.child(e, 0), place), node));
        break;
      case Op::if_: {
        const Expr condition = a_.literal(x_.child(e, 0));
        if (condition == Expr::none || x_.op(condition) != Op::boolean)
          a_.error(place, "which of these clocks is taken must be known before the run");
        else
          partitions_.join(node, clock_node(x_.child(e, x_.payload(condition) ? 1 : 2), place), place);
        break;
      }
      default: a_.error(place, fmt::format("{} is not a clock", print(a_.model(), e))); break;
    }
    return node;
  }

  bool looks_back(Expr root) {
    bool found = false;
    a_.walker.each(root, [&](Expr n) {
      found = found || x_.op(n) == Op::delay || x_.op(n) == Op::spatial_distribution;
      return !found;
    });
    return found;
  }

  /// The interval is a clocked variable of the clock itself.
  bool own_interval(Expr e, std::uint32_t node, Place place) {
    if (x_.op(e) != Op::variable || a_.model().variable(x_.variable(e)).variability <= flat::Variability::parameter) return false;
    partitions_.join(node, found_.variable_node[index(x_.variable(e))], place);
    return true;
  }

  void rational(Expr e, std::uint32_t node, Place place) {
    ClockSource source;
    source.op = Op::clock_rational;
    source.expression = e;
    source.place = place;
    const std::int64_t resolution = x_.children(e).size() > 1 ? whole(x_.child(e, 1), e).value_or(1) : 1;
    if (resolution < 1) a_.error(place, fmt::format("the resolution of {} is below 1", print(a_.model(), e)));
    source.varying = own_interval(x_.child(e, 0), node, place);
    if (!source.varying) {
      const auto counter = whole(x_.child(e, 0), e);
      if (!counter) return;
      if (*counter < 0) a_.error(place, fmt::format("the interval of {} is negative", print(a_.model(), e)));
      if (*counter <= 0) return;   // 0: inferred
      source.interval = Rational::of(*counter, resolution);
    }
    partitions_.set_source(node, source, place);
  }

  // ---- incidence --------------------------------------------------------------------------------------------------

  VariableId new_variable(std::string name, BaseType type, VariableKind kind, Place place, Expr meaning) {
    const VariableId v = a_.helper(std::move(name), type, kind, place, meaning);
    found_.variable_node.push_back(partitions_.add_node());
    return v;
  }

  /// The variables in e are not clocked; hold() may stand in it.
  void unclocked(Expr e, const std::string& why) {
    each_node(x_, e, [&](Expr n) {
      const Quantity q = quantity_of(x_, n);
      if (q != Quantity::none && part(q) != Part::previous) {
        if (varies(variable(q))) partitions_.is_unclocked(found_.variable_node[index(variable(q))], x_.place(n) ? x_.place(n) : x_.place(e), why);
        return true;
      }
      if (x_.op(n) == Op::hold) {
        hold(n);
        return false;
      }
      if (is_clock_operator(x_.op(n)))
        a_.error(x_.place(n), fmt::format("{} stands where nothing is clocked", print(a_.model(), n)),
                 "use hold() to get from a clocked variable to a continuous one");
      return true;
    });
  }

  bool varies(VariableId v) { return a_.model().variable(v).variability > flat::Variability::parameter; }

  /// Marks the argument of hold as clocked.
  void hold(Expr e) {
    const Expr u = x_.child(e, 0);
    if (x_.op(u) == Op::variable) {
      if (varies(x_.variable(u))) partitions_.is_clocked(found_.variable_node[index(x_.variable(u))], x_.place(e), print(a_.model(), e));
      return;
    }
    if (a_.literal(u) == Expr::none)
      a_.error(x_.place(e), fmt::format("the argument of {} must be a variable, because hold returns its start value before the first tick (MLS 16.5.1)",
                                        print(a_.model(), e)),
               "give the expression to a variable and hold that");
  }

  /// Joins what stands in e with a node. Conversion operators are borders.
  void expression(Expr root, std::uint32_t node, Place place) {
    each_node(x_, root, [&](Expr e) {
      const Op op = x_.op(e);
      const Place at = x_.place(e) ? x_.place(e) : place;
      if (const Quantity q = quantity_of(x_, e); q != Quantity::none) {
        const VariableId v = variable(q);
        if (varies(v)) partitions_.join(node, found_.variable_node[index(v)], place);
        if (op == Op::previous && varies(v)) partitions_.is_clocked(node, at, print(a_.model(), e));
        return false;
      }
      if (op == Op::edge || op == Op::change) {
        partitions_.join(node, found_.variable_node[index(x_.variable(e))], place);
        return false;
      }
      if (op == Op::sample_clocked) {
        partitions_.is_clocked(node, at, print(a_.model(), e));
        if (x_.children(e).size() > 1) partitions_.join(node, clock_node(x_.child(e, 1), at), place);
        unclocked(x_.child(e, 0), "being sampled");
        return false;
      }
      if (op == Op::hold) {
        partitions_.is_unclocked(node, at, print(a_.model(), e));
        hold(e);
        return false;
      }
      if (converts_between_sub_clocks(op)) {
        const Expr u = x_.child(e, 0);
        std::uint32_t from;
        if (x_.op(u) == Op::variable && varies(x_.variable(u))) {
          from = found_.variable_node[index(x_.variable(u))];
        } else if (op == Op::back_sample || (op == Op::no_clock && x_.op(u) != Op::variable)) {
          a_.error(at, fmt::format("the argument of {} must be a variable (MLS 16.5.2)", print(a_.model(), e)));
          return false;
        } else {
          if (const auto it = found_.converted.find(index(u)); it != found_.converted.end()) {
            partitions_.relate(relation(e, found_.variable_node[index(it->second)], node));
            return false;
          }
          // Its own equation, on its own clock.
          const VariableId v = new_variable(fmt::format("$converted{}", found_.converted.size() + 1), x_.type(e), VariableKind::clocked, at, u);
          found_.converted[index(u)] = v;
          from = found_.variable_node[index(v)];
          flat::Equation equation;
          equation.left = a_.value(v);
          equation.right = u;
          equation.place = at;
          expression(u, from, at);
          found_.extra.push_back({equation, from});
        }
        partitions_.is_clocked(node, at, print(a_.model(), e));
        partitions_.relate(relation(e, from, node));
        return false;
      }
      if (op == Op::interval || op == Op::first_tick) partitions_.is_clocked(node, at, print(a_.model(), e));
      return true;
    });
  }

  void equation(std::size_t i) {
    const flat::Equation e = a_.model().equations[i];
    const std::uint32_t node = found_.equation_node[i];
    if (x_.type(e.left) == BaseType::clock || x_.type(e.right) == BaseType::clock) {
      partitions_.join(clock_node(e.left, e.place), clock_node(e.right, e.place), e.place);
      return;
    }
    expression(e.left, node, e.place);
    expression(e.right, node, e.place);
  }

  void algorithms() {
    for (auto& algorithm : a_.model().algorithms) {
      const std::uint32_t node = partitions_.add_node();
      found_.algorithm_node.push_back(node);
      each_expression(algorithm.statements, [&](Expr& e) { expression(e, node, algorithm.place); });
      each_target(algorithm.statements, [&](VariableId v) {
        if (varies(v)) partitions_.join(node, found_.variable_node[index(v)], algorithm.place);
      });
    }
  }

  /// A clocked when-clause is its equations (MLS 16.6).
  void take_clocked_whens() {
    a_.when_clocks.assign(a_.model().whens.size(), none);
    for (std::size_t w = 0; w < a_.model().whens.size(); ++w) {
      const flat::When when = a_.model().whens[w];
      if (when.branches.empty() || !when.branches[0].clocked) continue;
      a_.when_clocks[w] = 0;
      if (when.branches.size() > 1)
        a_.error(when.branches[1].place, "a clocked when-clause has no elsewhen (MLS 16.6)");
      const flat::WhenBranch& branch = when.branches[0];
      const std::uint32_t clock = clock_node(branch.conditions.at(0), branch.place);
      for (const flat::WhenAction& action : branch.body) {
        if (const auto* set = std::get_if<flat::WhenAssignment>(&action.node)) {
          flat::Equation e;
          e.left = a_.value(set->target);
          e.right = set->value;
          e.place = set->place;
          found_.extra.push_back({e, clock});
        } else if (const auto* e = std::get_if<flat::ClockedEquation>(&action.node)) {
          found_.extra.push_back({{e->left, e->right, e->place, {}, VariableId::none}, clock});
        } else if (std::holds_alternative<flat::Reinit>(action.node)) {
          a_.error(branch.place, "reinit stands in a clocked when-clause", "use when with a Boolean condition");
        } else {
          found_.guarded.push_back({action, clock});
        }
      }
    }
    // The equations just made take part in inference.
    for (std::size_t i = 0; i < found_.extra.size(); ++i) {
      const ClockedModel::Extra extra = found_.extra[i];
      if (extra.node == none) continue;
      expression(extra.equation.left, extra.node, extra.equation.place);
      expression(extra.equation.right, extra.node, extra.equation.place);
    }
  }

  void unclocked_parts() {
    for (std::size_t w = 0; w < a_.model().whens.size(); ++w) {
      if (a_.when_clocks[w] != none) continue;
      for (const auto& b : a_.model().whens[w].branches) {
        for (Expr c : b.conditions) unclocked(c, "a when-clause with a Boolean condition");
        for (const auto& action : b.body)
          if (const auto* set = std::get_if<flat::WhenAssignment>(&action.node)) {
            unclocked(set->value, "a when-clause with a Boolean condition");
            partitions_.is_unclocked(found_.variable_node[index(set->target)], set->place, "a when-clause with a Boolean condition");
          }
      }
    }
  }

  Analysis& a_;
  Expressions& x_;
  ClockPartitions partitions_;
  ClockedModel found_;
  std::unordered_map<std::uint32_t, std::uint32_t> clock_nodes_;    // clock expression -> node
  std::size_t clock_conditions_ = 0;
};

}  // namespace

void infer_clocks(Analysis& a) { Clocks(a).run(); }

}  // namespace mosim::compiler::dae
