// Where all is found from the states as at an event, the initial system is their start values and that order behind them. It must be what sorting
// it by itself finds.

#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "analyse_support.hpp"

using namespace test;

namespace {

/// Nothing that the other equations know of, but something that events alone change.
const std::string sorted_by_itself = " when time > 1e6 then other_n = pre(other_n) + 1; end when;";

Run plain(const std::string& declarations, const std::string& equations) { return run(declarations + " equation " + equations); }
Run sorted(const std::string& declarations, const std::string& equations) { return run("discrete Real other_n(start = 0, fixed = true); " + declarations + " equation " + equations + sorted_by_itself); }
bool goes_on(const Run& r) { return r.analysed.system && r.analysed.system->initial_goes_on; }

}  // namespace

BOOST_AUTO_TEST_SUITE(initial_order)

BOOST_AUTO_TEST_CASE(finds_what_sorting_it_finds) {
  struct Model {
    std::string declarations, equations;
    std::vector<std::string> names;
  };
  const std::vector<Model> models{
      {"Real x(start = 2, fixed = true), y, z; parameter Real p = 3;", "der(x) = -y; y = z + p; z = x^2;", {"x", "y", "z", "der(x)"}},
      {"Real x(start = p), y(start = 2*q), c; parameter Real p = 3, q = p + 1;", "der(x) = y; der(y) = -c*x; c = 2*p;", {"x", "y", "c", "der(x)", "der(y)"}},
      {"Real x(min = 2), y(max = -1), z;", "der(x) = 1; der(y) = x; z = x*y;", {"x", "y", "z"}},
      {"Real x(start = 1), i1, i2, i3;", "i1 = i2 + i3; x = 2*i2 + 3*i1; 5*i3 = 2*i2; der(x) = -i1;", {"x", "i1", "i2", "i3", "der(x)"}},
      {"Real x[50](each start = 1), s;", "for i in 1:50 loop der(x[i]) = -i/50*s; end for; s = x[1]*x[50];", {"x[1]", "x[50]", "s", "der(x[17])"}},
      {"Real x(start = 1), b, c;", "der(x) = -b; b = if noEvent(x > 0.5) then x else 2*x; c = sign(x)*b;", {"x", "b", "c"}},
      {"Real y, z;", "y = time + 1; z = y^2;", {"y", "z"}},
  };
  for (const Model& m : models) {
    const Run one = plain(m.declarations, m.equations), two = sorted(m.declarations, m.equations);
    BOOST_TEST_CONTEXT(m.equations) {
      BOOST_TEST(!goes_on(two));
      BOOST_REQUIRE_MESSAGE(one.result.ending == mosim::runtime::Ending::stop_time && two.result.ending == mosim::runtime::Ending::stop_time, one.failures() + two.failures());
      for (const std::string& name : m.names) BOOST_TEST(one.first(name) == two.first(name), name);
    }
  }
  for (const Model& m : models) BOOST_TEST(goes_on(plain(m.declarations, m.equations)), m.equations);
}

BOOST_AUTO_TEST_CASE(says_which_start_values_were_taken) {
  const auto assumed = [](const Run& r) {
    std::vector<std::string> names;
    for (const auto& a : r.analysed.system->assumed_starts) names.push_back(r.analysed.system->model.variable(a.variable).name);
    return names;
  };
  const std::string states = "Real a, b(start = 1), c(start = 2, fixed = true), d, e(start = 3);", equations = "der(a) = b; der(b) = c; der(c) = d; der(d) = e; der(e) = -a;";
  const Run one = plain(states, equations), two = sorted(states, equations);
  BOOST_REQUIRE(goes_on(one));
  BOOST_TEST(assumed(one) == (std::vector<std::string>{"b", "e", "a", "d"}), boost::test_tools::per_element());
  BOOST_TEST(assumed(one) == assumed(two), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(is_sorted_where_something_else_gives_a_value) {
  for (const auto& [declarations, equations] : std::vector<std::pair<std::string, std::string>>{
           {"Real x; initial equation x = 3;", "der(x) = -x;"},
           {"Real x, y(start = 3, fixed = true);", "der(x) = -y; y = 2*x + 1;"},
           {"parameter Real p(fixed = false, start = 1); Real x(start = 1, fixed = true); initial equation der(x) = 4;", "der(x) = -p*x;"},
           {"Real x(start = 1);", "der(x) = if initial() then 1 else 2;"},
           {"Real x(start = 1);", "der(x) = homotopy(x, 1);"},
           {"Real x(start = 1), y(start = 1);", "der(x) = -x; y^3 + y = x;"},
           {"Real x(start = 1);", "der(x) = if x > 0.5 then 1 else 2;"}})
    BOOST_TEST(!goes_on(plain(declarations, equations)), equations);
}

BOOST_AUTO_TEST_SUITE_END()
