// What calls must not be is told, and nothing crashes: handles of NULL, names and indices of nothing, sizes of other versions.

#include <cmath>
#include <cstddef>
#include <limits>

#include "tests/c_interface/handles.hpp"

using namespace mosim::tests;

namespace {

const char* const plain = "model M input Real u(start = 0); Real x(start = 1, fixed = true); Real y = 2*x; equation der(x) = u - x; end M;";
constexpr double no_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinite = std::numeric_limits<double>::infinity();

}  // namespace

BOOST_AUTO_TEST_SUITE(errors)

BOOST_AUTO_TEST_CASE(handles_of_null) {
  size_t n = 7;
  double value = 7;
  const char* const name = "x";
  mosim_place place;
  mosim_change change;
  mosim_experiment experiment{};
  experiment.size = sizeof experiment;
  mosim_statistics statistics{};
  statistics.size = sizeof statistics;
  mosim_model* model = reinterpret_cast<mosim_model*>(1);
  mosim_run* run = reinterpret_cast<mosim_run*>(1);
  mosim_result* result = reinterpret_cast<mosim_result*>(1);
  const auto refused = [](mosim_status status) { BOOST_TEST(status == MOSIM_INVALID_ARGUMENT); };
  refused(mosim_session_new(nullptr, nullptr));
  refused(mosim_session_add_library(nullptr, "."));
  refused(mosim_session_read(nullptr, "m.mo"));
  refused(mosim_session_read_text(nullptr, "m.mo", plain, 3));
  refused(mosim_session_compile(nullptr, "M", nullptr, 0, &model));
  BOOST_TEST(!model);
  BOOST_TEST(!mosim_session_error(nullptr));
  BOOST_TEST(mosim_session_class_count(nullptr) == 0u);
  BOOST_TEST(!mosim_session_class(nullptr, 0));
  BOOST_TEST(mosim_session_diagnostic_count(nullptr) == 0u);
  BOOST_TEST(!mosim_session_diagnostic(nullptr, 0));

  BOOST_TEST(!mosim_model_error(nullptr));
  BOOST_TEST(!mosim_model_name(nullptr));
  BOOST_TEST(!mosim_model_description(nullptr));
  BOOST_TEST(mosim_model_diagnostic_count(nullptr) == 0u);
  BOOST_TEST(!mosim_model_diagnostic(nullptr, 0));
  BOOST_TEST(mosim_model_variable_count(nullptr) == 0u);
  BOOST_TEST(!mosim_model_variable(nullptr, 0));
  model = reinterpret_cast<mosim_model*>(1);
  refused(mosim_model_share(nullptr, &model));
  BOOST_TEST(!model);
  refused(mosim_model_experiment(nullptr, &experiment));
  refused(mosim_model_find(nullptr, "x", &n));
  refused(mosim_model_start(nullptr, nullptr, &run));
  BOOST_TEST(!run);
  refused(mosim_model_simulate(nullptr, nullptr, &result));
  BOOST_TEST(!result);

  refused(mosim_cancellation_new(nullptr));
  refused(mosim_cancellation_set(nullptr));
  refused(mosim_options_init(nullptr, sizeof(mosim_options)));

  BOOST_TEST(!mosim_run_error(nullptr));
  BOOST_TEST(mosim_run_time(nullptr) == 0);
  BOOST_TEST(mosim_run_goes_on(nullptr) == 0);
  refused(mosim_run_step(nullptr, 1));
  refused(mosim_run_advance_to(nullptr, 1));
  refused(mosim_run_get(nullptr, &n, 1, &value));
  refused(mosim_run_get_by_name(nullptr, &name, 1, &value));
  refused(mosim_run_set(nullptr, &n, 1, &value));
  refused(mosim_run_set_by_name(nullptr, &name, 1, &value));
  result = reinterpret_cast<mosim_result*>(1);
  refused(mosim_run_finish(nullptr, &result));
  BOOST_TEST(!result);

  BOOST_TEST(!mosim_result_error(nullptr));
  BOOST_TEST(mosim_result_ending(nullptr) == MOSIM_FAILED);
  BOOST_TEST(mosim_result_time(nullptr) == 0);
  BOOST_TEST(mosim_result_column_count(nullptr) == 0u);
  BOOST_TEST(!mosim_result_column_name(nullptr, 0));
  refused(mosim_result_find(nullptr, "x", &n));
  BOOST_TEST(mosim_result_row_count(nullptr) == 0u);
  BOOST_TEST(mosim_result_rows_made(nullptr) == 0u);
  BOOST_TEST(!mosim_result_rows(nullptr));
  refused(mosim_result_column(nullptr, 0, &value, 1));
  BOOST_TEST(mosim_result_event_count(nullptr) == 0u);
  BOOST_TEST(!mosim_result_event(nullptr, 0));
  BOOST_TEST(mosim_result_diagnostic_count(nullptr) == 0u);
  BOOST_TEST(!mosim_result_diagnostic(nullptr, 0));
  BOOST_TEST(mosim_result_string_count(nullptr) == 0u);
  BOOST_TEST(!mosim_result_string(nullptr, 0));
  refused(mosim_result_statistics(nullptr, &statistics));

  BOOST_TEST(mosim_diagnostic_severity(nullptr) == MOSIM_ERROR);
  refused(mosim_diagnostic_place(nullptr, &place));
  BOOST_TEST(mosim_diagnostic_time(nullptr) == 0);
  BOOST_TEST(!mosim_diagnostic_cause(nullptr));
  BOOST_TEST(!mosim_diagnostic_remedy(nullptr));
  BOOST_TEST(!mosim_diagnostic_text(nullptr));
  BOOST_TEST(mosim_diagnostic_note_count(nullptr) == 0u);
  BOOST_TEST(!mosim_diagnostic_note_text(nullptr, 0));
  refused(mosim_diagnostic_note_place(nullptr, 0, &place));

  for (const auto text : {mosim_variable_name, mosim_variable_description, mosim_variable_unit, mosim_variable_display_unit, mosim_variable_quantity}) BOOST_TEST(!text(nullptr));
  for (const auto number : {mosim_variable_type, mosim_variable_kind, mosim_variable_is_protected, mosim_variable_is_hidden, mosim_variable_is_input, mosim_variable_is_output})
    BOOST_TEST(number(nullptr) == 0);
  BOOST_TEST(mosim_variable_literal_count(nullptr) == 0u);
  BOOST_TEST(!mosim_variable_literal(nullptr, 0));
  refused(mosim_variable_place(nullptr, &place));

  BOOST_TEST(mosim_event_number(nullptr) == 0u);
  BOOST_TEST(mosim_event_time(nullptr) == 0);
  BOOST_TEST(mosim_event_kind(nullptr) == 0);
  BOOST_TEST(mosim_event_rounds(nullptr) == 0u);
  BOOST_TEST(mosim_event_is_rearming(nullptr) == 0);
  BOOST_TEST(mosim_event_cause_count(nullptr) == 0u);
  BOOST_TEST(!mosim_event_cause(nullptr, 0));
  BOOST_TEST(mosim_cause_what(nullptr) == 0);
  BOOST_TEST(!mosim_cause_text(nullptr));
  BOOST_TEST(mosim_cause_value(nullptr) == 0);
  refused(mosim_cause_place(nullptr, &place));
  BOOST_TEST(mosim_event_fired_count(nullptr) == 0u);
  BOOST_TEST(!mosim_event_fired(nullptr, 0));
  BOOST_TEST(!mosim_fired_text(nullptr));
  BOOST_TEST(mosim_fired_round(nullptr) == 0u);
  refused(mosim_fired_place(nullptr, &place));
  BOOST_TEST(!mosim_fired_elements(nullptr, &n));
  BOOST_TEST(n == 0u);
  BOOST_TEST(!mosim_fired_already_true(nullptr, nullptr));
  BOOST_TEST(mosim_event_change_count(nullptr) == 0u);
  refused(mosim_event_change(nullptr, 0, &change));

  mosim_session_free(nullptr);
  mosim_model_free(nullptr);
  mosim_run_free(nullptr);
  mosim_result_free(nullptr);
  mosim_cancellation_free(nullptr);
  BOOST_TEST(value == 7);
}

BOOST_AUTO_TEST_CASE(arguments_of_null) {
  const Session s = new_session();
  mosim_model* m = nullptr;
  BOOST_TEST(mosim_session_read(s.get(), nullptr) == MOSIM_INVALID_ARGUMENT);
  BOOST_TEST(mosim_session_error(s.get()) == std::string("the path is NULL"));
  BOOST_TEST(mosim_session_read_text(s.get(), nullptr, plain, 1) == MOSIM_INVALID_ARGUMENT);
  BOOST_TEST(mosim_session_read_text(s.get(), "m.mo", nullptr, 1) == MOSIM_INVALID_ARGUMENT);
  BOOST_TEST(mosim_session_read_text(s.get(), "m.mo", nullptr, 0) == MOSIM_OK);   // an empty text
  BOOST_TEST(mosim_session_add_library(s.get(), nullptr) == MOSIM_INVALID_ARGUMENT);
  BOOST_TEST(mosim_session_compile(s.get(), nullptr, nullptr, 0, &m) == MOSIM_INVALID_ARGUMENT);
  BOOST_TEST(mosim_session_compile(s.get(), "M", nullptr, 1, &m) == MOSIM_INVALID_ARGUMENT);
  const char* const settings[] = {nullptr};
  BOOST_TEST(mosim_session_compile(s.get(), "M", settings, 1, &m) == MOSIM_INVALID_ARGUMENT);
  BOOST_TEST(mosim_session_compile(s.get(), "M", nullptr, 0, nullptr) == MOSIM_INVALID_ARGUMENT);

  const Model model = compiled(plain);
  size_t n = 0;
  BOOST_TEST(mosim_model_find(model.get(), nullptr, &n) == MOSIM_INVALID_ARGUMENT);
  BOOST_TEST(mosim_model_find(model.get(), "x", nullptr) == MOSIM_INVALID_ARGUMENT);
  BOOST_TEST(mosim_model_share(model.get(), nullptr) == MOSIM_INVALID_ARGUMENT);
  BOOST_TEST(mosim_model_experiment(model.get(), nullptr) == MOSIM_INVALID_ARGUMENT);
  BOOST_TEST(mosim_model_start(model.get(), nullptr, nullptr) == MOSIM_INVALID_ARGUMENT);
  BOOST_TEST(mosim_model_simulate(model.get(), nullptr, nullptr) == MOSIM_INVALID_ARGUMENT);
  BOOST_TEST(mosim_variable_place(mosim_model_variable(model.get(), 0), nullptr) == MOSIM_INVALID_ARGUMENT);
  const Run run = started(model, options(1));
  const char* const name = nullptr;
  double value = 0;
  BOOST_TEST(mosim_run_get(run.get(), nullptr, 1, &value) == MOSIM_INVALID_ARGUMENT);
  BOOST_TEST(mosim_run_get(run.get(), &n, 1, nullptr) == MOSIM_INVALID_ARGUMENT);
  BOOST_TEST(mosim_run_get(run.get(), nullptr, 0, nullptr) == MOSIM_OK);
  BOOST_TEST(mosim_run_get_by_name(run.get(), &name, 1, &value) == MOSIM_INVALID_ARGUMENT);
  BOOST_TEST(mosim_run_set_by_name(run.get(), nullptr, 1, &value) == MOSIM_INVALID_ARGUMENT);
  BOOST_TEST(mosim_run_set(run.get(), nullptr, 0, nullptr) == MOSIM_OK);
  BOOST_TEST(mosim_run_finish(run.get(), nullptr) == MOSIM_INVALID_ARGUMENT);
  BOOST_TEST(mosim_run_goes_on(run.get()) == 1);
  const Result result = finished(run);
  BOOST_TEST(mosim_result_find(result.get(), nullptr, &n) == MOSIM_INVALID_ARGUMENT);
  BOOST_TEST(mosim_result_column(result.get(), 0, nullptr, 1000) == MOSIM_INVALID_ARGUMENT);
  BOOST_TEST(mosim_result_statistics(result.get(), nullptr) == MOSIM_INVALID_ARGUMENT);
}

BOOST_AUTO_TEST_CASE(names_and_indices_of_nothing) {
  const Model m = compiled(plain);
  size_t n = 99;
  BOOST_TEST(mosim_model_find(m.get(), "nobody", &n) == MOSIM_NOT_FOUND);
  BOOST_TEST(n == 99u);
  BOOST_TEST(mosim_model_error(m.get()) == std::string("M has no variable nobody"));
  const Run run = started(m, options(1));
  const char* const names[] = {"x", "nobody"};
  double values[] = {7, 7};
  BOOST_TEST(mosim_run_get_by_name(run.get(), names, 2, values) == MOSIM_NOT_FOUND);
  BOOST_TEST(values[0] == 7);   // all, or none
  BOOST_TEST(says(mosim_run_error(run.get()), "nobody"));
  BOOST_TEST(mosim_run_set_by_name(run.get(), names, 2, values) == MOSIM_NOT_FOUND);
  const size_t far[] = {size_t(-1), size_t(1) << 32, mosim_model_variable_count(m.get())};
  for (const size_t& k : far) {
    BOOST_TEST(mosim_run_get(run.get(), &k, 1, values) == MOSIM_INVALID_ARGUMENT);
    BOOST_TEST(mosim_run_set(run.get(), &k, 1, values) == MOSIM_INVALID_ARGUMENT);
    BOOST_TEST(!mosim_model_variable(m.get(), k));
  }
  const char* const follows[] = {"u", "y"};
  BOOST_TEST(mosim_run_set_by_name(run.get(), follows, 2, values) == MOSIM_INVALID_ARGUMENT);
  BOOST_TEST(says(mosim_run_error(run.get()), "y is no input and no state"));
  BOOST_TEST(value(run, "u") == 0);   // all, or none
  for (const double bad : {no_number, infinite}) BOOST_TEST(mosim_run_set_by_name(run.get(), follows, 1, &bad) == MOSIM_INVALID_ARGUMENT);
  BOOST_TEST(mosim_run_advance_to(run.get(), no_number) == MOSIM_INVALID_ARGUMENT);
  BOOST_TEST(mosim_run_step(run.get(), no_number) == MOSIM_INVALID_ARGUMENT);
  BOOST_TEST(mosim_run_advance_to(run.get(), -infinite) == MOSIM_OK);   // is there already
  BOOST_TEST(mosim_run_time(run.get()) == 0);
  BOOST_TEST(mosim_run_advance_to(run.get(), infinite) == MOSIM_OK);
  BOOST_TEST(mosim_run_goes_on(run.get()) == 0);

  const Result r = finished(run);
  BOOST_TEST(mosim_run_time(run.get()) == 1);
  BOOST_TEST(mosim_run_goes_on(run.get()) == 0);
  mosim_result* again = nullptr;
  BOOST_TEST(mosim_run_finish(run.get(), &again) == MOSIM_FINISHED);
  BOOST_TEST(mosim_run_step(run.get(), 1) == MOSIM_FINISHED);
  BOOST_TEST(mosim_run_advance_to(run.get(), 1) == MOSIM_FINISHED);
  BOOST_TEST(mosim_run_get_by_name(run.get(), names, 1, values) == MOSIM_FINISHED);
  BOOST_TEST(mosim_run_set_by_name(run.get(), names, 1, values) == MOSIM_FINISHED);
  BOOST_TEST(mosim_result_find(r.get(), "nobody", &n) == MOSIM_NOT_FOUND);
  BOOST_TEST(says(mosim_result_error(r.get()), "nobody"));
  BOOST_TEST(mosim_result_column(r.get(), 99, values, 2) == MOSIM_INVALID_ARGUMENT);
  BOOST_TEST(mosim_result_column(r.get(), 0, values, 2) == MOSIM_INVALID_ARGUMENT);
  BOOST_TEST(says(mosim_result_error(r.get()), "room for 2"));
  BOOST_TEST(!mosim_result_event(r.get(), 99));
  BOOST_TEST(!mosim_result_diagnostic(r.get(), 99));
  const mosim_event* const initial = mosim_result_event(r.get(), 0);
  BOOST_REQUIRE(initial);
  mosim_change change;
  BOOST_TEST(mosim_event_change(initial, 99, &change) == MOSIM_INVALID_ARGUMENT);
  BOOST_TEST(mosim_event_change(initial, 0, nullptr) == MOSIM_INVALID_ARGUMENT);
  BOOST_TEST(!mosim_event_cause(initial, 99));
  BOOST_TEST(!mosim_event_fired(initial, 99));
}

BOOST_AUTO_TEST_CASE(options_that_no_run_can_have) {
  const Model m = compiled(plain);
  const auto refused = [&](auto change, mosim_status status = MOSIM_INVALID_ARGUMENT) {
    mosim_options o = options(1);
    change(o);
    mosim_run* run = reinterpret_cast<mosim_run*>(1);
    BOOST_TEST(mosim_model_start(m.get(), &o, &run) == status);
    BOOST_TEST(!run);
    BOOST_TEST(std::strlen(mosim_model_error(m.get())) > 0u);
    mosim_result* result = nullptr;
    BOOST_TEST(mosim_model_simulate(m.get(), &o, &result) == status);
  };
  static const char* const nobody[] = {"nobody"};
  static const char* const nothing[] = {nullptr};
  refused([](mosim_options& o) { o.stop = -1; });
  refused([](mosim_options& o) { o.stop = infinite; });
  refused([](mosim_options& o) { o.tolerance = 0; });
  refused([](mosim_options& o) { o.tolerance = 1e-20; });
  refused([](mosim_options& o) { o.interval = 0; });
  refused([](mosim_options& o) { o.interval = 1e-300; });
  refused([](mosim_options& o) { o.solver = 5; });
  refused([](mosim_options& o) { o.hysteresis = -1; });
  refused([](mosim_options& o) { o.results = nobody, o.result_count = 1; }, MOSIM_NOT_FOUND);
  refused([](mosim_options& o) { o.results = nothing, o.result_count = 1; });
}

BOOST_AUTO_TEST_CASE(structures_of_other_versions) {
  const Model m = compiled(plain);
  // An older program knows of fewer members: the stop time, here, and not the tolerance. What stands behind them is not looked at.
  mosim_options o = options(0.5);
  o.size = offsetof(mosim_options, tolerance);
  o.tolerance = -1;
  mosim_result* result = nullptr;
  const mosim_status status = mosim_model_simulate(m.get(), &o, &result);
  BOOST_REQUIRE_MESSAGE(status == MOSIM_OK, mosim_model_error(m.get()));
  BOOST_TEST(mosim_result_time(result) == 0.5);
  mosim_result_free(result);
  struct {
    mosim_options known;
    double more[4];
  } newer;
  newer.more[3] = 1;
  BOOST_REQUIRE(mosim_options_init(&newer.known, offsetof(mosim_options, tolerance)) == MOSIM_OK);
  BOOST_TEST(newer.known.size == offsetof(mosim_options, tolerance));
  BOOST_TEST(std::isnan(newer.known.stop));
  // A newer one knows of more, which mean their default if they are zero.
  BOOST_REQUIRE(mosim_options_init(&newer.known, sizeof newer) == MOSIM_OK);
  BOOST_TEST(newer.more[3] == 0);
  newer.known.stop = 0.25;
  BOOST_REQUIRE(mosim_model_simulate(m.get(), &newer.known, &result) == MOSIM_OK);
  BOOST_TEST(mosim_result_time(result) == 0.25);
  mosim_result_free(result);
  newer.more[3] = 1;
  BOOST_TEST(mosim_model_simulate(m.get(), &newer.known, &result) == MOSIM_INVALID_ARGUMENT);
  BOOST_TEST(says(mosim_model_error(m.get()), "does not know"));
  // One that was never set.
  for (const size_t size : {size_t(0), size_t(1), size_t(-1)}) {
    o.size = size;
    BOOST_TEST(mosim_model_simulate(m.get(), &o, &result) == MOSIM_INVALID_ARGUMENT);
    BOOST_TEST(says(mosim_model_error(m.get()), "size"));
    BOOST_TEST(mosim_options_init(&o, size) == MOSIM_INVALID_ARGUMENT);
  }

  // What is filled is filled as far as the caller knows it.
  struct {
    mosim_experiment known;
    double more;
  } experiment{{sizeof experiment, 1, 1, 1, 1}, 1};
  BOOST_REQUIRE(mosim_model_experiment(m.get(), &experiment.known) == MOSIM_OK);
  BOOST_TEST(experiment.known.size == sizeof experiment);
  BOOST_TEST(std::isnan(experiment.known.interval));
  BOOST_TEST(experiment.more == 0);
  experiment.known = {offsetof(mosim_experiment, tolerance), 1, 1, 1, 1};
  BOOST_REQUIRE(mosim_model_experiment(m.get(), &experiment.known) == MOSIM_OK);
  BOOST_TEST(std::isnan(experiment.known.stop));
  BOOST_TEST(experiment.known.tolerance == 1);
  experiment.known.size = 0;
  BOOST_TEST(mosim_model_experiment(m.get(), &experiment.known) == MOSIM_INVALID_ARGUMENT);

  mosim_session_options so{};
  mosim_session* session = reinterpret_cast<mosim_session*>(1);
  BOOST_TEST(mosim_session_new(&so, &session) == MOSIM_INVALID_ARGUMENT);
  BOOST_TEST(!session);
  so.size = offsetof(mosim_session_options, native_code);
  BOOST_REQUIRE(mosim_session_new(&so, &session) == MOSIM_OK);
  mosim_session_free(session);
}

BOOST_AUTO_TEST_CASE(each_status_has_a_text) {
  for (mosim_status s = MOSIM_OK; s <= MOSIM_INTERNAL_ERROR; ++s)
    for (mosim_status t = MOSIM_OK; t < s; ++t) BOOST_TEST(mosim_status_text(s) != std::string(mosim_status_text(t)));
  BOOST_TEST(mosim_status_text(99));
  BOOST_TEST(mosim_status_text(-1));
}

BOOST_AUTO_TEST_CASE(an_exception_from_a_callback_ends_the_call_alone) {
  const Model m = compiled(plain);
  mosim_options o = options(1);
  o.on_row = [](void*, const double*, size_t) -> int { throw 1; };
  mosim_result* r = nullptr;
  BOOST_TEST(mosim_model_simulate(m.get(), &o, &r) == MOSIM_INTERNAL_ERROR);
  o.on_row = [](void*, const double*, size_t) -> int { throw std::bad_alloc(); };
  BOOST_TEST(mosim_model_simulate(m.get(), &o, &r) == MOSIM_OUT_OF_MEMORY);
  BOOST_TEST(!r);
  o.on_row = nullptr;
  BOOST_REQUIRE(mosim_model_simulate(m.get(), &o, &r) == MOSIM_OK);
  BOOST_TEST(mosim_result_row_count(r) == 501u);
  mosim_result_free(r);
}

BOOST_AUTO_TEST_SUITE_END()
