// Which values each run of a study has.

#include <algorithm>
#include <cmath>
#include <set>

#include "mosim/study.hpp"
#include "tests/engine/compiled.hpp"
#include "tests/study/refused.hpp"

using namespace mosim;
using namespace mosim::tests;

namespace {

std::shared_ptr<const Model> model() {
  static const auto m = compiled(R"(model M
  type Mode = enumeration(slow, fast, off);
  parameter Real a = 1, b = 2;
  parameter Integer n = 1;
  parameter Boolean p = false;
  parameter Mode mode = Mode.slow;
  parameter String s = "x";
  constant Real c = 1;
  Real x(start = 0, fixed = true);
equation
  der(x) = if p then a else b*n*Integer(mode);
end M;
)");
  return m;
}

using Values = std::vector<double>;

std::vector<Values> all(const Plan& plan) {
  std::vector<Values> list;
  for (std::uint64_t run = 1; run <= plan.runs(); ++run) list.push_back(plan.values(run));
  return list;
}

Values column(const std::vector<std::string>& factors, PlanOptions options, std::size_t k = 0) {
  Values values;
  for (const Values& v : all(Plan(*model(), factors, options))) values.push_back(v[k]);
  return values;
}

std::string refusal(const std::vector<std::string>& factors, PlanOptions options = {}) {
  return refused([&] { Plan(*model(), factors, options); });
}

}  // namespace

BOOST_AUTO_TEST_CASE(ranges_lists_and_literals) {
  BOOST_TEST((column({"a=0.1:0.1:0.9"}, {}) == Values{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9}));
  BOOST_TEST((column({"a = 1:-0.5:-1"}, {}) == Values{1, 0.5, 0, -0.5, -1}));
  BOOST_TEST((column({"a=0:0.4:1"}, {}) == Values{0, 0.4, 0.8}));
  BOOST_TEST((column({"a=1:3"}, {}) == Values{1, 2, 3}));
  BOOST_TEST((column({"a=0.5, 2*pi, sqrt(2)"}, {}) == Values{0.5, 2*std::acos(-1.0), std::sqrt(2.0)}));
  BOOST_TEST((column({"a={3, -1}, 7:8"}, {}) == Values{3, -1, 7, 8}));
  BOOST_TEST((column({"p=true,false"}, {}) == Values{1, 0}));
  BOOST_TEST((column({"mode=Mode.off,fast"}, {}) == Values{3, 2}));
  BOOST_TEST((column({"n=2:3"}, {}) == Values{2, 3}));
  BOOST_TEST((column({"x=5"}, {}) == Values{5}));
}

// All combinations, the last one fastest.
BOOST_AUTO_TEST_CASE(a_grid) {
  const Plan plan(*model(), {"a=1,2", "b=10,20,30"});
  BOOST_TEST((all(plan) == std::vector<Values>{{1, 10}, {1, 20}, {1, 30}, {2, 10}, {2, 20}, {2, 30}}));
  BOOST_TEST((plan.variables() == std::vector<std::string>{"a", "b"}));
}

// Among drawn values the points of the grid take turns.
BOOST_AUTO_TEST_CASE(a_grid_and_a_distribution) {
  const Plan plan(*model(), {"a=1,2", "b=normal(0,1)", "n=1:2"}, {.runs = 10});
  for (std::uint64_t run = 1; run <= 10; ++run) {
    BOOST_TEST(plan.values(run)[0] == (((run - 1) / 2) % 2 == 0 ? 1 : 2));
    BOOST_TEST(plan.values(run)[2] == (run % 2 == 1 ? 1 : 2));
  }
}

// In a Latin hypercube each N-th part of a distribution has one value, so sums over it are as good as those of the midpoint rule.
BOOST_AUTO_TEST_CASE(distributions_have_the_moments_that_they_should) {
  constexpr std::uint64_t n = 20000;
  const PlanOptions latin{.runs = n, .sampling = Sampling::latin_hypercube};
  struct Case {
    const char* written;
    double mean, variance;
  };
  const double e = std::exp(1.0), gamma15 = std::tgamma(1.5);
  for (const Case& c : {Case{"uniform(2, 6)", 4, 16.0/12}, Case{"normal(3, 0.5)", 3, 0.25}, Case{"lognormal(0, 0.2)", std::exp(0.02), (std::exp(0.04) - 1)*std::exp(0.04)},
                        Case{"triangular(0, 1, 4)", 5.0/3, (0.0 + 1 + 16 - 0 - 0 - 4)/18}, Case{"exponential(2)", 2, 4}, Case{"weibull(2, 3)", 3*gamma15, 9*(1 - gamma15*gamma15)},
                        Case{"beta(2, 3)", 0.4, 0.04}, Case{"loguniform(1, exp(1))", e - 1, (e*e - 1)/2 - (e - 1)*(e - 1)}}) {
    BOOST_TEST_CONTEXT(c.written) {
      const Values values = column({std::string("a=") + c.written}, latin);
      double mean = 0, variance = 0;
      for (const double x : values) mean += x/n;
      for (const double x : values) variance += (x - mean)*(x - mean)/n;
      BOOST_TEST(std::fabs(mean - c.mean) < 1e-3*c.mean);
      BOOST_TEST(std::fabs(variance - c.variance) < 1e-2*c.variance);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_latin_hypercube_has_one_value_in_each_part) {
  Values values = column({"a=uniform(0, 1)"}, {.runs = 50, .sampling = Sampling::latin_hypercube, .seed = 3});
  BOOST_TEST(!std::is_sorted(values.begin(), values.end()));
  std::sort(values.begin(), values.end());
  for (std::size_t k = 0; k < values.size(); ++k) BOOST_TEST(std::size_t(values[k]*50) == k);
}

BOOST_AUTO_TEST_CASE(what_is_drawn_depends_on_the_seed_and_the_factor) {
  const std::vector<std::string> factors{"a=uniform(0,1)", "b=uniform(0,1)"};
  const Values first = column(factors, {.runs = 20}), longer = column(factors, {.runs = 40});
  BOOST_TEST((Values(longer.begin(), longer.begin() + 20) == first));   // Monte Carlo: more runs begin with the same
  BOOST_TEST((column(factors, {.runs = 20}) == first));
  BOOST_TEST((column(factors, {.runs = 20, .seed = 2}) != first));
  BOOST_TEST((column(factors, {.runs = 20}, 1) != first));
  BOOST_TEST((column(factors, {.runs = 20, .seed = std::uint64_t(1) << 32}) != first));
  for (const double x : longer) BOOST_TEST((x > 0 && x < 1));
}

BOOST_AUTO_TEST_CASE(tables) {
  const Plan plan = Plan::table(*model(), "\xEF\xBB\xBF" "a,\"p\",mode\r\n1.5,true,Mode.fast\r\n-2e3,0,3\n\n");
  BOOST_TEST((all(plan) == std::vector<Values>{{1.5, 1, 2}, {-2000, 0, 3}}));
  const auto wrong = [](const char* csv) { return refused([&] { Plan::table(*model(), csv); }); };
  BOOST_TEST(wrong("") == "the table is empty; its first line has the variables' names");
  BOOST_TEST(wrong("a\n") == "a study has at least one run");
  BOOST_TEST(wrong("a,b\n1,2\n3\n") == "line 3 of the table has 1 values, and its first line 2 names");
  BOOST_TEST(wrong("a\n1\nfast\n") == "line 3 of the table, column a: `fast`: fast is unknown here");
  BOOST_TEST(wrong("n\n1.5\n") == "line 2 of the table, column n: `1.5`: n is an Integer, and 1.5 is no whole number");
  BOOST_TEST(wrong("q\n1\n") == "M has no variable q");
}

BOOST_AUTO_TEST_CASE(what_cannot_vary_is_said) {
  BOOST_TEST(refusal({}) == "nothing varies; name something, as in e=0.1:0.1:0.9");
  BOOST_TEST(refusal({"a"}) == "`a`: write NAME=VALUES, for example e=0.1:0.1:0.9, e=0.3,0.5 or e=normal(0.5, 0.1)");
  BOOST_TEST(refusal({"mod=1"}) == "M has no variable mod; did you mean mode?");
  BOOST_TEST(refusal({"a=1", "a=2"}) == "a varies twice");
  BOOST_TEST(refusal({"c=1"}) == "c is a constant, and cannot vary");
  BOOST_TEST(refusal({"s=1"}) == "`1`: s is a String, and what varies are numbers");
  BOOST_TEST(refusal({"a="}) == "``: an expression is missing");
  BOOST_TEST(refusal({"a=1:0:2"}) == "`1:0:2`: a step of 0 does not come to an end");
  BOOST_TEST(refusal({"a=2:1"}) == "`2:1`: this range has no values");
  BOOST_TEST(refusal({"a=0:1e-12:1"}) == "`0:1e-12:1`: these are 1e+12 values, and there is room for 100000000");
  BOOST_TEST(refusal({"a=1/0"}) == "`1/0`: a is to have a finite value");
  BOOST_TEST(refusal({"a=true"}) == "`true`: a is no Boolean");
  BOOST_TEST(refusal({"p=1"}) == "`1`: p is a Boolean: its values are false and true");
  BOOST_TEST(refusal({"n=0.5:3"}) == "`0.5:3`: n is an Integer, and 0.5 is no whole number");
  BOOST_TEST(refusal({"n=uniform(1,2)"}) == "`uniform(1,2)`: n is no Real: give the values that it has");
  BOOST_TEST(refusal({"mode=Mode.quick"}) == "`Mode.quick`: the values of mode are slow, fast, off");
  BOOST_TEST(refusal({"a=uniform(1)"}, {.runs = 2}) == "`uniform(1)`: write uniform(a, b)");
  BOOST_TEST(refusal({"a=uniform(2,1)"}, {.runs = 2}) == "`uniform(2,1)`: of uniform(a, b), a must be below b");
  BOOST_TEST(refusal({"a=1,normal(0,1)"}, {.runs = 2}) == "`normal(0,1)`: a distribution stands alone, without other values");
  BOOST_TEST(refusal({"a=gauss(0,1)"}) == "`gauss(0,1)`: there is no function gauss here");
  BOOST_TEST(refusal({"a=normal(0,1)"}) == "say how many values are to be drawn from the distributions: give a number of runs");
  BOOST_TEST(refusal({"a=1:5"}, {.runs = 7}) == "the grid has 5 points, which makes as many runs, not 7; a number of runs is for distributions");
  BOOST_TEST(refusal({"a=1:5", "b=normal(0,1)"}, {.runs = 4}) == "the grid has 5 points, which 4 runs do not come to");
  BOOST_TEST(refusal({"a=1:10000", "b=1:20000"}) == "the grid has more than 100000000 points");
}
