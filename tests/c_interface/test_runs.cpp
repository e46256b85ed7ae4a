// Runs through the C interface: values read and set on the way, rows and events as they come, and the end from outside.

#include <atomic>
#include <cmath>
#include <thread>

#include "tests/c_interface/handles.hpp"

using namespace mosim::tests;

namespace {

const char* const driven = "model M input Real u(start = 1); output Real y; Real x(start = 0, fixed = true); Integer n(start = 0, fixed = true); equation der(x) = u - x; y = 2*x; "
                           "when {u > 3, u > 7} then n = pre(n) + 1; end when; end M;";
const char* const ball = "model M Real h(start = 1, fixed = true), v(start = 0, fixed = true); equation der(h) = v; der(v) = -9.81; "
                         "when h < 0 then reinit(v, -0.8*pre(v)); end when; end M;";

/// What the callbacks of a run got.
struct Got {
  std::vector<double> rows;
  std::size_t width = 0;
  std::vector<std::string> causes, messages;
  std::string printed;
  double progress = -1;
  int wanted = -1;   // so many rows
};

}  // namespace

BOOST_AUTO_TEST_SUITE(runs)

BOOST_AUTO_TEST_CASE(inputs_between_pieces) {
  // x follows u: 1 - exp(-t) up to 1, then towards 4, by hand.
  const Model m = compiled(driven);
  mosim_options o = options(3);
  o.tolerance = 1e-9;
  const Run r = started(m, o);
  BOOST_TEST(mosim_run_time(r.get()) == 0);
  BOOST_TEST(mosim_run_goes_on(r.get()) == 1);
  BOOST_TEST(mosim_run_step(r.get(), 1) == MOSIM_OK);
  BOOST_TEST(mosim_run_time(r.get()) > 0);
  BOOST_TEST(mosim_run_advance_to(r.get(), 1) == MOSIM_OK);
  BOOST_TEST(mosim_run_time(r.get()) == 1);
  const double x1 = 1 - std::exp(-1.0);
  size_t which[3];
  const char* const names[] = {"x", "y", "n"};
  for (int k = 0; k < 3; ++k) BOOST_REQUIRE(mosim_model_find(m.get(), names[k], &which[k]) == MOSIM_OK);
  double values[3];
  BOOST_REQUIRE(mosim_run_get(r.get(), which, 3, values) == MOSIM_OK);
  BOOST_TEST(std::abs(values[0] - x1) < 1e-8);
  BOOST_TEST(std::abs(values[1] - 2*x1) < 2e-8);
  BOOST_TEST(values[2] == 0);
  // An input and a state at one instant, one event.
  const char* const settable[] = {"u", "x"};
  const double to[] = {4, 0.5};
  BOOST_REQUIRE(mosim_run_set_by_name(r.get(), settable, 2, to) == MOSIM_OK);
  BOOST_TEST(mosim_run_time(r.get()) == 1);
  BOOST_REQUIRE(mosim_run_get_by_name(r.get(), names, 3, values) == MOSIM_OK);
  BOOST_TEST(values[0] == 0.5);
  BOOST_TEST(values[1] == 1);
  BOOST_TEST(values[2] == 1);
  BOOST_TEST(mosim_run_advance_to(r.get(), 2) == MOSIM_OK);
  BOOST_TEST(std::abs(value(r, "x") - (4 - 3.5*std::exp(-1.0))) < 1e-8);
  size_t u = 0;
  BOOST_REQUIRE(mosim_model_find(m.get(), "u", &u) == MOSIM_OK);
  const double eight = 8;
  BOOST_REQUIRE(mosim_run_set(r.get(), &u, 1, &eight) == MOSIM_OK);
  BOOST_TEST(value(r, "n") == 2);
  BOOST_TEST(mosim_run_advance_to(r.get(), 5) == MOSIM_OK);
  BOOST_TEST(mosim_run_time(r.get()) == 3);
  BOOST_TEST(mosim_run_goes_on(r.get()) == 0);
  BOOST_TEST(mosim_run_error(r.get()) == std::string());

  const Result result = finished(r);
  BOOST_TEST(mosim_result_ending(result.get()) == MOSIM_STOP_TIME);
  BOOST_TEST(mosim_result_time(result.get()) == 3);
  BOOST_REQUIRE(mosim_result_event_count(result.get()) >= 3u);
  const mosim_event* const first = mosim_result_event(result.get(), 1);
  BOOST_TEST(mosim_event_kind(first) == MOSIM_EVENT_SET);
  BOOST_TEST(mosim_event_number(first) == 1u);
  BOOST_TEST(mosim_event_time(first) == 1);
  BOOST_TEST(mosim_event_rounds(first) >= 1u);
  BOOST_TEST(mosim_event_is_rearming(first) == 0);
  mosim_place place;
  BOOST_REQUIRE(mosim_event_fired_count(first) == 1u);
  const mosim_fired* const fired = mosim_event_fired(first, 0);
  BOOST_TEST(mosim_fired_text(fired) == std::string("{u > 3, u > 7}"));
  BOOST_TEST(mosim_fired_round(fired) == 1u);
  BOOST_REQUIRE(mosim_fired_place(fired, &place) == MOSIM_OK);
  BOOST_TEST(place.line == 1u);
  size_t count = 9;
  const uint32_t* elements = mosim_fired_elements(fired, &count);
  BOOST_REQUIRE(count == 1u);
  BOOST_TEST(elements[0] == 1u);
  BOOST_TEST(!mosim_fired_already_true(fired, &count));
  BOOST_TEST(count == 0u);
  const mosim_fired* const second = mosim_event_fired(mosim_result_event(result.get(), 2), 0);
  elements = mosim_fired_elements(second, &count);
  BOOST_REQUIRE(count == 1u);
  BOOST_TEST(elements[0] == 2u);
  elements = mosim_fired_already_true(second, &count);
  BOOST_REQUIRE(count == 1u);
  BOOST_TEST(elements[0] == 1u);
  bool input_changed = false;
  for (size_t k = 0; k < mosim_event_change_count(first); ++k) {
    mosim_change change;
    BOOST_REQUIRE(mosim_event_change(first, k, &change) == MOSIM_OK);
    if (change.variable == u) input_changed = change.before == 1 && change.after == 4;
  }
  BOOST_TEST(input_changed);
}

BOOST_AUTO_TEST_CASE(rows_and_columns_of_a_result) {
  const Model m = compiled("model M Real x(start = 0, fixed = true); String s = if x > 0.5 then \"late\" else \"early\"; equation der(x) = 1; end M;");
  mosim_options o = options(1);
  o.intervals = 10;
  const char* const names[] = {"x", "s"};
  o.results = names;
  o.result_count = 2;
  const Result r = simulated(m, o);
  BOOST_REQUIRE(mosim_result_column_count(r.get()) == 3u);
  BOOST_TEST(mosim_result_column_name(r.get(), 0) == std::string("time"));
  BOOST_TEST(mosim_result_column_name(r.get(), 2) == std::string("s"));
  BOOST_TEST(!mosim_result_column_name(r.get(), 3));
  BOOST_TEST(mosim_result_row_count(r.get()) == 13u);
  BOOST_TEST(mosim_result_rows_made(r.get()) == 13u);
  const auto x = column(r, "x"), s = column(r, "s");
  BOOST_TEST(mosim_result_rows(r.get())[3*12 + 1] == x.back());
  BOOST_TEST(std::abs(x.back() - 1) < 1e-9);
  BOOST_TEST(mosim_result_string(r.get(), static_cast<size_t>(s.front())) == std::string("early"));
  BOOST_TEST(mosim_result_string(r.get(), static_cast<size_t>(s.back())) == std::string("late"));
  BOOST_TEST(!mosim_result_string(r.get(), mosim_result_string_count(r.get())));
  BOOST_REQUIRE(mosim_result_event_count(r.get()) == 2u);
  const mosim_event* const late = mosim_result_event(r.get(), 1);
  BOOST_TEST(mosim_event_kind(late) == MOSIM_EVENT_STATE);
  BOOST_REQUIRE(mosim_event_cause_count(late) == 1u);
  const mosim_cause* const cause = mosim_event_cause(late, 0);
  BOOST_TEST(mosim_cause_what(cause) == MOSIM_CAUSE_RELATION);
  BOOST_TEST(mosim_cause_text(cause) == std::string("x > 0.5"));
  BOOST_TEST(mosim_cause_value(cause) == 1);
  mosim_place place;
  BOOST_REQUIRE(mosim_cause_place(cause, &place) == MOSIM_OK);
  BOOST_TEST(place.file == std::string("m.mo"));
  mosim_statistics statistics;
  statistics.size = sizeof statistics;
  BOOST_REQUIRE(mosim_result_statistics(r.get(), &statistics) == MOSIM_OK);
  BOOST_TEST(statistics.steps > 0u);
  BOOST_TEST(statistics.state_events == 1u);
  o.without_events = 1;
  BOOST_TEST(mosim_result_event_count(simulated(m, o).get()) == 0u);
  o.maximum_events = 1;
  BOOST_TEST(mosim_result_ending(simulated(m, o).get()) == MOSIM_MAXIMUM_EVENTS);
  o.solver = MOSIM_ADAMS;
  o.interval = 0.25;
  o.intervals = 0;
  o.maximum_events = MOSIM_NO_LIMIT;
  BOOST_TEST(mosim_result_row_count(simulated(m, o).get()) == 7u);
  for (const int solver : {MOSIM_ESDIRK, MOSIM_ERK, MOSIM_AUTO}) {
    o.solver = solver;
    BOOST_TEST(mosim_result_row_count(simulated(m, o).get()) == 7u);
  }
}

BOOST_AUTO_TEST_CASE(callbacks_get_what_there_is) {
  const Model m = compiled("impure function print input String text; external \"C\" ModelicaInternal_print(text, \"\"); end print; impure function warn input String text; external \"C\" ModelicaWarning(text); end warn; model M Real x(start = 0, fixed = true); Boolean up = x > 0.5; equation der(x) = 1; "
                           "when up then print(\"now\"); warn(\"large\"); end when; end M;");
  Got got;
  mosim_options o = options(1);
  o.intervals = 10;
  const char* const names[] = {"x"};
  o.results = names;
  o.result_count = 1;
  o.context = &got;
  o.on_row = [](void* context, const double* row, size_t width) {
    auto& g = *static_cast<Got*>(context);
    g.rows.insert(g.rows.end(), row, row + width);
    g.width = width;
    return g.wanted > 0 && --g.wanted == 0 ? 1 : 0;
  };
  o.on_event = [](void* context, const mosim_event* event) {
    for (size_t k = 0; k < mosim_event_cause_count(event); ++k) static_cast<Got*>(context)->causes.emplace_back(mosim_cause_text(mosim_event_cause(event, k)));
  };
  o.on_message = [](void* context, const mosim_diagnostic* d) { static_cast<Got*>(context)->messages.emplace_back(mosim_diagnostic_cause(d)); };
  o.on_print = [](void* context, const char* text, size_t length) { static_cast<Got*>(context)->printed.append(text, length); };
  o.on_progress = [](void* context, double time) { static_cast<Got*>(context)->progress = time; };
  const Result r = simulated(m, o);
  BOOST_TEST(mosim_result_row_count(r.get()) == 0u);
  BOOST_TEST(!mosim_result_rows(r.get()));
  BOOST_TEST(column(r, "x").empty());
  BOOST_TEST(mosim_result_event_count(r.get()) == 0u);
  BOOST_TEST(got.width == 2u);
  BOOST_TEST(got.rows.size() == 2*mosim_result_rows_made(r.get()));
  BOOST_TEST(got.rows.back() == 1);
  BOOST_TEST((std::find(got.causes.begin(), got.causes.end(), "x > 0.5") != got.causes.end()));
  BOOST_TEST(got.printed.find("now") != std::string::npos);
  BOOST_REQUIRE(!got.messages.empty());
  BOOST_TEST(got.messages[0].find("large") != std::string::npos);
  BOOST_TEST(got.progress > 0);
  // One that wants no more gets no more.
  Got few;
  few.wanted = 4;
  o.context = &few;
  BOOST_TEST(mosim_result_ending(simulated(m, o).get()) == MOSIM_INTERRUPTED);
  BOOST_TEST(few.rows.size() == 8u);
}

BOOST_AUTO_TEST_CASE(a_run_that_fails_says_why) {
  const Model m = compiled("model M Real x(start = 1, fixed = true); equation der(x) = -1; assert(x > 0.5, \"too small\"); end M;");
  const Run r = started(m, options(1));
  BOOST_TEST(mosim_run_advance_to(r.get(), 1) == MOSIM_OK);
  BOOST_TEST(mosim_run_goes_on(r.get()) == 0);
  const Result result = finished(r);
  BOOST_TEST(mosim_result_ending(result.get()) == MOSIM_FAILED);
  BOOST_REQUIRE(mosim_result_diagnostic_count(result.get()) > 0u);
  const mosim_diagnostic* const d = mosim_result_diagnostic(result.get(), mosim_result_diagnostic_count(result.get()) - 1);
  BOOST_TEST(mosim_diagnostic_severity(d) == MOSIM_ERROR);
  BOOST_TEST(says(mosim_diagnostic_cause(d), "too small"));
  BOOST_TEST(std::abs(mosim_diagnostic_time(d) - 0.5) < 1e-6);
  BOOST_TEST(mosim_result_row_count(result.get()) > 0u);
}

BOOST_AUTO_TEST_CASE(the_end_comes_from_another_thread) {
  const Model m = compiled("model M Real x(start = 0, fixed = true); equation der(x) = sin(1e4*time); end M;");
  mosim_cancellation* c = nullptr;
  BOOST_REQUIRE(mosim_cancellation_new(&c) == MOSIM_OK);
  const Cancellation cancellation(c);
  std::atomic<bool> begun = false;
  mosim_options o = options(1e9);
  o.cancellation = c;
  o.context = &begun;
  o.on_progress = [](void* context, double) { *static_cast<std::atomic<bool>*>(context) = true; };
  std::thread other([&] {
    while (!begun) std::this_thread::yield();
    mosim_cancellation_set(c);
  });
  const Result r = simulated(m, o);
  other.join();
  BOOST_TEST(mosim_result_ending(r.get()) == MOSIM_INTERRUPTED);
  BOOST_TEST(mosim_result_time(r.get()) < 1e9);
  BOOST_TEST(mosim_result_row_count(r.get()) > 0u);
}

BOOST_AUTO_TEST_CASE(a_run_keeps_what_it_needs) {
  mosim_cancellation* c = nullptr;
  BOOST_REQUIRE(mosim_cancellation_new(&c) == MOSIM_OK);
  Model m = compiled(ball);
  mosim_options o = options(1);
  o.cancellation = c;
  const Run r = started(m, o);
  m.reset();
  mosim_cancellation_free(c);
  BOOST_TEST(mosim_run_advance_to(r.get(), 0.4) == MOSIM_OK);
  BOOST_TEST(std::abs(value(r, "h") - (1 - 0.5*9.81*0.16)) < 1e-5);
  // Freed in the middle.
}

BOOST_AUTO_TEST_CASE(two_runs_of_one_model_in_two_threads) {
  const Model m = compiled(ball);
  const Result alone = simulated(m, options(3));
  const auto expected = column(alone, "h");
  std::vector<double> found[2];
  std::vector<std::thread> threads;
  for (auto& h : found) {
    mosim_model* shared = nullptr;
    BOOST_REQUIRE(mosim_model_share(m.get(), &shared) == MOSIM_OK);
    threads.emplace_back([&h, shared] {
      mosim_options o;
      mosim_options_init(&o, sizeof o);
      o.stop = 3;
      for (int k = 0; k < 10; ++k) {
        mosim_result* r = nullptr;
        size_t column = 0;
        if (mosim_model_simulate(shared, &o, &r) != MOSIM_OK || mosim_result_find(r, "h", &column) != MOSIM_OK) continue;
        h.resize(mosim_result_row_count(r));
        mosim_result_column(r, column, h.data(), h.size());
        mosim_result_free(r);
      }
      mosim_model_free(shared);
    });
  }
  for (std::thread& t : threads) t.join();
  for (const auto& h : found) BOOST_TEST((h == expected));
}

BOOST_AUTO_TEST_SUITE_END()
