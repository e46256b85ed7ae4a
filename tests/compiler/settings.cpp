// What is set from outside: `--set name = value`.

#include <boost/test/unit_test.hpp>

#include "rules_support.hpp"

using namespace rules;

namespace {

Flattened with(const std::string& text, std::vector<std::string> settings) { return Flattened(text, "M", std::move(settings)); }
std::string refusal(const std::string& body, const std::string& setting) {
  return with("model M " + body + " end M;", {setting}).messages();
}
/// What the whole compiler says.
std::string analysed(const std::string& body, const std::string& setting) {
  Flattened f = with("model M " + body + " end M;", {setting});
  (void)f.compilation->system();
  return f.messages();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(settings)

BOOST_AUTO_TEST_CASE(a_parameter_gets_the_value_and_what_depends_on_it_follows) {
  Flattened f = with("model M parameter Real a = 1; parameter Real b = 2*a; Real x[n] = fill(b, n); parameter Integer n = 2; end M;",
                     {"a = 5", "n=3"});
  BOOST_TEST(f.messages() == "");
  BOOST_TEST(f.value("b") == 10);
  BOOST_TEST(f.value("x[3]") == 10);
  // Names in the value are those of the model.
  BOOST_TEST(with("model M constant Real g = 10; parameter Real a = 1; parameter Real b = 2; end M;", {"a=g*b"}).value("a") == 20);
}

BOOST_AUTO_TEST_CASE(elements_arrays_and_fields_can_be_set) {
  const std::string arrays = "model M parameter Real k[3] = {1, 1, 1}; parameter Real A[2,2] = {{1, 2}, {3, 4}}; parameter Real o[:] = {1}; end M;";
  BOOST_TEST(with(arrays, {"k[2]=3"}).value("k[2]") == 3);
  BOOST_TEST(with(arrays, {"k[2]=3"}).value("k[1]") == 1);
  BOOST_TEST(with(arrays, {"A[2, 1] = 9"}).value("A[2,1]") == 9);
  BOOST_TEST(with(arrays, {"k={4, 5, 6}"}).value("k[3]") == 6);
  BOOST_TEST(with(arrays, {"k={4, 5, 6}", "k[1]=7"}).value("k[1]") == 7);
  BOOST_TEST(with(arrays, {"o={4, 5}"}).value("o[2]") == 5);
  const std::string parts = "record R parameter Real m = 1; parameter Real c = 2; end R; model A parameter Integer n = 1; Real x[n] = fill(1.0, n); end A;"
                            "model M parameter R p = R(m = 4); A a[2]; end M;";
  BOOST_TEST(with(parts, {"p.m=8"}).value("p.m") == 8);
  BOOST_TEST(with(parts, {"p.m=8"}).value("p.c") == 2);
  BOOST_TEST(with(parts, {"p=R(m=3, c=5)"}).value("p.c") == 5);
  BOOST_TEST(with(parts, {"a[2].n=3"}).has("a[2].x[3]"));
  BOOST_TEST(!with(parts, {"a[2].n=3"}).has("a[1].x[2]"));
}

BOOST_AUTO_TEST_CASE(enumerations_strings_and_booleans_can_be_set) {
  const std::string m = "model M type Mode = enumeration(a, b); parameter Mode mode = Mode.a; parameter String name = \"z\"; parameter Boolean on = false;"
                        "Real x if on; Boolean is = mode == Mode.b; end M;";
  BOOST_TEST(contains(with(m, {"mode=Mode.b"}).printed(), "mode = 'M.Mode'.b") );
  BOOST_TEST(contains(with(m, {"mode=b"}).printed(), "mode = 'M.Mode'.b"));
  BOOST_TEST(contains(with(m, {"mode=M.Mode.b"}).printed(), "mode = 'M.Mode'.b"));
  BOOST_TEST(contains(with(m, {"name=q"}).messages(), "write --set 'name=\"q\"'"));
  BOOST_TEST(contains(with(m, {"mode=c"}).messages(), "M.Mode has no literal c"));
  BOOST_TEST(contains(with(m, {"mode=c"}).messages(), "its literals are a, b"));
  BOOST_TEST(contains(with(m, {"name=\"q\""}).printed(), "\"q\""));
  BOOST_TEST(with(m, {"on=true"}).has("x"));
}

BOOST_AUTO_TEST_CASE(a_variable_gets_it_as_its_start_value) {
  Flattened f = with("model M Real x(start = 1, fixed = true); Real y[2](each start = 1, each fixed = true); equation der(x) = -x; der(y) = -y; end M;",
                     {"x=3", "y[2]=4"});
  BOOST_REQUIRE(f.model);
  const auto start = [&](const char* name) { return f.model->expressions.number(f.find(name)->start); };
  BOOST_TEST(start("x") == 3);
  BOOST_TEST(start("y[1]") == 1);
  BOOST_TEST(start("y[2]") == 4);
  const std::string m = "model A Real x(start = 1); Real y[2](each start = 1); equation der(x) = -x; der(y) = -y; end A; model M A a; parameter Real p(start = 1); end M;";
  Flattened attributes = with(m, {"a.x.start=3", "a.y[2].start=4", "a.x.fixed=true", "p.start=5"});
  BOOST_TEST(attributes.messages() == "");
  BOOST_REQUIRE(attributes.model);
  const auto given = [&](const char* name) { return attributes.model->expressions.number(attributes.find(name)->start); };
  BOOST_TEST(given("a.x") == 3);
  BOOST_TEST(given("a.y[2]") == 4);
  BOOST_TEST(given("p") == 5);
  BOOST_TEST(contains(attributes.printed(), "fixed = true"));
  BOOST_TEST(contains(with(m, {"a.x.begin=3"}).messages(), "x has no element begin to set"));
  BOOST_TEST(contains(with("model M Real x(start = 1); equation der(x) = -x; end M;", {"x(start=4, fixed=true)"}).printed(), "start = 4"));
}

BOOST_AUTO_TEST_CASE(a_setting_without_a_value_is_refused) {
  BOOST_TEST(contains(refusal("parameter Real h0 = 1;", "h0"), "h0 gets no value"));
  BOOST_TEST(contains(refusal("parameter Real h0 = 1;", "h0"), "write NAME=VALUE"));
  BOOST_TEST(contains(refusal("parameter Real h0 = 1;", ""), "sets nothing"));
}

BOOST_AUTO_TEST_CASE(what_is_not_there_or_does_not_fit_is_refused) {
  BOOST_TEST(contains(refusal("parameter Real h0 = 1;", "h1=2"), "M has no element h1 to set"));
  BOOST_TEST(contains(refusal("parameter Real h0 = 1;", "h1=2"), "did you mean h0?"));
  BOOST_TEST(contains(refusal("parameter Real h0 = 1;", "h0=true"), "the value of h0 must be Real but is Boolean"));
  BOOST_TEST(contains(refusal("parameter Real k[3] = {1, 2, 3};", "k[4]=2"), "k[4] does not exist: k has the size [3]"));
  BOOST_TEST(contains(refusal("parameter Real k[3] = {1, 2, 3};", "k=2"), "k has the size [3], its new value none"));
  BOOST_TEST(contains(refusal("parameter Real k[3] = {1, 2, 3};", "k={1, 2}"), "k has the size [3], its new value the size [2]"));
  BOOST_TEST(contains(refusal("parameter Real k = 1;", "k[1]=2"), "k is a scalar"));
  BOOST_TEST(contains(refusal("parameter Boolean on = false; parameter Real k = 1 if on;", "k=2"), "k is not part of M as it is set up"));
  BOOST_TEST(contains(analysed("parameter Real a = 1;", "a=a"), "depend"));
}

BOOST_AUTO_TEST_CASE(constants_and_final_parameters_are_refused) {
  const std::string constant = refusal("constant Real g = 9.81;", "g=2");
  BOOST_TEST(contains(constant, "g is a constant and cannot be set"));
  BOOST_TEST(contains(constant, "--set g=2:"));
  BOOST_TEST(contains(constant, "test.mo:1:"));
  BOOST_TEST(contains(refusal("final parameter Real g = 9.81;", "g=2"), "g is final and cannot be set"));
  BOOST_TEST(contains(with("model A parameter Real k = 1; end A; model M A a(final k = 2); end M;", {"a.k=3"}).messages(),
                      "a.k is final and cannot be set"));
}

BOOST_AUTO_TEST_CASE(what_is_neither_parameter_nor_start_value_is_refused) {
  BOOST_TEST(contains(analysed("Real x(start = 1, fixed = true), y = 2*x; equation der(x) = -x;", "y=3"), "y cannot be set: it is no parameter"));
  BOOST_TEST(analysed("Real x(start = 1, fixed = true), y = 2*x; equation der(x) = -x;", "x=3") == "");
  BOOST_TEST(analysed("Real x; equation der(x) = -x;", "x=3") == "");
  BOOST_TEST(analysed("Integer n(start = 0, fixed = true); equation when time > 0.5 then n = pre(n) + 1; end when;", "n=3") == "");
}

BOOST_AUTO_TEST_CASE(a_start_value_without_effect_is_warned_of) {
  const std::string beaten = analysed("parameter Real h0 = 1; Real h(start = 5); initial equation h = h0; equation der(h) = -1;", "h=2");
  BOOST_TEST(contains(beaten, "warning: the start value of h that is set here has no effect"));
  BOOST_TEST(contains(beaten, "change what stands in `h = h0`"));
}

BOOST_AUTO_TEST_CASE(nor_has_the_start_value_of_what_other_states_of_a_clock_determine) {
  const std::string partition = "Real u, x(start = 1), y, f; equation u = sample(time, Clock(Clock(1, 10), solverMethod = \"ExplicitEuler\")); der(x) = -x + f; der(y) = u - f; x = y;";
  BOOST_TEST(analysed(partition, "x=3") == "");
  BOOST_TEST(contains(analysed("Real u, x(start = 1), y(start = 2, stateSelect = StateSelect.always), f;" + partition.substr(partition.find(" equation")), "x=3"),
                      "warning: the start value of x that is set here has no effect: the other states of its clocked partition determine it"));
}

BOOST_AUTO_TEST_SUITE_END()
