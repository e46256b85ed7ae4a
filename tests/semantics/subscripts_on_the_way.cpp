// In functions, a subscript outside of its array is a fault of the run where the run may not come there: what is handed in decides
// (MLS 10.5.1). Where it comes for certain, it is told before the run.

#include <boost/test/unit_test.hpp>

#include "tests/semantics/support.hpp"

using namespace mosim::tests;

namespace {

const std::string counts = "while k < u loop k := k + 1; end while; ";   // so that the function is code

/// f(time, {3}), with these statements.
Run of(const std::string& statements, const std::string& argument = "{3}") {
  return run("function g input Real X[:]; output Real y; algorithm y := X[1] + X[2]; end g; "
             "function f input Real u; input Real X[:]; output Real y; protected Integer k = 0; Real Z[3]; algorithm Z := fill(1, 3); " +
             statements + " end f; model M Real y = f(time, " + argument + "); end M;");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(subscripts_on_the_way)

BOOST_AUTO_TEST_CASE(where_the_run_does_not_come) {
  for (const std::string& before : {std::string(), counts}) {
    for (const char* rest : {"if u > 5 then y := X[2]; else y := X[1]; end if;", "y := if u > 5 then X[2] else X[1];", "if u > 5 then y := g(X); else y := X[1]; end if;",
                             "if u > 5 then Z[4] := 1; end if; y := X[1];", "y := X[1]; if u < 5 then return; end if; y := X[2];"}) {
      const Run r = of(before + rest);
      BOOST_REQUIRE_MESSAGE(r.ended(), before + rest << "\n" << r.message() + r.diagnostics);
      BOOST_TEST(r.final("y") == 3);
    }
    const Run empty = of(before + "if u > 5 then y := X[1]; else y := 4; end if;", "fill(0.0, 0)");
    BOOST_REQUIRE_MESSAGE(empty.ended(), empty.message() + empty.diagnostics);
    BOOST_TEST(empty.final("y") == 4);
  }
}

BOOST_AUTO_TEST_CASE(where_it_comes) {
  for (const std::string& before : {std::string(), counts}) {
    for (const char* rest : {"if u > 0.5 then y := X[2]; else y := X[1]; end if;", "y := if u > 0.5 then X[2] else X[1];", "if u > 0.5 then y := g(X); else y := X[1]; end if;",
                             "y := X[1]; if u < 0.5 then return; end if; y := X[2];"}) {
      const Run r = of(before + rest);
      BOOST_TEST(!r.ended(), before + rest);
      BOOST_TEST(r.message().find("the subscript 2 of X lies outside 1:1") != std::string::npos, before + rest << "\n" << r.message() + r.diagnostics);
    }
    const Run assigned = of(before + "if u > 0.5 then Z[4] := 1; end if; y := X[1];");
    BOOST_TEST(assigned.message().find("the subscript 4 of Z lies outside 1:3") != std::string::npos, assigned.message() + assigned.diagnostics);
  }
}

BOOST_AUTO_TEST_CASE(for_certain) {
  for (const std::string& before : {std::string(), counts}) {
    const Run r = of(before + "y := X[2];");
    BOOST_TEST(r.diagnostics.find("error: the subscript 2 of X lies outside 1:1") != std::string::npos, r.message() + r.diagnostics);
  }
}

BOOST_AUTO_TEST_SUITE_END()
