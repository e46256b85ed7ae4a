#include "runtime/accumulation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mosim::runtime {

namespace {

constexpr std::size_t shortest_series = 9;     // instants, that is 8 intervals
constexpr double ratio_tolerance = 0.02;       // of successive ratios in one series
constexpr double soon = 2e-2;                   // of the first interval: from the end of a series to the accumulation
constexpr double twice = 1e-6;                 // interval / the one before: it is the same crossing
constexpr double least_shrinking = 0.25;       // last interval / first interval of a series worth a report
constexpr std::size_t spell_flips = 64;        // before a spell is recognised, and between two widenings
constexpr double spell_density = 1e-3;         // mean interval / resolution: a spell begins
constexpr double spell_target = 2e-2;          // the same: the band is wide enough
constexpr double spell_asymmetry = 1000;       // longest excursion in bands: beyond that, it makes progress
constexpr double spell_over = 200;             // mean intervals of silence: the band may just have become wider
constexpr double widening = 10;
constexpr std::size_t stuck_events = 2000;
constexpr double unusual = 2;                  // times the longest before: it has not been turned back

struct Estimate {
  double ratio, accumulation;
};

// From the largest intervals, where rounding and the tolerance matter least.
Estimate estimate(const std::vector<double>& series) {
  const double first = series[1] - series[0];
  std::size_t last = 1;
  for (std::size_t k = 1; k + 1 < series.size(); ++k)
    if (series[k + 1] - series[k] >= 1e-3 * first) last = k;
  const double interval = series[last + 1] - series[last];
  const double ratio = std::pow(interval / first, 1.0 / double(last));
  return {ratio, series[last + 1] + interval * ratio / (1 - ratio)};
}

Zeno* find_zeno(Accumulation& a, Index relation, double time) {
  for (Zeno& zeno : a.zeno)
    if (zeno.relation == relation && time <= zeno.accumulation * (1 + 1e-6)) return &zeno;
  return nullptr;
}

// `other`: the series of the opposite direction, which may have come one event further.
void close_series(Accumulation& a, Index relation, const std::vector<double>& series, const std::vector<double>& other, double time) {
  if (series.size() < shortest_series) return;
  const double first = series[1] - series[0], last = series.back() - series[series.size() - 2];
  const Estimate e = estimate(series);
  // Shortly before the accumulation rounding takes the intervals out of their ratio.
  if (last > least_shrinking * first || !(e.ratio < 0.9999) || e.accumulation > time + soon * first) return;
  // The other direction of the same relation shrinks just as well.
  for (Zeno& zeno : a.zeno)
    if (zeno.relation == relation && std::abs(zeno.accumulation - e.accumulation) <= first) return;
  a.zeno.push_back({relation, e.ratio, e.accumulation, series.back(), std::max(series.size(), other.size())});
}

bool in_series(const RelationWatch& watch) {
  return watch.series[0].size() >= shortest_series || watch.series[1].size() >= shortest_series;
}

void note_series(Accumulation& a, Index relation, RelationWatch& watch, bool value, double time) {
  std::vector<double>& series = watch.series[value];
  if (!series.empty() && time <= series.back()) return;  // twice in one event
  if (Zeno* const zeno = find_zeno(a, relation, time)) {
    if (value) zeno->last = time, ++zeno->events;
    series.clear();
    return;
  }
  const std::size_t n = series.size();
  if (n >= 2) {
    const double interval = time - series[n - 1], before = series[n - 1] - series[n - 2];
    if (interval < twice * before) return;   // once more within rounding
    const double ratio = interval / before;
    const double expected = n >= 3 ? before / (series[n - 2] - series[n - 3]) : ratio;
    const bool fits = ratio < 0.9999 && std::abs(ratio - expected) <= ratio_tolerance * expected;
    if (!fits) {
      const double last = series.back(), last_but_one = series[n - 2];
      close_series(a, relation, series, watch.series[!value], time);
      series.clear();
      if (Zeno* const zeno = find_zeno(a, relation, time)) {
        if (value) zeno->last = time, ++zeno->events;
        return;
      }
      if (ratio < 0.9999) series.push_back(last_but_one);
      series.push_back(last);
    }
  }
  series.push_back(time);
}

// Does an unbroken run of flips stay within a few bands, so closely that nothing is left to see?
bool chatters(const Accumulation& a, const RelationWatch& watch) {
  const auto& past = watch.past;
  if (past.size() < spell_flips) return false;
  const double mean = (past.back().instant - past.front().instant) / double(past.size() - 1);
  if (mean > (watch.spell == none ? spell_density : spell_target) * a.resolution) return false;
  // Crossing the band takes the time up to a hysteresis flip; the excursion is what follows.
  double across = 0, beyond = 0;
  std::size_t hysteresis = 0;
  for (std::size_t k = 1; k < past.size(); ++k) {
    const double interval = past[k].instant - past[k - 1].instant;
    if (past[k].hysteresis) ++hysteresis;
    (past[k].hysteresis ? across : beyond) += interval;
  }
  return hysteresis * 4 >= past.size() && beyond <= spell_asymmetry * across;
}

// The largest band that the tolerance allows: an error of this size is made in any case.
double widest(const Accumulation& a, const Machine& m, Index relation) {
  const Relation& definition = m.program->relations[relation];
  const double scale = definition.epsilon == none ? 1.0 : m.memory[definition.epsilon] * 1e10;
  return a.tolerance * (scale + m.relations[relation].size());
}

// Relations that flip at the same instants are in one spell, and keep one band: else they would come apart.
void join_spell(Accumulation& a, Machine& m, const EventRecord& record, Index number) {
  Chattering& spell = a.chattering[number];
  for (const EventRecord::Flip& flip : record.flips) {
    RelationWatch& watch = a.watches[flip.relation];
    if (m.program->relations[flip.relation].time_event || flip.relation == spell.relation) continue;
    if (watch.spell == none && watch.past.size() >= spell_flips / 2) {
      watch.spell = number;
      watch.base_epsilon = m.relations[flip.relation].epsilon;
      watch.past.clear();
      for (std::vector<double>& series : watch.series) series.clear();
      if (std::find(spell.with.begin(), spell.with.end(), flip.relation) == spell.with.end()) spell.with.push_back(flip.relation);
      ++a.spells;
    }
    double& epsilon = m.relations[flip.relation].epsilon;
    if (watch.spell == number) epsilon = std::max(epsilon, std::min(m.relations[spell.relation].epsilon, widest(a, m, flip.relation)));
  }
}

}  // namespace

Accumulation make_accumulation(const Program& program, const Options& options) {
  Accumulation a;
  a.watches.resize(program.relations.size());
  for (RelationWatch& watch : a.watches) watch.since = options.start;
  a.resolution = resolution(options);
  a.tolerance = options.tolerance;
  a.stop = options.stop;
  return a;
}

double note_event(Accumulation& a, Machine& m, const EventRecord& record) {
  double spell_start = std::numeric_limits<double>::quiet_NaN();
  ++a.events;
  if (a.instants.size() < stuck_events) {
    a.instants.push_back(record.time);
  } else {
    a.instants[a.events % stuck_events] = record.time;
  }
  for (const EventRecord::Flip& flip : record.flips) {
    if (m.program->relations[flip.relation].time_event) continue;
    RelationWatch& watch = a.watches[flip.relation];
    watch.longest[!flip.value] = std::max(watch.longest[!flip.value], record.time - watch.since);
    watch.since = record.time;
    RelationState& state = m.relations[flip.relation];
    ++watch.flips;
    if (watch.spell == none) note_series(a, flip.relation, watch, flip.value, record.time);
    if (watch.spell != none) {
      Chattering& spell = a.chattering[watch.spell];
      spell.to = record.time;
      if (spell.relation != flip.relation) continue;   // it goes with the other
      ++spell.events;
    }
    watch.past.push_back({record.time, flip.hysteresis});
    if (watch.past.size() < spell_flips) continue;
    const double limit = widest(a, m, flip.relation);
    if (chatters(a, watch) && !in_series(watch)) {
      watch.mean_interval =
          (watch.past.back().instant - watch.past.front().instant) / double(watch.past.size() - 1);
      if (watch.spell == none) {
        spell_start = watch.past.front().instant;
        watch.spell = Index(a.chattering.size());
        watch.base_epsilon = state.epsilon;
        a.chattering.push_back({flip.relation, spell_start, record.time, watch.past.size(), state.epsilon, 0, {}});
        ++a.spells;
        watch.series[0].clear();
        watch.series[1].clear();
      }
      state.epsilon = std::max(state.epsilon, std::min(state.epsilon * widening, limit));
      Chattering& spell = a.chattering[watch.spell];
      spell.epsilon = std::max(spell.epsilon, state.epsilon);
      watch.past.clear();
      join_spell(a, m, record, watch.spell);
    } else {
      watch.past.erase(watch.past.begin(), watch.past.begin() + spell_flips / 2);
    }
  }
  return spell_start;
}

double longest_prelude(const Accumulation& a) { return double(spell_flips) * spell_density * a.resolution; }

bool end_spells(Accumulation& a, Machine& m, double time) {
  if (a.spells == 0) return false;
  bool ended = false;
  for (std::size_t k = 0; k < a.watches.size(); ++k) {
    RelationWatch& watch = a.watches[k];
    if (watch.spell == none) continue;
    const Chattering& spell = a.chattering[watch.spell];
    const double silence = time - spell.to;
    if (silence <= spell_over * std::max(a.watches[spell.relation].mean_interval, 1e-3 * spell_density * a.resolution)) continue;
    m.relations[k].epsilon = watch.base_epsilon;
    watch.spell = none;
    watch.past.clear();
    --a.spells;
    ended = true;
  }
  return ended;
}

Index spell_of(const Accumulation& a, const std::vector<Index>& relations) {
  for (const Index k : relations)
    if (a.watches[k].spell != none) return a.watches[k].spell;
  return none;
}

std::vector<std::vector<Index>> spells_now(const Accumulation& a) {
  std::vector<std::vector<Index>> spells;
  std::vector<Index> numbers;
  for (Index k = 0; k < a.watches.size(); ++k) {
    const Index number = a.watches[k].spell;
    if (number == none) continue;
    const auto at = std::find(numbers.begin(), numbers.end(), number);
    if (at == numbers.end()) {
      numbers.push_back(number);
      spells.push_back({k});
    } else {
      spells[std::size_t(at - numbers.begin())].push_back(k);
    }
  }
  return spells;
}

void note_slide(Accumulation& a, const std::vector<Index>& relations, double since, double time) {
  const Index number = spell_of(a, relations);
  if (number == none) return;
  Chattering& spell = a.chattering[number];
  spell.to = time;
  spell.slid += time - since;
  for (const Index k : relations)
    if (k != spell.relation && std::find(spell.with.begin(), spell.with.end(), k) == spell.with.end()) spell.with.push_back(k);
}

bool is_stuck(const Accumulation& a, double time) {
  if (a.instants.size() < stuck_events) return false;
  const double oldest = a.instants[(a.events + 1) % stuck_events];
  return time - oldest <= 1e-12 * std::max({std::abs(time), std::abs(a.stop), 1e-300});
}

void finish(Accumulation& a, double time) {
  for (Index k = 0; k < a.watches.size(); ++k)
    for (const int value : {1, 0}) close_series(a, k, a.watches[k].series[value], a.watches[k].series[!value], time);
  std::erase_if(a.zeno, [&](const Zeno& zeno) { return zeno.accumulation > time; });
  std::stable_sort(a.zeno.begin(), a.zeno.end(),
                   [](const Zeno& x, const Zeno& y) { return x.accumulation < y.accumulation; });
}

std::vector<Unarmed> find_unarmed(const Accumulation& a, const Machine& m, const std::optional<LastEvent>& last, double time) {
  const Program& program = *m.program;
  std::vector<Unarmed> found;
  for (Index k = 0; k < program.reinits.size(); ++k) {
    const Reinit& reinit = program.reinits[k];
    if (reinit.when == none) continue;
    const auto& conditions = program.whens[reinit.when].conditions;
    if (std::none_of(conditions.begin(), conditions.end(), [&](const WhenCondition& c) { return m.memory[c.value] != 0; })) continue;
    for (const Index relation : reinit.turns) {
      const RelationWatch& watch = a.watches[relation];
      const RelationState& state = m.relations[relation];
      const bool longer = time - watch.since > unusual * watch.longest[state.value];
      const bool known = std::any_of(a.zeno.begin(), a.zeno.end(), [&](const Zeno& z) { return z.relation == relation; }) ||
                         std::any_of(found.begin(), found.end(), [&](const Unarmed& u) { return u.relation == relation; });
      const bool fired = watch.flips > 0 && m.turn_times[k] == watch.since;
      // Another surface may have done what this one did not.
      const bool followed = last && last->time > watch.since && last->relation != none && last->relation != relation;
      if (state.armed && longer && !known && !followed && fired) found.push_back({relation, reinit.when, k, watch.since});
    }
  }
  return found;
}

}  // namespace mosim::runtime
