// What is said of files that are no compiled models, or not for this mosim.

#include <boost/test/unit_test.hpp>

#include "program/version.hpp"
#include "tests/program/support.hpp"

using namespace mosim;
using namespace mosim::tests;

namespace {

std::string whole() { return bytes_of(compile(small_models().front())); }

}  // namespace

BOOST_AUTO_TEST_CASE(no_compiled_model) {
  BOOST_TEST(cause("") == "it is no compiled model");
  BOOST_TEST(cause("model M end M;") == "it is no compiled model");
  BOOST_TEST(cause(whole().substr(0, 5)) == "it is damaged: it ends too early");
  std::string as_text = whole();   // as a transfer of text leaves it
  as_text.erase(6, 1);
  BOOST_TEST(cause(as_text) == "it is no compiled model");
}

BOOST_AUTO_TEST_CASE(of_another_format) {
  std::string bytes = whole();
  bytes[8] = 7;
  BOOST_TEST(cause(bytes) == "it has the format 7 of compiled models, and this mosim reads the format 2");
}

BOOST_AUTO_TEST_CASE(of_another_version) {
  std::string bytes = whole();
  const std::size_t at = bytes.find(version);
  BOOST_REQUIRE(at == 20u);
  bytes[at] = '7';
  const auto found = read(bytes);
  BOOST_REQUIRE(std::holds_alternative<program::Problem>(found));
  const auto& problem = std::get<program::Problem>(found);
  BOOST_TEST(problem.cause == "it was compiled by mosim 7" + std::string(version).substr(1) + ", and this is mosim " + version);
  BOOST_TEST(problem.remedy == "compile the model again: mosim compile MODEL.mo -o FILE.mosim");
}

BOOST_AUTO_TEST_CASE(of_another_layout) {
  std::string bytes = whole();
  bytes[20 + std::string(version).size()] = static_cast<char>(bytes[20 + std::string(version).size()] ^ 1);
  BOOST_TEST(cause(bytes) == "it was compiled by another build of mosim " + std::string(version) + ", which lays programs out differently");
}

BOOST_AUTO_TEST_CASE(a_bit_that_fell_over) {
  std::string bytes = whole();
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  BOOST_TEST(cause(bytes) == "it is damaged: its checksum does not fit what is in it");
}

// Records in records without end would be as many calls.
BOOST_AUTO_TEST_CASE(types_nest_as_deeply_as_c_needs) {
  runtime::Program program = compile("model M end M;");
  const auto nested = [&](int depth) {
    foreign::Type type;
    for (int k = 1; k < depth; ++k) type = {.kind = foreign::Type::Kind::record, .fields = {type}};
    runtime::External external;
    external.foreign.emplace();
    external.foreign->parameters = {{.type = type}};
    external.operands = {{.slots = {0}}};
    program.externals = {external};
    return cause(bytes_of(program));
  };
  BOOST_TEST(nested(64) == "");
  BOOST_TEST(nested(65) == "it is damaged: records of a C function nest too deeply in it");
}
