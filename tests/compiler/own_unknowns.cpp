// Which equations are looked at for what repeats or contradicts others: those that are left when each with an unknown of its own is gone.

#include <boost/test/unit_test.hpp>
#include <sstream>

#include "analyse_support.hpp"
#include "compiler/analyse/own_unknowns.hpp"

using namespace mosim::compiler;

namespace {

/// The numbers of the equations that are left of a model's, from 1, in one line.
std::string left_of(const std::string& body) {
  Reading reading(Bundled::without);
  reading.library.read_text("M.mo", "model M\n" + body + "\nend M;\n");
  Compilation compilation(reading, Request{"M", {}});
  auto& flat = compilation.flat();
  if (!flat) return "no model";
  dae::Analysis a(std::move(*flat), reading.workspace.sources, reading.diagnostics);
  std::vector<std::pair<Expr, Expr>> equations;
  dae::order_parameters(a);
  dae::infer_clocks(a);
  dae::collect_equations(a);
  for (const dae::Equation& e : a.equations) equations.emplace_back(e.left, e.right);
  const auto is_unknown = [&](Expr leaf) { return a.fact(a.x().variable(leaf)).kind != dae::VariableKind::parameter && a.fact(a.x().variable(leaf)).kind != dae::VariableKind::constant; };
  std::ostringstream out;
  for (const std::uint32_t e : dae::without_own_unknowns(a, equations, is_unknown)) out << (out.tellp() > 0 ? " " : "") << e + 1;
  return out.str();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(own_unknowns)

BOOST_AUTO_TEST_CASE(what_has_an_unknown_of_its_own_goes) {
  // x and y stand in two equations; z in the third alone, u in the fourth once the fifth is gone.
  BOOST_TEST(left_of("Real x, y, z, u, w; equation x + y = 1; 2*x + 2*y = 2; x - z = y; u = 3*z; w = 2*u;") == "1 2");
  BOOST_TEST(left_of("Real x, y, z; equation x + y + z = 1; x - y + z = 0; y + z = 1;") == "1 2 3");
  BOOST_TEST(left_of("Real x, y; equation x = 1; y = x;") == "");
  BOOST_TEST(left_of("Real x; equation x = 1;") == "1");
  // der(x) is an unknown beside x.
  BOOST_TEST(left_of("Real x, y; equation der(x) = y; x + y = 1;") == "");
}

// An unknown whose coefficient may be 0, or whose share in the equation is not told, holds nothing.
BOOST_AUTO_TEST_CASE(what_may_cancel_is_not_its_own) {
  BOOST_TEST(left_of("Real x, y; equation x + y - x = 1; y = 1;") == "1 2");
  BOOST_TEST(left_of("Real x, y; equation 0*x + y = 1; y = 1;") == "1 2");
  BOOST_TEST(left_of("constant Real c = 0; Real x, y; equation c*x + y = 1; y = 1;") == "1 2");
  BOOST_TEST(left_of("constant Real c = 0; Real x, y; equation c^2*x + y = 1; y = 1;") == "1 2");
  BOOST_TEST(left_of("parameter Real p = 2; Real x, y; equation p*x + y = 1; y = 1;") == "");
  BOOST_TEST(left_of("Real x, y; equation sin(x) + y = 1; y = 1;") == "1 2");
  BOOST_TEST(left_of("Real x, y; equation (x + 1)*y = 1; y = 1;") == "1 2");
  BOOST_TEST(left_of("Real x, y; equation y = (if noEvent(time > 1) then x else 0) + 1; y = 1;") == "1 2");
}

// A chain of any length falls from its end, and what contradicts at its other end is still found.
BOOST_AUTO_TEST_CASE(chains) {
  for (const std::string n : {"2", "50", "3000"}) {
    BOOST_TEST(left_of("constant Integer n = " + n + "; Real x[n]; equation x[1] = 1; for k in 2:n loop x[k] = x[k - 1] + 1; end for;") == "");
    const auto a = test::model("constant Integer n = " + n + "; Real x[n], y, z;\nequation y + z = 1;\n y + z = 2;\n for k in 2:n loop x[k] = x[k - 1] + y; end for; x[1] = z;");
    BOOST_TEST(!a.system);
    BOOST_TEST(test::says(a, "contradict"), a.messages());
  }
}

// Blocks are looked at one by one: what is kept for that is as large as what they hold, not as the model.
BOOST_AUTO_TEST_CASE(scratch_is_left_clean) {
  const auto a = test::model("constant Integer n = 200; Real x[n], y[n]; equation for k in 1:n loop x[k] + y[k] = k; x[k] - 2*y[k] = time; end for;");
  BOOST_TEST(a.system.has_value(), a.messages());
  const auto b = test::model("constant Integer n = 200; Real x[n], y[n];\nequation for k in 1:n loop x[k] + y[k] = k; end for; for k in 1:n - 1 loop x[k] - 2*y[k] = time; end for; x[n] + y[n] = time;");
  BOOST_TEST(!b.system);
}

BOOST_AUTO_TEST_SUITE_END()
