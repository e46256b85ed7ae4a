#include "cli/mistaken.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "report/names.hpp"

namespace mosim::cli {

namespace {

std::vector<std::string> options_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* o : app.get_options())
    for (const std::string& name : o->get_lnames()) names.push_back(name);
  return names;
}

std::string option_instead(const std::string& command, const std::vector<std::string>& options, const std::string& name) {
  if (name == "step" || name == "stepsize" || name == "step-size" || name == "dt" || name == "h")
    return "the solver chooses its steps by --tolerance; the distance of rows is --interval";
  if (name == "parameter" || name == "param" || name == "override") return "did you mean --set NAME=VALUE?";
  std::string near;
  std::size_t fitting = 0;   // that begin with it: --tol
  for (const std::string& o : options)
    if (o.starts_with(name)) {
      near = o;
      ++fitting;
    }
  if (fitting != 1) near = report::nearest(name, {options.begin(), options.end()});
  for (const std::string& o : options)   // --stoptime
    if (near.empty() && o.size() > 3 && name.starts_with(o)) near = o;
  return near.empty() ? fmt::format("'{} --help' lists the options", command) : fmt::format("did you mean --{}?", near);
}

bool is_decimal_comma(std::string_view text) {
  const std::size_t comma = text.find(',');
  const auto is_digit = [&](std::size_t k) { return k < text.size() && std::isdigit(static_cast<unsigned char>(text[k])); };
  return comma != std::string_view::npos && comma > 0 && is_digit(comma - 1) && is_digit(comma + 1) && text.find(',', comma + 1) == std::string_view::npos;
}

bool is_file(const std::string& argument) {
  std::error_code error;
  return argument.ends_with(".mo") || argument.ends_with(".mosim") || std::filesystem::exists(argument, error);
}

}  // namespace

std::string mistaken_argument(const CLI::App& app, const std::vector<std::string>& arguments) {
  const auto options = options_of(app);
  const auto is_option = [&](const std::string& name) { return std::find(options.begin(), options.end(), name) != options.end(); };
  const auto at = [&](std::size_t k) { return k < arguments.size() ? arguments[k] : std::string(); };
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    const std::string& argument = arguments[k];
    if (argument == "--") return "";
    if (!argument.starts_with('-') || argument.size() < 3) continue;
    const std::size_t dashes = argument[1] == '-' ? 2 : 1;
    const std::string name = argument.substr(dashes, argument.find('=') - dashes);
    if (dashes == 1) {
      if (is_option(name)) return fmt::format("-{0} is no option: did you mean --{0}?", name);
      continue;
    }
    if (!is_option(name)) return fmt::format("--{} is no option: {}", name, option_instead(app.get_name(), options, name));
    const std::string value = at(k + 1), next = at(k + 2);
    const bool numeric = name == "start" || name == "stop" || name == "tolerance" || name == "interval" || name == "hysteresis" || name == "time-limit";
    const std::string number = argument.find('=') == std::string::npos ? value : argument.substr(argument.find('=') + 1);
    if (numeric && is_decimal_comma(number)) {
      std::string corrected = number;
      corrected[corrected.find(',')] = '.';
      return fmt::format("the decimals of a number stand behind a point: --{} {}", name, corrected);
    }
    const auto reads = [](const std::string& text, const char* wanted) {
      char* end = nullptr;
      (void)std::strtod(text.c_str(), &end);
      return !text.empty() && *end == '\0' && text.find_first_not_of(wanted) == std::string::npos;
    };
    if (numeric && !number.empty() && !reads(number, "0123456789+-.eEinfatyINFATYnN"))
      return fmt::format("--{} takes a number{}: {} is none", name, name == "tolerance" || name == "hysteresis" ? "" : ", in seconds and without a unit", number);
    if ((name == "intervals" || name == "max-events") && !number.empty() && !reads(number, "0123456789+-"))
      return fmt::format("--{} takes a whole number{}: {} is none", name, name == "intervals" ? "; the length of an interval is --interval" : "", number);
    if (name == "set" && argument == "--set" && value.find('=') == std::string::npos && next.starts_with('=')) {
      const std::string rest = next.size() > 1 ? next.substr(1) : at(k + 3);
      return fmt::format("a setting is one word, without blanks: --set {}={}", value, rest);
    }
    if (name == "set" && argument == "--set" && value.ends_with('=') && !next.empty() && !next.starts_with('-') && !is_file(next))
      return fmt::format("a setting is one word, without blanks: --set {}{}", value, next);
    const bool names = argument == "--plot" || argument == "--results";
    if (names && !value.empty() && !next.empty() && !next.starts_with('-') && !is_file(next) && !is_file(value))
      return fmt::format("names are separated by commas, without blanks: --{} {},{}", name, value, next);
  }
  return "";
}

std::string file_without_class(const std::string& path) {
  return fmt::format("{} holds no model: it is empty, or has comments alone", path);
}

std::string last_file_without_class(const std::string& path) { return file_without_class(path) + ". Name a file with one last, or the model with --model"; }

std::string missing_file(const std::string& path) {
  const std::filesystem::path wanted(path);
  const std::filesystem::path folder = wanted.has_parent_path() ? wanted.parent_path() : std::filesystem::path(".");
  std::vector<std::string> names;
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    if (at->path().extension() == ".mo" || at->path().extension() == ".mosim" || at->is_directory(error)) names.push_back(at->path().filename().string());
  std::sort(names.begin(), names.end());
  const std::string name = wanted.filename().string();
  std::string near = report::nearest(name, {names.begin(), names.end()});
  if (near.empty() && std::binary_search(names.begin(), names.end(), name + ".mo")) near = name + ".mo";
  const std::string text = fmt::format("there is no file {}", path);
  return near.empty() ? text : text + fmt::format("; did you mean {}?", wanted.has_parent_path() ? (folder / near).string() : near);
}

}  // namespace mosim::cli
