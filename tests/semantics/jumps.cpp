// E4, last paragraph: an event that moves a side of a relation onto its threshold, and what follows (E11). Numbers are
// closed forms of the models.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "support.hpp"

using namespace mosim;
using namespace mosim::tests;
using boost::test_tools::tolerance;

namespace {

const double pi = std::acos(-1.0);

double root(double (*f)(double), double low, double high) {
  for (int k = 0; k < 200; ++k) (f(0.5*(low + high)) < 0 ? low : high) = 0.5*(low + high);
  return low;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(jumps)

BOOST_AUTO_TEST_CASE(a_reset_onto_its_own_threshold_chatters) {
  const Run r = run("model M Real v(start = -1, fixed = true); Boolean rel; Integer n(start = 0, fixed = true); equation der(v) = 1; rel = v > 0; "
                    "when rel then reinit(v, 0); n = pre(n) + 1; end when; end M;", 1.02);
  BOOST_REQUIRE(r.ended());
  BOOST_TEST(std::abs(r.final("v")) < 2e-6);
  // Once per band, which is at most the tolerance, and the first of them at 1e-10.
  BOOST_TEST(r.final("n") > 0.02 / 2e-6);
  BOOST_TEST(r.final("rel") == 0);
  BOOST_REQUIRE(r.result.chattering.size() == 1u);
  BOOST_TEST(r.result.chattering[0].from == 1, tolerance(1e-6));
  BOOST_TEST(r.result.chattering[0].reinit == 0u);
  BOOST_TEST(r.result.messages.empty(), r.message());
}

BOOST_AUTO_TEST_CASE(a_limiter_follows_its_limit) {
  // v = sin(t) - 1 up to 0.25*sin(t/2), then along it until cos(t) < cos(t/2)/8.
  const Run r = run("model M Real v(start = -1, fixed = true), x(start = 0, fixed = true), a; equation a = cos(time); der(v) = a; der(x) = v; "
                    "when v > 0.25*sin(time/2) then reinit(v, 0.25*sin(time/2)); end when; end M;", 10);
  BOOST_REQUIRE(r.ended());
  const double hits = root([](double t) { return std::sin(t) - 1 - 0.25*std::sin(t/2); }, 7, 7.8);
  const double leaves = root([](double t) { return std::cos(t/2)/8 - std::cos(t); }, 7.8, 8.2);
  BOOST_TEST(r.at("v", 5) == std::sin(5.0) - 1, tolerance(1e-6));
  for (const double t : {7.4, 7.6, 7.9}) BOOST_TEST(r.at("v", t) == 0.25*std::sin(t/2), tolerance(1e-8));
  BOOST_TEST(r.at("a", 7.6) == std::cos(7.6), tolerance(1e-12));   // what equations give stays
  BOOST_TEST(r.at("der(v)", 7.6) == std::cos(7.6), tolerance(1e-12));
  BOOST_TEST(r.final("v") == 0.25*std::sin(leaves/2) + std::sin(10.0) - std::sin(leaves), tolerance(1e-6));
  const double before = 1 - std::cos(hits) - hits, along = 0.5*(std::cos(hits/2) - std::cos(leaves/2));
  const double after = (10 - leaves)*(0.25*std::sin(leaves/2) - std::sin(leaves)) + std::cos(leaves) - std::cos(10.0);
  BOOST_TEST(r.final("x") == before + along + after, tolerance(1e-6));
  BOOST_TEST(r.events() < 100u);
  BOOST_REQUIRE(r.result.chattering.size() == 1u);
  BOOST_TEST(r.result.chattering[0].slid == leaves - hits, tolerance(1e-3));
}

BOOST_AUTO_TEST_CASE(limits_from_above_and_several_at_once) {
  const Run r = run("model M Real v(start = -1, fixed = true), w(start = 1, fixed = true), f(start = 1, fixed = true), y(start = 0, fixed = true); equation "
                    "der(v) = 1; der(w) = -1; der(f) = if f > 0 then -2 else 1; der(y) = if w < 0.5 then 100 else w; "
                    "when v > 0 then reinit(v, 0); end when; when w < 0.5 then reinit(w, 0.5); end when; end M;", 3);
  BOOST_REQUIRE(r.ended());
  // w reaches 0.5 at 0.5 s, f its surface at 0.5 s, v its limit at 1 s.
  BOOST_TEST(r.at("v", 0.9) == -0.1, tolerance(1e-6));
  for (const double t : {1.2, 2.0, 3.0}) {
    BOOST_TEST(std::abs(r.at("v", t)) < 1e-8);
    BOOST_TEST(std::abs(r.at("w", t) - 0.5) < 1e-8);
    BOOST_TEST(std::abs(r.at("f", t)) < 1e-8);
  }
  BOOST_TEST(r.final("y") == 0.5 - 0.125 + 0.5*2.5, tolerance(1e-5));
  BOOST_TEST(r.events() < 2000u);
}

BOOST_AUTO_TEST_CASE(a_mass_on_a_belt_sticks_and_slips) {
  // Sticking from x = 0 to 1 takes 10 s; then v' = 1/2 - x from v = 1/10, until v is 1/10 again, at x = 0.
  const char* const model =
      "model M parameter Real vb = 0.1; Real x(start = 0, fixed = true), v(start = 0.1, fixed = true); Boolean stuck(start = true, fixed = true); "
      "Integer n(start = 0, fixed = true); equation der(x) = v; der(v) = if stuck then 0 else 0.5 - x; when x > 1 then stuck = false; n = pre(n) + 1; "
      "elsewhen not pre(stuck) and v > vb then stuck = true; reinit(v, vb); n = pre(n) + 1; end when; end M;";
  const Run r = run(model, 100, 1e-8);
  BOOST_REQUIRE(r.ended());
  const double slip = 2*pi - 2*std::atan2(0.5, 0.1), period = 10 + slip;
  const auto times = r.event_times();
  const auto happens = [&](double t) {
    for (const double event : times)
      if (std::abs(event - t) < 1e-5) return true;
    return false;
  };
  int changes = 0;
  for (double t = 10; t < 100; t += period) {
    BOOST_TEST(happens(t), t);
    BOOST_TEST(happens(t + slip), t + slip);
    changes += 1 + (t + slip < 100);
  }
  BOOST_TEST(r.final("n") == changes);
}

BOOST_AUTO_TEST_CASE(a_discrete_variable_that_jumps_to_where_the_motion_is) {
  // A mark that goes with the largest value: it is where x is, but for the band.
  const Run r = run("model M Real x(start = 0, fixed = true); discrete Real mark(start = 0.3, fixed = true); Boolean above = x > mark; "
                    "Integer n(start = 0, fixed = true); equation der(x) = 1; when x > pre(mark) then mark = x; n = pre(n) + 1; end when; end M;", 0.305);
  BOOST_REQUIRE(r.ended());
  BOOST_TEST(r.final("mark") == 0.305, tolerance(1e-5));
  BOOST_TEST(r.final("n") > 0.005 / 2e-6);
  BOOST_TEST(r.final("above") == 0);
}

BOOST_AUTO_TEST_CASE(a_threshold_that_jumps_within_the_hysteresis) {
  // x stops where it has crossed 1. Then the threshold, or x, moves by less than the hysteresis.
  const std::string model = "model M Real x(start = 0, fixed = true); Boolean p; Real u; equation der(x) = if p or time > 1.5 then 0 else 1; p = x > u; ";
  const Run input = run(model + "u = if time >= 2 then 1 + 1e-11 else 1; end M;", 3);
  BOOST_TEST(input.at("p", 1.9) == 1);
  BOOST_TEST(input.at("p", 2) == 0);
  const Run reset = run(model + "u = 1; when time >= 2 then reinit(x, 1); end when; end M;", 3);
  BOOST_TEST(reset.at("p", 1.9) == 1);
  BOOST_TEST(reset.at("p", 2) == 0);
  const Run discrete = run(model + "when time >= 2 then u = 1 + 1e-11; end when; initial equation u = 1; end M;", 3);
  BOOST_REQUIRE_MESSAGE(discrete.ended(), discrete.diagnostics);
  BOOST_TEST(discrete.at("p", 1.9) == 1);
  BOOST_TEST(discrete.at("p", 2) == 0);
}

BOOST_AUTO_TEST_CASE(a_whole_number_of_what_jumps_is_as_written) {
  const Run r = run("model M Real x(start = 0, fixed = true); Integer k = integer(x); equation der(x) = if time < 1.5 then 1 else 0; "
                    "when x > 1.25 then reinit(x, 1 - 1e-12); end when; end M;", 1.3);
  BOOST_REQUIRE(r.ended());
  BOOST_TEST(r.at("k", 1.1) == 1);
  BOOST_TEST(r.at("k", 1.25) == 1);
  const auto& t = r.result.trajectory;
  // Right after the reset at 1.25 s.
  for (std::size_t row = 1; row < t.rows(); ++row) {
    if (std::abs(t.values[row*t.width()] - 1.25) > 1e-8 || t.values[row*t.width()] != t.values[(row - 1)*t.width()]) continue;
    double x = 0, k = -1;
    for (std::size_t c = 0; c < t.columns.size(); ++c) {
      const auto& name = r.program.variables[t.columns[c]].name;
      if (name == "x") x = t.values[row*t.width() + c + 1];
      if (name == "k") k = t.values[row*t.width() + c + 1];
    }
    BOOST_TEST(k == std::floor(x));
    return;
  }
  BOOST_TEST(false, "no event at 1.25 s");
}

BOOST_AUTO_TEST_CASE(what_an_event_does_not_move_keeps_its_hysteresis) {
  // Two balls, one of which finds its height by iteration: reinit(v, ...) does not move it, and both fall through.
  for (const char* const height : {"h = z", "h^3 + h = z"}) {
    const Run r = run(std::string("model M Real z(start = 1, fixed = true), v(start = 0, fixed = true), h(start = 0.5); equation der(z) = v; der(v) = -9.81; ") +
                      height + "; when h < 0 then reinit(v, -0.8*pre(v)); end when; end M;", 5);
    BOOST_TEST_CONTEXT(height) {
      const double t = 5 - 9*std::sqrt(2/9.81);
      BOOST_TEST(r.final("z") == -9.81/2*t*t, tolerance(2e-2));
      BOOST_TEST(r.result.zeno.size() == 1u);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_ball_that_is_put_back_onto_the_floor_stays_there) {
  const Run r = run("model M Real h(start = 1, fixed = true), v(start = 0, fixed = true); equation der(h) = v; der(v) = -9.81; "
                    "when h < 0 then reinit(v, -0.8*pre(v)); reinit(h, 0); end when; end M;", 8);
  BOOST_REQUIRE(r.ended());
  BOOST_TEST(r.result.zeno.size() == 1u);
  for (const double t : {4.2, 6.0, 8.0}) BOOST_TEST(std::abs(r.at("h", t)) < 3e-6);
  BOOST_TEST(r.events() < 20000u);
}

BOOST_AUTO_TEST_SUITE_END()
