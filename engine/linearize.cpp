#include "engine/linearize.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <unordered_map>

#include "engine/convert.hpp"
#include "engine/model.hpp"
#include "runtime/explain.hpp"
#include "runtime/interpreter.hpp"

namespace mosim {

namespace engine {

namespace {

using runtime::Index;
using runtime::Slot;

/// A variable, as the program has it: `sign` times what is in the slot.
struct Entry {
  std::string name;
  Slot slot;
  double sign;
};

Entry entry_of(const runtime::Variable& v) { return {v.name, v.slot, v.negated ? -1.0 : 1.0}; }

/// States, in the order of the program; those that are chosen during the run by the names of the variables that they are now.
std::vector<Entry> states_of(const runtime::Machine& machine) {
  const runtime::Program& program = *machine.program;
  std::unordered_map<Slot, Slot> chosen;
  for (const runtime::StateSet& set : program.state_sets) {
    for (const auto& level : set.levels)
      for (std::size_t i = 0; i < level.states.size(); ++i)
        for (std::size_t j = 0; j < level.candidates.size(); ++j)
          if (machine.memory[set.select[i * level.candidates.size() + j]] != 0) chosen[level.states[i]] = level.candidates[j];
  }
  std::unordered_map<Slot, const runtime::Variable*> names;
  for (const runtime::Variable& v : program.variables)
    if (!v.negated) names.emplace(v.slot, &v);
  std::vector<Entry> states;
  for (std::size_t k = 0; k < program.states.size(); ++k) {
    const Slot slot = program.first_state + Slot(k);
    const auto it = chosen.find(slot);
    const auto name = it == chosen.end() ? names.end() : names.find(it->second);
    states.push_back({name == names.end() ? program.variables[program.states[k].variable].name : name->second->name, slot, 1.0});
  }
  return states;
}

std::vector<std::string> names_of(const std::vector<Entry>& entries) {
  std::vector<std::string> names;
  for (const Entry& e : entries) names.push_back(e.name);
  return names;
}

std::vector<double> values_of(const std::vector<Entry>& entries, const std::vector<double>& memory) {
  std::vector<double> values;
  for (const Entry& e : entries) values.push_back(e.sign * memory[e.slot]);
  return values;
}

}  // namespace

Linearization linearize(runtime::Machine& machine, const std::vector<Variable>& variables) {
  const runtime::Program& program = *machine.program;
  if (machine.sliding) throw std::invalid_argument("the motion follows a surface here, between two sides: there is no one linear system for it");
  std::vector<Entry> by = states_of(machine), of, inputs, outputs;
  const std::size_t n = by.size();
  for (std::size_t k = 0; k < n; ++k) of.push_back({"", program.first_derivative + Slot(k), 1.0});
  for (std::size_t k = 0; k < variables.size(); ++k) {
    if (variables[k].type != Type::real) continue;
    if (variables[k].is_input) inputs.push_back(entry_of(program.variables[k]));
    if (variables[k].is_output) outputs.push_back(entry_of(program.variables[k]));
  }
  Linearization result;
  result.time = machine.memory[runtime::slot_time];
  result.states = names_of(by);
  result.inputs = names_of(inputs);
  result.outputs = names_of(outputs);
  const std::size_t m = inputs.size(), p = outputs.size();
  by.insert(by.end(), inputs.begin(), inputs.end());
  of.insert(of.end(), outputs.begin(), outputs.end());

  const std::vector<double> memory = machine.memory;
  const Index termination = machine.termination;
  std::vector<double> all((n + p) * (n + m));   // row by row: [A B; C D]
  constexpr std::size_t width = runtime::max_width;
  std::vector<double> tangent(machine.memory.size() * width);
  for (std::size_t first = 0; first == 0 || first < by.size(); first += width) {
    const std::size_t last = std::min(first + width, by.size());
    for (std::size_t k = 0; k < by.size(); ++k) std::fill_n(tangent.begin() + std::ptrdiff_t(by[k].slot * width), width, 0.0);
    for (std::size_t k = first; k < last; ++k) tangent[by[k].slot * width + (k - first)] = by[k].sign;
    // What depends on inputs and on nothing else that varies is computed at events alone.
    const bool by_inputs = last > n;
    for (const runtime::Entry section : {by_inputs ? program.event : runtime::none, program.derivatives, program.outputs}) {
      machine.memory = memory;
      machine.needs_slopes = true;
      const runtime::Outcome outcome = runtime::run_dual(machine, section, width, tangent.data());
      machine.needs_slopes = false;
      machine.pending_reinits.clear();
      machine.termination = termination;
      if (outcome.ok()) continue;
      result.diagnostics.push_back(diagnostic_of(runtime::explain(machine, outcome), program));
      return result;
    }
    for (std::size_t row = 0; row < of.size(); ++row)
      for (std::size_t k = first; k < last; ++k) {
        const double value = of[row].sign * tangent[of[row].slot * width + (k - first)];
        if (!std::isfinite(value)) {
          const std::string name = row < n ? "der(" + by[row].name + ")" : of[row].name;
          result.diagnostics.push_back(diagnostic_of({runtime::Severity::error, result.time, runtime::none, fmt::format("{} has no derivative by {} here", name, by[k].name), ""}, program));
          return result;
        }
        all[row * by.size() + k] = value;
      }
  }
  const auto part = [&](std::size_t row, std::size_t rows, std::size_t column, std::size_t columns) {
    std::vector<double> values;
    for (std::size_t i = row; i < row + rows; ++i)
      for (std::size_t k = column; k < column + columns; ++k) values.push_back(all[i * by.size() + k]);
    return values;
  };
  result.a = part(0, n, 0, n);
  result.b = part(0, n, n, m);
  result.c = part(n, p, 0, n);
  result.d = part(n, p, n, m);
  result.x = values_of({by.begin(), by.begin() + std::ptrdiff_t(n)}, machine.memory);
  result.u = values_of(inputs, machine.memory);
  result.y = values_of(outputs, machine.memory);
  result.der_x = values_of({of.begin(), of.begin() + std::ptrdiff_t(n)}, machine.memory);
  return result;
}

}  // namespace engine

Linearization Model::linearize(double time, Options options) const {
  options.stop = time;
  options.results.emplace();
  options.events = false;
  Run run = start(std::move(options));
  while (run.goes_on()) (void)run.advance_to(time);
  Linearization found;
  const bool arrived = run.time() == time;
  if (arrived) found = run.linearize();
  Result result = run.finish();
  if (result.ending == Ending::failed || !arrived) {
    found = {};
    found.time = result.time;
    found.diagnostics = std::move(result.diagnostics);
    if (result.ending != Ending::failed)
      found.diagnostics.push_back(engine::diagnostic_of({runtime::Severity::error, result.time, runtime::none, fmt::format("the run ended here, before {} s", time), ""}, impl_->program));
  }
  return found;
}

}  // namespace mosim
