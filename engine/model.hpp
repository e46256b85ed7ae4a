#pragma once
// What a model of the library holds.

#include <mutex>
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
  std::unordered_map<std::uint32_t, runtime::Index> changeable;   // by variable, in Program::changeable
  Experiment experiment;
  Diagnostics said;
  std::vector<report::SourceText> sources;   // those that the program refers to

  /// Of the program; made when it is first asked for, from whichever thread.
  std::uint64_t checksum() const;

private:
  mutable std::once_flag summed_;
  mutable std::uint64_t checksum_ = 0;
};

}  // namespace mosim
