// Trials on the side: other methods go through some of the motion once more. MethodChoice says when.

#include "runtime/integrator_parts.hpp"

#ifdef __EMSCRIPTEN__

namespace mosim::runtime {

// There is nothing to choose from: see make_arkode().
void begin_stretch(Integrator&) {}
void try_candidate(Integrator&) {}

}  // namespace mosim::runtime

#else

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "runtime/crossings.hpp"

namespace mosim::runtime {

void begin_stretch(Integrator& it) {
  load(it, it.time, data(it.states));
  if (!it.end_guesses.empty()) recall_guesses(it, it.end_guesses);
  const auto begin = [&](Beginning& b) {
    b.time = it.time;
    copy_lasting(*it.machine, it.machine->memory, b.memory);
  };
  begin(it.stretch);
  if (it.choice.begins_motion()) begin(it.motion);
}

namespace {

struct Look {
  double time;
  std::vector<double> states;
};

struct Passage {
  bool lost = false;
  double spent = 0, second_half = 0;       // cost; of the stretch
  double longest = 0;                      // step
  double order = 1;                        // of the last one
  std::vector<double> states;              // at its end
  std::vector<Look> looks;                 // on the way through all of the motion
  std::vector<double> off;                 // what the one that it is compared with was off there, in tolerances
};

constexpr double endless = std::numeric_limits<double>::infinity();
constexpr int looks = 16;   // of a passage through all of the motion: so often, evenly

// In tolerances, what one is off from the other.
double distance(const Integrator& it, const double* found, const double* reference) {
  double largest = 0;
  for (std::size_t k = 0; k < it.size; ++k)
    largest = std::max(largest, std::abs(found[k] - reference[k]) / (it.tolerance * std::abs(reference[k]) + data(it.tolerances)[k]));
  return largest;
}

struct Route {
  const Beginning& from;
  double refinement;                   // of the method's part of the tolerance
  double allowance;                    // times what it may cost; more is lost
  const Passage* compared = nullptr;   // where that has looked this one does, too
};

// From there to the stretch's end with a method. Lost: it failed, or came to cost too much.
Passage go_through(Integrator& it, std::size_t method, const Route& route, double focused) {
  Machine& m = *it.machine;
  it.methods[method].refinement = route.refinement;
  use(it, method);
  it.accuracy = std::min(it.accuracy, focused);   // as it would go on from here: see change_to()
  if (it.bound > 0) it.stepper->bound(it.bound);
  it.stepper->differences(false);
  it.time = route.from.time;
  copy_lasting(m, route.from.memory, m.memory);
  m.evaluated.forget();
  std::copy_n(m.memory.data() + m.program->first_state, it.size, data(it.states));
  keep_guesses(it, it.guesses);
  it.stepper->start(it.time, 0);
  const bool looks_back = &route.from == &it.motion;
  const double first = cost(it), end = it.choice.stretch_end(), middle = it.choice.stretch_middle(), apart = (end - it.time) / looks;
  const auto is_lost = [&](double to, double spent) { return looks_back ? it.choice.is_lost_looking_back(to, spent) : it.choice.is_lost(to, spent); };
  Passage p;
  double at_middle = -1, next_look = it.time + apart;
  while (!p.lost && it.time < end) {
    const double start = it.time, so_far = cost(it) - first;
    const Look* const next = route.compared && p.off.size() < route.compared->looks.size() ? &route.compared->looks[p.off.size()] : nullptr;
    double to = start;
    p.lost = Stepper::failed(it.stepper->step(next ? next->time : end, to)) || is_lost(to, (cost(it) - first) / route.allowance);
    it.time = to;
    p.longest = std::max(p.longest, to - start);
    keep_guesses(it, it.guesses);
    if (at_middle < 0 && to >= middle) at_middle = so_far + (cost(it) - first - so_far) * (middle - start) / (to - start);   // a share of a long step
    if (next && to >= next->time) p.off.push_back(distance(it, next->states.data(), data(it.states)));
    if (looks_back && !route.compared && (to >= next_look || to >= end)) {
      p.looks.push_back({to, {data(it.states), data(it.states) + it.size}});
      next_look = to + apart;
    }
  }
  p.states.assign(data(it.states), data(it.states) + it.size);
  p.spent = cost(it) - first;
  p.second_half = p.spent - at_middle;
  p.order = it.stepper->last_order();
  it.stepper->start(it.time, 0);   // what it counted is no step of the run
  return p;
}

// A method in a trial, and what came of it.
struct MethodTrial {
  std::size_t method;
  Passage passage;                     // the last one that the decision is made by, with the cost of all of them
  double plain = endless;              // its second half at first
  double refinement = 1;
  bool bound_by_stability = false;
  std::vector<double> better;          // states, nearer than those of the method in use
  double looked_back = 0;              // what that cost, of the passage's
};

bool would_win(const Integrator& it, const MethodTrial& t) { return !t.passage.lost && it.choice.would_win(t.passage.second_half, t.bound_by_stability); }

constexpr double allowance = 1.5;        // of a passage that tells the errors of others
constexpr double one_direction = 0.1;    // errors of steps without a past have it more often than others: no trial tells all that comes of them
constexpr double other_motion = 1e4;     // tolerances: what is so far off has taken another way
constexpr double least_jump = 100, most_jump = 1e-3;   // tolerances, and part of a state: no farther off is what a run may go on from

// Its steps become finer, for what that costs by what the finest cost, so that what it is off becomes what it may be.
void refine(MethodTrial& t, double order, double off, double allowed, const Passage& fine, double finer) {
  t.refinement = std::min(1.0, std::pow(allowed / off, (order + 1) / order));
  t.passage.second_half *= std::pow(t.refinement, std::min(0.0, std::log(fine.second_half / t.passage.second_half) / std::log(finer)));
}

MethodTrial go_through_plainly(Integrator& it, std::size_t method, const Beginning& from, double focused) {
  MethodTrial t{method, go_through(it, method, {from, 1, 1}, focused), endless, 1, false, {}, 0};
  if (!t.passage.lost) t.plain = t.passage.second_half;
  t.bound_by_stability = !t.passage.lost && is_bound_by_stability(it, it.time, t.passage.longest);
  return t;
}

// Methods are compared at equal errors: by what one is farther off after a stretch than the method in use, or than what adds up to the tolerance in
// the whole run, its steps have to be finer. Still finer ones tell both errors.
MethodTrial try_method(Integrator& it, std::size_t method, const std::vector<double>& in_use, double focused) {
  constexpr double finer = 0.01;
  MethodTrial t = go_through_plainly(it, method, it.stretch, focused);
  if (it.methods[method].name == Solver::bdf || !would_win(it, t)) return t;
  const Passage fine = go_through(it, method, {it.stretch, finer, allowance}, focused);
  t.passage.spent += fine.spent;
  const double off = distance(it, in_use.data(), fine.states.data());
  t.passage.lost = fine.lost || !(off < other_motion);
  if (!t.passage.lost)
    refine(t, fine.order, distance(it, t.passage.states.data(), fine.states.data()),
           std::max(one_direction * off, (it.choice.stretch_end() - it.stretch.time) / (it.stop - it.stretch.time)), fine, finer);
  return t;
}

// Errors come and go, and those of the method in use have come for long: a stretch that begins with them may tell of nothing else. After all of the
// motion, what both are off by then, and what that has grown by since half of it, tell what they will be off by the end of the run.
MethodTrial look_back(Integrator& it, std::size_t method, const std::vector<double>& in_use, double focused) {
  constexpr double finer = 0.1, least_growth = 0.25;   // of what it is off, each time as long
  MethodTrial t = go_through_plainly(it, method, it.motion, focused);
  if (!would_win(it, t)) return t;
  const Passage fine = go_through(it, method, {it.motion, finer, allowance, &t.passage}, focused);
  t.passage.spent += fine.spent;
  const double off = distance(it, in_use.data(), fine.states.data()), length = it.choice.stretch_end() - it.motion.time, order = fine.order;
  t.passage.lost = fine.lost || !(off < std::max(least_jump, most_jump / it.tolerance));
  if (t.passage.lost) return t;
  double by_half = 0, at_end = 0;   // the largest, in a second and a last quarter: what rings is off by turns
  for (std::size_t k = 0; k < fine.off.size(); ++k) {
    const double part = (t.passage.looks[k].time - it.motion.time) / length;
    if (part > 0.25 && part <= 0.5) by_half = std::max(by_half, fine.off[k]);
    if (part > 0.75) at_end = std::max(at_end, fine.off[k]);
  }
  const double rest = (it.stop - it.time) / length, by_itself = at_end * std::pow(finer, order / (order + 1));   // what the finest may be off
  refine(t, order, at_end + rest * std::max((at_end - by_half) / 0.5, least_growth * at_end), std::max(one_direction * (off - by_itself) * (1 + rest), 1.0), fine, finer);
  t.better = fine.states;
  return t;
}

// Whether no crossing function has another sign with these states: what lies between is an error of both. Looks begin with them then.
bool may_go_on_from(Integrator& it, const std::vector<double>& states) {
  if (it.crossings.empty()) return true;
  Machine& m = *it.machine;
  const std::size_t branches = m.lost_branches.size(), undetermined = m.undetermined.size();
  const auto crossings_at = [&](const double* at) {
    if (!it.end_guesses.empty()) recall_guesses(it, it.end_guesses);
    load(it, it.time, at);
    evaluate_crossings(m, it.crossings);
    return it.crossings;
  };
  const std::vector<double> before = crossings_at(data(it.states)), after = crossings_at(states.data());
  m.lost_branches.resize(branches);
  m.undetermined.resize(undetermined);
  for (std::size_t k = 0; k < before.size(); ++k)
    if (std::isnan(before[k]) || std::isnan(after[k]) || std::signbit(before[k]) != std::signbit(after[k])) return false;
  start_search(it.search, it.time, after);
  return true;
}

// The choice's, of a method.
std::size_t number_of(const Integrator& it, std::size_t method) {
  std::size_t k = 0;
  while (it.methods[it.forms[k]].name != it.methods[method].name) ++k;
  return k;
}

// With what the choice's candidate may be, the best of it.
MethodTrial try_methods(Integrator& it, const std::vector<double>& in_use, double focused) {
  constexpr double dear = 1.5;   // times what it costs without refinement
  const auto is_better = [&](const MethodTrial& a, const MethodTrial& b) {
    if (would_win(it, a) != would_win(it, b)) return would_win(it, a);
    return a.passage.lost == b.passage.lost ? a.passage.second_half < b.passage.second_half : b.passage.lost;
  };
  std::optional<MethodTrial> best;
  std::size_t cheapest = 0;
  double spent = 0, least = endless;
  const auto go = [&](Solver name) {
    for (std::size_t k = 0; k < it.methods.size(); ++k) {
      if (it.methods[k].name != name) continue;
      MethodTrial t = try_method(it, k, in_use, focused);
      spent += t.passage.spent;
      if (t.plain <= least) {
        cheapest = k;
        least = t.plain;
      }
      if (!best || is_better(t, *best)) best = std::move(t);
    }
  };
  const Solver name = it.methods[it.forms[it.choice.candidate()]].name;
  go(name);
  double looked_back = 0;
  const bool is_dear = !would_win(it, *best) || best->passage.second_half > dear * best->plain;
  if (it.methods[cheapest].name != Solver::bdf && is_dear && it.choice.may_look_back((it.stop - it.choice.stretch_end()) / (it.choice.stretch_end() - it.motion.time))) {
    MethodTrial t = look_back(it, cheapest, in_use, focused);
    spent += t.passage.spent;
    looked_back = t.passage.spent;
    if (is_better(t, *best)) best = std::move(t);
  }
  // Where the motion is calm, steps that need not be stable are longer still.
  if (name == Solver::erk && would_win(it, *best) && it.methods[it.method].name != Solver::esdirk) go(Solver::esdirk);
  best->looked_back = looked_back;
  best->passage.spent = spent;
  return *best;
}

}  // namespace

void try_candidate(Integrator& it) {
  Machine& m = *it.machine;
  const double cost_before = cost(it), time = it.time, accuracy = it.accuracy, usual_accuracy = it.usual_accuracy;
  const std::size_t method = it.method, branches = m.lost_branches.size(), undetermined = m.undetermined.size();
  const std::vector<double> states(data(it.states), data(it.states) + it.size), guesses = it.guesses;
  // All of it: a block that has become singular keeps the values that it has.
  copy_lasting(m, m.memory, it.memory_before_trial);
  std::vector<bool> untorn;
  for (const BlockState& block : m.blocks) untorn.push_back(block.prefers_untorn);
  std::vector<double> refinements;
  for (const Method& each : it.methods) refinements.push_back(each.refinement);
  const std::optional<Message> fault = it.fault;
  const bool fault_in_step = it.fault_in_step;

  const MethodTrial trial = try_methods(it, states, time <= it.focused_until ? accuracy : 1);

  for (std::size_t k = 0; k < it.methods.size(); ++k) it.methods[k].refinement = refinements[k];
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
  for (std::size_t k = 0; k < untorn.size(); ++k) m.blocks[k].prefers_untorn = untorn[k];
  m.lost_branches.resize(branches);
  m.undetermined.resize(undetermined);
  it.cost_told += cost_before + trial.passage.spent - cost(it);
  const bool goes_on = would_win(it, trial), jumps = goes_on && !trial.better.empty();
  if (trial.passage.lost || (jumps && !may_go_on_from(it, trial.better))) {
    it.choice.tried_in_vain(trial.passage.spent);
    return;
  }
  const std::size_t number = number_of(it, trial.method);
  it.choice.tried(number, trial.passage.spent, trial.looked_back, trial.passage.second_half, trial.bound_by_stability);
  if (!goes_on) return;
  it.forms[number] = trial.method;
  it.methods[trial.method].refinement = trial.refinement;
  if (jumps) std::copy(trial.better.begin(), trial.better.end(), data(it.states));
}

}  // namespace mosim::runtime

#endif
