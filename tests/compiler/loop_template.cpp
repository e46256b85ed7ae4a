// Loops whose iterations have one shape: each must come out as if it stood there on its own.

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <functional>
#include <regex>

#include "analyse_support.hpp"
#include "compiler/expression/print.hpp"
#include "rules_support.hpp"

using namespace rules;

namespace {

/// The equations of M as text.
std::string equations(const Flattened& f) {
  if (!f.model) return f.messages();
  std::string text;
  for (const auto& e : f.model->equations) text += compiler::print(*f.model, e.left) + " = " + compiler::print(*f.model, e.right) + "\n";
  for (const auto& e : f.model->initial_equations) text += "initially " + compiler::print(*f.model, e.left) + " = " + compiler::print(*f.model, e.right) + "\n";
  return text;
}

const std::string declarations =
    "model M record R Real v; Real w[3]; end R; model Part Real x(start = 1); Real y[8, 2]; parameter Real k = 2; R r; end Part;\n"
    "parameter Integer N = 6; constant Real c[8] = {1, 2, 3, 4, 5, 6, 7, 8}; parameter Real p[8] = c; Integer n[8]; Part part[8]; Real x[8], z[8, 8]; Real one;\n";

/// What a loop over `body` gives is what its iterations give, written one by one.
void check(const std::string& body, int first = 1, int last = 6, const std::string& section = "equation") {
  std::string unrolled;
  for (int i = first; i <= last; ++i) unrolled += std::regex_replace(body, std::regex("\\bi\\b"), std::to_string(i));
  const Flattened loop(declarations + section + " for i in " + std::to_string(first) + ":" + std::to_string(last) + " loop " + body + " end for; end M;");
  const Flattened written(declarations + section + " " + unrolled + " end M;");
  BOOST_TEST(loop.messages() == "", body);
  BOOST_TEST(equations(loop) == equations(written), body);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(loop_template)

BOOST_AUTO_TEST_CASE(iterations_come_out_as_if_they_stood_there) {
  for (const char* body : {
           "der(x[i]) = -i/N*x[i];",
           "x[i] = 3;",
           "x[i] = i;",
           "x[i] = -i;",
           "x[i] = -(-i);",
           "-i = x[i] + one;",
           "der(x[i]) = -(-(i))*x[i] - (-(-(i)))/N;",
           "n[i] = -i; x[i] = n[i]*(-(2 - i))/3;",
           "x[i] = i + 1;",
           "x[i] = i*x[i + 1] - x[i]^2 + x[i]^i + 2.0^i;",
           "n[i] = i*n[i + 1] - 3;",
           "x[i] = n[i]/2 + n[i]*1.5;",
           "x[i + 1] - 2*x[i] = part[i + 1].x;",
           "part[i].x = part[i].k*part[i + 1].y[i, 2] + part[2].y[end, 1];",
           "part[i].r.w[3] = part[i].r.v + part[N - i + 1].r.w[1];",
           "z[i, 2*i - 1 - i + 1] = z[N + 1 - i, i] + c[i]*p[i];",
           "x[i] = sin(x[i + 1]) + exp(-i) + sqrt(2) + log(n[i]);",
           "der(part[i].x) = -(+part[i].x) - 3*time;",
           "x[i] = x[i + 1]; n[i] = i; der(part[i].x) = one;",
           "x[i] = if i == 4 then one else x[i + 1];",
           "x[i] = max(x[i + 1], i);",
           "part[i].r = part[i + 1].r;",
           "x[i:i + 1] = {i, 2};",
       })
    check(body);
  check("x[i] = i/2;", 1, 6, "initial equation");
  check("part[i].y[i, 1] = x[i];", 3, 8);
}

BOOST_AUTO_TEST_CASE(each_iterator_is_its_own_number) {
  using Iterators = std::vector<std::pair<std::string, std::vector<std::string>>>;   // their names and values
  const std::function<std::string(const Iterators&, std::size_t, const std::string&)> unrolled = [&](const Iterators& its, std::size_t k, const std::string& body) {
    if (k == its.size()) return body;
    std::string text;
    for (const std::string& value : its[k].second) text += unrolled(its, k + 1, std::regex_replace(body, std::regex("\\b" + its[k].first + "\\b"), value));
    return text;
  };
  const std::vector<std::string> six = {"1", "2", "3", "4", "5", "6"};
  struct Loop {
    std::string head;   // with one `end for` for each `loop`
    Iterators iterators;
    std::string body;
  };
  for (const Loop& l : {
           Loop{"for i in 1:6, j in 1:6 loop", {{"i", six}, {"j", six}}, "z[i, j] = i*z[j, i] - j/N + i;"},
           Loop{"for i in 1:6 loop for j in 1:6 loop", {{"i", six}, {"j", six}}, "z[i, j] = i*z[j, i + 1] - (j - i)/N*x[i];"},
           Loop{"for i in 1:2, j in 1:6, k in 1:2 loop", {{"i", {"1", "2"}}, {"j", six}, {"k", {"1", "2"}}}, "part[j].y[i + k, k] = i*100 + j*10 + k;"},
           Loop{"for i in 6:-1:1 loop", {{"i", {"6", "5", "4", "3", "2", "1"}}}, "x[i] = i*x[i + 1] + i/N;"},
           Loop{"for i in 1:3:9 loop", {{"i", {"1", "4", "7"}}}, "x[i] = i;"},
           Loop{"for i in {5, 1, 3, 2, 6, 4} loop", {{"i", {"5", "1", "3", "2", "6", "4"}}}, "x[i] = i*time;"},
           Loop{"for i in 1:6, r in {0.5*i, 2} loop", {{"i", six}, {"r", {"(0.5*i)", "2.0"}}}, "x[i] = x[i + 1];"},
           Loop{"for i in 2:1 loop", {}, ""},
           Loop{"for i in 1:0, j in 1:6 loop", {}, ""},
           Loop{"for i in 1:6 loop for i in 3:8 loop", {{"j", six}, {"i", {"3", "4", "5", "6", "7", "8"}}}, "x[i] = i/N;"},
       }) {
    std::string ends;
    for (std::size_t at = l.head.find("loop"); at != std::string::npos; at = l.head.find("loop", at + 1)) ends += " end for;";
    const Flattened loop(declarations + "equation " + l.head + " " + l.body + ends + " end M;");
    const Flattened written(declarations + "equation " + unrolled(l.iterators, 0, l.body) + " end M;");
    BOOST_TEST(loop.messages() == "", l.head);
    BOOST_TEST(equations(loop) == equations(written), l.head);
  }
  // The inner range depends on the outer iterator, and is empty at the end.
  const Flattened triangle("model M Real z[6, 6]; equation for i in 1:6, j in i + 1:6 loop z[i, j] = i*10 + j; end for; end M;");
  BOOST_TEST(triangle.messages() == "");
  std::string expected;
  for (int i = 1; i <= 6; ++i)
    for (int j = i + 1; j <= 6; ++j) expected += "z[" + std::to_string(i) + "," + std::to_string(j) + "] = " + std::to_string(i) + "*10 + " + std::to_string(j) + "\n";
  BOOST_TEST(equations(triangle) == expected);
}

BOOST_AUTO_TEST_CASE(whole_numbers_that_a_real_does_not_hold_stay_what_they_are) {
  const Flattened f("model M Integer k[7]; Real x[7]; equation for i in 1:7, j in {if i < 5 then i else 9007199254740993} loop x[i] = (j - 9007199254740990)*time; k[i] = -j; end for; end M;");
  BOOST_TEST(contains(equations(f), "x[7] = (9007199254740993 - 9007199254740990)*time\nk[7] = -9007199254740993\n"), equations(f));
}

BOOST_AUTO_TEST_CASE(the_zero_of_an_integer_has_no_sign) {
  const Flattened f("model M Real x[6], y; equation y = time; for i in 5:-1:0 loop x[i + 1] = y*(-i); end for; end M;");
  BOOST_TEST(contains(equations(f), "x[2] = y*(-1)\nx[1] = y*0\n"), equations(f));
}

BOOST_AUTO_TEST_CASE(what_differs_in_an_iteration_is_seen) {
  BOOST_TEST(contains(messages("model M Real x[6], y[5]; equation for i in 1:6 loop\n x[i] = y[i]; end for; end M;"), "test.mo:2:11: error: the subscript 6 of y lies outside 1:5"));
  // A name of the model's own for a built-in function.
  Flattened own("model M function sin input Real u; output Real y; algorithm y := 7*u; end sin; Real x[6]; equation for i in 1:6 loop x[i] = sin(i); end for; end M;");
  BOOST_TEST(own.messages() == "");
  for (int i = 1; i <= 6; ++i) BOOST_TEST(own.value("x[" + std::to_string(i) + "]") == 7 * i);
  // Iterators that are no whole numbers, and one that hides a variable of the model.
  Flattened hidden("model M parameter Integer i = 9; Real x[4], y[4]; equation for i in 1:4 loop x[i] = i; end for; for j in 1:4 loop y[j] = i; end for; end M;");
  Flattened fractions("model M Real x[4], y[4]; equation for i in 1:4 loop x[i] = i; end for; for j in 1:4, r in {0.5*j} loop y[j] = r*x[j]; end for; end M;");
  BOOST_TEST(hidden.messages() + fractions.messages() == "");
  for (int i = 1; i <= 4; ++i) {
    BOOST_TEST(hidden.value("x[" + std::to_string(i) + "]") == i);
    BOOST_TEST(hidden.value("y[" + std::to_string(i) + "]") == 9);
    BOOST_TEST(fractions.value("y[" + std::to_string(i) + "]") == 0.5 * i * i);
  }
}

// der(x[i]) = -i/N*x[i]: x[i] = exp(-i/N*t). What numbers come to is worked out while compiling, as a run would.
BOOST_AUTO_TEST_CASE(what_numbers_come_to_is_what_a_run_would_find) {
  for (const int n : {3, 30, 300})
    for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
      const auto r = test::run("parameter Integer N = " + std::to_string(n) + "; Real x[N](each start = 1, each fixed = true);\n"
                               "equation for i in 1:N loop der(x[i]) = -i/N*x[i]; end for;", 1, tolerance);
      BOOST_REQUIRE((r.result.ending == mosim::runtime::Ending::stop_time));
      BOOST_TEST(std::none_of(r.program.code.begin(), r.program.code.end(), [](const auto& i) { return i.op == mosim::runtime::Opcode::divide; }));
      for (const int i : {1, n / 2, n}) BOOST_TEST(std::abs(r.last("x[" + std::to_string(i) + "]") - std::exp(-double(i) / n)) < 5 * tolerance, i << " of " << n << " at " << tolerance);
    }
  // A parameter that nothing relies on may still be set: its quotient stays.
  const auto open = test::run("parameter Real k = 3; Real x(start = 1, fixed = true); equation der(x) = -1/k*x;");
  BOOST_TEST(std::any_of(open.program.code.begin(), open.program.code.end(), [](const auto& i) { return i.op == mosim::runtime::Opcode::divide; }));
  // A loop is the program that its iterations are: with factors that are 1, -1 and 0, with constants, and where a term vanishes.
  for (const char* body : {"der(x[i]) = -i/N*x[i] + (i - 3)*time;", "der(x[i]) = (i - 3)/N*x[i] + 2^i*time - sin(i/2)*x[N];", "x[i] = c*i - 7/c;", "der(x[i]) = i*(2 - i/3)*x[i]/(i - 7) + (3 - i)*x[1];",
                           "(i - 2.5)*x[i] = (i - 3)*der(y) + i/N*time;", "x[i] + (i - 3)*x[N + 1 - i] = -(-i/N);"}) {
    std::string unrolled;
    for (int i = 1; i <= 6; ++i) unrolled += std::regex_replace(body, std::regex("\\bi\\b"), std::to_string(i));
    const std::string begin = "parameter Integer N = 6; constant Real c = 3; Real x[N](each start = 1, each fixed = false), y(start = 1, fixed = true); equation der(y) = -y; ";
    const auto loop = test::run(begin + "for i in 1:N loop " + body + " end for;"), written = test::run(begin + unrolled);
    const auto operations = [](const auto& r) {
      std::string text;
      for (const auto& i : r.program.code) text += std::to_string(int(i.op)) + " ";
      return text;
    };
    BOOST_TEST(operations(loop) == operations(written), body);
    for (const char* v : {"x[1]", "x[3]", "x[6]"}) BOOST_TEST(loop.last(v) == written.last(v), body << " " << v);
  }
  // What the user wrote is what is shown.
  const Flattened shown("model M parameter Integer N = 6; Real x[N]; equation for i in 1:N loop der(x[i]) = -i/N*x[i]; end for; end M;");
  BOOST_REQUIRE(shown.model);
  BOOST_TEST(compiler::print(*shown.model, shown.model->equations.back().right) == "-6/N*x[6]");
  BOOST_TEST(compiler::print(*shown.model, shown.model->expressions.worked_out(shown.model->equations.back().right)) == "-x[6]");
  // What has no value is no number.
  BOOST_TEST(test::says(test::model("Real x[6]; equation for i in 1:6 loop x[i] = time/(i - 4); end for;"), "division by zero (4 - 4)"));
}

BOOST_AUTO_TEST_SUITE_END()
