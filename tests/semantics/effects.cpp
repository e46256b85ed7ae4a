// Calls for their effect (MLS 12.3, E14): what they print is the witness of when and how often they are carried out.

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <filesystem>
#include <fstream>

#include <unistd.h>

#include "compiler/compile.hpp"
#include "tests/semantics/support.hpp"

using namespace mosim;
using namespace mosim::tests;

namespace {

const std::string functions = R"(
impure function print input String s = ""; input String file = ""; external "C" ModelicaInternal_print(s, file); end print;
impure function count input String file; output Integer n; external "C" n = ModelicaInternal_countLines(file); end count;
function error input String s; external "C" ModelicaError(s); end error;
impure function message input String s; external "C" ModelicaMessage(s); end message;
impure function warning input String s; external "C" ModelicaWarning(s); end warning;
impure function printed "the same number back" input Real x; output Real y; algorithm print(String(x)); y := x; end printed;
)";

struct Said {
  std::string diagnostics, printed, warned, failed;
  runtime::Result result;
};

Said say(const std::string& text, double stop = 1) {
  Said said;
  compiler::Reading reading;
  const auto classes = reading.library.read_text("test.mo", functions + text);
  if (!classes.empty()) {
    compiler::Compilation compilation(reading, {std::string(reading.workspace.names.text(classes.back()->name)), {}});
    if (const auto& program = compilation.program()) {
      runtime::Options options;
      options.stop = stop;
      options.print = [&](std::string_view text) { said.printed += text; };
      options.tell = [&](const runtime::Message& m) { said.warned += m.cause; };
      said.result = runtime::simulate(*program, options);
      for (const runtime::Message& m : said.result.messages) said.failed += m.cause;
    }
  }
  said.diagnostics = reading.said();
  return said;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(effects)

BOOST_AUTO_TEST_CASE(once_for_each_firing) {
  // Stiff enough for rejected steps and Jacobians; the when fires at 0.25, 0.5, 0.75 and 1.
  const Said s = say("model M Real x(start = 1, fixed = true); equation der(x) = -1000*(x - cos(time)); "
                     "when sample(0.25, 0.25) then print(String(time)); end when; end M;");
  BOOST_TEST(s.printed == "0.25\n0.5\n0.75\n1\n", s.diagnostics << s.failed);
}

BOOST_AUTO_TEST_CASE(once_in_rounds_and_at_state_events) {
  // The first when sets off the second, and each next round fires neither again. x = exp(-t) is 1/2 at ln 2.
  const Said s = say("model M Real x(start = 1, fixed = true); Boolean b(start = false, fixed = true); Integer k(start = 0, fixed = true); equation der(x) = -x; "
                     "when x < 0.5 then b = true; print(\"one\"); end when; "
                     "when b then k = pre(k) + 1; print(\"two\"); elsewhen time > 0.9 then k = pre(k); print(\"three\"); end when; end M;");
  BOOST_TEST(s.printed == "one\ntwo\nthree\n", s.diagnostics << s.failed);
}

BOOST_AUTO_TEST_CASE(in_statements_where_the_way_leads_by) {
  const Said s = say("function even input Integer i; output Boolean y; algorithm y := mod(i, 2) == 0; end even; "
                     "model M discrete Real y(start = 0, fixed = true); algorithm when time > 0.5 then "
                     "for i in 1:4 loop if even(i) then print(\"even \" + String(i)); elseif i == 3 then print(\"three\"); else y := i; end if; end for; "
                     "end when; end M;");
  BOOST_TEST(s.printed == "even 2\nthree\neven 4\n", s.diagnostics << s.failed);
}

BOOST_AUTO_TEST_CASE(in_functions_that_others_call) {
  // A loop of the run, a branch not taken, a nested call: sum = 1 + 2 + 3.
  const Said s = say("function total input Integer n; output Integer y; protected Integer i; algorithm y := 0; i := 0; "
                     "while i < n loop i := i + 1; y := y + i; if i <> 2 then print(String(i)); end if; end while; end total; "
                     "function more input Integer n; output Integer y; algorithm y := total(n) + 10; end more; "
                     "model M discrete Integer k(start = 0, fixed = true), n(start = 0, fixed = true); equation when sample(0.5, 1) then n = 3; k = more(n); end when; end M;");
  BOOST_TEST(s.printed == "1\n3\n", s.diagnostics << s.failed);
}

BOOST_AUTO_TEST_CASE(results_that_nobody_takes) {
  const Said s = say("function shout input Real x; output Real y; output Real z; algorithm y := x; z := x; print(\"shout \" + String(x)); end shout; "
                     "function twice input Real x; algorithm shout(x); shout(2*x); end twice; "
                     "model M equation when time > 0.5 then shout(3); twice(1); end when; end M;");
  BOOST_TEST(s.printed == "shout 3\nshout 1\nshout 2\n", s.diagnostics << s.failed);
}

BOOST_AUTO_TEST_CASE(all_results_of_one_call) {
  const Said s = say("impure function pair output Real a; output Real b; algorithm a := 1; b := 2; print(\"pair\"); end pair; "
                     "model M discrete Real a, b, c, d; equation when time > 0.25 then (a, b) = pair(); end when; "
                     "algorithm when time > 0.5 then (c, d) := pair(); end when; end M;");
  BOOST_TEST(s.printed == "pair\npair\n", s.diagnostics << s.failed);
}

BOOST_AUTO_TEST_CASE(nested_calls_are_made_once) {
  const Said s = say("model M discrete Real a(start = 0, fixed = true); equation when time > 0.5 then a = printed(printed(1) + 1); print(\"a\" + String(printed(5))); end when; end M;");
  BOOST_TEST((s.printed == "1\n2\n5\na5\n" || s.printed == "5\na5\n1\n2\n"), s.diagnostics << s.failed << s.printed);
}

BOOST_AUTO_TEST_CASE(once_at_initialisation) {
  // Discrete values that depend on each other, an unknown of a nonlinear system and homotopy make passes of the initial section; each call counts once.
  const Said s = say("model M parameter Real p = printed(7); parameter Real q(fixed = false); Real x(start = 1), y(start = 1); Boolean b; "
                     "initial equation x = 2; q = printed(3); print(\"x = \" + String(x)); "
                     "equation b = y > 1; y^3 + y = homotopy(10, 2); der(x) = -x; when initial() then print(\"y = \" + String(y)); end when; end M;");
  BOOST_TEST(s.printed.substr(0, 4) == "7\n3\n", s.diagnostics << s.failed);
  BOOST_TEST(s.printed.size() == std::string("7\n3\nx = 2\ny = 2\n").size(), s.printed);
  BOOST_TEST((s.printed.find("x = 2\n") != std::string::npos && s.printed.find("y = 2\n") != std::string::npos), s.printed);
}

BOOST_AUTO_TEST_CASE(in_initial_algorithms) {
  const Said s = say("model M Real x(start = 4, fixed = true); parameter Integer n(fixed = false); initial algorithm n := 2; print(\"n = \" + String(n)); "
                     "for i in 1:n loop print(String(i)); end for; equation der(x) = 1; end M;");
  BOOST_TEST(s.printed == "n = 2\n1\n2\n", s.diagnostics << s.failed);
}

BOOST_AUTO_TEST_CASE(at_ticks_of_a_clock) {
  const Said s = say("model M Real u; equation when Clock(0.5) then u = previous(u) + 1; print(String(u)); end when; end M;");
  BOOST_TEST(s.printed == "1\n2\n3\n", s.diagnostics << s.failed);
}

BOOST_AUTO_TEST_CASE(functions_that_only_assert) {
  const std::string positive = "function positive input Real x; input String name = \"x\"; algorithm if not x > 0 then error(name + \" is \" + String(x, significantDigits = 3)); end if; end positive; ";
  // x = 1 - t is positive up to 1: in an equation it holds at every accepted point.
  const Said good = say(positive + "model M Real x(start = 1, fixed = true); equation der(x) = -1; positive(x); end M;", 0.9);
  BOOST_TEST((good.result.ending == runtime::Ending::stop_time), good.diagnostics << good.failed);
  const Said bad = say(positive + "model M Real x(start = 1, fixed = true); equation der(x) = -1; if time > 0.5 then positive(x); end if; end M;", 2);
  BOOST_TEST((bad.result.ending == runtime::Ending::failed), bad.diagnostics);
  BOOST_TEST(bad.failed.find("x is -") != std::string::npos, bad.failed);
  BOOST_TEST(bad.result.time >= 1 - 1e-6);
}

BOOST_AUTO_TEST_CASE(at_the_end) {
  const Said s = say("model M Real x(start = 1, fixed = true); discrete Real y(start = 0, fixed = true); equation der(x) = -x; "
                     "when terminal() then print(\"end\"); y = printed(time); end when; end M;", 2);
  BOOST_TEST((s.printed == "end\n2\n" || s.printed == "2\nend\n"), s.diagnostics << s.failed << s.printed);
}

BOOST_AUTO_TEST_CASE(for_elements_and_components) {
  // Functions of scalars over arrays, functions as arguments, records: each call is one.
  const Said s = say("record R Real a; Real b; end R; impure function both input Real u; output R r; algorithm print(\"both\"); r.a := u; r.b := -u; end both; "
                     "impure function apply input F f; input Real u; output Real y; partial function F input Real u; output Real y; end F; algorithm y := f(u); end apply; "
                     "impure function told input Real u; output Real y; algorithm print(\"told \" + String(u)); y := u; end told; "
                     "block B parameter Real p; discrete Real q(start = 0, fixed = true); equation when time > 0.75 then q = printed(p); end when; end B; "
                     "model M B b[2](p = {10, 20}); discrete Real y[2](each start = 0, each fixed = true), z(start = 0, fixed = true); R r; equation "
                     "when time > 0.25 then y = printed({1, 2}); elsewhen time > 0.5 then y = zeros(2); end when; "
                     "when time > 0.5 then r = both(3); z = apply(function told(), 7); end when; end M;");
  BOOST_TEST((s.printed == "1\n2\nboth\ntold 7\n10\n20\n" || s.printed == "1\n2\ntold 7\nboth\n10\n20\n"), s.diagnostics << s.failed << s.printed);
}

BOOST_AUTO_TEST_CASE(conditions_that_decide_before) {
  // 2 > 5 does not hold, so that printed(3) is not asked for (E14).
  const Said s = say("model M discrete Real w(start = 0, fixed = true); algorithm when time > 0.5 then w := if printed(2) > 5 and printed(3) > 1 then printed(4) else printed(5); "
                     "while w < 7 loop w := printed(w + 1); if w > 6 then break; end if; end while; end when; end M;");
  BOOST_TEST(s.printed == "2\n5\n6\n7\n", s.diagnostics << s.failed);
}

BOOST_AUTO_TEST_CASE(messages_and_warnings) {
  const Said s = say("model M equation when time > 0.5 then message(\"told\"); warning(\"careful\"); end when; end M;");
  BOOST_TEST(s.printed == "told\n", s.diagnostics << s.failed);
  BOOST_TEST(s.warned == "careful");
}

BOOST_AUTO_TEST_CASE(into_a_file) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / ("mosim effects " + std::to_string(::getpid()));
  std::filesystem::create_directory(folder);
  const std::string file = (folder / "lines.txt").string();
  const Said s = say("model M discrete Integer n(start = 0, fixed = true); algorithm when sample(0.25, 0.25) then print(String(time), \"" + file + "\"); n := count(\"" + file +
                     "\"); print(String(n)); end when; end M;");
  std::ifstream lines(file);
  const std::string text{std::istreambuf_iterator<char>(lines), {}};
  std::filesystem::remove_all(folder);
  BOOST_TEST(text == "0.25\n0.5\n0.75\n1\n", s.diagnostics << s.failed);
  BOOST_TEST(s.printed == "1\n2\n3\n4\n");
}

// xorshift1024*: the state goes on from call to call, so that two calls give two numbers, and each event two new ones.
BOOST_AUTO_TEST_CASE(numbers_from_a_hidden_state) {
  const Said s = say("impure function set input Integer state[33]; input Integer id; external \"C\" ModelicaRandom_setInternalState_xorshift1024star(state, size(state, 1), id); end set; "
                     "function begin input Integer seed; output Integer id; algorithm id := 5; set(array(seed + 17*i for i in 1:33), id); end begin; "
                     "impure function random input Integer id; output Real y; external \"C\" y = ModelicaRandom_impureRandom_xorshift1024star(id); end random; "
                     "model M parameter Integer id = begin(42); discrete Real a, b; algorithm when {initial(), sample(0.5, 0.5)} then a := random(id); b := random(id); "
                     "print(if abs(a - b) > 0 and abs(pre(a) - a) > 0 and abs(pre(b) - a) > 0 then \"new\" else \"old\"); end when; end M;");
  BOOST_TEST(s.printed == "new\nnew\nnew\n", s.diagnostics << s.failed);
}

BOOST_AUTO_TEST_CASE(where_impure_functions_may_be_called) {
  for (const char* wrong : {"Real y = printed(time);", "Real y; equation y = printed(time);", "equation print(\"always\");", "Real y; algorithm y := printed(time);",
                            "constant Real y = printed(1);", "Real x(start = 0, fixed = true); equation der(x) = 1; when printed(x) > 0.5 then message(\"\"); end when;"})
    BOOST_TEST(say(std::string("model M ") + wrong + " end M;").diagnostics.find("is impure, and nothing here says when") != std::string::npos, wrong);
  const Said s = say("model M Real y = pure(printed(time)); end M;", 0.5);
  BOOST_TEST((s.result.ending == runtime::Ending::stop_time), s.diagnostics << s.failed);
}

// Wherever the end of a run is asked for, at a step that may have to be taken back too, as those that read what a delay does not know yet: soon
// nothing is called any more.
BOOST_AUTO_TEST_CASE(an_interruption_anywhere_ends_the_run) {
  compiler::Reading reading;
  const auto classes = reading.library.read_text("test.mo", "model M pure function message input String s; external \"C\" ModelicaMessage(s); end message; "
                                                            "function told input Real u; output Real y; algorithm y := u; message(\"x\"); end told; "
                                                            "Real d = if time < 1 then 1 - time else max(0, time - 2), y = delay(sin(3*time), d, 2), x(start = 0, fixed = true); "
                                                            "equation der(x) = told(y); end M;");
  BOOST_REQUIRE(!classes.empty());
  compiler::Compilation compilation(reading, {"M", {}});
  const auto& program = compilation.program();
  BOOST_REQUIRE(program);
  for (int asked = 1; asked < 3000; asked += 13) {
    std::atomic<bool> stop = false;
    int calls = 0;
    runtime::Options options;
    options.stop = 3;
    options.interrupt = &stop;
    options.print = [&](std::string_view) {
      if (++calls == asked) stop = true;
    };
    const runtime::Result result = runtime::simulate(*program, options);
    BOOST_TEST((result.ending == runtime::Ending::interrupted));
    BOOST_TEST(calls < asked + 50, asked << ": " << calls);
  }
}

BOOST_AUTO_TEST_SUITE_END()
