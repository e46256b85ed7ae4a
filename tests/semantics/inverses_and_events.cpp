// Annotations that say how calls of functions are treated: inverse (MLS 12.8), GenerateEvents and LateInline (MLS 12.10).

#include <boost/test/unit_test.hpp>

#include <cmath>

#include "tests/semantics/support.hpp"

using namespace mosim::tests;

BOOST_AUTO_TEST_SUITE(inverses_and_events)

namespace {

// y = x^3 + a and its inverse; both are monotonic.
const std::string cubic =
    "function cube input Real x; input Real a; output Real y; algorithm y := x^3 + a; annotation(inverse(x = root(y, a))); end cube; "
    "function root input Real y; input Real a; output Real x; algorithm x := sign(y - a)*abs(y - a)^(1/3); end root; ";

}  // namespace

BOOST_AUTO_TEST_CASE(an_inverse_solves_the_equation) {
  // 1 + 7 time = x^3 + 1 - 1: without the annotation it takes an iteration.
  const Run r = run(cubic + "model M Real x(start = -5); equation 1 + 7*time = cube(x, time) - time; end M;");
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  BOOST_TEST(std::abs(r.final("x") - 2) < 1e-9);
  const Run direct = run(cubic + "model M Real x(start = -5); equation 1 + 7*time + time = cube(x, time); end M;");
  BOOST_REQUIRE_MESSAGE(direct.ended(), direct.diagnostics + direct.message());
  BOOST_TEST(std::abs(direct.final("x") - 2) < 1e-9);
  BOOST_TEST(direct.program.blocks.empty());
}

BOOST_AUTO_TEST_CASE(what_an_inverse_asserts_is_asserted_of_its_arguments) {
  const std::string f = "function f input Real x; input Real a; output Real y; algorithm y := a*x^3; annotation(inverse(x = g(y, a))); end f; "
                        "function g input Real y; input Real a; output Real x; algorithm assert(a > 0, \"a is not positive\"); x := (y/a)^(1/3); end g; ";
  const Run r = run(f + "model M Real x(start = 1); Real a = 1 + time; equation 2 = f(x, a); end M;");
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  BOOST_TEST(std::abs(r.final("x") - 1) < 1e-9);
}

BOOST_AUTO_TEST_CASE(a_wrong_inverse_does_not_give_a_wrong_number) {
  const std::string wrong = "function f input Real x; output Real y; algorithm y := x^3; annotation(inverse(x = g(y))); end f; "
                            "function g input Real y; output Real x; algorithm x := y; end g; ";
  const Run r = run(wrong + "model M Real x; equation 8 + time = f(x); end M;");
  BOOST_TEST(!r.ended());
  BOOST_TEST(r.message().find("the inverse that the annotation of f gives does not solve 8 + time = f(x)") != std::string::npos, r.message());
  const Run at_start = run(wrong + "model M parameter Real p(fixed = false); Real x = p*time; initial equation 8 = f(p); end M;");
  BOOST_TEST(!at_start.ended());
  BOOST_TEST(at_start.message().find("the inverse that the annotation of f gives does not solve 8 = f(p)") != std::string::npos, at_start.message());
}

BOOST_AUTO_TEST_CASE(a_wrong_inverse_inside_of_a_system) {
  // Both equations are needed for x and y: what the inverse gives is a guess whose residual is looked at.
  const Run r = run("function f input Real x; output Real y; algorithm y := x^3; annotation(inverse(x = g(y))); end f; "
                    "function g input Real y; output Real x; algorithm x := y; end g; "
                    "model M Real x(start = 2), y(start = 1); equation 8 + time - y = f(x); y + exp(y) = x - 1 + exp(1) - time; end M;");
  if (r.ended()) BOOST_TEST(std::abs(std::pow(r.final("x"), 3) + r.final("y") - 9) < 1e-6);
}

BOOST_AUTO_TEST_CASE(only_for_the_argument_that_it_is_given_for) {
  const Run r = run(cubic + "model M Real x(start = 1); equation 3 + time = cube(1 + time, x) + 0*x; end M;");
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  BOOST_TEST(std::abs(r.final("x") - (4 - 8)) < 1e-9);
  const Run both = run(cubic + "model M Real x(start = 1); equation 10 + 20*time = cube(x, x); end M;");
  BOOST_REQUIRE_MESSAGE(both.ended(), both.diagnostics + both.message());
  BOOST_TEST(std::abs(both.final("x") - 3) < 1e-8);   // 27 + 3
}

BOOST_AUTO_TEST_CASE(an_inverse_of_what_is_no_input) {
  const std::string said = complaints("function f input Real x; output Real y; algorithm y := exp(x); annotation(inverse(u = g(y))); end f; "
                                      "function g input Real y; output Real x; algorithm x := log(y); end g; model M Real x = f(time); end M;");
  BOOST_TEST(said.find("u is no input of f, whose inverse is given here") != std::string::npos, said);
}

BOOST_AUTO_TEST_CASE(an_inverse_by_an_unknown_function) {
  const std::string said = complaints("function f input Real x; output Real y; algorithm y := exp(x); annotation(inverse(x = g(y))); end f; model M Real x = f(time); end M;");
  BOOST_TEST(said.find("there is no function g") != std::string::npos, said);
}

namespace {

std::string greater(const std::string& annotation) {
  return "function late input Real x; output Real y; algorithm if x > 0.3 then y := 1; else y := 0; end if; " + annotation + " end late; ";
}

}  // namespace

BOOST_AUTO_TEST_CASE(relations_of_functions_make_events_where_it_is_said) {
  const Run none = run(greater("") + "model M Real y = late(time); end M;");
  BOOST_REQUIRE_MESSAGE(none.ended(), none.diagnostics + none.message());
  BOOST_TEST(none.events() == 0u);
  const Run events = run(greater("annotation(GenerateEvents = true);") + "model M Real y = late(time); end M;");
  BOOST_REQUIRE_MESSAGE(events.ended(), events.diagnostics + events.message());
  BOOST_REQUIRE(events.event_times().size() == 1u);
  BOOST_TEST(std::abs(events.event_times().front() - 0.3) < 1e-6);
  BOOST_TEST(events.final("y") == 1);
}

BOOST_AUTO_TEST_CASE(not_where_the_place_of_the_call_makes_none) {
  const std::string f = greater("annotation(GenerateEvents = true, LateInline = true);");
  const Run quiet = run(f + "model M Real y = noEvent(late(time)); end M;");
  BOOST_REQUIRE_MESSAGE(quiet.ended(), quiet.diagnostics + quiet.message());
  BOOST_TEST(quiet.events() == 0u);
  const Run inside = run(f + "function g input Real x; output Real y; algorithm y := late(x); end g; model M Real y = g(time); end M;");
  BOOST_REQUIRE_MESSAGE(inside.ended(), inside.diagnostics + inside.message());
  BOOST_TEST(inside.events() == 0u);
}

BOOST_AUTO_TEST_CASE(a_boolean_result_may_be_discrete_then) {
  // The text's own example: greaterEqual(time, 0.5) with events; without, it is no value for a Boolean variable.
  const auto text = [](const std::string& annotation) {
    return "function greaterEqual input Real a; input Real b; output Boolean c; algorithm c := a >= b; annotation(" + annotation + "); end greaterEqual; "
           "model M Boolean b = greaterEqual(time, 0.5); end M;";
  };
  const Run r = run(text("GenerateEvents = true, LateInline = true"));
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  BOOST_TEST(r.at("b", 0.4) == 0);
  BOOST_TEST(r.final("b") == 1);
  BOOST_TEST(complaints(text("LateInline = true")).find("error") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(one_that_cannot_be_inlined_says_so) {
  const Run r = run(
      "function f input Real x; output Real y; algorithm y := x; while y > 0.3 loop y := y - 0.01; end while; annotation(GenerateEvents = true); end f; model M Real y = f(time); end M;");
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  BOOST_TEST(r.diagnostics.find("f is annotated GenerateEvents and cannot be inlined: its relations make no events") != std::string::npos, r.diagnostics);
}

BOOST_AUTO_TEST_SUITE_END()
