#include "runtime/calls.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace mosim::runtime {

namespace {
constexpr std::size_t deepest_call = 20000, most_kept = std::size_t(1) << 24;   // calls, and numbers in their frames
}

void keep_frame(Machine& m, const Function& f, unsigned width, const double* tangent) {
  m.frames.insert(m.frames.end(), m.memory.begin() + f.first, m.memory.begin() + f.last);
  if (width > 0) m.frame_tangents.insert(m.frame_tangents.end(), tangent + std::size_t(f.first) * width, tangent + std::size_t(f.last) * width);
  for (Index k = f.first_array; k < f.last_array; ++k) m.frame_arrays.push_back(std::exchange(m.arrays[k], {}));
}
void restore_frame(Machine& m, const Function& f, unsigned width, double* tangent) {
  const std::size_t size = f.last - f.first;
  std::copy(m.frames.end() - std::ptrdiff_t(size), m.frames.end(), m.memory.begin() + f.first);
  m.frames.resize(m.frames.size() - size);
  for (Index k = f.last_array; k-- > f.first_array; m.frame_arrays.pop_back()) m.arrays[k] = std::move(m.frame_arrays.back());
  if (width == 0) return;
  std::copy(m.frame_tangents.end() - std::ptrdiff_t(size * width), m.frame_tangents.end(), tangent + std::size_t(f.first) * width);
  m.frame_tangents.resize(m.frame_tangents.size() - size * width);
}

bool is_too_deep(const Machine& m) { return m.calls.size() >= deepest_call || m.frames.size() > most_kept; }

namespace {

/// A result without a value, or with an element without one.
bool is_missing(const Machine& m, const Function& f, std::size_t k) {
  if (k >= f.result_arrays.size() || f.result_arrays[k] == none) return std::isnan(m.memory[f.results[k]]);
  const auto& values = m.arrays[f.result_arrays[k]].values;
  return std::any_of(values.begin(), values.end(), [](double x) { return std::isnan(x); });
}

}  // namespace

bool lacks_result(Machine& m, Index function) {
  const Function& f = m.program->functions[function];
  for (std::size_t k = 0; k < f.results.size(); ++k)
    if (is_missing(m, f, k)) [[unlikely]] {
      m.failed_function = function;
      m.failed_result = k;
      return true;
    }
  return false;
}

Fault begin_call(Machine& m, Entry at) {
  if (is_too_deep(m)) return Fault::too_deep;
  m.calls.push_back(at);
  return Fault::none;
}

Fault end_call(Machine& m, bool tolerant) {
  if (!tolerant && lacks_result(m, m.program->code[m.calls.back()].d)) return Fault::without_result;
  m.calls.pop_back();
  return Fault::none;
}

}  // namespace mosim::runtime
