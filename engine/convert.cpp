#include "engine/convert.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "engine/render.hpp"

namespace mosim::engine {

namespace {

Place place_of(parser::Place place, const parser::Sources& sources) {
  const parser::Location at = sources.locate(place);
  if (at.line == 0) return {};
  return {std::string(at.path), at.line, at.column, at.end_column, std::string(at.text)};
}

Place place_of(const runtime::Program& program, runtime::Index origin) {
  if (origin == runtime::none) return {};
  const runtime::Spot& at = program.origins[origin].at;
  return {at.path, at.line, at.column, at.end_column, at.line_text};
}

std::string text_of(const runtime::Program& program, runtime::Index origin) { return origin == runtime::none ? std::string() : std::string(program.origins[origin].text); }

Type type_of(runtime::Type type) {
  switch (type) {
    case runtime::Type::real: return Type::real;
    case runtime::Type::integer: return Type::integer;
    case runtime::Type::boolean: return Type::boolean;
    case runtime::Type::enumeration: return Type::enumeration;
    case runtime::Type::string: return Type::string;
  }
  return Type::real;
}

Kind kind_of(runtime::Kind kind) {
  switch (kind) {
    case runtime::Kind::state: return Kind::state;
    case runtime::Kind::derivative: return Kind::derivative;
    case runtime::Kind::algebraic: return Kind::algebraic;
    case runtime::Kind::discrete: return Kind::discrete;
    case runtime::Kind::parameter: return Kind::parameter;
    case runtime::Kind::constant: return Kind::constant;
  }
  return Kind::algebraic;
}

EventKind kind_of(runtime::EventKind kind) {
  switch (kind) {
    case runtime::EventKind::initial: return EventKind::initial;
    case runtime::EventKind::time: return EventKind::time;
    case runtime::EventKind::state: return EventKind::state;
    case runtime::EventKind::clock: return EventKind::clock;
    case runtime::EventKind::terminal: return EventKind::terminal;
    case runtime::EventKind::set: return EventKind::set;
  }
  return EventKind::state;
}

std::vector<std::uint32_t> counted_from_1(const std::vector<runtime::Index>& elements) {
  std::vector<std::uint32_t> result(elements.begin(), elements.end());
  for (std::uint32_t& k : result) ++k;
  return result;
}

}  // namespace

Diagnostics diagnostics_of(const parser::Diagnostics& found, const parser::Sources& sources) {
  Diagnostics result;
  for (const parser::Diagnostic& d : found) {
    Diagnostic one;
    one.severity = d.severity == parser::Severity::error ? Severity::error : d.severity == parser::Severity::warning ? Severity::warning : Severity::note;
    one.place = place_of(d.place, sources);
    one.cause = d.cause;
    one.remedy = d.remedy;
    for (const parser::Note& note : d.notes) one.notes.push_back({place_of(note.place, sources), note.text});
    one.text = parser::render(d, sources);
    result.push_back(std::move(one));
  }
  return result;
}

Diagnostic diagnostic_of(const runtime::Message& message, const runtime::Program& program) {
  Diagnostic result;
  result.severity = message.severity == runtime::Severity::error ? Severity::error : Severity::warning;
  result.place = place_of(program, message.origin);
  result.time = message.time;
  result.cause = message.cause;
  result.remedy = message.remedy;
  result.text = render(message, program);
  return result;
}

Diagnostic diagnostic_of(const std::string& file, std::string cause, std::string remedy) {
  Diagnostic result;
  result.place.file = file;
  result.cause = std::move(cause);
  result.remedy = std::move(remedy);
  result.text = fmt::format("{}: error: {}\n  remedy: {}\n", file, result.cause, result.remedy);
  return result;
}

Variable variable_of(const runtime::Program& program, const runtime::Variable& v) {
  Variable result;
  result.name = v.name;
  result.description = v.described();
  result.unit = v.unit;
  result.display_unit = v.display_unit;
  result.quantity = v.quantity;
  result.type = type_of(v.type);
  result.kind = kind_of(v.kind);
  result.is_protected = v.is_protected;
  result.is_hidden = v.hidden;
  result.is_input = v.input;
  result.is_output = v.output;
  for (std::size_t k = 0; k < v.literals.size(); ++k) result.literals.push_back(v.literals[k]);
  result.place = place_of(program, v.origin);
  return result;
}

Event event_of(const runtime::Program& program, const runtime::EventRecord& record) {
  Event e;
  e.number = record.number;
  e.time = record.time;
  e.kind = kind_of(record.kind);
  e.rounds = record.rounds;
  e.is_rearming = record.rearming;
  const auto cause = [&](Cause::What what, runtime::Index origin, double value) { e.causes.push_back({what, text_of(program, origin), place_of(program, origin), value}); };
  for (const auto& flip : record.flips) cause(Cause::What::relation, program.relations[flip.relation].origin, flip.value);
  for (const auto& rounded : record.rounded) cause(Cause::What::rounding, program.event_functions[rounded.function].origin, rounded.value);
  for (const runtime::Index k : record.samples) cause(Cause::What::sample, program.samples[k].origin, 1);
  for (const runtime::Index k : record.clocks) cause(Cause::What::clock, program.clocks[k].origin, 1);
  for (const runtime::Index k : record.delays) cause(Cause::What::delay, program.delays[k].origin, 1);
  for (const runtime::Index k : record.spatial_distributions) cause(Cause::What::delay, program.spatial_distributions[k].origin, 1);
  for (const auto& fired : record.fired) {
    const runtime::Index origin = program.whens[fired.when].origin;
    e.fired.push_back({text_of(program, origin), place_of(program, origin), counted_from_1(fired.elements), counted_from_1(fired.already_true), fired.round});
  }
  for (const auto* list : {&record.changes, &record.initialised})
    for (const auto& change : *list) e.changes.push_back({change.variable, change.before, change.after});
  return e;
}

Statistics statistics_of(const runtime::Statistics& s) {
  return {s.steps, s.evaluations, s.jacobians, s.time_events, s.state_events, s.clock_events};
}

std::string unknown_variable(const Model& model, std::string_view name) {
  const std::string text = fmt::format("{} has no variable {}", model.name(), name);
  std::vector<std::string_view> names;
  for (const Variable& v : model.variables()) {
    if (v.name.size() > name.size() && v.name.starts_with(name) && (v.name[name.size()] == '[' || v.name[name.size()] == '.'))
      return fmt::format("{0}; it has parts of {1}, such as {2}", text, name, v.name);
    names.push_back(v.name);
  }
  const std::string near = parser::nearest(name, names);
  return near.empty() ? text : fmt::format("{}; did you mean {}?", text, near);
}

runtime::Options options_of(const Options& given, const runtime::Program& program) {
  const auto refuse = [](const std::string& why) { throw std::invalid_argument(why); };
  runtime::Options o;
  o.start = given.start.value_or(program.experiment.start.value_or(0));
  o.stop = given.stop.value_or(program.experiment.stop.value_or(o.start + 1));
  o.tolerance = given.tolerance.value_or(program.experiment.tolerance.value_or(1e-6));
  if (!given.tolerance && !(o.tolerance < 1)) refuse(fmt::format("the model asks for a tolerance of {:g}, which is relative and must be below 1", o.tolerance));
  if (given.tolerance && !(o.tolerance > 0 && o.tolerance < 1)) refuse(fmt::format("a tolerance of {:g} is not between 0 and 1", o.tolerance));
  if (o.tolerance < runtime::least_tolerance)
    refuse(fmt::format("a tolerance of {:g} is finer than double numbers allow; the finest is {:g}", o.tolerance, runtime::least_tolerance));
  if (!std::isfinite(o.start) || !std::isfinite(o.stop)) refuse(fmt::format("a run from {} to {} has no end", o.start, o.stop));
  if (!(o.stop >= o.start)) refuse(fmt::format("the stop time {} lies before the start time {}", o.stop, o.start));
  o.solver = static_cast<runtime::Solver>(given.solver);
  o.hysteresis = given.hysteresis;
  o.maximum_events = given.maximum_events;
  if (!given.machine_code) o.interpreted = std::numeric_limits<std::uint64_t>::max();
  if (given.intervals) {
    if (*given.intervals == 0) refuse("a run has at least one interval");
    o.intervals = *given.intervals;
  } else if (const auto h = given.interval ? given.interval : program.experiment.interval; h && *h > 0) {
    const double parts = (o.stop - o.start) / *h, n = std::round(parts);
    if (!(n <= 1e9)) refuse(fmt::format("an output interval of {} makes {:.3g} rows; there is room for 1e9", *h, n));
    const bool divides = n >= 1 && std::abs(parts - n) <= 1e-9 * n;   // but for rounding
    o.intervals = static_cast<std::uint32_t>(std::max(1.0, divides ? n : std::ceil(parts)));
    if (!divides) o.interval = *h;
  }
  o.record_events = given.events;
  o.interrupt = given.cancel;
  return o;
}

}  // namespace mosim::engine
