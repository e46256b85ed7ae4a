#pragma once
// --plot and --plot-to.

#include <optional>
#include <string>
#include <vector>

#include "cli/plot/style.hpp"
#include "report/page.hpp"

namespace mosim::cli {

/// How a terminal draws.
struct Screen {
  int columns = 80, rows = 24;
  bool colour = false;
  bool braille = true;        // else plain characters
};
/// The terminal behind a descriptor, as it and the environment (COLUMNS, LINES, TERM, NO_COLOR, LC_ALL, LC_CTYPE, LANG) say.
Screen screen_of(int descriptor);

/// Can this be drawn? `variables` is the list of --plot, `file` the argument of --plot-to; either may be empty. To be asked
/// before the run. Returns what is wrong, if anything.
std::optional<std::string> check_plot(const runtime::Program& program, const std::string& variables, const std::string& file);

/// What a run has to keep for it, of all that could be recorded.
report::Wanted wanted_for_plot(const runtime::Program& program, const std::string& variables, const std::string& file);

/// Appends a drawing of the listed variables to `text`.
std::optional<std::string> plot_on_screen(const report::Recording& run, const std::string& variables, const Screen& screen, std::string& text);

/// Writes a drawing to a file, by its ending .svg, .png, .pdf or .html. `variables` chooses what is shown; empty: states and
/// discrete variables that change. `sources` go into the page; the pictures do without them.
std::optional<std::string> plot_to_file(const report::Recording& run, const std::vector<report::SourceText>& sources, const std::string& variables,
                                        const std::string& file, const PictureStyle& style);

/// A page shows the events with all that happened in them; a picture their instants alone.
bool needs_whole_events(const std::string& file);

}  // namespace mosim::cli
