#pragma once
// Arrays of functions whose sizes the run alone knows (MLS 12.4.4, 12.4.5).

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace mosim::runtime {

struct Array {
  std::vector<std::int64_t> sizes;
  std::vector<double> values;     // row by row
  std::vector<double> tangents;   // of each, as many as the differentiation under way has directions
};

inline constexpr double most_items = 1e8;   // of one array

/// Which subscript lies outside of its dimension; sizes.size(): none.
std::size_t find_outside(const Array& array, std::span<const double> at);

/// Gives an array these sizes and elements without a value: NaN, 0 for Strings. False: these are no sizes, or there is no room.
bool create(Array& array, std::span<const double> sizes, bool strings, unsigned width);

/// Its tangents in a differentiation with so many directions; 0 if it was made outside of that.
inline double* tangents_of(Array& array, unsigned width) {
  if (array.tangents.size() != array.values.size() * width) array.tangents.assign(array.values.size() * width, 0.0);
  return array.tangents.data();
}

/// Where the element at these subscripts stands, which lie inside.
inline std::size_t position(const Array& array, const double* at) {
  std::size_t p = 0;
  for (std::size_t d = 0; d < array.sizes.size(); ++d) p = p * std::size_t(array.sizes[d]) + std::size_t(at[d]) - 1;
  return p;
}

inline bool is_inside(const Array& array, const double* at, std::size_t rank) {
  if (array.sizes.size() != rank) return false;
  for (std::size_t d = 0; d < array.sizes.size(); ++d)
    if (!(at[d] >= 1 && at[d] <= double(array.sizes[d]))) return false;
  return true;
}

}  // namespace mosim::runtime
