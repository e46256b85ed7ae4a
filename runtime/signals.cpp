#include "runtime/signals.hpp"

#include <algorithm>
#include <limits>

#include "runtime/machine.hpp"

namespace mosim::runtime {

namespace {

double value_of(const SignalState& s, double time) {
  const Signal& signal = *s.signal;
  if (signal.function) return signal.function(time);
  if (s.passed == 0) return signal.values.front();
  const std::size_t k = s.passed - 1;
  if (signal.holds || s.passed == signal.times.size()) return signal.values[k];
  const double part = (time - signal.times[k]) / (signal.times[k + 1] - signal.times[k]);
  return (1 - part) * signal.values[k] + part * signal.values[k + 1];
}

double ahead(const SignalState& s) {
  return s.passed < s.signal->times.size() ? s.signal->times[s.passed] : std::numeric_limits<double>::infinity();
}

void pass(SignalState& s, double time) {
  while (ahead(s) <= time) ++s.passed;
}

}  // namespace

void set_time(Machine& m, double time) {
  m.memory[slot_time] = time;
  for (const SignalState& s : m.signals) m.memory[s.slot] = s.factor * value_of(s, time) + s.offset;
}

double next_knot(const Machine& m) {
  double next = std::numeric_limits<double>::infinity();
  for (const SignalState& s : m.signals) next = std::min(next, ahead(s));
  return next;
}

Knot pass_knots(Machine& m) {
  Knot knot = Knot::none;
  const double time = m.memory[slot_time];
  for (SignalState& s : m.signals) {
    if (ahead(s) > time) continue;
    pass(s, time);
    m.evaluated.forget();
    const double value = s.factor * value_of(s, time) + s.offset;
    if (value != m.memory[s.slot]) {
      m.settings.emplace_back(s.slot, value);
      knot = Knot::jump;
    } else if (knot == Knot::none) {
      knot = Knot::bend;
    }
  }
  return knot;
}

void begin_signals(Machine& m, const std::vector<Signal>& signals) {
  for (const Signal& signal : signals) {
    const Variable& v = m.program->variables[signal.variable];
    SignalState s{&signal, v.slot, 1, 0, 0};
    if (v.negated) s.factor = -1, s.offset = v.type == Type::boolean ? 1 : 0;
    pass(s, m.memory[slot_time]);
    m.signals.push_back(s);
  }
  set_time(m, m.memory[slot_time]);
}

}  // namespace mosim::runtime
