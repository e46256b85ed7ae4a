#include "cli/results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "cli/compiled.hpp"
#include "report/names.hpp"
#include "report/wording.hpp"
#include "runtime/file.hpp"

namespace mosim::cli {

using namespace report;

namespace {

using runtime::Contents;
using runtime::Index;
using runtime::Program;
using runtime::Variable;

void append_cell(std::string& line, const std::string& cell) {
  if (cell.find_first_of(",\"\r\n") == std::string::npos) {
    line += cell;
    return;
  }
  line += '"';
  for (const char c : cell) line += c == '"' ? std::string("\"\"") : std::string(1, c);
  line += '"';
}

}  // namespace

std::variant<Format, std::string> format_of_output(const std::string& output) {
  if (output == "none") return Format::none;
  if (output == "-") return Format::csv;
  const std::string ending = std::filesystem::path(output).extension().string();
  if (ending == ".csv") return Format::csv;
  std::error_code error;
  const auto status = std::filesystem::status(output, error);
  const bool is_special = std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) && !std::filesystem::is_directory(status);
  if (ending == ".mat") {
    if (is_special) return fmt::format("{} is no file in which one can go back, as a .mat file needs it; CSV can go there", output);
    return Format::mat;
  }
  if (is_special) return Format::csv;
  return fmt::format("results are written as .csv or .mat, not as {}{}", output,
                     ending == compiled_ending ? fmt::format("; a compiled model is: mosim compile MODEL.mo -o {}", output) : "");
}

std::variant<Contents, std::string> choose_results(const Program& program, const std::string& patterns, Format format, bool parameters) {
  const Contents all = runtime::all_contents(program);
  Contents chosen;
  if (format == Format::none) return chosen;
  const bool any_parameter = format == Format::mat || parameters;
  if (patterns.empty()) {
    const auto shown = [&](Index k) { return !program.variables[k].hidden; };
    std::copy_if(all.variables.begin(), all.variables.end(), std::back_inserter(chosen.variables), shown);
    if (any_parameter) std::copy_if(all.parameters.begin(), all.parameters.end(), std::back_inserter(chosen.parameters), shown);
  } else {
    std::set<Index> wanted;
    for (const std::string& pattern : split_names(patterns)) {
      if (pattern == "time") continue;   // it is there in any case
      const std::vector<Index> found = find_variables(program, pattern);
      if (found.empty()) return "--results: " + unknown_name(program, pattern, "write", "written");
      const bool by_name = !has_wildcards(pattern) || program.variables[found.front()].name == pattern;
      for (const Index k : found) {
        const Variable& v = program.variables[k];
        if (v.type == runtime::Type::string) {
          if (by_name) return fmt::format("--results: {} is a String; files of results have numbers only", v.name);
          continue;
        }
        const bool is_parameter = v.kind == runtime::Kind::parameter || v.kind == runtime::Kind::constant;
        if (!is_parameter || by_name || any_parameter) wanted.insert(k);
      }
    }
    const auto is_wanted = [&](Index k) { return wanted.count(k) > 0; };
    std::copy_if(all.variables.begin(), all.variables.end(), std::back_inserter(chosen.variables), is_wanted);
    std::copy_if(all.parameters.begin(), all.parameters.end(), std::back_inserter(chosen.parameters), is_wanted);
  }
  chosen.recorded = chosen.variables;
  return chosen;
}

std::optional<std::string> describe_results(const Program& program, const Contents& contents, const std::string& path) {
  runtime::File file(path);
  const auto add = [&](std::initializer_list<std::string> cells) {
    for (const std::string& cell : cells) {
      if (&cell != cells.begin()) file.buffer += ',';
      append_cell(file.buffer, cell);
    }
    file.buffer += '\n';
  };
  add({"name", "unit", "displayUnit", "type", "kind", "description"});
  add({"time", "s", "", "Real", "time", "Time"});
  if (contents.hybrid_time) add({runtime::jump_column, "", "", "Integer", "discrete", "Number of events so far"});
  for (const std::vector<Index>* list : {&contents.variables, &contents.parameters})
    for (const Index k : *list) {
      const Variable& v = program.variables[k];
      add({v.name, v.unit, v.display_unit, name_of(v.type), name_of(v.kind), v.description});
    }
  (void)file.close();
  return file.problem();
}

}  // namespace mosim::cli
