// The output grid as it is asked for, and the lines of one event in the order of the text.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "tests/cli/child.hpp"

using namespace mosim::tests;

BOOST_AUTO_TEST_SUITE(grid_and_order)

// Rows at the multiples of the interval, and the last one at the stop time: k*h, worked out here.
BOOST_AUTO_TEST_CASE(an_interval_that_does_not_divide_the_run) {
  Folder f;
  f.write("M.mo", "model M Real x(start = 1, fixed = true); equation der(x) = -x; end M;");
  struct Case {
    double start, stop, interval;
  };
  for (const Case c : {Case{0, 1, 0.3}, Case{0, 1, 0.7}, Case{0, 1, 2}, Case{1, 2, 0.4}, Case{0, 0.35, 0.1}, Case{0, 10, 0.3}, Case{0, 1, 0.25}, Case{0, 0.7, 0.1}}) {
    const Ran r = f.run("M.mo -o - --quiet --start " + std::to_string(c.start) + " --stop " + std::to_string(c.stop) + " --interval " + std::to_string(c.interval));
    BOOST_TEST_CONTEXT(c.start << " to " << c.stop << " by " << c.interval) {
      BOOST_REQUIRE(r.status == 0);
      const auto table = rows(r.out);
      std::vector<double> expected;
      for (int k = 0; c.start + k*c.interval < c.stop - 1e-9; ++k) expected.push_back(c.start + k*c.interval);
      expected.push_back(c.stop);
      BOOST_REQUIRE(table.size() == expected.size());
      for (std::size_t k = 0; k < expected.size(); ++k) {
        BOOST_TEST(std::abs(table[k][0] - expected[k]) < 1e-12);
        BOOST_TEST(std::abs(table[k][1] - std::exp(c.start - expected[k])) < 1e-5);
      }
      BOOST_TEST(table.back()[0] == c.stop);
    }
  }
  // The model's own is taken so, too.
  f.write("A.mo", "model A Real x = time; annotation(experiment(StopTime = 1, Interval = 0.4)); end A;");
  const auto own = rows(f.run("A.mo -o - --quiet").out);
  BOOST_REQUIRE(own.size() == 4u);
  BOOST_TEST(own[1][0] == 0.4);
  BOOST_TEST(own[2][0] == 0.8);
  BOOST_TEST(own[3][0] == 1);
}

BOOST_AUTO_TEST_CASE(what_is_no_number_is_told) {
  Folder f;
  f.write("M.mo", "model M Real x = time; end M;");
  const auto said = [&](const std::string& options) {
    const Ran r = f.run("M.mo -o none " + options);
    BOOST_TEST(r.status == 1);
    return r.err;
  };
  BOOST_TEST(contains(said("--stop 10s"), "--stop takes a number, in seconds and without a unit: 10s is none"));
  BOOST_TEST(contains(said("--interval=abc"), "--interval takes a number, in seconds and without a unit: abc is none"));
  BOOST_TEST(contains(said("--tolerance small"), "--tolerance takes a number: small is none"));
  BOOST_TEST(contains(said("--intervals 0.5"), "--intervals takes a whole number; the length of an interval is --interval: 0.5 is none"));
  BOOST_TEST(f.run("M.mo -o none --quiet --start -1 --stop +2.5e0 --intervals 7").status == 0);
}

// Algorithms, equations and when-clauses that need each other backwards: told as they are written.
BOOST_AUTO_TEST_CASE(when_clauses_of_one_event_are_told_in_the_order_of_the_text) {
  Folder f;
  f.write("M.mo", "model M\n  Integer a(start = 0), b(start = 0), c(start = 0);\n  Real x(start = 0, fixed = true), y(start = 0, fixed = true);\nalgorithm\n  when time > 0.5 then\n    a := b;\n  end when;\nequation\n"
                  "  der(x) = 1;\n  der(y) = 1;\n  when time > 0.5 then\n    b = c + 1;\n  end when;\n  when time > 0.5 then\n    reinit(y, 3);\n  end when;\nalgorithm\n  when time > 0.5 then\n    c := 1;\n  end when;\n"
                  "equation\n  when time > 0.5 then\n    reinit(x, 2);\n  end when;\nend M;\n");
  const std::string log = f.run("M.mo -o none --quiet --events").out;
  std::vector<int> whens, resets;
  for (std::size_t at = 0; (at = log.find("(M.mo:", at)) != std::string::npos; ++at) {
    const std::size_t begin = log.rfind('\n', at) + 1;
    const std::string line = log.substr(begin, at - begin);
    const int number = std::atoi(log.c_str() + at + 6);
    if (contains(line, " fires")) whens.push_back(number);
    if (contains(line, "reinit(")) resets.push_back(number);
  }
  BOOST_TEST((whens == std::vector<int>{5, 11, 14, 18, 22}), log);
  BOOST_TEST((resets == std::vector<int>{15, 23}), log);
}

BOOST_AUTO_TEST_SUITE_END()
