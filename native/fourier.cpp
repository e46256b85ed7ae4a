// ModelicaFFT_kiss_fftr: the amplitudes and phases of a sampled real signal.

#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include "native/arguments.hpp"
#include "native/entries.hpp"

namespace mosim::native {
namespace {

using Complex = std::complex<double>;

std::size_t smallest_factor(std::size_t n) {
  for (std::size_t p = 2; p * p <= n; ++p)
    if (n % p == 0) return p;
  return n;
}

/// The Fourier transform of n numbers, `stride` apart (J. Cooley, J. Tukey, 1965): the p transforms of every p-th, p the smallest factor
/// of n, are put together. `turn`: the powers of exp(-2 pi i / total), of which every `stride`-th is needed here.
void transform(const double* from, std::size_t stride, Complex* to, std::size_t n, const std::vector<Complex>& turn, std::vector<Complex>& room) {
  if (n == 1) {
    *to = *from;
    return;
  }
  const std::size_t p = smallest_factor(n), m = n / p, total = turn.size();
  for (std::size_t r = 0; r < p; ++r) transform(from + r * stride, stride * p, to + r * m, m, turn, room);
  for (std::size_t k = 0; k < m; ++k) {
    for (std::size_t r = 0; r < p; ++r) room[r] = to[r * m + k] * turn[stride * r * k % total];
    for (std::size_t q = 0; q < p; ++q) {
      Complex sum = room[0];
      for (std::size_t r = 1; r < p; ++r) sum += room[r] * turn[(total / p) * (r * q % p)];
      to[q * m + k] = sum;
    }
  }
}

/// info: 0 done, 1 the number of samples is odd, 2 the work space is wrong, 3 another error.
void real_transform(std::span<const In> in, std::span<Out> out, Environment&) {
  // The work space may be handed over or be among the results: it is a variable of the function that calls.
  const std::size_t n = size(in, 1), work = size(in, in.size() > 3 ? 3 : 2), first = out.size() > 3 ? 2 : 1;
  const std::span<const double> u = numbers(in, 0, n);
  const std::size_t count = n / 2 + 1;
  const std::span<double> amplitudes = places(out, first, count), phases = places(out, first + 1, count);
  if (first == 2) std::fill(out[1].numbers.begin(), out[1].numbers.end(), 0.0);
  std::fill(amplitudes.begin(), amplitudes.end(), 0.0);
  std::fill(phases.begin(), phases.end(), 0.0);
  set(out, 0, n % 2 != 0 ? 1.0 : work != 3 * n + 2 * count ? 2.0 : n == 0 ? 3.0 : 0.0);
  if (out[0].numbers[0] != 0) return;
  std::vector<Complex> turn(n), result(n), room(n);
  for (std::size_t k = 0; k < n; ++k) turn[k] = std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n));
  transform(u.data(), 1, result.data(), n, turn, room);
  for (std::size_t k = 0; k < count; ++k) {
    // Those of the mean and of half the sampling frequency are real.
    const double imaginary = k == 0 || k == n / 2 ? 0 : result[k].imag();
    // The library's scale: by the number of frequencies, where 2/n would give the amplitude of a cosine.
    amplitudes[k] = std::hypot(result[k].real(), imaginary) / static_cast<double>(count);
    phases[k] = std::atan2(imaginary, result[k].real());
  }
}

constexpr Entry entries[] = {{"ModelicaFFT_kiss_fftr", real_transform, Effect::none}};

}  // namespace

std::span<const Entry> fourier_transform() { return entries; }

}  // namespace mosim::native
