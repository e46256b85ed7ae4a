#include "runtime/slopes.hpp"

namespace mosim::runtime {

Slopes make_slopes(const Machine& m) {
  const std::size_t n = m.program->states.size();
  Slopes result;
  result.pattern = make_pattern(n, m.program->jacobian, n > largest_dense);
  result.colouring = colour(result.pattern);
  result.width = result.colouring.colours <= 1 ? 1 : result.colouring.colours <= 4 ? 4 : max_width;
  result.tangent.assign(m.memory.size() * result.width, 0.0);
  return result;
}

}  // namespace mosim::runtime
