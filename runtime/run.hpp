#pragma once
// One run of a program, between the parts of the simulation loop: its rows (rows.cpp), what is said meanwhile (sayings.cpp), what happens
// at one instant (instant.cpp), and the loop itself (simulate.cpp). Where a function returns false, the run has ended or fails.

#include <limits>
#include <vector>

#include "runtime/accumulation.hpp"
#include "runtime/bounds.hpp"
#include "runtime/courses.hpp"
#include "runtime/integrator.hpp"
#include "runtime/recorder.hpp"
#include "runtime/calendar.hpp"
#include "runtime/simulate.hpp"
#include "runtime/sliding.hpp"

namespace mosim::runtime {

struct Run {
  const Program& program;
  const Options& options;
  Machine machine;
  Calendar calendar{};
  Recorder recorder;
  Accumulation accumulation;
  IntegratorHandle integrator{};
  Result result{};
  std::uint32_t next_grid = 1;            // the next row of the output grid
  std::uint64_t events = 0;
  double row_time = 0;                    // of the last row
  double next_instant = 0;                // see there, in the calendar
  bool next_instant_stands = false;       // no event since
  bool row_is_event = false;              // and it holds the values after an event
  std::size_t spell_rows = none_yet;      // first row of the last event in a spell of chattering
  std::vector<bool> warned{};             // assertions of level warning, once each
  std::vector<Index> warnings_at{};       // by assertion: the first one at its place in the source
  std::vector<std::uint32_t> warnings{};  // so many of those, by that first one
  bool has_checks = false, checks_vary = true;   // between events
  double last_event = 0, scale = 0;       // see event_scale()
  unsigned shrinking = 0;                 // so many intervals in a row
  SlidingWatch surface{};
  bool watches_branches = false;          // there are sets whose states are fixed
  bool chooses_states = false;            // there are others
  double determinant = 0;                 // of these, after the last step: see fixed_determinant()
  Bounds bounds{};
  Courses courses{};
  std::uint64_t next_look = 100'000;    // events before their rate is looked at, and ten times as many each time
  bool told_of_rate = false;
  std::vector<bool> missed{};             // relations some of whose events were missed, and were told of
  double prelude = 0;                     // rows as old as that are final, outside of spells of chattering
  std::size_t undetermined = 0;           // so many of Machine::undetermined have been told of
  std::size_t postponed = 0;              // so many of Machine::postponed
  std::size_t lost_branches = 0;          // so many of Machine::lost_branches as well
  static constexpr std::size_t none_yet = std::numeric_limits<std::size_t>::max();
};

double time_of(const Run& run);

/// The run is to end here, by itself or because what it was asked to give is not wanted any more.
bool interrupt(Run& run);
bool is_stopped(const Run& run);
bool fail(Run& run, Message message);

/// The continuous variables at the machine's time.
bool evaluate(Run& run);
/// What delays and flows remember, up to here.
void extend_delays(Run& run, bool starts_segment);

// ---- rows --------------------------------------------------------------------------------------------------------------

/// What is too large for a number is told of before it stands in a row (E12).
bool write_row(Run& run, bool after_event);
/// Rows of the output grid up to an instant inside the last step.
bool write_grid(Run& run, double end, bool including_end);
/// Rows that nothing takes back any more go to their sink.
bool hand_on_rows(Run& run);
/// All others, at the end.
void hand_on_all(Run& run);

// ---- what is said ------------------------------------------------------------------------------------------------------

/// The assertions of a loop, or of many instances of one class, stand at one place.
void group_warnings(Run& run);
void tell_of_more_warnings(Run& run);
/// Assertions of level warning that have failed; `record` may be null.
void take_warnings(Run& run, EventRecord* record);
/// Unknowns that nothing determines. An error where the motion depends on them.
bool take_undetermined(Run& run);
/// After a step: solutions that came to their end in it, if that is where the motion went.
void take_lost_branches(Run& run);
/// At a row between events: relations whose events were missed.
void take_missed_events(Run& run);
/// What rounds of an event said.
void take_sayings(Run& run, EventRecord* record);
bool check_assertions(Run& run, EventRecord* record = nullptr);
/// At the end of a step: whether the model's assertions, as far as that can be told without all of its continuous variables, hold or have been told of.
bool assertions_stand(Run& run);

// ---- one instant -------------------------------------------------------------------------------------------------------

/// One event instant at the machine's time, whose left limits are consistent in memory; then the integrator starts anew. What crosses
/// right there again belongs to the same instant.
bool handle_event(Run& run, bool crossed, bool terminal);
void keep_event(Run& run, EventRecord&& record);
void keep_failed(Run& run, EventRecord&& record);
/// How long the motion has followed its surface.
void note_slides(Run& run, double time);

}  // namespace mosim::runtime
