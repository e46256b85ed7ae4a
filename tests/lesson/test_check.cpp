// Conditions over a run: what holds, what was found where one does not, and what cannot be asked.

#include <boost/test/unit_test.hpp>

#include "mosim/lesson.hpp"
#include "tests/engine/compiled.hpp"

using namespace mosim;
using namespace mosim::tests;

namespace {

constexpr const char* text = R"(model M
  parameter Real a = 3;
  Real x = 2*time - 1;
  Boolean b = time >= 1.5;
  discrete Integer n(start = 0, fixed = true);
equation
  when sample(0.5, 0.5) then
    n = pre(n) + 1;
  end when;
end M;
)";

const Result& result() {
  static const Result r = [] {
    Options o;
    o.stop = 2;
    return compiled(text)->simulate(std::move(o));
  }();
  return r;
}

Answer asked(const std::string& condition) { return check(result(), {{condition, "", {}}}).front(); }

}  // namespace

BOOST_AUTO_TEST_CASE(what_holds) {
  for (const char* condition : {"last(n) == 4", "max(x) - min(x) > 3.99", "ever(b) and not always(b)", "a == 3", "abs(reached(b) - 1.5) < 1e-9", "count(x > 0) == 1", "events() == 4",
                                "last(time) == 2", "at(n, 1.2) == 2 or false", "not last(n) == 3", "last(n) <> 3", "steps() == 0"}) {
    const Answer a = asked(condition);
    BOOST_TEST(a.holds, condition << ": " << a.found << a.problem);
    BOOST_TEST(a.problem == "", condition);
  }
}

BOOST_AUTO_TEST_CASE(what_was_found) {
  const Answer a = asked("last(n) == 3 and max(x) < 2");
  BOOST_TEST(!a.holds);
  BOOST_TEST(a.found == "last(n) is 4, max(x) is 3");
  BOOST_TEST(asked("reached(x > 5) < 1").found == "reached(x > 5) has no value");
  BOOST_TEST(!asked("reached(x > 5) < 1").holds);
  BOOST_TEST(asked("not reached(x > 5) < 1").holds);             // a comparison with NaN is false (IEEE 754)
  BOOST_TEST(asked("a > 5").found == "");                        // nothing of the run is in it
  BOOST_TEST(asked("max(x) > 2*max(x)").found == "max(x) is 3");
}

BOOST_AUTO_TEST_CASE(what_cannot_be_asked) {
  struct Case {
    const char* condition;
    const char* problem;
    bool of_condition;   // else of this model
  };
  for (const auto& [condition, problem, of_condition] : std::initializer_list<Case>{
           {"max(y) > 1", "M has no variable y", false},
           {"last(b) == 1", "b is a condition, and a number is needed here; count(c), duration(c) and ever(c) make one of it", false},
           {"x > 0", "x changes during a run: say last(x), max(x), mean(x) or the like", false},
           {"max(x) >", "this is no expression as Modelica writes it", true},
           {"", "an expression is missing", true},
           {"maximum(x) > 0", "there is no function maximum here", true},
           {"at(x) > 0", "write at(x, t): the value of x at the time t", true},
           {"last(x), last(n)", "`last(x), last(n)` is a list; a condition is one expression", true}}) {
    const Answer a = asked(condition);
    BOOST_TEST(!a.holds, condition);
    BOOST_TEST(a.problem == problem, condition << ": " << a.problem);
    BOOST_TEST(a.is_of_condition == of_condition, condition);
  }
  BOOST_TEST(check(Result{}, {{"events() == 1", "", {}}}).front().problem == "this result is of no run");
  BOOST_TEST(!check(Result{}, {{"events() == 1", "", {}}}).front().is_of_condition);
}

// A number is no condition, but 1 and 0 are what Booleans are written as.
BOOST_AUTO_TEST_CASE(numbers) {
  BOOST_TEST(!asked("last(n)").holds);
  BOOST_TEST(asked("last(n)").found == "last(n) is 4");
}
