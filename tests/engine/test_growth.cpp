// Ten thousand sessions in one process: what one has taken, it gives back.

#include <boost/test/unit_test.hpp>
#include <malloc.h>

#include "tests/engine/compiled.hpp"

using namespace mosim;
using namespace mosim::tests;

BOOST_AUTO_TEST_SUITE(growth)

BOOST_AUTO_TEST_CASE(of_ten_thousand_sessions) {
#if defined(__SANITIZE_ADDRESS__)
  constexpr int sessions = 200;   // the allocator is another one; what is lost the sanitizer says
#else
  constexpr int sessions = 10'000;
#endif
  const auto once = [] {
    const auto m = compiled("model M Real h(start = 1, fixed = true); Integer n(start = 0, fixed = true); equation der(h) = -1; "
                            "when h < 0 then reinit(h, 1); n = pre(n) + 1; end when; end M;");
    const Result r = m->simulate({.stop = 1.5, .intervals = 3});
    BOOST_REQUIRE(r.events.size() == 2);
    BOOST_REQUIRE(!r.report().empty());
    Session s;
    BOOST_REQUIRE(!s.compile("Nobody"));
  };
  for (int k = 0; k < 100; ++k) once();
  const std::size_t before = mallinfo2().uordblks;
  for (int k = 0; k < sessions; ++k) once();
  const std::size_t after = mallinfo2().uordblks;
  BOOST_TEST(after < before + 10'000);   // bytes: less than one a session
}

BOOST_AUTO_TEST_SUITE_END()
