#pragma once
// Trajectories as files.

#include <optional>
#include <string>

#include "runtime/simulate.hpp"

namespace mosim::runtime {

/// The column of --hybrid-time: the number of events so far.
inline constexpr const char* jump_column = "j";

/// hybrid_time adds the column `j` behind `time`, for solutions over (t, j). RFC 4180, first column `time`, names quoted when they hold a comma, shortest digits that read back to the same
/// double, Booleans 0 and 1, enumerations by number. path "-": standard output. Returns what went wrong, if anything.
std::optional<std::string> write_csv(const Program& program, const Result& result, const std::string& path,
                                     bool hybrid_time = false);

/// MATLAB level 4 file in the layout "Atrajectory 1.1, binTrans" that Modelica plotters read: Aclass, name,
/// description, dataInfo, data_1 (parameters and constants), data_2 (trajectories, with `j` behind `time` for hybrid_time).
std::optional<std::string> write_mat(const Program& program, const Result& result, const std::string& path,
                                     bool hybrid_time = false);

/// The program as text: sections, instructions, tables (`mosim --emit program`).
std::string print(const Program& program);

}  // namespace mosim::runtime
