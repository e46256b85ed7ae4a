// Comma-separated values.

#include "native/call.hpp"
#include "native/matrix_file.hpp"
#include "native/scanner.hpp"

namespace mosim::native {
namespace {

void skip_blanks(Scanner& scan, char delimiter) {
  while ((scan.peek() == ' ' || scan.peek() == '\t') && (scan.peek() != delimiter || delimiter == ' ')) ++scan.at;
}

bool is_line_end(const Scanner& scan) { return scan.is_end() || scan.peek() == '\n' || scan.peek() == '\r'; }

}  // namespace

Matrix read_csv_matrix(const std::string& file, const CsvFormat& format) {
  if (format.delimiter.size() != 1) throw Error("the delimiter of " + file + " has to be one character, but it is \"" + format.delimiter + "\"");
  const char delimiter = format.delimiter[0];
  const std::string ends{delimiter, ' ', '\t', '\r', '\n'};
  const std::string bytes = read_bytes(file);
  Scanner scan{bytes, file};
  if (bytes.starts_with("\xEF\xBB\xBF")) scan.at = 3;
  for (std::size_t i = 0; i < format.header_lines; ++i) {
    if (scan.is_end()) throw Error("file " + file + " ends within its header lines, of which there should be " + std::to_string(format.header_lines));
    scan.skip_line();
  }
  const std::string wanted = "only numbers may stand behind the header lines, of which there should be " + std::to_string(format.header_lines);
  Matrix matrix;
  while (!scan.is_end()) {
    skip_blanks(scan, delimiter);
    if (is_line_end(scan)) {  // an empty line
      scan.skip_line();
      continue;
    }
    std::size_t columns = 0;
    for (;;) {
      matrix.values.push_back(scan.number(ends, wanted));
      ++columns;
      skip_blanks(scan, delimiter);
      if (is_line_end(scan)) break;
      if (delimiter != ' ') {
        if (scan.peek() != delimiter) scan.fail("the delimiter \"" + format.delimiter + "\" is missing");
        ++scan.at;
        skip_blanks(scan, delimiter);
      }
    }
    if (matrix.rows == 0) matrix.columns = columns;
    else if (columns != matrix.columns)
      scan.fail("this line has " + std::to_string(columns) + " numbers, but the lines before it have " + std::to_string(matrix.columns));
    ++matrix.rows;
    scan.skip_line();
  }
  if (matrix.rows == 0) throw Error("file " + file + " holds no numbers");
  return matrix;
}

}  // namespace mosim::native
