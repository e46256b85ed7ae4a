// External functions whose C is the model's own (MLS 12.9), from the model's text to its results. Expected numbers are those that the C
// text says.

#include <boost/test/unit_test.hpp>
#include <atomic>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <thread>

#include <unistd.h>

#include "compiler/compile.hpp"
#include "runtime/simulate.hpp"
#include "tests/semantics/support.hpp"

using namespace mosim;
using namespace mosim::tests;

namespace {

struct Options {
  bool native_code = true;
  const std::atomic<bool>* interrupt = nullptr;
};

/// As run(), with the option.
Run run_native(const std::string& text, const Options& given = {}) {
  compiler::Reading reading;
  Run r;
  const auto classes = reading.library.read_text("test.mo", text);
  if (!classes.empty()) {
    compiler::Compilation compilation(reading, {reading.name_of(classes.back()), {}, given.native_code});
    if (compilation.program()) {
      r.compiled = true;
      r.program = *compilation.program();
      runtime::Options options;
      options.stop = 1;
      options.intervals = 20;
      options.interrupt = given.interrupt;
      r.result = runtime::simulate(r.program, options);
    }
  }
  r.diagnostics = reading.said();
  return r;
}

void check_ended(const Run& r) { BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message()); }

/// A file that C code appends to.
struct Log {
  std::string path = (std::filesystem::temp_directory_path() / ("mosim_foreign_" + std::to_string(::getpid()))).string();
  Log() { std::filesystem::remove(path); }
  ~Log() { std::filesystem::remove(path); }
  std::string text() const {
    std::ifstream in(path);
    return {std::istreambuf_iterator<char>(in), {}};
  }
};

/// An object that keeps a number, and writes into the log what is done with it.
std::string counters(const Log& log) {
  const std::string include =
      "annotation (Include = \"#include <stdio.h>\n#include <stdlib.h>\n#include <ModelicaUtilities.h>\n"
      "static void note(const char *what) { FILE *f = fopen(\\\"" + log.path + "\\\", \\\"a\\\"); fprintf(f, \\\"%s \\\", what); fclose(f); }\n"
      "static void *start(double x) { double *c = malloc(sizeof *c); note(\\\"start\\\"); if (x < 0) return 0; *c = x; return c; }\n"
      "static void finish(void *c) { note(\\\"finish\\\"); free(c); }\n"
      "static double at(void *c, double u) { if (u > 5) ModelicaError(\\\"too far\\\"); return *(double *)c*u; }\");";
  return "class Counter extends ExternalObject; function constructor input Real x; output Counter c; external \"C\" c = start(x) " + include + " end constructor; "
         "function destructor input Counter c; external \"C\" finish(c) " + include + " end destructor; end Counter; "
         "function at input Counter c; input Real u; output Real y; external \"C\" y = at(c, u) " + include + " end at; ";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(foreign_functions)

BOOST_AUTO_TEST_CASE(called_only_where_it_may_be) {
  const std::string model = "function f input Real u; output Real y; external \"C\" y = f(u) annotation (Include = \"double f(double u) { return 2*u; }\"); end f; model M Real y = f(time); end M;";
  const Run refused = run_native(model, {.native_code = false});
  BOOST_TEST(!refused.compiled);
  for (const char* const words : {"f calls f", "Include", "--native-code", "test.mo:1"}) BOOST_TEST(refused.diagnostics.find(words) != std::string::npos, refused.diagnostics);
  const Run r = run_native(model);
  check_ended(r);
  BOOST_TEST(r.final("y") == 2);
}

BOOST_AUTO_TEST_CASE(operands_of_each_kind) {
  const Run r = run_native(R"(
type Color = enumeration(red, green, blue);
function scalars input Real x; input Integer n; input Boolean b; input Color c; output Color next; output Boolean same; output Integer sum; output Real half;
  external "C" scalars(x, n, b, c, next, same, sum, half) annotation (Include =
    "void scalars(double x, int n, int b, int c, int *next, int *same, int *sum, double *half) { *next = c % 3 + 1; *same = b*7; *sum = n + c; *half = x/2; }"); end scalars;
function row input Real a[:, :]; output Real s[size(a, 1)]; protected Real work[size(a, 2)];
  external "C" row(a, size(a, 1), size(a, 2), s, work) annotation (Include =
    "void row(const double *a, size_t n, size_t m, double *s, double *work) { for (size_t i = 0; i < n; i++) { s[i] = 0; for (size_t j = 0; j < m; j++) { work[0] = a[i*m + j]; s[i] = 10*s[i] + work[0]; } } }"); end row;
function plain input Real v[:]; input Integer k; output Real y; external "C" annotation (Include = "double plain(const double *v, size_t n, int k) { return v[k - 1] + 100*n; }"); end plain;
model M
  Color c = if time > 0.5 then Color.blue else Color.green; discrete Color next;
  discrete Boolean same; discrete Integer sum; discrete Real half; Real s[2], p;
equation
  when {initial(), time >= 0.75} then
    (next, same, sum, half) = scalars(time, 3, time > 0.5, c);
  end when;
  s = row([1, 2, 3; 4, 5, time]);
  p = plain({time, 2*time, 3*time}, 2);
end M;)");
  check_ended(r);
  BOOST_TEST(r.initial("next") == 3);
  BOOST_TEST(r.final("next") == 1);
  BOOST_TEST(r.initial("same") == 0);
  BOOST_TEST(r.final("same") == 1);
  BOOST_TEST(r.final("sum") == 6);
  BOOST_TEST(r.final("half") == 0.375);
  BOOST_TEST(r.final("s[1]") == 123);
  BOOST_TEST(r.final("s[2]") == 451);
  BOOST_TEST(r.final("p") == 302);
}

BOOST_AUTO_TEST_CASE(records_and_texts) {
  const Run r = run_native(R"(
record P Integer n; Real x; end P;
record Q Real z; P p; end Q;
function turn input Q q; output Q t; output Real w;
  external "C" turn(q, t, w) annotation (Include =
    "typedef struct { double z; struct { int n; double x; } p; } Q; void turn(const Q *q, Q *t, double *w) { t->z = q->p.x; t->p.n = q->p.n + 1; t->p.x = q->z; *w = 7; }"); end turn;
function weigh input P p[:]; output Real y; external "C" y = sum(p, size(p, 1)) annotation (Include =
    "struct P { int n; double x; }; double sum(const struct P *p, size_t n) { double s = 0; for (size_t i = 0; i < n; i++) s += p[i].n*p[i].x; return s; }"); end weigh;
function made input Real x; output P p; external "C" p = made(x) annotation (Include = "struct P { int n; double x; }; struct P made(double x) { struct P p = {4, x}; return p; }"); end made;
function inside input Real x; output P p; external "C" inside(x, p.n, p.x) annotation (Include = "void inside(double x, int *n, double *y) { *n = 5; *y = x*x; }"); end inside;
function digits input P p; output Real d; algorithm d := 100*p.n + p.x; end digits;
function turned input Q q; output Real d; protected Q t; Real w; algorithm (t, w) := turn(q); d := 1000*w + 100*t.p.n + 10*t.p.x + t.z; end turned;
function greet input String s; input Boolean loud; output String t; output Integer n; external "C" greet(s, loud, t, n) annotation (Include =
    "#include <ModelicaUtilities.h>
#include <stdio.h>
#include <string.h>
void greet(const char *s, int loud, const char **t, int *n) { char *a = ModelicaAllocateString(strlen(s) + 8); sprintf(a, \"hello %s%s\", s, loud ? \"!\" : \"\"); *t = a; *n = strlen(a); }"); end greet;
model M
  Real t = turned(Q(time, P(2, 5))), y = weigh({P(1, time), P(2, 3)}), p = digits(made(time)), i = digits(inside(3*time)); String s; Integer n;
equation
  (s, n) = greet("you", time > 0.5);
end M;)");
  check_ended(r);
  BOOST_TEST(r.final("t") == 7315);
  BOOST_TEST(r.final("y") == 7);
  BOOST_TEST(r.final("p") == 401);
  BOOST_TEST(r.final("i") == 509);
  BOOST_TEST(r.initial("n") == 9);
  BOOST_TEST(r.final("n") == 10);
}

// u^3 = 1 + 7 t, by Newton's method over differences.
BOOST_AUTO_TEST_CASE(differentiated) {
  const Run r = run_native("function cube input Real u; output Real y; external \"C\" y = cube(u) annotation (Include = \"double cube(double u) { return u*u*u; }\"); end cube; "
                           "model M Real u(start = 1); equation cube(u) = 1 + 7*time; end M;");
  check_ended(r);
  BOOST_TEST(r.final("u") == 2.0, boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(known_while_compiling) {
  const Run r = run_native("function twice input Integer n; output Integer m; external \"C\" m = twice(n) annotation (Include = \"int twice(int n) { return 2*n; }\"); end twice; "
                           "model M parameter Integer n = twice(2); Real v[n] = {i*time for i in 1:n}; end M;");
  check_ended(r);
  BOOST_TEST(r.final("v[4]") == 4);
}

// A crash while compiling is told, and the next function is carried out all the same.
BOOST_AUTO_TEST_CASE(a_crash_while_compiling) {
  const std::string functions = "function bad input Integer n; output Integer m; external \"C\" m = bad(n) annotation (Include = \"int bad(int n) { return *(int *)8; }\"); end bad; "
                                "function good input Integer n; output Integer m; external \"C\" m = good(n) annotation (Include = \"int good(int n) { return n + 1; }\"); end good; ";
  const Run r = run_native(functions + "model M parameter Integer n = bad(2); Real v[n] = {i*time for i in 1:n}; end M;");
  BOOST_TEST(!r.compiled);
  BOOST_TEST(r.diagnostics.find("warning: while compiling bad crashes") != std::string::npos, r.diagnostics);
  const Run s = run_native(functions + "model M parameter Integer k = if good(1) > 5 then bad(2) else 3; parameter Integer n = good(2); Real v[n] = {i*time for i in 1:n}; end M;");
  check_ended(s);
  BOOST_TEST(s.final("v[3]") == 3);
}

BOOST_AUTO_TEST_CASE(an_object_is_made_and_ended_once) {
  {
    const Log log;
    const Run r = run_native(counters(log) + "model M Counter c = Counter(3); Real x(start = 0, fixed = true), y; equation der(x) = at(c, time); at(c, y) = 6; end M;");
    check_ended(r);
    BOOST_TEST(std::abs(r.final("x") - 1.5) < 1e-5);
    BOOST_TEST(r.final("y") == 2.0, boost::test_tools::tolerance(1e-9));
    BOOST_TEST(log.text() == "start finish ");
  }
  // Also after a failure.
  const Log log;
  const Run r = run_native(counters(log) + "model M Counter c = Counter(3); Real y = at(c, 10*time); end M;");
  BOOST_REQUIRE(r.compiled);
  BOOST_TEST(!r.ended());
  BOOST_TEST(r.message().find("too far") != std::string::npos, r.message());
  BOOST_TEST(r.result.trajectory.rows() > 5u);
  BOOST_TEST(log.text() == "start finish ");
}

BOOST_AUTO_TEST_CASE(an_object_that_was_not_made) {
  const Log log;
  const Run r = run_native(counters(log) + "model M Counter c = Counter(-3); Real y = at(c, time); end M;");
  BOOST_REQUIRE(r.compiled);
  BOOST_TEST(!r.ended());
  BOOST_TEST(r.message().find("start has made no object") != std::string::npos, r.message());
  BOOST_TEST(log.text() == "start ");
}

BOOST_AUTO_TEST_CASE(a_destructor_that_crashes_is_told_of) {
  const Run r = run_native("class C extends ExternalObject; function constructor input Real x; output C c; external \"C\" c = make(x) annotation (Include = \"void *make(double x) { return (void *)8; }\"); end constructor; "
                           "function destructor input C c; external \"C\" end_it(c) annotation (Include = \"void end_it(void *c) { *(int *)c = 0; }\"); end destructor; end C; "
                           "function at input C c; input Real u; output Real y; external \"C\" y = at(c, u) annotation (Include = \"double at(void *c, double u) { return u; }\"); end at; "
                           "model M C c = C(1); Real y = at(c, time); end M;");
  BOOST_REQUIRE_MESSAGE(r.compiled, r.diagnostics);
  BOOST_TEST(!r.ended());
  BOOST_TEST(r.message().find("an external object cannot be destroyed: end_it crashes") != std::string::npos, r.message());
  BOOST_TEST(r.final("y") == 1);
}

// As IBPSA has it: each function includes a file of its own, and these call each other. They are one program, with one of each static variable.
BOOST_AUTO_TEST_CASE(the_code_of_an_object_in_several_texts) {
  const auto model = [](const std::string& of_at) {
    return "class C extends ExternalObject; function constructor input Real x; output C c; external \"C\" c = make(x) annotation (Include = "
           "\"#include <stdlib.h>\nstatic int made = 0; void drop(void *); double value(void *c) { return *(double *)c; } int count(void) { return made; }\n"
           "void *make(double x) { double *c = malloc(sizeof *c); made++; if (x < 0) { drop(c); return 0; } *c = x; return c; }\"); end constructor; "
           "function destructor input C c; external \"C\" drop(c) annotation (Include = \"#include <stdlib.h>\nvoid drop(void *c) { free(c); }\"); end destructor; end C; "
           "function at input C c; input Real u; output Real y; external \"C\" y = at(c, u) annotation (Include = \"" + of_at + "\"); end at; "
           "function counted input C c; input Real u; output Real y; external \"C\" y = counted(c, u) annotation (Include = \"int count(void); static int calls = 0; double counted(void *c, double u) { return count() + 0*u; }\"); end counted; "
           "function valued input C c; output Real y; external \"C\" y = value(c); end valued; "
           "function twice input Real u; output Real y; external \"C\" y = twice(u) annotation (Include = \"double value(void *c); double twice(double u) { return 2*u; }\"); end twice; "
           "model M C c = C(3), d = C(4); Real y = at(c, time) + twice(time), n = counted(c, time), v = valued(d); end M;";
  };
  const Run r = run_native(model("double value(void *c); double at(void *c, double u) { return value(c)*u; }"));
  BOOST_REQUIRE_MESSAGE(r.compiled, r.diagnostics);
  check_ended(r);
  BOOST_TEST(r.final("y") == 5);
  BOOST_TEST(r.final("n") == 2);   // objects that one text makes and another one counts
  BOOST_TEST(r.final("v") == 4);   // by a function without a text of its own
  // What no text of the object has is still missing, and only that is told of.
  const Run lacking = run_native(model("double other(void *c); double at(void *c, double u) { return other(c)*u; }"));
  BOOST_TEST(!lacking.compiled);
  BOOST_TEST(lacking.diagnostics.find("the external function at cannot be called: its C code cannot be used: undefined symbol 'other'") != std::string::npos, lacking.diagnostics);
  BOOST_TEST(lacking.diagnostics.find("drop") == std::string::npos, lacking.diagnostics);
}

// The flat model is Modelica text with the same results.
BOOST_AUTO_TEST_CASE(the_flat_model_reads_back) {
  const Log log;
  const std::string model = counters(log) + "function say input Real u; output Real y; external \"C\" y = say(u) annotation (Include = \"double say(double u) { const char *s = \\\"a\\\\\\\\b\\\"; return s[1] == 92 ? 2*u : 0; }\"); end say; "
                            "model M Counter c = Counter(3); Real y = at(c, time) + say(time); end M;";
  compiler::Reading reading;
  reading.library.read_text("test.mo", model);
  compiler::Compilation compilation(reading, {"M", {}, true});
  BOOST_REQUIRE_MESSAGE(compilation.flat(), reading.said());
  const std::string text = compiler::print(*compilation.flat());
  const Run again = run_native(text);
  BOOST_REQUIRE_MESSAGE(again.ended(), text + again.diagnostics + again.message());
  BOOST_TEST(again.final("y") == 5);
  BOOST_TEST(log.text() == "start finish ");
}

// An impure function counts its own calls: one for each event.
BOOST_AUTO_TEST_CASE(an_impure_function_acts_once_where_it_counts) {
  const Run r = run_native("impure function next output Integer n; external \"C\" n = next() annotation (Include = \"int next(void) { static int n = 0; return ++n; }\"); end next; "
                           "model M discrete Integer n(start = 0, fixed = true); equation when sample(0.125, 0.25) then n = next(); end when; end M;");
  check_ended(r);
  BOOST_TEST(r.final("n") == 4);
}

BOOST_AUTO_TEST_CASE(what_goes_wrong_is_told) {
  const auto told = [](const std::string& body, const std::string& words) {
    const Run r = run_native("function f input Real u; output Real y; external \"C\" y = f(u) annotation (Include = \"#include <stdlib.h>\n#include <math.h>\n" + body + "\"); end f;\n"
                             "model M Real x(start = 0, fixed = true); Real y; equation der(x) = 1; y = f(x); end M;");
    BOOST_REQUIRE_MESSAGE(r.compiled, r.diagnostics);
    BOOST_TEST(!r.ended());
    BOOST_TEST(r.message().find(words) != std::string::npos, r.message());
    BOOST_REQUIRE(!r.result.messages.empty());
    BOOST_REQUIRE(r.result.messages.back().origin != runtime::none);
    BOOST_TEST(r.program.origins[r.result.messages.back().origin].at.line > 0u);
    // Rows up to there.
    const auto& t = r.result.trajectory;
    BOOST_REQUIRE(t.rows() >= 10u);
    BOOST_TEST(t.values[(t.rows() - 1)*t.width()] <= 0.51);
    for (std::size_t k = 0; k < t.rows(); ++k) BOOST_TEST(t.values[k*t.width()] == r.at("x", t.values[k*t.width()]), boost::test_tools::tolerance(1e-9));
  };
  told("double f(double u) { if (u > 0.5) *(double *)8 = u; return u; }", "f crashes: it reaches for memory that is not its own (SIGSEGV)");
  told("double f(double u) { int n = 1, m = u <= 0.5; if (u > 0.5) n = n/m; return u; }", "(SIGFPE)");
  told("double f(double u) { if (u > 0.5) exit(2); return u; }", "f ends the process by exit(2)");
  told("double f(double u) { if (u > 0.5) abort(); return u; }", "f gives up by abort() (SIGABRT)");
  told("double f(double u) { return u > 0.5 ? NAN : u; }", "no number");
}

// It is left when the run is to end, and the run has not failed.
BOOST_AUTO_TEST_CASE(a_loop_without_end_is_left) {
  const Log log;
  std::atomic<bool> flag = false;
  std::thread watcher([&] {   // until the code is in its loop
    while (log.text().empty()) ::usleep(1000);
    flag = true;
  });
  const Run r = run_native("function f input Real u; output Real y; external \"C\" y = f(u) annotation (Include = \"#include <stdio.h>\n"
                           "double f(double u) { if (u > 0.5) { FILE *l = fopen(\\\"" + log.path + "\\\", \\\"a\\\"); fputs(\\\"here\\\", l); fclose(l); for (;;) ; } return u; }\"); end f;\n"
                           "model M Real x(start = 0, fixed = true); Real y; equation der(x) = 1; y = f(x); end M;", {.interrupt = &flag});
  watcher.join();
  BOOST_REQUIRE_MESSAGE(r.compiled, r.diagnostics);
  BOOST_TEST(int(r.result.ending) == int(runtime::Ending::interrupted));
  BOOST_TEST(r.result.trajectory.rows() >= 10u);
}

BOOST_AUTO_TEST_SUITE_END()
