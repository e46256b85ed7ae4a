// Index reduction: which equations are differentiated, which variables stay states, what is refused.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "analyse_support.hpp"

using test::contains;
using test::model;
using test::says;

namespace {

std::string states(const test::Analysed& a) {
  if (!a.system) return a.messages();
  std::string list;
  for (mosim::compiler::VariableId v : a.system->states) list += (list.empty() ? "" : " ") + a.system->model.variable(v).name;
  return list;
}

const std::string pendulum =
    "parameter Real L = 1; parameter Real g = 9.81;\nReal x(start = 0.6); Real y(start = -0.8); Real vx; Real vy; Real F;\n"
    "equation\n der(x) = vx;\n der(y) = vy;\n der(vx) = F*x;\n der(vy) = F*y - g;\n x^2 + y^2 = L^2;";

}  // namespace

BOOST_AUTO_TEST_SUITE(index_reduction)

BOOST_AUTO_TEST_CASE(index_one_is_left_alone) {
  const auto a = model("Real x; Real y;\nequation\n der(x) = -y;\n y = 2*x;");
  BOOST_TEST(a.system->reduction.differentiated.empty());
  BOOST_TEST(a.system->reduction.demoted.empty());
  BOOST_TEST(states(a) == "x");
}

BOOST_AUTO_TEST_CASE(pendulum_differentiates_its_constraint_twice) {
  const auto a = model(pendulum);
  BOOST_REQUIRE_MESSAGE(a.system, a.messages());
  BOOST_TEST(a.system->reduction.differentiated.size() == 2u);
  BOOST_TEST(a.system->states.size() == 2u);
  BOOST_TEST(a.system->state_sets.size() == 1u);
  BOOST_TEST(contains(a.dae(), "2.0*x*vx + 2.0*y*vy = 0.0"), a.dae());
  BOOST_TEST(contains(a.dae(), "1 of x, y, chosen during the run"), a.dae());
}

BOOST_AUTO_TEST_CASE(state_select_makes_the_choice_static) {
  const auto a = model(
      "Real x(start = 0.1, stateSelect = StateSelect.prefer); Real y(start = -1); Real vx(stateSelect = StateSelect.prefer); Real vy; "
      "Real F;\nequation\n der(x) = vx;\n der(y) = vy;\n der(vx) = F*x;\n der(vy) = F*y - 9.81;\n x^2 + y^2 = 1;");
  BOOST_TEST(states(a) == "x vx");
}

BOOST_AUTO_TEST_CASE(rigid_connection_needs_no_differentiation) {
  // Both speeds are the derivative of the one angle.
  const auto a = model(
      "Real phi1; Real phi2; Real w1; Real w2; Real t;\nequation\n phi1 = phi2;\n w1 = der(phi1);\n w2 = der(phi2);\n"
      " 2*der(w1) = 1 - t;\n 3*der(w2) = t;");
  BOOST_TEST(a.system->states.size() == 2u, a.messages());
  BOOST_TEST(a.system->reduction.differentiated.empty());
}

BOOST_AUTO_TEST_CASE(fixed_start_values_and_preferences) {
  const std::string rest = "Real i;\nequation\n der(a) = i - a;\n 2*der(b) = -i;\n 3*a - b = 0;";
  BOOST_TEST(states(model("Real a(start = 1, fixed = true); Real b; " + rest)) == "a");
  BOOST_TEST(states(model("Real a; Real b(start = 1, fixed = true); " + rest)) == "b");
  BOOST_TEST(states(model("Real a(start = 1, fixed = true); Real b(stateSelect = StateSelect.prefer); " + rest)) == "b");
  BOOST_TEST(states(model("Real a(stateSelect = StateSelect.avoid); Real b; " + rest)) == "b");
  BOOST_TEST(states(model("Real a; Real b(stateSelect = StateSelect.never); " + rest)) == "a");
  BOOST_TEST(states(model("Real a; Real b(stateSelect = StateSelect.always); " + rest)) == "b");
}

BOOST_AUTO_TEST_CASE(always_that_cannot_be) {
  const auto a = model(
      "Real a(stateSelect = StateSelect.always); Real b(stateSelect = StateSelect.always); Real i;\nequation\n der(a) = i - a;\n"
      " 2*der(b) = -i;\n 3*a - b = 0;");
  BOOST_TEST(!a.system);
  BOOST_TEST(says(a, "has stateSelect = StateSelect.always but cannot be a state"), a.messages());
  BOOST_TEST(says(a, "note 6: this equation ties it to others"), a.messages());
}

BOOST_AUTO_TEST_CASE(reinit_keeps_its_variable_a_state) {
  const std::string rest = " Real i;\nequation\n der(a) = i - a;\n 2*der(b) = -i;\n 3*a - b = 0;\n";
  BOOST_TEST(states(model("Real a(start = 1, fixed = true); Real b;" + rest + " when time > 0.5 then reinit(b, 0); end when;")) == "b");
  const auto both = model("Real a; Real b;" + rest + " when time > 0.5 then reinit(a, 0); reinit(b, 0); end when;");
  BOOST_TEST(says(both, "which is not a state: the other states determine it"), both.messages());
}

BOOST_AUTO_TEST_CASE(prescribed_motion) {
  const auto a = model("Real s; Real v; Real f;\nequation\n s = sin(time);\n v = der(s);\n 2*der(v) = f;");
  BOOST_REQUIRE_MESSAGE(a.system, a.messages());
  BOOST_TEST(a.system->states.empty());
  // As an implicit equation it takes a differentiation, and comes to the same.
  const auto b = model("Real s; Real v; Real f;\nequation\n s + 1 = sin(time);\n v = der(s);\n 2*der(v) = f;");
  BOOST_REQUIRE_MESSAGE(b.system, b.messages());
  BOOST_TEST(b.system->states.empty());
  BOOST_TEST(b.system->reduction.differentiated.size() == 2u);
}

BOOST_AUTO_TEST_CASE(capacitors_in_a_triangle) {
  const auto a = model(
      "Real v1; Real v2; Real v3; Real i1; Real i2; Real i3; Real a; Real b; Real c;\nequation\n v1 = a - b;\n v2 = b - c;\n"
      " v3 = c - a;\n der(v1) = i1;\n 2*der(v2) = i2;\n 3*der(v3) = i3;\n i1 - i3 + a = 0;\n i2 - i1 + b/2 = 0;\n i3 - i2 + c/3 = 0;");
  BOOST_REQUIRE_MESSAGE(a.system, a.messages());
  BOOST_TEST(a.system->states.size() == 2u);
  BOOST_TEST(contains(a.dae(), "(hidden in a loop)"), a.dae());
}

BOOST_AUTO_TEST_CASE(what_cannot_be_differentiated) {
  const auto b = model("Real x; Real F;\nequation\n der(x) = F;\n 2*x = delay(time, 0.1);\n");
  BOOST_TEST(!b.system);
  BOOST_TEST(says(b, "error 5: delay() has no derivative here"), b.messages());
  BOOST_TEST(says(b, "must be differentiated to reduce the index"), b.messages());
}

BOOST_AUTO_TEST_CASE(constraints_that_contradict) {
  const auto a = model("Real x; Real y; Real F; Real G;\nequation\n der(x) = F;\n der(y) = G;\n x + y = 1;\n 2*x + 2*y = time;");
  BOOST_TEST(!a.system);
  BOOST_TEST(says(a, "they contradict each other, or one repeats the other"), a.messages());
}

BOOST_AUTO_TEST_CASE(structurally_singular_stays_so) {
  const auto a = model("Real x;\nReal y;\nequation\n x = 1;\n der(x) = y;\n y = 2;");
  BOOST_TEST(!a.system);
}

BOOST_AUTO_TEST_CASE(consistent_initial_conditions_may_be_too_many) {
  const std::string rest = "Real i;\nequation\n der(a) = i - a;\n 2*der(b) = -i;\n 3*a - b = 0;";
  const auto r = test::run("Real a(start = 1, fixed = true); Real b(start = 3, fixed = true); " + rest);
  BOOST_TEST(says(r.analysed, "warning 2: "), r.failures());
  BOOST_TEST(r.first("b") == 3, boost::test_tools::tolerance(1e-9));
  const auto wrong = test::run("Real a(start = 1, fixed = true); Real b(start = 2, fixed = true); " + rest);
  BOOST_TEST(contains(wrong.failures(), "contradicts the constraints between states"), wrong.failures());
}

BOOST_AUTO_TEST_CASE(results_name_each_derivative_once) {
  const auto r = test::run(pendulum, 0.1);
  for (const std::string name : {"der(x)", "der(y)", "der(vx)", "der(vy)"}) {
    std::size_t count = 0;
    for (const auto& v : r.program.variables) count += v.name == name;
    BOOST_TEST(count <= 1u, name);
  }
}

BOOST_AUTO_TEST_CASE(a_variable_that_shall_be_a_state_gets_a_derivative) {
  // x = exp(-t), y = x + x^3.
  const std::string rest = "equation\n der(x) = -x;\n y = x + x^3;";
  for (const std::string both : {"Real x(start = 0.8); Real y(stateSelect = StateSelect.always, start = 2, fixed = true); ",
                                 "Real x(start = 0.8, stateSelect = StateSelect.never); Real y(stateSelect = StateSelect.prefer, start = 2, fixed = true); "}) {
    BOOST_TEST(states(model(both + rest)) == "y");
    const auto r = test::run(both + rest);
    BOOST_TEST(r.result.time == 1, r.failures());
    BOOST_TEST(r.last("x") == std::exp(-1), boost::test_tools::tolerance(1e-6));
  }
  // What is merely preferred gets none where it follows from the others,
  BOOST_TEST(states(model("Real x; Real y(stateSelect = StateSelect.prefer); " + rest)) == "x");
  // and does where they follow from it: a content from a pressure and a temperature, m = p*V/(R*T) and U = cv*m*T. With der(m) = 1,
  // der(U) = 3, R = V = 1 and cv = 2: m = 1 + t, U = 2 + 3*t, so T = (2 + 3*t)/(2 + 2*t) and p = 1 + 1.5*t.
  const std::string content = " equation\n m = d*2; d = p/(2*T); U = m*u; u = 2*T; der(m) = 1; der(U) = 3;";
  for (const std::string select : {"prefer", "default"}) {
    const std::string text = "Real p(start = 1, fixed = true, stateSelect = StateSelect." + select + "); Real T(start = 1, fixed = true, stateSelect = StateSelect." + select + "); Real m, d, U, u;" + content;
    BOOST_TEST(states(model(text)) == (select == "prefer" ? "p T" : "m U"));
    const auto r = test::run(text);
    BOOST_TEST(r.result.time == 1, r.failures());
    BOOST_TEST(r.last("p") == 2.5, boost::test_tools::tolerance(1e-6));
    BOOST_TEST(r.last("T") == 1.25, boost::test_tools::tolerance(1e-6));
  }
}

BOOST_AUTO_TEST_CASE(always_is_kept_where_the_pivot_of_the_other_is_small) {
  // A pendulum that begins almost level: y = -0.0316 gives up its place all the same. Its energy stays.
  const std::string m =
      "Real x(start = 0.9995, fixed = true, stateSelect = StateSelect.always); Real y(start = -0.0316); Real vx(start = 0, fixed = true, stateSelect = "
      "StateSelect.always); Real vy; Real F; Real E = (vx^2 + vy^2)/2 + 9.81*y;\nequation\n der(x) = vx;\n der(y) = vy;\n der(vx) = F*x;\n der(vy) = "
      "F*y - 9.81;\n x^2 + y^2 = 1;";
  BOOST_TEST(states(model(m)) == "x vx");
  const auto r = test::run(m, 0.6);
  BOOST_TEST(r.result.time == 0.6, r.failures());
  BOOST_TEST(r.last("y") < -0.9);
  BOOST_TEST(r.last("E") == r.first("E"), boost::test_tools::tolerance(1e-5));
}

BOOST_AUTO_TEST_SUITE_END()
