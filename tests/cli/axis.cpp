// The labels of a value axis: what they say is where they stand, and no two are the same, however little a curve changes.

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <set>

#include "cli/plot/axis.hpp"
#include "tests/cli/child.hpp"

using namespace mosim;
using namespace mosim::tests;

BOOST_AUTO_TEST_SUITE(axis)

BOOST_AUTO_TEST_CASE(labels_are_distinct_and_true) {
  for (const double middle : {0.0, 1.0, -3.7, 101325.0, -101325.25, 1e6, 12345678.0, 6.02e23, -1e-19})
    for (const double part : {1e-13, 1e-11, 1e-9, 1e-6, 1e-3, 0.3, 2.0})
      for (const int columns : {5, 9, 20}) {
        const double half = part*(middle == 0 ? 1 : std::abs(middle));
        report::Panel panel{};
        panel.low = middle - half;
        panel.high = middle + 0.8*half;
        const double step = cli::tick_step(panel, 7);
        const cli::Axis axis = cli::label_axis(panel, step, columns);
        BOOST_TEST_CONTEXT(middle << " +- " << half << " in " << columns) {
          BOOST_TEST(axis.ticks.size() >= 2u);
          std::set<std::string> labels;
          for (const report::Tick& t : axis.ticks) {
            BOOST_TEST(labels.insert(t.label).second, t.label);
            BOOST_TEST(std::abs(axis.base + std::strtod(t.label.c_str(), nullptr) - t.value) <= 0.01*step + 4e-16*std::abs(middle), t.label);
            BOOST_TEST(t.value >= panel.low - 0.01*step);
            BOOST_TEST(t.value <= panel.high + 0.01*step);
            if (columns == 9) BOOST_TEST(t.label.size() <= 9u, t.label);
          }
        }
      }
}

BOOST_AUTO_TEST_CASE(a_pressure_that_hardly_changes) {
  Folder f;
  f.write("M.mo", "model M Real p = 101325 + 1e-3*sin(6*time); end M;");
  const std::string drawn = f.run("M.mo --quiet -o none --plot p", "COLUMNS=80 LINES=24 LC_ALL=C.UTF-8").out;
  BOOST_TEST(contains(drawn, "values: 101325 and what the axis adds"), drawn);
  BOOST_TEST(contains(drawn, "+0.001 "), drawn);
  BOOST_TEST(contains(drawn, "-0.001 "), drawn);
  BOOST_TEST(!contains(drawn, "1.013"), drawn);
  // In a picture as well.
  BOOST_TEST(f.run("M.mo --quiet -o none --plot p --plot-to p.svg").status == 0);
  const std::string svg = read(f.path / "p.svg");
  BOOST_TEST(contains(svg, "101325 +"));
  BOOST_TEST(contains(svg, "+0.001"));
}

BOOST_AUTO_TEST_SUITE_END()
