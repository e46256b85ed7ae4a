#ifdef __EMSCRIPTEN__

#include <stdexcept>

#include "runtime/stepper.hpp"

namespace mosim::runtime {

// It would be a twentieth of what the browser loads.
std::unique_ptr<Stepper> make_arkode(const Motion&, bool) { throw std::logic_error("ARKODE is not in mosim for browsers"); }

}  // namespace mosim::runtime

#else

#include <arkode/arkode_arkstep.h>

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
  static constexpr auto set_jacobian = ARKStepSetJacFn;
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
};

class Arkode final : public SundialsStepper<ArkodeFunctions> {
  static constexpr double growth = 5;   // from one step to the next

public:
  Arkode(const Motion& motion, bool stiff)
      : SundialsStepper(motion, ARKStepCreate(stiff ? nullptr : motion.right_side, stiff ? motion.right_side : nullptr, motion.time, motion.states, motion.context), stiff) {
    ARKStepSetTableNum(memory_, stiff ? ARKODE_ESDIRK43I6L2SA_6_3_4 : ARKODE_DIRK_NONE, stiff ? ARKODE_ERK_NONE : ARKODE_DORMAND_PRINCE_7_4_5);
    // Two values and two slopes: inner ones would be evaluated anew, where a stiff motion makes much of small errors.
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
    ARKStepReInit(memory_, implicit_ ? nullptr : motion_.right_side, implicit_ ? motion_.right_side : nullptr, time, motion_.states);
    ARKStepSetInitStep(memory_, first_step);
  }
  int last_order() const override { return implicit_ ? 4 : 5; }
  double stability_limit() const override { return implicit_ ? 0 : 3.3; }   // on the negative axis
  bool remembers() const override { return false; }
  int first_power() const override { return last_order(); }   // the order of what it is compared with, and one
};

}  // namespace

std::unique_ptr<Stepper> make_arkode(const Motion& motion, bool stiff) { return std::make_unique<Arkode>(motion, stiff); }

}  // namespace mosim::runtime

#endif
