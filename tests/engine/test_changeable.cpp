// Values that a run is started with: the same as if the model had been compiled with them, or refused.

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <filesystem>

#include "tests/engine/compiled.hpp"

using namespace mosim;
using namespace mosim::tests;

namespace {

bool is_changeable(const Model& m, std::string_view name) { return m.variables()[m.find(name).value()].is_changeable; }

}  // namespace

BOOST_AUTO_TEST_SUITE(changeable)

BOOST_AUTO_TEST_CASE(parameters_and_what_follows_from_them) {
  // x = x0*exp(-k*t) with k = 2*p; q is given by an expression of its own.
  const char* const text = "model M parameter Real p = 1; parameter Real q = 2*p; parameter Real r = 2*p; final parameter Real f = p; Real x(start = 3, fixed = true); "
                           "Real y = r*x; Real z = f; equation der(x) = -q*x; end M;";
  const auto m = compiled(text);
  for (const char* name : {"p", "q", "r", "x"}) BOOST_TEST(is_changeable(*m, name), name);
  BOOST_TEST(!is_changeable(*m, "f"));
  BOOST_TEST(!is_changeable(*m, "y"));
  const auto run = [&](std::vector<std::pair<std::string, double>> set) {
    return m->simulate({.stop = 1, .tolerance = 1e-9, .set = std::move(set), .results = std::vector<std::string>{"x", "y", "z", "q", "r"}});
  };
  Result r = run({});
  BOOST_TEST(last(r, "x") == 3*std::exp(-2), boost::test_tools::tolerance(1e-7));
  r = run({{"p", 0.25}});   // q and r follow
  BOOST_TEST(last(r, "x") == 3*std::exp(-0.5), boost::test_tools::tolerance(1e-7));
  BOOST_TEST(last(r, "r") == 0.5);
  BOOST_TEST(last(r, "z") == 0.25);
  r = run({{"q", 1}, {"x", 5}});   // r, whose expression is the same, does not
  BOOST_TEST(last(r, "x") == 5*std::exp(-1), boost::test_tools::tolerance(1e-7));
  BOOST_TEST(last(r, "q") == 1);
  BOOST_TEST(last(r, "r") == 2);
  BOOST_TEST(last(r, "y") == 10*std::exp(-1), boost::test_tools::tolerance(1e-7));
  r = run({});                     // and nothing is left of it
  BOOST_TEST(last(r, "x") == 3*std::exp(-2), boost::test_tools::tolerance(1e-7));
}

BOOST_AUTO_TEST_CASE(first_guesses_are_no_start_values) {
  // y follows from its equation, and x from the initial equation: their start values are guesses.
  const auto m = compiled("model M Real x(start = 1), y(start = 2), z(start = 3, fixed = true); initial equation x = 5; equation der(x) = -x; der(z) = -z; y^3 + y = x; end M;");
  BOOST_TEST(!is_changeable(*m, "x"));
  BOOST_TEST(!is_changeable(*m, "y"));
  BOOST_TEST(is_changeable(*m, "z"));
}

// What an assertion compares can be changed, and is compared then; not so what its message could only be made with.
BOOST_AUTO_TEST_CASE(assertions_about_parameters) {
  const auto m = compiled("model M parameter Real e = 0.7; parameter Integer k = 5; parameter Real t[3] = {1, 2, 3}; Real x(start = 1, fixed = true); "
                          "equation der(x) = -e*x; assert(e < 1, \"too much\"); assert(k > 3, \"it is \" + String(t[k])); end M;");
  BOOST_TEST(is_changeable(*m, "e"));
  BOOST_TEST(!is_changeable(*m, "k"));
  BOOST_TEST(last(m->simulate({.stop = 1, .tolerance = 1e-9, .set = {{"e", 0.5}}}), "x") == std::exp(-0.5), boost::test_tools::tolerance(1e-7));
  const Result r = m->simulate({.set = {{"e", 1.5}}});
  BOOST_CHECK(r.ending == Ending::failed);
  BOOST_REQUIRE(!r.diagnostics.empty());
  BOOST_TEST(r.diagnostics.back().cause.find("too much") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(what_the_program_was_made_from_is_refused) {
  const auto m = compiled(R"(model M
  parameter Integer n = 3;
  parameter Boolean b = true;
  parameter Real R = 2, a = 3, c = 1;
  parameter Integer k = 4;
  parameter Boolean d = true;
  type E = enumeration(one, two);
  parameter E e = E.one;
  constant Real pi = 3;
  Real x[n] = {i*time for i in 1:n};
  Real y, z, w, u(start = 0, fixed = true);
  Boolean o = d and time > 0.5;
  Real m = k*time, v = time + Integer(e), branch = if b then time else 2*time;
equation
  if b then y = time; else der(y) = 1; end if;
  R*z = time;
  (a - c)*w = time;
  der(u) = pi;
end M;
)");
  for (const char* name : {"n", "b", "a", "c", "pi", "y"}) {
    BOOST_TEST(!is_changeable(*m, name), name);
    BOOST_TEST(!m->refusal(name, 1).empty());
    BOOST_CHECK_THROW((void)m->start({.set = {{name, 1}}}), std::invalid_argument);
  }
  BOOST_TEST(!m->refusal("nothing", 1).empty());
  // R divides: not 0, nor of the other sign.
  BOOST_TEST(m->refusal("R", 5).empty());
  BOOST_TEST(!m->refusal("R", 0).empty());
  BOOST_TEST(!m->refusal("R", -2).empty());
  BOOST_TEST(!m->refusal("R", 1e9).empty());
  BOOST_TEST(last(m->simulate({.set = {{"R", 5}}}), "z") == 0.2, boost::test_tools::tolerance(1e-12));
  // By type.
  BOOST_TEST(m->refusal("k", 7).empty());
  BOOST_TEST(!m->refusal("k", 7.5).empty());
  BOOST_TEST(m->refusal("d", 0).empty());
  BOOST_TEST(!m->refusal("d", 2).empty());
  BOOST_TEST(m->refusal("e", 2).empty());
  BOOST_TEST(!m->refusal("e", 3).empty());
  BOOST_TEST(!m->refusal("u", std::nan("")).empty());
  BOOST_TEST(last(m->simulate(), "o") == 1);
  const Result r = m->simulate({.set = {{"k", 7}, {"d", 0}, {"e", 2}}});
  BOOST_TEST(last(r, "m") == 7);
  BOOST_TEST(last(r, "o") == 0);
  BOOST_TEST(last(r, "v") == 3);
}

BOOST_AUTO_TEST_CASE(ranges_of_parameters) {
  const auto m = compiled("model M parameter Real p(min = 0, max = 2) = 1; parameter Real limit = 5; parameter Real q(max = limit) = 2*p; Real x(start = 0, fixed = true); equation der(x) = q; end M;");
  const auto said = [&](std::vector<std::pair<std::string, double>> set) {
    const Result r = m->simulate({.set = std::move(set)});
    return r.ending == Ending::failed ? r.diagnostics.back().cause : "";
  };
  BOOST_TEST(said({{"p", 2}}) == "");
  BOOST_TEST(said({{"p", 2.5}}) == "parameter p = 2.5 is above its maximum 2");
  BOOST_TEST(said({{"p", -1}}) == "parameter p = -1 is below its minimum 0");
  BOOST_TEST(said({{"limit", 1.5}}) == "parameter q = 2 is above its maximum 1.5");
  BOOST_TEST(said({{"limit", 1.5}, {"p", 0.5}}) == "");
}

// Every parameter and start value of every model of ours that can be changed: the rows are those of the model compiled with that value.
BOOST_AUTO_TEST_CASE(as_if_compiled_with_them) {
  std::size_t compared = 0, starts = 0, recompiled = 0;
  for (const auto& file : std::filesystem::recursive_directory_iterator(MODELS)) {
    if (file.path().extension() != ".mo" || file.path().string().find("/Modelica/") != std::string::npos) continue;
    Session s;
    const auto classes = s.read(file.path().string());
    if (classes.empty()) continue;
    const auto m = s.compile(classes.back());
    if (!m) continue;
    for (const Variable& v : m->variables()) {
      const bool is_parameter = v.kind == Kind::parameter;
      if (!v.is_changeable) {
        recompiled += is_parameter;
        continue;
      }
      if (v.type != Type::real) continue;
      Run before = m->start({.stop = 0});
      const double value = 1.01*before.get(v.name) + (before.get(v.name) == 0 ? 0.01 : 0);
      if (!m->refusal(v.name, value).empty()) continue;
      char text[64];
      std::snprintf(text, sizeof text, "=%.17g", value);
      const auto other = s.compile(classes.back(), {v.name + text});
      if (!other) continue;
      const double stop = m->experiment().start.value_or(0) + std::min(2.0, m->experiment().stop.value_or(1));
      const Result one = m->simulate({.stop = stop, .intervals = 20, .set = {{v.name, value}}, .maximum_events = 300}), two = other->simulate({.stop = stop, .intervals = 20, .maximum_events = 300});
      BOOST_CHECK_MESSAGE(one.ending == two.ending && one.rows.size() == two.rows.size(), file.path().filename().string() + ": " + v.name);
      if (one.rows.size() != two.rows.size()) continue;
      double worst = 0;
      for (std::size_t k = 0; k < one.rows.size(); ++k) worst = std::max(worst, std::abs(one.rows[k] - two.rows[k])/(1 + std::abs(two.rows[k])));
      BOOST_CHECK_MESSAGE(worst < 1e-4, file.path().filename().string() + ": " + v.name + " differs by " + std::to_string(worst));
      ++(is_parameter ? compared : starts);
    }
  }
  BOOST_TEST_MESSAGE(compared << " parameters and " << starts << " start values compared; " << recompiled << " parameters are not changeable");
  BOOST_TEST(compared > 150u);
  BOOST_TEST(starts > 30u);
}

BOOST_AUTO_TEST_SUITE_END()
