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
  return it.cost_told + it.machine->work + steps * (step_of_several + step_work_per_state * n) - of_one * (step_of_several - step_of_one) +
         iterations * (iteration_work + iteration_work_per_entry * entries) + double(s.evaluations) * evaluation_work + double(s.jacobians) * entries * std::sqrt(entries) / 6;
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

void begin_stretch(Integrator& it) {
  load(it, it.time, data(it.states));
  if (!it.end_guesses.empty()) recall_guesses(it, it.end_guesses);
  it.stretch_start = it.time;
  copy_lasting(*it.machine, it.machine->memory, it.stretch_memory);
}

namespace {

struct Passage {
  bool lost = false;
  double spent = 0, second_half = 0;       // cost
  double longest = 0;                      // step
  std::vector<double> states;              // at its end
};

// Through the stretch with the choice's candidate, whose steps get so much of its part of the tolerance. Lost: it failed, or came to cost more
// than `allowance` times what it may.
Passage go_through_stretch(Integrator& it, double refinement, double allowance, double focused) {
  Machine& m = *it.machine;
  it.methods[it.choice.candidate()].refinement = refinement;
  use(it, it.choice.candidate());
  it.accuracy = std::min(it.accuracy, focused);   // as it would go on from here: see change_to()
  if (it.bound > 0) it.stepper->bound(it.bound);
  it.stepper->differences(false);
  it.time = it.stretch_start;
  copy_lasting(m, it.stretch_memory, m.memory);
  m.evaluated.forget();
  std::copy_n(m.memory.data() + m.program->first_state, it.size, data(it.states));
  keep_guesses(it, it.guesses);
  it.stepper->start(it.time, 0);
  const double first = cost(it), end = it.choice.stretch_end(), middle = it.choice.stretch_middle();
  Passage p;
  double at_middle = -1;
  while (!p.lost && it.time < end) {
    const double from = it.time, so_far = cost(it) - first;
    double to = from;
    p.lost = Stepper::failed(it.stepper->step(end, to)) || it.choice.is_lost(to, (cost(it) - first) / allowance);
    it.time = to;
    p.longest = std::max(p.longest, to - from);
    keep_guesses(it, it.guesses);
    if (at_middle < 0 && to >= middle) at_middle = so_far + (cost(it) - first - so_far) * (middle - from) / (to - from);   // a share of a long step
  }
  p.states.assign(data(it.states), data(it.states) + it.size);
  p.spent = cost(it) - first;
  p.second_half = p.spent - at_middle;
  return p;
}

// In tolerances, what one is off from the other.
double distance(const Integrator& it, const std::vector<double>& found, const std::vector<double>& reference) {
  double largest = 0;
  for (std::size_t k = 0; k < it.size; ++k)
    largest = std::max(largest, std::abs(found[k] - reference[k]) / (it.tolerance * std::abs(reference[k]) + data(it.tolerances)[k]));
  return largest;
}

// Methods are compared at equal errors: by what the candidate is farther off in this stretch than the method in use, or than what adds up to the
// tolerance in the whole run, its steps have to be finer. Still finer ones tell both errors, and what finer ones cost. Its refinement.
double refine(Integrator& it, Passage& p, const std::vector<double>& in_use, double focused) {
  constexpr double finer = 0.01, allowance = 1.5;
  constexpr double one_direction = 0.1;   // errors of steps without a past have it more often than others
  const double order = it.stepper->last_order();
  const Passage fine = go_through_stretch(it, finer, allowance, focused);
  p.spent += fine.spent;
  p.lost = fine.lost;
  if (p.lost) return 1;
  const double allowed = std::max(one_direction * distance(it, in_use, fine.states), (it.choice.stretch_end() - it.stretch_start) / (it.stop - it.stretch_start));
  const double refinement = std::min(1.0, std::pow(allowed / distance(it, p.states, fine.states), (order + 1) / order));
  p.second_half *= std::pow(refinement, std::min(0.0, std::log(fine.second_half / p.second_half) / std::log(finer)));
  return refinement;
}

}  // namespace

void try_candidate(Integrator& it) {
  Machine& m = *it.machine;
  const double cost_before = cost(it), time = it.time, accuracy = it.accuracy, usual_accuracy = it.usual_accuracy;
  const std::size_t method = it.method, branches = m.lost_branches.size(), undetermined = m.undetermined.size();
  const std::vector<double> states(data(it.states), data(it.states) + it.size), guesses = it.guesses;
  // All of it: a block that has become singular keeps the values that it has.
  copy_lasting(m, m.memory, it.memory_before_trial);
  std::vector<bool> forms;
  for (const BlockState& block : m.blocks) forms.push_back(block.prefers_untorn);
  const std::optional<Message> fault = it.fault;
  const bool fault_in_step = it.fault_in_step;

  const double focused = time <= it.focused_until ? accuracy : 1;
  const std::size_t candidate = it.choice.candidate();
  const double refinement_before = it.methods[candidate].refinement;
  double refinement = 1;
  Passage passage = go_through_stretch(it, 1, 1, focused);
  const bool bound_by_stability = !passage.lost && is_bound_by_stability(it, it.time, passage.longest);
  if (!passage.lost && it.methods[candidate].name != Solver::bdf && it.choice.would_win(passage.second_half, bound_by_stability)) refinement = refine(it, passage, states, focused);
  it.methods[candidate].refinement = refinement_before;
  it.stepper->start(it.time, 0);   // what it counted is no step of the run

  use(it, method);
  it.accuracy = accuracy;
  it.usual_accuracy = usual_accuracy;
  std::copy(states.begin(), states.end(), data(it.states));
  it.time = it.probed = time;
  copy_lasting(m, it.memory_before_trial, m.memory);
  m.evaluated.forget();
  it.guesses = guesses;
  it.fault = fault;
  it.fault_in_step = fault_in_step;
  for (std::size_t k = 0; k < forms.size(); ++k) m.blocks[k].prefers_untorn = forms[k];
  m.lost_branches.resize(branches);
  m.undetermined.resize(undetermined);
  it.cost_told += cost_before + passage.spent - cost(it);
  if (passage.lost) it.choice.tried_in_vain(passage.spent);
  else it.choice.tried(passage.spent, passage.second_half, bound_by_stability);
  if (it.choice.current() == candidate) it.methods[candidate].refinement = refinement;
}

}  // namespace mosim::runtime
