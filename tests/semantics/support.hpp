#pragma once
// The event contract (SEMANTICS, E1 to E13) is tested with the smallest models that show each rule, as text, through
// all stages.

#include <string>
#include <vector>

#include "runtime/simulate.hpp"

namespace mosim::tests {

struct Run {
  std::string diagnostics;             // rendered, of the compiler
  runtime::Program program;
  runtime::Result result;
  bool compiled = false;

  /// A variable at a time: of several rows at that time the last, between rows the one before. NaN if unknown.
  double at(const std::string& variable, double time) const;
  double final(const std::string& variable) const;
  double initial(const std::string& variable) const;
  /// The instants at which two rows stand: events that were recorded.
  std::vector<double> event_times() const;
  std::uint64_t events() const;
  bool is_state(const std::string& variable) const;
  bool ended() const { return compiled && result.ending != runtime::Ending::failed; }
  std::string message() const;         // of the run, causes one after the other

private:
  std::size_t column(const std::string& variable) const;
};

/// Compiles the last class of the text and simulates it. `library`: the text of a package L that is a library beside it.
Run run(const std::string& text, double stop = 1, double tolerance = 1e-6, std::uint32_t intervals = 500, const std::string& library = {});

/// How runs go on from here: by bdf, if nothing else is said; MOSIM_SOLVER in the environment says it for all.
runtime::Solver& solver();

/// The diagnostics alone, rendered.
std::string complaints(const std::string& text);

}  // namespace mosim::tests
