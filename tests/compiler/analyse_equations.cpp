// Aliases, states, loops, algorithms, derivatives.

#include <boost/test/unit_test.hpp>

#include "analyse_support.hpp"

using test::contains;
using test::model;
using test::run;
using test::says;
namespace tt = boost::test_tools;

BOOST_AUTO_TEST_SUITE(equations)

BOOST_AUTO_TEST_CASE(aliases_share_a_slot_and_keep_their_names) {
  const auto a = model("Real a; Real b; Real c; Boolean p; Boolean q;\nequation\n a = time;\n b + a = 0;\n c = -b;\n p = time > 1;\n q = "
                       "not p;");
  const auto p = a.program();
  const auto find = [&](const std::string& name) {
    for (const auto& v : p.variables)
      if (v.name == name) return v;
    return mosim::runtime::Variable{};
  };
  BOOST_TEST(find("a").slot == find("b").slot);
  BOOST_TEST(find("a").slot == find("c").slot);
  BOOST_TEST(find("b").negated != find("a").negated);
  BOOST_TEST(find("c").negated == find("a").negated);
  BOOST_TEST(find("p").slot == find("q").slot);
  BOOST_TEST(find("p").negated != find("q").negated);
}

BOOST_AUTO_TEST_CASE(two_states_that_are_one) {
  const auto r = run("Real a(start = 1, fixed = true); Real b;\nequation\n a = -b;\n der(a) + 2*der(b) = 1;");
  BOOST_TEST(r.program.states.size() == 1);
  BOOST_TEST(r.last("a") == 0, tt::tolerance(1e-8) << "a(1) = 1 - 1");
  BOOST_TEST(std::abs(r.last("b") + r.last("a")) < 1e-12);
}

BOOST_AUTO_TEST_CASE(derivative_of_what_an_equation_gives) {
  const auto r = run("Real p1(start = 1, fixed = true); Real p2(start = 0, fixed = true); Real d = p2 - p1; Real e = 2*d + time; Real w;\nequation\n der(p1) "
                     "= 3;\n der(p2) = 1;\n w = der(e);");
  BOOST_TEST(r.program.states.size() == 2);
  BOOST_TEST(r.last("w") == -3);
}

BOOST_AUTO_TEST_CASE(motion_that_is_prescribed) {
  // The whole chain is given: no state is left.
  const auto r = run("Real x; Real v; Real a;\nequation\n x = sin(2*time);\n der(x) = v;\n der(v) = a;");
  BOOST_TEST(r.program.states.empty());
  BOOST_TEST(r.last("v") == 2*std::cos(2.0), tt::tolerance(1e-12));
  BOOST_TEST(r.last("a") == -4*std::sin(2.0), tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(state_select_that_cannot_be) {
  BOOST_TEST(says(model("Real v(stateSelect = StateSelect.always) = time;"), "cannot be a state"));
  BOOST_TEST(says(model("Real x(stateSelect = StateSelect.never);\nequation\n der(x) = time;"), "StateSelect.never"));
  BOOST_TEST(model("Real x(stateSelect = StateSelect.always);\nequation\n der(x) = time;").system.has_value());
}

BOOST_AUTO_TEST_CASE(derivative_rules) {
  // Against central differences of the function itself.
  const char* functions[] = {"sin(t)*exp(-t)", "cos(t)/(1 + t^2)", "tan(t/3)", "asin(t/2)", "acos(t/3)", "atan(t)", "atan2(t, 1 + t)",
                             "sinh(t)", "cosh(t)", "tanh(t)", "log(1 + t)", "log10(2 + t)", "sqrt(1 + t)", "(1 + t)^3",
                             "(1 + t)^(0.5*t)", "2^t", "abs(t - 2)", "min(t, t^2 + 1)", "max(3*t, 1)",
                             "if t > 0.2 then t^2 else t", "-(t - 1/(t + 2))", "smooth(1, t*t)", "homotopy(t^3, t)"};
  for (const char* f : functions) {
    std::string text = f;
    const auto r = run("Real t(start = 0, fixed = true); Real y = " + text + "; Real dy;\nequation\n der(t) = 1;\n dy = der(y);", 0.6, 1e-10);
    BOOST_TEST(r.result.time == 0.6, text << ": " << r.failures());
    const auto at = [&](double time) {
      const auto q = run("Real t; Real y = " + text + ";\nequation\n t = " + std::to_string(time) + ";", 1e-3);
      return q.first("y");
    };
    const double h = 1e-4, difference = (at(0.6 + h) - at(0.6 - h)) / (2 * h);
    BOOST_TEST(std::abs(r.last("dy") - difference) < 1e-5 * (1 + std::abs(difference)), text << ": " << r.last("dy") << " " << difference);
  }
}

BOOST_AUTO_TEST_CASE(a_derivative_that_is_differentiated_is_a_variable) {
  const auto r = run("Real x; Real y;\nequation\n der(x) = 1;\n y = der(x + der(x));");
  BOOST_TEST(r.last("y") == 1, tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(linear_loop) {
  const auto a = model("Real x; Real y; Real z;\nequation\n x + y + z = 6;\n x - y = -1 + 0*z;\n z - y = time;");
  const auto p = a.program();
  BOOST_TEST(p.blocks.size() >= 1u);
  for (const auto& b : p.blocks) BOOST_TEST(b.linear);
  const auto r = run("Real x; Real y; Real z;\nequation\n x + y + z = 6;\n x - y = -1 + 0*z;\n z - y = time;");
  BOOST_TEST(r.last("y") == 2, tt::tolerance(1e-12));   // 3y - 1 + 1 = 6
  BOOST_TEST(r.last("z") == 3, tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(loops_are_torn) {
  std::string body = "Real u[50];\nequation\n u[1] = time;\n for i in 2:49 loop u[i-1] - 2.5*u[i] + u[i+1] = 0.1; end for;\n u[50] = 0;";
  const auto p = model(body).program();
  BOOST_REQUIRE(p.blocks.size() == 2u);   // the same loop torn and not
  BOOST_TEST(p.blocks[0].untorn == 1u);
  BOOST_TEST(p.blocks[1].unknowns.size() == 48u);
  BOOST_TEST(p.blocks[0].unknowns.size() <= 25u);
  BOOST_TEST(p.blocks[0].unknowns.size() == p.blocks[0].residuals.size());
  const auto r = run(body);
  for (int i = 2; i < 50; ++i) {
    const auto u = [&](int k) { return r.last("u[" + std::to_string(k) + "]"); };
    BOOST_TEST(std::abs(u(i - 1) - 2.5 * u(i) + u(i + 1) - 0.1) < 1e-10);
  }
}

BOOST_AUTO_TEST_CASE(nonlinear_loop) {
  const auto r = run("Real x(start = 1); Real y(start = 1);\nequation\n x^2 + y^2 = 1 + time;\n x = y;");
  BOOST_TEST(r.last("x") == 1, tt::tolerance(1e-9));
  const auto s = run("Real x(start = 1); Real y(start = 1);\nequation\n x*y = 1 + 0.2*time;\n x + exp(y) = 4;");
  BOOST_TEST(s.last("x") * s.last("y") == 1.2, tt::tolerance(1e-9));
  BOOST_TEST(s.last("x") + std::exp(s.last("y")) == 4, tt::tolerance(1e-9));
  BOOST_TEST(!s.program.blocks.at(0).linear);
}

BOOST_AUTO_TEST_CASE(coefficient_that_may_vanish_is_not_divided_by) {
  const auto p = model("Real x(start = 1, fixed = true); Real y;\nequation\n der(x) = -1;\n x*y = 1;").program();
  BOOST_TEST(p.blocks.size() == 1u);
  BOOST_TEST(p.blocks[0].linear);
  const auto q = model("parameter Real R = 2; Real y;\nequation\n R*y = time;").program();
  BOOST_TEST(q.blocks.empty());
}

BOOST_AUTO_TEST_CASE(algorithm_statements_in_order) {
  const auto r = run("Real y; Real x = 3*time;\nalgorithm\n y := 0;\n for i in 1:5 loop\n  if i > x then break; end if;\n  y := y + i;\n end for;\n "
                     "if y > 2 then y := y*10; elseif y > 0 then y := -1; else y := 7; end if;");
  BOOST_TEST(r.first("y") == 7);       // nothing added
  BOOST_TEST(r.last("y") == 60);       // 1 + 2 + 3, times 10
  for (std::size_t row = 0; row < r.result.trajectory.rows(); ++row)
    if (r.time(row) > 0.34 && r.time(row) < 0.66) BOOST_TEST(r.at(row, "y") == -1);
}

BOOST_AUTO_TEST_CASE(branch_not_taken_is_not_evaluated) {
  const auto r = run("Real x(start = 1, fixed = true); Real z; Real w;\nalgorithm\n if noEvent(x > 0) then z := sqrt(x); else z := -x; end if;\nequation\n der(x) "
                     "= -1;\n w = if noEvent(x > 0) then sqrt(x) else -x;", 2);
  BOOST_TEST(r.result.time == 2, r.failures());
  BOOST_TEST(r.last("z") == 1, tt::tolerance(1e-6));
  BOOST_TEST(r.last("w") == r.last("z"));
}

BOOST_AUTO_TEST_CASE(algorithm_remembers_discrete_variables_only) {
  const auto r = run("Integer n(start = 3, fixed = true); Real y(start = 9); Integer m(start = 0, fixed = true);\nalgorithm\n when {time > 0.25, time > 0.5} then n := "
                     "n + 1; end when;\n when time > 0.5 then n := n*10; m := n; end when;\nalgorithm\n if time > 2 then y := 1; end if;");
  BOOST_TEST(r.last("n") == 50);   // 3 + 1, then (4 + 1)*10
  BOOST_TEST(r.last("m") == 50);
  BOOST_TEST(r.last("y") == 9);    // MLS 11.1.2: its start value
}

BOOST_AUTO_TEST_CASE(relation_in_an_algorithm_crosses_on_the_value_there) {
  const auto p = model("Real y; Boolean b;\nalgorithm\n y := time;\n b := y > 0.5;\n y := y - 1;\n b := b and y > 0.5;").program();
  BOOST_TEST(p.relations.size() == 2);
}

BOOST_AUTO_TEST_CASE(while_loops) {
  const auto r = run("Integer k; Integer s;\nalgorithm\n k := 0; s := 0;\n while k < 4 loop k := k + 1; s := s + k; end while;");
  BOOST_TEST(r.last("s") == 10);
  const auto open = run("Real y; Real x = 2.5 + time;\nalgorithm\n y := x;\n while y > 1 loop y := y - 1; end while;");
  BOOST_TEST(open.first("y") == 0.5);
  BOOST_TEST(open.last("y") == 0.5);
}

BOOST_AUTO_TEST_CASE(calls_that_multiply) {
  mosim::runtime::Options options;
  options.maximum_rounds = 10000;
  // 242785 calls, and 2^60.
  for (const char* n : {"25", "60"}) {
    const auto p = model(std::string("function fib input Integer n; output Integer y; algorithm y := if n < 2 then n else fib(n - 1) + fib(n - 2); end fib; Real x = fib(") + n + ");").program();
    const mosim::runtime::Result r = mosim::runtime::simulate(p, options);
    BOOST_TEST((r.ending == mosim::runtime::Ending::failed));
    BOOST_REQUIRE(!r.messages.empty());
    BOOST_TEST(contains(r.messages.front().cause, "functions call themselves again and again: 10000 calls and rounds of loops so far in `M.fib(n - "), r.messages.front().cause);
    BOOST_TEST((r.messages.front().origin != mosim::runtime::none));
  }
}

BOOST_AUTO_TEST_CASE(while_loops_without_an_end) {
  for (const char* body : {"Integer k;\nalgorithm\n k := 0;\n while k < 1 loop k := 0; end while;", "Real x = time, n;\nalgorithm\n n := 0;\n while x < 2 loop n := n + 1; end while;"}) {
    mosim::runtime::Options options;
    options.maximum_rounds = 10000;
    const mosim::runtime::Result r = mosim::runtime::simulate(model(body).program(), options);
    BOOST_TEST((r.ending == mosim::runtime::Ending::failed));
    BOOST_REQUIRE(!r.messages.empty());
    BOOST_TEST(contains(r.messages.front().cause, "have gone round 10000 times"), r.messages.front().cause);
    BOOST_TEST(contains(r.messages.front().cause, " in `while "), r.messages.front().cause);
    BOOST_TEST((r.messages.front().origin != mosim::runtime::none));
  }
}

BOOST_AUTO_TEST_CASE(assigned_in_two_algorithms) {
  const auto a = model("Integer n;\nalgorithm\n n := 1;\nalgorithm\n n := 2;");
  BOOST_TEST(!a.system);
  BOOST_TEST(says(a, "`n` is assigned in two places"), a.messages());
}

BOOST_AUTO_TEST_SUITE_END()
