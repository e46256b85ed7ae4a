// The format as MathWorks documents it ("Level 4 MAT-File Format"): matrices one after the other, each with a header of five 32 bit
// integers (type, rows, columns, imaginary part, length of the name), its name, and its numbers, column by column. As data_2 comes
// last and a column of it is a row of the trajectory, it can grow; the number of its columns is put right each time.

#include <algorithm>
#include <bit>
#include <cerrno>
#include <limits>
#include <string_view>

#include "runtime/contents.hpp"
#include "runtime/file.hpp"

namespace mosim::runtime {

namespace {

constexpr std::size_t enough = 1u << 16;   // bytes worth a write
constexpr std::int32_t machine = std::endian::native == std::endian::little ? 0 : 1000;
enum Kind4 : std::int32_t { doubles = 0, integers = 20, text = 51 };

void append(std::string& bytes, const void* from, std::size_t count) { bytes.append(static_cast<const char*>(from), count); }

void append_header(std::string& bytes, Kind4 kind, std::size_t rows, std::size_t columns, std::string_view name) {
  const std::int32_t header[] = {machine + kind, std::int32_t(rows), std::int32_t(columns), 0, std::int32_t(name.size() + 1)};
  append(bytes, header, sizeof header);
  bytes += name;
  bytes += '\0';
}

std::size_t longest(const std::vector<std::string>& texts) {
  std::size_t size = 1;
  for (const std::string& text : texts) size = std::max(size, text.size());
  return size;
}

// A text in each column, filled up with blanks.
void append_columns(std::string& bytes, std::string_view name, const std::vector<std::string>& texts) {
  const std::size_t rows = longest(texts);
  append_header(bytes, text, rows, texts.size(), name);
  for (const std::string& one : texts) bytes.append(one).append(rows - one.size(), ' ');
}

// A text in each row.
void append_rows(std::string& bytes, std::string_view name, const std::vector<std::string>& texts) {
  const std::size_t columns = longest(texts);
  append_header(bytes, text, texts.size(), columns, name);
  for (std::size_t k = 0; k < columns; ++k)
    for (const std::string& one : texts) bytes += k < one.size() ? one[k] : ' ';
}

std::string description_of(const Variable& variable) {
  std::string text = variable.described();
  if (variable.unit.empty()) return text;
  if (!text.empty()) text += ' ';
  text += '[' + variable.unit.text();
  if (!variable.display_unit.empty() && variable.display_unit != variable.unit) text += '|' + variable.display_unit.text();
  return text + ']';
}

class MatFile : public ResultFile {
 public:
  MatFile(const Program& program, Contents contents, const std::string& path)
      : program_(program), contents_(std::move(contents)), file_(path) {
    const std::vector<std::size_t> positions = positions_in_row(contents_);
    std::size_t next = contents_.hybrid_time ? 3 : 2;   // rows of data_2 from 1: time, perhaps j, then the variables
    Shared shared(program);
    for (std::size_t k = 0; k < positions.size(); ++k) {
      const auto [index, is_new] = shared.index_of(program.variables[contents_.variables[k]], next);
      indices_.push_back(index);
      if (!is_new) continue;
      positions_.push_back(positions[k]);
      ++next;
    }
    if (file_.error() == 0 && !file_.is_regular()) error_ = ESPIPE;
  }

  void begin(const std::vector<double>& parameters) override {
    if (error() == 0) write_head(contents_.parameters, parameters);
  }

  bool take(std::span<const double> row, std::uint64_t jumps) override {
    if (rows_ + std::uint64_t(file_.buffer.size()) / row_bytes() >= std::uint64_t(std::numeric_limits<std::int32_t>::max())) error_ = EFBIG;
    if (error() != 0) return false;
    if (!start_) start_ = row[0];
    time_ = row[0];
    append(file_.buffer, row.data(), sizeof(double));
    if (contents_.hybrid_time) {
      const double j = double(jumps);
      append(file_.buffer, &j, sizeof j);
    }
    for (const std::size_t k : positions_) append(file_.buffer, &row[k], sizeof(double));
    if (file_.buffer.size() >= enough || pace_.is_due()) flush();
    return error() == 0;
  }

  // First the rows, then how many there are: the file can be read at any time.
  void flush() override {
    const bool worked = file_.error() == 0 && file_.flush();
    if (file_.size() < rows_at_) return;
    rows_ = (file_.size() - rows_at_) / row_bytes();
    if (!worked) file_.cut(rows_at_ + rows_ * row_bytes());
    const std::int32_t columns = std::int32_t(rows_);
    const double start = start_.value_or(0);
    (void)file_.patch(columns_at_, &columns, sizeof columns);
    (void)file_.patch(first_time_at_, &start, sizeof start);
    (void)file_.patch(last_time_at_, &time_, sizeof time_);
  }

  void finish(double time) override {
    if (error_ == ESPIPE) return;
    if (!has_head_) write_head({}, {});
    time_ = time;
    flush();
    (void)file_.close();
  }

  std::optional<std::string> problem() const override {
    if (error_ == ESPIPE) return "a .mat file needs a place where one can go back in it, and not a pipe or a device";
    if (error_ == EFBIG) return "these are more rows than a .mat file can hold: a CSV file has no such limit";
    return file_.problem();
  }
  int error() const override { return error_ != 0 ? error_ : file_.error(); }

 private:
  std::size_t row_bytes() const { return (positions_.size() + (contents_.hybrid_time ? 2 : 1)) * sizeof(double); }

  void write_head(const std::vector<Index>& parameters, const std::vector<double>& memory) {
    has_head_ = true;
    // One column of dataInfo for each name: table, index in it, linear interpolation, no extrapolation.
    std::vector<std::string> names{"time"}, descriptions{"Time [s]"};
    std::vector<std::int32_t> info{0, 1, 0, -1};
    const auto add = [&](std::string name, std::string description, std::int32_t table, std::int32_t index) {
      names.push_back(std::move(name));
      descriptions.push_back(std::move(description));
      info.insert(info.end(), {table, index, 0, -1});
    };
    std::vector<double> constants{0};   // first column of data_1
    Shared shared(program_);
    for (const Index k : parameters) {
      const Variable& variable = program_.variables[k];
      const auto [index, is_new] = shared.index_of(variable, constants.size() + 1);
      if (is_new) constants.push_back(value_of(variable, memory));
      add(variable.name, description_of(variable), 1, index);
    }
    if (contents_.hybrid_time) add(jump_column, "Number of events so far", 2, 2);
    for (std::size_t k = 0; k < indices_.size(); ++k) {
      const Variable& variable = program_.variables[contents_.variables[k]];
      add(variable.name, description_of(variable), 2, indices_[k]);
    }
    std::string& bytes = file_.buffer;
    append_rows(bytes, "Aclass", {"Atrajectory", "1.1", "", "binTrans"});
    append_columns(bytes, "name", names);
    append_columns(bytes, "description", descriptions);
    append_header(bytes, integers, 4, names.size(), "dataInfo");
    append(bytes, info.data(), info.size() * sizeof(std::int32_t));
    append_header(bytes, doubles, constants.size(), 2, "data_1");
    first_time_at_ = bytes.size();
    append(bytes, constants.data(), constants.size() * sizeof(double));
    last_time_at_ = bytes.size();
    append(bytes, constants.data(), constants.size() * sizeof(double));
    columns_at_ = bytes.size() + 2 * sizeof(std::int32_t);
    append_header(bytes, doubles, row_bytes() / sizeof(double), 0, "data_2");
    rows_at_ = bytes.size();
  }

  const Program& program_;
  const Contents contents_;
  std::vector<std::int32_t> indices_;    // of each variable: its row of data_2, from 1; negative: the opposite number
  std::vector<std::size_t> positions_;   // of the rows of data_2, in a row of the trajectory
  File file_;
  Pace pace_;
  int error_ = 0;                        // of ours; the file has others
  std::uint64_t rows_ = 0;               // in the file
  std::uint64_t first_time_at_ = 0, last_time_at_ = 0, columns_at_ = 0, rows_at_ = 0;
  bool has_head_ = false;
  std::optional<double> start_;          // the time of the first row
  double time_ = 0;                      // of the last one
};

}  // namespace

std::unique_ptr<ResultFile> open_mat(const Program& program, Contents contents, const std::string& path) {
  return std::make_unique<MatFile>(program, std::move(contents), path);
}

}  // namespace mosim::runtime
