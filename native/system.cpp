// ModelicaInternal_*: the process, its environment, the time. Running other programs (Modelica.Utilities.System.command) is not among them.

#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <system_error>

#include "native/arguments.hpp"
#include "native/entries.hpp"

namespace mosim::native {
namespace {

void work_directory(std::span<const In>, std::span<Out> out, Environment&) {
  std::error_code error;
  const std::filesystem::path path = std::filesystem::current_path(error);
  if (error) throw Error("cannot find the work directory: " + error.message());
  set(out, 0, path.string());
}

void change_directory(std::span<const In> in, std::span<Out>, Environment&) {
  const std::string name(text(in, 0));
  std::error_code error;
  std::filesystem::current_path(name, error);
  if (error) throw Error("cannot make " + name + " the work directory: " + error.message());
}

/// Separators are slashes here already, so that there is nothing to convert.
void environment_variable(std::span<const In> in, std::span<Out> out, Environment&) {
  const char* const content = std::getenv(std::string(text(in, 0)).c_str());
  set(out, 0, std::string(content ? content : ""));
  set(out, 1, content ? 1.0 : 0.0);
}

void set_environment_variable(std::span<const In> in, std::span<Out>, Environment&) {
  const std::string name(text(in, 0));
  if (setenv(name.c_str(), std::string(text(in, 1)).c_str(), 1) != 0) throw Error("\"" + name + "\" cannot be the name of an environment variable");
}

/// The local time: milliseconds, seconds, minutes, hours, day, month, year.
void local_time(std::span<const In>, std::span<Out> out, Environment&) {
  const auto now = std::chrono::system_clock::now();
  const std::time_t seconds = std::chrono::system_clock::to_time_t(std::chrono::floor<std::chrono::seconds>(now));
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(now - std::chrono::floor<std::chrono::seconds>(now)).count();
  std::tm local{};
  localtime_r(&seconds, &local);
  const int parts[] = {static_cast<int>(ms), local.tm_sec, local.tm_min, local.tm_hour, local.tm_mday, local.tm_mon + 1, local.tm_year + 1900};
  for (std::size_t i = 0; i < 7; ++i) set(out, i, static_cast<double>(parts[i]));
}

void process(std::span<const In>, std::span<Out> out, Environment&) { set(out, 0, static_cast<double>(getpid())); }

constexpr Entry entries[] = {
    {"ModelicaInternal_getcwd", work_directory, Effect::reads},
    {"ModelicaInternal_chdir", change_directory, Effect::acts},
    {"ModelicaInternal_getenv", environment_variable, Effect::reads},
    {"ModelicaInternal_setenv", set_environment_variable, Effect::acts},
    {"ModelicaInternal_getTime", local_time, Effect::acts},
    {"ModelicaInternal_getpid", process, Effect::acts},
};

}  // namespace

std::span<const Entry> system_functions() { return entries; }

}  // namespace mosim::native
