// Rows and events that are handed on while the run goes on (E13) are those that a run keeps in memory; and a run that is asked to end
// ends there, with all of them.

#include <atomic>
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "runtime/machine.hpp"
#include "support.hpp"

using namespace mosim;
using namespace mosim::tests;

namespace {

/// Takes all rows, or so many.
struct Collector : runtime::Sink {
  std::vector<double> parameters, values, times;
  std::vector<std::uint64_t> jumps;
  std::size_t most = std::size_t(-1);
  std::size_t begun = 0;
  std::function<void(std::size_t)> after_row;
  void begin(const std::vector<double>& p) override {
    ++begun;
    parameters = p;
  }
  bool take(std::span<const double> row, std::uint64_t j) override {
    values.insert(values.end(), row.begin(), row.end());
    times.push_back(row[0]);
    jumps.push_back(j);
    if (after_row) after_row(times.size());
    return times.size() < most;
  }
};

runtime::Options options(double stop, std::uint32_t intervals) {
  runtime::Options o;
  o.stop = stop;
  o.intervals = intervals;
  o.record_events = true;
  return o;
}

const std::string oscillator = "model M Real x(start = 1, fixed = true), y(start = 0, fixed = true); equation der(x) = y; der(y) = -x; end M;";
const std::string ticks =
    "model M Integer n(start = 0, fixed = true); Real x(start = 0, fixed = true); equation der(x) = 1; "
    "when sample(0, 1e-4) then n = pre(n) + 1; end when; end M;";

struct Case {
  const char* what;
  std::string text;
  double stop;
};
const std::vector<Case> cases{
    {"continuous", oscillator, 5},
    {"ticks", ticks, 0.5},
    {"a ball that falls through the floor",
     "model M Real h(start = 1, fixed = true), v(start = 0, fixed = true); equation der(h) = v; der(v) = -9.81; "
     "when h < 0 then reinit(v, -0.8*pre(v)); end when; end M;", 5},
    {"chattering under a band, with ticks between",
     "model M Real x(start = 1, fixed = true); Integer n(start = 0, fixed = true); Real u; equation u = if x > 0 then -1 else 1; der(x) = u + 0.3*sin(7*time); "
     "when sample(0, 0.05) then n = pre(n) + 1; end when; end M;", 3},
    {"chattering whose reset keeps it from sliding",
     "model M Real v(start = -0.5, fixed = true); Boolean rel; Integer n(start = 0, fixed = true); equation der(v) = 1; rel = v > 0; "
     "when rel then reinit(v, -1e-6); n = pre(n) + 1; end when; end M;", 0.501},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(streaming)

BOOST_AUTO_TEST_CASE(rows_and_events_handed_on_are_those_kept) {
  for (const Case& c : cases) {
    const Run kept = run(c.text, c.stop, 1e-6, 200);
    BOOST_REQUIRE_MESSAGE(kept.ended(), c.what);
    const runtime::Trajectory& t = kept.result.trajectory;
    Collector rows;
    std::vector<runtime::EventRecord> events;
    runtime::Options o = options(c.stop, 200);
    o.sink = &rows;
    o.keep_event = [&](runtime::EventRecord&& e) { events.push_back(std::move(e)); };
    const runtime::Result r = runtime::simulate(kept.program, o);
    BOOST_TEST(rows.begun == 1u, c.what);
    BOOST_TEST(r.rows == t.rows(), c.what);
    BOOST_TEST(r.trajectory.rows() == 0u, c.what);
    BOOST_TEST((rows.values == t.values), c.what << ": " << rows.times.size() << " and " << t.rows());
    BOOST_TEST((rows.jumps == t.jumps), c.what);
    BOOST_TEST((rows.parameters == kept.result.parameters), c.what);
    BOOST_REQUIRE_MESSAGE(events.size() == kept.result.events.size(), c.what);
    BOOST_TEST(r.events.empty(), c.what);
    for (std::size_t k = 0; k < events.size(); ++k) {
      const runtime::EventRecord &a = events[k], &b = kept.result.events[k];
      BOOST_TEST((a.number == b.number && a.time == b.time && a.kind == b.kind && a.rounds == b.rounds && a.flips.size() == b.flips.size() &&
                  a.changes.size() == b.changes.size() && a.resets.size() == b.resets.size()), c.what << " " << k);
    }
  }
}

BOOST_AUTO_TEST_CASE(rows_come_while_the_run_goes_on) {
  for (const Case& c : cases) {
    const Run kept = run(c.text, c.stop, 1e-6, 200);
    const runtime::Trajectory& t = kept.result.trajectory;
    Collector rows;
    runtime::Options o = options(c.stop, 200);
    o.sink = &rows;
    const double interval = c.stop / 200;
    std::size_t before = 0, looks = 0, late = 0;
    o.progress = [&](double time) {
      while (before < t.rows() && t.values[before * t.width()] < time - interval) ++before;
      ++looks;
      // While the motion chatters, an output interval's rows may still be thinned.
      late = std::max(late, before - std::min(before, rows.times.size()));
    };
    (void)runtime::simulate(kept.program, o);
    BOOST_TEST(looks > 10u, c.what);
    BOOST_TEST(late <= 3u, c.what);
  }
}

BOOST_AUTO_TEST_CASE(columns_are_chosen) {
  const Run kept = run(oscillator, 1, 1e-6, 10);
  Collector rows;
  runtime::Options o = options(1, 10);
  o.sink = &rows;
  const runtime::Index y = kept.result.trajectory.columns[1];
  o.recorded = std::vector<runtime::Index>{y};
  BOOST_TEST(kept.program.variables[y].name == "y");
  (void)runtime::simulate(kept.program, o);
  BOOST_REQUIRE(rows.values.size() == 22u);
  for (std::size_t k = 0; k <= 10; ++k) BOOST_TEST(rows.values[2 * k + 1] == kept.at("y", rows.times[k]));
  o.recorded->clear();
  rows = {};
  const runtime::Result none = runtime::simulate(kept.program, o);
  BOOST_TEST(none.rows == 11u);
  BOOST_TEST(rows.values.size() == 11u);
}

BOOST_AUTO_TEST_CASE(a_run_that_is_asked_to_end_has_its_rows_and_events) {
  for (const Case& c : cases) {
    const Run kept = run(c.text, c.stop, 1e-6, 200);
    const runtime::Trajectory& t = kept.result.trajectory;
    Collector rows;
    runtime::Options o = options(c.stop, 200);
    o.sink = &rows;
    std::atomic<bool> stop = false;
    o.interrupt = &stop;
    o.progress = [&](double time) { stop = time >= 0.4 * c.stop; };
    const runtime::Result r = runtime::simulate(kept.program, o);
    BOOST_TEST((r.ending == runtime::Ending::interrupted), c.what);
    BOOST_TEST(r.messages.empty(), c.what);
    BOOST_TEST(r.time >= 0.4 * c.stop, c.what);
    BOOST_TEST(r.time < 0.6 * c.stop, c.what);
    BOOST_REQUIRE_MESSAGE(!rows.times.empty(), c.what);
    BOOST_TEST(rows.times.back() == r.time, c.what);
    // The rows are those of the whole run, but for the last one and for what chattering just then would have thinned later.
    std::size_t whole = 0;
    while (rows.times[whole / t.width()] < r.time - c.stop / 200) whole += t.width();
    BOOST_TEST(whole > 0.3 * 200 * double(t.width()), c.what);
    BOOST_TEST(std::equal(rows.values.begin(), rows.values.begin() + std::ptrdiff_t(whole), t.values.begin()), c.what);
    BOOST_TEST(!r.events.empty());
    for (const runtime::EventRecord& e : r.events) BOOST_TEST(e.time <= r.time, c.what);
  }
}

BOOST_AUTO_TEST_CASE(the_last_row_is_consistent) {
  const Run kept = run("model M Real x(start = 1, fixed = true), y; equation der(x) = -x; y = 3*x; end M;");
  Collector rows;
  runtime::Options o = options(1000, 1);
  o.sink = &rows;
  std::atomic<bool> stop = false;
  o.interrupt = &stop;
  o.progress = [&](double time) { stop = time > 0.5; };
  const runtime::Result r = runtime::simulate(kept.program, o);
  BOOST_REQUIRE(rows.values.size() == 2 * 4u);   // the start, and where it ended
  BOOST_TEST(r.time > 0.5);
  const double* const last = rows.values.data() + 4;
  BOOST_TEST(last[0] == r.time);
  BOOST_TEST(std::abs(last[1] - std::exp(-last[0])) < 1e-5);
  BOOST_TEST(std::abs(last[2] - 3 * last[1]) < 1e-12);
  BOOST_TEST(std::abs(last[3] + last[1]) < 1e-12);
}

BOOST_AUTO_TEST_CASE(it_ends_wherever_it_is) {
  const Run kept = run(oscillator);
  std::atomic<bool> stop = true;
  runtime::Options o = options(1, 1000);
  Collector rows;
  o.sink = &rows;
  o.interrupt = &stop;
  // In initialisation, with no row.
  runtime::Result r = runtime::simulate(kept.program, o);
  BOOST_TEST((r.ending == runtime::Ending::interrupted));
  BOOST_TEST(r.messages.empty());
  BOOST_TEST(r.rows == 0u);
  BOOST_TEST(r.time == 0);
  // Between the output rows of a single step: a hundred thousand of them.
  const Run still = run("model M Real x; equation x = 2*time; end M;");
  o.intervals = 100'000;
  stop = false;
  rows.after_row = [&](std::size_t row) { stop = row >= 100; };
  r = runtime::simulate(still.program, o);
  BOOST_TEST((r.ending == runtime::Ending::interrupted));
  BOOST_TEST(r.rows < 110u);
  BOOST_TEST(rows.times.size() == r.rows);
  BOOST_TEST(rows.times.back() == r.time);
}

BOOST_AUTO_TEST_CASE(an_event_that_it_is_asked_to_end_in_has_not_happened) {
  const Run kept = run(ticks, 0.01);
  std::atomic<bool> stop = false;
  runtime::Options o = options(1, 10);
  o.interrupt = &stop;
  // At the left limits of the tick at 0.0005.
  o.witness = [&](const runtime::Machine& m, runtime::Options::Moment) { stop = m.memory[runtime::slot_time] > 4.5e-4; };
  const runtime::Result r = runtime::simulate(kept.program, o);
  BOOST_TEST((r.ending == runtime::Ending::interrupted));
  BOOST_REQUIRE(!r.events.empty());
  BOOST_TEST(!r.events.back().failed);
  BOOST_TEST(std::abs(r.events.back().time - 4e-4) < 1e-12);
  BOOST_TEST(std::abs(r.time - 5e-4) < 1e-12);
  BOOST_TEST(r.statistics.time_events == r.events.size() - 1);   // the start is no time event
}

BOOST_AUTO_TEST_CASE(a_sink_that_wants_no_more_ends_the_run) {
  const Run kept = run(ticks, 0.01);
  Collector rows;
  rows.most = 10;
  runtime::Options o = options(1e6, 500);
  o.sink = &rows;
  const runtime::Result r = runtime::simulate(kept.program, o);
  BOOST_TEST((r.ending == runtime::Ending::interrupted));
  BOOST_TEST(r.time < 1);
  BOOST_TEST(r.messages.empty());
  BOOST_TEST(rows.times.size() <= 12u);
}

BOOST_AUTO_TEST_SUITE_END()
