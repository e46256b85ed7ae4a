#pragma once
// The command line.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/output.hpp"
#include "cli/plot/style.hpp"

namespace mosim::cli {

struct Arguments {
  bool compile = false;                // `mosim compile`: output is a .mosim file
  std::vector<std::string> files;
  std::string model;
  std::vector<std::string> libraries;
  std::optional<double> start, stop, tolerance, interval, hysteresis;
  std::optional<std::uint32_t> intervals;
  std::vector<std::string> settings;
  std::string output;                  // empty: not given
  std::string results;                 // --results
  bool parameters = false;             // --parameters: columns of the CSV, too
  std::string describe;                // --describe FILE.csv
  std::string plot, plot_to;
  PictureStyle picture;                // --plot-title, --plot-size, --plot-font
  bool check = false;
  std::string emit;
  std::string solver = "auto";
  bool quiet = false;
  bool events = false;                 // --events: the log on standard output
  std::string events_file;             // --events FILE.json
  bool verify = false;
  bool native_code = false;            // --native-code
  bool hybrid_time = false;
  std::optional<std::uint64_t> maximum_events;
  bool interpret = false;
  std::optional<double> time_limit;    // seconds
};

/// Reads the arguments; on --help or a wrong argument it says what there is to say and gives the exit status.
std::optional<int> parse_arguments(int argc, const char* const* argv, Arguments& arguments, Streams& streams);

}  // namespace mosim::cli
