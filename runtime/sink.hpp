#pragma once
// Where the rows of a run go while it goes on.

#include <cstdint>
#include <span>
#include <vector>

namespace mosim::runtime {

/// Takes finished rows, one after the other: what it has been handed is never taken back.
class Sink {
 public:
  virtual ~Sink() = default;
  /// Once, before the first row; not at all in a run that has none. Memory after initialisation, as Result::parameters.
  virtual void begin(const std::vector<double>& parameters) { (void)parameters; }
  /// time, then the variables of Options::recorded in their order; and the number of events so far. False: it wants no more, and the
  /// run may end.
  virtual bool take(std::span<const double> row, std::uint64_t jumps) = 0;
};

}  // namespace mosim::runtime
