// Each flaw that a program may have is found, and said.

#include "program/flaws.hpp"

#include <boost/test/unit_test.hpp>
#include <cstring>
#include <functional>
#include <limits>

#include "runtime/opcode.hpp"
#include "tests/program/support.hpp"

using namespace mosim;
using namespace mosim::tests;
using runtime::Opcode;
using runtime::Program;

namespace {

/// The flaw of a small model that was changed; empty: none.
std::string flaw_of(const char* name, const std::function<void(Program&)>& change) {
  for (const Small& small : small_models())
    if (std::strcmp(small.name, name) == 0) {
      Program program = compile(small);
      change(program);
      return program::find_flaw(program).value_or("");
    }
  return "there is no such model";
}

runtime::Instruction& first(Program& p, Opcode op) {
  for (runtime::Instruction& i : p.code)
    if (i.op == op) return i;
  throw std::runtime_error("the model has no such instruction");
}

/// A function that has code.
runtime::Function& complete(Program& p) {
  for (runtime::Function& f : p.functions)
    if (f.entry != runtime::none) return f;
  throw std::runtime_error("the model has no such function");
}

bool begins(const std::string& text, const std::string& with) { return text.starts_with(with); }

constexpr const char* ball = "a ball";
constexpr const char* systems = "equations of all kinds";
constexpr const char* functions = "functions, arrays of the run's sizes";

}  // namespace

BOOST_AUTO_TEST_CASE(operands_of_instructions) {
  const auto far = [](Program& p) { return std::uint32_t(p.memory.size()); };
  BOOST_TEST(begins(flaw_of(ball, [&](Program& p) { first(p, Opcode::move).a = far(p); }), "it refers to the number in memory"));
  BOOST_TEST(begins(flaw_of(ball, [&](Program& p) { first(p, Opcode::move).b = far(p); }), "it refers to the number in memory"));
  BOOST_TEST(begins(flaw_of(ball, [&](Program& p) { first(p, Opcode::multiply).c = runtime::none; }), "it refers to the number in memory"));
  BOOST_TEST(begins(flaw_of(ball, [&](Program& p) { first(p, Opcode::relation).d = 99; }), "it refers to the relation 99"));
  BOOST_TEST(begins(flaw_of(ball, [&](Program& p) { first(p, Opcode::reinit).d = 1; }), "it refers to the reinit 1, and there are 1"));
  BOOST_TEST(begins(flaw_of(ball, [&](Program& p) { first(p, Opcode::check).d = 1; }), "it refers to the assertion"));
  BOOST_TEST(begins(flaw_of(systems, [&](Program& p) { first(p, Opcode::solve).d = 77; }), "it refers to the block 77"));
  BOOST_TEST(begins(flaw_of(systems, [&](Program& p) { first(p, Opcode::settle).d = 77; }), "it refers to the mixed system 77"));
  BOOST_TEST(begins(flaw_of("past and passage", [&](Program& p) { first(p, Opcode::delay).d = 9; }), "it refers to the delay 9"));
  BOOST_TEST(begins(flaw_of("past and passage", [&](Program& p) { first(p, Opcode::spatial_distribution).c = 2; }), "it refers to the output 2"));
  BOOST_TEST(begins(flaw_of("functions that are not Modelica", [&](Program& p) { first(p, Opcode::external).d = 9; }), "it refers to the external function 9"));
  BOOST_TEST(begins(flaw_of(functions, [&](Program& p) { first(p, Opcode::call).d = 9; }), "it refers to the function 9"));
  BOOST_TEST(begins(flaw_of(functions, [&](Program& p) { first(p, Opcode::item).d = 900; }), "it refers to the array 900"));
  BOOST_TEST(flaw_of(functions, [&](Program& p) { first(p, Opcode::item).c = 0; }) == "an array in it has no dimensions");
  BOOST_TEST(flaw_of(functions, [&](Program& p) { first(p, Opcode::load).c = far(p); }) == "a row of numbers goes beyond memory");
  BOOST_TEST(flaw_of(functions, [&](Program& p) { first(p, Opcode::store).d = runtime::none; }) == "a row of numbers goes beyond memory");
}

BOOST_AUTO_TEST_CASE(kernels) {
  const char* const kernels = "kernels";
  using How = runtime::Lanes::How;
  BOOST_TEST(flaw_of(kernels, [](Program&) {}) == "");
  BOOST_TEST(begins(flaw_of(kernels, [](Program& p) { first(p, Opcode::kernel).d = 99; }), "it refers to the kernel 99"));
  BOOST_TEST(flaw_of(kernels, [](Program& p) { p.kernels[0].rows.clear(); }) == "a kernel is empty");
  BOOST_TEST(flaw_of(kernels, [](Program& p) { p.kernels[0].count = 0; }) == "a kernel is empty");
  BOOST_TEST(flaw_of(kernels, [](Program& p) { p.kernels[0].count = 1u << 31; }) == "a kernel has more lanes than there are numbers in memory");
  BOOST_TEST(flaw_of(kernels, [](Program& p) { p.kernels[0].rows[0].op = Opcode::call; }) == "a kernel has code that is no arithmetic");
  BOOST_TEST(flaw_of(kernels, [](Program& p) { p.kernels[0].rows[0].b = {std::uint32_t(p.lanes.size() - 1), 0, How::listed}; }) == "a kernel's lanes go beyond their list");
  // The last lane alone, of a stride forwards and of one backwards; and one in the list.
  const auto last = [](const Program& p) { return p.kernels[0].count - 1; };
  BOOST_TEST(begins(flaw_of(kernels, [&](Program& p) { p.kernels[0].rows[0].a = {std::uint32_t(p.memory.size()) - last(p), 1}; }), "it refers to the number in memory"));
  BOOST_TEST(begins(flaw_of(kernels, [&](Program& p) { p.kernels[0].rows[0].b = {last(p) - 1, runtime::none}; }), "it refers to the number in memory"));
  BOOST_TEST(begins(flaw_of(kernels, [](Program& p) { p.lanes.back() = std::uint32_t(p.memory.size()); }), "it refers to the "));
  BOOST_TEST(begins(flaw_of(kernels, [](Program& p) { p.kernels[0].rows[0].a = {std::uint32_t(p.memory.size()) - 63, 0, How::passing}; }), "it refers to the number in memory"));
  BOOST_TEST(begins(flaw_of(kernels, [](Program& p) { p.kernels[0].rows[0].origin = {std::uint32_t(p.origins.size())}; }), "it refers to the origin"));
}

BOOST_AUTO_TEST_CASE(code_that_does_not_end_where_it_should) {
  BOOST_TEST(flaw_of(ball, [](Program& p) { p.code.back().op = Opcode::body; }) == "its code has no end");
  BOOST_TEST(flaw_of(ball, [](Program& p) { p.derivatives = runtime::none; }) != "");
  BOOST_TEST(begins(flaw_of(ball, [](Program& p) { p.event = 12345; }), "it refers to the instruction 12345"));
  BOOST_TEST(flaw_of(functions, [](Program& p) { first(p, Opcode::jump_if_zero).a = std::uint32_t(p.code.size()) - 1; }) == "a jump in its code leaves its piece");
  BOOST_TEST(flaw_of(functions, [](Program& p) { first(p, Opcode::jump_if_zero).a = 0; }) == "a jump in its code leaves its piece");
  BOOST_TEST(flaw_of(functions, [](Program& p) { p.code[p.derivatives] = {Opcode::loop, p.derivatives - 1, 0, 0, 0}; }) == "a loop in its code leaves its piece");
  BOOST_TEST(flaw_of(functions, [](Program& p) { first(p, Opcode::loop).a = std::uint32_t(p.code.size()) - 1; }) == "a loop in its code goes forward");
  BOOST_TEST(flaw_of(functions, [](Program& p) { first(p, Opcode::return_).op = Opcode::end; }) == "a piece of its code ends in another one");
  BOOST_TEST(flaw_of(functions, [](Program& p) { p.event = complete(p).entry; }) == "a piece of its code ends in another one");
  BOOST_TEST(flaw_of(functions, [](Program& p) { complete(p).entry = runtime::none; }) == "it calls a function that has no code");
  BOOST_TEST(flaw_of(ball, [](Program& p) { first(p, Opcode::move).op = Opcode::body; }) == "a body begins in code that is no block's");
}

BOOST_AUTO_TEST_CASE(systems_of_equations) {
  BOOST_TEST(flaw_of(systems, [](Program& p) { p.blocks[0].residuals.pop_back(); }) == "a block has not as many equations as unknowns");
  BOOST_TEST(flaw_of(systems, [](Program& p) { p.blocks[0].unknowns.clear(); }) == "a block has no unknowns");
  BOOST_TEST(begins(flaw_of(systems, [](Program& p) { p.blocks[0].unknowns[0] = 1u << 30; }), "it refers to the number in memory"));
  BOOST_TEST(flaw_of(systems, [](Program& p) { p.blocks[0].names.clear(); }) == "an unknown of a block has no name or no nominal value");
  BOOST_TEST(flaw_of(systems, [](Program& p) { p.blocks[0].nominal[0] = 0; }) == "the nominal value of an unknown is not positive");
  BOOST_TEST(flaw_of(systems, [](Program& p) { p.blocks[0].code = p.blocks[1].code; }) != "");
  BOOST_TEST(flaw_of(systems, [](Program& p) { p.blocks[0].body = p.blocks[1].body; }) == "a block's body lies outside of it");
  const auto solves = [](Program& p, std::size_t block, std::uint32_t inner) {
    p.code[p.blocks[block].body] = {Opcode::solve, 0, 0, 0, inner};
  };
  BOOST_TEST(flaw_of(systems, [&](Program& p) { solves(p, 0, 0); }) == "a system of equations contains itself");
  BOOST_TEST(flaw_of(systems, [&](Program& p) { solves(p, 0, 1), solves(p, 1, 0); }) == "a system of equations contains itself");
  BOOST_TEST(flaw_of(systems, [&](Program& p) { p.blocks[0].untorn = 0; }) != "");
  // Each in the next one, twice: to look at all of it would take for ever.
  const auto nested = [](std::size_t depth) {
    return [depth](Program& p) {
      const runtime::Block model = p.blocks[0];
      for (std::size_t k = 0; k < depth; ++k) {
        runtime::Block block = model;
        block.untorn = runtime::none;
        block.code = block.body = std::uint32_t(p.code.size());
        p.code.push_back({Opcode::solve, 0, 0, 0, std::uint32_t(p.blocks.size() + (k + 1 < depth ? 1 : 0))});
        if (k + 1 == depth) p.code.back().op = Opcode::body;
        p.code.push_back({Opcode::end, 0, 0, 0, 0});
        if (k + 1 == depth) block.body = block.code + 1;
        p.blocks.push_back(block);
      }
    };
  };
  BOOST_TEST(flaw_of(systems, nested(5)) == "");
  BOOST_TEST(flaw_of(systems, nested(60)) == "its systems of equations nest beyond measure");
  BOOST_TEST(flaw_of(systems, nested(100'000)) == "its systems of equations nest too deeply");
  BOOST_TEST(flaw_of(functions, [](Program& p) { p.code[complete(p).entry] = {Opcode::solve, 0, 0, 0, 0}; }) == "a function in it solves equations");
  BOOST_TEST(begins(flaw_of(systems, [](Program& p) { p.mixed[0].held[0].number = 50; }), "it refers to the relation 50"));
}

BOOST_AUTO_TEST_CASE(tables) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  BOOST_TEST(flaw_of(ball, [](Program& p) { p.memory.clear(); }) == "it has no memory");
  BOOST_TEST(flaw_of(ball, [](Program& p) { p.first_state = runtime::none; }) == "a row of numbers goes beyond memory");
  BOOST_TEST(flaw_of(ball, [](Program& p) { p.arrays = 4'000'000'000u; }) == "it has more arrays than code");
  BOOST_TEST(begins(flaw_of(ball, [](Program& p) { p.states[0].variable = runtime::none; }), "it refers to the variable"));
  BOOST_TEST(flaw_of(ball, [&](Program& p) { p.states[0].nominal = nan; }) == "the nominal value of a state is not positive");
  BOOST_TEST(begins(flaw_of(ball, [](Program& p) { p.jacobian[0].state = 2; }), "it refers to the state 2"));
  BOOST_TEST(begins(flaw_of(ball, [](Program& p) { p.origins.mentions.push_back({1u << 20, 0}); }), "it refers to the number in memory"));
  BOOST_TEST(begins(flaw_of(ball, [](Program& p) { p.origins.mentions.push_back({0, 1000}); }), "it refers to the variable 1000"));
  BOOST_TEST(begins(flaw_of(ball, [](Program& p) { p.origins.ends[0].spot = 1000; }), "it refers to the place 1000"));
  BOOST_TEST(flaw_of(ball, [](Program& p) { p.origins.ends.front().text = 1u << 30; }) == "its origins are out of order");
  BOOST_TEST(flaw_of(ball, [](Program& p) { p.origins.ends.back().mention = 1u << 30; }) == "its origins go beyond their texts");
  BOOST_TEST(begins(flaw_of(ball, [](Program& p) { p.variables[0].origin = 10'000; }), "it refers to the origin 10000"));
  BOOST_TEST(flaw_of(ball, [](Program& p) { p.origins.spots[0].line_text = "x", p.origins.spots[0].end_column = runtime::none; }) == "a place in the source lies beyond its line");
  BOOST_TEST(begins(flaw_of(ball, [](Program& p) { p.whens[0].conditions[0].pre = 1u << 20; }), "it refers to the number in memory"));
  BOOST_TEST(begins(flaw_of(ball, [](Program& p) { p.reinits[0].state = 2; }), "it refers to the state 2"));
  BOOST_TEST(begins(flaw_of(ball, [](Program& p) { p.assertions_table[0].message.pieces[1].value = 1u << 20; }), "it refers to the number in memory"));
  BOOST_TEST(flaw_of("relations in time, whole numbers, texts", [](Program& p) { p.texts[0].pieces[0].format.minimum_length = 2'000'000'000; }) == "a text in it is filled up too far");
  BOOST_TEST(flaw_of("past and passage", [](Program& p) { p.spatial_distributions[0].points.pop_back(); }) == "the points of a spatialDistribution do not rise from 0 to 1");
  BOOST_TEST(flaw_of("past and passage", [&](Program& p) { p.spatial_distributions[0].points[1] = nan; }) == "the points of a spatialDistribution do not rise from 0 to 1");
  BOOST_TEST(flaw_of("clocks", [](Program& p) { p.clocks[0].clocks[0].factor = 0; }) == "a clock in it never ticks");
  BOOST_TEST(flaw_of("clocks", [](Program& p) { p.clocks[0].resolution = 0; }) == "a clock in it has no interval");
  BOOST_TEST(begins(flaw_of("a state machine", [](Program& p) { p.transitions[0].fired = runtime::none; }), "it refers to the number in memory"));
  const char* const chosen = "states that are chosen";
  BOOST_TEST(flaw_of(chosen, [](Program& p) { p.state_sets[0].coefficients.pop_back(); }) == "a choice of states has not as many coefficients as it needs");
  BOOST_TEST(flaw_of(chosen, [](Program& p) { p.state_sets[0].select.pop_back(); }) == "a choice of states has not a place for each");
  BOOST_TEST(flaw_of(chosen, [](Program& p) { p.state_sets[0].levels[0].candidates.pop_back(); }) == "a choice of states has not a variable for each place");
  BOOST_TEST(flaw_of(functions, [](Program& p) { complete(p).result_names.clear(); }) == "a result of a function has no name");
  BOOST_TEST(flaw_of(functions, [](Program& p) { complete(p).last = runtime::none; }) == "the frame of a function goes beyond memory");
}

BOOST_AUTO_TEST_CASE(what_c_is_called_with) {
  const auto with = [](const std::function<void(runtime::External&)>& change) {
    return flaw_of("functions that are not Modelica", [&](Program& p) {
      for (runtime::External& e : p.externals)
        if (!e.fortran) {
          foreign::Function f;
          f.name = "f";
          f.returns = true;
          f.parameters = {{.type = {.kind = foreign::Type::Kind::integer}, .result = true}, {.type = {.kind = foreign::Type::Kind::string}}};
          e.foreign = f;
          change(e);
        }
    });
  };
  BOOST_TEST(with([](runtime::External&) {}) == "");
  BOOST_TEST(with([](runtime::External& e) { e.foreign->parameters.pop_back(); }) == "a C function has other parameters than it is called with");
  BOOST_TEST(begins(with([](runtime::External& e) { e.operands.pop_back(); }), "it refers to the operand 1"));
  BOOST_TEST(with([](runtime::External& e) { e.foreign->parameters[1].type.kind = foreign::Type::Kind::real; }) == "an operand of a C function is of another kind than its parameter");
  BOOST_TEST(with([](runtime::External& e) { e.operands[0].slots.push_back(0); }) == "an array is handed to a C function that takes one number");
  BOOST_TEST(flaw_of("functions that are not Modelica", [](Program& p) {
               p.externals[0].operands[0].kind = runtime::External::Operand::Kind::object, p.externals[0].operands[0].slots.clear(), p.externals[0].operands[0].array = runtime::none;
             }) == "an external object has no place");
}
