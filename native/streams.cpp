// ModelicaInternal_print, readFile, readLine, countLines, ModelicaStreams_closeFile, and what is said to the user.
// A line ends with LF or CR-LF or the file; what follows the last of them is a line if it is not empty.

#include "native/streams.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "native/arguments.hpp"
#include "native/entries.hpp"

namespace mosim::native {
namespace {

constexpr std::string_view reader_key = "ModelicaInternal_readLine";

std::ifstream open(const std::string& name) {
  std::error_code error;
  const auto status = std::filesystem::status(name, error);
  if (!std::filesystem::exists(status)) throw Error("there is no file " + name);
  if (!std::filesystem::is_regular_file(status)) throw Error(name + " is not a regular file");
  errno = 0;
  std::ifstream file(name, std::ios::binary);
  if (!file) throw Error("cannot open " + name + ": " + std::strerror(errno));
  return file;
}

bool next_line(std::ifstream& file, std::string& line, const std::string& name) {
  if (!std::getline(file, line)) {
    if (file.bad()) throw Error("cannot read " + name);
    return false;
  }
  if (!line.empty() && line.back() == '\r') line.pop_back();
  return true;
}

/// A file that is read line after line stays open, so that the whole of it is read once.
struct Reader : Object {
  std::string name;
  std::ifstream file;
  long long next = 1;
};

void print(std::span<const In> in, std::span<Out>, Environment& environment) {
  const std::string line = std::string(text(in, 0)) + "\n", name(text(in, 1));
  if (name.empty()) {
    if (environment.print) environment.print(line);
    return;
  }
  forget_streams(environment);
  std::error_code error;
  const auto status = std::filesystem::status(name, error);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    throw Error("cannot print into " + name + ": it is not a regular file");
  errno = 0;
  std::ofstream file(name, std::ios::binary | std::ios::app);
  file << line;
  file.close();
  if (!file) throw Error("cannot print into " + name + ": " + std::strerror(errno));
}

void read_line(std::span<const In> in, std::span<Out> out, Environment& environment) {
  const std::string name(text(in, 0));
  const long long number = integer(in, 1);
  if (number < 1) throw Error("line " + std::to_string(number) + " of " + name + " is asked for: lines are counted from 1");
  auto& memory = environment.memory[std::string(reader_key)];
  auto reader = std::dynamic_pointer_cast<Reader>(memory);
  if (!reader || reader->name != name || reader->next > number) {
    memory.reset();
    reader = std::make_shared<Reader>();
    reader->name = name;
    reader->file = open(name);
    memory = reader;
  }
  std::string line;
  bool is_end = false;
  for (; !is_end && reader->next <= number; ++reader->next) is_end = !next_line(reader->file, line, name);
  if (is_end) {
    line.clear();
    memory.reset();
  }
  set(out, 0, std::move(line));
  set(out, 1, is_end ? 1.0 : 0.0);
}

void count_lines(std::span<const In> in, std::span<Out> out, Environment&) {
  const std::string name(text(in, 0));
  std::ifstream file = open(name);
  std::size_t count = 0;
  for (std::string line; next_line(file, line, name);) ++count;
  set(out, 0, static_cast<double>(count));
}

void read_file(std::span<const In> in, std::span<Out> out, Environment&) {
  const std::string name(text(in, 0));
  const std::size_t count = size(in, 1);
  if (out.empty() || !out[0].texts || out[0].texts->size() != count) throw Error("the result of readFile should be " + std::to_string(count) + " Strings");
  std::ifstream file = open(name);
  for (std::size_t i = 0; i < count; ++i)
    if (!next_line(file, (*out[0].texts)[i], name))
      throw Error("file " + name + " has " + std::to_string(i) + " lines, but " + std::to_string(count) + " are asked for");
}

void close_file(std::span<const In>, std::span<Out>, Environment& environment) { forget_streams(environment); }

void error(std::span<const In> in, std::span<Out>, Environment&) { throw Error(std::string(text(in, 0))); }

void message(std::span<const In> in, std::span<Out>, Environment& environment) {
  if (environment.print) environment.print(text(in, 0));
}

void warning(std::span<const In> in, std::span<Out>, Environment& environment) {
  if (environment.warn) environment.warn(text(in, 0));
}

constexpr Entry entries[] = {
    {"ModelicaInternal_print", print, Effect::acts},
    {"ModelicaInternal_readLine", read_line, Effect::reads},
    {"ModelicaInternal_countLines", count_lines, Effect::reads},
    {"ModelicaInternal_readFile", read_file, Effect::reads},
    {"ModelicaStreams_closeFile", close_file, Effect::acts},
    {"ModelicaError", error, Effect::none},
    {"ModelicaMessage", message, Effect::acts},
    {"ModelicaWarning", warning, Effect::acts},
};

}  // namespace

void forget_streams(Environment& environment) { environment.memory.erase(std::string(reader_key)); }

std::span<const Entry> streams() { return entries; }

}  // namespace mosim::native
