// Sessions and models: what is read, compiled and said.

#include <boost/test/unit_test.hpp>

#include "mosim/session.hpp"

using namespace mosim;

BOOST_AUTO_TEST_SUITE(session)

BOOST_AUTO_TEST_CASE(a_file_a_model_a_run) {
  Session s;
  const auto classes = s.read(MODELS "/DiscreteBehavior/BouncingBall/BouncingBall.mo");
  BOOST_REQUIRE(classes.size() == 1u);
  BOOST_TEST(classes[0] == "DiscreteBehavior.BouncingBall.BouncingBall");
  const auto model = s.compile(classes[0]);
  BOOST_REQUIRE(model);
  BOOST_TEST(model->name() == classes[0]);
  BOOST_TEST(!model->description().empty());
  const auto h = model->find("h");
  BOOST_REQUIRE(h);
  const Variable& variable = model->variables()[*h];
  BOOST_TEST(variable.unit == "m");
  BOOST_CHECK(variable.kind == Kind::state);
  BOOST_TEST(variable.place.line > 0u);
  BOOST_TEST(variable.place.source_line.find("h") != std::string::npos);
  BOOST_TEST(!model->find("nobody"));
  const Result r = model->simulate({.stop = 3, .tolerance = 1e-8});
  BOOST_CHECK(r.ending == Ending::stop_time);
  BOOST_TEST(r.time == 3);
  BOOST_TEST(r.names.front() == "time");
  BOOST_TEST(r.rows.size() == r.row_count * r.names.size());
  BOOST_TEST(r.column("time").back() == 3);
  BOOST_TEST(r.column("h").size() == r.row_count);
  BOOST_TEST(r.events.size() >= 6u);
  BOOST_CHECK_THROW((void)r.column("nobody"), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(a_text_with_an_error_leaves_the_session_usable) {
  Session s;
  BOOST_TEST(s.read_text("one.mo", "model M Real x; equation x = y; end M;").size() == 1u);
  BOOST_TEST(s.diagnostics().empty());
  BOOST_TEST(!s.compile("M"));
  BOOST_REQUIRE(!s.diagnostics().empty());
  const Diagnostic& d = s.diagnostics().front();
  BOOST_CHECK(d.severity == Severity::error);
  BOOST_TEST(d.place.file == "one.mo");
  BOOST_TEST(d.place.line == 1u);
  BOOST_TEST(d.place.column == 30u);
  BOOST_TEST(d.place.source_line == "model M Real x; equation x = y; end M;");
  BOOST_TEST(d.text.find("one.mo:1:30: error: ") == 0u, d.text);
  BOOST_TEST(s.read_text("two.mo", "model N Real x = 2*time; end N;").size() == 1u);
  const auto n = s.compile("N");
  BOOST_REQUIRE(n);
  BOOST_TEST(s.diagnostics().empty());
  BOOST_TEST(n->simulate().column("x").back() == 2);
  BOOST_TEST(!s.compile("Nobody"));
  BOOST_TEST(!s.diagnostics().empty());
  BOOST_TEST(s.read_text("three.mo", "model end").empty());
  BOOST_TEST(!s.diagnostics().empty());
  BOOST_TEST(!s.read("no such file.mo").size());
  BOOST_TEST(!s.diagnostics().empty());
  BOOST_TEST(!s.add_library("no such folder"));
}

// What could be read of a damaged text may lack something that nobody would miss: it is no model. Other texts are as good as before.
BOOST_AUTO_TEST_CASE(a_damaged_text_makes_no_model) {
  Session s;
  s.read_text("m.mo", "model M\n  Real x = time;\n  Real y = 2*;\nend M;\nmodel B Real b = 1; end B;\n");
  BOOST_REQUIRE(s.diagnostics().size() == 1u);
  s.read_text("n.mo", "model N Real z = time; end N; model D extends B; end D; model E M m; end E; model F Real f = K.y; end F;");
  for (const char* name : {"M", "B", "D", "E"}) {
    BOOST_TEST(!s.compile(name), name);
    BOOST_REQUIRE(s.diagnostics().size() == 1u);
    BOOST_TEST(s.diagnostics()[0].cause == std::string(name) + " is made of m.mo, which has errors");
  }
  BOOST_TEST(!s.compile("F"));
  BOOST_TEST(!s.diagnostics().empty());
  BOOST_REQUIRE(s.compile("N"));
  BOOST_TEST(s.diagnostics().empty());
}

BOOST_AUTO_TEST_CASE(settings_are_those_of_the_command) {
  Session s;
  s.read_text("m.mo", "model M parameter Real k = 2; Real x(start = 1, fixed = true); equation der(x) = k; end M;");
  const auto m = s.compile("M", {"k = 3", "x = 10"});
  BOOST_REQUIRE(m);
  BOOST_TEST(std::abs(m->simulate().column("x").back() - 13) < 1e-6);
  BOOST_TEST(!s.compile("M", {"nobody = 3"}));
  BOOST_TEST(!s.diagnostics().empty());
}

BOOST_AUTO_TEST_CASE(a_model_outlives_its_session) {
  std::shared_ptr<const Model> m;
  {
    Session s;
    s.read_text("m.mo", "model M Real x(start = 1, fixed = true); equation der(x) = -x; when x < 0.5 then reinit(x, 2); end when; end M;");
    m = s.compile("M");
  }
  BOOST_REQUIRE(m);
  Run run = m->start({.stop = 2});
  m.reset();
  BOOST_TEST(!run.advance_to(3));
  const Result r = run.finish();
  BOOST_CHECK(r.ending == Ending::stop_time);
  BOOST_REQUIRE(!r.events.empty());
}

BOOST_AUTO_TEST_CASE(options_that_no_run_can_have) {
  Session s;
  s.read_text("m.mo", "model M Real x = time; end M;");
  const auto m = s.compile("M");
  BOOST_REQUIRE(m);
  for (const Options& bad : {Options{.stop = -1}, Options{.tolerance = 0}, Options{.tolerance = 1e-20}, Options{.intervals = 0}, Options{.results = {{"nobody"}}}})
    BOOST_CHECK_THROW((void)m->start(bad), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()
