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

BOOST_AUTO_TEST_CASE(a_when_clause_at_the_start_gives_what_was_before) {
  const Run r = run("model M discrete Real d(start = 1), e(start = 1); Real x, y; initial equation d = 1; pre(e) = 1; x = pre(d); y = pre(e);"
                    "equation der(x) = 0; der(y) = 0; when {initial(), sample(0.5, 1)} then d = pre(d) + 0.25; e = pre(e) + 0.25; end when; end M;", 1);
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  BOOST_TEST(r.initial("d") == 1);
  BOOST_TEST(r.initial("x") == 0.75);
  BOOST_TEST(r.initial("e") == 1.25);
  BOOST_TEST(r.final("d") == 1.25);
}

// IBPSA's and Buildings' sources give their output at the start, and what it is connected to says what was before.
BOOST_AUTO_TEST_CASE(a_value_and_the_one_before_may_both_be_given) {
  const Run r = run("model M block P output Boolean y; initial algorithm y := time < 1; equation when time >= 0.5 then y = not pre(y); end when; end P;"
                    "block C input Boolean u(start = false, fixed = true); output Boolean y = change(u); Integer n(start = 0, fixed = true); equation when y then n = pre(n) + 1; end when; end C; P p; C c(u = p.y); end M;", 1);
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  BOOST_TEST(r.initial("p.y") == 1);
  BOOST_TEST(r.final("p.y") == 0);
  BOOST_TEST(r.diagnostics.find("are both given at the start: that nothing changes it there") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
