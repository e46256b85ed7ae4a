// Array constructors and reductions with iterators (MLS 10.3.4.1, 10.4.1, 11.2.2.3). The numbers are worked out by hand from the
// expansion that the specification gives: {e for i in A, j in B} is {{e for i in A} for j in B}.

#include <boost/test/unit_test.hpp>

#include "tests/semantics/support.hpp"

using namespace mosim::tests;

namespace {

const char* const declarations =
    "type E = enumeration(one, two, three); record R Real a; Integer b[2]; end R; "
    "function square input Real x; output Real y; algorithm y := x^2; end square; "
    "parameter Integer n = 0; parameter Real none[n]; parameter Integer k[n]; R r[2] = {R(i, {i, 2*i}) for i in 1:2}; ";

struct Case {
  const char* declaration;   // of v, whose elements are asked for
  std::vector<std::pair<const char*, double>> values;
};

void check(const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    const Run r = run(std::string("model M ") + declarations + c.declaration + "; end M;", 0.01, 1e-6, 1);
    BOOST_TEST_CONTEXT(c.declaration) {
      BOOST_TEST(r.ended(), r.diagnostics);
      for (const auto& [name, value] : c.values) BOOST_TEST(r.initial(name) == value, name);
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(reductions)

BOOST_AUTO_TEST_CASE(both_ways_to_write_an_array_with_iterators_are_the_same) {
  for (const std::string form : {"{10*i + j for i in 1:2, j in 1:3}", "array(10*i + j for i in 1:2, j in 1:3)", "{{10*i + j for i in 1:2} for j in 1:3}"}) {
    const Run r = run("model M Real v[3,2] = " + form + "; end M;", 0.01, 1e-6, 1);
    BOOST_TEST(r.ended(), form + "\n" + r.diagnostics);
    BOOST_TEST(r.initial("v[3,1]") == 13, form);
    BOOST_TEST(r.initial("v[1,2]") == 21, form);
  }
  check({{"Real v[2,3,4] = array(100*i + 10*j + k for k in 1:4, j in 1:3, i in 1:2)", {{"v[2,1,4]", 214}, {"v[1,3,2]", 132}}},
         {"Real v[2,3,2] = array({i, 10*j} for i in 1:3, j in 1:2)", {{"v[1,3,1]", 3}, {"v[2,3,2]", 20}}},
         {"Real v[4] = array(x for x in 1.0:1.5:5.5)", {{"v[4]", 5.5}}}});
}

BOOST_AUTO_TEST_CASE(reductions_go_over_all_combinations) {
  check({{"Integer v = sum(10*i + j for i in 1:2, j in 1:3)", {{"v", 102}}},
         {"Integer v = product(i + j for i in 1:2, j in 1:3)", {{"v", 1440}}},
         {"Integer v = min(10*i + j for i in 1:2, j in 1:3)", {{"v", 11}}},
         {"Real v = max(i - j for i in {1, 2.5}, j in 1:3)", {{"v", 1.5}}},
         {"Real v = sum(r[i].b[j] for i, j)", {{"v", 9}}},
         {"Real v = max(sum(i*j for i in 1:j) for j in 1:3)", {{"v", 18}}},
         {"Integer v = sum(i for i in 1:j, j in 1:3)", {{"v", 10}}},   // sum(sum(i for i in 1:j) for j in 1:3)
         {"Integer v = sum(if e == E.two then 100 else Integer(e) for e in E)", {{"v", 104}}},
         {"Boolean v = max(i > 1 for i in 1:2)", {{"v", 1}}},
         {"E v = max(e for e in E)", {{"v", 3}}}});
}

BOOST_AUTO_TEST_CASE(a_sum_of_arrays_is_an_array) {
  check({{"Real v[3] = sum({1, 2, 3}*i for i in 1:2)", {{"v[1]", 3}, {"v[3]", 9}}},
         {"Real v[2,2] = sum([i, j; 0, 1] for i in 1:2, j in 1:3)", {{"v[1,1]", 9}, {"v[1,2]", 12}, {"v[2,1]", 0}, {"v[2,2]", 6}}},
         {"Integer v[2] = sum({i, 1} for i in 1:0)", {{"v[1]", 0}, {"v[2]", 0}}}});
  BOOST_TEST(complaints("model M Real v = product({i, i} for i in 1:2); end M;").find("needs a scalar, not an array [2]") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(without_values_a_result_has_its_type_and_its_neutral_element) {
  constexpr double last = 9007199254740992;   // the greatest Integer here, 2^53
  constexpr double largest = 1.7976931348623157e308;
  check({{"Integer v = sum(i for i in 1:0)", {{"v", 0}}},
         {"Integer v = product(i for i in 1:0)", {{"v", 1}}},
         {"Integer v = min(k[i] for i in 1:size(k, 1))", {{"v", last}}},
         {"Integer v = max(k)", {{"v", -last}}},
         {"Real v = min(none)", {{"v", largest}}},
         {"Real v = sum(square(none[i]) for i)", {{"v", 0}}},
         {"Real v = sum(square(none))", {{"v", 0}}},
         {"Boolean v = min(i > 1 for i in 1:0)", {{"v", 1}}},
         {"E v = max(e for e in fill(E.two, 0))", {{"v", 1}}},
         {"E v = min(e for e in fill(E.two, 0))", {{"v", 3}}},
         {"Integer v[2] = size({10*i + j for i in 1:0, j in 1:3})", {{"v[1]", 3}, {"v[2]", 0}}},
         {"Integer v[2] = size({{i for i in 1:3} for j in 1:0})", {{"v[1]", 0}, {"v[2]", 3}}},
         {"Integer v[2] = size({10*i + j for i in 1:3, j in 1:0})", {{"v[1]", 0}, {"v[2]", 3}}},
         {"Integer v[3] = size({fill(0.0, 2, 3) for i in 1:0})", {{"v[1]", 0}, {"v[2]", 2}, {"v[3]", 3}}}});
}

BOOST_AUTO_TEST_CASE(operator_records_are_summed_by_their_own_operators) {
  const std::string c =
      "package P operator record C Real re; Real im; "
      "encapsulated operator function '+' import P.C; input C a; input C b; output C c; algorithm c := C(a.re + b.re, a.im + b.im); end '+'; "
      "encapsulated operator function '0' import P.C; output C c; algorithm c := C(0, 0); end '0'; end C; "
      "model M C c[3] = {C(i, 10*i) for i in 1:3}, s = sum(c), t = sum(c[i] for i in 1:2), none = sum(c[i] for i in 1:0), m = sum({C(i, j) for i in 1:2, j in 1:3}); end M; end P; "
      "model N extends P.M; end N;";
  const Run r = run(c, 0.01, 1e-6, 1);
  BOOST_REQUIRE_MESSAGE(r.ended(), r.diagnostics);
  for (const auto& [name, value] : std::vector<std::pair<const char*, double>>{
           {"s.re", 6}, {"s.im", 60}, {"t.re", 3}, {"t.im", 30}, {"none.re", 0}, {"none.im", 0}, {"m.re", 9}, {"m.im", 12}})
    BOOST_TEST(r.initial(name) == value, name);
}

BOOST_AUTO_TEST_CASE(ranges_see_later_iterators_and_arrays_are_boxes) {
  BOOST_TEST(complaints("model M Real v[2,2] = {i + j for i in 1:j, j in 1:2}; end M;").find("depends on another iterator") != std::string::npos);
  BOOST_TEST(complaints("model M Real v = sum(i*j for i in 1:2, j in 1:i); end M;").find("there is no variable i here") != std::string::npos);
  BOOST_TEST(complaints("model M Real v[0] = {wrong for i in 1:0}; end M;").find("there is no variable wrong here") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
