// E12: failures are explained; only accepted points count. And initialisation (E9).

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "builder.hpp"

using namespace mosim::test;

namespace {

// der(x) = f(x), x(0) = 1; `f` emits the right side.
Program flow(const std::function<Slot(Builder&)>& f, Builder b = {}) {
  b.states({"x"});
  b.dense_jacobian();
  const auto body = [&] { b.emit_to(b.dx(), Opcode::move, f(b)); };
  b.p.initial = b.code([&] {
    b.emit_to(b.x(), Opcode::move, slot_one);
    body();
  });
  b.p.derivatives = b.p.event = b.code(body);
  return b.p;
}

Options until(double stop) {
  Options o;
  o.stop = stop;
  return o;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(failures)

// der(x) = -sqrt(x) reaches 0 at time 2, and cannot go on.
BOOST_AUTO_TEST_CASE(root_leaves_its_domain) {
  const Program p = flow([](Builder& b) {
    b.current_origin = b.origin("der(x) = -sqrt(x)", {"x"}, 42);
    const Slot root = b.emit(Opcode::sqrt, b.x());
    return b.emit(Opcode::negate, root);
  });
  const Result r = simulate(p, until(5));
  BOOST_CHECK(r.ending == Ending::failed);
  BOOST_TEST(r.time == 2.0, boost::test_tools::tolerance(0.02));
  BOOST_REQUIRE(r.messages.size() == 1u);
  BOOST_TEST(r.messages[0].cause.find("square root of a negative number") != std::string::npos);
  BOOST_TEST(r.messages[0].cause.find("x = -") != std::string::npos);
  BOOST_REQUIRE(r.messages[0].origin != none);
  BOOST_TEST(p.origins[r.messages[0].origin].at.line == 42u);
  BOOST_TEST(r.trajectory.rows() > 100u);
}

// der(x) = if noEvent(x >= 0) then -sqrt(x) else 0 stays at 0.
BOOST_AUTO_TEST_CASE(guarded_root) {
  const Program p = flow([](Builder& b) {
    const Slot c = b.emit(Opcode::less_equal, slot_zero, b.x()), d = b.slot();
    b.emit_to(d, Opcode::move, slot_zero);
    b.when(c, [&] { b.emit_to(d, Opcode::negate, b.emit(Opcode::sqrt, b.x())); });
    return d;
  });
  const Result r = simulate(p, until(5));
  BOOST_TEST(messages(r) == "");
  BOOST_CHECK(r.ending == Ending::stop_time);
  BOOST_TEST(std::abs(last(p, r, "x")) < 1e-4);
  for (const double value : r.trajectory.values) BOOST_TEST(!std::isnan(value));
}

BOOST_AUTO_TEST_CASE(finite_escape) {
  // der(x) = x^2 from 1 escapes at time 1.
  const Program p = flow([](Builder& b) { return b.emit(Opcode::multiply, b.x(), b.x()); });
  const Result r = simulate(p, until(2));
  BOOST_CHECK(r.ending == Ending::failed);
  BOOST_TEST(r.time == 1.0, boost::test_tools::tolerance(1e-3));
  BOOST_REQUIRE(r.messages.size() == 1u);
}

BOOST_AUTO_TEST_CASE(assertion_at_an_accepted_point) {
  Builder b;
  b.states({"x"});
  b.dense_jacobian();
  const Slot limit = b.number(0.5);
  Text text{none, {{"x is ", none, Type::real, {}, {}}, {"", b.x(), Type::real, {0, true, 3, ""}, {}}}};
  b.p.assertions_table.push_back({false, text, b.origin("assert(x > 0.5)", {"x"}, 7)});
  b.p.assertions_table.push_back({true, {none, {{"getting low", none, Type::real, {}, {}}}}, none});
  const Slot warn = b.number(0.8);
  const auto body = [&] { b.emit_to(b.dx(), Opcode::negate, b.x()); };
  b.p.initial = b.code([&] {
    b.emit_to(b.x(), Opcode::move, slot_one);
    body();
  });
  b.p.derivatives = b.p.event = b.code(body);
  b.p.assertions = b.code([&] {
    b.emit_to(0, Opcode::check, b.emit(Opcode::less, warn, b.x()), 0, 1);
    b.emit_to(0, Opcode::check, b.emit(Opcode::less, limit, b.x()), 0, 0);
  });
  const Result r = simulate(b.p, until(2));
  BOOST_CHECK(r.ending == Ending::failed);
  BOOST_TEST(std::abs(r.time - std::log(2)) < 0.1);
  BOOST_REQUIRE(r.messages.size() == 2u);  // one warning, one error
  BOOST_CHECK(r.messages[0].severity == Severity::warning);
  BOOST_TEST(r.messages[0].cause.find("getting low") != std::string::npos);
  BOOST_CHECK(r.messages[1].severity == Severity::error);
  BOOST_TEST(r.messages[1].cause.find("x is 0.4") != std::string::npos);
  BOOST_TEST(b.p.origins[r.messages[1].origin].at.line == 7u);
}

// An assertion in the right side fails where the predictor probes (x turns sharply near 0), never at an accepted point.
BOOST_AUTO_TEST_CASE(assertion_while_probing) {
  Builder start;
  start.p.assertions_table.push_back({false, {none, {{"x is negative", none, Type::real, {}, {}}}}, none});
  const Program p = flow(
      [](Builder& b) {
        b.emit_to(0, Opcode::check, b.emit(Opcode::less_equal, b.number(-1e-5), b.x()), 0, 0);
        const Slot rate = b.emit(Opcode::divide, b.x(), b.emit(Opcode::add, b.x(), b.number(1e-3)));
        return b.emit(Opcode::negate, rate);
      },
      start);
  const Result r = simulate(p, until(1.5));
  BOOST_TEST(messages(r) == "");
  BOOST_CHECK(r.ending == Ending::stop_time);
  BOOST_TEST(std::abs(last(p, r, "x")) < 1e-5);
}

BOOST_AUTO_TEST_CASE(initialisation_error_names_the_equation) {
  Builder b;
  const Slot x = b.slot();
  b.variable("x", x, Kind::algebraic);
  b.current_origin = b.origin("y = log(x)", {"x"}, 3);
  b.p.initial = b.code([&] { b.emit(Opcode::log, x); });
  const Result r = simulate(b.p, until(1));
  BOOST_CHECK(r.ending == Ending::failed);
  BOOST_TEST(messages(r).find("initialisation") != std::string::npos);
  BOOST_TEST(messages(r).find("x = 0") != std::string::npos);
  BOOST_TEST(r.trajectory.rows() == 0u);
}

// Initial relations are exact, and repeated until they agree: c = x > 0; x = if c then 2 else 1.
BOOST_AUTO_TEST_CASE(initial_relations_agree) {
  Builder b;
  const Slot x = b.slot(), c = b.slot(), two = b.number(2);
  b.variable("x", x, Kind::algebraic);
  const Index r = b.relation(Comparison::greater);
  const auto body = [&] {
    b.emit_to(c, Opcode::relation, x, slot_zero, r);
    b.emit_to(x, Opcode::move, slot_one);
    b.when(c, [&] { b.emit_to(x, Opcode::move, two); });
  };
  b.p.initial = b.p.event = b.p.crossings = b.code(body);
  const Result result = simulate(b.p, until(1));
  BOOST_CHECK(result.ending == Ending::stop_time);
  BOOST_TEST(at(result, 0, 1) == 2.0);
}

// z + tanh(50*(z - 8)) * 10 = 0 needs homotopy from a simplified system: lambda*actual + (1 - lambda)*(z - 0.1).
BOOST_AUTO_TEST_CASE(homotopy) {
  Builder b;
  const Slot z = b.slot(1e3), target = b.number(0.3);
  b.variable("z", z, Kind::algebraic);
  Block block;
  block.unknowns = {z};
  block.nominal = {1};
  block.names = {"z"};
  block.code = b.code([&] {
    // actual: exp(-z^2) * ... flat far out, so that Newton from 1000 has nothing to hold on to
    const Slot square = b.emit(Opcode::multiply, b.emit(Opcode::subtract, z, target), b.emit(Opcode::subtract, z, target));
    const Slot bell = b.emit(Opcode::exp, b.emit(Opcode::negate, square));
    const Slot actual = b.emit(Opcode::multiply, b.emit(Opcode::subtract, z, target), bell);
    const Slot simple = b.emit(Opcode::subtract, z, target);
    const Slot rest = b.emit(Opcode::subtract, slot_one, slot_lambda);
    const Slot sum = b.emit(Opcode::add, b.emit(Opcode::multiply, slot_lambda, actual), b.emit(Opcode::multiply, rest, simple));
    block.residuals = {b.emit(Opcode::add, sum, b.emit(Opcode::multiply, rest, slot_one))};
  });
  block.body = block.code;
  b.p.blocks.push_back(block);
  b.p.uses_homotopy = true;
  b.p.initial = b.code([&] {
    b.emit_to(0, Opcode::solve, 0, 0, 0);
    // A point far out also has residual 0 in floating point: refuse it.
    b.emit(Opcode::sqrt, b.emit(Opcode::subtract, slot_one, b.emit(Opcode::multiply, z, z)));
  });
  const Result r = simulate(b.p, until(1));
  BOOST_TEST(messages(r) == "");
  BOOST_CHECK(r.ending == Ending::stop_time);
  BOOST_TEST(at(r, 0, 1) == 0.3, boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(options_are_checked) {
  Options o;
  o.start = 2;
  const Result r = simulate(Builder().p, o);
  BOOST_CHECK(r.ending == Ending::failed);
  BOOST_TEST(r.messages.size() == 1u);
}

BOOST_AUTO_TEST_CASE(empty_program) {
  const Result r = simulate(Builder().p, Options());
  BOOST_CHECK(r.ending == Ending::stop_time);
  BOOST_TEST(r.trajectory.rows() == 501u);
  BOOST_TEST(at(r, 500, 0) == 1.0);
}

BOOST_AUTO_TEST_SUITE_END()
