// Functions under --verify: their statements are carried out again, by a path of its own.

#include <boost/test/unit_test.hpp>

#include "tests/verify/support.hpp"

using namespace mosim;
using namespace mosim::tests;

namespace {

// Code of its own each: loops, a while, several results, arrays, an element that the run chooses, recursion.
const std::string functions =
    "function root input Real x; output Real y; algorithm y := 1; while abs(y*y - x) > 1e-12*x loop y := 0.5*(y + x/y); end while; end root; "
    "function reversed input Real u[3]; input Real k; output Real s; output Real v[3]; algorithm s := 0; "
    "for i in 1:3 loop s := s + u[i]*k; v[4 - i] := u[i]; if s > 1e6 then break; end if; end for; annotation(Inline = false); end reversed; "
    "function power input Real x; input Integer n; output Real y; algorithm y := if n == 0 then 1 else x*power(x, n - 1); end power; "
    "function chosen input Real u[3]; input Integer i; output Real y; algorithm y := u[i]; annotation(Inline = false); end chosen; ";

const std::string model =
    "model M Real r = root(1 + time), d = der(r), x(start = 1, fixed = true), s, v[3], p = power(x, integer(3*time) + 2), c = chosen({x, 2*x, 3}, integer(2*time) + 1); "
    "equation der(x) = -root(x + 2)*x; (s, v) = reversed({x, 2*x, time}, 3); end M;";

runtime::Entry entry_of(const runtime::Program& p, const std::string& name) {
  for (const runtime::Function& f : p.functions)
    if (f.name == name) return f.entry;
  BOOST_FAIL("no function " + name);
  return 0;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(through_functions)

BOOST_AUTO_TEST_CASE(nothing_is_left_out) {
  const verify::Report r = run(functions + model);
  BOOST_TEST(r.violated.empty(), texts(r));
  BOOST_TEST(r.unchecked.empty());
  BOOST_TEST(r.equations >= 9u);
}

BOOST_AUTO_TEST_CASE(wrong_code_is_seen) {
  using runtime::Opcode;
  struct Fault { const char* function; Opcode old, other; const char* equation; };
  for (const Fault& f : {Fault{"power", Opcode::multiply, Opcode::add, "power("}, Fault{"reversed", Opcode::multiply, Opcode::add, "reversed("}}) {
    const verify::Report r = run(functions + model, [&](runtime::Program& p) { replace(p, entry_of(p, f.function), f.old, f.other); });
    BOOST_TEST(!r.violated.empty(), f.function);
    BOOST_TEST(texts(r).find(f.equation) != std::string::npos, texts(r));
  }
}

BOOST_AUTO_TEST_CASE(a_function_that_takes_long_is_counted) {
  const verify::Report r = run(
      "function slow input Real x; output Real y; protected Integer k = 0; algorithm y := 0; while k < 1000000 loop k := k + 1; y := y + x; end while; end slow; "
      "model M Real y = slow(time); Real z = time; end M;", {}, 1e-9);
  BOOST_TEST(r.violated.empty(), texts(r));
  BOOST_TEST(r.unchecked.count("with calls of functions that take long") == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
