#pragma once
// What a model of the library holds.

#include <mutex>
#include <unordered_map>

#include "engine/verification.hpp"
#include "mosim/session.hpp"
#include "parser/source.hpp"
#include "runtime/program.hpp"

namespace mosim {

struct Model::Impl {
  Impl(runtime::Program compiled, parser::Sources read);
  ~Impl();

  const runtime::Program program;
  const parser::Sources sources;   // more may be in it than the program refers to
  std::optional<engine::Equations> equations{};   // none: it was loaded, or its session keeps none
  Experiment experiment;
  Diagnostics said;
  std::function<std::optional<std::string>(std::string_view)> resource{};

  // Made when they are first asked for, from whichever thread: many a model is run once, and nobody asks.
  const std::vector<Variable>& variables() const;
  const std::unordered_map<std::string_view, std::uint32_t>& numbers() const;      // by name
  std::optional<runtime::Index> changeable(std::uint32_t variable) const;          // in Program::changeable
  std::uint64_t checksum() const;                                                  // of the program
  /// The texts that the program refers to.
  std::vector<const parser::Source*> referred() const;

private:
  struct Index;
  const Index& index() const;
  mutable std::once_flag indexed_, summed_;
  mutable std::unique_ptr<const Index> index_;
  mutable std::uint64_t checksum_ = 0;
};

}  // namespace mosim
