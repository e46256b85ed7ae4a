// The stages of a model as text, checks, and the second witness of a run.

#include <boost/test/unit_test.hpp>

#include "compiler/compile.hpp"
#include "engine/verification.hpp"
#include "tests/engine/compiled.hpp"

using namespace mosim;
using namespace mosim::tests;

namespace {

constexpr const char* decay = R"(package P
  model Base
    parameter Real k = 2;
    Real x(start = 1, fixed = true);
  equation
    der(x) = -k*x;
  end Base;
  model M
    extends Base(k = 3);
    Real y = x + 1;
    Boolean low = x < 0.5;
  end M;
end P;
)";

}  // namespace

BOOST_AUTO_TEST_SUITE(stages)

BOOST_AUTO_TEST_CASE(each_stage_is_shown) {
  Session s;
  s.read_text("P.mo", decay);
  const auto has = [&](Stage stage, std::string_view part) {
    const std::string text = s.show("P.M", stage);
    BOOST_TEST(s.diagnostics().empty());
    BOOST_TEST(text.find(part) != std::string::npos, text);
  };
  has(Stage::instance, "Real y");
  has(Stage::flat, "der(x) = -k*x");
  has(Stage::dae, "x < 0.5");
  has(Stage::program, "P.M");
  BOOST_TEST(s.show("P.M", Stage::flat, {"k = 7"}).find("7") != std::string::npos);
  BOOST_TEST(s.show("P.Nobody", Stage::flat) == "");
  BOOST_REQUIRE(!s.diagnostics().empty());
  BOOST_TEST(s.check("P.M"));
  BOOST_TEST(s.diagnostics().empty());
}

// Thirty statements that each use the last one twice: an expression of a few parts, and a text of a billion of them.
BOOST_AUTO_TEST_CASE(what_is_too_long_to_be_written_is_said_to_be_so) {
  std::string text = "function f input Real x; output Real y; algorithm y := x;";
  for (int k = 0; k < 30; ++k) text += " y := if y > 1 then sin(y)/3 else y/2;";
  text += " end f; model M Real y = f(time); end M;";
  Session s;
  s.read_text("M.mo", text);
  for (const Stage stage : {Stage::flat, Stage::dae}) {
    BOOST_TEST(s.show("M", stage) == "");
    BOOST_REQUIRE(s.diagnostics().size() == 1u);
    BOOST_TEST(s.diagnostics()[0].cause == "the text of this model is too long to be written: parts of its expressions stand in very many places");
    BOOST_TEST(s.diagnostics()[0].remedy == "the program (Stage::program; --emit program) has each part once");
  }
  BOOST_TEST(s.show("M", Stage::program) != "");
  BOOST_TEST(s.check("M"));
}

BOOST_AUTO_TEST_CASE(syntax_is_shown_and_not_read) {
  Session s;
  BOOST_TEST(s.show_syntax("a.mo", "model A Real x=time;end A;").find("declaration x") != std::string::npos);
  BOOST_TEST(s.diagnostics().empty());
  BOOST_TEST(!s.compile("A"));
  BOOST_TEST(s.show_syntax("a.mo", "model A Real x = ; end A;") == "");
  BOOST_REQUIRE(s.diagnostics().size() == 1u);
  BOOST_TEST(s.diagnostics()[0].place.file == "a.mo");
}

BOOST_AUTO_TEST_CASE(packages_are_told_from_models) {
  Session s;
  s.read_text("P.mo", decay);
  s.read_text("Q.mo", "within P.Inner; model 'Q.R' end 'Q.R';");
  BOOST_TEST(s.is_package("P"));
  BOOST_TEST(!s.is_package("P.Inner.'Q.R'"));
  BOOST_TEST(!s.is_package("Nobody"));
}

// After an error in a text a model is looked at all the same; it is not valid.
BOOST_AUTO_TEST_CASE(a_check_after_errors_of_a_text) {
  Session s;
  s.read_text("m.mo", "model M\n  Real x = unknown_1;\n  Real y = 2*;\nend M;\n");
  BOOST_REQUIRE(s.diagnostics().size() == 1u);
  BOOST_TEST(!s.check("M"));
  BOOST_REQUIRE(s.diagnostics().size() == 1u);   // not that of the text again
  BOOST_TEST(s.diagnostics()[0].cause.find("unknown_1") != std::string::npos);
  BOOST_TEST(!s.check("M"));
  BOOST_TEST(s.diagnostics().size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_run_is_verified) {
  Session s;
  s.read_text("P.mo", decay);
  const auto m = s.compile("P.M");
  BOOST_REQUIRE(m);
  const Result plain = m->simulate();
  BOOST_TEST(!plain.verification);
  for (int again = 0; again < 2; ++again) {
    const Result r = m->simulate({.intervals = 10, .verify = true});
    BOOST_REQUIRE(r.verification);
    const Verification& v = *r.verification;
    BOOST_TEST(v.violated.empty());
    BOOST_TEST(v.equations >= 3u);
    BOOST_TEST(v.rows == r.row_count);
    BOOST_REQUIRE(v.worst);
    BOOST_TEST(v.worst->place.file == "P.mo");
    BOOST_TEST(v.worst->difference <= 1e-9*v.worst->size);
  }
}

// Two programs of one model: the witness has the equations of one, and the machine runs the other.
BOOST_AUTO_TEST_CASE(what_does_not_hold_is_told) {
  compiler::Reading reading;
  reading.library.read_text("m.mo", "model M\n  Real x(start = 1, fixed = true);\nequation\n  der(x) = -2*x;\nend M;\n");
  compiler::Compilation compilation(reading, {"M", {}});
  BOOST_REQUIRE(compilation.program());
  runtime::Program program = *compilation.program();
  for (auto& i : program.code)
    if (i.op == runtime::Opcode::multiply) i.op = runtime::Opcode::add;
  engine::Witness witness({*compilation.system(), compilation.layout()}, reading.workspace.sources);
  runtime::Options options;
  options.witness = [&](const runtime::Machine& machine, verify::Moment moment) { witness.look(machine, moment); };
  (void)runtime::simulate(program, options);
  const Verification v = witness.report();
  BOOST_REQUIRE(v.violated.size() == 1u);
  const Residual& r = v.violated.front();
  BOOST_TEST(r.equation == "der(x) = -2*x");
  BOOST_TEST(r.place.file == "m.mo");
  BOOST_TEST(r.place.line == 4u);
  BOOST_TEST(r.difference > 1e-3);
  BOOST_TEST(r.size >= r.difference);
  BOOST_TEST(v.rows == 501u);
}

BOOST_AUTO_TEST_CASE(what_was_loaded_cannot_be_verified) {
  Session s;
  const auto m = s.load("m.mosim", compiled("model M Real x = time; end M;")->write());
  BOOST_REQUIRE(m);
  BOOST_CHECK_THROW((void)m->start({.verify = true}), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(a_session_may_keep_no_equations) {
  Session s({.verifiable = false});
  s.read_text("P.mo", decay);
  const auto m = s.compile("P.M");
  BOOST_REQUIRE(m);
  BOOST_CHECK_THROW((void)m->start({.verify = true}), std::invalid_argument);
  const Result r = m->simulate();
  Session keeping;
  keeping.read_text("P.mo", decay);
  BOOST_TEST(r.row_count == keeping.compile("P.M")->simulate().row_count);
}

BOOST_AUTO_TEST_CASE(a_restored_run_is_verified_whole) {
  const auto m = compiled("model M Real x(start = 1, fixed = true); equation der(x) = -x; end M;");
  Run run = m->start({.intervals = 10});
  run.advance_to(0.5);
  Run there = m->restore(run.save(), {.verify = true});
  there.advance_to(2);
  const Result r = there.finish();
  BOOST_REQUIRE(r.verification);
  BOOST_TEST(r.verification->rows == r.row_count);
}

BOOST_AUTO_TEST_SUITE_END()
