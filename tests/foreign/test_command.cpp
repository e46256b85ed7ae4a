// Bad input of external functions, at the command: what is said, the exit status, and that no row is lost.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "tests/cli/child.hpp"

using namespace mosim::tests;

namespace {

/// x is the time; f is called with it at every point.
std::string model_with(const std::string& c) {
  return "function f\n  input Real u;\n  output Real y;\n  external \"C\" y = f(u) annotation (Include = \"#include <stdio.h>\n#include <stdlib.h>\n" + c +
         "\");\nend f;\nmodel M\n  Real x(start = 0, fixed = true);\n  Real y = f(x);\nequation\n  der(x) = 1;\nend M;\n";
}

void check_rows(const std::string& csv, double end) {
  BOOST_REQUIRE(!csv.empty());
  BOOST_TEST(csv.back() == '\n');
  const auto table = rows(csv);
  BOOST_REQUIRE(table.size() >= 40u);
  for (const auto& row : table) {
    BOOST_REQUIRE(row.size() == 4u);
    BOOST_TEST(std::abs(row[1] - row[0]) < 1e-9);
    BOOST_TEST(row[0] <= end + 1e-9);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(command)

BOOST_AUTO_TEST_CASE(a_crash_loses_no_row) {
  Folder folder;
  folder.write("M.mo", model_with("double f(double u) { if (u > 0.5) *(double *)8 = u; return u; }"));
  const Ran refused = folder.run("M.mo --quiet");
  BOOST_TEST(refused.status == 2);
  BOOST_TEST(contains(refused.err, "--native-code"), refused.err);
  const Ran r = folder.run("M.mo --native-code --quiet --intervals 100");
  BOOST_TEST(r.status == 3);
  BOOST_TEST(contains(r.err, "M.mo:4:3: error: at "), r.err);
  BOOST_TEST(contains(r.err, "f crashes: it reaches for memory that is not its own (SIGSEGV)"), r.err);
  check_rows(read(folder.path / "M_res.csv"), 0.5);
  BOOST_TEST(folder.run("M.mo --native-code --quiet -o M.mat").status == 3);
  BOOST_TEST(fs::file_size(folder.path / "M.mat") > 1000u);
}

// The standard library's tables, without the option.
BOOST_AUTO_TEST_CASE(tables_that_cannot_be_read) {
  Folder folder;
  folder.write("T.mo", R"(class Table extends ExternalObject;
  function constructor input String name; input String file; input Real table[:, :]; input Integer columns[:]; output Table t;
    external "C" t = ModelicaStandardTables_CombiTable1D_init2(file, name, table, size(table, 1), size(table, 2), columns, size(columns, 1), 1, 1, false);
  end constructor;
  function destructor input Table t; external "C" ModelicaStandardTables_CombiTable1D_close(t); end destructor;
end Table;
function at input Table t; input Real u; output Real y;
  external "C" y = ModelicaStandardTables_CombiTable1D_getValue(t, 1, u);
end at;
model M
  parameter String file, name = "tab";
  parameter Integer column = 2;
  Table t = Table(name, file, fill(0.0, 0, 2), {column});
  Real y = at(t, time);
end M;
)");
  folder.write("good.txt", "#1\ndouble tab(2,2)\n0 1\n1 2\n");
  folder.write("letter.txt", "#1\ndouble tab(2,2)\n0 1\n1 x\n");
  folder.write("short.txt", "#1\ndouble tab(3,2)\n0 1\n1 2\n");
  const auto told = [&](const std::string& settings, const std::string& words) {
    const Ran r = folder.run("T.mo --quiet " + settings);
    BOOST_TEST(r.status == 3);
    const std::string first = r.err.substr(0, r.err.find('\n'));
    BOOST_TEST(first == "T.mo:3:5: error: at time 0: " + words);
  };
  BOOST_TEST(folder.run("T.mo --quiet -s 'file=\"good.txt\"'").status == 0);
  told("-s 'file=\"none.txt\"'", "there is no file none.txt");
  told("-s 'file=\"letter.txt\"'", "letter.txt:4:3: \"x\" is no number: table \"tab\" is 2 x 2, and only numbers belong there");
  told("-s 'file=\"short.txt\"'", "short.txt:5:1: table \"tab\" is 3 x 2 and needs 6 numbers, but only 4 are there (2 full rows)");
  told("-s 'file=\"good.txt\"' -s column=3", "column 3 of table \"tab\" in good.txt is to be interpolated, which has the columns 1 to 2");
  told("-s 'file=\"good.txt\"' -s 'name=\"cap\"'", "file good.txt holds no table \"cap\"; it holds tab");
}

// What the code prints goes to standard error, as the results may go to the other.
BOOST_AUTO_TEST_CASE(results_and_what_is_printed_stay_apart) {
  Folder folder;
  folder.write("M.mo", model_with("double f(double u) { printf(\\\"called\\\\n\\\"); if (u > 0.5) exit(7); return u; }"));
  const Ran r = folder.run("M.mo --native-code --quiet --intervals 100 -o -");
  BOOST_TEST(r.status == 3);
  check_rows(r.out, 0.5);
  BOOST_TEST(contains(r.err, "called\n"));
  BOOST_TEST(contains(r.err, "f ends the process by exit(7)"), r.err);
}

BOOST_AUTO_TEST_CASE(a_loop_without_end_is_ended_from_outside) {
  Folder folder;
  folder.write("M.mo", model_with("double f(double u) { if (u > 0.5) { fclose(fopen(\\\"looping\\\", \\\"w\\\")); for (;;) ; } return u; }"));
  const std::vector<std::string> arguments{"M.mo", "--native-code", "--intervals", "100"};
  for (const int number : {SIGINT, SIGTERM}) {
    fs::remove(folder.path / "looping");
    Child child(folder, arguments);
    BOOST_REQUIRE(child.wait_for("looping", 0));
    child.send(number);
    const Ended ended = child.wait();
    BOOST_TEST(!ended.killed);
    BOOST_TEST(ended.status == 128 + number);
    check_rows(read(folder.path / "M_res.csv"), 0.5);
  }
  const Ran r = folder.run("M.mo --native-code --quiet --intervals 100 --time-limit 0.2");
  BOOST_TEST(r.status == 124);
  check_rows(read(folder.path / "M_res.csv"), 0.5);
}

BOOST_AUTO_TEST_SUITE_END()
