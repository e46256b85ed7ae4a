#include "cli/plot/gnuplot.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>

extern char** environ;

namespace mosim::cli {

using namespace report;

namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

constexpr const char* install =
    "plots in the terminal and in SVG, PNG and PDF files are drawn by gnuplot, which is not installed: install it "
    "(Debian: apt-get install gnuplot-nox), or use --plot-to FILE.html, which needs nothing";

std::string read_all(int descriptor) {
  std::string text;
  char buffer[65536];
  for (;;) {
    const ssize_t n = read(descriptor, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return text;
    text.append(buffer, std::size_t(n));
  }
}

// What it says goes last; the command that it is about, and a mark below its place, come before.
std::string last_line(const std::string& text) {
  const std::size_t end = text.find_last_not_of(" \n");
  if (end == std::string::npos) return "";
  const std::size_t begin = text.find_last_of('\n', end);
  return text.substr(begin + 1, end - begin);
}

}  // namespace

std::optional<std::string> run_gnuplot(const std::string& script, std::string& output) {
  // The script lies in a file without a name: with one pipe only, neither side can wait for the other for ever.
  const File in(std::tmpfile(), std::fclose), errors(std::tmpfile(), std::fclose);
  std::array<int, 2> out{};
  if (!in || !errors || std::fwrite(script.data(), 1, script.size(), in.get()) != script.size() || std::fflush(in.get()) != 0 ||
      pipe2(out.data(), O_CLOEXEC) != 0)
    return fmt::format("cannot hand the data to gnuplot: {}", std::strerror(errno));
  std::rewind(in.get());

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, fileno(in.get()), 0);
  posix_spawn_file_actions_adddup2(&actions, out[1], 1);
  posix_spawn_file_actions_adddup2(&actions, fileno(errors.get()), 2);
  char name[] = "gnuplot", no_startup_files[] = "-d";
  char* const arguments[] = {name, no_startup_files, nullptr};
  pid_t child = 0;
  const int problem = posix_spawnp(&child, name, &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(out[1]);
  if (problem != 0) {
    close(out[0]);
    return problem == ENOENT ? install : fmt::format("cannot start gnuplot: {}", std::strerror(problem));
  }
  output += read_all(out[0]);
  close(out[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127) return install;
    std::rewind(errors.get());
    const std::string said = last_line(read_all(fileno(errors.get())));
    return "gnuplot failed" + (said.empty() ? std::string() : ": " + said);
  }
  return {};
}

std::optional<std::string> missing_gnuplot() {
  std::string output;
  return run_gnuplot("", output);
}

std::string gnuplot_string(std::string_view text) {
  // Octal, for what might mean something: a backquote, for one, would run a command. (Single quotes will not do: a text
  // that begins with one cannot be written in them. Digits are octal as well: an escape takes all that follow it.)
  std::string result = "\"";
  for (const char c : text) {
    const auto u = static_cast<unsigned char>(c);
    if (u < ' ' || u == 0x7f)
      result += ' ';
    else if (u >= 0x80 || std::isalpha(u) || std::strchr(" .,:;+-*/()[]<>=", c))
      result += c;
    else
      result += fmt::format("\\{:03o}", unsigned(u));
  }
  return result + '"';
}

std::string data_block(const std::string& name, const Curve& c) {
  std::string text = fmt::format("${} << end_of_data\n", name);
  for (std::size_t k = 0; k < c.times.size(); ++k) {
    if (std::isnan(c.values[k]))
      text += fmt::format("{:.17g} NaN\n", c.times[k]);
    else
      text += fmt::format("{:.17g} {:.17g}\n", c.times[k], c.values[k] + c.lane);
  }
  return text + "end_of_data\n";
}

std::string named_ticks(const std::vector<Tick>& ticks) {
  if (ticks.empty()) return "";
  std::string text;
  for (const Tick& t : ticks) {
    // A label is a format for its number.
    std::string label;
    for (const char c : t.label) label += c == '%' ? "%%" : std::string(1, c);
    text += fmt::format("{}{} {:.17g}", text.empty() ? "" : ", ", gnuplot_string(label), t.value);
  }
  return "set ytics (" + text + ")\n";
}

}  // namespace mosim::cli
