// Relations, when-clauses, reinit.

#include <boost/test/unit_test.hpp>

#include "analyse_support.hpp"

using test::contains;
using test::model;
using test::run;
using test::says;

BOOST_AUTO_TEST_SUITE(events)

BOOST_AUTO_TEST_CASE(relations_are_numbered_once_in_order) {
  const auto a = model(
      "Real x(start = 0, fixed = true); Boolean b; Boolean c; Boolean d; parameter Real p = 3;\nequation\n der(x) = if x > 2 then "
      "1 else 2;\n b = x < 5;\n c = x > 2 and x <= p;\n d = p > 2;");
  const auto p = a.program();
  BOOST_TEST(p.relations.size() == 3);   // p > 2 is none: it never changes
  BOOST_TEST(p.origins[p.relations[0].origin].text == "x > 2");
  BOOST_TEST(p.origins[p.relations[1].origin].text == "x < 5");
  BOOST_TEST(p.origins[p.relations[2].origin].text == "x <= p");
  BOOST_TEST(p.origins[p.relations[2].origin].at.line == 6);
}

BOOST_AUTO_TEST_CASE(literal_relations_cross_nothing) {
  const auto a = model("Real x(start = 2, fixed = true);\nequation\n der(x) = if noEvent(x >= 1) then -1 else 1;");
  const auto p = a.program();
  BOOST_REQUIRE(p.relations.size() == 1);   // watched only where the derivative jumps across it back and forth
  BOOST_TEST(p.relations[0].quiet);
}

BOOST_AUTO_TEST_CASE(epsilon_follows_the_scale_of_both_sides) {
  const auto a = model(
      "parameter Real Tbar = 295; Real T(start = 300, fixed = true); Real h(nominal = 1000, start = 1, fixed = true); Boolean "
      "a; Boolean b; Boolean c;\nequation\n der(T) = -1;\n der(h) = -1;\n a = T < Tbar;\n b = h < 0;\n c = T < Tbar - 1;");
  const auto dae = a.dae();
  BOOST_TEST(contains(dae, "T < Tbar  $relation1  epsilon 1e-10*max(1.0, abs(Tbar))"), dae);
  const auto p = a.program();
  BOOST_TEST(p.memory[p.relations[1].epsilon] == 1e-7, boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(time_events_are_exact) {
  const auto r = run("parameter Real t0 = 0.3; Boolean a; Boolean b; Boolean c; Real d(start = 0);\nequation\n a = time > 0.1;\n b = "
                     "t0 >= time;\n c = 2*time - t0 > 0.7;\n when c then d = time; end when;");
  const auto p = r.program;
  BOOST_TEST(p.relations.size() == 3);
  for (const auto& relation : p.relations) BOOST_TEST(relation.time_event);
  BOOST_TEST(p.relations[0].rising);
  BOOST_TEST(!p.relations[1].rising);
  BOOST_TEST(p.relations[2].rising);
  BOOST_TEST(r.result.statistics.state_events == 0);
  BOOST_TEST(r.last("d") == 0.5, boost::test_tools::tolerance(1e-15));
  bool seen = false;
  for (const auto& e : r.result.events) seen = seen || e.time == 0.1;
  BOOST_TEST(seen);
}

BOOST_AUTO_TEST_CASE(instants_that_move) {
  const auto r = run("Integer n(start = 0, fixed = true); Real next(start = 0.25, fixed = true);\nequation\n when time > pre(next) "
                     "then n = pre(n) + 1; next = pre(next) + 0.25; end when;", 1.1);
  BOOST_TEST(r.last("n") == 4);
  BOOST_TEST(r.program.relations.at(0).time_event);
}

BOOST_AUTO_TEST_CASE(any_not_or) {
  const auto r = run("Integer any(start = 0, fixed = true); Integer either(start = 0, fixed = true);\nequation\n when {time > 0.25, time > 0.5} "
                     "then any = pre(any) + 1; end when;\n when time > 0.25 or time > 0.5 then either = pre(either) + 1; end when;");
  BOOST_TEST(r.last("any") == 2);
  BOOST_TEST(r.last("either") == 1);
}

BOOST_AUTO_TEST_CASE(true_at_the_start_does_not_fire) {
  const auto r = run("Integer n(start = 0, fixed = true); Integer m(start = 0, fixed = true);\nequation\n "
                     "when time >= 0 then n = 1; end when;\n when initial() then m = 1; end when;");
  BOOST_TEST(r.last("n") == 0);
  BOOST_TEST(r.first("m") == 1);
  BOOST_TEST(r.last("m") == 1);
}

BOOST_AUTO_TEST_CASE(elsewhen_comes_second) {
  const auto r = run("Integer n(start = 0, fixed = true);\nequation\n when time > 0.5 then n = 1; elsewhen {time > 0.5, time > 0.7} then n "
                     "= pre(n) + 10; end when;");
  BOOST_TEST(r.last("n") == 11);
}

BOOST_AUTO_TEST_CASE(body_in_any_order) {
  const auto r = run("Real a(start = 0); Real b(start = 0); Real c;\nequation\n when time > 0.5 then a = b + c; b = time; end when;\n c = "
                     "2*b;");
  BOOST_TEST(r.last("a") == 1.5, boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(two_whens_for_one_variable) {
  const auto a = model("Integer n;\nequation\n when time > 1 then n = 1; end when;\n when time > 2 then n = 2; end when;");
  BOOST_TEST(says(a, "error 5: `n` is assigned in two when-clauses"), a.messages());
  BOOST_TEST(says(a, "note 4: the other one is here"), a.messages());
}

BOOST_AUTO_TEST_CASE(reinit_of_a_state_only) {
  BOOST_TEST(says(model("Real x; Real y = 2*x;\nequation\n der(x) = 1;\n when x > 1 then reinit(y, 0); end when;"),
                  "error 5: reinit of `y`, which is not a state"));
  const auto twice = model("Real x;\nequation\n der(x) = 1;\n when x > 1 then reinit(x, 0); end when;\n when x > 2 then reinit(x, 0); "
                           "end when;");
  BOOST_TEST(says(twice, "reinit of `x` stands in two when-clauses"), twice.messages());
}

BOOST_AUTO_TEST_CASE(reinit_through_an_alias) {
  const auto r = run("Real x(start = 0, fixed = true); Real y; Real z;\nequation\n der(x) = 1;\n y = x;\n z = -x;\n when z < -0.5 then "
                     "reinit(x, 5*y); end when;");
  BOOST_TEST(r.last("x") == 3.0, boost::test_tools::tolerance(1e-8));   // 0.5 -> 2.5, then 0.5 s more
  BOOST_TEST(r.last("z") == -r.last("x"));
}

BOOST_AUTO_TEST_CASE(event_functions) {
  const auto r = run("Real f; Integer i; Real m; Real d; Real c; Integer flips(start = 0, fixed = true);\nequation\n f = floor(3*time - 1.5);\n i = "
                     "integer(-time);\n m = mod(5*time, 2);\n d = div(-5*time, 2);\n c = ceil(time);\n when {d < -0.5, d < -1.5} then flips "
                     "= pre(flips) + 1; end when;", 0.95);
  BOOST_TEST(r.last("f") == std::floor(3 * 0.95 - 1.5));
  BOOST_TEST(r.last("i") == -1);
  BOOST_TEST(r.last("m") == std::fmod(4.75, 2), boost::test_tools::tolerance(1e-9));
  BOOST_TEST(r.last("d") == -2);
  BOOST_TEST(r.last("c") == 1);
  BOOST_TEST(r.last("flips") == 2);
}

BOOST_AUTO_TEST_CASE(relation_behind_a_condition) {
  // sqrt(x) must not be asked for where x is negative.
  const auto r = run("Real x(start = 1, fixed = true); Boolean b = if x > 0 then sqrt(x) > 0.5 else false; Boolean c = x > 0 and log(x) > "
                     "-1;\nequation\n der(x) = -1;", 2);
  BOOST_TEST(r.result.time == 2, r.failures());
  BOOST_TEST(r.first("b") == 1);
  BOOST_TEST(r.last("b") == 0);
  BOOST_TEST(r.last("c") == 0);
}

BOOST_AUTO_TEST_CASE(relations_in_an_algebraic_loop) {
  // An ideal diode behind a resistor: i = max(u, 0)/R, which integrates to 1/(R*3) over a half wave of sin(6 t).
  const auto r = run("Real s; Real v; Real i; Real u; Boolean off; Real q(start = 0, fixed = true); parameter Real R = 2;\nequation\n u = "
                     "sin(6*time);\n off = s < 0;\n v = if off then s else 0;\n i = if off then 0 else s;\n u = R*i + v;\n der(q) = i;", 1);
  BOOST_TEST(r.result.time == 1, r.failures());
  BOOST_TEST(r.last("off") == 1);
  BOOST_TEST(r.last("q") == 2.0 / 6 / 2, boost::test_tools::tolerance(1e-5));
}

BOOST_AUTO_TEST_CASE(diode_that_blocks_at_first) {
  const auto r = run("Real s; Real v; Real i; Real u; Boolean off; parameter Real R = 2;\nequation\n u = time - 0.5;\n off = s < 0;\n v = if off "
                     "then s else 0;\n i = if off then 0 else s;\n u = R*i + v;");
  BOOST_TEST(r.first("v") == -0.5);
  BOOST_TEST(r.first("off") == 1);
  BOOST_TEST(r.last("i") == 0.25, boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(terminal_and_terminate) {
  const auto r = run("Real x(start = 0, fixed = true); Integer n(start = 0, fixed = true);\nequation\n der(x) = 1;\n when terminal() then n = 5; end when;\n "
                     "when x > 0.5 then terminate(\"x is \" + String(x)); end when;");
  BOOST_TEST(r.result.time == 0.5, boost::test_tools::tolerance(1e-8));
  BOOST_TEST((r.result.ending == mosim::runtime::Ending::terminated));
  BOOST_TEST(r.last("n") == 5);
  BOOST_TEST(contains(r.failures(), "x is 0.5"), r.failures());
}

BOOST_AUTO_TEST_CASE(delays) {
  const auto r = run("Real x(start = 0, fixed = true); Real y = delay(x, 0.25);\nequation\n der(x) = 1;");
  BOOST_TEST(r.last("y") == 0.75, boost::test_tools::tolerance(1e-6));
}

BOOST_AUTO_TEST_SUITE_END()
