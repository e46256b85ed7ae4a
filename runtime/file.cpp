#include "runtime/file.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace mosim::runtime {

File::File(std::string path) : path_(std::move(path)), standard_(path_ == "-") {
  if (standard_) {
    descriptor_ = STDOUT_FILENO;
  } else {
    do descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    while (descriptor_ < 0 && errno == EINTR);
  }
  if (descriptor_ < 0) {
    error_ = errno;
    return;
  }
  opened_ = true;
  struct stat status {};
  // Standard output may go on where another program has left off.
  regular_ = !standard_ && ::fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode);
}

File::~File() { (void)close(); }

bool File::flush() {
  if (error_ != 0) return false;
  std::size_t done = 0;
  while (error_ == 0 && done < buffer.size()) {
    const ssize_t n = ::write(descriptor_, buffer.data() + done, buffer.size() - done);
    if (n > 0) {
      done += std::size_t(n);
    } else if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {   // a pipe that does not wait by itself
      pollfd full{descriptor_, POLLOUT, 0};
      (void)::poll(&full, 1, -1);
    } else if (n < 0 && errno != EINTR) {
      error_ = errno;
    }
  }
  size_ += done;
  buffer.resize(error_ == 0 ? 0 : done);
  return error_ == 0;
}

bool File::patch(std::uint64_t at, const void* bytes, std::size_t count) {
  const char* from = static_cast<const char*>(bytes);
  while (regular_ && descriptor_ >= 0 && count > 0) {
    const ssize_t n = ::pwrite(descriptor_, from, count, off_t(at));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      if (error_ == 0) error_ = n < 0 ? errno : EIO;
      return false;
    }
    from += n;
    at += std::uint64_t(n);
    count -= std::size_t(n);
  }
  return count == 0;
}

void File::cut(std::uint64_t size) {
  if (!regular_ || descriptor_ < 0 || size >= size_) return;
  if (::ftruncate(descriptor_, off_t(size)) == 0) size_ = size;
}

bool File::close() {
  if (descriptor_ < 0) return error_ == 0;
  (void)flush();
  // A file system may tell only now that there is no room. (After EINTR the file is closed, on Linux.)
  if (!standard_ && ::close(descriptor_) != 0 && errno != EINTR && error_ == 0) error_ = errno;
  descriptor_ = -1;
  return error_ == 0;
}

bool Pace::is_due() {
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return false;
  next_ = now + std::chrono::seconds(1);
  return true;
}

std::optional<std::string> File::problem() const {
  if (error_ == 0) return {};
  const std::string what = standard_ ? "to standard output" : path_;
  return (opened_ ? "cannot write " + what : "cannot open " + path_ + " for writing") + ": " + std::strerror(error_);
}

}  // namespace mosim::runtime
