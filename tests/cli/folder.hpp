#pragma once
// The command in a folder of its own, as a user runs it.

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

namespace mosim::tests {

namespace fs = std::filesystem;

inline std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

struct Ran {
  int status;
  std::string out, err;
};

/// A folder of its own for each test, and the command run in it.
struct Folder {
  fs::path path;
  Folder() {
    std::string name = (fs::temp_directory_path() / "mosim_cli_XXXXXX").string();
    if (!mkdtemp(name.data())) std::abort();
    path = name;
  }
  ~Folder() { fs::remove_all(path); }
  Folder(const Folder&) = delete;

  void write(const std::string& file, const std::string& text) const {
    fs::create_directories((path / file).parent_path());
    std::ofstream(path / file) << text;
  }
  Ran run(const std::string& arguments, const std::string& environment = "") const {
    const std::string command = "cd '" + path.string() + "' && " + environment + " '" MOSIM "' " + arguments +
                                " >stdout.txt 2>stderr.txt </dev/null";
    const int status = std::system(command.c_str());
    return {WEXITSTATUS(status), read(path / "stdout.txt"), read(path / "stderr.txt")};
  }
};

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

inline std::vector<std::vector<double>> rows(const std::string& csv) {
  std::vector<std::vector<double>> result;
  std::istringstream lines(csv);
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    result.emplace_back();
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) result.back().push_back(std::strtod(cell.c_str(), nullptr));
  }
  return result;
}

}  // namespace mosim::tests
