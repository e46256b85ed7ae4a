#pragma once
// What mosim has to say about a broken model, as text.

#include <string>
#include <vector>

namespace mosim::errors {

struct Answer {
  bool refused = false;   // there is at least one error
  std::string text;       // every diagnostic as mosim prints it, under the file's name without its folder
};

/// Reads the file and compiles its last class.
Answer check(const std::string& path);

/// The .mo files in the tests' folder, sorted.
std::vector<std::string> broken_models();

std::string read_text(const std::string& path);

/// Where the expected answer to a model is stored.
std::string expected_path(const std::string& model_path);

}  // namespace mosim::errors
