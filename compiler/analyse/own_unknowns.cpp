#include "compiler/analyse/own_unknowns.hpp"


namespace mosim::compiler::dae {

namespace {

constexpr std::size_t most_terms = 20000;    // of one equation
constexpr std::size_t most_factors = 40;     // of one product

/// An unknown in an equation; plainly: its coefficient is not zero, whatever the values.
struct Occurrence {
  std::uint32_t unknown;   // numbered as they are met
  bool plain;
};

class Occurrences {
public:
  Occurrences(Analysis& a, const std::function<bool(Expr)>& is_unknown) : a_(a), x_(a.x()), is_unknown_(is_unknown) { a.unknown_numbers.resize(a.system.facts.size() * 4, none); }
  Occurrences(const Occurrences&) = delete;
  ~Occurrences() {
    for (const std::uint32_t quantity : met_) a_.unknown_numbers[quantity] = none;
  }
  std::size_t count() const { return met_.size(); }

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
        (void)inside(e);
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
      at_[found[k].unknown] = none;
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
        (void)inside(f);
        continue;
      }
      const Op op = x_.op(f);
      if (op == Op::multiply || op == Op::divide) {
        factors_.push_back(x_.child(f, 0));
        if (op == Op::multiply) factors_.push_back(x_.child(f, 1));
        else (void)inside(x_.child(f, 1));
      } else if (op == Op::negate) {
        factors_.push_back(x_.child(f, 0));
      } else if (quantity_of(x_, f) == Quantity::none) {
        const bool may_vanish = x_.is_number(f) ? x_.number(f) == 0 : inside(f) || op == Op::add || op == Op::subtract;
        plain = plain && !may_vanish;
      } else if (is_unknown_(f)) {
        leaves_.push_back(f);
      } else {
        plain = plain && !is_constant(f);   // it may be 0
      }
    }
    for (const Expr leaf : leaves_) note(leaf, plain);
  }
  // Where what becomes of an unknown is not told. Whether it holds constants, with which it may be 0.
  bool inside(Expr e) {
    bool constants = false;
    a_.walker.more(e, [&](Expr n) {
      if (quantity_of(x_, n) == Quantity::none) return true;
      if (is_unknown_(n)) note(n, false);
      else constants = constants || is_constant(n);
      return true;
    });
    return constants;
  }
  bool is_constant(Expr leaf) const { return a_.fact(x_.variable(leaf)).kind == VariableKind::constant; }
  void note(Expr leaf, bool plain) {
    const std::uint32_t quantity = index(quantity_of(x_, leaf));
    std::uint32_t& number = a_.unknown_numbers[quantity];
    if (number == none) {
      number = static_cast<std::uint32_t>(met_.size());
      met_.push_back(quantity);
      at_.push_back(none);
    }
    std::uint32_t& at = at_[number];
    if (at != none) {
      (*out_)[at].plain = false;   // it stands here twice
      return;
    }
    at = static_cast<std::uint32_t>(out_->size());
    out_->push_back({number, plain});
  }

  Analysis& a_;
  const Expressions& x_;
  const std::function<bool(Expr)>& is_unknown_;
  std::vector<std::uint32_t> met_;   // by number: the quantity
  std::vector<std::uint32_t> at_;    // by number: where it is among those of this equation
  std::vector<Occurrence>* out_ = nullptr;
  std::size_t first_ = 0;
  std::vector<Expr> terms_, factors_, leaves_;
};

}  // namespace

std::vector<std::uint32_t> without_own_unknowns(Analysis& a, const std::vector<std::pair<Expr, Expr>>& equations, const std::function<bool(Expr)>& is_unknown) {
  const std::size_t n = equations.size();
  if (n == 1) return {0};   // there is nothing to leave out for others
  std::vector<Occurrence> occurrences;
  std::vector<std::size_t> first(n + 1, 0);
  Occurrences all(a, is_unknown);
  for (std::size_t e = 0; e < n; ++e) {
    all.find(equations[e].first, equations[e].second, occurrences);
    first[e + 1] = occurrences.size();
  }
  // By unknown: in how many equations it stands, and the exclusive or of where, which is the last one.
  struct Where {
    std::uint32_t count = 0, last = 0;
    bool is_own() const { return count == 1 && last & 1; }   // plainly
    std::uint32_t equation() const { return last >> 1; }
  };
  std::vector<Where> where(all.count());
  const auto code = [](std::uint32_t e, const Occurrence& o) { return e << 1 | std::uint32_t(o.plain); };
  for (std::uint32_t e = 0; e < n; ++e)
    for (std::size_t k = first[e]; k < first[e + 1]; ++k) {
      Where& w = where[occurrences[k].unknown];
      ++w.count;
      w.last ^= code(e, occurrences[k]);
    }
  std::vector<std::uint32_t> open;
  for (const Where& w : where)
    if (w.is_own()) open.push_back(w.equation());
  std::vector<char> left(n, 1);
  while (!open.empty()) {
    const std::uint32_t e = open.back();
    open.pop_back();
    if (!left[e]) continue;
    left[e] = 0;
    for (std::size_t k = first[e]; k < first[e + 1]; ++k) {
      Where& w = where[occurrences[k].unknown];
      w.last ^= code(e, occurrences[k]);
      --w.count;
      if (w.is_own()) open.push_back(w.equation());
    }
  }
  std::vector<std::uint32_t> result;
  for (std::uint32_t e = 0; e < n; ++e)
    if (left[e]) result.push_back(e);
  return result;
}

}  // namespace mosim::compiler::dae
