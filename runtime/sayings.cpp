#include "runtime/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "runtime/crossings.hpp"
#include "runtime/explain.hpp"
#include "runtime/interpreter.hpp"
#include "runtime/text.hpp"

namespace mosim::runtime {

namespace {
constexpr std::uint32_t most_warnings_at_one_place = 3;
}  // namespace

// The assertions of a loop, or of many instances of one class, stand at one place.
void group_warnings(Run& run) {
  std::map<std::tuple<std::string, std::uint32_t, std::uint32_t>, Index> first;
  for (Index k = 0; k < run.program.assertions_table.size(); ++k) {
    const Index origin = run.program.assertions_table[k].origin;
    run.warnings_at.push_back(k);
    if (origin == none || run.program.origins[origin].at.line == 0) continue;
    const Spot& place = run.program.origins[origin].at;
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

void take_warnings(Run& run, EventRecord* record) {
  for (const Index k : run.machine.warned) {
    const auto is = [&](const EventRecord::Said& said) { return run.warnings_at[said.number] == run.warnings_at[k]; };
    if (record && std::size_t(std::count_if(record->warnings.begin(), record->warnings.end(), is)) < most_warnings_at_one_place)
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

namespace {

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

}  // namespace

// Systems that left an unknown open since the last time. An error where the motion depends on it.
bool take_undetermined(Run& run) {
  for (; run.undetermined < run.machine.undetermined.size(); ++run.undetermined) {
    const Machine::Undetermined u = run.machine.undetermined[run.undetermined];
    const Block& block = run.program.blocks[u.block];
    const std::string name = u.unknown < block.names.size() ? block.names[u.unknown] : "an unknown";
    const std::string system = fmt::format("any value solves the {} system of {} equation{} around {}", block.linear ? "linear" : "nonlinear", block.unknowns.size(), block.unknowns.size() == 1 ? "" : "s",
                                           text_of(run.program, block.origin));
    const Slot unknown = block.unknowns[u.unknown];
    if (u.initial) {
      const auto is_open_still = [&](const Machine::Undetermined& other) { return !other.initial && run.program.blocks[other.block].unknowns[other.unknown] == unknown; };
      if (std::any_of(run.machine.undetermined.begin(), run.machine.undetermined.end(), is_open_still)) continue;
      run.result.messages.push_back({Severity::warning, u.time, block.origin,
                                     fmt::format("nothing determines the initial value of {}: {}, and it has its start value {:.6g}", name, system, run.machine.memory[unknown]), ""});
      continue;
    }
    if (is_followed(run.machine, unknown))
      return fail(run, {Severity::error, u.time, block.origin, fmt::format("nothing determines {}, and the motion depends on it: {}", name, system), ""});
    run.result.messages.push_back({Severity::warning, u.time, block.origin,
                                   fmt::format("nothing determines {} here: {}, and it keeps the one it has", name, system), ""});
  }
  return true;
}

void take_lost_branches(Run& run) {
  Machine& m = run.machine;
  while (run.lost_branches < m.lost_branches.size()) {
    const Machine::LostBranch& lost = m.lost_branches[run.lost_branches];
    const Block& block = run.program.blocks[lost.block];
    const double now = m.memory[block.unknowns[lost.unknown]];
    if (std::abs(now - lost.from) < std::abs(now - lost.to)) {   // seen from a step that was taken back
      m.lost_branches.erase(m.lost_branches.begin() + std::ptrdiff_t(run.lost_branches));
      continue;
    }
    ++run.lost_branches;
    run.result.messages.push_back({Severity::warning, lost.time, block.origin,
                                   fmt::format("the solution of {} that was followed comes to its end here: {} goes from {:.6g} to {:.6g}, to another solution, without an event",
                                               text_of(run.program, block.origin), block.names[lost.unknown], lost.from, lost.to),
                                   "a model that jumps says so with an event; from here on the other solution is followed"});
  }
}

// What the event just handled has said: on its record, if there is one.
void take_sayings(Run& run, EventRecord* record) {
  take_warnings(run, record);
  for (; run.postponed < run.machine.postponed.size(); ++run.postponed) {
    const Machine::Postponed& p = run.machine.postponed[run.postponed];
    const Index origin = run.program.mixed[p.mixed].origin;
    run.result.messages.push_back({Severity::warning, p.time, origin,
                                   fmt::format("the relations around {} contradict each other at first, as no choice of them agrees with the equations; the event goes on until pre() has followed", text_of(run.program, origin)),
                                   "write the relation so that what follows from it leaves it as it is"});
  }
  if (record && run.machine.termination != none && record->terminations.empty())
    record->terminations.push_back({run.machine.termination, format_text(run.machine, run.program.terminations[run.machine.termination].message)});
}

// At an accepted point whose continuous variables are consistent; after an event, of which there may be a record.
bool check_assertions(Run& run, EventRecord* record) {
  if (!run.has_checks) return true;
  run.machine.checks_warn = true;
  const Outcome outcome = mosim::runtime::run(run.machine, run.program.assertions, Mode::frozen);
  run.machine.checks_warn = false;
  take_warnings(run, record);
  return outcome.ok() || fail(run, explain(run.machine, outcome));
}

bool assertions_stand(Run& run) {
  Machine& m = run.machine;
  if (m.sliding || run.program.assertions_alone == none) return false;
  m.checks_warn = true;
  const Outcome outcome = mosim::runtime::run(m, run.program.assertions_alone, Mode::frozen);
  m.checks_warn = false;
  const bool known = std::all_of(m.warned.begin(), m.warned.end(), [&](Index k) { return run.warned[k]; });
  m.warned.clear();
  return outcome.ok() && known;
}

void take_missed_events(Run& run) {
  if (run.missed.empty()) run.missed.resize(run.machine.relations.size());
  if (std::all_of(run.missed.begin(), run.missed.end(), [](bool told) { return told; })) return;
  std::vector<double> crossings(crossing_count(run.machine));
  const auto relation = find_contradiction(run.machine, crossings);
  if (!relation || run.missed[*relation]) return;
  run.missed[*relation] = true;
  const Index origin = run.program.relations[*relation].origin;
  run.result.messages.push_back({Severity::warning, time_of(run), origin,
                                 fmt::format("{} changes more often than this run can see: at this row it is not as its sides are, and some of its events are missing",
                                             text_of(run.program, origin)),
                                 "simulate a shorter time: a run is looked at in some thousand places, besides its steps and events"});
}

}  // namespace mosim::runtime
