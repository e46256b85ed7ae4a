#pragma once
// Foreign code (MLS 12.9) runs in a process of its own, a child of this one that is started with the first function. A crash there,
// an exit() or a loop without end cannot take a run with it, nor write into its memory: rows, reports and other files are as whole
// as ever, and what happened is told by what became of the child. Signal handlers that jump out of foreign code inside of this
// process would leave the memory that the code has damaged, and locks that it holds. A call costs some microseconds for that.

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "foreign/function.hpp"
#include "foreign/message.hpp"
#include "native/call.hpp"

namespace mosim::foreign {

/// The call was left because the flag of the process was set; the code has not come to its end.
class Stopped : public native::Error {
 public:
  using native::Error::Error;
};

class Process : public std::enable_shared_from_this<Process> {
 public:
  /// `patience`: a call that takes longer is given up.
  explicit Process(std::optional<std::chrono::seconds> patience = {}) : patience_(patience) {}
  ~Process();
  Process(const Process&) = delete;

  /// A function that can be called; its number, the same for the same function. Nothing happens yet.
  std::size_t add(Function function);
  /// Brings its code there. Errors: C that does not compile, a library that is not there, has not the function or cannot be loaded.
  void check(std::size_t function);
  /// `in` has the leaves of the parameters that are read, in order, `out` those of the others, with what stands in them before (12.9.1).
  /// An object that is returned is destroyed by the function `destructor`, if there is one.
  /// Errors: those of check(); what ModelicaError said; a crash, exit(), Stopped, and from then on the same again at every call;
  /// a number without room in an int; an object that there is not; a null pointer for a String.
  void call(std::size_t function, std::span<const native::In> in, std::span<native::Out> out, native::Environment& environment,
            std::optional<std::size_t> destructor = {});
  /// When it becomes true, a call is left. May be null.
  void stop_by(const std::atomic<bool>* flag) { stop_ = flag; }
  /// Why no function can be called any more; empty: they can.
  const std::string& death() const { return death_; }
  /// What the destructors of objects said that failed.
  const std::string& failed_destructor() const { return failed_destructor_; }

 private:
  friend class Object;
  struct Entry {
    Function function;
    bool defined = false;
    std::string problem;
  };
  void start();
  void define(std::size_t like);
  void destroy(std::size_t function, std::uint64_t object) noexcept;
  /// The answer to a message. `what`: under way meanwhile, for messages.
  Reader ask(const Writer& message, const std::string& what, const native::Environment* environment);
  [[noreturn]] void die(std::string why);
  std::string end_of_child();
  void kill_child();

  std::optional<std::chrono::seconds> patience_;
  const std::atomic<bool>* stop_ = nullptr;
  std::vector<Entry> entries_;
  std::unique_ptr<Channel> channel_;
  int pid_ = -1;
  std::string folder_;                // of ModelicaUtilities.h
  std::string death_, failed_destructor_;
  std::set<std::string, std::less<>> warned_;   // each warning is said once (MLS 12.9.6)
};

}  // namespace mosim::foreign
