// Runs through the C interface that begin otherwise: other parameters, inputs over time, saved runs and models; linear systems.

#include <cmath>
#include <cstring>

#include "tests/c_interface/handles.hpp"

using namespace mosim::tests;

namespace {

using Bytes = std::unique_ptr<mosim_bytes, Free<mosim_bytes_free>>;

const char* const ball = R"(model M
  parameter Real e = 0.8;
  parameter Integer n = 2;
  parameter Boolean p = true;
  Real h(start = 1, fixed = true), v(start = 0, fixed = true), x[n] = h*(1:n);
equation
  der(h) = v;
  der(v) = if p then -9.81 else 0;
  when h < 0 then reinit(v, -e*pre(v)); end when;
end M;)";
const char* const driven = "model M input Real u(start = 1); input Boolean b(start = false); output Real y = x; Real x(start = 0, fixed = true); Integer n(start = 0, fixed = true); "
                           "equation der(x) = u - 2*x; when b then n = pre(n) + 1; end when; end M;";

bool same(const Result& a, const Result& b) {
  const std::size_t n = mosim_result_row_count(a.get())*mosim_result_column_count(a.get());
  return n == mosim_result_row_count(b.get())*mosim_result_column_count(b.get()) && std::memcmp(mosim_result_rows(a.get()), mosim_result_rows(b.get()), n*sizeof(double)) == 0;
}

/// What makes bytes of a handle.
template <class Handle, class Make>
Bytes bytes(const Handle& handle, Make make) {
  mosim_bytes* b = nullptr;
  BOOST_REQUIRE(make(handle.get(), &b) == MOSIM_OK);
  return Bytes(b);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(starts)

BOOST_AUTO_TEST_CASE(other_parameters_and_start_values) {
  const Session s = new_session();
  BOOST_REQUIRE(read(s, ball) == MOSIM_OK);
  const char* const settings[] = {"e = 0.5", "h(start = 1.5)"};
  mosim_model* other = nullptr;
  BOOST_REQUIRE(mosim_session_compile(s.get(), "M", settings, 2, &other) == MOSIM_OK);
  const Model compiled_so(other);
  const Model m = compiled(ball);
  mosim_options o = options(1.2);
  const Result expected = simulated(compiled_so, o);
  BOOST_TEST(!same(simulated(m, o), expected));
  const char* const names[] = {"e", "h"};
  const double values[] = {0.5, 1.5};
  o.set_names = names;
  o.set_values = values;
  o.set_count = 2;
  BOOST_TEST(same(simulated(m, o), expected));

  size_t e = 0, n = 0;
  BOOST_REQUIRE(mosim_model_find(m.get(), "e", &e) == MOSIM_OK);
  BOOST_REQUIRE(mosim_model_find(m.get(), "n", &n) == MOSIM_OK);
  BOOST_TEST(mosim_variable_is_changeable(mosim_model_variable(m.get(), e)) == 1);
  BOOST_TEST(mosim_variable_is_changeable(mosim_model_variable(m.get(), n)) == 0);
  BOOST_TEST(mosim_model_can_set(m.get(), "e", 0.1) == MOSIM_OK);
  BOOST_TEST(mosim_model_can_set(m.get(), "n", 3) == MOSIM_INVALID_ARGUMENT);
  BOOST_TEST(says(mosim_model_error(m.get()), "n is final, or the model was compiled for its value"));
  BOOST_TEST(mosim_model_can_set(m.get(), "p", 0.5) == MOSIM_INVALID_ARGUMENT);
  BOOST_TEST(mosim_model_can_set(m.get(), "x", 0.5) == MOSIM_NOT_FOUND);
  BOOST_TEST(says(mosim_model_error(m.get()), "M has no variable x; it has parts of x, such as x[1]"));
  const char* const wrong[] = {"n"};
  o.set_names = wrong;
  o.set_count = 1;
  mosim_run* r = nullptr;
  BOOST_TEST(mosim_model_start(m.get(), &o, &r) == MOSIM_INVALID_ARGUMENT);
  BOOST_TEST(r == nullptr);
  o.set_values = nullptr;
  BOOST_TEST(mosim_model_start(m.get(), &o, &r) == MOSIM_INVALID_ARGUMENT);
  BOOST_TEST(says(mosim_model_error(m.get()), "the list of values to set is NULL"));
}

BOOST_AUTO_TEST_CASE(inputs_over_time) {
  const Model m = compiled(driven);
  mosim_options o = options(2);
  o.tolerance = 1e-9;
  struct Context {
    double slope;
    int calls;
  } context{3, 0};
  const double times[] = {0, 0.5, 1, 1.5}, values[] = {0, 1, 0, 1};
  mosim_input inputs[2] = {};
  inputs[0].variable = "u";
  inputs[0].context = &context;
  inputs[0].function = [](void* c, double time) {
    ++static_cast<Context*>(c)->calls;
    return static_cast<Context*>(c)->slope*time;
  };
  inputs[1].variable = "b";
  inputs[1].times = times;
  inputs[1].values = values;
  inputs[1].count = 4;
  inputs[1].holds = 1;
  o.inputs = inputs;
  o.input_count = 2;
  const Result r = simulated(m, o);
  // der(x) = 3 t - 2 x: x = 3/2 t - 3/4 (1 - exp(-2 t)).
  BOOST_TEST(std::abs(column(r, "x").back() - (3 - 0.75*(1 - std::exp(-4.0)))) < 1e-7);
  BOOST_TEST(column(r, "n").back() == 2);
  BOOST_TEST(context.calls > 0);
  BOOST_REQUIRE(mosim_result_event_count(r.get()) == 4);   // initialisation, and three jumps
  BOOST_TEST(mosim_event_time(mosim_result_event(r.get(), 1)) == 0.5);
  inputs[1].holds = 0;
  mosim_result* none = nullptr;
  BOOST_TEST(mosim_model_simulate(m.get(), &o, &none) == MOSIM_INVALID_ARGUMENT);
  BOOST_TEST(says(mosim_model_error(m.get()), "only a Real follows straight lines"));
  inputs[1].variable = "c";
  BOOST_TEST(mosim_model_simulate(m.get(), &o, &none) == MOSIM_NOT_FOUND);
  inputs[1].variable = nullptr;
  BOOST_TEST(mosim_model_simulate(m.get(), &o, &none) == MOSIM_INVALID_ARGUMENT);
}

BOOST_AUTO_TEST_CASE(a_saved_run_goes_on) {
  const Model m = compiled(ball);
  const mosim_options o = options(2);
  const Run whole = started(m, o);
  BOOST_REQUIRE(mosim_run_advance_to(whole.get(), 1.1) == MOSIM_OK);
  const Bytes saved = bytes(whole, mosim_run_save);
  BOOST_REQUIRE(mosim_run_advance_to(whole.get(), 2) == MOSIM_OK);
  mosim_run* r = nullptr;
  BOOST_REQUIRE(mosim_model_restore(m.get(), mosim_bytes_data(saved.get()), mosim_bytes_size(saved.get()), nullptr, &r) == MOSIM_OK);
  const Run again(r);
  BOOST_TEST(mosim_run_time(again.get()) == 1.1);
  BOOST_REQUIRE(mosim_run_advance_to(again.get(), 2) == MOSIM_OK);
  BOOST_TEST(same(finished(again), finished(whole)));
  BOOST_TEST(mosim_model_restore(m.get(), "nonsense", 8, nullptr, &r) == MOSIM_INVALID_ARGUMENT);
  BOOST_TEST(r == nullptr);
  const Model other = compiled(driven);
  BOOST_TEST(mosim_model_restore(other.get(), mosim_bytes_data(saved.get()), mosim_bytes_size(saved.get()), nullptr, &r) == MOSIM_INVALID_ARGUMENT);
  BOOST_TEST(says(mosim_model_error(other.get()), "saved by another model"));
  mosim_bytes* b = nullptr;
  BOOST_TEST(mosim_run_save(again.get(), &b) == MOSIM_FINISHED);
}

BOOST_AUTO_TEST_CASE(a_model_as_bytes) {
  const Model m = compiled(ball);
  const Bytes written = bytes(m, mosim_model_write);
  const Session s = new_session();
  mosim_model* loaded = nullptr;
  BOOST_REQUIRE(mosim_session_load(s.get(), mosim_bytes_data(written.get()), mosim_bytes_size(written.get()), &loaded) == MOSIM_OK);
  const Model again(loaded);
  BOOST_TEST(same(simulated(again, options(2)), simulated(m, options(2))));
  std::string damaged(mosim_bytes_data(written.get()), mosim_bytes_size(written.get()));
  damaged[damaged.size()/2] = char(~damaged[damaged.size()/2]);
  BOOST_TEST(mosim_session_load(s.get(), damaged.data(), damaged.size(), &loaded) == MOSIM_INVALID_MODEL);
  BOOST_TEST(loaded == nullptr);
  BOOST_REQUIRE(mosim_session_diagnostic_count(s.get()) == 1);
  BOOST_TEST(!std::string(mosim_diagnostic_remedy(mosim_session_diagnostic(s.get(), 0))).empty());
  BOOST_TEST(mosim_session_load(s.get(), nullptr, 3, &loaded) == MOSIM_INVALID_ARGUMENT);
}

BOOST_AUTO_TEST_CASE(linear_systems) {
  const Model m = compiled(driven);
  const Run r = started(m, options(1));
  mosim_linearization* l = nullptr;
  BOOST_REQUIRE(mosim_run_linearize(r.get(), &l) == MOSIM_OK);
  const std::unique_ptr<mosim_linearization, Free<mosim_linearization_free>> system(l);
  BOOST_TEST(mosim_linearization_count(l, MOSIM_STATES) == 1);
  BOOST_TEST(mosim_linearization_name(l, MOSIM_STATES, 0) == std::string("x"));
  BOOST_TEST(mosim_linearization_name(l, MOSIM_INPUTS, 0) == std::string("u"));
  BOOST_TEST(mosim_linearization_name(l, MOSIM_OUTPUTS, 0) == std::string("y"));
  BOOST_TEST(mosim_linearization_name(l, MOSIM_OUTPUTS, 1) == nullptr);
  BOOST_TEST(mosim_linearization_matrix(l, MOSIM_A)[0] == -2);
  BOOST_TEST(mosim_linearization_matrix(l, MOSIM_B)[0] == 1);
  BOOST_TEST(mosim_linearization_matrix(l, MOSIM_C)[0] == 1);
  BOOST_TEST(mosim_linearization_matrix(l, MOSIM_D)[0] == 0);
  BOOST_TEST(mosim_linearization_matrix(l, 4) == nullptr);
}

BOOST_AUTO_TEST_CASE(words_about_a_run) {
  const Model m = compiled(ball);
  const Result r = simulated(m, options(1));
  BOOST_TEST(says(mosim_bytes_data(bytes(r, mosim_result_report).get()), "1 crossing function"));
  BOOST_TEST(says(mosim_bytes_data(bytes(r, mosim_result_event_log).get()), "h < 0 becomes true"));
  const Bytes page = bytes(r, mosim_result_page);
  BOOST_TEST(std::strlen(mosim_bytes_data(page.get())) == mosim_bytes_size(page.get()));
  BOOST_TEST(says(mosim_bytes_data(page.get()), "<html"));
}

BOOST_AUTO_TEST_SUITE_END()
