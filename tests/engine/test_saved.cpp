// Runs that are saved, restored and carried on: the same to the last bit as those that are not.

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstring>
#include <random>

#include "tests/engine/compiled.hpp"

using namespace mosim;
using namespace mosim::tests;

namespace {

// A ball that is thrown, clocks and samples, a delay, a nonlinear loop, and inputs of both kinds.
const char* const lively = R"(model M
  input Real u(start = 1), w;
  parameter Real e = 0.8;
  Real h(start = 1, fixed = true), v(start = 0, fixed = true), y(start = 1), past = delay(h, 0.1);
  Integer n(start = 0, fixed = true), ticks(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81 + 0.01*u + 0.01*w;
  y^3 + y = 2 + h + sin(time);
  when h < 0 then reinit(v, -e*pre(v)); n = pre(n) + 1; end when;
  when sample(0.05, 0.13) then ticks = pre(ticks) + 1; end when;
end M;
)";

bool same(const std::vector<double>& one, const std::vector<double>& two) {
  return one.size() == two.size() && (one.empty() || std::memcmp(one.data(), two.data(), one.size()*sizeof(double)) == 0);
}

// At so many instants, by each solver.
void check_saved(Solver solver, int trials) {
  const auto m = compiled(lively);
  const Options options{.stop = 2, .tolerance = 1e-7, .set = {{"e", 0.75}}, .inputs = {{.variable = "w", .times = {0, 0.5, 0.5, 2}, .values = {0, 1, 3, 0}}}, .solver = solver};
  const auto act = [](Run& r, int k) {   // what a caller does at k/10 s
    r.advance_to(0.1*k);
    if (k % 3 == 0) r.set("u", 1 + k);
    if (k % 4 == 0) (void)r.get("y");
  };
  const auto finished = [&](Run& r, int from) {
    for (int k = from; k <= 20; ++k) act(r, k);
    while (r.goes_on()) r.advance_to(10);
    return r.finish();
  };
  Run through = m->start(options);
  const Result whole = finished(through, 1);
  BOOST_REQUIRE(whole.events.size() > 20u);
  std::mt19937 random(1);
  for (int trial = 0; trial < trials; ++trial) {
    const int until = std::uniform_int_distribution<int>(0, 20)(random), steps = std::uniform_int_distribution<int>(0, 5)(random);
    Run r = m->start(options);
    for (int k = 1; k <= until; ++k) act(r, k);
    // Steps up to the next of the caller's instants are the same as those on the way to it.
    for (int k = 0; k < steps && r.time() < 0.1*(until + 1); ++k) r.step(0.1*(until + 1));
    const std::string bytes = r.save();
    const double time = r.time();
    Run again = m->restore(bytes);
    BOOST_TEST(again.time() == time);
    BOOST_TEST(again.save() == bytes);
    const Result rest = finished(again, until + 1);
    BOOST_TEST(same(rest.rows, whole.rows));
    BOOST_REQUIRE(rest.events.size() == whole.events.size());
    for (std::size_t k = 0; k < rest.events.size(); ++k) BOOST_TEST(rest.events[k].time == whole.events[k].time);
    BOOST_TEST(rest.statistics.steps == whole.statistics.steps);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(saved)

BOOST_AUTO_TEST_CASE(at_a_hundred_instants) {
  check_saved(Solver::bdf, 100);
  for (const Solver other : {Solver::adams, Solver::esdirk, Solver::erk, Solver::automatic}) BOOST_TEST_CONTEXT(name_of(other)) check_saved(other, 10);
}

BOOST_AUTO_TEST_CASE(callbacks_go_on_where_they_were) {
  const auto m = compiled(lively);
  std::vector<double> rows, instants;
  Options options{.stop = 1, .inputs = {{.variable = "w", .function = [](double t) { return std::cos(t); }}}};
  options.on_row = [&](std::span<const double> row) { rows.insert(rows.end(), row.begin(), row.end()); return true; };
  options.on_event = [&](Event&& e) { instants.push_back(e.time); };
  const Result whole = m->simulate(options);
  const std::vector<double> all_rows = std::exchange(rows, {}), all_instants = std::exchange(instants, {});
  BOOST_REQUIRE(all_instants.size() > 5u);
  Run r = m->start(options);
  while (r.time() < 0.6) r.step(std::numeric_limits<double>::infinity());
  const std::string bytes = r.save();
  BOOST_TEST(!rows.empty());
  BOOST_TEST(rows.size() < all_rows.size());
  Run again = m->restore(bytes, options);   // the rows so far are not given again
  while (again.goes_on()) again.step(std::numeric_limits<double>::infinity());
  BOOST_TEST(again.finish().row_count == whole.row_count);
  BOOST_TEST(same(rows, all_rows));
  BOOST_TEST(instants == all_instants, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_is_no_saved_run_is_refused) {
  const auto m = compiled(lively);
  Run r = m->start({.inputs = {{.variable = "w", .function = [](double t) { return t; }}}});
  r.advance_to(0.3);
  const std::string bytes = r.save();
  BOOST_CHECK_THROW((void)m->restore(""), std::invalid_argument);
  BOOST_CHECK_THROW((void)m->restore("mosim"), std::invalid_argument);
  BOOST_CHECK_THROW((void)m->restore(bytes), std::invalid_argument);   // the function is missing
  BOOST_CHECK_THROW((void)compiled("model M Real x = time; end M;")->restore(bytes), std::invalid_argument);
  const Options given{.inputs = {{.variable = "w", .function = [](double t) { return t; }}}};
  BOOST_CHECK_NO_THROW((void)m->restore(bytes, given));
  // Cut off, or with a byte changed: refused, or another run; never more than that.
  for (std::size_t k = 0; k < bytes.size(); k += 3) {
    BOOST_CHECK_THROW((void)m->restore(bytes.substr(0, k), given), std::invalid_argument);
    std::string damaged = bytes;
    damaged[k] = static_cast<char>(damaged[k] ^ 0x41);
    try {
      (void)m->restore(damaged, given);
    } catch (const std::invalid_argument&) {
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
