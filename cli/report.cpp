#include "cli/report.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace mosim::cli {

namespace {

using runtime::Origin;
using runtime::Program;

std::string place(const Program& p, runtime::Index origin) {
  if (origin == runtime::none) return "";
  const Origin& o = p.origins[origin];
  return o.line ? fmt::format("{}:{}:{}", o.path, o.line, o.column) : "";
}

std::string text(const Program& p, runtime::Index origin) { return origin == runtime::none ? "" : p.origins[origin].text; }

std::string caret(const Origin& o) {
  if (!o.line || o.line_text.empty()) return "";
  std::string under;
  for (std::uint32_t c = 1; c < o.column && c <= o.line_text.size(); ++c) under += o.line_text[c - 1] == '\t' ? '\t' : ' ';
  const std::uint32_t n = o.end_column > o.column ? o.end_column - o.column : 1;
  under += "^" + std::string(n - 1, '~');
  return fmt::format("  {}\n  {}\n", o.line_text, under);
}

std::size_t count(const Program& p, runtime::Kind kind) {
  return static_cast<std::size_t>(
      std::count_if(p.variables.begin(), p.variables.end(), [&](const auto& v) { return v.kind == kind; }));
}

std::string plural(std::size_t n, std::string_view one) { return fmt::format("{} {}{}", n, one, n == 1 ? "" : "s"); }

}  // namespace

std::string render(const runtime::Message& m, const Program& p) {
  std::string out;
  const std::string where = place(p, m.origin);
  if (!where.empty()) out += where + ": ";
  out += m.severity == runtime::Severity::error ? "error: " : "warning: ";
  out += fmt::format("at time {}: {}\n", m.time, m.cause);
  if (m.origin != runtime::none) out += caret(p.origins[m.origin]);
  if (!m.remedy.empty()) out += "  remedy: " + m.remedy + "\n";
  return out;
}

std::string report(const Program& p, const runtime::Options& o, const runtime::Result& r, const Times& t,
                   const std::string& output) {
  std::string out = p.model;
  if (!p.description.empty()) out += fmt::format(" - {}", p.description);
  out += fmt::format("\n  simulated   {} to {} s, tolerance {:g}", o.start, r.time, o.tolerance);
  if (r.ending == runtime::Ending::terminated) out += ", terminated by the model";
  if (r.ending == runtime::Ending::maximum_events) out += ", stopped after the number of events asked for";
  if (r.ending == runtime::Ending::failed) out += fmt::format(", FAILED before {} s", o.stop);
  out += fmt::format("\n  model       {}, {} algebraic, {} discrete, {}\n", plural(p.states.size(), "state"),
                     count(p, runtime::Kind::algebraic), count(p, runtime::Kind::discrete),
                     plural(p.relations.size() + p.event_functions.size(), "crossing function"));
  const auto& s = r.statistics;
  const std::uint64_t events = s.time_events + s.state_events + s.clock_events;
  out += fmt::format("  integrated  {}, {}\n", plural(s.steps, "step"), plural(s.evaluations, "evaluation"));
  out += fmt::format("  events      {}: {} state, {} time, {} clock\n", events, s.state_events, s.time_events, s.clock_events);
  if (!p.assumed_starts.empty()) {
    out += "  assumed     start values taken as fixed, as nothing else decides them:";
    for (runtime::Index v : p.assumed_starts) {
      const auto& variable = p.variables[v];
      out += fmt::format(" {}", variable.name);
      if (variable.slot < r.parameters.size()) out += fmt::format(" = {}", r.parameters[variable.slot]);
      out += ";";
    }
    out.back() = '\n';
  }
  for (const runtime::Zeno& z : r.zeno) {
    const auto origin = p.relations[z.relation].origin;
    out += fmt::format("  Zeno        {} at {} fires at intervals that shrink by {:.4g} each time: the events pile up at {:.5g} s.\n",
                       text(p, origin), place(p, origin), z.ratio, z.accumulation);
    out += fmt::format("              Its last event was at {:.7g} s; past it the relation no longer leaves its hysteresis and is silent.\n", z.last);
    out += "              To go on past that point, say what happens there: see StableBouncingBall.\n";
  }
  for (const runtime::Chattering& c : r.chattering) {
    const auto origin = p.relations[c.relation].origin;
    out += fmt::format("  chattering  {} at {} flipped {} times between {:.6g} and {:.6g} s without progress;\n",
                       text(p, origin), place(p, origin), c.events, c.from, c.to);
    out += fmt::format("              its hysteresis was widened to {:g}, within the tolerance. Rows in between are thinned.\n", c.epsilon);
    out += "              Remedy: two thresholds (a hysteresis in the model), or noEvent(...) if the switching does not matter.\n";
  }
  out += fmt::format("  time        {:.1f} ms read, {:.1f} ms compiled, {:.1f} ms run\n", t.read * 1e3, t.compile * 1e3, t.run * 1e3);
  if (!output.empty())
    out += fmt::format("  results     {} ({} rows)\n", output, r.trajectory.rows());
  return out;
}

}  // namespace mosim::cli
