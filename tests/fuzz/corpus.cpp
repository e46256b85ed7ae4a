#include "tests/fuzz/corpus.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

namespace mosim::fuzz {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest = 6000;   // bytes: what is longer takes long, and is seldom hit where it matters

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

char unescaped(char c) { return c == 'n' ? '\n' : c == 't' ? '\t' : c; }

}  // namespace

std::vector<std::string> models_in(const std::string& cpp) {
  std::vector<std::string> models;
  std::string literal;
  bool open = false;   // the literal may go on
  const auto take = [&] {
    if (literal.size() > 20 && literal.size() < longest && has(literal, ";")) {
      if (has(literal, "end ") && (has(literal, "model ") || has(literal, "package ") || has(literal, "block ")))
        models.push_back(literal);
      else if (has(literal, "equation") || has(literal, "Real ") || has(literal, "algorithm"))
        models.push_back("model M " + literal + " end M;");
    }
    literal.clear();
    open = false;
  };
  for (std::size_t at = 0; at < cpp.size();) {
    const char c = cpp[at];
    if (c == 'R' && cpp.compare(at, 2, "R\"") == 0) {
      const std::size_t bracket = cpp.find('(', at);
      if (bracket == std::string::npos) break;
      const std::string end = ")" + cpp.substr(at + 2, bracket - at - 2) + "\"";
      const std::size_t close = std::min(cpp.find(end, bracket), cpp.size());
      literal += cpp.substr(bracket + 1, close - bracket - 1);
      at = std::min(close + end.size(), cpp.size());
      open = true;
    } else if (c == '"') {
      for (++at; at < cpp.size() && cpp[at] != '"'; ++at) {
        if (cpp[at] == '\\' && at + 1 < cpp.size()) literal += unescaped(cpp[++at]);
        else literal += cpp[at];
      }
      ++at;
      open = true;
    } else if (c == '\'') {
      at += at + 1 < cpp.size() && cpp[at + 1] == '\\' ? 4 : 3;
    } else if (cpp.compare(at, 2, "//") == 0) {
      at = std::min(cpp.find('\n', at), cpp.size());
    } else {
      if (open && !std::isspace(static_cast<unsigned char>(c))) take();
      ++at;
    }
  }
  if (open) take();
  return models;
}

std::vector<Seed> read_corpus(const std::vector<std::string>& folders) {
  std::set<std::string> paths;
  for (const std::string& folder : folders)
    for (const auto& entry : fs::recursive_directory_iterator(folder))
      if (entry.path().extension() == ".mo" || entry.path().extension() == ".cpp") paths.insert(entry.path().lexically_normal().string());
  std::vector<Seed> corpus;
  for (const std::string& path : paths) {
    const std::string text = read(path);
    if (path.ends_with(".mo")) {
      // Those that are refused for their size alone take seconds each.
      if (text.size() < longest && !path.ends_with("_that_multiply.mo")) corpus.push_back({path, tokens_of(text)});
    } else {
      for (const std::string& model : models_in(text)) corpus.push_back({path, tokens_of(model)});
    }
  }
  std::erase_if(corpus, [](const Seed& seed) { return seed.tokens.size() < 5; });
  return corpus;
}

}  // namespace mosim::fuzz
