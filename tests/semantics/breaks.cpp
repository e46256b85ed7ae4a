// Break in loops with several iterators, which are loops within each other (MLS 11.2.2.3, 11.2.4): it leaves the innermost one. In functions
// that become their results, in those that are code, and in algorithms of models. Expected numbers are sums written out.

#include <boost/test/unit_test.hpp>

#include "tests/semantics/support.hpp"

using namespace mosim::tests;

BOOST_AUTO_TEST_SUITE(breaks)

BOOST_AUTO_TEST_CASE(the_innermost_of_several_iterators) {
  const std::string body = "s := 0; for i in 1:3, j in 1:4 loop if j > n then break; end if; s := s + 10*i + j; end for; ";
  const Run r = run("model M function f input Integer n; output Integer s; algorithm " + body + "end f; "
                    "Integer n = integer(3*time) + 1; Integer s; Integer known = f(1); Integer called = f(n); algorithm " + body + "end M;", 0.9);
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  const double one = 11 + 21 + 31, three = 11 + 12 + 13 + 21 + 22 + 23 + 31 + 32 + 33;
  for (const char* v : {"s", "called", "known"}) BOOST_TEST(r.initial(v) == one, v);
  for (const char* v : {"s", "called"}) BOOST_TEST(r.final(v) == three, v);
}

BOOST_AUTO_TEST_CASE(the_innermost_of_several_iterators_in_code) {
  const Run r = run("model M function f input Integer m, n; output Integer s; algorithm s := 0; for i in 1:m, j in 1:4 loop if j > n then break; end if; s := s + 10*i + j; end for; end f; "
                    "Integer n = integer(3*time) + 1; Integer s = f(n, n); end M;", 0.9);
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  BOOST_TEST(r.initial("s") == 11);
  BOOST_TEST(r.final("s") == 11 + 12 + 13 + 21 + 22 + 23 + 31 + 32 + 33);
}

BOOST_AUTO_TEST_CASE(ways_that_leave_and_come_together) {
  // Conditions that the run alone knows, in loops within loops: in C++, in a function and in a model.
  const std::string body = "s := 0; for i in 1:4 loop for j in 1:3 loop if j > n then s := s + 1; break; elseif i + j == 2*n then s := s + 100; "
                           "if i > 2 then break; end if; else s := 2*s; end if; s := s + j; end for; if s > 300 then break; end if; end for; s := s + n; ";
  const auto expected = [](int n) {
    int s = 0;
    for (int i = 1; i <= 4; ++i) {
      for (int j = 1; j <= 3; ++j) {
        if (j > n) {
          ++s;
          break;
        }
        if (i + j == 2*n) {
          s += 100;
          if (i > 2) break;
        } else {
          s *= 2;
        }
        s += j;
      }
      if (s > 300) break;
    }
    return s + n;
  };
  for (int n = 0; n < 5; ++n) {
    const Run r = run("model M function f input Integer n; output Integer s; algorithm " + body + "end f; Integer n = integer(time) + " + std::to_string(n) +
                      "; Integer s; Integer known = f(" + std::to_string(n) + "); Integer called = f(n); algorithm " + body + "end M;", 0.5);
    BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
    for (const char* v : {"s", "called", "known"}) BOOST_TEST(r.final(v) == expected(n), v << " of " << n);
  }
}

BOOST_AUTO_TEST_SUITE_END()
