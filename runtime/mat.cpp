// libmatio is loaded when the first file is written: it brings HDF5, and loading that takes longer than a short run.

#include <dlfcn.h>
#include <matio.h>

#include <algorithm>
#include <memory>
#include <string_view>

#include "runtime/results.hpp"

namespace mosim::runtime {

namespace {

struct CloseLibrary {
  void operator()(void* library) const { dlclose(library); }
};

struct Matio {
  std::unique_ptr<void, CloseLibrary> library;
  decltype(&Mat_CreateVer) create = nullptr;
  decltype(&Mat_Close) close = nullptr;
  decltype(&Mat_VarCreate) create_variable = nullptr;
  decltype(&Mat_VarWrite) write_variable = nullptr;
  decltype(&Mat_VarFree) free_variable = nullptr;
};

template <class Function>
bool find(const Matio& matio, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(matio.library.get(), name));
  return function != nullptr;
}

std::optional<Matio> load_matio() {
  Matio matio;
  for (const char* const name : {"libmatio.so.11", "libmatio.so.12", "libmatio.so.13", "libmatio.so"}) {
    matio.library.reset(dlopen(name, RTLD_NOW | RTLD_LOCAL));
    if (matio.library) break;
  }
  if (!matio.library) return {};
  const bool complete = find(matio, "Mat_CreateVer", matio.create) && find(matio, "Mat_Close", matio.close) &&
                        find(matio, "Mat_VarCreate", matio.create_variable) &&
                        find(matio, "Mat_VarWrite", matio.write_variable) &&
                        find(matio, "Mat_VarFree", matio.free_variable);
  if (!complete) return {};
  return matio;
}

// Texts as the columns of a matrix of characters, padded with blanks; or as its rows.
struct CharMatrix {
  std::size_t rows = 0, columns = 0;
  std::string values;  // column-major
};
CharMatrix text_columns(const std::vector<std::string>& texts) {
  CharMatrix matrix;
  matrix.rows = 1;
  for (const std::string& text : texts) matrix.rows = std::max(matrix.rows, text.size());
  matrix.columns = texts.size();
  for (const std::string& text : texts) matrix.values += text + std::string(matrix.rows - text.size(), ' ');
  return matrix;
}
CharMatrix text_rows(const std::vector<std::string>& texts) {
  const CharMatrix columns = text_columns(texts);
  CharMatrix matrix{columns.columns, columns.rows, {}};
  for (std::size_t k = 0; k < columns.rows; ++k)
    for (std::size_t text = 0; text < columns.columns; ++text)
      matrix.values += columns.values[text * columns.rows + k];
  return matrix;
}

bool write(const Matio& matio, mat_t* file, const char* name, matio_classes kind, matio_types type, std::size_t rows,
           std::size_t columns, const void* values) {
  std::size_t dimensions[2] = {rows, columns};
  matvar_t* const variable =
      matio.create_variable(name, kind, type, 2, dimensions, const_cast<void*>(values), MAT_F_DONT_COPY_DATA);
  if (variable == nullptr) return false;
  const int status = matio.write_variable(file, variable, MAT_COMPRESSION_NONE);
  matio.free_variable(variable);
  return status == 0;
}

std::string description_of(const Variable& variable) {
  std::string text = variable.description;
  if (variable.unit.empty()) return text;
  if (!text.empty()) text += ' ';
  text += '[' + variable.unit;
  if (!variable.display_unit.empty() && variable.display_unit != variable.unit) text += '|' + variable.display_unit;
  return text + ']';
}

bool is_constant(const Variable& variable) {
  return (variable.kind == Kind::parameter || variable.kind == Kind::constant) && variable.type != Type::string;
}

double value_of(const Variable& variable, const std::vector<double>& memory) {
  const double value = memory[variable.slot];
  if (!variable.negated) return value;
  return variable.type == Type::boolean ? 1 - value : 0 - value;
}

}  // namespace

std::optional<std::string> write_mat(const Program& program, const Result& result, const std::string& path,
                                     bool hybrid_time) {
  if (path == "-") return "a .mat file cannot go to standard output";
  const std::optional<Matio> matio = load_matio();
  if (!matio) return "the library libmatio, which writes .mat files, is not installed (Debian: libmatio11)";

  // One column of dataInfo for each name: table, index in it, linear interpolation, no extrapolation.
  std::vector<std::string> names{"time"}, descriptions{"Time [s]"};
  std::vector<std::int32_t> info{0, 1, 0, -1};
  std::vector<double> constants;   // first column of data_1
  const Trajectory& trajectory = result.trajectory;
  constants.push_back(trajectory.rows() > 0 ? trajectory.values.front() : 0);
  const auto add = [&](const Variable& variable, std::int32_t table, std::int32_t index) {
    names.push_back(variable.name);
    descriptions.push_back(description_of(variable));
    info.insert(info.end(), {table, index, 0, -1});
  };
  for (const Variable& variable : program.variables) {
    if (!is_constant(variable) || variable.slot >= result.parameters.size()) continue;
    constants.push_back(value_of(variable, result.parameters));
    add(variable, 1, std::int32_t(constants.size()));
  }
  const std::size_t before = hybrid_time ? 2 : 1;   // columns of data_2 in front of the variables
  if (hybrid_time) {
    names.push_back(jump_column);
    descriptions.push_back("Number of events so far");
    info.insert(info.end(), {2, 2, 0, -1});
  }
  for (std::size_t k = 0; k < trajectory.columns.size(); ++k)
    add(program.variables[trajectory.columns[k]], 2, std::int32_t(k + before + 1));
  std::vector<double> widened;
  if (hybrid_time) {
    for (std::size_t k = 0; k < trajectory.values.size(); ++k) {
      widened.push_back(trajectory.values[k]);
      if (k % trajectory.width() == 0) widened.push_back(double(trajectory.jumps[k / trajectory.width()]));
    }
  }
  const std::size_t constant_count = constants.size();
  constants.insert(constants.end(), constants.begin(), constants.begin() + std::ptrdiff_t(constant_count));
  constants[constant_count] = result.time;

  const CharMatrix kind = text_rows({"Atrajectory", "1.1", "", "binTrans"});
  const CharMatrix name = text_columns(names), description = text_columns(descriptions);
  mat_t* const file = matio->create(path.c_str(), nullptr, MAT_FT_MAT4);
  if (file == nullptr) return "cannot open " + path + " for writing";
  const auto write_text = [&](const char* variable, const CharMatrix& matrix) {
    return write(*matio, file, variable, MAT_C_CHAR, MAT_T_UINT8, matrix.rows, matrix.columns, matrix.values.data());
  };
  const bool written =
      write_text("Aclass", kind) && write_text("name", name) && write_text("description", description) &&
      write(*matio, file, "dataInfo", MAT_C_INT32, MAT_T_INT32, 4, names.size(), info.data()) &&
      write(*matio, file, "data_1", MAT_C_DOUBLE, MAT_T_DOUBLE, constant_count, 2, constants.data()) &&
      write(*matio, file, "data_2", MAT_C_DOUBLE, MAT_T_DOUBLE, trajectory.columns.size() + before, trajectory.rows(),
            (hybrid_time ? widened : trajectory.values).data());
  const bool closed = matio->close(file) == 0;
  if (!written || !closed) return "cannot write " + path;
  return {};
}

}  // namespace mosim::runtime
