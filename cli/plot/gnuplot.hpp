#pragma once
// Drawing with gnuplot, as a child process that reads a script and answers with the picture.

#include <optional>
#include <string>

#include "cli/plot/style.hpp"
#include "report/picture.hpp"

namespace mosim::cli {

/// Runs gnuplot (5.4 or later, found on the PATH) on a script; what it writes is appended to `output`. Returns what went
/// wrong, if anything. No shell is involved, and no start-up file of the user's is read.
std::optional<std::string> run_gnuplot(const std::string& script, std::string& output);

/// What to do about it if there is no gnuplot, else nothing.
std::optional<std::string> missing_gnuplot();

/// A text as a gnuplot string: quoted, and without control characters.
std::string gnuplot_string(std::string_view text);

/// The data block `$name` of a curve: time and value (in its lane) in lines; "NaN" where there is no value.
std::string data_block(const std::string& name, const report::Curve& curve);

/// `set ytics` at these places alone; nothing for none.
std::string named_ticks(const std::vector<report::Tick>& ticks);

enum class Format { svg, png, pdf };

/// The picture as a file's contents: panels above each other on one time axis, events as vertical lines with their numbers, where these have room. Returns
/// what went wrong, if anything.
std::optional<std::string> draw(const report::Picture& picture, Format format, const PictureStyle& style, std::string& output);

}  // namespace mosim::cli
