#pragma once
// What is mutated: the models of a folder, and the models that stand as string literals in C++ sources.

#include <string>
#include <vector>

#include "tests/fuzz/tokens.hpp"

namespace mosim::fuzz {

struct Seed {
  std::string origin;   // the file
  Tokens tokens;
};

/// All .mo files in and below the folders, and the models in their .cpp files, in the order of their names. Long ones are left out.
std::vector<Seed> read_corpus(const std::vector<std::string>& folders);

/// The string literals of a C++ text that look like Modelica; adjacent ones are one. What is only the body of a model is
/// put into one.
std::vector<std::string> models_in(const std::string& cpp);

}  // namespace mosim::fuzz
