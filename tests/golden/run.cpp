#include "tests/golden/run.hpp"

#include <algorithm>
#include <functional>
#include <stdexcept>

#include "compiler/analyse/analyse.hpp"
#include "compiler/compile.hpp"
#include "compiler/lower/lower.hpp"
#include "verify/verify.hpp"

namespace mosim::golden {
namespace {

std::string qualified(const parser::Names& names, const compiler::StoredClass* c) {
  std::string name;
  for (; c; c = c->parent) name = std::string(names.text(c->name)) + (name.empty() ? "" : "." + name);
  return name;
}

using Read = std::function<std::vector<compiler::StoredClass*>(compiler::Library&)>;

Run run(const Read& read, const Settings& settings, std::string model) {
  Run run;
  parser::Workspace workspace;
  parser::Diagnostics diagnostics;
  compiler::Library library(workspace, diagnostics);
  compiler::add_bundled_library(library);
  const auto classes = read(library);
  if (model.empty() && !classes.empty()) model = qualified(workspace.names, classes.back());
  std::optional<compiler::dae::System> system;
  compiler::Layout layout;
  if (!parser::has_errors(diagnostics)) {
    if (auto flat = compiler::flatten(library, {model, settings.set})) {
      run.flat = compiler::print(*flat);
      system = compiler::analyse(std::move(*flat), workspace.sources, diagnostics);
      if (system) run.program = compiler::lower(*system, workspace.sources, &layout);
    }
  }
  for (const parser::Diagnostic& d : diagnostics) run.diagnostics += parser::render(d, workspace.sources);
  if (!run.program) return run;
  runtime::Options options;
  options.start = settings.start;
  options.stop = settings.stop;
  options.tolerance = settings.tolerance;
  options.intervals = settings.intervals;
  options.record_events = true;
  verify::Verifier verifier(*system, layout, workspace.sources);
  options.witness = [&](const runtime::Machine& m, runtime::Options::Moment moment) { verifier.look(m, moment); };
  run.result = runtime::simulate(*run.program, options);
  // A run that its own equations contradict is no run.
  const verify::Report report = verifier.report();
  if (!report.violated.empty())
    throw std::runtime_error(run.program->model + ": the sides of " + report.violated[0].text + " differ at " + std::to_string(report.violated[0].time));
  return run;
}

}  // namespace

Run run_file(const std::string& file, const Settings& settings, const std::string& model) {
  return run([&](compiler::Library& l) { return l.read(std::string(MOSIM_MODELS) + "/" + file); }, settings, model);
}

Run run_text(const std::string& text, const Settings& settings) {
  return run([&](compiler::Library& l) { return l.read_text("text.mo", text); }, settings, "");
}

std::size_t Run::column(std::string_view name) const {
  const auto& columns = result.trajectory.columns;
  for (std::size_t i = 0; i < columns.size(); ++i)
    if (program->variables[columns[i]].name == name) return i + 1;
  throw std::out_of_range("no variable " + std::string(name) + " in the trajectory");
}

double Run::value(std::string_view name, double t) const {
  const std::size_t c = column(name);
  std::size_t row = 0;
  for (std::size_t i = 0; i < rows() && time(i) <= t; ++i) row = i;
  return at(row, c);
}

std::vector<double> Run::event_times() const {
  std::vector<double> times;
  for (const runtime::EventRecord& e : result.events) {
    if (e.kind == runtime::EventKind::initial || e.kind == runtime::EventKind::terminal) continue;
    if (!e.rearming) times.push_back(e.time);
  }
  return times;
}

std::vector<double> Run::change_times(std::string_view name) const {
  std::vector<double> times;
  for (const runtime::EventRecord& e : result.events)
    for (const auto& change : e.changes)
      if (program->variables[change.variable].name == name) times.push_back(e.time);
  return times;
}

std::string Run::messages() const {
  std::string text;
  for (const runtime::Message& m : result.messages) text += m.cause + "\n";
  return text;
}

}  // namespace mosim::golden
