// mosim compile, and the run of what it writes: the same bytes as a run of the model, in another process.

#include <boost/test/unit_test.hpp>

#include "tests/cli/folder.hpp"

using namespace mosim::tests;

namespace {

constexpr const char* ball = R"(model Ball "Bounces"
  parameter Real e = 0.7;
  Real h(start = 1, fixed = true, unit = "m");
  Real v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
  when h < 0 then
    reinit(v, -e*pre(v));
  end when;
  annotation(experiment(StopTime = 1));
end Ball;
)";

/// But for how long it took.
std::string without_times(const std::string& report) {
  std::string text;
  std::istringstream lines(report);
  for (std::string line; std::getline(lines, line);)
    if (!line.starts_with("  time ")) text += line + "\n";
  return text;
}

Folder& compiled(Folder& f) {
  f.write("Ball.mo", ball);
  const Ran r = f.run("compile Ball.mo -o Ball.mosim");
  BOOST_TEST(r.status == 0);
  BOOST_TEST(r.out == "Ball is compiled to Ball.mosim.\n");
  BOOST_TEST(r.err == "");
  return f;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_compiled_model_runs_as_the_model_does) {
  Folder f;
  compiled(f);
  for (const std::string options : {"", "--stop 0.8 --intervals 7 --tolerance 1e-8 --solver adams --hybrid-time --parameters", "--results h,e --max-events 2",
                                    "--plot h --hysteresis 1e-7 --solver esdirk", "--solver erk", "--start 0.1 --interval 0.05 --describe d.csv"}) {
    const std::string all = options + " -o r.csv --events e.json";
    const Ran direct = f.run("Ball.mo " + all);
    const std::string rows = read(f.path / "r.csv"), log = read(f.path / "e.json");
    fs::remove(f.path / "r.csv"), fs::remove(f.path / "e.json");
    const Ran again = f.run("Ball.mosim " + all);
    BOOST_TEST(direct.status == again.status, options);
    BOOST_TEST(direct.status == 0);
    BOOST_TEST((read(f.path / "r.csv") == rows), options);
    BOOST_TEST((read(f.path / "e.json") == log), options);
    BOOST_TEST(without_times(direct.out) == without_times(again.out));
    BOOST_TEST(direct.err == again.err);
  }
  BOOST_TEST(f.run("Ball.mo -o r.mat --quiet").status == 0);
  const std::string mat = read(f.path / "r.mat");
  BOOST_TEST(f.run("Ball.mosim -o r.mat --quiet").status == 0);
  BOOST_TEST((read(f.path / "r.mat") == mat));
}

// The model's text is not there any more, and the page shows it all the same.
BOOST_AUTO_TEST_CASE(the_page_has_the_source) {
  Folder f;
  compiled(f);
  BOOST_TEST(f.run("Ball.mo -o none --quiet --plot-to p.html").status == 0);
  const std::string page = read(f.path / "p.html");
  BOOST_TEST(contains(page, "Bounces"));
  fs::remove(f.path / "Ball.mo");
  BOOST_TEST(f.run("Ball.mosim -o none --quiet --plot-to q.html").status == 0);
  BOOST_TEST((read(f.path / "q.html") == page));
}

BOOST_AUTO_TEST_CASE(settings_and_models_are_for_the_compiler) {
  Folder f;
  compiled(f);
  BOOST_TEST(f.run("compile Ball.mo --set e=0.5 -m Ball -o B.mosim --quiet").out == "");
  BOOST_TEST(f.run("Ball.mo --set e=0.5 -o a.csv --quiet").status == 0);
  BOOST_TEST(f.run("B.mosim -o b.csv --quiet").status == 0);
  BOOST_TEST((read(f.path / "a.csv") == read(f.path / "b.csv")));
  const auto said = [&](const std::string& arguments) {
    const Ran r = f.run(arguments);
    BOOST_TEST(r.status == 1);
    BOOST_TEST(r.out == "");
    return r.err;
  };
  const std::string start = " needs the model's text, and Ball.mosim is a compiled model: ";
  BOOST_TEST(said("Ball.mosim --set e=0.5") == "mosim: error: --set" + start + "give the setting to mosim compile, or run the .mo file\n");
  BOOST_TEST(said("Ball.mosim --verify") == "mosim: error: --verify" + start + "run the .mo file\n");
  BOOST_TEST(said("Ball.mosim --check") == "mosim: error: --check" + start + "give it the .mo file\n");
  BOOST_TEST(said("Ball.mosim --emit flat") == "mosim: error: --emit" + start + "give it the .mo file\n");
  BOOST_TEST(said("Ball.mosim --emit syntax") == "mosim: error: --emit" + start + "give it the .mo file\n");
  BOOST_TEST(contains(said("Ball.mosim -m Ball"), "--model" + start));
  BOOST_TEST(contains(said("Ball.mosim -L ."), "--library" + start));
  BOOST_TEST(said("Ball.mo Ball.mosim") == "mosim: error: Ball.mosim is a compiled model, which is run alone: name no other file beside it\n");
}

BOOST_AUTO_TEST_CASE(what_is_wrong_with_a_compile_command) {
  Folder f;
  compiled(f);
  const auto said = [&](const std::string& arguments) {
    const Ran r = f.run(arguments);
    BOOST_TEST(r.status == 1);
    return r.err;
  };
  BOOST_TEST(contains(said("compile Ball.mo"), "--output: name the file to write: -o FILE.mosim"));
  BOOST_TEST(contains(said("compile Ball.mo -o Ball.csv"), "a compiled model is written as .mosim, not as 'Ball.csv'"));
  BOOST_TEST(contains(said("compile Ball.mosim -o B.mosim"), "Ball.mosim is compiled already"));
  BOOST_TEST(contains(said("compile -o B.mosim"), "name a Modelica file"));
  BOOST_TEST(contains(said("compile Ball.mo --stop 3 -o B.mosim"), "--stop is no option"));
  BOOST_TEST(contains(said("compile Ball.mo -o nowhere/B.mosim"), "there is no folder nowhere"));
  BOOST_TEST(contains(said("compile Bal.mo -o B.mosim"), "did you mean Ball.mo?"));
  BOOST_TEST(contains(said("Bal.mosim"), "there is no file Bal.mosim; did you mean Ball.mosim?"));
  BOOST_TEST(contains(said("Ball.mo -o Ball.mosim"), "mosim compile"));
  f.write("Bad.mo", "model Bad Real x; end Bad;");
  BOOST_TEST(f.run("compile Bad.mo -o Bad.mosim").status == 2);
  BOOST_TEST(!fs::exists(f.path / "Bad.mosim"));
  const Ran help = f.run("compile --help");
  BOOST_TEST(help.status == 0);
  BOOST_TEST(contains(help.out, "mosim FILE.mosim [options of a run]"));
  BOOST_TEST(contains(f.run("--help").out, "mosim compile --help"));
}

BOOST_AUTO_TEST_CASE(files_that_cannot_be_run) {
  Folder f;
  compiled(f);
  const std::string whole = read(f.path / "Ball.mosim");
  const auto said = [&](const std::string& bytes) {
    f.write("B.mosim", bytes);
    const Ran r = f.run("B.mosim");
    BOOST_TEST(r.status == 1);
    BOOST_TEST(!fs::exists(f.path / "Ball_res.csv"));
    return r.err;
  };
  const std::string remedy = "; compile the model again: mosim compile MODEL.mo -o FILE.mosim\n";
  BOOST_TEST(said(ball) == "mosim: error: B.mosim cannot be run: it is no compiled model" + remedy);
  BOOST_TEST(said("") == "mosim: error: B.mosim cannot be run: it is no compiled model" + remedy);
  BOOST_TEST(said(whole.substr(0, 100)) == "mosim: error: B.mosim cannot be run: it is damaged: it ends too early" + remedy);
  std::string changed = whole;
  changed[500] = static_cast<char>(changed[500] ^ 1);
  BOOST_TEST(said(changed) == "mosim: error: B.mosim cannot be run: it is damaged: its checksum does not fit what is in it" + remedy);
  fs::create_directory(f.path / "D.mosim");
  BOOST_TEST(f.run("D.mosim").err == "mosim: error: cannot read the file D.mosim\n");
}

// C of the model's own runs when whoever runs the file says so, not when somebody else did.
BOOST_AUTO_TEST_CASE(foreign_code_needs_leave_for_each_run) {
  Folder f;
  f.write("C.mo", R"(model C
  function twice
    input Real x;
    output Real y;
    external "C" y = twice_it(x) annotation(Include = "double twice_it(double x) { return 2*x; }");
  end twice;
  Real y = twice(time);
end C;
)");
  BOOST_TEST(f.run("compile C.mo -o C.mosim").status == 2);
  BOOST_TEST(f.run("compile C.mo -o C.mosim --native-code").status == 0);
  const Ran refused = f.run("C.mosim");
  BOOST_TEST(refused.status == 1);
  BOOST_TEST(refused.err ==
             "mosim: error: C.mosim cannot be run: it calls twice_it, which is foreign code and runs with your rights: it is called only with --native-code; if you trust it, "
             "give the option --native-code\n");
  BOOST_TEST(!fs::exists(f.path / "C_res.csv"));
  BOOST_TEST(f.run("C.mosim --native-code --quiet -o a.csv --intervals 4").status == 0);
  BOOST_TEST(f.run("C.mo --native-code --quiet -o b.csv --intervals 4").status == 0);
  BOOST_TEST((read(f.path / "a.csv") == read(f.path / "b.csv")));
  BOOST_TEST(rows(read(f.path / "a.csv")).back()[1] == 2.0);
}

BOOST_AUTO_TEST_CASE(the_log_is_printed_where_a_compiled_model_follows) {
  Folder f;
  compiled(f);
  const Ran r = f.run("--events Ball.mosim -o none");
  BOOST_TEST(r.status == 0);
  BOOST_TEST(contains(r.out, "reinit"));
}
