// A kernel does what its lanes stand for, bit by bit: values, tangents, sizes, work, and which of them stops it.

#include <boost/test/unit_test.hpp>
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "builder.hpp"
#include "runtime/interpreter.hpp"
#include "runtime/kernel.hpp"
#include "runtime/machine_code.hpp"
#include "tests/same_run.hpp"

using namespace mosim::test;
using mosim::tests::same_bits;

namespace {

using How = Lanes::How;

/// A program with a kernel of chance, and with the same instructions one by one.
struct Made {
  Builder b;
  Entry kernel = 0, plain = 0;
  Slot first = 0, last = 0;   // what is read
};

class Maker {
public:
  explicit Maker(unsigned seed) : random_(seed) {}

  std::size_t any(std::size_t n) { return random_() % n; }

  Made make(bool plain_arithmetic) {
    constexpr std::array all{Opcode::move, Opcode::negate, Opcode::not_, Opcode::add, Opcode::subtract, Opcode::multiply, Opcode::divide, Opcode::power, Opcode::and_, Opcode::or_, Opcode::less,
                             Opcode::less_equal, Opcode::equal, Opcode::not_equal, Opcode::abs, Opcode::sign, Opcode::sqrt, Opcode::sin, Opcode::cos, Opcode::tan, Opcode::asin, Opcode::acos,
                             Opcode::atan, Opcode::atan2, Opcode::sinh, Opcode::cosh, Opcode::tanh, Opcode::exp, Opcode::log, Opcode::log10, Opcode::min, Opcode::max, Opcode::floor, Opcode::ceil,
                             Opcode::truncate, Opcode::div, Opcode::mod, Opcode::rem, Opcode::whole, Opcode::within, Opcode::relation};
    constexpr std::array quick{Opcode::move, Opcode::negate, Opcode::add, Opcode::subtract, Opcode::multiply, Opcode::divide, Opcode::sqrt, Opcode::sin, Opcode::cos, Opcode::exp};
    Made m;
    Program& p = m.b.p;
    Kernel kernel;
    kernel.count = std::uint32_t(1 + any(any(3) == 0 ? 3 * lanes_together : 200));
    const std::uint32_t n = kernel.count;
    m.first = Slot(p.memory.size());
    p.memory.resize(p.memory.size() + 3 * n + 2);
    m.last = Slot(p.memory.size());
    for (std::uint32_t k = 0; k < n; ++k) (void)m.b.relation(Comparison::less);
    std::vector<Lanes> results;
    const auto listed = [&](std::vector<std::uint32_t> numbers) {
      const Lanes lanes{std::uint32_t(p.lanes.size()), 0, How::listed};
      p.lanes.insert(p.lanes.end(), numbers.begin(), numbers.end());
      return lanes;
    };
    const auto operand = [&]() -> Lanes {
      if (!results.empty() && any(2)) return results[any(results.size())];
      switch (any(5)) {
        case 0: return {m.first + 1, 1};
        case 1: return {m.first, std::uint32_t(2 + any(2))};
        case 2: return {m.first + std::uint32_t(any(3 * n)), 0};
        case 3: return {m.last - 1, std::uint32_t(-1 - int(any(3)))};
        default: {
          std::vector<std::uint32_t> numbers(n);
          for (auto& k : numbers) k = m.first + std::uint32_t(any(3 * n));
          return listed(std::move(numbers));
        }
      }
    };
    const auto result = [&]() -> Lanes {
      const Slot to = Slot(p.memory.size());
      p.memory.resize(p.memory.size() + std::max(2 * n, lanes_together));
      switch (any(4)) {
        case 0: return {to, 2};
        case 1: {
          std::vector<std::uint32_t> numbers(n);
          for (std::uint32_t k = 0; k < n; ++k) numbers[k] = to + k;
          std::shuffle(numbers.begin(), numbers.end(), random_);
          return listed(std::move(numbers));
        }
        case 2: return {to, 0, How::passing};
        default: return {to, 1};
      }
    };
    const std::size_t rows = 1 + any(5);
    for (std::size_t r = 0; r < rows; ++r) {
      Kernel::Row row;
      row.op = plain_arithmetic ? quick[any(quick.size())] : all[any(all.size())];
      row.b = operand(), row.c = operand();
      if (row.op == Opcode::relation) row.d = {0, 1};
      else if (facts(row.op).reads == 2) row.d = {any(4) == 0 ? may_overflow : 0, 0};
      else row.c = {(row.op == Opcode::exp || row.op == Opcode::cosh) && any(4) == 0 ? may_overflow : 0, 0};
      row.origin = {std::uint32_t(r), std::uint32_t(rows)};
      row.a = result();
      results.push_back(row.a);
      kernel.rows.push_back(row);
    }
    p.kernels.push_back(kernel);
    m.kernel = m.b.code([&] {
      m.b.emit_to(m.b.slot(), Opcode::move, slot_one);
      m.b.emit_to(0, Opcode::kernel);
      m.b.emit_to(m.b.slot(), Opcode::move, slot_one);
    });
    m.plain = m.b.code([&] {
      m.b.emit_to(m.b.slot(), Opcode::move, slot_one);
      for (std::uint32_t lane = 0; lane < n; ++lane)
        for (const Kernel::Row& row : kernel.rows) {
          m.b.current_origin = number_of(p, row.origin, lane);
          const Instruction i = instruction_of(p, row, lane);
          m.b.emit_to(i.a, i.op, i.b, i.c, i.d);
        }
      m.b.emit_to(m.b.slot(), Opcode::move, slot_one);
    });
    return m;
  }

  double value() {
    static const double odd[] = {0, -0.0, 1, 2, 1e308, -1e308, 1e-320, 1e200, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN(), 9.1e15};
    if (any(odd_) == 0) return odd[any(std::size(odd))];
    return double(any(2000)) / 128 + (any(4) ? 0.25 : -7);
  }
  void set_odd(std::size_t odd) { odd_ = odd; }

private:
  std::mt19937 random_;
  std::size_t odd_ = 50;
};

bool same(const Instruction& x, const Instruction& y) { return x.op == y.op && x.a == y.a && x.b == y.b && x.c == y.c && x.d == y.d; }

}  // namespace

BOOST_AUTO_TEST_SUITE(kernels)

BOOST_AUTO_TEST_CASE(those_made_at_random_do_what_their_lanes_stand_for) {
  Maker maker(1);
  std::size_t faults = 0, ends = 0, in_later_lanes = 0;
  for (int round = 0; round < 600; ++round) {
    const Made made = maker.make(round % 2 == 0);
    const Program& p = made.b.p;
    maker.set_odd(round % 3 == 0 ? 1000000 : round % 3 == 1 ? 400 : 20);
    for (const bool translated : {false, true}) {
      Machine one = make_machine(p), two = make_machine(p);
      if (translated) one.code = MachineCode::make(p, 0);
      for (int time = 0; time < 4; ++time) {
        for (Slot k = made.first; k < made.last; ++k) one.memory[k] = two.memory[k] = maker.value();
        for (const unsigned width : {0u, 1u, 4u, 8u, 9u}) {   // 9: sizes
          const bool sizes = width == 9;
          const unsigned w = sizes ? 1 : width;
          std::vector<double> tangents(p.memory.size() * w);
          for (double& t : tangents) t = sizes ? double(maker.any(100)) / 16 : double(maker.any(100)) / 16 - 3;
          std::vector<double> others = tangents;
          const Mode modes[] = {Mode::frozen, Mode::measure, Mode::live, Mode::literal};
          const Mode mode = modes[width == 0 ? maker.any(4) : 0];
          const auto carry_out = [&](Machine& m, Entry entry, std::vector<double>& t) {
            return sizes ? run_sizes(m, entry, t.data()) : width == 0 ? run(m, entry, mode) : run_dual(m, entry, width, t.data());
          };
          one.needs_slopes = two.needs_slopes = maker.any(2);
          const Outcome a = carry_out(one, made.kernel, tangents), b = carry_out(two, made.plain, others);
          BOOST_TEST_CONTEXT("round " << round << ", width " << width << ", translated " << translated) {
            BOOST_REQUIRE(int(a.fault) == int(b.fault));
            BOOST_REQUIRE(one.work == two.work);
            if (a.ok()) {
              ++ends;
              // The last moves go to places of their own.
              const std::size_t common = p.memory.size() - 4;
              BOOST_REQUIRE(same_bits(std::vector<double>(one.memory.begin(), one.memory.begin() + std::ptrdiff_t(common)), std::vector<double>(two.memory.begin(), two.memory.begin() + std::ptrdiff_t(common))));
              BOOST_REQUIRE(same_bits(std::vector<double>(tangents.begin(), tangents.begin() + std::ptrdiff_t(common * w)), std::vector<double>(others.begin(), others.begin() + std::ptrdiff_t(common * w))));
              BOOST_REQUIRE(same_bits(one.relation_differences, two.relation_differences));
              BOOST_REQUIRE(one.flips.size() == two.flips.size());
            } else {
              ++faults;
              in_later_lanes += a.part >= p.kernels[0].rows.size() * lanes_together;
              BOOST_REQUIRE(same(instruction_at(p, a), instruction_at(p, b)));
              BOOST_REQUIRE(origin_of(p, a) == origin_of(p, b));
            }
          }
          two.memory = one.memory, two.work = one.work, two.relations = one.relations, two.relation_differences = one.relation_differences, two.flips = one.flips;
          two.evaluated = one.evaluated, two.changes = one.changes;
        }
      }
    }
  }
  BOOST_TEST(faults > 2000u);
  BOOST_TEST(ends > 2000u);
  BOOST_TEST(in_later_lanes > 100u);
}

BOOST_AUTO_TEST_CASE(code_is_looked_through_lane_by_lane) {
  Maker maker(2);
  for (int round = 0; round < 50; ++round) {
    const Made made = maker.make(false);
    std::vector<Instruction> one, two;
    const auto into = [&](std::vector<Instruction>& list) {
      return [&](const Instruction& i) { list.push_back(i); };
    };
    BOOST_TEST(each_instruction(made.b.p, made.kernel, into(one)));
    BOOST_TEST(each_instruction(made.b.p, made.plain, into(two)));
    BOOST_REQUIRE(one.size() == two.size());
    for (std::size_t k = 1; k + 1 < one.size(); ++k) BOOST_REQUIRE(same(one[k], two[k]));
    std::size_t seen = 0;
    BOOST_TEST(!each_instruction(made.b.p, made.kernel, [&](const Instruction&) { return ++seen < 2; }));
    BOOST_TEST(seen == 2u);
  }
}

BOOST_AUTO_TEST_SUITE_END()
