#pragma once
// A method that goes from step to step, as a library has it: one interface over CVODE, whose methods remember several steps, and
// others that begin anew with each.

#include <memory>
#include <optional>

#include "runtime/sundials.hpp"

namespace mosim::runtime {

/// What is solved: y' = right_side(t, y). All of it must outlive the method. Functions return 0; 1: not there, try a shorter step.
struct Motion {
  int (*right_side)(Real time, N_Vector y, N_Vector derivatives, void* user);
  int (*weights)(N_Vector y, N_Vector weights, void* user);   // the error of a step is measured by these
  /// 1 - gamma * Jacobian: that of here, or of the time before, if it may.
  int (*newton_matrix)(Real time, N_Vector y, Real gamma, bool anew, SUNMatrix matrix, void* user);
  void* user;
  N_Vector states;          // where a step starts and ends
  SUNLinearSolver solver;
  SUNMatrix matrix;         // that solver's
  SUNContext context;
  double time;
};

class Stepper {
public:
  static constexpr double least_step = 1e-280;   // s; shorter ones have no digits left, and never end
  enum class Flag {
    stepped,
    stopped,         // at the limit, exactly
    no_corrector,    // failed: the corrector iteration does not converge
    singular,        // failed: its matrix cannot be factored
    nothing_there,   // failed: the right side has no value where the step starts
    inaccurate       // failed otherwise: the error test, or the step is too short for time
  };
  struct Counts {
    long steps = 0, iterations = 0, failures = 0;   // since start(); failures: of the error test
  };

  virtual ~Stepper() = default;
  /// Forgets what was, with a first step from `time` and the vector of states; 0: the method guesses it.
  virtual void start(double time, double first_step) = 0;
  virtual void bound(double longest_step) = 0;
  /// The Jacobian is the Motion's, or one of differences.
  virtual void differences(bool on) = 0;
  /// It serves for so many steps, unless the corrector says otherwise.
  virtual void jacobian_serves(long steps) = 0;
  /// One step, not beyond `limit`, to `to`.
  virtual Flag step(double limit, double& to) = 0;
  /// The states at an instant of the last step.
  virtual void interpolate(double time, N_Vector states) const = 0;
  /// Whether that asks for a slope inside of the step first, once for each step; and evaluates it there.
  virtual bool lacks_slope(double) const { return false; }
  virtual void evaluate_slope() {}
  /// Where the last step ended.
  virtual double time() const = 0;
  virtual double last_step() const = 0;
  virtual double next_step() const = 0;
  virtual int last_order() const = 0;
  /// The largest |step * rate of the fastest motion| at which it is stable; 0: there is none.
  virtual double stability_limit() const = 0;
  /// Whether it needs several steps behind it: the first ones after start() are of order 1.
  virtual bool remembers() const = 0;
  /// The power of the step that its error grows with, in the first one after start().
  virtual int first_power() const = 0;
  /// The errors of the last step, and how they are weighed; false: there are none.
  virtual bool errors(N_Vector errors, N_Vector weights) const = 0;
  virtual Counts counts() const = 0;

  static bool failed(Flag flag) { return flag != Flag::stepped && flag != Flag::stopped; }
};

/// Variable order, for stiff motions (backward differences) and others (Adams). Hindmarsh et al., ACM TOMS 31 (2005) 363.
std::unique_ptr<Stepper> make_cvode(const Motion& motion, bool stiff);
/// Methods without a past, in ARKODE: Reynolds et al., ACM TOMS 49 (2023) 19. usual: Dormand and Prince's of order 5 (J. Comput. Appl. Math. 6
/// (1980) 19). wide: explicit too, of order 4, and stable for steps that are 2 times as long along the negative axis and 4 times along the imaginary
/// one, for as many evaluations; implicit, for stiff motions: ESDIRK4(3)6L[2]SA of stage order 2. Both by Kennedy and Carpenter (the explicit half of
/// ARK4(3)7L[2]SA; Appl. Numer. Math. 136 (2019) 183 and 146 (2019) 221).
enum class RungeKutta { usual, wide, implicit };
std::unique_ptr<Stepper> make_arkode(const Motion& motion, RungeKutta kind);

}  // namespace mosim::runtime
