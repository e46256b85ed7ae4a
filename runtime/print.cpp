#include <fmt/format.h>

#include <iterator>

#include "runtime/interpreter.hpp"
#include "runtime/results.hpp"

namespace mosim::runtime {

namespace {

const char* name_of(Opcode op) {
  switch (op) {
    case Opcode::end: return "end";
    case Opcode::move: return "move";
    case Opcode::negate: return "negate";
    case Opcode::not_: return "not";
    case Opcode::add: return "add";
    case Opcode::subtract: return "subtract";
    case Opcode::multiply: return "multiply";
    case Opcode::divide: return "divide";
    case Opcode::power: return "power";
    case Opcode::and_: return "and";
    case Opcode::or_: return "or";
    case Opcode::less: return "less";
    case Opcode::less_equal: return "less_equal";
    case Opcode::equal: return "equal";
    case Opcode::not_equal: return "not_equal";
    case Opcode::abs: return "abs";
    case Opcode::sign: return "sign";
    case Opcode::sqrt: return "sqrt";
    case Opcode::sin: return "sin";
    case Opcode::cos: return "cos";
    case Opcode::tan: return "tan";
    case Opcode::asin: return "asin";
    case Opcode::acos: return "acos";
    case Opcode::atan: return "atan";
    case Opcode::atan2: return "atan2";
    case Opcode::sinh: return "sinh";
    case Opcode::cosh: return "cosh";
    case Opcode::tanh: return "tanh";
    case Opcode::exp: return "exp";
    case Opcode::log: return "log";
    case Opcode::log10: return "log10";
    case Opcode::min: return "min";
    case Opcode::max: return "max";
    case Opcode::floor: return "floor";
    case Opcode::ceil: return "ceil";
    case Opcode::truncate: return "truncate";
    case Opcode::div: return "div";
    case Opcode::mod: return "mod";
    case Opcode::rem: return "rem";
    case Opcode::text: return "text";
    case Opcode::precedes: return "precedes";
    case Opcode::whole: return "whole";
    case Opcode::within: return "within";
    case Opcode::jump: return "jump";
    case Opcode::jump_if_zero: return "jump_if_zero";
    case Opcode::jump_if_nonzero: return "jump_if_nonzero";
    case Opcode::relation: return "relation";
    case Opcode::time_relation: return "time_relation";
    case Opcode::event_function: return "event_function";
    case Opcode::quiet_relation: return "quiet_relation";
    case Opcode::quiet_sign: return "quiet_sign";
    case Opcode::delay: return "delay";
    case Opcode::transport: return "transport";
    case Opcode::solve: return "solve";
    case Opcode::settle: return "settle";
    case Opcode::reinit: return "reinit";
    case Opcode::check: return "check";
    case Opcode::terminate: return "terminate";
  }
  return "?";
}

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
    if (writes(i.op)) written[i.a] = true;
  for (const Block& block : program.blocks)
    for (const Slot slot : block.unknowns) written[slot] = true;
  for (std::size_t k = first_free_slot; k < names.size(); ++k)
    if (!written[k] && names[k][0] == '#' && program.memory[k] != 0) names[k] = fmt::format("{}", program.memory[k]);
  for (const Pre& pre : program.pre) names[pre.pre] = fmt::format("pre({})", names[pre.value]);
  return names;
}

std::string place(const Program& program, Index origin) {
  if (origin == none || origin >= program.origins.size()) return {};
  const Origin& o = program.origins[origin];
  return fmt::format("  // {}:{}: {}", o.path, o.line, o.text);
}

void print_instruction(std::string& out, const Program& program, const std::vector<std::string>& slots, Entry at) {
  const Instruction& i = program.code[at];
  const auto slot = [&](Slot s) -> std::string { return s < slots.size() ? slots[s] : fmt::format("#{}", s); };
  auto to = std::back_inserter(out);
  fmt::format_to(to, "  {:5}  ", at);
  switch (i.op) {
    case Opcode::end: fmt::format_to(to, "end"); break;
    case Opcode::move: fmt::format_to(to, "{} := {}", slot(i.a), slot(i.b)); break;
    case Opcode::jump: fmt::format_to(to, "jump {}", i.a); break;
    case Opcode::jump_if_zero:
    case Opcode::jump_if_nonzero: fmt::format_to(to, "{} {} -> {}", name_of(i.op), slot(i.b), i.a); break;
    case Opcode::quiet_sign:
      fmt::format_to(to, "{} := sign {}, quiet relation {}", slot(i.a), slot(i.b), i.d);
      break;
    case Opcode::quiet_relation:
    case Opcode::relation: {
      const bool known = i.d < program.relations.size();
      fmt::format_to(to, "{} := {} {}: {} {} {}", slot(i.a), i.op == Opcode::relation ? "relation" : "quiet relation", i.d, slot(i.b),
                     known ? symbol_of(program.relations[i.d].comparison) : "?", slot(i.c));
      break;
    }
    case Opcode::time_relation:
      fmt::format_to(to, "{} := relation {}: time {} {}", slot(i.a), i.d,
                     i.d < program.relations.size() && program.relations[i.d].rising ? ">=" : "<", slot(i.b));
      break;
    case Opcode::event_function:
      fmt::format_to(to, "{} := event function {} of {}", slot(i.a), i.d, slot(i.b));
      break;
    case Opcode::delay: fmt::format_to(to, "{} := delay {} by {}", slot(i.a), i.d, slot(i.b)); break;
    case Opcode::transport: fmt::format_to(to, "{} := output {} of transport {}", slot(i.a), i.c, i.d); break;
    case Opcode::solve: fmt::format_to(to, "solve block {}", i.d); break;
    case Opcode::settle: fmt::format_to(to, "settle mixed {}", i.d); break;
    case Opcode::reinit: fmt::format_to(to, "reinit {} := {}", i.d, slot(i.b)); break;
    case Opcode::check: fmt::format_to(to, "check {}: {}", i.d, slot(i.b)); break;
    case Opcode::terminate: fmt::format_to(to, "terminate {}", i.d); break;
    case Opcode::text: fmt::format_to(to, "{} := text {}", slot(i.a), i.d); break;
    case Opcode::negate:
    case Opcode::not_:
    case Opcode::abs:
    case Opcode::sign:
    case Opcode::sqrt:
    case Opcode::sin:
    case Opcode::cos:
    case Opcode::tan:
    case Opcode::asin:
    case Opcode::acos:
    case Opcode::atan:
    case Opcode::sinh:
    case Opcode::cosh:
    case Opcode::tanh:
    case Opcode::exp:
    case Opcode::log:
    case Opcode::log10:
    case Opcode::floor:
    case Opcode::ceil:
    case Opcode::whole:
    case Opcode::truncate: fmt::format_to(to, "{} := {} {}", slot(i.a), name_of(i.op), slot(i.b)); break;
    default: fmt::format_to(to, "{} := {} {}, {}", slot(i.a), name_of(i.op), slot(i.b), slot(i.c)); break;
  }
  if (at < program.code_origins.size()) out += place(program, program.code_origins[at]);
  out += '\n';
}

void print_code(std::string& out, const Program& program, const std::vector<std::string>& slots,
                const std::string& title, Entry entry) {
  if (entry == none) return;
  out += title + ":\n";
  for (Entry at = entry; at < program.code.size(); ++at) {
    print_instruction(out, program, slots, at);
    if (program.code[at].op == Opcode::end) break;
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
                       place(program, relation.origin));
  }
  for (std::size_t k = 0; k < program.event_functions.size(); ++k)
    out += fmt::format("event function {}: {}{}\n", k, name_of(program.event_functions[k].rounding),
                       place(program, program.event_functions[k].origin));
  for (std::size_t k = 0; k < program.samples.size(); ++k)
    out += fmt::format("sample {}: {} from {} every {}{}\n", k, slots[program.samples[k].flag],
                       slots[program.samples[k].start], slots[program.samples[k].interval],
                       place(program, program.samples[k].origin));
  for (std::size_t k = 0; k < program.clocks.size(); ++k) {
    const BaseClock& clock = program.clocks[k];
    out += fmt::format("clock {}: {}, {} fine ticks in an interval{}\n", k,
                       clock.kind == ClockKind::rational ? "rational"
                       : clock.kind == ClockKind::real   ? "real"
                                                         : "event",
                       clock.subdivision, place(program, clock.origin));
    for (const SubClock& sub : clock.clocks)
      out += fmt::format("  {} ticks at {} + n*{}\n", slots[sub.tick], sub.shift, sub.factor);
  }
  for (std::size_t k = 0; k < program.reinits.size(); ++k)
    out += fmt::format("reinit {}: {}{}\n", k, slots[program.first_state + program.reinits[k].state],
                       place(program, program.reinits[k].origin));
  for (std::size_t k = 0; k < program.delays.size(); ++k)
    out += fmt::format("delay {}: {}{}{}{}\n", k, slots[program.delays[k].value], program.delays[k].discrete ? ", discrete" : "",
                       program.delays[k].lag != none ? fmt::format(", jumps come out {} later", slots[program.delays[k].lag])
                       : program.delays[k].varying != none ? fmt::format(", jumps come out where {} meets them", slots[program.delays[k].varying])
                                                           : "",
                       place(program, program.delays[k].origin));
  for (std::size_t k = 0; k < program.whens.size(); ++k)
    out += fmt::format("when {}: {} fires with {} condition(s){}\n", k, slots[program.whens[k].fired],
                       program.whens[k].conditions.size(), place(program, program.whens[k].origin));
}

void print_blocks(std::string& out, const Program& program, const std::vector<std::string>& slots) {
  for (std::size_t k = 0; k < program.blocks.size(); ++k) {
    const Block& block = program.blocks[k];
    std::string unknowns, residuals;
    for (const Slot slot : block.unknowns) unknowns += (unknowns.empty() ? "" : ", ") + slots[slot];
    for (const Slot slot : block.residuals) residuals += (residuals.empty() ? "" : ", ") + slots[slot];
    print_code(out, program, slots,
               fmt::format("{} block {} for {}; residuals {}", block.linear ? "linear" : "nonlinear", k, unknowns,
                           residuals),
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
  print_code(out, program, slots, "parameters", program.parameters);
  print_code(out, program, slots, "initial", program.initial);
  print_code(out, program, slots, "derivatives", program.derivatives);
  print_code(out, program, slots, "outputs", program.outputs);
  print_code(out, program, slots, "event", program.event);
  print_code(out, program, slots, "instants", program.instants);
  print_code(out, program, slots, "crossings", program.crossings);
  print_code(out, program, slots, "quiet", program.quiet);
  print_code(out, program, slots, "assertions", program.assertions);
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
