// Elements of records that are not Real, given by a library's function of Reals (MLS 3.8.4 has it an error, the media of the standard
// library need it): they follow at every instant, so that a result is as if the function's Integer stood in place of the element.

#include <boost/test/unit_test.hpp>

#include "tests/semantics/support.hpp"

using namespace mosim::tests;

namespace {

/// A medium with two phases: up to h = 1 its density is 2 - h, above it is 1; the content is 4 or 1.
const std::string medium =
    "package L "
    "record State Integer phase; Real h; end State; "
    "function state input Real h; output State s; algorithm s := State(phase = if h < 1 then 1 else 2, h = h); end state; "
    "function density input State s; output Real d; algorithm d := if s.phase == 1 then 2 - s.h else 1; end density; "
    "function content input State s; output Real c; algorithm c := if s.phase == 1 then 4 else 1; end content; "
    "model Equated State s; input Real h; equation s = state(h); end Equated; "
    "model Bound input Real h; State s = state(h); end Bound; "
    "model Copied input Real h; State r = s, s, t[2] = {q, r}, q; equation q = s; s = state(h); end Copied; "
    "end L; ";

Run with_medium(const std::string& body, double stop = 2) { return run("model M " + body + " end M;", stop, 1e-8, 100, medium); }

}  // namespace

BOOST_AUTO_TEST_SUITE(following)

BOOST_AUTO_TEST_CASE(an_integer_of_a_record_follows_between_events) {
  // The integral of the content is 4*1 + 1*1, and a row shows the phase that its own h has.
  for (const std::string v : {"L.Equated v(h = time); L.State s = v.s;", "L.Bound v(h = time); L.State s = v.s;", "L.Copied v(h = time); L.State s = v.t[1];",
                               "L.Copied v(h = time); L.State s = v.t[2];", "L.State s = L.state(time);", "L.State s; equation s = L.state(time); public"}) {
    const Run r = with_medium(v + " Real x(start = 0, fixed = true); equation der(x) = L.content(s);");
    BOOST_REQUIRE_MESSAGE(r.ended(), v + "\n" + r.diagnostics + r.message());
    BOOST_TEST(r.final("x") == 5, boost::test_tools::tolerance(1e-5));
    for (const double t : {0.0, 0.5, 0.98, 1.02, 1.5}) BOOST_TEST(r.at("s.phase", t) == (t < 1 ? 1 : 2), v << " at " << t);
  }
}

BOOST_AUTO_TEST_CASE(inside_of_a_system_of_equations) {
  // h = u - d/2 with d = 2 - h or 1: h = 2*u - 2 up to u = 1.5, then u - 0.5.
  const Run r = with_medium("L.State s; Real h(start = -1), d; equation s = L.state(h); d = L.density(s); h = time - d/2;");
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  for (const double t : {0.0, 0.5, 1.4}) {
    BOOST_TEST(r.at("h", t) == 2*t - 2, boost::test_tools::tolerance(1e-6));
    BOOST_TEST(r.at("s.phase", t) == 1);
  }
  for (const double t : {1.6, 2.0}) {
    BOOST_TEST(r.at("h", t) == t - 0.5, boost::test_tools::tolerance(1e-6));
    BOOST_TEST(r.at("s.phase", t) == 2);
  }
}

BOOST_AUTO_TEST_CASE(what_is_no_copy_of_it_is_held_to_the_rule) {
  for (const char* body : {"L.State s = L.state(time); Integer n; equation n = s.phase + 1;", "L.State s = L.state(time); Boolean b = s.phase > 1;",
                           "L.State s = L.state(time); Boolean b = s.phase == 2;", "L.State s = L.state(time); Integer n = s.phase;"})
    BOOST_TEST(with_medium(body).diagnostics.find("changes at events alone, but its value here varies between them") != std::string::npos, body);
  // A record of the user's own.
  BOOST_TEST(complaints("record S Integer n; Real x; end S; function f input Real x; output S s; algorithm s := S(n = if x < 1 then 1 else 2, x = x); end f; "
                        "model M S s = f(time); end M;")
                 .find("s.n is Integer and changes at events alone") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
