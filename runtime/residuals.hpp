#pragma once
// Whether a solution satisfies its equations: residuals beside the size of their terms.

#include "runtime/machine.hpp"

namespace mosim::runtime {

struct Misfit {
  double part = 0;          // |residual| / size of its terms; infinite if either is no number
  std::size_t row = 0;      // of the residual with the largest part
  double residual = 0, size = 0;
};

/// The largest residual of a block at what memory holds, with nothing torn out of it. The size of its terms is the sum of
/// |d residual / d value| * |value| over all that goes into it, an unknown being at least as large as its nominal value
/// (componentwise backward error: Higham, Accuracy and Stability of Numerical Algorithms, 7.1).
Misfit find_misfit(Machine& machine, Index block);

/// Whether all of its residuals are that small beside what they are the sums of, which is no larger than the size of their terms: find_misfit() would say
/// so too, for more work. `solved`: whose code has run last, this block's or that of the same equations with nothing torn out.
bool fits_plainly(Machine& machine, Index solved, Index block, double part);

/// The size of the terms of each residual of a linear block, where nothing is larger than its nominal value and all that is known is 0: as long as
/// the coefficients hold, no solution has smaller ones. What was torn out has no residuals there: it satisfies its equations to rounding.
std::vector<double> least_sizes(Machine& machine, Index block);

}  // namespace mosim::runtime
