#include "runtime/initialise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "runtime/changeable.hpp"
#include "runtime/events.hpp"
#include "runtime/explain.hpp"
#include "runtime/interpreter.hpp"
#include "runtime/kernel.hpp"
#include "runtime/opcode.hpp"
#include "runtime/steady_state.hpp"

namespace mosim::runtime {

namespace {

constexpr double largest_epsilon = 1e298;

constexpr int pass_bound = 100;
constexpr double default_epsilon = 1e-10;
constexpr double first_work = 5e8, most_work = 1e10;   // instructions: about a second, and twenty

double epsilon_of(const Machine& m, Slot slot, const Options& options) {
  if (options.hysteresis) return *options.hysteresis;
  const double given = slot == none ? 0 : m.memory[slot];
  return given > 0 ? given : default_epsilon;
}

std::string names_of(const Machine& m, const std::vector<double>& before) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  for (const Flip& flip : m.flips) add(quote(*m.program, m.program->relations[flip.relation].origin));
  for (std::size_t k = 0; k < m.program->pre.size(); ++k) {
    const Pre& pre = m.program->pre[k];
    if (pre.discrete && pre.variable != none && m.memory[pre.value] != before[k])
      add(m.program->variables[pre.variable].said());
  }
  return text.empty() ? "an integer-valued function" : text;
}

// The initial section repeated until a pass changes nothing that is discrete.
std::optional<Message> solve_initial(Machine& m) {
  std::vector<double> before(m.program->pre.size());
  for (int pass = 0; pass < pass_bound; ++pass) {
    for (std::size_t k = 0; k < before.size(); ++k) before[k] = m.memory[m.program->pre[k].value];
    const std::uint64_t changes = m.changes;
    m.flips.clear();
    m.undetermined.clear();
    const Outcome outcome = run(m, m.program->initial, Mode::literal);
    if (!outcome.ok()) {
      Message message = explain(m, outcome);
      message.cause = "initialisation: " + message.cause;
      return message;
    }
    // What a relation used may have been computed after it: the first pass proves nothing.
    bool again = pass == 0 || m.changes != changes;
    for (std::size_t k = 0; k < before.size() && !again; ++k)
      again = m.program->pre[k].discrete && m.memory[m.program->pre[k].value] != before[k];
    if (!again) return {};
  }
  return Message{Severity::error, m.memory[slot_time], none,
                 fmt::format("initialisation: no consistent values after {} passes; what keeps changing: {}", pass_bound,
                             names_of(m, before)),
                 ""};
}

void mark_written(const Program& program, Entry code, std::vector<char>& written) {
  each_instruction(program, code, [&](const Instruction& i) {
    each_written(program, i, [&](Slot slot) { written[slot] = 1; });
    if (i.op == Opcode::settle) mark_written(program, program.mixed[i.d].code, written);
    if (i.op != Opcode::solve) return;
    for (const Slot slot : program.blocks[i.d].unknowns) written[slot] = 1;
    mark_written(program, program.blocks[i.d].code, written);
  });
}

// Unknowns that may have their start values where nothing determines them at the first instant: states and parameters with
// fixed = false (E9), and what is found anew all the time. What changes at events alone would keep a value from nowhere.
std::vector<char> slots_with_starts(const Program& program) {
  std::vector<char> result(program.memory.size(), 0);
  mark_written(program, program.derivatives, result);
  mark_written(program, program.outputs, result);
  for (std::size_t k = 0; k < program.states.size(); ++k) result[program.first_state + k] = 1;
  for (const Variable& v : program.variables)
    if (v.kind == Kind::parameter) result[v.slot] = 1;
  return result;
}

// Back to an earlier state of the initial system, but for what has happened in the world outside (E14).
void go_back(Machine& m, const std::vector<double>& memory) {
  std::vector<double> now = std::exchange(m.memory, memory);
  for (const CallOnce& call : m.program->calls_once) std::copy(now.begin() + call.done, now.begin() + call.end, m.memory.begin() + call.done);
}

// MLS 3.7.4.4: from the simplified system (lambda = 0) to the actual one, in steps that adapt.
std::optional<Message> follow_homotopy(Machine& m) {
  m.memory[slot_lambda] = 0;
  if (auto error = solve_initial(m)) {
    error->cause += " (in the simplified system of homotopy)";
    return error;
  }
  double lambda = 0, step = 0.25;
  std::vector<double> good = m.memory;
  while (lambda < 1) {
    const double next = std::min(1.0, lambda + step);
    m.memory[slot_lambda] = next;
    if (auto error = solve_initial(m)) {
      go_back(m, good);
      step /= 4;
      if (step < 1e-6) {
        error->cause += fmt::format(" (homotopy got as far as lambda = {:.6g})", lambda);
        return error;
      }
      continue;
    }
    lambda = next;
    step = std::min(0.5, step * 2);
    good = m.memory;
  }
  return {};
}

}  // namespace

std::optional<Message> initialise(Machine& m, const Options& options, EventRecord& record) {
  const Program& program = *m.program;
  m.memory[slot_time] = options.start;
  put_values(m, options.values);
  Outcome outcome = run(m, program.parameters, Mode::literal);
  // A limit may be infinite, but nothing is infinitely far from it.
  for (const Relation& r : program.relations)
    if (r.epsilon != none) m.memory[r.epsilon] = std::min(m.memory[r.epsilon], largest_epsilon);
  if (!outcome.ok()) return explain(m, outcome);
  begin_signals(m, options.signals);
  if (!options.values.empty())
    if (auto error = check_parameters(m)) return error;
  for (std::size_t k = 0; k < m.relations.size(); ++k)
    m.relations[k].epsilon = epsilon_of(m, program.relations[k].epsilon, options);
  for (std::size_t k = 0; k < m.event_functions.size(); ++k)
    m.event_functions[k].epsilon = epsilon_of(m, program.event_functions[k].epsilon, options);

  m.left_limits = m.memory;   // the start values
  m.memory[slot_initial] = 1;
  m.memory[slot_lambda] = 1;
  const std::vector<double> guess = m.memory;
  const auto relations = m.relations;
  const auto event_functions = m.event_functions;
  const auto from_start = [&] {
    go_back(m, guess);
    m.relations = relations;
    m.event_functions = event_functions;
  };
  // Of several solutions homotopy leads to the one that is meant: it comes first.
  const auto attempt = [&] {
    std::optional<Message> error = program.uses_homotopy ? follow_homotopy(m) : solve_initial(m);
    if (!error || !program.uses_homotopy) return error;
    from_start();
    if (!solve_initial(m)) error.reset();
    return error;
  };
  // Looking for a solution elsewhere may take for ever where a motion that comes to rest leads to it at once.
  m.work_bound = m.work + first_work;
  std::optional<Message> error = attempt();
  if (error && !m.wants_start) {
    const bool was_bounded = m.work > m.work_bound;
    from_start();
    m.work_bound = m.work + most_work;
    if (approach_steady_state(m) && !solve_initial(m)) {
      error.reset();
    } else if (was_bounded) {
      from_start();
      m.work_bound = m.work + most_work;
      error = attempt();
    }
  }
  if (error && m.wants_start) {
    from_start();
    m.may_keep_start = slots_with_starts(program);
    m.work_bound = m.work + most_work;
    if (!attempt()) error.reset();
    m.may_keep_start.clear();
  }
  m.work_bound = std::numeric_limits<double>::infinity();
  if (error) return error;
  if (program.initially != none) {
    outcome = run(m, program.initially, Mode::literal);
    if (!outcome.ok()) return explain(m, outcome);
  }
  for (const LateStart& start : program.starts) m.left_limits[start.variable] = m.memory[start.value];
  for (std::size_t k = 0; k < m.delays.size(); ++k) {
    const Delay& delay = program.delays[k];
    m.delays[k].maximum = m.memory[delay.maximum];
    if (delay.lag != none) m.delays[k].lag = m.memory[delay.lag];
    m.delays[k].located = delay.varying != none;
    m.delays[k].discrete = delay.discrete;
    m.delays[k].significant = std::max(1e-10, 1e-3 * options.tolerance);
  }
  for (std::size_t k = 0; k < m.spatial_distributions.size(); ++k) {
    const SpatialDistribution& t = program.spatial_distributions[k];
    std::vector<double> values;
    for (const Slot slot : t.values) values.push_back(m.memory[slot]);
    m.spatial_distributions[k] = make_distribution_line(t.points, values, m.memory[t.x], t.events, std::max(1e-10, 1e-3 * options.tolerance));
  }
  if (options.witness) options.witness(m, Options::Moment::initial);
  note_initial(m, record);
  m.memory[slot_initial] = 0;
  m.pending_reinits.clear();
  m.flips.clear();
  set_pre(m);
  outcome = evaluate_continuous(m);
  if (!outcome.ok()) return explain(m, outcome);
  outcome = run(m, program.instants, Mode::frozen);
  if (!outcome.ok()) return explain(m, outcome);
  return {};
}

}  // namespace mosim::runtime
