#pragma once
// Events that pile up (SEMANTICS E11): Zeno behaviour is recognised and reported, chattering is damped by a wider
// hysteresis.

#include <cstdint>
#include <vector>

#include "runtime/machine.hpp"
#include "runtime/simulate.hpp"

namespace mosim::runtime {

/// The recent past of one relation.
struct RelationWatch {
  // Flips to false and to true whose intervals shrink by one constant ratio; empty: no such series.
  std::vector<double> series[2];
  // The last flips, of which an unbroken run looks like chattering.
  struct Past {
    double instant;
    bool hysteresis;
  };
  std::vector<Past> past;
  Index spell = none;          // in Accumulation::chattering, while it lasts
  double mean_interval = 0;    // of the spell
  double base_epsilon = 0;     // to go back to
  std::uint64_t flips = 0;     // in all
  double since;                // of its present value; at first the start of the run
  double longest[2] = {0, 0};  // time that it was false, and true, before
};

struct Accumulation {
  std::vector<RelationWatch> watches;       // per relation
  std::vector<Zeno> zeno;
  std::vector<Chattering> chattering;
  std::vector<double> instants;             // of the last events, a ring
  std::uint64_t events = 0;
  unsigned spells = 0;                      // that last now
  double resolution = 0, tolerance = 0, stop = 0;
};

Accumulation make_accumulation(const Program& program, const Options& options);

/// Notes an event's flips. May widen a relation's epsilon. Returns the start of a spell of chattering that has just
/// been recognised, else NaN.
double note_event(Accumulation& accumulation, Machine& machine, const EventRecord& record);

/// A spell is recognised at most so many seconds after it has begun.
double longest_prelude(const Accumulation& accumulation);

/// Ends spells that are over by `time`; their relations get their epsilon back. Returns whether one ended.
bool end_spells(Accumulation& accumulation, Machine& machine, double time);

/// The spell in which one of these relations is; none: there is no such spell.
Index spell_of(const Accumulation& accumulation, const std::vector<Index>& relations);

/// The relations in each spell that lasts now.
std::vector<std::vector<Index>> spells_now(const Accumulation& accumulation);

/// The relations' spell has followed its surface since an instant.
void note_slide(Accumulation& accumulation, const std::vector<Index>& relations, double since, double time);

/// True: thousands of events and time does not advance.
bool is_stuck(const Accumulation& accumulation, double time);

/// At the end of the run: what is still open is reported.
void finish(Accumulation& accumulation, double time);

/// At the end of the run, after `finish`: resets that did not turn back what they were to.
std::vector<Unarmed> find_unarmed(const Accumulation& accumulation, const Machine& machine, const std::optional<LastEvent>& last,
                                  double time);

}  // namespace mosim::runtime
