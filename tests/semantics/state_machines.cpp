// State machines (MLS 17): the specification's examples with their documented outcomes, and machines whose runs follow from counting.

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <string>
#include <vector>

#include "tests/semantics/support.hpp"

using namespace mosim::tests;

namespace {

/// Values of a variable at the ticks k*period, k = 0, 1, ...
std::vector<double> at_ticks(const Run& r, const std::string& variable, std::size_t n, double period = 1) {
  std::vector<double> values;
  for (std::size_t k = 0; k < n; ++k) values.push_back(r.at(variable, (double(k) + 0.5) * period));
  return values;
}

void check(const Run& r, const std::string& variable, const std::vector<double>& expected, double period = 1) {
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  const std::vector<double> found = at_ticks(r, variable, expected.size(), period);
  BOOST_TEST_CONTEXT(variable) BOOST_TEST(found == expected, boost::test_tools::per_element());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(state_machines)

// The example of MLS 17.3.7: v as its figure "State machine behavior" shows it at ticks 0 to 30; the others by carrying the machine out by hand.
BOOST_AUTO_TEST_CASE(the_hierarchical_and_parallel_machine_of_the_specification) {
  const Run r = run(R"(
block HierarchicalAndParallelStateMachine
  inner Integer v(start = 0);
  State1 state1;
  State2 state2;
equation
  initialState(state1);
  transition(state1, state2, activeState(state1.stateD) and activeState(state1.stateY), immediate = false);
  transition(state2, state1, v >= 20, immediate = false);
public
  block State1
    inner Integer count(start = 0);
    inner outer output Integer v;
    block StateA
      outer output Integer v;
    equation
      v = previous(v) + 2;
    end StateA;
    StateA stateA;
    block StateB
      outer output Integer v;
    equation
      v = previous(v) - 1;
    end StateB;
    StateB stateB;
    block StateC
      outer output Integer count;
    equation
      count = previous(count) + 1;
    end StateC;
    StateC stateC;
    block StateD
    end StateD;
    StateD stateD;
  equation
    initialState(stateA);
    transition(stateA, stateB, v >= 6, immediate = false);
    transition(stateB, stateC, v == 0, immediate = false);
    transition(stateC, stateA, true, immediate = false, priority = 2);
    transition(stateC, stateD, count >= 2, immediate = false);
  public
    block StateX
      outer input Integer v;
      Integer i(start = 0);
      Integer w;
    equation
      i = previous(i) + 1;
      w = v;
    end StateX;
    StateX stateX;
    block StateY
      Integer j(start = 0);
    equation
      j = previous(j) + 1;
    end StateY;
    StateY stateY;
  equation
    initialState(stateX);
    transition(stateX, stateY, stateX.i > 20, immediate = false, reset = false);
  end State1;
  block State2
    outer output Integer v;
  equation
    v = previous(v) + 5;
  end State2;
end HierarchicalAndParallelStateMachine;)", 30.9);
  const std::vector<double> v{2, 4, 6, 5, 4, 3, 2, 1, 0, 0, 2, 4, 6, 5, 4, 3, 2, 1, 0, 0, 0, 0, 5, 10, 15, 20, 22, 21, 20, 19, 18};
  check(r, "v", v);
  check(r, "state1.v", v);
  check(r, "state1.count", {0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 0, 0, 0, 0, 0});
  check(r, "state1.stateX.i", {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 21, 21, 21, 21, 21, 1, 2, 3, 4, 5});
  check(r, "state1.stateX.w", {2, 4, 6, 5, 4, 3, 2, 1, 0, 0, 2, 4, 6, 5, 4, 3, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 22, 21, 20, 19, 18});
  check(r, "state1.stateY.j", {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1});
  check(r, "activeState(state2)", {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0, 0});
}

// The example of MLS 17.1, ticksInState: "A1 will be active at 10ms, 11ms, 12ms, 13ms, 14ms, and will be not active at 15ms".
BOOST_AUTO_TEST_CASE(ticks_in_state_as_the_specification_tells) {
  const std::string model = "model M block State end State; State A0, A1, A2; equation initialState(A0); "
                            "transition(A0, A1, sample(time, Clock(1, 1000)) > 0.0095); transition(A1, A2, ticksInState() >= 5, immediate = ";
  const Run delayed = run(model + "false); end M;", 0.02);
  check(delayed, "activeState(A0)", {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0}, 1e-3);
  check(delayed, "activeState(A1)", {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 0, 0, 0}, 1e-3);
  check(delayed, "activeState(A2)", {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1}, 1e-3);
  // A delayed transition is an immediate one whose condition is a tick late: the immediate one fires a tick earlier.
  const Run immediate = run(model + "true); end M;", 0.02);
  check(immediate, "activeState(A1)", {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0}, 1e-3);
}

namespace {

/// Two states that count, n ticks in a and m in b, with the settings of both transitions.
std::string counters(const std::string& to_b, const std::string& to_a) {
  return "model M block S Integer n(start = 10); equation n = previous(n) + 1; end S; S a, b; equation initialState(a); "
         "transition(a, b, " + to_b + "); transition(b, a, " + to_a + "); end M;";
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_state_is_reset_only_where_the_transition_says_so) {
  // Delayed: a at ticks 0, 1, 2 (n = 11, 12, 13), b at 3, 4, and again.
  const Run with = run(counters("a.n >= 13, immediate = false", "b.n >= 12, immediate = false"), 9.9);
  check(with, "a.n", {11, 12, 13, 13, 13, 11, 12, 13, 13, 13});
  check(with, "b.n", {10, 10, 10, 11, 12, 12, 12, 12, 11, 12});
  // Without reset a goes on with 14, and leaves at once.
  const Run without = run(counters("a.n >= 13, immediate = false", "b.n >= 12, immediate = false, reset = false"), 9.9);
  check(without, "a.n", {11, 12, 13, 13, 13, 14, 14, 14, 15, 15});
  check(without, "b.n", {10, 10, 10, 11, 12, 12, 11, 12, 12, 11});
}

BOOST_AUTO_TEST_CASE(an_immediate_transition_fires_before_the_state_is_evaluated) {
  // At tick 3 previous(a.n) is 13: a is left before it counts on.
  const Run r = run(counters("previous(a.n) >= 13", "previous(b.n) >= 12"), 9.9);
  check(r, "a.n", {11, 12, 13, 13, 13, 11, 12, 13, 13, 13});
  check(r, "activeState(b)", {0, 0, 0, 1, 1, 0, 0, 0, 1, 1});
  // "States are active for at least one tick, even if an immediate exit transition is active when entering the state."
  const Run at_once = run(counters("true", "true"), 5.9);
  check(at_once, "activeState(a)", {1, 0, 1, 0, 1, 0});
  check(at_once, "b.n", {10, 11, 11, 11, 11, 11});
}

BOOST_AUTO_TEST_CASE(the_smallest_priority_fires) {
  const auto model = [](const std::string& b, const std::string& c) {
    return "model M block S end S; S a, b, c; Integer n(start = 0); equation n = previous(n) + 1; initialState(a); transition(a, b, n >= 3" + b + "); transition(a, c, n >= 3" + c + "); end M;";
  };
  const Run b = run(model(", priority = 1", ", priority = 2"), 5.9), c = run(model(", priority = 7", ", priority = 3"), 5.9);
  check(b, "activeState(b)", {0, 0, 1, 1, 1, 1});
  check(b, "activeState(c)", {0, 0, 0, 0, 0, 0});
  check(c, "activeState(c)", {0, 0, 1, 1, 1, 1});
  // One that is delayed is a tick late, whatever its priority; at the same tick its priority counts.
  const Run late = run(model(", priority = 1, immediate = false", ", priority = 2"), 5.9);
  check(late, "activeState(c)", {0, 0, 1, 1, 1, 1});
  const Run same = run("model M block S end S; S a, b, c; Integer n(start = 0); equation n = previous(n) + 1; initialState(a); "
                       "transition(a, b, n >= 3, priority = 1, immediate = false); transition(a, c, n >= 4, priority = 2); end M;", 5.9);
  check(same, "activeState(b)", {0, 0, 0, 1, 1, 1});
}

BOOST_AUTO_TEST_CASE(a_model_may_be_a_state_with_a_warning) {
  const Run r = run("model M model S outer output Integer n; equation n = previous(n) + 1; end S; inner Integer n(start = 0); S a; block E end E; E b;"
                    " equation initialState(a); transition(a, b, n >= 2, immediate = false); end M;", 4.9);
  check(r, "activeState(b)", {0, 0, 1, 1});
  BOOST_TEST(r.diagnostics.find("warning: a is a model, and a state is a block instance (MLS 17.1); it is taken for one") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(positional_arguments_arrays_of_states_and_loops) {
  // A ring of three, left after two ticks each.
  const Run r = run("model M block S end S; S s[3]; parameter Boolean late = false; equation initialState(s[1]); "
                    "for k in 1:3 loop transition(s[k], s[mod(k, 3) + 1], ticksInState() >= 2, late, true, false, k); end for; end M;", 8.9);
  check(r, "activeState(s[1])", {1, 1, 0, 0, 0, 0, 1, 1, 0});
  check(r, "activeState(s[3])", {0, 0, 0, 0, 1, 1, 0, 0, 0});
}

BOOST_AUTO_TEST_CASE(transitions_go_with_components_that_are_removed) {
  const auto model = [](const std::string& with) {
    return "model M block S end S; S a, b; S c if " + with + "; equation initialState(a); transition(a, c, ticksInState() >= 2, immediate = false); "
           "transition(a, b, ticksInState() >= 4, immediate = false, priority = 2); end M;";
  };
  check(run(model("false"), 5.9), "activeState(b)", {0, 0, 0, 0, 1, 1});
  check(run(model("true"), 5.9), "activeState(c)", {0, 0, 1, 1, 1, 1});
}

BOOST_AUTO_TEST_CASE(a_synchronize_transition_waits_for_all_machines_in_the_state) {
  const auto model = [](const std::string& immediate) {
    return "model M block Leaf end Leaf; block Parallel Leaf a1, a2, b1, b2; equation initialState(a1); transition(a1, a2, ticksInState() >= 2, immediate = false); "
           "initialState(b1); transition(b1, b2, ticksInState() >= 4, immediate = false); end Parallel; block Rest end Rest; Parallel p; Rest q; equation "
           "initialState(p); transition(p, q, true, synchronize = true, immediate = " + immediate + "); end M;";
  };
  // a2 is active from tick 2 on, b2 from tick 4 on: one tick after that p is left.
  check(run(model("false"), 6.9), "activeState(q)", {0, 0, 0, 0, 0, 1, 1});
  check(run(model("true"), 6.9), "activeState(q)", {0, 0, 0, 0, 0, 1, 1});
  // With a machine that never ends the transition never fires, and that is said.
  const Run never = run("model M block Leaf end Leaf; block P Leaf a, b; equation initialState(a); transition(a, b, true); transition(b, a, true); end P; block Q end Q; P p; Q q; "
                        "equation initialState(p); transition(p, q, true, synchronize = true); end M;", 5.9);
  check(never, "activeState(q)", {0, 0, 0, 0, 0, 0});
  BOOST_TEST(never.diagnostics.find("this transition never fires: it waits for the machine of p.a") != std::string::npos, never.diagnostics);
}

BOOST_AUTO_TEST_CASE(an_inner_machine_goes_on_or_begins_anew) {
  const auto model = [](const std::string& reset) {
    return "model M block Leaf Integer n(start = 0); equation n = previous(n) + 1; end Leaf; block P Leaf a, b; equation initialState(a); transition(a, b, a.n >= 3, immediate = false); end P; "
           "block Q end Q; P p; Q q; equation initialState(p); transition(p, q, ticksInState() >= 4, immediate = false); transition(q, p, true, immediate = false, reset = " + reset + "); end M;";
  };
  // p at 0..3, q at 4, p at 5..8, q at 9.
  const Run kept = run(model("false"), 9.9);
  check(kept, "p.a.n", {1, 2, 3, 3, 3, 3, 3, 3, 3, 3});
  check(kept, "p.b.n", {0, 0, 0, 1, 1, 2, 3, 4, 5, 5});
  const Run anew = run(model("true"), 9.9);
  check(anew, "p.a.n", {1, 2, 3, 3, 3, 1, 2, 3, 3, 3});
  // b is reset when it becomes active itself.
  check(anew, "p.b.n", {0, 0, 0, 1, 1, 1, 1, 1, 1, 1});
  check(anew, "activeState(p.b)", {0, 0, 0, 1, 0, 0, 0, 0, 1, 0});
}

BOOST_AUTO_TEST_CASE(time_and_ticks_in_state_count_from_the_last_entry) {
  // A self-transition, and one of the state around, begin anew; q.n is what ticksInState() gives within the state.
  const Run self = run("model M block S Integer n; Real t; equation n = ticksInState(); t = timeInState(); end S; S a; Clock c = Clock(1, 4); Real u; equation u = sample(time, c); initialState(a); "
                       "transition(a, a, ticksInState() >= 3 and u >= 0, immediate = false, reset = false); end M;", 1.9);
  check(self, "a.n", {1, 2, 3, 1, 2, 3, 1, 2}, 0.25);
  check(self, "a.t", {0, 0.25, 0.5, 0, 0.25, 0.5, 0, 0.25}, 0.25);
  const Run around = run("model M block S Integer n; equation n = ticksInState(); end S; block P S a; equation initialState(a); end P; P p; equation initialState(p); "
                         "transition(p, p, ticksInState() >= 3, immediate = false, reset = false); end M;", 7.9);
  check(around, "p.a.n", {1, 2, 3, 1, 2, 3, 1, 2});
  const Run timed = run("model M block S end S; S a, b; Real u; equation u = sample(time, Clock(1, 4)); initialState(a); transition(a, b, timeInState() >= 0.5 and u >= 0); transition(b, a, timeInState() >= 0.25, immediate = false); end M;", 2);
  // a at 0, 0.25; left at 0.5, where it would be 0.5 s old. b at 0.5 and 0.75; at 0.75 it is 0.25 s old, a tick later it is left.
  check(timed, "activeState(a)", {1, 1, 0, 0, 1, 1, 0, 0}, 0.25);
}

BOOST_AUTO_TEST_CASE(time_in_state_is_a_number_of_intervals) {
  // The difference of the instants 0.3 and 0.1 is less than 0.2, and three times 0.7 less than 2.1: a transition would be a tick late.
  const auto model = [](const std::string& clock, const std::string& first, const std::string& condition) {
    return "model M block S end S; S a, b, c; Real u; equation u = sample(time, " + clock + "); initialState(a); transition(a, b, u > " + first + "); transition(b, c, " + condition + "); end M;";
  };
  check(run(model("Clock(1, 10)", "0.05", "timeInState() >= 0.2"), 0.6), "activeState(c)", {0, 0, 0, 1, 1}, 0.1);
  check(run(model("Clock(1, 10)", "0.05", "timeInState() >= 0.2, immediate = false"), 0.6), "activeState(c)", {0, 0, 0, 0, 1}, 0.1);
  check(run(model("Clock(7, 10)", "0.05", "timeInState() >= 2.1"), 4), "activeState(c)", {0, 0, 0, 0, 1}, 0.7);
  check(run(model("subSample(Clock(7, 100), 10)", "0.05", "timeInState() >= 2.1"), 4), "activeState(c)", {0, 0, 0, 0, 1}, 0.7);
  check(run(model("Clock(0.25)", "0.2", "timeInState() >= 0.5"), 2), "activeState(c)", {0, 0, 0, 1, 1}, 0.25);
}

BOOST_AUTO_TEST_CASE(states_may_have_algorithms_implicit_equations_and_parts) {
  const Run r = run(R"(
model M
  block Part
    input Real u;
    output Real y;
  equation
    2*y = u + 1;
  end Part;
  block A
    Part part;
    Real x(start = 0), z;
    outer output Real s;
  equation
    part.u = x;
    x - previous(x) = 1;
    z + x = 5;
    s = part.y;
  end A;
  block B
    outer output Real s;
    Integer k(start = 0);
  algorithm
    k := previous(k);
    for i in 1:3 loop
      k := k + 1;
    end for;
    s := 10*k;
  end B;
  inner Real s(start = -1);
  A a;
  B b;
equation
  initialState(a);
  transition(a, b, ticksInState() >= 2, immediate = false);
  transition(b, a, ticksInState() >= 2, immediate = false, reset = false);
end M;)", 5.9);
  check(r, "a.x", {1, 2, 2, 2, 3, 4});
  check(r, "a.z", {4, 3, 3, 3, 2, 1});
  check(r, "a.part.y", {1, 1.5, 1.5, 1.5, 2, 2.5});
  check(r, "b.k", {0, 0, 3, 6, 6, 6});
  check(r, "s", {1, 1.5, 30, 60, 2, 2.5});
}

BOOST_AUTO_TEST_CASE(a_loop_of_the_run_sets_what_states_share) {
  // A adds 1, then 1 + 2, then 1 + 2 + 3; B adds 100.
  const Run r = run(R"(
model M
  inner output Integer s(start = 0);
  block A
    outer output Integer s;
    Integer n(start = 0);
  algorithm
    n := previous(n) + 1;
    s := previous(s);
    for i in 1:n loop
      s := s + i;
    end for;
  end A;
  block B
    outer output Integer s;
  equation
    s = previous(s) + 100;
  end B;
  A a;
  B b;
equation
  initialState(a);
  transition(a, b, s > 5, immediate = false);
  transition(b, a, s > 20, immediate = false);
end M;)", 3.9);
  check(r, "s", {1, 4, 10, 110});
}

BOOST_AUTO_TEST_CASE(what_no_active_state_sets_is_kept) {
  const Run r = run("model M inner Real v(start = 7); inner Real w(start = 5); block A outer output Real v; equation v = previous(v) + 1; end A; block B outer output Real w; equation w = 2*previous(w); end B; "
                    "A a; B b; equation initialState(b); transition(a, b, true); transition(b, a, true); end M;", 5.9);
  check(r, "v", {7, 8, 8, 9, 9, 10});
  check(r, "w", {10, 10, 20, 20, 40, 40});
}

BOOST_AUTO_TEST_CASE(outputs_of_several_states_are_one_source) {
  const Run r = run(R"(
model M
  connector Out = output Real;
  connector In = input Real;
  block S
    parameter Real k;
    Out y(start = 0);
  equation
    y = previous(y) + k;
  end S;
  block Sink
    In u;
    Real v = 2*u;
  end Sink;
  S a(k = 1), b(k = 10);
  Sink sink;
  Out top(start = 0);
equation
  connect(a.y, sink.u);
  connect(b.y, sink.u);
  connect(a.y, top);
  initialState(a);
  transition(a, b, ticksInState() >= 2, immediate = false);
  transition(b, a, true, immediate = false, reset = false);
end M;)", 5.9);
  check(r, "sink.u", {1, 2, 10, 3, 4, 10});
  check(r, "sink.v", {2, 4, 20, 6, 8, 20});
  check(r, "top", {1, 2, 10, 3, 4, 10});
}

BOOST_AUTO_TEST_CASE(the_active_state_reaches_continuous_equations_by_hold) {
  const Run r = run("model M block S end S; S on, off; Boolean b, h; Real x(start = 0, fixed = true); Real u; equation u = sample(time, Clock(1, 2)); initialState(off); "
                    "transition(off, on, u > 0.75 and u < 1.75); transition(on, off, u > 1.75); b = activeState(on); h = hold(b); der(x) = if h then 1 else 0; end M;", 3);
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  // On from 1 s to 2 s.
  BOOST_TEST(r.final("x") == 1, boost::test_tools::tolerance(1e-6));
  BOOST_TEST(r.at("x", 1.5) == 0.5, boost::test_tools::tolerance(1e-6));
}

BOOST_AUTO_TEST_CASE(discretised_states_keep_their_values_and_begin_anew) {
  const auto model = [](const std::string& reset) {
    return "model M block S Real x(start = 1); equation der(x) = -x; end S; block W end W; S s; W w; Clock c = Clock(Clock(1, 2), solverMethod = \"ImplicitEuler\"); Real u; equation "
           "u = sample(time, c); initialState(s); transition(s, w, ticksInState() >= 3 and u >= 0, immediate = false); transition(w, s, ticksInState() >= 2, immediate = false, reset = " + reset + "); end M;";
  };
  // Implicit Euler with h = 1/2: a step divides by 1.5. At its start, at the first tick or after a reset, x is its start value.
  const double q = 1 / 1.5;
  const auto near = [](const Run& r, const std::vector<double>& expected) {
    BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
    const auto found = at_ticks(r, "s.x", expected.size(), 0.5);
    for (std::size_t k = 0; k < expected.size(); ++k) BOOST_TEST(found[k] == expected[k], boost::test_tools::tolerance(1e-12));
  };
  near(run(model("true"), 3.9), {1, q, q * q, q * q, q * q, 1, q, q * q});
  near(run(model("false"), 3.9), {1, q, q * q, q * q, q * q, q * q * q, q * q * q * q, q * q * q * q * q});
}

BOOST_AUTO_TEST_CASE(an_immediate_transition_that_waits_for_its_own_state_is_a_circle) {
  const std::string said = complaints("model M block S Integer n(start = 0); equation n = previous(n) + 1; end S; S a, b; Integer m = a.n; equation initialState(a); transition(a, b, m > 3); end M;");
  BOOST_TEST(said.find("break the circle with previous(), the value at the tick before: previous(a.n)") != std::string::npos, said);
}

BOOST_AUTO_TEST_CASE(transitions_are_recorded_by_name) {
  const Run r = run(counters("a.n >= 12, immediate = false", "previous(b.n) >= 11"), 3.9);
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics + r.message());
  std::string seen;
  for (const auto& event : r.result.events)
    for (const auto k : event.transitions) seen += std::to_string(int(event.time)) + ":" + r.program.transitions[k].from + ">" + r.program.transitions[k].to + (r.program.transitions[k].delayed ? "d " : "i ");
  BOOST_TEST(seen == "2:a>bd 3:b>ai ");
}

// Equations of a state whose machine cannot be made: the error about its transition is the only one.
BOOST_AUTO_TEST_CASE(ticks_of_a_state_without_a_machine) {
  for (const char* equation : {"n = ticksInState();", "n = if timeInState() > 1 then 1 else 0;"}) {
    const Run r = run(std::string("model M block S Integer n; equation ") + equation + " end S; S a; equation initialState(a); transition(a, M, true, immediate = false); end M;");
    BOOST_TEST(!r.ended());
    BOOST_TEST(r.diagnostics.find("error") != std::string::npos);
    BOOST_TEST(r.diagnostics.find("error") == r.diagnostics.rfind("error"), r.diagnostics);
  }
}

BOOST_AUTO_TEST_SUITE_END()
