// Courses in Markdown.

#include <boost/test/unit_test.hpp>

#include "mosim/lesson.hpp"

using namespace mosim;

namespace {

constexpr const char* text = R"(# A course

What it is about.

## First step

Some text with `code`:

```modelica
model Piece "is text"
end Piece;
```

```modelica editor stop=3 tolerance=1e-7 hysteresis=0.5 plot=h,v[2]
model M
  Real h;
end M;
```

```check
count(h < 0) == 3   // it bounces three times
// for who reads this
max(h) < 2
```

```hint
Look *up*.
```

~~~hint
And down.
~~~

````solution
model M
  Real h = 1; // ``` in it
end M;
````

## Second step
Nothing is asked.
)";

std::string mistakes(const std::string& course) {
  std::string all;
  for (const Diagnostic& d : read_course("c.md", course).diagnostics) all += std::to_string(d.place.line) + ":" + std::to_string(d.place.column) + ": " + d.cause + "; " + d.remedy + "\n";
  return all;
}

const std::string step = "## S\n```modelica editor\nmodel M end M;\n```\n";

}  // namespace

BOOST_AUTO_TEST_CASE(parts) {
  const Course c = read_course("c.md", text);
  BOOST_TEST(c.diagnostics.empty());
  BOOST_TEST(c.title == "A course");
  BOOST_TEST(c.text == "What it is about.\n\n");
  BOOST_TEST_REQUIRE(c.steps.size() == 2u);
  const CourseStep& s = c.steps[0];
  BOOST_TEST(s.title == "First step");
  BOOST_TEST(s.place.line == 5u);
  BOOST_TEST(s.text.starts_with("Some text with `code`:\n\n```modelica\nmodel Piece \"is text\"\nend Piece;\n```\n"));
  BOOST_TEST(s.text.find("hint") == std::string::npos);
  BOOST_TEST(s.model == "model M\n  Real h;\nend M;\n");
  BOOST_TEST(*s.stop == 3);
  BOOST_TEST(*s.tolerance == 1e-7);
  BOOST_TEST(*s.hysteresis == 0.5);
  BOOST_TEST(s.shown == (std::vector<std::string>{"h", "v[2]"}), boost::test_tools::per_element());
  BOOST_TEST_REQUIRE(s.checks.size() == 2u);
  BOOST_TEST(s.checks[0].condition == "count(h < 0) == 3");
  BOOST_TEST(s.checks[0].words == "it bounces three times");
  BOOST_TEST(s.checks[1].condition == "max(h) < 2");
  BOOST_TEST(s.checks[1].place.line == 23u);
  BOOST_TEST(s.hints == (std::vector<std::string>{"Look *up*.\n", "And down.\n"}), boost::test_tools::per_element());
  BOOST_TEST(s.solution == "model M\n  Real h = 1; // ``` in it\nend M;\n");
  BOOST_TEST(c.steps[1].text == "Nothing is asked.\n");
  BOOST_TEST(c.steps[1].model == "");
}

BOOST_AUTO_TEST_CASE(other_ends_of_lines) {
  std::string windows;
  for (const char c : std::string(text)) windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
  const Course c = read_course("c.md", "\xef\xbb\xbf" + windows);
  BOOST_TEST(c.title == "A course");
  BOOST_TEST_REQUIRE(c.steps.size() == 2u);
  BOOST_TEST(c.steps[0].checks[0].condition == "count(h < 0) == 3");
  BOOST_TEST(c.steps[0].model == "model M\n  Real h;\nend M;\n");
}

BOOST_AUTO_TEST_CASE(what_is_wrong) {
  BOOST_TEST(mistakes("") == "0:0: a course has steps, and this text has none; begin each step with a heading: ## The ball that falls through the floor\n");
  BOOST_TEST(mistakes("## S\ntext\n") == "1:1: the first step has no model for the editor; give it one in a block that begins with ```modelica editor\n");
  BOOST_TEST(mistakes("```check\nx > 1\n```\n" + step) == "1:1: a block `check` belongs to a step; begin the step with a heading above it: ## Its title\n");
  BOOST_TEST(mistakes(step + "```check\nx > 1\n").find("5:1: this block has no end; end it with a line ```\n") == 0u);
  BOOST_TEST(mistakes(step + "```solution\nmodel M end M;\n```\n") ==
             "1:1: this step has a solution, but nothing is asked; add a block ```check, with a condition in each line: count(h < 0) == 3 // it bounces three times\n");
  BOOST_TEST(mistakes(step + "```modelica editor\nmodel N end N;\n```\n") == "5:1: this step has a model for the editor already; leave one of them out\n");
  BOOST_TEST(mistakes("## S\n```modelica editor stop=x\nmodel M end M;\n```\n") == "2:20: `stop` needs a number; as in stop=3\n");
  BOOST_TEST(mistakes("## S\n```modelica editor stop\nmodel M end M;\n```\n") == "2:20: `stop` needs a number; as in stop=3\n");
  BOOST_TEST(mistakes("## S\n```modelica editor colour=3\nmodel M end M;\n```\n") ==
             "2:20: `colour=3` means nothing here; the editor's runs have stop=3, tolerance=1e-6, hysteresis=0.01 and plot=h,v\n");
  BOOST_TEST(mistakes(step + "```check\n\n// to come\n```\n") == "5:1: this block asks nothing; write a condition in each line: count(h < 0) == 3 // it bounces three times\n");
  BOOST_TEST(mistakes("## S\n```modelica editor plot=\nmodel M end M;\n```\n") == "2:20: `plot` names no variable; as in plot=h,v\n");
  BOOST_TEST(mistakes(step + "```hint now\nLook.\n```\n") == "5:9: `now` means nothing behind `hint`; leave it out\n");
  BOOST_TEST(mistakes("## S\n```modelica editor\n\n```\n").find("2:1: a model for the editor is empty; write a model in the block\n") == 0u);
}
