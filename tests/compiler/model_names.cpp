// The name of the model to simulate: what is said if it leads nowhere, or to something else.

#include <boost/test/unit_test.hpp>

#include "rules_support.hpp"

using namespace rules;

namespace {

std::string asking_for(const std::string& name) {
  return Flattened("package Pack model A Real x = time; end A; partial model Part end Part; function f output Real y = 1; end f;"
                   "package Inner block B Real y = 1; end B; end Inner; end Pack; model 'A.C' Real x = 1; end 'A.C';",
                   name)
      .messages();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(model_names)

BOOST_AUTO_TEST_CASE(a_name_that_leads_to_a_model_is_taken) {
  for (const char* name : {"Pack.A", "Pack.Inner.B", "'A.C'"}) BOOST_TEST(asking_for(name) == "");
  const std::string quoted = R"(package P model '\"\?\\\'x' end '\"\?\\\'x'; end P;)";
  for (const char* name : {R"(P.'\"\?\\\'x')", R"(P.'"?\\\'x')"}) BOOST_TEST(Flattened(quoted, name).messages() == "");
}

BOOST_AUTO_TEST_CASE(a_name_without_its_package_is_found) {
  BOOST_TEST(contains(asking_for("B"), "there is no model B"));
  BOOST_TEST(contains(asking_for("B"), "did you mean Pack.Inner.B?"));
  BOOST_TEST(contains(asking_for("Pack.B"), "did you mean Pack.Inner.B?"));
  BOOST_TEST(contains(asking_for("Pak.A"), "did you mean Pack.A?"));
  BOOST_TEST(contains(asking_for("Pack.Innr.B"), "did you mean Pack.Inner.B?"));
}

BOOST_AUTO_TEST_CASE(a_within_clause_counts_as_package) {
  const auto asking = [](const std::string& name) { return Flattened("within Pack.Inner; model StableBall Real x = time; end StableBall;", name).messages(); };
  BOOST_TEST(asking("Pack.Inner.StableBall") == "");
  BOOST_TEST(contains(asking("StableBall"), "did you mean Pack.Inner.StableBall?"));
  BOOST_TEST(contains(asking("Ball"), "the models read are Pack.Inner.StableBall"));
}

BOOST_AUTO_TEST_CASE(a_name_like_no_other_gets_a_list) {
  BOOST_TEST(contains(asking_for("Quantum"), "the models read are Pack.A, Pack.Inner.B, 'A.C'"));
  BOOST_TEST(contains(asking_for("Pack.Quantum"), "its models are Pack.A, Pack.Inner.B"));
}

BOOST_AUTO_TEST_CASE(a_package_is_answered_with_its_models) {
  BOOST_TEST(contains(asking_for("Pack"), "Pack is a package and cannot be simulated"));
  BOOST_TEST(contains(asking_for("Pack"), "for example --model Pack.A; it has Pack.A, Pack.Inner.B"));
  BOOST_TEST(contains(asking_for("Pack.Inner"), "for example --model Pack.Inner.B"));
  std::string many = "package P";
  for (int k = 1; k < 30; ++k) many += " model M" + std::to_string(k) + " end M" + std::to_string(k) + ";";
  const std::string listed = Flattened(many + " end P;", "P").messages();
  BOOST_TEST(contains(listed, "P.M1, P.M2, P.M3, P.M4, P.M5, P.M6, P.M7, P.M8, ..."));
}

BOOST_AUTO_TEST_CASE(what_is_no_model_is_said) {
  BOOST_TEST(contains(asking_for("Pack.f"), "Pack.f is a function and cannot be simulated"));
  BOOST_TEST(contains(asking_for("Pack.Part"), "Pack.Part is partial and cannot be simulated"));
}

BOOST_AUTO_TEST_SUITE_END()
