#include "cli/plot/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/event_log.hpp"
#include "cli/plot/page_files.hpp"
#include "cli/plot/picture.hpp"

namespace mosim::cli {

namespace {

using Json = nlohmann::ordered_json;
using runtime::Index;
using runtime::Kind;
using runtime::Program;
using runtime::Type;
using runtime::Variable;

/// JSON that can stand in a script element: nothing in it ends the element.
std::string dump(const Json& json) {
  std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  for (std::size_t at = 0; (at = text.find('<', at)) != std::string::npos;) text.replace(at, 1, "\\u003c");
  return text;
}

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) result += c == '<' ? "&lt;" : c == '&' ? "&amp;" : c == '"' ? "&quot;" : std::string(1, c);
  return result;
}

const char* name_of(Kind kind) {
  switch (kind) {
    case Kind::state: return "state";
    case Kind::derivative: return "derivative";
    case Kind::algebraic: return "algebraic";
    case Kind::discrete: return "discrete";
    case Kind::parameter: return "parameter";
    case Kind::constant: return "constant";
  }
  return "";
}

const char* name_of(Type type) {
  switch (type) {
    case Type::real: return "Real";
    case Type::integer: return "Integer";
    case Type::boolean: return "Boolean";
    case Type::enumeration: return "enumeration";
    case Type::string: return "String";
  }
  return "";
}

Json described(const Variable& v) {
  Json j{{"name", v.name}, {"type", name_of(v.type)}, {"kind", name_of(v.kind)}};
  if (!v.unit.empty()) j["unit"] = v.unit;
  if (!v.description.empty()) j["description"] = v.description;
  if (v.type == Type::enumeration) j["literals"] = v.literals;
  if (v.is_protected) j["protected"] = true;
  if (is_stepped(v)) j["steps"] = true;
  return j;
}

/// Columns of data by number; one that several variables share is stored once, one that stays the same is a number.
struct Columns {
  std::vector<std::size_t> kept;                                 // of the trajectory
  std::map<std::pair<runtime::Slot, bool>, std::size_t> known;   // to an index into `kept`
};

void store(Json& j, const Variable& v, const runtime::Trajectory& t, std::size_t column, Columns& columns) {
  const double first = t.values[column];
  bool constant = true;
  for (std::size_t k = column; constant && k < t.values.size(); k += t.width()) constant = t.values[k] == first;
  if (constant) {
    j["value"] = first;
    return;
  }
  const auto [at, is_new] = columns.known.try_emplace({v.slot, v.negated}, columns.kept.size());
  if (is_new) columns.kept.push_back(column);
  j["column"] = at->second;
}

std::string data_of(const runtime::Trajectory& t, const std::vector<std::size_t>& rows, const Columns& columns) {
  std::string text = "[[";
  const auto column = [&](std::size_t c, auto format) {
    for (const std::size_t r : rows) {
      const double x = t.values[r * t.width() + c];
      text += std::isfinite(x) ? fmt::format(format, x) : "null";
      text += ',';
    }
    if (text.back() == ',') text.pop_back();
  };
  column(0, FMT_STRING("{}"));  // all digits: events lie close together
  for (const std::size_t c : columns.kept) {
    text += "],\n[";
    column(c, FMT_STRING("{:.9g}"));
  }
  return text + "]]";
}

/// The log, cut off where it gets too long.
Json shortened(Json log, std::size_t bytes, std::string& note) {
  log.erase("rearmed");  // the page has no use for it
  auto& all = log["events"].get_ref<Json::array_t&>();
  std::size_t used = 0, count = 0;
  for (const Json& event : all) {
    used += dump(event).size();
    if (used > bytes) break;
    ++count;
  }
  if (count < all.size()) {
    note = fmt::format("The first {} of {} events are listed and marked.", count, all.size());
    all.resize(count);
  }
  return log;
}

Json used_sources(const Program& program, const std::vector<SourceText>& sources) {
  std::set<std::string_view> paths;
  for (const runtime::Origin& o : program.origins) paths.insert(o.path);
  Json list = Json::array();
  for (const SourceText& s : sources)
    if (paths.count(s.path)) list.push_back({{"path", s.path}, {"text", s.text}});
  return list;
}

}  // namespace

std::vector<std::size_t> kept_rows(const runtime::Trajectory& t, const std::vector<std::size_t>& columns, std::size_t most) {
  const std::size_t rows = t.rows(), width = t.width();
  std::vector<std::size_t> result;
  if (rows <= most) {
    for (std::size_t r = 0; r < rows; ++r) result.push_back(r);
    return result;
  }
  const auto time = [&](std::size_t r) { return t.values[r * width]; };
  std::vector<std::size_t> pairs;
  for (std::size_t r = 1; r < rows; ++r)
    if (time(r) == time(r - 1)) pairs.insert(pairs.end(), {r - 1, r});
  if (pairs.size() <= most / 2) result = std::move(pairs);
  const std::size_t stretches = std::max<std::size_t>(1, (most - result.size()) / (2 + 2 * columns.size()));
  const double begin = time(0), span = time(rows - 1) - begin;
  const auto stretch = [&](std::size_t r) { return span > 0 ? std::floor((time(r) - begin) / span * double(stretches)) : 0; };
  for (std::size_t from = 0; from < rows;) {
    std::size_t end = from + 1;
    while (end < rows && stretch(end) == stretch(from)) ++end;
    result.insert(result.end(), {from, end - 1});
    for (const std::size_t c : columns) {
      std::size_t low = from, high = from;
      for (std::size_t r = from; r < end; ++r) {
        if (t.values[r * width + c] < t.values[low * width + c]) low = r;
        if (t.values[r * width + c] > t.values[high * width + c]) high = r;
      }
      result.insert(result.end(), {low, high});
    }
    from = end;
  }
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

std::string page(const Program& program, const runtime::Options& options, const runtime::Result& result,
                 const std::vector<SourceText>& sources, const Choice& shown, const PageLimits& limits) {
  const runtime::Trajectory& t = result.trajectory;
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
  for (std::size_t c = 0; c < t.columns.size(); ++c)
    add(t.columns[c], [&](Json& j, const Variable& v) { store(j, v, t, c + 1, columns); });
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

  std::vector<std::size_t> in_focus;
  for (const Index v : shown)
    if (const auto at = std::find(t.columns.begin(), t.columns.end(), v); at != t.columns.end() && in_focus.size() < 8)
      in_focus.push_back(std::size_t(at - t.columns.begin()) + 1);
  const std::size_t most = std::clamp<std::size_t>(limits.numbers / (1 + columns.kept.size()), std::min<std::size_t>(500, limits.rows), limits.rows);
  const std::vector<std::size_t> rows = kept_rows(t, in_focus, most);
  if (rows.size() < t.rows())
    notes.push_back(fmt::format("{} of {} rows are on this page, among them the extremes of what is shown at first; the results file has all.",
                                rows.size(), t.rows()));
  std::string cut;
  Json log = shortened(event_log(program, options, result), limits.log_bytes, cut);
  if (!cut.empty()) notes.push_back(cut);

  Json model{{"model", program.model}, {"description", program.description}, {"start", options.start}, {"stop", options.stop},
             {"reached", result.time}, {"tolerance", options.tolerance}, {"rows", t.rows()}, {"notes", std::move(notes)},
             {"variables", std::move(variables)}, {"sources", used_sources(program, sources)}, {"log", std::move(log)}};

  const std::pair<std::string_view, std::string> parts[] = {
      {"@title@", escaped(program.model)},
      {"@style@", std::string(page_library_style()) + std::string(page_style())},
      {"@library@", std::string(page_library())},
      {"@model@", dump(model)},
      {"@data@", data_of(t, rows, columns)},
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

}  // namespace mosim::cli
