// Reads whole libraries: the folders named in MOSIM_LIBRARIES, colons between them. Every .mo file below them must be
// read, but those that README.md names.

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

#include <boost/test/unit_test.hpp>

#include "support.hpp"

using namespace mosim::parser;
namespace fs = std::filesystem;

namespace {

/// Paths below a library whose point is a syntax error; README.md gives the reasons.
const std::set<std::string> wrong_on_purpose = {};

}  // namespace

BOOST_AUTO_TEST_CASE(libraries) {
  const char* folders = std::getenv("MOSIM_LIBRARIES");
  if (!folders || !*folders) {
    BOOST_TEST_MESSAGE("skipped: MOSIM_LIBRARIES names no folders");
    return;
  }
  std::istringstream list(folders);
  for (std::string folder; std::getline(list, folder, ':');) {
    BOOST_REQUIRE_MESSAGE(fs::is_directory(folder), folder << " is no folder");
    std::size_t files = 0;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (!entry.is_regular_file() || entry.path().extension() != ".mo") continue;
      std::ifstream in(entry.path(), std::ios::binary);
      Workspace workspace;
      Diagnostics diagnostics;
      const Source& source = workspace.sources.add(entry.path().string(), {std::istreambuf_iterator<char>(in), {}});
      const auto tree = parse(source, workspace, diagnostics);
      const bool wrong = wrong_on_purpose.count(fs::relative(entry.path(), folder).generic_string()) > 0;
      BOOST_TEST(tree.has_value() == !wrong, entry.path().string());
      if (tree) {
        BOOST_TEST(!print(*tree, workspace).empty());
      } else {
        BOOST_TEST_MESSAGE(render(diagnostics.at(0), workspace.sources));
      }
      ++files;
    }
    BOOST_TEST(files > 0u, folder << " holds no .mo file");
  }
}
