#include "runtime/events.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string_view>
#include <tuple>

#include "runtime/buffered.hpp"
#include "runtime/contents.hpp"
#include "runtime/crossings.hpp"
#include "runtime/explain.hpp"
#include "runtime/interpreter.hpp"

namespace mosim::runtime {

Outcome evaluate_continuous(Machine& m) {
  if (m.sliding) return slide(m, true);
  Outcome outcome = evaluate_derivatives(m);
  if (outcome.ok()) outcome = run(m, m.program->outputs, Mode::frozen);
  if (outcome.ok()) note_derivatives(m);   // the outputs leave them as they are
  return outcome;
}

void set_pre(Machine& m) {
  for (const Pre& pre : m.program->pre) m.memory[pre.pre] = m.memory[pre.value];
}

namespace {

/// In the order of the text what happens in one round is told, whatever the order in which it is carried out.
template <class Entry, class OriginOf>
void sort_by_place(const Program& program, std::vector<Entry>& entries, std::size_t first, OriginOf origin_of) {
  const auto place = [&](const Entry& e) -> std::tuple<std::string_view, std::uint32_t, std::uint32_t> {
    const Index k = origin_of(e);
    if (k == none) return {};
    const Spot& spot = program.origins[k].at;
    return {spot.path.text(), spot.line, spot.column};
  };
  std::stable_sort(entries.begin() + std::ptrdiff_t(first), entries.end(), [&](const Entry& a, const Entry& b) { return place(a) < place(b); });
}

bool fires(const Machine& m) {
  return std::any_of(m.program->whens.begin(), m.program->whens.end(),
                     [&](const When& when) { return m.memory[when.fired] != 0; });
}

void sort_fired(const Program& program, EventRecord& record, std::size_t first) {
  sort_by_place(program, record.fired, first, [&](const EventRecord::Fired& f) { return program.whens[f.when].origin; });
}

void note_fired(const Machine& m, EventRecord& record) {
  const std::size_t first = record.fired.size();
  for (Index k = 0; k < m.program->whens.size(); ++k) {
    const When& when = m.program->whens[k];
    if (m.memory[when.fired] == 0) continue;
    EventRecord::Fired fired{k, {}, {}, record.rounds};
    for (Index element = 0; element < when.conditions.size(); ++element) {
      const WhenCondition& condition = when.conditions[element];
      if (m.memory[condition.value] == 0) continue;
      (m.memory[condition.pre] == 0 ? fired.elements : fired.already_true).push_back(element);
    }
    record.fired.push_back(std::move(fired));
  }
  sort_fired(*m.program, record, first);
}

// E16: which transitions fire.
void note_transitions(const Machine& m, EventRecord& record) {
  for (Index k = 0; k < m.program->transitions.size(); ++k) {
    const Transition& t = m.program->transitions[k];
    if (m.memory[t.tick] != 0 && m.memory[t.fired] == t.number) record.transitions.push_back(k);
  }
}

// States take their new values at the end of a round; everything continuous follows.
Outcome apply_reinits(Machine& m, EventRecord& record, bool detailed) {
  const std::size_t first = record.resets.size();
  for (const Index k : m.pending_reinits) {
    const Reinit& reinit = m.program->reinits[k];
    double& state = m.memory[m.program->first_state + reinit.state];
    if (detailed) record.resets.push_back({k, state, m.reinit_values[k], record.rounds});
    m.reinit_times[k] = m.memory[slot_time];
    if (!(state * m.reinit_values[k] > 0)) m.turn_times[k] = m.memory[slot_time];
    state = m.reinit_values[k];
  }
  m.pending_reinits.clear();
  sort_by_place(*m.program, record.resets, first, [&](const EventRecord::Reset& r) { return m.program->reinits[r.reinit].origin; });
  return evaluate_continuous(m);
}

constexpr double smallest_change = 1e-12;   // of a Real, to be told of

std::string in_words(const Variable& variable, double value) {
  if (variable.type == Type::boolean) return value != 0 ? "true" : "false";
  if (variable.type == Type::enumeration && value >= 1 && value <= double(variable.literals.size()))
    return variable.literals[std::size_t(value) - 1];
  return fmt::format("{:.9g}", value);
}

// What to do about rounds without end, by what goes on in them: the when-clauses that fired in the last of them.
std::string remedy_for(const Machine& m, const std::vector<Index>& whens) {
  const auto name = [&](Index k) { return "when " + quote(*m.program, m.program->whens[k].origin); };
  if (whens.empty())
    return "what depends on its own pre() must come to rest; a when-clause lets it change once";
  if (whens.size() == 1)
    return fmt::format("{} sets itself off again in every round: what it changes must leave its condition true, or change it at another instant",
                       name(whens[0]));
  return fmt::format("{} and {} set each other off{}: what the one changes must not make the condition of the other become true "
                     "at the same instant", name(whens[0]), name(whens[1]),
                     whens.size() > 2 ? fmt::format(", with {} more", whens.size() - 2) : "");
}

constexpr double last_digits = 1e-12;

bool differs(const Machine& m, const Pre& pre) { return pre.discrete && m.memory[pre.value] != m.memory[pre.pre]; }

// An unknown of a system, whose last digits are those of its solution.
bool differs_by_rounding(const Machine& m, const Pre& pre) {
  const double size = m.solved_sizes[std::size_t(&pre - m.program->pre.data())], now = m.memory[pre.value], before = m.memory[pre.pre];
  return size > 0 && std::abs(now - before) <= last_digits * std::max({std::abs(now), std::abs(before), size});
}

// A discrete variable that is told of as another than at the end of the round before.
bool changes(const Machine& m, const Pre& pre) { return differs(m, pre) && pre.variable != none && !differs_by_rounding(m, pre); }

std::string what_changes(const Machine& m) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  for (const Flip& flip : m.flips) {
    const Index origin = m.program->relations[flip.relation].origin;
    const std::string part = quote(*m.program, origin);
    if (text.find(part) == std::string::npos) add(part);
  }
  for (const Pre& pre : m.program->pre) {
    if (!changes(m, pre)) continue;
    const Variable& variable = m.program->variables[pre.variable];
    add(fmt::format("{} (between {} and {})", variable.said(), in_words(variable, m.memory[pre.pre]),
                    in_words(variable, m.memory[pre.value])));
  }
  return text.empty() ? "a reinit in every round" : text;
}

Index origin_of_change(const Machine& m) {
  if (!m.flips.empty()) return m.program->relations[m.flips.front().relation].origin;
  for (const Pre& pre : m.program->pre)
    if (changes(m, pre)) return m.program->variables[pre.variable].origin;
  return none;
}

}  // namespace

namespace {

// Quiet relations that are watched follow as others do, in branches too that are not taken.
void follow_quiet(Machine& m) {
  if (!m.watches_quiet) return;
  const std::vector<RelationState> before = m.relations;
  (void)run(m, m.program->quiet, Mode::measure);
  for (Index k = 0; k < m.relations.size(); ++k) {
    if (!m.program->relations[k].quiet || !m.relations[k].watched) continue;
    const double left = m.relations[k].left, right = m.relations[k].right;
    m.relations[k] = before[k];
    if (!std::isnan(left - right)) (void)store_relation(m, k, left, right, Mode::live);
  }
}

void note_steps(const Machine& m, EventRecord& record) {
  for (const Pre& pre : m.program->pre) {
    if (!changes(m, pre)) continue;
    const Variable& variable = m.program->variables[pre.variable];
    if (variable.meaning.empty()) record.steps.push_back({pre.variable, m.memory[pre.pre], m.memory[pre.value], record.rounds});
  }
}

// What changed once is among the changes, with its round.
void keep_repeated_steps(EventRecord& record) {
  std::map<Index, unsigned> times, rounds;
  for (const EventRecord::Step& s : record.steps) ++times[s.variable], rounds[s.variable] = s.round;
  for (EventRecord::Change& c : record.changes)
    if (const auto at = times.find(c.variable); at != times.end() && at->second == 1) c.round = rounds[c.variable];
  std::erase_if(record.steps, [&](const EventRecord::Step& s) { return times[s.variable] < 2; });
}

// E6: what was true from the start may become false, and may become true after all.
void follow_true_from_start(Machine& m) {
  std::erase_if(m.true_from_start, [&](TrueFromStart& c) {
    const WhenCondition& condition = m.program->whens[c.when].conditions[c.element];
    const bool now = m.memory[condition.value] != 0;
    if (!now) c.until = std::min(c.until, m.memory[slot_time]);
    return now && m.memory[condition.pre] == 0;
  });
}

// A cascade, each of whose conditions becomes true because of the one before, has an end after as many rounds as there are conditions.
std::uint32_t bound_of_rounds(const Program& program) {
  return least_round_bound + 2 * static_cast<std::uint32_t>(program.relations.size() + program.event_functions.size() + program.whens.size());
}

constexpr unsigned most_unsettled_rounds = 10;   // of one event

constexpr std::uint32_t rounds_to_the_digit = 10;

// E5: whether a discrete variable is another than at the end of the round before. Which digits a solution ends in is no matter of rounds: after many, it is
// none of theirs.
bool any_pre_changes(const Machine& m, std::uint32_t round) {
  return std::any_of(m.program->pre.begin(), m.program->pre.end(), [&](const Pre& pre) { return differs(m, pre) && !(round > rounds_to_the_digit && differs_by_rounding(m, pre)); });
}

// Rounds of event iteration until nothing changes. pre() is what the variables had before the first. record.rearming
// comes out true when nothing but relations past their hysteresis did.
std::optional<Message> iterate(Machine& m, Calendar& calendar, EventRecord& record, bool detailed) {
  const Program& program = *m.program;
  m.checks_warn = m.solutions_jump = true;
  record.rearming = !record.is_set && record.samples.empty() && record.clocks.empty() && record.delays.empty() && record.spatial_distributions.empty();
  const std::uint32_t round_bound = bound_of_rounds(program);
  std::vector<Index> late;   // when-clauses that fire in the last rounds
  unsigned unsettled_rounds = 0;
  for (record.rounds = 1;; ++record.rounds) {
    m.flips.clear();
    m.event_function_changes.clear();
    m.pending_reinits.clear();
    m.unsettled = none;
    const std::uint64_t changes = m.changes;
    for (const CallOnce& call : program.calls_once) m.memory[call.done] = 0;   // E14
    Outcome outcome = run(m, program.event, Mode::live);
    if (!outcome.ok()) return explain(m, outcome);
    follow_quiet(m);
    follow_true_from_start(m);
    for (const Flip& flip : m.flips) {
      record.flips.push_back({flip.relation, flip.value, flip.hysteresis, record.rounds});
      record.rearming = record.rearming && flip.hysteresis;
    }
    for (const Index k : m.event_function_changes) record.rounded.push_back({k, m.event_functions[k].value});
    record.acts = record.acts || !m.event_function_changes.empty() || !m.pending_reinits.empty() || fires(m);
    record.rearming = record.rearming && !record.acts;
    if (detailed) note_fired(m, record), note_transitions(m, record);
    if (record.rounds + 4 > round_bound)
      for (Index k = 0; k < program.whens.size(); ++k)
        if (m.memory[program.whens[k].fired] != 0 && std::find(late.begin(), late.end(), k) == late.end()) late.push_back(k);
    bool again = m.changes != changes || calendar.flags_raised || !m.pending_reinits.empty();
    if (m.unsettled != none) {
      // E15: relations that contradict each other may agree once pre() has followed; where nothing follows they never do.
      if (!any_pre_changes(m, record.rounds) || ++unsettled_rounds > most_unsettled_rounds) {
        m.failed_mixed = m.unsettled;
        m.block_detail = m.unsettled_detail;
        return explain(m, {Fault::no_agreement, none});
      }
      const auto same = [&](const Machine::Postponed& p) { return p.mixed == m.unsettled; };
      if (std::none_of(m.postponed.begin(), m.postponed.end(), same)) m.postponed.push_back({m.unsettled, record.time});
    }
    if (!m.pending_reinits.empty()) {
      outcome = apply_reinits(m, record, detailed);
      if (!outcome.ok()) return explain(m, outcome);
    }
    lower_flags(calendar, m);
    if (!program.clocks.empty()) again = raise_event_clocks(calendar, m, record.clocks) || again;
    again = again || any_pre_changes(m, record.rounds);
    if (again && record.rounds >= round_bound)
      return Message{Severity::error, record.time, origin_of_change(m),
                     fmt::format("no fixed point after {} rounds of event iteration; what keeps changing: {}",
                                 round_bound, what_changes(m)),
                     remedy_for(m, late)};
    if (detailed) note_steps(m, record);
    set_pre(m);
    if (!again) break;
  }
  m.checks_warn = m.solutions_jump = false;
  return {};
}

// Solving a block again may give other last digits; that is no change.
bool differ(const Variable& variable, double before, double after) {
  if (variable.type != Type::real || variable.kind == Kind::discrete) return before != after;
  return std::abs(after - before) > 1e-10 * std::max(std::abs(before), std::abs(after));
}

bool any_variable_changed(const Machine& m) {
  return std::any_of(m.program->variables.begin(), m.program->variables.end(), [&](const Variable& variable) {
    return differ(variable, m.left_limits[variable.slot], m.memory[variable.slot]);
  });
}

void note_changes(const Machine& m, EventRecord& record) {
  const auto said = [&](double before, double after) {
    return std::any_of(record.changes.begin(), record.changes.end(),
                       [&](const EventRecord::Change& c) { return c.before == before && c.after == after; });
  };
  for (Index k = 0; k < m.program->variables.size(); ++k) {
    const Variable& variable = m.program->variables[k];
    const double before = value_of(variable, m.left_limits), after = value_of(variable, m.memory);
    if (!variable.meaning.empty()) continue;   // the user's variable stands beside it
    // der(h) beside v = der(h) says nothing new; nor do the last digits of something that is nothing.
    if (variable.type == Type::real && std::abs(after - before) < smallest_change) continue;
    if (differ(variable, before, after) && !(variable.kind == Kind::derivative && said(before, after)))
      record.changes.push_back({k, before, after});
  }
}

}  // namespace

void note_initial(const Machine& m, EventRecord& record) {
  const std::size_t first = record.fired.size();
  for (Index k = 0; k < m.program->whens.size(); ++k) {
    const When& when = m.program->whens[k];
    if (m.memory[when.fired] == 0) continue;
    EventRecord::Fired fired{k, {}, {}, 0};
    for (Index element = 0; element < when.conditions.size(); ++element) {
      const Slot value = when.conditions[element].value;
      if (m.memory[value] != 0) (value == slot_initial ? fired.elements : fired.already_true).push_back(element);
    }
    record.fired.push_back(std::move(fired));
  }
  sort_fired(*m.program, record, first);
}

void note_initialised(const Machine& m, EventRecord& record) {
  for (Index k = 0; k < m.program->variables.size(); ++k) {
    const Variable& variable = m.program->variables[k];
    if (variable.kind != Kind::discrete && variable.kind != Kind::state && variable.kind != Kind::parameter) continue;
    if (!variable.meaning.empty()) continue;
    const double before = value_of(variable, m.left_limits), after = value_of(variable, m.memory);
    if (differ(variable, before, after)) record.initialised.push_back({k, before, after});
  }
}

void note_true_from_start(Machine& m) {
  for (Index k = 0; k < m.program->whens.size(); ++k) {
    const auto& conditions = m.program->whens[k].conditions;
    if (std::any_of(conditions.begin(), conditions.end(), [](const WhenCondition& c) { return c.value == slot_initial; })) continue;
    for (Index element = 0; element < conditions.size(); ++element)
      if (m.memory[conditions[element].value] != 0) m.true_from_start.push_back({k, element, std::numeric_limits<double>::infinity()});
  }
}

std::optional<Message> run_initial_rounds(Machine& m, Calendar& calendar, EventRecord& record, bool detailed) {
  if (auto error = iterate(m, calendar, record, detailed)) return error;
  keep_repeated_steps(record);
  record.rearming = false;
  if (record.rounds == 1) return {};
  const Outcome outcome = run(m, m.program->instants, Mode::frozen);
  if (!outcome.ok()) return explain(m, outcome);
  return make_calendar(m, record.time, calendar);
}

namespace {

// The code of the rounds, in a mode that changes no buffered value; memory is then what `before` is.
Outcome try_round(Machine& m, Mode mode, const std::vector<double>& before) {
  const Index termination = m.termination;
  for (const CallOnce& call : m.program->calls_once) m.memory[call.done] = 1;   // none counts here (E14)
  const Outcome outcome = run(m, m.program->event, mode);
  if (mode == Mode::measure && m.watches_quiet) (void)run(m, m.program->quiet, Mode::measure);
  m.pending_reinits.clear();
  m.termination = termination;
  copy_lasting(m, before, m.memory);
  set_pre(m);
  return outcome;
}

// The left limits of what relations compare, by the code of the rounds to come.
void measure_sides(Machine& m) {
  if (m.relations.empty() && m.event_functions.empty()) return;
  for (RelationState& state : m.relations) state.left = state.right = RelationState::unknown;
  for (EventFunctionState& state : m.event_functions) state.argument = RelationState::unknown;
  (void)try_round(m, Mode::measure, m.left_limits);
}

}  // namespace

Outcome probe_event(Machine& m) {
  copy_lasting(m, m.memory, m.kept);
  set_pre(m);
  return try_round(m, Mode::frozen, m.kept);
}

std::optional<Message> run_event(Machine& m, Calendar& calendar, EventRecord& record, bool detailed) {
  record.time = m.memory[slot_time];
  copy_lasting(m, m.memory, m.left_limits);
  set_pre(m);
  measure_sides(m);
  record.is_set = !m.settings.empty();
  for (const auto& [slot, value] : m.settings) m.memory[slot] = value;
  m.settings.clear();
  const Due due = raise_flags(calendar, m);
  record.samples = due.samples;
  record.clocks = due.clocks;
  record.delays = due.delays;
  record.spatial_distributions = due.spatial_distributions;
  if (auto error = iterate(m, calendar, record, detailed)) return error;
  record.acts = record.acts || any_variable_changed(m);
  record.rearming = record.rearming && !record.flips.empty() && !record.acts;
  if (detailed && !record.rearming) note_changes(m, record);
  keep_repeated_steps(record);
  const Outcome outcome = run(m, m.program->instants, Mode::frozen);
  if (!outcome.ok()) return explain(m, outcome);
  return reschedule(calendar, m);
}

void merge(EventRecord& event, EventRecord&& next) {
  const auto append = [](auto& list, auto& more) { list.insert(list.end(), more.begin(), more.end()); };
  for (EventRecord::Fired& fired : next.fired) fired.round += event.rounds;
  for (EventRecord::Flip& flip : next.flips) flip.round += event.rounds;
  for (EventRecord::Reset& reset : next.resets) reset.round += event.rounds;
  for (EventRecord::Step& step : next.steps) step.round += event.rounds;
  for (EventRecord::Change& change : next.changes)
    if (change.round != 0) change.round += event.rounds;
  // What the first part changed and the second took back.
  for (const EventRecord::Change& one : event.changes)
    for (const EventRecord::Change& other : next.changes)
      if (one.variable == other.variable && one.before == other.after) {
        event.steps.push_back({one.variable, one.before, one.after, event.rounds});
        next.steps.push_back({one.variable, other.before, other.after, event.rounds + next.rounds});
      }
  event.acts = event.acts || next.acts;
  event.rounds += next.rounds;
  append(event.flips, next.flips);
  append(event.rounded, next.rounded);
  append(event.samples, next.samples);
  append(event.clocks, next.clocks);
  append(event.delays, next.delays);
  append(event.spatial_distributions, next.spatial_distributions);
  append(event.fired, next.fired);
  append(event.resets, next.resets);
  append(event.steps, next.steps);
  append(event.warnings, next.warnings);
  append(event.terminations, next.terminations);
  for (const EventRecord::Change& change : next.changes) {
    const auto earlier = std::find_if(event.changes.begin(), event.changes.end(),
                                      [&](const EventRecord::Change& c) { return c.variable == change.variable; });
    if (earlier == event.changes.end()) {
      event.changes.push_back(change);
    } else {
      earlier->after = change.after;
      earlier->round = 0;
    }
  }
  std::erase_if(event.changes, [](const EventRecord::Change& c) { return c.before == c.after; });
}

}  // namespace mosim::runtime
