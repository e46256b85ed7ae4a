#pragma once
// The derivatives differentiated by the states: the Jacobian of the motion, by forward differentiation of its code.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/interpreter.hpp"
#include "runtime/sparse.hpp"

namespace mosim::runtime {

/// Where it may have entries, and in how few directions they are found.
struct Slopes {
  Pattern pattern;
  Colouring colouring;
  unsigned width = 1;              // directions in one pass
  std::vector<double> tangent;     // of all of memory, in that layout
};
Slopes make_slopes(const Machine& machine);

/// Memory holds the point; afterwards it has the derivatives there. write(entry of the pattern, row, column, value) is called for each entry.
template <class Write>
Outcome differentiate_derivatives(Machine& m, Slopes& s, Write write) {
  const Program& p = *m.program;
  const std::size_t n = s.pattern.n;
  for (std::uint32_t first = 0; first < s.colouring.colours; first += s.width) {
    for (std::size_t k = 0; k < n; ++k) {
      double* const seed = s.tangent.data() + (p.first_state + k) * s.width;
      std::fill_n(seed, s.width, 0.0);
      const std::uint32_t colour = s.colouring.colour[k];
      if (colour >= first && colour < first + s.width) seed[colour - first] = 1;
    }
    const Outcome outcome = run_dual(m, p.derivatives, s.width, s.tangent.data());
    if (!outcome.ok()) return outcome;
    for (std::size_t column = 0; column < n; ++column) {
      const std::uint32_t colour = s.colouring.colour[column];
      if (colour < first || colour >= first + s.width) continue;
      for (auto k = s.pattern.starts[column]; k < s.pattern.starts[column + 1]; ++k) {
        const std::size_t row = std::size_t(s.pattern.rows[std::size_t(k)]);
        write(std::size_t(k), row, column, s.tangent[(p.first_derivative + row) * s.width + colour - first]);
      }
    }
  }
  return {};
}

}  // namespace mosim::runtime
