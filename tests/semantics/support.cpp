#include "tests/semantics/support.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <span>
#include <stdexcept>
#include <variant>

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

#include "compiler/compile.hpp"
#include "program/file.hpp"
#include "tests/same_run.hpp"
#include "verify/verify.hpp"

namespace mosim::tests {

std::size_t Run::column(const std::string& variable) const {
  for (std::size_t k = 0; k < result.trajectory.columns.size(); ++k)
    if (program.variables[result.trajectory.columns[k]].name == variable) return k + 1;
  return 0;
}

double Run::at(const std::string& variable, double time) const {
  const auto& t = result.trajectory;
  const std::size_t c = column(variable);
  double value = std::numeric_limits<double>::quiet_NaN();
  if (c == 0) return value;
  for (std::size_t r = 0; r < t.rows() && t.values[r * t.width()] <= time; ++r) value = t.values[r * t.width() + c];
  return value;
}

double Run::final(const std::string& variable) const { return at(variable, std::numeric_limits<double>::infinity()); }

double Run::initial(const std::string& variable) const {
  const std::size_t c = column(variable);
  return c && result.trajectory.rows() ? result.trajectory.values[c] : std::numeric_limits<double>::quiet_NaN();
}

std::vector<double> Run::event_times() const {
  std::vector<double> times;
  const auto& t = result.trajectory;
  for (std::size_t r = 1; r < t.rows(); ++r)
    if (t.values[r * t.width()] == t.values[(r - 1) * t.width()] &&
        (times.empty() || times.back() != t.values[r * t.width()]))
      times.push_back(t.values[r * t.width()]);
  return times;
}

bool Run::is_state(const std::string& variable) const {
  return std::any_of(program.states.begin(), program.states.end(), [&](const auto& s) { return program.variables[s.variable].name == variable; });
}

std::uint64_t Run::events() const {
  const auto& s = result.statistics;
  return s.state_events + s.time_events + s.clock_events;
}

std::string Run::message() const {
  std::string all;
  for (const auto& m : result.messages) all += m.cause + "\n";
  return all;
}

// What runs is what a file brings back, and that is the same program.
static runtime::Program through_a_file(runtime::Program program) {
  const std::string bytes = program::write(program, {});
  auto read = program::read(std::as_bytes(std::span(bytes)));
  if (const auto* problem = std::get_if<program::Problem>(&read)) throw std::runtime_error("a compiled model cannot be read: " + problem->cause);
  BOOST_TEST((program::write(std::get<program::Model>(read).program, {}) == bytes), "a compiled model is another one when it is read again");
  return std::move(std::get<program::Model>(read).program);
}

runtime::Solver& solver() {
  static runtime::Solver used = [] {
    const char* const name = std::getenv("MOSIM_SOLVER");
    if (!name) return runtime::Solver::bdf;
    const std::string_view names[]{"bdf", "adams", "esdirk", "erk", "auto"};
    for (std::size_t k = 0; k < std::size(names); ++k)
      if (names[k] == name) return static_cast<runtime::Solver>(k);
    throw std::runtime_error("MOSIM_SOLVER is none of the solvers");
  }();
  return used;
}

Run run(const std::string& text, double stop, double tolerance, std::uint32_t intervals, const std::string& library) {
  compiler::Reading reading;
  if (!library.empty()) reading.library.add_bundled("L", "L.mo", library);
  Run r;
  const auto classes = reading.library.read_text("test.mo", text);
  if (!classes.empty()) {
    compiler::Compilation compilation(reading, {std::string(reading.workspace.names.text(classes.back()->name)), {}});
    if (compilation.program()) {
      r.compiled = true;
      r.program = through_a_file(*compilation.program());
      verify::Verifier verifier(*compilation.system(), compilation.layout(), reading.workspace.sources);
      runtime::Options options;
      options.stop = stop;
      options.tolerance = tolerance;
      options.intervals = intervals;
      options.solver = solver();
      options.short_run = 0;
      options.record_events = true;
      options.witness = [&](const runtime::Machine& m, runtime::Options::Moment moment) { verifier.look(m, moment); };
      r.result = runtime::simulate(r.program, options);
      // Machine code from the first evaluation on, or none: nobody can tell.
      options.witness = nullptr;
      options.interpreted = 0;
      const runtime::Result again = runtime::simulate(r.program, options);
      BOOST_TEST(same_run(again, r.result), "machine code gives another run of " << text);
      for (const verify::Finding& f : verifier.report().violated)
        BOOST_ERROR(fmt::format("at {} the sides of {} differ by {} in {}", f.time, f.text, f.residual, text));
    }
  }
  r.diagnostics = reading.said();
  return r;
}

std::string complaints(const std::string& text) { return run(text, 0.01).diagnostics; }

}  // namespace mosim::tests
