// Numbers that are taken from the rows of a run, against closed forms.

#include <cmath>

#include "mosim/study.hpp"
#include "tests/engine/compiled.hpp"
#include "tests/study/refused.hpp"

using namespace mosim;
using namespace mosim::tests;

namespace {

constexpr const char* text = R"(model M
  type Mode = enumeration(slow, fast);
  parameter Real a = 3;
  parameter Boolean p = true;
  Real x "a line", y "a step", s, z(start = 1, fixed = true);
  Real v[2] = {time, -time};
  discrete Real d(start = 0, fixed = true);
  Boolean b = time >= 1.5;
  Integer n = if time >= 1 then 2 else 1;
  Mode mode = if time >= 0.5 then Mode.fast else Mode.slow;
  String w = if b then "yes" else "no";
equation
  x = 2*time - 1;
  y = if time >= 1 then 5 else 1;
  s = sin(time);
  der(z) = -z;
  when sample(0.25, 0.25) then
    d = pre(d) + 1;
  end when;
end M;
)";

std::shared_ptr<const Model> model() {
  static const auto m = compiled(text);
  return m;
}

std::vector<double> of(std::string_view list, Options options = {}) {
  options.stop = options.stop.value_or(2);
  const Measures measures(*model(), list);
  return measures.of(model()->simulate(options));
}
double one(std::string_view measure) { return of(measure).front(); }

std::string refusal(std::string_view list) {
  return refused([&] { Measures(*model(), list); });
}

}  // namespace

BOOST_AUTO_TEST_CASE(values) {
  const auto close = boost::test_tools::tolerance(1e-12);
  BOOST_TEST(one("min(x)") == -1, close);
  BOOST_TEST(one("max(x)") == 3, close);
  BOOST_TEST(one("first(x)") == -1);
  BOOST_TEST(one("last(x)") == 3);
  BOOST_TEST(one("mean(x)") == 1, close);
  BOOST_TEST(one("rms(x)") == std::sqrt(7.0/3), close);   // of x^2 over (-1, 3): 28/3/4
  BOOST_TEST(one("integral(x)") == 2, close);
  BOOST_TEST(one("integral(y)") == 6, close);             // the step is one
  BOOST_TEST(one("mean(y)") == 3, close);
  BOOST_TEST(one("at(x, 0.3)") == -0.4, close);
  BOOST_TEST(one("at(y, 1)") == 5);                       // after the event
  BOOST_TEST(one("at(y, 0.999999)") == 1);
  BOOST_TEST(one("at(x, 0)") == -1);
  BOOST_TEST(std::isnan(one("at(x, 2.5)")));
  BOOST_TEST(one("integral(s)") == 1 - std::cos(2.0), boost::test_tools::tolerance(1e-5));
  BOOST_TEST(one("last(der(z))") == -std::exp(-2.0), boost::test_tools::tolerance(1e-5));
  BOOST_TEST(one("last(v[2])") == -2);
  BOOST_TEST(one("last(d)") == 8);
  BOOST_TEST(one("max(n)") == 2);
}

BOOST_AUTO_TEST_CASE(conditions) {
  const auto close = boost::test_tools::tolerance(1e-12);
  BOOST_TEST(one("reached(x > 0)") == 0.5, close);        // no event of the model
  BOOST_TEST(one("reached(s > 0.5)") == std::asin(0.5), boost::test_tools::tolerance(1e-5));
  BOOST_TEST(one("reached(x > -5)") == 0);
  BOOST_TEST(std::isnan(one("reached(x > 5)")));
  BOOST_TEST(one("reached(y > 2)") == 1);
  BOOST_TEST(one("duration(x > 0)") == 1.5, close);
  BOOST_TEST(one("duration(x < 0)") == 0.5, close);
  BOOST_TEST(one("duration(b)") == 0.5, close);
  BOOST_TEST(one("duration(not b and y > 2)") == 0.5, close);
  BOOST_TEST(one("count(b)") == 1);
  BOOST_TEST(one("count(x < 0)") == 1);                   // true from the start
  BOOST_TEST(one("count(mod(d, 2) == 1)") == 4);
  BOOST_TEST(one("ever(x > 2)") == 1);
  BOOST_TEST(one("ever(x > 4)") == 0);
  BOOST_TEST(one("always(x >= -1)") == 1);
  BOOST_TEST(one("always(x > 0)") == 0);
  BOOST_TEST(one("duration(mode == Mode.fast)") == 1.5, close);
  BOOST_TEST(one("duration(slow == mode)") == 0.5, close);
  BOOST_TEST(one("reached(time > 0.7)") == 0.7, close);
}

BOOST_AUTO_TEST_CASE(expressions) {
  BOOST_TEST(one("(max(x) - min(x))/a") == 4.0/3);
  BOOST_TEST(one("a") == 3);
  BOOST_TEST(one("min(max(x), 2.5)") == 2.5);             // of two numbers
  BOOST_TEST(one("max(max(x, -x))") == 3);                // over the run, of two numbers at each row
  BOOST_TEST(one("if p then 1 else 2") == 1);
  BOOST_TEST(one("max(if b then 10 else x)") == 10);
  BOOST_TEST(one("-last(x)^2 + abs(-2)") == -7);
  BOOST_TEST(one("integer(2.7) + floor(-0.5) + 2*pi") == 1 + 2*std::acos(-1.0));
  BOOST_TEST(one("last(time)") == 2);
}

BOOST_AUTO_TEST_CASE(lists_and_names) {
  const Measures m(*model(), "top = max(x), count(x < 0 ),at(x, 1), same=ever(a==3)");
  BOOST_TEST((m.names() == std::vector<std::string>{"top", "count(x < 0 )", "at(x, 1)", "same"}));
  BOOST_TEST((m.variables() == std::vector<std::string>{"x"}));
  BOOST_TEST((m.parameters() == std::vector<std::string>{"a"}));
  BOOST_TEST((of("top = max(x), count(x < 0 ),at(x, 1), same=ever(a==3)") == std::vector<double>{3, 1, 1, 1}));
}

// A run that starts with another value is measured with it.
BOOST_AUTO_TEST_CASE(parameters_are_those_of_the_run) { BOOST_TEST((of("max(x)/a, a", {.set = {{"a", 6}}}) == std::vector<double>{0.5, 6})); }

BOOST_AUTO_TEST_CASE(what_is_wrong_is_said) {
  BOOST_TEST(refusal("x") == "`x`: x changes during a run: say last(x), max(x), mean(x) or the like");
  BOOST_TEST(refusal("if b then 1 else 2") == "`if b then 1 else 2`: b changes during a run: say count(b), duration(b), reached(b) or the like");
  BOOST_TEST(refusal("max(xx)") == "`max(xx)`: M has no variable xx; did you mean x?");
  BOOST_TEST(refusal("max(v)") == "`max(v)`: M has no variable v; it has parts of v, such as v[1]");
  BOOST_TEST(refusal("max(x > 0)") == "`max(x > 0)`: x>0 is a condition, and a number is needed here; count(c), duration(c) and ever(c) make one of it");
  BOOST_TEST(refusal("count(x)") == "`count(x)`: x is a number, and a condition is needed here, such as h < 0");
  BOOST_TEST(refusal("max(mean(x))") == "`max(mean(x))`: mean is over the whole run, and stands inside of another such function");
  BOOST_TEST(refusal("final(x)") == "`final(x)`: final is a word of the language; the value at the end is last(x)");
  BOOST_TEST(refusal("max(x") == "`max(x`: this is no expression as Modelica writes it");
  BOOST_TEST(refusal("max(x) max(y)") == "`max(x) max(y)`: this is no expression as Modelica writes it");
  BOOST_TEST(refusal("max(x),") == "``: an expression is missing");
  BOOST_TEST(refusal("max(x), max(x)") == "max(x) is there twice");
  BOOST_TEST(refusal("max(w)") == "`max(w)`: w is a String, and measures are numbers");
  BOOST_TEST(refusal("max(x, 1, 2)") == "`max(x, 1, 2)`: max takes one argument, not 3");
  BOOST_TEST(refusal("at(x)") == "`at(x)`: write at(x, t): the value of x at the time t");
  BOOST_TEST(refusal("max(u = x)") == "`max(u = x)`: max takes arguments without names");
  BOOST_TEST(refusal("time") == "`time`: time goes on during a run: last(time) is the end, reached(c) when something comes");
  BOOST_TEST(refusal("max({x, 1})") == "`max({x, 1})`: {x,1} is no number");
  BOOST_TEST(refusal("max(x) and p") == "`max(x) and p`: max(x) is a number, and a condition is needed here, such as h < 0");
}
