// Systems of equations with functions in them.

#include <boost/test/unit_test.hpp>
#include <utility>

#include "analyse_support.hpp"
#include "compiler/expression/walk.hpp"

using namespace test;

namespace {

/// A function that stays code, called in both equations for der(x) and der(y) with what is known there, and with an unknown.
const std::string functions =
    "function f input Real u; input Integer n; output Real y; algorithm y := 1; for i in 1:n loop y := y + u/2^i; end for; end f; "
    "function rho input Real p; input Real T; input Real q; output Real d; algorithm d := q; annotation(derivative(noDerivative = q) = rho_der, Inline = false); end rho; "
    "function rho_der input Real p; input Real T; input Real q; input Real p_der; input Real T_der; output Real d_der; algorithm d_der := q*p_der - T_der; end rho_der; ";

Analysed with(const std::string& body) { return analysed(functions + "model M Integer n(start = 1, fixed = true); " + body + " equation when time > 9 then n = 3; end when; end M;"); }

}  // namespace

BOOST_AUTO_TEST_SUITE(analyse_functions)

BOOST_AUTO_TEST_CASE(what_does_not_depend_on_the_unknowns_is_called_before) {
  const auto a = with("Real x(start = 1, fixed = true), y(start = 1, fixed = true); equation f(x, n)*der(x) + der(y) = 3; der(x) - f(y, n)*der(y) = f(x, n); ");
  BOOST_REQUIRE_MESSAGE(a.system, a.messages());
  const auto& x = a.system->model.expressions;
  for (const auto* schedule : {&a.system->continuous(), &std::as_const(*a.system).event}) {
    std::size_t systems = 0, calls = 0;
    for (const auto& b : schedule->blocks) {
      if (!b.unknowns().empty()) {
        ++systems;
        BOOST_TEST(b.linear());
        for (const auto& r : b.residuals())
          for (compiler::Expr side : {r.left, r.right})
            compiler::Walker(x).each(side, [&](compiler::Expr e) {
              BOOST_TEST((x.op(e) != compiler::Op::call));
              return true;
            });
      }
      if (b.unknowns().empty())
        for (const auto& s : b.assignments()) calls += x.op(s.value) == compiler::Op::result;
    }
    BOOST_TEST(systems == 1u);
    BOOST_TEST(calls == 2u);
  }
}

BOOST_AUTO_TEST_CASE(and_not_where_a_condition_keeps_it_from_being_called) {
  // The function asserts what the condition says.
  const std::string text =
      functions + "function g input Real u; input Integer n; output Real y; algorithm assert(u < 0.6, \"g was called\"); y := u; for i in 2:n loop y := y + u; end for; end g; "
      "model M Integer n(start = 1, fixed = true); Real x(start = 0, fixed = true), y(start = 0, fixed = true); equation when time > 9 then n = 3; end when; "
      "der(x) + (if time < 0.25 then g(2*time, n) else 1)*der(y) = 2; der(x) - der(y) = 0; end M;";
  const auto a = analysed(text);
  BOOST_REQUIRE_MESSAGE(a.system, a.messages());
  runtime::Options options;
  options.stop = 1;
  const auto r = runtime::simulate(a.program(), options);
  BOOST_TEST(int(r.ending) != int(runtime::Ending::failed));
}

BOOST_AUTO_TEST_CASE(a_named_derivative_that_is_linear_makes_a_linear_system) {
  const auto a = with("Real p(start = 1, fixed = true, stateSelect = StateSelect.prefer), T(start = 2, fixed = true, stateSelect = StateSelect.prefer), d, u; "
                      "equation d = rho(p, T, f(p, n)); u = d*T; der(d) = 1; der(u) = 3; ");
  BOOST_REQUIRE_MESSAGE(a.system, a.messages());
  std::size_t systems = 0;
  for (const auto& b : a.system->continuous().blocks) {
    if (b.unknowns().empty()) continue;
    ++systems;
    BOOST_TEST(b.linear());
  }
  BOOST_TEST(systems == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
