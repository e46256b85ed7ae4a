#include "runtime/calendar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/explain.hpp"

namespace mosim::runtime {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double most_ticks = 9007199254740992.0;   // 2^53: beyond it they have no numbers

// Ticks at the same number but for rounding are one instant: 3*0.3 and 9*0.1. Relations with time are as written.
bool together(double a, double b) {
  constexpr double roundings = 4 * std::numeric_limits<double>::epsilon();
  return std::isfinite(a) && std::abs(a - b) <= roundings * std::max(std::abs(a), std::abs(b));
}

// The instant up to which everything ticks at the machine's time: that of the last tick that belongs to one that is
// due. At the stop time a tick that rounding puts behind it is due as well.
double tick_limit(const Calendar& calendar, const Machine& m) {
  const double time = m.memory[slot_time];
  double limit = time;
  const auto look = [&](double instant) {
    if (instant > time && together(instant, time) && time == calendar.stop) limit = std::max(limit, instant);
    if (instant > time) return;
    for (const DelayLine& other : m.delays)
      if (together(other.next_out(), instant)) limit = std::max(limit, other.next_out());
    for (const SampleState& other : calendar.samples)
      if (together(other.instant, instant)) limit = std::max(limit, other.instant);
    for (const ClockState& other : calendar.clocks)
      if (together(other.instant, instant)) limit = std::max(limit, other.instant);
  };
  for (const SampleState& state : calendar.samples) look(state.instant);
  for (const ClockState& state : calendar.clocks) look(state.instant);
  for (const DelayLine& line : m.delays) look(line.next_out());
  return limit;
}

double sample_instant(const Machine& m, const Sample& sample, std::uint64_t tick) {
  return m.memory[sample.start] + double(tick) * m.memory[sample.interval];
}

Message bad_interval(const Machine& m, const char* what, Index origin, double interval) {
  return {Severity::error, m.memory[slot_time], origin,
          fmt::format("the interval of {} is {:.9g}; it must be positive and large enough to advance time", quote(*m.program, origin), interval),
          fmt::format("give the {} a positive interval", what)};
}

double step_of(const Machine& m, const BaseClock& clock) {
  return m.memory[clock.kind == ClockKind::rational ? clock.counter : clock.interval];
}

// One rounding for rational clocks: all of the numerator is whole.
double fine_instant(const Calendar& calendar, const BaseClock& clock, const ClockState& state, std::uint64_t fine) {
  const double within = double(fine - state.base), subdivision = double(clock.subdivision);
  if (clock.kind == ClockKind::rational)
    return calendar.start + (state.counters * subdivision + within * state.step) / (clock.resolution * subdivision);
  return state.base_time + within * state.step / subdivision;
}

double nominal_interval(const BaseClock& clock, const ClockState& state, const SubClock& sub) {
  const double whole = double(sub.factor) * state.step, parts = double(clock.subdivision);
  return clock.kind == ClockKind::rational ? whole / (clock.resolution * parts) : whole / parts;
}

bool ticks(const SubClock& sub, std::uint64_t fine) { return fine >= sub.shift && (fine - sub.shift) % sub.factor == 0; }

// The first fine tick from `fine` on at which one of the clocks ticks (or a varying interval is read anew).
std::uint64_t next_fine(const BaseClock& clock, const ClockState& state, std::uint64_t fine) {
  std::uint64_t next = std::numeric_limits<std::uint64_t>::max();
  for (const SubClock& sub : clock.clocks) {
    const std::uint64_t past = fine <= sub.shift ? 0 : (fine - sub.shift + sub.factor - 1) / sub.factor;
    next = std::min(next, sub.shift + past * sub.factor);
  }
  if (clock.varying) next = std::min(next, std::max(fine, state.base + clock.subdivision));
  return next;
}

void raise_clock(Machine& m, const BaseClock& clock, ClockState& state) {
  const double time = m.memory[slot_time];
  for (std::size_t k = 0; k < clock.clocks.size(); ++k) {
    const SubClock& sub = clock.clocks[k];
    if (!ticks(sub, state.fine)) continue;
    double& previous = state.previous[k];
    const bool first = std::isnan(previous);
    m.memory[sub.tick] = 1;
    if (sub.first != none) m.memory[sub.first] = first;
    if (sub.interval != none) {
      if (clock.kind == ClockKind::event) {
        m.memory[sub.interval] = !first ? time - previous
                                        : clock.start_interval != none ? m.memory[clock.start_interval] : 0;
      } else {
        m.memory[sub.interval] = first || !clock.varying ? nominal_interval(clock, state, sub) : time - previous;
      }
    }
    previous = time;
  }
}

std::optional<Message> read_step(const Machine& m, const BaseClock& clock, ClockState& state) {
  state.step = step_of(m, clock);
  if (!(state.step > 0) || !std::isfinite(state.step)) return bad_interval(m, "clock", clock.origin, state.step);
  return {};
}

}  // namespace

std::optional<Message> make_calendar(Machine& m, double start, Calendar& calendar) {
  calendar.start = start;
  calendar.samples.clear();
  const std::vector<ClockState> earlier = std::move(calendar.clocks);
  calendar.clocks.clear();
  for (const Sample& sample : m.program->samples) {
    const double interval = m.memory[sample.interval];
    if (!(interval > 0)) return bad_interval(m, "sample", sample.origin, interval);
    SampleState state;
    const double past = (start - m.memory[sample.start]) / interval;
    if (!(past < most_ticks))
      return Message{Severity::error, start, sample.origin,
                     fmt::format("{} has ticked {:.3g} times before the run begins, so that its ticks cannot be told apart", quote(*m.program, sample.origin), past),
                     "let it start nearer to the run"};
    if (past > 0) {
      state.next = past > 2 ? std::uint64_t(past) - 1 : 0;
      while (sample_instant(m, sample, state.next) < start) ++state.next;
    }
    state.instant = sample_instant(m, sample, state.next);
    calendar.samples.push_back(state);
  }
  for (const BaseClock& clock : m.program->clocks) {
    ClockState state;
    state.previous.assign(clock.clocks.size(), std::numeric_limits<double>::quiet_NaN());
    state.base_time = start;
    if (clock.kind == ClockKind::event) {
      state.instant = infinity;
      // pre(condition) is the start value at first: what is true from the start ticks there.
      state.condition = m.left_limits[clock.condition] != 0;
      if (calendar.clocks.size() < earlier.size()) state = earlier[calendar.clocks.size()];   // it may have ticked
    } else {
      if (auto error = read_step(m, clock, state)) return error;
      state.fine = clock.clocks.empty() ? 0 : next_fine(clock, state, 0);
      state.instant = clock.clocks.empty() ? infinity : fine_instant(calendar, clock, state, state.fine);
    }
    calendar.clocks.push_back(state);
  }
  return {};
}

double next_instant(const Calendar& calendar, const Machine& m) {
  const double time = m.memory[slot_time];
  std::vector<double> ticks;
  for (const SampleState& state : calendar.samples) ticks.push_back(state.instant);
  for (const ClockState& state : calendar.clocks) ticks.push_back(state.instant);
  for (const DelayLine& line : m.delays) ticks.push_back(line.next_out());
  const double first = ticks.empty() ? infinity : *std::min_element(ticks.begin(), ticks.end());
  if (first <= tick_limit(calendar, m)) return time;
  double next = first;   // with all that belongs to it
  for (const double instant : ticks)
    if (together(instant, first)) next = std::max(next, instant);
  for (std::size_t k = 0; k < m.relations.size(); ++k) {
    const Relation& relation = m.program->relations[k];
    if (!relation.time_event) continue;
    const double instant = m.memory[relation.instant];
    if (std::isnan(instant)) continue;
    const bool now = relation.rising ? time >= instant : time < instant;
    if (now != m.relations[k].value) return time;
    if (instant > time) next = std::min(next, instant);
  }
  return next;
}

bool is_due(const Calendar& calendar, const Machine& m) { return next_instant(calendar, m) <= m.memory[slot_time]; }

Due raise_flags(Calendar& calendar, Machine& m) {
  const double limit = tick_limit(calendar, m);
  Due due;
  for (Index k = 0; k < calendar.samples.size(); ++k) {
    if (calendar.samples[k].instant > limit) continue;
    m.memory[m.program->samples[k].flag] = 1;
    due.samples.push_back(k);
  }
  for (Index k = 0; k < calendar.clocks.size(); ++k) {
    ClockState& state = calendar.clocks[k];
    if (state.instant > limit) continue;
    state.due = true;
    raise_clock(m, m.program->clocks[k], state);
    due.clocks.push_back(k);
  }
  const std::vector<double>& w = m.memory;
  for (Index k = 0; k < m.delays.size(); ++k) {
    const Slot varying = m.program->delays[k].varying;
    if (pass_jumps(m.delays[k], varying == none ? limit : w[slot_time] - w[varying])) due.delays.push_back(k);
  }
  for (Index k = 0; k < m.spatial_distributions.size(); ++k)
    if (release(m.spatial_distributions[k], w[m.program->spatial_distributions[k].positive] != 0)) due.spatial_distributions.push_back(k);
  calendar.flags_raised = due.ticks();
  return due;
}

void lower_flags(Calendar& calendar, Machine& m) {
  if (!calendar.flags_raised) return;
  for (const Sample& sample : m.program->samples) m.memory[sample.flag] = 0;
  for (const BaseClock& clock : m.program->clocks)
    for (const SubClock& sub : clock.clocks) m.memory[sub.tick] = 0;
  calendar.flags_raised = false;
}

bool raise_event_clocks(Calendar& calendar, Machine& m, std::vector<Index>& ticked) {
  bool any = false;
  for (Index k = 0; k < calendar.clocks.size(); ++k) {
    const BaseClock& clock = m.program->clocks[k];
    if (clock.kind != ClockKind::event) continue;
    ClockState& state = calendar.clocks[k];
    const bool condition = m.memory[clock.condition] != 0;
    if (condition && !state.condition) {
      raise_clock(m, clock, state);
      ++state.fine;
      ticked.push_back(k);
      any = true;
    }
    state.condition = condition;
  }
  calendar.flags_raised = calendar.flags_raised || any;
  return any;
}

std::optional<Message> reschedule(Calendar& calendar, Machine& m) {
  const double limit = tick_limit(calendar, m);
  for (std::size_t k = 0; k < calendar.samples.size(); ++k) {
    SampleState& state = calendar.samples[k];
    const Sample& sample = m.program->samples[k];
    for (int skipped = 0; state.instant <= limit; ++skipped) {
      if (skipped > 1000) return bad_interval(m, "sample", sample.origin, m.memory[sample.interval]);
      state.instant = sample_instant(m, sample, ++state.next);
    }
  }
  for (std::size_t k = 0; k < calendar.clocks.size(); ++k) {
    const BaseClock& clock = m.program->clocks[k];
    ClockState& state = calendar.clocks[k];
    if (!state.due) continue;
    state.due = false;
    if (clock.varying && (state.fine - state.base) >= clock.subdivision) {
      state.counters += state.step;
      state.base_time = state.instant;
      state.base = state.fine;
    }
    if (clock.varying && state.fine == state.base)
      if (auto error = read_step(m, clock, state)) return error;
    for (int skipped = 0; state.instant <= limit; ++skipped) {
      if (skipped > 1000) return bad_interval(m, "clock", clock.origin, state.step);
      state.fine = next_fine(clock, state, state.fine + 1);
      state.instant = fine_instant(calendar, clock, state, state.fine);
    }
  }
  return {};
}

}  // namespace mosim::runtime
