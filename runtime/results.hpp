#pragma once
// Trajectories as files, written while the run goes on.

#include <memory>
#include <optional>
#include <string>

#include "runtime/simulate.hpp"
#include "runtime/sink.hpp"

namespace mosim::runtime {

/// The column of --hybrid-time: the number of events so far.
inline constexpr const char* jump_column = "j";

/// What a file of results holds: indices into Program::variables.
struct Contents {
  std::vector<Index> recorded;     // Options::recorded: what a row holds
  std::vector<Index> variables;    // of these, what is written; in order
  std::vector<Index> parameters;   // parameters and constants
  bool hybrid_time = false;        // adds the column `j` behind `time`, for solutions over (t, j)
};
/// All that is recorded; and in `parameters` all parameters and constants that are no Strings.
Contents all_contents(const Program& program);

/// A file that takes rows. They are in it about a second after they were taken, at the latest with the next row, so that a reader
/// finds a whole file at any time. After a failure the file ends with its last whole row.
class ResultFile : public Sink {
 public:
  /// What it has taken is in the file then.
  virtual void flush() = 0;
  /// After the last row: writes what is left. `time`: where the run has come to.
  virtual void finish(double time) = 0;
  /// What went wrong, in one sentence, if anything did.
  virtual std::optional<std::string> problem() const = 0;
  /// errno of the first failure, or 0: EPIPE, where nobody reads any more.
  virtual int error() const = 0;
};

/// RFC 4180, first column `time`, names quoted when they hold a comma, shortest digits that read back to the same double, Booleans 0
/// and 1, enumerations by number; `parameters` are columns behind the variables. path "-": standard output. The program must outlive it.
std::unique_ptr<ResultFile> open_csv(const Program& program, Contents contents, const std::string& path);

/// MATLAB level 4 file in the layout "Atrajectory 1.1, binTrans" that Modelica plotters read: Aclass, name, description, dataInfo,
/// data_1 (`parameters`), data_2 (the variables; those that share a value, or are its opposite, share its row). It needs a file in
/// which one can go back: the number of rows is set each time some are written. The program must outlive it.
std::unique_ptr<ResultFile> open_mat(const Program& program, Contents contents, const std::string& path);

/// The same file, written by a thread of its own once the rows are many; what it says of problems it says when it has written, at the
/// latest with finish().
std::unique_ptr<ResultFile> in_background(std::unique_ptr<ResultFile> file);

/// A whole result, with all of its contents, as such a file. Returns what went wrong, if anything.
std::optional<std::string> write_csv(const Program& program, const Result& result, const std::string& path, bool hybrid_time = false);
std::optional<std::string> write_mat(const Program& program, const Result& result, const std::string& path, bool hybrid_time = false);

/// The program as text: sections, instructions, tables (`mosim --emit program`).
std::string print(const Program& program);

}  // namespace mosim::runtime
