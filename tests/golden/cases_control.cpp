// DiscreteBehavior: speed measurement, thermostats, counters.

#include <cmath>
#include <map>

#include "tests/golden/cases.hpp"

namespace mosim::golden {
namespace {

constexpr double tooth = 2 * 3.14159 / 200;
constexpr double sample_time = 0.125;
constexpr const char* integrated =
    "independent integration with event location (Dormand-Prince at 1e-13)";

/// What a measuring model knows between two of its events.
struct Memory {
  double next_phi = tooth, prev_phi = -tooth, last_time = 0, count = 0, measured = 0;
};
struct Episode {
  Point from;       // inertias at its start
  Memory memory;
  bool at_tooth;    // began with a tooth, not with a sample
};

/// The inertias from one event to the next: a tooth either way, and if `sampling` every sample.
std::vector<Episode> episodes(bool sampling, double stop) {
  std::vector<Episode> list;
  Memory m;
  Point p{0, {0, 1, 0, 0}};
  list.push_back({p, m, false});
  int samples = 1;   // the one at 0 finds and leaves all at 0
  while (p.t < stop) {
    const double until = sampling ? std::min(stop, samples * sample_time) : stop;
    p = integrate(two_inertias, p, until,
                  [&](double, const State& x) { return std::max(x[0] - m.next_phi, m.prev_phi - x[0]); });
    if (p.hit) {
      m.measured = sampling ? m.measured : tooth / (p.t - m.last_time);
      m.next_phi = p.x[0] + tooth;
      m.prev_phi = p.x[0] - tooth;
      m.last_time = p.t;
      m.count += 1;
    } else if (sampling && p.t == samples * sample_time) {
      m.measured = m.count * tooth / sample_time;
      m.count = 0;
      ++samples;
    } else {
      break;
    }
    list.push_back({p, m, p.hit});
  }
  return list;
}
const Episode& episode(const std::vector<Episode>& list, double t) {
  std::size_t i = list.size() - 1;
  while (i > 0 && list[i].from.t > t) --i;
  return list[i];
}

// Thermostat: T' = Q - 2*(T - 285), so that T tends to 285 without and to 297.5 with the heater.
struct Room {
  double from, T;
  bool heat;
  double at(double t) const { return target() + (T - target()) * std::exp(-2 * (t - from)); }
  double target() const { return heat ? 297.5 : 285; }
};
std::vector<Room> rooms(double stop) {
  std::vector<Room> list{{0, 300, false}};
  for (;;) {
    const Room& r = list.back();
    const double threshold = r.heat ? 296 : 294;
    const double t = r.from + 0.5 * std::log((r.T - r.target()) / (threshold - r.target()));
    if (t > stop) return list;
    list.push_back({t, threshold, !r.heat});
  }
}

}  // namespace

std::vector<Case> control_cases() {
  std::vector<Case> all;
  const std::string speed = "DiscreteBehavior/SpeedMeasurement/";
  const std::vector<std::string> inertias{"phi1", "phi2", "omega1", "omega2"};
  {
    Case c;
    c.name = "SampleAndHold";
    c.file = speed + "SampleAndHold.mo";
    c.settings = {.start = 0, .stop = 5, .tolerance = 1e-10};
    const auto run = follow(two_inertias, {0, 1, 0, 0}), samples = follow(two_inertias, {0, 1, 0, 0});
    c.witness.by = integrated;
    c.witness.variables = inertias;
    c.witness.variables.push_back("omega1_measured");
    c.witness.at = [=](double t) {
      State s = run(t);
      s.push_back(samples(std::floor(t / sample_time) * sample_time)[2]);
      return s;
    };
    c.witness.tolerance = 1e-6;
    c.witness.events = ticks(0, sample_time, 5);
    all.push_back(std::move(c));
  }
  for (const bool sampling : {false, true}) {
    Case c;
    c.name = sampling ? "CounterWithAlgorithm" : "IntervalMeasure";
    c.file = speed + c.name + ".mo";
    c.settings = {.start = 0, .stop = 5, .tolerance = 1e-9};
    const std::vector<Episode> list = episodes(sampling, 5);
    const auto run = follow(two_inertias, {0, 1, 0, 0});
    c.witness.by = integrated;
    c.witness.variables = {"phi1", "omega1", "next_phi", "prev_phi", "omega1_measured"};
    c.witness.variables.push_back(sampling ? "count" : "last_time");
    c.witness.at = [=](double t) {
      const State s = run(t);
      const Memory& m = episode(list, t).memory;
      return State{s[0], s[2], m.next_phi, m.prev_phi, m.measured, sampling ? m.count : m.last_time};
    };
    c.witness.tolerance = 1e-4;   // of the speed: a tooth's angle over the difference of two located instants
    c.witness.events.emplace();
    if (sampling) c.witness.events->push_back(0);
    for (std::size_t i = 1; i < list.size(); ++i) c.witness.events->push_back(list[i].from.t);
    c.witness.event_tolerance = 1e-5;
    all.push_back(std::move(c));
  }

  const std::string hysteresis = "DiscreteBehavior/Hysteresis/";
  {
    Case c;
    c.name = "ChatteringControl";
    c.file = hysteresis + "ChatteringControl.mo";
    c.settings = {.start = 0, .stop = 0.3, .tolerance = 1e-6};
    c.witness = {"closed form: cooling to Tbar, where it slides", {"T"},
                 [](double t) { return State{std::max(295.0, 285 + 15 * std::exp(-2 * t))}; }, 1e-2 / 295, {}, 0};
    c.witness.events.reset();
    all.push_back(std::move(c));
  }
  for (const char* name : {"HysteresisControl", "HysteresisControlWithAlgorithms"}) {
    Case c;
    c.name = name;
    c.file = hysteresis + c.name + ".mo";
    c.settings = {.start = 0, .stop = 2, .tolerance = 1e-10};
    const std::vector<Room> list = rooms(2);
    c.witness.by = "closed form: exponentials between the thresholds";
    c.witness.variables = {"T", "Q", "heat"};
    c.witness.at = [list](double t) {
      std::size_t i = list.size() - 1;
      while (i > 0 && list[i].from > t) --i;
      return State{list[i].at(t), list[i].heat ? 25.0 : 0.0, list[i].heat ? 1.0 : 0.0};
    };
    c.witness.tolerance = 1e-7;
    // Before the first switching it comes down past Tbar + 1, where a relation changes but nothing fires.
    c.witness.events = std::vector<double>{0.5 * std::log(15.0 / 11)};
    for (std::size_t i = 1; i < list.size(); ++i) c.witness.events->push_back(list[i].from);
    c.witness.event_tolerance = 1e-6;
    all.push_back(std::move(c));
  }

  {
    Case c;
    c.name = "Counter";
    c.file = "DiscreteBehavior/Counter/Counter.mo";
    c.settings.stop = 2;
    c.witness = {"by hand: a tick at 0.1 + k*0.1", {"count"},
                 [](double t) { return State{std::floor(t / 0.1 + 1e-9)}; }, 0, ticks(0.1, 0.1, 2), 0};
    all.push_back(std::move(c));
  }
  {
    Case c;
    c.name = "PulseGenerator";
    c.file = "DiscreteBehavior/PulseGenerator/PulseGenerator.mo";
    c.settings.stop = 2;
    c.witness = {"by hand: on from odd ticks, off from even ones", {"pulse"},
                 [](double t) { return State{std::fmod(std::floor(t / 0.1 + 1e-9), 2)}; }, 0, ticks(0.1, 0.1, 2), 0};
    all.push_back(std::move(c));
  }
  return all;
}

}  // namespace mosim::golden
