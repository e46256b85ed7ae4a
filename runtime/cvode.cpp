#include <cvode/cvode.h>

#include "runtime/sparse.hpp"
#include "runtime/sundials_stepper.hpp"

namespace mosim::runtime {

namespace {

struct CvodeFunctions {
  static constexpr auto free = CVodeFree;
  static constexpr auto evolve = CVode;
  static constexpr auto derivative = CVodeGetDky;
  static constexpr auto set_max_step = CVodeSetMaxStep;
  static constexpr auto set_min_step = CVodeSetMinStep;
  static constexpr auto set_stop_time = CVodeSetStopTime;
  static constexpr auto set_linear_system = CVodeSetLinSysFn;
  static constexpr auto set_jacobian_frequency = CVodeSetJacEvalFrequency;
  static constexpr auto set_linear_solver = CVodeSetLinearSolver;
  static constexpr auto set_user_data = CVodeSetUserData;
  static constexpr auto set_weights = CVodeWFtolerances;
  static constexpr auto set_most_test_failures = CVodeSetMaxErrTestFails;
  static constexpr auto set_most_convergence_failures = CVodeSetMaxConvFails;
  static constexpr auto set_most_warnings = CVodeSetMaxHnilWarns;
  static constexpr auto current_time = CVodeGetCurrentTime;
  static constexpr auto last_step = CVodeGetLastStep;
  static constexpr auto current_step = CVodeGetCurrentStep;
  static constexpr auto local_errors = CVodeGetEstLocalErrors;
  static constexpr auto error_weights = CVodeGetErrWeights;
  static constexpr auto step_count = CVodeGetNumSteps;
  static constexpr auto iteration_count = CVodeGetNumNonlinSolvIters;
  static constexpr auto failure_count = CVodeGetNumErrTestFails;
#if SUNDIALS_VERSION_MAJOR < 7
  static constexpr auto set_error_file = CVodeSetErrFile;
#endif
  static constexpr int one_step = CV_ONE_STEP, at_stop_time = CV_TSTOP_RETURN, no_convergence = CV_CONV_FAILURE, setup_failed = CV_LSETUP_FAIL, solve_failed = CV_LSOLVE_FAIL,
                       first_evaluation_failed = CV_FIRST_RHSFUNC_ERR;

  static int linear_system(Real time, N_Vector y, N_Vector, SUNMatrix matrix, sunbooleantype stands, sunbooleantype* is_new, Real gamma, void* user, N_Vector, N_Vector, N_Vector) {
    return runtime::linear_system(time, y, matrix, stands, is_new, gamma, user);
  }
};

class Cvode final : public SundialsStepper<CvodeFunctions> {
  static constexpr double start_growth = 10;   // of the step after the first one
  static constexpr long large_steps = 60;     // that one factorisation of a large matrix serves, unless the corrector or the step says otherwise

public:
  Cvode(const Motion& motion, bool stiff) : SundialsStepper(motion, begun(motion, stiff), true) {
    CVodeSetEtaMaxFirstStep(memory_, start_growth);
    if (length(motion.states) > largest_dense) CVodeSetLSetupFrequency(memory_, large_steps);
  }

  void start(double time, double first_step) override {
    CVodeReInit(memory_, reached_ = time, motion_.states);
    CVodeSetInitStep(memory_, first_step);
  }
  int last_order() const override { return get<int>(CVodeGetLastOrder); }
  double stability_limit() const override { return 0; }
  bool remembers() const override { return true; }
  int first_power() const override { return 2; }

private:
  static void* begun(const Motion& motion, bool stiff) {
    void* const memory = CVodeCreate(stiff ? CV_BDF : CV_ADAMS, motion.context);
    CVodeInit(memory, right_side, motion.time, motion.states);
    return memory;
  }
};

}  // namespace

std::unique_ptr<Stepper> make_cvode(const Motion& motion, bool stiff) { return std::make_unique<Cvode>(motion, stiff); }

}  // namespace mosim::runtime
