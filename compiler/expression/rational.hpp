#pragma once
// Exact ratios of clocks (MLS 16.7.5: factors up to 2^63).

#include <cstdint>
#include <numeric>
#include <optional>

namespace mosim::compiler::dae {

/// numerator / denominator, in lowest terms, denominator > 0.
struct Rational {
  std::int64_t numerator = 0, denominator = 1;

  static std::optional<Rational> of(std::int64_t n, std::int64_t d) {
    if (d == 0 || n == INT64_MIN || d == INT64_MIN) return {};
    if (d < 0) n = -n, d = -d;
    const std::int64_t g = std::gcd(n, d);
    return Rational{n / g, d / g};
  }
  friend bool operator==(const Rational&, const Rational&) = default;
};

/// Each is empty if the result does not fit.
inline std::optional<Rational> multiply(Rational a, Rational b) {
  const auto one = Rational::of(a.numerator, b.denominator), two = Rational::of(b.numerator, a.denominator);
  std::int64_t n, d;
  if (!one || !two || __builtin_mul_overflow(one->numerator, two->numerator, &n) ||
      __builtin_mul_overflow(one->denominator, two->denominator, &d))
    return {};
  return Rational::of(n, d);
}
inline std::optional<Rational> divide(Rational a, Rational b) {
  if (b.numerator == 0) return {};
  const auto inverse = Rational::of(b.denominator, b.numerator);
  return inverse ? multiply(a, *inverse) : std::nullopt;
}
inline std::optional<Rational> add(Rational a, Rational b) {
  const std::int64_t g = std::gcd(a.denominator, b.denominator);
  std::int64_t x, y, n, d;
  if (__builtin_mul_overflow(a.numerator, b.denominator / g, &x) ||
      __builtin_mul_overflow(b.numerator, a.denominator / g, &y) || __builtin_add_overflow(x, y, &n) ||
      __builtin_mul_overflow(a.denominator, b.denominator / g, &d))
    return {};
  return Rational::of(n, d);
}
/// The largest ratio of which both are whole multiples; both are positive, or b is 0.
inline std::optional<Rational> common(Rational a, Rational b) {
  if (b.numerator == 0) return a;
  const std::int64_t g = std::gcd(a.denominator, b.denominator);
  std::int64_t x, y, d;
  if (__builtin_mul_overflow(a.numerator, b.denominator / g, &x) ||
      __builtin_mul_overflow(b.numerator, a.denominator / g, &y) ||
      __builtin_mul_overflow(a.denominator, b.denominator / g, &d))
    return {};
  return Rational::of(std::gcd(x, y), d);
}

}  // namespace mosim::compiler::dae
