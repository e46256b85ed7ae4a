// An event rate that cannot end in time is told of while the run goes on, by the number of events, not by a clock.

#include <boost/test/unit_test.hpp>

#include "support.hpp"

using namespace mosim;
using namespace mosim::tests;

namespace {

std::vector<runtime::Message> told(const std::string& text, double stop, std::uint64_t most) {
  const Run compiled = run(text, 1e-9);
  BOOST_REQUIRE_MESSAGE(compiled.compiled, compiled.diagnostics);
  runtime::Options o;
  o.stop = stop;
  o.maximum_events = most;
  std::vector<runtime::Message> list;
  o.tell = [&](const runtime::Message& m) { list.push_back(m); };
  (void)runtime::simulate(compiled.program, o);
  return list;
}

const std::string ticks = "model M Integer n(start = 0, fixed = true); equation when sample(0, 1e-6) then n = pre(n) + 1; end when; end M;";

}  // namespace

BOOST_AUTO_TEST_SUITE(event_rate)

BOOST_AUTO_TEST_CASE(a_rate_without_end_is_told_once) {
  // 1e6 ticks a second, for 1000 s: 1e9 of them.
  const auto list = told(ticks, 1000, 100'100);
  BOOST_REQUIRE(list.size() == 1u);
  BOOST_TEST((list[0].severity == runtime::Severity::warning));
  BOOST_TEST(list[0].time < 0.11);
  BOOST_TEST(list[0].cause.starts_with("100000 events so far, this one by `sample("), list[0].cause);
  BOOST_TEST(list[0].cause.ends_with("; at this rate 1e+09 more come before the stop time"), list[0].cause);
  BOOST_TEST(list[0].origin != runtime::none);
}

BOOST_AUTO_TEST_CASE(what_can_end_is_not) {
  // 1e5 events and a few more.
  BOOST_TEST(told(ticks, 0.1001, 200'000).empty());
  BOOST_TEST(told(ticks, 10, 100'100).empty());   // 1e7
}

BOOST_AUTO_TEST_CASE(state_events_count_as_well) {
  // A ramp that falls back each 1e-6 s.
  const auto list = told("model M Real x(start = 0, fixed = true); equation der(x) = 1; when x > 1e-6 then reinit(x, 0); end when; end M;", 1000, 100'100);
  BOOST_REQUIRE(list.size() == 1u);
  BOOST_TEST(list[0].cause.find("more come before the stop time") != std::string::npos, list[0].cause);
}

BOOST_AUTO_TEST_SUITE_END()
