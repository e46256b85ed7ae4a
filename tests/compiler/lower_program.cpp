// The program: how much code, in which section, with which tables.

#include <boost/test/unit_test.hpp>

#include "analyse_support.hpp"

using test::model;
using test::run;
using namespace mosim;

namespace {

std::size_t length(const runtime::Program& p, runtime::Entry entry) {
  std::size_t n = 0;
  while (p.code[entry + n].op != runtime::Opcode::end) ++n;
  return n;
}

std::size_t count(const runtime::Program& p, runtime::Entry entry, runtime::Opcode op) {
  std::size_t n = 0;
  for (runtime::Entry i = entry; p.code[i].op != runtime::Opcode::end; ++i) n += p.code[i].op == op;
  return n;
}

const char* const ball =
    "parameter Real e = 0.8; parameter Real h0 = 1; Real h; Real v(start = 0, fixed = true);\ninitial equation\n h = h0;\nequation\n v = "
    "der(h);\n der(v) = -9.81;\n when h < 0 then reinit(v, -e*pre(v)); end when;";

/// Flat models made by hand, larger than one would write.
struct Builder {
  compiler::flat::Model m;
  compiler::Expressions& x() { return m.expressions; }
  compiler::VariableId real(const std::string& name) {
    compiler::flat::Variable v;
    v.name = name;
    m.variables.push_back(v);
    return static_cast<compiler::VariableId>(m.variables.size() - 1);
  }
  compiler::Expr value(compiler::VariableId v) { return x().variable(v, compiler::BaseType::real); }
  compiler::Expr make(compiler::Op op, std::initializer_list<compiler::Expr> c) { return x().make(op, compiler::BaseType::real, c); }
  void equation(compiler::Expr left, compiler::Expr right) { m.equations.push_back({left, right, {}, "", compiler::VariableId::none}); }
  runtime::Program lowered() {
    parser::Sources sources;
    parser::Diagnostics diagnostics;
    m.name = "M";
    auto system = compiler::analyse(std::move(m), sources, diagnostics);
    BOOST_REQUIRE(system.has_value());
    return compiler::lower(*system, sources);
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(program)

BOOST_AUTO_TEST_CASE(bouncing_ball_is_short) {
  const auto p = model(ball).program();
  BOOST_TEST(p.states.size() == 2u);
  BOOST_TEST(length(p, p.derivatives) == 2u);
  BOOST_TEST(length(p, p.outputs) == 0u);
  BOOST_TEST(length(p, p.event) <= 10u);
  BOOST_TEST(p.reinits.size() == 1u);
  BOOST_TEST(p.reinits[0].state == 1u);
  BOOST_TEST(p.whens.size() == 1u);
  BOOST_TEST(p.jacobian.size() == 1u);
  BOOST_TEST(p.jacobian[0].derivative == 0u);
  BOOST_TEST(p.jacobian[0].state == 1u);
  BOOST_TEST(p.origins[p.relations[0].origin].at.line == 8u);
  BOOST_TEST(p.origins[p.reinits[0].origin].text == "reinit(v, -e*pre(v))");
}

BOOST_AUTO_TEST_CASE(every_slot_and_entry_exists) {
  const auto p = model(ball).program();
  BOOST_TEST(p.code.size() == p.code_origins.size());
  for (const auto& i : p.code) {
    BOOST_TEST(i.a < std::max(p.memory.size(), p.code.size()));
    BOOST_TEST(i.b < p.memory.size());
    BOOST_TEST(i.c < p.memory.size());
  }
  for (const auto& v : p.variables) BOOST_TEST(v.slot < p.memory.size());
}

BOOST_AUTO_TEST_CASE(common_subexpressions_are_computed_once) {
  const auto p = model("Real x(start = 1, fixed = true); Real y = sin(x)*2; Real z = sin(x) + 1;\nequation\n der(x) = y + z;").program();
  BOOST_TEST(count(p, p.derivatives, runtime::Opcode::sin) == 1u);
}

BOOST_AUTO_TEST_CASE(nothing_leaves_a_branch) {
  // sin(x) inside a branch is not there for those outside: it may not have been computed.
  const auto r = run("Real x(start = 1, fixed = true); Real y; Real z; parameter Boolean p = false;\nequation\n y = if p then sin(x) else 0;\n z = "
                     "sin(x);\n der(x) = 0;");
  BOOST_TEST(r.first("z") == std::sin(1.0));
}

BOOST_AUTO_TEST_CASE(what_never_changes_is_left_out_between_events) {
  const auto p = model("parameter Real a = 2; Real k = 3*a + 1; Real x(start = 0, fixed = true);\nequation\n der(x) = k*x;").program();
  BOOST_TEST(length(p, p.derivatives) == 1u);
  BOOST_TEST(length(p, p.outputs) == 0u);
}

BOOST_AUTO_TEST_CASE(jacobian_goes_through_algebraic_variables_and_blocks) {
  const auto p = model("Real a(start = 1, fixed = true); Real b(start = 1, fixed = true); Real c(start = 1, fixed = true); Real u; Real v; Real w;\nequation\n w = 2*a;\n u + v^3 = "
                       "b;\n u - v = w;\n der(a) = w;\n der(b) = u;\n der(c) = time;").program();
  std::vector<std::pair<int, int>> pattern;
  for (const auto& d : p.jacobian) pattern.emplace_back(int(d.derivative), int(d.state));
  const std::vector<std::pair<int, int>> expected{{0, 0}, {1, 0}, {1, 1}};
  BOOST_TEST((pattern == expected));
}

BOOST_AUTO_TEST_CASE(what_a_system_only_reads_is_computed_once) {
  // sin(a) and cos(b) stand before what is repeated; the root does not: where b is negative there is none.
  const auto p = model("Real a(start = 1, fixed = true); Real b(start = -1, fixed = true); Real u; Real v;\nequation\n u + sin(a)*v = cos(b);\n "
                       "v + (if b > 0 then sqrt(b)*u else 2*u) - u*sin(a) = 1;\n der(a) = u;\n der(b) = 0.1*v;").program();
  BOOST_REQUIRE(!p.blocks.empty());
  for (const runtime::Block& block : p.blocks) {
    BOOST_TEST(count(p, block.code, runtime::Opcode::sin) == 1u);
    BOOST_TEST(count(p, block.body, runtime::Opcode::sin) == 0u);
    BOOST_TEST(count(p, block.body, runtime::Opcode::cos) == 0u);
    BOOST_TEST(count(p, block.body, runtime::Opcode::sqrt) == 1u);
  }
}

BOOST_AUTO_TEST_CASE(faults_name_their_expression) {
  const auto r = run("Real x(start = 1, fixed = true); Real y = sqrt(x);\nequation\n der(x) = -1;", 2);
  BOOST_TEST((r.result.ending == runtime::Ending::failed));
  BOOST_REQUIRE(!r.result.messages.empty());
  BOOST_REQUIRE(r.result.messages.back().origin < r.program.origins.size());
  const runtime::Origin origin = r.program.origins[r.result.messages.back().origin];
  BOOST_TEST(origin.text == "sqrt(x)");
  BOOST_TEST(origin.at.line == 2u);
}

BOOST_AUTO_TEST_CASE(assertion_messages) {
  const auto r = run("Real x(start = 1, fixed = true); parameter String unit = \"kg\"; Integer n(start = 3, fixed = true);\nequation\n der(x) = 1;\n when x > 1.4 then n = 4; end when;\n "
                     "assert(x < 1.5, \"x is \" + String(x, significantDigits = 3) + unit + \", n \" + String(n));", 2);
  BOOST_TEST((r.result.ending == runtime::Ending::failed));
  BOOST_TEST(test::contains(r.failures(), "x is 1.5kg, n 4"), r.failures());
}

BOOST_AUTO_TEST_CASE(deep_sums) {
  Builder b;
  const auto s = b.real("s");
  compiler::Expr sum = b.x().real(0);
  const auto time = b.make(compiler::Op::time, {});
  for (int i = 0; i < 20000; ++i)
    sum = b.make(compiler::Op::add, {sum, b.make(compiler::Op::multiply, {b.x().real(i), time})});
  b.equation(b.make(compiler::Op::multiply, {b.x().real(2), b.value(s)}), sum);
  const auto p = b.lowered();
  BOOST_TEST(length(p, p.outputs) == 40001u);   // 20000 products, 20000 sums, one division
}

BOOST_AUTO_TEST_CASE(deep_choices) {
  Builder b;
  const auto s = b.real("s");
  const auto time = b.make(compiler::Op::time, {});
  compiler::Expr e = b.x().real(0);
  for (int i = 0; i < 20000; ++i)
    e = b.make(compiler::Op::if_, {b.x().make(compiler::Op::greater, compiler::BaseType::boolean, {time, b.x().real(i)}, {}, true), b.x().real(i), e});
  b.equation(b.value(s), e);
  BOOST_TEST(b.lowered().variables.size() == 1u);
}

BOOST_AUTO_TEST_CASE(long_chains) {
  Builder b;
  std::vector<compiler::VariableId> y;
  for (int i = 0; i < 20000; ++i) y.push_back(b.real("y" + std::to_string(i)));
  for (int i = 0; i + 1 < 20000; ++i)
    b.equation(b.make(compiler::Op::add, {b.value(y[i]), b.value(y[i + 1])}), b.x().real(i + 1));
  b.equation(b.value(y.back()), b.make(compiler::Op::time, {}));
  const auto p = b.lowered();
  BOOST_TEST(p.blocks.empty());
  BOOST_TEST(length(p, p.outputs) == 20000u);
}

BOOST_AUTO_TEST_CASE(same_text_same_program) {
  const auto one = model(ball).program(), two = model(ball).program();
  BOOST_TEST(one.code.size() == two.code.size());
  BOOST_TEST(one.memory == two.memory, boost::test_tools::per_element());
  for (std::size_t i = 0; i < one.code.size(); ++i)
    BOOST_TEST((one.code[i].op == two.code[i].op && one.code[i].a == two.code[i].a && one.code[i].b == two.code[i].b));
}

BOOST_AUTO_TEST_SUITE_END()
