// E1 to E8, E10, E13: relations, crossings, event instants, when, pre, reinit, clocks, rows.

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "tests/semantics/support.hpp"

using namespace mosim::tests;

BOOST_AUTO_TEST_SUITE(events)

BOOST_AUTO_TEST_CASE(E1_a_relation_changes_at_events_alone) {
  const Run r = run("model M Real x(start=0, fixed=true); Real y; equation der(x) = 1; y = if x > 0.4 then 1 else 0; end M;");
  BOOST_TEST(r.events() == 1u);
  BOOST_TEST(r.program.relations.size() == 1u);
  BOOST_TEST(std::abs(r.event_times().at(0) - 0.4) < 1e-9);
  BOOST_TEST(r.final("y") == 1);
}

BOOST_AUTO_TEST_CASE(E1_noEvent_smooth_abs_sign_min_and_max_make_no_events) {
  const Run r = run("model M Real x = time - 0.5; Real a, b, c, d, e, f; equation a = noEvent(if x > 0 then 1 else 0); "
                    "b = smooth(0, if x > 0 then x else 0); c = abs(x); d = sign(x); e = min(x, 0); f = max(x, 0); end M;");
  BOOST_TEST(r.ended());
  BOOST_TEST(r.events() == 0u);
  BOOST_TEST(r.final("a") == 1);
  BOOST_TEST(r.final("b") == 0.5);
  BOOST_TEST(r.final("d") == 1);
}

BOOST_AUTO_TEST_CASE(E1_div_mod_rem_ceil_floor_and_integer_make_events) {
  for (const char* f : {"floor(x)", "ceil(x)", "integer(x)", "div(x, 1)", "mod(x, 1)", "rem(x, 1)"}) {
    const Run r = run(std::string("model M Real x(start=0.25, fixed=true), y; equation der(x) = 2; y = ") + f + "; end M;");
    BOOST_TEST_CONTEXT(f) {
      BOOST_TEST(r.events() == 2u);   // x passes 1 and 2
      BOOST_TEST(std::abs(r.event_times().at(0) - 0.375) < 1e-9);
    }
  }
}

BOOST_AUTO_TEST_CASE(E1_event_functions_have_their_values_of_negative_arguments_too) {
  const Run r = run("model M Real x = time - 3.5, f, c, d, m, e; Integer i; equation f = floor(x); c = ceil(x); i = integer(x); "
                    "d = div(x, 2); m = mod(x, 2); e = rem(x, 2); end M;", 1);
  const double x = 0.25 - 3.5;
  BOOST_TEST(r.at("f", 0.2501) == std::floor(x));
  BOOST_TEST(r.at("c", 0.2501) == std::ceil(x));
  BOOST_TEST(r.at("i", 0.2501) == std::floor(x));
  BOOST_TEST(r.at("d", 0.2501) == std::trunc(x / 2));
  BOOST_TEST(std::abs(r.at("m", 0.25) - (x - std::floor(x / 2) * 2)) < 1e-12);
  BOOST_TEST(std::abs(r.at("e", 0.25) - (x - std::trunc(x / 2) * 2)) < 1e-12);
}

BOOST_AUTO_TEST_CASE(E4_no_crossing_is_missed_however_coarse_the_output) {
  // Half a period of 0.1 s, and steps that could be longer; with and without an event that integration has to stop for.
  for (const std::uint32_t intervals : {1u, 20u, 500u}) {
    const Run r = run("model M Real x(start=0, fixed=true), z(start=0, fixed=true); Integer n(start=0, fixed=true), up(start=0, fixed=true); "
                      "equation der(x) = if sin(31.4159265358979*time) > 0 then 2 else 0; der(z) = 1; "
                      "when sin(31.4159265358979*time + 1) > 0.5 then n = pre(n) + 1; end when; "
                      "when sin(31.4159265358979*z + 1) < -0.5 then up = pre(up) + 1; end when; end M;",
                      7.05, 1e-6, intervals);
    BOOST_TEST_CONTEXT(intervals) {
      BOOST_TEST(std::abs(r.final("x") - 7.1) < 1e-6);
      BOOST_TEST(r.final("n") == 35);
      BOOST_TEST(r.final("up") == 35);
    }
  }
}

BOOST_AUTO_TEST_CASE(E2_crossing_functions_are_ordered_and_equal_ones_are_one) {
  const Run r = run("model M Real x(start=0, fixed=true); Real a, b; equation der(x) = 1; a = if x > 2 then 1 else 0; "
                    "b = (if x > 3 then 1 else 0) + (if x > 2 then 1 else 0); end M;");
  BOOST_TEST(r.program.relations.size() == 2u);
  BOOST_TEST(r.program.origins[r.program.relations[0].origin].text == "x > 2");
  BOOST_TEST(r.program.origins[r.program.relations[1].origin].text == "x > 3");
}

BOOST_AUTO_TEST_CASE(E2_in_a_for_loop_of_an_algorithm_there_is_one_for_each_iteration) {
  const Run r = run("model M Real x(start=0, fixed=true); Integer n; equation der(x) = 1; "
                    "algorithm n := 0; for i in 1:3 loop if x > 0.25*i then n := n + 1; end if; end for; end M;");
  BOOST_TEST(r.program.relations.size() == 3u);
  BOOST_TEST(r.events() == 3u);
  BOOST_TEST(r.at("n", 0.6) == 2);
}

BOOST_AUTO_TEST_CASE(E2_a_relation_in_an_algorithm_crosses_on_the_value_at_that_point) {
  const Run r = run("model M Real x(start=0, fixed=true); Real v; Boolean b; equation der(x) = 1; "
                    "algorithm v := x; v := v + 0.5; b := v > 0.75; v := 10*x; end M;");
  BOOST_TEST(r.events() == 1u);
  BOOST_TEST(std::abs(r.event_times().at(0) - 0.25) < 1e-9);
}

BOOST_AUTO_TEST_CASE(E3_time_events_are_exact) {
  const Run r = run("model M Boolean a = time > 1, b = 0.7 <= time; Real t(start=-1), u(start=-1); "
                    "equation when a then t = time; end when; when b then u = time; end when; end M;", 2);
  BOOST_TEST(r.result.statistics.state_events == 0u);
  BOOST_TEST(r.final("t") == 1.0);
  BOOST_TEST(r.final("u") == 0.7);
}

BOOST_AUTO_TEST_CASE(E3_samples_tick_at_multiples_not_at_sums) {
  const Run r = run("model M Integer k(start=0, fixed=true); Real t(start=-1); equation when sample(0, 0.1) then "
                    "k = pre(k) + 1; t = time; end when; end M;", 10);
  BOOST_TEST(r.final("k") == 101);
  const auto times = r.event_times();
  BOOST_TEST(times.size() == 101u);
  for (std::size_t k = 0; k < times.size(); ++k) BOOST_TEST(times[k] == double(k) * 0.1);
}

BOOST_AUTO_TEST_CASE(E3_an_instant_may_depend_on_what_changes_at_events) {
  const Run r = run("model M discrete Real next(start=0.25, fixed=true); Integer n(start=0, fixed=true); equation "
                    "when time >= pre(next) then next = pre(next) + 0.25; n = pre(n) + 1; end when; end M;", 1.1);
  BOOST_TEST(r.result.statistics.state_events == 0u);
  BOOST_TEST(r.final("n") == 4);
}

BOOST_AUTO_TEST_CASE(E4_a_relation_flips_as_written_when_it_arrives_at_the_border) {
  const Run r = run("model M Real y(start=1, fixed=true); Boolean p = y > 0, q = y >= 0; equation der(y) = if y > 0 then -1 else 0; end M;", 2);
  BOOST_TEST(r.final("p") == 0);
  BOOST_TEST(std::abs(r.final("y")) < 1e-9);
}

BOOST_AUTO_TEST_CASE(E4_one_that_has_just_flipped_waits_for_epsilon) {
  const char* ball = "model M Real h(start=1, fixed=true), v(start=0, fixed=true); equation der(h) = v; der(v) = -9.81; "
                     "when h < 0 then reinit(v, -0.8*pre(v)); end when; end M;";
  const Run r = run(ball, 5);
  // It has fallen through: free fall from the accumulation point, 9*sqrt(2/9.81).
  const double t = 5 - 9 * std::sqrt(2 / 9.81);
  BOOST_TEST(std::abs(r.final("h") + 9.81 / 2 * t * t) < 0.05);
  BOOST_TEST(r.result.zeno.size() == 1u);
}

BOOST_AUTO_TEST_CASE(E5_all_that_happens_at_one_instant_is_one_event) {
  const Run r = run("model M Integer a(start=0, fixed=true), b(start=0, fixed=true), c(start=0, fixed=true); equation "
                    "when time > 0.5 then a = 1; end when; when a > 0 then b = 1; end when; when b > 0 then c = 1; end when; end M;");
  BOOST_TEST(r.events() == 1u);
  BOOST_TEST(r.event_times() == std::vector<double>{0.5}, boost::test_tools::per_element());
  BOOST_TEST(r.final("c") == 1);
}

BOOST_AUTO_TEST_CASE(E5_no_fixed_point_is_an_error_that_names_what_changes) {
  const Run r = run("model M Integer n(start=0, fixed=true); equation n = if time > 0.5 then pre(n) + 1 else 0; end M;");
  BOOST_TEST(!r.ended());
  BOOST_TEST(r.message().find("n") != std::string::npos);
  BOOST_TEST(r.result.time == 0.5);
}

BOOST_AUTO_TEST_CASE(E6_any_not_or) {
  const Run r = run("model M Integer v(start=0, fixed=true), o(start=0, fixed=true), e(start=0, fixed=true); equation "
                    "when {time > 1, time > 2} then v = pre(v) + 1; end when; "
                    "when time > 1 or time > 2 then o = pre(o) + 1; end when; "
                    "when {time > 1, time > 1} then e = pre(e) + 1; end when; end M;", 3);
  BOOST_TEST(r.final("v") == 2);
  BOOST_TEST(r.final("o") == 1);
  BOOST_TEST(r.final("e") == 1);
  BOOST_TEST(r.event_times() == (std::vector<double>{1.0, 2.0}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(E6_a_condition_true_at_the_start_does_not_fire) {
  const Run r = run("model M Integer a(start=0, fixed=true), b(start=0, fixed=true); equation "
                    "when time > -1 then a = 1; end when; when {initial(), time > -1} then b = 1; end when; end M;");
  BOOST_TEST(r.final("a") == 0);
  BOOST_TEST(r.final("b") == 1);
}

BOOST_AUTO_TEST_CASE(E6_elsewhen_yields_to_the_first) {
  const Run r = run("model M Integer a(start=0, fixed=true); equation when time > 0.5 then a = 1; elsewhen time >= 0.5 then a = 2; "
                    "elsewhen time > 0.75 then a = 3; end when; end M;");
  BOOST_TEST(r.at("a", 0.6) == 1);
  BOOST_TEST(r.final("a") == 3);
}

BOOST_AUTO_TEST_CASE(E6_equations_of_a_when_are_sorted_statements_are_not) {
  const Run equations = run("model M Integer a(start=0, fixed=true), b(start=0, fixed=true); equation "
                            "when time > 0.5 then a = b + 1; b = 5; end when; end M;");
  BOOST_TEST(equations.final("a") == 6);
  const Run statements = run("model M Integer a(start=0, fixed=true), b(start=0, fixed=true); algorithm "
                             "when time > 0.5 then a := b + 1; b := 5; end when; end M;");
  BOOST_TEST(statements.final("a") == 1);
}

BOOST_AUTO_TEST_CASE(E6_in_an_algorithm_the_later_when_wins) {
  const Run r = run("model M Integer a(start=0, fixed=true); algorithm when time > 0.5 then a := 1; end when; "
                    "when time >= 0.5 then a := 2; end when; end M;");
  BOOST_TEST(r.final("a") == 2);
}

BOOST_AUTO_TEST_CASE(E6_a_vector_of_conditions_may_be_empty_and_never_fires) {
  const Run r = run("model M Integer a(start=0, fixed=true); Boolean c[0]; equation when c then a = 1; end when; end M;");
  BOOST_TEST(r.ended());
  BOOST_TEST(r.final("a") == 0);
}

BOOST_AUTO_TEST_CASE(E7_pre_edge_and_change) {
  const Run r = run("model M Real x(start=0, fixed=true); discrete Real left(start=-1, fixed=true); Boolean b = x > 0.5; "
                    "Integer e(start=0, fixed=true), c(start=0, fixed=true); Boolean s(start=false, fixed=true); equation der(x) = 1; "
                    "when b then left = pre(x); end when; when sample(0.25, 0.25) then s = not pre(s); end when; "
                    "when edge(s) then e = pre(e) + 1; end when; when change(s) then c = pre(c) + 1; end when; end M;", 1.1);
  BOOST_TEST(std::abs(r.final("left") - 0.5) < 1e-9);
  BOOST_TEST(r.final("c") == 4);
  BOOST_TEST(r.final("e") == 2);
}

BOOST_AUTO_TEST_CASE(E7_terminal_and_terminate) {
  const Run r = run("model M Boolean t(start=false, fixed=true); equation when terminal() then t = true; end when; end M;");
  BOOST_TEST(r.initial("t") == 0);
  BOOST_TEST(r.final("t") == 1);
  const Run stopped = run("model M Real x(start=0, fixed=true); equation der(x) = 1; when x > 0.25 then terminate(\"enough\"); end when; end M;");
  BOOST_TEST((stopped.result.ending == mosim::runtime::Ending::terminated));
  const Run ticked = run("model M Real x; equation when Clock(0.1) then x = sample(time); if x > 0.25 then terminate(\"enough\"); end if; end when; end M;");
  BOOST_TEST((ticked.result.ending == mosim::runtime::Ending::terminated));
  BOOST_TEST(std::abs(ticked.final("x") - 0.3) < 1e-9);
  const Run unseen = run("model M Real x = time; equation if noEvent(x > 0.5) then terminate(\"enough\"); end if; end M;");
  BOOST_TEST(unseen.diagnostics.find("this condition of terminate makes no event") != std::string::npos);
  BOOST_TEST(std::abs(stopped.result.time - 0.25) < 1e-9);
  BOOST_TEST(stopped.message().find("enough") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(E8_reinit_takes_the_left_limits_and_all_is_consistent_before_the_next_round) {
  const Run r = run("model M Real x(start=1, fixed=true), y = 2*x; discrete Real left(start=0, fixed=true), right(start=0, fixed=true); "
                    "equation der(x) = -1; when x < 0.5 then reinit(x, pre(x) + 2); left = y; end when; "
                    "when y > 4 then right = y; end when; end M;", 0.9);
  BOOST_TEST(std::abs(r.final("left") - 1) < 1e-9);
  BOOST_TEST(std::abs(r.final("right") - 5) < 1e-9);
  BOOST_TEST(r.events() == 1u);
}

BOOST_AUTO_TEST_CASE(E8_two_states_exchange_their_values) {
  const Run r = run("model M Real x(start=1, fixed=true), y(start=2, fixed=true); equation der(x) = 0; der(y) = 0; "
                    "when time > 0.5 then reinit(x, y); reinit(y, x); end when; end M;");
  BOOST_TEST(r.final("x") == 2);
  BOOST_TEST(r.final("y") == 1);
}

BOOST_AUTO_TEST_CASE(E8_only_states_and_only_in_one_place) {
  BOOST_TEST(complaints("model M Real x = time; equation when time > 0.5 then reinit(x, 1); end when; end M;").find("error:") != std::string::npos);
  BOOST_TEST(complaints("model M Real x(start=0, fixed=true); equation der(x) = 1; when time > 0.5 then reinit(x, 1); end when; "
                        "when time > 0.7 then reinit(x, 2); end when; end M;").find("error:") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(E10_an_event_clock_ticks_at_the_start_if_its_condition_holds_there) {
  // It ticks when edge(pre(condition)) becomes true (MLS 16.3), and pre(condition) is false at first.
  for (const bool holds : {true, false}) {
    const Run r = run(std::string("model M Real x(start = ") + (holds ? "1" : "0.2") + ", fixed = true); Integer n(start = 0), m; Real y; equation "
                      "der(x) = if time < 0.4 then -2 elseif time < 0.8 then 2 else 0; when Clock(x > 0.5) then n = previous(n) + 1; y = sample(x); end when; m = hold(n); end M;");
    BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics);
    BOOST_TEST(r.at("m", 0.1) == (holds ? 1 : 0));
    BOOST_TEST(r.final("m") == (holds ? 2 : 0));
  }
}

BOOST_AUTO_TEST_CASE(E8_what_a_loop_of_delays_holds_comes_back_to_the_last_digit) {
  // A ring of an inverter and a delay: it turns over every 0.01 s, and nothing else happens.
  const Run r = run("model M Integer i; Real x, y; equation x = i; y = delay(x, 0.01); i = if time < 0.5 then 3 else 7 - integer(y); end M;", 1);
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics);
  BOOST_TEST(r.events() == 51u);
  for (int k = 0; k < 50; ++k) BOOST_TEST(r.at("i", 0.505 + 0.01 * k) == (k % 2 == 0 ? 4 : 3));
  // What an event at the start changes comes out later, too.
  const Run s = run("model M Integer i(start = 3, fixed = true), k; Real y; equation when sample(0, 2) then i = 4; end when; y = delay(i, 0.5); k = integer(y); end M;", 1);
  BOOST_TEST(s.at("y", 0.49) == 3);
  BOOST_TEST(s.at("y", 0.51) == 4);
  BOOST_TEST(s.final("k") == 4);
}

BOOST_AUTO_TEST_CASE(E13_the_last_row_is_of_the_stop_time_whatever_came_shortly_before) {
  for (int k = 0; k < 60; ++k) {
    const double stop = 1.0001 + 0.0007 * k;
    const Run r = run("model M Real v(start = 1, fixed = true), w = 2*v; Integer n(start = 0, fixed = true); equation der(v) = -1; "
                      "when v < 0 then n = pre(n) + 1; end when; end M;", stop);
    BOOST_TEST(std::abs(r.final("v") - (1 - stop)) < 1e-9);
    BOOST_TEST(r.final("w") == 2 * r.final("v"));
  }
}

BOOST_AUTO_TEST_CASE(E4_an_instant_that_an_event_sets_inside_the_step_already_done) {
  const Run r = run("model M Real x(start = 0, fixed = true), z(start = 1, fixed = true); discrete Real next(start = 1e9, fixed = true), at(start = 0, fixed = true); "
                    "Integer n(start = 0, fixed = true); equation der(x) = 1; der(z) = -0.1*z; when x > 0.5 then next = time + 1e-4; end when; "
                    "when time >= pre(next) then at = time; end when; when z < exp(-0.05005) then n = pre(n) + 1; end when; end M;", 1, 1e-6, 20);
  BOOST_TEST(r.final("at") == 0.5001, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(r.final("n") == 1);
  BOOST_TEST(r.final("z") == std::exp(-0.1), boost::test_tools::tolerance(1e-6));
}

BOOST_AUTO_TEST_CASE(E6_rounds_at_the_start_leave_samples_and_clocks_once) {
  const Run s = run("model M Real x(start = 0, fixed = true); Boolean b, c; Integer n(start = 0, fixed = true), k(start = 0), l; "
                    "initial equation pre(c) = false; equation der(x) = 1; c = x >= 0; b = pre(c); "
                    "when sample(0.25, 0.5) then n = pre(n) + 1; end when; when Clock(3, 10) then k = previous(k) + 1; end when; l = hold(k); end M;");
  BOOST_REQUIRE_MESSAGE(s.ended(), s.diagnostics);
  BOOST_TEST(s.final("b") == 1);
  BOOST_TEST(s.final("n") == 2);
  BOOST_TEST(s.final("l") == 4);
}

BOOST_AUTO_TEST_CASE(E10_clocks) {
  const Run r = run("model M Real u, s, q, p; Integer n(start=0); equation u = sample(time, Clock(1, 10)); s = subSample(u, 3); "
                    "q = superSample(s, 3); p = hold(u); when Clock(0.25) then n = previous(n) + 1; end when; end M;");
  BOOST_TEST(r.at("u", 0.55) == 0.5);
  BOOST_TEST(r.at("s", 0.55) == 0.3);   // a rational clock: 3/10, rounded once
  BOOST_TEST(r.at("p", 0.95) == 0.9);
  BOOST_TEST(r.final("n") == 5);
}

BOOST_AUTO_TEST_CASE(E10_shifts_intervals_and_first_ticks) {
  const Run r = run("model M Real u, s; Real h; Integer f(start=0); equation u = sample(time, Clock(1, 4)); "
                    "s = shiftSample(u, 1); h = interval(u); f = if firstTick(u) then 7 else previous(f) + 1; end M;");
  BOOST_TEST(r.at("s", 0.3) == 0.25);
  BOOST_TEST(r.at("s", 0.6) == 0.5);
  BOOST_TEST(r.final("h") == 0.25);
  BOOST_TEST(r.final("f") == 11);
}

BOOST_AUTO_TEST_CASE(E10_unrelated_clocks_do_not_mix) {
  const std::string c = complaints("model M Real x, y, z; equation x = sample(time, Clock(0.1)); y = sample(time, Clock(0.25)); z = x + y; end M;");
  BOOST_TEST(c.find("error:") != std::string::npos);
  BOOST_TEST(c.find("Clock(0.1)") != std::string::npos);
  BOOST_TEST(c.find("Clock(0.25)") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(E13_an_event_is_two_rows_left_limits_and_new_values) {
  const Run r = run("model M Real x(start=1, fixed=true); Boolean b(start=false, fixed=true); equation der(x) = -1; "
                    "when x < 0.5 then b = true; reinit(x, 3); end when; end M;");
  const auto& t = r.result.trajectory;
  bool found = false;
  for (std::size_t k = 1; k < t.rows(); ++k) {
    const double* left = &t.values[(k - 1) * t.width()];
    const double* right = &t.values[k * t.width()];
    if (left[0] != right[0]) continue;
    found = true;
    BOOST_TEST(t.width() == 4u);
    BOOST_TEST(std::abs(left[1] - 0.5) + std::abs(left[2] - 0.5) < 1);   // x before, and b still false
    double before = 0, after = 0;
    for (std::size_t c = 1; c < 4; ++c) {
      if (r.program.variables[t.columns[c - 1]].name == "b") {
        before = left[c];
        after = right[c];
      }
      if (r.program.variables[t.columns[c - 1]].name == "x") {
        BOOST_TEST(std::abs(left[c] - 0.5) < 1e-9);
        BOOST_TEST(right[c] == 3);
      }
    }
    BOOST_TEST(before == 0);
    BOOST_TEST(after == 1);
  }
  BOOST_TEST(found);
}

BOOST_AUTO_TEST_CASE(E5_what_never_settles_is_an_error_at_the_start_too) {
  const Run r = run("model M Boolean b(start=false, fixed=true); equation b = not pre(b); end M;");
  BOOST_TEST(!r.ended());
  BOOST_TEST(r.result.time == 0);
  BOOST_TEST(r.message().find("b (between") != std::string::npos, r.message());
}

BOOST_AUTO_TEST_CASE(E5_initialisation_ends_with_rounds_in_which_initial_is_false) {
  const Run r = run("model M Integer n(start=0, fixed=true), k; equation n = if pre(n) < 5 then pre(n) + 1 else pre(n); "
                    "k = if initial() then 1 else 2; end M;");
  BOOST_TEST(r.ended(), r.message());
  BOOST_TEST(r.initial("n") == 5);
  BOOST_TEST(r.initial("k") == 2);
}

BOOST_AUTO_TEST_CASE(E4_coming_back_through_the_hysteresis_is_no_event_where_nothing_changes) {
  const char* ball = "model M Real h(start=1, fixed=true), v(start=0, fixed=true); equation der(h) = v; der(v) = -9.81; "
                     "when h < 0 then reinit(v, -0.8*pre(v)); end when; end M;";
  const Run r = run(ball, 1);
  BOOST_TEST(r.events() == 1u);
  BOOST_TEST(r.result.statistics.rearmings == 1u);
  BOOST_TEST(r.event_times().size() == 1u);
  // Here something does: a variable shows the relation.
  const Run shown = run(std::string(ball).insert(std::string(ball).find("equation"), "Boolean below = h < 0; "), 1);
  BOOST_TEST(shown.events() == 2u);
  BOOST_TEST(shown.final("below") == 0);
}

BOOST_AUTO_TEST_CASE(E5_events_that_touch_no_derivative_do_not_disturb_the_integration) {
  const auto fall = [](const std::string& rest) {
    return run("model M Real h(start=1, fixed=true), v(start=0, fixed=true); Integer n(start=0, fixed=true); "
               "equation der(h) = v; der(v) = -9.81" + rest + "; when sample(0.001, 0.001) then n = pre(n) + 1; end when; end M;", 5, 1e-8);
  };
  const Run r = fall("");
  BOOST_TEST(r.final("n") == 5000);
  BOOST_TEST(std::abs(r.final("h") - (1 - 9.81/2*25)) < 1e-8);
  BOOST_TEST(r.result.statistics.steps < 6000u);
  // From the 2500th tick on, n pulls as well.
  const Run pushed = fall(" - (if n >= 2500 then 1 else 0)");
  BOOST_TEST(std::abs(pushed.final("v") - (-9.81*5 - 2.5)) < 1e-7);
}

BOOST_AUTO_TEST_CASE(samples_that_meet_tick_together) {
  // 9*0.1 = 0.9, but 3*0.3 = 0.8999999999999999 in doubles: one instant all the same, at which k sees the new n.
  const Run r = run(
      "model M Integer n(start = 0, fixed = true), m(start = 0, fixed = true), k(start = 0, fixed = true), j(start = 0, fixed = true); equation "
      "when sample(0, 0.1) then n = pre(n) + 1; end when; when sample(0, 0.3) then m = pre(m) + 1; k = n; end when; "
      "when {sample(0, 0.1), sample(0, 0.3)} then j = pre(j) + 1; end when; end M;");
  BOOST_REQUIRE(r.ended());
  BOOST_TEST(r.final("n") == 11);
  BOOST_TEST(r.final("m") == 4);
  BOOST_TEST(r.final("k") == 10);
  BOOST_TEST(r.final("j") == 11);
  BOOST_TEST(r.events() == 11u);
  // The last tick is not lost to rounding: 3*0.1 is more than 0.3.
  const Run until = run("model M Integer n(start = 0, fixed = true); equation when sample(0, 0.1) then n = pre(n) + 1; end when; end M;", 0.3);
  BOOST_TEST(until.final("n") == 4);
  BOOST_TEST(until.result.time == 0.3);
}

BOOST_AUTO_TEST_CASE(while_loops_end_when_the_run_says_so) {
  // Heron's root, to its last digits at every point; and a loop that an event makes longer.
  const Run root = run("model M Real x = 1 + time; Real r; algorithm r := x; while abs(r*r - x) > 1e-12 loop r := 0.5*(r + x/r); end while; end M;");
  BOOST_REQUIRE(root.ended());
  for (const double t : {0.0, 0.5, 1.0}) BOOST_TEST(root.at("r", t) == std::sqrt(1 + t), boost::test_tools::tolerance(1e-10));
  const Run steps = run(
      "model M Integer n(start = 3, fixed = true), k; Real x; equation when time > 0.5 then n = 6; end when; "
      "algorithm x := 0; k := 0; while k < n loop k := k + 1; if k == 5 then break; end if; x := x + k; end while; end M;");
  BOOST_REQUIRE(steps.ended());
  BOOST_TEST(steps.at("x", 0.2) == 6);
  BOOST_TEST(steps.final("x") == 10);
  BOOST_TEST(steps.final("k") == 5);
  // In a when-statement, with the relation at the event (MLS 8.3.5), and one loop in another.
  const Run when = run("model M Integer n(start = 0, fixed = true); algorithm when sample(0, 0.1) then n := 0; while n < 10*time loop n := n + 1; end while; end when; end M;");
  BOOST_TEST(when.final("n") == 10);
  const Run nested = run(
      "model M Integer k = integer(1 + 2*time), i, j, s; algorithm s := 0; i := 0; while i < k loop i := i + 1; j := 0; "
      "while j < i loop j := j + 1; s := s + 1; end while; end while; end M;");
  BOOST_TEST(nested.at("s", 0.7) == 3);
  BOOST_TEST(nested.final("s") == 6);
}

BOOST_AUTO_TEST_CASE(conditions_that_are_not_reached_are_not_evaluated) {
  const Run r = run("model M Real u = -1; parameter Boolean use = false; Real y; algorithm y := 0; if use then if sqrt(u) > 0.5 then y := 1; end if; end if; end M;");
  BOOST_REQUIRE(r.ended());
  BOOST_TEST(r.final("y") == 0);
}

BOOST_AUTO_TEST_CASE(a_number_that_varies_gives_an_enumeration_literal) {
  const std::string text = "type E = enumeration(low, mid, high); model M Integer i = integer(1 + 3*time); E e = E(i); String s = String(e) + String(E(i)); Real y = if e == E.mid then 2 else if s == \"highhigh\" then 3 else 1; end M;";
  const Run r = run(text, 0.9);
  BOOST_REQUIRE(r.ended());
  BOOST_TEST(r.at("y", 0.2) == 1);
  BOOST_TEST(r.at("y", 0.5) == 2);
  BOOST_TEST(r.at("y", 0.8) == 3);
  BOOST_TEST(run(text, 2).message().find("the index 4 lies outside 1:3 with i = 4") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(when_equations_take_all_results_of_a_function) {
  const Run r = run(
      "function f input Real u; output Real a = u; output Real b = 2*u; output Integer n = 7; algorithm end f; "
      "model M discrete Real p(start = 0, fixed = true), q(start = 0, fixed = true); Integer n(start = 0, fixed = true); "
      "equation when time > 0.5 then (p, q) = f(3 + time); end when; when time > 0.7 then (, , n) = f(1); end when; end M;");
  BOOST_REQUIRE(r.ended());
  BOOST_TEST(r.at("p", 0.4) == 0);
  BOOST_TEST(r.final("p") == 3.5);
  BOOST_TEST(r.final("q") == 7);
  BOOST_TEST(r.final("n") == 7);
}

BOOST_AUTO_TEST_CASE(delays_stand_in_messages_and_not_in_clocked_partitions) {
  const Run r = run("model M Real x = time; equation assert(x < 0.5, \"was \" + String(delay(x, 0.25), significantDigits = 2)); end M;");
  BOOST_TEST(r.message().find("was 0.25") != std::string::npos, r.message());
  BOOST_TEST(complaints("model M Real x = time, y; equation when Clock(0.1) then y = delay(sample(x), 0.25); end when; end M;").find("delay in a clocked partition is not supported yet") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
