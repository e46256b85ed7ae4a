#include "calls.hpp"

#include <cstdlib>
#include <filesystem>

namespace calls {

Folder::Folder() {
  std::string name = (std::filesystem::temp_directory_path() / "mosim-native-XXXXXX").string();
  BOOST_REQUIRE(mkdtemp(name.data()));
  path = name;
}

Folder::~Folder() {
  std::error_code error;
  std::filesystem::remove_all(path, error);
}

}  // namespace calls
