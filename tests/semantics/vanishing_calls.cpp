// A function that is code may give 0 whatever its unknown arguments are: a capacitance of 0 makes no state, one that is 0 on one way only
// does. Closed forms.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "tests/semantics/support.hpp"

using namespace mosim::tests;
using boost::test_tools::tolerance;

namespace {

// v lies behind a resistance of 1 and before one of 2, with c beside that: u = i + v, i = v/2 + c*der(v). A loop whose length the run alone knows makes the function code.
Run circuit(const std::string& body, const std::string& start = "", const std::string& more = "") {
  return run(more + "function f input Real v; input Real cj; input Real tau; output Real c; output Real q; protected Integer k; Real a[2], b; algorithm k := 0; q := v; "
             "while k < 3 + v loop k := k + 1; q := q/2; end while; " + body + " end f; "
             "model M parameter Real cj = 0, tau = 0, x = 1; Real u = 0.3*(1 + time), v" + start + ", i, c, q; equation (c, q) = f(v, cj, tau*(1 - x)); u = i + v; i = v/2 + c*der(v); end M;", 1, 1e-8);
}

void check_stateless(const std::string& body, const std::string& more = "") {
  const Run r = circuit(body, "", more);
  BOOST_TEST_CONTEXT(body) {
    BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
    BOOST_TEST(r.program.states.size() == 0u);
    BOOST_TEST(r.final("v") == 0.4, tolerance(1e-9));       // 2/3*u
    BOOST_TEST(r.final("q") == 0.4 / 16, tolerance(1e-9));
  }
}

// c = 1: der(v) = u - 1.5*v, v = 0.2*t + (0.3 - 0.2)/1.5*(1 - exp(-1.5*t)) from 0.
void check_dynamic(const std::string& body) {
  const Run r = circuit(body, "(start = 0, fixed = true)");
  BOOST_TEST_CONTEXT(body) {
    BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
    BOOST_TEST(r.final("v") == 0.2 + 0.1 / 1.5 * (1 - std::exp(-1.5)), tolerance(1e-6));
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(vanishing_calls)

BOOST_AUTO_TEST_CASE(zero_on_every_way) {
  check_stateless("if v > 0.35 then c := cj*exp(v) + tau/(1 + v); else c := cj/(1 - v); end if;");
  check_stateless("c := tau; if v > 0.35 then c := c + cj*v; elseif v > 0.3 then c := 2*c; end if;");
  check_stateless("a := {cj, v}; a[2] := a[1]*a[2]; c := a[2];");
  check_stateless("if cj > 0 then c := v; else c := 0; end if;");
  check_stateless("c := g(cj*v) + g(tau);", "function g input Real x; output Real y; algorithm y := x; for k in 1:3 loop y := y + 0*k; end for; y := if x > 1 then 2*x else x*exp(x); end g; ");
}

BOOST_AUTO_TEST_CASE(not_on_every_way) {
  check_dynamic("if v > 10 then c := cj; else c := 1 + cj; end if;");
  check_dynamic("c := cj; if v < 10 then c := 1; end if;");
  check_dynamic("if v < 10 then c := 1; return; end if; c := cj;");
  check_dynamic("c := cj; b := 0; while b < 1 + cj*v loop b := b + 0.5; c := c + 0.5; end while;");
  check_dynamic("a := {cj, cj}; a[if v < 10 then 1 else 2] := 1; c := a[1];");
}

BOOST_AUTO_TEST_SUITE_END()
