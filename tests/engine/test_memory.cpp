// Sessions of hosts without a file system: a function is asked for classes, and for resources.

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <stdexcept>
#include <thread>

#include "tests/engine/compiled.hpp"

using namespace mosim;
using namespace mosim::tests;

namespace {

const std::map<std::string, std::string> texts{
    {"Toys", "package Toys end Toys;"},
    {"Toys.Balls", "within Toys; package Balls constant Real g = 9.81; end Balls;"},
    {"Toys.Balls.Bouncing", "within Toys.Balls; package Bouncing extends Toys.Icons.Thing; end Bouncing;"},
    {"Toys.Balls.Bouncing.Ball", R"(within Toys.Balls.Bouncing;
model Ball
  extends Partial;
  parameter Real e = 0.8;
equation
  when h < 0 then
    reinit(v, -e*pre(v));
  end when;
end Ball;)"},
    {"Toys.Balls.Bouncing.Partial", "within Toys.Balls.Bouncing; partial model Partial Real h(start = 1, fixed = true), v(start = 0, fixed = true); equation der(h) = v; der(v) = -g; end Partial;"},
    {"Toys.Icons", "within Toys; package Icons end Icons;"},
    {"Toys.Icons.Thing", "within Toys.Icons; partial package Thing end Thing;"},
    {"Toys.Broken", "within Toys; model Broken extends Nobody.Knows; end Broken;"},
};

struct Memory {
  std::map<std::string, int> asked;
  SessionOptions options() {
    return {.source = [this](const std::string& name) -> std::optional<SourceText> {
      ++asked[name];
      const auto it = texts.find(name);
      if (it == texts.end()) return {};
      return SourceText{"memory/" + name + ".mo", it->second};
    }};
  }
  int most() const {
    int most = 0;
    for (const auto& [name, count] : asked) most = std::max(most, count);
    return most;
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(memory)

BOOST_AUTO_TEST_CASE(a_package_of_three_levels) {
  Memory memory;
  Session s(memory.options());
  const auto m = s.compile("Toys.Balls.Bouncing.Ball");
  BOOST_REQUIRE_MESSAGE(m, (s.diagnostics().empty() ? std::string() : s.diagnostics()[0].text));
  BOOST_TEST(s.diagnostics().empty());
  BOOST_TEST(m->variables()[*m->find("h")].place.file == "memory/Toys.Balls.Bouncing.Partial.mo");
  const Result r = m->simulate({.stop = 0.5});
  BOOST_TEST(std::count_if(r.events.begin(), r.events.end(), [](const Event& e) { return !e.fired.empty(); }) == 1);
  for (const auto& [name, text] : texts)
    if (name != "Toys.Broken") BOOST_TEST(memory.asked[name] == 1, name);
  BOOST_TEST(memory.asked.count("Toys.Broken") == 0u);
  BOOST_TEST(memory.most() == 1);
  // Another model of the session asks for what is new alone.
  BOOST_TEST(s.check("Toys.Balls.Bouncing.Ball"));
  BOOST_TEST(memory.most() == 1);
}

BOOST_AUTO_TEST_CASE(a_class_that_nobody_has) {
  Memory memory;
  Session s(memory.options());
  BOOST_TEST(!s.compile("Toys.Balls.Missing"));
  BOOST_REQUIRE(s.diagnostics().size() == 1u);
  BOOST_TEST(s.diagnostics()[0].cause.find("Missing") != std::string::npos, s.diagnostics()[0].text);
  BOOST_TEST(memory.asked["Toys.Balls.Missing"] == 1);
  BOOST_TEST(!s.compile("Toys.Broken"));
  BOOST_REQUIRE(s.diagnostics().size() == 1u);
  BOOST_TEST(s.diagnostics()[0].place.file == "memory/Toys.Broken.mo");
  BOOST_TEST(s.diagnostics()[0].cause == "there is no class or library Nobody here");
  BOOST_TEST(memory.most() == 1);
  BOOST_TEST(s.compile("Toys.Balls.Bouncing.Ball"));
}

// A text of one's own beside them finds them; what mosim has is taken where the function has nothing.
BOOST_AUTO_TEST_CASE(texts_beside_it) {
  Memory memory;
  Session s(memory.options());
  s.read_text("m.mo", "model M Toys.Balls.Bouncing.Ball ball(e = 0.5); Real x = Modelica.Constants.pi; end M;");
  const auto m = s.compile("M");
  BOOST_REQUIRE_MESSAGE(m, (s.diagnostics().empty() ? std::string() : s.diagnostics()[0].text));
  BOOST_TEST(memory.asked["Modelica"] == 1);
  BOOST_TEST(memory.asked.count("M.ball") == 0u);
  BOOST_TEST(last(m->simulate(), "x") > 3.14);
}

// The same model, whichever stack it was compiled on; what is asked for is asked from there.
BOOST_AUTO_TEST_CASE(the_thread_that_compiles) {
  std::string told[2];
  for (const bool of_its_own : {false, true}) {
    std::set<std::thread::id> threads;
    Session s({.source =
                   [&](const std::string& name) -> std::optional<SourceText> {
                     threads.insert(std::this_thread::get_id());
                     if (name != "Deep") return {};
                     return SourceText{"Deep.mo", "model Deep Real x(start = 1, fixed = true); equation der(x) = -x; end Deep;"};
                   },
               .compiling_thread = of_its_own});
    BOOST_TEST(s.check("Deep"));
    told[of_its_own] = s.show("Deep", Stage::program);
    const auto model = s.compile("Deep");
    BOOST_REQUIRE(model);
    BOOST_TEST(std::abs(last(model->simulate(), "x") - std::exp(-1)) < 1e-5);
    BOOST_REQUIRE(!threads.empty());
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    BOOST_TEST(threads.count(std::this_thread::get_id()) == (of_its_own ? 0u : threads.size()));
#endif
  }
  BOOST_TEST(!told[0].empty());
  BOOST_TEST(told[0] == told[1]);
}

BOOST_AUTO_TEST_CASE(a_function_that_throws) {
  Session s({.source = [](const std::string& name) -> std::optional<SourceText> { throw std::runtime_error("no line to " + name); }});
  BOOST_TEST(!s.compile("A.B"));
  BOOST_REQUIRE(!s.diagnostics().empty());
  BOOST_TEST(s.diagnostics()[0].cause == "the function that gives the texts of classes fails for A: no line to A");
}

BOOST_AUTO_TEST_CASE(resources) {
  std::string path = (std::filesystem::temp_directory_path() / "mosim_engine_XXXXXX").string();
  BOOST_REQUIRE(mkdtemp(path.data()));
  const std::filesystem::path folder = path;
  path += "/lines.txt";
  std::ofstream(path) << "one\ntwo\nthree\n";
  std::vector<std::string> asked;
  Session s({.resource = [&](std::string_view uri) -> std::optional<std::string> {
    asked.emplace_back(uri);
    if (uri != "modelica://M/lines.txt") return {};
    return path;
  }});
  s.read_text("m.mo", R"(model M
  function path
    input String uri;
    output String file;
    external "C" file = ModelicaInternal_fullPathName(uri);
  end path;
  function lines
    input String file;
    output Integer n;
    external "C" n = ModelicaInternal_countLines(file);
  end lines;
  Real n;
algorithm
  when initial() then
    n := lines(path("modelica://M/lines.txt"));
  end when;
end M;)");
  const auto m = s.compile("M");
  BOOST_REQUIRE_MESSAGE(m, (s.diagnostics().empty() ? std::string() : s.diagnostics()[0].text));
  const Result r = m->simulate();
  BOOST_REQUIRE_MESSAGE(r.ending == Ending::stop_time, r.report());
  BOOST_TEST(last(r, "n") == 3);
  BOOST_REQUIRE(!asked.empty());
  BOOST_TEST(asked.back() == "modelica://M/lines.txt");
  const auto again = s.load("m.mosim", m->write());
  BOOST_REQUIRE(again);
  BOOST_TEST(last(again->simulate(), "n") == 3);
  std::filesystem::remove_all(folder);
}

BOOST_AUTO_TEST_SUITE_END()
