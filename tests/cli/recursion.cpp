// A function that calls itself goes on for long without a loop: it can be ended all the same.

#include <boost/test/unit_test.hpp>

#include "tests/cli/folder.hpp"

using namespace mosim::tests;

BOOST_AUTO_TEST_CASE(a_function_that_calls_itself_ends_with_the_time_limit) {
  Folder f;
  f.write("F.mo", R"(function fibonacci
  input Integer n;
  output Integer y;
algorithm
  y := if n < 2 then n else fibonacci(n - 1) + fibonacci(n - 2);
end fibonacci;
model F
  Integer n(start = 44, fixed = true);
  Integer y = fibonacci(n);
equation
  when time > 0.5 then
    n = 45;
  end when;
end F;
)");
  const Ran r = f.run("F.mo -o none --time-limit 0.3");
  BOOST_TEST(r.status == 124);
  BOOST_TEST(contains(r.out, "interrupted"));
}
