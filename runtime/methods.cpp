// The methods that a run may go on with, and what they cost.

#include <algorithm>
#include <cmath>

#include "runtime/integrator_parts.hpp"

namespace mosim::runtime {

namespace {
// What a method does beside what the machine counts, in its instructions: fitted to what the methods take for the examples of the standard library
// (known to 3 %, median), and those that do not grow with the model to one of a single state.
constexpr double step_of_several = 400, step_of_one = 270;   // of methods that remember several steps, and others
constexpr double step_work_per_state = 10, iteration_work = 130, iteration_work_per_entry = 1, evaluation_work = 90;
constexpr double function_work = 12;   // of an elementary function, beside its instruction
}  // namespace

void use(Integrator& it, std::size_t number) {
  it.method = number;
  Method& method = it.methods[number];
  if (!method.stepper) make(it, method);
  it.stepper = method.stepper.get();
  it.part = (it.stepper->remembers() ? local_part : one_step_part) * method.refinement;
  it.accuracy = it.usual_accuracy = it.part;
}

double cost(const Integrator& it) {
  const double n = double(it.size), entries = it.sparse ? double(it.slopes.pattern.rows.size()) : n * n;
  const Stepper::Counts open = it.stepper->counts();
  const Statistics& s = it.statistics;
  const double steps = double(s.steps) + double(open.steps), iterations = double(s.newton_iterations) + double(open.iterations);
  const double of_one = double(s.steps_by[std::size_t(Solver::esdirk)]) + double(s.steps_by[std::size_t(Solver::erk)]) + (it.stepper->remembers() ? 0 : double(open.steps));
  const double passes = double(it.slopes.colouring.colours / it.slopes.width + 1);   // of all directions that a Jacobian takes
  return it.cost_told + it.machine->work + steps * (step_of_several + step_work_per_state * n) - of_one * (step_of_several - step_of_one) +
         iterations * (iteration_work + iteration_work_per_entry * entries) + double(s.evaluations) * evaluation_work + double(s.jacobians) * entries * std::sqrt(entries) / 6 +
         (double(s.evaluations) + double(s.jacobians) * passes) * it.functions * function_work;
}

void count(Integrator& it) {
  if (it.size == 0) return;
  const Stepper::Counts counts = it.stepper->counts();
  it.statistics.steps += std::uint64_t(counts.steps);
  it.statistics.steps_by[std::size_t(it.methods[it.method].name)] += std::uint64_t(counts.steps);
  it.statistics.newton_iterations += std::uint64_t(counts.iterations);
  it.statistics.error_test_failures += std::uint64_t(counts.failures);
}

void change_to(Integrator& it, std::size_t number) {
  count(it);
  it.stepper->start(it.time, 0);   // it counts from 0
  const double focused = it.time <= it.focused_until ? it.accuracy : 1;   // a change within an interval keeps what its events ask for
  use(it, number);
  it.accuracy = std::min(it.accuracy, focused);
  if (it.bound > 0) it.stepper->bound(it.bound);
  it.stepper->differences(it.slides);
  ++it.statistics.method_changes;
}

}  // namespace mosim::runtime
