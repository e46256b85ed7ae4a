#pragma once
// Mixed systems (E15): relations and integer-valued functions that are solved together with the equations around them.

#include "runtime/machine.hpp"

namespace mosim::runtime {

/// Finds values of the buffered quantities with which the code's own evaluation of them agrees, by the rules of the mode
/// (exactly as written, or with hysteresis from the values that they have), and leaves memory consistent with them. In the
/// modes frozen and measure they are what they are.
///
/// Plain rounds first; then one value at a time, the lowest number first, which for complementary quantities (ideal
/// diodes) with a P-matrix ends at the only solution (Murty, Linear Complementarity, Linear and Nonlinear Programming,
/// 4.1); then other orders, and all combinations of a few. Where rounding decides, differences near 0 count as agreeing,
/// within a band that grows step by step. The choice is deterministic.
Outcome settle(Machine& machine, Index mixed, Mode mode);

}  // namespace mosim::runtime
