#pragma once
// The derivatives at the points of a curve of which a cubic Hermite spline is made, and the polynomial of one of its intervals.

#include <cstddef>
#include <span>
#include <vector>

namespace mosim::native {

/// A value with its first and second derivative.
struct Jet {
  double value = 0, first = 0, second = 0;
};

enum class Slope {
  akima,            ///< H. Akima, A new method of interpolation and smooth curve fitting based on local procedures, J. ACM 17 (1970)
  modified_akima,   ///< the same with weights |d2-d1| + |d2+d1|/2, which neither overshoots beside a level stretch nor divides 0 by 0
  fritsch_butland,  ///< F. Fritsch, J. Butland, SIAM J. Sci. Stat. Comput. 5 (1984): a weighted harmonic mean, 0 at an extremum
  steffen           ///< M. Steffen, A simple method for monotonic interpolation in one dimension, Astron. Astrophys. 239 (1990)
};

/// The slopes at n points from the n-1 secants between them (n >= 2) and the n-1 distances. The ends: Akima continues the secants
/// linearly, the monotone ones take the secant of the last interval.
std::vector<double> slopes(Slope kind, std::span<const double> secants, std::span<const double> distances);

/// The weights that Akima gives to the secants left and right of a point, made to have the sum 1, from two secants on each side.
struct Weights {
  double left, right;
};
Weights akima_weights(double far_left, double left, double right, double far_right);

/// The secants with two more at each end, continued linearly.
std::vector<double> continued(std::span<const double> secants);

/// The cubic from y0 with slope s0 to y1 with slope s1 over a distance h, at the distance u from its beginning.
Jet hermite(double y0, double y1, double s0, double s1, double h, double u);

}  // namespace mosim::native
