// Models as bytes: written, and loaded by another session.

#include <boost/test/unit_test.hpp>

#include "tests/engine/compiled.hpp"

using namespace mosim;
using namespace mosim::tests;

namespace {

constexpr const char* ball = R"(model Ball "Bounces"
  parameter Real e = 0.7;
  final parameter Integer n = 2;
  Real h(start = 1, fixed = true, unit = "m"), v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
  when h < 0 then
    reinit(v, -e*pre(v));
  end when;
  annotation(experiment(StopTime = 1));
end Ball;
)";

constexpr const char* foreign = R"(model C
  function twice_it
    input Real x;
    output Real y;
    external "C" y = twice_it(x) annotation(Include = "static double twice_it(double x) { return 2*x; }");
  end twice_it;
  Real x = twice_it(time);
end C;
)";

}  // namespace

BOOST_AUTO_TEST_SUITE(written)

BOOST_AUTO_TEST_CASE(a_loaded_model_is_the_model) {
  const auto m = compiled(ball);
  const std::string bytes = m->write();
  Session s;
  const auto again = s.load("Ball.mosim", bytes);
  BOOST_REQUIRE(again);
  BOOST_TEST(s.diagnostics().empty());
  BOOST_TEST((again->write() == bytes));
  BOOST_TEST(again->name() == "Ball");
  BOOST_TEST(again->description() == "Bounces");
  BOOST_TEST((again->experiment().stop == m->experiment().stop));
  BOOST_TEST(again->variables().size() == m->variables().size());
  BOOST_TEST(again->variables()[*again->find("h")].unit == "m");
  BOOST_TEST(again->refusal("e", 0.5) == "");
  BOOST_TEST(again->refusal("n", 3) == m->refusal("n", 3));
  BOOST_TEST(!again->refusal("n", 3).empty());
  const Options options{.set = {{"e", 0.5}}};
  const Result a = m->simulate(options), b = again->simulate(options);
  BOOST_TEST((a.rows == b.rows));
  BOOST_TEST(a.events.size() == b.events.size());
  BOOST_REQUIRE(b.events.size() > 1u);
  BOOST_TEST(b.events[1].causes.at(0).place.line == 8u);
  BOOST_TEST(a.report() == b.report());
  BOOST_TEST((a.page() == b.page()));
  BOOST_TEST(b.page().find("der(v) = -9.81;") != std::string::npos);   // its source is in it
  // A run goes over from one to the other.
  Run run = m->start();
  run.advance_to(0.6);
  Run there = again->restore(run.save());
  BOOST_TEST(there.get("h") == run.get("h"));
}

BOOST_AUTO_TEST_CASE(what_is_no_model_is_refused) {
  const std::string bytes = compiled(ball)->write();
  std::string changed = bytes;
  changed[500] = static_cast<char>(changed[500] ^ 1);
  Session s;
  const auto cause = [&](std::string_view given) {
    BOOST_TEST(!s.load("B.mosim", given));
    BOOST_REQUIRE(s.diagnostics().size() == 1u);
    const Diagnostic& d = s.diagnostics().front();
    BOOST_CHECK(d.severity == Severity::error);
    BOOST_TEST(d.place.file == "B.mosim");
    BOOST_TEST(d.remedy == "compile the model again: mosim compile MODEL.mo -o FILE.mosim");
    BOOST_TEST(d.text == "B.mosim: error: " + d.cause + "\n  remedy: " + d.remedy + "\n");
    return d.cause;
  };
  BOOST_TEST(cause("") == "it is no compiled model");
  BOOST_TEST(cause(ball) == "it is no compiled model");
  BOOST_TEST(cause(std::string_view(bytes).substr(0, 100)) == "it is damaged: it ends too early");
  BOOST_TEST(cause(changed) == "it is damaged: its checksum does not fit what is in it");
  BOOST_TEST(s.load("B.mosim", bytes));
  BOOST_TEST(s.diagnostics().empty());
}

BOOST_AUTO_TEST_CASE(native_code_is_called_where_it_may_be) {
  Session trusting({.native_code = true}), other;
  trusting.read_text("C.mo", foreign);
  const auto m = trusting.compile("C");
  BOOST_REQUIRE(m);
  const std::string bytes = m->write();
  BOOST_TEST(!other.load("C.mosim", bytes));
  BOOST_REQUIRE(other.diagnostics().size() == 1u);
  BOOST_TEST(other.diagnostics()[0].cause.starts_with("it calls twice_it, which is foreign code"));
  BOOST_TEST(other.diagnostics()[0].remedy.find("native") != std::string::npos);
  const auto again = trusting.load("C.mosim", bytes);
  BOOST_REQUIRE(again);
  BOOST_TEST(last(again->simulate(), "x") == 2);
}

BOOST_AUTO_TEST_SUITE_END()
