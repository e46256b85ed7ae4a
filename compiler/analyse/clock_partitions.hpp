#pragma once
// Clock inference (MLS 16.7): sets of variables and equations with one clock, and how their clocks are related.

#include <string>
#include <vector>

#include "compiler/analyse/analysis.hpp"
#include "compiler/expression/rational.hpp"

namespace mosim::compiler::dae {

/// Where a clock comes from: a constructor that says when it ticks.
struct ClockSource {
  Op op = Op::clock_rational;      // clock_rational, clock_real or clock_event
  Expr expression = Expr::none;
  VariableId condition = VariableId::none;   // of an event clock
  bool varying = false;            // its interval is a clocked variable
  std::optional<Rational> interval;  // rational, not varying: seconds
  Place place;
};

/// Two sets on related clocks: to = from, `ratio` times as slow, and `delay` intervals of `from` later.
struct ClockRelation {
  std::uint32_t from, to;
  Op op;                           // of the conversion
  std::optional<Rational> ratio;   // none: inferred
  Rational delay;
  Place place;
};

class ClockPartitions {
public:
  explicit ClockPartitions(Analysis& a) : a_(a) {}

  std::uint32_t add_node();
  std::uint32_t find(std::uint32_t node);
  /// One clock for both; `place` is where that is demanded.
  void join(std::uint32_t one, std::uint32_t other, Place place);
  void relate(ClockRelation relation) { relations_.push_back(relation); }
  void set_source(std::uint32_t node, const ClockSource& source, Place place);
  void set_method(std::uint32_t node, std::string method, Place place);
  /// Evidence that a node is clocked, or that it is not: `why` completes "because of ...".
  void is_clocked(std::uint32_t node, Place place, std::string why);
  void is_unclocked(std::uint32_t node, Place place, std::string why);

  /// Complains of sets that are both, propagates methods, and finds every set's clock.
  void solve();
  bool clocked(std::uint32_t node) { return sets_[find(node)].clocked; }
  std::uint32_t clock_of(std::uint32_t node) { return sets_[find(node)].clock; }
  const std::string& method_of(std::uint32_t node) { return sets_[find(node)].method; }
  Place reason(std::uint32_t node) { return sets_[find(node)].clocked_place; }

private:
  struct Set {
    bool clocked = false, unclocked = false;
    Place clocked_place, unclocked_place;
    std::string clocked_why, unclocked_why;
    std::optional<ClockSource> source;
    std::string method;
    Place method_place;
    std::uint32_t clock = none;       // in System::sub_clocks
    std::optional<Rational> interval, shift;
  };
  bool compatible(const ClockSource& one, const ClockSource& other) const;
  void solve_base(const std::vector<std::uint32_t>& roots);
  void spread(std::uint32_t root);
  void spread_methods();

  Analysis& a_;
  std::vector<std::uint32_t> parent_;
  std::vector<Set> sets_;
  std::vector<ClockRelation> relations_;
  std::vector<std::vector<std::uint32_t>> relations_of_;   // by root
};

}  // namespace mosim::compiler::dae
