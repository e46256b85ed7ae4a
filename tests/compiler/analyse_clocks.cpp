// Clock inference and clocked equations, on the examples of MLS 16 re-told.

#include <boost/test/unit_test.hpp>

#include "analyse_support.hpp"

using test::contains;
using test::model;
using test::run;
using test::says;
namespace tt = boost::test_tools;

namespace {

/// The value of a variable at the row that ends the event at `time`.
double after(const test::Run& r, double time, const std::string& name) {
  double result = std::nan("");
  for (std::size_t row = 0; row < r.result.trajectory.rows(); ++row)
    if (std::abs(r.time(row) - time) < 1e-9) result = r.at(row, name);
  return result;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(clocks)

BOOST_AUTO_TEST_CASE(sub_and_super_sampling) {
  const auto r = run("Real x; Real z; Real w;\nequation\n x = sample(time, Clock(1, 10));\n z = subSample(x, 2);\n w = superSample(x, 3);");
  BOOST_TEST(r.program.clocks.size() == 1u);
  BOOST_TEST(r.program.clocks[0].subdivision == 3u);
  BOOST_TEST(r.program.clocks[0].clocks.size() == 3u);
  BOOST_TEST(r.last("x") == 1, tt::tolerance(1e-12));
  BOOST_TEST(after(r, 0.3, "z") == 0.2, tt::tolerance(1e-12));
  BOOST_TEST(after(r, 0.3, "x") == 0.3, tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(counting_ticks) {
  const auto r = run("Integer second; Integer seconds(start = -1); Integer parts(start = -1); Integer slow(start = -1);\nequation\n second = sample(1, Clock(1));\n "
                     "seconds = mod(previous(seconds) + second, 60);\n parts = mod(previous(parts) + superSample(second, 10), 10);\n slow = "
                     "mod(previous(slow) + subSample(second, 6), 60);", 7);
  BOOST_TEST(r.last("seconds") == 7);
  BOOST_TEST(after(r, 5.9, "slow") == 0);
  BOOST_TEST(r.last("slow") == 1);
  BOOST_TEST(r.last("parts") == 0);
  BOOST_TEST(after(r, 4.3, "parts") == 3);
}

BOOST_AUTO_TEST_CASE(shifted_forward_and_back) {
  const auto r = run("Integer y; Integer yShift(start = 10); Integer yBack; Integer yShift2;\nequation\n y = integer(sample(time + 0.5, Clock(1)));\n yShift = shiftSample(y, 1, "
                     "5);\n yBack = backSample(yShift, 1, 5);\n yShift2 = subSample(shiftSample(superSample(y, 5), 1), 5);", 3);
  BOOST_TEST(after(r, 1.2, "yShift") == 1);
  BOOST_TEST(after(r, 1.2, "yShift2") == 1);
  BOOST_TEST(after(r, 0, "yBack") == 10);
  BOOST_TEST(after(r, 2, "yBack") == 1);
}

BOOST_AUTO_TEST_CASE(back_before_the_base_clock) {
  const auto a = model("Real x; Real y;\nequation\n x = sample(time, Clock(1, 10));\n y = backSample(x, 1);");
  BOOST_TEST(says(a, "before the clock it is derived from"), a.messages());
}

BOOST_AUTO_TEST_CASE(varying_interval) {
  // Ticks at 0, 0.3, 0.7, 1.2, 1.8.
  const auto r = run("Integer n(start = 2); Real y(start = 0); Real s(start = 0);\nequation\n when Clock(n, 10) then n = previous(n) + 1; y = previous(y) + 1; s = "
                     "previous(s) + interval(); end when;", 2);
  BOOST_TEST(r.last("y") == 5);
  BOOST_TEST(after(r, 0.7, "y") == 3);
  BOOST_TEST(r.last("s") == 2.0, tt::tolerance(1e-12));   // 0.2 at first, then 0.3 + 0.4 + 0.5 + 0.6
}

BOOST_AUTO_TEST_CASE(event_clock) {
  const auto r = run("Boolean b = time >= 0.5; Clock c = Clock(b); Boolean b2; Real t(start = -1);\nequation\n b2 = sample(b, c);\n t = sample(time, c);");
  BOOST_TEST(r.last("b2") == 1);
  BOOST_TEST(r.last("t") == 0.5, tt::tolerance(1e-12));
  BOOST_TEST(says(model("Boolean b = time >= 0.5; Real t; Real u;\nequation\n t = sample(time, Clock(b));\n u = superSample(t, 2);"), "event clock"));
}

BOOST_AUTO_TEST_CASE(sample_takes_the_left_limit) {
  // MLS 16.5.1: the first value is what initialisation found.
  const auto r = run("Real y(start = 1); Real yc; Real h(start = 5);\ninitial equation\n der(y) = 0;\nequation\n der(y) + y = 2;\n yc = sample(y, Clock(0.1));\n h = hold(yc);");
  BOOST_TEST(after(r, 0, "yc") == 2, tt::tolerance(1e-9));
  BOOST_TEST(r.last("h") == 2, tt::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(no_clock_is_not_sample_of_hold) {
  const auto r = run("Clock clk1 = Clock(0.1); Clock clk2 = subSample(clk1, 2); Real x(start = 0); Real y(start = 0); Real z(start = 0);\nequation\n when clk1 then x = "
                     "previous(x) + 0.1; end when;\n when clk2 then y = noClock(x); z = sample(hold(x)); end when;", 0.45);
  BOOST_TEST(after(r, 0.4, "y") == 0.5, tt::tolerance(1e-9));
  BOOST_TEST(after(r, 0.4, "z") == 0.4, tt::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(explicit_euler) {
  const auto r = run("Real x(start = 1);\nequation\n der(x) = -x + sample(0, Clock(Clock(1, 10), solverMethod = \"ExplicitEuler\"));", 1.05);
  BOOST_TEST(r.last("x") == std::pow(0.9, 10), tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(implicit_methods) {
  const auto euler = run("Real x(start = 1);\nequation\n der(x) = -x + sample(0, Clock(Clock(1, 10), solverMethod = \"ImplicitEuler\"));", 1.05);
  BOOST_TEST(euler.last("x") == std::pow(1 / 1.1, 10), tt::tolerance(1e-9));
  const auto trapezoid = run("Real x(start = 1);\nequation\n der(x) = -x + sample(0, Clock(Clock(1, 10), solverMethod = \"ImplicitTrapezoid\"));", 1.05);
  BOOST_TEST(trapezoid.last("x") == std::pow(0.95 / 1.05, 10), tt::tolerance(1e-9));
  BOOST_TEST(says(model("Real x;\nequation\n der(x) = sample(time, Clock(Clock(0.1), solverMethod = \"ExplicitRungeKutta4\"));"),
                  "\"ExplicitRungeKutta4\" is not supported yet"));
}

BOOST_AUTO_TEST_CASE(unrelated_clocks) {
  const auto a = model("Real x; Real y; Real z;\nequation\n x = sample(time, Clock(0.1));\n y = sample(time, Clock(0.25));\n z = x + y;");
  BOOST_TEST(!a.system);
  BOOST_TEST(says(a, "error 6: the unrelated clocks Clock(0.1) and Clock(0.25) meet here"), a.messages());
  BOOST_TEST(says(a, "note 4: one clock"), a.messages());
  BOOST_TEST(says(a, "note 5: the other clock"), a.messages());
}

BOOST_AUTO_TEST_CASE(related_clocks_that_disagree) {
  BOOST_TEST(!model("Real u; Real y;\nequation\n u = sample(time, Clock(1, 10));\n y = subSample(u) + sample(time, Clock(1, 3));").system);
  BOOST_TEST(model("Real u; Real y;\nequation\n u = sample(time, Clock(1, 10));\n y = subSample(u) + sample(time, Clock(2, 10));").system.has_value());
  BOOST_TEST(!model("Real u; Real y;\nequation\n u = sample(time, Clock(1, 10));\n y = subSample(u, 3) + sample(time, Clock(2, 10));").system);
}

BOOST_AUTO_TEST_CASE(clocked_without_hold) {
  const auto a = model("Real x; Real z; Real y(start = 0);\nequation\n x = sample(time, Clock(0.1));\n z = hold(x) + x;\n der(y) = z;");
  BOOST_TEST(!a.system);
  BOOST_TEST(says(a, "clocked and continuous variables are mixed"), a.messages());
  const auto b = model("Real x; Real y(start = 0);\nequation\n x = sample(time, Clock(0.1));\n der(y) = x;");
  BOOST_TEST(says(b, "x`, which exists at the ticks of a clock alone, stands in the differential equation of `y`"), b.messages());
}

BOOST_AUTO_TEST_CASE(default_clock) {
  const auto r = run("Integer n(start = 0);\nequation\n when Clock() then n = previous(n) + 1; end when;", 2.5);
  BOOST_TEST(r.last("n") == 3);
  BOOST_TEST(says(r.analysed, "Clock(1.0) is used"), r.analysed.messages());
}

BOOST_AUTO_TEST_CASE(initial_equations_are_of_continuous_time) {
  const auto a = model("Real u; Real n(start = 3);\ninitial equation\n n = 1;\nequation\n u = sample(time, Clock(0.1));\n n = previous(n) + u;");
  BOOST_TEST(says(a, "error 4: `n` is clocked and cannot stand in an initial equation"), a.messages());
  // A discretised partition begins with its start values as well.
  const auto r = run("Real u; Real x(start = 3); Real y;\ninitial equation\n y = 7;\nequation\n u = sample(0.0*time, Clock(Clock(0.1), solverMethod = "
                     "\"ExplicitEuler\"));\n der(x) = u - x;\n y = 2*x;", 0.05);
  BOOST_TEST(says(r.analysed, "warning 4: this initial equation is not used: `y` is clocked"), r.analysed.messages());
  BOOST_TEST(r.last("y") == 6);
}

BOOST_AUTO_TEST_CASE(constraints_between_discretised_states_are_reported) {
  const auto a = model("Real u; Real x(start = 1); Real y; Real f;\nequation\n u = sample(time, Clock(Clock(1, 10), solverMethod = \"ExplicitEuler\"));\n"
                       " der(x) = -x + f;\n der(y) = u - f;\n 2*x = y;");
  const std::string dae = a.dae();
  BOOST_TEST(contains(dae, "differentiated equations:\n  2.0*der(x) = der(y)  [clock 1]  // M.mo:7"), dae);
  BOOST_TEST(contains(dae, "y is no state: the constraint gives it, with a constant pivot"), dae);
  BOOST_TEST(contains(dae, "previous(x) + $interval1*previous(der(x))"), dae);
  BOOST_TEST(!contains(dae, "previous(y)"), dae);
}

BOOST_AUTO_TEST_SUITE_END()
