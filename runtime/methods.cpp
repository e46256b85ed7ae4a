// The methods that a run may go on with, and what they cost.

#include <algorithm>
#include <cmath>

#include "runtime/integrator_parts.hpp"
#include "runtime/opcode.hpp"

namespace mosim::runtime {

namespace {
// What a method does beside evaluating the model, in instructions of the model's code: per step, per Newton iteration, per evaluation.
constexpr double step_overhead = 750, iteration_overhead = 300, evaluation_overhead = 50;
}  // namespace

void use(Integrator& it, std::size_t number) {
  it.method = number;
  Method& method = it.methods[number];
  if (!method.stepper) make(it, method);
  it.stepper = method.stepper.get();
  it.part = it.stepper->remembers() ? local_part : one_step_part;
  it.accuracy = it.usual_accuracy = it.part;
}

double instructions(const Program& program, Entry entry) {
  double count = 0;
  for (Entry at = entry; at != none && program.code[at].op != Opcode::end; ++at) {
    ++count;
    if (program.code[at].op != Opcode::solve) continue;
    const Block& block = program.blocks[program.code[at].d];
    const double n = double(block.unknowns.size());
    count += (block.linear ? 1 : 3) * (4 * instructions(program, block.code) + n * n * (n / 3 + 1));
  }
  return count;
}

double cost(const Integrator& it) {
  const double n = double(it.size), factors = it.size > largest_dense ? double(it.pattern.rows.size()) : n * n;
  const Stepper::Counts open = it.stepper->counts();
  const double steps = double(it.statistics.steps) + double(open.steps), iterations = double(it.statistics.newton_iterations) + double(open.iterations);
  return steps * (step_overhead + 30 * n + it.instructions) + iterations * (iteration_overhead + 2 * factors) +
         double(it.statistics.evaluations) * (evaluation_overhead + it.instructions) +
         double(it.statistics.jacobians) * (2 * it.colouring.colours * it.instructions + factors * std::sqrt(factors) / 3);
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
