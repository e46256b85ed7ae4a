#pragma once
// The event log for machines: docs/event-log.md says what is in it.

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "report/event_spool.hpp"
#include "runtime/simulate.hpp"

namespace mosim::report {

/// The log as one JSON object, with as many of the first events as make so many bytes and none of the rearmings; `counts` gets
/// how many events of each kind there were altogether. The run must have had Options::record_events.
nlohmann::ordered_json event_log(const runtime::Program& program, const runtime::Options& options, const runtime::Result& result,
                                 const Events& events, std::size_t bytes, nlohmann::ordered_json& counts);

/// The whole log, as text in a file, event by event. Returns what went wrong, if anything.
std::optional<std::string> write_event_log(const runtime::Program& program, const runtime::Options& options,
                                           const runtime::Result& result, const Events& events, const std::string& path);

}  // namespace mosim::report
