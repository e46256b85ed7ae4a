// Machine code does what the interpreter does, bit by bit: every opcode, and sections made at random.

#include <boost/test/unit_test.hpp>
#include <atomic>
#include <chrono>
#include <cmath>
#include <limits>
#include <random>
#include <thread>

#include "builder.hpp"
#include "runtime/interpreter.hpp"
#include "runtime/machine_code.hpp"
#include "runtime/opcode.hpp"
#include "tests/same_run.hpp"

using namespace mosim::test;
using mosim::tests::same_bits;

namespace {

constexpr double endless = std::numeric_limits<double>::infinity(), no_number = std::numeric_limits<double>::quiet_NaN();

unsigned width_of(Beside beside) { return beside == Beside::nothing ? 0 : beside == Beside::tangents_4 ? 4 : beside == Beside::tangents_8 ? 8 : 1; }

Outcome carry_out(Machine& m, Entry entry, Beside beside, Mode mode, std::vector<double>& tangents) {
  switch (beside) {
    case Beside::nothing: return run(m, entry, mode);
    case Beside::sizes: case Beside::operand_sizes: {
      m.operands_alone = beside == Beside::operand_sizes;
      const Outcome outcome = run_sizes(m, entry, tangents.data());
      m.operands_alone = false;
      return outcome;
    }
    default: return run_dual(m, entry, width_of(beside), tangents.data());
  }
}

constexpr std::array all_beside{Beside::nothing, Beside::tangents_1, Beside::tangents_4, Beside::tangents_8, Beside::sizes, Beside::operand_sizes};
constexpr std::array all_modes{Mode::frozen, Mode::measure, Mode::live, Mode::literal};

std::vector<double> some_tangents(std::size_t slots, unsigned width, bool sizes, std::mt19937& random) {
  std::vector<double> t(slots * width);
  for (double& x : t) {
    x = random() % 4 == 0 ? 0 : double(random() % 1000) / 64 - (sizes ? 0 : 7);
    if (random() % 50 == 0) x = sizes ? 1e300 : -1e300;
  }
  return t;
}

/// Two machines of one program, one of which is interpreted.
struct Pair {
  explicit Pair(const Program& program) : interpreted(make_machine(program)), translated(make_machine(program)) {
    translated.code = MachineCode::make(program, 0);
  }

  bool agree(Entry entry, Beside beside, Mode mode, const std::vector<double>& tangents) {
    std::vector<double> expected = tangents, found = tangents;
    const Outcome a = carry_out(interpreted, entry, beside, mode, expected), b = carry_out(translated, entry, beside, mode, found);
    return a.fault == b.fault && a.at == b.at && same_bits(interpreted.memory, translated.memory) && same_bits(expected, found) && interpreted.work == translated.work &&
           same_bits(interpreted.relation_differences, translated.relation_differences) && interpreted.changes == translated.changes && same_relations() &&
           interpreted.warned == translated.warned && interpreted.failed_assertion == translated.failed_assertion;
  }

  /// In a mode, with tangents of chance. What is beside the values decides whether there is a choice of modes.
  bool agree(Entry entry, Beside beside, std::mt19937& random) {
    const Mode mode = beside == Beside::nothing ? all_modes[random() % all_modes.size()] : Mode::frozen;
    return agree(entry, beside, mode, some_tangents(interpreted.memory.size(), width_of(beside), beside >= Beside::sizes, random));
  }

  bool same_relations() const {
    const auto &a = interpreted.relations, &b = translated.relations;
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const RelationState& x, const RelationState& y) { return x.value == y.value && x.armed == y.armed && same_bits(x.left, y.left) && same_bits(x.right, y.right); });
  }

  Machine interpreted, translated;
};

bool is_here() {
  Builder b;
  return MachineCode::make(b.p, 0) != nullptr;
}

}  // namespace

// Where it was built in, the tests below are not left out.
BOOST_AUTO_TEST_CASE(machine_code_is_made_where_it_can_be) {
#ifdef MOSIM_WITH_ASMJIT
  BOOST_TEST(is_here() == bool(__builtin_cpu_supports("avx")));
#else
  BOOST_TEST(!is_here());
#endif
}

BOOST_AUTO_TEST_SUITE(machine_code, *boost::unit_test::precondition([](boost::unit_test::test_unit_id) { return boost::test_tools::assertion_result(is_here()); }))

BOOST_AUTO_TEST_CASE(every_opcode_of_operands_gives_the_same) {
  const double values[] = {0, -0.0, 1, -1, 2, 0.5, -2.5, 3, 1e-320, -1e-320, 1e-300, 1e200, -1e200, 1e308, -1e308, std::numeric_limits<double>::max(), 9.1e15, 2.2e-16, endless, -endless, no_number};
  std::mt19937 random(1);
  std::size_t compared = 0, faults = 0;
  for (const OpcodeFacts& f : opcode_table) {
    if (f.op < Opcode::move || f.op > Opcode::within || f.op == Opcode::text || f.op == Opcode::precedes) {
      if (f.op != Opcode::relation && f.op != Opcode::quiet_relation && f.op != Opcode::quiet_sign && f.op != Opcode::time_relation && f.op != Opcode::event_function &&
          f.op != Opcode::check)
        continue;
    }
    // The result elsewhere, in place of each operand, and of operands that are one.
    for (const int shape : {0, 1, 2, 3}) {
      for (const std::uint32_t mark : {0u, may_overflow}) {
        const bool in_table = f.op > Opcode::within;
        if (in_table && mark) continue;
        Builder b;
        const Slot x = b.slot(), y = b.slot(), r = b.slot();
        if (in_table) {
          (void)b.relation(Comparison::less_equal);
          b.p.event_functions.push_back({Rounding::floor});
          b.p.assertions_table.push_back({});
        }
        const Slot a = shape == 1 ? x : shape == 2 ? y : r, c = shape == 3 ? x : y;
        const bool marks_c = f.reads == 1 && !in_table;
        const Entry entry = b.code([&] { b.emit_to(f.op == Opcode::check ? 0 : a, f.op, x, marks_c ? mark : c, mark); });
        Pair pair(b.p);
        for (const double vx : values)
          for (const double vy : values) {
            if (f.reads == 1 && &vy != &values[0] && shape != 2 && vy != 1) continue;
            for (const Beside beside : all_beside)
              for (const Mode mode : all_modes) {
                if (beside != Beside::nothing && mode != Mode::frozen) continue;
                for (const bool needs_slopes : {false, true}) {
                  if (needs_slopes && width_of(beside) == 0) continue;
                  for (Machine* m : {&pair.interpreted, &pair.translated}) {
                    m->needs_slopes = needs_slopes;
                    m->memory[x] = vx, m->memory[y] = vy, m->memory[r] = 17;
                  }
                  const auto tangents = some_tangents(b.p.memory.size(), width_of(beside), beside >= Beside::sizes, random);
                  const bool good = pair.agree(entry, beside, mode, tangents);
                  ++compared;
                  if (!good) BOOST_ERROR(f.name << " of " << vx << " and " << vy << ", shape " << shape << ", beside " << int(beside) << ", mode " << int(mode)
                                                << ": " << pair.interpreted.memory[a] << " and " << pair.translated.memory[a]);
                  faults += !run(pair.translated, entry, mode).ok();
                  pair.interpreted.memory = pair.translated.memory;
                  pair.interpreted.work = pair.translated.work;
                  pair.interpreted.relations = pair.translated.relations;
                  pair.interpreted.event_functions = pair.translated.event_functions;
                  pair.interpreted.changes = pair.translated.changes;
                  pair.interpreted.relation_differences = pair.translated.relation_differences;
                  pair.interpreted.failed_assertion = pair.translated.failed_assertion;
                }
              }
          }
        BOOST_TEST(pair.translated.code->sections() == kinds_beside);
      }
    }
  }
  BOOST_TEST(compared > 100000u);
  BOOST_TEST(faults > 1000u);
}

BOOST_AUTO_TEST_CASE(sections_made_at_random_give_the_same) {
  std::mt19937 random(2);
  const auto any = [&](std::size_t n) { return std::size_t(random() % n); };
  constexpr std::array ops{Opcode::move, Opcode::negate, Opcode::add, Opcode::subtract, Opcode::multiply, Opcode::divide, Opcode::power, Opcode::abs, Opcode::sqrt, Opcode::min,
                           Opcode::max, Opcode::less, Opcode::less_equal, Opcode::equal, Opcode::not_equal, Opcode::not_, Opcode::and_, Opcode::or_, Opcode::sin, Opcode::exp,
                           Opcode::relation, Opcode::check, Opcode::jump, Opcode::jump_if_zero, Opcode::jump_if_nonzero, Opcode::log, Opcode::sign, Opcode::body, Opcode::multiply, Opcode::add};
  std::size_t faults = 0, ends = 0;
  for (int round = 0; round < 400; ++round) {
    Builder b;
    const std::size_t slots = 4 + any(24), length = 2 + any(90);
    const Slot first = b.slot(2);
    for (std::size_t k = 1; k < slots; ++k) (void)b.slot();
    for (int k = 0; k < 3; ++k) (void)b.relation(static_cast<Comparison>(k));
    b.p.assertions_table.push_back({true, {}, none});
    b.p.assertions_table.push_back({});
    const Entry entry = b.code([&] {
      for (std::size_t k = 0; k < length; ++k) {
        const Opcode op = ops[any(ops.size())];
        const auto slot = [&] { return Slot(first + any(slots)); };
        if (facts(op).jumps) b.emit_to(Entry(k + 1 + any(std::min<std::size_t>(length - k, 12))), op, slot());
        else if (op == Opcode::check) b.emit_to(0, op, slot(), 0, std::uint32_t(any(10) == 0));
        else if (op == Opcode::relation) b.emit_to(slot(), op, slot(), slot(), std::uint32_t(any(3)));
        else if (op == Opcode::exp) b.emit_to(slot(), op, slot(), 0);
        else b.emit_to(slot(), op, slot(), op == Opcode::power && any(2) ? first : slot(), any(4) == 0 ? may_overflow : 0);
      }
    });
    Pair pair(b.p);
    for (int run = 0; run < 12; ++run) {
      for (std::size_t k = 1; k < slots; ++k) {
        const double value = any(8) == 0 ? 0 : any(12) == 0 ? 1e155 : double(any(2000)) / 128 - 5;
        pair.interpreted.memory[first + k] = pair.translated.memory[first + k] = value;
      }
      pair.interpreted.invariants_alone = pair.translated.invariants_alone = any(6) == 0;
      for (const Beside beside : all_beside) {
        BOOST_TEST_CONTEXT("round " << round << ", beside " << int(beside)) BOOST_REQUIRE(pair.agree(entry, beside, random));
        std::vector<double> none_beside;
        Machine& m = pair.interpreted;
        const auto memory = m.memory;
        const double work = m.work;
        (carry_out(m, entry, Beside::nothing, Mode::frozen, none_beside).ok() ? ends : faults)++;
        m.memory = memory, m.work = work;
      }
      BOOST_REQUIRE(pair.interpreted.flips.size() == pair.translated.flips.size());
    }
    BOOST_TEST(pair.translated.code->sections() == kinds_beside);
  }
  BOOST_TEST(faults > 1000u);
  BOOST_TEST(ends > 1000u);
}

// Loops, elements of arrays, calls in calls; results that are missing, subscripts outside, loops that go on for too long.
BOOST_AUTO_TEST_CASE(functions_made_at_random_give_the_same) {
  std::mt19937 random(3);
  const auto any = [&](std::size_t n) { return std::size_t(random() % n); };
  constexpr std::array ops{Opcode::move, Opcode::add, Opcode::subtract, Opcode::multiply, Opcode::divide, Opcode::less, Opcode::sqrt, Opcode::load, Opcode::store, Opcode::whole,
                           Opcode::within, Opcode::load, Opcode::store, Opcode::call, Opcode::max, Opcode::cos};
  std::size_t ends = 0;
  std::size_t functions_translated = 0;
  std::array<std::size_t, 64> faults{};
  for (int round = 0; round < 300; ++round) {
    Builder b;
    constexpr std::size_t array_size = 3, numbers = 8;
    const Slot one = b.slot(1), two = b.slot(2), three = b.slot(3);
    const auto body = [&](Slot first, std::size_t length) {   // array, then numbers
      const auto number = [&] { return Slot(first + array_size + any(numbers)); };
      for (std::size_t k = 0; k < length; ++k) {
        const Opcode op = ops[any(ops.size())];
        const Slot subscript = any(4) == 0 ? number() : any(2) ? two : any(2) ? one : three;
        if (op == Opcode::call) {
          if (b.p.functions.empty()) continue;
          const Index f = Index(any(b.p.functions.size()));
          b.emit_to(b.p.functions[f].inputs[0], Opcode::move, number());
          b.emit_to(0, op, 0, 0, f);
          b.emit_to(number(), Opcode::move, b.p.functions[f].results[0]);
        } else if (op == Opcode::load) {
          b.emit_to(number(), op, subscript, array_size, first);
        } else if (op == Opcode::store) {
          b.emit_to(first, op, subscript, number(), array_size);
        } else {
          b.emit_to(number(), op, op == Opcode::within ? subscript : number(), op == Opcode::within ? three : number());
        }
      }
    };
    for (std::size_t n = any(4); n > 0; --n) {
      const Slot first = b.slot();
      for (std::size_t k = 1; k < array_size + numbers + 2; ++k) (void)b.slot();
      const Slot counter = Slot(first + array_size + numbers), limit = counter + 1;
      Function f;
      f.name = "f";
      f.inputs = {Slot(first + array_size)};
      f.results = {Slot(first + array_size + 1)};
      f.first = first;
      f.last = limit + 1;
      f.entry = Entry(b.p.code.size());
      b.emit_to(counter, Opcode::move, slot_zero);
      b.emit_to(limit, Opcode::move, any(2) ? three : one);
      for (Slot k = first; k < counter; ++k)
        if (k != f.inputs[0]) b.emit_to(k, Opcode::move, any(3) == 0 ? three : two);
      const Entry head = Entry(b.p.code.size());
      body(first, 1 + any(12));
      b.emit_to(counter, Opcode::add, counter, one);
      const Slot goes_on = b.slot();
      b.emit_to(goes_on, Opcode::less, counter, limit);
      const std::size_t leave = b.p.code.size();
      b.emit_to(0, Opcode::jump_if_zero, goes_on);
      b.emit_to(head, Opcode::loop);
      b.p.code[leave].a = Entry(b.p.code.size());
      if (any(3) == 0) {   // no result, now and then
        const std::size_t over = b.p.code.size();
        b.emit_to(0, Opcode::jump_if_nonzero, f.inputs[0]);
        const Slot missing = b.number(no_number);
        b.emit_to(f.results[0], Opcode::move, missing);
        b.p.code[over].a = Entry(b.p.code.size());
      }
      b.emit_to(0, Opcode::return_);
      b.p.functions.push_back(std::move(f));
    }
    const Slot first = b.slot();
    for (std::size_t k = 1; k < array_size + numbers; ++k) (void)b.slot();
    const Entry entry = b.code([&] { body(first, 4 + any(30)); });
    Pair pair(b.p);
    pair.interpreted.maximum_rounds = pair.translated.maximum_rounds = 1000000;
    for (int run = 0; run < 12; ++run) {
      for (std::size_t k = 0; k < array_size + numbers; ++k) {
        const double value = any(6) == 0 ? 0 : any(3) == 0 ? double(any(5)) : double(any(2000)) / 128;
        pair.interpreted.memory[first + k] = pair.translated.memory[first + k] = value;
      }
      for (const Beside beside : all_beside) {
        BOOST_TEST_CONTEXT("round " << round << ", beside " << int(beside)) BOOST_REQUIRE(pair.agree(entry, beside, random));
        BOOST_REQUIRE(pair.translated.calls.empty());
        BOOST_REQUIRE(pair.interpreted.failed_result == pair.translated.failed_result && pair.interpreted.failed_function == pair.translated.failed_function);
        Machine m = make_machine(b.p);
        m.memory = pair.interpreted.memory;
        const Outcome outcome = mosim::runtime::run(m, entry, Mode::frozen);
        outcome.ok() ? ++ends : ++faults[std::size_t(outcome.fault)];
      }
    }
    functions_translated += pair.translated.code->sections() > kinds_beside;
  }
  BOOST_TEST(ends > 1000u);
  BOOST_TEST(functions_translated > 100u);
  for (const Fault fault : {Fault::outside, Fault::without_result, Fault::not_finite, Fault::division_by_zero}) BOOST_TEST(faults[std::size_t(fault)] > 10u);
}

// f(n) = n + f(n - 1), as deep as the interpreter's stack goes and one deeper.
BOOST_AUTO_TEST_CASE(a_function_that_calls_itself_gives_the_same) {
  for (const bool declared : {true, false}) {
    Builder b;
    Function f;
    f.name = "f";
    f.recursive = declared;
    const Slot in = b.slot(), out = b.slot(), first = b.slot(), kept = first, one = b.slot(1);
    f.inputs = {in};
    f.results = {out};
    f.first = first;
    f.last = one;
    f.entry = Entry(b.p.code.size());
    b.emit_to(kept, Opcode::move, in);
    b.emit_to(out, Opcode::move, slot_zero);
    const std::size_t over = b.p.code.size();
    b.emit_to(0, Opcode::jump_if_zero, kept);
    b.emit_to(in, Opcode::subtract, kept, one);
    b.emit_to(0, Opcode::call, 0, 0, 0);
    b.emit_to(out, Opcode::add, out, kept);
    b.p.code[over].a = Entry(b.p.code.size());
    b.emit_to(0, Opcode::return_);
    b.p.functions.push_back(f);
    const Slot n = b.slot();
    const Entry entry = b.code([&] {
      b.emit_to(in, Opcode::move, n);
      b.emit_to(0, Opcode::call, 0, 0, 0);
    });
    Pair pair(b.p);
    for (const double depth : {0.0, 5.0, 199.0, 200.0, 201.0, 19998.0, 19999.0, 20000.0, 30000.0})
      for (const Beside beside : {Beside::nothing, Beside::tangents_4}) {
        pair.interpreted.memory[n] = pair.translated.memory[n] = depth;
        std::mt19937 random(4);
        const auto tangents = some_tangents(b.p.memory.size(), width_of(beside), false, random);
        BOOST_TEST_CONTEXT("depth " << depth << ", declared " << declared) BOOST_TEST(pair.agree(entry, beside, Mode::frozen, tangents));
        if (declared && depth < 19999) BOOST_TEST(pair.translated.memory[out] == depth * (depth + 1) / 2);
      }
  }
}

BOOST_AUTO_TEST_CASE(a_loop_without_end_ends) {
  Builder b;
  Function f;
  f.name = "f";
  f.results = {b.slot(1)};
  f.entry = Entry(b.p.code.size());
  b.emit_to(f.entry, Opcode::loop);
  b.emit_to(0, Opcode::return_);
  b.p.functions.push_back(f);
  const Entry entry = b.code([&] { b.emit_to(0, Opcode::call, 0, 0, 0); });
  Pair pair(b.p);
  pair.interpreted.maximum_rounds = pair.translated.maximum_rounds = 10000;
  BOOST_TEST(pair.agree(entry, Beside::nothing, Mode::frozen, {}));
  BOOST_CHECK(run(pair.translated, entry, Mode::frozen).fault == Fault::endless);
  std::atomic<bool> stop{false};
  pair.translated.stop = &stop;
  pair.translated.maximum_rounds = std::uint64_t(1) << 40;
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    stop = true;
  });
  const double before = pair.translated.work;
  BOOST_CHECK(run(pair.translated, entry, Mode::frozen).fault == Fault::stopped);
  other.join();
  BOOST_TEST(pair.translated.work > before + 1000);   // it was on its way
}

BOOST_AUTO_TEST_CASE(a_section_is_translated_when_it_has_run_so_often) {
  Builder b;
  const Slot x = b.slot(3), y = b.slot();
  const Entry entry = b.code([&] { b.emit_to(y, Opcode::multiply, x, x); });
  Machine m = make_machine(b.p);
  m.code = MachineCode::make(b.p, 5);
  for (int k = 0; k < 5; ++k) BOOST_TEST(run(m, entry, Mode::frozen).ok());
  BOOST_TEST(m.code->sections() == 0u);
  BOOST_TEST(run(m, entry, Mode::frozen).ok());
  BOOST_TEST(m.code->sections() == 1u);
  BOOST_TEST(m.code->bytes() > 0u);
  BOOST_TEST(m.memory[y] == 9);
  BOOST_TEST(m.work == 6);
}

// A section that is too long is interpreted, and events are.
BOOST_AUTO_TEST_CASE(what_machine_code_would_not_help_is_interpreted) {
  for (const std::size_t length : {1000u, 100000u}) {
    Builder b;
    const Slot x = b.slot(3), y = b.slot();
    const Entry entry = b.code([&] {
      for (std::size_t k = 0; k < length; ++k) b.emit_to(y, Opcode::multiply, x, x);
    });
    Machine m = make_machine(b.p);
    m.code = MachineCode::make(b.p, 0);
    BOOST_TEST(run(m, entry, Mode::live).ok());
    BOOST_TEST(m.code->sections() == 0u);
    BOOST_TEST(run(m, entry, Mode::frozen).ok());
    BOOST_TEST(m.code->sections() == (length == 1000 ? 1u : 0u));
    BOOST_TEST(m.memory[y] == 9);
  }
}

BOOST_AUTO_TEST_SUITE_END()
