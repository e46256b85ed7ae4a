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

/// Shortest digits that read back to the same double. Many numbers come again: from row to row, and in other columns.
class Digits {
 public:
  explicit Digits(std::size_t columns) : last_(columns) {}

  void append(std::string& text, double value) { write(text, in_any_column(std::bit_cast<std::uint64_t>(value), value)); }
  void append(std::string& text, double value, std::size_t column) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    if (bits == 0) return void(text += '0');   // most Booleans
    Known& last = last_[column];
    if (last.bits != bits || last.length == 0) last = in_any_column(bits, value);
    write(text, last);
  }

 private:
  static constexpr unsigned size_bits = 7;
  struct Known {
    std::uint64_t bits = 0;
    std::uint32_t length = 0;   // 0: none yet
    char digits[28];            // -1.2345678901234567e-308 has 24
  };

  static void write(std::string& text, const Known& known) { text.append(known.digits, known.length); }

  const Known& in_any_column(std::uint64_t bits, double value) {
    Known& known = known_[(bits * 0x9e3779b97f4a7c15u) >> (64 - size_bits)];
    if (known.bits != bits || known.length == 0) {
      known.bits = bits;
      known.length = std::isnan(value) ? 3 : std::uint32_t(std::to_chars(known.digits, std::end(known.digits), value).ptr - known.digits);
      if (std::isnan(value)) std::memcpy(known.digits, "nan", 3);   // whatever its sign
    }
    return known;
  }

  Known known_[1u << size_bits];
  std::vector<Known> last_;   // by column
};

class CsvFile : public ResultFile {
 public:
  CsvFile(const Program& program, Contents contents, const std::string& path)
      : program_(program), contents_(std::move(contents)), positions_(positions_in_row(contents_)), file_(path) {}

  void begin(const std::vector<double>& parameters) override {
    for (const Index k : contents_.parameters) {
      constants_ += ',';
      digits_.append(constants_, value_of(program_.variables[k], parameters));
    }
    write_header(contents_.parameters);
  }

  bool take(std::span<const double> row, std::uint64_t jumps) override {
    std::string& text = file_.buffer;
    digits_.append(text, row[0]);
    if (contents_.hybrid_time) text += ',' + std::to_string(jumps);
    for (std::size_t column = 0; column < positions_.size(); ++column) {
      text += ',';
      digits_.append(text, row[positions_[column]], column);
    }
    text += constants_;
    text += '\n';
    if (text.size() >= enough || pace_.is_due()) flush();
    return file_.error() == 0;
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

  // The buffer holds whole rows; of one that did not get there whole, nothing stays.
  void flush() {
    const std::uint64_t before = file_.size();
    if (file_.error() != 0 || file_.flush()) return;
    const std::size_t end = file_.buffer.rfind('\n');
    file_.cut(before + (end == std::string::npos ? 0 : end + 1));
  }

  const Program& program_;
  const Contents contents_;
  const std::vector<std::size_t> positions_;
  File file_;
  Pace pace_;
  Digits digits_{positions_.size()};
  std::string constants_;   // the parameters' part of each row
  bool has_header_ = false;
};

}  // namespace

std::unique_ptr<ResultFile> open_csv(const Program& program, Contents contents, const std::string& path) {
  return std::make_unique<CsvFile>(program, std::move(contents), path);
}

}  // namespace mosim::runtime
