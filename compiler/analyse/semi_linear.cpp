// semiLinear(x, k+, k-): what it leaves open where x is zero (MLS 3.7.4.5). y = semiLinear(x, sa, s1), y = semiLinear(x, s1, sb)
// leave s1 open, x = 0, y = 0, y = semiLinear(x, sa, sb) even both; of all solutions the one is taken that the specification names.

#include <algorithm>
#include <map>

#include "compiler/analyse/analysis.hpp"

namespace mosim::compiler::dae {

namespace {

class SemiLinear {
public:
  explicit SemiLinear(Analysis& a) : a_(a), x_(a.x()) {}

  void run() {
    find_zeros();
    for (std::uint32_t e = 0; e < a_.equations.size(); ++e) look_at(e);
    for (auto& [key, links] : groups_) join(links);
    Rewriter as_choice(
        x_, [](Expr) { return Expr::none; },
        [this](Expr e, Expr) {
          if (x_.op(e) != Op::semi_linear) return e;
          const auto product = [&](std::size_t k) { return x_.simplified(Op::multiply, BaseType::real, {x_.child(e, k), x_.child(e, 1)}, x_.place(e)); };
          return x_.make(Op::if_, BaseType::real, {x_.child(e, 0), product(2), product(3)}, x_.place(e));
        }, contents::special);
    rewrite_all(a_, [&](Expr e) { return as_choice(e); });
  }

private:
  /// y = semiLinear(x, from, to), perhaps of -x, and with a minus before it.
  struct Link {
    std::uint32_t equation;
    Expr y, from, to, holds;
    bool opposite;   // `holds` is -x >= 0
  };

  static constexpr bool positive = false, negative = true;
  Expr without_sign(Expr e, bool& sign) const {
    while (x_.op(e) == Op::negate) {
      e = x_.child(e, 0);
      sign = !sign;
    }
    return e;
  }
  Expr signed_(Expr e, bool minus) { return minus ? x_.simplified(Op::negate, BaseType::real, {e}) : e; }

  bool is_zero(Expr e) const {
    bool sign = positive;
    e = without_sign(e, sign);
    if (x_.is_number(e)) return x_.number(e) == 0;
    return x_.op(e) == Op::variable && zeros_.contains(index(x_.variable(e)));
  }

  void find_zeros() {
    for (const Equation& e : a_.equations)
      for (const auto& [one, other] : {std::pair{e.left, e.right}, std::pair{e.right, e.left}}) {
        bool sign = positive;
        const Expr v = without_sign(one, sign);
        if (x_.op(v) == Op::variable && x_.is_number(other) && x_.number(other) == 0) zeros_.insert(index(x_.variable(v)));
      }
  }

  /// One side as plus or minus a semiLinear, and the other side.
  bool parts(const Equation& e, Expr& call, Expr& y, bool& minus) const {
    const auto is_call = [&](Expr side, Expr other, bool sign) {
      const Expr inner = without_sign(side, sign);
      if (x_.op(inner) != Op::semi_linear) return false;
      call = inner;
      y = other;
      minus = sign;
      return true;
    };
    if (is_call(e.left, e.right, positive) || is_call(e.right, e.left, positive)) return true;
    for (const auto& [sum, zero] : {std::pair{e.left, e.right}, std::pair{e.right, e.left}}) {
      if (!x_.is_number(zero) || x_.number(zero) != 0 || (x_.op(sum) != Op::add && x_.op(sum) != Op::subtract)) continue;
      const bool sign = x_.op(sum) == Op::add ? negative : positive;   // y + s = 0 is y = -s
      if (is_call(x_.child(sum, 1), x_.child(sum, 0), sign) || is_call(x_.child(sum, 0), x_.child(sum, 1), sign)) return true;
    }
    return false;
  }

  void look_at(std::uint32_t number) {
    Equation& e = a_.equations[number];
    Expr call = Expr::none, y = Expr::none;
    bool minus = positive;
    if (e.why != Why::equation || e.target != Quantity::none || !parts(e, call, y, minus)) return;
    const Expr up = x_.child(call, 2), down = x_.child(call, 3);
    if (is_zero(y) && is_zero(x_.child(call, 1))) {
      if (up == down) return;
      e.left = up;
      e.right = down;
      return;
    }
    // y = -semiLinear(-x, k-, k+) is the same.
    bool opposite = positive;
    const Expr x = without_sign(x_.child(call, 1), opposite);
    minus = minus != opposite;
    y = without_sign(y, minus);
    Link link{number, signed_(y, minus), opposite ? down : up, opposite ? up : down, x_.child(call, 0), opposite};
    groups_[{index(x), index(link.y)}].push_back(link);
  }

  bool is_unknown(Expr e) { return x_.op(e) == Op::variable && a_.fact(x_.variable(e)).kind == VariableKind::algebraic; }

  void join(std::vector<Link>& links) {
    if (links.size() < 2) return;
    if (std::all_of(links.begin(), links.end(), [](const Link& l) { return l.opposite; }))   // all are of -x: then of that
      for (Link& l : links) {
        std::swap(l.from, l.to);
        l.opposite = false;
      }
    const Expr holds = std::find_if(links.begin(), links.end(), [](const Link& l) { return !l.opposite; })->holds;
    std::map<std::uint32_t, std::vector<std::size_t>> leaving, arriving;
    for (std::size_t k = 0; k < links.size(); ++k) {
      leaving[index(links[k].from)].push_back(k);
      arriving[index(links[k].to)].push_back(k);
    }
    // A slope between two of them, and no others.
    const auto inner = [&](Expr s) {
      const auto out = leaving.find(index(s)), in = arriving.find(index(s));
      return is_unknown(s) && out != leaving.end() && in != arriving.end() && out->second.size() == 1 && in->second.size() == 1;
    };
    for (std::size_t first = 0; first < links.size(); ++first) {
      if (inner(links[first].from)) continue;
      std::vector<std::size_t> chain{first};
      while (inner(links[chain.back()].to)) chain.push_back(leaving[index(links[chain.back()].to)].front());
      if (chain.size() > 1) replace(links, chain, holds);
    }
  }

  void replace(const std::vector<Link>& links, const std::vector<std::size_t>& chain, Expr holds) {
    const Expr begin = links[chain.front()].from, end = links[chain.back()].to;
    Expr before = x_.make(Op::if_, BaseType::real, {holds, begin, end});
    for (std::size_t k = 0; k + 1 < chain.size(); ++k) {
      Equation& e = a_.equations[links[chain[k]].equation];
      e.left = links[chain[k]].to;
      e.right = before;
      before = e.left;
    }
    // y and x are related by this one alone now.
    const Link& last = links[chain.back()];
    Equation& e = a_.equations[last.equation];
    Expr call = Expr::none, y = Expr::none;
    bool minus = positive;
    (void)parts(e, call, y, minus);
    const bool opposite = x_.child(call, 0) != holds;
    const Expr up = opposite ? end : begin, down = opposite ? begin : end;
    e.left = y;
    e.right = signed_(x_.make(Op::semi_linear, BaseType::real, {x_.child(call, 0), x_.child(call, 1), up, down}, x_.place(call)), minus);
  }

  Analysis& a_;
  Expressions& x_;
  std::unordered_set<std::uint32_t> zeros_;                                      // variables that are always 0
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Link>> groups_;  // by x and y
};

}  // namespace

void resolve_semi_linear(Analysis& a) { SemiLinear(a).run(); }

}  // namespace mosim::compiler::dae
