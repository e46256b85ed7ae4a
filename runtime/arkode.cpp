#include "runtime/stepper.hpp"

#ifdef __EMSCRIPTEN__

#include <stdexcept>

namespace mosim::runtime {

// It would be a twentieth of what the browser loads.
std::unique_ptr<Stepper> make_arkode(const Motion&, bool) { throw std::logic_error("ARKODE is not in mosim for browsers"); }

}  // namespace mosim::runtime

#else

#include <arkode/arkode_arkstep.h>

namespace mosim::runtime {

namespace {

class Arkode final : public Stepper {
  static constexpr double growth = 5;   // from one step to the next

public:
  Arkode(const Motion& motion, bool stiff) : motion_(motion), stiff_(stiff) {
    memory_ = ARKStepCreate(explicit_part(), implicit_part(), motion.time, motion.states, motion.context);
#if SUNDIALS_VERSION_MAJOR < 7
    ARKStepSetErrFile(memory_, nullptr);
#endif
    ARKStepSetUserData(memory_, motion.user);
    ARKStepWFtolerances(memory_, motion.weights);
    ARKStepSetTableNum(memory_, stiff ? ARKODE_ESDIRK43I6L2SA_6_3_4 : ARKODE_DIRK_NONE, stiff ? ARKODE_ERK_NONE : ARKODE_DORMAND_PRINCE_7_4_5);
    // Two values and two slopes: inner ones would be evaluated anew, where a stiff motion makes much of small errors.
    ARKStepSetInterpolantDegree(memory_, 3);
    ARKStepSetMaxFirstGrowth(memory_, growth);
    ARKStepSetMaxGrowth(memory_, growth);
    ARKStepSetMaxErrTestFails(memory_, 20);
    ARKStepSetMaxConvFails(memory_, 30);
    ARKStepSetMaxNumSteps(memory_, -1);
    ARKStepSetMaxHnilWarns(memory_, -1);
    ARKStepSetMinStep(memory_, least_step);
    if (stiff) {
      ARKStepSetDeduceImplicitRhs(memory_, SUNTRUE);
      // How fast the iteration converged in the steps before says nothing where a motion bends: a corrector is believed once it is small.
      ARKStepSetNonlinCRDown(memory_, 1);
      ARKStepSetLinearSolver(memory_, motion.solver, motion.matrix);
      ARKStepSetJacFn(memory_, motion.jacobian);
    }
  }
  ~Arkode() override { ARKStepFree(&memory_); }
  Arkode(const Arkode&) = delete;

  void start(double time, double first_step) override {
    ARKStepReInit(memory_, explicit_part(), implicit_part(), time, motion_.states);
    ARKStepSetInitStep(memory_, first_step);
  }
  void bound(double longest_step) override { ARKStepSetMaxStep(memory_, longest_step); }
  void differences(bool on) override {
    if (stiff_) ARKStepSetJacFn(memory_, on ? nullptr : motion_.jacobian);
  }

  Flag step(double limit, double& to) override {
    ARKStepSetStopTime(memory_, limit);
    switch (const int flag = ARKStepEvolve(memory_, limit, motion_.states, &to, ARK_ONE_STEP)) {
      case ARK_TSTOP_RETURN: return Flag::stopped;
      case ARK_CONV_FAILURE: return Flag::no_corrector;
      case ARK_LSETUP_FAIL: case ARK_LSOLVE_FAIL: return Flag::singular;
      case ARK_FIRST_RHSFUNC_ERR: return Flag::nothing_there;
      default: return flag < 0 ? Flag::inaccurate : Flag::stepped;
    }
  }
  void interpolate(double time, N_Vector states) const override { ARKStepGetDky(memory_, time, 0, states); }

  double time() const override { return get<double>(ARKStepGetCurrentTime); }
  double last_step() const override { return get<double>(ARKStepGetLastStep); }
  double next_step() const override { return get<double>(ARKStepGetCurrentStep); }
  int last_order() const override { return stiff_ ? 4 : 5; }
  bool remembers() const override { return false; }
  int first_power() const override { return last_order(); }   // the order of what it is compared with, and one
  bool errors(N_Vector errors, N_Vector weights) const override {
    return ARKStepGetEstLocalErrors(memory_, errors) == ARK_SUCCESS && ARKStepGetErrWeights(memory_, weights) == ARK_SUCCESS;
  }
  Counts counts() const override {
    return {get<long>(ARKStepGetNumSteps), stiff_ ? get<long>(ARKStepGetNumNonlinSolvIters) : 0, get<long>(ARKStepGetNumErrTestFails)};
  }

private:
  ARKRhsFn explicit_part() const { return stiff_ ? nullptr : motion_.right_side; }
  ARKRhsFn implicit_part() const { return stiff_ ? motion_.right_side : nullptr; }
  template <class Value>
  Value get(int (*question)(void*, Value*)) const {
    Value value = 0;
    question(memory_, &value);
    return value;
  }

  Motion motion_;
  bool stiff_;
  void* memory_ = nullptr;
};

}  // namespace

std::unique_ptr<Stepper> make_arkode(const Motion& motion, bool stiff) { return std::make_unique<Arkode>(motion, stiff); }

}  // namespace mosim::runtime

#endif
