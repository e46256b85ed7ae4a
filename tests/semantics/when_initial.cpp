// MLS 8.6: a when-clause is active at initialisation only in the forms `when initial()` and `when {..., initial(), ...}`; what
// comes to the same in another way is an ordinary condition, true at first and never becoming so.

#include <boost/test/unit_test.hpp>

#include "tests/semantics/support.hpp"

using namespace mosim::tests;

namespace {

const char* const declarations =
    "function id input Boolean b; output Boolean c; algorithm c := b; end id; Boolean b = initial(), v[2] = {initial(), time > 5}; ";

double fired_in_equation(const std::string& condition) {
  const Run r = run(std::string("model M ") + declarations + "Integer n(start = 0, fixed = true); equation when " + condition +
                    " then n = pre(n) + 1; end when; end M;", 0.1, 1e-6, 1);
  BOOST_TEST(r.ended(), condition + "\n" + r.diagnostics + r.message());
  return r.final("n");
}

double fired_in_algorithm(const std::string& condition) {
  const Run r = run(std::string("model M ") + declarations + "Integer n(start = 0, fixed = true); Boolean c; algorithm c := initial(); when " + condition +
                    " then n := pre(n) + 1; end when; end M;", 0.1, 1e-6, 1);
  BOOST_TEST(r.ended(), condition + "\n" + r.diagnostics + r.message());
  return r.final("n");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(when_initial)

BOOST_AUTO_TEST_CASE(initial_itself_enables_a_when_clause) {
  for (const char* c : {"initial()", "(initial())", "{initial()}", "{time > 5, initial()}", "{initial(), b}", "time > 5 then n = 7; elsewhen initial()"})
    BOOST_TEST(fired_in_equation(c) == 1, c);
  for (const char* c : {"initial()", "{time > 5, initial()}"}) BOOST_TEST(fired_in_algorithm(c) == 1, c);
}

BOOST_AUTO_TEST_CASE(what_comes_to_initial_in_another_way_does_not) {
  for (const char* c : {"id(initial())", "{id(initial()), time > 5}", "initial() and true", "not (not initial())", "if true then initial() else false",
                        "initial() or time > 5", "noEvent(initial())", "({false, initial()})[2]", "{initial() for i in 1:1}", "b", "v", "{b}"})
    BOOST_TEST(fired_in_equation(c) == 0, c);
  for (const char* c : {"c", "{c, time > 5}", "id(initial())", "id(c)"}) BOOST_TEST(fired_in_algorithm(c) == 0, c);
}

BOOST_AUTO_TEST_CASE(a_reinit_is_no_initial_equation_there) {
  const auto x = [](const std::string& condition) {
    const Run r = run(std::string("model M ") + declarations + "Real x(start = 3); equation der(x) = 0; when " + condition + " then reinit(x, 8); end when; end M;", 0.1, 1e-6, 1);
    BOOST_TEST(r.ended(), r.diagnostics);
    return r.initial("x");
  };
  BOOST_TEST(x("initial()") == 8);
  BOOST_TEST(x("id(initial())") == 3);
}

BOOST_AUTO_TEST_SUITE_END()
