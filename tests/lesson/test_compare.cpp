// A run beside a reference: values, jumps that come sooner, ends, names and types.

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <stdexcept>

#include "mosim/lesson.hpp"
#include "tests/engine/compiled.hpp"

using namespace mosim;
using namespace mosim::tests;

namespace {

Result run(const std::string& text, std::optional<std::uint32_t> intervals = {}) {
  Options o;
  o.stop = 2;
  o.intervals = intervals;
  return compiled(text)->simulate(std::move(o));
}

const Compared& of(const Comparison& c, const std::string& name) {
  for (const Compared& v : c.variables)
    if (v.variable == name) return v;
  throw std::out_of_range(name);
}

std::string step_at(const std::string& t) { return "model M Real x = if time >= " + t + " then 5 else 1; Boolean b = time >= " + t + "; end M;"; }

}  // namespace

BOOST_AUTO_TEST_CASE(the_same) {
  const Comparison c = compare(run(step_at("1")), run(step_at("1"), 77));
  BOOST_TEST(c.agrees);
  BOOST_TEST(c.same_end);
  BOOST_TEST(c.variables.size() == 2u);
  BOOST_TEST(of(c, "x").difference == 0);
}

// The grid of one is not that of the other: what lies between two rows of a line is on the line.
BOOST_AUTO_TEST_CASE(other_rows) {
  const std::string line = "model M Real x = 3*time; end M;";
  const Comparison c = compare(run(line, 10), run(line, 7), {1e-12, {}});
  BOOST_TEST(c.agrees);
  BOOST_TEST(of(c, "x").difference < 1e-12);
}

// A jump may come within tolerance*length of its instant in the reference, and not farther off.
BOOST_AUTO_TEST_CASE(jumps) {
  BOOST_TEST(compare(run(step_at("1")), run(step_at("1.0015")), {1e-3, {}}).agrees);   // 2 s: 2 ms
  BOOST_TEST(compare(run(step_at("1")), run(step_at("0.9985")), {1e-3, {}}).agrees);
  const Comparison c = compare(run(step_at("1")), run(step_at("1.003")), {1e-3, {}});
  BOOST_TEST(!c.agrees);
  for (const char* name : {"x", "b"}) {
    const Compared& v = of(c, name);
    BOOST_TEST(!v.agrees, name);
    BOOST_TEST(v.difference == (v.variable == "x" ? 4 : 1));
    BOOST_TEST(std::fabs(v.time - 1) < 0.004);
  }
  BOOST_TEST(of(c, "x").allowed == 1e-3*4);
}

// An excursion between the rows of the other that neither of them has is a difference of either: both ways round.
BOOST_AUTO_TEST_CASE(a_pulse_that_is_missing) {
  const std::string pulse = "model M Real x = if time >= 1 and time < 1.1 then 1 else 0; end M;", none = "model M Real x = 0*time; end M;";
  const Comparison missing = compare(run(pulse, 2), run(none, 2)), additional = compare(run(none, 2), run(pulse, 2));
  BOOST_TEST(!missing.agrees);
  BOOST_TEST(of(missing, "x").difference == 1);
  BOOST_TEST(of(missing, "x").reference == 1);
  BOOST_TEST(of(missing, "x").found == 0);
  BOOST_TEST(!additional.agrees);
  BOOST_TEST(of(additional, "x").found == 1);
  BOOST_TEST(of(additional, "x").reference == 0);
}

BOOST_AUTO_TEST_CASE(tolerance_is_a_part_of_the_range) {
  const Result reference = run("model M Real x = 100 + sin(time); end M;");
  const auto near = [&](const char* by) { return compare(reference, run(std::string("model M Real x = 100 + sin(time) + ") + by + "; end M;"), {1e-3, {}}); };
  BOOST_TEST(near("0.0009").agrees);      // of sin over 2 s: 1
  BOOST_TEST(!near("0.0012").agrees);
  // What stands still: of its size.
  const Result still = run("model M Real x = 100; end M;");
  BOOST_TEST(compare(still, run("model M Real x = 100.09; end M;")).agrees);
  BOOST_TEST(!compare(still, run("model M Real x = 100.11; end M;")).agrees);
}

BOOST_AUTO_TEST_CASE(names_and_types) {
  const Result reference = run("model M Real x = time; Integer n = integer(2*time); protected Real hidden = time; end M;");
  const Comparison missing = compare(reference, run("model M Real x = time; end M;"));
  BOOST_TEST(!missing.agrees);
  BOOST_TEST(!of(missing, "n").is_there);
  BOOST_TEST(missing.variables.size() == 2u);   // what is protected is nobody's business
  BOOST_TEST(!of(compare(reference, run("model M Real x = time; Real n = 2*time; end M;")), "n").is_there);
  const Comparison chosen = compare(reference, run("model M Real x = time; end M;"), {1e-3, {"x"}});
  BOOST_TEST(chosen.agrees);
  BOOST_TEST(compare(reference, reference, {1e-3, {"hid*"}}).variables.size() == 1u);
  BOOST_CHECK_EXCEPTION(compare(reference, reference, {1e-3, {"y"}}), std::invalid_argument, [](const auto& e) { return std::string(e.what()) == "the reference has no variable y"; });
}

BOOST_AUTO_TEST_CASE(ends) {
  const std::string early = "model M Real x = time; equation when time > 1.5 then terminate(\"enough\"); end when; end M;";
  const Comparison c = compare(run("model M Real x = time; end M;"), run(early));
  BOOST_TEST(!c.agrees);
  BOOST_TEST(!c.same_end);
  BOOST_TEST(c.end == 1.5);
  BOOST_TEST(c.reference_end == 2);
  BOOST_TEST(of(c, "x").agrees);   // as far as it goes
  BOOST_TEST(compare(run(early), run(early)).agrees);
}

// A value that is none differs from every number, and from nothing where the reference has none either.
BOOST_AUTO_TEST_CASE(not_a_number) {
  const Result reference = run("model M Real x = time; end M;");
  Result other = reference;
  for (double& x : other.rows)
    if (x == 1) x = std::nan("");   // time is taken from the rows, too
  for (std::size_t at = 0; at < other.rows.size(); at += other.names.size())
    if (std::isnan(other.rows[at])) other.rows[at] = 1;
  BOOST_TEST(!compare(reference, other).agrees);
  BOOST_TEST(!compare(other, reference).agrees);
  BOOST_TEST(compare(other, other).agrees);
}
