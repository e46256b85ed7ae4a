#include "foreign/worker.hpp"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>

#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "foreign/invocation.hpp"
#include "foreign/unit.hpp"

namespace mosim::foreign {
namespace {

struct Worker {
  Channel channel;
  std::string utilities_folder;
  std::vector<Unit> units{};
  std::map<std::uint64_t, std::unique_ptr<Invocation>> functions{};
  std::vector<void*> objects{};
};

const Unit::Found& find(Worker& worker, const Code& code, const std::vector<Wanted>& all, const Wanted& one) {
  for (const Unit& unit : worker.units)
    if (unit.code == code)
      if (const auto it = unit.functions.find(one); it != unit.functions.end()) return it->second;
  worker.units.push_back(make_unit(code, all, worker.utilities_folder));
  return worker.units.back().functions.at(one);
}

/// `done`, and of each function why it cannot be called, or nothing.
Writer define(Worker& worker, Reader& r) {
  const auto n = r.get<std::uint64_t>();
  const Code code = get_code(r);
  std::vector<std::uint64_t> numbers;
  std::vector<Function> functions;
  std::vector<Wanted> all;
  for (std::uint64_t k = 0; k < n; ++k) {
    numbers.push_back(r.get<std::uint64_t>());
    functions.push_back(get_function(r));
    all.push_back({functions.back().name, r.get<std::uint64_t>()});
  }
  Writer answer(Word::done);
  for (std::uint64_t k = 0; k < n; ++k) {
    std::string problem;
    try {
      const Unit::Found& found = find(worker, code, all, all[k]);
      problem = found.problem;
      if (problem.empty()) worker.functions[numbers[k]] = std::make_unique<Invocation>(std::move(functions[k]), found.address);
    } catch (const std::runtime_error& error) {
      problem = error.what();
    }
    answer.put_text(problem);
  }
  return answer;
}

Writer answer(Worker& worker, Reader& r) {
  if (r.word() == Word::define) return define(worker, r);
  Surroundings surroundings;
  surroundings.channel = &worker.channel;
  Invocation& function = *worker.functions.at(r.get<std::uint64_t>());
  if (r.word() == Word::call) return function.call(r, surroundings, worker.objects);
  void*& object = worker.objects.at(r.get<std::uint64_t>() - 1);
  Writer result = function.destroy(object, surroundings);
  object = nullptr;
  return result;
}

// Before all that mosim itself would do at its end.
void tell_exit(int status, void* channel) {
  std::fflush(nullptr);
  Writer w(Word::exited);
  w.put(status);
  (void)static_cast<Channel*>(channel)->send(w);
  ::_exit(0);
}

/// What this process shares with its parent, and must not: signals of the terminal, files, the standard output, on which results may go.
void become_apart(int& descriptor) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) std::signal(number, SIG_IGN);
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM, SIGTRAP}) std::signal(number, SIG_DFL);
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
  constexpr int first = STDERR_FILENO + 1;
  if (descriptor != first) {
    ::dup2(descriptor, first);
    descriptor = first;
  }
  ::close_range(first + 1, ~0u, 0);
}

}  // namespace

void work(int descriptor, const std::string& utilities_folder) {
  become_apart(descriptor);
  Worker worker{.channel = Channel(descriptor), .utilities_folder = utilities_folder};
  ::on_exit(tell_exit, &worker.channel);
  std::vector<char> frame;
  while (worker.channel.receive(frame) == Channel::Arrival::frame) {
    Reader request(std::move(frame));
    const Writer result = answer(worker, request);
    std::fflush(stdout);
    if (!worker.channel.send(result)) break;
  }
  std::fflush(nullptr);
  ::_exit(0);
}

}  // namespace mosim::foreign
