// Foreign C: how operands arrive in it, what comes back, and what becomes of a run when it goes wrong. Expected numbers are those
// that the C text itself computes from constants.

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <thread>

#include "foreign/process.hpp"

using namespace mosim::foreign;
using mosim::native::Environment;
using mosim::native::In;
using mosim::native::Out;
using Kind = Type::Kind;

namespace {

Parameter in(Kind kind, bool array = false) { return {{kind}, array, false}; }
Parameter out(Kind kind, bool array = false) { return {{kind}, array, true}; }

Function function(std::string name, std::string text, bool returns, std::vector<Parameter> parameters) {
  Function f;
  f.name = std::move(name);
  f.code.include = std::move(text);
  f.returns = returns;
  f.parameters = std::move(parameters);
  return f;
}

struct Called {
  std::vector<double> numbers;
  std::vector<std::string> texts;
};

/// One result of n numbers (0: of a String).
Called call(Process& process, std::size_t f, std::vector<std::vector<double>> given, std::size_t n = 1, std::vector<std::string_view> texts = {}) {
  Called c;
  c.numbers.resize(n);
  c.texts.resize(1);
  std::vector<In> ins;
  for (const auto& g : given) ins.push_back({.numbers = g, .texts = {}, .object = nullptr});
  for (const auto& t : texts) ins.push_back({.numbers = {}, .texts = {&t, 1}, .object = nullptr});
  std::vector<Out> outs{{.numbers = c.numbers, .texts = n ? nullptr : &c.texts, .object = nullptr}};
  Environment environment;
  process.call(f, ins, outs, environment);
  return c;
}

std::string failure(const std::function<void()>& act) {
  try {
    act();
  } catch (const mosim::native::Error& error) {
    return error.what();
  }
  return "it did not fail";
}

void check_says(const std::string& said, const std::string& words) { BOOST_TEST(said.find(words) != std::string::npos, said); }

}  // namespace

BOOST_AUTO_TEST_SUITE(process)

BOOST_AUTO_TEST_CASE(scalars_and_sizes) {
  auto p = std::make_shared<Process>();
  const auto f = p->add(function("f", "double f(double x, int n, int b, size_t m) { return x + 10*n + 100*b + 1000.0*m; }", true,
                                 {out(Kind::real), in(Kind::real), in(Kind::integer), in(Kind::boolean), in(Kind::size)}));
  BOOST_TEST(call(*p, f, {{0.5}, {-2}, {1}, {3}}).numbers[0] == 0.5 - 20 + 100 + 3000);
  check_says(failure([&] { call(*p, f, {{0}, {3e9}, {1}, {3}}); }), "no room");
  BOOST_TEST(call(*p, f, {{1}, {0}, {0}, {0}}).numbers[0] == 1);   // it goes on
}

// Row by row: element (i, j) of an n x m matrix stands at i*m + j.
BOOST_AUTO_TEST_CASE(arrays) {
  auto p = std::make_shared<Process>();
  const auto transpose = p->add(function("turn", "void turn(const double *a, size_t n, size_t m, double *t) { for (size_t i = 0; i < n; i++) for (size_t j = 0; j < m; j++) t[j*n + i] = a[i*m + j]; }",
                                         false, {in(Kind::real, true), in(Kind::size), in(Kind::size), out(Kind::real, true)}));
  const std::vector<double> turned{1, 4, 2, 5, 3, 6};
  BOOST_TEST(call(*p, transpose, {{1, 2, 3, 4, 5, 6}, {2}, {3}}, 6).numbers == turned);
  const auto is_there = p->add(function("is_there", "int is_there(const double *a, size_t n) { return a && n == 0; }", true, {out(Kind::boolean), in(Kind::real, true), in(Kind::size)}));
  BOOST_TEST(call(*p, is_there, {{}, {0}}).numbers[0] == 1);
  const auto is_odd = p->add(function("odd", "void odd(const int *a, size_t n, int *b) { while (n--) b[n] = a[n] & 4; }", false, {in(Kind::integer, true), in(Kind::size), out(Kind::boolean, true)}));
  const std::vector<double> flags{0, 1, 1};
  BOOST_TEST(call(*p, is_odd, {{3, 4, 7}, {3}}, 3).numbers == flags);
}

BOOST_AUTO_TEST_CASE(texts) {
  auto p = std::make_shared<Process>();
  const auto twice = p->add(function("twice", "#include <ModelicaUtilities.h>\n#include <string.h>\nconst char *twice(const char *s) { char *t = ModelicaAllocateString(2*strlen(s)); strcpy(t, s); return strcat(t, s); }",
                                     true, {out(Kind::string), in(Kind::string)}));
  BOOST_TEST(call(*p, twice, {}, 0, {"ho\xc3\xa9"}).texts[0] == "ho\xc3\xa9ho\xc3\xa9");
  const auto same = p->add(function("same", "const char *same(const char *s) { return s; }", true, {out(Kind::string), in(Kind::string)}));
  BOOST_TEST(call(*p, same, {}, 0, {"x"}).texts[0] == "x");
  const auto pointer = p->add(function("give", "void give(const char **s) { *s = \"literal\"; }", false, {out(Kind::string)}));
  BOOST_TEST(call(*p, pointer, {}, 0).texts[0] == "literal");
  const auto none = p->add(function("none", "const char *none(void) { return 0; }", true, {out(Kind::string)}));
  check_says(failure([&] { call(*p, none, {}, 0); }), "null pointer");
}

// struct R { double x; struct { int b; double z; } a; int n; }: what the compiler's own alignment makes of it.
BOOST_AUTO_TEST_CASE(records) {
  auto p = std::make_shared<Process>();
  const Type inner{Kind::record, {{Kind::boolean}, {Kind::real}}}, outer{Kind::record, {{Kind::real}, inner, {Kind::integer}}};
  const std::string text = "typedef struct { double x; struct { int b; double z; } a; int n; } R;\n";
  const auto read = p->add(function("read", text + "double read(const R *r) { return r->x + 10*r->a.b + 100*r->a.z + 1000*r->n; }", true, {out(Kind::real), {outer, false, false}}));
  BOOST_TEST(call(*p, read, {{1}, {1}, {2}, {3}}).numbers[0] == 1 + 10 + 200 + 3000);
  const auto array = p->add(function("all", text + "double all(const R *r, size_t n) { double s = 0; while (n--) s = 10*s + r[n].a.z; return s; }", true, {out(Kind::real), {outer, true, false}, in(Kind::size)}));
  BOOST_TEST(call(*p, array, {{0, 0, 0}, {0, 0, 0}, {1, 2, 3}, {7, 7, 7}, {3}}).numbers[0] == 321);
  // Returned by its value, and written by its address.
  for (const bool returned : {true, false}) {
    const auto make = p->add(function("make", text + (returned ? "R make(void) { R r = {1.5, {7, 2.5}, -4}; return r; }" : "void make(R *r) { r->x = 1.5; r->a.b = 1; r->a.z = 2.5; r->n = -4; }"),
                                      returned, {{outer, false, true}}));
    double x = 0, b = 0, z = 0, n = 0;
    std::vector<Out> outs;
    for (double* to : {&x, &b, &z, &n}) outs.push_back({.numbers = {to, 1}, .texts = nullptr, .object = nullptr});
    Environment environment;
    p->call(make, {}, outs, environment);
    BOOST_TEST(x == 1.5);
    BOOST_TEST(b == 1);
    BOOST_TEST(z == 2.5);
    BOOST_TEST(n == -4);
  }
}

// Made, used and destroyed once each; functions of one text share its variables.
BOOST_AUTO_TEST_CASE(objects) {
  const std::string text = "#include <stdlib.h>\n#include <stdio.h>\nstatic int alive = 0;\nstatic void *make(double x) { double *o = malloc(sizeof *o); *o = x; alive++; return x > 0 ? o : 0; }\n"
                           "static void end(void *o) { alive--; free(o); }\nstatic double value(void *o) { return *(double *)o + 100*alive; }\nstatic int count(void) { return alive; }\n";
  auto p = std::make_shared<Process>();
  const auto make = p->add(function("make", text, true, {out(Kind::object), in(Kind::real)})), end = p->add(function("end", text, false, {in(Kind::object)}));
  const auto value = p->add(function("value", text, true, {out(Kind::real), in(Kind::object)})), count = p->add(function("count", text, true, {out(Kind::integer)}));
  Environment environment;
  std::unique_ptr<mosim::native::Object> object, nothing;
  const auto construct = [&](double x, std::unique_ptr<mosim::native::Object>& to) {
    std::vector<Out> outs{{.numbers = {}, .texts = nullptr, .object = &to}};
    const std::vector<In> ins{{.numbers = {&x, 1}, .texts = {}, .object = nullptr}};
    p->call(make, ins, outs, environment, end);
  };
  construct(5, object);
  BOOST_REQUIRE(object);
  construct(-1, nothing);
  BOOST_TEST(!nothing);
  double x = 0;
  std::vector<Out> outs{{.numbers = {&x, 1}, .texts = nullptr, .object = nullptr}};
  std::vector<In> ins{{.numbers = {}, .texts = {}, .object = object.get()}};
  p->call(value, ins, outs, environment);
  BOOST_TEST(x == 205);
  ins[0].object = nullptr;
  check_says(failure([&] { p->call(value, ins, outs, environment); }), "an object that there is not");
  object.reset();
  BOOST_TEST(call(*p, count, {}).numbers[0] == 1);   // the one that came to nothing
}

BOOST_AUTO_TEST_CASE(modelica_error_and_messages) {
  auto p = std::make_shared<Process>();
  const auto f = p->add(function("f", "#include \"ModelicaUtilities.h\"\ndouble f(double x) { if (x < 0) ModelicaFormatError(\"%g is %s\", x, \"negative\"); ModelicaFormatMessage(\"x = %d\\n\", 7); ModelicaWarning(\"oh\"); return x; }",
                                 true, {out(Kind::real), in(Kind::real)}));
  BOOST_TEST(failure([&] { call(*p, f, {{-2}}); }) == "-2 is negative");
  std::string printed, warned;
  Environment environment{.print = [&](std::string_view t) { printed += t; }, .warn = [&](std::string_view t) { warned += t; }};
  double x = 3, y = 0;
  const std::vector<In> ins{{.numbers = {&x, 1}, .texts = {}, .object = nullptr}};
  std::vector<Out> outs{{.numbers = {&y, 1}, .texts = nullptr, .object = nullptr}};
  p->call(f, ins, outs, environment);
  BOOST_TEST(y == 3);
  BOOST_TEST(printed == "x = 7\n");
  BOOST_TEST(warned == "oh");
  // As a failed assertion of level warning, once.
  p->call(f, ins, outs, environment);
  BOOST_TEST(printed == "x = 7\nx = 7\n");
  BOOST_TEST(warned == "oh");
}

BOOST_AUTO_TEST_CASE(code_that_cannot_be_used) {
  auto p = std::make_shared<Process>();
  const auto refused = [&](const std::string& text) {
    const auto f = p->add(function("f", text, true, {out(Kind::real)}));
    return failure([&] { p->check(f); });
  };
  check_says(refused("\ndouble f(void) { return 1 }"), "Include:2: ';' expected");
  check_says(refused("double g(void) { return 1; }"), "no function f");
  check_says(refused("double f(void) { return gone(1); }"), "the function 'gone' is not declared");
  check_says(refused("double gone(double);\ndouble f(void) { return gone(1); }"), "undefined symbol 'gone'");
  check_says(refused("#include \"none.h\"\n"), "include file 'none.h' not found");
  check_says(refused(""), "neither an Include nor a Library");
  Function library = function("f", "", true, {out(Kind::real)});
  library.code.libraries = {"there_is_none"};
  library.code.library_folders = {"/a", "/b"};
  const auto f = p->add(library);
  check_says(failure([&] { p->check(f); }), "there is no library libthere_is_none.so or libthere_is_none.a in /a, /b");
  library.code.libraries = {"m"};
  const auto g = p->add(library);
  check_says(failure([&] { p->check(g); }), "the library m has no function f");
}

BOOST_AUTO_TEST_CASE(the_c_library) {
  auto p = std::make_shared<Process>();
  const auto f = p->add(function("hypot", "", true, {out(Kind::real), in(Kind::real), in(Kind::real)}));
  BOOST_TEST(call(*p, f, {{3}, {4}}).numbers[0] == 5);
}

// probe(x) is 3x, and a ModelicaError below 0. A prototype may stand in the Include, or not.
BOOST_AUTO_TEST_CASE(libraries) {
  for (const std::string library : {"probe", "still"})
    for (const std::string include : {"", "double probe(double);"}) {
      auto p = std::make_shared<Process>();
      Function f = function("probe", include, true, {out(Kind::real), in(Kind::real)});
      f.code.libraries = {library};
      f.code.library_folders = {LIBRARIES};
      const auto number = p->add(f);
      BOOST_TEST(call(*p, number, {{1.5}}).numbers[0] == 4.5);
      BOOST_TEST(failure([&] { call(*p, number, {{-1}}); }) == "negative");
      f.name = "other";
      f.code.include = "";
      const auto missing = p->add(f);
      check_says(failure([&] { p->check(missing); }), "the library " + library + " has no function other");
    }
}

BOOST_AUTO_TEST_CASE(code_that_ends_badly) {
  const auto ends = [&](const std::string& text) {
    auto p = std::make_shared<Process>();
    const auto f = p->add(function("f", text, true, {out(Kind::integer), in(Kind::integer)}));
    const auto good = p->add(function("good", "int good(int n) { return n; }", true, {out(Kind::integer), in(Kind::integer)}));
    BOOST_TEST(call(*p, good, {{4}}).numbers[0] == 4);
    const std::string first = failure([&] { call(*p, f, {{0}}); });
    BOOST_TEST(failure([&] { call(*p, good, {{0}}); }) == first);
    return first;
  };
  check_says(ends("int f(int n) { int *p = (int *)8; return p[n]; }"), "f crashes: it reaches for memory that is not its own (SIGSEGV)");
  check_says(ends("int f(int n) { return 1/n; }"), "(SIGFPE)");
  check_says(ends("#include <stdlib.h>\nint f(int n) { abort(); }"), "f gives up by abort() (SIGABRT)");
  check_says(ends("#include <stdlib.h>\nint f(int n) { exit(3); }"), "f ends the process by exit(3)");
  check_says(ends("#include <unistd.h>\nint f(int n) { _exit(4); }"), "f ends the process, with status 4");
  check_says(ends("int f(int n) { char a[1000]; a[n] = 1; return f(n + a[0]); }"), "SIGSEGV");
}

BOOST_AUTO_TEST_CASE(a_loop_is_left_when_the_flag_says_so) {
  auto p = std::make_shared<Process>();
  std::atomic<bool> flag = false;
  p->stop_by(&flag);
  const auto f = p->add(function("f", "int f(int n) { for (;;) n++; return n; }", true, {out(Kind::integer), in(Kind::integer)}));
  p->check(f);
  std::thread later([&] { flag = true; });
  BOOST_CHECK_THROW(call(*p, f, {{0}}), Stopped);
  later.join();
}

BOOST_AUTO_TEST_SUITE_END()
