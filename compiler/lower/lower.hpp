#pragma once
// Stage "lower": dae system -> program.

#include <vector>

#include "compiler/analyse/dae.hpp"
#include "runtime/machine_code.hpp"
#include "runtime/program.hpp"

namespace mosim::compiler {

/// Where a program holds the quantities of a system, by variable; none: nowhere.
struct Layout {
  std::vector<runtime::Slot> value, derivative, pre;
};

/// Pieces of code of so many instructions are looked through for kernels: shorter ones become machine code, which is about as quick.
inline constexpr std::size_t usual_kernels_from = runtime::longest_machine_code;

/// Register code, tables and source places of a system that `analyse` has accepted. `layout`, if given, is filled.
/// The system gets the expressions that emission makes and what they rely on; its order is forgotten (System::forget_order), its equations stay
/// what they were. Unless it `stays`: then nothing of it is of use any more, and what is large of it is given up on the way.
runtime::Program lower(dae::System& system, const parser::Sources& sources, Layout* layout = nullptr, std::size_t kernels_from = usual_kernels_from, bool stays = true);

}  // namespace mosim::compiler
