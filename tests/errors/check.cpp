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
  parser::Workspace workspace;
  parser::Diagnostics diagnostics;
  compiler::Library library(workspace, diagnostics);
  compiler::add_bundled_library(library);
  const auto classes = library.read_text(std::filesystem::path(path).filename().string(), read_text(path));
  Answer answer;
  if (!classes.empty()) {
    std::string model(workspace.names.text(classes.back()->name));
    for (const compiler::StoredClass* c = classes.back()->parent; c; c = c->parent)
      model = std::string(workspace.names.text(c->name)) + "." + model;
    compiler::compile(library, {model, {}});
  }
  answer.refused = parser::has_errors(diagnostics);
  for (const parser::Diagnostic& d : diagnostics) answer.text += parser::render(d, workspace.sources);
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
