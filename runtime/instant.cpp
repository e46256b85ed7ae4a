#include "runtime/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "runtime/crossings.hpp"
#include "runtime/delays.hpp"
#include "runtime/events.hpp"
#include "runtime/explain.hpp"
#include "runtime/interpreter.hpp"

namespace mosim::runtime {

namespace {
constexpr int events_at_one_instant = 100;
constexpr double too_many = 1e8;                // events still to come
}  // namespace

namespace {

EventKind kind_of(const EventRecord& record, bool crossed) {
  if (record.is_set) return EventKind::set;
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

}  // namespace

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

namespace {

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
  const bool more = !alone || time_event || !record.samples.empty() || !record.clocks.empty() || !record.delays.empty() || !record.spatial_distributions.empty() || !record.rounded.empty();
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

}  // namespace

void note_slides(Run& run, double time) {
  for (const Sliding::Surface& surface : run.machine.sliding->surfaces)
    note_slide(run.accumulation, surface.relations, run.machine.sliding->since, time);
}

namespace {

// Back to one side of the surface. Returns whether nothing else is to happen at this instant.
bool leave_surface(Run& run) {
  Machine& m = run.machine;
  const double time = time_of(run);
  note_slides(run, time);
  end_sliding(m);
  run.spell_rows = Run::none_yet;
  const auto forced = [](const auto& state) { return state.forced; };
  return !is_due(run.calendar, m) && std::none_of(m.relations.begin(), m.relations.end(), forced) &&
         std::none_of(m.event_functions.begin(), m.event_functions.end(), forced);
}

}  // namespace

// One event instant at the machine's time, whose left limits are consistent in memory; then the integrator starts
// anew. What crosses right there again belongs to the same instant.
bool handle_event(Run& run, bool crossed, bool terminal) {
  run.next_instant_stands = false;
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
                          (run.accumulation.spells == 0 || (interrupts && repetition == 0) || is_due(run.calendar, run.machine));
    std::optional<Message> error = run_event(run.machine, run.calendar, record, detailed);
    take_sayings(run, detailed ? &record : nullptr);
    if (error) {
      record.number = run.events + !is_counted;
      record.kind = terminal ? EventKind::terminal : kind_of(record, crossed || repetition > 0);
      // Where the run is asked to end inside an event, the event has not happened: no row has it.
      if (run.options.record_events && !is_stopped(run)) keep_failed(run, std::move(record));
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
    disturbed = disturbed || !record.delays.empty() || !record.spatial_distributions.empty() || std::any_of(record.flips.begin(), record.flips.end(), is_quiet);
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

}  // namespace mosim::runtime
