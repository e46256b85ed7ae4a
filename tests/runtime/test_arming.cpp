// An unarmed relation that is located at the edge of its band (E4) arms on the side that its value says, and flips on the other one,
// also where rounding of an iterated value puts it a little inside of the band.

#include <boost/test/unit_test.hpp>

#include "runtime/hysteresis.hpp"

using namespace mosim::runtime;

BOOST_AUTO_TEST_SUITE(arming)

BOOST_AUTO_TEST_CASE(the_side_decides) {
  const double epsilon = 1e-10;
  for (const double part : {0.999, 1.0, 1.001}) {
    for (const bool value : {true, false}) {
      const RelationState state{value, false, false, false, false, epsilon};
      const double here = (value ? -1 : 1) * part * epsilon;   // left - right, for left <= right
      BOOST_TEST(arms(Comparison::less_equal, state, here), part << " " << value);
      BOOST_TEST(!arms(Comparison::less_equal, state, -here), part << " " << value);
      BOOST_TEST(arms(Comparison::greater, state, -here), part << " " << value);
      BOOST_TEST(!arms(Comparison::greater, state, here), part << " " << value);
    }
  }
  BOOST_TEST(!arms(Comparison::less_equal, RelationState{true, true, false, false, false, epsilon}, -1));   // it is armed
}

BOOST_AUTO_TEST_SUITE_END()
