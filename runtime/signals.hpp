#pragma once
// What inputs of the model follow during a run: functions of time, or tables of time and value.

#include <cstddef>
#include <functional>
#include <limits>
#include <vector>

#include "runtime/program.hpp"

namespace mosim::runtime {

struct Machine;

struct Signal {
  Index variable = none;                    // in Program::variables: an input
  std::function<double(double)> function;   // of time, s; continuous. Empty: the table
  std::vector<double> times, values;        // as many; times do not fall. Two alike are a jump. Before the first and behind the last, these
  bool holds = false;                       // each value up to the next time; else straight lines between them
};

/// Where a run is in it.
struct SignalState {
  const Signal* signal = nullptr;
  Slot slot = 0;
  double factor = 1, offset = 0;            // w[slot] = factor * value + offset
  std::size_t passed = 0;                   // so many times of the table: never one that lies ahead
};

/// Every instant that is looked at gets its inputs here.
void set_time(Machine& machine, double time);

/// The next time of a table; infinity: there is none.
double next_knot(const Machine& machine);

enum class Knot { none, bend, jump };
/// Goes on in tables that have a time at the machine's, or before. A jump is put among Machine::settings, for the event at hand.
Knot pass_knots(Machine& machine);

/// At the start: values that jump right there have jumped.
void begin_signals(Machine& machine, const std::vector<Signal>& signals);

}  // namespace mosim::runtime
