#include "runtime/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "runtime/diagnosis.hpp"
#include "runtime/kernel.hpp"
#include "runtime/opcode.hpp"
#include "runtime/text.hpp"

namespace mosim::runtime {

std::string place(const Program& program, Index origin) {
  if (origin == none || origin >= program.origins.size()) return {};
  const Spot& where = program.origins[origin].at;
  return where.line == 0 ? where.path.text() : fmt::format("{}:{}", where.path.text(), where.line);
}

std::string text_of(const Program& program, Index origin) {
  if (origin == none || origin >= program.origins.size()) return "a generated equation";
  return fmt::format("`{}`", program.origins[origin].text);
}

std::string quote(const Program& program, Index origin) {
  const std::string where = place(program, origin);
  return text_of(program, origin) + (where.empty() ? "" : " (" + where + ")");
}

std::string name_of(const Program& program, const Mention& mention) {
  const std::string& name = program.variables[mention.variable].name;
  switch (mention.part) {
    case Part::value: return name;
    case Part::derivative: return "der(" + name + ")";
    case Part::pre: return "pre(" + name + ")";
    case Part::previous: return "previous(" + name + ")";
  }
  return name;
}

std::string name_of(const Program& program, Slot slot) {
  for (const Variable& variable : program.variables)
    if (variable.slot == slot && !variable.negated) return variable.said();
  return fmt::format("#{}", slot);
}

namespace {

struct Explanation {
  std::string cause, remedy;
};

constexpr const char* elsewhere = "check the equations; if there is a solution elsewhere, start values of its unknowns near it lead there";

Explanation explain_block(Machine& m, Fault fault) {
  const Block& block = m.program->blocks[m.failed_block];
  const std::size_t size = (block.untorn == none ? block : m.program->blocks[block.untorn]).unknowns.size();
  const std::string which = fmt::format("the {} system of {} equation{} around {}", block.linear ? "linear" : "nonlinear", size, size == 1 ? "" : "s",
                                        text_of(*m.program, block.origin));
  if (fault == Fault::block_singular && block.linear && block.unknowns.size() == 1 && !block.names.empty() && block.untorn == none) {
    const std::string values = block.origin == none ? "" : values_text(m, m.program->origins[block.origin].variables);
    return {fmt::format("{} cannot be solved for {}: what {} is multiplied with is 0{}", text_of(*m.program, block.origin),
                        block.names[0], block.names[0], values.empty() ? "" : " with " + values),
            ""};
  }
  if (fault == Fault::block_singular && !block.linear)
    if (const auto why = explain_no_solution(m, m.failed_block))
      return {which + " could not be solved; " + *why, elsewhere};
  if (fault == Fault::block_singular) {
    const auto why = explain_singular(m, m.failed_block);
    return {which + " is singular: " + (why ? *why : m.block_detail), ""};
  }
  if (fault == Fault::block_unsatisfied)
    return {which + " is too badly conditioned to be solved: " + m.block_detail, "coefficients that are many orders apart may be why"};
  if (const auto why = explain_no_solution(m, m.failed_block))
    return {which + " could not be solved; " + *why, elsewhere};
  return {which + " could not be solved: " + m.block_detail, "better start values for its unknowns may help"};
}

// Machine::memory holds the derivatives that were found, and the states they were asked for.
Explanation explain_state(const Machine& m, Index& origin) {
  const Program& program = *m.program;
  for (std::size_t k = 0; k < program.states.size(); ++k) {
    const double state = m.memory[program.first_state + k], derivative = m.memory[program.first_derivative + k];
    if (std::isfinite(state) && std::isfinite(derivative)) continue;
    const Variable& variable = program.variables[program.states[k].variable];
    origin = variable.origin;
    if (!std::isfinite(state)) return {fmt::format("{} is too large for a number", variable.said()), ""};
    return {fmt::format("the derivative of {} is not a finite number, with {} = {:.9g}", variable.said(), variable.said(), state), ""};
  }
  return {"the motion is too fast for numbers", ""};
}

Explanation explain_operation(const Machine& m, const Outcome& outcome) {
  const Instruction i = instruction_at(*m.program, outcome);
  const auto operand = [&](std::uint32_t k) { return k < m.memory.size() ? m.memory[k] : 0; };   // not all are slots
  const double x = operand(i.b), y = operand(i.c);
  switch (outcome.fault) {
    case Fault::root_of_negative: return {fmt::format("square root of a negative number, {:.9g}", x), ""};
    case Fault::no_slope: return {"this has no derivative here: its slope is infinite", ""};
    case Fault::log_of_nonpositive: return {fmt::format("logarithm of {:.9g}, which is not positive", x), ""};
    case Fault::division_by_zero: return {fmt::format("division by zero: {:.9g} / 0", x), ""};
    case Fault::zero_to_negative: return {fmt::format("zero to a negative power, 0 ^ {:.9g}", y), ""};
    case Fault::negative_to_fraction:
      return {fmt::format("a negative number to a power that is not whole, {:.9g} ^ {:.9g}", x, y), ""};
    case Fault::arc_domain: return {fmt::format("arcsine or arccosine of {:.9g}, outside -1 ... 1", x), ""};
    case Fault::not_finite: return {"the result is too large for a number", ""};
    case Fault::divisor_not_finite: return {"the divisor is too large for a number", "divide both sides of the fraction by what grows in them"};
    case Fault::beyond_integers:
      return {fmt::format("{:.9g} is too large to be rounded to a whole number", x), ""};
    case Fault::inexact_integer:
      return {"the result is an Integer beyond 2^53 = 9007199254740992, where whole numbers are no longer exact", "declare it Real"};
    case Fault::too_much_text:
      return {fmt::format("the texts that this run has made take more than {} characters", most_text), "a text that grows at every event needs a bound"};
    case Fault::delay_outside:
      return {fmt::format("the delay time {:.9g} lies outside 0 ... {:.9g}, its maximum,", x, m.delays[i.d].maximum), ""};
    case Fault::outside:
      if (i.op == Opcode::item || i.op == Opcode::put) {
        const Array& array = m.arrays[i.d];
        const std::span<const double> at(m.memory.data() + i.b, i.c);
        if (array.sizes.size() != at.size()) return {"the array has no elements", ""};
        const std::size_t d = std::min(find_outside(array, at), at.size() - 1);
        return {fmt::format("the index {:.17g} lies outside 1:{}{}", at[d], array.sizes[d], at.size() > 1 ? fmt::format(", the dimension {}", d + 1) : ""), ""};
      }
      return {fmt::format("the index {:.17g} lies outside 1:{:.17g}", x, i.op == Opcode::load ? i.c : i.op == Opcode::store ? i.d : y), ""};
    case Fault::impossible_size: {
      std::string sizes;
      for (std::uint32_t k = 0; k < i.c; ++k) sizes += fmt::format("{}{:.17g}", k > 0 ? "," : "", m.memory[i.b + k]);
      return {fmt::format("an array cannot have the size [{}]", sizes), fmt::format("sizes are whole numbers from 0 on, and an array has at most {:.0g} elements", most_items)};
    }
    case Fault::without_result: {
      const Function& f = m.program->functions[m.failed_function];
      return {fmt::format("the function {} returns without a value for {}", f.name, f.result_names[m.failed_result]), "assign it on every way through the function"};
    }
    case Fault::external: return {m.externals->failure, ""};
    case Fault::too_deep:
      return {"the function calls itself 20000 deep, or without end,", "a function that calls itself needs a case in which it does not"};
    case Fault::endless: return {fmt::format("the loops of a function or an algorithm have gone round {} times", m.maximum_rounds), "a while loop needs a condition that becomes false"};
    case Fault::endless_calls: return {fmt::format("functions call themselves again and again: {} calls and rounds of loops so far", m.maximum_rounds),
                                       "a function that calls itself twice makes twice as many calls with each step: keep what was found already, or write a loop"};
    default: return {"the operation has no result", ""};
  }
}

bool is_domain_error(Fault fault) {
  return fault == Fault::root_of_negative || fault == Fault::log_of_nonpositive || fault == Fault::division_by_zero ||
         fault == Fault::zero_to_negative || fault == Fault::negative_to_fraction || fault == Fault::arc_domain;
}

bool holds(const Origin& whole, const Origin& part) {
  return whole.at.path == part.at.path && whole.at.line == part.at.line && whole.at.column <= part.at.column && part.at.end_column <= whole.at.end_column &&
         whole.text.find(part.text) != std::string_view::npos;
}

// `sqrt(x)` has a value where `x > 0`.
std::string condition_for(Fault fault, std::string_view call) {
  const std::size_t open = call.find('(');
  if (open == std::string_view::npos || call.back() != ')') return "...";
  const std::string argument(call.substr(open + 1, call.size() - open - 2));
  if (fault == Fault::root_of_negative || fault == Fault::log_of_nonpositive) return argument + " > 0";
  if (fault == Fault::arc_domain) return "abs(" + argument + ") < 1";
  return "...";
}

// A relation over the same variables was perhaps meant to keep them inside the domain, but does not between events. One
// that holds the fault itself is no guard.
std::string remedy_by_guard(const Program& program, const Origin& origin, Fault fault) {
  const Relation* around = nullptr;
  for (const Relation& relation : program.relations) {
    if (relation.time_event || relation.quiet || relation.origin == none) continue;
    if (holds(program.origins[relation.origin], origin)) {
      around = &relation;
      continue;
    }
    for (const Mention& guarded : program.origins[relation.origin].variables)
      for (const Mention& used : origin.variables)
        if (guarded.slot == used.slot)
          return fmt::format("{} keeps its value until its event, so it does not guard the points in between; noEvent({}) does",
                             text_of(program, relation.origin), program.origins[relation.origin].text);
  }
  if (around)
    return fmt::format("{} is evaluated at all times to find the event where it changes; guard it where it has no value: if {} then {} else false",
                       text_of(program, around->origin), condition_for(fault, origin.text), program.origins[around->origin].text);
  return {};
}

}  // namespace

Message explain(Machine& m, const Outcome& outcome) {
  const Program& program = *m.program;
  Message message;
  message.time = m.memory[slot_time];
  message.origin = origin_of(program, outcome);
  Explanation explanation;
  switch (outcome.fault) {
    case Fault::assertion: {
      const Assertion& assertion = program.assertions_table[m.failed_assertion];
      if (assertion.origin != none) message.origin = assertion.origin;
      explanation.cause = (assertion.ours ? "" : "assertion failed: ") + format_text(m, assertion.message);
      break;
    }
    case Fault::no_agreement:
      message.origin = program.mixed[m.failed_mixed].origin;
      message.cause = m.block_detail;
      message.remedy = "each of these choices has a solution that contradicts it; a hysteresis, or pre() of one of them, makes a choice possible";
      return message;
    case Fault::block_singular:
    case Fault::block_diverged:
    case Fault::block_unsatisfied:
      if (program.blocks[m.failed_block].origin != none) message.origin = program.blocks[m.failed_block].origin;
      explanation = explain_block(m, outcome.fault);
      message.cause = std::move(explanation.cause);
      message.remedy = std::move(explanation.remedy);
      return message;
    case Fault::derivative_not_finite: {
      Explanation of_state = explain_state(m, message.origin);
      message.cause = std::move(of_state.cause);
      return message;
    }
    default: explanation = explain_operation(m, outcome); break;
  }
  if (message.origin != none && message.origin < program.origins.size()) {
    const Origin origin = program.origins[message.origin];
    // What an external function says is a sentence of its own.
    if (outcome.fault != Fault::assertion && outcome.fault != Fault::outside && outcome.fault != Fault::external && !origin.text.empty())
      explanation.cause += " in " + text_of(program, message.origin);
    if (is_domain_error(outcome.fault)) explanation.remedy = remedy_by_guard(program, origin, outcome.fault);
    const std::string values = values_text(m, origin.variables);
    if (!values.empty()) explanation.cause += " with " + values;
  }
  message.cause = std::move(explanation.cause);
  message.remedy = std::move(explanation.remedy);
  return message;
}

}  // namespace mosim::runtime
