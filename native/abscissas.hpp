#pragma once
// Where a value lies among numbers that do not decrease: the look-up of every table.

#include <atomic>
#include <cstddef>

namespace mosim::native {

/// Every stride-th of the numbers from `first` on, at least two; not decreasing.
struct Abscissas {
  const double* first = nullptr;
  std::size_t stride = 1, count = 0;

  double operator[](std::size_t i) const { return first[i * stride]; }
  double front() const { return first[0]; }
  double back() const { return (*this)[count - 1]; }
};

/// The interval of the last look-up, where the next one begins. It changes how fast an answer comes, never which one.
class Remembered {
 public:
  std::size_t get() const { return value_.load(std::memory_order_relaxed); }
  void set(std::size_t value) const { value_.store(value, std::memory_order_relaxed); }

 private:
  mutable std::atomic<std::size_t> value_ = 0;
};

/// The last i below count-1 with x[i] <= u; 0, if there is none. Of several equal abscissas the last: the value after a jump.
inline std::size_t interval_from(const Abscissas& x, double u, const Remembered& last) {
  std::size_t low = 0, high = x.count - 1;  // the answer is in [low, high)
  if (const std::size_t i = last.get(); i + 1 < x.count) {
    if (x[i] <= u) {
      low = i;
      if (u < x[i + 1]) return i;
      if (i + 2 < x.count && u < x[i + 2]) return last.set(i + 1), i + 1;
    } else {
      high = i > 0 ? i : 1;
    }
  }
  while (high - low > 1) {
    const std::size_t middle = low + (high - low) / 2;
    (x[middle] <= u ? low : high) = middle;
  }
  last.set(low);
  return low;
}

/// The first i with u <= x[i+1]; count-2, if there is none. Of several equal abscissas the first: the value before a jump.
inline std::size_t interval_to(const Abscissas& x, double u) {
  std::size_t low = 0, high = x.count - 1;  // x[low] < u <= x[high], as far as that can be
  while (high - low > 1) {
    const std::size_t middle = low + (high - low) / 2;
    (x[middle] < u ? low : high) = middle;
  }
  return low;
}

}  // namespace mosim::native
