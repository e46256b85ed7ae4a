#include "runtime/array.hpp"

#include <cmath>
#include <limits>

namespace mosim::runtime {

std::size_t find_outside(const Array& array, std::span<const double> at) {
  std::size_t d = 0;
  while (d < array.sizes.size() && d < at.size() && at[d] >= 1 && at[d] <= double(array.sizes[d])) ++d;
  return d;
}

bool create(Array& array, std::span<const double> sizes, bool strings, unsigned width) {
  double items = 1;
  for (const double size : sizes) {
    if (!(size >= 0) || size != std::floor(size)) return false;
    items *= size;
  }
  if (!(items <= most_items)) return false;
  array.sizes.clear();
  for (const double size : sizes) array.sizes.push_back(std::int64_t(size));
  array.values.assign(std::size_t(items), strings ? 0.0 : std::numeric_limits<double>::quiet_NaN());
  array.tangents.assign(std::size_t(items) * width, 0.0);
  return true;
}

}  // namespace mosim::runtime
