// Records that a library's function returns with elements that have no value on the way taken: nobody asks for them, and a run does not end
// for their sake (MLS 12.4.4 has outputs without a value an error of the tool's choice).

#include <boost/test/unit_test.hpp>

#include "tests/semantics/support.hpp"

using namespace mosim::tests;

namespace {

const std::string library =
    "package L record P Real t; Real cv; Integer n; Boolean b; String s; end P; "
    "function f input Real x; output P p; algorithm if x < 1 then p.t := x; else p.t := 2*x; p.cv := 3*x; end if; end f; "
    "function t input P p; output Real t; algorithm t := p.t; end t; "
    "constant P known = f(0.5); end L;";

}  // namespace

BOOST_AUTO_TEST_SUITE(incomplete_records)

BOOST_AUTO_TEST_CASE(of_known_arguments) {
  for (const char* y : {"L.t(L.f(0.5))", "L.known.t", "L.t(L.known)"}) {
    const Run r = run("model M Real y = " + std::string(y) + "; end M;", 1, 1e-6, 4, library);
    BOOST_REQUIRE_MESSAGE(r.ended(), y << "\n" << r.diagnostics << r.message());
    BOOST_TEST(r.final("y") == 0.5, y);
  }
}

BOOST_AUTO_TEST_CASE(of_what_the_run_alone_knows) {
  const Run r = run("model M Real y = L.t(L.f(time)); end M;", 2, 1e-6, 4, library);
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics << r.message());
  BOOST_TEST(r.at("y", 0.5) == 0.5);
  BOOST_TEST(r.final("y") == 4);
}

BOOST_AUTO_TEST_CASE(the_users_own_are_held_to_it) {
  const std::string own = "record P Real t; Real cv; end P; function f input Real x; output P p; algorithm p.t := x; end f; ";
  BOOST_TEST(complaints(own + "model M P p = f(0.5); end M;").find("is not always assigned") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
