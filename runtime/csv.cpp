#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <string>
#include <vector>

#include "runtime/contents.hpp"
#include "runtime/file.hpp"
#include "runtime/results.hpp"

namespace mosim::runtime {

namespace {

constexpr std::size_t enough = 1u << 16;   // bytes worth a write

void append_name(std::string& text, const std::string& name) {
  if (name.find_first_of(",\"\r\n") == std::string::npos) {
    text += name;
    return;
  }
  text += '"';
  for (const char c : name) {
    if (c == '"') text += '"';
    text += c;
  }
  text += '"';
}

constexpr std::size_t part_size = 4096;   // bytes of a row that are worth an append
constexpr std::size_t most_digits = 24;   // -1.2345678901234567e-308

/// Shortest digits that read back to the same double. `to` has room for most_digits; returns their end, as the others below.
char* write_digits(char* to, double value) {
  if (!std::isnan(value)) return std::to_chars(to, to + most_digits, value).ptr;
  std::memcpy(to, "nan", 3);   // whatever its sign
  return to + 3;
}

/// The numbers that columns had last, and their digits: many come again, from row to row and in other columns.
class Digits {
 public:
  explicit Digits(std::size_t columns) : last_(columns) {}

  char* write(char* to, double value, std::uint32_t column) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    if (bits == 0) return write_zero(to);
    Number& last = last_[column];
    if (last.bits != bits) find(last, value, column);
    return copy(to, last);
  }

  /// Of a variable whose value, or the opposite number, a column before it has: its digits, if so.
  char* write_alike(char* to, double value, std::uint32_t column) const {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    if (bits == 0) return write_zero(to);
    const Number& last = last_[column];
    if (last.bits == bits) return copy(to, last);
    if (last.bits == 0 || last.bits != (bits ^ sign) || std::isnan(value)) return write_digits(to, value);
    if (bits & sign) {
      *to = '-';
      return copy(to + 1, last);
    }
    std::memcpy(to, last.digits + 1, most_digits - 1);
    return to + last.length - 1;
  }

 private:
  static constexpr std::uint64_t sign = std::uint64_t(1) << 63;
  static constexpr unsigned size_bits = 7;
  struct Number {
    std::uint64_t bits = 0;   // 0: has no digits
    std::uint32_t length;
    char digits[most_digits];
  };

  static char* write_zero(char* to) {   // most Booleans
    *to = '0';
    return to + 1;
  }

  static char* copy(char* to, const Number& number) {
    std::memcpy(to, number.digits, most_digits);
    return to + number.length;
  }

  void find(Number& last, double value, std::uint32_t column) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    std::uint32_t& before = latest_[(bits * 0x9e3779b97f4a7c15u) >> (64 - size_bits)];
    if (const Number& other = last_[before]; other.bits == bits) {
      last = other;
      return;
    }
    before = column;
    last.bits = bits;
    last.length = std::uint32_t(write_digits(last.digits, value) - last.digits);
  }

  std::vector<Number> last_;                        // by column
  std::uint32_t latest_[1u << size_bits] = {};      // columns, by hash of their numbers
};

class CsvFile : public ResultFile {
 public:
  CsvFile(const Program& program, Contents contents, const std::string& path)
      : program_(program), contents_(std::move(contents)), file_(path) {
    Shared shared(program);
    for (const std::size_t position : positions_in_row(contents_)) {
      const auto column = std::uint32_t(columns_.size());
      const auto [row, is_new] = shared.index_of(program.variables[contents_.variables[column]], column + 1);
      columns_.push_back({std::uint32_t(position), std::uint32_t(std::abs(row))});
    }
  }

  void begin(const std::vector<double>& parameters) override {
    for (const Index k : contents_.parameters) {
      char digits[most_digits];
      constants_ += ',';
      constants_.append(digits, write_digits(digits, value_of(program_.variables[k], parameters)));
    }
    write_header(contents_.parameters);
  }

  bool take(std::span<const double> row, std::uint64_t jumps) override {
    std::string& text = file_.buffer;
    char part[part_size + most_digits + 2], *at = digits_.write(part, row[0], 0);
    if (contents_.hybrid_time) {
      *at++ = ',';
      at = std::to_chars(at, std::end(part), jumps).ptr;
    }
    for (std::uint32_t column = 0; column < columns_.size();) {
      const auto [position, first] = columns_[column++];
      *at++ = ',';
      at = first == column ? digits_.write(at, row[position], column) : digits_.write_alike(at, row[position], first);
      if (at < part + part_size) continue;
      text.append(part, at);
      at = part;
    }
    text.append(part, at);
    text += constants_;
    text += '\n';
    if (text.size() >= enough || pace_.is_due()) flush();
    return file_.error() == 0;
  }

  // The buffer holds whole rows; of one that did not get there whole, nothing stays.
  void flush() override {
    const std::uint64_t before = file_.size();
    if (file_.error() != 0 || file_.flush()) return;
    const std::size_t end = file_.buffer.rfind('\n');
    file_.cut(before + (end == std::string::npos ? 0 : end + 1));
  }

  void finish(double) override {
    if (!has_header_) write_header({});
    flush();
    (void)file_.close();
  }

  std::optional<std::string> problem() const override { return file_.problem(); }
  int error() const override { return file_.error(); }

 private:
  void write_header(const std::vector<Index>& parameters) {
    has_header_ = true;
    std::string& text = file_.buffer;
    text += "time";
    if (contents_.hybrid_time) text += std::string(",") + jump_column;
    for (const std::vector<Index>* list : {&contents_.variables, &parameters})
      for (const Index k : *list) {
        text += ',';
        append_name(text, program_.variables[k].name);
      }
    text += '\n';
  }

  const Program& program_;
  const Contents contents_;
  struct Column {
    std::uint32_t position;   // in a row
    std::uint32_t first;      // of those that have this value, or the opposite number; from 1
  };
  std::vector<Column> columns_;
  File file_;
  Pace pace_;
  Digits digits_{contents_.variables.size() + 1};   // time is 0
  std::string constants_;   // the parameters' part of each row
  bool has_header_ = false;
};

}  // namespace

std::unique_ptr<ResultFile> open_csv(const Program& program, Contents contents, const std::string& path) {
  return std::make_unique<CsvFile>(program, std::move(contents), path);
}

}  // namespace mosim::runtime
