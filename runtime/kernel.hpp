#pragma once
// Kernels: what their lanes stand for, how code that has them is looked through, and their fast way.

#include <type_traits>

#include "runtime/machine.hpp"
#include "runtime/opcode.hpp"

namespace mosim::runtime {

inline std::uint32_t number_of(const Program& program, const Lanes& lanes, std::uint32_t lane) {
  switch (lanes.how) {
    case Lanes::How::listed: return program.lanes[lanes.first + lane];
    case Lanes::How::passing: return lanes.first + lane % lanes_together;
    case Lanes::How::strided: break;
  }
  return lanes.first + lane * lanes.stride;
}

/// What a row can be: it computes w[a] from w[b] and w[c], and from nothing that other instructions change.
constexpr bool may_be_row(Opcode op) { return (op >= Opcode::move && op <= Opcode::rem) || op == Opcode::whole || op == Opcode::within || op == Opcode::relation; }

/// What a row is in a lane.
inline Instruction instruction_of(const Program& program, const Kernel::Row& row, std::uint32_t lane) {
  return {row.op, number_of(program, row.a, lane), number_of(program, row.b, lane), number_of(program, row.c, lane), number_of(program, row.d, lane)};
}

/// The instruction that stopped a section.
Instruction instruction_at(const Program& program, const Outcome& outcome);
/// Where it comes from, or none.
Index origin_of(const Program& program, const Outcome& outcome);

/// visit(instruction) for those that a kernel stands for.
template <class Visit>
void each_lane(const Program& program, const Kernel& kernel, Visit visit) {
  for (std::uint32_t lane = 0; lane < kernel.count; ++lane)
    for (const Kernel::Row& row : kernel.rows) visit(instruction_of(program, row, lane));
}

/// visit(instruction), or visit(instruction, entry), for those from `entry` to the next `end`, and in place of a kernel those that it stands for, lane by
/// lane; until it returns false, if it returns something. Whether it came to the end.
template <class Visit>
bool each_instruction(const Program& program, Entry entry, Visit visit) {
  const auto one = [&](const Instruction& i, [[maybe_unused]] Entry at) {
    const auto call = [&]() -> decltype(auto) {
      if constexpr (std::is_invocable_v<Visit, const Instruction&, Entry>) return visit(i, at);
      else return visit(i);
    };
    if constexpr (std::is_void_v<decltype(call())>) return call(), true;
    else return bool(call());
  };
  for (Entry at = entry; program.code[at].op != Opcode::end; ++at) {
    const Instruction& i = program.code[at];
    if (i.op != Opcode::kernel) {
      if (!one(i, at)) return false;
      continue;
    }
    const Kernel& kernel = program.kernels[i.d];
    for (std::uint32_t lane = 0; lane < kernel.count; ++lane)
      for (const Kernel::Row& row : kernel.rows)
        if (!one(instruction_of(program, row, lane), at)) return false;
  }
  return true;
}

/// So many from `entry` to the next `end`.
std::uint64_t length_of(const Program& program, Entry entry);

/// Computes `count` lanes, lanes_together at most, from number `first` on, a multiple of that, row by row, as the interpreter finds them: values, and W tangents
/// (0, 1, 4 or 8). False: there is something rare in them, perhaps a fault, or a row that is not plain enough. They are for the interpreter then, from the
/// first on: what was written is of no account.
template <unsigned W>
bool run_rows(Machine& machine, const Kernel& kernel, std::uint32_t first, std::uint32_t count, Mode mode, double* tangent);

}  // namespace mosim::runtime
