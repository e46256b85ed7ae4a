#include "native/table_source.hpp"

#include <algorithm>
#include <limits>

#include "native/arguments.hpp"
#include "native/matrix_file.hpp"
#include "native/resource.hpp"

namespace mosim::native {
namespace {

/// "NoName" or only blanks: none is given.
bool is_given(std::string_view name) {
  return name != "NoName" && !std::all_of(name.begin(), name.end(), [](char c) { return c == ' ' || c == '\t'; });
}

}  // namespace

Source read_source(std::span<const In> in, const TableArguments& at, Environment& environment) {
  const std::string_view name = text(in, at.name);
  const std::string file = file_of(text(in, at.file), environment);
  if (!is_given(file)) {
    if (is_given(name))
      throw Error("table \"" + std::string(name) +
                  "\" is given without a file; tables of a C function usertab are not supported: name the file that holds it");
    const std::size_t rows = size(in, at.table + 1), columns = size(in, at.table + 2);
    if (columns > 0 && rows > std::numeric_limits<std::size_t>::max() / columns) throw Error("the table is too large");
    const std::span<const double> values = numbers(in, at.table, rows * columns);
    return {{rows, columns, {values.begin(), values.end()}}, "the table"};
  }
  CsvFormat format;
  if (at.delimiter) format.delimiter = text(in, at.delimiter);
  if (at.header_lines) format.header_lines = size(in, at.header_lines);
  if (at.verbose && boolean(in, at.verbose) && environment.print)
    environment.print("Loading table \"" + std::string(name) + "\" from file \"" + file + "\"\n");
  return {read_matrix(file, std::string(name), format), "table \"" + std::string(name) + "\" in " + file};
}

}  // namespace mosim::native
