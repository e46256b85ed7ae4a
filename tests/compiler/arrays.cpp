// Arrays and iterators (MLS 10, 11.2.2).

#include <boost/test/unit_test.hpp>

#include "rules_support.hpp"

using namespace rules;

BOOST_AUTO_TEST_SUITE(arrays)

BOOST_AUTO_TEST_CASE(a_dimension_is_indexed_by_its_own_type) {
  const std::string e = "type E = enumeration(one, two); Real a[E] = {1, 2}; Real b[Boolean] = {3, 4};";
  BOOST_TEST(Flattened("model M " + e + "Real x = a[E.two] + b[false]; end M;").value("x") == 5);
  BOOST_TEST(contains(of_model(e + "Real x = a[1];"), "dimension 1 of a is indexed by M.E, not by Integer"));
  BOOST_TEST(contains(of_model(e + "Real x = b[2];"), "dimension 1 of b is indexed by Boolean, not by Integer"));
}

BOOST_AUTO_TEST_CASE(a_range_is_deduced_from_the_subscripts) {
  Flattened f("model M Real x[3] = {1, 2, 3}; Real y = sum(x[i] for i); Real t[3, 2]; parameter Real m[2, 3] = [1,2,3;4,5,6];"
              "type E = enumeration(a, b); Real e[E]; equation for i, j loop t[i, j] = m[j, i]; end for; for k loop e[k] = Integer(k); end for; end M;");
  BOOST_TEST(f.messages() == "");
  BOOST_TEST(f.value("y") == 6);
  BOOST_TEST(f.value("t[3,1]") == 3);
  BOOST_TEST(f.value("e[E.b]") == 2);
  BOOST_TEST(contains(of_model("Real x[3], y[2]; equation for i loop x[i] = y[i]; end for;"), "the range of i cannot be deduced"));
  BOOST_TEST(contains(of_model("Real x = sum(i for i);"), "it subscribes nothing by itself"));
}

BOOST_AUTO_TEST_CASE(sizes_left_open_come_from_the_value) {
  BOOST_TEST(Flattened("model M Real x[:] = {1, 2, 3}; Integer n = size(x, 1); end M;").value("n") == 3);
  BOOST_TEST(contains(of_model("Real x[:, 1] = [2, 3];"), "x[:,1] cannot have a value of size [1,2]"));
  BOOST_TEST(contains(of_model("Real x[:];"), "the size of x is left open"));
}

BOOST_AUTO_TEST_CASE(a_subscript_counts_only_where_its_branch_is_taken) {
  // x[1] = t, x[i] = 2*x[i-1]: at t = 3, x[3] = 12. x[0] stands in no branch that is taken.
  Flattened f("model M Real x[3]; equation for i in 1:3 loop x[i] = if i == 1 then time else 2*x[i - 1]; end for; end M;");
  BOOST_TEST(f.messages() == "");
  BOOST_TEST(f.value("x[3]", 3) == 12);
  BOOST_TEST(messages("model M Real x[3]; algorithm for i in 1:3 loop if i == 1 then x[i] := time; else x[i] := 2*x[i - 1]; end if; end for; end M;") == "");
  Flattened none("model M parameter Integer n = 0; parameter Real v[n]; Real y = if n > 0 then v[n] else 7; end M;");
  BOOST_TEST(none.messages() == "");
  BOOST_TEST(none.value("y") == 7);
  BOOST_TEST(contains(messages("model M Real x[3] = {1, 2, 3}; Real y = if time > 0 then x[4] else 0; end M;"), "the subscript 4 of x lies outside 1:3"));
  // Everything else that is wrong in it is said.
  BOOST_TEST(contains(messages("model M Real y = if true then 1 else z; end M;"), "there is no variable z here"));
}

BOOST_AUTO_TEST_CASE(a_size_left_open_may_follow_from_an_array_attribute) {
  Flattened f("model M Real x[:](start = {1, 2, 3}); equation der(x) = -x; end M;");
  BOOST_TEST(f.messages() == "");
  BOOST_TEST(f.has("x[3]"));
  BOOST_TEST(contains(of_model("Real x[:](each start = 1); equation der(x) = -x;"), "the size of x is left open"));
}

BOOST_AUTO_TEST_CASE(a_subscript_of_the_run_stands_beside_slices) {
  const std::string m = "model M Real A[3,2] = {{1, 2}, {3, 4}, {5, 6}}; Integer i = integer(time); Real row[2] = A[i, :]; Real column[2] = A[2:3, i - 1]; Real one = A[i, i - 1]; Real last = A[end, i]; end M;";
  Flattened f(m);
  BOOST_TEST(f.messages() == "");
  BOOST_TEST(f.value("row[2]", 3) == 6);
  BOOST_TEST(f.value("column[1]", 3) == 4);
  BOOST_TEST(f.value("one", 2) == 3);
  BOOST_TEST(f.value("last", 1) == 5);
}

BOOST_AUTO_TEST_CASE(a_parameter_may_be_needed_twice_for_a_size) {
  // b waits for its turn while c asks for it: that is no circle.
  Flattened f("model M parameter Integer a = 6; parameter Integer b = 2*a; parameter Integer d = b; parameter Integer c = if d == 12 then d else b;"
              "parameter Integer n = integer(b/c); Real x[n] = ones(n); end M;");
  BOOST_TEST(f.messages() == "");
  BOOST_TEST(f.has("x[1]"));
}

BOOST_AUTO_TEST_CASE(end_is_the_last_index_of_the_dimensions_own_type) {
  Flattened f("model M type E = enumeration(one, two, three); parameter Real x[3] = {1, 2, 3}, y[E] = {4, 5, 6}, z[Boolean] = {7, 8}, w[E,2] = {{1, 2}, {3, 4}, {5, 6}}; parameter Integer k[2] = {1, 2};"
              "Real a = y[end], b = z[end], c = w[end, end], d = x[k[end]], e = w[end, k[end]], f = sum(x[2:end]); end M;");
  BOOST_TEST(f.messages() == "");
  BOOST_TEST(f.value("a") == 6);
  BOOST_TEST(f.value("b") == 8);
  BOOST_TEST(f.value("c") == 6);
  BOOST_TEST(f.value("d") == 2);
  BOOST_TEST(f.value("e") == 6);
  BOOST_TEST(f.value("f") == 5);
}

BOOST_AUTO_TEST_SUITE_END()
