#pragma once
// Stored results: values at about twenty instants, and the instants of the events. README.md tells the form.

#include <string>
#include <vector>

#include "tests/golden/cases.hpp"

namespace mosim::golden {

struct Golden {
  std::string witness;
  double tolerance = 0, event_tolerance = 0;
  std::vector<std::string> columns;          // `time` first
  std::vector<std::vector<double>> rows;     // NaN: nothing is stored
  bool has_events = false;
  std::vector<double> events;
};

/// What is to be stored of a run.
Golden make_golden(const Case& c, const Run& run);

std::string to_text(const std::string& name, const Golden& golden);
/// Throws std::runtime_error with the line that it cannot read.
Golden from_text(const std::string& text);

/// What differs, a line each; empty if the run agrees with the stored results.
std::string differences(const Golden& stored, const Golden& found);

/// What differs between a run, at every row of it, and its case's witness; empty if they agree.
std::string differences(const Case& c, const Run& run);

}  // namespace mosim::golden
