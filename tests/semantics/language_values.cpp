// Small models over the whole language, their values worked out by hand from the specification.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "tests/semantics/support.hpp"

using namespace mosim::tests;
using boost::test_tools::tolerance;

namespace {

struct Expected {
  const char* name;
  double time, value;
};

void check(const std::string& model, const std::vector<Expected>& expected, double stop = 1) {
  const Run r = run(model, stop, 1e-8, 10);
  BOOST_TEST_CONTEXT(model) {
    BOOST_TEST(r.ended(), r.diagnostics + r.message());
    for (const Expected& e : expected) BOOST_TEST(std::abs(r.at(e.name, e.time) - e.value) <= 1e-6 * std::max(1.0, std::abs(e.value)), e.name << " is " << r.at(e.name, e.time));
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(language_values)

BOOST_AUTO_TEST_CASE(an_equation_with_an_integer_expression_on_one_side_is_one_of_reals) {
  check("model M Real s(start = 3); equation s^2 = (if time > 0.5 then 4 else 9); end M;", {{"s", 0, 3}, {"s", 1, 2}});
  check("model M Real s(start = -3); equation s^2 = (if s > 1 then 4 else 9); end M;", {{"s", 0, -3}});
  check("model M Real s; Integer n = 3; equation 2*s = n; end M;", {{"s", 0, 1.5}});
  check("model M Real s(start = 1); parameter Integer n = 8; equation s^3 = n; end M;", {{"s", 0, 2}});
}

// An Integer has no value between two whole numbers, however its equation is written.
BOOST_AUTO_TEST_CASE(an_integer_gets_no_real_value) {
  for (const char* body : {"Integer n; equation n = 2.5*integer(time*3);", "Integer n; equation if time > 0.5 then n = 2.5; else n = 1; end if;",
                           "Integer n; parameter Real p = 2.5; equation n = p;", "Integer n; equation 2.5*integer(time) = n;"})
    BOOST_TEST(complaints(std::string("model M ") + body + " end M;").find("`n` is not Real, but") != std::string::npos, body << complaints(std::string("model M ") + body + " end M;"));
}

BOOST_AUTO_TEST_CASE(a_component_whose_number_the_run_alone_knows) {
  const Run r = run("model M record R Real a; Real b[2]; end R; model C parameter Real p[2] = {1, 2}; Real v = p[1]*time, w[3] = {v, 2*v, 3*v}; R r(a = v, b = {v, -v}); end C;"
                    "C c[2](p = {{1, 2}, {3, 4}}); Integer k(start = 1, fixed = true), j = if time < 0.25 then 3 else 2; Real y, z, q[2], s[3]; R rec;"
                    "equation when time > 0.5 then k = 2; end when; y = c[k].v; z = c[k].w[j]; q = c.w[j]; s = c[k].w; rec = c[k].r; end M;");
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  BOOST_TEST(r.at("y", 0.4) == 0.4, tolerance(1e-9));
  BOOST_TEST(r.at("y", 0.8) == 2.4, tolerance(1e-9));
  BOOST_TEST(r.at("z", 0.2) == 0.6, tolerance(1e-9));
  BOOST_TEST(r.at("z", 0.8) == 4.8, tolerance(1e-9));
  BOOST_TEST(r.at("q[2]", 0.8) == 4.8, tolerance(1e-9));
  BOOST_TEST(r.at("s[3]", 0.8) == 7.2, tolerance(1e-9));
  BOOST_TEST(r.at("rec.b[2]", 0.8) == -2.4, tolerance(1e-9));
  const Run outside = run("model M model C Real v = time; end C; C c[2]; Integer k(start = 1, fixed = true); Real y = c[k].v; equation when time > 0.5 then k = 3; end when; end M;");
  BOOST_TEST(!outside.ended());
  BOOST_TEST(outside.message().find("the index 3 lies outside 1:2") != std::string::npos);
}

// 0.0 and -0.0 are two Reals, and one Integer: atan2(0, 0.0) is 0, and atan2(0, -0.0) is pi.
BOOST_AUTO_TEST_CASE(the_zero_of_an_integer_has_no_sign) {
  const Run r = run("model M constant Integer n = 0; Real a = atan2(0.0, 2.0*(-n)), b = atan2(0.0, 2.0*(-3*n)), c = atan2(0.0, -2.0*0.0), w[2]; "
                    "equation for i in 0:1 loop w[i + 1] = atan2(0.0, 2.0*(i*(-3))); end for; end M;");
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  BOOST_TEST(r.final("a") == 0);
  BOOST_TEST(r.final("b") == 0);
  BOOST_TEST(r.final("c") == std::acos(-1.0), tolerance(1e-15));
  BOOST_TEST(r.final("w[1]") == 0);
  BOOST_TEST(r.final("w[2]") == std::acos(-1.0), tolerance(1e-15));
  // Those that a run finds: as they are, by way of a variable, of a function, of a division and a rounding.
  const Run found = run("function f input Integer n; output Real y; protected Integer m = -n; algorithm y := atan2(0.0, 2.0*m); annotation(Inline = false); end f; "
                        "model M Integer k(start = 0, fixed = true), n = -k, m = -3*k; Real y[7] = {atan2(0.0, -k), atan2(0.0, -3*k), atan2(0.0, n), atan2(0.0, m), "
                        "atan2(0.0, div(-1, 2 + k)), f(k), atan2(0.0, integer(-0.0*time))}; equation when time > 2 then k = pre(k) + 1; end when; end M;");
  BOOST_REQUIRE_MESSAGE(found.ended(), found.diagnostics + found.message());
  for (int i = 1; i <= 7; ++i) BOOST_TEST(found.final("y[" + std::to_string(i) + "]") == 0, i);
}

BOOST_AUTO_TEST_SUITE_END()
