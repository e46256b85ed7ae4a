#include <charconv>
#include <cmath>
#include <cstdio>
#include <string>

#include "runtime/results.hpp"

namespace mosim::runtime {

namespace {

std::string quoted(const std::string& name) {
  if (name.find_first_of(",\"\r\n") == std::string::npos) return name;
  std::string result = "\"";
  for (const char c : name) {
    if (c == '"') result += '"';
    result += c;
  }
  return result + '"';
}

void append_number(std::string& text, double value) {
  if (std::isnan(value)) {
    text += "nan";
    return;
  }
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  text.append(digits, end);
}

}  // namespace

std::optional<std::string> write_csv(const Program& program, const Result& result, const std::string& path,
                                     bool hybrid_time) {
  const Trajectory& trajectory = result.trajectory;
  std::string text = "time";
  if (hybrid_time) text += std::string(",") + jump_column;
  for (const Index column : trajectory.columns) text += ',' + quoted(program.variables[column].name);
  text += '\n';
  text.reserve(text.size() + trajectory.values.size() * 16);
  const std::size_t width = trajectory.width();
  for (std::size_t k = 0; k < trajectory.values.size(); ++k) {
    append_number(text, trajectory.values[k]);
    if (hybrid_time && k % width == 0) text += ',' + std::to_string(trajectory.jumps[k / width]);
    text += (k + 1) % width == 0 ? '\n' : ',';
  }
  const bool standard = path == "-";
  std::FILE* const file = standard ? stdout : std::fopen(path.c_str(), "wb");
  if (file == nullptr) return "cannot open " + path + " for writing";
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size() && std::fflush(file) == 0;
  const bool closed = standard || std::fclose(file) == 0;
  if (!written || !closed) return "cannot write " + (standard ? std::string("to standard output") : path);
  return {};
}

}  // namespace mosim::runtime
