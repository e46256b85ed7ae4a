// ModelicaIO_*: matrices in MATLAB's files.

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "native/arguments.hpp"
#include "native/entries.hpp"
#include "native/mat_file.hpp"
#include "native/matrix_file.hpp"
#include "native/say.hpp"

namespace mosim::native {
namespace {

void read_sizes(std::span<const In> in, std::span<Out> out, Environment&) {
  const Matrix matrix = mat_matrix_size(std::string(text(in, 0)), std::string(text(in, 1)));
  const std::span<double> sizes = places(out, 0, 2);
  sizes[0] = static_cast<double>(matrix.rows);
  sizes[1] = static_cast<double>(matrix.columns);
}

void read(std::span<const In> in, std::span<Out> out, Environment& environment) {
  const std::string file(text(in, 0)), name(text(in, 1));
  const std::size_t rows = size(in, 2), columns = size(in, 3);
  if (boolean(in, 4) && environment.print) environment.print("Loading matrix \"" + name + "\" from file \"" + file + "\"\n");
  const Matrix matrix = read_mat_matrix(file, name);
  if (matrix.rows != rows || matrix.columns != columns)
    throw Error("\"" + name + "\" in file " + file + " is " + say_size(matrix.rows, matrix.columns) + ", but " + say_size(rows, columns) + " is asked for");
  const std::span<double> values = places(out, 0, rows * columns);
  std::copy(matrix.values.begin(), matrix.values.end(), values.begin());
}

struct Format {
  std::string_view name;
  mat_ft version;
  matio_compression compression;
};
constexpr Format formats[] = {{"4", MAT_FT_MAT4, MAT_COMPRESSION_NONE},
                              {"6", MAT_FT_MAT5, MAT_COMPRESSION_NONE},
                              {"7", MAT_FT_MAT5, MAT_COMPRESSION_ZLIB},
                              {"7.3", MAT_FT_MAT73, MAT_COMPRESSION_NONE}};

const Format& format_of(std::string_view name) {
  for (const Format& format : formats)
    if (format.name == name) return format;
  throw Error("\"" + std::string(name) + "\" is no format of MATLAB's files: it is one of \"4\", \"6\", \"7\" and \"7.3\"");
}

/// A matrix of the same name is replaced.
MatFile open_to_append(const std::string& path, const std::string& name) {
  MatFile file(mat_library().open(path.c_str(), MAT_ACC_RDWR));
  if (!file) throw Error("cannot append to " + path + ": it is no file of MATLAB (.mat)");
  if (const MatVariable old{mat_library().read(file.get(), name.c_str())}) {
    if (mat_library().version(file.get()) == MAT_FT_MAT4)
      throw Error("cannot append \"" + name + "\" to " + path + ": it holds one of this name, and in its format (version 4) none can be replaced");
    mat_library().remove(file.get(), name.c_str());
  }
  return file;
}

/// What was written is read again: libmatio does not tell of a disk that is full.
void write_matrix(const std::string& path, const std::string& name, const Matrix& matrix, bool appends, const Format& format) {
  std::vector<double> by_columns(matrix.values.size());
  for (std::size_t i = 0; i < matrix.rows; ++i)
    for (std::size_t j = 0; j < matrix.columns; ++j) by_columns[j * matrix.rows + i] = matrix(i, j);
  {
    const MatFile file = appends ? open_to_append(path, name) : MatFile(mat_library().create(path.c_str(), nullptr, format.version));
    if (!file) throw Error("cannot make the file " + path);
    std::size_t sizes[2] = {matrix.rows, matrix.columns};
    const MatVariable variable{mat_library().make(name.c_str(), MAT_C_DOUBLE, MAT_T_DOUBLE, 2, sizes, by_columns.data(), MAT_F_DONT_COPY_DATA)};
    const matio_compression compression = appends ? MAT_COMPRESSION_NONE : format.compression;
    if (!variable || mat_library().write(file.get(), variable.get(), compression) != 0) throw Error("cannot write \"" + name + "\" into " + path);
  }
  const Matrix written = read_mat_matrix(path, name);
  if (written.rows != matrix.rows || written.columns != matrix.columns ||
      std::memcmp(written.values.data(), matrix.values.data(), matrix.values.size() * sizeof(double)) != 0)
    throw Error("\"" + name + "\" could not be written into " + path + " as a whole: is the disk full?");
}

void write(std::span<const In> in, std::span<Out> out, Environment& environment) {
  const std::string path(text(in, 0)), name(text(in, 1));
  const std::size_t rows = size(in, 3), columns = size(in, 4);
  const std::span<const double> values = numbers(in, 2, rows * columns);
  const Format& format = format_of(text(in, 6));
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  const bool exists = std::filesystem::exists(status);
  if (exists && !std::filesystem::is_regular_file(status)) throw Error("cannot write " + path + ": it is not a regular file");
  // What goes wrong is said, and told by the result.
  bool success = false;
  try {
    write_matrix(path, name, {rows, columns, {values.begin(), values.end()}}, exists && boolean(in, 5), format);
    success = true;
  } catch (const Error& problem) {
    if (environment.print) environment.print(std::string(problem.what()) + "\n");
  }
  set(out, 0, success ? 1.0 : 0.0);
}

constexpr Entry entries[] = {
    {"ModelicaIO_readMatrixSizes", read_sizes, Effect::reads},
    {"ModelicaIO_readRealMatrix", read, Effect::reads},
    {"ModelicaIO_writeRealMatrix", write, Effect::acts},
};

}  // namespace

std::span<const Entry> matrix_files() { return entries; }

}  // namespace mosim::native
