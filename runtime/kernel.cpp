#include "runtime/kernel.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/buffered.hpp"

namespace mosim::runtime {

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

std::uint64_t length_of(const Program& program, Entry entry) {
  std::uint64_t length = 0;
  for (Entry at = entry; program.code[at].op != Opcode::end; ++at) length += program.code[at].op == Opcode::kernel ? program.kernels[program.code[at].d].size() : 1;
  return length;
}

#ifndef __EMSCRIPTEN__

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

/// The rows of a few lanes: values, and what their tangents are multiplied by.
template <unsigned W>
class Rows {
public:
  Rows(Machine& machine, std::uint32_t first, std::uint32_t count, Mode mode, double* tangent)
      : m_(machine), program_(*machine.program), memory_(machine.memory.data()), first_(first), count_(count), mode_(mode), tangent_(tangent) {}

  bool run(const Kernel::Row& row) {
    const double* const x = values_of(program_, row.b, first_, count_, memory_, b_);
    const double* const y = facts(row.op).reads > 1 ? values_of(program_, row.c, first_, count_, memory_, c_) : nullptr;
    const auto each = [&](auto operation) {
      for (std::uint32_t k = 0; k < count_; ++k) r_[k] = operation(k);
    };
    // Tangents of the result, by those of the operands; `one`, `two`: what they are multiplied by, where that is no number of its own.
    const auto copied = [](std::uint32_t, double b, double) { return b; };
    const auto negated = [](std::uint32_t, double b, double) { return -b; };
    const auto added = [](std::uint32_t, double b, double c) { return b + c; };
    const auto subtracted = [](std::uint32_t, double b, double c) { return b - c; };
    const auto by = [&](auto one, auto two) {
      if constexpr (W > 0)
        for (std::uint32_t k = 0; k < count_; ++k) f_[k] = one(k), g_[k] = two(k);
      return [this](std::uint32_t k, double b, double c) { return f_[k] * b + g_[k] * c; };
    };
    const auto by_one = [&](auto one) {
      if constexpr (W > 0)
        for (std::uint32_t k = 0; k < count_; ++k) f_[k] = one(k);
      return [this](std::uint32_t k, double b, double) { return f_[k] * b; };
    };
    const auto factors_finite = [&] { return W == 0 || all_finite(f_, count_); };
    const auto both_finite = [&] { return W == 0 || (all_finite(f_, count_) && all_finite(g_, count_)); };
    switch (row.op) {
      case Opcode::move: each([&](std::uint32_t k) { return x[k]; }); return finish<1>(row, false, copied);
      case Opcode::negate: each([&](std::uint32_t k) { return -x[k]; }); return finish<1>(row, false, negated);
      case Opcode::add: each([&](std::uint32_t k) { return x[k] + y[k]; }); return finish<2>(row, true, added);
      case Opcode::subtract: each([&](std::uint32_t k) { return x[k] - y[k]; }); return finish<2>(row, true, subtracted);
      case Opcode::multiply: {
        each([&](std::uint32_t k) { return x[k] * y[k]; });
        const auto factors = by([&](std::uint32_t k) { return y[k]; }, [&](std::uint32_t k) { return x[k]; });
        return both_finite() && finish<2>(row, true, factors);
      }
      case Opcode::divide: {
        // Of an infinite divisor the quotient is finite.
        each([&](std::uint32_t k) { return std::abs(y[k]) <= largest ? x[k] / y[k] : endless; });
        const auto factors = by([&](std::uint32_t k) { return 1 / y[k]; }, [&](std::uint32_t k) { return -r_[k] / y[k]; });
        return both_finite() && finish<2>(row, true, factors);
      }
      case Opcode::less: each([&](std::uint32_t k) { return double(x[k] < y[k]); }); return finish_constant(row);
      case Opcode::less_equal: each([&](std::uint32_t k) { return double(x[k] <= y[k]); }); return finish_constant(row);
      case Opcode::equal: each([&](std::uint32_t k) { return double(x[k] == y[k]); }); return finish_constant(row);
      case Opcode::not_equal: each([&](std::uint32_t k) { return double(x[k] != y[k]); }); return finish_constant(row);
      case Opcode::not_: each([&](std::uint32_t k) { return double(x[k] == 0); }); return finish_constant(row);
      case Opcode::and_: each([&](std::uint32_t k) { return double(x[k] != 0 && y[k] != 0); }); return finish_constant(row);
      case Opcode::or_: each([&](std::uint32_t k) { return double(x[k] != 0 || y[k] != 0); }); return finish_constant(row);
      case Opcode::abs: each([&](std::uint32_t k) { return std::abs(x[k]); }); return finish<1>(row, false, by_one([&](std::uint32_t k) { return x[k] < 0 ? -1.0 : 1.0; }));
      case Opcode::min:
        each([&](std::uint32_t k) { return x[k] <= y[k] ? x[k] : y[k]; });
        return finish<2>(row, false, by([&](std::uint32_t k) { return double(x[k] <= y[k]); }, [&](std::uint32_t k) { return double(!(x[k] <= y[k])); }));
      case Opcode::max:
        each([&](std::uint32_t k) { return x[k] >= y[k] ? x[k] : y[k]; });
        return finish<2>(row, false, by([&](std::uint32_t k) { return double(x[k] >= y[k]); }, [&](std::uint32_t k) { return double(!(x[k] >= y[k])); }));
      // Their slopes: that of a root may be infinite, and a sine found together with its cosine may have another last bit.
      case Opcode::sqrt: case Opcode::sin: case Opcode::cos:
        if (W > 0) return false;
        if (row.op == Opcode::sqrt) each([&](std::uint32_t k) { return std::sqrt(x[k]); });
        else if (row.op == Opcode::sin) each([&](std::uint32_t k) { return std::sin(x[k]); });
        else each([&](std::uint32_t k) { return std::cos(x[k]); });
        return finish<1>(row, true, copied);   // of values alone
      case Opcode::exp: {
        each([&](std::uint32_t k) { return std::exp(x[k]); });
        const auto factor = by_one([&](std::uint32_t k) { return r_[k]; });
        return factors_finite() && finish<1>(row, true, factor);
      }
      case Opcode::relation:
        // Which changes first does not count in these modes.
        if (mode_ != Mode::frozen && mode_ != Mode::measure) return false;
        each([&](std::uint32_t k) { return buffered_relation(m_, instruction_of(program_, row, first_ + k), mode_); });
        return finish_constant(row);
      default: return false;
    }
  }

private:
  // `tangent(lane, b, c)`: that of the result, one direction after the other, of so many operands.
  template <int operands, class Tangent>
  bool finish(const Kernel::Row& row, bool check, [[maybe_unused]] Tangent tangent) {
    if (check && !all_finite(r_, count_)) return false;
    if constexpr (W > 0) {
      const Strand a(*this, row.a), b(*this, row.b), c(*this, operands > 1 ? row.c : row.b);
      for (std::uint32_t k = 0; k < count_; ++k) {
        double* const ta = a.tangent(k);
        const double *const tb = b.tangent(k), *const tc = c.tangent(k);
        double result[W];
        for (unsigned n = 0; n < W; ++n) result[n] = tangent(k, tb[n], operands > 1 ? tc[n] : 0.0);
        std::copy_n(result, W, ta);
      }
    }
    store(program_, row.a, first_, count_, r_, memory_);
    return true;
  }
  bool finish_constant(const Kernel::Row& row) {
    if constexpr (W > 0) {
      const Strand a(*this, row.a);
      for (std::uint32_t k = 0; k < count_; ++k) std::fill_n(a.tangent(k), W, 0.0);
    }
    store(program_, row.a, first_, count_, r_, memory_);
    return true;
  }
  // Where the tangents of an operand stand, lane by lane: number_of(), with its question asked once.
  struct Strand {
    Strand(const Rows& rows, const Lanes& lanes)
        : slots(lanes.how == Lanes::How::listed ? rows.program_.lanes.data() + lanes.first + rows.first_ : nullptr),
          first(rows.tangent_ + std::size_t(slots ? 0 : number_of(rows.program_, lanes, rows.first_)) * W),
          step(std::ptrdiff_t(lanes.how == Lanes::How::passing ? 1 : std::int32_t(lanes.stride)) * W) {}   // which may go down
    double* tangent(std::uint32_t k) const { return first + (slots ? std::ptrdiff_t(slots[k]) * W : std::ptrdiff_t(k) * step); }
    const std::uint32_t* slots;
    double* first;
    std::ptrdiff_t step;
  };

  static constexpr double endless = std::numeric_limits<double>::infinity();
  Machine& m_;
  const Program& program_;
  double* const memory_;
  const std::uint32_t first_, count_;
  const Mode mode_;
  double* const tangent_;
  double b_[lanes_together], c_[lanes_together], r_[lanes_together];
  double f_[W > 0 ? lanes_together : 1], g_[W > 0 ? lanes_together : 1];
};

}  // namespace

template <unsigned W>
bool run_rows(Machine& machine, const Kernel& kernel, std::uint32_t first, std::uint32_t count, Mode mode, double* tangent) {
  Rows<W> rows(machine, first, count, mode, tangent);
  return std::all_of(kernel.rows.begin(), kernel.rows.end(), [&](const Kernel::Row& row) { return rows.run(row); });
}

#else

// A page makes no kernels: see Lowering::make_kernels.
template <unsigned W>
bool run_rows(Machine&, const Kernel&, std::uint32_t, std::uint32_t, Mode, double*) {
  return false;
}

#endif

template bool run_rows<0>(Machine&, const Kernel&, std::uint32_t, std::uint32_t, Mode, double*);
template bool run_rows<1>(Machine&, const Kernel&, std::uint32_t, std::uint32_t, Mode, double*);
template bool run_rows<4>(Machine&, const Kernel&, std::uint32_t, std::uint32_t, Mode, double*);
template bool run_rows<8>(Machine&, const Kernel&, std::uint32_t, std::uint32_t, Mode, double*);

}  // namespace mosim::runtime
