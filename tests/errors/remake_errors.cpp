// Writes the expected answers anew: remake_errors [NAME...]. A model that is not refused gets none.

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "tests/errors/check.hpp"

int main(int argc, char** argv) {
  using namespace mosim::errors;
  const std::vector<std::string> wanted(argv + 1, argv + argc);
  int accepted = 0;
  for (const std::string& path : broken_models()) {
    const std::string name = std::filesystem::path(path).stem().string();
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), name) == wanted.end()) continue;
    const Answer answer = check(path);
    if (!answer.refused) {
      fmt::print(stderr, "{}: is not refused\n{}", name, answer.text);
      ++accepted;
      continue;
    }
    std::ofstream(expected_path(path), std::ios::binary) << answer.text;
  }
  return accepted ? 1 : 0;
}
