// While one row is worked out, those before it become text: in large models that takes as long as the run.

#include <pthread.h>

#include <atomic>
#include <condition_variable>
#include <csignal>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "runtime/file.hpp"
#include "runtime/results.hpp"

namespace mosim::runtime {

namespace {

// Numbers: so many are written before a thread is worth its start, and handed to it at once.
constexpr std::size_t worth_a_thread = 1u << 16, enough = 1u << 15;

struct Rows {
  std::size_t width = 0;
  std::vector<double> values;
  std::vector<std::uint64_t> jumps;   // of each row
  bool are_due = false;               // in the file as soon as they are written

  bool is_empty() const { return jumps.empty() && !are_due; }
  void clear() {
    values.clear();
    jumps.clear();
    are_due = false;
  }
};

/// Rows pass through three hands: `coming_` is filled by the run, `next_` waits, `written_` is the thread's.
class BackgroundFile : public ResultFile {
 public:
  explicit BackgroundFile(std::unique_ptr<ResultFile> file) : file_(std::move(file)) {}
  ~BackgroundFile() override { end_thread(); }

  void begin(const std::vector<double>& parameters) override { file_->begin(parameters); }

  bool take(std::span<const double> row, std::uint64_t jumps) override {
    if (!thread_.joinable() && !start_thread(row.size())) return file_->take(row, jumps);
    if (!is_wanted_) {
      throw_failure();
      return false;
    }
    coming_.width = row.size();
    coming_.values.insert(coming_.values.end(), row.begin(), row.end());
    coming_.jumps.push_back(jumps);
    coming_.are_due = pace_.is_due();
    if (coming_.are_due || coming_.values.size() >= enough) hand_over();
    return true;
  }

  void flush() override {
    if (!thread_.joinable()) return file_->flush();
    coming_.are_due = true;
    hand_over();
    std::unique_lock lock(mutex_);
    done_.wait(lock, [&] { return next_.is_empty() && !is_writing_; });
  }

  void finish(double time) override {
    end_thread();
    throw_failure();
    file_->finish(time);
  }

  // The thread is done with the file when it ends, and after a failure.
  std::optional<std::string> problem() const override { return is_ours() ? file_->problem() : std::nullopt; }
  int error() const override { return is_ours() ? file_->error() : 0; }

 private:
  bool is_ours() const { return !thread_.joinable() || !is_wanted_; }

  void throw_failure() {
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  }

  /// As soon as there are enough numbers, with these more. Returns whether it runs.
  bool start_thread(std::size_t more) {
    numbers_ += more;
    if (numbers_ < worth_a_thread || !may_start_) return false;
    // Signals are for the thread of the run.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    try {
      thread_ = std::thread([this] { write(); });
    } catch (const std::system_error&) {
      may_start_ = false;
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return may_start_;
  }

  void hand_over() {
    {
      std::unique_lock lock(mutex_);
      taken_.wait(lock, [&] { return next_.is_empty(); });
      std::swap(next_, coming_);
    }
    there_.notify_one();
  }

  void end_thread() {
    if (!thread_.joinable()) return;
    hand_over();
    {
      const std::lock_guard lock(mutex_);
      ends_ = true;
    }
    there_.notify_one();
    thread_.join();
    may_start_ = false;
  }

  void write() {
    for (Rows rows;; rows.clear()) {
      {
        std::unique_lock lock(mutex_);
        there_.wait(lock, [&] { return !next_.is_empty() || ends_; });
        if (next_.is_empty()) return;
        std::swap(next_, rows);
        is_writing_ = true;
      }
      taken_.notify_one();
      if (is_wanted_ && !write(rows)) is_wanted_ = false;
      {
        const std::lock_guard lock(mutex_);
        is_writing_ = false;
      }
      done_.notify_one();
    }
  }

  bool write(const Rows& rows) {
    try {
      for (std::size_t k = 0; k < rows.jumps.size(); ++k)
        if (!file_->take({rows.values.data() + k * rows.width, rows.width}, rows.jumps[k])) return false;
      if (rows.are_due) file_->flush();
      return true;
    } catch (...) {
      failure_ = std::current_exception();
      return false;
    }
  }

  std::unique_ptr<ResultFile> file_;
  std::size_t numbers_ = 0;
  bool may_start_ = true;
  Pace pace_;
  std::thread thread_;
  Rows coming_, next_;
  std::mutex mutex_;                          // of what both have: next_, and
  bool ends_ = false, is_writing_ = false;
  std::condition_variable there_, taken_, done_;
  std::atomic<bool> is_wanted_ = true;
  std::exception_ptr failure_;                // the thread's, till it ends
};

}  // namespace

std::unique_ptr<ResultFile> in_background(std::unique_ptr<ResultFile> file) { return std::make_unique<BackgroundFile>(std::move(file)); }

}  // namespace mosim::runtime
