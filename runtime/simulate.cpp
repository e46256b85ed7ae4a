#include "runtime/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include "runtime/accumulation.hpp"
#include "runtime/bounds.hpp"
#include "runtime/courses.hpp"
#include "runtime/crossings.hpp"
#include "runtime/delays.hpp"
#include "runtime/events.hpp"
#include "runtime/explain.hpp"
#include "runtime/initialise.hpp"
#include "runtime/integrator.hpp"
#include "runtime/interpreter.hpp"
#include "runtime/recorder.hpp"
#include "runtime/schedule.hpp"
#include "runtime/short_past.hpp"
#include "runtime/state_sets.hpp"
#include "runtime/text.hpp"

namespace mosim::runtime {

namespace {

constexpr int events_at_one_instant = 100;
constexpr std::uint64_t first_look = 100'000;   // events before their rate is looked at, and ten times as many each time
constexpr double too_many = 1e8;                // events still to come
constexpr std::uint32_t most_warnings_at_one_place = 3;

struct Run {
  const Program& program;
  const Options& options;
  Machine machine;
  Schedule schedule{};
  Recorder recorder;
  Accumulation accumulation;
  IntegratorHandle integrator{};
  Result result{};
  std::uint32_t next_grid = 1;            // the next row of the output grid
  std::uint64_t events = 0;
  double row_time = 0;                    // of the last row
  bool row_is_event = false;              // and it holds the values after an event
  std::size_t spell_rows = none_yet;      // first row of the last event in a spell of chattering
  std::vector<bool> warned{};             // assertions of level warning, once each
  std::vector<Index> warnings_at{};       // by assertion: the first one at its place in the source
  std::vector<std::uint32_t> warnings{};  // so many of those, by that first one
  bool has_checks = false;
  double last_event = 0, scale = 0;       // see event_scale()
  unsigned shrinking = 0;                 // so many intervals in a row
  SlidingWatch surface{};
  bool watches_branches = false;          // there are sets whose states are fixed
  double determinant = 0;                 // of these, after the last step: see fixed_determinant()
  Bounds bounds{};
  Courses courses{};
  std::uint64_t next_look = first_look;   // see watch_rate()
  bool told_of_rate = false;
  double prelude = 0;                     // rows as old as that are final, outside of spells of chattering
  std::size_t undetermined = 0;           // so many of Machine::undetermined have been told of
  static constexpr std::size_t none_yet = std::numeric_limits<std::size_t>::max();
};

double time_of(const Run& run) { return run.machine.memory[slot_time]; }

double grid_time(const Run& run, std::uint32_t k) {
  const Options& o = run.options;
  return k >= o.intervals ? o.stop : o.start + double(k) * (o.stop - o.start) / double(o.intervals);
}

// The run is to end here, by itself or because what it was asked to give is not wanted any more.
bool interrupt(Run& run) {
  run.machine.stop = nullptr;   // what is still to be evaluated must work
  run.result.ending = Ending::interrupted;
  return false;
}

bool is_stopped(const Run& run) { return run.machine.stop && run.machine.stop->load(std::memory_order_relaxed); }

bool fail(Run& run, Message message) {
  if (is_stopped(run)) return interrupt(run);   // that is what failed
  run.result.messages.push_back(std::move(message));
  run.result.ending = Ending::failed;
  return false;
}

// What is too large for a number is told of before it stands in a row (E12).
bool write_row(Run& run, bool after_event) {
  for (const Index k : run.recorder.trajectory.columns) {
    const Variable& variable = run.program.variables[k];
    if (const double value = run.machine.memory[variable.slot]; !std::isfinite(value))
      return fail(run, {Severity::error, time_of(run), variable.origin,
                        fmt::format("{} is {}", said(variable), std::isnan(value) ? "not a number" : "too large for a number"), ""});
  }
  record(run.recorder, run.machine, run.events);
  if (run.options.witness) run.options.witness(run.machine, after_event ? Options::Moment::event : Options::Moment::between_events);
  check_bounds(run.bounds, run.machine, false);
  run.row_time = time_of(run);
  run.row_is_event = after_event;
  return true;
}

// The assertions of a loop, or of many instances of one class, stand at one place.
void group_warnings(Run& run) {
  std::map<std::tuple<std::string, std::uint32_t, std::uint32_t>, Index> first;
  for (Index k = 0; k < run.program.assertions_table.size(); ++k) {
    const Index origin = run.program.assertions_table[k].origin;
    run.warnings_at.push_back(k);
    if (origin == none || run.program.origins[origin].line == 0) continue;
    const Origin& place = run.program.origins[origin];
    run.warnings_at.back() = first.try_emplace({place.path, place.line, place.column}, k).first->second;
  }
  run.warnings.assign(run.warnings_at.size(), 0);
}

void tell_of_more_warnings(Run& run) {
  for (Index k = 0; k < run.warnings.size(); ++k)
    if (run.warnings[k] > most_warnings_at_one_place)
      run.result.messages.push_back({Severity::warning, time_of(run), run.program.assertions_table[k].origin,
                                     fmt::format("this assertion failed for {} more elements or rounds of its loop",
                                                 run.warnings[k] - most_warnings_at_one_place), ""});
}

constexpr std::size_t most_held_rows = 1024, most_held_numbers = 1u << 22;

// Rows that nothing takes back any more go to their sink: not the last one, which may be the left limits of an event, nor what a
// spell of chattering may thin.
bool hand_on_rows(Run& run) {
  Recorder& recorder = run.recorder;
  const std::size_t rows = row_count(recorder);
  if (!recorder.sink || rows < 2) return true;
  const bool may_thin = run.accumulation.spells > 0 && run.spell_rows != Run::none_yet && !run.machine.sliding;
  const std::size_t end = may_thin ? std::min(rows - 1, run.spell_rows) : rows - 1;
  const double latest = time_of(run) - run.prelude;
  const std::size_t most = std::clamp<std::size_t>(most_held_numbers / recorder.trajectory.width(), 8, most_held_rows);
  bool wanted = true;
  while (wanted && ((recorder.handed < end && row_time(recorder, recorder.handed) <= latest) || rows - recorder.handed > most))
    wanted = hand_on(recorder);
  return wanted || interrupt(run);
}

// At the end.
void hand_on_all(Run& run) {
  Recorder& recorder = run.recorder;
  if (!recorder.sink) return;
  while (recorder.handed < row_count(recorder))
    if (!hand_on(recorder)) break;
  recorder.trajectory.values.clear();
  recorder.trajectory.jumps.clear();
}

void take_warnings(Run& run, EventRecord* record) {
  for (const Index k : run.machine.warned) {
    const auto is = [&](const EventRecord::Said& said) { return run.warnings_at[said.number] == run.warnings_at[k]; };
    if (record && std::count_if(record->warnings.begin(), record->warnings.end(), is) < most_warnings_at_one_place)
      record->warnings.push_back({k, format_text(run.machine, run.program.assertions_table[k].message)});
    if (run.warned[k]) continue;
    run.warned[k] = true;
    if (++run.warnings[run.warnings_at[k]] > most_warnings_at_one_place) continue;
    const Assertion& assertion = run.program.assertions_table[k];
    run.result.messages.push_back({Severity::warning, time_of(run), assertion.origin,
                                   "assertion: " + format_text(run.machine, assertion.message), ""});
  }
  run.machine.warned.clear();
}

// Whether the derivatives follow an unknown that keeps its value because nothing determines it.
bool is_followed(Machine& m, Slot unknown) {
  const std::vector<double> before = m.memory;
  const auto derivatives = [&] {
    (void)mosim::runtime::run(m, m.program->derivatives, Mode::frozen);
    const auto first = m.memory.begin() + m.program->first_derivative;
    return std::vector<double>(first, first + std::ptrdiff_t(m.program->states.size()));
  };
  const std::vector<double> here = derivatives();
  m.memory[unknown] += 1e-3 * std::max(1.0, std::abs(m.memory[unknown]));
  const std::vector<double> there = derivatives();
  m.memory = before;
  for (std::size_t k = 0; k < here.size(); ++k)
    if (!(std::abs(there[k] - here[k]) <= 1e-9 * std::max({1.0, std::abs(here[k]), std::abs(there[k])}))) return true;
  return false;
}

// Linear systems that left an unknown open since the last time. An error where the motion depends on it.
bool take_undetermined(Run& run) {
  for (; run.undetermined < run.machine.undetermined.size(); ++run.undetermined) {
    const Machine::Undetermined u = run.machine.undetermined[run.undetermined];
    const Block& block = run.program.blocks[u.block];
    const std::string name = u.unknown < block.names.size() ? block.names[u.unknown] : "an unknown";
    const std::string system = fmt::format("any value solves the linear system of {} equation{} around {}", block.unknowns.size(), block.unknowns.size() == 1 ? "" : "s",
                                           text_of(run.program, block.origin));
    if (is_followed(run.machine, block.unknowns[u.unknown]))
      return fail(run, {Severity::error, u.time, block.origin, fmt::format("nothing determines {}, and the motion depends on it: {}", name, system), ""});
    run.result.messages.push_back({Severity::warning, u.time, block.origin,
                                   fmt::format("nothing determines {} here: {}, and it keeps the one it has", name, system), ""});
  }
  return true;
}

// What the event just handled has said: on its record, if there is one.
void take_sayings(Run& run, EventRecord* record) {
  take_warnings(run, record);
  if (record && run.machine.termination != none && record->terminations.empty())
    record->terminations.push_back({run.machine.termination, format_text(run.machine, run.program.terminations[run.machine.termination].message)});
}

// At an accepted point whose continuous variables are consistent; after an event, of which there may be a record.
bool check_assertions(Run& run, EventRecord* record = nullptr) {
  if (!run.has_checks) return true;
  run.machine.checks_warn = true;
  const Outcome outcome = mosim::runtime::run(run.machine, run.program.assertions, Mode::frozen);
  run.machine.checks_warn = false;
  take_warnings(run, record);
  return outcome.ok() || fail(run, explain(run.machine, outcome));
}

bool evaluate(Run& run) {
  const Outcome outcome = evaluate_continuous(run.machine);
  if (!outcome.ok()) return fail(run, explain(run.machine, outcome));
  return take_undetermined(run);
}

void extend_delays(Run& run, bool starts_segment) {
  for (std::size_t k = 0; k < run.machine.delays.size(); ++k)
    append(run.machine.delays[k], time_of(run), run.machine.memory[run.program.delays[k].value], starts_segment);
  for (std::size_t k = 0; k < run.machine.profiles.size(); ++k) {
    const Transport& t = run.program.transports[k];
    const std::vector<double>& w = run.machine.memory;
    move_on(run.machine.profiles[k], w[t.x], w[t.in0], w[t.in1], w[t.positive] != 0);
  }
}

// Rows of the output grid before `end` (or at it), from the integrator's dense output.
bool write_grid(Run& run, double end, bool including_end) {
  while (run.next_grid <= run.options.intervals) {
    const double instant = grid_time(run, run.next_grid);
    if (instant > end || (instant == end && !including_end)) break;
    ++run.next_grid;
    if (instant <= run.row_time) continue;  // an event was there
    interpolate(*run.integrator, instant);
    if (!evaluate(run)) return false;
    if (!write_row(run, false)) return false;
    run.recorder.last_grid_row = row_count(run.recorder);
    if (!hand_on_rows(run)) return false;
  }
  return true;
}

// The part of the past that the last step adds: a few points inside it make interpolation as good as the integration.
bool follow_step(Run& run, double from, double to) {
  if ((run.machine.delays.empty() && run.machine.profiles.empty()) || !(to > from)) return true;
  std::vector<double> positions;
  for (const Profile& profile : run.machine.profiles) positions.push_back(profile.x);
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
    run.machine.profiles[k].speed = std::abs(run.machine.profiles[k].x - positions[k]) / (to - from);
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

EventKind kind_of(const EventRecord& record, bool crossed) {
  if (crossed) return EventKind::state;
  return !record.clocks.empty() && record.samples.empty() && record.flips.empty() ? EventKind::clock : EventKind::time;
}

void count_event(Run& run, EventRecord& record, bool crossed) {
  Statistics& statistics = run.result.statistics;
  record.kind = kind_of(record, crossed);
  ++(record.kind == EventKind::state ? statistics.state_events
     : record.kind == EventKind::clock ? statistics.clock_events : statistics.time_events);
  record.number = ++run.events;
}

// A record may still grow, as long as it is the last one.
void keep_event(Run& run, EventRecord&& record) {
  std::vector<EventRecord>& events = run.result.events;
  if (run.options.keep_event) {
    for (EventRecord& event : events) run.options.keep_event(std::move(event));
    events.clear();
  }
  events.push_back(std::move(record));
}

// The event in which the run fails is what its reader asks for; of rounds without end a few are enough.
void keep_failed(Run& run, EventRecord&& record) {
  constexpr std::uint32_t kept_rounds = 6;
  record.failed = true;
  record.rearming = false;
  const auto late = [](const auto& entry) { return entry.round > kept_rounds; };
  std::erase_if(record.flips, late);
  std::erase_if(record.fired, late);
  std::erase_if(record.resets, late);
  if (record.rounds > kept_rounds && record.rounded.size() > kept_rounds) record.rounded.resize(kept_rounds);
  keep_event(run, std::move(record));
}

std::string names_of(const Run& run, const EventRecord& record) {
  std::string text;
  for (const EventRecord::Flip& flip : record.flips) {
    const std::string part = quote(run.program, run.program.relations[flip.relation].origin);
    if (text.find(part) == std::string::npos) text += (text.empty() ? "" : ", ") + part;
  }
  return text.empty() ? "no relation" : text;
}

Index origin_of(const Run& run, const EventRecord& record) {
  return record.flips.empty() ? none : run.program.relations[record.flips.front().relation].origin;
}

// Events that come so fast that the run will hardly end are told of while it goes on.
void watch_rate(Run& run, const EventRecord& record) {
  if (!run.options.tell || run.events < run.next_look || record.time <= run.options.start) return;
  run.next_look *= 10;
  const double ahead = double(run.events) * (run.options.stop - record.time) / (record.time - run.options.start);
  if (!(ahead > too_many) || run.told_of_rate) return;
  run.told_of_rate = true;
  const Program& p = run.program;
  const Index origin = !record.samples.empty()   ? p.samples[record.samples.front()].origin
                       : !record.clocks.empty()  ? p.clocks[record.clocks.front()].origin
                       : !record.delays.empty()  ? p.delays[record.delays.front()].origin
                       : !record.rounded.empty() ? p.event_functions[record.rounded.front().function].origin
                                                 : origin_of(run, record);
  run.options.tell({Severity::warning, record.time, origin,
                    fmt::format("{} events so far{}; at this rate {:.1g} more come before the stop time", run.events,
                                origin == none ? "" : ", this one by " + text_of(p, origin), ahead),
                    "Ctrl-C ends the run and keeps its results, as --time-limit and --max-events do"});
}

// In a spell of chattering only its first and its last event keep their rows.
void thin_spell(Run& run, double spell_start, std::size_t first_row) {
  Recorder& recorder = run.recorder;
  const std::size_t before = row_count(recorder);
  if (!std::isnan(spell_start)) {
    std::size_t row = before;
    while (row > recorder.handed && row_time(recorder, row - 1) > spell_start) --row;
    const std::size_t removed_to = std::max(row, first_row);
    thin(recorder, row, removed_to);
    run.spell_rows = first_row - (before - row_count(recorder));
  } else if (run.accumulation.spells > 0) {
    if (run.spell_rows != Run::none_yet) thin(recorder, run.spell_rows, first_row);
    run.spell_rows = first_row - (before - row_count(recorder));
  } else {
    run.spell_rows = Run::none_yet;
  }
}

// How long things take between events: since the last event that was more than the far edge of a hysteresis band.
double event_scale(Run& run, const EventRecord& record) {
  const double all = run.options.stop - run.options.start;
  if (run.accumulation.spells > 0) return all;
  const bool edge = !record.flips.empty() && std::all_of(record.flips.begin(), record.flips.end(),
                                                         [](const EventRecord::Flip& flip) { return flip.hysteresis; });
  if (edge && record.samples.empty() && record.clocks.empty()) return run.scale;
  if (record.time > run.last_event) {
    const double interval = std::min(all, record.time - run.last_event);
    run.shrinking = record.kind == EventKind::state && interval < 0.999 * run.scale ? run.shrinking + 1 : 0;
    run.scale = interval;
  }
  run.last_event = record.time;
  return run.scale;
}

// The reinit of an event in which all that flipped flipped back; none if there is none, or more than one.
Index sends_back(const Run& run, const std::vector<Index>& flipped, double time) {
  const Machine& m = run.machine;
  const bool even = std::all_of(flipped.begin(), flipped.end(), [&](Index k) { return std::count(flipped.begin(), flipped.end(), k) % 2 == 0; });
  const auto first = std::find(m.reinit_times.begin(), m.reinit_times.end(), time);
  const bool one = first != m.reinit_times.end() && std::find(first + 1, m.reinit_times.end(), time) == m.reinit_times.end();
  return even && one ? Index(first - m.reinit_times.begin()) : none;
}

bool changes_discrete(const Run& run) {
  const Machine& m = run.machine;
  return std::any_of(run.program.variables.begin(), run.program.variables.end(), [&](const Variable& v) {
    return (v.type != Type::real || v.kind == Kind::discrete) && m.left_limits[v.slot] != m.memory[v.slot];
  });
}

// In a spell of chattering: is there a surface to follow? True: the machine is on it now.
bool try_sliding(Run& run, const EventRecord& record) {
  Machine& m = run.machine;
  Accumulation& accumulation = run.accumulation;
  if (accumulation.spells == 0) {
    run.surface = {};
    return false;
  }
  const auto chooses = [](const StateSet& set) { return !set.levels.empty(); };
  if (!can_slide(*run.integrator) || std::any_of(run.program.state_sets.begin(), run.program.state_sets.end(), chooses)) return false;
  const bool resets = std::any_of(m.reinit_times.begin(), m.reinit_times.end(), [&](double t) { return t == record.time; });
  std::vector<Index> flipped;
  for (const EventRecord::Flip& flip : record.flips) flipped.push_back(flip.relation);
  const bool time_event = std::any_of(flipped.begin(), flipped.end(), [&](Index k) { return run.program.relations[k].time_event; });
  const Index reset = sends_back(run, flipped, record.time);
  const bool alone = reset == none ? !resets : !changes_discrete(run);
  const bool more = !alone || time_event || !record.samples.empty() || !record.clocks.empty() || !record.delays.empty() || !record.transports.empty() || !record.rounded.empty();
  if (const Index spell = spell_of(accumulation, flipped); spell != none) {
    accumulation.chattering[spell].reinit = reset;
    run.surface.resets.resize(accumulation.chattering.size(), none);
    run.surface.resets[spell] = more || reset == none ? none : run.program.reinits[reset].state;
  }
  if (more) flipped.clear();
  if (!more) {
    const auto spells = spells_now(accumulation);
    if (spells.size() > 1 || reset != none) {
      run.surface.resets.resize(accumulation.chattering.size(), none);
      std::vector<SurfaceOf> surfaces;
      for (const std::vector<Index>& relations : spells) surfaces.push_back({relations, run.surface.resets[spell_of(accumulation, relations)]});
      return begin_sliding(m, run.surface, surfaces, accumulation.resolution);
    }
  }
  if (!note_side(run.surface, m, std::move(flipped)) || spell_of(accumulation, run.surface.relations) == none) return false;
  return begin_sliding(m, run.surface, accumulation.resolution);
}

void note_slides(Run& run, double time) {
  for (const Sliding::Surface& surface : run.machine.sliding->surfaces)
    note_slide(run.accumulation, surface.relations, run.machine.sliding->since, time);
}

// Back to one side of the surface. Returns whether nothing else is to happen at this instant.
bool leave_surface(Run& run) {
  Machine& m = run.machine;
  const double time = time_of(run);
  note_slides(run, time);
  end_sliding(m);
  run.spell_rows = Run::none_yet;
  const auto forced = [](const auto& state) { return state.forced; };
  return !is_due(run.schedule, m) && std::none_of(m.relations.begin(), m.relations.end(), forced) &&
         std::none_of(m.event_functions.begin(), m.event_functions.end(), forced);
}

// One event instant at the machine's time, whose left limits are consistent in memory; then the integrator starts
// anew. What crosses right there again belongs to the same instant.
bool handle_event(Run& run, bool crossed, bool terminal) {
  bool disturbed = run.machine.sliding != nullptr;
  if (disturbed) {
    const bool alone = leave_surface(run);
    if (!evaluate(run)) return false;
    if (alone && !terminal && !restart(*run.integrator, run.options.stop - run.options.start, false)) return true;
    if (!evaluate(run)) return false;
  }
  const bool interrupts = disturbed;   // the sliding: no flip of a spell, but something of its own
  std::size_t first_row = row_count(run.recorder);
  const double time = time_of(run);
  const double row_time = run.row_time;
  const bool has_left_limits = first_row > 0 && row_time == time;
  if (has_left_limits) {
    --first_row;
  } else if (!write_row(run, false)) {
    return false;
  }
  bool is_counted = false, is_recorded = false;
  for (int repetition = 0;; ++repetition) {
    if (repetition == events_at_one_instant)
      return fail(run, {Severity::error, time, none, "events follow each other without end at this instant", ""});
    EventRecord record;
    const bool detailed = run.options.record_events &&
                          (run.accumulation.spells == 0 || (interrupts && repetition == 0) || is_due(run.schedule, run.machine));
    std::optional<Message> error = run_event(run.machine, run.schedule, record, detailed);
    take_sayings(run, detailed ? &record : nullptr);
    if (error) {
      record.number = run.events + !is_counted;
      record.kind = terminal ? EventKind::terminal : kind_of(record, crossed || repetition > 0);
      if (run.options.record_events) keep_failed(run, std::move(record));
      return fail(run, std::move(*error));
    }
    if (terminal) record.rearming = false;
    const bool is_event = is_counted || !record.rearming;
    bool same_event = false;
    if (!is_event) {
      record.number = run.events;
      ++run.result.statistics.rearmings;
      if (!has_left_limits) {
        drop_last(run.recorder);
        run.row_time = row_time;
      }
    } else {
      if (is_counted) {
        record.number = run.events;
        same_event = true;
        drop_last(run.recorder);
      } else if (terminal) {
        record.kind = EventKind::terminal;
        record.number = ++run.events;
      } else {
        count_event(run, record, crossed || repetition > 0);
      }
      is_counted = true;
      if (!terminal && record.acts) run.result.last_event = {time, record.flips.empty() ? none : record.flips.front().relation};
      if (!write_row(run, true)) return false;
      watch_rate(run, record);
      extend_delays(run, true);
    }
    note_flips(run.courses, run.machine, record);
    const double spell_start = note_event(run.accumulation, run.machine, record);
    hold(run.courses, run.accumulation.zeno, run.accumulation.chattering);
    (void)end_spells(run.accumulation, run.machine, time);
    if (is_stuck(run.accumulation, time))
      return fail(run, {Severity::error, time, origin_of(run, record),
                        fmt::format("time does not advance: thousands of events at this instant; the last flipped {}",
                                    names_of(run, record)),
                        "a hysteresis in the model, or --hysteresis, keeps events apart"});
    if (is_event || !std::isnan(spell_start)) thin_spell(run, spell_start, std::min(first_row, row_count(run.recorder)));
    const double scale = event_scale(run, record);
    const auto is_quiet = [&](const EventRecord::Flip& flip) { return run.program.relations[flip.relation].quiet; };
    disturbed = disturbed || !record.delays.empty() || !record.transports.empty() || std::any_of(record.flips.begin(), record.flips.end(), is_quiet);
    const bool slides = run.integrator && !terminal && try_sliding(run, record);
    if (detailed && same_event && is_recorded) {
      merge(run.result.events.back(), std::move(record));
    } else if (detailed) {
      keep_event(run, std::move(record));
      is_recorded = true;
    }
    if (!check_assertions(run, detailed && is_event ? &run.result.events.back() : nullptr)) return false;
    if (terminal || run.machine.termination != none || !run.integrator) return true;
    if (slides) {
      if (!restart(*run.integrator, run.options.stop - run.options.start, false)) return evaluate(run);
      end_sliding(run.machine);
    }
    const bool crosses_again = disturbed || is_disturbed(*run.integrator) ? restart(*run.integrator, scale, run.shrinking >= 2)
                                                             : resume(*run.integrator);
    if (!crosses_again) return true;
    // settle_crossings() has left the continuous variables as they were.
    if (!evaluate(run)) return false;
    if (!is_event && !has_left_limits && !write_row(run, false)) return false;
  }
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
  if (auto error = make_schedule(run.machine, run.options.start, run.schedule)) return fail(run, std::move(*error));
  run.schedule.stop = run.options.stop;
  note_true_from_start(run.machine);
  // What is due at the start is an event after this one, with rounds of its own.
  std::optional<Message> error;
  if (!is_due(run.schedule, run.machine)) error = run_initial_rounds(run.machine, run.schedule, record, run.options.record_events);
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
  run.integrator = make_integrator(run.machine, run.options);
  if (run.machine.termination != none) return true;
  if (is_due(run.schedule, run.machine)) return handle_event(run, false, false);
  if (restart(*run.integrator, run.options.stop - run.options.start, false)) return evaluate(run) && handle_event(run, true, false);
  return evaluate(run);
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
  if (run.program.state_sets.empty()) return true;
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

bool integrate(Run& run) {
  while (time_of(run) < run.options.stop) {
    const double limit = std::min(next_instant(run.schedule, run.machine), run.options.stop);
    const double from = time_of(run);
    if (run.options.progress) run.options.progress(from);
    if (is_stopped(run)) return interrupt_here(run);
    if (!hand_on_rows(run)) return false;
    const Advance step = advance(*run.integrator, limit);
    if (step == Advance::failed) return fail(run, failure(*run.integrator));
    if (step != Advance::crossed && goes_back(run, from)) {
      if (restart(*run.integrator, run.scale, false) && (!evaluate(run) || !handle_event(run, true, false))) return false;
      continue;
    }
    if (run.result.ending == Ending::failed) return false;
    const double time = time_of(run);
    if (!run.machine.sliding) (void)end_spells(run.accumulation, run.machine, time);
    if (!write_grid(run, time, (step == Advance::stepped || step == Advance::watches) && time < run.options.stop)) return false;
    reload(*run.integrator);
    if (!follow_step(run, from, time)) return false;
    if (run.watches_branches && !(evaluate(run) && check_branches(run, from))) return false;
    if (step == Advance::watches && !watch_more(run)) return false;
    if (step == Advance::stepped || step == Advance::watches) {
      check_bounds(run.bounds, run.machine, true);
      if (run.has_checks && (!evaluate(run) || !check_assertions(run))) return false;
      if (!check_states(run)) return false;
      continue;
    }
    if (!evaluate(run) || !check_assertions(run)) return false;
    bool crossed = step == Advance::crossed;
    if (!crossed && !is_due(run.schedule, run.machine)) {
      // Only the stop time is left to be the reason.
      crossed = crosses_here(run);
      if (!evaluate(run)) return false;
      if (!crossed) break;
    }
    if (!handle_event(run, crossed, false) || !check_states(run)) return false;
    if (run.machine.termination != none || limit_reached(run)) break;
  }
  return true;
}

bool reads_terminal(const Program& program) {
  return std::any_of(program.code.begin(), program.code.end(),
                     [](const Instruction& i) { return i.b == slot_terminal || i.c == slot_terminal; });
}

}  // namespace

Result simulate(const Program& program, const Options& options) {
  Run run{.program = program, .options = options, .machine = make_machine(program), .recorder = make_recorder(program, options),
          .accumulation = make_accumulation(program, options)};
  run.warned.resize(program.assertions_table.size());
  group_warnings(run);
  run.watches_branches = std::any_of(program.state_sets.begin(), program.state_sets.end(), [](const StateSet& set) { return set.levels.empty(); });
  run.has_checks = program.assertions != none && program.code[program.assertions].op != Opcode::end;
  run.machine.stop = options.interrupt;
  const bool may_chatter = std::any_of(program.relations.begin(), program.relations.end(), [](const Relation& r) { return !r.time_event; });
  run.prelude = may_chatter ? longest_prelude(run.accumulation) : 0;
  run.result.ending = Ending::stop_time;
  if (start(run) && (run.machine.termination != none || limit_reached(run) || integrate(run))) {
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
    if (auto warning = hidden_jump(*run.integrator)) run.result.messages.insert(run.result.messages.begin(), std::move(*warning));
    add_statistics(*run.integrator, run.result.statistics);
  }
  finish(run.courses, run.machine, run.recorder.trajectory, run.result);
  hand_on_all(run);
  run.result.trajectory = std::move(run.recorder.trajectory);
  if (options.keep_event) {
    for (EventRecord& event : run.result.events) options.keep_event(std::move(event));
    run.result.events.clear();
  }
  run.result.strings = std::move(run.machine.strings);
  return std::move(run.result);
}

}  // namespace mosim::runtime
