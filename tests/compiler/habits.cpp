// Remedies for what is known from other languages and from older libraries.

#include <boost/test/unit_test.hpp>

#include "compiler/instantiate/habits.hpp"
#include "rules_support.hpp"

using namespace rules;

BOOST_AUTO_TEST_SUITE(habits)

BOOST_AUTO_TEST_CASE(types) {
  for (const std::string type : {"double", "Double", "float", "Float"}) BOOST_TEST(contains(of_model(type + " x = 1;"), "remedy: write Real"), type);
  for (const std::string type : {"int", "Int", "long"}) BOOST_TEST(contains(of_model(type + " n = 1;"), "remedy: write Integer"), type);
  for (const std::string type : {"bool", "Bool"}) BOOST_TEST(contains(of_model(type + " b = true;"), "remedy: write Boolean"), type);
  BOOST_TEST(contains(of_model("str s;"), "remedy: write String"));
}

BOOST_AUTO_TEST_CASE(functions) {
  BOOST_TEST(contains(of_model("Real x = ln(2);"), "remedy: write log(x)"));
  BOOST_TEST(contains(of_model("Real x = pow(2, 3);"), "remedy: write x^y"));
  BOOST_TEST(contains(of_model("Real x = arctan(2);"), "remedy: write atan(x)"));
}

BOOST_AUTO_TEST_CASE(variables) {
  BOOST_TEST(contains(of_model("Boolean b = True;"), "remedy: write true"));
  BOOST_TEST(contains(of_model("Real x = 2*pi;"), "remedy: write Modelica.Constants.pi"));
  BOOST_TEST(contains(of_model("Real x(start = 1); equation xdot = -x;"), "remedy: if the derivative of x is meant, write der(x)"));
  // What is declared is what it is.
  BOOST_TEST(of_model("Real pi = 3; Real x = 2*pi;") == "");
}

BOOST_AUTO_TEST_CASE(parentheses_for_a_subscript_or_a_product) {
  BOOST_TEST(contains(of_model("Real x[3] = {1, 2, 3}; Real y = x(2);"), "remedy: the elements of an array are written with brackets: x[2]"));
  BOOST_TEST(contains(of_model("Real g = 9.81; Real y = g(1 + time);"), "remedy: if a product is meant, write g*(1 + time)"));
}

BOOST_AUTO_TEST_CASE(older_libraries) {
  compiler::Reading reading(compiler::Bundled::without);
  reading.library.add_bundled("Modelica", "Modelica.mo", "package Modelica package Units package SI type Time = Real; end SI; end Units; package Blocks block Sine parameter Real f = 1; end Sine; end Blocks; end Modelica;");
  reading.library.read_text("test.mo", "model M Modelica.SIunits.Time t = 1; SIunits.Time s = 2; SI.Time r = 3; Modelica.Blocks.Sine sine(freqHz = 2); end M;");
  compiler::Compilation(reading, {"M", {}}).program();
  const std::string all = reading.said();
  BOOST_TEST(contains(all, "since version 4 of the library the SI units are Modelica.Units.SI"), all);
  BOOST_TEST(contains(all, "remedy: write Modelica.Units.SI, as the SI units are called since version 4 of the library"), all);
  BOOST_TEST(contains(all, "remedy: write 'import Modelica.Units.SI;' above it"), all);
  BOOST_TEST(contains(all, "remedy: since version 4 of the library it is called f"), all);
}

BOOST_AUTO_TEST_SUITE_END()
