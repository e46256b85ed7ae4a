// The figures that mosim promises for single models, beyond what test_cases.cpp asks of all.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "tests/golden/cases.hpp"

namespace mosim::golden {
namespace {

const std::string balls = "DiscreteBehavior/BouncingBall/";
const std::string decay = "DiscreteBehavior/Decay/";
const std::string hysteresis = "DiscreteBehavior/Hysteresis/";
const std::string speed = "DiscreteBehavior/SpeedMeasurement/";
const std::string clocks = "DiscreteBehavior/SynchronousSystems/";

Run good(const std::string& file, const Settings& settings) {
  Run run = run_file(file, settings);
  BOOST_TEST_REQUIRE(run.program.has_value(), run.diagnostics);
  BOOST_TEST_REQUIRE((run.result.ending == runtime::Ending::stop_time), run.messages());
  return run;
}

std::vector<double> reset_times(const Run& run) {
  std::vector<double> times;
  for (const runtime::EventRecord& e : run.result.events)
    if (!e.resets.empty()) times.push_back(e.time);
  return times;
}

BOOST_AUTO_TEST_CASE(impacts_and_what_comes_after_them) {
  const Run run = good(balls + "BouncingBall.mo", {.start = 0, .stop = 5, .tolerance = 1e-8});
  const double t1 = std::sqrt(2 / 9.81);
  double t = t1;
  const std::vector<double> impacts = reset_times(run);
  for (int n = 1; t < 3; ++n) {
    BOOST_TEST_REQUIRE(impacts.size() >= static_cast<std::size_t>(n));
    BOOST_TEST(std::fabs(impacts[n - 1] - t) < 1e-6, "impact " << n << " at " << impacts[n - 1] << ", not " << t);
    t += 2 * t1 * std::pow(0.8, n);
  }
  BOOST_TEST_REQUIRE(run.result.zeno.size() == 1u);
  const runtime::Zeno& zeno = run.result.zeno[0];
  BOOST_TEST(std::fabs(zeno.accumulation - 9 * t1) < 1e-3);
  BOOST_TEST(std::fabs(zeno.ratio - 0.8) < 0.005 * 0.8);
  const runtime::Spot origin = run.program->origins[run.program->relations.at(zeno.relation).origin].at;
  BOOST_TEST(origin.line_text.text().find("when h < 0") != std::string::npos, origin.line_text.text());
  BOOST_TEST(origin.path.text().find("BouncingBall.mo") != std::string::npos);
  BOOST_TEST(std::fabs(run.last("h") + 9.81 / 2 * std::pow(5 - 9 * t1, 2)) < 0.05, run.last("h"));
  BOOST_TEST(std::fabs(run.last("v") + 9.81 * (5 - 9 * t1)) < 0.1, run.last("v"));
}

BOOST_AUTO_TEST_CASE(ball_at_rest) {
  for (const double tolerance : {1e-6, 1e-8}) {
    const Run run = good(balls + "StableBouncingBall.mo", {.start = 0, .stop = 10, .tolerance = tolerance});
    BOOST_TEST(std::fabs(run.last("h") + 1e-3) < 2e-4, run.last("h"));
    BOOST_TEST(run.last("v") == 0);
    BOOST_TEST(run.last("done") == 1);
    BOOST_TEST(run.event_times().size() < 120u);
  }
}

BOOST_AUTO_TEST_CASE(any_not_or) {
  const Run run = good(balls + "AnyNotOr.mo", {.start = 0, .stop = 3});
  BOOST_TEST(run.change_times("vector_count") == std::vector<double>({1.0, 2.0}), boost::test_tools::per_element());
  for (const char* once : {"or_count", "equal_count", "together_count"})
    BOOST_TEST(run.change_times(once) == std::vector<double>({1.0}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(thermostat_switches) {
  // From 300 K to 294 K, then to and fro between 294 K and 296 K.
  const double first = 0.5 * std::log(15.0 / 9);
  const double warming = 0.5 * std::log(3.5 / 1.5), cooling = 0.5 * std::log(11.0 / 9);
  for (const char* name : {"HysteresisControl.mo", "HysteresisControlWithAlgorithms.mo"}) {
    const Run run = good(hysteresis + name, {.start = 0, .stop = 2, .tolerance = 1e-8});
    const std::vector<double> found = run.change_times("heat");
    BOOST_TEST_REQUIRE(found.size() == 7u);
    for (std::size_t i = 0; i < found.size(); ++i) {
      const double waited = found[i] - (i == 0 ? 0 : found[i - 1]);
      BOOST_TEST(std::fabs(waited - (i == 0 ? first : i % 2 ? warming : cooling)) < 1e-5, waited);
    }
    BOOST_TEST(run.result.chattering.empty());
  }
}

BOOST_AUTO_TEST_CASE(sliding_is_reported_as_chattering) {
  const Run one = good("DiscreteBehavior/Chatter/WithChatter.mo", {.start = 0, .stop = 2});
  BOOST_TEST(std::fabs(one.last("x") - 1) < 1e-3);
  const Run two = good(hysteresis + "ChatteringControl.mo", {.start = 0, .stop = 0.6});
  BOOST_TEST(std::fabs(two.last("T") - 295) < 1e-2);
  for (const Run* run : {&one, &two}) {
    BOOST_TEST_REQUIRE(run->result.chattering.size() == 1u);
    const runtime::Chattering& c = run->result.chattering[0];
    const bool first = run == &one;
    const double reached = first ? 1 : 0.5 * std::log(1.5);
    BOOST_TEST(std::fabs(c.from - reached) < 1e-3);
    BOOST_TEST(std::fabs(c.to - (first ? 2 : 0.6)) < 1e-2);
    // Within the error that the tolerance allows.
    BOOST_TEST(c.epsilon <= 1e-5 * (first ? 1 : 300));
    const runtime::Spot origin = run->program->origins[run->program->relations.at(c.relation).origin].at;
    BOOST_TEST(origin.line_text.text().find(first ? "x >= 1" : "T < Tbar") != std::string::npos, origin.line_text.text());
  }
}

BOOST_AUTO_TEST_CASE(square_wave) {
  for (const char* freq : {"freq=1", "freq=5"}) {
    const Run run = good("DiscreteBehavior/Accuracy/WithEvents.mo", {.start = 0, .stop = 7, .set = {freq}});
    BOOST_TEST(std::fabs(run.last("x") - 7) < 1e-6, freq << ": " << run.last("x"));
  }
}

BOOST_AUTO_TEST_CASE(square_root) {
  const Run run = good(decay + "Decay3.mo", {.start = 0, .stop = 5});
  BOOST_TEST(std::fabs(run.last("x")) < 1e-4);
  for (const double v : run.result.trajectory.values) BOOST_TEST_REQUIRE(std::isfinite(v));

  for (const char* name : {"Decay1.mo", "Decay2.mo"}) {
    const Run failed = run_file(decay + name, {.start = 0, .stop = 5});
    BOOST_TEST_REQUIRE(failed.program.has_value(), failed.diagnostics);
    BOOST_TEST((failed.result.ending == runtime::Ending::failed));
    BOOST_TEST(std::fabs(failed.result.time - 2) < 1e-2);
    BOOST_TEST_REQUIRE(failed.result.messages.size() == 1u);
    const runtime::Message& m = failed.result.messages[0];
    BOOST_TEST(m.cause.find("sqrt(x)") != std::string::npos, m.cause);
    BOOST_TEST(m.cause.find("x = -") != std::string::npos, m.cause);
    const runtime::Spot origin = failed.program->origins[m.origin].at;
    BOOST_TEST(origin.line_text.text().find("sqrt(x)") != std::string::npos, origin.line_text.text());
    // What there is, is right.
    for (std::size_t r = 0; r < failed.rows(); ++r)
      BOOST_TEST(std::fabs(failed.at(r, failed.column("x")) - std::pow(1 - failed.time(r) / 2, 2)) < 1e-4);
  }
}

BOOST_AUTO_TEST_CASE(samples_of_speed) {
  const Run run = good(speed + "SampleAndHold.mo", {.start = 0, .stop = 5, .tolerance = 1e-8});
  const auto inertias = follow(two_inertias, {0, 1, 0, 0});
  for (int k = 0; k < 40; ++k) {
    const double t = k * 0.125;
    BOOST_TEST(std::fabs(run.value("omega1_measured", t + 0.06) - inertias(t)[2]) < 1e-5);
  }
}

BOOST_AUTO_TEST_CASE(teeth) {
  const Run run = good(speed + "IntervalMeasure.mo", {.start = 0, .stop = 5, .tolerance = 1e-8});
  int expected = 0;
  for (const Case& c : control_cases())
    if (c.name == "IntervalMeasure") expected = static_cast<int>(c.witness.events->size());
  BOOST_TEST(expected > 50);
  BOOST_TEST(std::abs(static_cast<int>(run.change_times("last_time").size()) - expected) <= 2);
}

// What is drawn from a counter, beside a witness that repeats its arithmetic: the true speed.
BOOST_AUTO_TEST_CASE(counted_speed_is_near_the_speed) {
  const Run run = good(speed + "CounterWithAlgorithm.mo", {.start = 0, .stop = 5, .tolerance = 1e-8});
  const auto inertias = follow(two_inertias, {0, 1, 0, 0});
  const double tooth = 2 * 3.14159 / 200;
  for (int k = 1; k < 40; ++k) {
    // The angle between two samples, if it did not turn round in between, in whole teeth: one more or less where it
    // begins, and another one if it has just turned round.
    const State a = inertias((k - 1) * 0.125), b = inertias(k * 0.125);
    if (a[2] * b[2] <= 0) continue;
    const double teeth = run.value("omega1_measured", k * 0.125 + 0.06) * 0.125 / tooth;
    BOOST_TEST(std::fabs(teeth - std::round(teeth)) < 1e-9);
    BOOST_TEST(std::fabs(teeth - std::fabs(b[0] - a[0]) / tooth) < 2);
  }
}

BOOST_AUTO_TEST_CASE(two_equations_for_count) {
  const Run run = run_file(speed + "Counter.mo", {});
  BOOST_TEST(!run.program.has_value());
  BOOST_TEST(run.diagnostics.find("`count`") != std::string::npos, run.diagnostics);
  BOOST_TEST(run.diagnostics.find("two when-clauses") != std::string::npos, run.diagnostics);
  BOOST_TEST(run.diagnostics.find("count = pre(count) + 1") != std::string::npos, run.diagnostics);
  BOOST_TEST(run.diagnostics.find("count = 0;") != std::string::npos, run.diagnostics);
}

BOOST_AUTO_TEST_CASE(invariant_of_prey_and_predators) {
  const Run run = good("BasicEquations/LotkaVolterra/ClassicModel.mo", {.start = 0, .stop = 140, .tolerance = 1e-9});
  const auto invariant = [](double x, double y) { return 0.02 * x - 0.4 * std::log(x) + 0.02 * y - 0.1 * std::log(y); };
  const std::size_t x = run.column("x"), y = run.column("y");
  for (std::size_t r = 0; r < run.rows(); ++r)
    BOOST_TEST_REQUIRE(std::fabs(invariant(run.at(r, x), run.at(r, y)) - invariant(10, 10)) < 1e-6);
  BOOST_TEST(run.program->assumed_starts.size() == 2u);   // E9: the report says which
}

BOOST_AUTO_TEST_CASE(initial_conditions_hold) {
  const Run run = good("BasicEquations/LotkaVolterra/ComplexInitialization.mo", {.start = 0, .stop = 5});
  const double x = run.at(0, run.column("x")), y = run.at(0, run.column("y"));
  BOOST_TEST(std::fabs(x * (0.1 - 0.02 * y) - 2 * y) < 1e-6);
  BOOST_TEST(std::fabs(x / 2 + y * y - 5) < 1e-6);
}

BOOST_AUTO_TEST_CASE(no_numbers_no_cooling) {
  const Run run = run_file("BasicEquations/CoolingExample/NewtonCooling.mo", {});
  for (const char* name : {"T_inf", "T0", "h", "A", "m", "c_p"})
    BOOST_TEST(run.diagnostics.find(std::string("`") + name + "` has no value") != std::string::npos, run.diagnostics);
  BOOST_TEST((run.result.ending == runtime::Ending::failed));
  BOOST_TEST(run.messages().find("der(T)") != std::string::npos, run.messages());
}

// E13: left limits, then the values after the event.
BOOST_AUTO_TEST_CASE(two_rows_at_an_event) {
  const Run run = good("DiscreteBehavior/Counter/Counter.mo", {.start = 0, .stop = 2});
  const std::size_t count = run.column("count");
  int pairs = 0;
  for (std::size_t r = 1; r < run.rows(); ++r)
    if (run.at(r, count) != run.at(r - 1, count)) {
      BOOST_TEST(run.time(r) == run.time(r - 1));
      ++pairs;
      BOOST_TEST(run.time(r) == 0.1 + (pairs - 1) * 0.1);
      BOOST_TEST(run.at(r, count) == pairs);
    }
  BOOST_TEST(pairs == 20);
}

BOOST_AUTO_TEST_CASE(samples_that_are_told_apart_by_a_bit) {
  const Run run = good(clocks + "IndependentSampling.mo", {.start = 0, .stop = 1});
  std::vector<double> expected;
  for (double sum = 0.1; sum <= 1; sum += 0.1) expected.push_back(sum);
  // The first is that of initial(), which is no change from 0.
  BOOST_TEST(run.change_times("y") == expected, boost::test_tools::per_element());
}

}  // namespace
}  // namespace mosim::golden
