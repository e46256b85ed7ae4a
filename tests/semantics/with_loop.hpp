#pragma once
// Models with a system of equations that what is tested does not need, and runs of a program that are compared.

#include <fmt/format.h>

#include <string>
#include <vector>

#include "support.hpp"

namespace mosim::tests {

inline const std::vector<double> three_tolerances{1e-4, 1e-6, 1e-9};

/// Equations of n unknowns z that are solved together: 4 z[1] - z[2] = first, 4 z[k] - z[k - 1] - z[k + 1] = between, 4 z[n] - z[n - 1] = last.
inline std::string loop_of(std::size_t n, const std::string& first, const std::string& between, const std::string& last) {
  return fmt::format("4*z[1] - z[2] = {1}; for i in 2:{0} - 1 loop -z[i - 1] + 4*z[i] - z[i + 1] = {2}; end for; -z[{0} - 1] + 4*z[{0}] = {3}; ", n, first, between, last);
}

/// x = sin(t), and der(q) follows the last of n unknowns that are solved together.
inline std::string looped(std::size_t n, const std::string& declarations, const std::string& equations, const std::string& push = "0") {
  return fmt::format("model M Real x(start = 0, fixed = true), v(start = 1, fixed = true), q(start = 0, fixed = true), z[{0}]; {1} equation der(x) = v; der(v) = -x; "
                     "der(q) = z[{0}] - q + {3}; {4}{2} end M;",
                     n, declarations, equations, push, loop_of(n, "x", "v", "q"));
}

/// By solver().
inline runtime::Result simulated(const runtime::Program& program, double stop, double tolerance) {
  runtime::Options options;
  options.stop = stop;
  options.tolerance = tolerance;
  options.solver = solver();
  return runtime::simulate(program, options);
}

}  // namespace mosim::tests
