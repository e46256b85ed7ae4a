#include "runtime/interpreter.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "runtime/blocks.hpp"
#include "runtime/buffered.hpp"
#include "runtime/calls.hpp"
#include "runtime/delays.hpp"
#include "runtime/machine_code.hpp"
#include "runtime/mixed.hpp"
#include "runtime/kernel.hpp"
#include "runtime/opcode.hpp"
#include "runtime/text.hpp"

namespace mosim::runtime {

namespace {

constexpr double largest = std::numeric_limits<double>::max();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double largest_integer = 9007199254740992.0;  // 2^53

inline bool finite(double x) { return std::abs(x) <= largest; }

template <unsigned W, bool sizes>
Outcome run_kernel(Machine& m, Index number, Mode mode, double* tangent);

// One body for values alone (W = 0), for values with W tangents, and for values with sizes: see run_sizes(). A step is one instruction that
// does not jump, with all of the function that it calls; what is counted goes on from one to the next. `code`: the program's, or that of lanes.
template <unsigned W, bool sizes = false, bool step = false>
Outcome execute(Machine& m, const Instruction* const code, Entry entry, Mode mode, double* tangent, [[maybe_unused]] Steps* steps = nullptr) {
  double* const w = m.memory.data();
  const bool tolerant = mode == Mode::measure;
  const Instruction* i = code + entry;
  const std::size_t outer_calls = m.calls.size(), outer_frames = m.frames.size(), outer_tangents = m.frame_tangents.size(), outer_arrays = m.frame_arrays.size();
  std::uint64_t rounds = 0, called = 0, executed = 0;
  if constexpr (step) rounds = steps->rounds;
  const Instruction* since = i;   // those before it, of the ones that went in order, are counted

  const auto go_to = [&](Entry target) {
    executed += std::uint64_t(i - since) + 1;
    since = code + target;
    i = since - 1;   // advanced once more by the loop
  };
  const auto note_work = [&] {
    if constexpr (step) steps->executed += executed + std::uint64_t(i - since);
    else m.work += (W == 0 ? 1 : tangent_work) * (double(executed) + double(i - since));
  };
  const auto stop = [&](Fault fault) {
    note_work();
    m.calls.resize(outer_calls);
    m.frames.resize(outer_frames);
    m.frame_tangents.resize(outer_tangents);
    m.frame_arrays.resize(outer_arrays);
    return Outcome{fault, static_cast<Entry>(i - code)};
  };
  // Whether an operand is not constant, where that it has no derivative counts.
  const auto moves = [&]([[maybe_unused]] Slot operand) {
    if constexpr (W > 0) {
      const double* const t = tangent + std::size_t(operand) * W;
      return m.needs_slopes && std::any_of(t, t + W, [](double x) { return x != 0; });
    }
    return false;
  };
  // d w[a] = f * d w[b]
  const auto chain1 = [&](double f) {
    if constexpr (W > 0) {
      if (!finite(f)) f = 0;
      double* const ta = tangent + std::size_t(i->a) * W;
      const double* const tb = tangent + std::size_t(i->b) * W;
      for (unsigned k = 0; k < W; ++k) ta[k] = sizes ? std::abs(f) * tb[k] : f * tb[k];
    } else {
      (void)f;
    }
  };
  // d w[a] = f * d w[b] + g * d w[c]
  const auto chain2 = [&](double f, double g) {
    if constexpr (W > 0) {
      if (!finite(f)) f = 0;
      if (!finite(g)) g = 0;
      double* const ta = tangent + std::size_t(i->a) * W;
      const double* const tb = tangent + std::size_t(i->b) * W;
      const double* const tc = tangent + std::size_t(i->c) * W;
      for (unsigned k = 0; k < W; ++k)
        ta[k] = sizes ? std::abs(f) * tb[k] + std::abs(g) * tc[k] : f * tb[k] + g * tc[k];
    } else {
      (void)f, (void)g;
    }
  };
  const auto constant = [&]() {
    if constexpr (W > 0) {
      double* const ta = tangent + std::size_t(i->a) * W;
      for (unsigned k = 0; k < W; ++k) ta[k] = 0;
    }
  };
  // A denominator within its own rounding of 0: the quotient is anything, which excuses no residual.
  const auto vanishes = [&]([[maybe_unused]] double y, [[maybe_unused]] Slot slot) {
    if constexpr (sizes) return std::abs(y) <= 16 * std::numeric_limits<double>::epsilon() * tangent[slot];
    return false;
  };
  // Overflow is a fault where it arises; what is not finite already passes through.
  const auto overflows = [&](double r, double x, double y) { return !finite(r) && !tolerant && finite(x) && finite(y); };
  // A small factor of what is infinite: the product may be none.
  const auto lost = [&](double x, double y) { return !tolerant && ((std::isinf(x) && std::abs(y) < smallest_factor) || (std::isinf(y) && std::abs(x) < smallest_factor)); };

  for (;; ++i) {
    [[maybe_unused]] const Instruction& done = *i;
    switch (i->op) {
      case Opcode::end: note_work(); return {};
      case Opcode::body:
        if (!m.invariants_alone) break;
        note_work();
        return {};
      case Opcode::move: chain1(1); w[i->a] = w[i->b]; break;
      case Opcode::negate: chain1(-1); w[i->a] = -w[i->b]; break;
      case Opcode::not_: constant(); w[i->a] = w[i->b] == 0; break;
      case Opcode::add: {
        const double x = w[i->b], y = w[i->c], r = x + y;
        if (!finite(r) && i->d != may_overflow && overflows(r, x, y)) [[unlikely]] return stop(Fault::not_finite);
        chain2(1, 1);
        w[i->a] = r;
        break;
      }
      case Opcode::subtract: {
        const double x = w[i->b], y = w[i->c], r = x - y;
        if (!finite(r) && i->d != may_overflow && overflows(r, x, y)) [[unlikely]] return stop(Fault::not_finite);
        chain2(1, -1);
        w[i->a] = r;
        break;
      }
      case Opcode::multiply: {
        const double x = w[i->b], y = w[i->c], r = x * y;
        if (!finite(r) && (i->d != may_overflow ? overflows(r, x, y) : lost(x, y))) [[unlikely]] return stop(Fault::not_finite);
        chain2(y, x);
        w[i->a] = r;
        break;
      }
      case Opcode::divide: {
        const double x = w[i->b], y = w[i->c];
        double r = x / y;
        if (y == 0) [[unlikely]] {
          if (!tolerant) return stop(Fault::division_by_zero);
          r = nan;
        } else if (!finite(r) && overflows(r, x, y)) [[unlikely]] {
          return stop(Fault::not_finite);
        } else if (r == 0 && std::isinf(y) && std::abs(x) > largest_dividend && !tolerant) [[unlikely]] {
          return stop(Fault::divisor_not_finite);
        }
        if (vanishes(y, i->c))
          chain2(1 / tangent[i->c], 0);
        else if constexpr (W > 0)
          chain2(1 / y, -r / y);
        w[i->a] = r;
        break;
      }
      case Opcode::power: {
        const double x = w[i->b], y = w[i->c];
        double r = 0;
        if (y == 2) {
          r = x * x;
        } else if (x == 0 && y < 0) [[unlikely]] {
          if (!tolerant) return stop(Fault::zero_to_negative);
          r = nan;
        } else if (x < 0 && y != std::floor(y)) [[unlikely]] {
          if (!tolerant) return stop(Fault::negative_to_fraction);
          r = nan;
        } else {
          r = std::pow(x, y);
        }
        if (!finite(r) && overflows(r, x, y)) [[unlikely]] return stop(Fault::not_finite);
        if constexpr (W > 0) {
          // Near 0 a root's derivative grows without limit: keep it finite, Newton only needs a direction.
          if (x == 0 && y < 1 && y != 0 && moves(i->b)) return stop(Fault::no_slope);
          const double base = x == 0 && y < 1 ? 1e-16 : x;
          chain2(y == 0 ? 0.0 : y * std::pow(base, y - 1), x > 0 ? std::log(x) * r : 0.0);
        }
        w[i->a] = r;
        break;
      }
      case Opcode::and_: constant(); w[i->a] = w[i->b] != 0 && w[i->c] != 0; break;
      case Opcode::or_: constant(); w[i->a] = w[i->b] != 0 || w[i->c] != 0; break;
      case Opcode::less: constant(); w[i->a] = w[i->b] < w[i->c]; break;
      case Opcode::less_equal: constant(); w[i->a] = w[i->b] <= w[i->c]; break;
      case Opcode::equal: constant(); w[i->a] = w[i->b] == w[i->c]; break;
      case Opcode::not_equal: constant(); w[i->a] = w[i->b] != w[i->c]; break;
      case Opcode::abs: {
        const double x = w[i->b];
        chain1(x < 0 ? -1 : 1);
        w[i->a] = std::abs(x);
        break;
      }
      case Opcode::sign: {
        const double x = w[i->b];
        constant();
        w[i->a] = x > 0 ? 1 : x < 0 ? -1 : 0;
        break;
      }
      case Opcode::sqrt: {
        const double x = w[i->b];
        if (x < 0 && !tolerant) [[unlikely]] return stop(Fault::root_of_negative);
        const double r = std::sqrt(x);
        if (r == 0 && moves(i->b)) [[unlikely]] return stop(Fault::no_slope);
        if constexpr (W > 0) chain1(0.5 / std::max(r, 1e-8));
        w[i->a] = r;
        break;
      }
      case Opcode::sin: {
        const double x = w[i->b];
        if constexpr (W > 0) chain1(std::cos(x));
        w[i->a] = std::sin(x);
        break;
      }
      case Opcode::cos: {
        const double x = w[i->b];
        if constexpr (W > 0) chain1(-std::sin(x));
        w[i->a] = std::cos(x);
        break;
      }
      case Opcode::tan: {
        const double r = std::tan(w[i->b]);
        chain1(1 + r * r);
        w[i->a] = r;
        break;
      }
      case Opcode::asin: {
        const double x = w[i->b];
        if (std::abs(x) > 1 && !tolerant) [[unlikely]] return stop(Fault::arc_domain);
        if (std::abs(x) == 1 && moves(i->b)) [[unlikely]] return stop(Fault::no_slope);
        if constexpr (W > 0) chain1(1 / std::sqrt(std::max(1 - x * x, 1e-16)));
        w[i->a] = std::asin(x);
        break;
      }
      case Opcode::acos: {
        const double x = w[i->b];
        if (std::abs(x) > 1 && !tolerant) [[unlikely]] return stop(Fault::arc_domain);
        if (std::abs(x) == 1 && moves(i->b)) [[unlikely]] return stop(Fault::no_slope);
        if constexpr (W > 0) chain1(-1 / std::sqrt(std::max(1 - x * x, 1e-16)));
        w[i->a] = std::acos(x);
        break;
      }
      case Opcode::atan: {
        const double x = w[i->b];
        chain1(1 / (1 + x * x));
        w[i->a] = std::atan(x);
        break;
      }
      case Opcode::atan2: {
        const double y = w[i->b], x = w[i->c];
        if constexpr (W > 0) {
          const double square = std::max(x * x + y * y, 1e-300);
          chain2(x / square, -y / square);
        }
        w[i->a] = std::atan2(y, x);
        break;
      }
      case Opcode::sinh: {
        const double x = w[i->b], r = std::sinh(x);
        if (!finite(r) && overflows(r, x, 0)) [[unlikely]] return stop(Fault::not_finite);
        if constexpr (W > 0) chain1(std::cosh(x));
        w[i->a] = r;
        break;
      }
      case Opcode::cosh: {
        const double x = w[i->b], r = std::cosh(x);
        if (!finite(r) && i->c != may_overflow && overflows(r, x, 0)) [[unlikely]] return stop(Fault::not_finite);
        if constexpr (W > 0) chain1(std::sinh(x));
        w[i->a] = r;
        break;
      }
      case Opcode::tanh: {
        const double r = std::tanh(w[i->b]);
        chain1(1 - r * r);
        w[i->a] = r;
        break;
      }
      case Opcode::exp: {
        const double x = w[i->b], r = std::exp(x);
        if (!finite(r) && i->c != may_overflow && overflows(r, x, 0)) [[unlikely]] return stop(Fault::not_finite);
        chain1(r);
        w[i->a] = r;
        break;
      }
      case Opcode::log: {
        const double x = w[i->b];
        if (x <= 0 && !tolerant) [[unlikely]] return stop(Fault::log_of_nonpositive);
        if constexpr (W > 0) chain1(1 / x);
        w[i->a] = x <= 0 ? nan : std::log(x);
        break;
      }
      case Opcode::log10: {
        const double x = w[i->b];
        if (x <= 0 && !tolerant) [[unlikely]] return stop(Fault::log_of_nonpositive);
        if constexpr (W > 0) chain1(1 / (x * 2.302585092994045684));
        w[i->a] = x <= 0 ? nan : std::log10(x);
        break;
      }
      case Opcode::min: {
        const double x = w[i->b], y = w[i->c];
        chain2(x <= y, !(x <= y));
        w[i->a] = x <= y ? x : y;
        break;
      }
      case Opcode::max: {
        const double x = w[i->b], y = w[i->c];
        chain2(x >= y, !(x >= y));
        w[i->a] = x >= y ? x : y;
        break;
      }
      case Opcode::floor: constant(); w[i->a] = std::floor(w[i->b]); break;
      case Opcode::ceil: constant(); w[i->a] = std::ceil(w[i->b]) + 0.0; break;
      case Opcode::truncate: constant(); w[i->a] = std::trunc(w[i->b]) + 0.0; break;
      case Opcode::div:
      case Opcode::mod:
      case Opcode::rem: {
        const double x = w[i->b], y = w[i->c];
        if (y == 0) [[unlikely]] {
          if (!tolerant) return stop(Fault::division_by_zero);
          w[i->a] = nan;
          break;
        }
        const double quotient = i->op == Opcode::mod ? std::floor(x / y) : std::trunc(x / y) + 0.0;
        if (!finite(quotient) && overflows(quotient, x, y)) [[unlikely]] return stop(Fault::not_finite);
        if (i->op == Opcode::div) {
          constant();
          w[i->a] = quotient;
        } else {
          chain2(1, -quotient);
          w[i->a] = x - quotient * y;
        }
        break;
      }
      case Opcode::text:
        constant();
        if (const auto number = number_of(m, m.program->texts[i->d])) w[i->a] = *number;
        else return stop(Fault::too_much_text);
        break;
      case Opcode::precedes:
        constant();
        w[i->a] = string_of(m, w[i->b]) < string_of(m, w[i->c]);
        break;
      case Opcode::whole:
        chain1(1);
        if (!(std::abs(w[i->b]) <= largest_integer) && !tolerant) [[unlikely]] return stop(Fault::inexact_integer);
        w[i->a] = w[i->b] + 0.0;
        break;
      case Opcode::within:
        constant();
        if (!(w[i->b] >= 1 && w[i->b] <= w[i->c]) && !tolerant) [[unlikely]] return stop(Fault::outside);
        w[i->a] = w[i->b];
        break;
      case Opcode::jump: go_to(i->a); break;
      case Opcode::jump_if_zero:
        if (w[i->b] == 0) go_to(i->a);
        break;
      case Opcode::jump_if_nonzero:
        if (w[i->b] != 0) go_to(i->a);
        break;
      case Opcode::load: {
        const double at = w[i->b];
        if (!(at >= 1 && at <= i->c)) [[unlikely]] {
          if (!tolerant) return stop(Fault::outside);
          constant();
          w[i->a] = nan;
          break;
        }
        const std::size_t from = i->d + std::size_t(at) - 1;
        if constexpr (W > 0) std::copy_n(tangent + from * W, W, tangent + std::size_t(i->a) * W);
        w[i->a] = w[from];
        break;
      }
      case Opcode::store: {
        const double at = w[i->b];
        if (!(at >= 1 && at <= i->d)) [[unlikely]] {
          if (!tolerant) return stop(Fault::outside);
          break;
        }
        const std::size_t to = i->a + std::size_t(at) - 1;
        if constexpr (W > 0) std::copy_n(tangent + std::size_t(i->c) * W, W, tangent + to * W);
        w[to] = w[i->c];
        break;
      }
      case Opcode::create:
        if (!create(m.arrays[i->d], {w + i->b, i->c}, i->a == 1, W)) [[unlikely]] {
          if (!tolerant) return stop(Fault::impossible_size);
          m.arrays[i->d] = {std::vector<std::int64_t>(i->c, 0), {}, {}};
        }
        break;
      case Opcode::extent:
        constant();
        w[i->a] = i->c < m.arrays[i->d].sizes.size() ? double(m.arrays[i->d].sizes[i->c]) : 0;
        break;
      case Opcode::item: {
        Array& array = m.arrays[i->d];
        if (!is_inside(array, w + i->b, i->c)) [[unlikely]] {
          if (!tolerant) return stop(Fault::outside);
          constant();
          w[i->a] = nan;
          break;
        }
        const std::size_t at = position(array, w + i->b);
        if constexpr (W > 0) std::copy_n(tangents_of(array, W) + at * W, W, tangent + std::size_t(i->a) * W);
        w[i->a] = array.values[at];
        break;
      }
      case Opcode::put: {
        Array& array = m.arrays[i->d];
        if (!is_inside(array, w + i->b, i->c)) [[unlikely]] {
          if (!tolerant) return stop(Fault::outside);
          break;
        }
        const std::size_t at = position(array, w + i->b);
        if constexpr (W > 0) std::copy_n(tangent + std::size_t(i->a) * W, W, tangents_of(array, W) + at * W);
        array.values[at] = w[i->a];
        break;
      }
      case Opcode::assign_array:
        if (i->c == 1) std::swap(m.arrays[i->a], m.arrays[i->d]);
        else m.arrays[i->a] = m.arrays[i->d];
        break;
      case Opcode::loop:
        if (++rounds % 4096 == 0) {
          if (is_stopped(m)) return stop(Fault::stopped);
          if (rounds > m.maximum_rounds) return stop(Fault::endless);
        }
        go_to(i->a);
        break;
      case Opcode::call: {
        const Function& f = m.program->functions[i->d];
        if (is_too_deep(m)) [[unlikely]] return stop(Fault::too_deep);
        if (++called % 4096 == 0 && is_stopped(m)) [[unlikely]] return stop(Fault::stopped);
        if (f.recursive) {
          if (++rounds > m.maximum_rounds) [[unlikely]] return stop(Fault::endless_calls);   // fib(n - 1) + fib(n - 2)
          keep_frame(m, f, W, tangent);
        }
        m.calls.push_back(static_cast<Entry>(i - code));
        go_to(f.entry);
        break;
      }
      case Opcode::external:
        if (!call_external(m, i->d, W, tangent, sizes)) [[unlikely]] {
          if (!tolerant) return stop(Fault::external);
          each_written(*m.program, *i, [&](Slot slot) { w[slot] = nan; });
        }
        break;
      case Opcode::return_: {
        const Entry from = m.calls.back();
        const Function& f = m.program->functions[code[from].d];
        if (!tolerant && lacks_result(m, code[from].d)) [[unlikely]] {
          executed += std::uint64_t(i - since);
          since = i = code + from;
          return stop(Fault::without_result);
        }
        if (f.recursive) restore_frame(m, f, W, tangent);
        m.calls.pop_back();
        go_to(from + 1);
        break;
      }
      case Opcode::relation:
        constant();
        w[i->a] = buffered_relation(m, *i, mode);
        break;
      case Opcode::quiet_relation:
      case Opcode::quiet_sign:
        constant();
        w[i->a] = quiet_relation(m, *i, mode);
        break;
      case Opcode::time_relation:
        constant();
        w[i->a] = mode == Mode::frozen || mode == Mode::measure ? double(m.relations[i->d].value)
                                                                : store_time_relation(m, *i, mode);
        break;
      case Opcode::event_function: {
        constant();
        const double x = w[i->b];
        if (mode == Mode::measure) m.event_function_arguments[i->d] = m.event_functions[i->d].argument = x;
        if (mode == Mode::frozen || mode == Mode::measure) {
          w[i->a] = m.event_functions[i->d].value;
        } else {
          if (std::abs(x) > largest_integer) [[unlikely]] return stop(Fault::beyond_integers);
          w[i->a] = store_event_function(m, *i, x, mode);
        }
        break;
      }
      case Opcode::spatial_distribution: {
        constant();
        const SpatialDistribution& t = m.program->spatial_distributions[i->d];
        const DistributionLine& distribution = m.spatial_distributions[i->d];
        w[i->a] = distribution.points.empty() ? 0 : outflow(distribution, i->c, w[t.x], w[t.positive] != 0);
        break;
      }
      case Opcode::delay:
        constant();
        if (!m.delays[i->d].points.empty() && !tolerant) {
          const double maximum = m.delays[i->d].maximum, rounding = 1e-9 * maximum;
          if (!(w[i->b] >= -rounding && w[i->b] <= maximum + rounding)) [[unlikely]] return stop(Fault::delay_outside);
        }
        if (m.delays[i->d].located) {
          if (mode == Mode::measure) m.delays[i->d].reading = w[slot_time] - w[i->b];
          if (mode == Mode::live) follow_reading(m.delays[i->d], w[slot_time] - w[i->b]);
        }
        w[i->a] = delayed(m.delays[i->d], w[slot_time], w[i->b], w[m.program->delays[i->d].value]);
        break;
      case Opcode::solve: {
        const Outcome outcome = solve_block(m, i->d, W, tangent, static_cast<Entry>(i - code));
        if (!outcome.ok()) [[unlikely]] return note_work(), outcome;
        break;
      }
      case Opcode::settle: {
        const Outcome outcome = settle(m, i->d, mode);
        if (!outcome.ok()) [[unlikely]] return note_work(), outcome;
        break;
      }
      case Opcode::reinit:
        m.reinit_values[i->d] = w[i->b];
        m.pending_reinits.push_back(i->d);
        break;
      case Opcode::check:
        if (w[i->b] == 0 && !tolerant) [[unlikely]] {
          if (m.program->assertions_table[i->d].warning) {
            if (m.checks_warn) m.warned.push_back(i->d);
          } else {
            m.failed_assertion = i->d;
            return stop(Fault::assertion);
          }
        }
        break;
      case Opcode::terminate: m.termination = i->d; break;
      case Opcode::kernel: {
        Outcome outcome = run_kernel<W, sizes>(m, i->d, mode, tangent);
        if (!outcome.ok()) [[unlikely]] {
          executed += outcome.part;
          note_work();
          outcome.at = static_cast<Entry>(i - code);
          return outcome;
        }
        executed += m.program->kernels[i->d].size() - 1;
        break;
      }
    }
    if constexpr (sizes)
      if (writes(done.op) && !m.operands_alone) tangent[done.a] = std::max(tangent[done.a], std::abs(w[done.a]));
    if constexpr (step)
      if (m.calls.size() == outer_calls) {
        steps->rounds = rounds;
        note_work();
        return {};
      }
  }
}

/// Lanes together that hold nothing rare are computed row by row; the others as what they stand for.
template <unsigned W, bool sizes>
Outcome run_kernel(Machine& m, Index number, Mode mode, double* tangent) {
  const Program& program = *m.program;
  const Kernel& kernel = program.kernels[number];
  const auto rows = static_cast<std::uint32_t>(kernel.rows.size());
  const double work = m.work;   // counted by who called
  for (std::uint32_t first = 0; first < kernel.count; first += lanes_together) {
    const std::uint32_t count = std::min(lanes_together, kernel.count - first);
    if constexpr (!sizes)
      if (run_rows<W>(m, kernel, first, count, mode, tangent)) continue;
    m.lane_code.resize(std::size_t(count) * rows + 1);
    auto instruction = m.lane_code.begin();
    for (std::uint32_t lane = first; lane < first + count; ++lane)
      for (const Kernel::Row& row : kernel.rows) *instruction++ = instruction_of(program, row, lane);
    *instruction = {};
    Outcome outcome = execute<W, sizes>(m, m.lane_code.data(), 0, mode, tangent);
    m.work = work;
    if (!outcome.ok()) {
      outcome.part = first * rows + outcome.at;
      return outcome;
    }
  }
  return {};
}

inline std::optional<Outcome> by_machine_code(Machine& m, Entry entry, Beside beside, Mode mode, double* tangent) {
  if (!m.code) return {};
  return m.code->run(m, entry, beside, mode, tangent);
}

}  // namespace

Outcome run(Machine& machine, Entry entry, Mode mode) {
  if (entry == none) return {};
  if (is_stopped(machine)) [[unlikely]] return {Fault::stopped, entry};
  if (entry != machine.program->crossings) machine.evaluated.forget();
  if (const auto outcome = by_machine_code(machine, entry, Beside::nothing, mode, nullptr)) return *outcome;
  return execute<0>(machine, machine.program->code.data(), entry, mode, nullptr);
}

Outcome run_dual(Machine& machine, Entry entry, unsigned width, double* tangent) {
  if (entry == none) return {};
  if (is_stopped(machine)) [[unlikely]] return {Fault::stopped, entry};
  machine.evaluated.forget();
  const Beside beside = width == 1 ? Beside::tangents_1 : width == 4 ? Beside::tangents_4 : Beside::tangents_8;
  if (const auto outcome = by_machine_code(machine, entry, beside, Mode::frozen, tangent)) return *outcome;
  if (width == 1) return execute<1>(machine, machine.program->code.data(), entry, Mode::frozen, tangent);
  if (width == 4) return execute<4>(machine, machine.program->code.data(), entry, Mode::frozen, tangent);
  return execute<8>(machine, machine.program->code.data(), entry, Mode::frozen, tangent);
}

Outcome run_sizes(Machine& machine, Entry entry, double* sizes) {
  const Beside beside = machine.operands_alone ? Beside::operand_sizes : Beside::sizes;
  if (const auto outcome = by_machine_code(machine, entry, beside, Mode::frozen, sizes)) return *outcome;
  return execute<1, true>(machine, machine.program->code.data(), entry, Mode::frozen, sizes);
}

#ifdef MOSIM_MACHINE_CODE
Outcome run_step(Machine& machine, Entry at, Mode mode, unsigned width, bool sizes, double* tangent, Steps& steps) {
  if (sizes) return execute<1, true, true>(machine, machine.program->code.data(), at, mode, tangent, &steps);
  switch (width) {
    case 0: return execute<0, false, true>(machine, machine.program->code.data(), at, mode, tangent, &steps);
    case 1: return execute<1, false, true>(machine, machine.program->code.data(), at, mode, tangent, &steps);
    case 4: return execute<4, false, true>(machine, machine.program->code.data(), at, mode, tangent, &steps);
    default: return execute<8, false, true>(machine, machine.program->code.data(), at, mode, tangent, &steps);
  }
}
#endif

}  // namespace mosim::runtime
