#include "cli/results.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "cli/compiled.hpp"

namespace mosim::cli {

std::variant<std::optional<ResultFormat>, std::string> format_of_output(const std::string& output) {
  if (output == "none") return std::nullopt;
  if (output == "-") return ResultFormat::csv;
  const std::string ending = std::filesystem::path(output).extension().string();
  if (ending == ".csv") return ResultFormat::csv;
  std::error_code error;
  const auto status = std::filesystem::status(output, error);
  const bool is_special = std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) && !std::filesystem::is_directory(status);
  if (ending == ".mat") {
    if (is_special) return fmt::format("{} is no file in which one can go back, as a .mat file needs it; CSV can go there", output);
    return ResultFormat::mat;
  }
  if (is_special) return ResultFormat::csv;
  return fmt::format("results are written as .csv or .mat, not as {}{}", output,
                     ending == compiled_ending ? fmt::format("; a compiled model is: mosim compile MODEL.mo -o {}", output) : "");
}

}  // namespace mosim::cli
