#pragma once
// A file that is written from its beginning to its end, each write checked.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace mosim::runtime {

/// Text or bytes go into a buffer, and with a flush into the file. After the first failure nothing more is written.
class File {
 public:
  /// Makes the file, or empties it; "-" is standard output. Whether that worked, `error` says.
  explicit File(std::string path);
  ~File();
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  /// To be filled; what is in it has not been written. After a failure: what the last flush could still write.
  std::string buffer;
  /// Bytes written so far, without the buffer.
  std::uint64_t size() const { return size_; }
  /// errno of the first failure, or 0.
  int error() const { return error_; }
  /// A disk's file, in which one can go back.
  bool is_regular() const { return regular_; }

  bool flush();
  /// Replaces bytes already written; a regular file alone. Also after a failure, as it takes no room.
  bool patch(std::uint64_t at, const void* bytes, std::size_t count);
  /// Gives up what lies behind so many bytes; a regular file alone. Also after a failure.
  void cut(std::uint64_t size);
  /// Flushes and closes; standard output stays open.
  bool close();
  /// What went wrong, in one sentence; nothing, if nothing did.
  std::optional<std::string> problem() const;

 private:
  std::string path_;
  int descriptor_ = -1;
  bool standard_ = false, regular_ = false, opened_ = false;
  std::uint64_t size_ = 0;
  int error_ = 0;
};

/// Says once a second that what is in a buffer should not wait any longer.
class Pace {
 public:
  bool is_due();

 private:
  std::chrono::steady_clock::time_point next_ = std::chrono::steady_clock::now() + std::chrono::seconds(1);
};

}  // namespace mosim::runtime
