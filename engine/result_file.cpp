#include "engine/result_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <stdexcept>

#include "engine/model.hpp"
#include "report/names.hpp"
#include "report/wording.hpp"
#include "runtime/contents.hpp"

namespace mosim {

using runtime::Contents;
using runtime::Index;

namespace {

ResultFormat format_of(const std::string& path, const ResultFileOptions& options) {
  if (options.format) return *options.format;
  const std::string ending = std::filesystem::path(path).extension().string();
  if (path == "-" || ending == ".csv") return ResultFormat::csv;
  if (ending == ".mat") return ResultFormat::mat;
  throw std::invalid_argument(fmt::format("results are written as .csv or .mat, not as {}", path));
}

bool is_parameter(const runtime::Variable& v) { return v.kind == runtime::Kind::parameter || v.kind == runtime::Kind::constant; }

/// Variables that the patterns mean.
std::set<Index> wanted_by(const std::vector<std::string>& patterns, const runtime::Program& program, bool any_parameter) {
  std::set<Index> wanted;
  for (const std::string& pattern : patterns) {
    if (pattern == "time") continue;   // it is there in any case
    const std::vector<Index> found = report::find_variables(program, pattern);
    if (found.empty()) throw std::invalid_argument(report::unknown_name(program, pattern, "write", "written"));
    const bool by_name = !report::has_wildcards(pattern) || program.variables[found.front()].name == pattern;
    for (const Index k : found) {
      const runtime::Variable& v = program.variables[k];
      if (v.type == runtime::Type::string) {
        if (by_name) throw std::invalid_argument(fmt::format("{} is a String; files of results have numbers only", v.name));
        continue;
      }
      if (!is_parameter(v) || by_name || any_parameter) wanted.insert(k);
    }
  }
  return wanted;
}

Contents contents_of(const runtime::Program& program, ResultFormat format, const ResultFileOptions& options) {
  const Contents all = runtime::all_contents(program);
  Contents chosen;
  const auto take = [&](const std::vector<Index>& from, std::vector<Index>& into, auto is_wanted) { std::copy_if(from.begin(), from.end(), std::back_inserter(into), is_wanted); };
  const bool any_parameter = format == ResultFormat::mat || options.parameters;
  if (options.results) {
    const std::set<Index> wanted = wanted_by(*options.results, program, any_parameter);
    const auto is_wanted = [&](Index k) { return wanted.contains(k); };
    take(all.variables, chosen.variables, is_wanted);
    take(all.parameters, chosen.parameters, is_wanted);
  } else {
    const auto is_shown = [&](Index k) { return !program.variables[k].hidden; };
    take(all.variables, chosen.variables, is_shown);
    if (any_parameter) take(all.parameters, chosen.parameters, is_shown);
  }
  chosen.recorded = chosen.variables;
  chosen.hybrid_time = options.hybrid_time;
  if (options.hybrid_time && std::any_of(program.variables.begin(), program.variables.end(), [](const auto& v) { return v.name == runtime::jump_column; }))
    throw std::invalid_argument("hybrid time adds a column j, but the model has a variable of that name");
  return chosen;
}

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

ResultFile::Impl::Impl(std::shared_ptr<const Model> of, const std::string& path, const ResultFileOptions& options) : model(std::move(of)) {
  const runtime::Program& program = model->impl_->program;
  const ResultFormat format = format_of(path, options);
  contents = contents_of(program, format, options);
  file = format == ResultFormat::csv ? runtime::open_csv(program, contents, path) : runtime::open_mat(program, contents, path);
  if (options.background) file = runtime::in_background(std::move(file));
}

void ResultFile::Impl::attach(const Model& to, const std::vector<Index>& recorded) {
  if (model.get() != &to) throw std::invalid_argument(fmt::format("the file of results is for the model {}, and this is another one", model->name()));
  if (is_attached) throw std::invalid_argument("the file of results has the rows of another run: each needs its own");
  is_attached = true;
  if (recorded == contents.recorded) return;
  Contents among = contents;
  among.recorded = recorded;
  positions = runtime::positions_in_row(among);
  positions.insert(positions.begin(), 0);   // time
  own.resize(positions.size());
}

bool ResultFile::Impl::take(std::span<const double> row, std::uint64_t jumps) {
  time = row[0];
  if (positions.empty()) return file->take(row, jumps);
  for (std::size_t k = 0; k < positions.size(); ++k) own[k] = row[positions[k]];
  return file->take(own, jumps);
}

void ResultFile::Impl::finish(double reached) {
  if (!is_finished) file->finish(reached);
  is_finished = true;
}

ResultFile::ResultFile(std::shared_ptr<const Model> model, const std::string& path, const ResultFileOptions& options)
    : impl_(std::make_unique<Impl>(std::move(model), path, options)) {}
ResultFile::~ResultFile() = default;
ResultFile::ResultFile(ResultFile&&) noexcept = default;
ResultFile& ResultFile::operator=(ResultFile&&) noexcept = default;

int ResultFile::error() const { return impl_->file->error(); }
std::string ResultFile::problem() const { return impl_->file->problem().value_or(""); }

std::string describe(const Model& model, const ResultFileOptions& options) {
  const runtime::Program& program = model.impl_->program;
  const Contents contents = contents_of(program, options.format.value_or(ResultFormat::csv), options);
  std::string table;
  const auto add = [&](std::initializer_list<std::string> cells) {
    for (const std::string& cell : cells) {
      if (&cell != cells.begin()) table += ',';
      append_cell(table, cell);
    }
    table += '\n';
  };
  add({"name", "unit", "displayUnit", "type", "kind", "description"});
  add({"time", "s", "", "Real", "time", "Time"});
  if (contents.hybrid_time) add({runtime::jump_column, "", "", "Integer", "discrete", "Number of events so far"});
  for (const std::vector<Index>* list : {&contents.variables, &contents.parameters})
    for (const Index k : *list) {
      const runtime::Variable& v = program.variables[k];
      add({v.name, v.unit, v.display_unit, report::name_of(v.type), report::name_of(v.kind), v.described()});
    }
  return table;
}

}  // namespace mosim
