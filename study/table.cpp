#include "study/table.hpp"

#include <fmt/format.h>

#include <cmath>

namespace mosim::studies {

std::vector<std::vector<std::string>> read_csv(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);   // as spreadsheets write it
  std::vector<std::vector<std::string>> lines;
  std::vector<std::string> line(1);
  const auto end_line = [&] {
    if (line.size() > 1 || !line.front().empty()) lines.push_back(std::move(line));
    line.assign(1, {});
  };
  bool quoted = false;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    if (quoted) {
      if (c != '"') line.back() += c;
      else if (k + 1 < text.size() && text[k + 1] == '"') line.back() += text[++k];
      else quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == ',') {
      line.emplace_back();
    } else if (c == '\n') {
      end_line();
    } else if (c != '\r') {
      line.back() += c;
    }
  }
  end_line();
  return lines;
}

void append_cell(std::string& line, std::string_view cell) {
  if (cell.find_first_of(",\"\r\n") == std::string_view::npos) {
    line += cell;
    return;
  }
  line += '"';
  for (const char c : cell) {
    if (c == '"') line += '"';
    line += c;
  }
  line += '"';
}

void append_cell(std::string& line, double value) {
  if (!std::isnan(value)) line += fmt::format("{}", value);
}

}  // namespace mosim::studies
