#pragma once
// The event log for machines: docs/event-log.md says what is in it.

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "runtime/simulate.hpp"

namespace mosim::cli {

/// The log as one JSON object. The run must have had Options::record_events.
nlohmann::ordered_json event_log(const runtime::Program& program, const runtime::Options& options,
                                 const runtime::Result& result);

/// As for `event_log`, as text in a file. Returns what went wrong, if anything.
std::optional<std::string> write_event_log(const runtime::Program& program, const runtime::Options& options,
                                           const runtime::Result& result, const std::string& path);

}  // namespace mosim::cli
