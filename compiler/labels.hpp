#pragma once
// Texts of a model, each kept once.

#include <string>
#include <string_view>
#include <unordered_map>

#include "runtime/label.hpp"

namespace mosim::compiler {

class Labels {
public:
  runtime::Label operator()(std::string_view text) {
    if (text.empty()) return {};
    if (const auto it = labels_.find(text); it != labels_.end()) return it->second;
    const runtime::Label label{std::string(text)};
    labels_.emplace(label.text(), label);
    return label;
  }

private:
  std::unordered_map<std::string_view, runtime::Label> labels_;   // by their own texts
};

}  // namespace mosim::compiler
