#pragma once
// One text through all stages.

#include <atomic>
#include <optional>
#include <string>

#include "tests/fuzz/mutate.hpp"

namespace mosim::fuzz {

/// How far it came: the last stage that it entered.
enum class Stage { parse, flatten, analyse, lower, print, simulate, tell, done };
const char* name_of(Stage stage);

/// Parses, compiles and, for a short while, simulates the last class of a text, prints every stage and tells the run in all
/// forms. `stage` follows it. Returns what is wrong beside crashes: no model and no error, an error without a place, a
/// name of ours in a message, numbers that are not finite in a run that is told to be good. `interrupt`, where it becomes true,
/// ends the run: a model may rightly take for ever.
std::optional<std::string> examine(const std::string& text, volatile Stage& stage, const std::atomic<bool>& interrupt);

/// Whether a text can be read, and whether its last class can be flattened.
Worth worth_of(const std::string& text);

}  // namespace mosim::fuzz
