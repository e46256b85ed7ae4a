#include "report/event_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "report/event_entry.hpp"
#include "report/wording.hpp"

namespace mosim::report {

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
  if (crossing_functions(p) > 0 || !log.result.watched.empty()) text += "crossing functions\n";
  std::size_t number = 0;
  for (Index k = 0; k < p.relations.size(); ++k) {
    const runtime::Relation& relation = p.relations[k];
    if (relation.quiet) continue;
    text += fmt::format("{:>5}  {}  ({}): {}\n", ++number, text_of(p, relation.origin), place(p, relation.origin),
                        relation.time_event ? "known in advance" : "searched for, hysteresis " + hysteresis_of(log, k));
  }
  for (const runtime::EventFunction& f : p.event_functions)
    text += fmt::format("{:>5}  {}  ({}): searched for\n", ++number, text_of(p, f.origin), place(p, f.origin));
  for (const runtime::Watched& w : log.result.watched) {
    const Index origin = p.relations[w.relation].origin;
    number = number_of(p, w.relation);
    text += fmt::format("{:>5}  {}  ({}): no events of its own, searched for from {:.9g} s on, hysteresis {}\n", number, text_of(p, origin),
                        place(p, origin), w.since, hysteresis_of(log, w.relation));
  }
  return text + (number ? "\n" : "") + "event  time (s)         what happens\n";
}

/// Takes the entries in their order.
using Take = std::function<void(Numbered)>;

/// Entries between which spells of chattering stand, where they end.
struct Spells {
  const Logged& log;
  const Take& take;
  std::vector<runtime::Chattering> list;
  std::size_t next = 0;
  std::uint64_t number = 0;      // of the last event
  Spells(const Logged& of, const Take& to) : log(of), take(to), list(of.result.chattering) {
    std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.from < b.from; });
  }
  void write_until(double time) {
    for (; next < list.size() && list[next].to <= time; ++next) take({spell_entry(log, list[next]), number});
  }
  void write(Entry lines, std::uint64_t of) {
    number = of;
    take({std::move(lines), of});
  }
};

/// Where a run that failed came to its end.
void write_failure(const Logged& log, Spells& out) {
  if (log.result.ending != runtime::Ending::failed) return;
  const auto is_error = [](const runtime::Message& m) { return m.severity == runtime::Severity::error; };
  const auto m = std::find_if(log.result.messages.rbegin(), log.result.messages.rend(), is_error);
  if (m == log.result.messages.rend()) return;
  out.write({fmt::format("{:>5}  {:<15.9g}  the run fails: {}{}", "", m->time, m->cause, at(log.program, m->origin))}, out.number);
}

void write_in_full(const Logged& log, const Take& take) {
  Spells out(log, take);
  std::uint64_t position = 0;
  log.events([&](const EventRecord& e) {
    ++position;
    out.write_until(e.time);
    out.write(e.rearming ? rearming_entry(log, e) : event_entry(log, e, position), e.number);
    return true;
  });
  out.write_until(HUGE_VAL);
  write_failure(log, out);
}

/// An event together with the rearmings that follow it.
struct Group {
  struct Member {
    EventRecord record;
    std::uint64_t position;
  };
  std::vector<Member> members;
  std::string pattern;
};

/// Events as they come, each group but for its first kind in one line.
class Brief {
 public:
  Brief(const Logged& log, const Take& take) : log_(log), out_(log, take) {}

  void add(const EventRecord& e) {
    if (group_.members.empty() || !e.rearming) finish_group();
    group_.members.push_back({e, ++position_});
    group_.pattern += pattern_of(e) + "\n";
  }

  void finish() {
    finish_group();
    finish_row();
    out_.write_until(HUGE_VAL);
    write_failure(log_, out_);
  }

 private:
  static constexpr std::size_t most_patterns = 10'000;   // beyond them, a new one is told of in full each time

  /// Groups in a row that are alike and change nothing.
  struct Row {
    EventRecord first;
    std::uint64_t like, last_number;
    double last_time;
    std::string pattern;
  };

  void finish_group() {
    Group group = std::exchange(group_, {});
    if (group.members.empty()) return;
    const EventRecord& e = group.members.front().record;
    if (row_ && row_->pattern == group.pattern) {
      row_->last_number = e.number;
      row_->last_time = e.time;
      return;
    }
    finish_row();
    out_.write_until(e.time);
    const auto known = known_.find(group.pattern);
    if (known == known_.end() || e.rearming) {
      for (const Group::Member& m : group.members)
        out_.write(m.record.rearming ? rearming_entry(log_, m.record) : event_entry(log_, m.record, m.position), m.record.number);
      if (known == known_.end() && known_.size() < most_patterns) known_.emplace(std::move(group.pattern), e.number);
      return;
    }
    row_ = Row{e, known->second, e.number, e.time, e.changes.empty() ? std::move(group.pattern) : std::string()};
    if (!e.changes.empty()) finish_row();
  }

  void finish_row() {
    if (!row_) return;
    const EventRecord& e = row_->first;
    const std::string changes = changes_in_brief(log_, e);
    const bool one = row_->last_number == e.number;
    const std::string number = one ? fmt::format("{:>5}", e.number) : fmt::format("{:>5} to {}", e.number, row_->last_number);
    const std::string time = one ? fmt::format("{:.9g}", e.time) : fmt::format("{:.6g} to {:.6g}", e.time, row_->last_time);
    out_.write({fmt::format("{}  {:<15}  {}, as at {}{}", number, time, cause_in_brief(log_, e), row_->like,
                            changes.empty() ? ", nothing changes" : ": " + changes)}, row_->last_number);
    row_.reset();
  }

  const Logged& log_;
  Spells out_;
  Group group_;
  std::optional<Row> row_;
  std::uint64_t position_ = 0;
  std::unordered_map<std::string, std::uint64_t> known_;   // pattern, to the first event that has it
};

}  // namespace

void write_event_text(const Program& p, const runtime::Options& o, const runtime::Result& r, const Events& events, const Write& write) {
  const Logged log = make_logged(p, o, r, events);
  write(heading(log));
  write_in_full(log, [&](const Numbered& e) {
    for (const std::string& line : e.lines) write(line + "\n");
  });
}

void write_event_text(const Program& p, const runtime::Options& o, const runtime::Result& r, const Events& events, const LogPage& page,
                      const Write& write) {
  const Logged log = make_logged(p, o, r, events);
  // Two thirds of the beginning, one of the end, whole entries; all, if there is room.
  std::vector<Numbered> first;
  std::deque<Numbered> last;
  std::size_t first_lines = 0, last_lines = 0;
  std::optional<std::uint64_t> left_out_from, left_out_to;
  const auto leave_out = [&] {
    if (!left_out_from) left_out_from = last.front().number;
    left_out_to = last.front().number;
    last_lines -= last.front().lines.size();
    last.pop_front();
  };
  const Take take = [&](Numbered e) {
    Entry wrapped;
    for (const std::string& line : e.lines) append_wrapped(wrapped, line, page.columns, entry_margin + 4);
    e.lines = std::move(wrapped);
    const std::size_t lines = e.lines.size();
    if (last.empty() && !left_out_from && first_lines + lines <= page.lines * 2 / 3) {
      first_lines += lines;
      first.push_back(std::move(e));
      return;
    }
    last_lines += lines;
    last.push_back(std::move(e));
    while (!last.empty() && first_lines + last_lines > page.lines) leave_out();
  };
  Brief brief(log, take);
  events([&](const EventRecord& e) {
    brief.add(e);
    return true;
  });
  brief.finish();
  const auto write_entries = [&](const auto& entries) {
    for (const Numbered& e : entries)
      for (const std::string& line : e.lines) write(line + "\n");
  };
  write(wrapped(heading(log), page.columns, 9));
  write_entries(first);
  if (left_out_from)
    write(wrapped(fmt::format("  ...  events {} to {} are left out here: in a pipe, or with --events FILE.json, they are not",
                              *left_out_from, *left_out_to), page.columns, 7));
  write_entries(last);
}

}  // namespace mosim::report
