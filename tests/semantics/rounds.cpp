// E5: what changes in more than one round of an event is told with its rounds.

#include <boost/test/unit_test.hpp>

#include "support.hpp"

using namespace mosim::tests;
using namespace mosim::runtime;

BOOST_AUTO_TEST_SUITE(rounds)

// In the round of time > 0.5, `stuck` becomes false; pre(free) makes it true again in the next.
BOOST_AUTO_TEST_CASE(what_one_round_does_and_the_next_takes_back_is_recorded) {
  const Run r = run("model M Boolean stuck(start = true, fixed = true), free(start = false, fixed = true); Integer n(start = 0, fixed = true); equation "
                    "when {time > 0.5, pre(free)} then stuck = pre(free); free = not pre(free); n = pre(n) + 1; end when; end M;");
  BOOST_REQUIRE(r.ended());
  BOOST_TEST(r.at("stuck", 1) == 1);
  BOOST_TEST(r.at("n", 1) == 2);
  BOOST_REQUIRE(r.result.events.size() == 2u);
  const EventRecord& e = r.result.events[1];
  const auto of = [&](const std::string& name) {
    std::vector<EventRecord::Step> list;
    for (const EventRecord::Step& s : e.steps)
      if (r.program.variables[s.variable].name == name) list.push_back(s);
    return list;
  };
  const auto stuck = of("stuck");
  BOOST_REQUIRE(stuck.size() == 2u);
  BOOST_TEST(stuck[0].before == 1);
  BOOST_TEST(stuck[0].after == 0);
  BOOST_TEST(stuck[0].round == 1u);
  BOOST_TEST(stuck[1].after == 1);
  BOOST_TEST(stuck[1].round == 2u);
  BOOST_TEST(of("n").size() == 2u);
  for (const EventRecord::Change& c : e.changes) BOOST_TEST(r.program.variables[c.variable].name == "n");
}

// Each step of the cascade sets off the next one, a round later: as many rounds as it takes.
BOOST_AUTO_TEST_CASE(a_long_cascade_comes_to_its_end) {
  const Run r = run("model M parameter Integer n = 400; Boolean b[n](each start = false, each fixed = true); Real x[n](each start = 0, each fixed = true); equation "
                    "der(x[1]) = 1; for i in 2:n loop der(x[i]) = 0; when pre(b[i - 1]) then reinit(x[i], 1); end when; end for; "
                    "for i in 1:n loop when x[i] > 0.5 then b[i] = true; end when; end for; end M;");
  BOOST_REQUIRE_MESSAGE(r.ended(), r.message());
  BOOST_TEST(r.at("b[400]", 1) == 1);
  BOOST_TEST(r.at("b[400]", 0.4) == 0);
  BOOST_REQUIRE(r.result.events.size() == 2u);
  BOOST_TEST(r.result.events[1].rounds >= 800u);
}

// A when-clause that sets itself off never does.
BOOST_AUTO_TEST_CASE(rounds_without_an_end_do_not) {
  const Run r = run("model M Integer k(start = 0, fixed = true); Boolean odd = mod(k, 2) == 1; equation when {time > 0.5, pre(odd), not pre(odd)} then k = pre(k) + 1; end when; end M;");
  BOOST_TEST(!r.ended());
  BOOST_TEST(r.message().find("no fixed point after 1") != std::string::npos, r.message());
  BOOST_TEST(r.message().find("rounds of event iteration; what keeps changing: ") != std::string::npos, r.message());
}

BOOST_AUTO_TEST_CASE(what_changes_once_has_no_steps) {
  const Run r = run("model M Boolean a(start = false, fixed = true), b(start = false, fixed = true); equation "
                    "when time > 0.5 then a = true; end when; when a then b = true; end when; end M;");
  BOOST_REQUIRE(r.result.events.size() == 2u);
  BOOST_TEST(r.result.events[1].changes.size() == 2u);
  BOOST_TEST(r.result.events[1].steps.empty());
}

BOOST_AUTO_TEST_SUITE_END()
