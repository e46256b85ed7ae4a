#pragma once
// Every model of models/ that runs to its end, with the witness that its trajectory is held against.

#include <functional>
#include <iosfwd>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "tests/golden/integrator.hpp"
#include "tests/golden/run.hpp"

namespace mosim::golden {

/// `at` answers so when the witness has nothing to say about a variable at that instant.
inline constexpr double not_told = std::numeric_limits<double>::quiet_NaN();

/// What a run must give, known without mosim.
struct Witness {
  std::string by;                                    // what kind of knowledge, in one line
  std::vector<std::string> variables;
  std::function<std::vector<double>(double t)> at;   // their values; at an event those after it
  double tolerance = 0;                              // |run - witness| <= tolerance*max(1, |witness|)
  /// Every instant at which there is an event (but for initialisation), in order; nothing: not told.
  std::optional<std::vector<double>> events = std::vector<double>{};
  double event_tolerance = 0;                        // s
};

struct Case {
  std::string name;                                  // of the golden file
  std::string file;                                  // under models/
  Settings settings;
  Witness witness;
};

/// Its name: how a test that goes over all cases calls the one it is at.
std::ostream& operator<<(std::ostream& out, const Case& c);

std::vector<Case> cases();

/// The parts of `cases`.
std::vector<Case> basic_cases();
std::vector<Case> ball_cases();
std::vector<Case> continuous_cases();
std::vector<Case> control_cases();
std::vector<Case> clocked_cases();
std::vector<Case> hybrid_cases();
std::vector<Case> lesson_cases();

/// Follows a differential equation from x at t = 0; asks for later and later instants are cheap.
std::function<State(double t)> follow(RightSide f, State x);

/// {V, i_L, i_R, i_C} of the RLC circuit with the parameters of models/, t seconds after 24 V were put on it.
State rlc(double t);

/// phi1, phi2, omega1, omega2 of the two inertias with the parameters of models/.
void two_inertias(double t, const State& x, State& dx);

/// {height, velocity} of a ball that falls from 1 m at t = 0 and keeps e < 1 of its speed at every impact:
/// t1 = sqrt(2/9.81), t(n+1) = t(n) + 2*t1*e^n. Before the impacts pile up at t1*(1 + e)/(1 - e).
State bouncing_ball(double t, double e);
/// Its impacts before `stop`.
std::vector<double> impacts(double stop, double e);

/// first, first + step, ... up to stop, each computed by a multiplication.
std::vector<double> ticks(double first, double step, double stop);

}  // namespace mosim::golden
