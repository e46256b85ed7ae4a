// A relative velocity that is preferred as a state (MLS 4.9.7.1) is one, although its derivative stands in no equation: what an
// event leaves as it was is the relative velocity then, not the absolute one.

#include <boost/test/unit_test.hpp>

#include "support.hpp"

using namespace mosim;
using namespace mosim::tests;

namespace {

// Two free masses, with velocities 1 and 3; at 1 s the first is stopped.
Run stopped(const std::string& prefer) {
  return run("model M Real s1(start = 0, fixed = true, stateSelect = StateSelect.always), v1(start = 1, fixed = true, stateSelect = StateSelect.always), s2, v2, a2, "
             "s_rel(start = 5, fixed = true" + prefer + "), v_rel(start = 2, fixed = true" + prefer + "); "
             "equation der(s1) = v1; der(v1) = 0; v2 = der(s2); a2 = der(v2); 7*a2 = 0; s_rel = s2 - s1; v_rel = der(s_rel); "
             "when time >= 1 then reinit(v1, 0); end when; end M;", 2, 1e-8);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(preferred_velocities)

// The relative velocity 2 stays, so the second mass goes on with 2.
BOOST_AUTO_TEST_CASE(a_preferred_velocity_is_kept_by_an_event) {
  const Run r = stopped(", stateSelect = StateSelect.prefer");
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  BOOST_TEST(std::abs(r.at("v_rel", 1.5) - 2) < 1e-9);
  BOOST_TEST(std::abs(r.at("v2", 1.5) - 2) < 1e-9);
  BOOST_TEST(std::abs(r.at("s2", 2) - (5 + 3 + 2)) < 1e-7);
}

// Where nothing is preferred, the absolute velocity 3 stays.
BOOST_AUTO_TEST_CASE(otherwise_the_differentiated_one_is) {
  const Run r = stopped("");
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  BOOST_TEST(std::abs(r.at("v2", 1.5) - 3) < 1e-9);
  BOOST_TEST(std::abs(r.at("v_rel", 1.5) - 3) < 1e-9);
}

// What gives this velocity has no derivative: the wish is left unfulfilled, and the model runs. s = (t - 0.5)^2/2 from 0.5 s on.
BOOST_AUTO_TEST_CASE(a_velocity_that_cannot_be_one_stays_algebraic) {
  const Run r = run("model M Real x(start = 0, fixed = true), s(start = 0, fixed = true, stateSelect = StateSelect.prefer), v(stateSelect = StateSelect.prefer); "
                    "equation der(x) = 1; v = delay(x, 0.5); v = der(s); end M;", 2, 1e-8);
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  BOOST_TEST(std::abs(r.at("s", 2) - 1.125) < 1e-4);
}

BOOST_AUTO_TEST_SUITE_END()
