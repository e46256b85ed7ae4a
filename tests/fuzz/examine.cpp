#include "tests/fuzz/examine.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>

#include "compiler/analyse/analyse.hpp"
#include "compiler/compile.hpp"
#include "compiler/expression/print.hpp"
#include "compiler/instantiate/library.hpp"
#include "engine/render.hpp"
#include "parser/parse.hpp"
#include "report/event_log.hpp"
#include "report/event_text.hpp"
#include "report/report.hpp"
#include "runtime/results.hpp"
#include "runtime/simulate.hpp"
#include "verify/verify.hpp"

#include <nlohmann/json.hpp>

namespace mosim::fuzz {

namespace {

constexpr std::uint64_t most_events = 300;
constexpr int most_steps = 3000;
constexpr double longest_run = 2;   // seconds of the model

struct LongEnough {};

// A name that begins with $ is one of ours; texts of the model may hold that sign, but few do.
bool tells_inner_name(const std::string& text, const std::string& model) {
  for (std::size_t at = text.find('$'); at != std::string::npos; at = text.find('$', at + 1))
    if (at + 1 < text.size() && std::isalpha(static_cast<unsigned char>(text[at + 1])) && model.find('$') == std::string::npos) return true;
  return false;
}

std::optional<std::string> simulate_it(const runtime::Program& program, verify::Verifier& verifier, const std::string& text, volatile Stage& stage,
                                       const std::atomic<bool>& interrupt) {
  runtime::Options options;
  options.interrupt = &interrupt;
  options.witness = [&](const runtime::Machine& machine, runtime::Options::Moment moment) { verifier.look(machine, moment); };
  options.start = program.experiment.start.value_or(0);
  options.stop = program.experiment.stop.value_or(options.start + 1);
  if (!std::isfinite(options.start) || !std::isfinite(options.stop)) options.start = 0, options.stop = 1;
  options.stop = std::clamp(options.stop, options.start, options.start + longest_run);
  options.tolerance = std::clamp(program.experiment.tolerance.value_or(1e-6), 1e-10, 1e-2);
  options.intervals = 20;
  options.maximum_events = most_events;
  options.maximum_rounds = 1'000'000;
  options.record_events = true;
  int steps = 0;
  options.progress = [&](double) {
    if (++steps > most_steps) throw LongEnough{};
  };
  stage = Stage::simulate;
  runtime::Result result;
  try {
    result = runtime::simulate(program, options);
  } catch (const LongEnough&) {
    return {};
  }
  stage = Stage::tell;
  std::string said = report::report(program, options, result, {}, "x.csv", 80);
  const auto write = [&](std::string_view piece) { said += piece; };
  const report::Events events = report::events_in(result);
  report::write_event_text(program, options, result, events, write);
  report::write_event_text(program, options, result, events, report::LogPage{}, write);
  nlohmann::ordered_json kinds;
  (void)report::event_log(program, options, result, events, std::size_t(1) << 20, kinds).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  for (const runtime::Message& m : result.messages) said += engine::render(m, program);
  const bool failed = result.ending == runtime::Ending::failed;
  const auto is_error = [](const runtime::Message& m) { return m.severity == runtime::Severity::error; };
  if (failed != std::any_of(result.messages.begin(), result.messages.end(), is_error)) return "a run that fails without an error, or the other way round";
  for (const double value : result.trajectory.values)
    if (!std::isfinite(value)) return "a row with a number that is not finite";
  const verify::Report report = verifier.report();
  // Beside a number of 1e308 the others say nothing where they come out of its differences.
  double largest = 0;
  for (const double value : result.trajectory.values) largest = std::max(largest, std::abs(value));
  const auto counts = [&](const verify::Finding& f) { return f.residual > 4 * std::numeric_limits<double>::epsilon() * largest; };
  // Relations that change faster than they can be looked at are told of.
  const auto is_missed = [](const runtime::Message& m) { return m.cause.find("changes more often than this run can see") != std::string::npos; };
  const bool told = std::any_of(result.messages.begin(), result.messages.end(), is_missed);
  if (!failed && !told && std::any_of(report.violated.begin(), report.violated.end(), counts)) return "an equation does not hold: " + report.violated.front().text;
  if (tells_inner_name(said, text)) return "a name of ours in what the run says: " + said;
  return {};
}

}  // namespace

const char* name_of(Stage stage) {
  static constexpr const char* names[] = {"parse", "flatten", "analyse", "lower", "print", "simulate", "tell", "done"};
  return names[static_cast<int>(stage)];
}

std::optional<std::string> examine(const std::string& text, volatile Stage& stage, const std::atomic<bool>& interrupt) {
  stage = Stage::parse;
  compiler::Reading reading;
  const parser::Diagnostics& diagnostics = reading.diagnostics;
  const parser::Sources& sources = reading.workspace.sources;
  const auto wrong = [&]() -> std::optional<std::string> {
    const std::string said = reading.said();
    if (tells_inner_name(said, text)) return "a name of ours in a message: " + said;
    return {};
  };
  const auto classes = reading.library.read_text("input.mo", text);
  if (classes.empty()) return wrong();
  stage = Stage::flatten;
  compiler::Compilation compilation(reading, {reading.name_of(classes.back()), {}});
  (void)compilation.instances();
  if (!compilation.flat()) {
    if (!parser::has_errors(diagnostics)) return "no flat model, and no error";
    return wrong();
  }
  const auto printed = [](auto print) {
    try {
      (void)print();
    } catch (const compiler::TextTooLong&) {   // an error to the reader
    }
  };
  printed([&] { return compiler::print(*compilation.flat()); });
  stage = Stage::analyse;
  auto& system = compilation.system();
  if (auto finding = wrong()) return finding;
  if (!system) {
    if (!parser::has_errors(diagnostics)) return "no system, and no error";
    return {};
  }
  if (parser::has_errors(diagnostics)) return "a system, and an error";
  stage = Stage::lower;
  const runtime::Program& program = *compilation.program();
  stage = Stage::print;
  printed([&] { return compiler::print(*system, sources); });
  (void)runtime::print(program);
  verify::Verifier verifier(*system, compilation.layout(), sources);
  if (auto finding = simulate_it(program, verifier, text, stage, interrupt)) return finding;
  stage = Stage::done;
  return {};
}

Worth worth_of(const std::string& text) {
  compiler::Reading reading;
  const auto classes = reading.library.read_text("input.mo", text);
  if (parser::has_errors(reading.diagnostics) || classes.empty()) return Worth::broken;
  compiler::Compilation compilation(reading, {reading.name_of(classes.back()), {}});
  return compilation.flat() ? Worth::valid : Worth::readable;
}

}  // namespace mosim::fuzz
