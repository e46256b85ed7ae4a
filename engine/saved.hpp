#pragma once
// A run as bytes: how it was started, and what was done with it since. It does the same again when it is restored, so what lies
// in the memory of the integrator and of every part of the machine need not be written.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mosim/session.hpp"
#include "runtime/program.hpp"

namespace mosim::engine {

/// One thing that was done with a run, in the order in which they were.
struct Piece {
  enum class What : std::uint8_t { step, advance, set, look };   // look: values were asked for, which solves for them
  What what = What::step;
  double until = 0;                                              // step, advance: s
  std::vector<std::pair<std::uint32_t, double>> values{};        // set: by variable
};

struct Saved {
  Options options;              // without what only the caller can give again: functions
  std::vector<Piece> pieces;
  double time = 0;              // that was reached, s
  std::uint64_t program = 0;    // checksum
};

std::string write(const Saved& saved);
/// Throws std::invalid_argument if the bytes are no saved run.
Saved read_saved(std::string_view bytes);

/// Of all that a program is.
std::uint64_t checksum(const runtime::Program& program);

}  // namespace mosim::engine
