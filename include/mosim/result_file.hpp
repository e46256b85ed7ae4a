#pragma once
// Results as files, written while the run goes on.
//
//   mosim::ResultFile file(model, "ball.csv", {.hybrid_time = true});
//   mosim::Result result = model->simulate({.stop = 3, .file = &file});
//   if (file.error() != 0) std::cerr << file.problem();

#include "mosim/session.hpp"

namespace mosim {

enum class ResultFormat : std::uint8_t {
  csv,   // RFC 4180: first column `time`, plain names, shortest digits that read back to the same double, Booleans 0 and 1, enumerations by number
  mat,   // MATLAB level 4 in the layout "Atrajectory 1.1, binTrans" that Modelica plotters read; in a file in which one can go back
};

struct ResultFileOptions {
  std::optional<ResultFormat> format{};                 // else by the ending of the path, .csv or .mat
  /// Names of variables, and patterns with * and ?; else all but what is hidden. A parameter that is named is a column, too.
  std::optional<std::vector<std::string>> results{};
  bool parameters = false;                              // all parameters and constants (of these patterns); a .mat file has them anyway
  bool hybrid_time = false;                             // behind `time` the column `j`, the number of events so far
  bool background = false;                              // a thread of its own writes it, once the rows are many; what goes wrong is known some rows later
};

/// A file that takes the rows of one run, given to it by Options::file. They are in it about a second after they are final, at the latest with the
/// next row, so that a reader finds a whole file at any time; memory does not grow with them. After a failure it ends with its last whole row.
class ResultFile {
public:
  /// Makes the file, or empties it; whether that worked, error() says. path "-": standard output. Throws std::invalid_argument for an ending of neither
  /// format, a name that no variable has, a String, and for hybrid time where a variable has the name j.
  ResultFile(std::shared_ptr<const Model> model, const std::string& path, const ResultFileOptions& options = {});
  ~ResultFile();
  ResultFile(ResultFile&&) noexcept;
  ResultFile& operator=(ResultFile&&) noexcept;

  /// errno of the first failure, or 0: EPIPE, where nobody reads any more. It does not end the run with a failure, but ends it.
  int error() const;
  /// What went wrong, in one sentence; empty: nothing.
  std::string problem() const;

  struct Impl;

private:
  friend class Run;
  std::unique_ptr<Impl> impl_;
};

/// What such a file holds, as a table in CSV: name, unit, displayUnit, type, kind, description; a line for each column of it. Throws as ResultFile does.
std::string describe(const Model& model, const ResultFileOptions& options = {});

}  // namespace mosim
