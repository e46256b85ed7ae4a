#include "compiler/analyse/clock_partitions.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace mosim::compiler::dae {

std::uint32_t ClockPartitions::add_node() {
  parent_.push_back(static_cast<std::uint32_t>(parent_.size()));
  sets_.emplace_back();
  return parent_.back();
}

std::uint32_t ClockPartitions::find(std::uint32_t node) {
  while (parent_[node] != node) {
    parent_[node] = parent_[parent_[node]];
    node = parent_[node];
  }
  return node;
}

bool ClockPartitions::compatible(const ClockSource& one, const ClockSource& other) const {
  if (one.expression == other.expression) return true;
  return one.op == Op::clock_rational && other.op == Op::clock_rational && one.interval && other.interval &&
         *one.interval == *other.interval;
}

void ClockPartitions::set_source(std::uint32_t node, const ClockSource& source, Place place) {
  Set& set = sets_[find(node)];
  if (!set.source) {
    set.source = source;
    return;
  }
  if (compatible(*set.source, source)) return;
  a_.error(place,
           fmt::format("the unrelated clocks {} and {} meet here", print(a_.model(), set.source->expression),
                       print(a_.model(), source.expression)),
           "take each to the other's clock: hold() makes a clocked variable continuous, sample() takes it from there",
           {{set.source->place, "one clock"}, {source.place, "the other clock"}});
}

void ClockPartitions::set_method(std::uint32_t node, std::string method, Place place) {
  Set& set = sets_[find(node)];
  if (!set.method.empty() && set.method != method) {
    a_.error(place, fmt::format("one clock has two solver methods, \"{}\" and \"{}\"", set.method, method), {},
             {{set.method_place, "the other one"}});
    return;
  }
  set.method = std::move(method);
  set.method_place = place;
}

void ClockPartitions::is_clocked(std::uint32_t node, Place place, std::string why) {
  Set& set = sets_[find(node)];
  if (set.clocked) return;
  set.clocked = true;
  set.clocked_place = place;
  set.clocked_why = std::move(why);
}

void ClockPartitions::is_unclocked(std::uint32_t node, Place place, std::string why) {
  Set& set = sets_[find(node)];
  if (set.unclocked) return;
  set.unclocked = true;
  set.unclocked_place = place;
  set.unclocked_why = std::move(why);
}

void ClockPartitions::join(std::uint32_t one, std::uint32_t other, Place place) {
  one = find(one);
  other = find(other);
  if (one == other) return;
  if (other < one) std::swap(one, other);
  Set from = std::move(sets_[other]);
  parent_[other] = one;
  if (from.clocked) is_clocked(one, from.clocked_place, from.clocked_why);
  if (from.unclocked) is_unclocked(one, from.unclocked_place, from.unclocked_why);
  if (!from.method.empty()) set_method(one, from.method, from.method_place);
  if (from.source) set_source(one, *from.source, place);
}

/// Sets without a method take that of the sets they are connected to (MLS 16.8.4).
void ClockPartitions::spread_methods() {
  std::vector<std::uint32_t> queue;
  for (std::uint32_t i = 0; i < parent_.size(); ++i)
    if (parent_[i] == i && !sets_[i].method.empty()) queue.push_back(i);
  for (std::size_t i = 0; i < queue.size(); ++i)
    for (std::uint32_t r : relations_of_[queue[i]]) {
      if (relations_[r].op == Op::clock_solver) continue;
      const std::uint32_t from = find(relations_[r].from), to = find(relations_[r].to);
      const std::uint32_t other = from == queue[i] ? to : from;
      if (!sets_[other].method.empty()) continue;
      sets_[other].method = sets_[queue[i]].method;
      sets_[other].method_place = sets_[queue[i]].method_place;
      queue.push_back(other);
    }
}

void ClockPartitions::solve() {
  relations_of_.assign(parent_.size(), {});
  for (std::uint32_t r = 0; r < relations_.size(); ++r) {
    const std::uint32_t from = find(relations_[r].from), to = find(relations_[r].to);
    is_clocked(from, relations_[r].place, "this conversion");
    is_clocked(to, relations_[r].place, "this conversion");
    relations_of_[from].push_back(r);
    if (from != to) relations_of_[to].push_back(r);
  }
  for (std::uint32_t i = 0; i < parent_.size(); ++i) {
    if (parent_[i] != i) continue;
    Set& set = sets_[i];
    if (set.source && !set.clocked) is_clocked(i, set.source->place, "this clock");
    if (set.clocked && set.unclocked)
      a_.error(set.unclocked_place, "clocked and continuous variables are mixed: this one is not clocked because of " + set.unclocked_why,
               "use hold() where a clocked variable is used outside its clock, and sample() for the other direction",
               {{set.clocked_place, "but it shares equations with clocked variables because of " + set.clocked_why}});
  }
  if (a_.failed) return;
  spread_methods();
  std::vector<char> done(parent_.size(), 0);
  for (std::uint32_t i = 0; i < parent_.size(); ++i) {
    if (parent_[i] != i || done[i] || !sets_[i].clocked) continue;
    std::vector<std::uint32_t> roots{i};
    done[i] = 1;
    for (std::size_t k = 0; k < roots.size(); ++k)
      for (std::uint32_t r : relations_of_[roots[k]])
        for (std::uint32_t end : {find(relations_[r].from), find(relations_[r].to)})
          if (!done[end]) {
            done[end] = 1;
            roots.push_back(end);
          }
    solve_base(roots);
  }
}

/// Carries interval and shift from a set over relations with a known ratio.
void ClockPartitions::spread(std::uint32_t root) {
  std::vector<std::uint32_t> queue{root};
  const auto too_large = [&](Place place) { a_.error(place, "the ratio of these clocks does not fit into 64 bits"); };
  for (std::size_t i = 0; i < queue.size() && !a_.failed; ++i) {
    const std::uint32_t at = queue[i];
    for (std::uint32_t number : relations_of_[at]) {
      const ClockRelation& r = relations_[number];
      if (!r.ratio) continue;
      const std::uint32_t from = find(r.from), to = find(r.to);
      const bool forward = from == at;
      const Set known = sets_[at];
      std::optional<Rational> interval, shift;
      const Rational minus{-r.delay.numerator, r.delay.denominator};
      if (forward) {
        interval = multiply(*known.interval, *r.ratio);
        const auto later = multiply(*known.interval, r.delay);
        if (later) shift = add(*known.shift, *later);
      } else {
        interval = divide(*known.interval, *r.ratio);
        const auto later = interval ? multiply(*interval, minus) : std::nullopt;
        if (later) shift = add(*known.shift, *later);
      }
      if (!interval || !shift) {
        too_large(r.place);
        return;
      }
      Set& other = sets_[forward ? to : from];
      if (!other.interval) {
        other.interval = interval;
        other.shift = shift;
        queue.push_back(forward ? to : from);
      } else if (*other.interval != *interval || *other.shift != *shift) {
        a_.error(r.place, "the clocks that are related here tick at different times",
                 "check the factors and the clocks on both sides",
                 {{known.clocked_place, "one side"}, {other.clocked_place, "the other side"}});
        return;
      }
    }
  }
}

void ClockPartitions::solve_base(const std::vector<std::uint32_t>& roots) {
  // The restrictions of MLS 16.3.1: rational clocks that agree, or exactly one other clock.
  const ClockSource* first = nullptr;
  for (std::uint32_t r : roots) {
    Set& set = sets_[r];
    if (!set.source) continue;
    const ClockSource& source = *set.source;
    const bool periodic = source.op == Op::clock_rational && source.interval;
    if (first && !compatible(*first, source) && !(periodic && first->op == Op::clock_rational && first->interval)) {
      a_.error(source.place,
               fmt::format("the unrelated clocks {} and {} belong to one group of clocks (MLS 16.3.1)",
                           print(a_.model(), first->expression), print(a_.model(), source.expression)),
               "derive one from the other with subSample() or superSample()", {{first->place, "the other clock"}});
      return;
    }
    if (!first) first = &source;
    if (set.interval) continue;
    set.interval = periodic ? *source.interval : Rational{1, 1};
    set.shift = Rational{0, 1};
    spread(r);
    if (a_.failed) return;
  }
  // A later clock must agree with what came over relations.
  for (std::uint32_t r : roots) {
    const Set& set = sets_[r];
    if (!set.source || !set.source->interval || !set.interval) continue;
    if (*set.interval != *set.source->interval || set.shift->numerator != 0) {
      a_.error(set.source->place, fmt::format("the clock {} does not agree with the clocks it is related to",
                                              print(a_.model(), set.source->expression)));
      return;
    }
  }
  BaseClock base;
  if (first) {
    const Expressions& x = a_.x();
    base.place = first->place;
    base.varying = first->varying;
    if (first->op == Op::clock_rational) {
      base.kind = BaseClock::Kind::rational;
      base.counter = x.child(first->expression, 0);
      base.resolution = x.children(first->expression).size() > 1
                            ? std::int64_t(a_.number(x.child(first->expression, 1)).value_or(1)) : 1;
    } else if (first->op == Op::clock_real) {
      base.kind = BaseClock::Kind::real;
      base.interval = x.child(first->expression, 0);
    } else {
      base.kind = BaseClock::Kind::event;
      base.condition = first->condition;
      if (x.children(first->expression).size() > 1) base.start_interval = x.child(first->expression, 1);
    }
  } else {
    Set& set = sets_[roots[0]];
    a_.warning(set.clocked_place, "no clock is given for this partition; Clock(1.0) is used");
    base.kind = BaseClock::Kind::real;
    base.interval = a_.x().real(1);
    base.place = set.clocked_place;
    set.interval = Rational{1, 1};
    set.shift = Rational{0, 1};
    spread(roots[0]);
    if (a_.failed) return;
    // The default clock is that of the fastest set.
    Rational fastest{1, 1};
    for (std::uint32_t r : roots)
      if (sets_[r].interval) {
        const auto ratio = divide(*sets_[r].interval, fastest);
        if (ratio && ratio->numerator < ratio->denominator) fastest = *sets_[r].interval;
      }
    for (std::uint32_t r : roots)
      if (sets_[r].interval) {
        sets_[r].interval = divide(*sets_[r].interval, fastest);
        sets_[r].shift = divide(*sets_[r].shift, fastest);
      }
  }
  for (std::uint32_t r : roots)
    if (!sets_[r].interval) {
      a_.error(sets_[r].clocked_place, "the clock of this partition cannot be inferred: no factor and no clock is given",
               "give subSample() or superSample() a factor, or sample() a clock");
      return;
    }
  const Rational unit = first && first->interval ? *first->interval : Rational{1, 1};
  std::optional<Rational> fine = unit;
  for (std::uint32_t r : roots) {
    if (sets_[r].shift->numerator < 0) {
      a_.error(sets_[r].clocked_place, "this clock would start before the clock it is derived from (MLS 16.5.2)",
               "use a smaller counter in backSample()");
      return;
    }
    if (fine) fine = common(*fine, *sets_[r].interval);
    if (fine) fine = common(*fine, *sets_[r].shift);
  }
  const auto whole = [&](Rational value) -> std::uint64_t {
    const auto ratio = fine ? divide(value, *fine) : std::nullopt;
    return ratio ? std::uint64_t(ratio->numerator) : 0;
  };
  base.subdivision = whole(unit);
  if (!fine || base.subdivision == 0) {
    a_.error(base.place, "the ratios of the clocks derived from this one do not fit into 64 bits");
    return;
  }
  if (base.kind == BaseClock::Kind::event && base.subdivision != 1) {
    a_.error(base.place, "a clock derived from this event clock ticks between its events (MLS 16.5.2)",
             "only subSample() and whole shifts are possible for event clocks");
    return;
  }
  const auto base_number = static_cast<std::uint32_t>(a_.system.base_clocks.size());
  for (std::uint32_t r : roots) {
    Set& set = sets_[r];
    SubClock clock;
    clock.base = base_number;
    clock.factor = whole(*set.interval);
    clock.shift = set.shift->numerator == 0 ? 0 : whole(*set.shift);
    clock.solver_method = set.method;
    clock.place = set.clocked_place;
    clock.tick = a_.helper(fmt::format("$tick{}", a_.system.sub_clocks.size() + 1), BaseType::boolean, VariableKind::flag, clock.place, "the tick of a clock");
    set.clock = static_cast<std::uint32_t>(a_.system.sub_clocks.size());
    a_.system.sub_clocks.push_back(std::move(clock));
  }
  a_.system.base_clocks.push_back(std::move(base));
  // Factors left open must come out whole.
  for (std::uint32_t root : roots)
    for (std::uint32_t number : relations_of_[root]) {
      const ClockRelation& r = relations_[number];
      if (r.ratio || find(r.from) != root) continue;
      if (r.op != Op::sub_sample && r.op != Op::super_sample) continue;
      const Rational slow = *sets_[r.op == Op::sub_sample ? find(r.to) : root].interval;
      const Rational fast = *sets_[r.op == Op::sub_sample ? root : find(r.to)].interval;
      const auto ratio = divide(slow, fast);
      if (!ratio || ratio->denominator != 1)
        a_.error(r.place, "the clocks on both sides of this conversion are not related by a whole factor",
                 {}, {{sets_[root].clocked_place, "one clock"}, {sets_[find(r.to)].clocked_place, "the other clock"}});
    }
}

}  // namespace mosim::compiler::dae
