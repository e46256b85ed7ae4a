// What files of results hold: --results, HideResult, --parameters, --describe, -o; and the names that a model gives them.

#include <boost/test/unit_test.hpp>

#include <sys/stat.h>

#include "report/names.hpp"
#include "tests/cli/child.hpp"

using namespace mosim::tests;

namespace {

constexpr const char* tank = R"(model Tank
  type Colour = enumeration(red, green);
  model Mass
    parameter Real m(unit = "kg") = 2 "Mass";
    Real v(unit = "m/s", start = 1, fixed = true) "Speed, of \"it\"";
  equation
    der(v) = -v/m;
  end Mass;
  Mass mass[2](m = {2, 4});
  Mass secret annotation(HideResult = true);
  Real angle(unit = "rad", displayUnit = "deg") = 1 + time;
  Real inner_one = time annotation(HideResult = true);
  Real shown = time annotation(HideResult = false);
  Boolean b = angle > 1.5;
  constant Integer k = 3;
  parameter Boolean flag = true;
  parameter String text = "x";
end Tank;
)";

Folder& with_tank(Folder& f) {
  f.write("Tank.mo", tank);
  return f;
}

std::string header(const std::string& csv) { return csv.substr(0, csv.find('\n')); }

}  // namespace

BOOST_AUTO_TEST_SUITE(results_of_choice)

BOOST_AUTO_TEST_CASE(hidden_results_are_left_out) {
  Folder f;
  BOOST_TEST(header(with_tank(f).run("Tank.mo -o -").out) == "time,mass[1].v,mass[2].v,angle,shown,b,der(mass[1].v),der(mass[2].v)");
}

BOOST_AUTO_TEST_CASE(variables_are_chosen_by_names_and_patterns) {
  Folder f;
  with_tank(f);
  const auto chosen = [&](const std::string& list) {
    const Ran r = f.run("Tank.mo -o - --results '" + list + "'");
    BOOST_TEST(r.status == 0, r.err);
    return header(r.out);
  };
  BOOST_TEST(chosen("b,angle") == "time,angle,b");   // in the order of the model
  BOOST_TEST(chosen("mass.v") == "time,mass[1].v,mass[2].v");
  BOOST_TEST(chosen("mass[2].v") == "time,mass[2].v");
  BOOST_TEST(chosen("*.v") == "time,mass[1].v,mass[2].v,secret.v");
  BOOST_TEST(chosen("mass*") == "time,mass[1].v,mass[2].v");
  BOOST_TEST(chosen("secret.?") == "time,secret.v");
  BOOST_TEST(chosen("der(mass.v)") == "time,der(mass[1].v),der(mass[2].v)");
  BOOST_TEST(chosen("time") == "time");
  // A parameter comes by its name; by a pattern with --parameters alone.
  BOOST_TEST(chosen("mass.m,angle") == "time,angle,mass[1].m,mass[2].m");
  BOOST_TEST(chosen("mass[1].*") == "time,mass[1].v");
  BOOST_TEST(header(f.run("Tank.mo -o - --parameters --results 'mass[1].*'").out) == "time,mass[1].v,mass[1].m");
  const auto row = rows(f.run("Tank.mo -o - --results mass.m,mass.v --intervals 1").out).front();
  BOOST_TEST(row == (std::vector<double>{0, 1, 1, 2, 4}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_is_not_there_is_said_before_the_run) {
  Folder f;
  with_tank(f);
  const auto refused = [&](const std::string& list, const std::string& message) {
    const Ran r = f.run("Tank.mo --results '" + list + "'");
    BOOST_TEST(r.status == 1, list);
    BOOST_TEST(contains(r.err, message), r.err);
    BOOST_TEST(!fs::exists(f.path / "Tank_res.csv"));
  };
  refused("angel", "Tank has no variable angel to write; did you mean angle?");
  refused("mass", "mass is a component; name what is to be written in it: mass[1].v, mass[2].v");
  refused("q*", "Tank has no variable like q*");
  refused("text", "text is a String");
  refused("", "names no variable");
  refused(" , ", "names no variable");
}

BOOST_AUTO_TEST_CASE(parameters_are_columns_if_asked_for) {
  Folder f;
  const Ran r = with_tank(f).run("Tank.mo -o - --parameters --intervals 1");
  BOOST_TEST(header(r.out) == "time,mass[1].v,mass[2].v,angle,shown,b,der(mass[1].v),der(mass[2].v),mass[1].m,mass[2].m,k,flag");
  for (const auto& row : rows(r.out)) {
    BOOST_REQUIRE(row.size() == 12u);
    BOOST_TEST(row[8] == 2);
    BOOST_TEST(row[9] == 4);
    BOOST_TEST(row[10] == 3);
    BOOST_TEST(row[11] == 1);
  }
}

BOOST_AUTO_TEST_CASE(the_table_describes_what_is_written) {
  Folder f;
  with_tank(f);
  BOOST_TEST(f.run("Tank.mo -o x.csv --quiet --results 'mass[1].*,angle,b' --parameters --describe vars.csv").status == 0);
  BOOST_TEST(read(f.path / "vars.csv") ==
             "name,unit,displayUnit,type,kind,description\n"
             "time,s,,Real,time,Time\n"
             "mass[1].v,m/s,,Real,state,\"Speed, of \"\"it\"\"\"\n"
             "angle,rad,deg,Real,algebraic,\n"
             "b,,,Boolean,discrete,\n"
             "mass[1].m,kg,,Real,parameter,Mass\n");
}

BOOST_AUTO_TEST_CASE(outputs_of_all_kinds) {
  Folder f;
  with_tank(f);
  const Ran none = f.run("Tank.mo -o none");
  BOOST_TEST(none.status == 0);
  BOOST_TEST(!contains(none.out, "results "), none.out);
  BOOST_TEST(std::distance(fs::directory_iterator(f.path), {}) == 3);   // the model and what the command has said
  BOOST_TEST(f.run("Tank.mo -o /dev/null").status == 0);
  BOOST_TEST(rows(f.run("Tank.mo -o /dev/stdout --quiet").out).size() > 500u);
  const auto refused = [&](const std::string& arguments, const std::string& message) {
    const Ran r = f.run("Tank.mo " + arguments);
    BOOST_TEST(r.status == 1, arguments);
    BOOST_TEST(contains(r.err, message), r.err);
    BOOST_TEST(r.out == "");
  };
  refused("-o ''", "names no file");
  refused("-o x.txt", "results are written as .csv or .mat, not as x.txt");
  refused("--plot-to ''", "names no file");
  refused("--describe x.txt", "written as .csv");
  refused("--tolerance 2", "give a number below 1");
  refused("--tolerance 1", "give a number below 1");
  refused("--tolerance inf", "give a number below 1");
  refused("--hysteresis inf", "must be a number");
  refused("--stop inf", "has no end");
  BOOST_REQUIRE(mkfifo((f.path / "pipe.mat").c_str(), 0600) == 0);
  refused("-o pipe.mat", "is no file in which one can go back");
  f.write("Loose.mo", "model Loose Real x = 1; annotation(experiment(Tolerance = 3)); end Loose;\n");
  const Ran loose = f.run("Loose.mo");
  BOOST_TEST(loose.status == 1);
  BOOST_TEST(contains(loose.err, "the model asks for a tolerance of 3"), loose.err);
}

BOOST_AUTO_TEST_CASE(a_models_name_chooses_no_folder) {
  Folder f;
  const auto result_of = [&](const std::string& name) {
    fs::remove_all(f.path / "in");
    f.write("in/here/M.mo", "model " + name + " Real x = 1; end " + name + ";\n");
    const Ran r = f.run("M.mo --quiet", "cd in/here &&");
    BOOST_TEST(r.status == 0, r.err);
    std::vector<std::string> found;
    for (const auto& entry : fs::recursive_directory_iterator(f.path / "in"))
      if (entry.path().extension() == ".csv") found.push_back(fs::relative(entry.path(), f.path / "in"));
    BOOST_REQUIRE(found.size() == 1u);
    return found.front();
  };
  BOOST_TEST(result_of("Plain") == "here/Plain_res.csv");
  BOOST_TEST(result_of("'two words'") == "here/two words_res.csv");
  BOOST_TEST(result_of("'../escaped'") == "here/_._escaped_res.csv");
  BOOST_TEST(result_of("'a/b'") == "here/a_b_res.csv");
  BOOST_TEST(result_of("'.hidden'") == "here/_hidden_res.csv");
  BOOST_TEST(result_of("'a.b'") == "here/a.b_res.csv");
  BOOST_TEST(result_of("'a\\\\b'") == "here/a_b_res.csv");
  BOOST_TEST(result_of("'-o'") == "here/_o_res.csv");
  BOOST_TEST(result_of("'$(x)`|\"'") == "here/_(x)____res.csv");
  BOOST_TEST(result_of("'" + std::string(400, 'x') + "'") == "here/" + std::string(200, 'x') + "_res.csv");
}

BOOST_AUTO_TEST_CASE(control_characters_do_not_reach_the_terminal) {
  Folder f;
  const std::string bad = "\x1b[31mred\a\x7f\xc2\x9b";
  f.write("Red.mo", "model Red \"" + bad + "\" // " + bad + "\n  Real x(unit=\"" + bad + "\", start = 1, fixed = true) \"" + bad +
                    "\";\n  parameter String s = \"" + bad + "\";\n  Real y = time \"tab\\tline\\nr\\re\";\nequation\n  der(x) = -x;\n"
                    "  assert(time < 0.5, s + \"\\a\\b\\f\\v\", AssertionLevel.warning);\n"
                    "  when time > 0.7 then reinit(x, 2); end when;\n  when time > 0.9 then terminate(\"" + bad + "\"); end when;\nend Red;\n");
  f.write("Wrong.mo", "model Wrong \"" + bad + "\"\n  Real x = y; // " + bad + "\n  Real z = \"" + bad + "\";\nend Wrong;\n");
  const auto is_clean = [](const std::string& text) {
    for (std::size_t k = 0; k < text.size(); ++k) {
      const auto c = static_cast<unsigned char>(text[k]);
      if ((c < ' ' && c != '\n' && c != '\t') || c == 0x7f) return false;
      if (c == 0xc2 && k + 1 < text.size() && static_cast<unsigned char>(text[k + 1]) < 0xa0) return false;
    }
    return true;
  };
  for (const char* arguments : {"Red.mo --events", "Red.mo --plot x,y", "Wrong.mo", "Red.mo -m '\x1b[31m'", "Red.mo --set $'s=\x1b'", "Red.mo --results $'\x1b'"}) {
    const Ran r = f.run(arguments);
    BOOST_TEST((r.out + r.err).size() > 20u);
    BOOST_TEST(is_clean(r.out), arguments << "\n" << r.out);
    BOOST_TEST(is_clean(r.err), arguments << "\n" << r.err);
  }
  BOOST_TEST(contains(f.run("Red.mo").err, "?[31mred"));
}

BOOST_AUTO_TEST_CASE(a_plot_of_a_component_in_an_array_draws_each) {
  Folder f;
  const Ran r = with_tank(f).run("Tank.mo -o none --quiet --plot mass.v");
  BOOST_TEST(r.status == 0, r.err);
  BOOST_TEST(contains(r.out, "mass[1].v [m/s]"), r.out);
  BOOST_TEST(contains(r.out, "mass[2].v [m/s]"), r.out);
  BOOST_TEST(!contains(r.out, "secret"), r.out);
}

BOOST_AUTO_TEST_CASE(settings_without_a_name_or_a_value_are_refused) {
  Folder f;
  with_tank(f);
  for (const char* text : {"=3", "mass[1].m="}) {
    const Ran r = f.run(std::string("Tank.mo --set '") + text + "'");
    BOOST_TEST(r.status == 1, text);
    BOOST_TEST(contains(r.err, "write NAME=VALUE"), r.err);
  }
}

BOOST_AUTO_TEST_CASE(patterns_match_names) {
  using mosim::report::matches;
  BOOST_TEST(matches("a.b", "a.b", false));
  BOOST_TEST(!matches("a.b", "a.bc", false));
  BOOST_TEST(matches("a.b", "a[1].b[2,3]", false));
  BOOST_TEST(matches("a.b[2,3]", "a[1].b[2,3]", false));
  BOOST_TEST(!matches("a.b[2]", "a[1].b[2,3]", false));
  BOOST_TEST(!matches("a[2].b", "a[1].b", false));
  BOOST_TEST(!matches("a*", "ab", false));
  BOOST_TEST(matches("a*", "ab", true));
  BOOST_TEST(matches("*", "a[1].b", true));
  BOOST_TEST(matches("*b*", "a[1].b.c", true));
  BOOST_TEST(!matches("*b*", "a[1].c", true));
  BOOST_TEST(matches("?.b", "a[1].b", true));
  BOOST_TEST(matches("*[2]*", "a[2].b", true));
  BOOST_TEST(!matches("*[2]*", "a[1].b", true));
  BOOST_TEST(matches("der(x)", "der(x[3])", false));
  BOOST_TEST(matches("n", "n[E.'a]b']", false));
  BOOST_TEST(!matches("", "a", true));
  BOOST_TEST(matches("", "", true));
  // No time that grows with the power of the stars.
  BOOST_TEST(!matches(std::string(30, '*') + "a*a*a*a*a*a*a*a*b", std::string(5000, 'a'), true));
}

BOOST_AUTO_TEST_SUITE_END()
