// mosim study, as a user runs it.

#include <boost/test/unit_test.hpp>

#include "tests/cli/child.hpp"
#include "tests/cli/folder.hpp"

using namespace mosim::tests;

namespace {

constexpr const char* ball = R"(model Ball "Bounces"
  parameter Real e = 0.7;
  parameter Integer n = 2;
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
  Real x[n] = h*(1:n);
equation
  der(h) = v;
  der(v) = -9.81;
  when h < 0 then
    reinit(v, -e*pre(v));
  end when;
  assert(e < 1, "that much it cannot gain");
end Ball;
)";

std::size_t lines(const std::string& text) { return std::size_t(std::count(text.begin(), text.end(), '\n')); }

Folder& with_ball(Folder& f) {
  f.write("Ball.mo", ball);
  return f;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_table_of_runs) {
  Folder f;
  const Ran r = with_ball(f).run("study Ball.mo --stop 1 --vary e=0.5,0.7,1.5 --report 'hits = count(h < 0), reached(h < 0)' -o t.csv");
  BOOST_TEST(r.status == 0);
  BOOST_TEST(r.err == "");
  BOOST_TEST(r.out.find(", 1 failed\n  hits: 1 to 2\n") != std::string::npos);
  BOOST_TEST(r.out.find("  1 run failed, the first of them run 3: at 0 s: assertion failed: that much it cannot gain with e = 1.5\n  the table is in t.csv\n") != std::string::npos);
  const std::string table = read(f.path / "t.csv");
  BOOST_TEST(table.starts_with("run,e,hits,reached(h < 0),problem\n1,0.5,2,0.4515"));
  BOOST_TEST(table.ends_with("\n3,1.5,,,at 0 s: assertion failed: that much it cannot gain with e = 1.5\n"));
  BOOST_TEST(!fs::exists(f.path / "t.csv.runs"));
  const Ran all = f.run("study Ball.mo --stop 1 --vary e=1.5,2 --report 'max(h)' -o t.csv");
  BOOST_TEST(all.status == 3);
}

BOOST_AUTO_TEST_CASE(to_standard_output) {
  Folder f;
  const Ran r = with_ball(f).run("study Ball.mo --stop 1 --vary n=1:3 --report 'last(x[1]/h)' -o - --quiet");   // a model for each size
  BOOST_TEST(r.status == 0);
  BOOST_TEST(r.out == "run,n,last(x[1]/h),problem\n1,1,1,\n2,2,1,\n3,3,1,\n");
  BOOST_TEST(r.err == "");
}

BOOST_AUTO_TEST_CASE(tables_of_runs_as_input) {
  Folder f;
  f.write("in.csv", "n,e\n3,0.5\n4,0.6\n");
  const Ran r = with_ball(f).run("study Ball.mo --stop 0.1 --table in.csv --report 'last(x[n])/last(h)' -o - --quiet");
  BOOST_TEST(r.status == 1);
  BOOST_TEST(r.err == "mosim: error: `last(x[n])/last(h)`: Ball has no variable x[n]; did you mean x[1]?\n");
  const Ran good = f.run("study Ball.mo --stop 0.1 --table in.csv --report 'last(x[2])/last(h), same = e' -o - --quiet");
  BOOST_TEST(good.out == "run,n,e,last(x[2])/last(h),same,problem\n1,3,0.5,2,0.5,\n2,4,0.6,2,0.6,\n");
}

BOOST_AUTO_TEST_CASE(of_a_compiled_model) {
  Folder f;
  (void)with_ball(f).run("compile Ball.mo -o Ball.mosim");
  const std::string options = " --stop 1 --vary e=0.5,0.6 --report 'last(h)' -o - --quiet";
  BOOST_TEST(f.run("study Ball.mosim" + options).out == f.run("study Ball.mo" + options).out);
  BOOST_TEST(f.run("study Ball.mosim --vary n=1:3 --report 'last(h)'").err.starts_with("mosim: error: n cannot vary from run to run: "));
  BOOST_TEST(f.run("study Ball.mosim -s e=0.5 --vary h=1:3 --report 'last(h)'").err.starts_with("mosim: error: Ball.mosim is a compiled model"));
  f.write("No.mosim", "nothing");
  BOOST_TEST(f.run("study No.mosim --vary h=1:3 --report 'last(h)'").status == 2);
}

// Interrupted, it keeps what it has, and the same command goes on with the others.
BOOST_AUTO_TEST_CASE(a_study_goes_on_after_an_interruption) {
  Folder f;
  with_ball(f);
  const std::string options = "study Ball.mo --stop 3 --vary e=uniform(0.3,0.9) --runs 3000 --report max(h),last(v),count(h<0) --seed 5 -o t.csv";
  std::vector<std::string> words;
  std::istringstream in(options);
  for (std::string word; in >> word;) words.push_back(word);
  Child child(f, words);
  BOOST_REQUIRE(child.wait_for("t.csv.runs", 2000));
  child.send(SIGINT);
  const Ended ended = child.wait();
  BOOST_TEST(ended.status == 130);
  BOOST_TEST(!ended.killed);
  BOOST_TEST(child.out().find("interrupted: ") != std::string::npos);
  const std::string part = read(f.path / "t.csv");
  BOOST_TEST(lines(part) > 20);
  BOOST_TEST(lines(part) < 3001);
  {   // the hard way
    Child again(f, words);
    BOOST_REQUIRE(again.wait_for("t.csv.runs", fs::file_size(f.path / "t.csv.runs") + 2000));
    again.send(SIGKILL);
    BOOST_TEST(again.wait().killed);
  }
  Child last(f, words);
  BOOST_TEST(last.wait().status == 0);
  BOOST_TEST(last.out().find(" of this study are there already, in t.csv.runs.\n") != std::string::npos);
  const std::string table = read(f.path / "t.csv");
  BOOST_TEST(lines(table) == 3001);
  BOOST_TEST(!fs::exists(f.path / "t.csv.runs"));
  for (std::string& word : words)
    if (word == "t.csv") word = "u.csv";
  words.insert(words.end(), {"--workers", "1"});
  Child whole(f, words);
  BOOST_TEST(whole.wait().status == 0);
  BOOST_TEST((read(f.path / "u.csv") == table));
}

BOOST_AUTO_TEST_CASE(parts_for_several_machines) {
  Folder f;
  with_ball(f);
  const std::string options = "study Ball.mo --stop 1 --vary 'e=normal(0.5,0.05)' --runs 20 --report 'last(h)' ";
  for (const char* part : {"1/3", "2/3", "3/3"}) {
    const Ran r = f.run(options + "-o t.csv --part " + part);
    BOOST_TEST(r.status == 0);
    BOOST_TEST(r.out.find("put them together with mosim study --merge t.csv.*-of-3 -o t.csv\n") != std::string::npos);
  }
  BOOST_TEST(f.run("study --merge t.csv.1-of-3 t.csv.3-of-3 -o t.csv").err ==
             "mosim: error: 7 of 20 runs are not there yet, the first of them run 2: do the other parts, or finish them\n");
  const Ran merged = f.run("study --merge t.csv.1-of-3 t.csv.2-of-3 t.csv.3-of-3 -o t.csv");
  BOOST_TEST(merged.status == 0);
  BOOST_TEST(merged.out == "The parts are put together in t.csv.\n");
  (void)f.run(options + "-o u.csv");
  BOOST_TEST((read(f.path / "t.csv") == read(f.path / "u.csv")));
}

BOOST_AUTO_TEST_CASE(what_is_missing_or_wrong_is_said) {
  Folder f;
  with_ball(f);
  const auto said = [&](const std::string& options) {
    const Ran r = f.run("study " + options);
    BOOST_TEST(r.status == 1);
    return r.err.substr(0, r.err.find('\n'));
  };
  BOOST_TEST(said("") == "mosim study: name a Modelica file, or a model with --model and a library with -L");
  BOOST_TEST(said("Ball.mo --report 'max(h)'") == "mosim study: say what varies: --vary e=0.1:0.1:0.9, or --table FILE.csv");
  BOOST_TEST(said("Ball.mo --vary e=1:3") == "mosim study: say what is asked of each run: --report 'max(h), last(v)'");
  BOOST_TEST(said("Bal.mo --vary e=1:3 --report 'max(h)'") == "mosim: error: there is no file Bal.mo; did you mean Ball.mo?");
  BOOST_TEST(said("Ball.mo --vary e=1:3 --report 'max(h)' --part 4/3") == "--part: is K/N, part K of N: 3/8, not 4/3");
  BOOST_TEST(said("Ball.mo --vary e=1:3 --report 'max(h)' -o t.mat") == "--output: the table is written as .csv, not as 't.mat'");
  BOOST_TEST(said("Ball.mo --vary e=1:3 --report 'max(h)' -o no/t.csv").starts_with("mosim: error: "));
  BOOST_TEST(said("Ball.mo --vary g=1:3 --report 'max(h)'") == "mosim: error: Ball has no variable g");
  BOOST_TEST(said("Ball.mo --table none.csv --report 'max(h)'") == "mosim: error: cannot read the file none.csv");
  BOOST_TEST(said("Ball.mo --vary e=0.5 --report 'max(h)' --tolerance 2").find("tolerance") != std::string::npos);
  BOOST_TEST(said("Ball.mo --vary e=0.5 --report 'max(h)' --runs -3") == "--runs: is a whole number that is not negative, and -3 is");
  BOOST_TEST(said("--merge Ball.mo -o t.csv") == "mosim: error: Ball.mo is no study of this version of mosim");
  f.write("Broken.mo", "model Broken Real x = ; end Broken;");
  BOOST_TEST(f.run("study Broken.mo --vary x=1 --report 'max(x)'").status == 2);
}
