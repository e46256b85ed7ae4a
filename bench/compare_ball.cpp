// compare_ball MOSIM PEER MODEL: mosim's whole process against the hand-written program's, run in turn. Prints the
// medians in milliseconds, their ratio, and mosim's own account of its parts. Exit status 1 if the ratio is above 2
// or mosim's median above 10 ms.

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

struct Time {
  double wall, cpu;   // milliseconds; wall is negative if the run failed
};

Time run(const std::vector<std::string>& command, bool quiet) {
  std::vector<char*> argv;
  for (const std::string& a : command) argv.push_back(const_cast<char*>(a.c_str()));
  argv.push_back(nullptr);
  const auto begin = std::chrono::steady_clock::now();
  const pid_t child = fork();
  if (child == 0) {
    if (quiet && !std::freopen("/dev/null", "w", stdout)) _exit(127);
    execv(argv[0], argv.data());
    _exit(127);
  }
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  const double wall = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  const auto ms = [](const timeval& t) { return double(t.tv_sec) * 1e3 + double(t.tv_usec) * 1e-3; };
  return {WIFEXITED(status) && WEXITSTATUS(status) == 0 ? wall : -1, ms(usage.ru_utime) + ms(usage.ru_stime)};
}

double median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return v[v.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: compare_ball MOSIM PEER MODEL\n");
    return 2;
  }
  const std::vector<std::string> mosim{argv[1], argv[3], "--stop", "10", "--tolerance", "1e-6", "-o", "/tmp/ball_mosim.csv"};
  const std::vector<std::string> peer{argv[2], "/tmp/ball_peer.csv"};
  std::vector<double> a, b, ratios, cpu_ratios;
  for (int k = 0; k < 41; ++k) {
    const Time x = run(mosim, true), y = run(peer, true);
    if (x.wall < 0 || y.wall < 0) {
      std::fprintf(stderr, "a run failed\n");
      return 2;
    }
    if (k == 0) continue;   // the first one warms the caches
    a.push_back(x.wall);
    b.push_back(y.wall);
    ratios.push_back(x.wall / y.wall);
    cpu_ratios.push_back(x.cpu / y.cpu);
  }
  std::printf("mosim %.2f ms, by hand %.2f ms, ratio %.2f, of processor time %.2f (medians of %zu whole processes)\n",
              median(a), median(b), median(ratios), median(cpu_ratios), a.size());
  run(mosim, false);
  return median(ratios) <= 2 && median(a) <= 10 ? 0 : 1;
}
