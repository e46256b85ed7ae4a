// Where a program's memory comes from (cli/main.cpp).

#include <boost/test/unit_test.hpp>

#include <fmt/format.h>

#include "tests/cli/folder.hpp"

using namespace mosim::tests;

#ifdef HEAP_END
namespace {

constexpr const char* many_states = R"(model Many
  parameter Integer n = 20000;
  Real x[n](each start = 1, each fixed = true);
equation
  for i in 1:n loop
    der(x[i]) = -i/n*x[i];
  end for;
end Many;
)";

}  // namespace

BOOST_AUTO_TEST_SUITE(memory)

// The C library goes on elsewhere, and comes back to the heap where that has room again.
BOOST_AUTO_TEST_CASE(a_heap_that_cannot_grow_any_more) {
  Folder f;
  f.write("Many.mo", many_states);
  BOOST_TEST(f.run("Many.mo --stop 1e-9 -o free.csv --results 'x[20000]'").status == 0);
  for (int half = 1; half <= 48; ++half) {   // megabytes and halves
    const Ran r = f.run("Many.mo --stop 1e-9 -o ends.csv --results 'x[20000]'", fmt::format("HEAP_END={} LD_PRELOAD='{}'", half * (1 << 19), HEAP_END));
    BOOST_TEST_CONTEXT("a heap of " << half << " half megabytes: " << r.err) {
      BOOST_TEST(r.status == 0);
      BOOST_TEST(read(f.path / "ends.csv") == read(f.path / "free.csv"));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
#endif
