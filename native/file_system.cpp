// ModelicaInternal_*: files and directories. Names are those of the operating system; an operation that fails is an Error.

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <vector>

#include "native/arguments.hpp"
#include "native/entries.hpp"
#include "native/resource.hpp"
#include "native/streams.hpp"

namespace mosim::native {
namespace {

namespace fs = std::filesystem;

void check(const std::error_code& error, const std::string& what) {
  if (error) throw Error("cannot " + what + ": " + error.message());
}

fs::file_status status(const std::string& name) {
  std::error_code error;
  const fs::file_status result = fs::status(name, error);
  if (result.type() == fs::file_type::none) check(error, "look at " + name);
  return result;
}

void make_directory(std::span<const In> in, std::span<Out>, Environment&) {
  const std::string name(text(in, 0));
  if (fs::exists(status(name))) throw Error("cannot make the directory " + name + ": it exists");
  std::error_code error;
  fs::create_directory(name, error);
  check(error, "make the directory " + name);
}

void remove_directory(std::span<const In> in, std::span<Out>, Environment&) {
  const std::string name(text(in, 0));
  if (!fs::is_directory(status(name))) throw Error("cannot remove the directory " + name + ": there is no such directory");
  std::error_code error;
  fs::remove(name, error);
  check(error, "remove the directory " + name);
}

/// Modelica.Utilities.Types.FileType: 1 none, 2 a regular file, 3 a directory, 4 another thing.
void type_of(std::span<const In> in, std::span<Out> out, Environment&) {
  const fs::file_status it = status(std::string(text(in, 0)));
  set(out, 0, !fs::exists(it) ? 1.0 : fs::is_regular_file(it) ? 2.0 : fs::is_directory(it) ? 3.0 : 4.0);
}

void rename(std::span<const In> in, std::span<Out>, Environment& environment) {
  const std::string from(text(in, 0)), to(text(in, 1));
  const std::string what = "rename " + from + " to " + to;
  if (!fs::exists(status(from))) throw Error("cannot " + what + ": there is no " + from);
  if (fs::exists(status(to))) throw Error("cannot " + what + ": " + to + " exists");
  forget_streams(environment);
  std::error_code error;
  fs::rename(from, to, error);
  check(error, what);
}

void remove_file(std::span<const In> in, std::span<Out>, Environment& environment) {
  const std::string name(text(in, 0));
  const fs::file_status it = status(name);
  if (!fs::exists(it)) throw Error("cannot remove the file " + name + ": it does not exist");
  if (!fs::is_regular_file(it)) throw Error("cannot remove " + name + ": it is not a regular file");
  forget_streams(environment);
  std::error_code error;
  fs::remove(name, error);
  check(error, "remove the file " + name);
}

void copy_file(std::span<const In> in, std::span<Out>, Environment&) {
  const std::string from(text(in, 0)), to(text(in, 1));
  const std::string what = "copy " + from + " to " + to;
  const fs::file_status it = status(from);
  if (!fs::exists(it)) throw Error("cannot " + what + ": there is no " + from);
  if (!fs::is_regular_file(it)) throw Error("cannot " + what + ": " + from + " is not a regular file");
  if (fs::exists(status(to))) throw Error("cannot " + what + ": " + to + " exists");
  std::error_code error;
  fs::copy_file(from, to, error);
  check(error, what);
}

/// In the order of the alphabet, so that a model gives the same everywhere.
std::vector<std::string> names_in(const std::string& directory) {
  std::error_code error;
  std::vector<std::string> names;
  for (fs::directory_iterator it(directory, error), end; !error && it != end; it.increment(error)) names.push_back(it->path().filename().string());
  check(error, "read the directory " + directory);
  std::sort(names.begin(), names.end());
  return names;
}

void read_directory(std::span<const In> in, std::span<Out> out, Environment&) {
  const std::string directory(text(in, 0));
  const std::size_t count = size(in, 1);
  std::vector<std::string> names = names_in(directory);
  if (names.size() != count)
    throw Error("the directory " + directory + " holds " + std::to_string(names.size()) + " names, but " + std::to_string(count) + " are asked for");
  if (out.empty() || !out[0].texts || out[0].texts->size() != count) throw Error("the result of readDirectory should be " + std::to_string(count) + " Strings");
  *out[0].texts = std::move(names);
}

void count_names(std::span<const In> in, std::span<Out> out, Environment&) {
  set(out, 0, static_cast<double>(names_in(std::string(text(in, 0))).size()));
}

/// Without links where it exists; a slash at the end stays. What `modelica://` names lies in the folder of a package (MLS 13.5).
void full_path(std::span<const In> in, std::span<Out> out, Environment& environment) {
  const std::string name = file_of(text(in, 0), environment);
  std::error_code error;
  fs::path path = fs::absolute(name.empty() ? fs::path(".") : fs::path(name), error);
  check(error, "find the full path of " + name);
  fs::path real = fs::weakly_canonical(path, error);
  std::string result = (error ? path.lexically_normal() : real).string();
  while (result.size() > 1 && result.back() == '/') result.pop_back();
  if ((name.empty() || name.back() == '/') && result != "/") result += '/';
  set(out, 0, std::move(result));
}

/// Of a file that is not there, in the directory for such files.
void temporary_name(std::span<const In>, std::span<Out> out, Environment&) {
  std::error_code error;
  const fs::path folder = fs::temp_directory_path(error);
  check(error, "find the directory for temporary files");
  std::string name = (folder / "mosim-XXXXXX").string();
  const int descriptor = mkstemp(name.data());
  if (descriptor < 0) check(std::error_code(errno, std::generic_category()), "make a temporary file in " + folder.string());
  close(descriptor);
  unlink(name.c_str());
  set(out, 0, std::move(name));
}

constexpr Entry entries[] = {
    {"ModelicaInternal_mkdir", make_directory, Effect::acts},
    {"ModelicaInternal_rmdir", remove_directory, Effect::acts},
    {"ModelicaInternal_stat", type_of, Effect::reads},
    {"ModelicaInternal_rename", rename, Effect::acts},
    {"ModelicaInternal_removeFile", remove_file, Effect::acts},
    {"ModelicaInternal_copyFile", copy_file, Effect::acts},
    {"ModelicaInternal_readDirectory", read_directory, Effect::reads},
    {"ModelicaInternal_getNumberOfFiles", count_names, Effect::reads},
    {"ModelicaInternal_fullPathName", full_path, Effect::reads},
    {"ModelicaInternal_temporaryFileName", temporary_name, Effect::acts},
};

}  // namespace

std::span<const Entry> file_system() { return entries; }

}  // namespace mosim::native
