// Arguments that are none of this command's: what is said names the one that was meant.

#include <boost/test/unit_test.hpp>

#include "tests/cli/folder.hpp"

using namespace mosim::tests;

namespace {

constexpr const char* fall = R"(model Fall
  parameter Real g = 9.81;
  parameter Boolean on = true;
  parameter Integer n = 1;
  Real h(start = 10, fixed = true);
  Real v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = if on then -g*n else 0;
end Fall;
)";

void expect(const std::string& arguments, const std::string& said) {
  Folder f;
  f.write("Fall.mo", fall);
  const Ran r = f.run("Fall.mo -o none " + arguments);
  BOOST_TEST(r.status == 1);
  BOOST_TEST_CONTEXT(arguments << ": " << r.err) BOOST_TEST(contains(r.err, said));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(mistaken)

BOOST_AUTO_TEST_CASE(an_option_with_one_dash) { expect("-stop 3", "did you mean --stop?"); }

BOOST_AUTO_TEST_CASE(an_option_misspelt) {
  expect("--stoptime 3", "did you mean --stop?");
  expect("--tol 1e-4", "did you mean --tolerance?");
  expect("--tolerence 1e-4", "did you mean --tolerance?");
  expect("--step 0.1", "the distance of rows is --interval");
}

BOOST_AUTO_TEST_CASE(blanks_in_a_setting) {
  expect("--set g = 9", "without blanks: --set g=9");
  expect("--set g =9", "without blanks: --set g=9");
  expect("--set g= 9", "without blanks: --set g=9");
}

BOOST_AUTO_TEST_CASE(blanks_between_names) {
  expect("--plot h v", "--plot h,v");
  expect("--results h v", "--results h,v");
}

BOOST_AUTO_TEST_CASE(a_decimal_comma) {
  expect("--stop 1,5", "--stop 1.5");
  expect("--tolerance=0,001", "--tolerance 0.001");
}

BOOST_AUTO_TEST_CASE(values_of_another_type) {
  expect("--set on=1", "write true or false");
  expect("--set n=2.5", "write a whole number");
}

BOOST_AUTO_TEST_CASE(a_setting_is_shown_as_it_was_written) {
  expect("--set g=3:2:1", "--set g=3:2:1: error: g has no dimensions");
}

BOOST_AUTO_TEST_CASE(a_file_that_is_not_there) {
  expect("Fal.mo", "there is no file Fal.mo; did you mean Fall.mo?");
  expect("Fall", "there is no file Fall; did you mean Fall.mo?");
  expect("Something.mo", "there is no file Something.mo\n");
  expect("nowhere/Fal.mo", "there is no file nowhere/Fal.mo\n");
}

BOOST_AUTO_TEST_CASE(a_file_without_a_model) {
  Folder f;
  f.write("Fall.mo", fall);
  f.write("Empty.mo", "");
  f.write("Words.mo", "// model Fall stands in Fall.mo\n");
  for (const std::string file : {"Empty.mo", "Words.mo"}) {
    const std::string expected = "mosim: error: " + file + " holds no model: it is empty, or has comments alone. Name a file with one last, or the model with --model\n";
    for (const std::string& arguments : {file, "Fall.mo " + file}) {
      const auto r = f.run(arguments + " -o none");
      BOOST_TEST(r.status == 1);
      BOOST_TEST(r.err == expected);
    }
    BOOST_TEST(f.run("--model Fall Fall.mo " + file + " -o none").status == 0);
  }
}

BOOST_AUTO_TEST_CASE(what_is_right_stays_right) {
  Folder f;
  f.write("Fall.mo", fall);
  BOOST_TEST(f.run("--plot h,v Fall.mo -o none --set=g=9 --stop=2").status == 0);
  BOOST_TEST(f.run("--results h -o none Fall.mo").status == 0);
}

BOOST_AUTO_TEST_SUITE_END()
