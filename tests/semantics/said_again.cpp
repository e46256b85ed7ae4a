// Connected blocks that each say what pre(v) of one signal is, as those of the standard library do: checked, with a warning.

#include <boost/test/unit_test.hpp>

#include "support.hpp"

using namespace mosim::tests;

BOOST_AUTO_TEST_SUITE(said_again)

BOOST_AUTO_TEST_CASE(of_one_signal) {
  const std::string blocks =
      "block Rise parameter Boolean before = false; input Boolean u; output Boolean y; initial equation pre(u) = before; equation y = edge(u); end Rise; "
      "block Fall parameter Boolean before = false; input Boolean u; output Boolean y; protected Boolean n = not u; initial equation pre(n) = not before; equation y = edge(n); end Fall; ";
  const std::string model = "model M Boolean s = time > 0.5; Rise a(u = s), b(u = s); Fall c(u = s); end M;";
  const Run r = run(blocks + model, 1);
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  BOOST_TEST(r.diagnostics.find("it is only checked") != std::string::npos, r.diagnostics);
  // One that says something else is told in the run.
  const Run other = run(blocks + "model M Boolean s = time > 0.5; Rise a(u = s), b(u = s, before = true); end M;", 1);
  BOOST_TEST(!other.ended());
  BOOST_TEST(other.message().find("contradicts another one") != std::string::npos, other.message());
}

BOOST_AUTO_TEST_SUITE_END()
