#include "runtime/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "runtime/explain.hpp"
#include "runtime/interpreter.hpp"

namespace mosim::runtime {

namespace {
constexpr std::size_t most_held_rows = 1024, most_held_numbers = 1u << 22;

double grid_time(const Run& run, std::uint32_t k) {
  const Options& o = run.options;
  if (k >= o.intervals) return o.stop;
  return o.start + (o.interval ? double(k) * *o.interval : double(k) * (o.stop - o.start) / double(o.intervals));
}

}  // namespace

// What is too large for a number is told of before it stands in a row (E12).
bool write_row(Run& run, bool after_event) {
  const auto& columns = run.recorder.columns;
  const auto value_of = [&](const Recorder::Column& column) { return run.machine.memory[column.slot]; };
  const auto bad = std::find_if_not(columns.begin(), columns.end(), [&](const Recorder::Column& column) { return std::isfinite(value_of(column)); });
  if (bad != columns.end()) {
    const Variable& variable = run.program.variables[run.recorder.trajectory.columns[std::size_t(bad - columns.begin())]];
    return fail(run, {Severity::error, time_of(run), variable.origin,
                      fmt::format("{} is {}", variable.said(), std::isnan(value_of(*bad)) ? "not a number" : "too large for a number"), ""});
  }
  record(run.recorder, run.machine, run.events);
  if (run.options.witness) run.options.witness(run.machine, after_event ? Options::Moment::event : Options::Moment::between_events);
  check_bounds(run.bounds, run.machine, false);
  run.row_time = time_of(run);
  run.row_is_event = after_event;
  return true;
}

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
  while (!recorder.refused && recorder.handed < row_count(recorder))
    if (!hand_on(recorder)) break;
  recorder.trajectory.values.clear();
  recorder.trajectory.jumps.clear();
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
    take_missed_events(run);
    run.recorder.last_grid_row = row_count(run.recorder);
    if (!hand_on_rows(run)) return false;
  }
  return true;
}

}  // namespace mosim::runtime
