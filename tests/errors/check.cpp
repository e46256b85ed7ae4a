#include "tests/errors/check.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "compiler/compile.hpp"

namespace mosim::errors {

std::string read_text(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

Answer check(const std::string& path) {
  compiler::Reading reading;
  const std::string text = read_text(path);
  const auto classes = reading.library.read_text(std::filesystem::path(path).filename().string(), text);
  Answer answer;
  const bool native_code = text.starts_with("// with --native-code");
  if (!classes.empty()) compiler::Compilation(reading, {reading.name_of(classes.back()), {}, native_code}).program();
  answer.refused = parser::has_errors(reading.diagnostics);
  answer.text = reading.said();
  return answer;
}

std::vector<std::string> broken_models() {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(MOSIM_BROKEN_MODELS))
    if (entry.path().extension() == ".mo") paths.push_back(entry.path().string());
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::string expected_path(const std::string& model_path) {
  return std::filesystem::path(model_path).replace_extension(".expected").string();
}

}  // namespace mosim::errors
