// What would go on for ever, or for as long as a number says: found by the fuzzer.

#include <boost/test/unit_test.hpp>

#include "tests/compiler/rules_support.hpp"

using namespace mosim;
using rules::Flattened;

BOOST_AUTO_TEST_SUITE(without_end)

// The circle goes through an element that is redeclared, or that has another name: no class extends the one that it names.
BOOST_AUTO_TEST_CASE(a_class_that_extends_itself_by_another_name) {
  for (const char* text :
       {"model A protected replaceable Real x = 1; end A; model M extends A; replaceable model A = M constrainedby A; redeclare Real x = 2; end M;",
        "model A model B end B; partial model A end A; end A; model B extends A; replaceable model A = B constrainedby B; model extends B end B; end B; model M B b; end M;",
        "model Tank extends Filled; Real level; equation level = time; end Tank; model Filled = Tank(level(start = 1)); model M Tank t; end M;"}) {
    Flattened f(text);
    BOOST_TEST(f.messages().find("extends itself") != std::string::npos, f.messages());
  }
}

BOOST_AUTO_TEST_CASE(a_power_of_a_matrix_takes_work_by_the_digits_of_its_exponent) {
  const auto size = [](const std::string& exponent) {
    Flattened f("model M Real s = time, A[2, 2], B[2, 2]; equation A = [s, 1; 0, s]; B = A^" + exponent + "; end M;");
    BOOST_REQUIRE_MESSAGE(f.model, f.messages());
    return f.model->expressions.size();
  };
  BOOST_TEST(size("2147483647") < 1500u);
  BOOST_TEST(size("1000") < size("1000000000"));
}

BOOST_AUTO_TEST_SUITE_END()
