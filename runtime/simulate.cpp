#include "runtime/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "runtime/kernel.hpp"
#include "runtime/opcode.hpp"
#include "runtime/run.hpp"
#include "runtime/contents.hpp"
#include "runtime/crossings.hpp"
#include "runtime/delays.hpp"
#include "runtime/events.hpp"
#include "runtime/explain.hpp"
#include "runtime/initialise.hpp"
#include "runtime/machine_code.hpp"
#include "runtime/interpreter.hpp"
#include "runtime/short_past.hpp"
#include "runtime/state_sets.hpp"
#include "runtime/text.hpp"

namespace mosim::runtime {

double time_of(const Run& run) { return run.machine.memory[slot_time]; }

// The run is to end here, by itself or because what it was asked to give is not wanted any more.
bool interrupt(Run& run) {
  run.machine.stop = nullptr;   // what is still to be evaluated must work
  run.result.ending = Ending::interrupted;
  return false;
}

bool is_stopped(const Run& run) { return is_stopped(run.machine); }

bool fail(Run& run, Message message) {
  if (is_stopped(run)) return interrupt(run);   // that is what failed
  run.result.messages.push_back(std::move(message));
  run.result.ending = Ending::failed;
  return false;
}

bool evaluate(Run& run) {
  const Outcome outcome = evaluate_continuous(run.machine);
  if (!outcome.ok()) return fail(run, explain(run.machine, outcome));
  return take_undetermined(run);
}

void extend_delays(Run& run, bool starts_segment) {
  for (std::size_t k = 0; k < run.machine.delays.size(); ++k)
    append(run.machine.delays[k], time_of(run), run.machine.memory[run.program.delays[k].value], starts_segment);
  for (std::size_t k = 0; k < run.machine.spatial_distributions.size(); ++k) {
    const SpatialDistribution& t = run.program.spatial_distributions[k];
    const std::vector<double>& w = run.machine.memory;
    move_on(run.machine.spatial_distributions[k], w[t.x], w[t.in0], w[t.in1], w[t.positive] != 0);
  }
}

namespace {

// The part of the past that the last step adds: a few points inside it make interpolation as good as the integration.
bool follow_step(Run& run, double from, double to) {
  if ((run.machine.delays.empty() && run.machine.spatial_distributions.empty()) || !(to > from)) return true;
  std::vector<double> positions;
  for (const DistributionLine& distribution : run.machine.spatial_distributions) positions.push_back(distribution.x);
  for (int k = 1; k <= 3; ++k) {
    interpolate(*run.integrator, from + (to - from) * k / 4);
    if (!evaluate(run)) return false;
    extend_delays(run, false);
  }
  reload(*run.integrator);
  if (!evaluate(run)) return false;
  extend_delays(run, false);
  for (DelayLine& line : run.machine.delays) end_step(line, to - from);
  for (std::size_t k = 0; k < positions.size(); ++k)
    run.machine.spatial_distributions[k].speed = std::abs(run.machine.spatial_distributions[k].x - positions[k]) / (to - from);
  return true;
}

// Takes a step back that read too much of what was not known yet. False: the run fails, or the step stays.
bool goes_back(Run& run, double from) {
  Machine& m = run.machine;
  const double to = time_of(run);
  if (m.sliding || !outruns_past(m, to - from) || !(to > from)) return false;
  const double span = run.options.stop - run.options.start;
  if (!evaluate(run)) return false;
  const auto read = [&](double instant) {
    interpolate(*run.integrator, instant);
    return evaluate_continuous(m).ok();
  };
  const Foretold foretold = judge_step(m, from, span, run.options.tolerance, read);
  if (foretold == Foretold::never) return fail(run, too_short(m, span));
  if (foretold == Foretold::well) {
    reload(*run.integrator);
    return false;
  }
  interpolate(*run.integrator, from);
  return evaluate(run);
}

bool limit_reached(const Run& run) {
  return run.options.maximum_events && run.events >= *run.options.maximum_events;
}

bool start(Run& run) {
  if (!(run.options.stop >= run.options.start) || !std::isfinite(run.options.stop) || !(run.options.tolerance > 0))
    return fail(run, {Severity::error, run.options.start, none,
                      fmt::format("cannot simulate from {} to {} with tolerance {}", run.options.start,
                                  run.options.stop, run.options.tolerance),
                      "stop must not be before start, and the tolerance positive"});
  if (run.options.tolerance < least_tolerance)
    return fail(run, {Severity::error, run.options.start, none,
                      fmt::format("a tolerance of {:g} is finer than double numbers allow", run.options.tolerance),
                      fmt::format("the finest is {:g}", least_tolerance)});
  EventRecord record;
  record.time = run.options.start;
  record.kind = EventKind::initial;
  if (auto error = initialise(run.machine, run.options, record)) return fail(run, std::move(*error));
  run.result.parameters = run.machine.memory;
  run.bounds = make_bounds(run.machine, run.options);
  if (run.options.sink) run.options.sink->begin(run.result.parameters);
  if (auto error = make_calendar(run.machine, run.options.start, run.calendar)) return fail(run, std::move(*error));
  run.calendar.stop = run.options.stop;
  note_true_from_start(run.machine);
  // What is due at the start is an event after this one, with rounds of its own.
  std::optional<Message> error;
  if (!is_due(run.calendar, run.machine)) error = run_initial_rounds(run.machine, run.calendar, record, run.options.record_events);
  take_sayings(run, &record);
  if (error) {
    if (run.options.record_events) keep_failed(run, std::move(record));
    return fail(run, std::move(*error));
  }
  if (run.options.record_events) note_initialised(run.machine, record);
  run.machine.kept_strings = run.machine.strings.size();
  run.machine.keeps_strings = run.options.record_events;   // records refer to them
  if (!write_row(run, false)) return false;
  run.recorder.last_grid_row = 1;
  extend_delays(run, true);
  if (run.options.record_events) keep_event(run, std::move(record));
  run.courses = make_courses(run.machine);
  if (!check_assertions(run, run.options.record_events ? &run.result.events.back() : nullptr)) return false;
  run.last_event = run.options.start;
  run.scale = run.options.stop - run.options.start;
  if (reselect_states(run.machine) && !evaluate(run)) return false;
  const Variation variation = find_variation(run.machine);
  run.checks_vary = variation.checks;
  run.integrator = make_integrator(run.machine, variation, run.options);
  if (run.machine.termination != none) return true;
  if (is_due(run.calendar, run.machine)) return handle_event(run, false, false);
  if (restart(*run.integrator, run.options.stop - run.options.start, false)) return evaluate(run) && handle_event(run, true, false);
  return evaluate(run);
}

// The coefficients of the sets of states, at the end of a step.
bool evaluate_state_sets(Run& run) {
  Machine& m = run.machine;
  if (m.sliding || run.program.state_sets_alone == none) return evaluate(run);
  const Outcome outcome = runtime::run(m, run.program.state_sets_alone, Mode::frozen);
  if (!outcome.ok()) return fail(run, explain(m, outcome));
  return take_undetermined(run);
}

// States that do not determine the others at some point of the last step, where they are not free to be others.
bool check_branches(Run& run, double from) {
  const double to = time_of(run);
  std::size_t set = 0;
  const double here = fixed_determinant(run.machine, set), before = run.determinant;
  run.determinant = here;
  if (std::min(here, before) > branches_approach || !(to > from) || run.machine.sliding) return true;
  const auto at = [&](double time) {
    interpolate(*run.integrator, time);
    return evaluate_continuous(run.machine).ok() ? fixed_determinant(run.machine, set) : branches_meet;
  };
  // The smallest of some points, and around it (golden section).
  constexpr int points = 8, rounds = 30;
  constexpr double golden = 0.6180339887498949;
  double least = std::min(here, before), instant = here < before ? to : from;
  for (int k = 1; k < points; ++k) {
    const double time = from + (to - from) * k / points;
    if (const double part = at(time); part < least) least = part, instant = time;
  }
  double low = std::max(from, instant - (to - from) / points), high = std::min(to, instant + (to - from) / points);
  for (int k = 0; k < rounds && least > branches_meet; ++k) {
    const double one = high - golden * (high - low), two = low + golden * (high - low);
    const double first = at(one), second = at(two);
    least = std::min({least, first, second});
    (first < second ? high : low) = first < second ? two : one;
  }
  if (least <= branches_meet) return fail(run, lost_branch(run.machine, set));
  reload(*run.integrator);
  return evaluate(run);
}

// After a step: other states, where the present ones would not do much longer.
bool check_states(Run& run) {
  if (run.accumulation.spells == 0 && !run.machine.sliding) forget_strings(run.machine);   // the sides of a surface refer to some
  if (!run.chooses_states) return true;
  if (!evaluate_state_sets(run)) return false;
  if (!wants_other_states(run.machine)) return true;
  if (!evaluate(run)) return false;
  if (!reselect_states(run.machine)) return true;
  ++run.result.statistics.reselections;
  if (!evaluate(run)) return false;
  if (!restart(*run.integrator, run.scale, false)) return true;
  return evaluate(run) && handle_event(run, true, false);
}

// Relations that make no events have been found to need some.
bool watch_more(Run& run) {
  for (const Index k : watched_now(*run.integrator)) run.result.watched.push_back({k, time_of(run)});
  const bool crosses = restart(*run.integrator, run.scale, false);
  return evaluate(run) && (!crosses || handle_event(run, true, false));
}

// At the end of the run, with consistent values at the stop time.
bool finish_at_stop(Run& run, bool uses_terminal) {
  if (run.row_time != time_of(run) && !write_row(run, false)) return false;
  if (!uses_terminal) return true;
  run.machine.memory[slot_terminal] = 1;
  return handle_event(run, false, true);
}

// Does a buffered value change at the very point that the integrator has reached?
bool crosses_here(Run& run) {
  std::vector<double> values(crossing_count(run.machine));
  if (values.empty()) return false;
  evaluate_crossings(run.machine, values);
  return take_crossings(run.machine, values);
}

// The rows end where the run has come to.
bool interrupt_here(Run& run) {
  (void)interrupt(run);
  if (run.row_time < time_of(run) && evaluate_continuous(run.machine).ok()) write_row(run, false);
  return false;
}

enum class Going { on, to_end, broken };   // to_end: by the stop time, by the model or as many events as wanted; broken: it fails, or is interrupted

Going on_if(bool good) { return good ? Going::on : Going::broken; }

bool is_over(const Run& run) { return run.machine.termination != none || limit_reached(run); }

// One step of the integrator, not beyond `until`, and the event instant that it leads to.
Going step(Run& run, double until) {
  if (!run.next_instant_stands) run.next_instant = next_instant(run.calendar, run.machine);
  run.next_instant_stands = false;
  const double limit = std::min({run.next_instant, next_knot(run.machine), run.options.stop, until});
  const double from = time_of(run);
  if (run.options.progress) run.options.progress(from);
  if (is_stopped(run)) return on_if(interrupt_here(run));
  if (!hand_on_rows(run)) return Going::broken;
  const Advance advanced = advance(*run.integrator, limit);
  if (advanced == Advance::failed) return on_if(fail(run, failure(*run.integrator)));
  if (advanced != Advance::crossed && goes_back(run, from))
    return on_if(!restart(*run.integrator, run.scale, false) || (evaluate(run) && handle_event(run, true, false)));
  if (run.result.ending != Ending::stop_time) return Going::broken;   // failed, or interrupted
  const double time = time_of(run);
  const bool stepped = advanced == Advance::stepped || advanced == Advance::watches;
  if (!run.machine.sliding) (void)end_spells(run.accumulation, run.machine, time);
  if (!write_grid(run, time, stepped && time < run.options.stop)) return Going::broken;
  reload(*run.integrator);
  if (!follow_step(run, from, time)) return Going::broken;
  if (run.machine.lost_branches.size() > run.lost_branches) {
    if (!evaluate(run)) return Going::broken;
    take_lost_branches(run);
  }
  if (run.watches_branches && !(evaluate_state_sets(run) && check_branches(run, from))) return Going::broken;
  run.next_instant_stands = stepped && run.machine.delays.empty();   // out of these may come more
  if (advanced == Advance::watches && !watch_more(run)) return Going::broken;
  if (stepped) {
    check_bounds(run.bounds, run.machine, true);
    if (run.has_checks && run.checks_vary && !assertions_stand(run) && (!evaluate(run) || !check_assertions(run))) return Going::broken;
    return on_if(check_states(run));
  }
  if (!evaluate(run) || !check_assertions(run)) return Going::broken;
  // Nothing between events needs what has no value; where the rounds of an event would, the run cannot go on (E12).
  if (advanced == Advance::lost && probe_event(run.machine).ok()) return on_if(check_states(run));
  bool crossed = advanced == Advance::crossed || advanced == Advance::lost;
  const Knot knot = pass_knots(run.machine);
  if (!crossed && !is_due(run.calendar, run.machine) && knot != Knot::jump) {
    // Only the stop time, a bend of an input, or what the caller wants to see, is left to be the reason.
    crossed = crosses_here(run);
    if (knot == Knot::bend) crossed = restart(*run.integrator, run.scale, false) || crossed;
    if (!evaluate(run)) return Going::broken;
    if (!crossed) return time < run.options.stop ? on_if(check_states(run)) : Going::to_end;
  }
  if (!handle_event(run, crossed, false)) return Going::broken;
  if (knot == Knot::bend && restart(*run.integrator, run.scale, false) && !(evaluate(run) && handle_event(run, true, false))) return Going::broken;
  if (!check_states(run)) return Going::broken;
  return is_over(run) || !(time_of(run) < run.options.stop) ? Going::to_end : Going::on;
}

bool reads_terminal(const Program& program) {
  bool found = false;
  const auto look = [&](const Instruction& i) { each_read(program, i, [&](Slot slot) { found = found || slot == slot_terminal; }); };
  for (const Instruction& i : program.code) look(i);
  for (const Kernel& kernel : program.kernels) each_lane(program, kernel, look);
  return found;
}

// What functions that are not Modelica say to the user.
void connect_externals(Run& run) {
  if (!run.machine.externals) return;
  native::Environment& environment = run.machine.externals->environment;
  environment.resource = run.options.resource;
  if (run.options.print)
    environment.print = [&run](std::string_view text) {
      run.options.print(text.ends_with('\n') ? std::string(text) : std::string(text) + "\n");
    };
  if (run.options.tell)
    environment.warn = [&run](std::string_view text) { run.options.tell({Severity::warning, time_of(run), none, std::string(text), ""}); };
}

// After the last step: what is said of the whole run.
Result conclude(Run& run, Going going) {
  const Program& program = run.program;
  const Options& options = run.options;
  if (going == Going::to_end) {
    if (run.machine.termination != none) {
      run.result.ending = Ending::terminated;
      const Termination& termination = program.terminations[run.machine.termination];
      run.result.messages.push_back({Severity::warning, time_of(run), termination.origin,
                                     "terminated: " + format_text(run.machine, termination.message), ""});
      (void)finish_at_stop(run, reads_terminal(program));
    } else if (limit_reached(run)) {
      run.result.ending = Ending::maximum_events;
    } else {
      (void)finish_at_stop(run, reads_terminal(program));
    }
  }
  run.machine.stop = nullptr;
  run.result.time = run.result.ending == Ending::interrupted && row_count(run.recorder) > 0 ? run.row_time : time_of(run);
  run.result.rows = row_count(run.recorder);
  if (run.machine.sliding) note_slides(run, run.result.time);
  finish(run.accumulation, run.result.time);
  if (run.result.ending != Ending::failed) run.result.true_from_start = run.machine.true_from_start;
  if (run.result.ending != Ending::failed) run.result.unarmed = find_unarmed(run.accumulation, run.machine, run.result.last_event, run.result.time);
  run.result.zeno = std::move(run.accumulation.zeno);
  run.result.chattering = std::move(run.accumulation.chattering);
  take_warnings(run, nullptr);
  tell_of_more_warnings(run);
  // Before what ended the run, which it may explain.
  auto warnings = tell(run.bounds, run.machine);
  for (Message& message : tell_of_short(run.machine, run.options.stop - run.options.start)) warnings.push_back(std::move(message));
  const auto ended = std::find_if(run.result.messages.begin(), run.result.messages.end(), [](const Message& m) { return m.severity == Severity::error; });
  run.result.messages.insert(ended, std::make_move_iterator(warnings.begin()), std::make_move_iterator(warnings.end()));
  if (run.result.ending != Ending::failed) (void)take_undetermined(run);
  if (run.integrator) {
    if (auto warning = why_slow(*run.integrator)) run.result.messages.insert(run.result.messages.begin(), std::move(*warning));
    add_statistics(*run.integrator, run.result.statistics);
  }
  finish(run.courses, run.machine, run.recorder.trajectory, run.result);
  hand_on_all(run);
  run.result.trajectory = std::move(run.recorder.trajectory);
  if (options.keep_event) {
    for (EventRecord& event : run.result.events) options.keep_event(std::move(event));
    run.result.events.clear();
  }
  if (std::string problem = close_externals(run.machine); !problem.empty() && run.result.ending != Ending::failed) {
    Index origin = none;   // of a constructor, as its objects are not told apart any more
    for (std::size_t k = 0; k < program.code_origins.size() && origin == none; ++k)
      if (program.code[k].op == Opcode::external && program.externals[program.code[k].d].destructor) origin = program.code_origins[k];
    run.result.messages.push_back({Severity::error, run.result.time, origin, "an external object cannot be destroyed: " + std::move(problem), ""});
    run.result.ending = Ending::failed;
  }
  run.result.strings = std::move(run.machine.strings);
  return std::move(run.result);
}

}  // namespace

struct Simulation::Impl {
  Impl(const Program& program, Options&& given) : options(std::move(given)), run{.program = program, .options = options, .machine = make_machine(program), .recorder = make_recorder(program, options),
                                                                                  .accumulation = make_accumulation(program, options)} {}
  Options options;
  Run run;
  Going going = Going::on;
};

Simulation::Simulation(const Program& program, Options options) : impl_(std::make_unique<Impl>(program, std::move(options))) {
  Run& run = impl_->run;
  run.warned.resize(program.assertions_table.size());
  group_warnings(run);
  const auto fixed = std::count_if(program.state_sets.begin(), program.state_sets.end(), [](const StateSet& set) { return set.levels.empty(); });
  run.watches_branches = fixed > 0;
  run.chooses_states = std::size_t(fixed) < program.state_sets.size();
  run.has_checks = program.assertions != none && program.code[program.assertions].op != Opcode::end;
  run.machine.stop = run.options.interrupt;
  run.machine.maximum_rounds = run.options.maximum_rounds;
  run.machine.code = MachineCode::make(program, run.options.interpreted);
  connect_externals(run);
  const bool may_chatter = std::any_of(program.relations.begin(), program.relations.end(), [](const Relation& r) { return !r.time_event; });
  run.prelude = may_chatter ? longest_prelude(run.accumulation) : 0;
  run.result.ending = Ending::stop_time;
  if (!start(run)) impl_->going = Going::broken;
  else if (is_over(run) || !(time_of(run) < run.options.stop)) impl_->going = Going::to_end;
}

Simulation::~Simulation() = default;

double Simulation::time() const { return time_of(impl_->run); }

bool Simulation::goes_on() const { return impl_->going == Going::on; }

bool Simulation::step(double until) {
  if (goes_on() && time() < until) impl_->going = runtime::step(impl_->run, until);
  return goes_on();
}

bool Simulation::advance(double until) {
  while (goes_on() && time() < until) (void)step(until);
  return goes_on();
}

double Simulation::value(Index variable) {
  Run& run = impl_->run;
  // Between steps the outputs are those of an earlier point.
  if (run.integrator && !evaluate_continuous(run.machine).ok()) return std::numeric_limits<double>::quiet_NaN();
  return value_of(run.program.variables[variable], run.machine.memory);
}

bool Simulation::can_set(Index variable) const {
  const Run& run = impl_->run;
  const Variable& v = run.program.variables[variable];
  const bool follows = std::any_of(run.options.signals.begin(), run.options.signals.end(), [&](const Signal& s) { return s.variable == variable; });
  return (v.input && !follows) || (v.kind == Kind::state && run.program.state_sets.empty());
}

bool Simulation::set(std::span<const std::pair<Index, double>> values) {
  Run& run = impl_->run;
  if (!goes_on() || values.empty()) return goes_on();
  for (const auto& [variable, value] : values) {
    const Variable& v = run.program.variables[variable];
    run.machine.settings.emplace_back(v.slot, !v.negated ? value : v.type == Type::boolean ? 1 - value : 0.0 - value);
  }
  impl_->going = !evaluate(run) || !handle_event(run, false, false) || !check_states(run) ? Going::broken : is_over(run) ? Going::to_end : Going::on;
  return goes_on();
}

bool Simulation::has_failed() const { return impl_->going == Going::broken; }

Machine& Simulation::machine() {
  if (impl_->run.integrator) (void)evaluate_continuous(impl_->run.machine);
  return impl_->run.machine;
}
const Machine& Simulation::machine() const { return impl_->run.machine; }

Result Simulation::finish() { return conclude(impl_->run, impl_->going); }

Result simulate(const Program& program, const Options& options) {
  Simulation simulation(program, options);
  (void)simulation.advance(options.stop);
  return simulation.finish();
}

}  // namespace mosim::runtime
