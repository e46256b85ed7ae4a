#include "runtime/kernel.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mosim::runtime {

namespace {

constexpr double largest = std::numeric_limits<double>::max();

// The values of an operand in so many lanes: where they stand side by side, or one for all, or gathered.
const double* values_of(const Program& program, const Lanes& lanes, std::uint32_t first, std::uint32_t count, const double* memory, double* room) {
  if (lanes.how == Lanes::How::listed) {
    const std::uint32_t* const slots = program.lanes.data() + lanes.first + first;
    for (std::uint32_t k = 0; k < count; ++k) room[k] = memory[slots[k]];
    return room;
  }
  if (lanes.how == Lanes::How::passing) return memory + lanes.first;
  const std::uint32_t begin = lanes.first + first * lanes.stride;
  if (lanes.stride == 1) return memory + begin;
  for (std::uint32_t k = 0; k < count; ++k) room[k] = memory[begin + k * lanes.stride];
  return room;
}

void store(const Program& program, const Lanes& lanes, std::uint32_t first, std::uint32_t count, const double* values, double* memory) {
  if (lanes.how == Lanes::How::listed) {
    const std::uint32_t* const slots = program.lanes.data() + lanes.first + first;
    for (std::uint32_t k = 0; k < count; ++k) memory[slots[k]] = values[k];
    return;
  }
  const std::uint32_t begin = lanes.how == Lanes::How::passing ? lanes.first : lanes.first + first * lanes.stride;
  if (lanes.how == Lanes::How::passing || lanes.stride == 1) {
    std::copy_n(values, count, memory + begin);
    return;
  }
  for (std::uint32_t k = 0; k < count; ++k) memory[begin + k * lanes.stride] = values[k];
}

bool all_finite(const double* values, std::uint32_t count) {
  bool finite = true;
  for (std::uint32_t k = 0; k < count; ++k) finite &= std::abs(values[k]) <= largest;
  return finite;
}

}  // namespace

Instruction instruction_at(const Program& program, const Outcome& outcome) {
  const Instruction& i = program.code[outcome.at];
  if (i.op != Opcode::kernel) return i;
  const Kernel& kernel = program.kernels[i.d];
  const auto rows = static_cast<std::uint32_t>(kernel.rows.size());
  return instruction_of(program, kernel.rows[outcome.part % rows], outcome.part / rows);
}

Index origin_of(const Program& program, const Outcome& outcome) {
  if (outcome.at == none || outcome.at >= program.code_origins.size()) return none;
  const Instruction& i = program.code[outcome.at];
  if (i.op != Opcode::kernel) return program.code_origins[outcome.at];
  const Kernel& kernel = program.kernels[i.d];
  const auto rows = static_cast<std::uint32_t>(kernel.rows.size());
  return number_of(program, kernel.rows[outcome.part % rows].origin, outcome.part / rows);
}

bool run_rows(const Program& program, const Kernel& kernel, std::uint32_t first, std::uint32_t count, double* memory) {
  double b[lanes_together], c[lanes_together], r[lanes_together];
  for (const Kernel::Row& row : kernel.rows) {
    const double* const x = values_of(program, row.b, first, count, memory, b);
    const auto two = [&](auto operation) {
      const double* const y = values_of(program, row.c, first, count, memory, c);
      for (std::uint32_t k = 0; k < count; ++k) r[k] = operation(x[k], y[k]);
    };
    const auto one = [&](auto operation) {
      for (std::uint32_t k = 0; k < count; ++k) r[k] = operation(x[k]);
    };
    switch (row.op) {
      case Opcode::move: one([](double u) { return u; }); break;
      case Opcode::negate: one([](double u) { return -u; }); break;
      case Opcode::add: two([](double u, double v) { return u + v; }); break;
      case Opcode::subtract: two([](double u, double v) { return u - v; }); break;
      case Opcode::multiply: two([](double u, double v) { return u * v; }); break;
      // Of an infinite divisor the quotient is finite.
      case Opcode::divide: two([](double u, double v) { return std::abs(v) <= largest ? u / v : std::numeric_limits<double>::infinity(); }); break;
      case Opcode::sqrt: one([](double u) { return std::sqrt(u); }); break;
      case Opcode::sin: one([](double u) { return std::sin(u); }); break;
      case Opcode::cos: one([](double u) { return std::cos(u); }); break;
      case Opcode::exp: one([](double u) { return std::exp(u); }); break;
      default: return false;
    }
    if (row.op != Opcode::move && row.op != Opcode::negate && !all_finite(r, count)) return false;
    store(program, row.a, first, count, r, memory);
  }
  return true;
}

}  // namespace mosim::runtime
