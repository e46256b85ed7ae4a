#include "cli/event_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <vector>

#include "cli/event_entry.hpp"
#include "cli/wording.hpp"

namespace mosim::cli {

namespace {

using runtime::EventRecord;
using runtime::Index;
using runtime::Program;

struct Numbered {
  Entry lines;
  std::uint64_t number;     // of its event, or of the one before
};

std::string heading(const Logged& log) {
  const Program& p = log.program;
  std::string text = fmt::format("Events of {} from {:.10g} to {:.10g} s\n\n", p.model, log.options.start, log.result.time);
  if (!p.relations.empty() || !p.event_functions.empty()) text += "crossing functions\n";
  std::size_t number = 0;
  for (Index k = 0; k < p.relations.size(); ++k) {
    const runtime::Relation& relation = p.relations[k];
    text += fmt::format("{:>5}  {}  ({}): {}\n", ++number, text_of(p, relation.origin), place(p, relation.origin),
                        relation.time_event ? "known in advance" : "searched for, hysteresis " + hysteresis_of(log, k));
  }
  for (const runtime::EventFunction& f : p.event_functions)
    text += fmt::format("{:>5}  {}  ({}): searched for\n", ++number, text_of(p, f.origin), place(p, f.origin));
  return text + (number ? "\n" : "") + "event  time (s)         what happens\n";
}

/// Spells of chattering stand where they end.
struct Spells {
  const Logged& log;
  std::vector<runtime::Chattering> list;
  std::size_t next = 0;
  explicit Spells(const Logged& of) : log(of), list(of.result.chattering) {
    std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.from < b.from; });
  }
  void write_until(double time, std::vector<Numbered>& entries) {
    for (; next < list.size() && list[next].to <= time; ++next)
      entries.push_back({spell_entry(log, list[next]), entries.empty() ? 0 : entries.back().number});
  }
};

/// Where a run that failed came to its end.
void add_failure(const Logged& log, std::vector<Numbered>& entries) {
  if (log.result.ending != runtime::Ending::failed) return;
  const auto is_error = [](const runtime::Message& m) { return m.severity == runtime::Severity::error; };
  const auto m = std::find_if(log.result.messages.rbegin(), log.result.messages.rend(), is_error);
  if (m == log.result.messages.rend()) return;
  entries.push_back({{fmt::format("{:>5}  {:<15.9g}  the run fails: {}{}", "", m->time, m->cause, at(log.program, m->origin))},
                     entries.empty() ? 0 : entries.back().number});
}

std::vector<Numbered> in_full(const Logged& log) {
  std::vector<Numbered> entries;
  Spells spells(log);
  for (const EventRecord& e : log.result.events) {
    spells.write_until(e.time, entries);
    entries.push_back({e.rearming ? rearming_entry(log, e) : event_entry(log, e), e.number});
  }
  spells.write_until(HUGE_VAL, entries);
  add_failure(log, entries);
  return entries;
}

/// An event together with the rearmings that follow it.
struct Group {
  std::vector<const EventRecord*> records;
  std::string pattern;
};

std::vector<Group> groups(const std::vector<EventRecord>& events) {
  std::vector<Group> list;
  for (const EventRecord& e : events) {
    if (list.empty() || !e.rearming) list.emplace_back();
    list.back().records.push_back(&e);
    list.back().pattern += pattern_of(e) + "\n";
  }
  return list;
}

std::vector<Numbered> in_brief(const Logged& log) {
  std::vector<Numbered> entries;
  std::unordered_map<std::string, std::uint64_t> known;   // pattern, to the first event that has it
  Spells spells(log);
  const std::vector<Group> list = groups(log.result.events);
  for (std::size_t k = 0; k < list.size(); ++k) {
    const EventRecord& e = *list[k].records.front();
    spells.write_until(e.time, entries);
    const auto [like, is_new] = known.try_emplace(list[k].pattern, e.number);
    if (is_new || e.rearming) {
      for (const EventRecord* r : list[k].records)
        entries.push_back({r->rearming ? rearming_entry(log, *r) : event_entry(log, *r), r->number});
      continue;
    }
    // As many as change nothing and are alike.
    std::size_t last = k;
    if (e.changes.empty())
      while (last + 1 < list.size() && list[last + 1].pattern == list[k].pattern) ++last;
    const EventRecord& end = *list[last].records.front();
    const std::string changes = changes_in_brief(log, e);
    const std::string number = last == k ? fmt::format("{:>5}", e.number) : fmt::format("{:>5} to {}", e.number, end.number);
    const std::string time = last == k ? fmt::format("{:.9g}", e.time) : fmt::format("{:.6g} to {:.6g}", e.time, end.time);
    entries.push_back({{fmt::format("{}  {:<15}  {}, as at {}{}", number, time, cause_in_brief(log, e), like->second,
                                    changes.empty() ? ", nothing changes" : ": " + changes)}, end.number});
    k = last;
  }
  spells.write_until(HUGE_VAL, entries);
  add_failure(log, entries);
  return entries;
}

}  // namespace

std::string event_text(const Program& p, const runtime::Options& o, const runtime::Result& r) {
  const Logged log = make_logged(p, o, r);
  std::string text = heading(log);
  for (const Numbered& e : in_full(log))
    for (const std::string& line : e.lines) text += line + "\n";
  return text;
}

std::string event_text(const Program& p, const runtime::Options& o, const runtime::Result& r, const LogPage& page) {
  const Logged log = make_logged(p, o, r);
  std::vector<Numbered> entries = in_brief(log);
  std::size_t total = 0;
  for (Numbered& e : entries) {
    Entry wrapped;
    for (const std::string& line : e.lines) append_wrapped(wrapped, line, page.columns, entry_margin + 4);
    e.lines = std::move(wrapped);
    total += e.lines.size();
  }
  std::string text = wrapped(heading(log), page.columns, 9);
  const auto write = [&](const Numbered& e) {
    for (const std::string& line : e.lines) text += line + "\n";
  };
  if (total <= page.lines) {
    for (const Numbered& e : entries) write(e);
    return text;
  }
  // Two thirds of the beginning, one of the end, whole entries.
  std::size_t first = 0, last = entries.size(), lines = 0;
  while (first < last && lines + entries[first].lines.size() <= page.lines * 2 / 3) lines += entries[first++].lines.size();
  while (last > first && lines + entries[last - 1].lines.size() <= page.lines) lines += entries[--last].lines.size();
  for (std::size_t k = 0; k < first; ++k) write(entries[k]);
  if (first < last)
    text += wrapped(fmt::format("  ...  events {} to {} are left out here: in a pipe, or with --events FILE.json, they are not",
                                entries[first].number, entries[last - 1].number), page.columns, 7);
  for (std::size_t k = last; k < entries.size(); ++k) write(entries[k]);
  return text;
}

}  // namespace mosim::cli
