#pragma once
// What machine code, and what it calls, have in common: see machine_code.hpp.

#include <cstdint>
#include <exception>
#include <vector>

#include "runtime/interpreter.hpp"
#include "runtime/machine_code.hpp"

namespace mosim::runtime::translated {

class Sections;

/// What machine code works with; it lies on the stack of who calls it.
struct Frame {
  alignas(16) std::uint64_t magnitude[2];   // all bits of a double but its sign
  alignas(16) std::uint64_t sign[2];
  double largest, one, two, rounding, largest_integer;
  double* memory;
  double* tangent;
  RelationState* relations;
  double* differences;
  const bool* invariants_alone;
  Steps steps;
  std::uint64_t called;                     // functions
  Machine* machine;
  Sections* sections;
  Outcome outcome;
  Entry at;                                 // the instruction that failed
  bool counts;                              // it is among those that were carried out: what it called has failed
  Mode mode;
  Beside beside;
  std::exception_ptr thrown;                // it must not pass through machine code
};

/// How many tangents, or one for sizes.
inline unsigned width_of(Beside beside) {
  switch (beside) {
    case Beside::nothing: return 0;
    case Beside::tangents_4: return 4;
    case Beside::tangents_8: return 8;
    default: return 1;
  }
}
inline bool has_sizes(Beside beside) { return beside == Beside::sizes || beside == Beside::operand_sizes; }

using Code = bool (*)(Frame*);            // false: Frame::outcome tells of a fault
using Helper = bool (*)(Frame*, Entry);   // for an instruction; the same

/// Instructions up to the next jump or place that one leads to: counted all at once.
struct Stretch {
  Entry first;
  std::uint32_t size;
};

/// One instruction by the interpreter.
bool step(Frame* frame, Entry at);
/// A call, by machine code if the function has become such.
bool call(Frame* frame, Entry at);
/// Whether loops may go on: asked after so many rounds.
bool look(Frame* frame, Entry at);
inline constexpr std::uint64_t between_looks = 4096;

}  // namespace mosim::runtime::translated
