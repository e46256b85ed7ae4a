// Strings that change at events (MLS 3.8.5: they are discrete-time), and texts made of values.

#include <boost/test/unit_test.hpp>

#include "support.hpp"

using namespace mosim::tests;

namespace {

bool says(const Run& r, const std::string& text) { return r.message().find(text) != std::string::npos; }

}  // namespace

BOOST_AUTO_TEST_SUITE(strings)

BOOST_AUTO_TEST_CASE(they_keep_their_value_between_events) {
  const Run r = run(
      "model M String s(start = \"a\", fixed = true); Integer n(start = 0, fixed = true); "
      "equation when sample(0.1, 0.1) then s = pre(s) + \"b\"; n = if s == \"abbb\" then 7 else pre(n); end when; "
      "assert(time < 0.55, \"<\" + s + \">\"); end M;");
  BOOST_TEST(r.at("n", 0.25) == 0);
  BOOST_TEST(r.at("n", 0.35) == 7);
  BOOST_TEST(says(r, "<abbbbb>"), r.message());
}

BOOST_AUTO_TEST_CASE(they_follow_conditions_and_their_changes_are_events) {
  const Run r = run(
      "model M Boolean b = time > 0.5; String s = if b then \"on\" else \"off\"; Integer n(start = 0, fixed = true); "
      "equation when change(s) then n = pre(n) + 1; end when; end M;");
  BOOST_REQUIRE(r.ended());
  BOOST_TEST(r.at("n", 0.4) == 0);
  BOOST_TEST(r.final("n") == 1);
}

BOOST_AUTO_TEST_CASE(parameters_are_compared_and_joined) {
  const Run r = run(
      "model M parameter String s = \"ab\", t = s + \"c\"; Real y = if t == \"abc\" then 1 else 0; "
      "Real z = if t < \"abd\" and t <= \"abc\" and t > \"abb\" and t >= \"abc\" then 1 else 0; "
      "equation assert(time < 0.5, t + String(3, minimumLength = 3, leftJustified = false)); end M;");
  BOOST_TEST(r.initial("y") == 1);
  BOOST_TEST(r.initial("z") == 1);
  BOOST_TEST(says(r, "abc  3"), r.message());
}

BOOST_AUTO_TEST_CASE(what_constants_are_converted_to_is_known_before_the_run) {
  const Run r = run(
      "package P type E = enumeration(one, two); constant Real x = 0.25; constant E e = E.two; "
      "constant String names[:] = {\"Gas \" + String(x) + \", \" + String(e) + String(true) + String(7, minimumLength = 3) + \"|\", String(1/3, format = \".2f\")}; "
      "end P; model M Real y[size(P.names, 1)] = {k*time for k in 1:size(P.names, 1)}; "
      "parameter Integer n = if P.names[1] == \"Gas 0.25, twotrue7  |\" and P.names[2] == \"0.33\" then 3 else 1; Real z[n] = fill(time, n); end M;");
  BOOST_REQUIRE(r.ended());
  BOOST_TEST(r.final("y[2]") == 2);
  BOOST_TEST(r.final("z[3]") == 1);
}

BOOST_AUTO_TEST_CASE(they_have_an_initial_value_and_clocks) {
  const Run r = run(
      "model M String s; initial equation pre(s) = \"abc\"; equation when time > 0.5 then s = pre(s) + String(time, format = \".1f\"); end when; "
      "assert(time < 0.7, s); end M;");
  BOOST_TEST(says(r, "abc0.5"), r.message());
  const Run clocked = run(
      "model M String s(start = \"a\"), h; Real y; equation when Clock(0.25) then s = previous(s) + \"b\"; end when; h = hold(s); "
      "y = if h == \"abb\" then 1 else 0; end M;");
  BOOST_TEST(clocked.at("y", 0.1) == 0);
  BOOST_TEST(clocked.at("y", 0.3) == 1);
  BOOST_TEST(clocked.at("y", 0.6) == 0);
}

BOOST_AUTO_TEST_CASE(their_values_stand_in_messages) {
  const Run r = run("model M String s = if time > 0.5 then \"down\" else \"up\"; Real x = sqrt(if s == \"up\" then 1 else -1); end M;");
  BOOST_TEST(!r.ended());
  BOOST_TEST(says(r, "s = \"down\""), r.message());
}

BOOST_AUTO_TEST_CASE(they_do_not_vary_between_events) {
  BOOST_TEST(complaints("model M String s = String(time); end M;").find("s is String and changes at events alone") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(formats_are_those_of_the_language) {
  for (const std::string good : {"d", "5d", "-5i", "05d", "o", "x", "X", "u", "c", ".3f", "+8.2E", "g"})
    BOOST_TEST(complaints("model M parameter String s = String(65, format = \"" + good + "\"); end M;").find("error") == std::string::npos, good);
  for (const std::string bad : {"", "s", "n", "*d", "lld", "%d", "5", "99999d", "p"})
    BOOST_TEST(complaints("model M parameter String s = String(65, format = \"" + bad + "\"); end M;").find("is no format of an Integer") != std::string::npos, bad);
  BOOST_TEST(complaints("model M parameter String s = String(1.5, significantDigits = 0); end M;").find("significantDigits must lie in 1:1000") != std::string::npos);
  BOOST_TEST(complaints("model M parameter String s = String(1, minimumLength = 2000000000); end M;").find("minimumLength must lie in 0:1000") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
