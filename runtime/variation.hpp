#pragma once
// How values vary between events, as code shows it, whatever the numbers are that it reads.

#include <cstddef>
#include <cstdint>

#include "runtime/machine.hpp"

namespace mosim::runtime {

/// A set: affine in the states, in time, in both together, but for the last.
using Way = std::uint8_t;
inline constexpr Way varies_not = 0, varies_with_states = 1, varies_with_time = 2, varies_freely = 4;

struct Variation {
  Way derivatives = varies_freely;   // all of them
  bool solves = false;               // their code solves equations
  bool bends = false;                // they may jump or bend where no event is: abs, min or a relation under noEvent of what varies (functions are not looked into)
  std::size_t length = 0;            // and has so many instructions, with those of the equations
  std::size_t functions = 0;         // of these: elementary ones, which take as long as ten others
  bool crossings = true;             // anything that crossing functions compare varies: without it there is nothing to look for between events
  bool checks = true;                // any condition of an assertion varies
};
Variation find_variation(const Machine& machine);

}  // namespace mosim::runtime
