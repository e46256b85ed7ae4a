#pragma once
// The command as a child process that is watched while it runs.

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/cli/folder.hpp"

namespace mosim::tests {

/// Under the sanitizers a process needs address space without limit.
#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

struct Ended {
  int status = -1;      // of the process; 128 + the signal that killed it
  bool killed = false;
};

class Child {
 public:
  /// In the folder, with standard output and error in out.txt and err.txt there. `prepare` is called in the child.
  Child(const Folder& folder, const std::vector<std::string>& arguments, const std::function<void()>& prepare = {}) : folder_(folder) {
    pid_ = fork();
    if (pid_ != 0) return;
    std::vector<char*> argv;
    std::string name = MOSIM;
    argv.push_back(name.data());
    std::vector<std::string> copies = arguments;
    for (std::string& a : copies) argv.push_back(a.data());
    argv.push_back(nullptr);
    if (chdir(folder.path.c_str()) != 0) _exit(97);
    redirect("/dev/null", O_RDONLY, 0);
    redirect("out.txt", O_WRONLY | O_CREAT | O_TRUNC, 1);
    redirect("err.txt", O_WRONLY | O_CREAT | O_TRUNC, 2);
    for (const int number : {SIGINT, SIGTERM, SIGPIPE, SIGXFSZ}) std::signal(number, SIG_DFL);
    if (prepare) prepare();
    execv(argv[0], argv.data());
    _exit(98);
  }
  ~Child() {
    if (pid_ > 0) {
      kill(pid_, SIGKILL);
      waitpid(pid_, nullptr, 0);
    }
  }
  Child(const Child&) = delete;

  void send(int number) const { kill(pid_, number); }

  /// Until the file in the folder has so many bytes, or the child has ended. Whether it came to that.
  bool wait_for(const std::string& file, std::uintmax_t bytes) const {
    while (true) {
      std::error_code error;
      const auto size = fs::file_size(folder_.path / file, error);
      if (!error && size >= bytes) return true;
      siginfo_t info{};
      if (waitid(P_PID, id_t(pid_), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid != 0) return false;
      usleep(2000);
    }
  }

  Ended wait() {
    int status = 0;
    while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {}
    pid_ = 0;
    if (WIFSIGNALED(status)) return {128 + WTERMSIG(status), true};
    return {WEXITSTATUS(status), false};
  }

  std::string out() const { return read(folder_.path / "out.txt"); }
  std::string err() const { return read(folder_.path / "err.txt"); }

 private:
  static void redirect(const char* path, int flags, int descriptor) {
    const int opened = open(path, flags, 0666);
    if (opened < 0 || dup2(opened, descriptor) < 0) _exit(96);
    close(opened);
  }

  const Folder& folder_;
  pid_t pid_ = -1;
};

}  // namespace mosim::tests
