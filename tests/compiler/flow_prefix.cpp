// What may be flow (MLS 4.4.2.2): Real, Integer, and operator records with an addition.

#include <boost/test/unit_test.hpp>

#include "rules_support.hpp"

using namespace rules;

BOOST_AUTO_TEST_SUITE(flow_prefix)

BOOST_AUTO_TEST_CASE(numbers_flow) {
  const auto connected = [](const std::string& type, const std::string& value) {
    return messages("connector P Real v; flow " + type + " n; end P; model A P p; equation p.n = " + value + "; end A; model B P p; equation p.v = 1; end B;"
                    "model M A a; B b; equation connect(a.p, b.p); end M;");
  };
  BOOST_TEST(connected("Integer", "if time > 1 then 2 else 1") == "");
  BOOST_TEST(connected("Real", "time") == "");
  BOOST_TEST(contains(connected("Boolean", "time > 1"), "n cannot be flow: it is Boolean"));
  BOOST_TEST(contains(connected("String", "\"x\""), "n cannot be flow: it is String"));
}

BOOST_AUTO_TEST_CASE(flows_of_integers_add_up_to_zero) {
  Flattened f("connector P Real v; flow Integer n; end P; model A P p; equation p.n = 2; end A; model B P p; equation p.v = 1; end B;"
              "model M A a; B b; equation connect(a.p, b.p); end M;");
  BOOST_REQUIRE(f.model);
  bool found = false;
  for (const auto& e : f.model->equations) found = found || compiler::print(*f.model, e.left) + " = " + compiler::print(*f.model, e.right) == "a.p.n + b.p.n = 0";
  BOOST_TEST(found);
}

BOOST_AUTO_TEST_SUITE_END()
