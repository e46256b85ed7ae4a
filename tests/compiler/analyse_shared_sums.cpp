// Sums that stand in many equations: with a variable of their own a system is torn at them, and what is said and computed stays as it is.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "analyse_support.hpp"

using namespace test;

namespace {

/// Added up: 2 s = x + (n + 1)/2 for the sum s, and so z[i] = (x + i - s)/n.
std::string scaled(int n) {
  return "parameter Integer N = " + std::to_string(n) + "; Real z[N], x(start = 1, fixed = true);\nequation\n der(x) = -x + z[1]/N;\n"
         " for i in 1:N loop z[i]*N + sum(z) = x + i; end for;";
}

/// The systems of equations between events: of each the number of iteration variables.
std::vector<std::size_t> systems(const Analysed& a) {
  std::vector<std::size_t> sizes;
  if (a.system)
    for (const auto& b : a.system->continuous().blocks)
      if (!b.unknowns().empty()) sizes.push_back(b.unknowns().size());
  return sizes;
}

/// Variables that stand for sums.
std::size_t sums(const Analysed& a) {
  std::size_t count = 0;
  if (a.system)
    for (const auto& v : a.system->model.variables) count += v.name.starts_with("$sum");
  return count;
}

bool completed(const Run& r) { return r.result.ending == mosim::runtime::Ending::stop_time; }

std::string z(int i) { return "z[" + std::to_string(i) + "]"; }

}  // namespace

BOOST_AUTO_TEST_SUITE(shared_sums)

BOOST_AUTO_TEST_CASE(a_loop_is_torn_at_its_sum) {
  std::vector<std::size_t> instructions;
  for (const int n : {100, 200, 400}) {
    const Run r = run(scaled(n));
    BOOST_REQUIRE_MESSAGE(completed(r), r.failures());
    BOOST_TEST((systems(r.analysed) == std::vector<std::size_t>{1}));
    BOOST_TEST(sums(r.analysed) == 1u);
    instructions.push_back(r.program.code.size());
    for (const auto& v : r.program.variables) BOOST_TEST(v.name.find('$') == std::string::npos);
    const double x = r.last("x"), s = (x + (n + 1)/2.0)/2;
    for (const int i : {1, 2, n/2, n}) BOOST_TEST(std::abs(r.last(z(i)) - (x + i - s)/n) < 1e-10);
  }
  // The same for each further equation.
  BOOST_TEST(double(instructions[2] - instructions[1]) < 2.1*double(instructions[1] - instructions[0]));
  BOOST_TEST(instructions[2] < 400u*60u, instructions[2]);
}

BOOST_AUTO_TEST_CASE(below_the_threshold_nothing_changes) {
  for (const int n : {7, 60}) {
    const auto a = model(scaled(n));
    BOOST_TEST(sums(a) == 0u);
  }
  BOOST_TEST(sums(model(scaled(70))) == 1u);
  // In two equations.
  BOOST_TEST(sums(model("Real z[5000], x, y;\nequation\n for i in 1:5000 loop z[i] = i*time; end for;\n x = sum(z);\n y = 2*sum(z);")) == 0u);
  // Each stands in the next one.
  const Run r = run("Real z[200], y[200];\nequation\n for i in 1:200 loop z[i] = i*time; y[i] = sum(z[1:i]); end for;");
  BOOST_TEST(sums(r.analysed) == 0u);
  BOOST_TEST(std::abs(r.last("y[200]") - 20100) < 1e-6);
}

BOOST_AUTO_TEST_CASE(sums_within_sums) {
  const Run r = run("parameter Integer N = 300, M = 40; Real z[N], y[N, M];\nequation\n for i in 1:N loop z[i] = i*time; for j in 1:M loop y[i, j] = j*sum(z[1:i]); end for; end for;");
  BOOST_REQUIRE_MESSAGE(completed(r), r.failures());
  BOOST_TEST(sums(r.analysed) > 100u);
  for (const int i : {1, 150, 300}) BOOST_TEST(std::abs(r.last("y[" + std::to_string(i) + ",40]") - 40.0*i*(i + 1)/2) < 1e-6);
}

BOOST_AUTO_TEST_CASE(what_a_sum_stands_under) {
  // A nonlinear system starts from what the start values of the parts come to.
  const Run r = run("parameter Integer N = 100; Real z[N](each start = 0.5), x(start = 1, fixed = true);\nequation\n der(x) = -x;\n for i in 1:N loop z[i] + (sum(z)/N)^3 = x; end for;");
  BOOST_REQUIRE_MESSAGE(completed(r), r.failures());
  BOOST_TEST((systems(r.analysed) == std::vector<std::size_t>{1}));
  const double mean = r.last("z[1]");
  BOOST_TEST(std::abs(mean + mean*mean*mean - std::exp(-1.0)) < 1e-7);
  for (const auto& v : r.analysed.system->model.variables)
    if (v.name == "$sum1") {
      BOOST_REQUIRE((v.start != mosim::compiler::Expr::none));
      BOOST_TEST(r.analysed.system->model.expressions.number(v.start) == 50);
    }
}

BOOST_AUTO_TEST_CASE(what_may_fault_stays_behind_its_condition) {
  const Run r = run("parameter Integer N = 100; parameter Real p = 0; Real z[N], x(start = 1, fixed = true);\nequation\n der(x) = -x;\n"
                    " for i in 1:N loop z[i]*N = x + i + (if p > 0 or x > 2 then sum(z[j]/p for j in 1:N) else time); end for;");
  BOOST_REQUIRE_MESSAGE(completed(r), r.failures());
  BOOST_TEST(sums(r.analysed) == 0u);
}

BOOST_AUTO_TEST_CASE(of_derivatives) {
  // (I + 1 1'/n) der(z) = -z: the mean decays at half the rate, what differs from it at the full one.
  const Run r = run("parameter Integer N = 100; Real z[N](start = {i/N for i in 1:N}, each fixed = true);\nequation\n for i in 1:N loop der(z[i]) + sum(der(z))/N = -z[i]; end for;");
  BOOST_REQUIRE_MESSAGE(completed(r), r.failures());
  BOOST_TEST((systems(r.analysed) == std::vector<std::size_t>{1}));
  BOOST_TEST(r.program.states.size() == 100u);
  const double mean = 0.505;
  for (const int i : {1, 50, 100}) BOOST_TEST(std::abs(r.last(z(i)) - (mean*std::exp(-0.5) + (i/100.0 - mean)*std::exp(-1.0))) < 1e-6);
  // Where they vanish for the parameters of this run, nothing is a state because of them.
  const auto a = model("parameter Integer N = 100; parameter Real L = 0; Real z[N], x(start = 1, fixed = true);\nequation\n der(x) = -x;\n for i in 1:N loop z[i]*N + L*sum(der(z)) = x + i; end for;");
  BOOST_REQUIRE_MESSAGE(a.system, a.messages());
  BOOST_TEST(a.system->states.size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_sum_that_is_a_constraint) {
  // All move alike but for where they start: l makes up for what the sum shall do.
  const Run r = run("parameter Integer N = 100; Real z[N], l;\ninitial equation\n for i in 2:N loop z[i] = i/N; end for;\nequation\n"
                    " for i in 1:N loop der(z[i]) = l - sum(z)/N; end for;\n sum(z) = 60 + sin(time);");
  BOOST_REQUIRE_MESSAGE(completed(r), r.failures());
  BOOST_TEST(sums(r.analysed) == 1u);
  BOOST_TEST(r.program.states.size() == 99u);
  for (const auto v : r.analysed.system->states) BOOST_TEST(r.analysed.system->model.variable(v).name.find('$') == std::string::npos);
  for (const auto& d : r.analysed.system->reduction.demoted) BOOST_TEST(r.analysed.system->model.variable(d.variable).name.find('$') == std::string::npos);
  for (const int i : {2, 50, 100}) BOOST_TEST(std::abs(r.last(z(i)) - i/100.0 - std::sin(1.0)/100) < 1e-6);
  BOOST_TEST(std::abs(r.last("l") - (60 + std::sin(1.0) + std::cos(1.0))/100) < 1e-6);
}

BOOST_AUTO_TEST_CASE(a_sum_in_constraints_that_change) {
  // Of which size the sum is says nothing of how well the constraints give z[1] and z[2].
  const Run r = run("parameter Integer N = 100; Real z[N], u(start = 0, fixed = true), l, m, s = sum(1e6*z[j]/j for j in 1:N);\ninitial equation\n for i in 3:N loop z[i] = i/N; end for;\nequation\n"
                    " for i in 1:N loop der(z[i]) = -z[i]*i/N + 1e-9*sum(1e6*z[j]/j for j in 1:N) + l + i*m + u/100; end for;\n der(u) = 1 - u;\n"
                    " sum(1e6*z[j]/j for j in 1:N)*(1 + u^2/100) = 1e6*(3 + sin(time));\n sum(1e6*z[j]/j for j in 1:N) + 1e6*z[1] = 1e6*(4 + cos(time))*(1 + u/10);");
  BOOST_REQUIRE_MESSAGE(completed(r), r.failures());
  BOOST_TEST(sums(r.analysed) == 1u);
  BOOST_TEST(r.program.states.size() == 99u);
  for (const auto& d : r.analysed.system->reduction.demoted) BOOST_TEST(r.analysed.system->model.variable(d.variable).name.find('$') == std::string::npos);
  const double u = 1 - std::exp(-1.0), s = 1e6*(3 + std::sin(1.0))/(1 + u*u/100);
  BOOST_TEST(std::abs(r.last("s") - s) < 1e-6*s);
  BOOST_TEST(std::abs(r.last("z[1]") - ((4 + std::cos(1.0))*(1 + u/10) - s/1e6)) < 1e-5);
}

BOOST_AUTO_TEST_CASE(parameters_may_still_change) {
  const auto a = model("parameter Integer N = 100; parameter Real k = 2, p[N] = {i/N for i in 1:N}; Real z[N], x(start = 1, fixed = true);\nequation\n der(x) = -x;\n"
                       " for i in 1:N loop z[i]*N*k + sum(p[j]*z[j] for j in 1:N) = x + i; end for;");
  BOOST_REQUIRE_MESSAGE(a.system, a.messages());
  BOOST_TEST(sums(a) == 1u);
  const auto program = a.program();
  std::size_t changeable = 0;
  for (const auto& c : program.changeable) {
    const std::string& name = program.variables[c.variable].name;
    changeable += name == "k" || name.starts_with("p[");
  }
  BOOST_TEST(changeable == 101u);
}

BOOST_AUTO_TEST_CASE(the_derivative_of_a_sum) {
  const Run r = run(scaled(100).replace(0, 0, "Real y = sum(z), w = der(y); "));
  BOOST_REQUIRE_MESSAGE(completed(r), r.failures());
  // 2 y = x + (n + 1)/2
  BOOST_TEST(std::abs(r.last("w") - r.last("der(x)")/2) < 1e-8);
  BOOST_TEST(std::abs(r.last("y") - (r.last("x") + 50.5)/2) < 1e-8);
}

BOOST_AUTO_TEST_CASE(in_the_initial_system) {
  const Run r = run("parameter Integer N = 100; Real z[N];\ninitial equation\n for i in 1:N loop z[i]*N + sum(z) = i; end for;\nequation\n for i in 1:N loop der(z[i]) = -z[i]; end for;");
  BOOST_REQUIRE_MESSAGE(completed(r), r.failures());
  for (const auto& b : r.analysed.system->initial.blocks) BOOST_TEST(b.unknowns().size() <= 1u);
  for (const int i : {1, 50, 100}) BOOST_TEST(std::abs(r.first(z(i)) - (i - 50.5/2)/100) < 1e-10);
}

BOOST_AUTO_TEST_CASE(what_is_said_of_structure) {
  const std::string head = "parameter Integer N = 100; Real z[N], x(start = 1, fixed = true);\nequation\n der(x) = -x + z[1]/N;\n";
  const auto few = model(head + " for i in 1:N-1 loop z[i]*N + sum(z) = x + i; end for;");
  BOOST_TEST(says(few, "has 101 unknowns but 100 equations"), few.messages());
  BOOST_TEST(says(few, "note 2: 100 equations for 101 variables: `z[100]`, "), few.messages());
  const auto many = model(head + " for i in 1:N loop z[i]*N + sum(z) = x + i; end for;\n sum(z) = 3*x;");
  BOOST_TEST(says(many, "has 101 unknowns but 102 equations"), many.messages());
  BOOST_TEST(says(many, "is one of 101 equations for 100 variables"), many.messages());
  const auto repeated = model(head + " for i in 1:N-1 loop z[i]*N + sum(z) = x + i; end for;\n 2*z[1]*N - 2 = 2*x - 2*sum(z);");
  BOOST_TEST(says(repeated, "error 6: 2*z[1]*N - 2"), repeated.messages());
  BOOST_TEST(says(repeated, " says the same as z[1]*N + (z[1] + z[2] + "), repeated.messages());
  const auto follows = model(head + " for i in 1:N-1 loop z[i]*N + sum(z) = x + i; end for;\n z[1]*N - z[2]*N = -1;");
  BOOST_TEST(says(follows, "error 6: z[1]*N - z[2]*N = -1 follows from 2 other equations"), follows.messages());
  // Two equations for the sum, and none for one of its parts: without it they would look like two for all of them.
  const auto twice = model(head + " for i in 1:N-2 loop z[i]*N + sum(z) = x + i; end for;\n sin(sum(z)) = 1;\n cos(sum(z)) = 0;");
  BOOST_TEST(says(twice, "no equation determines `z[100]`"), twice.messages());
}

BOOST_AUTO_TEST_SUITE_END()
