#pragma once
// Motions that are affine in their states and in time between events, as those of linear circuits are: x' = A x + b + c t, where A, b and c change
// at events alone. Steps evaluate these where the code of the derivatives is longer, as with systems of equations in it.

#include <vector>

#include "runtime/slopes.hpp"
#include "runtime/variation.hpp"

namespace mosim::runtime {

struct AffineMotion {
  /// Whether the code of the derivatives comes to that whatever the numbers are that it reads, solves equations and is longer than A.
  bool is_possible = false;
  bool by_time = false;            // c may be other than 0
  bool stands = false;             // A, b and c are those of now
  bool was_tried = false;          // since forget()
  int in_vain = 0;                 // so many times in a row
  std::vector<double> a, b, c;     // by entry of Slopes::pattern; by state

  void forget() { stands = was_tried = false; }
};

AffineMotion make_affine_motion(const Variation& variation, const Pattern& pattern);

/// What the rounding of A x may do to states.
struct AffineLimits {
  std::vector<double> sizes;   // of the states: what they are, at least their nominal values
  double span;                 // s: for so long it adds up
  double tolerance;            // relative, of the run
};

/// Finds A, b and c with the machine's discrete values, unless the code leaves an unknown open there, does not come to them after all, or is nearer: what is
/// computed once and goes two ways, as a current does, is kept to the last digit by code, and as terms of A x to that of the largest term alone.
/// Memory is left as it was.
void find(AffineMotion& motion, Machine& machine, Slopes& slopes, const AffineLimits& limits);

/// Of one evaluation, in instructions.
double work_of(const AffineMotion& motion);

/// The derivatives at these states; motion.stands.
void evaluate(const AffineMotion& motion, const Pattern& pattern, double time, const double* states, double* derivatives);

}  // namespace mosim::runtime
