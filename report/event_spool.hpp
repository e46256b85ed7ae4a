#pragma once
// The records of a run's events, kept until what is said of them is written.

#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "runtime/simulate.hpp"

namespace mosim::report {

/// Visits the events of a run in their order, as often as wanted, until the visitor returns false.
using Events = std::function<void(const std::function<bool(const runtime::EventRecord&)>&)>;

/// Those in the result itself, which must outlive this.
Events events_in(const runtime::Result& result);

/// Records in memory as long as they are few, then in a temporary file.
class EventSpool {
 public:
  /// So many bytes are few.
  explicit EventSpool(std::size_t few = 16u << 20) : few_(few) {}
  void add(const runtime::EventRecord& record);
  /// The spool must outlive this, and get no more records meanwhile.
  Events events() const;
  /// Why there are not all, if so; in one sentence.
  const std::optional<std::string>& problem() const { return problem_; }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  void spill();

  std::size_t few_;
  std::string recent_;                       // behind what is in the file
  std::unique_ptr<std::FILE, Close> file_;   // has no name
  std::optional<std::string> problem_;
};

}  // namespace mosim::report
