#include "tests/golden/run.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <stdexcept>

#include "compiler/compile.hpp"
#include "tests/same_run.hpp"
#include "verify/verify.hpp"

namespace mosim::golden {
namespace {

using Read = std::function<std::vector<compiler::StoredClass*>(compiler::Library&)>;

Run run(const Read& read, const Settings& settings, std::string model) {
  Run run;
  compiler::Reading reading;
  const auto classes = read(reading.library);
  if (model.empty() && !classes.empty()) model = reading.name_of(classes.back());
  compiler::Compilation compilation(reading, {model, settings.set});
  if (!parser::has_errors(reading.diagnostics)) {
    if (compilation.flat()) run.flat = compiler::print(*compilation.flat());
    run.program = compilation.program();
  }
  run.diagnostics = reading.said();
  if (!run.program) return run;
  runtime::Options options;
  options.start = settings.start;
  options.stop = settings.stop;
  options.tolerance = settings.tolerance;
  options.intervals = settings.intervals;
  options.record_events = true;
  verify::Verifier verifier(*compilation.system(), compilation.layout(), reading.workspace.sources);
  options.witness = [&](const runtime::Machine& m, runtime::Options::Moment moment) { verifier.look(m, moment); };
  run.result = runtime::simulate(*run.program, options);
  // A run that its own equations contradict is no run.
  const verify::Report report = verifier.report();
  if (!report.violated.empty())
    throw std::runtime_error(run.program->model + ": the sides of " + report.violated[0].text + " differ at " + std::to_string(report.violated[0].time));
  // Machine code from the first evaluation on, or none: nobody can tell.
  options.witness = nullptr;
  for (const std::uint64_t interpreted : {std::uint64_t(0), std::numeric_limits<std::uint64_t>::max()}) {
    options.interpreted = interpreted;
    const runtime::Result again = runtime::simulate(*run.program, options);
    if (!tests::same_run(again, run.result))
      throw std::runtime_error(run.program->model + ": machine code gives other results");
  }
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
