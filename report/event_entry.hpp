#pragma once
// What the event log says of one event.

#include <string>
#include <vector>

#include "report/event_spool.hpp"
#include "runtime/simulate.hpp"

namespace mosim::report {

/// Lines; the first begins with the event's number and time.
using Entry = std::vector<std::string>;

/// Columns that every line of an entry but the first leaves empty.
constexpr std::size_t entry_margin = 24;

/// The run that a log is of. What it refers to must outlive it.
struct Logged {
  const runtime::Program& program;
  const runtime::Options& options;
  const runtime::Result& result;
  const Events& events;
  std::vector<std::uint64_t> last_change;   // of each relation: in which of the records, from 1; 0: none, or lost in a spell of chattering
};
Logged make_logged(const runtime::Program& program, const runtime::Options& options, const runtime::Result& result, const Events& events);

/// position: of the record among all, from 1.
Entry event_entry(const Logged& log, const runtime::EventRecord& event, std::uint64_t position);

/// Relations that came back through their hysteresis: no event.
Entry rearming_entry(const Logged& log, const runtime::EventRecord& record);

Entry spell_entry(const Logged& log, const runtime::Chattering& spell);

/// The first cause of an event: "h < 0 becomes true", "sample(0, 0.1) ticks".
std::string cause_in_brief(const Logged& log, const runtime::EventRecord& event);

/// What an event changed, in one line: "v: -4.4 -> 3.5 m/s, n: 1 -> 2". Empty if nothing.
std::string changes_in_brief(const Logged& log, const runtime::EventRecord& event);

/// Equal for events with the same causes and effects, whatever the values.
std::string pattern_of(const runtime::EventRecord& event);

/// The hysteresis of a relation in this run, in its unit; empty if it has none.
std::string hysteresis_of(const Logged& log, runtime::Index relation);

}  // namespace mosim::report
