// The bundled library: the standard's names and values.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "tests/golden/run.hpp"

namespace mosim::golden {
namespace {

BOOST_AUTO_TEST_SUITE(bundled_library)

BOOST_AUTO_TEST_CASE(constants) {
  const Run run = run_text(R"(
model M
  import Modelica.Constants.*;
  constant Real values[:] = {pi, e, D2R*180 - pi, R2D*pi - 180, eps, g_n, c, F, R, sigma*1e8, T_zero, epsilon_0*1e12};
  Real y[12] = values;
  Integer n = Integer_inf;
end M;)",
                           {});
  BOOST_TEST_REQUIRE(run.program.has_value(), run.diagnostics);
  // Independent: std's functions, and the values that the SI brochure and CODATA 2018 print.
  const double expected[] = {std::acos(-1.0), std::exp(1.0), 0, 0, 2.220446049250313e-16, 9.80665, 299792458,
                             96485.33212, 8.314462618, 5.670374419, -273.15, 8.8541878128};
  for (int i = 0; i < 12; ++i) {
    const double found = run.last("y[" + std::to_string(i + 1) + "]");
    BOOST_TEST(std::fabs(found - expected[i]) <= 1e-9 * std::fabs(expected[i]) + 1e-13, i << ": " << found);
  }
  BOOST_TEST(run.last("n") == 2147483647.0);
}

BOOST_AUTO_TEST_CASE(units_under_both_names) {
  const Run run = run_text(R"(
model M
  Modelica.Units.SI.Voltage v = time;
  Modelica.SIunits.Torque t = time;
  Modelica.Units.SI.Temperature warm = 300 + time;
  Modelica.Units.NonSI.Angle_deg turn = time;
end M;)",
                           {});
  BOOST_TEST_REQUIRE(run.program.has_value(), run.diagnostics);
  const auto variable = [&](const std::string& name) -> const runtime::Variable& {
    for (const runtime::Variable& v : run.program->variables)
      if (v.name == name) return v;
    throw std::out_of_range(name);
  };
  BOOST_TEST(variable("v").unit == "V");
  BOOST_TEST(variable("v").quantity == "ElectricPotential");
  BOOST_TEST(variable("t").unit == "N.m");
  BOOST_TEST(variable("warm").unit == "K");
  BOOST_TEST(variable("warm").display_unit == "degC");
  BOOST_TEST(variable("turn").unit == "deg");
}

BOOST_AUTO_TEST_CASE(a_unit_is_final) {
  const Run run = run_text("model M Modelica.Units.SI.Voltage v(unit=\"kV\") = time; end M;", {});
  BOOST_TEST(!run.program.has_value());
  BOOST_TEST(run.diagnostics.find("final") != std::string::npos, run.diagnostics);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace mosim::golden
