// Many runs of the bouncing ball through the library alone, for many_runs.py: prints microseconds a run.

#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "mosim/session.hpp"

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const int runs = std::atoi(argv[2]);
  mosim::Session session;
  const auto names = session.read(argv[1]);
  const auto model = names.empty() ? nullptr : session.compile(names.back());
  if (!model) return 1;
  double sum = 0;
  const auto begin = std::chrono::steady_clock::now();
  for (int k = 0; k < runs; ++k) {
    const mosim::Result r = model->simulate({.stop = 3, .set = {{"e", 0.5 + 0.4 * k / runs}}, .results = std::vector<std::string>{"h", "v"}});
    sum += r.rows.back();
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  std::printf("%.3f %.17g\n", 1e6 * seconds / runs, sum);
}
