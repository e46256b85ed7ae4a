#include "runtime/coefficients.hpp"

#include <algorithm>
#include <unordered_set>

#include "runtime/kernel.hpp"
#include "runtime/opcode.hpp"

namespace mosim::runtime {

namespace {

class Inspection {
public:
  Inspection(const Program& program, const Block& block) : program_(program), varying_(block.unknowns.begin(), block.unknowns.end()) {}

  bool all_of(Entry body) {
    return each_instruction(program_, body, [this](const Instruction& i) { return take(i); });
  }

  Coefficients result() {
    Coefficients found;
    found.slots.assign(coefficients_.begin(), coefficients_.end());
    std::sort(found.slots.begin(), found.slots.end());
    found.in_body = std::any_of(found.slots.begin(), found.slots.end(), [&](Slot slot) { return written_.contains(slot); });
    return found;
  }

private:
  bool varies(Slot slot) const { return varying_.contains(slot); }

  bool write(Slot slot, bool varies) {
    if (coefficients_.contains(slot)) return false;   // in the end it would not hold what was used
    written_.insert(slot);
    if (varies) varying_.insert(slot);   // and stays so: another branch may have made it vary
    return true;
  }

  bool take(const Instruction& i) {
    const OpcodeFacts& f = facts(i.op);
    switch (i.op) {
      case Opcode::move: case Opcode::negate: return write(i.a, varies(i.b));
      case Opcode::add: case Opcode::subtract: return write(i.a, varies(i.b) || varies(i.c));
      case Opcode::multiply:
        if (varies(i.b) && varies(i.c)) return false;
        if (varies(i.b)) coefficients_.insert(i.c);
        if (varies(i.c)) coefficients_.insert(i.b);
        return write(i.a, varies(i.b) || varies(i.c));
      case Opcode::divide:
        if (varies(i.c)) return false;
        if (varies(i.b)) coefficients_.insert(i.c);
        return write(i.a, varies(i.b));
      case Opcode::jump: case Opcode::check: return true;
      case Opcode::jump_if_zero: case Opcode::jump_if_nonzero: coefficients_.insert(i.b); return !varies(i.b);
      case Opcode::relation: case Opcode::time_relation: case Opcode::event_function:
        return write(i.a, false);   // here they keep their values, whatever their sides are
      case Opcode::solve: case Opcode::settle: case Opcode::loop: case Opcode::delay: case Opcode::spatial_distribution: return false;
      default: break;
    }
    // The rest, not in the least linear: nothing of it may vary.
    bool constant = f.op != Opcode::create && f.op != Opcode::assign_array && f.op != Opcode::put && f.op != Opcode::text;
    each_read(program_, i, [&](Slot slot) { constant = constant && !varies(slot); });
    each_written(program_, i, [&](Slot slot) { constant = constant && write(slot, false); });
    return constant;
  }

  const Program& program_;
  std::unordered_set<Slot> varying_, written_, coefficients_;
};

}  // namespace

std::optional<Coefficients> find_coefficients(const Program& program, const Block& block) {
  Inspection inspection(program, block);
  if (!inspection.all_of(block.body)) return {};
  return inspection.result();
}

}  // namespace mosim::runtime
