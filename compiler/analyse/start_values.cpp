// Start values that follow from what the initial system itself finds (MLS 8.6: a parameter with fixed = false is one of its
// unknowns): they are computed in it, and the blocks that begin with them come after what they need. And those of unknowns without
// one, by the start value of what follows from them.

#include <algorithm>
#include <functional>
#include <queue>
#include <set>

#include "compiler/analyse/analysis.hpp"
#include "compiler/analyse/solve.hpp"

namespace mosim::compiler::dae {

namespace {

class StartValues {
public:
  StartValues(Analysis& a, const Problem& problem, Schedule& schedule)
      : a_(a), x_(a.x()), problem_(problem), schedule_(schedule), solver_(a), guess_(a.x(), [this](Expr e) {
          if (x_.op(e) != Op::variable) return Expr::none;
          const VariableId v = x_.variable(e);
          if (problem_.number_of(quantity(v)) == unmatched) return Expr::none;
          a_.rely_on_start(v);
          return a_.start(v);
        }) {}

  void run() {
    for (Block& block : schedule_.blocks)
      if (!block.unknowns().empty() && !block.linear()) guess_backwards(block);
    for (std::uint32_t b = 0; b < schedule_.blocks.size(); ++b)
      for (Quantity q : schedule_.blocks[b].unknowns())
        if (part(q) == Part::value && has_unknowns(a_.start(variable(q)))) wanted_.emplace_back(b, q);
    if (wanted_.empty()) return;
    collect_units();
    for (const auto& [b, q] : wanted_) {
      a_.rely_on_start(variable(q));
      const Expr start = a_.start(variable(q));
      if (after_all(unit_of_block_[b], start)) {
        schedule_.blocks[b].together().guesses.push_back({q, start, none});
      } else if (const Expr rough = a_.literal(guess_(start)); rough != Expr::none) {
        // What it needs is found only with it, or after it: their own start values stand in.
        schedule_.blocks[b].together().guesses.push_back({q, rough, none});
      }
    }
    reorder();
  }

private:
  bool has_start(Quantity q) { return part(q) == Part::value && a_.variable(variable(q)).start != Expr::none; }

  /// `e` = `other`, solved for a leaf that stands in it once, with numbers for its factors: nothing that might fail, or that relies on what a
  /// parameter is. Expr::none if it is anything else. `known`: whether a variable may be in it.
  Expr follow_back(Expr e, Expr leaf, Expr other, const std::function<bool(Quantity)>& known) {
    const auto make = [&](Op op, Expr a, Expr b) { return x_.simplified(op, BaseType::real, {a, b}); };
    const auto is_factor = [&](Expr n) { return x_.is_number(n) && x_.number(n) != 0; };
    while (e != leaf) {
      if (x_.op(e) == Op::negate) {
        other = x_.simplified(Op::negate, BaseType::real, {other});
        e = x_.child(e, 0);
        continue;
      }
      if (x_.children(e).size() != 2) return Expr::none;
      const Expr a = x_.child(e, 0), b = x_.child(e, 1);
      const bool in_a = solver_.contains(a, leaf);
      const Expr rest = in_a ? b : a;
      if (in_a == solver_.contains(b, leaf) || !is_plain(rest, known)) return Expr::none;
      switch (x_.op(e)) {
        case Op::add: other = make(Op::subtract, other, rest); break;
        case Op::subtract: other = in_a ? make(Op::add, other, rest) : make(Op::subtract, rest, other); break;
        case Op::multiply:
          if (!is_factor(rest)) return Expr::none;
          other = make(Op::divide, other, rest);
          break;
        case Op::divide:
          if (!in_a || !is_factor(rest)) return Expr::none;
          other = make(Op::multiply, other, rest);
          break;
        default: return Expr::none;
      }
      e = in_a ? a : b;
    }
    return other;
  }

  bool is_plain(Expr e, const std::function<bool(Quantity)>& known) {
    bool plain = true;
    a_.walker.each(e, [&](Expr n) {
      switch (x_.op(n)) {
        case Op::add: case Op::subtract: case Op::multiply: case Op::negate: case Op::real: case Op::integer: break;
        default: plain = plain && quantity_of(x_, n) != Quantity::none && known(quantity_of(x_, n));
      }
      return plain;
    });
    return plain;
  }

  /// Where it begins decides which of several solutions a block finds. An unknown without a start value begins where a variable that follows
  /// from it has its own, whichever of the two was torn out. That one's slot holds it until the block is solved.
  void guess_backwards(Block& block) {
    std::set<Quantity> open, unfounded;   // without a start value: unknowns, and all that the block finds
    for (const Quantity q : block.unknowns()) {
      if (has_start(q)) continue;
      unfounded.insert(q);
      // A minimum above 0, or a maximum below, is where it begins.
      const auto begin = part(q) == Part::value ? a_.number(a_.start(variable(q)), Reliance::nothing) : std::nullopt;
      if (begin && *begin == 0) open.insert(q);
    }
    for (const Solved& s : block.assignments())
      if (!has_start(s.unknown)) unfounded.insert(s.unknown);
    for (const Solved& s : block.assignments()) {
      if (open.empty()) return;
      if (!has_start(s.unknown) || has_unknowns(a_.start(variable(s.unknown)))) continue;
      std::vector<Quantity> there;
      a_.walker.each(s.value, [&](Expr e) {
        if (const Quantity q = quantity_of(x_, e); q != Quantity::none && open.contains(q)) there.push_back(q);
        return true;
      });
      for (const Quantity q : there) {
        const Expr guess = follow_back(s.value, a_.leaf(q), a_.leaf(s.unknown), [&](Quantity other) { return !unfounded.contains(other); });
        if (guess == Expr::none) continue;
        block.together().guesses.push_back({q, guess, none});
        open.erase(q);
        unfounded.erase(q);
        break;   // one start value, one guess
      }
    }
  }

  bool has_unknowns(Expr start) {
    bool found = false;
    a_.walker.each(start, [&](Expr e) {
      found = found || (x_.op(e) == Op::variable && problem_.number_of(quantity(x_.variable(e))) != unmatched);
      return !found;
    });
    return found;
  }

  /// Blocks that are iterated together stay together.
  void collect_units() {
    const auto n = static_cast<std::uint32_t>(schedule_.blocks.size());
    unit_of_block_.resize(n);
    std::size_t iteration = 0;
    for (std::uint32_t b = 0; b < n; ++b) {
      const auto unit = static_cast<std::uint32_t>(first_.size());
      first_.push_back(b);
      std::uint32_t last = b + 1;
      if (iteration < schedule_.iterations.size() && schedule_.iterations[iteration].first == b) last = schedule_.iterations[iteration++].last;
      for (; b < last; ++b) unit_of_block_[b] = unit;
      --b;
    }
    first_.push_back(n);
    unit_of_unknown_.assign(problem_.unknowns.size(), unmatched);
    needs_.resize(units());
    const auto equations = [&](const Block& block, auto&& each) {
      for (const Solved& s : block.assignments()) each(s.equation);
      for (const Residual& r : block.residuals()) each(r.equation);
    };
    for (std::uint32_t b = 0; b < n; ++b) {
      for (const Solved& s : schedule_.blocks[b].assignments()) find(s.unknown, unit_of_block_[b]);
      for (Quantity q : schedule_.blocks[b].unknowns()) find(q, unit_of_block_[b]);
    }
    for (std::uint32_t b = 0; b < n; ++b)
      equations(schedule_.blocks[b], [&](std::uint32_t e) {
        for (const auto& entry : problem_.incidence.of(e)) need(unit_of_block_[b], unit_of_unknown_[entry.unknown]);
      });
  }

  std::uint32_t units() const { return static_cast<std::uint32_t>(first_.size() - 1); }
  void find(Quantity q, std::uint32_t unit) {
    if (const std::uint32_t u = problem_.number_of(q); u != unmatched) unit_of_unknown_[u] = unit;
  }
  void need(std::uint32_t unit, std::uint32_t other) {
    if (other != unmatched && other != unit) needs_[unit].push_back(other);
  }

  bool needs(std::uint32_t unit, std::uint32_t other) {
    std::vector<std::uint32_t> stack{unit};
    std::set<std::uint32_t> seen;
    while (!stack.empty()) {
      const std::uint32_t u = stack.back();
      stack.pop_back();
      if (u == other) return true;
      if (!seen.insert(u).second) continue;
      stack.insert(stack.end(), needs_[u].begin(), needs_[u].end());
    }
    return false;
  }

  /// Puts a unit behind those that find the variables of its start value. False: one of these needs it.
  bool after_all(std::uint32_t unit, Expr start) {
    std::set<std::uint32_t> others;
    a_.walker.each(start, [&](Expr e) {
      if (x_.op(e) == Op::variable)
        if (const std::uint32_t u = problem_.number_of(quantity(x_.variable(e))); u != unmatched && unit_of_unknown_[u] != unmatched)
          others.insert(unit_of_unknown_[u]);
      return true;
    });
    for (std::uint32_t other : others)
      if (needs(other, unit)) return false;
    for (std::uint32_t other : others) need(unit, other);
    return true;
  }

  /// The order that there is, as far as the needs allow.
  void reorder() {
    std::vector<std::vector<std::uint32_t>> needed_by(units());
    std::vector<std::uint32_t> open(units(), 0);
    for (std::uint32_t u = 0; u < units(); ++u) {
      std::sort(needs_[u].begin(), needs_[u].end());
      needs_[u].erase(std::unique(needs_[u].begin(), needs_[u].end()), needs_[u].end());
      open[u] = static_cast<std::uint32_t>(needs_[u].size());
      for (std::uint32_t other : needs_[u]) needed_by[other].push_back(u);
    }
    std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> ready;
    for (std::uint32_t u = 0; u < units(); ++u)
      if (open[u] == 0) ready.push(u);
    std::vector<std::uint32_t> order;
    while (!ready.empty()) {
      const std::uint32_t u = ready.top();
      ready.pop();
      order.push_back(u);
      for (std::uint32_t other : needed_by[u])
        if (--open[other] == 0) ready.push(other);
    }
    std::vector<std::uint32_t> position(units());
    std::vector<Block> blocks;
    for (std::uint32_t u : order) {
      position[u] = static_cast<std::uint32_t>(blocks.size());
      for (std::uint32_t b = first_[u]; b < first_[u + 1]; ++b) blocks.push_back(std::move(schedule_.blocks[b]));
    }
    for (Iteration& i : schedule_.iterations) {
      const std::uint32_t length = i.last - i.first;
      i.first = position[unit_of_block_[i.first]];
      i.last = i.first + length;
    }
    std::sort(schedule_.iterations.begin(), schedule_.iterations.end(), [](const Iteration& p, const Iteration& q) { return p.first < q.first; });
    schedule_.blocks = std::move(blocks);
  }

  Analysis& a_;
  Expressions& x_;
  const Problem& problem_;
  Schedule& schedule_;
  Solver solver_;
  Rewriter guess_;
  std::vector<std::pair<std::uint32_t, Quantity>> wanted_;      // block, unknown
  std::vector<std::uint32_t> unit_of_block_, unit_of_unknown_;
  std::vector<std::uint32_t> first_;                            // block of every unit, and the end
  std::vector<std::vector<std::uint32_t>> needs_;               // units, by unit
};

}  // namespace

void place_start_values(Analysis& a, const Problem& problem, Schedule& schedule) { StartValues(a, problem, schedule).run(); }

}  // namespace mosim::compiler::dae
