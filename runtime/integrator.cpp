#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/crossings.hpp"
#include "runtime/explain.hpp"
#include "runtime/integrator_parts.hpp"
#include "runtime/interpreter.hpp"
#include "runtime/kernel.hpp"
#include "runtime/opcode.hpp"
#include "runtime/short_past.hpp"

namespace mosim::runtime {

namespace {
constexpr double start_caution = 1e-3;   // first step / step that would just meet the tolerance
constexpr double start_fraction = 2e-3;  // first step / time between events
constexpr double one_step_caution = 0.8, one_step_fraction = 0.1;   // the same of methods that need no past
constexpr double calming = 10;           // first step after an explicit method / its last one
constexpr double in_focus = 100;         // time between events / step that would just meet the tolerance
constexpr double finest_tolerance = 1e-12;
constexpr int patience = 500;
constexpr int laborious = 5000;          // steps in the resolution, nearly all of order 1
constexpr int few_steps = 3;             // after a restart
constexpr double between_events = 0.1;   // refinement of a method that is tried there
constexpr double short_step = 2e-2;      // of the resolution
constexpr double unit = std::numeric_limits<double>::epsilon();
constexpr int most_unseen = 100000;
// CVODE goes back to where a step began by taking off again what the prediction added: where that is so much longer than
// the state, its digits are gone.
constexpr double longest_prediction = 1e6;   // relative to the state, or to the tolerance where that is 0
constexpr double shortest_guess = 1e-19;     // relative to time: below it CVODE guesses a first step that is too long

}  // namespace

void FreeIntegrator::operator()(Integrator* integrator) const { delete integrator; }

namespace {

// The first step, 0 where CVODE is to guess it, no longer than the machine's derivatives allow.
double safe_first_step(const Integrator& it, double time, double first_step) {
  const Machine& m = *it.machine;
  double longest = it.span;
  for (std::size_t k = 0; k < it.size; ++k) {
    const double derivative = std::abs(m.memory[m.program->first_derivative + k]);
    const double size = std::abs(data(it.states)[k]) + data(it.tolerances)[k];
    if (derivative * longest > longest_prediction * size) longest = longest_prediction * size / derivative;
  }
  if (first_step > 0) return std::min(first_step, longest);
  return longest < shortest_guess * std::max(std::abs(time), it.span) ? longest : 0;
}

// With the derivatives at this point in the machine.
void reinitialise(Integrator& it, double time, double first_step) {
  count(it);
  it.stepper->start(time, safe_first_step(it, time, first_step));
  it.time = time;
  it.since_restart = 0;
  it.fresh = true;
  it.went_back = false;
}

double first_step(const Integrator& it) { return it.methods[it.method].first_step; }

// The first step of a method in the place of an explicit one, whose solution may tremble within the tolerance: what is off the slow motion is
// to decay before steps are long, as between their ends they follow the slope that it gives them. Infinite: of any length.
double calm_step(const Integrator& it) {
  return it.stepper->stability_limit() > 0 && it.stepper->last_step() > 0 ? calming * it.stepper->last_step() : std::numeric_limits<double>::infinity();
}

// By how much a first step is shorter whose error is that part of another's.
double first_root(const Integrator& it, double part) {
  const int power = it.stepper->first_power();
  return power == 2 ? std::sqrt(part) : std::pow(part, 1.0 / power);
}

// What to try first after an event, by the first steps after those before. Of a method that remembers two steps of order 1 follow, the
// second at most ten times the first: their error must stay small beside what the tolerance allows, and beside what happens before the
// next event.
double cautious_step(const Integrator& it) {
  return (it.stepper->remembers() ? start_caution : one_step_caution) * first_step(it) * first_root(it, it.accuracy);
}

// How much of the time between events it may be: with crossing functions, what they do next is to be seen.
double start_part(const Integrator& it) { return it.stepper->remembers() ? start_fraction : crossing_count(*it.machine) > 0 ? one_step_fraction : 1; }

// The first step whose error would just meet the tolerance.
void note_first_step(Integrator& it, double step) {
  N_Vector const errors = it.errors.get();
  N_Vector const weights = it.weights.get();
  if (!it.stepper->errors(errors, weights)) return;
  const double error = N_VWrmsNorm(errors, weights);
  // Without an error to go by: longer than this one by a good deal.
  const double factor = (error > 1e-12 ? 1 / first_root(it, error) : 1e4) / first_root(it, it.accuracy);
  it.methods[it.method].first_step = std::min(it.span, factor * step);
}

void set_bound(Integrator& it, double bound) {
  if (bound == it.bound) return;
  it.bound = bound;
  it.stepper->bound(bound);
}

// What happens between events, `scale` apart, may become hardly larger than the tolerance, and would be lost in it.
// There the tolerance shrinks with it, until something else begins.
void focus(Integrator& it, double scale, bool shrinking) {
  const double part = shrinking && first_step(it) > 0 ? scale / (in_focus * first_step(it)) : 1;
  const double finest = std::min(1.0, finest_tolerance / it.tolerance);
  const double accuracy = std::clamp(part * part, finest, 1.0);
  it.focused_until = it.time + (shrinking ? 2 * scale : 0);
  it.accuracy = shrinking && first_step(it) > 0 ? accuracy : it.usual_accuracy;
}

void come_to(Integrator& it, double time) {
  it.time = time;
  std::copy_n(it.machine->memory.data() + it.machine->program->first_state, it.size, data(it.states));
}

// Looks for crossings are no farther apart than this. bdf's steps are short after an event, and become longer by and by, so that what happens
// as soon as the last times is seen from their ends. Others may step over it at once: with them looks become rare as such steps would.
double distance_of_looks(const Integrator& it) {
  constexpr double of_quiet_time = 0.2, of_elapsed = 0.25, unknown = 1e-3;
  if (it.methods[it.method].name == Solver::bdf) return std::numeric_limits<double>::infinity();
  double shortest = std::numeric_limits<double>::infinity();
  for (const double t : it.quiet_times)
    if (t > 0) shortest = std::min(shortest, t);
  if (!std::isfinite(shortest)) shortest = unknown * it.interval;
  const double from = it.search.looks.back().time;
  return std::max({of_quiet_time * shortest, of_elapsed * (from - it.event), 1000 * unit * std::abs(from)});   // a distance that time shows
}

// Looks for a crossing up to `end`, an instant within the last step. crossed: a buffered value changes at it.time. lost: see there, at it.time.
// stepped: neither.
Advance find_crossing(Integrator& it, double end) {
  Machine& m = *it.machine;
  if (it.crossings.empty() || !(it.crossings_vary || m.sliding)) return Advance::stepped;
  const auto evaluate = [&](double time, std::vector<double>& values) {
    interpolate(it, time);
    evaluate_crossings(m, values);
  };
  for (;;) {
    const double part = std::min(end, it.search.looks.back().time + distance_of_looks(it));
    const auto time = find_crossing(it.search, part, evaluate);
    if (it.search.loss && !m.sliding) {
      evaluate(*it.search.loss, it.crossings);
      it.lost = is_within_hysteresis(m);   // its event may be what goes before
      if (!it.lost) {
        come_to(it, *it.search.loss);
        return Advance::lost;
      }
      if (time) evaluate(*time, it.search.looks.back().values);
    }
    if (!time && part < end) continue;
    if (!time) return Advance::stepped;
    if (take_crossings(m, it.search.looks.back().values)) {
      come_to(it, *time);
      return Advance::crossed;
    }
    evaluate_crossings(m, it.crossings);   // armed: another function from here on
    start_search(it.search, *time, it.crossings);
    if (*time >= end) return Advance::stepped;
  }
}

// What a section reads and what it writes; buffered relations and functions are read, whatever they compare.
void find_accesses(const Program& program, Entry entry, std::vector<bool>& reads, std::vector<bool>& written) {
  if (entry == none) return;
  each_instruction(program, entry, [&](const Instruction& i) {
    if (i.op == Opcode::relation || i.op == Opcode::time_relation || i.op == Opcode::event_function) {
      reads[i.a] = true;
      return;
    }
    if (i.op == Opcode::solve) {
      for (const Slot slot : program.blocks[i.d].unknowns) written[slot] = true;
      find_accesses(program, program.blocks[i.d].code, reads, written);
      return;
    }
    each_read(program, i, [&](Slot slot) { reads[slot] = true; });
    each_written(program, i, [&](Slot slot) { written[slot] = true; });
  });
}

std::vector<Slot> find_inputs(const Program& program, std::size_t slots) {
  std::vector<bool> reads(slots), written(slots);
  find_accesses(program, program.derivatives, reads, written);
  std::vector<Slot> inputs;
  for (Slot slot = 0; slot < slots; ++slot) {
    const bool is_state = slot >= program.first_state && slot - program.first_state < program.states.size();
    if (is_state || (reads[slot] && !written[slot])) inputs.push_back(slot);
  }
  return inputs;
}

}  // namespace

IntegratorHandle make_integrator(Machine& machine, const Variation& variation, const Options& options) {
  IntegratorHandle handle(new Integrator);
  Integrator& it = *handle;
  const Program& program = *machine.program;
  it.machine = &machine;
  it.size = program.states.size();
  it.inputs = find_inputs(program, machine.memory.size());
  for (const Block& block : program.blocks)
    if (!block.linear) it.iterated.insert(it.iterated.end(), block.unknowns.begin(), block.unknowns.end());
  std::sort(it.iterated.begin(), it.iterated.end());
  it.iterated.erase(std::unique(it.iterated.begin(), it.iterated.end()), it.iterated.end());
  it.tolerance = options.tolerance;
  it.context = make_context();
  const std::size_t n = std::max<std::size_t>(it.size, 1);
  it.states = make_vector(n, it.context);
  it.tolerances = make_vector(n, it.context);
  it.errors = make_vector(n, it.context);
  it.weights = make_vector(n, it.context);
  it.view = make_view(n, machine.memory.data() + program.first_state, it.context);
  data(it.states)[0] = 0;
  data(it.tolerances)[0] = 1;
  for (std::size_t k = 0; k < it.size; ++k) {
    data(it.states)[k] = machine.memory[program.first_state + k];
    data(it.tolerances)[k] = options.tolerance * program.states[k].nominal;
  }
  it.slopes = make_slopes(*it.machine);
  it.sparse = is_sparse(it.slopes.pattern);
  it.affine = make_affine_motion(variation, it.slopes.pattern);
  it.crossings_vary = variation.crossings;
  it.bends = variation.bends;
  it.functions = double(variation.functions);
  const auto solvers = options.solver == Solver::automatic ? std::vector{Solver::bdf, Solver::erk, Solver::esdirk, Solver::adams} : std::vector{options.solver};
  for (const Solver name : solvers) {
    it.forms.push_back(it.methods.size());
    it.methods.emplace_back(name);
  }
  if (options.solver == Solver::automatic) it.methods.emplace_back(Solver::erk, true);
  it.choice = MethodChoice(it.size > 0 ? solvers.size() : 1, options.short_run);
  use(it, 0);
  it.quiet = make_quiet_watch(machine);
  it.span = options.stop - options.start;
  it.stop = options.stop;
  // A long step could jump over two crossings, or over a pulse under noEvent: it is bounded, and searched in parts.
  it.interval = resolution(options);
  it.interval_end = options.start + it.interval;
  it.search.distance = it.interval / 2;
  it.largest_step = 4 * it.interval;
  return handle;
}

bool restart(Integrator& it, double scale, bool shrinking) {
  Machine& m = *it.machine;
  std::copy_n(m.memory.data() + m.program->first_state, it.size, data(it.states));
  it.time = m.memory[slot_time];
  if (it.whole_interval && it.time > it.restarted) it.choice.interval_over(it.time - it.restarted, cost(it) - it.cost_before, cost(it));
  else it.choice.interrupted();
  it.affine.forget();
  it.whole_interval = true;
  it.restarted = it.time;
  it.cost_before = cost(it);
  const bool changes = chosen(it) != it.method;
  const double calm = changes ? calm_step(it) : std::numeric_limits<double>::infinity();
  if (changes) {
    // Nothing compares errors from event to event.
    if (Method& tried = it.methods[chosen(it)]; it.choice.is_trying()) tried.refinement = tried.name == Solver::bdf ? 1 : between_events;
    change_to(it, chosen(it));
  }
  focus(it, scale, shrinking);
  const double cautious = first_step(it) > 0 ? std::max(cautious_step(it), 100 * unit * std::abs(it.time)) : 0;   // one that time shows
  if (it.slides != bool(m.sliding)) {
    it.slides = bool(m.sliding);
    it.stepper->differences(it.slides);
  }
  reinitialise(it, m.memory[slot_time], cautious > 0 ? std::min({cautious, start_part(it) * scale, calm}) : std::isfinite(calm) ? calm : 0);
  it.tiny_steps = it.unseen_steps = 0;
  return resume(it);
}

bool resume(Integrator& it) {
  it.lost = false;
  constexpr double one_event = 1e-5;   // of the resolution: so near to each other they are, for what comes after
  if (it.time - it.event > one_event * it.interval && std::isfinite(it.event)) it.quiet_times[it.next_quiet_time++ % it.quiet_times.size()] = it.time - it.event;
  it.event = it.time;
  it.crossings.resize(crossing_count(*it.machine));
  if (it.crossings.empty()) return false;
  const bool flips = settle_crossings(*it.machine, it.crossings);
  if (!flips) evaluate_crossings(*it.machine, it.crossings);   // some may have been armed
  start_search(it.search, it.time, it.crossings);
  return flips;
}

bool is_disturbed(const Integrator& it) {
  const Machine& m = *it.machine;
  const auto changed = [&](Slot slot) { return m.memory[slot] != m.left_limits[slot]; };
  // What goes in is read at the same end; and a delay that jumps reads elsewhere.
  for (const SpatialDistribution& t : m.program->spatial_distributions)
    if (changed(t.in0) || changed(t.in1) || changed(t.x) || changed(t.positive)) return true;
  for (const Delay& delay : m.program->delays)
    if (delay.varying != none && changed(delay.varying)) return true;
  return std::any_of(it.inputs.begin(), it.inputs.end(), changed);
}

namespace {

enum class Step { done, again, failed };

// One step of CVODE from it.time on; `to` is where it ends. Again: it failed, and starts with low order.
Step take_step(Integrator& it, double limit, double& to) {
  if (it.time >= it.interval_end) {
    it.interval_end = it.time + it.interval;
    it.interval_steps = it.low_orders = 0;
  }
  it.usual_accuracy = ++it.interval_steps > patience ? it.methods[it.method].refinement : it.part;
  if (it.time > it.focused_until) it.accuracy = it.usual_accuracy;
  set_bound(it, past_bound(*it.machine, it.span, it.largest_step));
  it.fault_in_step = false;
  // The motion goes on where the step ended, whichever solution was found inside of it for rows. What the step itself had no need of was
  // found for rows alone.
  it.machine->evaluated.forget();
  if (it.went_back && it.end_guesses.size() == it.iterated.size() && it.guesses.size() == it.iterated.size())
    for (std::size_t k = 0; k < it.iterated.size(); ++k)
      if (it.end_guesses[k] != it.guesses[k]) it.machine->memory[it.iterated[k]] = it.end_guesses[k];
  it.went_back = false;
  keep_guesses(it, it.guesses);
  const Stepper::Flag flag = it.stepper->step(limit, to);
  if (Stepper::failed(flag)) {
    it.flag = flag;
    // One more try with low order and a small step: the history may be what misleads.
    if (to - it.rescued <= 1e-9 * it.span || flag == Stepper::Flag::nothing_there) return Step::failed;
    it.rescued = to;
    if (right_side(to, it.states.get(), it.errors.get(), &it) != 0) return Step::failed;
    reinitialise(it, to, std::min(1e-6 * it.span, 1e-3 * (limit - to)));
    return Step::again;
  }
  if (!it.fault_in_step) it.fault.reset();
  it.machine->farthest_time = to;
  it.low_orders += it.stepper->last_order() <= 1 && flag != Stepper::Flag::stopped && ++it.since_restart > few_steps;
  const double used = it.stepper->last_step();
  it.tiny_steps = used <= 16 * unit * std::abs(to) ? it.tiny_steps + 1 : 0;
  // Around time 0 there are digits for any step: so many of them for nothing that the run would show are no motion either.
  if (it.unseen_steps == 0) it.unseen_since = to;
  it.unseen_steps = to - it.unseen_since > 1e-9 * it.span ? 0 : it.unseen_steps + 1;
  if (it.tiny_steps > 20 || it.unseen_steps > most_unseen) {
    it.flag = Stepper::Flag::inaccurate;
    return Step::failed;
  }
  if (it.fresh) {
    note_first_step(it, used);
    it.fresh = false;
  }
  keep_guesses(it, it.end_guesses);
  if (it.interval_steps == laborious && !it.slow && it.size > 0 && it.method == 0) {
    if (it.low_orders > 0.9 * laborious) note_jump(it);
    else if (it.stepper->stability_limit() > 0) note_stiffness(it, to);
    recall_guesses(it, it.end_guesses);
  }
  return Step::done;
}

// Within an interval, from where the last step ended, with the method of choice. False: there is nothing to go on from.
bool change_method(Integrator& it, const std::vector<double>& guesses) {
  it.whole_interval = false;
  recall_guesses(it, guesses);
  if (right_side(it.time, it.states.get(), it.errors.get(), &it) != 0) return false;
  const double calm = calm_step(it);
  change_to(it, chosen(it));
  reinitialise(it, it.time, first_step(it) > 0 ? std::min(cautious_step(it), calm) : std::isfinite(calm) ? calm : 0);
  it.tiny_steps = it.interval_steps = it.low_orders = 0;
  it.fault.reset();
  return true;
}

// False: or there is no other method.
bool give_up_method(Integrator& it, const std::vector<double>& guesses) { return it.choice.give_up() && change_method(it, guesses); }

// By what the last step has shown.
bool choose_method(Integrator& it) {
  if (it.methods.size() < 2) return true;
  bool changes = it.choice.is_hopeless(cost(it) - it.cost_before) && it.choice.give_up();
  // What was in the past may be forgotten by now. And a stretch does not tell what comes of jumps and bends that no event tells of.
  const bool is_telling = it.machine->delays.empty() && it.machine->spatial_distributions.empty() && !it.machine->sliding && !it.bends;
  if (!changes && !it.fresh && is_telling) {
    const MethodChoice::Stretch stretch = it.choice.step_over(it.time, cost(it));
    if (stretch == MethodChoice::Stretch::is_hopeless) changes = it.choice.give_up();
    if (stretch == MethodChoice::Stretch::is_over) {
      try_candidate(it);
      changes = chosen(it) != it.method;
    }
    if (!changes && stretch != MethodChoice::Stretch::goes_on) begin_stretch(it);
  }
  return !changes || change_method(it, it.fresh ? std::vector<double>() : it.end_guesses);
}

}  // namespace

Advance advance(Integrator& it, double limit) {
  const double close = 32 * unit * std::max(std::abs(it.time), std::abs(limit));
  // Too close for a step: the states stay.
  if (limit - it.time <= close) {
    it.time = limit;
    load(it, limit, data(it.states));
    if (!it.search.looks.empty()) it.search.looks.back().time = limit;
    return Advance::reached;
  }
  // An event that disturbed nothing may lie inside the last step: the rest of it comes first.
  double to = it.stepper->time();
  const bool inside = !it.fresh && to - it.time > 32 * unit * std::max(std::abs(it.time), std::abs(to));
  if (inside) {
    keep_guesses(it, it.guesses);
    it.end_guesses.clear();   // from before the event
  } else {
    if (!choose_method(it)) return Advance::failed;
    to = it.time;
    Step step = take_step(it, limit, to);
    while (step == Step::failed && give_up_method(it, it.guesses)) step = take_step(it, limit, to);   // what one method cannot another may
    if (step == Step::failed) return Advance::failed;
    if (step == Step::again) {
      load(it, to, data(it.states));
      return Advance::stepped;
    }
  }
  const bool reached = to >= limit - close;
  if (reached) to = limit;
  if (to > it.time)
    if (const Advance found = find_crossing(it, to); found != Advance::stepped) return found;
  it.time = to;
  if (!inside && !reached && !it.quiet.suspects.empty()) {
    load(it, to, data(it.states));
    if (it.stepper->last_step() < short_step * it.interval) it.watched_now = note_short_step(it.quiet, *it.machine, it.interval);
    else note_long_step(it.quiet);
    load(it, to, data(it.states));
    if (!it.watched_now.empty()) return Advance::watches;
  }
  if (inside) {
    interpolate(it, to);
    std::copy_n(it.machine->memory.data() + it.machine->program->first_state, it.size, data(it.states));
  } else {
    load(it, to, data(it.states));
  }
  if (reached || !it.lost) return reached ? Advance::reached : Advance::stepped;
  it.lost = is_within_hysteresis(*it.machine);
  return it.lost ? Advance::stepped : Advance::lost;
}

const std::vector<Index>& watched_now(const Integrator& it) { return it.watched_now; }

bool can_slide(const Integrator& it) { return it.size > 0 && it.size <= largest_dense; }

void interpolate(Integrator& it, double time) {
  // Back into the step: what was found at its end, beyond an event maybe, is no guess for what comes before.
  const bool lacks_slope = it.size > 0 && it.stepper->lacks_slope(time);
  if (lacks_slope || time < it.machine->memory[slot_time]) {
    recall_guesses(it, it.guesses);
    it.went_back = true;
  }
  if (lacks_slope) {
    const std::optional<Message> fault = it.fault;
    const bool in_step = it.fault_in_step;
    it.stepper->evaluate_slope();
    it.fault = fault;   // a cubic will do
    it.fault_in_step = in_step;
  }
  set_time(*it.machine, time);
  if (it.size > 0) it.stepper->interpolate(time, it.view.get());
}

void reload(Integrator& it) { load(it, it.time, data(it.states)); }

Message failure(Integrator& it) {
  Message message;
  message.time = it.time;
  const Program& program = *it.machine->program;
  if (it.fault) {
    message = *it.fault;
    message.cause = fmt::format("no step from time = {:.9g} on succeeds: {} at time = {:.9g}", it.time, it.fault->cause,
                                it.fault->time);
    message.time = it.time;
    return message;
  }
  // The state that resists most.
  const std::size_t worst = worst_state(it);
  const char* what = it.flag == Stepper::Flag::no_corrector ? "the corrector iteration does not converge"
                     : it.flag == Stepper::Flag::singular   ? "the Jacobian of the derivatives is singular"
                                                            : "the error cannot be made small enough";
  message.cause = fmt::format("the step size becomes too small ({:.3g} s): {}", std::abs(it.stepper->next_step()), what);
  if (it.size > 0) {
    const Variable& variable = program.variables[program.states[worst].variable];
    message.origin = variable.origin;
    message.cause += fmt::format(", most of all for {} = {:.9g} with der({}) = {:.9g}", variable.said(),
                                 data(it.states)[worst], variable.said(),
                                 it.machine->memory[program.first_derivative + worst]);
  }
  return message;
}

std::optional<Message> why_slow(const Integrator& it) { return it.slow; }

void add_statistics(Integrator& it, Statistics& statistics) {
  count(it);
  it.stepper->start(it.time, 0);   // counts from 0
  const double spent = cost(it);
  statistics.steps += it.statistics.steps;
  statistics.evaluations += it.statistics.evaluations;
  statistics.jacobians += it.statistics.jacobians;
  statistics.newton_iterations += it.statistics.newton_iterations;
  statistics.error_test_failures += it.statistics.error_test_failures;
  statistics.method_changes += it.statistics.method_changes;
  for (std::size_t k = 0; k < statistics.steps_by.size(); ++k) statistics.steps_by[k] += it.statistics.steps_by[k];
  it.statistics = {};
  it.cost_told += spent - cost(it);
}

}  // namespace mosim::runtime
