// Which functions may call impure ones (MLS 12.3).

#include <boost/test/unit_test.hpp>

#include "tests/semantics/support.hpp"

using namespace mosim::tests;

namespace {

const std::string package =
    "package P impure function count input Real x; output Real y; algorithm y := 2*x; end count; "
    "function silent input Real x; output Real y; algorithm y := count(x); end silent; "
    "pure function wrapped input Real x; output Real y; algorithm y := pure(count(x)); end wrapped; "
    "pure function nested input Real x; output Real y; algorithm y := pure(count(count(x))); end nested; "
    "pure function liar input Real x; output Real y; algorithm y := count(x) + 1; end liar; "
    "pure function far input Real x; output Real y; algorithm y := silent(x); end far; end P; ";

std::string model(const std::string& call) { return package + "model M discrete Real y; equation when sample(0.5, 1) then y = P." + call + "; end when; end M;"; }

}  // namespace

BOOST_AUTO_TEST_SUITE(purity)

BOOST_AUTO_TEST_CASE(a_pure_function_calls_no_impure_one) {
  const std::string said = complaints(model("liar(time)"));
  BOOST_TEST(said.find("error: P.liar is declared pure and calls P.count, which is impure") != std::string::npos, said);
  BOOST_TEST(said.find("pure(P.count(...))") != std::string::npos, said);
}

BOOST_AUTO_TEST_CASE(nor_by_way_of_another_one) {
  const std::string said = complaints(model("far(time)"));
  BOOST_TEST(said.find("error: P.far is declared pure and calls what is impure") != std::string::npos, said);
}

BOOST_AUTO_TEST_CASE(unless_it_is_wrapped) {
  const Run r = run(model("wrapped(time)"));
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  BOOST_TEST(r.final("y") == 1);
  BOOST_TEST(r.diagnostics.find("impure") == std::string::npos, r.diagnostics);
  // The arguments of the wrapped call are not wrapped.
  const std::string said = complaints(model("nested(time)"));
  BOOST_TEST(said.find("error: P.nested is declared pure and calls P.count, which is impure") != std::string::npos, said);
}

BOOST_AUTO_TEST_CASE(a_function_that_says_nothing_is_impure_and_warned_of) {
  const Run r = run(model("silent(time)"));
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  BOOST_TEST(r.final("y") == 1);
  BOOST_TEST(r.diagnostics.find("warning: P.silent calls P.count, which is impure, so that it is impure itself") != std::string::npos, r.diagnostics);
}

BOOST_AUTO_TEST_SUITE_END()
