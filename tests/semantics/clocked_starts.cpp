// Clocked variables have their own start values before the first tick of their clock, though an equation of the partition makes two of them equal.

#include <boost/test/unit_test.hpp>

#include "tests/semantics/support.hpp"

using namespace mosim::tests;

BOOST_AUTO_TEST_SUITE(clocked_starts)

BOOST_AUTO_TEST_CASE(what_becomes_equal_at_a_tick_need_not_begin_equal) {
  // The clock ticks at 0.2, 0.3, ...
  const Run r = run("model M Real u, s, z(start = 0.5), minus(start = 2), h, g; equation u = sample(1 + time, Clock(1, 10)); s = shiftSample(u, 2); z = s; minus = -s; h = hold(z); g = hold(s); end M;", 0.35);
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  BOOST_TEST(r.at("s", 0.1) == 0);
  BOOST_TEST(r.at("z", 0.1) == 0.5);
  BOOST_TEST(r.at("minus", 0.1) == 2);
  BOOST_TEST(r.at("h", 0.1) == 0.5);
  BOOST_TEST(r.at("g", 0.1) == 0);
  for (const char* name : {"s", "z", "h", "g"}) BOOST_TEST(r.at(name, 0.31) == 1.3, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(r.at("minus", 0.31) == -1.3, boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(so_does_what_previous_looks_back_on) {
  // Each counts from its own start value.
  const Run r = run("model M Real a(start = 10), b(start = 20), pa, pb; equation a = sample(time, Clock(1, 4)); b = a; pa = previous(a); pb = previous(b); end M;", 0.3);
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  BOOST_TEST(r.at("pa", 0.1) == 10);
  BOOST_TEST(r.at("pb", 0.1) == 20);
  BOOST_TEST(r.at("pa", 0.26) == 0);
  BOOST_TEST(r.at("pb", 0.26) == 0);
  const Run default_start = run("model M Real a(start = 10), b, pa, pb; equation a = sample(time, Clock(1, 4)); b = a; pa = previous(a); pb = previous(b); end M;", 0.3);
  BOOST_TEST(default_start.at("pb", 0.1) == 0);
}

// edge(pre(b)): what is true from the start, and declared so, does not become true there (MLS 16.3).
BOOST_AUTO_TEST_CASE(event_clocks_of_conditions_with_start_values) {
  const auto count = [](const std::string& b, const std::string& clock) {
    const Run r = run("model M Boolean b" + b + "; Integer n(start = 0); Integer h = hold(n); equation when Clock(" + clock + ") then n = previous(n) + 1; end when; end M;");
    BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics << r.message());
    return r.final("h");
  };
  const std::string twice = " = time < 0.2 or time > 0.5";
  BOOST_TEST(count("(start = true)" + twice, "b") == 1);
  BOOST_TEST(count("(start = false)" + twice, "b") == 2);
  BOOST_TEST(count(twice, "b") == 2);
  BOOST_TEST(count("(start = true)" + twice, "not b") == 1);   // at 0.2
  BOOST_TEST(count("(start = true) = time > 0.2", "not b") == 1);   // at 0
  BOOST_TEST(count("(start = false) = time > 0.2", "not b") == 0);
}

BOOST_AUTO_TEST_SUITE_END()
