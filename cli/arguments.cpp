#include "cli/arguments.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <sstream>
#include <string_view>

#include "cli/mistaken.hpp"
#include "cli/subcommand.hpp"
#include "mosim/session.hpp"

namespace mosim::cli {

namespace {

constexpr const char* printed = "-";

/// `--events MODEL.mo` (or .mosim) prints the log of a model, `--events LOG.json` writes it: the value is optional, and told by its
/// ending. Any other word there that is no file was meant to be one for the log. Last argument first, as CLI11 wants them.
std::vector<std::string> separate_events(int argc, const char* const* argv) {
  std::vector<std::string> list;
  for (int k = argc - 1; k > 0; --k) {
    std::string argument = argv[k];
    if (argument == "--events") {
      const bool has_file = !list.empty() && !list.back().starts_with('-') && !list.back().ends_with(".mo") && !list.back().ends_with(".mosim") &&
                            ((list.back().size() > 5 && list.back().ends_with(".json")) || !std::filesystem::exists(list.back()));
      if (!has_file) list.push_back(printed);
    }
    list.push_back(std::move(argument));
  }
  return list;
}

/// What CLI11 has to say: its help, or a mistake. It has codes of its own for each kind of mistake; ours is one.
int say(const CLI::App& app, const CLI::ParseError& e, Streams& streams) {
  std::ostringstream out, err;
  const int status = app.exit(e, out, err) == 0 ? 0 : 1;
  streams.out.say(out.str());
  streams.err.say(err.str());
  return status;
}

void add_library(CLI::App& app, Arguments& a) {
  app.add_option("-L,--library", a.libraries, "a package folder, a .mo file, or a folder of packages; repeatable")
      ->option_text("PATH")
      ->allow_extra_args(false);
}

void add_settings(CLI::App& app, Arguments& a) {
  app.add_option("-s,--set", a.settings, "override a parameter or a start value; repeatable")
      ->option_text("NAME=VALUE")
      ->allow_extra_args(false);
}

void check_model_is_named(const Arguments& a) {
  if (a.files.empty() && a.model.empty())
    throw CLI::ValidationError("mosim", "name a Modelica file, or a model with --model and a library with -L");
}

/// mosim compile ...: the words behind that.
std::optional<int> parse_compile(std::vector<std::string> words, Arguments& a, Streams& streams) {
  a.compile = true;
  CLI::App app{"Compiles a Modelica model to a file, which mosim runs in its place: mosim FILE.mosim [options of a run].", "mosim compile"};
  app.add_option("FILE", a.files, "Modelica files; the last model of the last one is compiled")->option_text("FILE.mo...");
  app.add_option("-m,--model", a.model, "class to compile, dotted")->option_text("NAME");
  add_library(app, a);
  add_settings(app, a);
  app.add_option("-o,--output", a.output, "the file that is written, whose name ends in .mosim")->option_text("FILE.mosim");
  app.add_flag("--native-code", a.native_code, "C functions of the model's own may be called: they run with your rights; a run needs the option, too");
  app.add_flag("--quiet", a.quiet, "say nothing if all is well");
  try {
    if (const std::string mistake = mistaken_argument(app, words); !mistake.empty()) throw CLI::ValidationError("mosim compile", mistake);
    std::reverse(words.begin(), words.end());   // as CLI11 wants them
    app.parse(words);
    if (a.output.empty()) throw CLI::ValidationError("--output", "name the file to write: -o FILE.mosim");
    if (!a.output.ends_with(".mosim")) throw CLI::ValidationError("--output", "a compiled model is written as .mosim, not as '" + a.output + "'");
    for (const std::string& file : a.files)
      if (file.ends_with(".mosim")) throw CLI::ValidationError("mosim compile", file + " is compiled already; name a Modelica file");
    check_model_is_named(a);
  } catch (const CLI::ParseError& e) {
    return say(app, e, streams);
  }
  return {};
}

}  // namespace

std::optional<int> parse_arguments(int argc, const char* const* argv, Arguments& a, Streams& streams) {
  if (argc > 1 && std::string_view(argv[1]) == "compile") return parse_compile({argv + 2, argv + argc}, a, streams);
  std::vector<std::string> events;
  std::string size_of_picture, font_of_picture;
  CLI::App app{"Simulates Modelica models and says what happened.", "mosim"};
  app.footer("mosim compile FILE.mo... -o FILE.mosim compiles a model to a file, to be run in its place: mosim compile --help\n"
             "mosim study FILE.mo... --vary NAME=VALUES --report MEASURES makes a table of many runs: mosim study --help\n"
             "mosim check-submission FILE.mo... --against REFERENCE.mo compares what others wrote with a reference: mosim check-submission --help\n"
             "mosim course LESSON.md -o LESSON.html makes a page with steps, an editor and questions: mosim course --help");
  app.add_option("FILE", a.files, "Modelica files; the last model of the last one is simulated. Or one FILE.mosim: a compiled model")->option_text("FILE.mo...");
  app.add_option("-m,--model", a.model, "class to simulate, dotted")->option_text("NAME");
  add_library(app, a);
  app.add_option("--start", a.start, "start time (the model's experiment annotation, else 0)")->option_text("T");
  app.add_option("--stop", a.stop, "stop time (the annotation, else 1)")->option_text("T");
  app.add_option("--tolerance", a.tolerance, "relative tolerance (the annotation, else 1e-6)")->option_text("R");
  auto* intervals = app.add_option("--intervals", a.intervals, "number of output intervals (500)")->option_text("N");
  app.add_option("--interval", a.interval, "length of an output interval; the last one ends at the stop time")->option_text("H")->excludes(intervals);
  add_settings(app, a);
  app.add_option("-o,--output", a.output, ".csv or .mat by its ending, '-' for CSV on standard output, none for none (MODEL_res.csv)")
      ->option_text("FILE");
  app.add_option("--results", a.results, "the variables that are written: names, and patterns with * and ?")->option_text("PATTERN,...");
  app.add_flag("--parameters", a.parameters, "parameters and constants are columns of a CSV file, too");
  app.add_option("--describe", a.describe, "write a table of the results' names, units and descriptions")->option_text("FILE.csv");
  app.add_option("--plot", a.plot, "draw variables in the terminal, or choose those of --plot-to")->option_text("VAR,VAR...");
  app.add_option("--plot-to", a.plot_to, "draw to a file: .svg, .png, .pdf or .html by its ending")->option_text("FILE");
  auto* title = app.add_option("--plot-title", a.picture.title, "title of the picture of --plot-to (the model's name)")->option_text("TEXT");
  auto* size = app.add_option("--plot-size", size_of_picture, "its size in pixels (960 wide, and as high as it has to be)")->option_text("WxH");
  auto* font = app.add_option("--plot-font", font_of_picture, "its font, the size of that in pixels, or both (sans-serif,13)")->option_text("NAME,SIZE");
  app.add_flag("--check", a.check, "stop after compiling: is it a valid model?");
  app.add_option("--emit", a.emit, "print syntax, instance, flat, dae or program, and stop")
      ->option_text("STAGE")
      ->check(CLI::IsMember({"syntax", "instance", "flat", "dae", "program"}));
  add_solver_option(app, a.solver);
  app.add_option("--hysteresis", a.hysteresis, "how far a relation must be left before it can fire again")->option_text("R");
  app.add_option("--events", events, "print the event log; with a name that ends in .json, write it there")
      ->option_text("[FILE.json]")
      ->allow_extra_args(false);
  app.add_flag("--verify", a.verify, "evaluate the equations as written at every row, by a path of their own");
  app.add_flag("--native-code", a.native_code, "C functions of the model's own may be called: they run with your rights");
  app.add_flag("--hybrid-time", a.hybrid_time, "add the column j, the number of events so far");
  app.add_option("--max-events", a.maximum_events, "stop after so many events")
      ->option_text("J")
      ->check([](const std::string& text) {
        return text.find('-') == std::string::npos ? std::string() : "a number of events is not negative, as " + text + " is";
      });
  app.add_flag("--interpret", a.interpret, "make no machine code of what runs often: the results are the same, later");
  app.add_option("--time-limit", a.time_limit, "end the run after so many seconds of real time, with exit status 124")
      ->option_text("SECONDS");
  app.add_flag("--quiet", a.quiet, "no report");
  app.set_version_flag("--version", fmt::format("mosim {}", version()));
  try {
    if (const std::string mistake = mistaken_argument(app, {argv + 1, argv + argc}); !mistake.empty())
      throw CLI::ValidationError("mosim", mistake);
    app.parse(separate_events(argc, argv));
    for (const std::string& where : events) {
      if (where == printed) {
        a.events = true;
      } else {
        a.events_file = where;
      }
    }
    const auto positive = [](const std::optional<double>& v, const char* what) {
      if (v && !(*v > 0)) throw CLI::ValidationError(what, "must be a positive number");
    };
    positive(a.tolerance, "--tolerance");
    if (a.tolerance && !(*a.tolerance < 1))
      throw CLI::ValidationError("--tolerance", fmt::format("is relative, and a result that may be off by {:g} times itself says nothing: "
                                                            "give a number below 1, such as 1e-6", *a.tolerance));
    positive(a.time_limit, "--time-limit");
    if (app.count("--output") && a.output.empty())
      throw CLI::ValidationError("--output", "names no file; give one, '-' for standard output, or none");
    if (a.output == "/dev/stdout") a.output = printed;
    if (app.count("--describe") && !a.describe.ends_with(".csv"))
      throw CLI::ValidationError("--describe", "the table is written as .csv, not as '" + a.describe + "'");
    if (app.count("--plot-to") && a.plot_to.empty()) throw CLI::ValidationError("--plot-to", "names no file");
    for (const auto* option : {title, size, font}) {
      if (option->count() == 0) continue;
      const std::string& to = a.plot_to;
      if (to.empty()) throw CLI::ValidationError(option->get_name(), "is about the picture of --plot-to: add --plot-to FILE.png");
      if (to.ends_with(".html")) throw CLI::ValidationError(option->get_name(), "is about pictures (.svg, .png and .pdf), and --plot-to writes a page");
    }
    if (size->count() > 0 && !(a.picture.size = picture_size(size_of_picture)))
      throw CLI::ValidationError("--plot-size", "is a width and a height between 100 and 10000 pixels, as in 1280x720, and not '" + size_of_picture + "'");
    if (font->count() > 0)
      if (const auto problem = set_font(a.picture, font_of_picture)) throw CLI::ValidationError("--plot-font", *problem);
    if (app.count("--results") && a.results.find_first_not_of(", ") == std::string::npos)
      throw CLI::ValidationError("--results", "names no variable; list some, as in --results 'h,motor.*', or write no results with -o none");
    if (app.count("--plot") && a.plot.find_first_not_of(", ") == std::string::npos)
      throw CLI::ValidationError("--plot", "names no variable; list some, as in --plot h,v");
    positive(a.interval, "--interval");
    if (a.hysteresis && !(*a.hysteresis >= 0 && std::isfinite(*a.hysteresis)))
      throw CLI::ValidationError("--hysteresis", "must be a number that is not negative");
    if (a.intervals && *a.intervals == 0) throw CLI::ValidationError("--intervals", "must be at least 1");
    if (!a.events_file.empty() && !a.events_file.ends_with(".json"))
      throw CLI::ValidationError("--events", "the event log is written as .json, not as " + a.events_file);
    check_model_is_named(a);
  } catch (const CLI::ParseError& e) {
    return say(app, e, streams);
  }
  return {};
}

}  // namespace mosim::cli
