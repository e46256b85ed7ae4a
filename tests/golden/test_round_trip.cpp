// The flat model printed, read again and simulated gives the same trajectory and the same events, byte for byte.

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "tests/golden/cases.hpp"

namespace mosim::golden {
namespace {

/// `a.b` comes back as the quoted identifier `'a.b'`.
std::string unquoted(std::string name) {
  std::string plain;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '\\' && i + 1 < name.size()) {
      plain += name[++i];
    } else if (name[i] != '\'') {
      plain += name[i];
    }
  }
  return plain;
}

void check_same(const Run& first, const Run& again) {
  BOOST_TEST_REQUIRE(first.program.has_value(), first.diagnostics);
  BOOST_TEST_REQUIRE(again.program.has_value(), again.diagnostics << again.flat);
  BOOST_TEST((first.result.ending == again.result.ending), again.messages());
  const auto &a = first.result.trajectory, &b = again.result.trajectory;
  BOOST_TEST_REQUIRE(a.columns.size() == b.columns.size());
  for (std::size_t i = 0; i < a.columns.size(); ++i)
    BOOST_TEST(unquoted(first.program->variables[a.columns[i]].name) ==
               unquoted(again.program->variables[b.columns[i]].name));
  BOOST_TEST((a.values == b.values), "other values");
  BOOST_TEST(first.event_times() == again.event_times(), boost::test_tools::per_element());
}

BOOST_DATA_TEST_CASE(of_a_model, boost::unit_test::data::make(cases()), c) {
  Settings plain = c.settings;
  plain.intervals = 100;
  const Run first = run_file(c.file, plain);
  plain.set.clear();   // the flat model holds the values that were set
  check_same(first, run_text(first.flat, plain));
}

// What the book's models do not have: components, arrays, enumerations, names that need quotes.
BOOST_AUTO_TEST_CASE(of_components) {
  const char* text = R"(
package P
  type Mode = enumeration(idle, busy "Does something");
  model Tank "A tank"
    parameter Real k = 2 "Outflow";
    Real level(start=1, fixed=true, min=0, nominal=0.5);
    Mode mode(start=Mode.idle);
  equation
    der(level) = -k*level;
    mode = if level > 0.5 then Mode.busy else Mode.idle;
  end Tank;
  model M
    Tank tank(k=3);
    Tank tanks[2](k={1, 4});
    Real 'sum, of all' = tank.level + sum(tanks.level);
    Real v[3](start={1, 2, 3}, each fixed=true);
    Integer n(start=0, fixed=true);
    discrete Real last(start=0, fixed=true);
  equation
    for i in 1:3 loop
      der(v[i]) = -i*v[i];
    end for;
    when {sample(0, 0.25), tanks[1].level < 0.5} then
      n = pre(n) + 1;
      last = 'sum, of all';
    end when;
  algorithm
    assert(tank.level > -1, "level " + String(tank.level) + " is \"low\"\n");
  end M;
end P;
model Top
  extends P.M;
end Top;
)";
  Settings s;
  s.intervals = 50;
  const Run first = run_text(text, s);
  BOOST_TEST_REQUIRE(first.program.has_value(), first.diagnostics);
  BOOST_TEST(first.last("tanks[2].level") == std::exp(-4.0), boost::test_tools::tolerance(1e-4));
  check_same(first, run_text(first.flat, s));
}

}  // namespace
}  // namespace mosim::golden
