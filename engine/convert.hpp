#pragma once
// From the structures of the stages to those of the library.

#include "mosim/session.hpp"
#include "parser/diagnostic.hpp"
#include "runtime/simulate.hpp"

namespace mosim::engine {

Diagnostics diagnostics_of(const parser::Diagnostics& found, const parser::Sources& sources);
Diagnostic diagnostic_of(const runtime::Message& message, const runtime::Program& program);
/// An error about a whole file.
Diagnostic diagnostic_of(const std::string& file, std::string cause, std::string remedy);
Variable variable_of(const runtime::Program& program, const runtime::Variable& variable);
Event event_of(const runtime::Program& program, const runtime::EventRecord& record);
Statistics statistics_of(const runtime::Statistics& statistics);

/// What to say of a name that no variable has: the parts of what has this name, or a name like it.
std::string unknown_variable(const Model& model, std::string_view name);

/// The options of a run. Throws std::invalid_argument for what no run can be.
runtime::Options options_of(const Options& options, const runtime::Program& program);

}  // namespace mosim::engine
