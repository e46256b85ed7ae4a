// Code that is not mosim's, from inside of a shared library that keeps its names to itself: what it calls is still found, and a process that
// mosim is a guest in is not ended.

#include <cmath>

#include "tests/c_interface/handles.hpp"

using namespace mosim::tests;

namespace {

Model compiled_with_native_code(const std::string& text) {
  mosim_session_options o{};
  o.size = sizeof o;
  o.native_code = 1;
  mosim_session* session = nullptr;
  BOOST_REQUIRE(mosim_session_new(&o, &session) == MOSIM_OK);
  const Session s(session);
  BOOST_REQUIRE(read(s, text) == MOSIM_OK);
  mosim_model* m = nullptr;
  const mosim_status status = mosim_session_compile(session, "M", nullptr, 0, &m);
  BOOST_REQUIRE_MESSAGE(status == MOSIM_OK, mosim_session_error(session));
  return Model(m);
}

std::string last_cause(const Result& r) {
  const size_t n = mosim_result_diagnostic_count(r.get());
  return n > 0 ? mosim_diagnostic_cause(mosim_result_diagnostic(r.get(), n - 1)) : "";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(foreign_code)

BOOST_AUTO_TEST_CASE(text_is_compiled) {
  const Model m = compiled_with_native_code(
      "model M function twice input Real x; output Real y; external \"C\" y = twice(x) annotation(Include = \"#include <math.h>\n"
      "static double twice(double x) { return 2*fabs(x); }\"); end twice; Real y = twice(-time); end M;");
  BOOST_TEST(column(simulated(m, options(3)), "y").back() == 6);
}

BOOST_AUTO_TEST_CASE(a_library_calls_the_utility_functions) {
  const Model m = compiled_with_native_code(
      "model M function probe input Real x; output Real y; external \"C\" y = probe(x) annotation(Library = \"probe\", LibraryDirectory = \"file://" LIBRARIES
      "\"); end probe; Real y = probe(1 - time); end M;");
  const Result good = simulated(m, options(1));
  BOOST_REQUIRE_MESSAGE(mosim_result_ending(good.get()) == MOSIM_STOP_TIME, last_cause(good));
  BOOST_TEST(column(good, "y").front() == 3);
  const Result bad = simulated(m, options(2));
  BOOST_TEST(mosim_result_ending(bad.get()) == MOSIM_FAILED);
  BOOST_TEST(last_cause(bad).find("negative") != std::string::npos, last_cause(bad));
}

BOOST_AUTO_TEST_CASE(an_argument_that_lapack_refuses) {
  const Model m = compiled(
      "function f input Real A[2, 2]; input Integer n; output Real x[2] = {2, 4}; output Integer info; protected Real B[2, 2] = A; Integer p[2]; "
      "external \"FORTRAN 77\" dgesv(n, 1, B, 2, p, x, 2, info) annotation(Library = \"lapack\"); end f; "
      "model M Real x[2]; equation x = f({{2, 0}, {0, 1 + time}}, if time > 0.5 then -1 else 2); end M;");
  const Result r = simulated(m, options(1));
  BOOST_TEST(mosim_result_ending(r.get()) == MOSIM_FAILED);
  BOOST_TEST(last_cause(r).find("n) of dgesv is -1, which the routine refuses") != std::string::npos, last_cause(r));
  BOOST_TEST(mosim_result_row_count(r.get()) > 200u);
}

BOOST_AUTO_TEST_SUITE_END()
