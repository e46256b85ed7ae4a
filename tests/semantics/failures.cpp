// E11, E12: events that pile up, and failures explained.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "tests/semantics/support.hpp"

using namespace mosim::tests;

BOOST_AUTO_TEST_SUITE(failures)

BOOST_AUTO_TEST_CASE(E11_zeno_is_reported_with_its_relation_ratio_and_accumulation_point) {
  const Run r = run("model M\n  Real h(start=1, fixed=true), v(start=0, fixed=true);\nequation\n  der(h) = v;\n  der(v) = -9.81;\n"
                    "  when h < 0 then\n    reinit(v, -0.8*pre(v));\n  end when;\nend M;\n", 5);
  BOOST_REQUIRE(r.result.zeno.size() == 1u);
  const auto& z = r.result.zeno.front();
  BOOST_TEST(std::abs(z.ratio - 0.8) < 0.004);
  BOOST_TEST(std::abs(z.accumulation - 9 * std::sqrt(2 / 9.81)) < 1e-3);
  const runtime::Origin origin = r.program.origins[r.program.relations[z.relation].origin];
  BOOST_TEST(origin.at.line == 6u);
  BOOST_TEST(origin.text.find("h < 0") == 0u);
}

BOOST_AUTO_TEST_CASE(E11_chattering_ends_stays_near_and_is_reported) {
  const Run r = run("model M Real x(start=2, fixed=true); equation der(x) = if x >= 1 then -1 else 1; end M;", 1.2);
  BOOST_TEST(r.ended());
  BOOST_TEST(std::abs(r.final("x") - 1) < 1e-3);
  BOOST_TEST(r.result.chattering.size() == 1u);
}

// Nothing determines the z, so that der(x) is another number at each evaluation: around time 0 any step is long enough to be taken.
BOOST_AUTO_TEST_CASE(steps_that_nobody_would_see_come_to_an_end) {
  const Run r = run("model M parameter Real k = 1; Real z[80], x(start = 1, fixed = true); equation der(x) = -x + z[1]/80; "
                    "for i in 1:80 loop z[i]*80*k - sum(z) = x + i; end for; end M;", 1);
  BOOST_TEST(!r.ended());
  BOOST_TEST(r.result.time < 1e-9);
  BOOST_TEST(r.message().find("the step size becomes too small") != std::string::npos, r.message());
}

// Three crossings within one step of 1e-16 s, far below the rounding of the stop time.
BOOST_AUTO_TEST_CASE(events_at_instants_far_smaller_than_the_run) {
  const Run r = run("model M Real x(start = 0, fixed = true); Integer n(start = 0, fixed = true); equation der(x) = 9007199254740992; "
                    "when {x > 0.25, x > 0.5, x > 0.75} then n = pre(n) + 1; end when; end M;", 1);
  BOOST_REQUIRE(r.result.events.size() == 4u);
  for (int k = 1; k <= 3; ++k) {
    const double t = r.result.events[std::size_t(k)].time;
    BOOST_TEST(std::abs(t * 9007199254740992 - 0.25 * k) < 1e-9, k << ": " << t);
    BOOST_TEST(std::abs(r.at("x", t) - 0.25 * k) < 1e-9);
  }
}

// A slope of 1e308 leaves no step that is a number of full precision.
BOOST_AUTO_TEST_CASE(E12_steps_that_have_no_digits_end_the_run) {
  const Run r = run("model M Real v1(start = 1, fixed = true), v2(start = 1, fixed = true), v3, i1, i2, i3, a, b, c; equation v1 = a - b; v2 = b - c; v3 = c - a; "
                    "der(v1) = i1; der(v2) = i2; der(sin(sin(sin(sin(v3))))) = i3; i1 - i3 + a = 1e308; i2 - i1 + b = 0; i3 - i2 + c = 0; end M;");
  BOOST_TEST(!r.ended());
  BOOST_TEST(r.result.statistics.evaluations < 10000u);
}

// [s, 1; 0, s]^n is [s^n, n*s^(n - 1); 0, s^n].
BOOST_AUTO_TEST_CASE(a_power_of_a_matrix) {
  for (const int n : {0, 1, 2, 3, 7, 10, 16}) {
    const Run r = run("model M Real s = time, A[2, 2], B[2, 2]; equation A = [s, 1; 0, s]; B = A^" + std::to_string(n) + "; end M;", 0.9);
    BOOST_TEST(std::abs(r.final("B[1,1]") - std::pow(0.9, n)) < 1e-14);
    BOOST_TEST(std::abs(r.final("B[1,2]") - (n == 0 ? 0 : n * std::pow(0.9, n - 1))) < 1e-13);
    BOOST_TEST(r.final("B[2,1]") == 0);
  }
}

BOOST_AUTO_TEST_CASE(E11_regular_events_are_neither) {
  const Run r = run("model M Real x(start=0, fixed=true); Boolean up(start=true, fixed=true); equation der(x) = if up then 1 else -1; "
                    "when {x > 1, x < 0} then up = x < 0.5; end when; end M;", 20);
  BOOST_TEST(r.ended());
  BOOST_TEST(r.result.zeno.empty());
  BOOST_TEST(r.result.chattering.empty());
}

BOOST_AUTO_TEST_CASE(E12_a_domain_error_has_time_place_and_values) {
  const Run r = run("model M\n  Real x(start=1, fixed=true);\nequation\n  der(x) = -sqrt(x);\nend M;\n", 5);
  BOOST_TEST(!r.ended());
  BOOST_TEST(std::abs(r.result.time - 2) < 1e-2);
  BOOST_REQUIRE(!r.result.messages.empty());
  const auto& m = r.result.messages.back();
  BOOST_TEST(r.program.origins[m.origin].at.line == 4u);
  BOOST_TEST(m.cause.find("square root") != std::string::npos);
  BOOST_TEST(m.cause.find("x = ") != std::string::npos);
  BOOST_TEST(r.result.trajectory.rows() > 100u);
}

BOOST_AUTO_TEST_CASE(E12_a_relation_that_only_seems_to_guard_is_the_remedy) {
  const Run r = run("model M Real x(start=1, fixed=true); equation der(x) = if x >= 0 then -sqrt(x) else 0; end M;", 5);
  BOOST_TEST(!r.ended());
  BOOST_TEST(r.result.messages.back().remedy.find("noEvent(x >= 0)") != std::string::npos, r.result.messages.back().remedy);
  // Nothing to be said where no relation is about x.
  const Run other = run("model M Real x(start=1, fixed=true), y = if time > 9 then 1 else 0; equation der(x) = -sqrt(x); end M;", 5);
  BOOST_TEST(other.result.messages.back().remedy == "");
}

BOOST_AUTO_TEST_CASE(E12_a_relation_that_holds_the_fault_is_no_guard) {
  const std::string model = "model M Real x(start=1, fixed=true); Boolean b, c = time > 1.5; equation der(x) = -1; b = ";
  const Run r = run(model + "sqrt(x) > 0.5; end M;", 2);
  BOOST_TEST(!r.ended());
  const std::string remedy = r.result.messages.back().remedy;
  BOOST_TEST(remedy.find("noEvent(sqrt(x) > 0.5)") == std::string::npos, remedy);
  BOOST_TEST(remedy.find("if x > 0 then sqrt(x) > 0.5 else false") != std::string::npos, remedy);
  BOOST_TEST(run(model + "if x > 0 then sqrt(x) > 0.5 else false; end M;", 2).ended());   // it is true
}

BOOST_AUTO_TEST_CASE(E8_a_state_set_in_a_when_clause_is_told_of_reinit) {
  const std::string c = complaints("model M Real v(start=1); equation der(v) = -1; when v < 0 then v = 1; end when; end M;");
  BOOST_TEST(c.find("write reinit(v, ...)") != std::string::npos, c);
}

BOOST_AUTO_TEST_CASE(E12_division_by_zero) {
  const Run r = run("model M Real x = 1/(time - 0.5); end M;");
  BOOST_TEST(!r.ended());
  BOOST_TEST(r.message().find("division") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(E12_an_assertion_ends_the_run_with_its_message_and_a_warning_does_not) {
  const Run r = run("model M Real x(start=0, fixed=true); equation der(x) = 1; assert(x < 0.5, \"x is \" + String(x, significantDigits=2)); end M;");
  BOOST_TEST(!r.ended());
  BOOST_TEST(r.message().find("x is 0.5") != std::string::npos);
  const Run w = run("model M Real x(start=0, fixed=true); equation der(x) = 1; "
                    "assert(x < 0.5, \"high\", AssertionLevel.warning); end M;");
  BOOST_TEST(w.ended());
  BOOST_TEST(w.message().find("high") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(E12_what_a_probing_step_meets_is_no_error) {
  // The solution never reaches x = 0; a long step would.
  const Run r = run("model M Real x(start=1, fixed=true); equation der(x) = -8*sqrt(x)*sqrt(x); end M;");
  BOOST_TEST(r.ended());
  BOOST_TEST(r.final("x") >= 0);
}

BOOST_AUTO_TEST_CASE(E12_a_finite_escape_time_ends_with_an_explanation) {
  const Run r = run("model M Real x(start=1, fixed=true); equation der(x) = x^2; end M;", 2);
  BOOST_TEST(!r.ended());
  BOOST_TEST(std::abs(r.result.time - 1) < 1e-2);
  BOOST_TEST(!r.message().empty());
}

BOOST_AUTO_TEST_CASE(E12_a_loop_that_loses_its_solution_ends_the_run_there) {
  // x*y = 1 + time with x = 4 - exp(y): y*(4 - exp(y)) has its maximum where 4 = (1 + y)*exp(y), at y = 0.80134.
  const Run r = run("model M Real x(start=1), y(start=1); equation x*y = 1 + time; x + exp(y) = 4; end M;");
  BOOST_TEST(!r.ended());
  const double y = 0.80134, lost = y*(4 - std::exp(y)) - 1;
  BOOST_TEST(std::abs(r.result.time - lost) < 0.005, r.result.time << " " << lost);
  BOOST_TEST(r.message().find("could not be solved") != std::string::npos, r.message());
}

BOOST_AUTO_TEST_CASE(E12_a_guess_with_a_singular_jacobian_is_left) {
  const Run r = run("model M Real x(start=1), y(start=1); equation x^2 + y^2 = 4 + time; x*y = 1; end M;");
  BOOST_TEST(r.ended(), r.message());
  const double x = r.final("x"), y = r.final("y");
  BOOST_TEST(std::abs(x*x + y*y - 5) < 1e-8);
  BOOST_TEST(std::abs(x*y - 1) < 1e-8);
}

BOOST_AUTO_TEST_CASE(E12_a_factor_of_zero_is_named) {
  const Run r = run("model M parameter Real m = 0; Real v(start=0, fixed=true); equation m*der(v) = 3; end M;");
  BOOST_TEST(!r.ended());
  BOOST_TEST(r.message().find("cannot be solved for der(v)") != std::string::npos, r.message());
}

BOOST_AUTO_TEST_CASE(a_subscript_outside_of_its_array_ends_the_run) {
  const std::string text = "model M Integer i = integer(1 + 3*time); Real v[3] = {10*time, 20, 30}; Real y = v[i]; end M;";
  const Run m = run(text, 0.9);
  BOOST_REQUIRE(m.ended());
  BOOST_TEST(m.at("y", 0.2) == 2.0, boost::test_tools::tolerance(0.01));
  BOOST_TEST(m.final("y") == 30);
  const Run beyond = run(text, 2);
  BOOST_TEST(!beyond.ended());
  BOOST_TEST(beyond.result.time == 1, boost::test_tools::tolerance(1e-9));
  BOOST_TEST((beyond.message().find("the index 4 lies outside 1:3 with i = 4") != std::string::npos));
  // Only where it is evaluated (MLS 3.3).
  BOOST_TEST(run("model M Integer i = integer(1 + 3*time); Real v[3] = {10, 20, 30}; Real y = if i <= 3 then v[i] else 0; end M;", 2).ended());
  const Run assigned = run("model M Integer i = integer(1 + 3*time); Real v[3]; algorithm v := zeros(3); v[i] := 1; end M;", 2);
  BOOST_TEST((assigned.message().find("the index 4 lies outside 1:3") != std::string::npos));
}

BOOST_AUTO_TEST_CASE(an_integer_that_is_no_longer_exact_ends_the_run) {
  // 3^33 is the last power of 3 below 2^53.
  const Run m = run("model M Integer n(start = 1, fixed = true); equation when sample(0.01, 0.01) then n = 3*pre(n); end when; end M;");
  BOOST_TEST(!m.ended());
  BOOST_TEST(m.result.time == 0.34, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(m.final("n") == 5559060566555523.0);
  BOOST_TEST((m.message().find("the result is an Integer beyond 2^53 = 9007199254740992") != std::string::npos));
}

BOOST_AUTO_TEST_CASE(a_delay_time_outside_of_its_range_ends_the_run) {
  const Run longer = run("model M Real y = delay(time, 2*time, 0.5); end M;");
  BOOST_TEST(!longer.ended());
  BOOST_TEST(longer.result.time == 0.25, boost::test_tools::tolerance(0.2));
  BOOST_TEST((longer.message().find("lies outside 0 ... 0.5, its maximum") != std::string::npos), longer.message());
  BOOST_TEST(!run("model M Real y = delay(time, 0.5 - time, 0.5); end M;").ended());
  BOOST_TEST(run("model M Real y = delay(time, 0.5 - 0.5*time, 0.5); end M;").ended());
}

BOOST_AUTO_TEST_CASE(what_nothing_determines_for_a_while_keeps_its_value) {
  // Two streams meet: at a flow of 0 any mixture will do, and it stays what it was.
  const std::string model =
      "model M Real m = max(0, 0.5 - time), h, g, E(start = 0, fixed = true); equation m*h + m*g = m*7; 2*m*h - m*g = m*2; der(E) = m*(h + g); end M;";
  const Run r = run(model);
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics << r.message());
  BOOST_TEST(r.at("h", 0.4) == 3, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(r.final("h") == 3, boost::test_tools::tolerance(1e-6));
  BOOST_TEST(r.final("E") == 0.875, boost::test_tools::tolerance(1e-6));
  BOOST_TEST(r.message().find("nothing determines") != std::string::npos, r.message());
  BOOST_TEST(r.result.messages.size() == 1u);
  // Not where it would be integrated.
  const Run moves = run("model M Real m = max(0, 0.5 - time), h, g, E(start = 0, fixed = true); equation m*h + m*g = m*7; 2*m*h - m*g = m*2; der(E) = h; end M;");
  BOOST_TEST(!moves.ended());
  BOOST_TEST(moves.message().find("the motion depends on it") != std::string::npos, moves.message());
  BOOST_TEST(std::abs(moves.result.time - 0.5) < 0.01);
  // A contradiction is an error as before.
  const Run bad = run("model M Real m = max(0, 0.5 - time), h, g; equation m*h + m*g = 7; 2*m*h - m*g = m*2; end M;");
  BOOST_TEST(!bad.ended());
}

BOOST_AUTO_TEST_SUITE_END()
