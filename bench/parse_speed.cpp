// How fast the parser reads: parse_speed PATH... reads every .mo file below the paths into memory, then parses each
// in one thread. Exit status: 0 when every file was read and parsed, 1 otherwise.

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "parser/parse.hpp"

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> mo_files(const fs::path& path, std::error_code& error) {
  std::vector<fs::path> files;
  if (fs::is_regular_file(path, error)) return {path};
  for (fs::recursive_directory_iterator it(path, error), end; !error && it != end; it.increment(error)) {
    if (it->is_regular_file() && it->path().extension() == ".mo") files.push_back(it->path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: parse_speed PATH...\n");
    return 1;
  }
  mosim::parser::Workspace workspace;
  std::vector<const mosim::parser::Source*> sources;
  std::size_t bytes = 0, failures = 0;
  for (int i = 1; i < argc; ++i) {
    std::error_code error;
    for (const fs::path& file : mo_files(argv[i], error)) {
      std::ifstream in(file, std::ios::binary);
      std::string text(std::istreambuf_iterator<char>(in), {});
      if (!in) {
        fmt::print(stderr, "{}: cannot be read\n", file.string());
        ++failures;
        continue;
      }
      bytes += text.size();
      sources.push_back(&workspace.sources.add(file.string(), std::move(text)));
    }
    if (error) {
      fmt::print(stderr, "{}: {}\n", argv[i], error.message());
      ++failures;
    }
  }

  mosim::parser::Diagnostics diagnostics;
  const auto start = std::chrono::steady_clock::now();
  for (const auto* source : sources) {
    if (!mosim::parser::parse(*source, workspace, diagnostics)) ++failures;
  }
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;

  for (const auto& diagnostic : diagnostics) fmt::print(stderr, "{}", render(diagnostic, workspace.sources));
  const double megabytes = static_cast<double>(bytes) / 1e6;
  fmt::print("{:.2f} MB, {} files, {:.4f} s, {:.1f} MB/s, {} failures\n", megabytes, sources.size(), time.count(),
             megabytes / time.count(), failures);
  return failures == 0 ? 0 : 1;
}
