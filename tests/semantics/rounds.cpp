// E5: what changes in more than one round of an event is told with its rounds.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "runtime/machine.hpp"
#include "support.hpp"

using namespace mosim::tests;
using namespace mosim::runtime;

BOOST_AUTO_TEST_SUITE(rounds)

// In the round of time > 0.5, `stuck` becomes false; pre(free) makes it true again in the next.
BOOST_AUTO_TEST_CASE(what_one_round_does_and_the_next_takes_back_is_recorded) {
  const Run r = run("model M Boolean stuck(start = true, fixed = true), free(start = false, fixed = true); Integer n(start = 0, fixed = true); equation "
                    "when {time > 0.5, pre(free)} then stuck = pre(free); free = not pre(free); n = pre(n) + 1; end when; end M;");
  BOOST_REQUIRE(r.ended());
  BOOST_TEST(r.at("stuck", 1) == 1);
  BOOST_TEST(r.at("n", 1) == 2);
  BOOST_REQUIRE(r.result.events.size() == 2u);
  const EventRecord& e = r.result.events[1];
  const auto of = [&](const std::string& name) {
    std::vector<EventRecord::Step> list;
    for (const EventRecord::Step& s : e.steps)
      if (r.program.variables[s.variable].name == name) list.push_back(s);
    return list;
  };
  const auto stuck = of("stuck");
  BOOST_REQUIRE(stuck.size() == 2u);
  BOOST_TEST(stuck[0].before == 1);
  BOOST_TEST(stuck[0].after == 0);
  BOOST_TEST(stuck[0].round == 1u);
  BOOST_TEST(stuck[1].after == 1);
  BOOST_TEST(stuck[1].round == 2u);
  BOOST_TEST(of("n").size() == 2u);
  for (const EventRecord::Change& c : e.changes) BOOST_TEST(r.program.variables[c.variable].name == "n");
}

// Each step of the cascade sets off the next one, a round later: as many rounds as it takes.
BOOST_AUTO_TEST_CASE(a_long_cascade_comes_to_its_end) {
  const Run r = run("model M parameter Integer n = 400; Boolean b[n](each start = false, each fixed = true); Real x[n](each start = 0, each fixed = true); equation "
                    "der(x[1]) = 1; for i in 2:n loop der(x[i]) = 0; when pre(b[i - 1]) then reinit(x[i], 1); end when; end for; "
                    "for i in 1:n loop when x[i] > 0.5 then b[i] = true; end when; end for; end M;");
  BOOST_REQUIRE_MESSAGE(r.ended(), r.message());
  BOOST_TEST(r.at("b[400]", 1) == 1);
  BOOST_TEST(r.at("b[400]", 0.4) == 0);
  BOOST_REQUIRE(r.result.events.size() == 2u);
  BOOST_TEST(r.result.events[1].rounds >= 800u);
}

// A when-clause that sets itself off never does.
BOOST_AUTO_TEST_CASE(rounds_without_an_end_do_not) {
  const Run r = run("model M Integer k(start = 0, fixed = true); Boolean odd = mod(k, 2) == 1; equation when {time > 0.5, pre(odd), not pre(odd)} then k = pre(k) + 1; end when; end M;");
  BOOST_TEST(!r.ended());
  BOOST_TEST(r.message().find("no fixed point after 1") != std::string::npos, r.message());
  BOOST_TEST(r.message().find("rounds of event iteration; what keeps changing: ") != std::string::npos, r.message());
}

BOOST_AUTO_TEST_CASE(what_changes_once_has_no_steps) {
  const Run r = run("model M Boolean a(start = false, fixed = true), b(start = false, fixed = true); equation "
                    "when time > 0.5 then a = true; end when; when a then b = true; end when; end M;");
  BOOST_REQUIRE(r.result.events.size() == 2u);
  BOOST_TEST(r.result.events[1].changes.size() == 2u);
  BOOST_TEST(r.result.events[1].steps.empty());
}

// `d` is found together with z[1], whose clause never fires: what Newton's method leaves of it in its last digits is no change, and the rounds end.
BOOST_AUTO_TEST_CASE(last_digits_of_a_solution_are_no_change) {
  for (const Solver method : {Solver::bdf, Solver::adams, Solver::esdirk, Solver::erk})
    for (const double tolerance : {1e-4, 1e-6, 1e-9}) {
      const Solver before = solver();
      solver() = method;
      const Run r = run("model M function shrunk input Real u; output Real y; algorithm y := u; while abs(y) > 0.3 loop y := y/(1 + y*y); end while; end shrunk; "
                        "parameter Real p = 0.6; Real x[4](start = {1.95, -1.49, 0.41, -0.34}, each fixed = true), z[6]; discrete Real c(start = 0.1, fixed = true), d(start = 0, fixed = true); "
                        "Integer n(start = 0, fixed = true); Boolean b; equation "
                        "(7 + (if b then 1 else 3))*z[1] - 0.22*z[2] + 0.96*z[3] - 1.56*z[5] = d*x[2]; "
                        "1.31*z[1] + 7*z[2] + 1.82*z[5] - 1.12*z[6] = (if time > 0.73 then x[2] else -1.56) + 0.05; "
                        "1.6*z[1] + 7*z[3] - 0.93*z[5] + (if b then 0.3 else 0.84)*z[6] = c*x[4]; "
                        "p*z[1] + (if b then 0.3 else 1.31)*z[3] + (7 + p)*z[4] = -1.51*time + shrunk(n)*x[3] - 0.21*x[2]; "
                        "-1.11*z[1] + (7 + abs(c))*z[5] = d; p*z[1] + 0.31*z[4] + 0.39*z[5] + (7 + abs(c))*z[6] = 1.69*x[1] + sin(d)*x[1]; "
                        "der(x[1]) = 1.84*z[2]; der(x[2]) = -0.59*z[6] + 0.5*z[4]; der(x[3]) = -0.95*z[3] + 0.5*z[5]; der(x[4]) = 1.4*z[5]; "
                        "when sample(0.2, 0.17) then c = pre(c)*0.7 - 1.9; n = pre(n) + 1; end when; "
                        "when z[5] > -0.11 then d = z[6] + pre(d)*0.1; reinit(x[1], 0.5); end when; b = x[2] > 1.58; end M;", 1.5, tolerance);
      solver() = before;
      BOOST_TEST(r.ended(), r.diagnostics << r.message());
      BOOST_TEST(std::abs(r.final("d")) < 1e-15);
      BOOST_TEST(r.final("n") == std::floor((1.5 - 0.2)/0.17) + 1);   // ticks
      for (const EventRecord& e : r.result.events)
        for (const EventRecord::Step& step : e.steps) BOOST_TEST(r.program.variables[step.variable].name != "d");
    }
}

// Which of the discrete variables a system determines, and how large they are, is known once for a run, and not looked for at each event.
BOOST_AUTO_TEST_CASE(what_systems_determine_is_known) {
  const auto size = [](const std::string& nominal, const std::string& next) {
    const Run r = run("model M discrete Real d(start = 0, fixed = true" + nominal + "); Boolean b[300](each start = false, each fixed = true); Real z, u[300]; equation z + z^3 = d; "
                      "for i in 1:300 loop u[i] + u[i]^3 = time + i; end for; "
                      "when sample(0.1, 0.2) then d = pre(d) + 1e-13" + next + "; for i in 1:300 loop b[i] = not pre(b[i]); end for; end when; end M;");
    BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
    BOOST_TEST(std::abs(r.final("d")/5e-13 - 1) < 1e-2);
    const Machine m = make_machine(r.program);
    BOOST_REQUIRE(m.solved_sizes.size() == r.program.pre.size());
    double found = -1;
    for (std::size_t k = 0; k < r.program.pre.size(); ++k) {
      const Index variable = r.program.pre[k].variable;
      if (variable != none && r.program.variables[variable].name == "d") found = m.solved_sizes[k];
      else BOOST_TEST(m.solved_sizes[k] == 0);
    }
    return found;
  };
  BOOST_TEST(size(", nominal = 1e-15", " + 1e-3*z") == 1e-15);
  BOOST_TEST(size("", " + 1e-3*z") == 1);
  BOOST_TEST(size("", "") == 0);
}

BOOST_AUTO_TEST_SUITE_END()
