// The text format of the library's tables.

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <limits>

#include "native/call.hpp"
#include "native/matrix_file.hpp"
#include "native/say.hpp"
#include "native/scanner.hpp"

namespace mosim::native {
namespace {

constexpr std::string_view separators = " \t,;\r\n";
constexpr std::string_view ends = " \t,;\r\n#";

void skip(Scanner& scan, std::string_view characters) {
  while (!scan.is_end()) {
    if (scan.peek() == '#') scan.skip_line();
    else if (characters.find(scan.peek()) != std::string_view::npos) ++scan.at;
    else return;
  }
}

bool takes(Scanner& scan, std::string_view word) {
  if (scan.text.substr(scan.at, word.size()) != word) return false;
  scan.at += word.size();
  return true;
}

bool is_type(const Scanner& scan) {
  for (const std::string_view type : {"double", "float"}) {
    const std::string_view rest = scan.text.substr(scan.at);
    if (rest.starts_with(type) && rest.size() > type.size() && (rest[type.size()] == ' ' || rest[type.size()] == '\t')) return true;
  }
  return false;
}

struct Head {
  std::string name;
  std::size_t rows = 0, columns = 0;
};

std::size_t read_size(Scanner& scan) {
  skip(scan, " \t");
  std::size_t value = 0, digits = 0;
  for (; std::isdigit(static_cast<unsigned char>(scan.peek())); ++scan.at, ++digits) {
    if (value > std::min<std::uint64_t>(1000000000000, std::numeric_limits<std::size_t>::max() / 10 - 1)) scan.fail("the size is too large");
    value = 10 * value + static_cast<std::size_t>(scan.peek() - '0');
  }
  if (digits == 0) scan.fail("a size is missing: a table begins with, for example, double name(4,2)");
  skip(scan, " \t");
  return value;
}

/// double name(rows,columns)
Head read_head(Scanner& scan) {
  if (!takes(scan, "double")) takes(scan, "float");
  skip(scan, " \t");
  const std::size_t begin = scan.at;
  while (!scan.is_end() && std::string_view(" \t,;\r\n()#").find(scan.peek()) == std::string_view::npos) ++scan.at;
  Head head;
  head.name = scan.text.substr(begin, scan.at - begin);
  if (head.name.empty()) scan.fail("the name of a table is missing: a table begins with, for example, double name(4,2)");
  skip(scan, " \t");
  if (!takes(scan, "(")) scan.fail("( is missing behind the table's name: its size is given as in double name(4,2)");
  head.rows = read_size(scan);
  if (!takes(scan, ",")) scan.fail("a comma is missing between the two sizes of table \"" + head.name + "\"");
  head.columns = read_size(scan);
  if (head.columns > 0 && head.rows > 1000000000000000 / head.columns) scan.fail("the sizes of table \"" + head.name + "\" are too large");
  if (!takes(scan, ")")) scan.fail(") is missing behind the sizes of table \"" + head.name + "\"");
  return head;
}

Matrix read_numbers(Scanner& scan, const Head& head) {
  Matrix matrix{head.rows, head.columns, {}};
  const std::size_t count = head.rows * head.columns;
  const std::string wanted = "table \"" + head.name + "\" is " + say_size(head.rows, head.columns);
  // A number takes two characters with what parts it from the next: a size beyond what the file can hold takes no memory.
  if (count <= (scan.text.size() - scan.at) / 2 + 1) matrix.values.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    skip(scan, separators);
    if (scan.is_end() || is_type(scan))
      scan.fail(wanted + " and needs " + std::to_string(count) + " numbers, but only " + std::to_string(i) + " are there (" +
                std::to_string(i / head.columns) + " full rows)");
    matrix.values.push_back(scan.number(ends, wanted + ", and only numbers belong there"));
  }
  skip(scan, separators);
  if (!scan.is_end() && !is_type(scan)) scan.fail(wanted + ", but more follows: mend the size, or begin a comment with #");
  return matrix;
}

/// To the next line that begins with a type.
void skip_numbers(Scanner& scan) {
  do {
    scan.skip_line();
    while (scan.peek() == ' ' || scan.peek() == '\t') ++scan.at;
  } while (!scan.is_end() && !is_type(scan));
}

}  // namespace

Matrix read_text_matrix(const std::string& file, const std::string& name) {
  const std::string bytes = read_bytes(file);
  Scanner scan{bytes, file};
  takes(scan, "\xEF\xBB\xBF");
  if (!takes(scan, "#1")) scan.fail("a file of tables in text form begins with #1");
  scan.skip_line();
  std::string others;
  skip(scan, separators);
  while (!scan.is_end()) {
    if (!is_type(scan)) scan.fail("a table begins with its type, as in double name(4,2)");
    const Head head = read_head(scan);
    if (head.name == name) return read_numbers(scan, head);
    others += (others.empty() ? "" : ", ") + head.name;
    skip_numbers(scan);
  }
  throw Error("file " + file + " holds no table \"" + name + "\"" + (others.empty() ? ", nor any other" : "; it holds " + others));
}

}  // namespace mosim::native
