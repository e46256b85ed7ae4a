#include "report/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "report/event_log.hpp"
#include "report/page_files.hpp"
#include "report/picture.hpp"
#include "report/wording.hpp"

namespace mosim::report {

namespace {

using Json = nlohmann::ordered_json;
using runtime::Index;
using runtime::Kind;
using runtime::Program;
using runtime::Type;
using runtime::Variable;

/// JSON that can stand in a script element: nothing in it ends the element.
std::string script_text(const Json& json) {
  std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  for (std::size_t at = 0; (at = text.find('<', at)) != std::string::npos;) text.replace(at, 1, "\\u003c");
  return text;
}

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) result += c == '<' ? "&lt;" : c == '&' ? "&amp;" : c == '"' ? "&quot;" : std::string(1, c);
  return result;
}

Json described(const Variable& v) {
  Json j{{"name", v.name}, {"type", name_of(v.type)}, {"kind", name_of(v.kind)}};
  if (!v.unit.empty()) j["unit"] = v.unit;
  if (std::string text = v.described(); !text.empty()) j["description"] = std::move(text);
  if (v.type == Type::enumeration) j["literals"] = v.literals.list();
  if (v.is_protected) j["protected"] = true;
  if (is_stepped(v)) j["steps"] = true;
  return j;
}

/// The columns of data that the page has, by their numbers in Kept::values.
using Columns = std::vector<std::size_t>;

void store(Json& j, const Kept::Column& column, Columns& columns) {
  if (column.values == Kept::none) {
    j["value"] = column.first;
    return;
  }
  const auto at = std::find(columns.begin(), columns.end(), column.values);
  j["column"] = std::size_t(at - columns.begin());
  if (at == columns.end()) columns.push_back(column.values);
}

std::string data_of(const std::vector<std::vector<double>>& columns) {
  std::string text = "[";
  const auto write = [&](const std::vector<double>& values, auto format) {
    text += text.size() == 1 ? "[" : ",\n[";
    for (const double x : values) {
      text += std::isfinite(x) ? fmt::format(format, x) : "null";
      text += ',';
    }
    if (text.back() == ',') text.pop_back();
    text += ']';
  };
  for (std::size_t k = 0; k < columns.size(); ++k) {
    if (k == 0) write(columns[k], FMT_STRING("{}"));  // all digits: events lie close together
    else write(columns[k], FMT_STRING("{:.9g}"));
  }
  return text + "]";
}

Json used_sources(const Program& program, const std::vector<SourceText>& sources) {
  std::set<std::string_view> paths;
  for (const runtime::Spot& spot : program.origins.spots) paths.insert(spot.path.text());
  Json list = Json::array();
  for (const SourceText& s : sources)
    if (paths.count(s.path)) list.push_back({{"path", s.path}, {"text", s.text}});
  return list;
}

}  // namespace

PageContent page_content(const Recording& run, const std::vector<SourceText>& sources, const Choice& shown, const PageLimits& limits) {
  const Program& program = run.program;
  const runtime::Options& options = run.options;
  const runtime::Result& result = run.result;
  const Kept& kept = run.rows;
  const Events& events = run.events;
  Json notes = Json::array();
  if (result.ending == runtime::Ending::failed)
    for (const runtime::Message& m : result.messages)
      if (m.severity == runtime::Severity::error) notes.push_back(fmt::format("The run failed at {} s: {}", m.time, m.cause));

  Columns columns;
  Json variables = Json::array();
  const auto is_shown = [&](Index v) { return std::find(shown.begin(), shown.end(), v) != shown.end(); };
  const auto order = [&](Index v) { return std::size_t(std::find(shown.begin(), shown.end(), v) - shown.begin()); };
  std::size_t left_out = 0;
  const auto add = [&](Index index, auto&& value) {
    if (variables.size() >= limits.variables && !is_shown(index)) {
      ++left_out;
      return;
    }
    Json j = described(program.variables[index]);
    value(j, program.variables[index]);
    if (is_shown(index)) j["shown"] = order(index);
    variables.push_back(std::move(j));
  };
  for (const Kept::Column& column : kept.columns)
    if (column.changes && column.values == Kept::none) ++left_out;   // its course was not to be kept
    else add(column.variable, [&](Json& j, const Variable&) { store(j, column, columns); });
  for (Index index = 0; index < program.variables.size(); ++index) {
    const Variable& v = program.variables[index];
    if (v.type == Type::string || (v.kind != Kind::parameter && v.kind != Kind::constant)) continue;
    add(index, [&](Json& j, const Variable& p) {
      const double x = p.slot < result.parameters.size() ? result.parameters[p.slot] : program.memory[p.slot];
      j["value"] = !p.negated ? x : p.type == Type::boolean ? 1 - x : -x;
    });
  }
  Json time{{"name", "time"}, {"type", "Real"}, {"kind", "time"}, {"unit", "s"}, {"time", true}};
  if (is_shown(time_itself)) time["shown"] = order(time_itself);
  variables.push_back(std::move(time));
  if (left_out)
    notes.push_back(fmt::format("{} of {} variables are on this page; --plot NAME brings others.", variables.size(), variables.size() + left_out));

  std::vector<const std::vector<double>*> in_focus;
  for (const Index v : shown)
    if (const Kept::Column* const column = kept.column_of(v); column && column->values != Kept::none && in_focus.size() < 8)
      in_focus.push_back(&kept.values[column->values]);
  const std::size_t most = std::clamp<std::size_t>(limits.numbers / (1 + columns.size()), std::min<std::size_t>(500, limits.rows), limits.rows);
  const std::vector<std::size_t> rows = kept_rows(kept.times, in_focus, most);
  if (rows.size() < kept.rows)
    notes.push_back(fmt::format("{} of {} rows are on this page, among them the extremes of what is shown at first; a results file (-o) has all.",
                                rows.size(), kept.rows));
  Json counts;
  Json log = event_log(program, options, result, events, limits.log_bytes, counts);
  log.erase("rearmed");  // the page has no use for it
  std::uint64_t happened = 0;
  for (const Json& count : counts) happened += count.get<std::uint64_t>();
  const bool cut = happened > log["events"].size();
  // In a spell of chattering events are counted alone.
  const runtime::Statistics& s = result.statistics;
  for (const auto& [kind, count] : {std::pair{"state", s.state_events}, std::pair{"time", s.time_events}, std::pair{"clock", s.clock_events}})
    if (!options.record_events) break;
    else if (count > counts.value(kind, std::uint64_t{0})) counts[kind] = count;
  if (cut)
    notes.push_back(fmt::format("The first {} of {} events are listed and marked.", log["events"].size(), happened));

  Json model{{"model", program.model}, {"description", program.description}, {"start", options.start}, {"stop", options.stop},
             {"reached", result.time}, {"tolerance", options.tolerance}, {"rows", kept.rows}, {"events", std::move(counts)}, {"cut", cut}, {"notes", std::move(notes)},
             {"variables", std::move(variables)}, {"sources", used_sources(program, sources)}, {"log", std::move(log)}};
  PageContent content{script_text(model), {}};
  const auto keep = [&](const std::vector<double>& values) {
    std::vector<double>& column = content.columns.emplace_back();
    column.reserve(rows.size());
    for (const std::size_t r : rows) column.push_back(values[r]);
  };
  keep(kept.times);
  for (const std::size_t c : columns) keep(kept.values[c]);
  return content;
}

std::string page(const std::string& title, const PageContent& content) {
  const std::pair<std::string_view, std::string> parts[] = {
      {"@title@", escaped(title)},
      {"@style@", std::string(page_library_style()) + std::string(page_style())},
      {"@library@", std::string(page_library())},
      {"@model@", content.run},
      {"@data@", data_of(content.columns)},
      {"@script@", std::string(page_script())}};
  // Each part once, in the order of the template, so that nothing in a part is taken for a place to fill.
  std::string text;
  std::string_view rest = page_template();
  for (const auto& [mark, part] : parts) {
    const std::size_t at = rest.find(mark);
    text += rest.substr(0, at);
    text += part;
    rest.remove_prefix(at + mark.size());
  }
  return text + std::string(rest);
}

}  // namespace mosim::report
