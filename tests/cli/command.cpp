// The command as a user meets it: exit statuses, where its output goes, and what its options do.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "tests/cli/folder.hpp"

using namespace mosim::tests;

namespace {

constexpr const char* decay = R"(model Decay "Falls off"
  parameter Real k = 2 "Rate";
  Real x(start = 3, fixed = true);
equation
  der(x) = -k*x;
end Decay;
)";

}  // namespace

BOOST_AUTO_TEST_CASE(a_run_writes_results_and_a_report) {
  Folder f;
  f.write("Decay.mo", decay);
  const Ran r = f.run("Decay.mo --stop 2 --intervals 4");
  BOOST_TEST(r.status == 0);
  BOOST_TEST(r.err == "");
  BOOST_TEST(contains(r.out, "Decay - Falls off"));
  const std::string csv = read(f.path / "Decay_res.csv");
  BOOST_TEST(csv.substr(0, csv.find('\n')) == "time,x,der(x)");
  const auto table = rows(csv);
  BOOST_TEST(table.size() == 5u);
  for (std::size_t k = 0; k < table.size(); ++k) {
    BOOST_TEST(table[k][0] == 0.5 * double(k));
    BOOST_TEST(std::abs(table[k][1] - 3 * std::exp(-2 * table[k][0])) < 1e-4);
    BOOST_TEST(std::abs(table[k][2] + 2 * table[k][1]) < 1e-12);
  }
}

// A pipe has no path of its own.
BOOST_AUTO_TEST_CASE(a_model_out_of_a_pipe) {
  Folder f;
  f.write("Decay.mo", decay);
  for (const std::string pipe : {"/dev/fd/3", "/proc/self/fd/3"}) {
    const Ran r = f.run(pipe + " --stop 2 -o Decay.csv 3<&0", "cat Decay.mo |");
    BOOST_TEST(r.status == 0, r.err);
    BOOST_TEST(contains(r.out, "Decay - Falls off"));
  }
  f.write("Wrong.mo", "model Wrong Real x = ; end Wrong;");
  const Ran r = f.run("/dev/fd/3 3<&0", "cat Wrong.mo |");
  BOOST_TEST(r.status == 2);
  BOOST_TEST(contains(r.err, "/dev/fd/3:1:"), r.err);
}

BOOST_AUTO_TEST_CASE(quiet_says_nothing) {
  Folder f;
  f.write("Decay.mo", decay);
  const Ran r = f.run("Decay.mo --quiet");
  BOOST_TEST(r.status == 0);
  BOOST_TEST(r.out == "");
  BOOST_TEST(r.err == "");
}

BOOST_AUTO_TEST_CASE(results_on_standard_output_send_the_report_to_standard_error) {
  Folder f;
  f.write("Decay.mo", decay);
  const Ran r = f.run("Decay.mo -o - --interval 0.25");
  BOOST_TEST(r.status == 0);
  BOOST_TEST(r.out.substr(0, 14) == "time,x,der(x)\n");
  BOOST_TEST(rows(r.out).size() == 5u);
  BOOST_TEST(contains(r.err, "Decay - Falls off"));
  BOOST_TEST(!fs::exists(f.path / "Decay_res.csv"));
}

BOOST_AUTO_TEST_CASE(the_same_input_gives_the_same_bytes) {
  Folder f;
  const std::string model = MODELS "/DiscreteBehavior/BouncingBall/StableBouncingBall.mo";
  const Ran a = f.run(model + " --stop 5 -o -"), b = f.run(model + " --stop 5 -o -");
  BOOST_TEST(a.status == 0);
  BOOST_TEST(a.out.size() > 1000u);
  BOOST_TEST((a.out == b.out));
}

BOOST_AUTO_TEST_CASE(settings_change_parameters_and_start_values) {
  Folder f;
  f.write("Decay.mo", decay);
  const auto slow = rows(f.run("Decay.mo -o - -s k=0 --intervals 1").out);
  BOOST_TEST(slow.back()[1] == 3);
  const auto other = rows(f.run("Decay.mo -o - --set x.start=5 -s k=0 --intervals 1").out);
  BOOST_TEST(other.back()[1] == 5);
  const auto start = rows(f.run("Decay.mo -o - --set x=7 -s k=0 --intervals 1").out);
  BOOST_TEST(start.back()[1] == 7);
  const Ran unknown = f.run("Decay.mo --set q=1");
  BOOST_TEST(unknown.status == 1);
  BOOST_TEST(contains(unknown.err, "Decay has no element q"));
  for (const char* text : {"k=", "=3", "k=2;x=1", "k=2*"}) {
    const Ran broken = f.run(std::string("Decay.mo --set '") + text + "'");
    BOOST_TEST(broken.status == 1, text);
    BOOST_TEST(contains(broken.err, std::string("--set ") + text + " cannot be read"), broken.err);
    BOOST_TEST(contains(broken.err, "write NAME=VALUE"), broken.err);
    BOOST_TEST(!contains(broken.err, "class S"), broken.err);
  }
}

BOOST_AUTO_TEST_CASE(the_experiment_annotation_is_the_default) {
  Folder f;
  f.write("A.mo", "model A Real x(start=0, fixed=true); equation der(x) = 1; "
                  "annotation(experiment(StartTime=1, StopTime=3, Interval=0.5)); end A;\n");
  const auto table = rows(f.run("A.mo -o -").out);
  BOOST_TEST(table.size() == 5u);
  BOOST_TEST(table.front()[0] == 1);
  BOOST_TEST(table.back()[0] == 3);
  BOOST_TEST(rows(f.run("A.mo -o - --start 0 --stop 1 --intervals 2").out).size() == 3u);
}

BOOST_AUTO_TEST_CASE(the_command_line_is_checked) {
  Folder f;
  f.write("Decay.mo", decay);
  for (const char* wrong : {"", "--stop 1", "NoSuch.mo", "Decay.mo --no-such-option", "Decay.mo --stop x",
                            "Decay.mo --start 2 --stop 1", "Decay.mo --tolerance 0", "Decay.mo --intervals 0",
                            "Decay.mo --solver euler", "Decay.mo --emit everything", "Decay.mo -o result.txt",
                            "Decay.mo --stop inf", "Decay.mo --stop nan", "Decay.mo --tolerance 1e-14", "Decay.mo --plot ''", "Decay.mo -m NoSuch", "Decay.mo -L /no/such/folder", "Decay.mo -o /no/such/folder/x.csv"}) {
    const Ran r = f.run(wrong);
    BOOST_TEST(r.status == 1, wrong);
    BOOST_TEST(r.err != "", wrong);
  }
  BOOST_TEST(f.run("--help").status == 0);
  BOOST_TEST(f.run("--version").status == 0);
}

BOOST_AUTO_TEST_CASE(a_model_that_is_not_valid_is_status_2) {
  Folder f;
  f.write("Bad.mo", "model Bad\n  Real x;\nequation\n  der(x) = y;\nend Bad;\n");
  const Ran r = f.run("Bad.mo");
  BOOST_TEST(r.status == 2);
  BOOST_TEST(contains(r.err, "Bad.mo:4:12: error: there is no variable y here"));
  BOOST_TEST(!fs::exists(f.path / "Bad_res.csv"));
  f.write("Half.mo", "model Half\n  Real x;\nequa");
  BOOST_TEST(f.run("Half.mo").status == 2);
  f.write("Empty.mo", "");
  BOOST_TEST(f.run("Empty.mo").status == 1);
}

BOOST_AUTO_TEST_CASE(a_run_that_fails_is_status_3_and_keeps_its_rows) {
  Folder f;
  const Ran r = f.run(MODELS "/DiscreteBehavior/Decay/Decay1.mo -o d.csv");
  BOOST_TEST(r.status == 3);
  BOOST_TEST(contains(r.err, "square root of a negative number"));
  const auto table = rows(read(f.path / "d.csv"));
  BOOST_TEST(table.size() > 100u);
  BOOST_TEST(table.back()[0] > 1.9);
}

BOOST_AUTO_TEST_CASE(check_and_emit_stop_before_the_run) {
  Folder f;
  f.write("Decay.mo", decay);
  BOOST_TEST(f.run("Decay.mo --check").status == 0);
  for (const char* stage : {"syntax", "instance", "flat", "dae", "program"}) {
    const Ran r = f.run(std::string("Decay.mo --emit ") + stage);
    BOOST_TEST(r.status == 0, stage);
    BOOST_TEST(r.out.size() > 20u, stage);
  }
  BOOST_TEST(!fs::exists(f.path / "Decay_res.csv"));
  // The flat print is a model: read back, it gives the same results.
  f.write("Flat.mo", f.run("Decay.mo --emit flat").out);
  BOOST_TEST((f.run("Flat.mo -o -").out == f.run("Decay.mo -o -").out));
}

// Where time has few digits behind the point, looks for crossings are as far apart as time shows.
BOOST_AUTO_TEST_CASE(a_late_start) {
  Folder f;
  f.write("L.mo", "model L Real x(start=0, fixed=true); equation der(x) = (if sin(300*time) > 0 then 1 else -1) - x; end L;\n");
  for (const std::string solver : {"bdf", "adams", "esdirk", "erk", "auto"}) {
    const Ran late = f.run("L.mo --start 1e10 --stop 10000000001 -o none --max-events 1000 --solver " + solver);
    BOOST_TEST(late.status == 0, solver << ": " << late.err);
    BOOST_TEST(contains(late.out, "events      95:"), solver << ": " << late.out);
  }
}

BOOST_AUTO_TEST_CASE(libraries_are_found_by_option_and_by_environment) {
  Folder f;
  f.write("lib/P/package.mo", "package P \"A library\" constant Real c = 4; end P;\n");
  f.write("lib/P/M.mo", "within P;\nmodel M Real x = c; end M;\n");
  f.write("U.mo", "model U Real x = P.c; end U;\n");
  BOOST_TEST(f.run("U.mo").status == 2);
  BOOST_TEST(f.run("U.mo -L lib").status == 0);
  BOOST_TEST(f.run("U.mo -L lib/P").status == 0);
  BOOST_TEST(f.run("U.mo", "MODELICAPATH=lib").status == 0);
  BOOST_TEST(f.run("-L lib -m P.M --quiet").status == 0);
  BOOST_TEST(rows(read(f.path / "M_res.csv")).back()[1] == 4);
  // What lies beside a library is one, too: what only a library may do is a warning there.
  f.write("lib/Q/package.mo", "package Q model A P.B.C c; end A; end Q;\n");
  f.write("lib/P/B.mo", "within P;\npartial package B model C Real x = 1; end C; end B;\n");
  f.write("V.mo", "model V extends Q.A; end V;\n");
  const Ran beside = f.run("V.mo -L lib/P -o none");
  BOOST_TEST(beside.status == 0);
  BOOST_TEST(contains(beside.err, "warning: this library names a class inside of P.B, which is partial"), beside.err);
  f.write("W.mo", "model W P.B.C c; end W;\n");
  BOOST_TEST(f.run("W.mo -L lib/P").status == 2);
  f.write("lib/P/D.mo", "within P;\nmodel D extends Q.A; end D;\n");   // the reader's own lie there
  BOOST_TEST(f.run("lib/P/D.mo").status == 2);
  // A file in a package's folder belongs to the package.
  BOOST_TEST(f.run("lib/P/M.mo --quiet").status == 0);
  // A reserved name (MLS 4.9) in a file of its own is told as one, and does not get lost.
  f.write("lib/P/Real.mo", "within P;\nmodel Real Integer n = 1; end Real;\n");
  const Ran reserved = f.run("-L lib -m P.Real -o none");
  BOOST_TEST(reserved.status == 2);
  BOOST_TEST(contains(reserved.err, "Real is the name of a predefined type"), reserved.err);
  // Files are read in order; earlier ones are visible to later ones.
  f.write("A.mo", "model A Real x = 1; end A;\n");
  f.write("B.mo", "model B extends A; end B;\n");
  BOOST_TEST(f.run("A.mo B.mo --quiet").status == 0);
  BOOST_TEST(fs::exists(f.path / "B_res.csv"));
}
