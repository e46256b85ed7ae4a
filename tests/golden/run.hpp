#pragma once
// A model of models/ (or a text) through every stage, by the library's public headers.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/program.hpp"
#include "runtime/simulate.hpp"

namespace mosim::golden {

struct Settings {
  double start = 0, stop = 1;
  double tolerance = 1e-6;
  std::uint32_t intervals = 2000;
  std::vector<std::string> set{};    // "name = value"
};

struct Run {
  std::string flat;                  // the flat model as text
  std::string diagnostics;           // rendered, of every stage up to the program
  std::optional<runtime::Program> program;
  runtime::Result result;

  /// The column of a variable in the trajectory, by name; throws std::out_of_range if there is none.
  std::size_t column(std::string_view name) const;
  std::size_t rows() const { return result.trajectory.rows(); }
  double time(std::size_t row) const { return at(row, 0); }
  double at(std::size_t row, std::size_t column) const {
    return result.trajectory.values[row * result.trajectory.width() + column];
  }
  /// Value after the last row at or before t (so the one after an event at t).
  double value(std::string_view name, double t) const;
  double last(std::string_view name) const { return at(rows() - 1, column(name)); }
  /// Instants of the events, without the initial and the terminal one, and without those at which a relation does no
  /// more than leave its hysteresis (E4).
  std::vector<double> event_times() const;
  /// Instants at which a discrete variable got a new value.
  std::vector<double> change_times(std::string_view name) const;
  /// All messages of the run, one a line.
  std::string messages() const;
};

/// `file` relative to models/; the last class in it is the model, or `model`.
Run run_file(const std::string& file, const Settings& settings, const std::string& model = "");
/// The text's last class.
Run run_text(const std::string& text, const Settings& settings);

}  // namespace mosim::golden
