// Writes the golden files anew: remake_goldens [NAME...]. A run that its witness contradicts is not written.

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <fstream>

#include "tests/golden/golden_file.hpp"

int main(int argc, char** argv) {
  using namespace mosim::golden;
  const std::vector<std::string> wanted(argv + 1, argv + argc);
  int refused = 0;
  for (const Case& c : cases()) {
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), c.name) == wanted.end()) continue;
    const Run run = run_file(c.file, c.settings);
    std::string problem = run.program ? run.messages() : run.diagnostics;
    if (run.program && run.result.ending == mosim::runtime::Ending::stop_time) problem = differences(c, run);
    if (!problem.empty()) {
      fmt::print(stderr, "{}: not written\n{}", c.name, problem);
      ++refused;
      continue;
    }
    std::ofstream(std::string(MOSIM_GOLDENS) + "/" + c.name + ".csv") << to_text(c.name, make_golden(c, run));
  }
  return refused ? 1 : 0;
}
