// Inputs that follow a function of time or a table.

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>

#include "tests/engine/compiled.hpp"

using namespace mosim;
using namespace mosim::tests;

namespace {

const char* const integrates = "model M input Real u; output Real y = -u; Real x(start = 0, fixed = true); Integer n(start = 0, fixed = true); equation der(x) = u; "
                               "when u > 0.5 then n = pre(n) + 1; end when; end M;";

std::vector<double> times_of(const Result& r) {
  std::vector<double> times;
  for (const Event& e : r.events)
    if (e.kind != EventKind::initial && !e.is_rearming) times.push_back(e.time);
  return times;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(inputs)

BOOST_AUTO_TEST_CASE(a_function_of_time) {
  const auto m = compiled(integrates);
  const Result r = m->simulate({.stop = 10, .tolerance = 1e-9, .inputs = {{.variable = "u", .function = [](double t) { return std::sin(t); }}}});
  const std::vector<double> time = r.column("time"), x = r.column("x"), u = r.column("u"), y = r.column("y");
  int wrong = 0;
  for (std::size_t k = 0; k < time.size(); ++k) {
    BOOST_TEST(std::abs(x[k] - (1 - std::cos(time[k]))) < 1e-7);
    BOOST_TEST(u[k] == std::sin(time[k]));
    wrong += y[k] != -u[k];
  }
  BOOST_TEST(wrong == 0);
  // sin(t) > 0.5 becomes true at pi/6 and a turn later.
  BOOST_TEST(last(r, "n") == 2);
  std::vector<double> rises;
  for (const Event& e : r.events)
    if (!e.fired.empty()) rises.push_back(e.time);
  BOOST_REQUIRE(rises.size() == 2u);
  BOOST_TEST(std::abs(rises[0] - std::acos(-1.0)/6) < 1e-8);
  BOOST_TEST(std::abs(rises[1] - std::acos(-1.0)*13/6) < 1e-8);
}

BOOST_AUTO_TEST_CASE(errors_follow_the_tolerance) {
  // x, driven by sin(w*t), is known: three tolerances, three frequencies; and the instant at which it first comes to 0.4.
  const auto m = compiled("model M input Real u; Real x(start = 0, fixed = true); discrete Real at(start = -1, fixed = true); equation der(x) = u - x; when x > 0.4 then at = time; end when; end M;");
  for (const double w : {0.5, 1.0, 7.0})
    for (const double tolerance : {1e-4, 1e-6, 1e-9}) {
      const Result r = m->simulate({.stop = 20, .tolerance = tolerance, .inputs = {{.variable = "u", .function = [w](double t) { return std::sin(w*t); }}}});
      const auto exact = [w](double t) { return (std::sin(w*t) - w*std::cos(w*t) + w*std::exp(-t))/(1 + w*w); };
      const std::vector<double> time = r.column("time"), x = r.column("x");
      double worst = 0;
      for (std::size_t k = 0; k < time.size(); ++k) worst = std::max(worst, std::abs(x[k] - exact(time[k])));
      BOOST_TEST(worst < 10*tolerance, "w = " << w << ", tolerance " << tolerance << ": " << worst);
      if (const double at = last(r, "at"); at >= 0) BOOST_TEST(std::abs(exact(at) - 0.4) < 10*tolerance);
    }
}

BOOST_AUTO_TEST_CASE(straight_lines) {
  // Up to 1 at 1 s, down to 0 at 2 s, and 0 from there on: x is 1/2, then 1.
  const auto m = compiled(integrates);
  const Result r = m->simulate({.stop = 3, .tolerance = 1e-8, .inputs = {{.variable = "u", .times = {0, 1, 2}, .values = {0, 1, 0}}}});
  const std::vector<double> time = r.column("time"), x = r.column("x"), u = r.column("u");
  for (std::size_t k = 0; k < time.size(); ++k) {
    const double t = time[k], wanted = t < 1 ? t*t/2 : t < 2 ? 1 - (2 - t)*(2 - t)/2 : 1;
    BOOST_TEST(std::abs(x[k] - wanted) < 1e-9);
    BOOST_TEST(std::abs(u[k] - (t < 1 ? t : t < 2 ? 2 - t : 0)) < 1e-15);
  }
  const auto events = times_of(r);   // u > 0.5, there and back; bends are none
  BOOST_REQUIRE(events.size() == 2u);
  BOOST_TEST(std::abs(events[0] - 0.5) < 1e-9);
  BOOST_TEST(std::abs(events[1] - 1.5) < 1e-9);
}

BOOST_AUTO_TEST_CASE(what_holds_jumps_at_events) {
  const auto m = compiled(R"(model M
  input Real u;
  input Boolean b;
  input Integer i;
  Real x(start = 0, fixed = true), left(start = 0, fixed = true);
  Integer n(start = 0, fixed = true), ticks(start = 0, fixed = true);
equation
  der(x) = u;
  when b then n = pre(n) + 1; end when;
  when change(i) then left = pre(u); end when;
  when sample(1, 1) then ticks = pre(ticks) + i; end when;
end M;
)");
  const Result r = m->simulate({.stop = 4, .tolerance = 1e-8,
                                .inputs = {{.variable = "u", .times = {0, 1, 2, 2.5}, .values = {1, 3, 3, -1}, .holds = true},
                                           {.variable = "b", .times = {-1, 1, 2, 3}, .values = {1, 0, 1, 0}, .holds = true},
                                           {.variable = "i", .times = {0.5, 1, 3.5}, .values = {5, 7, 9}, .holds = true}}});
  // u: 1 to 1 s, 3 to 2.5 s, then -1; by hand.
  BOOST_TEST(std::abs(last(r, "x") - (1 + 4.5 - 1.5)) < 1e-8);
  BOOST_TEST(last(r, "n") == 1);         // true at the start, and again from 2 s on
  BOOST_TEST(last(r, "left") == -1);     // before 3.5 s
  BOOST_TEST(last(r, "ticks") == 7 + 7 + 7 + 9);   // at 1 s the new value counts already; at 4 s, too
  const auto events = times_of(r);
  const std::vector<double> wanted{1, 2, 2.5, 3, 3.5, 4};
  BOOST_TEST(events == wanted, boost::test_tools::per_element());
  const std::vector<double> u = r.column("u"), time = r.column("time");
  for (std::size_t k = 1; k < time.size(); ++k)
    if (time[k] == 1 && time[k - 1] == 1) BOOST_TEST((u[k - 1] == 1 && u[k] == 3));
}

BOOST_AUTO_TEST_CASE(two_values_at_one_time) {
  const auto m = compiled(integrates);
  const Result r = m->simulate({.stop = 2, .tolerance = 1e-8, .inputs = {{.variable = "u", .times = {0, 0, 1, 1, 1, 2}, .values = {9, 0, 1, 5, 0, -1}}}});
  BOOST_TEST(std::abs(last(r, "x")) < 1e-9);   // 1/2 - 1/2
  BOOST_TEST(r.column("u").front() == 0);
  BOOST_TEST(last(r, "n") == 1);
}

BOOST_AUTO_TEST_CASE(many_bends) {
  // Polygons under cos(t): their integrals are known exactly.
  const auto m = compiled(integrates);
  for (const int n : {10, 100, 1000})
    for (const double tolerance : {1e-4, 1e-6, 1e-9}) {
      Input u{.variable = "u"};
      double integral = 0;
      for (int k = 0; k <= n; ++k) {
        u.times.push_back(10.0*k/n);
        u.values.push_back(std::cos(10.0*k/n));
        if (k > 0) integral += 5.0/n*(u.values[static_cast<std::size_t>(k)] + u.values[static_cast<std::size_t>(k) - 1]);
      }
      const Result r = m->simulate({.stop = 10, .tolerance = tolerance, .inputs = {u}});
      BOOST_TEST(std::abs(last(r, "x") - integral) < 10*tolerance);
      BOOST_TEST(times_of(r).size() == 3u);   // cos(t) is above 0.5 at the start
    }
}

BOOST_AUTO_TEST_CASE(functions_that_fail_end_the_run) {
  const auto m = compiled(integrates);
  const auto said = [&](std::function<double(double)> f) {
    const Result r = m->simulate({.inputs = {{.variable = "u", .function = std::move(f)}}});
    BOOST_CHECK(r.ending == Ending::failed);
    return r.diagnostics.empty() ? "" : r.diagnostics.back().text;
  };
  BOOST_TEST(said([](double t) { return t < 0.5 ? 1 : std::numeric_limits<double>::quiet_NaN(); }).find("the function of the input u gives nan") != std::string::npos);
  BOOST_TEST(said([](double t) -> double { if (t > 0.5) throw std::runtime_error("out of paper"); return t; }).find("out of paper") != std::string::npos);
  BOOST_TEST(said([](double) -> double { throw 1; }).find("the function of the input u fails at time = 0") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(left_limits) {
  const auto m = compiled(R"(model M
  input Real u;
  input Boolean b;
  input Integer i;
  Integer rises(start = 0, fixed = true), falls(start = 0, fixed = true), changes(start = 0, fixed = true);
  discrete Real before(start = 0, fixed = true);
equation
  when edge(b) then rises = pre(rises) + 1; before = pre(u); end when;
  when b == false and pre(b) then falls = pre(falls) + 1; end when;
  when change(i) then changes = pre(changes) + 1; end when;
end M;
)");
  Run r = m->start({.stop = 10});
  const auto state = [&] { return std::vector<double>{r.get("rises"), r.get("falls"), r.get("changes"), r.get("before")}; };
  const auto is = [&](std::vector<double> wanted) { BOOST_TEST(state() == wanted, boost::test_tools::per_element()); };
  is({0, 0, 0, 0});
  r.set("b", 1);
  is({1, 0, 0, 0});
  r.set("u", 3);
  is({1, 0, 0, 0});
  r.advance_to(1);
  r.set("b", 0);
  is({1, 1, 0, 0});
  const std::vector<std::pair<std::string, double>> at_once{{"b", 1}, {"u", 4}, {"i", 2}};
  r.set(at_once);
  is({2, 1, 1, 3});
  r.set("i", 2);
  is({2, 1, 1, 3});
}

BOOST_AUTO_TEST_CASE(derivatives_of_inputs) {
  // y = u is differentiated: what follows a function is refused there, what holds is not.
  for (const char* text : {"model M input Real u; Real x(start = 0); Real f; equation x = u; der(x) = f; end M;", "model M input Real u; Real f = der(u); end M;"}) {
    const auto m = compiled(text);
    BOOST_CHECK_THROW((void)m->start({.inputs = {{.variable = "u", .function = [](double t) { return t; }}}}), std::invalid_argument);
    BOOST_CHECK_THROW((void)m->start({.inputs = {{.variable = "u", .times = {0, 1}, .values = {0, 1}}}}), std::invalid_argument);
    const Result r = m->simulate({.inputs = {{.variable = "u", .times = {0, 0.5}, .values = {0, 1}, .holds = true}}});
    BOOST_CHECK(r.ending == Ending::stop_time);
    BOOST_TEST(last(r, "f") == 0);
  }
}

BOOST_AUTO_TEST_CASE(what_is_no_input_is_refused) {
  const auto m = compiled("model M input Real u; input Boolean b; Real x = u; Boolean c = b; end M;");
  const auto refused = [&](Input input) { BOOST_CHECK_THROW((void)m->start({.inputs = {std::move(input)}}), std::invalid_argument); };
  const auto f = [](double t) { return t; };
  refused({.variable = "nothing", .function = f});
  refused({.variable = "x", .function = f});
  refused({.variable = "b", .function = f});
  refused({.variable = "b", .times = {0, 1}, .values = {0, 1}});
  refused({.variable = "b", .times = {0, 1}, .values = {0, 2}, .holds = true});
  refused({.variable = "u"});
  refused({.variable = "u", .function = f, .times = {0}, .values = {0}});
  refused({.variable = "u", .times = {0, 1}, .values = {0}});
  refused({.variable = "u", .times = {1, 0}, .values = {0, 1}});
  refused({.variable = "u", .times = {0, std::nan("")}, .values = {0, 1}});
  refused({.variable = "u", .times = {0, 1}, .values = {0, INFINITY}});
  BOOST_CHECK_THROW((void)m->start({.inputs = {{.variable = "u", .function = f}, {.variable = "u", .function = f}}}), std::invalid_argument);
  Run r = m->start({.inputs = {{.variable = "u", .function = f}}});
  BOOST_CHECK_THROW((void)r.set("u", 1), std::invalid_argument);
  BOOST_TEST(r.set("b", 1));
}

BOOST_AUTO_TEST_SUITE_END()
