#include "native/mat_file.hpp"

#include <filesystem>
#include <string_view>
#include <system_error>

#include "native/apart.hpp"
#include "native/call.hpp"
#include "native/matrix_file.hpp"

namespace mosim::native {
namespace {

void check_regular(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) throw Error("there is no file " + path);
  if (!std::filesystem::is_regular_file(status)) throw Error(path + " is not a regular file");
}

std::string names_in(mat_t* file) {
  std::string result;
  while (const MatVariable variable{mat_library().next_info(file)})
    if (variable->name) result += (result.empty() ? "" : ", ") + std::string(variable->name);
  return result;
}

template <typename T>
void copy_transposed(const matvar_t& from, Matrix& to) {
  const T* const data = static_cast<const T*>(from.data);
  for (std::size_t i = 0; i < to.rows; ++i)
    for (std::size_t j = 0; j < to.columns; ++j) to.values[i * to.columns + j] = static_cast<double>(data[j * to.rows + i]);
}

[[noreturn]] void fail(const std::string& file, const std::string& name, const std::string& why) {
  throw Error("\"" + name + "\" in file " + file + " " + why);
}

/// Variables that hold a structure are gone down by the names of its fields; `take` gets the matrix itself.
template <typename Take>
Matrix find_variable(const std::string& path, const std::string& name, const Take& take) {
  const MatFile file = open_mat(path);
  const std::string_view first = std::string_view(name).substr(0, name.find('.'));
  const MatVariable whole{mat_library().read(file.get(), std::string(first).c_str())};
  if (!whole) {
    const MatFile again = open_mat(path);
    const std::string others = names_in(again.get());
    throw Error("file " + path + " holds no matrix \"" + std::string(first) + "\"" + (others.empty() ? ", nor any other" : "; it holds " + others));
  }
  matvar_t* variable = whole.get();
  for (std::size_t at = first.size(); at < name.size();) {
    const std::size_t end = std::min(name.find('.', at + 1), name.size());
    const std::string field = name.substr(at + 1, end - at - 1);
    if (variable->class_type != MAT_C_STRUCT) fail(path, name.substr(0, at), "is no structure, so it has no field \"" + field + "\"");
    variable = mat_library().field(variable, field.c_str(), 0);
    if (!variable) fail(path, name.substr(0, at), "has no field \"" + field + "\"");
    at = end;
  }
  if (variable->rank != 2) fail(path, name, "is no matrix: it has " + std::to_string(variable->rank) + " dimensions");
  if (variable->isComplex) fail(path, name, "holds complex numbers");
  Matrix matrix{variable->dims[0], variable->dims[1], {}};
  take(*variable, matrix);
  return matrix;
}

template <typename Take>
Matrix with_variable(const std::string& path, const std::string& name, const Take& take) {
  check_regular(path);
  return read_apart(path, [&] { return find_variable(path, name, take); });
}

}  // namespace

MatFile open_mat(const std::string& path) {
  check_regular(path);
  MatFile file(mat_library().open(path.c_str(), MAT_ACC_RDONLY));
  if (!file) throw Error("cannot read " + path + ": it is no file of MATLAB (.mat)");
  return file;
}

Matrix mat_matrix_size(const std::string& file, const std::string& name) {
  return with_variable(file, name, [](const matvar_t&, Matrix&) {});
}

Matrix read_mat_matrix(const std::string& file, const std::string& name) {
  return with_variable(file, name, [&](const matvar_t& variable, Matrix& matrix) {
    const std::size_t count = matrix.rows * matrix.columns;
    if (count == 0) return;
    const std::size_t each = variable.data_size > 0 ? static_cast<std::size_t>(variable.data_size) : 1;
    if (!variable.data || variable.nbytes / each < count) fail(file, name, "cannot be read: the file is damaged");
    matrix.values.resize(count);
    switch (variable.class_type) {
      case MAT_C_DOUBLE: return copy_transposed<double>(variable, matrix);
      case MAT_C_SINGLE: return copy_transposed<float>(variable, matrix);
      case MAT_C_INT8: return copy_transposed<mat_int8_t>(variable, matrix);
      case MAT_C_UINT8: return copy_transposed<mat_uint8_t>(variable, matrix);
      case MAT_C_INT16: return copy_transposed<mat_int16_t>(variable, matrix);
      case MAT_C_UINT16: return copy_transposed<mat_uint16_t>(variable, matrix);
      case MAT_C_INT32: return copy_transposed<mat_int32_t>(variable, matrix);
      case MAT_C_UINT32: return copy_transposed<mat_uint32_t>(variable, matrix);
      case MAT_C_INT64: return copy_transposed<mat_int64_t>(variable, matrix);
      case MAT_C_UINT64: return copy_transposed<mat_uint64_t>(variable, matrix);
      default: fail(file, name, "is no full matrix of numbers");
    }
  });
}

}  // namespace mosim::native
