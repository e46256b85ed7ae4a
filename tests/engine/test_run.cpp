// Runs piece by piece: values read and set on the way, rows and events as they come, and the end from outside.

#include <atomic>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <thread>

#include "tests/engine/compiled.hpp"

using namespace mosim;
using namespace mosim::tests;

namespace {

const char* const driven = "model M input Real u(start = 1); output Real y; Real x(start = 0, fixed = true); Integer n(start = 0, fixed = true); equation der(x) = u - x; y = 2*x; "
                           "when u > 3 then n = pre(n) + 1; end when; end M;";

}  // namespace

BOOST_AUTO_TEST_SUITE(run)

BOOST_AUTO_TEST_CASE(inputs_between_pieces) {
  // x follows u: 1 - exp(-t) up to 1, then towards 4, by hand.
  const auto m = compiled(driven);
  Run r = m->start({.stop = 3, .tolerance = 1e-9});
  BOOST_TEST(r.time() == 0);
  BOOST_TEST(r.get("u") == 1);
  BOOST_TEST(r.advance_to(1));
  const double x1 = 1 - std::exp(-1.0);
  BOOST_TEST(std::abs(r.get("x") - x1) < 1e-8);
  BOOST_TEST(std::abs(r.get("y") - 2*x1) < 2e-8);
  BOOST_TEST(r.get("n") == 0);
  BOOST_TEST(r.set("u", 4));
  BOOST_TEST(r.time() == 1);
  BOOST_TEST(r.get("u") == 4);
  BOOST_TEST(r.get("n") == 1);   // u > 3 has become true
  BOOST_TEST(r.advance_to(2));
  BOOST_TEST(std::abs(r.get("x") - (4 + (x1 - 4)*std::exp(-1.0))) < 1e-8);
  BOOST_TEST(r.set("u", 5));     // still true
  BOOST_TEST(r.get("n") == 1);
  BOOST_TEST(r.set("u", 0));
  BOOST_TEST(r.set("u", 3.5));
  BOOST_TEST(r.get("n") == 2);
  BOOST_TEST(!r.advance_to(5));
  BOOST_TEST(r.time() == 3);
  const Result result = r.finish();
  BOOST_CHECK(result.ending == Ending::stop_time);
  BOOST_REQUIRE(result.events.size() >= 2u);
  const Event& first = result.events[1];
  BOOST_CHECK(first.kind == EventKind::set);
  BOOST_TEST(first.time == 1);
  BOOST_REQUIRE(first.fired.size() == 1u);
  BOOST_TEST(first.fired[0].text == "u > 3");
  // Left limit and new value stand in two rows.
  const auto time = result.column("time"), u = result.column("u");
  std::size_t row = 0;
  while (row + 1 < time.size() && !(time[row] == 1 && time[row + 1] == 1)) ++row;
  BOOST_REQUIRE(row + 1 < time.size());
  BOOST_TEST(u[row] == 1);
  BOOST_TEST(u[row + 1] == 4);
}

BOOST_AUTO_TEST_CASE(states_can_be_set_and_other_variables_cannot) {
  const auto m = compiled(driven);
  Run r = m->start({.stop = 2, .tolerance = 1e-9});
  BOOST_TEST(r.advance_to(1));
  BOOST_TEST(r.set("x", 5));
  BOOST_TEST(r.get("y") == 10);
  BOOST_TEST(r.advance_to(1.5));
  BOOST_TEST(std::abs(r.get("x") - (1 + 4*std::exp(-0.5))) < 1e-8);
  BOOST_CHECK_THROW(r.set("y", 1), std::invalid_argument);
  BOOST_CHECK_THROW(r.set("nobody", 1), std::invalid_argument);
  BOOST_CHECK_THROW((void)r.get("nobody"), std::invalid_argument);
  BOOST_TEST(r.goes_on());
}

BOOST_AUTO_TEST_CASE(rows_and_events_as_they_come) {
  const auto m = compiled("model M Real x(start = 0, fixed = true); Boolean up = x > 0.5; equation der(x) = 1; end M;");
  std::vector<double> rows;
  std::vector<Event> events;
  Options o{.stop = 1, .intervals = 10, .results = {{"x", "up"}}};
  o.on_row = [&](std::span<const double> row) {
    rows.insert(rows.end(), row.begin(), row.end());
    return true;
  };
  o.on_event = [&](Event&& e) { events.push_back(std::move(e)); };
  const Result r = m->simulate(o);
  BOOST_TEST(r.rows.empty());
  BOOST_TEST(r.events.empty());
  BOOST_TEST((r.names == std::vector<std::string>{"time", "x", "up"}));
  BOOST_TEST(rows.size() == 3*r.row_count);
  BOOST_TEST(r.row_count == 13u);
  BOOST_REQUIRE(events.size() == 2u);
  BOOST_REQUIRE(events[1].causes.size() == 1u);
  BOOST_TEST(events[1].causes[0].text == "x > 0.5");
  BOOST_TEST(events[1].causes[0].value == 1);
  BOOST_TEST(events[1].causes[0].place.line == 1u);
  BOOST_TEST(std::abs(events[1].time - 0.5) < 1e-6);
  // One that wants no more gets no more.
  int wanted = 5;
  o.on_row = [&](std::span<const double>) { return --wanted > 0; };
  const Result cut = m->simulate(o);
  BOOST_CHECK(cut.ending == Ending::interrupted);
  BOOST_TEST(wanted == 0);
}

BOOST_AUTO_TEST_CASE(a_run_that_fails_says_why) {
  const auto m = compiled("model M Real x(start = 1, fixed = true); equation der(x) = -1; assert(x > 0.5, \"too small\"); end M;");
  Run r = m->start();
  BOOST_TEST(!r.advance_to(1));
  BOOST_TEST(std::abs(r.time() - 0.5) < 1e-6);
  BOOST_TEST(!r.set("x", 1));
  const Result result = r.finish();
  BOOST_CHECK(result.ending == Ending::failed);
  BOOST_REQUIRE(!result.diagnostics.empty());
  const Diagnostic& d = result.diagnostics.back();
  BOOST_CHECK(d.severity == Severity::error);
  BOOST_TEST(d.cause.find("too small") != std::string::npos);
  BOOST_TEST(d.place.file == "m.mo");
  BOOST_TEST(std::abs(d.time - 0.5) < 1e-6);
}

BOOST_AUTO_TEST_CASE(the_end_comes_from_another_thread) {
  const auto m = compiled("model M Real x(start = 0, fixed = true); equation der(x) = sin(1e4*time); end M;");
  std::atomic<bool> cancel = false;
  std::atomic<bool> begun = false;
  Options o{.stop = 1e9, .cancel = &cancel};
  o.on_progress = [&](double) { begun = true; };
  std::thread other([&] {
    while (!begun) std::this_thread::yield();
    cancel = true;
  });
  const Result r = m->simulate(o);
  other.join();
  BOOST_CHECK(r.ending == Ending::interrupted);
  BOOST_TEST(r.time < 1e9);
  BOOST_TEST(!r.rows.empty());
}

BOOST_AUTO_TEST_CASE(two_runs_of_one_model_in_two_threads) {
  const auto m = compiled("model M parameter Real g = 9.81; Real h(start = 1, fixed = true), v(start = 0, fixed = true); equation der(h) = v; der(v) = -g; "
                          "when h < 0 then reinit(v, -0.8*pre(v)); end when; end M;");
  const Result alone = m->simulate({.stop = 3});
  std::vector<Result> results(2);
  std::vector<std::thread> threads;
  for (Result& r : results) threads.emplace_back([&] { for (int k = 0; k < 20; ++k) r = m->simulate({.stop = 3}); });
  for (std::thread& t : threads) t.join();
  for (const Result& r : results) BOOST_TEST((r.rows == alone.rows));
}

BOOST_AUTO_TEST_CASE(two_sessions_in_two_threads) {
  std::vector<std::thread> threads;
  std::atomic<int> good = 0;
  for (int k = 0; k < 2; ++k)
    threads.emplace_back([&good, k] {
      for (int i = 0; i < 10; ++i) {
        Session s;
        s.read_text("m.mo", "model M function f input Real x; output Real y; algorithm y := x^2; end f; parameter Real a = " + std::to_string(k) + "; Real x = f(a + time); end M;");
        const auto m = s.compile("M");
        good += m && std::abs(m->simulate().column("x").back() - (k + 1)*(k + 1)) < 1e-12;
      }
    });
  for (std::thread& t : threads) t.join();
  BOOST_TEST(good == 20);
}

// Other models in each thread, and what is native with them: the same numbers as one after the other.
BOOST_AUTO_TEST_CASE(different_models_in_two_threads) {
  const auto rows_of = [](const std::string& file, const std::string& text, const std::string& name) {
    Session s;
    const auto classes = text.empty() ? s.read(file) : s.read_text(file, text);
    const auto m = s.compile(name.empty() ? classes.at(0) : name);
    return m ? m->simulate({.stop = 2}).rows : std::vector<double>();
  };
  const std::string solve =
      "function solve input Real A[2, 2]; input Real b[2]; output Real x[2] = b; output Integer info; protected Real f[2, 2] = A; Integer p[2]; "
      "external \"FORTRAN 77\" dgesv(2, 1, f, 2, p, x, 2, info) annotation(Library = \"lapack\"); end solve; "
      "model M Real x[2] = solve({{2, time}, {0, 4}}, {1, 2}); String s = String(time > 1) + \"!\"; Real y = delay(x[1], 0.1); end M;";
  const std::vector<std::vector<std::string>> all{{MODELS "/DiscreteBehavior/BouncingBall/StableBouncingBall.mo", "", ""},
                                                  {"m.mo", solve, "M"},
                                                  {MODELS "/DiscreteBehavior/BouncingBall/BouncingBall.mo", "", ""},
                                                  {"n.mo", "model M Real x(start = 1, fixed = true); Modelica.Units.SI.Time t = time; equation der(x) = -x*t; end M;", "M"}};
  std::vector<std::vector<double>> alone;
  for (const auto& one : all) {
    alone.push_back(rows_of(one[0], one[1], one[2]));
    BOOST_TEST(!alone.back().empty(), one[0]);
  }
  std::vector<std::thread> threads;
  std::atomic<int> same = 0;
  for (std::size_t k = 0; k < 2; ++k)
    threads.emplace_back([&, k] {
      for (std::size_t i = 0; i < 8; ++i) {
        const std::size_t which = (i*(k + 1) + k) % all.size();
        same += rows_of(all[which][0], all[which][1], all[which][2]) == alone[which];
      }
    });
  for (std::thread& t : threads) t.join();
  BOOST_TEST(same == 16);
}

BOOST_AUTO_TEST_SUITE_END()
