#include "compiler/analyse/linear_terms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace mosim::compiler::dae {

namespace {

constexpr std::size_t most_terms = 20000;    // of one equation
constexpr std::size_t most_factors = 40;     // of one product

}  // namespace

std::optional<Rational> exact(double value) {
  if (!std::isfinite(value)) return {};
  // "-1.5e-07": the digits as a whole number, and a power of ten.
  const std::string shortest = fmt::format("{}", value);
  std::int64_t digits = 0;
  int exponent = 0;
  bool point = false;
  std::size_t i = shortest.front() == '-' ? 1 : 0;
  for (; i < shortest.size() && shortest[i] != 'e'; ++i) {
    if (shortest[i] == '.') {
      point = true;
      continue;
    }
    if (__builtin_mul_overflow(digits, std::int64_t{10}, &digits) || __builtin_add_overflow(digits, shortest[i] - '0', &digits)) return {};
    if (point) --exponent;
  }
  if (i < shortest.size()) exponent += std::atoi(shortest.c_str() + i + 1);
  Rational result{shortest.front() == '-' ? -digits : digits, 1};
  for (; exponent > 0; --exponent) {
    const auto next = multiply(result, {10, 1});
    if (!next) return {};
    result = *next;
  }
  for (; exponent < 0; ++exponent) {
    const auto next = multiply(result, {1, 10});
    if (!next) return {};
    result = *next;
  }
  return result;
}

LinearTerms::LinearTerms(Analysis& a, std::function<bool(Expr)> is_unknown) : a_(a), x_(a.x()), is_unknown_(std::move(is_unknown)) {
  (void)column(Factors{});   // `one`
}

std::uint64_t LinearTerms::HashOfProduct::operator()(const Product& product) const {
  std::uint64_t hash = product.size();
  for (const Factor& f : product) hash = mixed(mixed(hash, index(f.e)), std::uint64_t(f.power));
  return hash;
}

void LinearTerms::append(Factors& factors, Factor factor) {
  links_.push_back({factor, factors.last});
  factors.last = static_cast<std::uint32_t>(links_.size() - 1);
  ++factors.count;
}

std::optional<Rational> LinearTerms::number(Expr e) {
  if (x_.op(e) == Op::integer) return Rational::of(x_.integer_value(e), 1);
  if (x_.op(e) == Op::real) return exact(x_.real_value(e));
  if (x_.op(e) != Op::variable || a_.fact(x_.variable(e)).kind != VariableKind::constant) return {};
  const auto value = a_.number(e);
  return value ? exact(*value) : std::nullopt;
}

bool LinearTerms::holds_unknown(Expr e) {
  const auto known = holds_unknown_.find(index(e));
  if (known != holds_unknown_.end()) return known->second;
  bool found = false;
  a_.walker.each(e, [&](Expr n) {
    found = found || (quantity_of(x_, n) != Quantity::none && is_unknown_(n));
    return !found;
  });
  return holds_unknown_[index(e)] = found;
}

/// Takes an expression that is no sum apart into a number and factors. False if it is a sum, or too long.
bool LinearTerms::single(Expr e, Rational& number_, Factors& factors, std::int64_t power) {
  struct Step {
    Expr e;
    std::int64_t power;
  };
  Step steps[most_factors + 2] = {{e, power}};
  for (std::size_t open = 1; open > 0;) {
    const Step s = steps[--open];
    const auto push = [&](Expr part, std::int64_t its_power) { steps[open++] = {part, its_power}; };
    if (const auto n = number(s.e)) {
      const auto inverse = s.power > 0 ? n : n->numerator == 0 ? std::nullopt : divide({1, 1}, *n);
      if (!inverse) return false;
      for (std::int64_t k = std::abs(s.power); k > 0; --k) {
        const auto next = multiply(number_, *inverse);
        if (!next) return false;
        number_ = *next;
        if (k > 64) return false;
      }
      continue;
    }
    switch (x_.op(s.e)) {
      case Op::negate:
        if (s.power % 2 != 0) number_.numerator = -number_.numerator;
        push(x_.child(s.e, 0), s.power);
        break;
      case Op::multiply:
        push(x_.child(s.e, 0), s.power);
        push(x_.child(s.e, 1), s.power);
        break;
      case Op::divide:
        push(x_.child(s.e, 0), s.power);
        push(x_.child(s.e, 1), -s.power);
        break;
      case Op::power: {
        const auto exponent = number(x_.child(s.e, 1));
        if (exponent && exponent->denominator == 1 && exponent->numerator > 0 && exponent->numerator < 20 && std::abs(s.power) < 20) {
          push(x_.child(s.e, 0), s.power * exponent->numerator);
          break;
        }
        append(factors, {s.e, s.power});
        break;
      }
      case Op::add:
      case Op::subtract:
        if (s.power == 1) return false;
        [[fallthrough]];
      default: append(factors, {s.e, s.power});
    }
    if (factors.count > most_factors || open > most_factors) return false;
  }
  return true;
}

std::uint32_t LinearTerms::column(Factors factors) {
  scratch_.clear();
  for (std::uint32_t link = factors.last; link != none; link = links_[link].before) scratch_.push_back(links_[link].factor);
  return column(scratch_);
}

/// Sorts and merges them first.
std::uint32_t LinearTerms::column(Product& factors) {
  if (factors.size() > 1) std::sort(factors.begin(), factors.end(), [](const Factor& a, const Factor& b) { return a.e < b.e; });
  std::size_t merged = 0;
  for (const Factor f : factors) {
    if (merged > 0 && factors[merged - 1].e == f.e) factors[merged - 1].power += f.power;
    else factors[merged++] = f;
    if (factors[merged - 1].power == 0) --merged;
  }
  factors.resize(merged);
  const std::size_t number = places_.find_or_add(factors, columns_.size(), [this](std::size_t k) -> const Product& { return columns_[k].factors; });
  if (number < columns_.size()) return static_cast<std::uint32_t>(number);
  Column c;
  for (const Factor& f : factors) c.unknown = c.unknown || holds_unknown(f.e);
  if (factors.size() == 1 && factors[0].power == 1 && quantity_of(x_, factors[0].e) != Quantity::none) c.leaf = factors[0].e;
  c.factors = factors;
  columns_.push_back(std::move(c));
  return static_cast<std::uint32_t>(number);
}

std::vector<Expr> LinearTerms::unknowns(std::uint32_t column) {
  std::vector<Expr> all;
  for (const Factor& f : columns_[column].factors)
    a_.walker.each(f.e, [&](Expr n) {
      if (quantity_of(x_, n) != Quantity::none && is_unknown_(n)) all.push_back(n);
      return true;
    });
  return all;
}

std::optional<LinearTerms::Split> LinearTerms::split(Expr left, Expr right) {
  // Expressions share their parts, so that what is written out may be far longer than what is stored.
  links_.clear();
  std::vector<Term> terms;
  terms.push_back({right, {-1, 1}, {}});
  terms.push_back({left, {1, 1}, {}});
  std::vector<RowEntry> entries;
  while (!terms.empty()) {
    Term t = terms.back();
    terms.pop_back();
    if (entries.size() + terms.size() > most_terms) return {};
    switch (x_.op(t.e)) {
      case Op::add:
      case Op::subtract: {
        Term second = t;
        second.e = x_.child(t.e, 1);
        if (x_.op(t.e) == Op::subtract) second.number.numerator = -second.number.numerator;
        t.e = x_.child(t.e, 0);
        terms.push_back(second);
        terms.push_back(t);
        continue;
      }
      case Op::negate:
        t.number.numerator = -t.number.numerator;
        t.e = x_.child(t.e, 0);
        terms.push_back(t);
        continue;
      case Op::multiply: {
        // A sum times what is none goes on term by term.
        bool taken = false;
        for (const std::size_t k : {0u, 1u}) {
          Term rest = t;
          if (!single(x_.child(t.e, k), rest.number, rest.factors, 1)) continue;
          rest.e = x_.child(t.e, 1 - k);
          terms.push_back(rest);
          taken = true;
          break;
        }
        if (taken) continue;
        append(t.factors, {t.e, 1});
        break;
      }
      case Op::divide: {
        Term rest = t;
        if (single(x_.child(t.e, 1), rest.number, rest.factors, -1)) {
          rest.e = x_.child(t.e, 0);
          terms.push_back(rest);
          continue;
        }
        append(t.factors, {t.e, 1});
        break;
      }
      default: {
        Term parts = t;
        if (single(parts.e, parts.number, parts.factors, 1)) t = parts;
        else append(t.factors, {t.e, 1});
      }
    }
    if (t.number.numerator != 0) entries.push_back({column(t.factors), t.number});
  }
  std::stable_sort(entries.begin(), entries.end(), [](const RowEntry& a, const RowEntry& b) { return a.column < b.column; });
  Split result;
  for (std::size_t i = 0; i < entries.size();) {
    Rational sum = entries[i].value;
    std::size_t j = i + 1;
    for (; j < entries.size() && entries[j].column == entries[i].column; ++j) {
      const auto next = add(sum, entries[j].value);
      if (!next) return {};
      sum = *next;
    }
    if (sum.numerator != 0) (columns_[entries[i].column].unknown ? result.unknown : result.known).push_back({entries[i].column, sum});
    i = j;
  }
  shorten(result);
  return result;
}

/// F = m*a and a = F/m are the same row: powers of parameters that stand in all terms go.
void LinearTerms::shorten(Split& split) {
  const auto is_parameter = [&](Expr e) {
    if (x_.op(e) != Op::variable) return false;
    const VariableKind kind = a_.fact(x_.variable(e)).kind;
    return kind == VariableKind::parameter || kind == VariableKind::constant;
  };
  const auto power = [&](const RowEntry& entry, Expr e) -> std::int64_t {
    for (const Factor& f : columns_[entry.column].factors)
      if (f.e == e) return f.power;
    return 0;
  };
  std::vector<Factor> common;
  const RowEntry* const first = !split.unknown.empty() ? split.unknown.data() : split.known.data();
  for (const SparseRow* row : {&split.unknown, &split.known})
    for (const RowEntry& entry : *row)
      for (const Factor& f : columns_[entry.column].factors)
        // What stands in all terms stands in the first, or below one of them.
        if ((f.power < 0 || &entry == first) && is_parameter(f.e)) common.push_back({f.e, f.power});
  if (common.empty()) return;
  std::sort(common.begin(), common.end());
  common.erase(std::unique(common.begin(), common.end(), [](const Factor& a, const Factor& b) { return a.e == b.e; }), common.end());
  if (common.size() > most_factors) return;
  for (Factor& f : common)
    for (const SparseRow* row : {&split.unknown, &split.known})
      for (const RowEntry& entry : *row) f.power = std::min(f.power, power(entry, f.e));
  std::erase_if(common, [](const Factor& f) { return f.power == 0; });
  if (common.empty()) return;
  for (SparseRow* row : {&split.unknown, &split.known}) {
    for (RowEntry& entry : *row) {
      Product factors = columns_[entry.column].factors;
      for (const Factor& f : common) factors.push_back({f.e, -f.power});
      entry.column = column(factors);
    }
    std::sort(row->begin(), row->end(), [](const RowEntry& a, const RowEntry& b) { return a.column < b.column; });
  }
}

}  // namespace mosim::compiler::dae
