#pragma once
// Matrices in files: the library's text format, comma-separated values, MATLAB's format.

#include <string>

#include "native/matrix.hpp"

namespace mosim::native {

struct CsvFormat {
  std::string delimiter = ",";
  std::size_t header_lines = 0;
};

/// The matrix `name` of a file; by the ending of its name: .mat, .csv (which holds one matrix without a name), else text.
/// Errors: the file cannot be read, holds no such matrix, or is not of its format (with the line and column).
Matrix read_matrix(const std::string& file, const std::string& name, const CsvFormat& format);

/// The text format: "#1", then "double name(rows,columns)" with as many numbers, as often as wanted; # begins a comment.
Matrix read_text_matrix(const std::string& file, const std::string& name);
Matrix read_csv_matrix(const std::string& file, const CsvFormat& format);
/// Versions 4, 5 (6, 7) and 7.3, by libmatio. Matrices of a structure are named structure.field.
Matrix read_mat_matrix(const std::string& file, const std::string& name);

/// All bytes of a regular file.
std::string read_bytes(const std::string& file);

}  // namespace mosim::native
