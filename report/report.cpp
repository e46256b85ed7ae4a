#include "report/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "report/wording.hpp"
#include "runtime/interpreter.hpp"

namespace mosim::report {

namespace {

using runtime::Index;
using runtime::Program;

constexpr std::size_t shown = 8;            // names in a list, so that the report stays one screen
constexpr std::size_t shown_findings = 3;   // of a kind

std::size_t count(const Program& p, runtime::Kind kind) {
  return static_cast<std::size_t>(
      std::count_if(p.variables.begin(), p.variables.end(), [&](const auto& v) { return v.kind == kind; }));
}

constexpr std::size_t margin = 14;

/// Labels, and lines behind them.
struct Page {
  std::size_t columns;   // 0: no limit
  std::string text;

  void add(std::string_view label, const std::vector<std::string>& lines) {
    if (columns == 0) {
      for (std::size_t k = 0; k < lines.size(); ++k) text += fmt::format("  {:<11} {}\n", k == 0 ? label : "", lines[k]);
    } else {
      text += wrapped(fmt::format("  {:<11} {}", label, fmt::join(lines, " ")), columns, margin);
    }
  }
};

constexpr const char* methods[]{"BDF", "Adams", "ESDIRK", "ERK", "method by choice"};   // by Solver

/// Which methods made the steps.
std::string chosen(const runtime::Statistics& s) {
  std::vector<std::string> parts;
  for (std::size_t k = 0; k < s.steps_by.size(); ++k)
    if (s.steps_by[k] > 0) parts.push_back(fmt::format("{} with {}", plural(s.steps_by[k], "step"), methods[k]));
  return fmt::format("{}; {} between them", fmt::join(parts, ", "), plural(s.method_changes, "change"));
}

/// Whether there was more than the method that a choice begins with.
bool has_chosen(const runtime::Options& o, const runtime::Statistics& s) {
  return o.solver == runtime::Solver::automatic && s.steps > s.steps_by[std::size_t(runtime::Solver::bdf)];
}

std::string run_of(const Program& p, const runtime::Options& o, const runtime::Result& r) {
  const runtime::Solver solver = o.solver == runtime::Solver::automatic && !has_chosen(o, r.statistics) ? runtime::Solver::bdf : o.solver;
  std::string text = fmt::format("{:.10g} to {:.10g} s, tolerance {:g}, {}", o.start, r.time, o.tolerance, methods[std::size_t(solver)]);
  switch (r.ending) {
    case runtime::Ending::terminated: return text + "; terminated by the model";
    case runtime::Ending::maximum_events:
      return text + fmt::format("; stopped after {}, as asked for", plural(o.maximum_events.value_or(0), "event"));
    case runtime::Ending::interrupted: return text + fmt::format("; interrupted at {:.10g} s", r.time);
    case runtime::Ending::failed: return text + fmt::format("; FAILED before {} s", o.stop);
    case runtime::Ending::stop_time: break;
  }
  (void)p;
  return text;
}

std::string assumed(const Program& p, const runtime::Result& r) {
  std::string text;
  std::vector<double> memory = r.parameters;
  std::vector<std::string> strings = r.strings;
  if (memory.empty()) {   // the run failed before it had them
    runtime::Machine machine = runtime::make_machine(p);
    if (runtime::run(machine, p.parameters, runtime::Mode::literal).ok()) {
      memory = std::move(machine.memory);
      strings = std::move(machine.strings);
    }
  }
  for (std::size_t k = 0; k < p.assumed_starts.size() && k < shown; ++k) {
    const auto& variable = p.variables[p.assumed_starts[k]];
    text += (k ? ", " : "") + variable.said();
    if (variable.slot < memory.size()) text += " = " + value_of(variable, memory[variable.slot], strings);
  }
  if (p.assumed_starts.size() > shown) text += fmt::format(" and {} more", p.assumed_starts.size() - shown);
  return text + ": start values taken as fixed, as nothing else decides them";
}

double hysteresis_of(const Program& p, const runtime::Options& o, const runtime::Result& r, Index relation) {
  const runtime::Slot slot = p.relations[relation].epsilon;
  return o.hysteresis ? *o.hysteresis : slot < r.parameters.size() ? r.parameters[slot] : 0;
}

/// How the variables in a relation went on after an instant.
std::string course_of(const Program& p, const runtime::Result& r, Index relation, double from) {
  const auto course = std::find_if(r.courses.begin(), r.courses.end(), [&](const auto& c) { return c.relation == relation && c.from == from; });
  std::string text;
  if (course == r.courses.end()) return text;
  for (const runtime::Course::Value& c : course->values) {
    const runtime::Variable& variable = p.variables[c.variable];
    text += fmt::format("{}{} from {:.4g} to {:.4g}{}{}", text.empty() ? "" : ", ", variable.said(), c.then, c.at_end,
                        variable.unit.empty() ? "" : " ", variable.unit.text());
  }
  return text;
}

std::vector<std::string> zeno(const Program& p, const runtime::Options& o, const runtime::Result& r, const runtime::Zeno& z) {
  const Index origin = p.relations[z.relation].origin;
  const std::string relation = text_of(p, origin);
  std::vector<std::string> lines;
  lines.push_back(fmt::format("{}  ({}): the intervals between its events shrink by the ratio {:.4g},", relation, place(p, origin), z.ratio));
  lines.push_back(fmt::format("so that infinitely many would pile up before {:.6g} s, the accumulation point. {} came, the last at {:.7g} s:", z.accumulation,
                              z.events, z.last));
  lines.push_back(fmt::format("from there the relation no longer leaves its hysteresis ({:.3g}) and is not armed again.",
                              hysteresis_of(p, o, r, z.relation)));
  const std::string course = course_of(p, r, z.relation, z.last);
  if (r.last_event && r.last_event->time > z.last) {
    const Index next = r.last_event->relation;
    lines.push_back(fmt::format("The run's last event is {} at {:.7g} s.{}",
                                next == runtime::none ? "another one" : text_of(p, p.relations[next].origin), r.last_event->time,
                                course.empty() ? "" : " Until " + fmt::format("{:g} s ", r.time) + "came: " + course + "."));
    return lines;
  }
  if (!course.empty()) lines.push_back(fmt::format("After that nothing stopped the motion; until {:g} s: {}.", r.time, course));
  lines.push_back("Remedy: a second surface beyond this one, as in when {h < 0, h < -eps}, that notices when the motion falls");
  lines.push_back("through the first, and a variable that ends the motion there (StableBouncingBall does that).");
  return lines;
}

std::vector<std::string> chattering(const Program& p, const runtime::Result& r, const runtime::Chattering& c) {
  const Index origin = p.relations[c.relation].origin;
  std::string relations = fmt::format("{}  ({})", text_of(p, origin), place(p, origin));
  for (const Index k : c.with)
    relations += fmt::format(" and {}  ({})", text_of(p, p.relations[k].origin), place(p, p.relations[k].origin));
  std::vector<std::string> lines;
  if (c.reinit != runtime::none) {
    const Index reset = p.reinits[c.reinit].origin;
    lines.push_back(fmt::format("{}: flipped {} times from {:.6g} {},", relations, c.events, c.from, c.slid > 0 ? "s on" : fmt::format("to {:.6g} s", c.to)));
    lines.push_back(fmt::format("as {}  ({}) sends the motion back,", text_of(p, reset), place(p, reset)));
    if (c.slid > 0) {
      lines.push_back("which leads straight over it again. Events would have followed each other ever more closely; instead the state");
      lines.push_back(fmt::format("stays where it is sent, for {:.6g} s until {:.6g} s.", c.slid, c.to));
    } else {
      lines.push_back("which leads straight over it again. Its hysteresis was");
      lines.push_back(fmt::format("widened to {:g}, within the tolerance, so that the run comes to an end; rows in between are thinned.", c.epsilon));
    }
  } else if (c.slid > 0) {
    lines.push_back(fmt::format("{}: flipped {} times from {:.6g} s on,", relations, c.events, c.from));
    lines.push_back("as the motion on either side leads straight back to the surface between them. Events would have followed each");
    lines.push_back(fmt::format("other ever more closely; instead the solution follows that surface, for {:.6g} s until {:.6g} s: its derivatives are", c.slid, c.to));
    lines.push_back("the mean of both sides that stays on it (Filippov's solution).");
  } else {
    lines.push_back(fmt::format("{}: flipped {} times from {:.6g} to {:.6g} s,", relations, c.events, c.from, c.to));
    lines.push_back("as the motion on either side leads straight back to the surface between them. Its hysteresis was");
    lines.push_back(fmt::format("widened to {:g}, within the tolerance, so that the run comes to an end; rows in between are thinned.", c.epsilon));
  }
  const std::string course = course_of(p, r, c.relation, c.from);
  if (!course.empty()) lines.push_back("From there to the end: " + course + ".");
  const std::string thresholds = "Remedy: two thresholds, one to switch on and one to switch off,";
  lines.push_back(thresholds + (p.relations[c.relation].quiet ? " or a smooth function in place of the jump." : " or a smooth function in place of the jump."));
  return lines;
}

bool is_told_of(const runtime::Result& r, Index relation) {
  return std::any_of(r.chattering.begin(), r.chattering.end(), [&](const runtime::Chattering& c) {
    return c.relation == relation || std::find(c.with.begin(), c.with.end(), relation) != c.with.end();
  });
}

std::vector<std::string> watched(const Program& p, const runtime::Result& r, const runtime::Watched& w) {
  const Index origin = p.relations[w.relation].origin;
  return {fmt::format("{}  ({}): makes no events of its own (noEvent or sign), but the derivatives jump across it", text_of(p, origin), place(p, origin)),
          fmt::format("back and forth, and the steps shrank. From {:.6g} s on it is an event when it changes{}", w.since,
                      is_told_of(r, w.relation) ? ": see above." : ".")};
}

std::vector<std::string> unarmed(const Program& p, const runtime::Result& r, const runtime::Unarmed& u) {
  const Index origin = p.relations[u.relation].origin;
  const std::string reset = fmt::format("{}  ({})", text_of(p, p.reinits[u.reinit].origin), place(p, p.reinits[u.reinit].origin));
  std::vector<std::string> lines;
  lines.push_back(fmt::format("{}  ({}): changed at {:.7g} s, and its when-clause fired:", text_of(p, origin), place(p, origin), u.since));
  lines.push_back(reset + " was to turn the motion back. It did not:");
  lines.push_back("the relation holds as it does to the end of the run, and a when-clause fires only when its condition becomes true.");
  const std::string course = course_of(p, r, u.relation, u.since);
  if (!course.empty()) lines.push_back("From there to the end: " + course + ".");
  lines.push_back("Remedy: a start on the other side, a reset that leaves the surface, or a second surface and a variable that ends");
  lines.push_back("the motion there (StableBouncingBall).");
  return lines;
}

std::vector<std::string> true_from_start(const Program& p, const runtime::TrueFromStart& t) {
  const runtime::When& when = p.whens[t.when];
  const Index origin = when.conditions[t.element].origin;
  std::string of_vector;
  if (when.conditions.size() > 1) of_vector = fmt::format(", element {} of {}", t.element + 1, when.conditions.size());
  std::vector<std::string> lines;
  lines.push_back(fmt::format("{}{}  ({}): this condition was true from the start, so it never became true{}.", text_of(p, origin), of_vector,
                              place(p, origin), std::isinf(t.until) ? "" : fmt::format("; after {:.7g} s, when it became false, it did not either", t.until)));
  lines.push_back(when.conditions.size() > 1 ? "A when-clause fires when one of its conditions becomes true, not while it is true: this one never fired it."
                                             : "A when-clause fires when its condition becomes true, not while it is true: this one never fired.");
  lines.push_back(fmt::format("Remedy: when {{initial(), {}}} acts at the start as well; or start values on the other side.", text_of(p, origin)));
  return lines;
}

template <class List, class Describe>
void add_findings(Page& page, std::string_view label, const List& list, const std::string& one, Describe describe_one) {
  for (std::size_t k = 0; k < list.size() && k < shown_findings; ++k) page.add(label, describe_one(list[k]));
  if (list.size() > shown_findings)
    page.add("", {fmt::format("and {} more: the event log has them all", plural(list.size() - shown_findings, one))});
}

}  // namespace

std::string report(const Program& p, const runtime::Options& o, const runtime::Result& r, const std::optional<Times>& t,
                   const std::string& output, std::size_t columns) {
  const std::string title = p.model + (p.description.empty() ? "" : " - " + p.description);
  Page page{columns, columns == 0 ? title + "\n" : wrapped(title, columns, margin)};
  page.add("simulated", {run_of(p, o, r)});
  page.add("model", {fmt::format("{}, {} algebraic, {} discrete, {}", plural(p.states.size(), "state"),
                                    count(p, runtime::Kind::algebraic), count(p, runtime::Kind::discrete),
                                    plural(crossing_functions(p), "crossing function"))});
  const auto& s = r.statistics;
  page.add("integrated", {fmt::format("{}, {}, {}", plural(s.steps, "step"), plural(s.evaluations, "evaluation"),
                                         plural(s.jacobians, "Jacobian"))});
  if (has_chosen(o, s)) page.add("chosen", {chosen(s)});
  const std::uint64_t events = s.time_events + s.state_events + s.clock_events;
  std::string by_kind = fmt::format("{}: {} state, {} time, {} clock", events, s.state_events, s.time_events, s.clock_events);
  if (s.rearmings) by_kind += fmt::format("; relations armed again: {}", s.rearmings);
  page.add("events", {by_kind});
  if (!p.assumed_starts.empty()) page.add("assumed", {assumed(p, r)});
  add_findings(page, "Zeno", r.zeno, "accumulation", [&](const runtime::Zeno& z) { return zeno(p, o, r, z); });
  add_findings(page, "chattering", r.chattering, "spell", [&](const runtime::Chattering& c) { return chattering(p, r, c); });
  add_findings(page, "watched", r.watched, "such relation", [&](const runtime::Watched& w) { return watched(p, r, w); });
  add_findings(page, "never fired", r.true_from_start, "such condition", [&](const runtime::TrueFromStart& t) { return true_from_start(p, t); });
  add_findings(page, "unarmed", r.unarmed, "such when-clause", [&](const runtime::Unarmed& u) { return unarmed(p, r, u); });
  if (t) page.add("time", {fmt::format("{:.1f} ms read, {:.1f} ms compiled, {:.1f} ms run", t->read * 1e3, t->compile * 1e3, t->run * 1e3)});
  if (!output.empty()) page.add("results", {fmt::format("{} ({})", output, plural(r.rows, "row"))});
  return std::move(page.text);
}

}  // namespace mosim::report
