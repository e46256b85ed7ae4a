// edge and change hold in the first row where the initial conditions give pre of their argument: the rounds of an event that falls
// on the start come after it.

#include <boost/test/unit_test.hpp>

#include "compiler/compile.hpp"
#include "verify/verify.hpp"

using namespace mosim;

BOOST_AUTO_TEST_SUITE(first_row)

BOOST_AUTO_TEST_CASE(edges_before_an_event_at_the_start) {
  compiler::Reading reading(compiler::Bundled::without);
  reading.library.read_text("test.mo", "model M Boolean u = true; Boolean y = edge(u), z = change(u); Integer n(start = 0, fixed = true); "
                                       "initial equation pre(u) = false; equation when sample(0, 0.4) then n = pre(n) + 1; end when; end M;");
  compiler::Compilation compilation(reading, {"M", {}});
  BOOST_REQUIRE_MESSAGE(compilation.program(), reading.said());
  verify::Verifier verifier(*compilation.system(), compilation.layout(), reading.workspace.sources);
  runtime::Options options;
  options.witness = [&](const runtime::Machine& m, runtime::Options::Moment moment) { verifier.look(m, moment); };
  const runtime::Result result = runtime::simulate(*compilation.program(), options);
  BOOST_TEST((result.ending != runtime::Ending::failed));
  BOOST_TEST(verifier.report().violated.empty());
}

BOOST_AUTO_TEST_SUITE_END()
