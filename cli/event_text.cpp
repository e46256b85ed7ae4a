#include "cli/event_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "cli/wording.hpp"

namespace mosim::cli {

namespace {

using runtime::EventKind;
using runtime::EventRecord;
using runtime::Index;
using runtime::Program;

/// The lines of one event; the first begins with its number and time.
using Entry = std::vector<std::string>;

constexpr std::string_view margin = "                        ";

std::string kind(const EventRecord& e) {
  switch (e.kind) {
    case EventKind::initial: return "initialisation";
    case EventKind::time: return "time event";
    case EventKind::state: return "state event";
    case EventKind::clock: return "clock tick";
    case EventKind::terminal: return "end of the run";
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

std::string hysteresis(const Program& p, Index relation, const runtime::Options& o, const runtime::Result& r) {
  const runtime::Slot slot = p.relations[relation].epsilon;
  if (o.hysteresis) return fmt::format("{:g}", *o.hysteresis);
  return slot < r.parameters.size() ? fmt::format("{:.3g}", r.parameters[slot]) : "";
}

std::string flip(const Program& p, const EventRecord::Flip& f, const runtime::Options& o, const runtime::Result& r) {
  const runtime::Relation& relation = p.relations[f.relation];
  std::string line = fmt::format("{} becomes {}", text_of(p, relation.origin), f.value ? "true" : "false");
  if (f.hysteresis) line += fmt::format(", at the far side of its hysteresis of {}", hysteresis(p, f.relation, o, r));
  return line + at(p, relation.origin);
}

std::string change(const runtime::Result& r, const runtime::Variable& v, double before, double after) {
  return fmt::format("{} -> {}{}{}", value_of(v, before, r.strings), value_of(v, after, r.strings), v.unit.empty() ? "" : " ", v.unit);
}

/// Whether a line before says the same: a reinit of that state, or a change of another name for it.
bool is_said(const Program& p, const EventRecord& e, const EventRecord::Change& c) {
  const auto slot = [&](Index variable) { return p.variables[variable].slot; };
  const bool reset = std::any_of(e.resets.begin(), e.resets.end(), [&](const EventRecord::Reset& r) {
    return slot(p.states[p.reinits[r.reinit].state].variable) == slot(c.variable) && r.before == c.before && r.after == c.after;
  });
  if (reset) return true;
  for (const EventRecord::Change& earlier : e.changes) {
    if (earlier.variable == c.variable) return false;
    if (slot(earlier.variable) == slot(c.variable) && earlier.before == c.before) return true;
  }
  return false;
}

Entry event(const Program& p, const runtime::Options& o, const runtime::Result& r, const EventRecord& e) {
  Entry lines;
  const auto add = [&](const std::string& text) { lines.push_back(std::string(margin) + text); };
  for (const Index k : e.samples) add(text_of(p, p.samples[k].origin) + " ticks" + at(p, p.samples[k].origin));
  for (const Index k : e.clocks) add(text_of(p, p.clocks[k].origin) + " ticks" + at(p, p.clocks[k].origin));
  for (const EventRecord::Rounded& f : e.rounded)
    add(fmt::format("the whole number in {} becomes {:g}{}", text_of(p, p.event_functions[f.function].origin), f.value,
                    at(p, p.event_functions[f.function].origin)));
  // Causes and effects round by round; round 0 is initialisation.
  for (std::uint32_t round = 0; round <= e.rounds; ++round) {
    for (const EventRecord::Flip& f : e.flips)
      if (f.round == round) add(flip(p, f, o, r));
    for (const EventRecord::Fired& f : e.fired)
      if (f.round == round) add(fired(p, e, f));
    for (const EventRecord::Reset& f : e.resets) {
      if (f.round != round) continue;
      const runtime::Reinit& reinit = p.reinits[f.reinit];
      const runtime::Variable& state = p.variables[p.states[reinit.state].variable];
      add("  " + text_of(p, reinit.origin) + ": " + change(r, state, f.before, f.after) + at(p, reinit.origin));
    }
  }
  for (const EventRecord::Change& c : e.changes) {
    if (is_said(p, e, c)) continue;
    const runtime::Variable& variable = p.variables[c.variable];
    add("  " + variable.name + ": " + change(r, variable, c.before, c.after));
  }
  // One round acts and one finds nothing left: only more than that is worth a line.
  if (e.rounds > 2) add(fmt::format("{} rounds until nothing changed", e.rounds));
  lines.insert(lines.begin(), fmt::format("{:>5}  {:<15.9g}  {}", e.number, e.time, kind(e)));
  return lines;
}

Entry rearming(const Program& p, const EventRecord& e) {
  Entry lines;
  for (const EventRecord::Flip& f : e.flips)
    lines.push_back(fmt::format("{:>5}  {:<15.9g}  {} is {} again, past its hysteresis, and armed: no event", "", e.time,
                                text_of(p, p.relations[f.relation].origin), f.value ? "true" : "false"));
  return lines;
}

Entry spell(const Program& p, const runtime::Chattering& c) {
  const Index origin = p.relations[c.relation].origin;
  return {fmt::format("{:>5}  {:<15}  chattering from {:.9g} to {:.9g}: {} flips {} times, from here on not listed one by one{}", "",
                      "", c.from, c.to, text_of(p, origin), c.events, at(p, origin))};
}

std::string heading(const Program& p, const runtime::Options& o, const runtime::Result& r) {
  std::string text = fmt::format("Events of {} from {:.10g} to {:.10g} s\n\n", p.model, o.start, r.time);
  if (!p.relations.empty() || !p.event_functions.empty()) text += "crossing functions\n";
  std::size_t number = 0;
  for (Index k = 0; k < p.relations.size(); ++k) {
    const runtime::Relation& relation = p.relations[k];
    text += fmt::format("{:>5}  {}  ({}): {}\n", ++number, text_of(p, relation.origin), place(p, relation.origin),
                        relation.time_event ? "known in advance" : "searched for, hysteresis " + hysteresis(p, k, o, r));
  }
  for (const runtime::EventFunction& f : p.event_functions)
    text += fmt::format("{:>5}  {}  ({}): searched for\n", ++number, text_of(p, f.origin), place(p, f.origin));
  return text + (number ? "\n" : "") + "event  time (s)         what happens\n";
}

}  // namespace

std::string event_text(const Program& p, const runtime::Options& o, const runtime::Result& r, std::size_t longest) {
  std::vector<Entry> entries;
  std::vector<std::uint64_t> numbers;   // of the events, beside the entries
  std::vector<runtime::Chattering> spells = r.chattering;
  std::sort(spells.begin(), spells.end(), [](const auto& a, const auto& b) { return a.from < b.from; });
  std::size_t next = 0;
  for (const EventRecord& e : r.events) {
    for (; next < spells.size() && spells[next].to <= e.time; ++next) entries.push_back(spell(p, spells[next]));
    entries.push_back(e.rearming ? rearming(p, e) : event(p, o, r, e));
    numbers.resize(entries.size(), e.number);
  }
  for (; next < spells.size(); ++next) entries.push_back(spell(p, spells[next]));
  numbers.resize(entries.size(), r.events.empty() ? 0 : r.events.back().number);

  std::size_t total = 0;
  for (const Entry& e : entries) total += e.size();
  std::string text = heading(p, o, r);
  const auto write = [&](const Entry& e) {
    for (const std::string& line : e) text += line + "\n";
  };
  if (longest == 0 || total <= longest) {
    for (const Entry& e : entries) write(e);
    return text;
  }
  // Two thirds of the beginning, one of the end, whole entries.
  std::size_t first = 0, last = entries.size(), lines = 0;
  while (first < last && lines + entries[first].size() <= longest * 2 / 3) lines += entries[first++].size();
  while (last > first && lines + entries[last - 1].size() <= longest) lines += entries[--last].size();
  for (std::size_t k = 0; k < first; ++k) write(entries[k]);
  if (first < last)
    text += fmt::format("  ...  events {} to {} are left out here: in a pipe, or with --events FILE.json, they are not\n",
                        numbers[first], numbers[last - 1]);
  for (std::size_t k = last; k < entries.size(); ++k) write(entries[k]);
  return text;
}

}  // namespace mosim::cli
