// Each broken model gets exactly the answer that is stored beside it.

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <filesystem>

#include "tests/errors/check.hpp"

namespace mosim::errors {
namespace {

BOOST_DATA_TEST_CASE(is_refused_with_the_expected_words, boost::unit_test::data::make(broken_models()), path) {
  const Answer answer = check(path);
  BOOST_TEST(answer.refused);
  const std::string expected = read_text(expected_path(path));
  BOOST_TEST(answer.text == expected, "got:\n" << answer.text << "expected:\n" << expected);
}

BOOST_AUTO_TEST_CASE(there_are_enough) { BOOST_TEST(broken_models().size() >= 45u); }

// One mistake has one error, at a place, and the first line names the file.
BOOST_DATA_TEST_CASE(has_a_place, boost::unit_test::data::make(broken_models()), path) {
  const std::string expected = read_text(expected_path(path));
  const std::string file = std::filesystem::path(path).filename().string();
  BOOST_TEST(expected.rfind(file + ":", 0) == 0u, expected);
  std::size_t errors = 0;
  for (std::size_t at = 0; (at = expected.find(": error: ", at)) != std::string::npos; ++at) ++errors;
  BOOST_TEST(errors == 1u, expected);
}

BOOST_AUTO_TEST_CASE(no_answer_without_a_model) {
  for (const auto& entry : std::filesystem::directory_iterator(MOSIM_BROKEN_MODELS))
    if (entry.path().extension() == ".expected")
      BOOST_TEST(std::filesystem::exists(std::filesystem::path(entry.path()).replace_extension(".mo")), entry.path());
}

}  // namespace
}  // namespace mosim::errors
