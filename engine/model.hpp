#pragma once
// What a model of the library holds.

#include <unordered_map>

#include "mosim/session.hpp"
#include "report/page.hpp"
#include "runtime/program.hpp"

namespace mosim {

struct Model::Impl {
  explicit Impl(runtime::Program compiled);

  const runtime::Program program;
  std::vector<Variable> variables;
  std::unordered_map<std::string_view, std::uint32_t> numbers;   // by name
  Experiment experiment;
  Diagnostics said;
  std::vector<report::SourceText> sources;   // those that the program refers to
};

}  // namespace mosim
