#include "runtime/variation.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "runtime/coefficients.hpp"
#include "runtime/kernel.hpp"
#include "runtime/opcode.hpp"
#include "runtime/solution_key.hpp"

namespace mosim::runtime {

namespace {

class Inspection {
public:
  explicit Inspection(const Machine& machine) : machine_(machine), program_(*machine.program), ways_(machine.memory.size(), varies_not) {
    ways_[slot_time] = varies_with_time;
    for (const SignalState& signal : machine.signals) ways_[signal.slot] = varies_freely;
    for (std::size_t k = 0; k < program_.states.size(); ++k) ways_[program_.first_state + k] = varies_with_states;
  }

  Variation result() {
    Variation found{varies_not};
    follow(program_.derivatives);
    for (std::size_t k = 0; k < program_.states.size(); ++k) found.derivatives |= ways_[program_.first_derivative + k];
    if (leaves_what_is_known_ || checks_) found.derivatives |= varies_freely;
    found.solves = solves_;
    found.bends = bends_;
    found.length = length_;
    found.functions = functions_;
    follow(program_.crossings);
    found.crossings = compares_ || leaves_what_is_known_ || !machine_.delays.empty() || !machine_.spatial_distributions.empty();   // out of these come jumps
    checks_ = false;
    follow(program_.outputs);
    follow(program_.assertions);
    found.checks = checks_ || leaves_what_is_known_;
    return found;
  }

private:
  void follow(Entry entry) {
    if (entry == none) return;
    const bool outer = is_uncertain_;   // then all of it is
    const Entry certain_from = std::exchange(certain_from_, 0);
    each_instruction(program_, entry, [&](const Instruction& i, Entry at) {
      is_uncertain_ = outer || at < certain_from_;
      follow(i);
    });
    is_uncertain_ = outer;
    certain_from_ = certain_from;
  }

  // It stays so: another branch may have made it vary.
  void write(Slot slot, Way way) { ways_[slot] |= is_uncertain_ ? way | varies_freely : way; }
  // What is behind it up to its target is jumped over or not.
  void jump(Entry target) { certain_from_ = std::max(certain_from_, target); }

  static bool bends(Opcode op) {
    switch (op) {
      case Opcode::abs: case Opcode::sign: case Opcode::min: case Opcode::max: case Opcode::floor: case Opcode::ceil: case Opcode::truncate: case Opcode::div: case Opcode::mod:
      case Opcode::rem: case Opcode::quiet_relation: case Opcode::quiet_sign: return true;
      default: return false;
    }
  }

  void follow(const Instruction& i) {
    ++length_;
    functions_ += i.op == Opcode::power || (i.op >= Opcode::sin && i.op <= Opcode::log10);
    const OpcodeFacts& f = facts(i.op);
    const Way b = f.reads > 0 ? ways_[i.b] : varies_not, c = f.reads > 1 ? ways_[i.c] : varies_not;
    bends_ = bends_ || (bends(i.op) && (is_uncertain_ || b != varies_not || c != varies_not));
    switch (i.op) {
      case Opcode::move: case Opcode::negate: return write(i.a, b);
      case Opcode::add: case Opcode::subtract: return write(i.a, b | c);
      case Opcode::multiply:
        if (b == varies_not || c == varies_not) return write(i.a, b | c);
        break;
      case Opcode::divide:
        if (c == varies_not) return write(i.a, b);
        break;
      case Opcode::body: case Opcode::end: return;
      case Opcode::jump: case Opcode::jump_if_zero: case Opcode::jump_if_nonzero:
        if (is_uncertain_ || b != varies_not) jump(i.a);
        return;
      case Opcode::check: checks_ = checks_ || is_uncertain_ || b != varies_not; return;
      // These keep their values, whatever their sides are.
      case Opcode::relation: case Opcode::event_function: compares_ = compares_ || is_uncertain_ || b != varies_not || c != varies_not; return;
      case Opcode::time_relation: return;
      case Opcode::solve: return follow(program_.blocks[i.d]);
      case Opcode::quiet_relation: case Opcode::quiet_sign:
        compares_ = true;
        break;
      case Opcode::settle: case Opcode::loop: case Opcode::delay: case Opcode::spatial_distribution: case Opcode::external: case Opcode::text:
      case Opcode::create: case Opcode::put: case Opcode::assign_array: case Opcode::reinit: case Opcode::terminate: leaves_what_is_known_ = true; return;
      case Opcode::call: {
        std::vector<bool> seen(program_.functions.size());
        leaves_what_is_known_ = leaves_what_is_known_ || (!program_.externals.empty() && is_foreign(program_, i.d, seen));   // it may keep something of its own
        // There may be assertions in it.
        const std::vector<Slot>& inputs = program_.functions[i.d].inputs;
        checks_ = checks_ || is_uncertain_ || std::any_of(inputs.begin(), inputs.end(), [&](Slot slot) { return ways_[slot] != varies_not; });
        break;
      }
      default: break;
    }
    Way all = varies_not;
    each_read(program_, i, [&](Slot slot) { all |= ways_[slot]; });
    each_written(program_, i, [&](Slot slot) { write(slot, all == varies_not ? varies_not : varies_freely); });
  }

  // Unknowns vary with what the residuals vary with; freely, unless nothing varies that the matrix depends on.
  void follow(const Block& block) {
    solves_ = true;
    follow(block.code);
    Way all = varies_not;
    for (const Slot slot : block.residuals) all |= ways_[slot];
    if (all == varies_not) return;
    const std::optional<Coefficients> coefficients = block.linear ? find_coefficients(program_, block) : std::nullopt;
    const auto follow_body = [&, length = length_, functions = functions_](Way way) {
      for (const Slot slot : block.unknowns) write(slot, way);
      follow(block.body);
      length_ = length;
      functions_ = functions;
    };
    follow_body(coefficients ? all : varies_freely);
    if (coefficients && std::any_of(coefficients->slots.begin(), coefficients->slots.end(), [&](Slot slot) { return ways_[slot] != varies_not; })) follow_body(varies_freely);
  }

  const Machine& machine_;
  const Program& program_;
  std::vector<Way> ways_;
  bool solves_ = false, bends_ = false;
  std::size_t length_ = 0, functions_ = 0;
  Entry certain_from_ = 0;              // in the code at hand
  bool is_uncertain_ = false;           // whether what is at hand is done depends on what varies
  bool compares_ = false, checks_ = false;   // something that varies
  bool leaves_what_is_known_ = false;   // of the values behind it nothing is
};

}  // namespace

Variation find_variation(const Machine& machine) { return Inspection(machine).result(); }

}  // namespace mosim::runtime
