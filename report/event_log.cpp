#include "report/event_log.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "report/wording.hpp"
#include "runtime/file.hpp"

namespace mosim::report {

namespace {

using Json = nlohmann::ordered_json;
using runtime::EventKind;
using runtime::EventRecord;
using runtime::Index;
using runtime::Program;

const char* kind_word(EventKind kind) {
  switch (kind) {
    case EventKind::initial: return "initial";
    case EventKind::time: return "time";
    case EventKind::state: return "state";
    case EventKind::clock: return "clock";
    case EventKind::terminal: return "terminal";
    case EventKind::set: return "set";
  }
  return "";
}

const char* ending_word(runtime::Ending ending) {
  switch (ending) {
    case runtime::Ending::stop_time: return "stop time";
    case runtime::Ending::terminated: return "terminated";
    case runtime::Ending::maximum_events: return "maximum events";
    case runtime::Ending::failed: return "failed";
    case runtime::Ending::interrupted: return "interrupted";
  }
  return "";
}

void add_place(Json& object, const Program& p, Index origin) {
  if (origin == runtime::none || p.origins[origin].at.line == 0) return;
  const runtime::Spot& o = p.origins[origin].at;
  object["file"] = o.path;
  object["line"] = o.line;
  object["column"] = o.column;
  object["end_column"] = o.end_column;
}

void add_text(Json& object, const Program& p, Index origin) {
  object["text"] = origin == runtime::none ? "" : p.origins[origin].text;
  add_place(object, p, origin);
}

Json value_of(const runtime::Variable& variable, double value, const std::vector<std::string>& strings) {
  switch (variable.type) {
    case runtime::Type::boolean: return value != 0;
    case runtime::Type::integer: return std::abs(value) < 9.2e18 ? Json(std::int64_t(value)) : Json(value);
    case runtime::Type::enumeration: {
      if (value >= 1 && value <= double(variable.literals.size())) return variable.literals[std::size_t(value) - 1];
      return value;
    }
    case runtime::Type::string: return value >= 0 && value < double(strings.size()) ? strings[std::size_t(value)] : "";
    // JSON has no infinity.
    default: return std::isfinite(value) ? Json(value) : Json(nullptr);
  }
}

Json relations(const Program& p, const runtime::Result& result, const runtime::Options& options) {
  Json list = Json::array();
  const auto hysteresis = [&](Json& entry, runtime::Slot epsilon) {
    if (options.hysteresis) {
      entry["hysteresis"] = *options.hysteresis;
    } else if (epsilon != runtime::none && epsilon < result.parameters.size()) {
      entry["hysteresis"] = result.parameters[epsilon];
    }
  };
  for (const runtime::Relation& r : p.relations) {
    if (r.quiet) continue;
    Json entry{{"number", list.size() + 1}};
    add_text(entry, p, r.origin);
    entry["kind"] = r.time_event ? "time" : "state";
    if (!r.time_event) hysteresis(entry, r.epsilon);
    list.push_back(std::move(entry));
  }
  for (const runtime::EventFunction& f : p.event_functions) {
    Json entry{{"number", list.size() + 1}};
    add_text(entry, p, f.origin);
    entry["kind"] = "rounding";
    hysteresis(entry, f.epsilon);
    list.push_back(std::move(entry));
  }
  for (const runtime::Watched& w : result.watched) {
    const runtime::Relation& r = p.relations[w.relation];
    Json entry{{"number", number_of(p, w.relation)}};
    add_text(entry, p, r.origin);
    entry["kind"] = "state";
    hysteresis(entry, r.epsilon);
    entry["since"] = w.since;
    list.push_back(std::move(entry));
  }
  return list;
}

Json elements(const Program& p, const runtime::When& when, const std::vector<Index>& list) {
  Json result = Json::array();
  for (const Index k : list) {
    Json entry{{"element", k + 1}};
    add_text(entry, p, when.conditions[k].origin);
    result.push_back(std::move(entry));
  }
  return result;
}

/// The first is the rule.
void add_round(Json& entry, std::uint32_t round) {
  if (round > 1) entry["round"] = round;
}

Json crossed(const Program& p, const EventRecord& e) {
  Json list = Json::array();
  for (const EventRecord::Flip& flip : e.flips) {
    list.push_back({{"relation", number_of(p, flip.relation)}, {"becomes", flip.value}, {"beyond_hysteresis", flip.hysteresis}});
    add_round(list.back(), flip.round);
  }
  for (const EventRecord::Rounded& r : e.rounded)
    list.push_back({{"relation", crossing_functions(p) - p.event_functions.size() + r.function + 1}, {"becomes", std::int64_t(r.value)}});
  return list;
}

/// What asserts and terminate said, with their places.
template <class Table>
Json said(const Program& p, const std::vector<EventRecord::Said>& list, const Table& table) {
  Json result = Json::array();
  for (const EventRecord::Said& s : list) {
    Json& entry = result.emplace_back(Json{{"message", s.text}});
    add_place(entry, p, table[s.number].origin);
  }
  return result;
}

Json event(const Program& p, const runtime::Result& result, const EventRecord& e) {
  Json entry{{"number", e.number}, {"time", e.time}, {"kind", kind_word(e.kind)}, {"rounds", e.rounds}};
  entry["crossed"] = crossed(p, e);
  Json& sampled = entry["sampled"] = Json::array();
  for (const Index k : e.samples) add_text(sampled.emplace_back(Json::object()), p, p.samples[k].origin);
  Json& ticked = entry["ticked"] = Json::array();
  for (const Index k : e.clocks) add_text(ticked.emplace_back(Json::object()), p, p.clocks[k].origin);
  Json& delayed = entry["delayed"] = Json::array();
  for (const Index k : e.delays) add_text(delayed.emplace_back(Json::object()), p, p.delays[k].origin);
  for (const Index k : e.spatial_distributions) add_text(delayed.emplace_back(Json::object()), p, p.spatial_distributions[k].origin);
  Json& fired = entry["fired"] = Json::array();
  for (const EventRecord::Fired& f : e.fired) {
    const runtime::When& when = p.whens[f.when];
    Json& one = fired.emplace_back(Json::object());
    add_text(one, p, when.origin);
    one["round"] = f.round;
    one["size"] = when.conditions.size();
    one["elements"] = elements(p, when, f.elements);
    one["already_true"] = elements(p, when, f.already_true);
  }
  if (!e.transitions.empty()) {   // E16
    Json& transitions = entry["transitions"] = Json::array();
    for (const Index k : e.transitions) {
      Json& one = transitions.emplace_back(Json{{"from", p.transitions[k].from}, {"to", p.transitions[k].to}});
      add_text(one, p, p.transitions[k].origin);
      one["delayed"] = p.transitions[k].delayed;
    }
  }
  Json& resets = entry["reinitialized"] = Json::array();
  for (const EventRecord::Reset& r : e.resets) {
    const runtime::Reinit& reinit = p.reinits[r.reinit];
    const runtime::Variable& state = p.variables[p.states[reinit.state].variable];
    Json& one = resets.emplace_back(Json{{"state", state.name}, {"before", value_of(state, r.before, result.strings)}, {"after", value_of(state, r.after, result.strings)}});
    add_text(one, p, reinit.origin);
    add_round(one, r.round);
  }
  Json& changed = entry["changed"] = Json::array();
  for (const EventRecord::Change& c : e.changes) {
    const runtime::Variable& variable = p.variables[c.variable];
    Json& one = changed.emplace_back(Json{{"name", variable.name}});
    if (!variable.unit.empty()) one["unit"] = variable.unit;
    one["before"] = value_of(variable, c.before, result.strings);
    one["after"] = value_of(variable, c.after, result.strings);
    add_round(one, c.round);
  }
  if (!e.steps.empty()) {
    Json& steps = entry["steps"] = Json::array();
    for (const EventRecord::Step& s : e.steps) {
      const runtime::Variable& variable = p.variables[s.variable];
      steps.push_back({{"name", variable.name}, {"round", s.round}, {"before", value_of(variable, s.before, result.strings)},
                       {"after", value_of(variable, s.after, result.strings)}});
    }
  }
  if (e.kind == EventKind::initial) {
    Json& list = entry["initialised"] = Json::array();
    for (const EventRecord::Change& c : e.initialised) {
      const runtime::Variable& variable = p.variables[c.variable];
      Json& one = list.emplace_back(Json{{"name", variable.name}});
      if (!variable.unit.empty()) one["unit"] = variable.unit;
      one["start"] = value_of(variable, c.before, result.strings);
      one["value"] = value_of(variable, c.after, result.strings);
    }
  }
  entry["warned"] = said(p, e.warnings, p.assertions_table);
  entry["terminated"] = said(p, e.terminations, p.terminations);
  if (e.failed) entry["failed"] = true;
  return entry;
}

void add_rearmed(Json& list, const Program& p, const EventRecord& e) {
  for (const EventRecord::Flip& flip : e.flips)
    list.push_back({{"time", e.time}, {"relation", number_of(p, flip.relation)}, {"becomes", flip.value}});
}

/// The log but for what stands in its arrays of events.
Json frame(const Program& p, const runtime::Options& options, const runtime::Result& result) {
  Json log{{"format", "mosim-events"}, {"version", 1}, {"model", p.model}, {"start", options.start},
           {"stop", options.stop}, {"reached", result.time}, {"ending", ending_word(result.ending)}};
  for (const runtime::Message& m : result.messages) {
    if (m.severity != runtime::Severity::error) continue;
    Json& error = log["error"] = Json{{"time", m.time}, {"message", m.cause}};
    add_place(error, p, m.origin);
  }
  log["relations"] = relations(p, result, options);
  log["events"] = Json::array();
  log["rearmed"] = Json::array();
  Json& zeno = log["zeno"] = Json::array();
  for (const runtime::Zeno& z : result.zeno)
    zeno.push_back({{"relation", number_of(p, z.relation)}, {"ratio", z.ratio}, {"accumulation", z.accumulation}, {"last", z.last},
                    {"events", z.events}});
  Json& chattering = log["chattering"] = Json::array();
  for (const runtime::Chattering& c : result.chattering) {
    Json& entry = chattering.emplace_back(Json{{"relation", number_of(p, c.relation)}, {"from", c.from}, {"to", c.to}, {"events", c.events},
                                               {"hysteresis", c.epsilon}, {"sliding", c.slid}});
    Json& others = entry["with"] = Json::array();
    for (const Index k : c.with) others.push_back(number_of(p, k));
    if (c.reinit != runtime::none) add_text(entry["reinit"] = Json::object(), p, p.reinits[c.reinit].origin);
  }
  Json& beginning = log["true_from_start"] = Json::array();
  for (const runtime::TrueFromStart& t : result.true_from_start) {
    const runtime::When& when = p.whens[t.when];
    Json& entry = beginning.emplace_back(Json::object());
    add_text(entry["when"] = Json::object(), p, when.origin);
    entry["condition"] = elements(p, when, {t.element}).front();
    if (std::isfinite(t.until)) entry["until"] = t.until;
  }
  Json& unarmed = log["unarmed"] = Json::array();
  for (const runtime::Unarmed& u : result.unarmed) {
    Json& entry = unarmed.emplace_back(Json{{"relation", number_of(p, u.relation)}, {"since", u.since}});
    add_text(entry["when"] = Json::object(), p, p.whens[u.when].origin);
    add_text(entry["reinit"] = Json::object(), p, p.reinits[u.reinit].origin);
  }
  return log;
}

/// Names may come from files in another encoding; they must not stop the log.
std::string dump(const Json& json) { return json.dump(1, ' ', false, Json::error_handler_t::replace); }

/// Writes the members of an array into a text at the place of an empty one, each with its own call.
class Members {
 public:
  Members(runtime::File& file, std::size_t depth) : file_(file), indent_(depth, ' ') {}
  void add(const Json& member) {
    file_.buffer += (empty_ ? "[\n" : ",\n") + indent_;
    for (const char c : dump(member)) {
      file_.buffer += c;
      if (c == '\n') file_.buffer += indent_;
    }
    empty_ = false;
    if (file_.buffer.size() > (1u << 16)) (void)file_.flush();
  }
  void close() { file_.buffer += empty_ ? "[]" : "\n" + indent_.substr(1) + "]"; }

 private:
  runtime::File& file_;
  std::string indent_;
  bool empty_ = true;
};

}  // namespace

Json event_log(const Program& p, const runtime::Options& options, const runtime::Result& result, const Events& events,
               std::size_t bytes, Json& counts) {
  Json log = frame(p, options, result);
  std::size_t used = 0;
  bool full = false;
  counts = Json::object();
  events([&](const EventRecord& e) {
    if (e.rearming) return true;
    Json& count = counts[kind_word(e.kind)];
    count = (count.is_null() ? 0 : count.get<std::uint64_t>()) + 1;
    if (!full) {
      Json entry = event(p, result, e);
      used += entry.dump(-1, ' ', false, Json::error_handler_t::replace).size();
      if (used <= bytes) {
        log["events"].push_back(std::move(entry));
        return true;
      }
    }
    full = true;
    return true;
  });
  return log;
}

std::optional<std::string> write_event_log(const Program& p, const runtime::Options& options, const runtime::Result& result,
                                           const Events& events, const std::string& path) {
  runtime::File file(path);
  const std::string text = dump(frame(p, options, result)) + '\n';
  // A line of its own, which no text of the model can be: there are no line breaks in those.
  const std::string_view empty = "[]", places[] = {"\n \"events\": ", "\n \"rearmed\": "};
  std::size_t from = 0;
  for (const std::string_view place : places) {
    const std::size_t at = text.find(place, from) + place.size();
    file.buffer += text.substr(from, at - from);
    Members members(file, 2);
    events([&](const EventRecord& e) {
      if (e.rearming != (place == places[1])) return true;
      if (!e.rearming) {
        members.add(event(p, result, e));
      } else {
        Json list = Json::array();
        add_rearmed(list, p, e);
        for (const Json& one : list) members.add(one);
      }
      return file.error() == 0;
    });
    members.close();
    from = at + empty.size();
  }
  file.buffer += text.substr(from);
  (void)file.close();
  if (const auto problem = file.problem()) return "the event log: " + *problem;
  return {};
}

}  // namespace mosim::report
