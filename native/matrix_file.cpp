#include "native/matrix_file.hpp"

#include <algorithm>
#include <cctype>

namespace mosim::native {
namespace {

bool ends_with(const std::string& file, std::string_view ending) {
  return file.size() >= ending.size() && std::equal(ending.begin(), ending.end(), file.end() - static_cast<std::ptrdiff_t>(ending.size()), [](char a, char b) {
           return a == std::tolower(static_cast<unsigned char>(b));
         });
}

}  // namespace

Matrix read_matrix(const std::string& file, const std::string& name, const CsvFormat& format) {
  if (ends_with(file, ".mat")) return read_mat_matrix(file, name);
  if (ends_with(file, ".csv")) return read_csv_matrix(file, format);
  return read_text_matrix(file, name);
}

}  // namespace mosim::native
