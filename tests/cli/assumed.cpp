// Start values that nobody fixed are said with their values (E9), also by a run that does not get going.

#include <boost/test/unit_test.hpp>

#include "tests/cli/folder.hpp"

using namespace mosim::tests;

BOOST_AUTO_TEST_CASE(assumed_start_values_are_said) {
  Folder f;
  f.write("Fall.mo", "model Fall Real h(start = 2), v; equation der(h) = v; der(v) = -9.81; end Fall;\n");
  BOOST_TEST(contains(f.run("Fall.mo").out, "assumed     h = 2, v = 0: start values taken as fixed"));
  // A derivative that stands for a state is called as the reader wrote it.
  f.write("Swing.mo", "model Swing Real x(start = 1, fixed = true); equation der(der(x)) = -4 * x; end Swing;\n");
  BOOST_TEST(contains(f.run("Swing.mo").out, "assumed     der(x) = 0: start values taken as fixed"));
  f.write("Log.mo", "model Log Real x(start = 2); Real y; equation der(x) = -y; y = log(x - 3); end Log;\n");
  const Ran failed = f.run("Log.mo");
  BOOST_TEST(failed.status == 3);
  BOOST_TEST(contains(failed.out, "assumed     x = 2: start values taken as fixed"));
}
