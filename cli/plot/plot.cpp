#include "cli/plot/plot.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "cli/plot/gnuplot.hpp"
#include "cli/plot/page.hpp"

namespace mosim::cli {

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

std::optional<std::string> write(const std::string& file, const std::string& contents) {
  std::FILE* const f = std::fopen(file.c_str(), "wb");
  if (!f) return "cannot open " + file + " for writing";
  const bool written = std::fwrite(contents.data(), 1, contents.size(), f) == contents.size();
  if (std::fclose(f) != 0 || !written) return "cannot write " + file;
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

std::optional<std::string> plot_to_file(const runtime::Program& program, const runtime::Options& options,
                                        const runtime::Result& result, const std::vector<SourceText>& sources,
                                        const std::string& variables, const std::string& file) {
  if (result.trajectory.rows() == 0) return "there is nothing to draw: the run has no results";
  Choice choice;
  std::string note;
  if (variables.empty()) {
    choice = default_choice(program, result, most_curves);
    const std::size_t all = default_choice(program, result, program.variables.size()).size();
    if (choice.size() < all) note = fmt::format("{} of {} states and discrete variables; --plot chooses others", choice.size(), all);
  } else {
    auto chosen = choose(program, variables);
    if (auto* problem = std::get_if<std::string>(&chosen)) return std::move(*problem);
    choice = std::move(std::get<Choice>(chosen));
  }
  std::string contents;
  if (const auto format = format_of(ending_of(file))) {
    if (choice.empty()) return "there is nothing to draw: the model has no variables";
    Picture picture = make_picture(program, options, result, choice, columns_of_pixels);
    picture.note = note;
    if (const auto problem = draw(picture, *format, contents)) return problem;
  } else {
    contents = page(program, options, result, sources, choice);
  }
  return write(file, contents);
}

}  // namespace mosim::cli
