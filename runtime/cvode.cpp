#include <cvode/cvode.h>

#include "runtime/stepper.hpp"

namespace mosim::runtime {

namespace {

class Cvode final : public Stepper {
  static constexpr double start_growth = 10;   // of the step after the first one

public:
  Cvode(const Motion& motion, bool stiff) : motion_(motion), memory_(CVodeCreate(stiff ? CV_BDF : CV_ADAMS, motion.context)) {
    CVodeInit(memory_, motion.right_side, motion.time, motion.states);
#if SUNDIALS_VERSION_MAJOR < 7
    CVodeSetErrFile(memory_, nullptr);
#endif
    CVodeSetUserData(memory_, motion.user);
    CVodeWFtolerances(memory_, motion.weights);
    CVodeSetMaxErrTestFails(memory_, 20);
    CVodeSetMaxConvFails(memory_, 30);
    CVodeSetEtaMaxFirstStep(memory_, start_growth);
    CVodeSetMaxHnilWarns(memory_, -1);
    CVodeSetMinStep(memory_, least_step);
    CVodeSetLinearSolver(memory_, motion.solver, motion.matrix);
    CVodeSetJacFn(memory_, motion.jacobian);
  }
  ~Cvode() override { CVodeFree(&memory_); }
  Cvode(const Cvode&) = delete;

  void start(double time, double first_step) override {
    CVodeReInit(memory_, time, motion_.states);
    CVodeSetInitStep(memory_, first_step);
  }
  void bound(double longest_step) override { CVodeSetMaxStep(memory_, longest_step); }
  void differences(bool on) override { CVodeSetJacFn(memory_, on ? nullptr : motion_.jacobian); }

  Flag step(double limit, double& to) override {
    CVodeSetStopTime(memory_, limit);
    switch (const int flag = CVode(memory_, limit, motion_.states, &to, CV_ONE_STEP)) {
      case CV_TSTOP_RETURN: return Flag::stopped;
      case CV_CONV_FAILURE: return Flag::no_corrector;
      case CV_LSETUP_FAIL: case CV_LSOLVE_FAIL: return Flag::singular;
      case CV_FIRST_RHSFUNC_ERR: return Flag::nothing_there;
      default: return flag < 0 ? Flag::inaccurate : Flag::stepped;
    }
  }
  void interpolate(double time, N_Vector states) const override { CVodeGetDky(memory_, time, 0, states); }

  double time() const override { return get<double>(CVodeGetCurrentTime); }
  double last_step() const override { return get<double>(CVodeGetLastStep); }
  double next_step() const override { return get<double>(CVodeGetCurrentStep); }
  int last_order() const override { return get<int>(CVodeGetLastOrder); }
  bool remembers() const override { return true; }
  int first_power() const override { return 2; }
  bool errors(N_Vector errors, N_Vector weights) const override {
    return CVodeGetEstLocalErrors(memory_, errors) == CV_SUCCESS && CVodeGetErrWeights(memory_, weights) == CV_SUCCESS;
  }
  Counts counts() const override {
    return {get<long>(CVodeGetNumSteps), get<long>(CVodeGetNumNonlinSolvIters), get<long>(CVodeGetNumErrTestFails)};
  }

private:
  template <class Value>
  Value get(int (*question)(void*, Value*)) const {
    Value value = 0;
    question(memory_, &value);
    return value;
  }

  Motion motion_;
  void* memory_;
};

}  // namespace

std::unique_ptr<Stepper> make_cvode(const Motion& motion, bool stiff) { return std::make_unique<Cvode>(motion, stiff); }

}  // namespace mosim::runtime
