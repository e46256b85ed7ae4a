// A study on disk.

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>

#include "mosim/study.hpp"
#include "study/table.hpp"

namespace mosim {

namespace {

using Part = std::pair<std::uint64_t, std::uint64_t>;
using nlohmann::ordered_json;

constexpr int version_of_file = 1;

/// FNV-1a, 64 bits.
class Sum {
 public:
  void add(std::string_view bytes) {
    for (const char c : bytes) sum_ = (sum_ ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
  }
  void add(double value) { add({reinterpret_cast<const char*>(&value), sizeof value}); }
  std::string text() const { return fmt::format("{:016x}", sum_); }

 private:
  std::uint64_t sum_ = 0xcbf29ce484222325ull;
};

std::string sum_of(const Plan& plan) {
  Sum sum;
  for (const std::string& name : plan.variables()) sum.add(name + ",");
  for (std::uint64_t run = 1; run <= plan.runs(); ++run)
    for (const double value : plan.values(run)) sum.add(value);
  return sum.text();
}

ordered_json json_of(const Options& o) {
  ordered_json j = ordered_json::object();
  const auto put = [&](const char* name, const auto& value) {
    if (value) j[name] = *value;
  };
  put("start", o.start);
  put("stop", o.stop);
  put("tolerance", o.tolerance);
  put("intervals", o.intervals);
  put("interval", o.interval);
  put("hysteresis", o.hysteresis);
  put("maximum events", o.maximum_events);
  if (!o.set.empty()) j["set"] = o.set;
  j["solver"] = name_of(o.solver);
  return j;
}

/// What the keys of the first line stand for, where two files differ.
std::string difference(const ordered_json& a, const ordered_json& b) {
  static constexpr std::pair<const char*, const char*> words[]{{"version", "version of mosim"}, {"model", "model"}, {"program", "text of the model"}, {"runs", "number of runs"},
                                                        {"plan", "plan of what varies"}, {"columns", "list of measures"}, {"options", "options of the runs"}};
  for (const auto& [key, word] : words)
    if (a.value(key, ordered_json()) != b.value(key, ordered_json())) return word;
  return "layout";
}

std::string header_line(const std::vector<std::string>& columns) {
  std::string line;
  for (const std::string& c : columns) {
    if (!line.empty()) line += ',';
    studies::append_cell(line, c);
  }
  return line + "\n";
}

std::string contents_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::system_error(errno, std::generic_category(), path);
  try {
    return std::string{std::istreambuf_iterator<char>(in), {}};
  } catch (const std::ios_base::failure&) {
    throw std::system_error(EIO, std::generic_category(), path);
  }
}

struct Read {
  ordered_json first;
  std::map<std::uint64_t, std::string> lines;   // by run, without their ends
  std::size_t size = 0;                         // of what is whole
};

Read read_journal(const std::string& path, const std::string& text) {
  Read read;
  std::size_t end = text.find('\n');
  if (end == std::string::npos) return read;   // cut off in its first line: nothing was done
  read.first = ordered_json::parse(text.begin(), text.begin() + std::ptrdiff_t(end), nullptr, false);
  if (!read.first.is_object() || read.first.value("mosim study", 0) != version_of_file) throw std::invalid_argument(fmt::format("{} is no study of this version of mosim", path));
  read.size = end + 1;
  while ((end = text.find('\n', read.size)) != std::string::npos) {
    const std::string line = text.substr(read.size, end - read.size);
    std::uint64_t run = 0;
    const auto digits = std::from_chars(line.data(), line.data() + line.size(), run);
    if (digits.ec != std::errc() || digits.ptr == line.data() + line.size() || *digits.ptr != ',' || run == 0 || run > read.first.value("runs", std::uint64_t(0)))
      throw std::invalid_argument(fmt::format("{}: the line of a run is damaged: {}", path, line.substr(0, 60)));
    const auto [it, is_new] = read.lines.emplace(run, line);
    if (!is_new && it->second != line) throw std::invalid_argument(fmt::format("{} has two results of run {}", path, run));
    read.size = end + 1;
  }
  return read;
}

std::vector<std::string> columns_of(const Plan& plan, const Measures& measures) {
  std::vector<std::string> columns{"run"};
  columns.insert(columns.end(), plan.variables().begin(), plan.variables().end());
  columns.insert(columns.end(), measures.names().begin(), measures.names().end());
  columns.push_back("problem");
  for (std::size_t k = 0; k < columns.size(); ++k)
    if (std::find(columns.begin(), columns.begin() + std::ptrdiff_t(k), columns[k]) != columns.begin() + std::ptrdiff_t(k))
      throw std::invalid_argument(fmt::format("the table would have two columns {0}: give the measure another name, as in other = {0}", columns[k]));
  return columns;
}

std::string table_of(const std::vector<std::string>& columns, const std::map<std::uint64_t, std::string>& lines) {
  std::string text = header_line(columns);
  for (const auto& [run, line] : lines) text += line + "\n";
  return text;
}

}  // namespace

struct Journal::Impl {
  std::string path;
  Plan plan;
  Part part;
  std::vector<std::string> columns;
  std::map<std::uint64_t, std::string> lines;
  std::uint64_t failed = 0;
  int file = -1;

  ~Impl() {
    if (file >= 0) ::close(file);
  }
  void write(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t n = ::write(file, bytes.data(), bytes.size());
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) throw std::system_error(n < 0 ? errno : ENOSPC, std::generic_category(), path);
      bytes.remove_prefix(std::size_t(n));
    }
  }
  std::string line_of(const Outcome& o) const {
    std::string line = fmt::format("{}", o.run);
    for (const double value : plan.values(o.run)) studies::append_cell(line += ',', value);
    for (const double value : o.measures) studies::append_cell(line += ',', value);
    studies::append_cell(line += ',', std::string_view(o.problem));
    return line;
  }
};

Journal::Journal(std::string path, const Model& model, const Plan& plan, const Measures& measures, const Options& options, Part part)
    : impl_(new Impl{std::move(path), plan, part, columns_of(plan, measures), {}, 0, -1}) {
  if (part.first == 0 || part.first > part.second) throw std::invalid_argument(fmt::format("there is no part {} of {}", part.first, part.second));
  ordered_json first{{"mosim study", version_of_file},
                     {"version", version()},
                     {"model", model.name()},
                     {"program", fmt::format("{:016x}", model.checksum())},
                     {"runs", plan.runs()},
                     {"plan", sum_of(plan)},
                     {"columns", impl_->columns},
                     {"options", json_of(options)}};
  if (part.second > 1) first["part"] = {part.first, part.second};
  if (impl_->path.empty()) return;   // in memory alone
  impl_->file = ::open(impl_->path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (impl_->file < 0) throw std::system_error(errno, std::generic_category(), impl_->path);
  if (::flock(impl_->file, LOCK_EX | LOCK_NB) != 0) throw std::invalid_argument(fmt::format("another process is at work on {}", impl_->path));
  Read read = read_journal(impl_->path, contents_of(impl_->path));
  if (read.size > 0 && read.first != first)
    throw std::invalid_argument(fmt::format("{} is of another study: its {} is not the same. Remove the file to begin anew, or give another name for the output",
                                            impl_->path, difference(read.first, first)));
  if (::ftruncate(impl_->file, off_t(read.size)) != 0 || ::lseek(impl_->file, 0, SEEK_END) < 0) throw std::system_error(errno, std::generic_category(), impl_->path);
  if (read.size == 0) impl_->write(first.dump() + "\n");
  impl_->lines = std::move(read.lines);
  for (const auto& [run, line] : impl_->lines) impl_->failed += !line.ends_with(',');
}

Journal::~Journal() = default;

std::vector<std::uint64_t> Journal::missing() const {
  std::vector<std::uint64_t> runs;
  for (std::uint64_t run = impl_->part.first; run <= impl_->plan.runs(); run += impl_->part.second)
    if (!impl_->lines.contains(run)) runs.push_back(run);
  return runs;
}

void Journal::add(const Outcome& outcome) {
  const auto [it, is_new] = impl_->lines.insert_or_assign(outcome.run, impl_->line_of(outcome));
  impl_->failed += !outcome.problem.empty();
  if (impl_->file >= 0) impl_->write(it->second + "\n");
}

std::string Journal::table() const { return table_of(impl_->columns, impl_->lines); }
std::uint64_t Journal::failed() const { return impl_->failed; }

std::string Journal::merge(const std::vector<std::string>& paths) {
  if (paths.empty()) throw std::invalid_argument("name the parts to merge");
  ordered_json first;
  std::map<std::uint64_t, std::string> lines;
  for (const std::string& path : paths) {
    Read read = read_journal(path, contents_of(path));
    if (read.size == 0) throw std::invalid_argument(fmt::format("{} is no study, or one that had not begun", path));
    read.first.erase("part");
    if (first.is_null()) first = read.first;
    if (read.first != first) throw std::invalid_argument(fmt::format("{} and {} are of different studies: the {} is not the same", paths.front(), path, difference(first, read.first)));
    for (auto& [run, line] : read.lines) {
      const auto [it, is_new] = lines.emplace(run, line);
      if (!is_new && it->second != line) throw std::invalid_argument(fmt::format("run {} has two results, one of them in {}", run, path));
    }
  }
  const std::uint64_t runs = first.value("runs", std::uint64_t(0));
  if (lines.size() < runs) {
    std::uint64_t missing = 1;
    for (const auto& [run, line] : lines) missing += run == missing;
    throw std::invalid_argument(fmt::format("{} of {} runs are not there yet, the first of them run {}: do the other parts, or finish them", runs - lines.size(), runs, missing));
  }
  return table_of(first.value("columns", std::vector<std::string>()), lines);
}

}  // namespace mosim
