// E14: what does not count is not evaluated, nor what functions in it assert.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "tests/semantics/support.hpp"

using namespace mosim::tests;

namespace {

/// In a model with functions that assert a positive argument.
Run with_functions(const std::string& body) {
  return run("function pos input Real u; output Real y; algorithm assert(u > 0, \"pos was called\"); y := u; end pos; "
             "function text input Real u; output String s; algorithm assert(u > 0, \"text was called\"); s := String(u); end text; "
             "function lt input Real u; output Boolean b; algorithm assert(u > 0, \"lt was called\"); b := u < 0.5; end lt; model M " + body + " end M;",
             1, 1e-6, 4);
}

void holds(const std::string& body, double y = NAN) {
  const Run r = with_functions(body);
  BOOST_TEST(r.ended(), body + "\n" + r.diagnostics + r.message());
  if (!std::isnan(y)) BOOST_TEST(r.final("y") == y, body);
}

void fails(const std::string& body, const std::string& message) {
  const Run r = with_functions(body);
  BOOST_TEST(!r.ended(), body);
  BOOST_TEST((r.diagnostics + r.message()).find(message) != std::string::npos, body + "\n" + r.diagnostics + r.message());
}

const std::string x = "Real x = -1 - time; ";
const std::string falling = "Real x = 1 - 2*time; ";

}  // namespace

BOOST_AUTO_TEST_SUITE(evaluated)

BOOST_AUTO_TEST_CASE(the_message_of_an_assertion_that_holds) {
  for (const char* message : {"text(x)", "String(sqrt(x))"}) {
    const std::string check = std::string("assert(x < 0, \"x: \" + ") + message + ");";
    holds(x + "equation " + check);
    holds(x + "algorithm " + check);
    holds(x + "equation when time > 0.5 then " + check + " end when;");
    holds(x + "algorithm when time > 0.5 then " + check + " end when;");
    holds(x + "initial equation " + check);
    holds(x + "initial algorithm " + check);
    holds(x + "function f input Real x; output Real y; algorithm " + check + " y := 2*x; end f; Real y = f(x);", -4);
  }
  holds("parameter Integer n = 5; Real a[3] = {1, 2, 3}; equation assert(n > 3, \"a: \" + String(a[n]));");
  holds(x + "equation assert(message = text(x), condition = x < 0);");
  fails(falling + "equation assert(x > 0, \"x is \" + text(2*time));", "x is 1");
  fails(falling + "equation assert(x > 0, \"x is \" + text(x));", "text was called");
}

BOOST_AUTO_TEST_CASE(the_conditions_after_the_one_that_holds) {
  for (const char* condition : {"pos(x) > 2", "lt(x)", "sqrt(x) > 2", "noEvent(sqrt(x) > 2)", "pos(x) > 2 and sqrt(x) > 2"}) {
    const std::string c = condition;
    holds(x + "Real y = if x < 0 then 1 elseif " + c + " then 2 else 3;", 1);
    holds(x + "Real y; equation if x < 0 then y = 1; elseif " + c + " then y = 2; else y = pos(x); end if;", 1);
    holds(x + "Real y; algorithm if x < 0 then y := 1; elseif x > 0.5 then y := 4; elseif " + c + " then y := 2; else y := pos(x); end if;", 1);
    holds(x + "Real y; algorithm y := 0; for i in 1:3 loop if x < 0 then y := y + 1; elseif " + c + " then y := 2; else y := pos(x); end if; end for;", 3);
    holds(x + "Real y(start = 0, fixed = true); equation when time > 0.5 then if x < 0 then y = 1; elseif " + c + " then y = 2; else y = pos(x); end if; end when;", 1);
    holds(x + "Real y(start = 0, fixed = true); equation when time > 0.5 then y = if x < 0 then 1 elseif " + c + " then 2 else pos(x); end when;", 1);
    holds(x + "Real y(start = 0, fixed = true); algorithm when time > 0.5 then if x < 0 then y := 1; elseif " + c + " then y := 2; else y := pos(x); end if; end when;", 1);
    holds(x + "Real y; initial equation if x < 0 then y = 1; elseif " + c + " then y = 2; else y = pos(x); end if; equation der(y) = 0;", 1);
    holds(x + "Real y; initial algorithm if x < 0 then y := 1; elseif " + c + " then y := 2; else y := pos(x); end if; equation der(y) = 0;", 1);
    holds(x + "function f input Real x; output Real y; algorithm if x < 0 then y := 1; elseif " + c + " then y := 2; else y := pos(x); end if; end f; Real y = f(x);", 1);
    holds(x + "function f input Real x; output Real y; algorithm y := if x < 0 then 1 elseif " + c + " then 2 else pos(x); end f; Real y = f(x);", 1);
  }
  fails(falling + "Real y = if time > 5 then 0 elseif pos(x) > 5 then 1 else 2;", "pos was called");
  fails(falling + "Real y; algorithm if time > 5 then y := 0; elseif pos(x) > 5 then y := 1; else y := 2; end if;", "pos was called");
  fails(falling + "Real y(start = 0, fixed = true); equation when time > 0.7 then if time > 5 then y = 0; elseif pos(x) > 5 then y = 1; else y = 2; end if; end when;", "pos was called");
}

BOOST_AUTO_TEST_CASE(conditions_of_parameters) {
  // The first condition is known before the run, or found in the initial system.
  holds("parameter Real p = -1; parameter Real q = if p < 0 then 1 elseif pos(p) > 1 then 2 else pos(p); Real y = q;", 1);
  holds("parameter Real p(fixed = false); parameter Real q = if p < 0 then 1 elseif pos(p) > 1 then 2 else pos(p); Real y = q; initial equation p^3 = -1;", 1);
  holds("parameter Integer n = 0; Real y; algorithm if n < 1 then y := 1; elseif pos(n) > 1 then y := 2; else y := pos(n); end if;", 1);
  holds("parameter Integer n = 0; Real y = if n > 0 then sum(zeros(n - 1)) else 7;", 7);
  holds("parameter Integer n = 1; parameter Real p[n] = if n > 1 then linspace(1, 2, n) else {7}; Real y = p[1];", 7);
}

BOOST_AUTO_TEST_CASE(the_other_side_of_and_and_or) {
  holds(x + "Boolean y = x > 0 and pos(x) > 2;", 0);
  holds(x + "Boolean y = x < 0 or pos(x) > 2;", 1);
  holds(x + "Boolean y = x > 0 and time > 0.5 and sqrt(x) > 2;", 0);
  holds(x + "Boolean y; algorithm y := x > 0 and pos(x) > 2;", 0);
  holds(x + "Integer y(start = 0, fixed = true); equation when time > 0.5 and (x > 0 and pos(x) > 2) then y = pre(y) + 1; end when;", 0);
  holds(x + "function f input Real u; output Real y; algorithm y := if not (u <= 0 or pos(u) > 2) then 1 else 2; end f; Real y = f(x);", 2);
  holds(x + "equation assert(x < 0 or pos(x) > 2, \"no\");");
  fails(falling + "Boolean y = x < 1 and pos(x) > 2;", "pos was called");
}

BOOST_AUTO_TEST_CASE(what_is_left_early) {
  holds(x + "function f input Real u; output Real y; algorithm y := 1; if u < 0 then return; end if; assert(u > 0, \"reached\"); y := pos(u); end f; Real y = f(x);", 1);
  holds(x + "function f input Real u; output Real y; algorithm y := 1; for i in 1:3 loop if u < 0 then break; end if; y := y + pos(u); end for; end f; Real y = f(x);", 1);
}

BOOST_AUTO_TEST_CASE(the_condition_of_a_while_is_asserted_in_every_round) {
  fails("Real y; algorithm y := 3; while pos(y) < 5 loop y := y - 1; end while;", "pos was called");
  fails("Real y; algorithm y := 3 + time; while pos(y) < 5 loop y := y - 1; if y < -5 then break; end if; end while;", "pos was called");
  holds("Real y; algorithm y := 3; while pos(y) < 5 loop y := y + 1; end while;", 5);
}

BOOST_AUTO_TEST_CASE(ticks_alone_count_for_what_is_clocked) {
  // The first tick is at 0.6, where the argument is 0.2; it was negative before.
  holds("Real u = time - 0.4; Real c, y; equation when shiftSample(Clock(0.2), 3) then c = pos(sample(u)); end when; y = floor(10*hold(c) + 0.5);", 6);
  fails("Real u = 0.5 - time; Real c, y; equation when shiftSample(Clock(0.2), 1) then c = pos(sample(u)); end when; y = hold(c);", "pos was called");
}

// Its own crossing is none before the other side holds; then it has the value that it has there.
BOOST_AUTO_TEST_CASE(the_crossing_of_a_side_that_is_not_evaluated) {
  const std::string growing = "model M Real x(start = 1, fixed = true); Boolean c = ";
  const Run early = run(growing + "x > 2 and log(x) > -1; equation der(x) = 1; end M;", 2);
  BOOST_REQUIRE_MESSAGE(early.ended(), early.message());
  BOOST_TEST(early.at("c", 0.5) == 0);
  BOOST_TEST(early.at("c", 1.5) == 1);
  BOOST_TEST(early.events() == 1u);
  const Run late = run(growing + "x > 1.5 and log(x) < 0.9; equation der(x) = 1; end M;", 2);
  BOOST_REQUIRE_MESSAGE(late.ended(), late.message());
  const auto times = late.event_times();
  BOOST_REQUIRE(times.size() == 2u);
  BOOST_TEST(times[0] == 0.5, boost::test_tools::tolerance(1e-6));
  BOOST_TEST(times[1] == std::exp(0.9) - 1, boost::test_tools::tolerance(1e-6));
  BOOST_TEST(late.at("c", 1) == 1);
  BOOST_TEST(late.at("c", 2) == 0);
  const Run rounded = run(growing + "x > 2 and integer(x) >= 0; equation der(x) = 1; end M;", 2);
  BOOST_REQUIRE_MESSAGE(rounded.ended(), rounded.message());
  BOOST_TEST(rounded.at("c", 2) == 1);
}

BOOST_AUTO_TEST_SUITE_END()
