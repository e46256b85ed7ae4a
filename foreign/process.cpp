#include "foreign/process.hpp"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>

#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "foreign/utilities.hpp"
#include "foreign/worker.hpp"

namespace mosim::foreign {

namespace {

constexpr int look_around = 50'000;                     // microseconds between two looks at the flag
constexpr std::size_t most_warnings = 1000;              // of different texts
constexpr std::chrono::seconds last_patience{2};        // for destructors after a run that was stopped, and for the child's own end

using Clock = std::chrono::steady_clock;

std::string say_signal(int number) {
  switch (number) {
    case SIGSEGV: return "crashes: it reaches for memory that is not its own (SIGSEGV)";
    case SIGBUS: return "crashes: it reaches for memory that is not there (SIGBUS)";
    case SIGFPE: return "crashes: a whole number is divided by 0, or the quotient has no room (SIGFPE)";
    case SIGILL: return "crashes: it is no code of this machine (SIGILL)";
    case SIGABRT: return "gives up by abort() (SIGABRT)";
    default: return "is ended by the signal " + std::to_string(number) + " (" + ::strsignal(number) + ")";
  }
}

}  // namespace

/// An object of foreign code, which stays in the child.
class Object : public native::Object {
 public:
  Object(std::shared_ptr<Process> process, std::uint64_t number, std::optional<std::size_t> destructor)
      : process_(std::move(process)), number_(number), destructor_(destructor) {}
  ~Object() override {
    if (destructor_) process_->destroy(*destructor_, number_);
  }
  std::uint64_t number() const { return number_; }
  const Process* process() const { return process_.get(); }

 private:
  std::shared_ptr<Process> process_;
  std::uint64_t number_;
  std::optional<std::size_t> destructor_;
};

std::size_t Process::add(Function function) {
  for (std::size_t k = 0; k < entries_.size(); ++k)
    if (entries_[k].function == function) return k;
  entries_.push_back({std::move(function), false, {}});
  return entries_.size() - 1;
}

void Process::start() {
  if (channel_) return;
  if (!death_.empty()) throw native::Error(death_);
  std::string folder = (std::filesystem::temp_directory_path() / "mosim-XXXXXX").string();
  if (!::mkdtemp(folder.data())) throw native::Error("a folder for foreign code cannot be made in " + std::filesystem::temp_directory_path().string() + ": " + std::strerror(errno));
  folder_ = folder;
  std::ofstream(folder_ + "/ModelicaUtilities.h") << utilities_header();
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) throw native::Error(std::string("no process for foreign code can be started: ") + std::strerror(errno));
  std::fflush(nullptr);
  pid_ = ::fork();
  if (pid_ == 0) {
    ::close(ends[0]);
    work(ends[1], folder_);
  }
  ::close(ends[1]);
  if (pid_ < 0) {
    ::close(ends[0]);
    throw native::Error(std::string("no process for foreign code can be started: ") + std::strerror(errno));
  }
  const timeval limit{0, look_around};
  ::setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  channel_ = std::make_unique<Channel>(ends[0]);
}

Process::~Process() {
  if (channel_) {
    // The child ends by itself when nobody is there any more; it may write files till then.
    ::shutdown(channel_->descriptor(), SHUT_WR);
    std::vector<char> frame;
    for (const auto begin = Clock::now(); Clock::now() - begin < last_patience && channel_->receive(frame) != Channel::Arrival::gone;) {}
    kill_child();
  }
  std::error_code error;
  if (!folder_.empty()) std::filesystem::remove_all(folder_, error);
}

void Process::kill_child() {
  ::kill(pid_, SIGKILL);
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {}
  channel_.reset();
}

/// The channel is closed from the other side.
std::string Process::end_of_child() {
  int status = 0;
  channel_.reset();
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {}
  if (WIFSIGNALED(status)) return say_signal(WTERMSIG(status));
  return "ends the process, with status " + std::to_string(WEXITSTATUS(status));
}

void Process::die(std::string why) {
  death_ = std::move(why);
  throw native::Error(death_);
}

Reader Process::ask(const Writer& message, const std::string& what, const native::Environment* environment) {
  const bool stopped_before = stop_ && stop_->load();
  const auto begin = Clock::now();
  std::optional<std::chrono::seconds> patience = patience_;
  if (stopped_before) patience = last_patience;
  bool there = channel_->send(message);
  std::vector<char> frame;
  while (there) {
    const auto arrival = channel_->receive(frame);
    if (arrival == Channel::Arrival::frame) {
      Reader answer(std::move(frame));
      switch (answer.word()) {
        case Word::message:
        case Word::warning: {
          const std::string_view text = answer.get_text();
          const bool warning = answer.word() == Word::warning;
          if (warning && (warned_.contains(text) || warned_.size() == most_warnings)) continue;
          if (warning) warned_.emplace(text);
          const auto* const say = !environment ? nullptr : warning ? &environment->warn : &environment->print;
          if (say && *say) (*say)(text);
          else std::fprintf(stderr, "%s%.*s%s", warning ? "warning: " : "", int(text.size()), text.data(), text.ends_with('\n') ? "" : "\n");
          continue;
        }
        case Word::failed: throw native::Error(std::string(answer.get_text()));
        case Word::exited: {
          const int status = answer.get<int>();
          kill_child();
          die(what + " ends the process by exit(" + std::to_string(status) + ")");
        }
        default: return answer;
      }
    }
    there = arrival != Channel::Arrival::gone;
    if (!there) break;
    const bool stopped = !stopped_before && stop_ && stop_->load();
    const bool late = patience && Clock::now() - begin > *patience;
    if (!stopped && !late) continue;
    kill_child();
    death_ = what + (stopped ? " was under way when the run was ended" : " has not come to its end in " + std::to_string(patience->count()) + " s");
    throw Stopped(death_);
  }
  die(what + " " + end_of_child());
}

void Process::define(std::size_t like) {
  start();
  // Those of the same code together, and those that are linked with it: they share its static variables.
  Code code = entries_[like].function.code;
  std::set<std::size_t> all{like};
  for (bool grows = true; grows;) {
    grows = false;
    for (std::size_t k = 0; k < entries_.size(); ++k)
      if (!entries_[k].defined && !all.contains(k) && are_linked(entries_[k].function.code, code)) {
        link_with(code, entries_[k].function.code);
        all.insert(k);
        grows = true;
      }
  }
  Writer w(Word::define);
  w.put<std::uint64_t>(all.size());
  put(w, code);
  for (const std::size_t k : all) {
    w.put<std::uint64_t>(k);
    put(w, entries_[k].function);
    w.put<std::uint64_t>(number_of_text(code, entries_[k].function.code.include));
  }
  Reader answer = ask(w, "the code of " + entries_[like].function.name, nullptr);
  for (const std::size_t k : all) {
    entries_[k].problem = answer.get_text();
    entries_[k].defined = true;
  }
}

void Process::check(std::size_t function) {
  if (!death_.empty()) throw native::Error(death_);
  if (!entries_[function].defined) define(function);
  if (const Entry& entry = entries_[function]; !entry.problem.empty()) throw native::Error(entry.problem);
}

namespace {

using Kind = Type::Kind;

/// The leaves of a type in their order.
template <class Visit>
void each_leaf(const Type& type, Visit&& visit) {
  if (type.kind != Kind::record) return visit(type);
  for (const Type& field : type.fields) each_leaf(field, visit);
}

std::uint64_t number_of(const native::Object* object, const Process* process) {
  const auto* const own = dynamic_cast<const Object*>(object);
  return own && own->process() == process ? own->number() : 0;
}

void put_in(Writer& w, const Type& type, const native::In& in, const Process* process) {
  if (type.kind == Kind::object) {
    w.put<std::uint64_t>(1);
    w.put(number_of(in.object, process));
  } else if (type.kind == Kind::string) {
    w.put_list(in.texts, [&](std::string_view text) { w.put_text(text); });
  } else {
    w.put_list(in.numbers, [&](double value) { w.put(value); });
  }
}

void put_out(Writer& w, const Type& type, const native::Out& out) {
  if (type.kind == Kind::object) {
    w.put<std::uint64_t>(1);
    w.put<std::uint64_t>(0);
  } else if (type.kind == Kind::string) {
    w.put_list(*out.texts, [&](const std::string& text) { w.put_text(text); });
  } else {
    w.put_list(out.numbers, [&](double value) { w.put(value); });
  }
}

}  // namespace

void Process::call(std::size_t number, std::span<const native::In> in, std::span<native::Out> out, native::Environment& environment,
                   std::optional<std::size_t> destructor) {
  check(number);
  const Function& function = entries_[number].function;
  Writer w(Word::call);
  w.put<std::uint64_t>(number);
  std::size_t read = 0, written = 0;
  for (const Parameter& p : function.parameters)
    each_leaf(p.type, [&](const Type& type) {
      if (p.result) put_out(w, type, out[written++]);
      else put_in(w, type, in[read++], this);
    });
  Reader answer = ask(w, function.name, &environment);
  written = 0;
  for (const Parameter& p : function.parameters) {
    if (!p.result) continue;
    each_leaf(p.type, [&](const Type& type) {
      native::Out& to = out[written++];
      if (type.kind == Kind::object) {
        if (const auto object = answer.get<std::uint64_t>()) *to.object = std::make_unique<Object>(shared_from_this(), object, destructor);
      } else if (type.kind == Kind::string) {
        for (std::string& text : *to.texts) text = answer.get_text();
      } else {
        for (double& value : to.numbers) value = answer.get<double>();
      }
    });
  }
}

void Process::destroy(std::size_t function, std::uint64_t object) noexcept {
  if (!channel_) return;   // it has gone with its process
  try {
    check(function);
    Writer w(Word::destroy);
    w.put<std::uint64_t>(function);
    w.put(object);
    (void)ask(w, entries_[function].function.name, nullptr);
  } catch (const std::exception& error) {
    if (failed_destructor_.empty()) failed_destructor_ = error.what();
  }
}

}  // namespace mosim::foreign
