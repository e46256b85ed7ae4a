// Relations that change faster than a run is looked at: what is missing is told of, and what a step resolves is not.

#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "tests/engine/compiled.hpp"

using namespace mosim;
using namespace mosim::tests;

namespace {

Diagnostics said(const std::string& text, double stop) {
  const auto model = compiled(text);
  const Result r = model->simulate({.stop = stop});
  BOOST_TEST((r.ending == Ending::stop_time));
  return r.diagnostics;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(missed_events)

BOOST_AUTO_TEST_CASE(a_wave_that_is_too_fast) {
  const std::string wave = "model M\n  Real s = sin(20000*time);\n  Boolean off = s < 0;\n  Boolean on = s > 0.5;\nend M;\n";
  const Diagnostics d = said(wave, 1);
  // Once for each relation, however many rows show it.
  BOOST_REQUIRE(d.size() == 2u);
  for (std::size_t k = 0; k < 2; ++k) {
    BOOST_TEST((d[k].severity == Severity::warning));
    BOOST_TEST(d[k].cause.find("changes more often than this run can see") != std::string::npos, d[k].cause);
  }
  BOOST_TEST(std::count_if(d.begin(), d.end(), [](const Diagnostic& x) { return x.place.line == 3; }) == 1);
  BOOST_TEST(std::count_if(d.begin(), d.end(), [](const Diagnostic& x) { return x.place.line == 4; }) == 1);
  // A shorter run of the same model sees all: 2 and 4 changes in each of 31.8 periods.
  BOOST_TEST(said(wave, 0.01).empty());
}

BOOST_AUTO_TEST_CASE(what_is_no_event_is_not_missed) {
  BOOST_TEST(said("model M Real x(start = 1, fixed = true), y; Boolean b = x < 0.5; equation der(x) = -x; y = noEvent(if sin(20000*time) < 0 then 1 else 0); end M;", 2).empty());
  // With a hysteresis of its own size a relation may lag behind its sides; and one that slides stands between them.
  BOOST_TEST(said("model M Real x(start = 1, fixed = true); equation der(x) = if x > 0 then -1 else 1; end M;", 2).empty());
}

BOOST_AUTO_TEST_CASE(no_name_of_the_compiler_in_a_message) {
  const auto model = compiled("model M block S Integer n; equation n = ticksInState(); end S; S a; equation initialState(a); "
                              "transition(a, a, ticksInState() >= 1e308*9007199254740992, immediate = false, reset = false); end M;");
  const Result r = model->simulate({.stop = 1});
  BOOST_REQUIRE(!r.diagnostics.empty());
  BOOST_TEST((r.diagnostics.back().severity == Severity::error));
  BOOST_TEST(r.diagnostics.back().text.find('$') == std::string::npos, r.diagnostics.back().text);
}

BOOST_AUTO_TEST_SUITE_END()
