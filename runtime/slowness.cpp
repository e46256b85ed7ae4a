// Why thousands of steps lie closer than a picture of the run would show.

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "runtime/explain.hpp"
#include "runtime/integrator_parts.hpp"

namespace mosim::runtime {

std::size_t worst_state(Integrator& it) {
  const double *const errors = data(it.errors), *const weights = data(it.weights);
  std::size_t worst = 0;
  if (it.stepper->errors(it.errors.get(), it.weights.get()))
    for (std::size_t k = 1; k < it.size; ++k)
      if (std::abs(errors[k] * weights[k]) > std::abs(errors[worst] * weights[worst])) worst = k;
  return worst;
}

// So many steps of order 1 are taken where a derivative jumps all the time.
void note_jump(Integrator& it) {
  const Program& program = *it.machine->program;
  const Variable& variable = program.variables[program.states[worst_state(it)].variable];
  it.slow = Message{Severity::warning, it.time, variable.origin,
                    fmt::format("thousands of steps for {:.3g} s: the derivative of {} jumps where no event is", it.interval, variable.said()),
                    "without noEvent the jump is an event"};
}

namespace {

// The rate of the fastest motion is that of a small deviation which the right side has made its own (power iteration). 0: it can't be told.
double fastest_rate(Integrator& it, double time) {
  const std::size_t n = it.size;
  const double* const weights = data(it.weights);
  if (!it.stepper->errors(it.errors.get(), it.weights.get())) return 0;
  std::vector<double> there(n), deviation(n);
  const auto norm = [&](const std::vector<double>& v) {
    double sum = 0;
    for (std::size_t k = 0; k < n; ++k) sum += v[k] * weights[k] * v[k] * weights[k];
    return std::sqrt(sum);
  };
  const Vector moved = make_vector(n, it.context), slope = make_vector(n, it.context);
  if (right_side(time, it.states.get(), slope.get(), &it) != 0) return 0;
  std::copy_n(data(slope), n, there.begin());
  for (std::size_t k = 0; k < n; ++k) deviation[k] = (k % 2 ? 1.0 : -1.0) / weights[k];
  double rate = 0, before = 0;   // of what goes back and forth between states of different sizes, two rounds tell it
  for (int round = 0; round < 20; ++round) {
    const double size = norm(deviation);
    if (!(size > 0) || !std::isfinite(size)) return 0;
    for (std::size_t k = 0; k < n; ++k) data(moved)[k] = data(it.states)[k] + (deviation[k] /= size);
    if (right_side(time, moved.get(), slope.get(), &it) != 0) return 0;
    for (std::size_t k = 0; k < n; ++k) deviation[k] = data(slope)[k] - there[k];
    before = std::exchange(rate, norm(deviation));
  }
  rate = std::sqrt(before * rate);
  return std::isfinite(rate) ? rate : 0;
}

}  // namespace

bool is_bound_by_stability(Integrator& it, double time, double step) {
  constexpr double about = 0.6;
  return it.stepper->stability_limit() > 0 && fastest_rate(it, time) * step > about * it.stepper->stability_limit();
}

// So many steps of an explicit method are those of a stiff motion if they are as long as it is stable for.
void note_stiffness(Integrator& it, double time) {
  if (!is_bound_by_stability(it, time, it.stepper->last_step())) return;
  const Program& program = *it.machine->program;
  const Variable& variable = program.variables[program.states[worst_state(it)].variable];
  it.slow = Message{Severity::warning, it.time, variable.origin,
                    fmt::format("thousands of steps for {:.3g} s: the motion is stiff, and the explicit method takes no step longer than its fastest part allows, {:.2g} s", it.interval,
                                it.stepper->last_step()),
                    "the solvers bdf and esdirk take longer ones"};
}

}  // namespace mosim::runtime
