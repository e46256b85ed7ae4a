#include <fmt/format.h>

#include <iterator>

#include "runtime/kernel.hpp"
#include "runtime/opcode.hpp"
#include "runtime/results.hpp"

namespace mosim::runtime {

namespace {

const char* symbol_of(Comparison comparison) {
  switch (comparison) {
    case Comparison::less: return "<";
    case Comparison::less_equal: return "<=";
    case Comparison::greater: return ">";
    case Comparison::greater_equal: return ">=";
  }
  return "?";
}

const char* name_of(Rounding rounding) {
  return rounding == Rounding::floor ? "floor" : rounding == Rounding::ceil ? "ceil" : "truncate";
}

const char* name_of(Kind kind) {
  switch (kind) {
    case Kind::state: return "state";
    case Kind::derivative: return "derivative";
    case Kind::algebraic: return "algebraic";
    case Kind::discrete: return "discrete";
    case Kind::parameter: return "parameter";
    case Kind::constant: return "constant";
  }
  return "?";
}

// How slots are called: the variable, a fixed slot, or its number.
std::vector<std::string> slot_names(const Program& program) {
  std::vector<std::string> names(program.memory.size());
  const char* const fixed[] = {"time", "initial()", "terminal()", "lambda", "0", "1"};
  for (std::size_t k = 0; k < names.size(); ++k) names[k] = k < first_free_slot ? fixed[k] : fmt::format("#{}", k);
  for (const Variable& variable : program.variables)
    if (!variable.negated && variable.slot < names.size()) names[variable.slot] = variable.name;
  // What no code writes is a literal.
  std::vector<bool> written(names.size());
  for (const Instruction& i : program.code)
    each_written(program, i, [&](Slot slot) { written[slot] = true; });
  for (const Kernel& kernel : program.kernels) each_lane(program, kernel, [&](const Instruction& i) { written[i.a] = true; });
  for (const Block& block : program.blocks)
    for (const Slot slot : block.unknowns) written[slot] = true;
  for (std::size_t k = first_free_slot; k < names.size(); ++k)
    if (!written[k] && names[k][0] == '#' && program.memory[k] != 0) names[k] = fmt::format("{}", program.memory[k]);
  for (const Pre& pre : program.pre) names[pre.pre] = fmt::format("pre({})", names[pre.value]);
  return names;
}

std::string comment(const Program& program, Index origin) {
  if (origin == none || origin >= program.origins.size()) return {};
  const Origin o = program.origins[origin];
  return fmt::format("  // {}:{}: {}", o.at.path.text(), o.at.line, o.text);
}

/// $a, $b, $c and $d are slots, %a, %c and %d numbers.
std::string filled(const char* form, const Instruction& i, const std::vector<std::string>& slots) {
  const auto operand = [&](char which) { return which == 'a' ? i.a : which == 'b' ? i.b : which == 'c' ? i.c : i.d; };
  std::string text;
  for (const char* at = form; *at != 0; ++at) {
    const bool slot = *at == '$', number = *at == '%';
    if (!slot && !number) {
      text += *at;
      continue;
    }
    const std::uint32_t n = operand(*++at);
    text += slot && n < slots.size() ? slots[n] : (slot ? "#" : "") + std::to_string(n);
  }
  return text;
}

void print_instruction(std::string& out, const Program& program, const std::vector<std::string>& slots, const Instruction& i, Index origin) {
  const OpcodeFacts& f = facts(i.op);
  if (i.op == Opcode::quiet_relation || i.op == Opcode::relation) {
    const std::string symbol = i.d < program.relations.size() ? symbol_of(program.relations[i.d].comparison) : "?";
    out += filled((std::string("$a := ") + (i.op == Opcode::relation ? "relation" : "quiet relation") + " %d: $b " + symbol + " $c").c_str(), i, slots);
  } else if (i.op == Opcode::time_relation) {
    out += filled(i.d < program.relations.size() && program.relations[i.d].rising ? "$a := relation %d: time >= $b" : "$a := relation %d: time < $b", i, slots);
  } else if (i.op == Opcode::call && i.d < program.functions.size()) {
    out += "call " + program.functions[i.d].name;
  } else if (f.form) {
    out += filled(f.form, i, slots);
  } else {
    out += filled((std::string("$a := ") + f.name + (f.reads > 1 ? " $b, $c" : " $b")).c_str(), i, slots);
  }
  out += comment(program, origin);
  out += '\n';
}

/// The rows as they are in the first lane and in the last.
void print_kernel(std::string& out, const Program& program, const std::vector<std::string>& slots, const Kernel& kernel) {
  fmt::format_to(std::back_inserter(out), "kernel of {} lanes\n", kernel.count);
  for (const std::uint32_t lane : {0u, kernel.count - 1})
    for (const Kernel::Row& row : kernel.rows) {
      fmt::format_to(std::back_inserter(out), "  {:>9}  ", lane + 1);
      print_instruction(out, program, slots, instruction_of(program, row, lane), number_of(program, row.origin, lane));
    }
}

void print_code(std::string& out, const Program& program, const std::vector<std::string>& slots,
                const std::string& title, Entry entry) {
  if (entry == none) return;
  out += title + ":\n";
  for (Entry at = entry; at < program.code.size(); ++at) {
    fmt::format_to(std::back_inserter(out), "  {:5}  ", at);
    const Instruction& i = program.code[at];
    if (i.op == Opcode::kernel && i.d < program.kernels.size()) print_kernel(out, program, slots, program.kernels[i.d]);
    else print_instruction(out, program, slots, i, at < program.code_origins.size() ? program.code_origins[at] : none);
    if (program.code[at].op == Opcode::end || program.code[at].op == Opcode::return_) break;
  }
}

void print_variables(std::string& out, const Program& program) {
  out += "variables:\n";
  for (const Variable& variable : program.variables)
    out += fmt::format("  {} {} = {}#{}\n", name_of(variable.kind), variable.name, variable.negated ? "-" : "",
                       variable.slot);
}

void print_tables(std::string& out, const Program& program, const std::vector<std::string>& slots) {
  for (std::size_t k = 0; k < program.relations.size(); ++k) {
    const Relation& relation = program.relations[k];
    out += fmt::format("{} {}: left {} right{}{}\n", relation.quiet ? "quiet relation" : "relation", k, symbol_of(relation.comparison),
                       relation.time_event ? fmt::format(", a time event at {}", slots[relation.instant]) : "",
                       comment(program, relation.origin));
  }
  for (std::size_t k = 0; k < program.event_functions.size(); ++k)
    out += fmt::format("event function {}: {}{}\n", k, name_of(program.event_functions[k].rounding),
                       comment(program, program.event_functions[k].origin));
  for (std::size_t k = 0; k < program.samples.size(); ++k)
    out += fmt::format("sample {}: {} from {} every {}{}\n", k, slots[program.samples[k].flag],
                       slots[program.samples[k].start], slots[program.samples[k].interval],
                       comment(program, program.samples[k].origin));
  for (std::size_t k = 0; k < program.clocks.size(); ++k) {
    const BaseClock& clock = program.clocks[k];
    out += fmt::format("clock {}: {}, {} fine ticks in an interval{}\n", k,
                       clock.kind == ClockKind::rational ? "rational"
                       : clock.kind == ClockKind::real   ? "real"
                                                         : "event",
                       clock.subdivision, comment(program, clock.origin));
    for (const SubClock& sub : clock.clocks)
      out += fmt::format("  {} ticks at {} + n*{}\n", slots[sub.tick], sub.shift, sub.factor);
  }
  for (std::size_t k = 0; k < program.reinits.size(); ++k)
    out += fmt::format("reinit {}: {}{}\n", k, slots[program.first_state + program.reinits[k].state],
                       comment(program, program.reinits[k].origin));
  for (std::size_t k = 0; k < program.delays.size(); ++k)
    out += fmt::format("delay {}: {}{}{}{}\n", k, slots[program.delays[k].value], program.delays[k].discrete ? ", discrete" : "",
                       program.delays[k].lag != none ? fmt::format(", jumps come out {} later", slots[program.delays[k].lag])
                       : program.delays[k].varying != none ? fmt::format(", jumps come out where {} meets them", slots[program.delays[k].varying])
                                                           : "",
                       comment(program, program.delays[k].origin));
  for (std::size_t k = 0; k < program.whens.size(); ++k)
    out += fmt::format("when {}: {} fires with {} condition(s){}\n", k, slots[program.whens[k].fired],
                       program.whens[k].conditions.size(), comment(program, program.whens[k].origin));
}

void print_blocks(std::string& out, const Program& program, const std::vector<std::string>& slots) {
  for (std::size_t k = 0; k < program.blocks.size(); ++k) {
    const Block& block = program.blocks[k];
    std::string unknowns, residuals;
    for (const Slot slot : block.unknowns) unknowns += (unknowns.empty() ? "" : ", ") + slots[slot];
    for (const Slot slot : block.residuals) residuals += (residuals.empty() ? "" : ", ") + slots[slot];
    print_code(out, program, slots,
               fmt::format("{} block {} for {}; residuals {}; repeated from {} on", block.linear ? "linear" : "nonlinear", k, unknowns,
                           residuals, block.body),
               block.code);
  }
}

void print_mixed(std::string& out, const Program& program, const std::vector<std::string>& slots) {
  for (std::size_t k = 0; k < program.mixed.size(); ++k) {
    std::string held;
    for (const Mixed::Held& h : program.mixed[k].held) held += (held.empty() ? "" : ", ") + slots[h.value];
    print_code(out, program, slots, fmt::format("mixed {} with {}", k, held), program.mixed[k].code);
  }
}

}  // namespace

std::string print(const Program& program) {
  const std::vector<std::string> slots = slot_names(program);
  std::string out = fmt::format("program {}: {} slots, {} instructions, {} states\n", program.model,
                                program.memory.size(), program.code.size(), program.states.size());
  print_variables(out, program);
  print_tables(out, program, slots);
  for (const Function& f : program.functions) print_code(out, program, slots, "function " + f.name, f.entry);
  print_code(out, program, slots, "parameters", program.parameters);
  print_code(out, program, slots, "initial", program.initial);
  print_code(out, program, slots, "derivatives", program.derivatives);
  print_code(out, program, slots, "outputs", program.outputs);
  print_code(out, program, slots, "event", program.event);
  print_code(out, program, slots, "instants", program.instants);
  print_code(out, program, slots, "crossings", program.crossings);
  print_code(out, program, slots, "crossings_alone", program.crossings_alone);
  print_code(out, program, slots, "state_sets_alone", program.state_sets_alone);
  print_code(out, program, slots, "quiet", program.quiet);
  print_code(out, program, slots, "assertions", program.assertions);
  print_code(out, program, slots, "assertions_alone", program.assertions_alone);
  print_mixed(out, program, slots);
  print_blocks(out, program, slots);
  if (!program.jacobian.empty()) {
    out += "jacobian:";
    for (const Dependence& entry : program.jacobian) out += fmt::format(" ({}, {})", entry.derivative, entry.state);
    out += '\n';
  }
  return out;
}

}  // namespace mosim::runtime
