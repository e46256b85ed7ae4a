#pragma once
// The second witness: an integrator of its own, which shares no line with mosim or SUNDIALS.
//
// Dormand and Prince's explicit Runge-Kutta pair 5(4) (J. Comput. Appl. Math. 6 (1980) 19-26), error per step held
// far below what the tests ask for. Events are located by repeating the last step with other lengths until the sign
// change is enclosed to the last digits: no interpolation is involved.

#include <functional>
#include <vector>

namespace mosim::golden {

using State = std::vector<double>;
/// dx = f(t, x); dx has the size of x already.
using RightSide = std::function<void(double t, const State& x, State& dx)>;
/// Is watched for its first sign change from negative to non-negative.
using Guard = std::function<double(double t, const State& x)>;

struct Point {
  double t;
  State x;
  bool hit = false;  // the guard changed sign here
};

/// From `from` to t1, or to where the guard (if there is one) becomes non-negative. A guard that is non-negative at
/// the start is waited for to become negative first. The point after a hit is on the far side, within 1e-14 or so.
Point integrate(const RightSide& f, Point from, double t1, const Guard& guard = nullptr, double tolerance = 1e-13);

}  // namespace mosim::golden
