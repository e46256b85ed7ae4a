// The derivative of a variable that is another's for the parameter values of a run.

#include <boost/test/unit_test.hpp>

#include "compiler/compile.hpp"
#include "verify/verify.hpp"

using namespace mosim;

BOOST_AUTO_TEST_SUITE(vanished)

BOOST_AUTO_TEST_CASE(equations_with_it_are_looked_at) {
  for (const char* resistance : {"R*i = u - v;", "R*i = u + v;", "u - v = R*i;"}) {
    compiler::Reading reading(compiler::Bundled::without);
    reading.library.read_text("test.mo", std::string("model M parameter Real R = 0; Real u = 3 + sin(time), v, i; equation ") + resistance + " 2*der(v) = i; end M;");
    compiler::Compilation compilation(reading, {"M", {}});
    BOOST_REQUIRE_MESSAGE(compilation.program(), reading.said());
    verify::Verifier verifier(*compilation.system(), compilation.layout(), reading.workspace.sources);
    runtime::Options options;
    options.witness = [&](const runtime::Machine& m, runtime::Options::Moment moment) { verifier.look(m, moment); };
    const runtime::Result result = runtime::simulate(*compilation.program(), options);
    BOOST_TEST((result.ending != runtime::Ending::failed));
    const verify::Report report = verifier.report();
    BOOST_TEST(report.violated.empty(), resistance);
    BOOST_TEST(report.unchecked.empty(), resistance);
    BOOST_TEST(report.equations >= 3u, resistance);
  }
}

BOOST_AUTO_TEST_SUITE_END()
