// MLS 3.7.4.5: where the first argument of semiLinear is zero, of all solutions the one is taken that the specification names.
// The values are those of its replacement rules, by hand.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "tests/semantics/support.hpp"

using namespace mosim::tests;

namespace {

const std::string ports =
    "package L connector P Real p; flow Real m; Real h; flow Real H; end P; "
    "model Source parameter Real h0 = 1; P p; input Real m; equation p.m = -m; p.H = semiLinear(p.m, p.h, h0); end Source; "
    "model Sink parameter Real h0 = 2; P p; equation p.p = 1; p.H = semiLinear(p.m, p.h, h0); end Sink; "
    "model Pipe P a, b; equation a.m + b.m = 0; a.p = b.p; a.H + b.H = 0; a.H = semiLinear(a.m, a.h, b.h); end Pipe; ";

}  // namespace

BOOST_AUTO_TEST_SUITE(semi_linear)

BOOST_AUTO_TEST_CASE(without_any_flow_both_slopes_are_one) {
  for (const char* equations : {"m = 0; H = 0; H = semiLinear(m, h, 5);", "0 = m; -H = 0; H - semiLinear(-m, h, 5) = 0;", "m = 0; H = 0; semiLinear(m, 5, h) = -H;",
                                "m = a; a = 0; H + b = 0; b = 0; H = semiLinear(m, h, 5);"}) {
    const Run r = run(std::string("model M Real m, H, h") + (std::string(equations).find('a') < 6 ? ", a, b" : "") + "; equation " + equations + " end M;");
    BOOST_TEST(r.ended(), std::string(equations) + "\n" + r.diagnostics + r.message());
    BOOST_TEST(r.final("h") == 5, equations);
  }
  // An unconnected port.
  const Run r = run(ports + "model M Sink k; end M; end L; model N extends L.M; end N;");
  BOOST_TEST(r.ended(), r.diagnostics + r.message());
  BOOST_TEST(r.final("k.p.h") == 2);
}

BOOST_AUTO_TEST_CASE(between_two_of_them_the_slope_is_that_of_the_side_it_comes_from) {
  const Run r = run(ports + "model M Source s(m = if time < 0.4 then 1 elseif time < 0.7 then 0 else -1); Sink k; equation connect(s.p, k.p); end M; end L; model N extends L.M; end N;");
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  BOOST_TEST(r.at("s.p.h", 0.2) == 1);
  BOOST_TEST(r.at("k.p.H", 0.2) == 1);
  BOOST_TEST(r.at("k.p.H", 0.5) == 0);
  BOOST_TEST((r.at("s.p.h", 0.5) == 1 || r.at("s.p.h", 0.5) == 2));   // by whether s.p.m or k.p.m counts as x
  BOOST_TEST(r.at("s.p.h", 0.9) == 2);
  BOOST_TEST(r.at("k.p.H", 0.9) == -2);
}

BOOST_AUTO_TEST_CASE(and_so_along_a_chain) {
  const Run r = run(ports + "model M Source s(m = 2*(0.5 - time)); Pipe p[3]; Sink k; equation connect(s.p, p[1].a); for i in 1:2 loop connect(p[i].b, p[i+1].a); end for; "
                            "connect(p[3].b, k.p); end M; end L; model N extends L.M; end N;", 1, 1e-6, 10);
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  for (const char* h : {"s.p.h", "p[1].a.h", "p[2].a.h", "p[3].b.h", "k.p.h"}) {
    BOOST_TEST(r.at(h, 0.2) == 1, h);
    BOOST_TEST(r.at(h, 0.8) == 2, h);
  }
  BOOST_TEST(std::abs(r.at("p[2].a.H", 0.2) - 0.6) < 1e-9);
  BOOST_TEST(std::abs(r.at("p[2].a.H", 0.8) + 1.2) < 1e-9);
}

BOOST_AUTO_TEST_CASE(elsewhere_it_is_its_definition) {
  const Run r = run("model M function f input Real x; output Real y; algorithm y := semiLinear(x, 1, 10); end f; Real m = 1 - 2*time, y = semiLinear(m, time, 3), d = der(y), "
                    "v[2] = semiLinear({time, -time}, {1, 2}, {3, 4}), w = f(m), a, n = noEvent(semiLinear(m, 1, 10)); parameter Real p = semiLinear(-2, 3, 4); Real q = p; "
                    "algorithm a := semiLinear(m, 1, 10); end M;", 1, 1e-6, 10);
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  BOOST_TEST(std::abs(r.at("y", 0.2) - 0.12) < 1e-9);
  BOOST_TEST(std::abs(r.at("y", 0.8) + 1.8) < 1e-9);
  BOOST_TEST(std::abs(r.at("d", 0.2) - 0.2) < 1e-9);   // (t - 2t^2)' = 1 - 4t
  BOOST_TEST(std::abs(r.at("d", 0.8) + 6) < 1e-9);
  BOOST_TEST(r.final("v[1]") == 1);
  BOOST_TEST(r.final("v[2]") == -4);
  for (const char* v : {"w", "a", "n"}) BOOST_TEST(r.final(v) == -10, v);
  BOOST_TEST(r.final("q") == -8);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(clocked_inputs)

BOOST_AUTO_TEST_CASE(a_top_level_input_that_is_used_at_ticks_alone_keeps_its_start_value) {
  const Run r = run("block M input Real u(start = 3); input Boolean b(start = true); connector In = input Real; In c[2](start = {4, 5}); Real y(start = 0), d(start = 0); Integer n(start = 0); output Real z; "
                    "equation when Clock(0.25) then y = previous(y) + u*c[1]*c[2]; n = if b then previous(n) + 1 else 0; d = u - previous(u) + interval(u); end when; z = hold(y); end M;", 0.6);
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  BOOST_TEST(r.final("u") == 3);
  BOOST_TEST(r.final("z") == 180);   // ticks at 0, 0.25 and 0.5
  BOOST_TEST(r.final("n") == 3);
  BOOST_TEST(r.final("d") == 0.25);
}

BOOST_AUTO_TEST_SUITE_END()
