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

BOOST_AUTO_TEST_CASE(what_changes_once_has_no_steps) {
  const Run r = run("model M Boolean a(start = false, fixed = true), b(start = false, fixed = true); equation "
                    "when time > 0.5 then a = true; end when; when a then b = true; end when; end M;");
  BOOST_REQUIRE(r.result.events.size() == 2u);
  BOOST_TEST(r.result.events[1].changes.size() == 2u);
  BOOST_TEST(r.result.events[1].steps.empty());
}

BOOST_AUTO_TEST_SUITE_END()
