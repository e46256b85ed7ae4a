#include "cli/plot/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cli/plot/gnuplot.hpp"
#include "report/file.hpp"
#include "report/page.hpp"

namespace mosim::cli {

using namespace report;

namespace {

/// More do not fit on one picture.
constexpr std::size_t most_curves = 8;
/// Finer than the pixels of any file written here.
constexpr std::size_t columns_of_pixels = 2000;

std::string ending_of(const std::string& file) { return std::filesystem::path(file).extension().string(); }

std::optional<Format> format_of(const std::string& ending) {
  if (ending == ".svg") return Format::svg;
  if (ending == ".png") return Format::png;
  if (ending == ".pdf") return Format::pdf;
  return {};
}

}  // namespace

std::optional<std::string> check_plot(const runtime::Program& program, const std::string& variables, const std::string& file) {
  const std::string ending = ending_of(file);
  if (!file.empty() && !format_of(ending) && ending != ".html")
    return fmt::format("plots are written as .svg, .png, .pdf or .html, not as {}", file);
  if (!variables.empty()) {
    const auto choice = choose(program, variables);
    if (const auto* problem = std::get_if<std::string>(&choice)) return *problem;
  }
  if (ending != ".html") return missing_gnuplot();
  return {};
}

Wanted wanted_for_plot(const runtime::Program& program, const std::string& variables, const std::string& file) {
  Wanted wanted;
  if (variables.empty()) wanted.best = most_curves;
  if (!variables.empty()) {
    auto chosen = choose(program, variables);
    if (auto* choice = std::get_if<Choice>(&chosen)) wanted.variables = std::move(*choice);
  }
  if (ending_of(file) == ".html") {
    std::vector<runtime::Index> all = runtime::recorded_variables(program);
    std::erase_if(all, [&](runtime::Index k) { return program.variables[k].hidden; });
    wanted.variables.insert(wanted.variables.end(), all.begin(), all.begin() + std::ptrdiff_t(std::min(all.size(), PageLimits{}.variables)));
  }
  return wanted;
}

bool needs_whole_events(const std::string& file) { return ending_of(file) == ".html"; }

std::optional<std::string> plot_to_file(const Recording& run, const std::vector<report::SourceText>& sources, const std::string& variables,
                                        const std::string& file, const PictureStyle& style) {
  if (run.rows.rows == 0) return "there is nothing to draw: the run has no results";
  Choice choice;
  std::string note;
  if (variables.empty()) {
    choice = default_choice(run.program, run.rows, most_curves);
    const std::size_t all = default_choice(run.program, run.rows, run.program.variables.size()).size();
    if (choice.size() < all) note = fmt::format("{} of {} states and discrete variables; --plot chooses others", choice.size(), all);
  } else {
    auto chosen = choose(run.program, variables);
    if (auto* problem = std::get_if<std::string>(&chosen)) return std::move(*problem);
    choice = std::move(std::get<Choice>(chosen));
  }
  std::string contents;
  if (const auto format = format_of(ending_of(file))) {
    if (choice.empty()) return "there is nothing to draw: the model has no variables";
    Picture picture = make_picture(run, choice, columns_of_pixels);
    picture.note = note;
    if (const auto problem = draw(picture, *format, style, contents)) return problem;
  } else {
    contents = page(run.program.model, page_content(run, sources, choice));
  }
  return write_file(file, std::move(contents));
}

}  // namespace mosim::cli
