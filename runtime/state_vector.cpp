// Vectors of states for SUNDIALS: its serial ones, with the operations of a step in loops that the compiler makes wide. In its own, which
// are one element at a time, a step of a large model spends half of its time.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <new>

#include "runtime/sundials.hpp"
#include "runtime/wide.hpp"

namespace mosim::runtime {

namespace {

// The cases that SUNDIALS knows apart: a factor of 1 or -1, and the same factor twice, are rounded once less.
void sum(const double* x, const double* y, double* z, std::size_t n) { widest([=]() MOSIM_WIDE { for (std::size_t k = 0; k < n; ++k) z[k] = x[k] + y[k]; }); }
void difference(const double* x, const double* y, double* z, std::size_t n) { widest([=]() MOSIM_WIDE { for (std::size_t k = 0; k < n; ++k) z[k] = x[k] - y[k]; }); }
void add_scaled(double a, const double* x, const double* y, double* z, std::size_t n) { widest([=]() MOSIM_WIDE { for (std::size_t k = 0; k < n; ++k) z[k] = a * x[k] + y[k]; }); }
void less_from_scaled(double a, const double* x, const double* y, double* z, std::size_t n) { widest([=]() MOSIM_WIDE { for (std::size_t k = 0; k < n; ++k) z[k] = a * x[k] - y[k]; }); }
void scaled_sum(double a, const double* x, const double* y, double* z, std::size_t n) { widest([=]() MOSIM_WIDE { for (std::size_t k = 0; k < n; ++k) z[k] = a * (x[k] + y[k]); }); }
void scaled_difference(double a, const double* x, const double* y, double* z, std::size_t n) { widest([=]() MOSIM_WIDE { for (std::size_t k = 0; k < n; ++k) z[k] = a * (x[k] - y[k]); }); }
void combination(double a, const double* x, double b, const double* y, double* z, std::size_t n) { widest([=]() MOSIM_WIDE { for (std::size_t k = 0; k < n; ++k) z[k] = a * x[k] + b * y[k]; }); }
void scaled(double a, const double* x, double* z, std::size_t n) { widest([=]() MOSIM_WIDE { for (std::size_t k = 0; k < n; ++k) z[k] = a * x[k]; }); }

constexpr std::size_t lanes = 8, few = 64;   // few are added one after the other

// Of (x[k] w[k])^2, each lane for itself and then the lanes: not in the order of a simple loop, but in the same order everywhere.
double weighted_squares(const double* x, const double* w, std::size_t n) {
  return widest([=]() MOSIM_WIDE {
    double sums[lanes] = {};
    const std::size_t whole = n < few ? 0 : n - n % lanes;
    for (std::size_t k = 0; k < whole; k += lanes)
      for (std::size_t j = 0; j < lanes; ++j) {
        const double part = x[k + j] * w[k + j];
        sums[j] += part * part;
      }
    double total = 0;
    for (const double s : sums) total += s;
    for (std::size_t k = whole; k < n; ++k) {
      const double part = x[k] * w[k];
      total += part * part;
    }
    return total;
  });
}

void linear_sum(Real a, N_Vector x, Real b, N_Vector y, N_Vector z) {
  const std::size_t n = length(z);
  const double *const p = data(x), *const q = data(y);
  double* const r = data(z);
  if (a == 1 && b == 1) sum(p, q, r, n);
  else if (a == 1 && b == -1) difference(p, q, r, n);
  else if (a == -1 && b == 1) difference(q, p, r, n);
  else if (b == 1) add_scaled(a, p, q, r, n);
  else if (a == 1) add_scaled(b, q, p, r, n);
  else if (b == -1) less_from_scaled(a, p, q, r, n);
  else if (a == -1) less_from_scaled(b, q, p, r, n);
  else if (a == b) scaled_sum(a, p, q, r, n);
  else if (a == -b) scaled_difference(a, p, q, r, n);
  else combination(a, p, b, q, r, n);
}

void scale(Real a, N_Vector x, N_Vector z) {
  if (a != 1 || x != z) scaled(a, data(x), data(z), length(z));
}

Real weighted_norm(N_Vector x, N_Vector w) {
  const std::size_t n = length(x);
  return std::sqrt(weighted_squares(data(x), data(w), n) / double(n));
}

void fill(Real value, N_Vector z) { std::fill_n(data(z), length(z), value); }

Vector with_operations(N_Vector vector) {
  if (!vector) throw std::bad_alloc();
  // What is cloned has them, too.
  vector->ops->nvlinearsum = linear_sum;
  vector->ops->nvscale = scale;
  vector->ops->nvconst = fill;
  vector->ops->nvwrmsnorm = weighted_norm;
  return Vector(vector);
}

}  // namespace

Vector make_vector(std::size_t n, const Context& context) { return with_operations(N_VNew_Serial(static_cast<sunindextype>(n), context.get())); }

Vector make_view(std::size_t n, double* values, const Context& context) {
  return with_operations(N_VMake_Serial(static_cast<sunindextype>(n), values, context.get()));
}

}  // namespace mosim::runtime
