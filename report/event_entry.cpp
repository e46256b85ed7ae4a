#include "report/event_entry.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "report/wording.hpp"

namespace mosim::report {

namespace {

using runtime::EventKind;
using runtime::EventRecord;
using runtime::Index;
using runtime::Program;

constexpr std::size_t shown_in_brief = 4;

std::string kind(const EventRecord& e) {
  switch (e.kind) {
    case EventKind::initial: return "initialisation";
    case EventKind::time: return "time event";
    case EventKind::state: return "state event";
    case EventKind::clock: return "clock tick";
    case EventKind::terminal: return "end of the run";
    case EventKind::set: return "values set";
  }
  return "";
}

std::string list_elements(const Program& p, const runtime::When& when, const std::vector<Index>& elements) {
  std::string text;
  for (const Index k : elements)
    text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", k + 1, text_of(p, when.conditions[k].origin));
  return text;
}

std::string fired(const Program& p, const EventRecord& e, const EventRecord::Fired& f) {
  const runtime::When& when = p.whens[f.when];
  const std::size_t size = when.conditions.size();
  std::string line = fmt::format("when {} fires", text_of(p, when.origin));
  if (size > 1 && !f.elements.empty())
    line += fmt::format(" by element{} {} of {}", f.elements.size() == 1 ? "" : "s", list_elements(p, when, f.elements), size);
  if (!f.already_true.empty())
    line += fmt::format("; already true: element{} {}", f.already_true.size() == 1 ? "" : "s",
                        list_elements(p, when, f.already_true));
  if (f.round > 1) line += fmt::format(", in round {}", f.round);
  if (e.kind == EventKind::initial && f.round > 0) line += ", after initial() has become false";
  return line + at(p, when.origin);
}

std::string fires(const Program& p, const runtime::Transition& t) {
  return fmt::format("transition from {} to {} fires: {}{}", t.from, t.to, text_of(p, t.origin), t.delayed ? ", at the tick before" : "");
}

std::string becomes(const Program& p, const EventRecord::Flip& f) {
  return fmt::format("{} becomes {}", text_of(p, p.relations[f.relation].origin), f.value ? "true" : "false");
}

std::string rounded(const Program& p, const EventRecord::Rounded& f) {
  return fmt::format("the whole number in {} becomes {:g}", text_of(p, p.event_functions[f.function].origin), f.value);
}

std::string comes_out(const Program& p, Index origin) { return "a jump comes out of " + text_of(p, origin); }

std::string ticks(const Program& p, Index origin) { return text_of(p, origin) + " ticks"; }

std::string flip(const Logged& log, const EventRecord::Flip& f) {
  const Program& p = log.program;
  const Index origin = p.relations[f.relation].origin;
  std::string line = becomes(p, f);
  if (f.hysteresis) line += fmt::format(", at the far side of its hysteresis of {}", hysteresis_of(log, f.relation));
  return line + at(p, origin);
}

std::string change(const Logged& log, const runtime::Variable& v, double before, double after) {
  const auto& strings = log.result.strings;
  return fmt::format("{} -> {}{}{}", value_of(v, before, strings), value_of(v, after, strings), v.unit.empty() ? "" : " ", v.unit.text());
}

bool is_reset(const Program& p, const EventRecord& e, const EventRecord::Change& c) {
  return std::any_of(e.resets.begin(), e.resets.end(), [&](const EventRecord::Reset& r) {
    return p.variables[p.states[p.reinits[r.reinit].state].variable].slot == p.variables[c.variable].slot &&
           r.before == c.before && r.after == c.after;
  });
}

/// A change before this one is of another name for the same variable.
bool is_alias(const Program& p, const EventRecord& e, const EventRecord::Change& c) {
  for (const EventRecord::Change& earlier : e.changes) {
    if (earlier.variable == c.variable) return false;
    if (p.variables[earlier.variable].slot == p.variables[c.variable].slot && earlier.before == c.before) return true;
  }
  return false;
}

bool has_steps(const EventRecord& e, Index variable) {
  return std::any_of(e.steps.begin(), e.steps.end(), [&](const EventRecord::Step& s) { return s.variable == variable; });
}

/// All values that a variable has gone through: "stuck: true -> false -> true, in rounds 1 and 2".
std::string course(const Logged& log, const EventRecord& e, Index index) {
  const runtime::Variable& variable = log.program.variables[index];
  const auto& strings = log.result.strings;
  std::string text;
  std::vector<std::uint32_t> rounds;
  for (const EventRecord::Step& s : e.steps) {
    if (s.variable != index) continue;
    if (rounds.empty()) text = value_of(variable, s.before, strings);
    text += " -> " + value_of(variable, s.after, strings);
    rounds.push_back(s.round);
  }
  const std::string unit = variable.unit.empty() ? "" : " " + variable.unit;
  return fmt::format("  {}: {}{}, in rounds {} and {}", variable.name, text, unit, fmt::join(rounds.begin(), rounds.end() - 1, ", "), rounds.back());
}

/// A relation that a reinit was to turn back (Reinit::turns), and that never changes again.
void add_unarmed(const Logged& log, const EventRecord& e, std::uint64_t position, Entry& lines) {
  const Program& p = log.program;
  if (!(log.result.time > e.time)) return;
  std::vector<Index> said;
  for (const EventRecord::Reset& reset : e.resets)
    for (const Index relation : p.reinits[reset.reinit].turns) {
      const auto last = std::find_if(e.flips.rbegin(), e.flips.rend(), [&](const EventRecord::Flip& f) { return f.relation == relation; });
      if (log.last_change[relation] != position || last == e.flips.rend() || last->round != reset.round) continue;
      if (std::find(said.begin(), said.end(), relation) != said.end()) continue;
      said.push_back(relation);
      lines.push_back(fmt::format("{} stays {} to the end of the run: it is not armed and cannot fire the when-clause again",
                                  text_of(p, p.relations[relation].origin), last->value ? "true" : "false"));
    }
}

/// E6: at the start they are true already.
void add_true_from_start(const Logged& log, Entry& lines) {
  for (const runtime::TrueFromStart& t : log.result.true_from_start) {
    const Index origin = log.program.whens[t.when].conditions[t.element].origin;
    lines.push_back(fmt::format("{} is true from the start, so it never becomes true and never fires its when-clause{}", text_of(log.program, origin),
                                at(log.program, origin)));
  }
}

std::string numbered(const std::string& number, const std::string& time, const std::string& text) {
  return fmt::format("{:>5}  {:<15}  {}", number, time, text);
}

}  // namespace

Logged make_logged(const Program& p, const runtime::Options& o, const runtime::Result& r, const Events& events) {
  Logged log{p, o, r, events, std::vector<std::uint64_t>(p.relations.size(), 0)};
  std::uint64_t position = 0;
  events([&](const EventRecord& e) {
    ++position;
    for (const EventRecord::Flip& f : e.flips) log.last_change[f.relation] = position;
    return true;
  });
  for (const runtime::Chattering& c : r.chattering) log.last_change[c.relation] = 0;
  return log;
}

std::string hysteresis_of(const Logged& log, Index relation) {
  const runtime::Slot slot = log.program.relations[relation].epsilon;
  if (log.options.hysteresis) return fmt::format("{:g}", *log.options.hysteresis);
  return slot < log.result.parameters.size() ? fmt::format("{:.3g}", log.result.parameters[slot]) : "";
}

Entry event_entry(const Logged& log, const EventRecord& e, std::uint64_t position) {
  const Program& p = log.program;
  Entry lines;
  const auto add = [&](std::string text) { lines.push_back(std::move(text)); };
  for (const Index k : e.samples) add(ticks(p, p.samples[k].origin) + at(p, p.samples[k].origin));
  for (const Index k : e.clocks) add(ticks(p, p.clocks[k].origin) + at(p, p.clocks[k].origin));
  for (const Index k : e.delays) add(comes_out(p, p.delays[k].origin) + at(p, p.delays[k].origin));
  for (const Index k : e.spatial_distributions) add(comes_out(p, p.spatial_distributions[k].origin) + at(p, p.spatial_distributions[k].origin));
  for (const EventRecord::Rounded& f : e.rounded) add(rounded(p, f) + at(p, p.event_functions[f.function].origin));
  // Causes and effects round by round; round 0 is initialisation.
  for (std::uint32_t round = 0; round <= e.rounds; ++round) {
    for (const EventRecord::Flip& f : e.flips)
      if (f.round == round) add(flip(log, f));
    for (const EventRecord::Fired& f : e.fired)
      if (f.round == round) add(fired(p, e, f));
    if (round == 1)
      for (const Index k : e.transitions) add(fires(p, p.transitions[k]) + at(p, p.transitions[k].origin));
    for (const EventRecord::Reset& f : e.resets) {
      if (f.round != round) continue;
      const runtime::Reinit& reinit = p.reinits[f.reinit];
      const runtime::Variable& state = p.variables[p.states[reinit.state].variable];
      add("  " + text_of(p, reinit.origin) + ": " + change(log, state, f.before, f.after) + at(p, reinit.origin));
    }
  }
  for (const EventRecord::Change& c : e.changes) {
    if (is_reset(p, e, c) || is_alias(p, e, c) || has_steps(e, c.variable)) continue;
    const runtime::Variable& variable = p.variables[c.variable];
    add("  " + variable.name + ": " + change(log, variable, c.before, c.after));
  }
  std::vector<Index> told;
  for (const EventRecord::Step& s : e.steps) {
    if (std::find(told.begin(), told.end(), s.variable) != told.end()) continue;
    told.push_back(s.variable);
    add(course(log, e, s.variable));
  }
  for (const EventRecord::Change& c : e.initialised) {
    const runtime::Variable& variable = p.variables[c.variable];
    add(fmt::format("  {} = {}{}{} (start value {})", variable.name, value_of(variable, c.after, log.result.strings),
                    variable.unit.empty() ? "" : " ", variable.unit.text(), value_of(variable, c.before, log.result.strings)));
  }
  if (e.kind == EventKind::initial) add_true_from_start(log, lines);
  for (const EventRecord::Said& f : e.warnings)
    add("assertion fails, a warning: " + f.text + at(p, p.assertions_table[f.number].origin));
  for (const EventRecord::Said& f : e.terminations) add("terminate: " + f.text + at(p, p.terminations[f.number].origin));
  if (e.failed) {
    const std::uint32_t listed = e.fired.empty() ? e.flips.empty() ? 0 : e.flips.back().round : e.fired.back().round;
    add(fmt::format("the run fails here, in round {}{}", e.rounds, listed > 0 && listed + 1 < e.rounds ? "; the first rounds are listed" : ""));
    for (std::string& line : lines) line.insert(0, entry_margin, ' ');
    lines.insert(lines.begin(), numbered(std::to_string(e.number), fmt::format("{:.9g}", e.time), kind(e)));
    return lines;
  }
  // One round acts and one finds nothing left: only more than that is worth a line.
  if (e.rounds > 2) add(fmt::format("{} rounds until nothing changed", e.rounds));
  add_unarmed(log, e, position, lines);
  for (std::string& line : lines) line.insert(0, entry_margin, ' ');
  lines.insert(lines.begin(), numbered(std::to_string(e.number), fmt::format("{:.9g}", e.time), kind(e)));
  return lines;
}

Entry rearming_entry(const Logged& log, const EventRecord& e) {
  Entry lines;
  for (const EventRecord::Flip& f : e.flips)
    lines.push_back(numbered("", fmt::format("{:.9g}", e.time),
                             fmt::format("{} is {} again, past its hysteresis, and armed: no event",
                                         text_of(log.program, log.program.relations[f.relation].origin), f.value ? "true" : "false")));
  return lines;
}

Entry spell_entry(const Logged& log, const runtime::Chattering& c) {
  const Index origin = log.program.relations[c.relation].origin;
  return {numbered("", "", fmt::format("chattering from {:.9g} to {:.9g}: {} flips {} times, from here on not listed one by one{}",
                                       c.from, c.to, text_of(log.program, origin), c.events, at(log.program, origin)))};
}

std::string cause_in_brief(const Logged& log, const EventRecord& e) {
  const Program& p = log.program;
  if (!e.samples.empty()) return ticks(p, p.samples[e.samples.front()].origin);
  if (!e.clocks.empty()) return ticks(p, p.clocks[e.clocks.front()].origin);
  if (!e.delays.empty()) return comes_out(p, p.delays[e.delays.front()].origin);
  if (!e.spatial_distributions.empty()) return comes_out(p, p.spatial_distributions[e.spatial_distributions.front()].origin);
  if (!e.rounded.empty()) return rounded(p, e.rounded.front());
  return e.flips.empty() ? kind(e) : becomes(p, e.flips.front());
}

std::string changes_in_brief(const Logged& log, const EventRecord& e) {
  std::string text;
  std::size_t n = 0;
  for (const EventRecord::Change& c : e.changes) {
    if (is_alias(log.program, e, c) || ++n > shown_in_brief) continue;
    const runtime::Variable& variable = log.program.variables[c.variable];
    text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", variable.name, change(log, variable, c.before, c.after));
  }
  return n > shown_in_brief ? text + fmt::format(", and {} more", n - shown_in_brief) : text;
}

std::string pattern_of(const EventRecord& e) {
  std::string text = fmt::format("{}|{}|{}|{}|{}|{}|{}", int(e.kind), e.rearming, e.rounds, fmt::join(e.samples, " "), fmt::join(e.clocks, " "),
                                 fmt::join(e.delays, " "), fmt::join(e.spatial_distributions, " "));
  for (const auto& f : e.flips) text += fmt::format("|f{} {} {} {}", f.relation, f.value, f.hysteresis, f.round);
  for (const auto& f : e.rounded) text += fmt::format("|n{}", f.function);
  for (const auto& f : e.fired)
    text += fmt::format("|w{} {} {} {}", f.when, f.round, fmt::join(f.elements, ","), fmt::join(f.already_true, ","));
  for (const Index k : e.transitions) text += fmt::format("|m{}", k);
  for (const auto& f : e.resets) text += fmt::format("|r{} {}", f.reinit, f.round);
  for (const auto& c : e.changes) text += fmt::format("|c{}", c.variable);
  for (const auto& s : e.steps) text += fmt::format("|s{} {}", s.variable, s.round);
  for (const auto& f : e.warnings) text += fmt::format("|a{} {}", f.number, f.text);
  for (const auto& f : e.terminations) text += fmt::format("|t{}", f.number);
  if (e.failed) text += "|failed";
  return text;
}

}  // namespace mosim::report
