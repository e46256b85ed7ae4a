#include "report/event_spool.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <type_traits>

#include <unistd.h>

namespace mosim::report {

namespace {

using runtime::EventRecord;

/// A record as bytes: numbers as they are in memory, lists and texts behind their lengths. One order of its parts, for writing
/// and reading alike.
struct Writer {
  std::string& bytes;
  template <class T>
  void value(const T& x) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes.append(reinterpret_cast<const char*>(&x), sizeof x);
  }
  std::size_t length(std::size_t n) {
    value(std::uint32_t(n));
    return n;
  }
  void text(const std::string& s) {
    length(s.size());
    bytes += s;
  }
};

struct Reader {
  const char* at;
  template <class T>
  void value(T& x) {
    std::memcpy(&x, at, sizeof x);
    at += sizeof x;
  }
  std::size_t length(std::size_t) {
    std::uint32_t n = 0;
    value(n);
    return n;
  }
  void text(std::string& s) {
    const std::size_t n = length(0);
    s.assign(at, n);
    at += n;
  }
};

template <class Archive, class List, class Each>
void list(Archive& a, List& items, Each each) {
  const std::size_t n = a.length(items.size());
  if constexpr (std::is_same_v<Archive, Reader>) items.resize(n);
  for (auto& item : items) each(item);
}

template <class Archive, class List>
void numbers(Archive& a, List& items) {
  list(a, items, [&](auto& item) { a.value(item); });
}

/// Record is EventRecord, const for a Writer.
template <class Archive, class Record>
void transfer(Archive& a, Record& r) {
  const auto said = [&](auto& s) {
    a.value(s.number);
    a.text(s.text);
  };
  a.value(r.number);
  a.value(r.time);
  a.value(r.kind);
  a.value(r.rounds);
  a.value(r.acts);
  a.value(r.rearming);
  a.value(r.failed);
  numbers(a, r.flips);
  numbers(a, r.rounded);
  numbers(a, r.samples);
  numbers(a, r.clocks);
  numbers(a, r.delays);
  numbers(a, r.spatial_distributions);
  numbers(a, r.spatial_distributions);
  list(a, r.fired, [&](auto& f) {
    a.value(f.when);
    a.value(f.round);
    numbers(a, f.elements);
    numbers(a, f.already_true);
  });
  numbers(a, r.transitions);
  numbers(a, r.changes);
  numbers(a, r.steps);
  numbers(a, r.resets);
  list(a, r.warnings, said);
  list(a, r.terminations, said);
  numbers(a, r.initialised);
}

EventRecord record_of(const char* bytes) {
  EventRecord record;
  Reader reader{bytes};
  transfer(reader, record);
  return record;
}

std::FILE* temporary_file() {
  std::error_code error;
  std::string name = (std::filesystem::temp_directory_path(error) / "mosim_events_XXXXXX").string();
  const int descriptor = ::mkstemp(name.data());
  if (descriptor < 0) return nullptr;
  ::unlink(name.c_str());
  return ::fdopen(descriptor, "w+b");
}

}  // namespace

Events events_in(const runtime::Result& result) {
  return [&result](const std::function<bool(const EventRecord&)>& visit) {
    for (const EventRecord& record : result.events)
      if (!visit(record)) return;
  };
}

void EventSpool::add(const EventRecord& record) {
  if (problem_) return;
  Writer writer{recent_};
  const std::size_t begin = recent_.size();
  writer.value(std::uint32_t(0));
  transfer(writer, record);
  const std::uint32_t size = std::uint32_t(recent_.size() - begin - sizeof(std::uint32_t));
  std::memcpy(recent_.data() + begin, &size, sizeof size);
  if (recent_.size() > few_) spill();
}

void EventSpool::spill() {
  if (!file_) file_.reset(temporary_file());
  if (!file_ || std::fwrite(recent_.data(), 1, recent_.size(), file_.get()) != recent_.size() || std::fflush(file_.get()) != 0) {
    std::error_code none;
    problem_ = fmt::format("the events need more room than there is in {}, and are not all kept: {}",
                           std::filesystem::temp_directory_path(none).string(), std::strerror(errno));
  }
  recent_.clear();
}

Events EventSpool::events() const {
  return [this](const std::function<bool(const EventRecord&)>& visit) {
    std::uint32_t size = 0;
    if (file_) {
      std::string bytes;
      std::rewind(file_.get());
      while (std::fread(&size, sizeof size, 1, file_.get()) == 1) {
        bytes.resize(size);
        // What did not get there whole is not read.
        if (std::fread(bytes.data(), 1, size, file_.get()) != size || !visit(record_of(bytes.data()))) return;
      }
    }
    for (std::size_t at = 0; at < recent_.size(); at += sizeof size + size) {
      std::memcpy(&size, recent_.data() + at, sizeof size);
      if (!visit(record_of(recent_.data() + at + sizeof size))) return;
    }
  };
}

}  // namespace mosim::report
