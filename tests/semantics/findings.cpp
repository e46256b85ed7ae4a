// What a run has to say of events that no longer come, or come without end.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "support.hpp"

using namespace mosim::tests;
using namespace mosim::runtime;
using boost::test_tools::tolerance;

namespace {

std::string ball(const std::string& e, const std::string& start, const std::string& when) {
  return "model M Real h(start = " + start + ", fixed = true), v(start = 0, fixed = true); equation der(h) = v; der(v) = -9.81; when " +
         when + " then reinit(v, -" + e + "*pre(v)); end when; end M;";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(findings)

BOOST_AUTO_TEST_CASE(a_ball_that_falls_through_the_floor_is_told_of) {
  const Run plastic = run(ball("0", "1", "h < 0"), 2);
  BOOST_REQUIRE(plastic.ended());
  BOOST_REQUIRE(plastic.result.unarmed.size() == 1u);
  const Unarmed& u = plastic.result.unarmed[0];
  BOOST_TEST(u.relation == 0u);
  BOOST_TEST(u.when == 0u);
  BOOST_TEST(u.since == std::sqrt(2/9.81), tolerance(1e-6));
  // Released on the floor: it never rises far enough.
  const Run released = run(ball("0.8", "0", "h < 0"), 2);
  BOOST_REQUIRE(released.result.unarmed.size() == 1u);
  // Below it from the start, where the condition does not become true.
  const Run below = run(ball("0.8", "-1", "h < 0"), 2);
  BOOST_TEST(below.result.unarmed.empty());
  BOOST_TEST(below.result.true_from_start.size() == 1u);
  // A relation that stands in the condition, under another name and in company.
  BOOST_TEST(run(ball("0", "1", "not (h >= 0) and time > 0.1"), 2).result.unarmed.size() == 1u);
}

BOOST_AUTO_TEST_CASE(what_is_meant_to_stay_is_not_told_of) {
  BOOST_TEST(run(ball("0.8", "1", "h < 0"), 2).result.unarmed.empty());                     // bounces
  BOOST_TEST(run(ball("0.8", "1", "h < 0"), 5).result.unarmed.empty());                     // its Zeno is told of
  BOOST_TEST(run("model M Real x(start = 0, fixed = true); equation der(x) = 1; when time > 0.5 then reinit(x, 0); end when; end M;").result.unarmed.empty());
  BOOST_TEST(run("model M Real x(start = 0, fixed = true); Boolean b(start = false, fixed = true); equation der(x) = 1; when x > 0.5 then b = true; end when; end M;").result.unarmed.empty());
  BOOST_TEST(run("model M Real x(start = 0, fixed = true), y(start = 0, fixed = true); equation der(x) = 1; der(y) = 1; when x > 0.5 then reinit(y, 0); end when; end M;").result.unarmed.empty());
  // One that is faster from there on, a second surface that did what was to be done, and a relation that never changed.
  BOOST_TEST(run("model M Real x(start = 0, fixed = true), v(start = 1, fixed = true); equation der(x) = v; der(v) = 0; when x > 0.5 then reinit(v, 2); end when; end M;").result.unarmed.empty());
  const std::string two = "model M Real h(start = 1, fixed = true), v(start = 0, fixed = true); Boolean done(start = false, fixed = true); equation der(h) = v; "
                          "der(v) = if done then 0 else -9.81; when {h < 0, h < -0.001} then done = h < -0.001; reinit(v, if done then 0 else -E*pre(v)); end when; end M;";
  const auto with = [&](const std::string& e) { std::string t = two; return t.replace(t.find("E*"), 1, e); };
  BOOST_TEST(run(with("0"), 2).result.unarmed.empty());
  BOOST_TEST(run(with("0.8"), 4.07).result.unarmed.empty());
  const auto either = run(ball("0", "1", "h < 0 or v < -1000"), 2).result.unarmed;
  BOOST_REQUIRE(either.size() == 1u);
  BOOST_TEST(either[0].relation == 0u);
  // A pendulum that is pushed each time it comes by is on that side half of the time.
  BOOST_TEST(run("model M Real x(start = 1, fixed = true), v(start = 0, fixed = true); equation der(x) = v; der(v) = -x; when x < 0 then reinit(v, 1.1*pre(v)); end when; end M;", 9).result.unarmed.empty());
}

BOOST_AUTO_TEST_CASE(zeno_is_told_of_with_any_hysteresis) {
  Run r = run(ball("0.8", "1", "h < 0"), 5);
  for (const double hysteresis : {1e-9, 1e-12, 1e-13, 1e-14, 1e-15, 1e-16, 1e-18, 0.0}) {
    Options options;
    options.stop = 5;
    options.hysteresis = hysteresis;
    const Result result = simulate(r.program, options);
    BOOST_TEST_CONTEXT("hysteresis " << hysteresis) {
      BOOST_REQUIRE(result.zeno.size() == 1u);
      BOOST_TEST(result.zeno[0].ratio == 0.8, tolerance(1e-3));
      BOOST_TEST(result.zeno[0].accumulation == 9*std::sqrt(2/9.81), tolerance(1e-4));
      BOOST_TEST(result.unarmed.empty());
    }
  }
}

BOOST_AUTO_TEST_CASE(the_event_without_a_fixed_point_is_on_record) {
  const Run r = run(
      "model M Integer n(start = 0, fixed = true), m(start = 0, fixed = true); equation "
      "when {time > 0.5, pre(m) >= pre(n)} then n = pre(n) + 1; end when; when pre(n) > pre(m) then m = pre(n); end when; end M;");
  BOOST_TEST(!r.ended());
  BOOST_REQUIRE(!r.result.events.empty());
  const EventRecord& last = r.result.events.back();
  BOOST_TEST(last.failed);
  BOOST_TEST(last.time == 0.5);
  BOOST_TEST(last.number == 1u);
  BOOST_CHECK(last.kind == EventKind::time);
  BOOST_TEST(last.rounds == 106u);
  BOOST_TEST(last.fired.size() >= 3u);
  BOOST_TEST(last.fired.size() < 20u);
  BOOST_TEST(last.fired[1].when == 1u);
  const std::string& remedy = r.result.messages.back().remedy;
  BOOST_TEST(remedy.find("set each other off") != std::string::npos, remedy);
  BOOST_TEST(remedy.find("pre(n) > pre(m)") != std::string::npos, remedy);
  // One alone, and none.
  const Run one = run("model M Integer n(start = 0, fixed = true); equation when {time > 0.5, mod(pre(n), 2) == 1, mod(pre(n), 2) == 0} then n = pre(n) + 1; end when; end M;");
  BOOST_TEST(one.result.messages.back().remedy.find("sets itself off again") != std::string::npos);
  const Run none = run("model M Boolean b(start = false, fixed = true); equation b = time > 0.5 and not pre(b); end M;");
  BOOST_TEST(none.result.messages.back().remedy.find("must come to rest") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(what_an_event_says_is_on_its_record) {
  const Run r = run(
      "model M Integer n(start = 0, fixed = true); equation when sample(0.25, 0.25) then n = pre(n) + 1; assert(n <> 2, \"n is \" + String(n), "
      "level = AssertionLevel.warning); end when; when n >= 3 then terminate(\"enough\"); end when; end M;");
  BOOST_REQUIRE(r.ended());
  std::size_t warnings = 0, ends = 0;
  for (const EventRecord& e : r.result.events) {
    for (const auto& w : e.warnings) {
      ++warnings;
      BOOST_TEST((w.text == "n is 2" && e.time == 0.5), w.text);
    }
    for (const auto& t : e.terminations) {
      ++ends;
      BOOST_TEST((t.text == "enough" && e.time == 0.75), t.text);
    }
  }
  BOOST_TEST(warnings == 1u);
  BOOST_TEST(ends == 1u);
}

BOOST_AUTO_TEST_CASE(what_initialisation_sets_is_on_its_record) {
  const Run r = run(
      "model M Real x(start = 1), y = 2*x; Integer n(start = 4); discrete Real d(start = 0, fixed = true); parameter Real p(fixed = false, start = 1); "
      "equation der(x) = -x; when initial() then n = 7; end when; when x < 0.5 then d = time; end when; initial equation x = 3; p = 2*x; end M;");
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics);
  const EventRecord& e = r.result.events.front();
  BOOST_REQUIRE(e.initialised.size() == 3u);
  for (const auto& c : e.initialised) {
    const std::string& name = r.program.variables[c.variable].name;
    BOOST_TEST((name == "x" ? c.before == 1 && c.after == 3 : name == "n" ? c.before == 4 && c.after == 7 : name == "p" && c.before == 1 && c.after == 6), name);
  }
}

BOOST_AUTO_TEST_SUITE_END()
