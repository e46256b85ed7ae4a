#pragma once
// What CVODE and ARKODE do alike. `Library` names the functions and flags of one of them.

#include <new>

#include "runtime/stepper.hpp"

namespace mosim::runtime {

/// What the libraries ask for as a linear system.
inline int linear_system(Real time, N_Vector y, SUNMatrix matrix, sunbooleantype stands, sunbooleantype* is_new, Real gamma, void* user) {
  const Motion& motion = *static_cast<Motion*>(user);
  *is_new = stands ? SUNFALSE : SUNTRUE;
  return motion.newton_matrix(time, y, gamma, !stands, matrix, motion.user);
}

template <class Library>
class SundialsStepper : public Stepper {
public:
  SundialsStepper(const SundialsStepper&) = delete;
  ~SundialsStepper() override { Library::free(&memory_); }

  void bound(double longest_step) override { Library::set_max_step(memory_, longest_step); }
  void differences(bool on) override {
    if (implicit_) Library::set_linear_system(memory_, on ? nullptr : Library::linear_system);
  }
  void jacobian_serves(long steps) override {
    if (implicit_) Library::set_jacobian_frequency(memory_, steps);
  }

  Flag step(double limit, double& to) override {
    Library::set_stop_time(memory_, limit);
    double tried = reached_;
    last_flag_ = Library::evolve(memory_, limit, motion_.states, &tried, Library::one_step);
    // After a failure the states are those where the step began, but the time may be that of a stage inside of it.
    if (last_flag_ >= 0) reached_ = tried;
    tried_ = tried;
    to = reached_;
    switch (last_flag_) {
      case Library::at_stop_time: return Flag::stopped;
      case Library::no_convergence: return Flag::no_corrector;
      case Library::setup_failed: case Library::solve_failed: return Flag::singular;
      case Library::first_evaluation_failed: return Flag::nothing_there;
      default: return last_flag_ < 0 ? Flag::inaccurate : Flag::stepped;
    }
  }
  void interpolate(double time, N_Vector states) const override { Library::derivative(memory_, time, 0, states); }

  double time() const override { return get<double>(Library::current_time); }
  double last_step() const override { return get<double>(Library::last_step); }
  double next_step() const override { return get<double>(Library::current_step); }
  bool errors(N_Vector errors, N_Vector weights) const override { return Library::local_errors(memory_, errors) == 0 && Library::error_weights(memory_, weights) == 0; }
  Counts counts() const override {
    return {get<long>(Library::step_count), implicit_ ? get<long>(Library::iteration_count) : 0, get<long>(Library::failure_count)};
  }

protected:
  /// `memory` is that of the library, which knows the right side. An explicit method has no use for the linear solver.
  SundialsStepper(const Motion& motion, void* memory, bool implicit) : motion_(motion), memory_(memory), implicit_(implicit) {
    if (!memory_) throw std::bad_alloc();
#if SUNDIALS_VERSION_MAJOR < 7
    Library::set_error_file(memory_, nullptr);
#endif
    Library::set_user_data(memory_, &motion_);
    Library::set_weights(memory_, weights);
    Library::set_most_test_failures(memory_, 20);
    Library::set_most_convergence_failures(memory_, 30);
    Library::set_most_warnings(memory_, -1);
    Library::set_min_step(memory_, least_step);
    if (!implicit) return;
    Library::set_linear_solver(memory_, motion.solver, motion.matrix);
    Library::set_linear_system(memory_, Library::linear_system);
  }

  // The libraries know the motion as their user.
  static int right_side(Real time, N_Vector y, N_Vector derivatives, void* user) {
    const Motion& motion = *static_cast<Motion*>(user);
    return motion.right_side(time, y, derivatives, motion.user);
  }
  static int weights(N_Vector y, N_Vector weights, void* user) {
    const Motion& motion = *static_cast<Motion*>(user);
    return motion.weights(y, weights, motion.user);
  }

  template <class Value>
  Value get(int (*question)(void*, Value*)) const {
    Value value = 0;
    question(memory_, &value);
    return value;
  }

  Motion motion_;
  void* memory_;
  bool implicit_;
  double reached_ = motion_.time;           // where the states are
  double tried_ = reached_;                 // up to where the last step tried was evaluated
  int last_flag_ = 0;
};

}  // namespace mosim::runtime
