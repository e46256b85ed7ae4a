#pragma once
// Stage "analyse": flat model -> dae system.

#include <optional>
#include <string>

#include "compiler/analyse/dae.hpp"
#include "parser/diagnostic.hpp"

namespace mosim::compiler {

/// Removes aliases, makes algorithms and when-clauses equations, numbers relations, infers clocks, sorts everything
/// into blocks and completes the initial system. Nothing if there are errors.
std::optional<dae::System> analyse(flat::Model model, const parser::Sources& sources, parser::Diagnostics& diagnostics);

/// The system as text (`mosim --emit dae`).
/// Throws TextTooLong (compiler/expression/print.hpp).
std::string print(const dae::System& system, const parser::Sources& sources);

}  // namespace mosim::compiler
