#pragma once
// What the parser's tests share.

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "parser/parse.hpp"

namespace mosim::parser::test {

/// A text that was parsed as "test.mo", and what came of it.
struct Parsed {
  explicit Parsed(std::string text) {
    source = &workspace->sources.add("test.mo", std::move(text));
    tree = parse(*source, *workspace, diagnostics, &remains);
  }

  std::string printed() const { return tree ? print(*tree, *workspace) : "no tree\n" + messages(); }
  /// Every diagnostic, as the person at the keyboard reads it.
  std::string messages() const {
    std::string all;
    for (const Diagnostic& diagnostic : diagnostics) all += render(diagnostic, workspace->sources);
    return all;
  }
  std::string_view text(Place place) const { return workspace->sources.text(place); }
  std::string_view text(Name name) const { return workspace->names.text(name); }

  std::unique_ptr<Workspace> workspace = std::make_unique<Workspace>();
  const Source* source = nullptr;
  Diagnostics diagnostics;
  std::optional<StoredDefinition> tree;
  Remains remains;   // without a tree
};

inline std::string printed(std::string text) { return Parsed(std::move(text)).printed(); }
inline std::string messages(std::string text) { return Parsed(std::move(text)).messages(); }

/// The printed lines below `class-definition model M / long-class-specifier`, less their common indentation.
inline std::string body(const std::string& text) {
  std::string out;
  const std::string all = printed("model M\n" + text + "\nend M;");
  std::size_t at = 0;
  for (int line = 0; at < all.size(); ++line) {
    const std::size_t end = all.find('\n', at);
    const std::string_view content(all.data() + at, end - at);
    if (content.substr(0, 6) == "      ") {
      out += content.substr(6);
      out += '\n';
    } else if (line > 2) {
      return all;  // not a single model M
    }
    at = end + 1;
  }
  return all.substr(0, 7) == "no tree" ? all : out;
}

/// An expression's printed lines, as the right side of an equation.
inline std::string expression(const std::string& text) {
  const std::string all = body("equation\n0 = " + text + ";");
  const std::string start = "equation-section\n  simple-equation\n    integer 0\n";
  if (all.substr(0, start.size()) != start) return all;
  std::string out;
  for (std::size_t at = start.size(); at < all.size();) {
    const std::size_t end = all.find('\n', at);
    out += all.substr(at + 4, end + 1 - at - 4);
    at = end + 1;
  }
  return out;
}

}  // namespace mosim::parser::test
