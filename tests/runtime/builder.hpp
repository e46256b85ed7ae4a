#pragma once
// Assembles programs by hand. Code is emitted into whatever section is open; each emitter returns the slot it fills.

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

#include "runtime/simulate.hpp"

namespace mosim::test {

using namespace mosim::runtime;

struct Builder {
  Program p;

  Builder() {
    p.model = "Test";
    p.memory = {0, 0, 0, 1, 0, 1};
  }

  Slot slot(double value = 0) {
    p.memory.push_back(value);
    return static_cast<Slot>(p.memory.size() - 1);
  }
  Slot number(double value) { return slot(value); }

  /// `variables`: names of those that it reads.
  Index origin(const std::string& text, const std::vector<std::string>& variables = {}, std::uint32_t line = 1) {
    p.origins.spots.push_back({"test.mo", line, 1, 2, text});
    for (Index k = 0; k < p.variables.size(); ++k)
      if (std::find(variables.begin(), variables.end(), p.variables[k].name) != variables.end()) p.origins.mentions.push_back({p.variables[k].slot, k});
    return p.origins.add(static_cast<Index>(p.origins.spots.size() - 1), text);
  }

  Index variable(const std::string& name, Slot slot, Kind kind, Type type = Type::real) {
    Variable v;
    v.name = name;
    v.slot = slot;
    v.kind = kind;
    v.type = type;
    p.variables.push_back(v);
    return static_cast<Index>(p.variables.size() - 1);
  }

  /// All states at once: their slots, and those of their derivatives after them.
  Slot states(const std::vector<std::string>& names) {
    p.first_state = static_cast<Slot>(p.memory.size());
    for (const std::string& name : names) {
      const Slot s = slot();
      p.states.push_back({variable(name, s, Kind::state), 1.0});
    }
    p.first_derivative = static_cast<Slot>(p.memory.size());
    for (const std::string& name : names) variable("der(" + name + ")", slot(), Kind::derivative);
    return p.first_state;
  }
  Slot x(std::uint32_t k = 0) const { return p.first_state + k; }
  Slot dx(std::uint32_t k = 0) const { return p.first_derivative + k; }
  void depends(std::uint32_t derivative, std::uint32_t state) { p.jacobian.push_back({derivative, state}); }
  void dense_jacobian() {
    for (std::uint32_t s = 0; s < p.states.size(); ++s)
      for (std::uint32_t d = 0; d < p.states.size(); ++d) depends(d, s);
  }

  /// A discrete variable (or, without a name, a when-condition) and its pre().
  Slot discrete(const std::string& name, Slot& pre, double start = 0, Type type = Type::real) {
    const Slot value = slot(start);
    pre = slot(start);
    const Index v = name.empty() ? none : variable(name, value, Kind::discrete, type);
    p.pre.push_back({value, pre, true, v});
    return value;
  }
  Slot pre_of(Slot continuous) {
    const Slot pre = slot();
    p.pre.push_back({continuous, pre, false, none});
    return pre;
  }

  Slot emit(Opcode op, Slot b = 0, Slot c = 0, std::uint32_t d = 0) { return emit_to(slot(), op, b, c, d); }
  Slot emit_to(Slot a, Opcode op, Slot b = 0, Slot c = 0, std::uint32_t d = 0) {
    p.code.push_back({op, a, b, c, d});
    p.code_origins.push_back(current_origin);
    return a;
  }
  Index current_origin = none;

  /// Opens a section, or any piece of code.
  Entry code(const std::function<void()>& body) {
    const Entry entry = static_cast<Entry>(p.code.size());
    body();
    emit_to(0, Opcode::end);
    return entry;
  }

  Index relation(Comparison comparison, const std::string& text = "relation") {
    Relation r{};
    r.comparison = comparison;
    r.origin = origin(text);
    p.relations.push_back(r);
    return static_cast<Index>(p.relations.size() - 1);
  }
  Index time_relation(Comparison comparison, bool rising, Slot instant, const std::string& text = "time relation") {
    const Index k = relation(comparison, text);
    p.relations[k].time_event = true;
    p.relations[k].rising = rising;
    p.relations[k].instant = instant;
    return k;
  }

  /// w[result] = 1 if b becomes true: b and not pre(b).
  Slot edge(Slot b, Slot pre) { return emit(Opcode::and_, b, emit(Opcode::not_, pre)); }
  /// if w[condition] then body.
  void when(Slot condition, const std::function<void()>& body) {
    const std::size_t jump = p.code.size();
    emit_to(0, Opcode::jump_if_zero, condition);
    body();
    p.code[jump].a = static_cast<std::uint32_t>(p.code.size());
  }
};

/// The column of a variable by name (0 is time), or -1.
inline int column(const Program& p, const Result& r, const std::string& name) {
  if (name == "time") return 0;
  for (std::size_t k = 0; k < r.trajectory.columns.size(); ++k)
    if (p.variables[r.trajectory.columns[k]].name == name) return static_cast<int>(k) + 1;
  return -1;
}
inline double at(const Result& r, std::size_t row, int column) {
  return r.trajectory.values[row * r.trajectory.width() + static_cast<std::size_t>(column)];
}
inline double last(const Program& p, const Result& r, const std::string& name) {
  return at(r, r.trajectory.rows() - 1, column(p, r, name));
}
/// Instants with two rows.
inline std::vector<double> event_times(const Result& r) {
  std::vector<double> times;
  for (std::size_t row = 1; row < r.trajectory.rows(); ++row)
    if (at(r, row, 0) == at(r, row - 1, 0)) times.push_back(at(r, row, 0));
  return times;
}
inline std::string messages(const Result& r) {
  std::string text;
  for (const Message& m : r.messages) text += m.cause + "\n";
  return text;
}

}  // namespace mosim::test
