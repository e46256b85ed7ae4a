#pragma once
// Tables as text: comma-separated values (RFC 4180).

#include <string>
#include <string_view>
#include <vector>

namespace mosim::studies {

/// The cells of each line that is not empty. A cell may stand in quotes.
std::vector<std::vector<std::string>> read_csv(std::string_view text);

/// Appends a cell, in quotes where it needs them.
void append_cell(std::string& line, std::string_view cell);
/// The shortest digits that read back to the same number; nothing for NaN.
void append_cell(std::string& line, double value);

}  // namespace mosim::studies
