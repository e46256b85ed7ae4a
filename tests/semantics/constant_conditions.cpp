// Conditions that equations make constant: the branch that they take is the equation, at every stage.

#include <boost/test/unit_test.hpp>

#include <cmath>

#include "tests/semantics/support.hpp"

using namespace mosim::tests;

BOOST_AUTO_TEST_SUITE(constant_conditions)

// The vessel's pressure is that of the wall, which is given: a constraint, so that its flow follows from the derivative. The level and
// the height of the port are variables, as in Modelica.Fluid: level = 0, height = 0, and open := level >= height.
BOOST_AUTO_TEST_CASE(a_constraint_in_the_branch_that_is_always_taken) {
  const Run r = run("model M Real p, q, level, height, inner_height, s; Boolean open, into; equation der(p) = q; inner_height = 0; height = inner_height; level = 0; "
                    "open = level >= height; into = not open and (s > 0 or height >= 1); "
                    "if open then p = 1 + sin(time); s = level - height; elseif into then p = 0; s = q; else q = 0; s = p; end if; end M;", 2);
  BOOST_TEST(r.ended());
  BOOST_TEST(r.program.states.size() == 0u);
  for (const double t : {0.0, 0.5, 1.0, 2.0}) {
    BOOST_TEST(std::abs(r.at("p", t) - (1 + std::sin(t))) < 1e-9);
    BOOST_TEST(std::abs(r.at("q", t) - std::cos(t)) < 1e-9);
  }
}

// The same with a level that moves: the branches change, and nothing is a constraint.
BOOST_AUTO_TEST_CASE(a_condition_that_changes_is_none) {
  const Run r = run("model M Real x(start = 0, fixed = true), level, height; Boolean open; equation height = 0.5; level = time; open = level >= height; "
                    "if open then der(x) = 1; else der(x) = 0; end if; end M;", 2);
  BOOST_TEST(r.ended());
  BOOST_TEST(std::abs(r.final("x") - 1.5) < 1e-6);
}

BOOST_AUTO_TEST_CASE(a_chain_of_names_and_sums) {
  const Run r = run("model M parameter Integer n = 3; Integer i, k; Real x, y, z; equation i = n - 1; k = 2*i; y = k + 1; der(x) = z; "
                    "if y > 4.5 then x = 2*time; else z = 1; end if; end M;", 1);
  BOOST_TEST(r.ended());
  BOOST_TEST(std::abs(r.final("z") - 2) < 1e-9);
  BOOST_TEST(r.final("y") == 5);
}

BOOST_AUTO_TEST_SUITE_END()
