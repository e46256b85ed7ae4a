#include "runtime/courses.hpp"

#include <algorithm>

namespace mosim::runtime {

namespace {

constexpr std::size_t most_last = 128;      // a spell of chattering is recognised before that, however it began
constexpr std::size_t most_findings = 64;   // of a kind; the report shows fewer

std::span<const Mention> variables_of(const Program& program, Index relation) {
  const Index origin = program.relations[relation].origin;
  return origin == none ? std::span<const Mention>() : program.origins[origin].variables;
}

Courses::Instant now(const Machine& m, Index relation) {
  Courses::Instant instant{m.memory[slot_time], {}};
  for (const Mention& variable : variables_of(*m.program, relation)) instant.values.push_back(m.memory[variable.slot]);
  return instant;
}

void hold_one(Courses::Watch& watch, double time) {
  if (!watch.held.empty() && watch.held.back().time == time) return;
  const auto at = std::find_if(watch.last.rbegin(), watch.last.rend(), [&](const Courses::Instant& i) { return i.time <= time; });
  if (at == watch.last.rend() || watch.held.size() >= 2 * most_findings) return;
  watch.held.push_back(*at);
}

const Variable* recorded_variable(const Program& program, const std::string& name, Index& index) {
  for (index = 0; index < program.variables.size(); ++index) {
    const Variable& variable = program.variables[index];
    const bool varies = variable.kind != Kind::parameter && variable.kind != Kind::constant && variable.type == Type::real;
    if (varies && variable.name == name) return &variable;
  }
  return nullptr;
}

void add_course(const Courses& courses, const Machine& m, const Trajectory& t, Result& result, Index relation, double from) {
  const std::span<const Mention> variables = variables_of(*m.program, relation);
  if (m.program->relations[relation].origin == none || result.rows == 0) return;
  const Courses::Watch& watch = courses.watches[relation];
  const Courses::Instant* then = nullptr;
  for (const auto* list : {&watch.held, &watch.last})
    for (const Courses::Instant& instant : *list)
      if (instant.time <= from && (!then || instant.time >= then->time)) then = &instant;
  if (!then) return;
  Course course{relation, from, {}};
  for (std::size_t k = 0; k < variables.size(); ++k) {
    Index index = 0;
    const Variable* const variable = recorded_variable(*m.program, name_of(*m.program, variables[k]), index);
    if (!variable) continue;
    const double sign = variable->negated ? -1 : 1;
    const auto column = std::find(t.columns.begin(), t.columns.end(), index);
    const bool is_recorded = column != t.columns.end() && t.rows() > 0;
    const double at_end = is_recorded ? t.values[(t.rows() - 1) * t.width() + std::size_t(column - t.columns.begin()) + 1]
                                      : sign * m.memory[variable->slot];
    course.values.push_back({index, sign * then->values[k], at_end});
  }
  result.courses.push_back(std::move(course));
}

}  // namespace

Courses make_courses(const Machine& m) {
  Courses courses;
  courses.watches.resize(m.program->relations.size());
  for (Index k = 0; k < courses.watches.size(); ++k)
    if (!m.program->relations[k].time_event) courses.watches[k].held.push_back(now(m, k));
  return courses;
}

void note_flips(Courses& courses, const Machine& m, const EventRecord& record) {
  for (const EventRecord::Flip& flip : record.flips) {
    if (m.program->relations[flip.relation].time_event) continue;
    std::vector<Courses::Instant>& last = courses.watches[flip.relation].last;
    if (!last.empty() && last.back().time == record.time) last.pop_back();
    if (last.size() >= most_last) last.erase(last.begin(), last.begin() + most_last / 2);
    last.push_back(now(m, flip.relation));
  }
}

void hold(Courses& courses, const std::vector<Zeno>& zeno, const std::vector<Chattering>& chattering) {
  for (std::size_t k = 0; k < std::min(zeno.size(), most_findings); ++k) hold_one(courses.watches[zeno[k].relation], zeno[k].last);
  for (; courses.spells < std::min(chattering.size(), most_findings); ++courses.spells)
    hold_one(courses.watches[chattering[courses.spells].relation], chattering[courses.spells].from);
}

void finish(const Courses& courses, const Machine& m, const Trajectory& last_rows, Result& result) {
  if (courses.watches.empty()) return;
  const auto add = [&](const auto& list, auto instant) {
    for (std::size_t k = 0; k < std::min(list.size(), most_findings); ++k) add_course(courses, m, last_rows, result, list[k].relation, instant(list[k]));
  };
  add(result.zeno, [](const Zeno& z) { return z.last; });
  add(result.chattering, [](const Chattering& c) { return c.from; });
  add(result.unarmed, [](const Unarmed& u) { return u.since; });
}

}  // namespace mosim::runtime
