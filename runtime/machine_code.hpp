#pragma once
// Machine code for the code of a program that runs often, made while it runs. It does what the interpreter does, bit by bit: values,
// tangents, faults, counted work. What is rare, or no arithmetic, it leaves to the interpreter, an instruction at a time.
//
// For x86-64 processors with AVX, by the library asmjit. Elsewhere, or built without it, everything is interpreted.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "runtime/machine.hpp"

namespace mosim::runtime {

/// What is computed beside the values, which is code of its own: nothing, tangents of these widths, sizes (run_sizes), and sizes where
/// those of results do not count (Machine::operands_alone).
enum class Beside : std::uint8_t { nothing, tangents_1, tangents_4, tangents_8, sizes, operand_sizes };
inline constexpr std::size_t kinds_beside = 6;

/// Sections with no tangents, or four at most, of so many instructions become machine code; half as many with eight. Longer ones do not stay in a
/// processor's own memory (of 1 MB, where it was measured), and are then slower than the interpreter, which reads a third as much: see Kernel for these.
inline constexpr std::size_t longest_machine_code = 16384;

class MachineCode {
public:
  /// `runs`: of a section that are interpreted before it is translated. Null where there is none for this processor.
  static std::unique_ptr<MachineCode> make(const Program& program, std::uint64_t runs);
  ~MachineCode();

  /// Carries out what begins at `entry`; nothing done and no outcome: it is to be interpreted.
  std::optional<Outcome> run(Machine& machine, Entry entry, Beside beside, Mode mode, double* tangent);

  /// What there is so far: sections by what is computed beside them, and bytes.
  std::size_t sections() const;
  std::size_t bytes() const;

private:
  class Parts;
  explicit MachineCode(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace mosim::runtime
