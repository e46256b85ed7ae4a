#include "runtime/sliding.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>

#include "runtime/crossings.hpp"
#include "runtime/events.hpp"
#include "runtime/interpreter.hpp"
#include "runtime/machine.hpp"

namespace mosim::runtime {

namespace {

constexpr double probe_part = 1e-4;    // of the resolution
constexpr double pull_rate = 100;      // per resolution
constexpr double pull_part = 0.1;      // of the slower rate: the pull is no motion of its own
constexpr double parallel = 1e-4;      // relations over one surface change in one proportion
constexpr double faster = 10;          // a reset than the motion that it sends back
constexpr unsigned seen_enough = 2;
constexpr unsigned failures_enough = 6;
constexpr unsigned first_wait = 32;    // events, before it is tried again
constexpr std::size_t most_surfaces = 20;

bool is_continuous(const Variable& v) {
  return v.type == Type::real && (v.kind == Kind::algebraic || v.kind == Kind::derivative);
}

bool is_discrete(const Variable& v) {
  return v.kind == Kind::discrete || (v.type != Type::real && v.kind == Kind::algebraic);
}

bool is_value_above(const Program& program, Index relation) {
  const Comparison comparison = program.relations[relation].comparison;
  return comparison == Comparison::greater || comparison == Comparison::greater_equal;
}

void put(Machine& m, double time, const std::vector<double>& states, double step, const std::vector<double>& derivatives) {
  set_time(m, time + step);
  for (std::size_t k = 0; k < states.size(); ++k)
    m.memory[m.program->first_state + k] = step == 0 ? states[k] : states[k] + step * derivatives[k];
}

// With the side's memory and relations in the machine.
Outcome evaluate_side(Machine& m, const Sliding& s, Sliding::Side& side, double time, bool outputs) {
  put(m, time, s.states, 0, {});
  const Outcome outcome = run(m, m.program->derivatives, Mode::frozen);
  if (!outcome.ok()) return outcome;
  side.derivatives.assign(m.memory.begin() + m.program->first_derivative,
                          m.memory.begin() + m.program->first_derivative + std::ptrdiff_t(s.states.size()));
  if (side.reset != none) side.derivatives[side.reset] += side.speed;
  side.rates.resize(s.surfaces.size());
  for (std::size_t k = 0; k < s.surfaces.size(); ++k) side.rates[k].assign(s.surfaces[k].relations.size(), 0.0);
  for (const double step : {s.probe, -s.probe}) {
    put(m, time, s.states, step, side.derivatives);
    (void)measure(m);
    for (std::size_t k = 0; k < s.surfaces.size(); ++k)
      for (std::size_t i = 0; i < side.rates[k].size(); ++i)
        side.rates[k][i] += m.relation_differences[s.surfaces[k].relations[i]] / (2 * step);
  }
  put(m, time, s.states, 0, {});
  (void)measure(m);   // whatever of the derivatives it leaves out is still that of this very point
  side.differences = m.relation_differences;
  side.arguments = m.event_function_arguments;
  for (const auto& rates : side.rates)
    if (!std::isfinite(rates.front())) return {Fault::derivative_not_finite, none};
  return outputs ? run(m, m.program->outputs, Mode::frozen) : outcome;
}

// The mean of a value on all sides.
template <class Value>
double mean(const Sliding& s, Value value) {
  const double first = value(s.sides[0]);
  double result = first;
  for (std::size_t k = 0; k < s.surfaces.size(); ++k) {
    const double other = value(s.sides[k + 1]);
    if (other != first) result += s.surfaces[k].weight * (other - first);
  }
  return result;
}

// The weights with which the differences stay, or come back to 0.
void find_weights(Sliding& s, bool pulled) {
  const std::size_t n = s.surfaces.size();
  std::vector<double> exact(n), pull(n, 0.0), own(n);
  for (std::size_t k = 0; k < n; ++k) {
    exact[k] = -s.sides[0].rates[k].front();
    for (std::size_t i = 0; i < n; ++i) s.effects.at(k, i) = s.sides[i + 1].rates[k].front() - s.sides[0].rates[k].front();
    own[k] = s.effects.at(k, k);
  }
  const bool regular = factorise(s.effects) == n;
  if (regular) solve(s.effects, exact.data());
  for (std::size_t k = 0; k < n; ++k) {
    const bool leads_back = s.surfaces[k].from_above ? own[k] > 0 : own[k] < 0;
    if (!regular || !leads_back) exact[k] = -1;   // no way back
    const Index lead = s.surfaces[k].relations.front();
    const double limit = pull_part * std::abs(own[k]) * std::max(0.0, std::min(exact[k], 1 - exact[k]));
    if (pulled) pull[k] = std::clamp(-s.pull * s.sides[0].differences[lead], -limit, limit);
  }
  if (regular && pulled) solve(s.effects, pull.data());
  for (std::size_t k = 0; k < n; ++k) {
    Sliding::Surface& surface = s.surfaces[k];
    surface.exact = exact[k];
    if (exact[k] != -1) surface.weight = std::clamp(exact[k] + pull[k], 0.0, 1.0);
  }
}

std::size_t main_side(const Sliding& s) {
  std::size_t best = 0;
  double weight = 0.5;
  for (std::size_t k = 0; k < s.surfaces.size(); ++k)
    if (s.surfaces[k].weight > weight) weight = s.surfaces[k].weight, best = k + 1;
  return best;
}

}  // namespace

Outcome slide(Machine& m, bool outputs) {
  Sliding& s = *m.sliding;
  const double time = m.memory[slot_time];
  const auto first = m.memory.begin() + m.program->first_state;
  s.states.assign(first, first + std::ptrdiff_t(m.program->states.size()));
  for (Sliding::Side& side : s.sides) {
    m.memory.swap(side.memory);
    m.relations.swap(side.relations);
    const Outcome outcome = evaluate_side(m, s, side, time, outputs);
    m.memory.swap(side.memory);
    m.relations.swap(side.relations);
    if (!outcome.ok()) {
      std::copy(side.memory.begin(), side.memory.end(), m.memory.begin());   // for the message
      return outcome;
    }
  }
  // What is shown is free of the pull, which makes much of the integrator's small errors.
  find_weights(s, !outputs);
  using Side = Sliding::Side;
  if (outputs) {
    const std::vector<double>& discrete = s.sides[main_side(s)].memory;
    std::copy(discrete.begin(), discrete.end(), m.memory.begin());
    for (const Slot slot : s.mixed) m.memory[slot] = mean(s, [&](const Side& side) { return side.memory[slot]; });
  }
  // Jumps are looked for where these are.
  for (const Delay& delay : m.program->delays)
    if (delay.varying != none) m.memory[delay.varying] = mean(s, [&](const Side& side) { return side.memory[delay.varying]; });
  for (const SpatialDistribution& t : m.program->spatial_distributions)
    m.memory[t.x] = mean(s, [&](const Side& side) { return side.memory[t.x]; });
  // What is shown of a state that is reset is its derivative between two resets.
  const auto derivative = [&](const Side& side, std::size_t k) { return side.derivatives[k] - (outputs && side.reset == k ? side.speed : 0); };
  for (std::size_t k = 0; k < s.states.size(); ++k)
    m.memory[m.program->first_derivative + k] = mean(s, [&](const Side& side) { return derivative(side, k); });
  for (std::size_t k = 0; k < m.relation_differences.size(); ++k)
    m.relation_differences[k] = mean(s, [&](const Side& side) { return side.differences[k]; });
  for (std::size_t k = 0; k < m.event_function_arguments.size(); ++k)
    m.event_function_arguments[k] = mean(s, [&](const Side& side) { return side.arguments[k]; });
  for (const Sliding::Surface& surface : s.surfaces)
    for (const Index k : surface.relations) m.relation_differences[k] = std::numeric_limits<double>::quiet_NaN();
  return {};
}

double above_zero(const Sliding& s) {
  double least = 1;
  for (const Sliding::Surface& surface : s.surfaces) least = std::min(least, surface.exact);
  return least;
}

double below_one(const Sliding& s) {
  double least = 1;
  for (const Sliding::Surface& surface : s.surfaces) least = std::min(least, 1 - surface.exact);
  return least;
}

void note_leaving(Sliding& s) {
  for (Sliding::Surface& surface : s.surfaces) surface.leaves = surface.exact <= 0 ? 0 : surface.exact >= 1 ? 1 : -1;
}

bool note_side(SlidingWatch& watch, const Machine& m, std::vector<Index> flipped) {
  if (watch.wait > 0) {
    --watch.wait;
    return false;
  }
  std::sort(flipped.begin(), flipped.end());
  flipped.erase(std::unique(flipped.begin(), flipped.end()), flipped.end());
  if (flipped != watch.relations) {
    watch.seen[0] = watch.seen[1] = 0;
    watch.relations = std::move(flipped);
  }
  if (watch.relations.empty()) return false;
  const Index lead = watch.relations.front();
  const bool above = is_value_above(*m.program, lead) == m.relations[lead].value;
  Sliding::Side& side = watch.sides[above];
  const auto agrees = [&](const Variable& v) { return !is_discrete(v) || side.memory[v.slot] == m.memory[v.slot]; };
  const bool same = watch.seen[above] > 0 && std::all_of(m.program->variables.begin(), m.program->variables.end(), agrees);
  watch.seen[above] = same ? watch.seen[above] + 1 : 1;
  side.memory = m.memory;
  side.relations = m.relations;
  return watch.seen[0] >= seen_enough && watch.seen[1] >= seen_enough;
}

namespace {

// One surface for all relations said to be over it, the same from all sides, and the motion leads back to it.
bool is_sound(const Machine& m, const Sliding& s) {
  if (!(above_zero(s) > 0 && below_one(s) > 0)) return false;
  for (std::size_t k = 0; k < s.surfaces.size(); ++k)
    for (std::size_t i = 0; i < s.surfaces[k].relations.size(); ++i) {
      const Index relation = s.surfaces[k].relations[i];
      const double epsilon = 4 * m.relations[relation].epsilon, below = s.sides[0].differences[relation];
      if (!(std::abs(below) <= epsilon)) return false;
      for (const Sliding::Side& side : s.sides) {
        const double one = s.sides[0].rates[k].front() * side.rates[k][i], other = side.rates[k].front() * s.sides[0].rates[k][i];
        if (!(std::abs(below - side.differences[relation]) <= epsilon)) return false;
        if (!(std::abs(one - other) <= parallel * (std::abs(one) + std::abs(other)))) return false;
      }
    }
  return true;
}

bool is_above(const Machine& m, Index relation) { return is_value_above(*m.program, relation) == m.relations[relation].value; }

// How fast each reset state must go back to outdo the motion on the real side.
bool find_speeds(Machine& m, Sliding& s) {
  for (std::size_t k = 0; k < s.surfaces.size(); ++k) {
    Sliding::Side& side = s.sides[k + 1];
    if (side.reset == none) continue;
    double rates[2];
    for (const int speed : {0, 1}) {
      side.speed = speed;
      if (!slide(m, false).ok()) return false;
      rates[speed] = side.rates[k].front();
    }
    side.speed = -faster * rates[0] / (rates[1] - rates[0]);
    if (!std::isfinite(side.speed) || side.speed == 0) return false;
  }
  return true;
}

// Relations over the surface that have not flipped, as h > 1 in if h < 1 then 1 elseif h > 1 then -1 else 0: they have no crossings
// either while it is followed.
void add_companions(Machine& m) {
  Sliding& s = *m.sliding;
  if (s.surfaces.size() != 1 || s.surfaces[0].reset != none) return;
  std::vector<Index>& relations = s.surfaces[0].relations;
  const double widened = m.relations[relations.front()].epsilon;   // by chattering
  for (Index k = 0; k < m.relations.size(); ++k) {
    const double epsilon = 4 * std::max(widened, m.relations[k].epsilon);
    const bool is_over_it = std::any_of(s.sides.begin(), s.sides.end(), [&](const Sliding::Side& side) { return std::abs(side.differences[k]) <= epsilon; });
    if (!is_over_it || m.program->relations[k].time_event || !m.relations[k].watched || std::find(relations.begin(), relations.end(), k) != relations.end()) continue;
    relations.push_back(k);
    const auto agrees = [&](const Sliding::Side& side) {
      const double own = std::abs(side.rates[0].back()), lead = std::abs(side.rates[0].front());
      return std::isnan(own) || std::abs(own - lead) <= parallel * lead;   // NaN: not evaluated on that side
    };
    if (slide(m, true).ok() && std::all_of(s.sides.begin(), s.sides.end(), agrees)) continue;
    relations.pop_back();
    (void)slide(m, true);
  }
}

bool begin(Machine& m, const std::vector<SurfaceOf>& surfaces, std::vector<Sliding::Side> sides, double resolution) {
  auto sliding = std::make_unique<Sliding>();
  Sliding& s = *sliding;
  for (const SurfaceOf& surface : surfaces) {
    const bool from_above = surface.reset != none && is_above(m, surface.relations.front());
    s.surfaces.push_back({surface.relations, surface.reset, from_above, 0.5, 0.5, -1});
  }
  s.sides = std::move(sides);
  for (const Variable& v : m.program->variables)
    if (is_continuous(v)) s.mixed.push_back(v.slot);
  s.probe = probe_part * resolution;
  s.pull = pull_rate / resolution;
  s.since = m.memory[slot_time];
  s.effects = make_dense(s.surfaces.size());
  const std::vector<double> before = m.memory;
  m.sliding = std::move(sliding);
  if (find_speeds(m, s) && slide(m, true).ok() && is_sound(m, s)) {
    add_companions(m);
    return true;
  }
  m.sliding.reset();
  std::copy(before.begin(), before.end(), m.memory.begin());
  return false;
}

unsigned wait_after(unsigned failures) {
  return failures > failures_enough ? std::numeric_limits<unsigned>::max() : first_wait << failures;
}

// The machine as it is, but for relations (values by side of their surface), and what is discrete and follows from them.
std::optional<Sliding::Side> construct(Machine& m, const std::vector<SurfaceOf>& surfaces, const std::vector<bool>& above) {
  Sliding::Side side;
  side.memory = m.memory;
  side.relations = m.relations;
  for (std::size_t k = 0; k < surfaces.size(); ++k) {
    if (surfaces[k].reset != none) continue;
    for (const Index relation : surfaces[k].relations)
      // They stand for their surface as the first of them does, or the other way round.
      side.relations[relation].value = m.relations[relation].value != (is_above(m, surfaces[k].relations.front()) != above[k]);
  }
  m.memory.swap(side.memory);
  m.relations.swap(side.relations);
  const auto fires = [&](const When& when) { return m.memory[when.fired] != 0; };
  const auto unsettled = [&](const Pre& pre) { return pre.discrete && m.memory[pre.value] != m.memory[pre.pre]; };
  bool good = true;
  for (int round = 0; round < 3 && good; ++round) {
    set_pre(m);
    good = run(m, m.program->event, Mode::frozen).ok() && m.pending_reinits.empty() && m.termination == none &&
           std::none_of(m.program->whens.begin(), m.program->whens.end(), fires);
  }
  good = good && std::none_of(m.program->pre.begin(), m.program->pre.end(), unsettled);
  m.pending_reinits.clear();
  m.memory.swap(side.memory);
  m.relations.swap(side.relations);
  if (!good) return {};
  return side;
}

}  // namespace

bool begin_sliding(Machine& m, SlidingWatch& watch, double resolution) {
  watch.seen[0] = watch.seen[1] = 0;
  if (begin(m, {{watch.relations, none}}, {watch.sides[0], watch.sides[1]}, resolution)) return true;
  watch.wait = wait_after(++watch.failures);
  return false;
}

bool begin_sliding(Machine& m, SlidingWatch& watch, const std::vector<SurfaceOf>& surfaces, double resolution) {
  if (watch.several_wait > 0) {
    --watch.several_wait;
    return false;
  }
  const std::size_t n = surfaces.size();
  const Index termination = m.termination;
  std::vector<Sliding::Side> sides;
  for (std::size_t k = 0; k <= n && n <= most_surfaces; ++k) {
    std::vector<bool> above(n, false);
    if (k > 0) above[k - 1] = true;
    const bool resets = k > 0 && surfaces[k - 1].reset != none;
    auto side = resets ? sides.front() : construct(m, surfaces, above);
    if (!side) break;
    if (resets) side->reset = surfaces[k - 1].reset;
    sides.push_back(std::move(*side));
  }
  m.termination = termination;
  if (sides.size() == n + 1 && begin(m, surfaces, std::move(sides), resolution)) return true;
  watch.several_wait = wait_after(++watch.several_failures);
  return false;
}

void end_sliding(Machine& m) {
  const std::unique_ptr<Sliding> sliding = std::move(m.sliding);
  const Sliding& s = *sliding;
  const double time = m.memory[slot_time];
  const auto first = m.memory.begin() + m.program->first_state;
  const std::vector<double> states(first, first + std::ptrdiff_t(m.program->states.size()));
  std::vector<bool> above;
  std::vector<SurfaceOf> surfaces;
  for (const Sliding::Surface& surface : s.surfaces) {
    above.push_back(surface.reset == none && (surface.leaves >= 0 ? surface.leaves == 1 : surface.weight > 0.5));
    surfaces.push_back({surface.relations, surface.reset});
  }
  const auto up = std::count(above.begin(), above.end(), true);
  const auto take = [&](const Sliding::Side& side) {
    std::copy(side.memory.begin(), side.memory.end(), m.memory.begin());
    put(m, time, states, 0, {});
    for (const Sliding::Surface& surface : s.surfaces)
      for (const Index k : surface.relations) {
        m.relations[k].value = side.relations[k].value;
        m.relations[k].armed = m.relations[k].forced = false;
      }
  };
  take(s.sides[up == 0 ? 0 : std::size_t(std::find(above.begin(), above.end(), true) - above.begin()) + 1]);
  if (up < 2) return;
  if (const auto side = construct(m, surfaces, above)) take(*side);
}

}  // namespace mosim::runtime
