#pragma once
// One event instant (SEMANTICS E5 to E8).

#include <optional>

#include "runtime/machine.hpp"
#include "runtime/calendar.hpp"
#include "runtime/simulate.hpp"

namespace mosim::runtime {

/// Rounds after which an event instant without a fixed point is an error, and two more for each condition that the model has.
inline constexpr std::uint32_t least_round_bound = 100;

/// Evaluates derivatives and outputs from time, states and discrete variables; buffered values stay.
Outcome evaluate_continuous(Machine& machine);

/// pre := values, for all of Program::pre.
void set_pre(Machine& machine);

/// After initialisation: the conditions that are true then (E6).
void note_true_from_start(Machine& machine);

/// While initial() still holds: which when-clauses it fired. No other condition does (E6).
void note_initial(const Machine& machine, EventRecord& record);

/// EventRecord::initialised, with the start values in Machine::left_limits.
void note_initialised(const Machine& machine, EventRecord& record);

/// What `initialise` found, made consistent: the rounds of event iteration at the start, in which initial() is false.
/// The record is filled as by run_event.
std::optional<Message> run_initial_rounds(Machine& machine, Calendar& calendar, EventRecord& record, bool detailed);

/// Runs the rounds of one event at the machine's time. Memory holds the left limits, consistent, before, and the
/// values after the last round afterwards; the calendar has moved on. `record` is filled except for its number and
/// kind; `detailed` also fills its lists. A failure is returned.
std::optional<Message> run_event(Machine& machine, Calendar& calendar, EventRecord& record, bool detailed);

/// Whether the rounds of an event could evaluate all that they need at the machine's time, continuous variables and buffered values. Nothing changes.
Outcome probe_event(Machine& machine);

/// What crosses again at the same instant belongs to the same event: adds it to the record of what came before.
void merge(EventRecord& event, EventRecord&& next);

}  // namespace mosim::runtime
