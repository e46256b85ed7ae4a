// DiscreteBehavior.SynchronousSystems: every value at every tick by hand, to the last bit.

#include <algorithm>
#include <cmath>

#include "tests/golden/cases.hpp"

namespace mosim::golden {
namespace {

Case of(const std::string& name, std::string by, std::vector<std::string> variables,
        std::function<std::vector<double>(double)> at, std::vector<double> events, double tolerance = 0) {
  Case c;
  c.name = name;
  c.file = "DiscreteBehavior/SynchronousSystems/" + name + ".mo";
  c.settings.stop = 1;
  c.witness = {std::move(by), std::move(variables), std::move(at), tolerance, std::move(events), 0};
  return c;
}

/// Number of the last tick at or before t.
int last_tick(const std::vector<double>& instants, double t) {
  return static_cast<int>(std::upper_bound(instants.begin(), instants.end(), t) - instants.begin()) - 1;
}

std::vector<double> merged(std::vector<double> a, const std::vector<double>& b) {
  a.insert(a.end(), b.begin(), b.end());
  std::sort(a.begin(), a.end());
  a.erase(std::unique(a.begin(), a.end()), a.end());
  return a;
}

}  // namespace

std::vector<Case> clocked_cases() {
  std::vector<Case> all;
  const std::vector<double> tenths = ticks(0, 0.1, 1);   // k*0.1, as sample and Clock(0.1) tick

  std::vector<double> sums{0};                           // 0.1 + 0.1 + ..., which is not the same
  while (sums.back() + 0.1 <= 1) sums.push_back(sums.back() + 0.1);
  all.push_back(of("IndependentSampling", "by hand: k*0.1 and the sum of k tenths", {"x", "y", "e", "next_time"},
                   [=](double t) {
                     const double x = tenths[last_tick(tenths, t)], y = sums[last_tick(sums, t)];
                     return State{x, y, x - y, y + 0.1};
                   },
                   merged(tenths, sums)));
  all.push_back(of("SynchronizedSampling", "by hand: k*0.1", {"tick", "x", "y", "e"},
                   [=](double t) {
                     const int k = last_tick(tenths, t);
                     return State{k + 1.0, tenths[k], tenths[k], 0};
                   },
                   tenths));
  all.push_back(of("SubsamplingWithIntegers", "by hand: k*0.1, z at even k", {"tick", "x", "y", "z"},
                   [=](double t) {
                     const int k = last_tick(tenths, t);
                     return State{k + 1.0, tenths[k], tenths[k], tenths[k - k % 2]};
                   },
                   tenths));

  std::vector<double> thirtieths;                        // of Clock(1, 10), three times as fast: rational, n/30
  for (int n = 0; n <= 30; ++n) thirtieths.push_back(n / 30.0);
  all.push_back(of("SamplingWithClocks", "by hand: k/10, every other k/10, and k/10 three times",
                   {"x", "y", "z", "w"},
                   [=](double t) {
                     const int k = last_tick(thirtieths, t) / 3;
                     return State{k / 10.0, k / 10.0, (k - k % 2) / 10.0, k / 10.0};
                   },
                   thirtieths));

  const std::vector<double> quarters = ticks(0, 0.25, 1);
  all.push_back(of("HoldOperator", "by hand: k*0.1 + k*0.25", {"x", "y", "z"},
                   [=](double t) {
                     const double x = tenths[last_tick(tenths, t)], y = quarters[last_tick(quarters, t)];
                     return State{x, y, x + y};
                   },
                   merged(tenths, quarters)));

  std::vector<State> euler{{0, 0, 0}};                   // x, v, a: MLS 16.8.1, explicit Euler
  for (std::size_t k = 1; k < tenths.size(); ++k) {
    const State& s = euler.back();
    euler.push_back({s[0] + 0.1 * s[1], s[1] + 0.1 * s[2], std::sin(tenths[k])});
  }
  all.push_back(of("ZTransforms", "by hand: explicit Euler with steps of 0.1", {"x", "v", "a"},
                   [=](double t) { return euler[last_tick(tenths, t)]; }, tenths, 1e-14));
  return all;
}

}  // namespace mosim::golden
