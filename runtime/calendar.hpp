#pragma once
// Time events (SEMANTICS E3, E10): the instants of sample(), of clocks, and of relations between time and a value.

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "runtime/machine.hpp"
#include "runtime/simulate.hpp"

namespace mosim::runtime {

struct SampleState {
  std::uint64_t next = 0;     // tick number
  double instant = 0;         // start + next * interval
};

struct ClockState {
  std::uint64_t fine = 0;     // number of the next fine tick at which something ticks
  double instant = 0;         // of that tick; infinite for event clocks
  std::uint64_t base = 0;     // fine tick at which the current interval began; moves only for varying clocks
  double counters = 0;        // rational: sum of the counters up to `base`, exact
  double base_time = 0;       // real: instant of `base`
  double step = 0;            // counter or interval in use
  bool condition = false;     // event clocks: in the round before
  bool due = false;           // ticks now
  std::vector<double> previous;  // per clock: its previous tick, NaN before the first
};

struct Calendar {
  double start = 0, stop = std::numeric_limits<double>::infinity();   // of the simulation, seconds
  std::vector<SampleState> samples;
  std::vector<ClockState> clocks;
  bool flags_raised = false;
};

/// What ticks at an instant, and delays and distributions out of which a jump comes.
struct Due {
  std::vector<Index> samples, clocks, delays, spatial_distributions;
  bool ticks() const { return !samples.empty() || !clocks.empty(); }
};

/// After initialisation, with memory as section `instants` left it. Fails for intervals that are not positive.
std::optional<Message> make_calendar(Machine& machine, double start, Calendar& calendar);

/// The next instant after the machine's time, or at it if something is still due there; infinity: none.
double next_instant(const Calendar& calendar, const Machine& machine);

/// Whether anything is due at the machine's time: sample, clock, a jump out of a delay, or a relation with time.
bool is_due(const Calendar& calendar, const Machine& machine);

/// Raises the flags of all that ticks at the machine's time (or before); jumps come out of delays.
Due raise_flags(Calendar& calendar, Machine& machine);
/// Lowers all flags.
void lower_flags(Calendar& calendar, Machine& machine);
/// Raises the flags of event clocks whose condition has become true; these count as ticks of the coming round.
bool raise_event_clocks(Calendar& calendar, Machine& machine, std::vector<Index>& ticked);

/// Moves on what has ticked. After section `instants`.
std::optional<Message> reschedule(Calendar& calendar, Machine& machine);

}  // namespace mosim::runtime
