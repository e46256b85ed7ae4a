#pragma once
// Values that a run is started with in place of the model's own (Program::changeable).

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/machine.hpp"
#include "runtime/simulate.hpp"

namespace mosim::runtime {

/// Why a variable of this type cannot have this value; empty: it can. Booleans are 0 and 1, values of enumerations count from 1.
std::string mismatch(const Variable& variable, double value);

/// Why a run cannot be started with this value: of its type, or for what was compiled; empty: it can.
std::string refusal(const Program& program, const Changeable& changeable, double value);

/// Before section `parameters`. None of the values may be refused.
void put_values(Machine& machine, const std::vector<std::pair<Index, double>>& values);

/// After it: an error if a parameter lies outside of its min and max (MLS 4.9).
std::optional<Message> check_parameters(const Machine& machine);

}  // namespace mosim::runtime
