#ifdef __EMSCRIPTEN__

#include <stdexcept>

#include "runtime/stepper.hpp"

namespace mosim::runtime {

// It would be a twentieth of what the browser loads.
std::unique_ptr<Stepper> make_arkode(const Motion&, RungeKutta) { throw std::logic_error("ARKODE is not in mosim for browsers"); }

}  // namespace mosim::runtime

#else

#include <arkode/arkode_arkstep.h>

#include <cmath>
#include <limits>

#include "runtime/sundials_stepper.hpp"

namespace mosim::runtime {

namespace {

struct ArkodeFunctions {
  static constexpr auto free = ARKStepFree;
  static constexpr auto evolve = ARKStepEvolve;
  static constexpr auto derivative = ARKStepGetDky;
  static constexpr auto set_max_step = ARKStepSetMaxStep;
  static constexpr auto set_min_step = ARKStepSetMinStep;
  static constexpr auto set_stop_time = ARKStepSetStopTime;
  static constexpr auto set_linear_system = ARKStepSetLinSysFn;
  static constexpr auto set_jacobian_frequency = ARKStepSetJacEvalFrequency;
  static constexpr auto set_linear_solver = ARKStepSetLinearSolver;
  static constexpr auto set_user_data = ARKStepSetUserData;
  static constexpr auto set_weights = ARKStepWFtolerances;
  static constexpr auto set_most_test_failures = ARKStepSetMaxErrTestFails;
  static constexpr auto set_most_convergence_failures = ARKStepSetMaxConvFails;
  static constexpr auto set_most_warnings = ARKStepSetMaxHnilWarns;
  static constexpr auto current_time = ARKStepGetCurrentTime;
  static constexpr auto last_step = ARKStepGetLastStep;
  static constexpr auto current_step = ARKStepGetCurrentStep;
  static constexpr auto local_errors = ARKStepGetEstLocalErrors;
  static constexpr auto error_weights = ARKStepGetErrWeights;
  static constexpr auto step_count = ARKStepGetNumSteps;
  static constexpr auto iteration_count = ARKStepGetNumNonlinSolvIters;
  static constexpr auto failure_count = ARKStepGetNumErrTestFails;
#if SUNDIALS_VERSION_MAJOR < 7
  static constexpr auto set_error_file = ARKStepSetErrFile;
#endif
  static constexpr int one_step = ARK_ONE_STEP, at_stop_time = ARK_TSTOP_RETURN, no_convergence = ARK_CONV_FAILURE, setup_failed = ARK_LSETUP_FAIL, solve_failed = ARK_LSOLVE_FAIL,
                       first_evaluation_failed = ARK_FIRST_RHSFUNC_ERR;

  static int linear_system(Real time, N_Vector y, N_Vector, SUNMatrix matrix, SUNMatrix, sunbooleantype stands, sunbooleantype* is_new, Real gamma, void* user, N_Vector, N_Vector,
                           N_Vector) {
    return runtime::linear_system(time, y, matrix, stands, is_new, gamma, user);
  }
};

class Arkode final : public SundialsStepper<ArkodeFunctions> {
  static constexpr double growth = 5;   // from one step to the next

public:
  Arkode(const Motion& motion, RungeKutta kind)
      : SundialsStepper(motion, ARKStepCreate(kind == RungeKutta::implicit ? nullptr : right_side, kind == RungeKutta::implicit ? right_side : nullptr, motion.time, motion.states,
                                              motion.context),
                        kind == RungeKutta::implicit),
        kind_(kind) {
    const bool stiff = kind == RungeKutta::implicit;
    ARKStepSetTableNum(memory_, stiff ? ARKODE_ESDIRK43I6L2SA_6_3_4 : ARKODE_DIRK_NONE,
                       stiff ? ARKODE_ERK_NONE : kind == RungeKutta::wide ? ARKODE_ARK437L2SA_ERK_7_3_4 : ARKODE_DORMAND_PRINCE_7_4_5);
    // Two values and two slopes: ARKODE's inner ones are evaluated anew for each instant, and a stiff motion makes much of small errors.
    ARKStepSetInterpolantDegree(memory_, 3);
    ARKStepSetMaxFirstGrowth(memory_, growth);
    ARKStepSetMaxGrowth(memory_, growth);
    ARKStepSetMaxNumSteps(memory_, -1);
    if (!stiff) return;
    ARKStepSetDeduceImplicitRhs(memory_, SUNTRUE);
    // How fast the iteration converged in the steps before says nothing where a motion bends: a corrector is believed once it is small.
    ARKStepSetNonlinCRDown(memory_, 1);
  }

  void start(double time, double first_step) override {
    before_ = {};
    began_ = false;
    begin(time, first_step);
  }
  /// Where a stage of an explicit method has no value, a shorter step may have one; ARKODE tries none.
  Flag step(double limit, double& to) override {
    bend_ = Bend::unknown;
    began_ = true;
    for (;;) {
      const double from = reached_;
      const Flag flag = SundialsStepper::step(limit, to);
      if (implicit_ || last_flag_ != ARK_UNREC_RHSFUNC_ERR) return flag;
      const double shorter = 0.5 * (tried_ - from);
      if (!(shorter > 16 * std::numeric_limits<double>::epsilon() * std::abs(from))) return flag;
      before_ = counts();
      begin(from, shorter);
    }
  }
  Counts counts() const override {
    if (!began_) return {};   // ARKODE counts the iterations of before until then
    Counts c = SundialsStepper::counts();
    c.steps += before_.steps;
    c.iterations += before_.iterations;
    c.failures += before_.failures;
    return c;
  }

  // Two values and two slopes give a cubic, whose error is of a lower order than the explicit method's. With one more slope it is of degree 4
  // (Shampine, Math. Comput. 46 (1986) 135): added is a multiple of s^2*(1 - s)^2, by its slope where that is steepest.
  bool lacks_slope(double time) const override { return !implicit_ && bend_ == Bend::unknown && part_of_step(time) > 0 && part_of_step(time) < 1; }
  void evaluate_slope() override {
    const double h = last_step(), at = this->time() - h + steepest * h;
    if (!slope_) for (Vector* v : {&value_, &slope_, &bent_}) v->reset(N_VClone(motion_.states));
    ARKStepGetDky(memory_, at, 0, value_.get());
    ARKStepGetDky(memory_, at, 1, slope_.get());
    bend_ = motion_.right_side(at, value_.get(), bent_.get(), motion_.user) == 0 ? Bend::known : Bend::none;
    N_VLinearSum(h / slope_there, bent_.get(), -h / slope_there, slope_.get(), bent_.get());
  }
  void interpolate(double time, N_Vector states) const override {
    SundialsStepper::interpolate(time, states);
    const double s = part_of_step(time);
    if (bend_ == Bend::known && s > 0 && s < 1) N_VLinearSum(1, states, s * s * (1 - s) * (1 - s), bent_.get(), states);
  }

  int last_order() const override { return kind_ == RungeKutta::usual ? 5 : 4; }
  double stability_limit() const override { return implicit_ ? 0 : kind_ == RungeKutta::wide ? 6.7 : 3.3; }   // on the negative axis
  bool remembers() const override { return false; }
  int first_power() const override { return last_order(); }   // the order of what it is compared with, and one

private:
  static constexpr double steepest = 0.21132486540518712;      // (3 - sqrt(3))/6
  static constexpr double slope_there = 0.19245008972987526;   // sqrt(3)/9, of s^2*(1 - s)^2
  enum class Bend { unknown, known, none };

  void begin(double time, double first_step) {
    bend_ = Bend::none;   // there is no step
    ARKStepReInit(memory_, implicit_ ? nullptr : right_side, implicit_ ? right_side : nullptr, reached_ = time, motion_.states);
    ARKStepSetInitStep(memory_, first_step);
  }
  double part_of_step(double time) const { return 1 + (time - this->time()) / last_step(); }

  RungeKutta kind_;
  bool began_ = false;    // a step, since start()
  Counts before_;         // since start(), before it began anew by itself
  Bend bend_ = Bend::none;
  Vector value_, slope_, bent_;
};

}  // namespace

std::unique_ptr<Stepper> make_arkode(const Motion& motion, RungeKutta kind) { return std::make_unique<Arkode>(motion, kind); }

}  // namespace mosim::runtime

#endif
