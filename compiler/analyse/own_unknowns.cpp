#include "compiler/analyse/own_unknowns.hpp"

#include <algorithm>

namespace mosim::compiler::dae {

namespace {

constexpr std::size_t most_terms = 20000;    // of one equation
constexpr std::size_t most_factors = 40;     // of one product

/// An unknown in an equation; plainly: its coefficient is not zero, whatever the values.
struct Occurrence {
  std::uint32_t quantity;
  bool plain;
};

class Occurrences {
public:
  Occurrences(Analysis& a, const std::function<bool(Expr)>& is_unknown) : a_(a), x_(a.x()), is_unknown_(is_unknown), at_(a.system.facts.size() * 4, none) {}

  /// Appends those of an equation, each unknown once.
  void find(Expr left, Expr right, std::vector<Occurrence>& found) {
    first_ = found.size();
    out_ = &found;
    a_.walker.restart();
    terms_ = {right, left};
    // Expressions share their parts: written out they may be far longer.
    std::size_t steps = 0;
    for (; !terms_.empty(); ++steps) {
      const Expr e = terms_.back();
      terms_.pop_back();
      if (steps > most_terms) {
        inside(e);
        continue;
      }
      switch (x_.op(e)) {
        case Op::add:
        case Op::subtract:
          terms_.push_back(x_.child(e, 1));
          [[fallthrough]];
        case Op::negate: terms_.push_back(x_.child(e, 0)); break;
        default: term(e);
      }
    }
    for (std::size_t k = first_; k < found.size(); ++k) {
      at_[found[k].quantity] = none;
      found[k].plain = found[k].plain && steps <= most_terms;
    }
  }

private:
  // A product of leaves and numbers.
  void term(Expr e) {
    factors_ = {e};
    leaves_.clear();
    bool plain = true;
    for (std::size_t steps = 0; !factors_.empty(); ++steps) {
      const Expr f = factors_.back();
      factors_.pop_back();
      if (steps > most_factors) {
        plain = false;
        inside(f);
        continue;
      }
      const Op op = x_.op(f);
      if (op == Op::multiply || op == Op::divide) {
        factors_.push_back(x_.child(f, 0));
        if (op == Op::multiply) factors_.push_back(x_.child(f, 1));
        else inside(x_.child(f, 1));
      } else if (op == Op::negate) {
        factors_.push_back(x_.child(f, 0));
      } else if (quantity_of(x_, f) == Quantity::none) {
        if (x_.is_number(f)) plain = plain && x_.number(f) != 0;
        else plain = plain && op != Op::add && op != Op::subtract, inside(f);
      } else if (is_unknown_(f)) {
        leaves_.push_back(f);
      } else {
        plain = plain && a_.fact(x_.variable(f)).kind != VariableKind::constant;   // it may be 0
      }
    }
    for (const Expr leaf : leaves_) note(leaf, plain);
  }
  // Where what becomes of an unknown is not told.
  void inside(Expr e) {
    a_.walker.more(e, [&](Expr n) {
      if (quantity_of(x_, n) != Quantity::none && is_unknown_(n)) note(n, false);
      return true;
    });
  }
  void note(Expr leaf, bool plain) {
    std::uint32_t& at = at_[index(quantity_of(x_, leaf))];
    if (at != none) {
      (*out_)[at].plain = false;   // it stands here twice
      return;
    }
    at = static_cast<std::uint32_t>(out_->size());
    out_->push_back({index(quantity_of(x_, leaf)), plain});
  }

  Analysis& a_;
  const Expressions& x_;
  const std::function<bool(Expr)>& is_unknown_;
  std::vector<std::uint32_t> at_;   // by quantity: where it is among those of this equation
  std::vector<Occurrence>* out_ = nullptr;
  std::size_t first_ = 0;
  std::vector<Expr> terms_, factors_, leaves_;
};

}  // namespace

std::vector<std::uint32_t> without_own_unknowns(Analysis& a, const std::vector<std::pair<Expr, Expr>>& equations, const std::function<bool(Expr)>& is_unknown) {
  const std::size_t n = equations.size();
  std::vector<Occurrence> occurrences;
  std::vector<std::size_t> first(n + 1, 0);
  Occurrences all(a, is_unknown);
  for (std::size_t e = 0; e < n; ++e) {
    all.find(equations[e].first, equations[e].second, occurrences);
    first[e + 1] = occurrences.size();
  }
  // By unknown: in how many equations it stands, and the exclusive or of their numbers, which is the last one's number.
  struct Where {
    std::uint32_t count = 0, numbers = 0;
  };
  std::vector<Where> where(a.system.facts.size() * 4);
  for (std::uint32_t e = 0; e < n; ++e)
    for (std::size_t k = first[e]; k < first[e + 1]; ++k) {
      ++where[occurrences[k].quantity].count;
      where[occurrences[k].quantity].numbers ^= e;
    }
  std::vector<char> left(n, 1);
  const auto has_own = [&](std::uint32_t e) {
    return std::any_of(occurrences.begin() + std::ptrdiff_t(first[e]), occurrences.begin() + std::ptrdiff_t(first[e + 1]),
                       [&](const Occurrence& o) { return o.plain && where[o.quantity].count == 1; });
  };
  std::vector<std::uint32_t> open;
  for (std::uint32_t e = 0; e < n; ++e) {
    open.push_back(e);
    while (!open.empty()) {
      const std::uint32_t next = open.back();
      open.pop_back();
      if (!left[next] || !has_own(next)) continue;
      left[next] = 0;
      for (std::size_t k = first[next]; k < first[next + 1]; ++k) {
        Where& w = where[occurrences[k].quantity];
        w.numbers ^= next;
        if (--w.count == 1) open.push_back(w.numbers);
      }
    }
  }
  std::vector<std::uint32_t> result;
  for (std::uint32_t e = 0; e < n; ++e)
    if (left[e]) result.push_back(e);
  return result;
}

}  // namespace mosim::compiler::dae
