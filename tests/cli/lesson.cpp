// mosim check-submission and mosim course, as a teacher runs them.

#include <boost/test/unit_test.hpp>

#include "tests/cli/child.hpp"
#include "tests/cli/folder.hpp"

using namespace mosim::tests;

namespace {

std::string ball(const std::string& e, const std::string& more = "") {
  return "model Ball\n  parameter Real e = " + e + ";\n  Real h(start = 1, fixed = true), v(start = 0, fixed = true);\nequation\n  der(h) = v;\n  der(v) = -9.81;\n" +
         "  when h < 0 then\n    reinit(v, -e*pre(v));\n  end when;\n" + more + "  annotation (experiment(StopTime = 1));\nend Ball;\n";
}

std::string course(const std::string& model, const std::string& check, const std::string& solution) {
  return "# Bounces\n\n## Often\n\nLet it bounce </script> often.\n\n```modelica editor stop=2\n" + model + "```\n\n```check\n" + check + "```\n" +
         (solution.empty() ? "" : "\n```solution\n" + solution + "```\n");
}

constexpr const char* often = "count(h < 0) > 3 // it bounces often\n";   // 3 times in 2 s with 0.8

}  // namespace

BOOST_AUTO_TEST_CASE(submissions_beside_a_reference) {
  Folder f;
  f.write("reference.mo", ball("0.8"));
  f.write("good.mo", ball("4/5"));
  f.write("bad.mo", ball("0.7"));
  f.write("broken.mo", ball("0.8", "  v = 3;\n"));
  f.write("fails.mo", ball("0.8", "  assert(time < 0.4, \"no further\");\n"));
  const Ran good = f.run("check-submission good.mo --against reference.mo");
  BOOST_TEST(good.status == 0);
  BOOST_TEST(good.out.starts_with("good.mo: passes in 3 points\n  variable    difference       allowed        at (s)\n  h "));
  const Ran bad = f.run("check-submission bad.mo --against reference.mo");
  BOOST_TEST(bad.status == 4);
  BOOST_TEST(bad.out.starts_with("bad.mo: does not pass in 2 of 3 points\n"));
  BOOST_TEST(contains(bad.out, "differs: "));
  // 0.1 of sqrt(2*9.81), the speed of the first impact, and as much more as the second one is earlier.
  BOOST_TEST(f.run("check-submission bad.mo --against reference.mo --variables h --tolerance 0.5").status == 0);
  BOOST_TEST(f.run("check-submission broken.mo --against reference.mo").status == 2);
  const Ran fails = f.run("check-submission fails.mo --against reference.mo");
  BOOST_TEST(fails.status == 3);
  BOOST_TEST(fails.out.starts_with("fails.mo: fails at 0.4 s\n"));
  BOOST_TEST(contains(fails.err, "no further"));
  const Ran all = f.run("check-submission good.mo bad.mo broken.mo --against reference.mo --quiet");
  BOOST_TEST(all.out == "good.mo: passes in 3 points\nbad.mo: does not pass in 2 of 3 points\nbroken.mo: is no valid model\n1 of 3 submissions pass\n");
  BOOST_TEST(all.status == 4);
}

BOOST_AUTO_TEST_CASE(submissions_and_conditions) {
  Folder f;
  f.write("a.mo", ball("0.8"));
  f.write("c.md", course(ball("0.8"), "count(h < 0) == 3 // three times\n", ""));
  const Ran r = f.run("check-submission a.mo --condition 'count(h < 0) == 1' --condition 'min(h) > 1' --condition 'max(z) > 1'");
  BOOST_TEST(r.status == 4);
  BOOST_TEST(r.out.starts_with("a.mo: does not pass in 2 of 3 points\n  yes  count(h < 0) == 1\n  no   min(h) > 1: min(h) is "));
  BOOST_TEST(r.out.ends_with("  no   max(z) > 1: Ball has no variable z\n"));
  const Ran step = f.run("check-submission a.mo --course c.md --step 1");   // which runs for 2 s
  BOOST_TEST(step.out == "a.mo: passes in 1 point\n  yes  count(h < 0) == 3 (three times)\n");
  BOOST_TEST(step.status == 0);
  BOOST_TEST(f.run("check-submission a.mo --course c.md --step 2").err == "mosim: error: the course c.md has 1 step, and --step 2 is none of them\n");
}

// Straight lines between few rows would be far from the curve: all runs have the same rows, and many, whatever their annotations say.
BOOST_AUTO_TEST_CASE(submissions_with_other_rows) {
  Folder f;
  const auto wave = [](const std::string& phase, const std::string& interval) {
    return "model Wave\n  Real x = sin(10*time + " + phase + ");\n  annotation (experiment(StopTime = 5, Interval = " + interval + "));\nend Wave;\n";
  };
  for (const char* own : {"0.5", "0.1", "0.003"}) {
    f.write("reference.mo", wave("0", own));
    f.write("same.mo", wave("0", "0.07"));
    f.write("other.mo", wave("0.1", "0.07"));   // off by 0.1 of a range of 2
    for (const char* tolerance : {"1e-2", "1e-4", "1e-7"}) {
      BOOST_TEST(f.run(std::string("check-submission same.mo --against reference.mo --tolerance ") + tolerance).status == 0, own << " " << tolerance);
      BOOST_TEST(f.run(std::string("check-submission other.mo --against reference.mo --tolerance ") + tolerance).status == 4, own << " " << tolerance);
    }
  }
}

BOOST_AUTO_TEST_CASE(calls_that_say_too_little) {
  Folder f;
  f.write("a.mo", ball("0.8"));
  const Ran wrong = f.run("check-submission a.mo --condition 'conut(h < 0) == 1'");
  BOOST_TEST(wrong.status == 1);
  BOOST_TEST(wrong.err == "mosim: error: the condition `conut(h < 0) == 1` cannot be asked of any model: there is no function conut here\n");
  f.write("bad.mo", "model Bad\n  Real x = y;\nend Bad;\n");
  BOOST_TEST(contains(f.run("check-submission a.mo --against bad.mo").err, "mosim: error: the reference bad.mo is no valid model, and nothing can be compared with it\n"));
  BOOST_TEST(contains(f.run("check-submission a.mo").err, "say what they are to do: --against REFERENCE.mo"));
  BOOST_TEST(contains(f.run("check-submission --condition 'x > 1'").err, "name the submissions"));
  BOOST_TEST(contains(f.run("check-submission a.mo --condition 'x > 1' --tolerance 0.1").err, "--tolerance: is about a reference"));
  BOOST_TEST(contains(f.run("check-submission a.mo --against none.mo").err, "none.mo"));
  BOOST_TEST(f.run("check-submission a.mo --against none.mo").status == 1);
  BOOST_TEST(contains(f.run("check-submission a.mo --frob 3").err, "--frob is no option: 'mosim check-submission --help' lists the options"));
  BOOST_TEST(f.run("course").status == 1);
  BOOST_TEST(contains(f.run("course none.md").err, "none.md"));
}

BOOST_AUTO_TEST_CASE(a_course_is_tried_out) {
  Folder f;
  f.write("good.md", course(ball("0.8"), often, ball("0.6")));
  const Ran good = f.run("course good.md --check");
  BOOST_TEST(good.out == "good.md is a course: 1 step, 1 question.\n");
  BOOST_TEST(good.status == 0);
  f.write("wrong.md", course(ball("0.8"), often, ball("0.8")));
  BOOST_TEST(f.run("course wrong.md --check").err == "wrong.md:3: error: step \"Often\" has a solution that does not fulfil count(h < 0) > 3: count(h < 0) is 3\n");
  f.write("answered.md", course(ball("0.6"), often, ball("0.6")));
  BOOST_TEST(f.run("course answered.md --check").err == "answered.md:3: error: step \"Often\" is answered by the model that it begins with\n");
  f.write("unknown.md", course(ball("0.8"), "count(y < 0) == 1\n", ""));
  const Ran unknown = f.run("course unknown.md --check");
  BOOST_TEST(unknown.err == "unknown.md:3: error: step \"Often\" asks what its model cannot say: count(y < 0) == 1: Ball has no variable y\n");
  BOOST_TEST(unknown.status == 2);
  f.write("empty.md", "text\n");
  BOOST_TEST(contains(f.run("course empty.md").err, "a course has steps, and this text has none"));
}

// The playground takes it in; what looks like the end of a script is none.
BOOST_AUTO_TEST_CASE(a_course_becomes_a_page) {
  Folder f;
  f.write("c.md", course(ball("0.8"), often, ""));
  const std::string place = "<script type=\"application/json\" id=\"course\">null</script>";
  f.write("mosim.html", "<html>" + place + "</html>");
  const Ran r = f.run("course c.md -o out.html --playground mosim.html");
  BOOST_TEST(r.status == 0);
  BOOST_TEST(r.out == "out.html: 1 step, 1 question\n");
  const std::string page = read(f.path / "out.html");
  BOOST_TEST(page.starts_with("<html><script type=\"application/json\" id=\"course\">{\"file\":\"c.md\",\"text\":\"# Bounces\\n\\n## Often\\n"));
  BOOST_TEST(contains(page, "Let it bounce \\u003c/script> often."));
  BOOST_TEST(page.ends_with("}</script></html>"));
  f.write("other.html", "<html></html>");
  BOOST_TEST(contains(f.run("course c.md --playground other.html").err, "other.html is no playground that takes a course in"));
  BOOST_TEST(f.run("course c.md -o out.txt").status == 1);
}
